"""A check as somebody types it: words -> the check, its sides and their parameters.

    direct attribute=4 skill=1              names and values
    grace=3.5 acrobatics=2 target=2         names of the sheet; the usual check of the game
    grace acrobatics difficult              of a character, who has the numbers
    opposed grace=4 vs might=3              `vs` or `with` starts a further side

A bare word is whatever it can mean in that check: an attribute or skill of a character, a named
difficulty, a value of a choice, a truth, a trait, or the name of the check itself.  Words that
follow each other may be one title.  With one meaning it is taken, with several it is refused and
all of them are spelled out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from handful.errors import NotAccepted, Refused, did_you_mean, format_choices, format_count
from handful.rules.params import ADD_SUFFIX, match_name, match_spellings, normalize_name
from handful.rules.ruleset import Check, Ruleset

if TYPE_CHECKING:
    from handful.rules.name_resolution import CharacterNames
    from handful.rules.vocabulary import Vocabulary, WordMeaning

SIDE_WORDS = ("vs", "with")
AS = "as"
MAX_WORDS = 1000
MAX_TITLE_WORDS = 6  # words
Side = dict[str, str]
CharacterNamesOf = Callable[[str | None, int], "CharacterNames | None"]  # of whom, and of which side from 0


class TypedCheck(NamedTuple):
    """What was typed: the first side has what belongs to the whole check, too."""

    check: Check
    sides: list[Side]
    who: list[str | None]  # the character of each side, as it was typed

    def parts(self) -> tuple[list[Side], Side]:
        """The sides and the parameters, as `bind` and `draft` take them."""
        first, *further = self.sides
        return [{}, *further] if further else [], first


def parse_typed_check(
    rules: Ruleset,
    words: Sequence[str],
    *,
    check: Check | None = None,
    who: Sequence[str] = (),
    own_of: CharacterNamesOf | None = None,
) -> TypedCheck:
    """The check that was typed, with its parameters by their own names.

    `who` are the characters of the sides as far as they are known before; `own_of` gives the names
    on the sheet of whoever makes a side, also where nobody is named.
    """
    if len(words) > MAX_WORDS:
        raise Refused(f"at most {MAX_WORDS} words, not {len(words)}")
    reader = _CheckParser(rules, who, own_of)
    if check is not None:
        return reader.read(check, words)
    if (
        words
        and (name := match_name(words[0], rules.checks)) is not None
        and not _starts_with_title(rules, words)
    ):
        return reader.read(rules.check(name), words[1:])
    return _find_check(rules, words, reader)


# -- which check


def _starts_with_title(rules: Ruleset, words: Sequence[str]) -> bool:
    """Whether the words begin with a title of a check that has several words."""
    titles = rules.check_names() if len(words) > 1 and "=" not in words[1] else {}
    longest = min(MAX_TITLE_WORDS, len(words))
    return any(match_spellings(" ".join(words[:stop]), titles) for stop in range(2, longest + 1))


def _find_check(rules: Ruleset, words: Sequence[str], reader: _CheckParser) -> TypedCheck:
    """The check that is named by its title somewhere, or the one that takes these words."""
    if not words:
        raise Refused(f"which check? there is {format_choices(rollable_checks(rules))}")
    named = _named_checks(rules, words)
    tried = [_attempt(reader, rules, name, left) for name, left in named]
    found = [one for one in (*tried, _implied_check(rules, words, reader, named=bool(named))) if one]
    made = [one for one in found if isinstance(one, TypedCheck)]
    if len(made) == 1:
        return made[0]
    if made:
        ways = [" ".join([one.check.name, *map(_format_side, one.sides)]) for one in made]
        raise Refused(f"these words may mean {format_choices(ways)}; write one of these")
    raise next(one for one in found if isinstance(one, Refused))


def rollable_checks(rules: Ruleset) -> list[str]:
    """The names of the checks that can be rolled."""
    checks = rules.content.get("checks", {})
    return [name for name in rules.checks if "refuse" not in checks.get(name, {})]


def _named_checks(rules: Ruleset, words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Every check that is named among the words, with those that are left."""
    end = next((n for n, word in enumerate(words) if word.lower() in SIDE_WORDS), len(words))
    titles, found = rules.check_names(), []
    for start in range(end):
        for stop in range(start + 1, min(end, start + MAX_TITLE_WORDS) + 1):
            if "=" in words[stop - 1]:
                break
            for name in match_spellings(" ".join(words[start:stop]), titles):
                found.append((name, [*words[:start], *words[stop:]]))
    return found


def _attempt(reader: _CheckParser, rules: Ruleset, name: str, words: Sequence[str]) -> TypedCheck | Refused:
    try:
        return reader.read(rules.check(name), words)
    except Refused as refusal:
        return refusal


