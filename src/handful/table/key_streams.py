"""Streams of keys: the dice of a roll follow from its place in a stream, never from its name.

Each seat has one stream of keys for each audience that its declarations can have: everyone, the
roller alone, the GMs alone.  A viewer sees all declarations of a stream or none, so the commitments
it sees have no gaps and depend on nothing hidden.  The commitment to the next key of a stream is
published before that key is used: with the seat, with an epoch, and with each declaration.

Comparing rolls have keys in the order of the epoch, under no seat: who sees them differs from one to
the next, so their commitments cannot be published before.
Invariant: a key is used for one roll.  Epochs have independent secrets, so a restored backup or a
copy of a file never repeats a key.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256

from handful.records import record
from handful.table.visibility import MODES, NOTHING, Mode, Viewer

OPEN, SECRET, GM_ONLY = "open", "secret", "gm"
STREAMS = (OPEN, SECRET, GM_ONLY)  # of each seat that rolls
COMPARISON = "comparison"  # of the table: rolls that compare other rolls
_AUDIENCES: Mapping[str, Mode] = {
    OPEN: MODES["public"],
    SECRET: MODES["secret"],
    GM_ONLY: MODES["gm"],
}


@record()
class KeyPlace:
    """The place of a key: epoch, stream and number; only the full log contains it."""

    epoch: int
    stream: str
    roller: str  # empty for comparisons
    index: int


def stream_for(mode: Mode) -> str:
    """Return the stream of a roll of this mode.

    Private and blind rolls share the open stream: others see that one is declared, not which.
    """
    if mode.others > NOTHING:
        return OPEN
    return GM_ONLY if mode.gm > NOTHING else SECRET


def sees_stream(stream: str, viewer: Viewer, roller: str) -> bool:
    """Return True if a viewer sees the declarations, and so the commitments, of a roller's stream."""
    return _AUDIENCES[stream].level(viewer, roller) > NOTHING


def derive_key(secret: bytes, place: KeyPlace) -> str:
    """Return a key, from the secret of its epoch."""
    message = f"handful key\n{place.stream}\n{place.index}\n{place.roller}".encode()
    return hmac.digest(secret, message, "sha256").hex()


def commitment_of(key: str) -> str:
    return sha256(bytes.fromhex(key)).hexdigest()


def first_commitments(secret: bytes, epoch: int, roller: str) -> dict[str, str]:
    """Return the commitments to the first key of each stream of a seat in a new epoch."""
    return {
        stream: commitment_of(derive_key(secret, KeyPlace(epoch, stream, roller, 0))) for stream in STREAMS
    }
