"""Lines of a draft, and how they combine into parameters.

A line gives one parameter one value.  Lines of the same parameter combine by its type: numbers and
die codes add up, lists are concatenated, of single words the last one wins.  If a check takes several
skills at once, a line may belong to one of them (`skill_index`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from handful.errors import Message, Refused
from handful.records import field, record
from handful.rules.params import Param, Wording, display_value
from handful.rules.program import Record, Value
from handful.rules.ruleset import localize

SHEET = "sheet"  # `by` of a line that comes from a character's sheet
PLAYER, GM = "player", "gm"


@record()
class Line:
    """One contribution to a check: parameter, value, source, and who added it."""

    parameter: str
    value: Any  # as it could be typed
    source: str = ""  # `attributes.grace`, `traits.keen`; empty if typed
    title: Wording = field(default_factory=Record)
    via: Wording = field(default_factory=Record)  # the proficiency that grants it
    skill_index: int | None = None  # which of several skills it belongs to; None: all
    by: str = SHEET
    on: bool = True
    switched_by: str = ""  # who switched it last
    cannot: Wording = field(default_factory=Record)  # why nothing can be checked while it is on

    def says(self, language: str = "en") -> str:
        """Return the title with its origin: `Acrobatics, from Burglar`; `Akrobatik (Einbrecher)`."""
        title = localize(self.title, language)
        via = localize(self.via, language)
        if not title or not via:
            return title
        return f"{title}, from {via}" if language == "en" else f"{title} ({via})"


def countable_amount(value: Value) -> Value:
    """Return the numeric part of a value: a number or a die code; None for words and truths."""
    if isinstance(value, tuple):
        amounts = [countable_amount(item) for item in value]
        numbers = [item for item in amounts if isinstance(item, (int, Fraction))]
        return sum(numbers, 0) if numbers and len(numbers) == len(amounts) else None
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return None
    if isinstance(value, Record):
        return value if "pips" in value else None
    return value


def combine(param: Param, lines: Sequence[Line], skill_count: int) -> Any:
    """Combine the lines of one parameter into a value as it could be typed.

    `skill_count` is the number of skills if the check takes several, else 0.
    """
    if len(lines) == 1 and lines[0].skill_index is None:
        return lines[0].value
    if skill_count and param.separators[:1] == (",",):
        if all(line.skill_index is None and _is_single(param, line) for line in lines):
            return [_combine_values(param, [_value_for_skill(param, line, 0, skill_count) for line in lines])]
        return [_combine_for_skill(param, lines, skill, skill_count) for skill in range(skill_count)]
    if param.separators:
        return [atom for line in lines for atom in _entries(param.read(line.value))]
    return _combine_values(param, [param.read(line.value) for line in lines])


def _combine_for_skill(param: Param, lines: Sequence[Line], skill: int, skill_count: int) -> Any:
    applicable = [line for line in lines if line.skill_index in (None, skill)]
    if applicable:
        return _combine_values(
            param, [_value_for_skill(param, line, skill, skill_count) for line in applicable]
        )
    if param.default is not None:
        return display_value(_entries(param.default)[0])
    if "none" in param.words:
        return "none"
    raise Refused(Message("sheet.unknown_for_skill", name=param.name, skill=skill + 1))


def _is_single(param: Param, line: Line) -> bool:
    """Return whether a line has the same value for all skills."""
    return len(_entries(param.read(line.value))) == 1


def _value_for_skill(param: Param, line: Line, skill: int, skill_count: int) -> Value:
    """Return a line's value for one of several skills."""
    entries = _entries(param.read(line.value))
    if line.skill_index is None and len(entries) == skill_count:
        return entries[skill]
    return entries[0]


def _combine_values(param: Param, values: Sequence[Value]) -> Any:
    """Combine several values of one entry."""
    if len(param.separators) > 1 or (param.separators and isinstance(values[0], tuple)):
        return [display_value(atom) for value in values for atom in _entries(value)]
    if param.type in ("number", "halves"):
        return sum(values, 0)
    if param.type == "die_code":
        return {key: sum(value[key] for value in values) for key in ("dice", "pips")}
    if param.type == "truth":
        return any(values)
    return display_value(values[-1])


def _entries(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else (value,)
