"""Entries of a log as events: old ones are brought up to the newest version first.

An entry keeps the version in which it was written.  When the form of events changes, `VERSION` in
`events.py` grows by one and the step from the version before is added to `STEPS`; nothing else
knows any form but the newest.  A step also says how its version told such an event, because lines
that a seat has exported once must come out the same for ever: their hashes are chained.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.errors import FileFault
from handful.records import record
from handful.table.events import VERSION, Data, Event

Told = dict[str, Any]


def _as_it_is(entry: Data, told: Told) -> Told:
    return told


@record()
class VersionStep:
    """From one version to the next.

    `up` makes an entry the same in the next version's form.  `told` takes such an entry, and what
    the next version would tell a seat of it, and gives what this version told.
    """

    up: Callable[[Data], Data]
    downgrade: Callable[[Data, Told], Told] = _as_it_is


def _without_sources(entry: Data, told: Told) -> Told:
    """Version 1 did not say from which rolls a revealed contest took its dice."""
    if "story" not in told:
        return told
    story = {name: one for name, one in told["story"].items() if name != "sources"}
    return {**told, "story": story}


# version -> the step to the one after it
STEPS: Mapping[int, VersionStep] = {1: VersionStep(dict, _without_sources)}


def read_event(entry: Data) -> Event:
    """The event of a log's entry, whatever its version."""
    newest = upcast(entry)
    command = newest["command"]
    return Event(newest["kind"], newest["seat"], newest["data"], command["key"], command["print"])


def upcast(entry: Data) -> Data:
    """An entry in its newest form; refused where it is newer than that."""
    return entry if entry["version"] == VERSION else _forms(entry)[-1]


def redacted_as_written(entry: Data, told: Told) -> Told:
    """What a seat is told of an entry, as it was told when the entry was written."""
    if entry["version"] == VERSION:
        return told
    *older, _ = _forms(entry)
    for form in reversed(older):
        told = STEPS[form["version"]].downgrade(form, told)
    return told


def _forms(entry: Data) -> list[Data]:
    """An entry in each version from its own to the newest."""
    own = entry["version"]
    if own > VERSION:
        raise FileFault(
            f"it was played with a newer Handful (events of version {own}, this one knows {VERSION})",
            "install the newer one",
        )
    made = [entry]
    for version in range(own, VERSION):
        made.append({**STEPS[version].up(made[-1]), "version": version + 1})
    return made
