"""Parse typed words into a bound check.

    attribute=4 skill=1 vs attribute=3.5

`rules.check_parser` parses the words; this module adds characters and house rules.  `as=mira` names
the character of a side: names from its sheet then need no numbers, and `bonus+=1` adds to the value
from the sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from handful import library
from handful.explore.house_rules import read_options
from handful.roll import BoundCheck, bind
from handful.rules.check_parser import AS, SIDE_WORDS, CharacterNamesOf, parse_typed_check
from handful.rules.ruleset import Check, Ruleset
from handful.solver.solver import SolvedRules

if TYPE_CHECKING:
    from handful.rules.name_resolution import CharacterNames
    from handful.sheet import Draft

LONGEST_SEED = 100  # digits


class CheckRequest(NamedTuple):
    """A bound check, with its draft if a character makes the check."""

    bound: BoundCheck
    draft: Draft | None


def read_request(
    rules: Ruleset,
    words: Sequence[str],
    options: Sequence[str] = (),
    characters: Sequence[str] = (),
    check: Check | None = None,
) -> CheckRequest:
    """Bind the check that the words describe; `check` fixes the check if it is known already."""
    house_rules = read_options(rules, options)
    typed = parse_typed_check(rules, words, check=check, who=characters, names_of=sheet_names(rules))
    sides, first = typed.arguments()
    if not any(typed.who):
        return CheckRequest(bind(rules, typed.check.name, sides, first, house_rules), None)
    game = library.Ruleset(SolvedRules(rules))
    makers = [None if name is None else game.character(name) for name in typed.who]
    from handful.sheet import draft  # imported late: most checks have no character

    drafted = draft(rules, typed.check.name, sides or [{}], first, makers, options=house_rules)
    return CheckRequest(drafted.bound(), drafted)


def sheet_names(rules: Ruleset) -> CharacterNamesOf:
    """Return a function from a character's name or path to the names on its sheet."""

    def names(who: str | None, _: int) -> CharacterNames | None:
        if who is None:
            return None
        from handful.sheet import sheet_names

        return sheet_names(rules, library.Ruleset(SolvedRules(rules)).character(who))

    return names


def split_sides(
    rules: Ruleset, check: Check, words: Sequence[str], who: Sequence[str] = ()
) -> list[dict[str, str]]:
    """Return the words of each side by parameter, with `as` for a side that names its character."""
    typed = parse_typed_check(rules, words, check=check, who=who, names_of=sheet_names(rules))
    return [
        side if name is None or who else {AS: name, **side}
        for side, name in zip(typed.sides, typed.who, strict=True)
    ]


def parse_digits(typed: str, longest: int = 6) -> int | None:
    """Parse a number of ASCII digits, blanks around it allowed; None for anything else."""
    digits = typed.strip()
    valid = digits.isascii() and digits.isdigit() and len(digits) <= longest
    return int(digits) if valid else None


def shorten_word(word: str, longest: int = 40) -> str:
    """Shorten a typed word for a message."""
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
