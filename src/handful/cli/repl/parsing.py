"""A typed line taken apart: words, `name=value`, and little words such as `as mira`.

    roll attack dice=melee kind=melee as corvin against raider

What a check calls its own is its parameter; the other names are fields of the command.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from handful.cli.check_request import AS, parse_digits, shorten_word
from handful.errors import NotAccepted, Refused, did_you_mean
from handful.rules.params import match_name, match_spellings, normalize_name
from handful.rules.ruleset import Check, Ruleset
from handful.rules.typed import OwnOf, read_typed, rollable

LITTLE = (AS, "for", "against", "to")  # words that belong to the one behind them


def split(line: str) -> list[str]:
    """The words of a line; what was meant as plain text may have an apostrophe."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


@dataclass(slots=True)
class Phrase:
    """The words behind the first one: plain ones in order, and those with a name."""

    plain: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)

    def take(self, name: str) -> str | None:
        return self.named.pop(name, None)

    def first(self, question: str) -> str:
        """The next plain word, or the question that it would have answered."""
        if not self.plain:
            raise Refused(question)
        return self.plain.pop(0)

    def rest(self) -> str:
        """All plain words that are left, as a text."""
        text, self.plain = " ".join(self.plain), []
        return text

    def done(self, takes: str) -> None:
        """Refuses whatever nobody has asked for."""
        left = [*self.plain, *self.named]
        if left:
            raise Refused(f"{shorten_word(left[0])!r} is not understood here; {takes}")


def joined(words: Sequence[str], little: Collection[str] = LITTLE) -> list[str]:
    """Little words tied to the one behind: `as mira` becomes `as=mira`."""
    made: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if word.lower() in little:
            behind = next(waiting, None)
            if behind is None:
                raise Refused(f"{word!r} stands at the end; say whom: {word.lower()} NAME")
            made.append(f"{word.lower()}={behind}")
        else:
            made.append(word)
    return made


def read(words: Sequence[str], known: Collection[str] = (), little: Collection[str] = LITTLE) -> Phrase:
    """Plain words and named ones; a name that is not known is part of the text."""
    made = Phrase()
    for word in joined(words, [one for one in little if one in known]):
        name, equals, value = word.partition("=")
        own = match_name(name, known)
        if not equals or own is None:
            made.plain.append(word)
        elif own in made.named:
            raise Refused(f"{own} is given twice; give it once")
        else:
            made.named[own] = value
    return made


def take_flags(words: Sequence[str]) -> tuple[list[str], str, list[str]]:
    """The words without `--as` and `--option` of the command line, and the values of these."""
    plain: list[str] = []
    who = ""
    options: list[str] = []
    waiting = iter(words)
    for word in waiting:
        flag, equals, value = word.partition("=")
        if flag in ("--as", "--option"):
            value = value if equals else next(waiting, "")
            if not value.strip():
                raise Refused(f"{flag} has no value; it needs {FLAGS[flag]}")
            who, options = (value, options) if flag == "--as" else (who, [*options, value])
        elif word.startswith("--"):
            raise Refused(f"{shorten_word(flag)!r} is not for a line; there is --as and --option name=value")
        else:
            plain.append(word)
    return plain, who, options


FLAGS = {"--as": "the name of a character, or a path", "--option": "a house rule: name=value"}


# -- checks

FIELDS = (
    "mode",
    "hidden",
    "for",
    "title",
    "against",
    "target",
    "item",
    "task",
    "spends",
    "interrupts",
    "answers",
    "off",
    "faces",
    "entropy",
)


@dataclass(slots=True)
class Checked:
    """A check with its parameters as they were typed, and the fields of the command."""

    check: Check
    sides: list[dict[str, str]]  # the first one with what belongs to the whole check
    who: list[str | None]  # the character of each side, as it was typed
    fields: dict[str, str]

    def throw(self) -> dict[str, str]:
        """What was said of the throw, taken out of the fields."""
        own: list[str] = [one for one in ("faces", "entropy") if one in self.fields]
        return {one: self.fields.pop(one) for one in own}

    def parts(self) -> dict[str, Any]:
        """What `declare` takes of it."""
        first, *further = self.sides
        made: dict[str, Any] = {"parameters": first} if first else {}
        return made | ({"sides": [{}, *further]} if further else {})


def check_named(rules: Ruleset, typed: str) -> str | None:
    """The check that a name or a title stands for."""
    found = match_spellings(typed, rules.check_names())
    return found[0] if len(found) == 1 else None


def read_check(
    rules: Ruleset,
    words: Sequence[str],
    takes: Collection[str] = FIELDS,
    own_of: OwnOf | None = None,
) -> Checked:
    """`CHECK name=value ... as NAME`: a check, its parameters, and whatever else is said."""
    if not words:
        raise Refused(f"which check? there is {', '.join(rollable(rules))}")
    named = match_spellings(words[0], rules.check_names())
    checks = named if len(named) == 1 else rollable(rules)
    own, fields = _apart(words, {one for name in checks for one in rules.checks[name].params}, takes)
    return _checked(rules, None, own, takes, fields, own_of)


def read_parameters(
    rules: Ruleset,
    check: Check,
    words: Sequence[str],
    takes: Collection[str],
    own_of: OwnOf | None = None,
) -> Checked:
    own, fields = _apart(words, check.params, takes)
    return _checked(rules, check, own, takes, fields, own_of)


def _apart(
    words: Sequence[str], params: Collection[str], takes: Collection[str]
) -> tuple[list[str], dict[str, str]]:
    """The words of the check, and the fields of the command."""
    own: list[str] = []
    fields: dict[str, str] = {}
    for word in joined(words):
        name, equals, value = word.partition("=")
        said = match_name(name.removesuffix("+"), takes)
        if not equals or match_name(name.removesuffix("+"), params) or said is None:
            own.append(word)
        elif said in fields:
            raise Refused(f"{said} is given twice; give it once")
        else:
            fields[said] = value
    return own, fields


def _checked(
    rules: Ruleset,
    check: Check | None,
    words: Sequence[str],
    takes: Collection[str],
    fields: dict[str, str],
    own_of: OwnOf | None,
) -> Checked:
    try:
        typed = read_typed(rules, words, check=check, own_of=own_of)
    except NotAccepted as refusal:
        names = [word.partition("=")[0].removesuffix("+") for word in words if "=" in word]
        hint = next((hint for name in names if (hint := did_you_mean(normalize_name(name), takes))), "")
        also = f"; also understood: {', '.join(takes)}" if takes and names else ""
        raise Refused(refusal.message + also, refusal.hint or hint) from None
    return Checked(typed.check, typed.sides, typed.who, fields)


def numbers(text: str, what: str) -> list[int]:
    """Whole numbers by comma or blank."""
    parts = text.replace(",", " ").split()
    found = [number for part in parts if (number := parse_digits(part)) is not None]
    if not parts or len(found) < len(parts):
        raise Refused(f"{shorten_word(text)!r} is not understood; {what} are numbers, such as 3 or 1,4")
    return found


def number(text: str, what: str) -> int:
    """One whole number, perhaps a negative one."""
    sign = -1 if text.startswith("-") else 1
    found = parse_digits(text.removeprefix("-").removeprefix("+"))
    if found is None:
        raise Refused(f"{shorten_word(text)!r} is no number; {what} is a whole number")
    return sign * found


def truth(text: str) -> bool:
    words = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
    if text.lower() not in words:
        raise Refused(f"{shorten_word(text)!r} is not understood; it is yes or no")
    return words[text.lower()]
