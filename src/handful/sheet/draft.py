"""A check before its roll: lines that can be added and switched off, and what they come to.

A `Draft` never changes; each step gives a new one, and each line says who brought it and who
switched it.  `bound` is the check that is rolled: what `roll.bind` makes of the lines that are on.
Lines are counted from 1: those of the whole check first, then side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from handful.errors import Refused
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
    """One side of a check: who makes it, if that is known, and its lines."""

    character: Character | None
    lines: tuple[Line, ...]
    skill_count: int = 0  # how many skills are checked together, where a check takes several


@record()
class Draft:
    """A check with where everything comes from; `overall` is what holds for all sides."""

    ruleset: Ruleset
    check: Check
    overall: tuple[Line, ...]
    sides: tuple[DraftSide, ...]
    options: Record

    # -- lines

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line for _, line in self.lines_with_sides())

    def lines_with_sides(self) -> Iterator[tuple[int, Line]]:
        """Every line with the number of its side; 0 is the whole check."""
        yield from ((0, line) for line in self.overall)
        for number, side in enumerate(self.sides, 1):
            yield from ((number, line) for line in side.lines)

    def switch(self, number: int, *, on: bool, by: str = GM) -> Draft:
        """The same with one line switched on or off by somebody."""
        lines = self.lines
        if isinstance(number, bool) or not isinstance(number, int) or not lines:
            raise Refused("a line is named by its number")
        if not 1 <= number <= len(lines):
            raise Refused(f"there is no line {number}; there are lines 1 to {len(lines)}")
        left = number - 1
        if left < len(self.overall):
            return replace(self, overall=_switched(self.overall, left, on, by))
        left -= len(self.overall)
        sides = list(self.sides)
        for place, side in enumerate(sides):
            if left < len(side.lines):
                sides[place] = replace(side, lines=_switched(side.lines, left, on, by))
                break
            left -= len(side.lines)
        return replace(self, sides=tuple(sides))

    def add(self, parameter: str, value: Any, *, by: str = GM, note: str = "", side: int = 1) -> Draft:
        """The same with a line more, beside those that are there."""
        name = find_name(parameter, self.check.params, "parameter", self.check.name)
        self.check.params[name].read(value)
        if len(note) > MAX_NOTE_LENGTH or not note.isprintable():
            raise Refused(f"a note is one line of at most {MAX_NOTE_LENGTH} characters")
        if not 1 <= side <= len(self.sides):
            raise Refused(f"there is no side {side}; there are sides 1 to {len(self.sides)}")
        title = Record(en=note) if note else Record()
        line = Line(name, freeze(value), title=title, by=by)
        if self.check.sides and self.check.params[name].whole:
            return replace(self, overall=(*self.overall, line))
        sides = list(self.sides)
        own = sides[side - 1]
        sides[side - 1] = replace(own, lines=(*own.lines, line))
        return replace(self, sides=tuple(sides))

    # -- what they come to

    def parameters(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """What `bind` takes: the parameters of each side, and those of the whole check."""
        sides = [self._folded(side.lines, side.skill_count) for side in self.sides]
        if self.check.sides is None:
            return [], sides[0]
        return sides, self._folded(self.overall, 0)

    def _folded(self, lines: tuple[Line, ...], places: int) -> dict[str, Any]:
        found: dict[str, list[Line]] = {}
        for line in lines:
            if line.on and line.cannot:
                raise Refused(localize(line.cannot), f"the GM can switch off {localize(line.title)!r}")
            if line.on and line.parameter:
                found.setdefault(line.parameter, []).append(line)
        params: Mapping[str, Param] = self.check.params
        return {name: combine(params[name], own, places) for name, own in found.items()}

    def bound(self) -> BoundCheck:
        """The check as it is rolled; refused also where a point is spent that nobody has."""
        sides, params = self.parameters()
        made = bind(self.ruleset, self.check.name, sides, params, self.options)
        for side, args in zip(self.sides, made.args.get("sides", (made.args,)), strict=True):
            if side.character is not None:
                check_affordable(self.ruleset, side.character, spent_by(self.ruleset, args))
        return made


def _switched(lines: tuple[Line, ...], place: int, on: bool, by: str) -> tuple[Line, ...]:
    line = replace(lines[place], on=on, switched_by=by)
    return (*lines[:place], line, *lines[place + 1 :])


def freeze(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Record(value)
    return tuple(map(freeze, value)) if isinstance(value, list) else value
