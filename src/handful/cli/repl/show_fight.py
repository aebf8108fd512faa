"""Formats a fight as one seat sees it: round, order, turn, and the state of each combatant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.cli import layout
from handful.cli.repl.phrases import stance_text
from handful.rules.ruleset import Ruleset

View = Mapping[str, Any]


def fight_lines(rules: Ruleset, view: View) -> list[str]:
    """Format the turn order; an arrow marks whose turn it is."""
    fight = view["fight"]
    if fight is None:
        return []
    sheets = {one["character"]: one for one in view["characters"]}
    rows = [_row(rules, one, fight, sheets.get(one["combatant"])) for one in fight["order"]]
    long = f" ({fight['seconds']} seconds)" if fight["seconds"] else ""
    note = ": choose how many actions to take" if fight["declaring"] else ""
    return layout.section(f"round {fight['round']}{long}{note}", layout.columns(rows))


def _row(
    rules: Ruleset, one: View, fight: View, sheet: Mapping[str, Any] | None
) -> tuple[str, str, str, str]:
    turn = ">" if one["combatant"] in fight["turn"] else ("~" if one["due"] else "")
    if one["actions"] is None:
        left = "done" if one["over"] else ""
    else:
        left = f"{one['left']} of {one['actions']} left" if one["actions"] else "no actions"
    state = [name for name in ("hidden", "waiting", "prepared", "attacked") if one[name]]
    if one["stance"]:
        state.append(stance_text(rules, one["stance"], one["choice"]))
    if one["pace"]:
        state.append(one["pace"])
    return turn, one["name"], left, ", ".join([*state, *_wounds(rules, sheet)])


def _wounds(rules: Ruleset, sheet: Mapping[str, Any] | None) -> list[str]:
    """Format hit points and conditions, if the sheet is visible."""
    if sheet is None or "sheet" not in sheet or rules.sheet is None:
        return []
    rounds = rules.sheet.rounds
    parts = []
    if rounds is not None and rounds.harm in sheet["sheet"].get("resources", {}):
        value, most = sheet["sheet"]["resources"][rounds.harm], sheet["ranges"][rounds.harm][1]
        parts.append(f"{rounds.harm.replace('_', ' ')} {value}/{most}")
    return parts + [one["says"] for one in sheet["conditions"]]
