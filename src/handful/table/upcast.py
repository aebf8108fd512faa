"""Upcasts log entries: reads entries of any version as events of the newest.

An entry keeps the version in which it was written.  When the form of events changes, `VERSION` in
`events` grows by one and the step from the previous version is added to `VERSION_STEPS`; nothing
else knows any form but the newest.  A step also restores how its version redacted an event, because
exported lines are hash-chained and must come out the same for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.errors import FileFault, Message
from handful.records import record
from handful.table.codec import read_record
from handful.table.events import VERSION, Event, UnknownBody, event_kinds

Data = Mapping[str, Any]
Redacted = dict[str, Any]


def _unchanged(kind: str, data: Redacted, gm: bool) -> Redacted | None:
    return data


@record()
class VersionStep:
    """Conversion from one version to the next.

    `upgrade` converts an entry to the next version.  `downgrade` takes the kind of an entry, its redacted
    data in the next version, and whether they are for a GM; it returns the redacted data as this version
    wrote them, or None if it told the seat nothing.
    """

    upgrade: Callable[[Data], Data]
    downgrade: Callable[[str, Redacted, bool], Redacted | None] = _unchanged


def _without_sources(kind: str, data: Redacted, gm: bool) -> Redacted:
    """Version 1 did not name the rolls from which a revealed contest inherited its dice."""
    if "story" not in data:
        return data
    return {**data, "story": _without(data["story"], ("sources",))}


_STORY_SINCE_3 = ("modes", "ruleset", "begun", "parts", "places", "deed", "cancelled")


def _without_state(kind: str, data: Redacted, gm: bool) -> Redacted | None:
    """Version 2 did not tell seats everything from which their view follows.

    It left out positions of lines and combatants, offered answers, and the rest of a revealed roll.
    """
    if kind == "proposal_accepted" and "sides" in data:
        return None
    data = _without(data, ("offered", "state", "last", "level", "places"))
    if kind in ("line_switched", "line_added") and not gm:
        data = _without(data, ("number",))
    if kind == "contest_opened" and "check" not in data:
        data = _without(data, ("together",))
    if kind == "character_shown":
        data = _without(data, ("items", "tasks"))
    if "story" in data:
        data["story"] = _without(data["story"], _STORY_SINCE_3)
    return data


def _without(data: Data, names: tuple[str, ...]) -> Redacted:
    return {name: one for name, one in data.items() if name not in names}


# version -> the step to the next one
VERSION_STEPS: Mapping[int, VersionStep] = {
    1: VersionStep(dict, _without_sources),
    2: VersionStep(dict, _without_state),
}


def read_event(entry: Data) -> Event:
    """Return the event of a log entry of any version."""
    newest = upcast(entry)
    command = newest["command"]
    cls = event_kinds().get(newest["kind"])
    data = newest["data"]
    body = UnknownBody(newest["kind"], data) if cls is None else read_record(cls, data)
    return Event(body, newest["seat"], command["key"], command["print"])


def upcast(entry: Data) -> Data:
    """Return an entry in the newest version; refuse one that is newer than that."""
    written = entry["version"]
    if written > VERSION:
        raise FileFault(
            Message("log.newer", written=written, version=VERSION),
            Message("store.install_newer"),
        )
    for version in range(written, VERSION):
        entry = {**VERSION_STEPS[version].upgrade(entry), "version": version + 1}
    return entry


def redacted_as_written(entry: Data, data: Redacted, *, gm: bool) -> Redacted | None:
    """Return redacted data in the form of the entry's own version; None if that told nothing."""
    written: Redacted | None = data
    for version in reversed(range(entry["version"], VERSION)):
        if written is not None:
            written = VERSION_STEPS[version].downgrade(entry["kind"], written, gm)
    return written
