"""History of a character: every change of its sheet, and who made it, from a seat's own log.

Only lines of that seat's log go in, so the result holds nothing the seat may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from handful.errors import Message, Refused
from handful.rules.ruleset import Ruleset
from handful.sheet import differences
from handful.table.characters import require_sheet
from handful.table.json_types import JsonObject
from handful.table.upcast import Data

SHEET_CHANGES = ("character_updated", "character_renamed", "points_changed", "points_spent")
OMITTED_FIELDS = (
    "character",
    "changes",
    "now",
    "sheet",
    "owner",
    "name",
    "kind",
)  # shown as changes, or redundant


def character_history(rules: Ruleset, lines: Iterable[Data], character: str) -> list[JsonObject]:
    """Return the log lines about a character, each with the changes it made."""
    game, history = require_sheet(rules), []
    sheet: JsonObject | None = None  # as the seat sees it before each line
    for line in lines:
        kind, data = line["kind"], line["data"]
        if data.get("character") != character:
            continue
        before, sheet = sheet, _after(sheet, kind, data)
        changes = []
        if before is not None and sheet is not None and kind in SHEET_CHANGES:
            changes = [one.to_dict() for one in differences(game, before, sheet)]
        about = {name: one for name, one in data.items() if name not in OMITTED_FIELDS}
        history.append(
            {
                "n": line["n"],
                "time": line["time"],
                "seat": line["seat"],
                "kind": kind,
                "changes": changes,
                "about": about,
            }
        )
    if not history:
        raise Refused(Message("character.unknown", name=character[:130]))
    return history


def _after(sheet: JsonObject | None, kind: str, data: Mapping[str, Any]) -> JsonObject | None:
    """Return the sheet after a line, as far as the seat sees it: a full sheet, or changed points."""
    if "sheet" in data:
        return dict(data["sheet"])
    if sheet is not None and kind == "character_renamed":
        return {**sheet, "name": data["name"]}
    if sheet is None or "now" not in data:
        return sheet
    return {**sheet, "resources": {**sheet.get("resources", {}), **data["now"]}}
