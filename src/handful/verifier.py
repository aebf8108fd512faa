"""Verifies a seat's log; shares no code with the table, so that a bug there cannot hide here.

    python verifier.py < LOG        # or: handful verify LOG

A log is one line of JSON per event, between a header and a final line.  Each line holds the hash of
the line before.  A roll's commitment, the hash of its key, is published when the roll is declared,
and the key when it is final; every face that was not thrown by hand must follow from the key.
"""

import hashlib
import hmac
import json
import sys
from typing import Any

FORMAT = "handful seat log"
NEWEST_VERSION = 3  # of events; lines of older versions stay as they were written
ONLY_BEFORE_KEY = ("dice_thrown", "faces_typed", "faces_taken_back", "decision_taken", "roll_finalised")


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


class RollChecker:
    """The commitments and throws of a log so far, and the problems found."""

    def __init__(self) -> None:
        self.commitments: dict[str, str] = {}
        self.throws: dict[str, list[dict[str, Any]]] = {}
        self.typed: dict[str, list[int]] = {}  # faces of an incomplete throw
        self.components: dict[str, tuple[list[str], int]] = {}  # component rolls, number of inherited throws
        self.finalised: set[str] = set()  # rolls whose key is published: nothing may be added to them
        self.checked_faces = 0
        self.problems: list[str] = []

    def apply(self, line: int, kind: str, data: dict[str, Any]) -> None:
        roll = str(data.get("roll"))
        if (roll in self.finalised and kind in ONLY_BEFORE_KEY) or (
            roll in self.commitments and kind == "roll_declared"
        ):
            self.problems.append(f"line {line}: {roll} goes on where it was over, or begins twice")
        if kind == "roll_declared":
            self.commitments[roll] = data["commitment"]
            self.declare(line, roll, data.get("parts", []), data.get("begun", []))
        elif kind == "dice_thrown" and "faces" in data:  # without faces, only the fact of a throw is visible
            self.throw(line, roll, data)
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

    def throw(self, line: int, roll: str, data: dict[str, Any]) -> None:
        if data["throw"] != len(self.throws[roll]):
            self.problems.append(f"line {line}: a throw of {roll} is missing")
        typed = self.typed.pop(roll, [])
        if typed and not (data["physical"] and data["faces"][: len(typed)] == typed):
            self.problems.append(f"line {line}: {roll} has other faces than were typed in")
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
        if self.commitments.setdefault(roll, story["commitment"]) != story["commitment"]:
            self.problems.append(f"line {line}: {roll} was promised otherwise")
        inherited_count = story["taken"]  # from other rolls, with other keys
        throws = [{**one, "by_hand": one["physical"]} for one in story["replies"] if "faces" in one]
        self.check_sources(line, roll, throws[:inherited_count], story.get("sources"))
        inherited = [{**one, "physical": True} for one in throws[:inherited_count]]
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
        throws = [one for one in self.throws[roll] if not one["physical"]]
        self.check_key(line, roll, key, self.commitments[roll], throws)

    def check_key(self, line: int, roll: str, key: str, commitment: str, throws: list[Any]) -> None:
        """Check that a key matches its commitment, and that faces follow from it."""
        if hashlib.sha256(bytes.fromhex(key)).hexdigest() != commitment:
            self.problems.append(f"line {line}: the key of {roll} is not the one that was promised")
        for one in throws:
            due = derive_faces(key, one["throw"], len(one["faces"]), one["sides"], one["entropy"])
            self.checked_faces += len(due)
            if due != one["faces"]:
                self.problems.append(
                    f"line {line}: throw {one['throw']} of {roll} shows {one['faces']}, its key gives {due}"
                )


def verify(text: str) -> tuple[list[str], str]:
    """Return all problems of a log, and a one-sentence summary of what was checked."""
    lines = text.split("\n")
    if not text.endswith("\n") or len(lines) < 3:
        return ["the log does not end as a log does: something is missing"], ""
    try:
        return _verify_lines([json.loads(line) for line in lines[:-1]], lines)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        return [f"this is no log of a seat, or it was changed ({type(fault).__name__}: {fault})"], ""


def _verify_lines(entries: list[Any], lines: list[str]) -> tuple[list[str], str]:
    head, *events, end = entries
    if head.get("format") != FORMAT or head.get("version") != 1:
        return [f"line 1: this is no {FORMAT} of version 1"], ""
    rolls, problems, before = RollChecker(), [], sha(lines[0])
    for number, (line, entry) in enumerate(zip(lines, entries, strict=False), 1):
        if line != canonical(entry):
            problems.append(f"line {number}: is not written as it should be")
    for number, entry in enumerate(events, 1):
        line_number, unhashed = number + 1, {name: one for name, one in entry.items() if name != "hash"}
        if entry["version"] > NEWEST_VERSION:
            problems.append(f"line {line_number}: is of version {entry['version']}: take a newer verifier")
        if entry["n"] != number:
            problems.append(f"line {line_number}: is number {entry['n']} where {number} is due")
        if entry["before"] != before:
            problems.append(f"line {line_number}: does not follow the line before")
        if entry["hash"] != sha(canonical(unhashed)):
            problems.append(f"line {line_number}: was changed")
        before = entry["hash"]
        rolls.apply(line_number, entry["kind"], entry["data"])
    if end != {"end": len(events), "head": before}:
        problems.append(f"line {len(entries)}: the end does not fit: something is missing")
    counts = [(len(events), "event"), (len(rolls.commitments), "roll"), (rolls.checked_faces, "face")]
    summary = ", ".join(f"{n} {what}{'s' * (n != 1)}" for n, what in counts) + " by their keys"
    return problems + rolls.problems, f"{summary}; head {before[:16]}"


def main() -> int:
    problems, summary = verify(sys.stdin.buffer.read().decode("utf-8", "replace"))
    sys.stdout.write("\n".join([*problems, summary or "nothing was checked"]) + "\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
