"""Preview of a sheet before it is brought: its changes, derived numbers, and conflicts.

An edit starts from some state of the sheet, the `base`.  If the sheet has changed since, the edit is
neither lost nor does it overwrite anything: both are merged, and conflicts are listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.sheet import changes, differences, merge, points_left
from handful.table.characters import (
    find_existing,
    new_id,
    parse_sheet,
    require_sheet,
    sheet_data,
    sheet_digest,
)
from handful.table.knowledge import known_to
from handful.table.state import Table
from handful.table.view_sheets import derived_view


def preview_sheet(
    table: Table,
    seat: str,
    sheet: Mapping[str, Any] | str,
    owner: str | None = None,
    base: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what `bring` would change, as JSON data; refused where `bring` would be.

    The sheet may be text.  With `base`, the sheet that the edit started from, also returns what has
    changed `meanwhile` and, if anything has, both edits merged (`merged`, `clashes`).
    """
    known, rules = known_to(table, seat), table.rules
    owner = seat if owner is None else owner
    new = parse_sheet(rules, sheet)
    old = find_existing(known, seat, owner, new)
    data = sheet_data(rules, new)
    preview: dict[str, Any] = {
        "character": old.id if old else new_id(known, owner, new.name),
        "new": old is None,
        "changes": [],
        "sheet": data,
        "comes_to": derived_view(known, new),
        "budgets": [one.to_dict() for one in points_left(rules, new, known.options)],
    }
    if old is None or old.sheet is None:
        return preview
    preview["replaces"] = sheet_digest(rules, old.sheet)
    preview["changes"] = [one.to_dict() | {"says": str(one)} for one in changes(rules, old.sheet, new)]
    if base is None:
        return preview
    game, now = require_sheet(rules), sheet_data(rules, old.sheet)
    base_data = sheet_data(rules, parse_sheet(rules, base))
    preview["meanwhile"] = [one.to_dict() for one in differences(game, base_data, now)]
    if preview["meanwhile"]:
        merged, clashes = merge(game, base_data, data, now)
        preview |= {"merged": merged, "clashes": [one.to_dict() for one in clashes], "now": now}
    return preview
