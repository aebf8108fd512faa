"""The evenings of a table that goes on: parts of a seat's log with a long break between them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from handful.table import Table
from handful.table.evenings import summarize

BREAK = timedelta(hours=6)  # without a line: after it, another evening begins
Line = dict[str, Any]


def split_evenings(lines: Iterable[Line]) -> list[list[Line]]:
    """Return the lines of each evening; one that goes on after midnight is one evening."""
    evenings: list[list[Line]] = []
    before: datetime | None = None
    for line in lines:
        now = datetime.fromisoformat(line["time"])
        if before is None or now - before >= BREAK:
            evenings.append([])
        evenings[-1].append(line)
        before = now
    return evenings


def evening_summaries(known: Table, lines: Iterable[Line]) -> list[dict[str, Any]]:
    """Return each evening: its first and last line, when it began and ended, and what was rolled."""
    return [
        {
            "first": evening[0]["n"],
            "last": evening[-1]["n"],
            "begins": evening[0]["time"],
            "ends": evening[-1]["time"],
            **summarize(known, evening),
        }
        for evening in split_evenings(lines)
    ]
