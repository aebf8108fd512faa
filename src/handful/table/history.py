"""The history of a character: every change of its sheet and who made it, by a seat's own log.

Only lines that the seat was told go in, so nothing comes out that it may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from handful.errors import Refused
from handful.rules.ruleset import Ruleset
from handful.sheet import differences
from handful.table.characters import sheet_of
from handful.table.events import Data

CHANGES = ("character_updated", "points_changed", "points_spent")
LEFT_OUT = ("character", "changes", "now", "sheet", "owner", "name", "kind")  # said otherwise


def character_history(rules: Ruleset, lines: Iterable[Data], character: str) -> list[dict[str, Any]]:
    """What the lines of a seat's log say about a character, each with what it changed."""
    game, found = sheet_of(rules), []
    sheet: dict[str, Any] | None = None  # as the seat knows it before each line
    for line in lines:
        kind, data = line["kind"], line["data"]
        if data.get("character") != character:
            continue
        before, sheet = sheet, _after(sheet, data)
        changed = []
        if before is not None and sheet is not None and kind in CHANGES:
            changed = [one.to_dict() for one in differences(game, before, sheet)]
        about = {name: one for name, one in data.items() if name not in LEFT_OUT}
        found.append(
            {
                "n": line["n"],
                "time": line["time"],
                "seat": line["seat"],
                "kind": kind,
                "changes": changed,
                "about": about,
            }
        )
    if not found:
        raise Refused(f"there is no character {character[:130]!r} here")
    return found


def _after(sheet: dict[str, Any] | None, data: Mapping[str, Any]) -> dict[str, Any] | None:
    """The sheet as far as it is known after a line: told whole, or points that moved."""
    if "sheet" in data:
        return dict(data["sheet"])
    if sheet is None or "now" not in data:
        return sheet
    return {**sheet, "resources": {**sheet.get("resources", {}), **data["now"]}}
