"""Parses a typed line: words, `name=value`, and prepositions such as `as mira`.

    roll attack dice=melee kind=melee as corvin against raider

A name that the check defines is its parameter; other names are fields of the command.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from handful.cli.check_request import AS, parse_digits, shorten_word
from handful.errors import NO_MESSAGE, Message, NotAccepted, Refused, did_you_mean
from handful.rules.check_parser import CharacterNamesOf, parse_typed_check, rollable_checks
from handful.rules.params import match_name, match_spellings, normalize_name
from handful.rules.ruleset import Check, Ruleset

PREPOSITIONS = (AS, "for", "against", "to")  # each takes the word after it


def split(line: str) -> list[str]:
    """Split a line into words; a line with an unbalanced quote (an apostrophe) splits at blanks."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


@dataclass(slots=True)
class ParsedWords:
    """The words after the command: positional ones in order, and named ones."""

    positional: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)

    def take(self, name: str) -> str | None:
        return self.named.pop(name, None)

    def first(self, question: str) -> str:
        """Pop the next positional word; if there is none, refuse with `question`."""
        if not self.positional:
            raise Refused(question)
        return self.positional.pop(0)

    def rest(self) -> str:
        """Pop all remaining positional words as one text."""
        text, self.positional = " ".join(self.positional), []
        return text

    def done(self, takes: str) -> None:
        """Refuse words that were not consumed."""
        left = [*self.positional, *self.named]
        if left:
            raise Refused(Message("play.not_understood_here", left=shorten_word(left[0]), takes=takes))


def join_prepositions(words: Sequence[str], prepositions: Collection[str] = PREPOSITIONS) -> list[str]:
    """Join prepositions with the next word: `as mira` becomes `as=mira`."""
    joined: list[str] = []
    remaining = iter(words)
    for word in remaining:
        if word.lower() in prepositions:
            value = next(remaining, None)
            if value is None:
                raise Refused(Message("play.say_whom", word=word, lower=word.lower()))
            joined.append(f"{word.lower()}={value}")
        else:
            joined.append(word)
    return joined


def parse_words(
    words: Sequence[str], names: Collection[str] = (), prepositions: Collection[str] = PREPOSITIONS
) -> ParsedWords:
    """Separate positional and named words; `name=value` with another name is text."""
    parsed = ParsedWords()
    for word in join_prepositions(words, [one for one in prepositions if one in names]):
        name, equals, value = word.partition("=")
        own = match_name(name, names)
        if not equals or own is None:
            parsed.positional.append(word)
        elif own in parsed.named:
            raise Refused(Message("value.given_twice", name=own))
        else:
            parsed.named[own] = value
    return parsed


def take_flags(words: Sequence[str]) -> tuple[list[str], str, list[str]]:
    """Split off the values of `--as` and `--option`; return (words, as, options)."""
    rest: list[str] = []
    who = ""
    options: list[str] = []
    remaining = iter(words)
    for word in remaining:
        flag, equals, value = word.partition("=")
        if flag in ("--as", "--option"):
            value = value if equals else next(remaining, "")
            if not value.strip():
                raise Refused(Message("check.no_value", name=flag, expects=FLAGS[flag]))
            who, options = (value, options) if flag == "--as" else (who, [*options, value])
        elif word.startswith("--"):
            raise Refused(Message("play.unknown_flag", flag=shorten_word(flag)))
        else:
            rest.append(word)
    return rest, who, options


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
class ParsedCheck:
    """A check with its parameters as typed, and the fields of the command."""

    check: Check
    sides: list[dict[str, str]]  # the first one includes parameters of the check as a whole
    who: list[str | None]  # the character of each side, as typed
    fields: dict[str, str]

    def take_throw_fields(self) -> dict[str, str]:
        """Pop the fields of the throw: faces and entropy."""
        own: list[str] = [one for one in ("faces", "entropy") if one in self.fields]
        return {one: self.fields.pop(one) for one in own}

    def declare_fields(self) -> dict[str, Any]:
        """Return the parameters and sides as fields of the `declare` command."""
        first, *further = self.sides
        data: dict[str, Any] = {"parameters": first} if first else {}
        return data | ({"sides": [{}, *further]} if further else {})


