"""What words can mean in one check, for one side of it.

Everything comes from the ruleset: names, titles and aliases of values, difficulties, attributes,
skills, conditions and traits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from handful.errors import NotAccepted, Refused, did_you_mean
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
    """One meaning of some words: the parameters that they give."""

    given: tuple[tuple[str, str], ...]
    kind: str = ""  # attributes or skills
    name: str = ""
    lacks: str = ""  # why it does not do as it stands
    only_for: tuple[str, ...] = ()  # attributes and skills; none: all

    def typed(self) -> str:
        """The same, as it can be typed without doubt."""
        return " ".join(f"{name}={_quote(value)}" for name, value in self.given)


class Vocabulary:
    """The meanings of words in a check; `own` are the names of the character who makes it."""

    def __init__(
        self, rules: Ruleset, check: Check, own: CharacterNames | None = None, *, further: bool = False
    ) -> None:
        self.rules, self.check, self.own = rules, check, own
        self.params = check.per_side() if further else list(check.params.values())
        self._bare: dict[str, list[WordMeaning]] | None = None

    def of(self, words: Sequence[str]) -> list[WordMeaning]:
        """Everything that some words can mean together; none where they make no sense."""
        named = [place for place, word in enumerate(words) if "=" in word]
        if not named:
            return self.bare(" ".join(words))
        if len(named) > 1:
            return []
        name, _, value = " ".join(words).partition("=")
        return self._named(name, value, words, named[0])

    # -- bare words

    def bare(self, words: str) -> list[WordMeaning]:
        if words.strip("+-. ").isdigit():
            return []  # nobody knows what a number is of
        return self.known().get(_key(words), [])

    def known(self) -> Mapping[str, list[WordMeaning]]:
        """Every bare word of the check, with its meanings."""
        if self._bare is None:
            self._bare = {}
            for way, reading in (*self._of_parameters(), *self._of_sheet()):
                found = self._bare.setdefault(_key(way), [])
                if reading.given not in [one.given for one in found]:
                    found.append(reading)
        return self._bare

    def _of_parameters(self) -> Iterator[tuple[str, WordMeaning]]:
        for param in self.params:
            if param.type == "truth":
                for way in (param.name, *param.label.values(), *param.aliases):
                    yield way, WordMeaning(((param.name, "yes"),))
            names = [one for one in param.names() if one not in TRUTHS]
            taken = {_key(one) for one in names}
            for one in names:
                yield one, WordMeaning(((param.name, one),))
                for way in param.spellings.get(one, ()):
                    if _key(way) not in taken:  # a name of its own wins over a title
                        yield way, WordMeaning(((param.name, one),))

    def _of_sheet(self) -> Iterator[tuple[str, WordMeaning]]:
        sheet = self.rules.sheet
        if sheet is None:
            return
        for kind, names in checkable_names(self.rules, self.check, self.own).items():
            to = find_picks(sheet, self.check, kind)[0].parameter
            for name, ways in names.items():
                lacks = "" if self.own is not None else self._needs_number(name)
                for way in (name, *ways):
                    yield way, WordMeaning(((to, name),), kind, name, lacks)
        gifted: list[Condition | Trait] = [*sheet.conditions.values(), *sheet.traits.values()]
        for one in gifted:
            if (given := self._gifts(one)) is not None:
                only = tuple(name for gift in one.gives for name in gift.only_for)
                for way in (one.name, *one.title.values(), *one.aliases):
                    yield way, WordMeaning(given, only_for=only)

    def _needs_number(self, name: str) -> str:
        return (
            f"{name!r} needs a number here, such as {name}={self._example(name)}, "
            "or a character who makes the check: as=NAME"
        )

    def _example(self, name: str) -> str:
        sheet = self.rules.sheet
        assert sheet is not None
        if name in sheet.attributes:
            return sheet.attributes[name].param.example()
        return sheet.skill.param.example() if sheet.skill else "3"

    def _gifts(self, one: Condition | Trait) -> tuple[tuple[str, str], ...] | None:
        """What a condition or trait gives to this check; None if it gives nothing."""
        has = self.own is not None and one.name in self.own.traits
        gifts = [gift for gift in one.gives if self._reaches(gift) and (gift.off or not has)]
        params = {param.name: param for param in self.params}
        given = tuple(
            (self._beside(params[name]), str(_format_value(value)))
            for gift in gifts
            for name, value in gift.values.items()
            if name in params
        )
        return given if given and len(dict(given)) == len(given) else None

    def _reaches(self, gift: CheckModifier) -> bool:
        return not gift.checks or self.check.name in gift.checks

    def _beside(self, param: Param) -> str:
        """With a sheet, numbers come beside those that it has."""
        adds = self.own is not None and param.type in ("number", "halves", "die_code")
        return param.name + ADD_SUFFIX * adds

    def touched(self, reading: WordMeaning) -> set[str]:
        """The attributes and skills that some words name."""
        named = {reading.name} if reading.kind else set()
        for name, value in reading.given:
            sheet = self.rules.sheet
            at_pick = sheet is not None and name in sheet.picks
            for word in (name, value) if at_pick else (name,):
                found = find_sheet_meanings(self.rules, self.check, word, self.own)
                named |= {one.name for one in found}
        return named

    # -- names with values

    def _named(self, name: str, value: str, words: Sequence[str], at: int) -> list[WordMeaning]:
        if not name.strip():
            raise Refused(
                f"{_abbreviate(words[at])!r} has no name; write name=value, such as {self.example()}"
            )
        bare, more = (name[:-1], ADD_SUFFIX) if name.endswith(ADD_SUFFIX) else (name, "")
        own = match_name(bare, self.check.params)
        if own and not value.strip():
            raise Refused(f"{own} has no value; it needs {self.check.params[own].expects()}")
        if at < len(words) - 1 and not self._is_title(own, value):
            return []
        if own and at == 0:
            return [WordMeaning(((own + more, value),))]
        if not own and find_meanings(self.rules, self.check, bare, self.own):
            return [WordMeaning(((bare.strip() + more, value),))]
        return []

    def _is_title(self, parameter: str | None, value: str) -> bool:
        """Whether several words are the name of one value."""
        if parameter is None:
            return False
        param = self.check.params[parameter]
        sheet = self.rules.sheet
        try:
            if param.resolve_name(value) is not None:
                return True
        except Refused:
            return True  # and what it may mean is said where it is read
        picks = sheet is not None and parameter in sheet.picks
        return picks and bool(find_sheet_meanings(self.rules, self.check, value, self.own))

    def readable(self, reading: WordMeaning) -> bool:
        """Whether the values can be read, or are names of the sheet."""
        for name, value in reading.given:
            param = self.check.params.get(name.removesuffix(ADD_SUFFIX))
            try:
                if param is not None:
                    param.read(value)
            except Refused:
                if not self._is_title(param.name if param else None, value):
                    return False
        return True

    # -- what is not understood

    def not_understood(self, word: str) -> Refused:
        name, equals, _ = word.partition("=")
        if equals:
            return unknown_name_error(self.rules, self.check, name.removesuffix(ADD_SUFFIX).strip(), self.own)
        own = match_name(name, self.check.params)
        message = f"{_abbreviate(word)!r} is not understood; write name=value, such as {self.example(own)}"
        return NotAccepted(message, "" if own else did_you_mean(normalize_name(name), self._all()))

    def _all(self) -> list[str]:
        side = [self.check.sides.word] if self.check.sides else []
        return [*self.check.params, *side, *self.known()]

    def example(self, name: str | None = None) -> str:
        """Something that the check would understand."""
        for param in self.check.params.values():
            if name in (None, param.name):
                return f"{param.name}={param.example()}"
        return "name=value"

    def governs(self, attribute: str, other: WordMeaning) -> bool:
        """Whether a skill belongs to an attribute."""
        sheet = self.rules.sheet
        if sheet is None or other.kind != "skills":
            return False
        skill = sheet.skills.get(other.name)
        known = self.own.skills.get(other.name, "") if self.own else ""
        return (skill.attribute if skill else known) == attribute


def _key(words: str) -> str:
    return normalize_name(words).casefold()


def _format_value(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    made = display_value(value)
    return ",".join(map(str, made)) if isinstance(made, list) else made


def _quote(value: str) -> str:
    return f'"{value}"' if " " in value else value


def _abbreviate(word: str, longest: int = 40) -> str:
    return word if len(word) <= longest else word[: longest - 1] + "…"
