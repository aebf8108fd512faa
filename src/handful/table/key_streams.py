"""Streams of keys: the dice of a roll follow from its place in a stream, never from its name.

Each seat has one stream of keys for each audience that its declarations can have: everyone, the
roller alone, the GMs alone.  A viewer sees all declarations of a stream or none, so the commitments
it sees have no gaps and depend on nothing hidden.  The commitment to the next key of a stream is
published before that key is used: with the seat, with an epoch, and with each declaration.

Comparing rolls have a stream for each combination of rolls and of people who see it, so their keys
depend on nothing hidden, either; their commitments are published with the declaration.
Invariant: a key is used for one roll.  Epochs have independent secrets, so a restored backup or a
copy of a file never repeats a key.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from hashlib import sha256

from handful.records import record
from handful.table.visibility import MODES, NOTHING, Mode, Viewer

OPEN, SECRET, GM_ONLY = "open", "secret", "gm"
STREAMS = (OPEN, SECRET, GM_ONLY)  # of each seat that rolls
COMPARISON = "comparison"  # of rolls that compare other rolls
TIES = "ties"  # of a fight: dice that decide ties of initiative
_AUDIENCES: Mapping[str, Mode] = {
    OPEN: MODES["public"],
    SECRET: MODES["secret"],
    GM_ONLY: MODES["gm"],
}


@record()
class KeyPlace:
    """The place of a key: epoch, stream and number."""

    epoch: int
    stream: str
    roller: str  # for a comparison a digest of what is compared, for ties the fight
    index: int


@record()
class NamedKey:
    """A key that follows from the name of its roll, as before there were epochs."""

    table: str
    roll: str


Place = KeyPlace | NamedKey


def stream_for(mode: Mode) -> str:
    """Return the stream of a roll of this mode.

    Private and blind rolls share the open stream: others see that one is declared, not which.
    """
    if mode.others > NOTHING:
        return OPEN
    return GM_ONLY if mode.gm > NOTHING else SECRET


def sees_stream(stream: str, viewer: Viewer, roller: str) -> bool:
    """Return True if a viewer sees the declarations, and so the commitments, of a roller's stream."""
    return stream in _AUDIENCES and _AUDIENCES[stream].level(viewer, roller) > NOTHING


def derive_key(secret: bytes, place: Place) -> str:
    """Return a key, from the secret of its epoch."""
    if isinstance(place, NamedKey):
        message = f"handful roll\n{place.table}\n{place.roll}"
    else:
        message = f"handful key\n{place.stream}\n{place.index}\n{place.roller}"
    return hmac.digest(secret, message.encode(), "sha256").hex()


def commitment_of(key: str) -> str:
    return sha256(bytes.fromhex(key)).hexdigest()


def first_commitments(key: Callable[[KeyPlace], str], epoch: int, roller: str) -> dict[str, str]:
    """Return the commitments to the first key of each stream of a seat in a new epoch."""
    return {stream: commitment_of(key(KeyPlace(epoch, stream, roller, 0))) for stream in STREAMS}


def next_commitment(key: Callable[[KeyPlace], str], place: Place) -> str | None:
    """Return the commitment to the key after a place; None if it is not published in advance."""
    if isinstance(place, NamedKey) or place.stream not in STREAMS:
        return None
    return commitment_of(key(KeyPlace(place.epoch, place.stream, place.roller, place.index + 1)))
