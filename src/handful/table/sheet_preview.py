"""A sheet before it is brought: what it would change, what it comes to, and what came between.

Whoever edits a sheet began with some state of it, the `base`.  If the sheet has changed since, the
edit is not lost and overwrites nothing: both come together, and where both have changed the same
it is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.sheet import changes, differences, merge
from handful.table.characters import brought_before, data_of, mark_of, readable, sheet_of
from handful.table.projection import project
from handful.table.state import Table
from handful.table.view_sheets import worked_out


def preview_sheet(
    table: Table,
    seat: str,
    sheet: Mapping[str, Any] | str,
    owner: str | None = None,
    base: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What `bring` would change, as plain data; refused where that would be.

    The sheet may be a text.  With `base`, the sheet that an edit began with, also what has changed
    `meanwhile`, and if something has, both edits in one (`merged`, `clashes`).
    """
    known, rules = project(table, seat), table.rules
    owner = seat if owner is None else owner
    new = readable(rules, sheet)
    old = brought_before(known, seat, owner, new)
    data = data_of(rules, new)
    found: dict[str, Any] = {
        "character": f"{owner}/{new.name}",
        "new": old is None,
        "changes": [],
        "sheet": data,
        "comes_to": worked_out(known, new),
    }
    if old is None or old.sheet is None:
        return found
    found["replaces"] = mark_of(rules, old.sheet)
    found["changes"] = [one.to_dict() | {"says": str(one)} for one in changes(rules, old.sheet, new)]
    if base is None:
        return found
    game, now = sheet_of(rules), data_of(rules, old.sheet)
    began = data_of(rules, readable(rules, base))
    found["meanwhile"] = [one.to_dict() for one in differences(game, began, now)]
    if found["meanwhile"]:
        both, clashes = merge(game, began, data, now)
        found |= {"merged": both, "clashes": [one.to_dict() for one in clashes], "now": now}
    return found
