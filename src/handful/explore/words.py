"""Typed words of a check, split into its sides.

    attribute=4 skill=1 vs attribute=3.5

`vs` starts a further side and `with` a further member; the words before the first of them belong
to the whole check and to its first side.  Values are read by the parameters of the ruleset.
"""

from __future__ import annotations

from collections.abc import Sequence

from handful.errors import Refused, did_you_mean
from handful.rules.params import canonical, lookup
from handful.rules.ruleset import Check, Ruleset

SIDE_WORDS = ("vs", "with")
AS = "as"
MOST_WORDS = 1000


def split_sides(check: Check, words: Sequence[str]) -> list[dict[str, str]]:
    """Return the `name=value` words of each side, the first one with those of the whole check."""
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


def read_options(rules: Ruleset, options: Sequence[str]) -> dict[str, str]:
    """Return the house rules of `--option name=value`, by their declared names."""
    found: dict[str, str] = {}
    for word in options:
        name, equals, value = word.partition("=")
        own = lookup(name, rules.options) or name
        if not equals or not value.strip() or not name.strip():
            wanted = rules.options[own].expects() if own in rules.options else "a value"
            raise Refused(f"--option {_cut(word)!r} is not understood; write name=value: {wanted}")
        if own in found:
            raise Refused(f"the option {own} is given twice; give it once")
        found[own] = value
    return found


def _cut(word: str, longest: int = 40) -> str:
    return word if len(word) <= longest else word[: longest - 1] + "…"
