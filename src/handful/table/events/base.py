"""The envelope of an event, the registry of its kinds, and log entries."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, ClassVar, TypeVar, dataclass_transform

from handful.records import field, record, replace
from handful.table.codec import build_kind, field_codecs, write_record
from handful.table.visibility import ALL, DECLARED, NOTHING, PRESENCE

VERSION = 3  # of entries; upcast.py converts older ones
STORED = ALL + 1  # fields that no seat is shown

T = TypeVar("T")
# A field is shown to viewers of this level and above; without one, to everybody who learns of the event.
Presence = Annotated[T, PRESENCE]
Declared = Annotated[T, DECLARED]
All = Annotated[T, ALL]
Stored = Annotated[T, STORED]
# A field that only redacted copies have, in place of what the seat was not told before.
TOLD = "told"
Told = Annotated[T, TOLD]

Class = TypeVar("Class", bound=type)
_KINDS: dict[str, type[EventBody]] = {}


@record()
class EventBody:
    """The content of an event; a subclass for every kind."""

    kind: ClassVar[str] = ""
    group: ClassVar[str] = "table"  # the thing it is about, which decides who sees it


@record()
class RollBody(EventBody):
    """The content of an event about one roll."""

    group: ClassVar[str] = "roll"
    only_before_dice: ClassVar[bool] = False  # below ALL, shown only until the first throw
    roll: str


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def event(kind: str, **settings: Any) -> Callable[[Class], Class]:
    """Turn a class of annotated fields into an event of this kind; its fields are given by name."""

    return lambda cls: build_kind(cls, _KINDS, kind, **settings)


def event_kinds() -> Mapping[str, type[EventBody]]:
    """Return every kind of event with its record."""
    return _KINDS


@record()
class UnknownBody(EventBody):
    """An event of a kind that this version does not know: it changes nothing, and nobody is shown it."""

    group: ClassVar[str] = "unknown"

    name: str
    data: Mapping[str, Any]


@cache
def visible_fields(cls: type[EventBody], level: int) -> frozenset[str] | None:
    """Return the attributes that a level shows of a kind of event; None if it hides the event."""
    shown_from = {one.attribute: _level(one.annotations) for one in field_codecs(cls)}  # type: ignore[arg-type]
    if shown_from and level < min(shown_from.values()):
        return None
    return frozenset(name for name, least in shown_from.items() if least <= level)


def shown_at(body: Any, level: int) -> Any:
    """Return a body with the fields that a level shows; None if the level hides it."""
    kept = visible_fields(type(body), level)  # type: ignore[arg-type]
    if kept is None:
        return None
    left_out = [name for name in body._fields_of_record if name not in kept]
    if all(getattr(body, name) is None for name in left_out):
        return body
    return replace(body, **dict.fromkeys(left_out))


def _level(annotations: tuple[Any, ...]) -> int:
    return next((one for one in annotations if isinstance(one, int)), NOTHING)


@record()
class Event:
    """A fact about the table, and the seat that caused it."""

    body: EventBody
    seat: str
    key: str = ""  # of the command that caused it
    command_digest: str = ""  # of that command: a key must not be reused for another one

    @property
    def kind(self) -> str:
        return self.body.name if isinstance(self.body, UnknownBody) else self.body.kind

    @property
    def data(self) -> dict[str, Any]:
        """The event's fields as JSON data."""
        return dict(self.body.data) if isinstance(self.body, UnknownBody) else write_record(self.body)


@record()
class Command:
    """A seat's request; a command with the same key is executed once, however often it arrives."""

    kind: str
    key: str
    data: Mapping[str, Any] = field(default_factory=dict)

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
    game = getattr(event.body, "game", None) if event.kind == "rules_changed" else None
    return hash if game is None else game.hash


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
