"""A ruleset: everything that one game file says, checked and compiled.

Pure data; reading files is somebody else's business (`handful.library`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from handful.errors import Refused, did_you_mean, format_choices
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
from handful.rules.source import content_hash

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
        """The value of what was typed; refused with what would be right."""
        if self.values:
            text = normalize_name(_format_raw(raw))
            for value in self.values:
                if normalize_name(_format_raw(value)) == text:
                    return value
            if all(isinstance(value, bool) for value in self.values) and text in ("yes", "no"):
                return text == "yes"
            raise Refused(
                f"option {self.name}: {_format_raw(raw)!r} is not known; it is {self.expects()}",
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
                f"option {self.name}: {_format_raw(raw)!r} is not possible; it needs {self.expects()}"
            )
        return numbers if self.length else numbers[0]

    def expects(self) -> str:
        """Its possible values, in words."""
        if self.values:
            return " or ".join(_format_raw(value) for value in self.values)
        count = f"{self.length} whole numbers by comma, each" if self.length else "a whole number"
        return f"{count} from {self.least} to {self.most}"


def _format_raw(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)[:60]


@record()
class Decision:
    """Something that people decide in the middle of a roll."""

    name: str
    by: str
    question: Wording
    usual: Wording
    never: Wording
    answers: Mapping[str, Wording] = field(default_factory=dict)
    only: Wording = field(default_factory=dict)  # which dice may be picked


@record()
class Sides:
    """How many sides or members a check has, and the word that separates them."""

    word: str
    least: int
    most: int


@record(eq=False)
class Check:
    """A rule that people roll."""

    name: str
    title: Wording
    help: Wording
    main: str
    params: Mapping[str, Param]
    program: Program | None
    sides: Sides | None = None
    refuse: Wording = field(default_factory=dict)
    aliases: tuple[str, ...] = ()

    def per_side(self) -> list[Param]:
        """The parameters of each side, or of the check if it has no sides."""
        return [p for p in self.params.values() if not (self.sides and p.whole)]

    def overall(self) -> list[Param]:
        """The parameters of the whole check."""
        return [p for p in self.params.values() if not self.sides or p.whole]


@record(eq=False)
class Ruleset:
    """One game."""

    id: str
    content: Mapping[str, Any]
    title: Wording
    about: Wording
    options: Mapping[str, Option]
    ladder: Mapping[str, Mapping[str, Any]]
    decisions: Mapping[str, Decision]
    events: Mapping[str, Wording]
    words: Mapping[str, Wording]
    rules: Mapping[str, Program]
    checks: Mapping[str, Check]
    singular: Mapping[str, Wording] = field(default_factory=dict)  # words that count, for one
    impossible: tuple[str, ...] = ()  # events that say that a check cannot be made
    file: str = ""  # where it was read from, for messages and for what lies beside it
    texts: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # its files, base first
    load_sheet: Callable[[], Sheet | None] = field(default=lambda: None, repr=False)
    cache: dict[Any, Any] = field(default_factory=dict)  # what others work out once per ruleset

    @property
    def hash(self) -> str:
        """The same text has the same hash on every machine."""
        if "hash" not in self.cache:
            self.cache["hash"] = content_hash(self.content)
        made: str = self.cache["hash"]
        return made

    @property
    def sheet(self) -> Sheet | None:
        """What the game says about its characters; made when somebody asks for it."""
        if "sheet" not in self.cache:
            self.cache["sheet"] = self.load_sheet()
        made: Sheet | None = self.cache["sheet"]
        return made

    @property
    def rounds(self) -> RoundRules | None:
        """What the game says about rounds; only one with a sheet can say something."""
        return self.sheet.rounds if self.sheet else None

    @property
    def usual_check(self) -> str | None:
        """The check that is meant where none is named, if the game says so."""
        usual = self.content.get("usual_check")
        return usual if isinstance(usual, str) else None

    def check_names(self) -> dict[str, tuple[str, ...]]:
        """Every check with what else it is called; none of them is compiled for that."""
        found = self.content.get("checks", {})
        return {name: spellings(found[name].get("title"), found[name].get("aliases")) for name in found}

    def check(self, name: str) -> Check:
        """A check by its name or title; refused if there is none or it must not be rolled."""
        known = [] if name in self.checks else match_spellings(name, self.check_names())
        if len(known) > 1:
            raise Refused(f"{name!r} may mean {format_choices(known)}; say which one")
        check = self.checks[known[0] if known else find_name(name, self.checks, "check")]
        if check.program is None:
            raise Refused(f"{self.id} {check.name}: {localize(check.refuse)}")
        return check

    def program(self, name: str) -> Program:
        """A rule or the rule of a check, by its exact name."""
        if name in self.rules:
            return self.rules[name]
        program = self.checks[name].program
        assert program is not None
        return program

    @property
    def defaults(self) -> Record:
        """All options with their defaults; always the same object, so that it is hashed once."""
        if "defaults" not in self.cache:
            own = self.options.values()
            self.cache["defaults"] = Record((one.name, one.default) for one in own)
        known: Record = self.cache["defaults"]
        return known

    def resolve_options(self, options: Mapping[str, Any]) -> Record:
        """All options with their values: the given ones, else the defaults."""
        settled = dict(self.defaults)
        for name, raw in options.items():
            own = self.options[find_name(name, self.options, "option")]
            settled[own.name] = own.read(raw)
        return Record(settled)

    def role_title(self, role: str, otherwise: str = "GM") -> str:
        """What a seat at the table is called: a game may have a word for the one who leads it."""
        if role != GM:
            return role
        return localize(self.words[GM]) if GM in self.words else otherwise

    def wording(self, name: str, language: str = "en", *, amount: Any = None) -> str:
        """The wording of a name: a word, an event, or the name itself; for one if it is one."""
        one = self.singular if amount in (1, -1) else {}
        for place in (one, self.words, self.events):
            if name in place:
                return localize(place[name], language)
        return name.replace("_", " ")


def word_keys(name: str, value: Value) -> tuple[str, str]:
    """The words that may say a value of a house rule or a choice: its own, else one for all.

    `strict` of `tie` is said by `tie_strict`, or by `strict`.
    """
    own = re.sub(r"[^a-z0-9]+", "_", _format_raw(value).lower()).strip("_")
    return f"{name}_{own}", own


def localize(wording: Wording, language: str = "en") -> str:
    """Wording in a language, or in English where that is missing."""
    return wording.get(language) or wording.get("en", "")


__all__ = ["Check", "Decision", "Option", "Ruleset", "Sides", "localize", "match_name", "word_keys"]