def find_check(rules: Ruleset, typed: str) -> str | None:
    """Return the check with this name or title; None if unknown or ambiguous."""
    found = match_spellings(typed, rules.check_names())
    return found[0] if len(found) == 1 else None


def parse_check(
    rules: Ruleset,
    words: Sequence[str],
    takes: Collection[str] = FIELDS,
    names_of: CharacterNamesOf | None = None,
) -> ParsedCheck:
    """Parse `CHECK name=value ... as NAME`: a check, its parameters, and fields of the command."""
    if not words:
        raise Refused(Message("play.which_check", checks=rollable_checks(rules)))
    named = match_spellings(words[0], rules.check_names())
    checks = named if len(named) == 1 else rollable_checks(rules)
    own, fields = _split_fields(words, {one for name in checks for one in rules.checks[name].params}, takes)
    return _parse_check(rules, None, own, takes, fields, names_of)


def parse_parameters(
    rules: Ruleset,
    check: Check,
    words: Sequence[str],
    takes: Collection[str],
    names_of: CharacterNamesOf | None = None,
) -> ParsedCheck:
    own, fields = _split_fields(words, check.params, takes)
    return _parse_check(rules, check, own, takes, fields, names_of)


def _split_fields(
    words: Sequence[str], params: Collection[str], takes: Collection[str]
) -> tuple[list[str], dict[str, str]]:
    """Separate the words of the check from the fields of the command."""
    check_words: list[str] = []
    fields: dict[str, str] = {}
    for word in join_prepositions(words):
        name, equals, value = word.partition("=")
        field_name = match_name(name.removesuffix("+"), takes)
        if not equals or match_name(name.removesuffix("+"), params) or field_name is None:
            check_words.append(word)
        elif field_name in fields:
            raise Refused(Message("value.given_twice", name=field_name))
        else:
            fields[field_name] = value
    return check_words, fields


def _parse_check(
    rules: Ruleset,
    check: Check | None,
    words: Sequence[str],
    takes: Collection[str],
    fields: dict[str, str],
    names_of: CharacterNamesOf | None,
) -> ParsedCheck:
    try:
        typed = parse_typed_check(rules, words, check=check, names_of=names_of)
    except NotAccepted as refusal:
        names = [word.partition("=")[0].removesuffix("+") for word in words if "=" in word]
        hints = (did_you_mean(normalize_name(name), takes) for name in names)
        hint = refusal.advice or next(filter(None, hints), NO_MESSAGE)
        wrong = refusal.problem
        if takes and names:
            wrong = Message("play.also_understood", problem=wrong, names=list(takes))
        raise Refused(wrong, hint) from None
    return ParsedCheck(typed.check, typed.sides, typed.who, fields)


def parse_numbers(text: str, what: str) -> list[int]:
    """Parse whole numbers separated by commas or blanks."""
    parts = text.replace(",", " ").split()
    found = [number for part in parts if (number := parse_digits(part)) is not None]
    if not parts or len(found) < len(parts):
        raise Refused(Message("play.not_numbers", text=shorten_word(text), what=what))
    return found


def parse_number(text: str, what: str) -> int:
    """Parse a whole number with an optional sign."""
    sign = -1 if text.startswith("-") else 1
    found = parse_digits(text.removeprefix("-").removeprefix("+"))
    if found is None:
        raise Refused(Message("play.not_a_number", text=shorten_word(text), what=what))
    return sign * found


def parse_yes_no(text: str) -> bool:
    words = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
    if text.lower() not in words:
        raise Refused(Message("value.not_yes_or_no", value=shorten_word(text)))
    return words[text.lower()]
