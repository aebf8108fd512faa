"""From typed words to a bound check.

    attribute=4 skill=1 vs attribute=3.5

What words mean is the business of `rules.check_parser`; here characters and house rules are found.
`as=mira` says who makes a side: then names from the character's sheet need no numbers, and
`bonus+=1` comes beside what the sheet brings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from handful import library
from handful.explore.house_rules import read_options
from handful.roll import BoundCheck, bind
from handful.rules.check_parser import AS, SIDE_WORDS, OwnOf, read_typed
from handful.rules.ruleset import Check, Ruleset

if TYPE_CHECKING:
    from handful.rules.name_resolution import Own
    from handful.sheet import Draft

LONGEST_SEED = 100  # digits


class CheckRequest(NamedTuple):
    """A check that somebody asked for; the draft is there when a character makes it."""

    bound: BoundCheck
    draft: Draft | None


def read_request(
    rules: Ruleset,
    words: Sequence[str],
    options: Sequence[str] = (),
    characters: Sequence[str] = (),
    check: Check | None = None,
) -> CheckRequest:
    """The check that was asked for, with everything settled; perhaps of a check that is known."""
    house = read_options(rules, options)
    typed = read_typed(rules, words, check=check, who=characters, own_of=sheet_names(rules))
    sides, first = typed.parts()
    if not any(typed.who):
        return CheckRequest(bind(rules, typed.check.name, sides, first, house), None)
    game = library.Ruleset(rules)
    named = [None if name is None else game.character(name) for name in typed.who]
    from handful.sheet import draft  # most checks are of numbers alone

    made = draft(rules, typed.check.name, sides or [{}], first, named, options=house)
    return CheckRequest(made.bound(), made)


def sheet_names(rules: Ruleset) -> OwnOf:
    """The names on the sheet of a character of this game, by its name or path."""

    def names(who: str | None, _: int) -> Own | None:
        if who is None:
            return None
        from handful.sheet import sheet_names

        return sheet_names(rules, library.Ruleset(rules).character(who))

    return names


def split_sides(
    rules: Ruleset, check: Check, words: Sequence[str], who: Sequence[str] = ()
) -> list[dict[str, str]]:
    """The words of each side by parameters, and `as` where they say who makes it."""
    typed = read_typed(rules, words, check=check, who=who, own_of=sheet_names(rules))
    return [
        side if name is None or who else {AS: name, **side}
        for side, name in zip(typed.sides, typed.who, strict=True)
    ]


def parse_digits(typed: str, longest: int = 6) -> int | None:
    """A number typed as digits and nothing else but blanks around them; None if it is not."""
    digits = typed.strip()
    plain = digits.isascii() and digits.isdigit() and len(digits) <= longest
    return int(digits) if plain else None


def shorten_word(word: str, longest: int = 40) -> str:
    """A typed word for a message."""
    return word if len(word) <= longest else word[: longest - 1] + "…"


__all__ = [
    "AS",
    "LONGEST_SEED",
    "SIDE_WORDS",
    "CheckRequest",
    "parse_digits",
    "read_options",
    "read_request",
    "sheet_names",
    "shorten_word",
    "split_sides",
]
