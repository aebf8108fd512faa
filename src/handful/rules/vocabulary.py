"""Vocabulary of one side of a check: the meanings of typed words.

All words come from the ruleset: names, titles and aliases of values, difficulties, attributes,
skills, conditions and traits.  A word may have several meanings; the parser decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from handful.errors import NO_MESSAGE, Message, NotAccepted, Refused, did_you_mean
from handful.records import record
from handful.rules.name_resolution import (
    CharacterNames,
    checkable_names,
    find_meanings,
    find_picks,
    find_sheet_meanings,
    unknown_name_error,
)
from handful.rules.params import ADD_SUFFIX, TRUTHS, Param, display_value, match_name, normalize_name
from handful.rules.ruleset import Check, Ruleset
from handful.rules.sheet_rules import CheckModifier, Condition, Trait


@record()
class WordMeaning:
    """One meaning of some words: the parameters that they set."""

    given: tuple[tuple[str, str], ...]
    kind: str = ""  # attributes or skills
    name: str = ""
    missing: Message = NO_MESSAGE  # why it cannot be used as typed; empty if it can
    only_for: tuple[str, ...] = ()  # attributes and skills; empty: all

    def format(self) -> str:
        """Return it as unambiguous input."""
        return " ".join(f"{name}={_quote(value)}" for name, value in self.given)


class Vocabulary:
    """Meanings of words in a check; `character` has the names on the character's sheet."""

    def __init__(
        self, rules: Ruleset, check: Check, character: CharacterNames | None = None, *, further: bool = False
    ) -> None:
        self.rules, self.check, self.character = rules, check, character
        self.params = check.per_side() if further else list(check.params.values())
        self._bare_words: dict[str, list[WordMeaning]] | None = None

    def meanings_of(self, words: Sequence[str]) -> list[WordMeaning]:
        """Return all meanings of a span of words; empty if it has none."""
        named = [index for index, word in enumerate(words) if "=" in word]
        if not named:
            return self.bare_meanings(" ".join(words))
        if len(named) > 1:
            return []
        name, _, value = " ".join(words).partition("=")
        return self._named_meanings(name, value, words, named[0])

    # -- bare words

    def bare_meanings(self, words: str) -> list[WordMeaning]:
        """Return the meanings of a word without a value; a bare number has none."""
        if words.strip("+-. ").isdigit():
            return []  # a bare number does not say which parameter it is for
        return self.bare_words().get(_key(words), [])

    def bare_words(self) -> Mapping[str, list[WordMeaning]]:
        """Return every bare word of the check, with its meanings."""
        if self._bare_words is None:
            self._bare_words = {}
            for word, meaning in (*self._parameter_words(), *self._sheet_words()):
                meanings = self._bare_words.setdefault(_key(word), [])
                if meaning.given not in [known.given for known in meanings]:
                    meanings.append(meaning)
        return self._bare_words

    def _parameter_words(self) -> Iterator[tuple[str, WordMeaning]]:
        for param in self.params:
            if param.type == "truth":
                for spelling in (param.name, *param.label.values(), *param.aliases):
                    yield spelling, WordMeaning(((param.name, "yes"),))
            names = [name for name in param.names() if name not in TRUTHS]
            taken = {_key(name) for name in names}
            for name in names:
                yield name, WordMeaning(((param.name, name),))
                for spelling in param.spellings.get(name, ()):
                    if _key(spelling) not in taken:  # a name wins over another's title
                        yield spelling, WordMeaning(((param.name, name),))

    def _sheet_words(self) -> Iterator[tuple[str, WordMeaning]]:
        sheet = self.rules.sheet
        if sheet is None:
            return
        for kind, names in checkable_names(self.rules, self.check, self.character).items():
            parameter = find_picks(sheet, self.check, kind)[0].parameter
            for name, spellings in names.items():
                missing = NO_MESSAGE if self.character is not None else self._needs_number(name)
                for spelling in (name, *spellings):
                    yield spelling, WordMeaning(((parameter, name),), kind, name, missing)
        entries: list[Condition | Trait] = [*sheet.conditions.values(), *sheet.traits.values()]
        for entry in entries:
            if (given := self._given_parameters(entry)) is not None:
                only = tuple(name for modifier in entry.gives for name in modifier.only_for)
                for spelling in (entry.name, *entry.title.values(), *entry.aliases):
                    yield spelling, WordMeaning(given, only_for=only)

    def _needs_number(self, name: str) -> Message:
        return Message("check.needs_number", name=name, example=self._example(name))

    def _example(self, name: str) -> str:
        sheet = self.rules.sheet
        assert sheet is not None
        if name in sheet.attributes:
            return sheet.attributes[name].param.example()
        return sheet.skill.param.example() if sheet.skill else "3"

    def _given_parameters(self, entry: Condition | Trait) -> tuple[tuple[str, str], ...] | None:
        """Return the parameters that a condition or trait sets in this check; None if it sets none."""
        has = self.character is not None and entry.name in self.character.traits
        modifiers = [
            modifier for modifier in entry.gives if self._applies(modifier) and (modifier.off or not has)
        ]
        params = {param.name: param for param in self.params}
        given = tuple(
            (self._added_parameter(params[name]), str(_format_value(value)))
            for modifier in modifiers
            for name, value in modifier.values.items()
            if name in params
        )
        return given if given and len(dict(given)) == len(given) else None

    def _applies(self, modifier: CheckModifier) -> bool:
        return not modifier.checks or self.check.name in modifier.checks

    def _added_parameter(self, param: Param) -> str:
        """Return the parameter's name; with a sheet, numbers are added to the sheet's (`+`)."""
        adds = self.character is not None and param.type in ("number", "halves", "die_code")
        return param.name + ADD_SUFFIX * adds

    def named_entries(self, meaning: WordMeaning) -> set[str]:
        """Return the attributes and skills that some words name."""
        named = {meaning.name} if meaning.kind else set()
        for name, value in meaning.given:
            sheet = self.rules.sheet
            at_pick = sheet is not None and name in sheet.picks
            for word in (name, value) if at_pick else (name,):
                found = find_sheet_meanings(self.rules, self.check, word, self.character)
                named |= {entry.name for entry in found}
        return named

    # -- names with values

    def _named_meanings(self, name: str, value: str, words: Sequence[str], at: int) -> list[WordMeaning]:
        if not name.strip():
            raise Refused(Message("check.no_name", word=_abbreviate(words[at]), example=self.example()))
        base_name, suffix = (name[:-1], ADD_SUFFIX) if name.endswith(ADD_SUFFIX) else (name, "")
        declared = match_name(base_name, self.check.params)
        if declared and not value.strip():
            raise Refused(
                Message("check.no_value", name=declared, expects=self.check.params[declared].expects())
            )
        if at < len(words) - 1 and not self._is_title(declared, value):
            return []
        if declared and at == 0:
            return [WordMeaning(((declared + suffix, value),))]
        if not declared and find_meanings(self.rules, self.check, base_name, self.character):
            return [WordMeaning(((base_name.strip() + suffix, value),))]
        return []

    def _is_title(self, parameter: str | None, value: str) -> bool:
        """Return whether several words are the title of one value."""
        if parameter is None:
            return False
        param = self.check.params[parameter]
        sheet = self.rules.sheet
        try:
            if param.resolve_name(value) is not None:
                return True
        except Refused:
            return True  # ambiguous: reported when the value is read
        picks = sheet is not None and parameter in sheet.picks
        return picks and bool(find_sheet_meanings(self.rules, self.check, value, self.character))

    def is_readable(self, meaning: WordMeaning) -> bool:
        """Return whether all values are valid, or names on the sheet."""
        for name, value in meaning.given:
            param = self.check.params.get(name.removesuffix(ADD_SUFFIX))
            try:
                if param is not None:
                    param.read(value)
            except Refused:
                if not self._is_title(param.name if param else None, value):
                    return False
        return True

    # -- unknown words

    def not_understood(self, word: str) -> Refused:
        """Return the refusal for a word without a meaning."""
        name, equals, _ = word.partition("=")
        if equals:
            return unknown_name_error(
                self.rules, self.check, name.removesuffix(ADD_SUFFIX).strip(), self.character
            )
        declared = match_name(name, self.check.params)
        return NotAccepted(
            Message("check.not_understood", word=_abbreviate(word), example=self.example(declared)),
            "" if declared else did_you_mean(normalize_name(name), self._suggestions()),
        )

    def _suggestions(self) -> list[str]:
        side = [self.check.sides.word] if self.check.sides else []
        return [*self.check.params, *side, *self.bare_words()]

    def example(self, name: str | None = None) -> str:
        """Return an example of valid input, for messages."""
        for param in self.check.params.values():
            if name in (None, param.name):
                return f"{param.name}={param.example()}"
        return "name=value"

    def governs(self, attribute: str, other: WordMeaning) -> bool:
        """Return whether the skill that `other` names belongs to an attribute."""
        sheet = self.rules.sheet
        if sheet is None or other.kind != "skills":
            return False
        skill = sheet.skills.get(other.name)
        custom_attribute = self.character.skills.get(other.name, "") if self.character else ""
        return (skill.attribute if skill else custom_attribute) == attribute


def _key(words: str) -> str:
    return normalize_name(words).casefold()


def _format_value(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    shown = display_value(value)
    return ",".join(map(str, shown)) if isinstance(shown, list) else shown


def _quote(value: str) -> str:
    return f'"{value}"' if " " in value else value


def _abbreviate(word: str, longest: int = 40) -> str:
    return word if len(word) <= longest else word[: longest - 1] + "…"
