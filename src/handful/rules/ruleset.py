"""A ruleset: one game file, checked and compiled.

Immutable data, built by `rules.load`; files are read by `handful.library`.
What other packages derive from a ruleset they keep themselves (`solver.SolvedRules`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from handful.errors import Message, Refused, did_you_mean
from handful.records import field, record
from handful.rules.grammar import GM
from handful.rules.params import (
    Param,
    Wording,
    find_name,
    match_name,
    match_spellings,
    normalize_name,
    spellings,
)
from handful.rules.program import Program, Record, Value

if TYPE_CHECKING:
    from handful.rules.round_rules import RoundRules
    from handful.rules.sheet_rules import Sheet

_INTEGER = re.compile(r"[+-]?[0-9]{1,19}\Z")


@record()
class Option:
    """A house rule: a point the rulebook leaves open, with its possible values."""

    name: str
    default: Value
    values: tuple[Value, ...] = ()
    least: int = 0
    most: int = 0
    length: int = 0
    open: str = ""
    label: Wording = field(default_factory=dict)

    def read(self, raw: Any) -> Value:
        """Parse a typed value; refuse an invalid one with what is expected."""
        if self.values:
            text = normalize_name(_format_raw(raw))
            for value in self.values:
                if normalize_name(_format_raw(value)) == text:
                    return value
            if all(isinstance(value, bool) for value in self.values) and text in ("yes", "no"):
                return text == "yes"
            raise Refused(
                Message(
                    "option.unknown_value", name=self.name, value=_format_raw(raw), expects=self.expects()
                ),
                did_you_mean(text, map(_format_raw, self.values)),
            )
        entries = raw.split(",") if isinstance(raw, str) else raw
        entries = list(entries) if isinstance(entries, (list, tuple)) else [entries]
        written = [str(entry).strip() for entry in entries]
        numbers = tuple(int(entry) for entry in written if _INTEGER.match(entry))
        if (
            len(numbers) < len(entries)
            or len(numbers) != (self.length or 1)
            or not all(self.least <= number <= self.most for number in numbers)
        ):
            raise Refused(
                Message(
                    "option.impossible_value", name=self.name, value=_format_raw(raw), expects=self.expects()
                )
            )
        return numbers if self.length else numbers[0]

    def expects(self) -> Message:
        """Describe the valid values."""
        if self.values:
            return Message("expects.names", names=[_format_raw(value) for value in self.values])
        what = Message("expects.whole_number")
        if self.length:
            what = Message("expects.whole_numbers", count=self.length)
        return Message("expects.from_to", what=what, least=self.least, most=self.most)


def _format_raw(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)[:60]


@record()
class Decision:
    """A choice that a player or the GM makes during a roll."""

    name: str
    by: str
    question: Wording
    usual: Wording
    never: Wording
    answers: Mapping[str, Wording] = field(default_factory=dict)
    only: Wording = field(default_factory=dict)  # description of the dice that may be picked


@record()
class Sides:
    """Number of sides of a check, and the word between them (`vs` or `with`)."""

    word: str
    least: int
    most: int


class ParameterGroup:
    """Parameters that are given together, with the values of those that are left out."""

    __slots__ = ("by_name", "defaults", "params", "required")

    def __init__(self, params: Iterable[Param]) -> None:
        self.params = tuple(params)
        self.by_name = {param.name: param for param in self.params}
        self.defaults = {param.name: param.default for param in self.params}
        self.required = tuple(param.name for param in self.params if param.required)


class ParameterLayout:
    """Parameters of a check by where they are given: for the whole check or for each side."""

    __slots__ = ("following", "overall", "per_side")

    def __init__(self, params: Iterable[Param] = (), *, has_sides: bool = False) -> None:
        own = tuple(params)
        self.overall = ParameterGroup(p for p in own if not has_sides or p.whole)
        self.per_side = ParameterGroup(p for p in own if not (has_sides and p.whole))
        self.following = tuple(p for p in own if p.follows)  # their values may follow from others


@record(eq=False)
class Check:
    """A rule that can be rolled, with its parameters and wording."""

    name: str
    title: Wording
    help: Wording
    main: str
    params: Mapping[str, Param]
    program: Program | None
    sides: Sides | None = None
    refuse: Wording = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    layout: ParameterLayout = field(default_factory=ParameterLayout, repr=False)

    def per_side(self) -> tuple[Param, ...]:
        """Return the parameters of each side, or all parameters of a check without sides."""
        return self.layout.per_side.params

    def overall(self) -> tuple[Param, ...]:
        """Return the parameters of the whole check."""
        return self.layout.overall.params


@record(eq=False)
class Ruleset:
    """The checked and compiled rules of one game."""

    id: str
    content: Mapping[str, Any]
    title: Wording
    about: Wording
    options: Mapping[str, Option]
    defaults: Record  # of all options
    ladder: Mapping[str, Mapping[str, Any]]
    decisions: Mapping[str, Decision]
    events: Mapping[str, Wording]
    words: Mapping[str, Wording]
    rules: Mapping[str, Program]
    checks: Mapping[str, Check]
    compute_hash: Callable[[], str] = field(repr=False)  # memoized
    load_sheet: Callable[[], Sheet | None] = field(repr=False)  # memoized
    singular: Mapping[str, Wording] = field(default_factory=dict)  # for an amount of 1
    impossible: tuple[str, ...] = ()  # events that mean that a check cannot be made
    critical: tuple[str, ...] = ()  # events that screens make much of
    file: str = ""  # path it was read from, for messages and to find its sibling files
    texts: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # (file, text), base first

    @property
    def hash(self) -> str:
        """Content hash, equal on every machine; computed on first use."""
        return self.compute_hash()

    @property
    def sheet(self) -> Sheet | None:
        """Rules for character sheets, loaded on first use; None if the game has none."""
        return self.load_sheet()

    @property
    def rounds(self) -> RoundRules | None:
        """Rules for rounds; None if the game has none or no sheet."""
        return self.sheet.rounds if self.sheet else None

    @property
    def usual_check(self) -> str | None:
        """Name of the check that is meant if none is named, if the game sets one."""
        usual = self.content.get("usual_check")
        return usual if isinstance(usual, str) else None

    def check_names(self) -> dict[str, tuple[str, ...]]:
        """Return every check with its titles and aliases, without compiling any."""
        checks = self.content.get("checks", {})
        return {name: spellings(checks[name].get("title"), checks[name].get("aliases")) for name in checks}

    def check(self, name: str) -> Check:
        """Return a check by its name or title; refused if unknown or not to be rolled."""
        if name not in self.checks:
            matches = match_spellings(name, self.check_names())
            if len(matches) > 1:
                raise Refused(Message("name.ambiguous", name=name, found=matches))
            name = matches[0] if matches else find_name(name, self.checks, "check")
        check = self.checks[name]
        if check.program is None:
            raise Refused(
                Message("roll.check_is_refused", game=self.id, name=check.name, reason=localize(check.refuse))
            )
        return check

    def program(self, name: str) -> Program:
        """Return a rule, or the rule of a check, by its exact name."""
        if name in self.rules:
            return self.rules[name]
        program = self.checks[name].program
        assert program is not None
        return program

    def resolve_options(self, options: Mapping[str, Any]) -> Record:
        """Return the values of all options: the given ones over the defaults."""
        resolved = dict(self.defaults)
        for name, raw in options.items():
            option = self.options[find_name(name, self.options, "option")]
            resolved[option.name] = option.read(raw)
        return Record(resolved)

    def role_title(self, role: str, otherwise: str = "GM") -> str:
        """Return the title of a role; a game may have its own word for the GM."""
        if role != GM:
            return role
        return localize(self.words[GM]) if GM in self.words else otherwise

    def wording(self, name: str, language: str = "en", *, amount: Any = None) -> str:
        """Return the wording of a word or event, else the name itself; singular for an amount of 1."""
        singular = self.singular if amount in (1, -1) else {}
        for wordings in (singular, self.words, self.events):
            if name in wordings:
                return localize(wordings[name], language)
        return name.replace("_", " ")


def word_keys(name: str, value: Value) -> tuple[str, str]:
    """Return the word keys for a value of an option or choice: the specific one, then the general one.

    The value `strict` of `tie` is worded by `tie_strict`, else by `strict`.
    """
    key = re.sub(r"[^a-z0-9]+", "_", _format_raw(value).lower()).strip("_")
    return f"{name}_{key}", key


def localize(wording: Wording, language: str = "en") -> str:
    """Return the wording in a language, or in English if that is missing."""
    return wording.get(language) or wording.get("en", "")


__all__ = ["Check", "Decision", "Option", "Ruleset", "Sides", "localize", "match_name", "word_keys"]
