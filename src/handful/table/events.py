"""What happened at a table, and what somebody wants to happen: plain data with names.

An event is in the past tense and never refused; a command is in the imperative and may be.
Both hold nothing but what JSON can say, so that a log read back is the log that was written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from handful.records import field, record

VERSION = 2  # of entries; older ones are brought up to it by upcast.py

Data = Mapping[str, Any]


@record()
class Event:
    """Something that happened, and whose doing it was."""

    kind: str
    seat: str
    data: Data = field(default_factory=dict)
    key: str = ""  # of the command that it came from
    command_digest: str = ""  # of that command's words: the same key must mean the same command


@record()
class Command:
    """Something that a seat wants; the same key is obeyed once, however often it comes."""

    kind: str
    key: str
    data: Data = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A short mark of what the command says."""
        return digest({"do": self.kind, "data": self.data})[:16]


_WRITER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), check_circular=False)


def canonical_json(data: Any) -> str:
    """The one way in which data is written where bytes count."""
    return _WRITER.encode(data)


def digest(data: Any) -> str:
    return sha256(canonical_json(data).encode()).hexdigest()


def ruleset_hash_after(event: Event, hash: str) -> str:
    """The hash of the rules that hold after an event; each entry has that of those before it."""
    changed: str = event.data["game"]["hash"] if event.kind == "rules_changed" else hash
    return changed


def log_entry(event: Event, *, seq: int, time: str, ruleset: str) -> dict[str, Any]:
    """An event as a log keeps it; number and time come from outside.  `upcast.py` reads it."""
    return {
        "seq": seq,
        "time": time,
        "version": VERSION,
        "ruleset": ruleset,
        "seat": event.seat,
        "kind": event.kind,
        "data": event.data,
        "command": {"key": event.key, "print": event.command_digest},
    }
