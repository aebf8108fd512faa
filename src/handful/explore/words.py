"""Typed words of a check, split into its sides.

    attribute=4 skill=1 vs attribute=3.5

`vs` starts a further side and `with` a further member; the words before the first of them belong
to the whole check and to its first side.  Values are read by the parameters of the ruleset.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from handful.errors import Refused, counted, did_you_mean
from handful.rules.params import canonical, lookup
from handful.rules.ruleset import Check, Ruleset

SIDE_WORDS = ("vs", "with")
AS = "as"
MOST_WORDS = 1000


class Typed(NamedTuple):
    """A typed check; the first side has the values of the whole check, too."""

    check: Check
    sides: list[dict[str, str]]
    who: list[str | None]  # the character of each side, as it was typed

    def parts(self) -> tuple[list[dict[str, str]], dict[str, str]]:
        """Return the sides and the parameters, as `bind` and `draft` take them."""
        first, *further = self.sides
        return [{}, *further] if further else [], first


def read_typed(rules: Ruleset, words: Sequence[str], *, who: Sequence[str] = ()) -> Typed:
    """Read the name of a check and its words; `who` are the characters of the sides."""
    if len(words) > MOST_WORDS:
        raise Refused(f"at most {MOST_WORDS} words, not {len(words)}")
    check = rules.check(words[0])
    sides: list[dict[str, str]] = [{}]
    for word in words[1:]:
        if word.lower() in SIDE_WORDS:
            _check_side_word(check, word.lower())
            sides.append({})
            continue
        name, value = _name_and_value(check, word)
        if name in sides[-1]:
            once = "once per side" if check.sides else "once"
            raise Refused(f"{name} is given twice; give it {once}")
        sides[-1][name] = value
    return Typed(check, sides, _characters(sides, who))


def _characters(sides: Sequence[dict[str, str]], given: Sequence[str]) -> list[str | None]:
    """Say who makes each side: by `as=` among its words, or by `--as` in the order of sides."""
    if len(given) > len(sides):
        raise Refused(
            f"{counted(len(given), 'character')} for {counted(len(sides), 'side')}; "
            "give --as once for each side"
        )
    who: list[str | None] = [*given, *[None] * (len(sides) - len(given))]
    for place, side in enumerate(sides):
        named = side.pop(AS, None)
        if named is not None and who[place] is not None:
            raise Refused("who makes the check is given twice; give --as or as=, not both")
        who[place] = who[place] if named is None else named
    return who


def _check_side_word(check: Check, word: str) -> None:
    if check.sides is None:
        raise Refused(f"{check.name} has one side only; leave out {word!r} and what follows it")
    if check.sides.word != word:
        what = "side" if check.sides.word == "vs" else "member"
        raise Refused(
            f"a further {what} of {check.name} follows {check.sides.word!r}, not {word!r}"
        )


def _name_and_value(check: Check, word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    own = lookup(name, check.params)
    if not equals:
        known = (*check.params, *((check.sides.word,) if check.sides else ()))
        raise Refused(
            f"{_cut(word)!r} is not understood; write name=value, such as {_example(check, own)}",
            "" if own else did_you_mean(canonical(name), known),
        )
    if not name.strip():
        example = _example(check, own)
        raise Refused(f"{_cut(word)!r} has no name; write name=value, such as {example}")
    if canonical(name) == AS and not own:
        if not value.strip():
            raise Refused("as has no value; it needs the name of a character, or a path")
        return AS, value
    if own and not value.strip():
        raise Refused(f"{own} has no value; it needs {check.params[own].expects()}")
    return own or name, value


def _example(check: Check, name: str | None) -> str:
    """Return a word that the check would understand."""
    for param in check.params.values():
        if name in (None, param.name):
            return f"{param.name}={param.example()}"
    return "name=value"


def _cut(word: str, longest: int = 40) -> str:
    return word if len(word) <= longest else word[: longest - 1] + "…"
