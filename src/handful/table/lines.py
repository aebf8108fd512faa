"""The lines of a roll: where each die and point comes from, as plain data and back.

A roll that a character makes keeps its lines from the declaration on.  Any other roll has them only
when somebody changes one: until then they are just what was asked.
Pure data; `drafts` makes lines from characters, `switching` changes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from handful.records import replace
from handful.rules.params import display_value
from handful.rules.program import Record
from handful.rules.ruleset import Check, Ruleset
from handful.sheet import Draft, DraftSide, Line, draft
from handful.sheet.draft import freeze
from handful.table.events import canonical_json
from handful.table.state import TableRoll

Placed = tuple[int, Line]  # the number of a side, 0 for the whole check, and its line


def line_data(side: int, line: Line) -> dict[str, Any]:
    """A line as JSON can say it."""
    return {
        "side": side,
        "parameter": line.parameter,
        "value": _plain(line.value),
        "source": line.source,
        "title": dict(line.title),
        "via": dict(line.via),
        "place": line.skill_index,
        "by": line.by,
        "on": line.on,
        "switched_by": line.switched_by,
        "cannot": dict(line.cannot),
    }


def line_of(data: Mapping[str, Any]) -> Placed:
    """The line that `line_data` has told of."""
    return data["side"], Line(
        data["parameter"],
        freeze(data["value"]),
        data["source"],
        Record(data["title"]),
        Record(data["via"]),
        data["place"],
        data["by"],
        data["on"],
        data["switched_by"],
        Record(data["cannot"]),
    )


def _plain(value: Any) -> Any:
    """A value as it could be typed, also where it was read already."""
    if value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Fraction) or (isinstance(value, dict) and {*value} == {"dice", "pips"}):
        return display_value(value)
    return {name: _plain(one) for name, one in value.items()} if isinstance(value, dict) else value


def draft_of(rules: Ruleset, roll: TableRoll) -> Draft:
    """A roll as the draft that it came from.  Without characters: points are another matter."""
    asked = roll.asked
    if not roll.lines:
        return typed_only(rules, words_of(roll), roll.roller)
    check = rules.check(asked["check"])
    own = [
        DraftSide(None, tuple(line for side, line in roll.lines if side == number), places)
        for number, places in enumerate(roll.skill_counts, 1)
    ]
    overall = tuple(line for side, line in roll.lines if side == 0)
    return Draft(rules, check, overall, tuple(own), Record(asked["options"]))


def words_of(roll: TableRoll) -> str:
    """What was asked, as text: two that are written alike are the same check."""
    return canonical_json(roll.asked) if roll.position is None else roll.position.words


def typed_only(rules: Ruleset, words: str, by: str) -> Draft:
    """Just what was asked, as lines."""
    says = json.loads(words)
    check = rules.check(says["check"])
    sides = [_said(check, side) for side in says["sides"]]
    parameters = _said(check, says["parameters"])
    return draft(rules, check.name, sides, parameters, options=says["options"], by=by)


def _said(check: Check, values: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters without those that are as they always are."""
    params = check.params
    return {
        name: value
        for name, value in values.items()
        if params[name].required or params[name].read(value) != params[name].default
    }


def with_line(rules: Ruleset, roll: TableRoll, number: int, placed: Placed, *, new: bool) -> TableRoll:
    """The roll with one line changed, or with one more at this number; counted from 1."""
    before = draft_of(rules, roll)
    lines = [*before.lines_with_sides()]
    lines[number - 1 : number - 1 if new else number] = [placed]
    return replace(roll, lines=tuple(lines), skill_counts=tuple(side.skill_count for side in before.sides))


def corrected(roll: TableRoll, asked: Mapping[str, Any], by: str) -> tuple[Placed, ...]:
    """The lines after a correction: what it says stands in their place."""
    lines = list(roll.lines)
    for side, old, new in _both(roll.asked, asked) if lines else ():
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


def _both(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[tuple[int, Any, Any]]:
    """What is asked of each side before and after; a check without sides is its own first."""
    sides = zip(old["sides"], new["sides"], strict=True)
    found = [(number, *both) for number, both in enumerate(sides, 1)]
    return [(0 if found else 1, old["parameters"], new["parameters"]), *found]


def can_change(roll: TableRoll) -> bool:
    """Whether lines can still be switched and added: before anything has happened."""
    return not (roll.replies or roll.typed or roll.key or roll.components or roll.cancelled)