def _implied_check(
    rules: Ruleset, words: Sequence[str], reader: _CheckParser, *, named: bool
) -> TypedCheck | Refused | None:
    """The check that is meant where none is named."""
    names = rollable_checks(rules)
    usual = rules.usual_check or (names[0] if len(names) == 1 else None)
    first = _attempt(reader, rules, usual, words) if usual else None
    if first is not None and not isinstance(first, NotAccepted):
        return first
    others = [_attempt(reader, rules, name, words) for name in names if name != usual]
    able = [one for one in others if isinstance(one, TypedCheck)]
    complete = [one for one in able if reader.complete(one)]
    able = complete if len(complete) == 1 else able
    if len(able) == 1:
        return able[0]
    if able:
        return Refused(f"which check? these words fit {format_choices(one.check.name for one in able)}")
    if named:
        return None
    return _no_check_error(rules, words, first or others[0])


def _no_check_error(rules: Ruleset, words: Sequence[str], reason: TypedCheck | Refused) -> Refused:
    """Why the words fit no check; the first one may be the name of a check, mistyped."""
    assert isinstance(reason, Refused)
    if not reason.message.startswith(f"{words[0]!r} is not understood"):
        return reason
    names = list(rules.checks)
    hint = did_you_mean(normalize_name(words[0]), names) or reason.hint
    return Refused(f"there is no check {_abbreviate(words[0])!r}; there is {format_choices(names)}", hint)


# -- its words


class _CheckParser:
    """Reads the words of a check, for the characters who make it."""

    def __init__(self, rules: Ruleset, who: Sequence[str], own_of: CharacterNamesOf | None) -> None:
        self.rules, self.who, self.own_of = rules, who, own_of
        self._known: dict[tuple[str | None, int], CharacterNames | None] = {}

    def read(self, check: Check, words: Sequence[str]) -> TypedCheck:
        typed = self._split(check, words)
        plain = [[word for word in side if not _names_character(check, word)] for side in typed]
        who = self._characters(check, typed)
        sides = [
            self._side(check, side, name, place)
            for place, (side, name) in enumerate(zip(plain, who, strict=True))
        ]
        return TypedCheck(check, sides, who)

    def complete(self, typed: TypedCheck) -> bool:
        """Whether nothing is missing, and every value can be read; a sheet may have the rest."""
        if any(typed.who):
            return True
        for place, side in enumerate(typed.sides):
            for param in typed.check.params.values():
                given = side.get(param.name)
                if given is None and param.required and (not place or not param.whole):
                    return False
                try:
                    param.read(given if given is not None else param.example())
                except Refused:
                    return False
        return True

    def _split(self, check: Check, words: Sequence[str]) -> list[list[str]]:
        sides: list[list[str]] = [[]]
        for word in words:
            if word.lower() in SIDE_WORDS:
                _check_side_word(check, word.lower())
                sides.append([])
            else:
                sides[-1].append(word)
        return sides

    def _characters(self, check: Check, sides: Sequence[Sequence[str]]) -> list[str | None]:
        """Who makes each side: by `as=` among its words, or known before."""
        if len(self.who) > len(sides):
            raise Refused(
                f"{format_count(len(self.who), 'character')} for {format_count(len(sides), 'side')}; "
                "give --as once for each side"
            )
        who: list[str | None] = [*self.who, *[None] * (len(sides) - len(self.who))]
        for place, side in enumerate(sides):
            names = [word.partition("=")[2] for word in side if _names_character(check, word)]
            if any(not name.strip() for name in names):
                raise Refused("as has no value; it needs the name of a character, or a path")
            if len(names) > 1:
                raise Refused(f"{AS} is given twice; give it {_once_text(check)}")
            if names and who[place] is not None:
                raise Refused("who makes the check is given twice; give --as or as=, not both")
            who[place] = names[0] if names else who[place]
        return who

    def _own(self, name: str | None, place: int) -> CharacterNames | None:
        if self.own_of is None:
            return None
        if (name, place) not in self._known:
            self._known[name, place] = self.own_of(name, place)
        return self._known[name, place]

    def _side(self, check: Check, words: Sequence[str], who: str | None, place: int) -> Side:
        if (plain := _parse_named_only(check, words)) is not None:
            return plain
        from handful.rules.name_resolution import (
            resolve_parameters,  # parameters by their own names need neither
        )
        from handful.rules.vocabulary import Vocabulary

        own = self._own(who, place)
        made = Vocabulary(self.rules, check, own, further=place > 0)
        given = _SideParser(check, words, made).given()
        return {name: str(value) for name, value in resolve_parameters(self.rules, check, given, own).items()}


def _parse_named_only(check: Check, words: Sequence[str]) -> Side | None:
    """The usual case: parameters by their own names; None if there is anything else."""
    found: Side = {}
    for word in words:
        name, equals, value = word.partition("=")
        own = name.removesuffix(ADD_SUFFIX)
        if not equals or own not in check.params or name in found or not value.strip():
            return None
        found[name] = value
    return found


