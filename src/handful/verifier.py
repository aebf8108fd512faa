"""Verifies seats' logs; shares no code with the table, so that a bug there cannot hide here.

    python verifier.py ann.log bob.log      # or: handful verify ann.log bob.log

A log is one line of JSON per event, between a header and a final line.  Each line holds the hash of
the line before.  Lines that everyone sees also form the public chain, the same in all logs.  From
format 2 on, the table signs each finalised roll and the end.

A commitment is the hash of a roll's key.  It is announced before the roll is declared, and the key is
published when the roll is final; every virtual die must follow from the key and from the randomness
that came with the throw.  Several logs of one table are compared.
"""

import hashlib
import hmac
import json
import sys
from collections import Counter
from functools import lru_cache
from typing import Any

FORMAT = "handful seat log"
PUBLIC_FORMAT = "handful public chain"
FORMAT_VERSIONS = (1, 2)
NEWEST_VERSION = 3  # of events; lines of older versions stay as they were written
ONLY_BEFORE_KEY = ("dice_thrown", "faces_typed", "faces_taken_back", "decision_taken", "roll_finalised")
SIGNED_KIND = "roll_finalised"
ENTROPY_LENGTH = 32  # hexadecimal digits that a roller's device sends with a throw
SHARED_FIELDS = ("roll", "roller", "commitment", "next", "throw", "faces", "key", "name", "role", "number")
MAX_SHOWN = 80  # characters of a value in a message


def canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def derive_faces(key: str, throw: int, count: int, sides: int, entropy: str) -> list[int]:
    """Return the faces of a throw: 4-byte numbers of 32-byte blocks, rejecting those that bias a face."""
    result: list[int] = []
    block = 0
    if not 1 <= sides <= 2**16:
        raise ValueError(f"there is no die of {sides} sides")
    while len(result) < count:
        text = f"{throw}\n{block}\n{entropy}".encode()
        stream = hmac.digest(bytes.fromhex(key), text, "sha256")
        for at in range(0, 32, 4):
            number = int.from_bytes(stream[at : at + 4], "big")
            if number < 2**32 - 2**32 % sides:
                result.append(number % sides + 1)
        block += 1
    return result[:count]


# -- signatures: Ed25519, RFC 8032

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE = bytes.fromhex("58" + "66" * 31)
Point = tuple[int, int, int, int]  # extended coordinates


