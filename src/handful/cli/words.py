"""From typed words to a bound check.

    attribute=4 skill=1 vs attribute=3.5

`vs` starts a further side and `with` a further member; all that stands before the first of them
belongs to the whole check and to its first side.  `as=mira` says who makes it: then names from the
character's sheet may stand in place of numbers, and `bonus+=1` comes beside what the sheet brings.
Values are read by the ruleset's own parameters; here only the shape of the words is judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from handful import library
from handful.errors import Refused, counted, did_you_mean
from handful.roll import Bound, bind
from handful.rules.params import Param, canonical, lookup
from handful.rules.ruleset import Check, Ruleset

if TYPE_CHECKING:
    from handful.sheet import Draft

SIDE_WORDS = ("vs", "with")
LONGEST_SEED = 100  # digits
AS = "as"
MOST_WORDS = 1000


class Asked(NamedTuple):
    """A check that somebody asked for; the draft is there when a character makes it."""

    bound: Bound
    draft: Draft | None


def asked_check(
    ruleset: str,
    check: str,
    words: Sequence[str],
    options: Sequence[str] = (),
    characters: Sequence[str] = (),
) -> Asked:
    """The check that was asked for, with everything settled."""
    return asked_words(library.ruleset(ruleset).rules, check, words, options, characters)


def asked_words(
    rules: Ruleset,
    check: str,
    words: Sequence[str],
    options: Sequence[str] = (),
    characters: Sequence[str] = (),
) -> Asked:
    """The same, of a ruleset that is loaded already."""
    own = rules.check(check)
    first, *further = split_sides(own, words)
    who = _characters([first, *further], characters)
    house = read_options(rules, options)
    sides = [{}, *further] if further else []
    if not any(who):
        return Asked(bind(rules, own.name, sides, first, house), None)
    game = library.Ruleset(rules)
    named = [None if name is None else game.character(name) for name in who]
    from handful.sheet import draft  # most checks are of numbers alone

    made = draft(rules, own.name, sides or [{}], first, named, options=house)
    return Asked(made.bound(), made)


def _characters(sides: Sequence[dict[str, str]], typed: Sequence[str]) -> list[str | None]:
    """Who makes each side: by `as=` among its words, or by `--as` in the order of the sides."""
    if len(typed) > len(sides):
        raise Refused(
            f"{counted(len(typed), 'character')} for {counted(len(sides), 'side')}; "
            "give --as once for each side"
        )
    who: list[str | None] = [*typed, *[None] * (len(sides) - len(typed))]
    for place, side in enumerate(sides):
        named = side.pop(AS, None)
        if named is not None and who[place] is not None:
            raise Refused("who makes the check is given twice; give --as or as=, not both")
        who[place] = who[place] if named is None else named
    return who


def split_sides(check: Check, words: Sequence[str]) -> list[dict[str, str]]:
    """The `name=value` words of each side, the first one with those of the whole check."""
    if len(words) > MOST_WORDS:
        raise Refused(f"at most {MOST_WORDS} words, not {len(words)}")
    sides: list[dict[str, str]] = [{}]
    for word in words:
        if word.lower() in SIDE_WORDS:
            _check_side_word(check, word.lower())
            sides.append({})
            continue
        name, value = _name_and_value(check, word)
        if name in sides[-1]:
            once = "once per side" if check.sides else "once"
            raise Refused(f"{name} is given twice; give it {once}")
        sides[-1][name] = value
    return sides


def sides_of(check: Check, words: Sequence[str]) -> tuple[list[dict[str, str]], dict[str, str]]:
    """The words of each side and of the whole check, where numbers are wanted and no characters."""
    first, *further = split_sides(check, words)
    if any(AS in side for side in (first, *further)):
        raise Refused("numbers are wanted here, not a character; leave out as=")
    return [{}, *further] if further else [], first


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
        raise Refused(
            f"{cut(word)!r} is not understood; write name=value, such as {example(check, own)}",
            "" if own else did_you_mean(canonical(name), (*check.params, *_side_word(check))),
        )
    if not name.strip():
        raise Refused(f"{cut(word)!r} has no name; write name=value, such as {example(check, own)}")
    if canonical(name) == AS and not own:
        if not value.strip():
            raise Refused("as has no value; it needs the name of a character, or a path")
        return AS, value
    if own and not value.strip():
        raise Refused(f"{own} has no value; it needs {check.params[own].expects()}")
    return own or name, value


def _side_word(check: Check) -> tuple[str, ...]:
    return (check.sides.word,) if check.sides else ()


def example(check: Check, name: str | None = None) -> str:
    """A word that the check would understand."""
    params: Iterable[Param] = check.params.values()
    for param in params:
        if name in (None, param.name):
            return f"{param.name}={param.example()}"
    return "name=value"


def read_options(rules: Ruleset, options: Sequence[str]) -> dict[str, str]:
    """The house rules of `--option name=value`, by their declared names."""
    found: dict[str, str] = {}
    for word in options:
        name, equals, value = word.partition("=")
        own = lookup(name, rules.options) or name
        if not equals or not value.strip() or not name.strip():
            wanted = rules.options[own].expects() if own in rules.options else "a value"
            raise Refused(f"--option {cut(word)!r} is not understood; write name=value: {wanted}")
        if own in found:
            raise Refused(f"the option {own} is given twice; give it once")
        found[own] = value
    return found


def whole(typed: str, longest: int = 6) -> int | None:
    """A number typed as digits and nothing else but blanks around them; None if it is not."""
    digits = typed.strip()
    plain = digits.isascii() and digits.isdigit() and len(digits) <= longest
    return int(digits) if plain else None


def cut(word: str, longest: int = 40) -> str:
    """A typed word for a message."""
    return word if len(word) <= longest else word[: longest - 1] + "…"
