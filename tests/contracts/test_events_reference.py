"""docs/events.md lists every kind of event, with the fields that follow from its record."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from golden.test_golden import NAMES, entries
from handful.table.events import canonical_json, event_kinds
from handful.table.upcast import read_event

TOP = Path(__file__).parents[2]
sys.path.insert(0, str(TOP / "tools"))

import events  # noqa: E402

PAGE = events.PAGE.read_text(encoding="utf-8")


def test_every_event_has_its_row() -> None:
    rows = {*re.findall(r"^\| `(\w+)` \| .*? \| .*? \| .*? \|$", PAGE, re.M)}
    assert rows == {*event_kinds()}


def test_the_reference_is_up_to_date() -> None:
    assert events.page(PAGE) == PAGE, "run python tools/events.py"


def test_the_reference_names_every_field_of_an_entry() -> None:
    for name in entries(NAMES[0])[0]:
        assert f"| `{name}` |" in PAGE


def test_entries_of_every_version_are_written_back_byte_for_byte() -> None:
    for log in NAMES:
        for entry in entries(log):
            assert canonical_json(read_event(entry).data) == canonical_json(entry["data"])