class _SideParser:
    """The words of one side, cut into those that belong together."""

    def __init__(self, check: Check, words: Sequence[str], meanings: Vocabulary) -> None:
        self.check, self.words, self.meanings = check, words, meanings
        self.read: dict[tuple[int, int], list[WordMeaning]] = {}

    def given(self) -> Side:
        spans = self._spans()
        named = {
            name.removesuffix(ADD_SUFFIX)
            for start, end in spans
            if "=" in " ".join(self.words[start:end])
            for name, _ in self.read[start, end][0].given
        }
        made: dict[str, list[WordMeaning]] = {}
        found: Side = {}
        said = [" ".join(self.words[start:end]) for start, end in spans]
        chosen = [self._one(words, self.read[span], named) for words, span in zip(said, spans, strict=True)]
        self._only_for(said, chosen)
        for one in chosen:
            for name, value in one.given:
                if name in found:
                    value = self._both(name, found[name], value, [*made[name], one])
                found[name] = value
                made.setdefault(name, []).append(one)
        return found

    def _only_for(self, said: Sequence[str], chosen: Sequence[WordMeaning]) -> None:
        """Refuses a trait or condition that does not touch what is checked."""
        if not any(one.only_for for one in chosen):
            return
        touched = {name for one in chosen for name in self.meanings.touched(one)}
        for words, one in zip(said, chosen, strict=True):
            if one.only_for and not touched & {*one.only_for}:
                raise Refused(f"{_abbreviate(words)!r} counts only for {format_choices(one.only_for)}")

    def _spans(self) -> list[tuple[int, int]]:
        """Where the words are cut; refused where there are several ways, or none."""
        count = len(self.words)
        ways: list[list[list[tuple[int, int]]]] = [[] for _ in range(count)] + [[[]]]
        for start in range(count - 1, -1, -1):
            for end in self._ends(start):
                ways[start] += [[(start, end), *rest] for rest in ways[end]][:2]
        if len(ways[0]) > 1:
            both = [" and ".join(repr(" ".join(self.words[a:b])) for a, b in way) for way in ways[0]]
            raise Refused(
                f"{' '.join(self.words)!r} may mean {format_choices(both)}; "
                "put what belongs together in quotation marks"
            )
        if not ways[0]:
            raise self._not_understood()
        return ways[0][0]

    def _ends(self, start: int) -> list[int]:
        """Where words may end that belong together from here on."""
        found = []
        for end in range(start + 1, min(len(self.words), start + MAX_TITLE_WORDS) + 1):
            if readings := self.meanings.of(self.words[start:end]):
                self.read[start, end] = readings
                found.append(end)
        if len(found) > 1 and "=" in self.words[start]:
            return [end for end in found if self.meanings.readable(self.read[start, end][0])]
        return found

    def _not_understood(self) -> Refused:
        """The first word that nothing makes sense of."""
        reached = {0}
        for start, end in sorted(self.read):
            if start in reached:
                reached.add(end)
        return self.meanings.not_understood(self.words[max(reached)])

    def _one(self, words: str, readings: list[WordMeaning], named: set[str]) -> WordMeaning:
        """What some words mean; where a parameter is given by name, nothing else gives it."""
        free = [one for one in readings if not named & {name for name, _ in one.given}]
        left = readings if "=" in words or not free else free
        able = [one for one in left if not one.lacks] or left
        if len(able) > 1:
            raise Refused(
                f"{_abbreviate(words)!r} may mean {format_choices(one.typed() for one in able)}; "
                "write one of these"
            )
        if able[0].lacks:
            raise Refused(able[0].lacks)
        return able[0]

    def _both(self, name: str, before: str, value: str, by: list[WordMeaning]) -> str:
        """Two values of one parameter: several skills, or a skill beside its own attribute."""
        own = name.removesuffix(ADD_SUFFIX)
        param = self.check.params.get(own)
        if all(one.kind for one in by) and param is not None:
            if param.separators:
                return f"{before},{value}"
            for one, other in product(by, by):
                if one.kind == "attributes" and self.meanings.governs(one.name, other):
                    return other.name
        raise Refused(f"{name} is given twice; give it {_once_text(self.check)}")


# -- parts


def _once_text(check: Check) -> str:
    return "once per side" if check.sides else "once"


def _names_character(check: Check, word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and normalize_name(name) == AS and match_name(name, check.params) is None


def _check_side_word(check: Check, word: str) -> None:
    if check.sides is None:
        raise NotAccepted(f"{check.name} has one side only; leave out {word!r} and what follows it")
    if check.sides.word != word:
        what = "side" if check.sides.word == "vs" else "member"
        raise NotAccepted(f"a further {what} of {check.name} follows {check.sides.word!r}, not {word!r}")


def _format_side(side: Side) -> str:
    return " ".join(f"{name}={value}" for name, value in side.items())


def _abbreviate(word: str, longest: int = 40) -> str:
    return word if len(word) <= longest else word[: longest - 1] + "…"
