"""The lines of a roll: the source of each die and point.

A roll that a character makes keeps its lines from the declaration on.  Any other roll gets them only
when one is changed; until then they are just the declared parameters.
Pure data: `drafts` builds lines from characters, `line_changes` changes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from handful.records import replace
from handful.rules.program import Record
from handful.rules.ruleset import Check, Ruleset
from handful.sheet import Draft, DraftSide, Line, draft
from handful.sheet.draft import freeze
from handful.table.codec import read_record, write_record
from handful.table.events import canonical_json
from handful.table.events.values import AskedCheck, SideLine
from handful.table.state import TableRoll


def rebuild_draft(rules: Ruleset, roll: TableRoll) -> Draft:
    """Rebuild a roll's draft, without characters: points are handled elsewhere."""
    asked = roll.asked
    assert asked is not None
    if not roll.lines:
        return draft_from_text(rules, check_text(roll), roll.roller)
    check = rules.check(asked.check)
    sides = [
        DraftSide(None, tuple(line for side, line in roll.lines if side == number), skill_count)
        for number, skill_count in enumerate(roll.skill_counts, 1)
    ]
    overall = tuple(line for side, line in roll.lines if side == 0)
    return Draft(rules, check, overall, tuple(sides), Record(asked.options))


def check_text(roll: TableRoll) -> str:
    """Return the declared check as canonical JSON: equal texts mean equal checks."""
    return canonical_json(write_record(roll.asked)) if roll.position is None else roll.position.text


def draft_from_text(rules: Ruleset, text: str, by: str) -> Draft:
    """Return a draft with the declared parameters as its lines."""
    asked = read_record(AskedCheck, json.loads(text))
    check = rules.check(asked.check)
    sides = [_without_defaults(check, side) for side in asked.sides]
    parameters = _without_defaults(check, asked.parameters)
    return draft(rules, check.name, sides, parameters, options=asked.options, by=by)


def _without_defaults(check: Check, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that differ from their default."""
    params = check.params
    return {
        name: value
        for name, value in values.items()
        if params[name].required or params[name].read(value) != params[name].default
    }


def with_line(rules: Ruleset, roll: TableRoll, number: int, side_line: SideLine, *, new: bool) -> TableRoll:
    """Return the roll with one line replaced, or inserted at this number; numbers start at 1."""
    before = rebuild_draft(rules, roll)
    lines = [*before.lines_with_sides()]
    lines[number - 1 : number - 1 if new else number] = [side_line]
    return replace(roll, lines=tuple(lines), skill_counts=tuple(side.skill_count for side in before.sides))


def corrected_lines(roll: TableRoll, asked: AskedCheck, by: str) -> tuple[SideLine, ...]:
    """Return the lines after a correction: its values replace those of the lines."""
    lines = list(roll.lines)
    for side, old, new in _paired_sides(roll.asked, asked) if lines and roll.asked else ():
        for name in [name for name in {**old, **new} if old.get(name) != new.get(name)]:
            lines = [
                (at, replace(line, on=False, switched_by=by))
                if (at, line.parameter, line.on) == (side, name, True)
                else (at, line)
                for at, line in lines
            ]
            if name in new:
                end = max((n for n, (at, _) in enumerate(lines, 1) if at <= side), default=0)
                lines.insert(end, (side, Line(name, freeze(new[name]), by=by)))
    return tuple(lines)


def _paired_sides(old: AskedCheck, new: AskedCheck) -> list[tuple[int, Any, Any]]:
    """Pair each side's old and new parameters; a check without sides counts as side 1."""
    sides = zip(old.sides, new.sides, strict=True)
    per_side = [(number, *values) for number, values in enumerate(sides, 1)]
    return [(0 if per_side else 1, old.parameters, new.parameters), *per_side]


def can_change_lines(roll: TableRoll) -> bool:
    """Return whether lines can still be switched and added: before any reply."""
    return not (roll.replies or roll.typed or roll.key or roll.components or roll.cancelled)
