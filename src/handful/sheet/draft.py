"""A check before its roll: lines that can be added and switched off.

A `Draft` is immutable; each step returns a new one, and each line records who added and who switched
it.  `bound` passes the active lines to `roll.bind` and returns the check to roll.
Lines are numbered from 1: those of the whole check first, then side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from handful.errors import Message, Refused
from handful.records import record, replace
from handful.roll import BoundCheck, bind
from handful.rules.params import Param, find_name
from handful.rules.program import Record
from handful.rules.ruleset import Check, Ruleset, localize
from handful.sheet.characters import Character
from handful.sheet.lines import GM, Line, combine
from handful.sheet.resources import check_affordable, spent_by

MAX_NOTE_LENGTH = 200


@record()
class DraftSide:
    """One side of a check: its character, if any, and its lines."""

    character: Character | None
    lines: tuple[Line, ...]
    skill_count: int = 0  # number of skills checked at once, if the check takes several


@record()
class Draft:
    """A check as a list of lines; `overall` are the lines for all sides."""

    ruleset: Ruleset
    check: Check
    overall: tuple[Line, ...]
    sides: tuple[DraftSide, ...]
    options: Record

    # -- lines

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, in the order of their numbers."""
        return tuple(line for _, line in self.lines_with_sides())

    def lines_with_sides(self) -> Iterator[tuple[int, Line]]:
        """Yield every line with the number of its side; 0 is the whole check."""
        yield from ((0, line) for line in self.overall)
        for number, side in enumerate(self.sides, 1):
            yield from ((number, line) for line in side.lines)

    def switch(self, number: int, *, on: bool, by: str = GM) -> Draft:
        """Return a copy with one line switched on or off; `by` is recorded."""
        lines = self.lines
        if isinstance(number, bool) or not isinstance(number, int) or not lines:
            raise Refused(Message("sheet.line_by_number"))
        if not 1 <= number <= len(lines):
            raise Refused(Message("sheet.unknown_line", number=number, lines=len(lines)))
        index_in_group = number - 1
        if index_in_group < len(self.overall):
            return replace(self, overall=_switched(self.overall, index_in_group, on, by))
        index_in_group -= len(self.overall)
        sides = list(self.sides)
        for index, side in enumerate(sides):
            if index_in_group < len(side.lines):
                sides[index] = replace(side, lines=_switched(side.lines, index_in_group, on, by))
                break
            index_in_group -= len(side.lines)
        return replace(self, sides=tuple(sides))

    def add(self, parameter: str, value: Any, *, by: str = GM, note: str = "", side: int = 1) -> Draft:
        """Return a copy with one more line."""
        name = find_name(parameter, self.check.params, "parameter", self.check.name)
        self.check.params[name].read(value)
        if len(note) > MAX_NOTE_LENGTH or not note.isprintable():
            raise Refused(Message("sheet.note_too_long", most=MAX_NOTE_LENGTH))
        if not 1 <= side <= len(self.sides):
            raise Refused(Message("sheet.unknown_side", side=side, sides=len(self.sides)))
        title = Record(en=note) if note else Record()
        line = Line(name, freeze(value), title=title, by=by)
        if self.check.sides and self.check.params[name].whole:
            return replace(self, overall=(*self.overall, line))
        sides = list(self.sides)
        current = sides[side - 1]
        sides[side - 1] = replace(current, lines=(*current.lines, line))
        return replace(self, sides=tuple(sides))

    # -- parameters

    def parameters(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Return the arguments of `bind`: the parameters of each side, and those of the whole check."""
        sides = [self._combined(side.lines, side.skill_count) for side in self.sides]
        if self.check.sides is None:
            return [], sides[0]
        return sides, self._combined(self.overall, 0)

    def _combined(self, lines: tuple[Line, ...], skill_count: int) -> dict[str, Any]:
        by_parameter: dict[str, list[Line]] = {}
        for line in lines:
            if line.on and line.cannot:
                raise Refused(
                    localize(line.cannot), Message("sheet.gm_can_switch_off", title=localize(line.title))
                )
            if line.on and line.parameter:
                by_parameter.setdefault(line.parameter, []).append(line)
        params: Mapping[str, Param] = self.check.params
        return {
            name: combine(params[name], own_lines, skill_count) for name, own_lines in by_parameter.items()
        }

    def bound(self) -> BoundCheck:
        """Return the check to roll; refused if a character cannot pay the points it spends."""
        sides, params = self.parameters()
        check = bind(self.ruleset, self.check.name, sides, params, self.options)
        for side, args in zip(self.sides, check.args.get("sides", (check.args,)), strict=True):
            if side.character is not None:
                check_affordable(self.ruleset, side.character, spent_by(self.ruleset, args))
        return check


def _switched(lines: tuple[Line, ...], index: int, on: bool, by: str) -> tuple[Line, ...]:
    line = replace(lines[index], on=on, switched_by=by)
    return (*lines[:index], line, *lines[index + 1 :])


def freeze(value: Any) -> Any:
    """Return a hashable copy of a value: records and tuples in place of dicts and lists."""
    if isinstance(value, Mapping):
        return Record(value)
    return tuple(map(freeze, value)) if isinstance(value, list) else value
