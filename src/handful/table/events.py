"""Events and commands as JSON data, and how log entries are written.

An event is in the past tense and never refused; a command is in the imperative and may be.
Both hold only JSON values, so a log that is read back equals the log that was written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from handful.records import field, record

VERSION = 2  # of entries; upcast.py converts older ones

Data = Mapping[str, Any]


@record()
class Event:
    """A fact about the table, and the seat that caused it."""

    kind: str
    seat: str
    data: Data = field(default_factory=dict)
    key: str = ""  # of the command that caused it
    command_digest: str = ""  # of that command: a key must not be reused for another one


@record()
class Command:
    """A seat's request; a command with the same key is executed once, however often it arrives."""

    kind: str
    key: str
    data: Data = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A short digest of the command's content."""
        return digest({"do": self.kind, "data": self.data})[:16]


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), check_circular=False)


def canonical_json(data: Any) -> str:
    """Return data as canonical JSON: one byte sequence per value, used wherever bytes are hashed."""
    return _ENCODER.encode(data)


def digest(data: Any) -> str:
    return sha256(canonical_json(data).encode()).hexdigest()


def ruleset_hash_after(event: Event, hash: str) -> str:
    """Return the hash of the rules in force after an event; an entry holds that of the rules before it."""
    changed: str = event.data["game"]["hash"] if event.kind == "rules_changed" else hash
    return changed


def log_entry(event: Event, *, seq: int, time: str, ruleset: str) -> dict[str, Any]:
    """Return an event as a log entry; sequence number and time come from outside.  `upcast` reads it."""
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
