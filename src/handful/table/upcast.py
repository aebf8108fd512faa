"""Upcasts log entries: reads entries of any version as events of the newest.

An entry keeps the version in which it was written.  When the form of events changes, `VERSION` in
`events.py` grows by one and the step from the previous version is added to `VERSION_STEPS`; nothing
else knows any form but the newest.  A step also restores how its version redacted an event, because
exported lines are hash-chained and must come out the same for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.errors import FileFault
from handful.records import record
from handful.table.events import VERSION, Data, Event

Redacted = dict[str, Any]


def _unchanged(entry: Data, data: Redacted) -> Redacted:
    return data


@record()
class VersionStep:
    """Conversion from one version to the next.

    `upgrade` converts an entry to the next version.  `downgrade` takes an entry and its redacted data in
    the next version, and returns the redacted data as this version wrote it.
    """

    upgrade: Callable[[Data], Data]
    downgrade: Callable[[Data, Redacted], Redacted] = _unchanged


def _without_sources(entry: Data, data: Redacted) -> Redacted:
    """Version 1 did not name the rolls from which a revealed contest inherited its dice."""
    if "story" not in data:
        return data
    story = {name: one for name, one in data["story"].items() if name != "sources"}
    return {**data, "story": story}


# version -> the step to the next one
VERSION_STEPS: Mapping[int, VersionStep] = {1: VersionStep(dict, _without_sources)}


def read_event(entry: Data) -> Event:
    """Return the event of a log entry of any version."""
    newest = upcast(entry)
    command = newest["command"]
    return Event(newest["kind"], newest["seat"], newest["data"], command["key"], command["print"])


def upcast(entry: Data) -> Data:
    """Return an entry in the newest version; refuse one that is newer than that."""
    return entry if entry["version"] == VERSION else _versions(entry)[-1]


def redacted_as_written(entry: Data, data: Redacted) -> Redacted:
    """Return redacted data in the form of the entry's own version."""
    if entry["version"] == VERSION:
        return data
    *older, _ = _versions(entry)
    for version in reversed(older):
        data = VERSION_STEPS[version["version"]].downgrade(version, data)
    return data


def _versions(entry: Data) -> list[Data]:
    """Return an entry in each version from its own to the newest."""
    written = entry["version"]
    if written > VERSION:
        raise FileFault(
            f"it was played with a newer Handful (events of version {written}, this one knows {VERSION})",
            "install the newer one",
        )
    versions = [entry]
    for version in range(written, VERSION):
        versions.append({**VERSION_STEPS[version].upgrade(versions[-1]), "version": version + 1})
    return versions