def is_signed(public_key: str, hash: str, signature: str) -> bool:
    """Return True if the table's key has signed a hash; `cryptography` checks it if it is installed."""
    key, message, signed = bytes.fromhex(public_key), f"{FORMAT}\n{hash}".encode(), bytes.fromhex(signature)
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return check_signature(key, message, signed)
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signed, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def check_signature(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Check a signature without a library, in about 2 ms."""
    commitment, response = signature[:32], int.from_bytes(signature[32:], "little")
    owner = decode_point(public_key)
    if owner is None or len(signature) != 64 or response >= ORDER:
        return False
    digest = hashlib.sha512(commitment + public_key + message).digest()
    challenge = int.from_bytes(digest, "little") % ORDER
    x, y, z, t = owner
    return encode_point(add_multiples(response, challenge, (P - x, y, z, P - t))) == commitment


def add_multiples(base_factor: int, factor: int, point: Point) -> Point:
    """Return base_factor times the base point plus factor times a point."""
    base = decode_point(BASE)
    assert base is not None
    summands = (None, base, point, add_points(base, point))
    result: Point = (0, 1, 1, 0)
    for bit in range(252, -1, -1):
        result = add_points(result, result)
        summand = summands[(base_factor >> bit & 1) + 2 * (factor >> bit & 1)]
        if summand is not None:
            result = add_points(result, summand)
    return result


def add_points(one: Point, other: Point) -> Point:
    a, b = (one[1] - one[0]) * (other[1] - other[0]), (one[1] + one[0]) * (other[1] + other[0])
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2]
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def encode_point(point: Point) -> bytes:
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


@lru_cache(maxsize=8)
def decode_point(data: bytes) -> Point | None:
    """Return the point that 32 bytes stand for; None if they stand for none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if len(data) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


class RollChecker:
    """The commitments and throws of a log so far, the problems found, and what cannot be proven."""

    def __init__(self) -> None:
        self.commitments: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.announced: dict[str, dict[str, str]] | None = None  # seat -> stream -> commitment; None: never
        self.epochs: list[tuple[int, int]] = []  # line, number
        self.declared_in: dict[str, int] = {}  # roll -> number of epochs that had begun
        self.throws: dict[str, list[dict[str, Any]]] = {}
        self.typed: dict[str, list[int]] = {}  # faces of an incomplete throw
        self.components: dict[str, tuple[list[str], int]] = {}  # component rolls, number of inherited throws
        self.finalised: set[str] = set()  # rolls whose key is published: nothing may be added to them
        self.checked_faces = 0
        self.doubts: Counter[str] = Counter()  # reasons for which dice are not proven -> number of them
        self.typed_by: Counter[str] = Counter()  # seat -> faces of physical dice
        self.links: list[str] = []
        self.problems: list[str] = []

    def apply(self, line: int, kind: str, data: dict[str, Any], seat: str = "") -> None:
        roll = str(data.get("roll"))
        if (roll in self.finalised and kind in ONLY_BEFORE_KEY) or (
            roll in self.commitments and kind == "roll_declared"
        ):
            self.problems.append(f"line {line}: {roll} goes on where it was over, or begins twice")
        if kind == "roll_declared":
            self.check_announced(line, roll, data)
            self.commitments[roll] = data["commitment"]
            self.declared_in[roll] = len(self.epochs)
            self.declare(line, roll, data.get("parts", []), data.get("begun", []))
        elif kind == "dice_thrown" and "faces" in data:  # without faces, only the fact of a throw is visible
            self.throw(line, roll, data, seat)
        elif kind == "faces_typed" and "faces" in data:
            self.typed[roll] = self.typed.get(roll, []) + data["faces"]
        elif kind == "faces_taken_back" and "faces" in data:
            self.typed[roll] = self.typed[roll][: -len(data["faces"])]
        elif kind == "roll_corrected":
            self.correct(line, roll, data.get("faces", []))
        elif kind == "roll_finalised" and "key" in data:
            self.finalise(line, roll, data["key"])
        elif kind == "roll_finalised" and self.throws.get(roll):
            self.problems.append(f"line {line}: the key of {roll} is missing")
        elif kind == "roll_revealed" and "story" in data:
            self.reveal(line, roll, data["story"])
        elif kind in ("seat_taken", "epoch_begun"):
            self.announce(line, kind, data)
        elif kind == "link_made":
            self.links.append(
                f"line {line}: {data['by'] or 'the host'} made a link to the seat of {data['seat']}"
            )

    def announce(self, line: int, kind: str, data: dict[str, Any]) -> None:
        """Remember the commitments to the next keys; they change with a declaration or an epoch only."""
        if kind == "epoch_begun":
            if self.epochs and data["number"] != self.epochs[-1][1] + 1:
                self.problems.append(
                    f"line {line}: epoch {data['number']} follows epoch {self.epochs[-1][1]}"
                )
            self.epochs.append((line, data["number"]))
            self.announced = {seat: dict(one) for seat, one in data["commitments"].items()}
        elif self.announced is not None and "commitments" in data:
            own = self.announced.setdefault(data["name"], dict(data["commitments"]))
            if own != data["commitments"]:
                self.problems.append(f"line {line}: {data['name']} gets other commitments than announced")

    def check_announced(self, line: int, roll: str, data: dict[str, Any]) -> None:
        """Check that a roll uses a commitment that was announced, and note the next one."""
        if self.announced is None:
            self.doubts["name"] += 1
        elif not data.get("parts"):  # a comparing roll has a commitment of its own
            streams = self.announced.get(data["roller"], {})
            found = [stream for stream, commitment in streams.items() if commitment == data["commitment"]]
            if not found:
                self.problems.append(f"line {line}: the commitment of {roll} is not the one announced before")
            else:
                streams[found[0]] = data["next"]

    def throw(self, line: int, roll: str, data: dict[str, Any], seat: str) -> None:
        if data["throw"] != len(self.throws[roll]):
            self.problems.append(f"line {line}: a throw of {roll} is missing")
        typed = self.typed.pop(roll, [])
        if typed and not (data["physical"] and data["faces"][: len(typed)] == typed):
            self.problems.append(f"line {line}: {roll} has other faces than were typed in")
        if data["physical"]:
            self.typed_by[seat] += len(data["faces"])
        elif self.declared_in.get(roll) != len(self.epochs):
            self.doubts["epoch"] += 1
        self.throws[roll].append({**data, "by_hand": data["physical"]})

    def correct(self, line: int, roll: str, throws: list[Any]) -> None:
        """Apply a correction: only typed faces may change."""
        for one in throws:
            old = self.throws[roll][one["throw"]]
            if not old["by_hand"] or len(old["faces"]) != len(one["faces"]):
                self.problems.append(
                    f"line {line}: throw {one['throw']} of {roll} was not typed in like this"
                )
            self.throws[roll][one["throw"]] = {**old, "faces": one["faces"]}
        if throws:
            self.check_inherited(line, roll)

    def check_inherited(self, line: int, roll: str) -> None:
        """Check that a contest begins with dice of its components, each used once."""
        components, inherited = self.components.get(roll, ([], 0))
        available = [
            (at, one["faces"]) for component in components for at, one in enumerate(self.throws[component])
        ]
        for one in self.throws[roll][:inherited]:
            if (one["throw"], one["faces"]) not in available:
                self.problems.append(f"line {line}: {roll} has other dice than the rolls it is made of")
                return
            available.remove((one["throw"], one["faces"]))

    def declare(self, line: int, roll: str, components: list[Any], replies: list[Any]) -> None:
        """Register the dice that a contest inherits; they follow from the components' keys."""
        inherited = [one for one in replies if "faces" in one]
        self.components[roll] = [component["roll"] for component in components], len(inherited)
        self.throws[roll] = [{**one, "physical": True, "by_hand": one["physical"]} for one in inherited]
        self.check_inherited(line, roll)

    def reveal(self, line: int, roll: str, story: dict[str, Any]) -> None:
        """Apply a hidden roll that is revealed in one event."""
        if roll not in self.commitments:
            self.doubts["reveal"] += 1
        if self.commitments.setdefault(roll, story["commitment"]) != story["commitment"]:
            self.problems.append(f"line {line}: {roll} was promised otherwise")
        inherited_count = story["taken"]  # from other rolls, with other keys
        throws = [{**one, "by_hand": one["physical"]} for one in story["replies"] if "faces" in one]
        self.check_sources(line, roll, throws[:inherited_count], story.get("sources"))
        inherited = [{**one, "physical": True} for one in throws[:inherited_count]]
        for one in throws[inherited_count:]:
            if one["physical"]:
                self.typed_by[one.get("by", "somebody")] += len(one["faces"])
        self.throws[roll] = inherited + throws[inherited_count:]
        self.typed[roll] = story.get("typed", [])
        if story["key"]:
            self.finalise(line, roll, story["key"])

    def check_sources(self, line: int, roll: str, inherited: list[Any], sources: list[Any] | None) -> None:
        """Check that dice inherited by a revealed roll follow from the keys of their sources.

        Version 1 does not name the sources: then the dice must belong to rolls that the log shows.
        """
        available: list[tuple[int, list[int]]] = []
        if sources is None:
            visible = [one for name in self.finalised for one in self.throws[name] if not one["by_hand"]]
            available = [(one["sides"], one["faces"]) for one in visible]
        for one in sources or ():
            if self.commitments.get(one["roll"], one["commitment"]) != one["commitment"]:
                self.problems.append(f"line {line}: {one['roll']} was promised otherwise")
            virtual = [reply for reply in one["replies"] if not reply["physical"]]
            self.check_key(line, one["roll"], one["key"], one["commitment"], virtual)
            available += [(reply["sides"], reply["faces"]) for reply in virtual]
        for one in inherited:
            if one["physical"]:
                continue
            if (one["sides"], one["faces"]) not in available:
                self.problems.append(
                    f"line {line}: {roll} has dice {one['faces']} of no roll that can be checked"
                )
                return
            available.remove((one["sides"], one["faces"]))

    def finalise(self, line: int, roll: str, key: str) -> None:
        self.finalised.add(roll)
        self.keys[roll] = key
        throws = [one for one in self.throws[roll] if not one["physical"]]
        if throws and self.components.get(roll, ([], 0))[0]:
            self.doubts["comparison"] += 1
        self.check_key(line, roll, key, self.commitments[roll], throws)

    def check_key(self, line: int, roll: str, key: str, commitment: str, throws: list[Any]) -> None:
        """Check that a key matches its commitment, and that faces follow from it."""
        if hashlib.sha256(bytes.fromhex(key)).hexdigest() != commitment:
            self.problems.append(f"line {line}: the key of {roll} is not the one that was promised")
        for one in throws:
            due = derive_faces(key, one["throw"], len(one["faces"]), one["sides"], one["entropy"])
            self.checked_faces += len(due)
            if len(one["entropy"]) < ENTROPY_LENGTH:
                self.doubts["entropy"] += 1
            if due != one["faces"]:
                self.problems.append(
                    f"line {line}: throw {one['throw']} of {roll} shows {one['faces']}, its key gives {due}"
                )


class Log:
    """A verified log: what it shows, its problems, and what it does not prove."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.problems, self.summary = name, list[str](), ""
        self.table = self.seat = self.public_key = ""
        self.hashes: list[str] = []  # of the seat's lines
        self.public: list[dict[str, Any]] = []  # lines of the public chain, with what a watcher sees
        self.unsigned_lines = 0  # of format 1, from the first line on
        self.rolls = RollChecker()
        lines = text.split("\n")
        if not text.endswith("\n") or len(lines) < 3:
            self.problems.append("the log does not end as a log does: something is missing")
            return
        try:
            self.read([json.loads(line) for line in lines[:-1]], lines)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
            reason = f"{type(fault).__name__}: {fault}"
            self.problems = [f"this is no log of a seat, or it was changed ({reason})"]
            self.summary = ""

    def read(self, entries: list[Any], lines: list[str]) -> None:
        head, *events, end = entries
        if head.get("format") != FORMAT or head.get("version") not in FORMAT_VERSIONS:
            self.problems.append(f"line 1: this is no {FORMAT} of version 1 or 2")
            return
        self.table, self.seat, before = head["table"], head["seat"], sha(lines[0])
        if head["version"] == 2:
            self.begin_public_chain(head["public_key"])
        for number, (line, entry) in enumerate(zip(lines, entries, strict=False), 1):
            if line != canonical(entry):
                self.problems.append(f"line {number}: is not written as it should be")
        for number, entry in enumerate(events, 1):
            self.read_line(number, entry, before)
            before = entry["hash"]
        self.read_end(len(entries), end, before)
        self.problems += self.rolls.problems
        counts = [
            (len(events), "event"),
            (len(self.rolls.commitments), "roll"),
            (self.rolls.checked_faces, "face"),
        ]
        summary = ", ".join(f"{n} {what}{'s' * (n != 1)}" for n, what in counts) + " by their keys"
        self.summary = f"{summary}; head {before[:16]}"
        if self.public:
            self.summary += f"; public line {len(self.public)}: {spoken_digits(self.public[-1]['hash'])}"

    def begin_public_chain(self, public_key: str) -> None:
        start = {"format": PUBLIC_FORMAT, "table": self.table, "public_key": public_key}
        self.public_key, self.public_head = public_key, sha(canonical(start))
        if self.rolls.announced is None:
            self.rolls.announced = {}

    def read_line(self, number: int, entry: dict[str, Any], before: str) -> None:
        line = number + 1
        unhashed = {name: one for name, one in entry.items() if name not in ("hash", "signature")}
        if entry["version"] > NEWEST_VERSION:
            self.problems.append(f"line {line}: is of version {entry['version']}: take a newer verifier")
        if entry["n"] != number:
            self.problems.append(f"line {line}: is number {entry['n']} where {number} is due")
        if entry["before"] != before:
            self.problems.append(f"line {line}: does not follow the line before")
        if entry["hash"] != sha(canonical(unhashed)):
            self.problems.append(f"line {line}: was changed")
        self.hashes.append(entry["hash"])
        if self.rolls.announced is None and entry["kind"] == "epoch_begun":
            self.begin_public_chain(entry["data"]["public_key"])
        if self.rolls.announced is None:
            self.unsigned_lines += 1
        else:
            self.check_signature(line, entry, entry["hash"], required=entry["kind"] == SIGNED_KIND)
        if "public" in entry:
            self.read_public(line, entry)
        self.rolls.apply(line, entry["kind"], entry["data"], entry["seat"])

    def check_signature(self, line: int, entry: dict[str, Any], hash: str, *, required: bool) -> None:
        if "signature" not in entry:
            if required and self.public_key:
                self.problems.append(f"line {line}: is not signed")
        elif not self.public_key or not is_signed(self.public_key, hash, entry["signature"]):
            self.problems.append(f"line {line}: was not signed by this table")

    def read_public(self, line: int, entry: dict[str, Any]) -> None:
        """Check a line's place in the public chain, and that it tells everyone the same."""
        public, own = entry["public"], entry["data"]
        data = public.get("data", own)
        shown = {name: entry[name] for name in ("kind", "ruleset", "seat", "time", "version")}
        shown |= {"before": self.public_head, "n": len(self.public) + 1, "data": data}
        if public["n"] != shown["n"]:
            self.problems.append(f"line {line}: is public line {public['n']} where {shown['n']} is due")
        if public["hash"] != sha(canonical(shown)):
            self.problems.append(f"line {line}: does not fit into the public chain")
        for name in SHARED_FIELDS:
            if name in data and name in own and data[name] != own[name]:
                self.problems.append(f"line {line}: tells others another {name} than {self.seat}")
        self.public_head = public["hash"]
        self.public.append({**shown, "hash": public["hash"]})

    def read_end(self, line: int, end: dict[str, Any], before: str) -> None:
        due: dict[str, Any] = {"end": len(self.hashes), "head": before}
        if self.rolls.announced is not None:
            digits = spoken_digits(self.public_head)
            due["public"] = {"n": len(self.public), "head": self.public_head, "digits": digits}
            self.check_signature(line, end, sha(canonical(due)), required=True)
        if {name: one for name, one in end.items() if name != "signature"} != due:
            self.problems.append(f"line {line}: the end does not fit: something is missing")

    def notes(self) -> list[str]:
        """Return what this log shows but does not prove, in words."""
        rolls, notes = self.rolls, list[str]()
        if self.unsigned_lines:
            notes.append(
                f"the first {count(self.unsigned_lines, 'event')} of format 1 are not signed: whoever "
                "exported them could have left out rolls, cut off the end or changed typed faces"
            )
        elif not self.public_key:
            notes.append("no line is signed: whoever exported this log could have changed it")
        reasons = [
            (
                "name",
                "roll",
                "with a key that follows from its name: a roller who knew the table's secret "
                "could have chosen the name",
            ),
            ("comparison", "comparing roll", "with own dice: their commitment was not announced before"),
            (
                "epoch",
                "throw",
                "after the table was opened again, of a roll declared before: if that was a backup, "
                "the key may have been known",
            ),
            ("reveal", "roll", "revealed later: this seat did not see the commitment before the throw"),
            (
                "entropy",
                "throw",
                "without randomness from the roller's device: the host could have known the faces before",
            ),
        ]
        for reason, what, text in reasons:
            if rolls.doubts[reason]:
                notes.append(f"{count(rolls.doubts[reason], what)} {text}")
        notes += [
            f"{count(many, 'face')} typed by {seat}: nothing proves physical dice"
            for seat, many in sorted(rolls.typed_by.items())
        ]
        if rolls.epochs:
            lines = ", ".join(str(line) for line, _ in rolls.epochs)
            notes.append(
                f"the table, a backup or a copy of it was opened again, with new keys, at "
                f"line{'s' * (len(rolls.epochs) > 1)} {lines}"
            )
        return notes + rolls.links


def count(many: int, what: str) -> str:
    return f"{many} {what}{'s' * (many != 1)}"


def spoken_digits(hash: str) -> str:
    """Return the head of the public chain as digits that players can read to each other."""
    digits = f"{int(hash, 16) % 10**30:030}"
    return " ".join(digits[at : at + 5] for at in range(0, 30, 5))


def verify(text: str) -> tuple[list[str], str]:
    """Return all problems of a log, and a one-sentence summary of what was checked."""
    log = Log("", text)
    return log.problems, log.summary


# -- several logs


def compare(logs: list[Log]) -> tuple[list[str], list[str]]:
    """Return the contradictions between logs of one table, and remarks on their length."""
    problems: list[str] = []
    remarks: list[str] = []
    for at, one in enumerate(logs):
        for other in logs[at + 1 :]:
            found = _compare_tables(one, other)
            problems += found
            if not found:
                problems += _compare_public(one, other) + _compare_seats(one, other)
                remarks += _compare_lengths(one, other)
            problems += _compare_rolls(one, other)
    return problems, remarks


def _compare_tables(one: Log, other: Log) -> list[str]:
    if one.table != other.table:
        return [f"{one.name} is of the table {one.table!r}, {other.name} of {other.table!r}"]
    if one.public_key and other.public_key and one.public_key != other.public_key:
        return [f"{one.name} and {other.name} are signed with different keys: they are of different tables"]
    return []


def _compare_public(one: Log, other: Log) -> list[str]:
    """Describe the first line of the public chain in which two logs differ."""
    for ours, theirs in zip(one.public, other.public, strict=False):
        if ours["hash"] == theirs["hash"]:
            continue
        lines = [
            f"public line {ours['n']} differs, though everyone has seen the same:",
            f"  {one.name}: {_describe(ours, theirs)}",
            f"  {other.name}: {_describe(theirs, ours)}",
        ]
        if "epoch_begun" in (ours["kind"], theirs["kind"]):
            lines.append("  there a backup was restored, or a copy of the table was played")
        return ["\n".join(lines)]
    return []


def _describe(line: dict[str, Any], other: dict[str, Any]) -> str:
    """Describe a line by what it does not share with another one."""
    shown = [f"{line['kind']} by {line['seat']} at {line['time']}"]
    for name, value in line["data"].items():
        if line["kind"] != other["kind"] or other["data"].get(name) != value:
            shown.append(f"{name} {canonical(value)[:MAX_SHOWN]}")
    return ", ".join(shown)


def _compare_seats(one: Log, other: Log) -> list[str]:
    """Compare two logs of the same seat: the shorter one is the beginning of the longer one."""
    if one.seat != other.seat:
        return []
    for at, (ours, theirs) in enumerate(zip(one.hashes, other.hashes, strict=False), 2):
        if ours != theirs:
            return [f"line {at} of {one.name} and {other.name} differs, though both are logs of {one.seat}"]
    return []


def _compare_lengths(one: Log, other: Log) -> list[str]:
    if len(one.public) == len(other.public):
        return []
    shorter, longer = sorted((one, other), key=lambda log: len(log.public))
    return [
        f"{shorter.name} ends at public line {len(shorter.public)}, {longer.name} goes on to "
        f"{len(longer.public)}: the shorter one was exported earlier, or its end was cut off"
    ]


def _compare_rolls(one: Log, other: Log) -> list[str]:
    """Compare the rolls that both logs show, also those that not everyone sees."""
    problems = []
    for roll in sorted(one.rolls.commitments.keys() & other.rolls.commitments.keys()):
        ours, theirs = (_facts(log.rolls, roll) for log in (one, other))
        for what in ours:
            if what in theirs and ours[what] != theirs[what]:
                problems.append(
                    f"{what} of {roll} differs: {ours[what]} in {one.name}, {theirs[what]} in {other.name}"
                )
    return problems


def _facts(rolls: RollChecker, roll: str) -> dict[str, Any]:
    facts: dict[str, Any] = {"the commitment": rolls.commitments[roll]}
    if roll in rolls.keys:
        facts["the key"] = rolls.keys[roll]
    for at, throw in enumerate(rolls.throws.get(roll, [])):
        # typed faces may be corrected, so a log shows the first or the last ones
        facts[f"throw {at}"] = "typed" if throw["by_hand"] else throw["faces"]
    return facts


def report(logs: list[Log]) -> tuple[list[str], bool]:
    """Return the findings on logs, one line each, and True if all is well."""
    lines = []
    for log in logs:
        own = [*log.problems, *log.notes()]
        verdict = "not intact" if log.problems else f"intact ({log.summary})"
        lines += [f"{log.name}: {one}" for one in [*own, verdict]]
    problems, remarks = compare(logs)
    if len(logs) > 1 and not problems:
        remarks.append("the logs agree")
    return [*lines, *problems, *remarks], not problems and not any(log.problems for log in logs)


def main(paths: list[str]) -> int:
    """Verify the logs in these files, or the one on standard input."""
    texts = {}
    for path in paths:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            texts[path] = file.read()
    if not paths:
        texts["log"] = sys.stdin.buffer.read().decode("utf-8", "replace")
    lines, is_intact = report([Log(name, text) for name, text in texts.items()])
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if is_intact else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
