"""Write the tables of docs/events.md from the records of events.

A test fails when they are out of date.
"""

from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP / "src"))

from handful.table.codec import field_codecs  # noqa: E402
from handful.table.events import event_kinds, visible_fields  # noqa: E402
from handful.table.events.base import TOLD, EventBody  # noqa: E402
from handful.table.visibility import ALL, DECLARED, NOTHING, PRESENCE  # noqa: E402

PAGE = TOP / "docs" / "events.md"
LEVELS = {NOTHING: "nothing", PRESENCE: "presence", DECLARED: "declared", ALL: "all"}
TABLE = re.compile(r"(?:^\| `\w+` \|.*\n)+", re.M)
HEADER = "| event | what happened | stored | visible |\n|---|---|---|---|\n"


def row(cls: type[EventBody]) -> str:
    """Return an event's row: its kind, meaning, stored fields, and those that each level shows."""
    fields = field_codecs(cls)  # type: ignore[arg-type]
    stored = _names(one.json_name for one in fields if TOLD not in one.annotations)
    meaning = " ".join((cls.__doc__ or "").split())
    return f"| `{cls.kind}` | {meaning[0].lower()}{meaning[1:].rstrip('.')} | {stored} | {_visible(cls)} |\n"


def _names(names: object) -> str:
    return ", ".join(f"`{name}`" for name in names)  # type: ignore[attr-defined]


def _visible(cls: type[EventBody]) -> str:
    """Return the fields that each level adds; levels that show the same are one."""
    json_names = {one.attribute: one.json_name for one in field_codecs(cls)}  # type: ignore[arg-type]
    shown = [(level, visible_fields(cls, level)) for level in LEVELS]  # type: ignore[arg-type]
    columns = []
    for kept, levels in groupby(shown, key=lambda one: one[1]):
        if kept is not None:
            names = _names(json_names[name] for name in json_names if name in kept)
            columns.append((LEVELS[next(iter(levels))[0]], names))
    if len(columns) == 1:
        return columns[0][1]
    return "; ".join(f"{level}: {names}" for level, names in columns)


def page(text: str) -> str:
    """Return docs/events.md with every table written anew, in the order of the records."""
    kinds = event_kinds()

    def table(found: re.Match[str]) -> str:
        first = re.match(r"\| `(\w+)`", found[0])
        assert first is not None
        group = kinds[first[1]].group
        return "".join(row(cls) for cls in kinds.values() if cls.group == group)

    return TABLE.sub(lambda found: found[0] if "`seq`" in found[0] else table(found), text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
