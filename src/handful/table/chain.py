"""The line format of seat logs, version 2: two hash chains and signatures.

A seat's chain has a line for each event that the seat sees.  Lines that a watcher sees, too, also
belong to the public chain, which is the same for every seat: `public` has their number and hash
there, and the watcher's data if the seat sees more.  Players compare its head by voice.
The table signs the hash of each finalised roll and the last line of an export.  A signature is not
part of a hash, so it can be made when a line is sent.

Texts are assembled as `canonical_json` would write them, because a line is hashed for each seat.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from handful.records import record
from handful.table.events import digest

FORMAT = "handful seat log"
PUBLIC_FORMAT = "handful public chain"
CHAIN_VERSION = 2  # of the line format; events have a version of their own
SIGNED_KINDS = frozenset({"roll_finalised"})
HEAD_DIGITS, HEAD_GROUP = 30, 5  # of a head for people: two with equal digits take 2**50 attempts

Sign = Callable[[bytes], bytes]
_quote = json.encoder.encode_basestring_ascii  # the escaping of `canonical_json`


@record()
class LineEnvelope:
    """The parts of a line that are the same for every seat, as text."""

    kind: str
    origin: str  # ruleset and seat
    moment: str  # time and version


def envelope_of(entry: Mapping[str, Any]) -> LineEnvelope:
    origin = f'"ruleset":{_quote(entry["ruleset"])},"seat":{_quote(entry["seat"])},'
    moment = f'"time":{_quote(entry["time"])},"version":{entry["version"]}}}'
    return LineEnvelope(entry["kind"], origin, moment)


def format_line(
    envelope: LineEnvelope,
    before: str,
    data: str,
    n: int,
    *,
    public: str = "",
    hash: str = "",
    signature: str = "",
) -> str:
    """Return a line as text; without `hash` and `signature` it is the text that is hashed."""
    own_hash = hash and f'"hash":"{hash}",'
    signed = signature and f'"signature":"{signature}",'
    return (
        f'{{"before":"{before}","data":{data},{own_hash}"kind":"{envelope.kind}","n":{n},'
        f"{public}{envelope.origin}{signed}{envelope.moment}"
    )


def hash_text(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def log_head(table: str, seat: str, public_key: str) -> dict[str, object]:
    """Return the first line of a seat's log; its hash is the start of the seat's chain."""
    return {
        "format": FORMAT,
        "version": CHAIN_VERSION,
        "table": table,
        "seat": seat,
        "public_key": public_key,
    }


@record()
class PublicLine:
    """A line of the public chain: its number, its hash and what a watcher sees."""

    n: int
    hash: str
    data: str

    def field_for(self, data: str) -> str:
        """Return the field `public` of a seat's line with this data."""
        own = "" if data == self.data else f'"data":{self.data},'
        return f'"public":{{{own}"hash":"{self.hash}","n":{self.n}}},'


class PublicChain:
    """The growing chain of the lines that everyone sees."""

    def __init__(self, table: str, public_key: str) -> None:
        start = {"format": PUBLIC_FORMAT, "table": table, "public_key": public_key}
        self.last_hash, self.count = digest(start), 0

    def append(self, data: str, envelope: LineEnvelope) -> PublicLine:
        """Append what a watcher sees of an entry."""
        self.count += 1
        self.last_hash = hash_text(format_line(envelope, self.last_hash, data, self.count))
        return PublicLine(self.count, self.last_hash, data)


def sign_hash(sign: Sign, hash: str) -> str:
    """Return the table's signature of a line's hash, in hexadecimal digits."""
    return sign(f"{FORMAT}\n{hash}".encode()).hex()


def log_end(count: int, head: str, public: tuple[int, str], sign: Sign | None) -> dict[str, object]:
    """Return the last line of an export: the heads of both chains, signed."""
    n, public_head = public
    end: dict[str, object] = {
        "end": count,
        "head": head,
        "public": {"n": n, "head": public_head, "digits": spoken_digits(public_head)},
    }
    return end if sign is None else {**end, "signature": sign_hash(sign, digest(end))}


def spoken_digits(hash: str) -> str:
    """Return a hash as groups of digits that people can read to each other.

    >>> spoken_digits("ff" * 32)
    '64056 40394 57584 00791 31296 39935'
    """
    digits = f"{int(hash, 16) % 10**HEAD_DIGITS:0{HEAD_DIGITS}}"
    return " ".join(digits[at : at + HEAD_GROUP] for at in range(0, HEAD_DIGITS, HEAD_GROUP))
