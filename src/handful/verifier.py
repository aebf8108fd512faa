"""Checks a seat's log; shares no code with the table, so that a mistake there cannot hide here.

    python verifier.py < LOG        # or: handful verify LOG

A log is a line of JSON for each event, with a first and a last line around them.  Each line holds
the hash of the line before.  A roll's key is promised by its hash when the roll is declared, and
shown when it is over; every face that was not thrown by hand must follow from the key.
"""

import hashlib
import hmac
import json
import sys
from typing import Any

FORMAT = "handful seat log"
NEWEST = 2  # version of events; lines of older ones stay as they were written
BEFORE_KEY = ("dice_thrown", "faces_typed", "faces_taken_back", "decision_taken", "roll_finalised")


def canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def faces(key: str, throw: int, count: int, sides: int, entropy: str) -> list[int]:
    """Blocks of 32 bytes, read as numbers of 4; numbers beyond the last multiple are left out."""
    made: list[int] = []
    block = 0
    if not 1 <= sides <= 2**16:
        raise ValueError(f"there is no die of {sides} sides")
    while len(made) < count:
        text = f"{throw}\n{block}\n{entropy}".encode()
        stream = hmac.digest(bytes.fromhex(key), text, "sha256")
        for at in range(0, 32, 4):
            number = int.from_bytes(stream[at : at + 4], "big")
            if number < 2**32 - 2**32 % sides:
                made.append(number % sides + 1)
        block += 1
    return made[:count]


class Rolls:
    """The promises and throws of a log, and what is wrong with them."""

    def __init__(self) -> None:
        self.promised: dict[str, str] = {}
        self.thrown: dict[str, list[dict[str, Any]]] = {}
        self.typed: dict[str, list[int]] = {}  # faces of a throw that is not complete
        self.parts: dict[str, tuple[list[str], int]] = {}  # of which rolls, and how many throws
        self.over: set[str] = set()  # rolls whose key was shown: nothing can be added to them
        self.checked = 0
        self.problems: list[str] = []

    def see(self, line: int, kind: str, data: dict[str, Any]) -> None:
        roll = str(data.get("roll"))
        if (roll in self.over and kind in BEFORE_KEY) or (roll in self.promised and kind == "roll_declared"):
            self.problems.append(f"line {line}: {roll} goes on where it was over, or begins twice")
        if kind == "roll_declared":
            self.promised[roll] = data["commitment"]
            self.take_over(line, roll, data.get("parts", []), data.get("begun", []))
        elif kind == "dice_thrown" and "faces" in data:  # else only that something was thrown
            self.throw(line, roll, data)
        elif kind == "faces_typed" and "faces" in data:
            self.typed[roll] = self.typed.get(roll, []) + data["faces"]
        elif kind == "faces_taken_back" and "faces" in data:
            self.typed[roll] = self.typed[roll][: -len(data["faces"])]
        elif kind == "roll_corrected":
            self.correct(line, roll, data.get("faces", []))
        elif kind == "roll_finalised" and "key" in data:
            self.finish(line, roll, data["key"])
        elif kind == "roll_finalised" and self.thrown.get(roll):
            self.problems.append(f"line {line}: the key of {roll} is missing")
        elif kind == "roll_revealed" and "story" in data:
            self.tell(line, roll, data["story"])

    def throw(self, line: int, roll: str, data: dict[str, Any]) -> None:
        if data["throw"] != len(self.thrown[roll]):
            self.problems.append(f"line {line}: a throw of {roll} is missing")
        typed = self.typed.pop(roll, [])
        if typed and not (data["physical"] and data["faces"][: len(typed)] == typed):
            self.problems.append(f"line {line}: {roll} has other faces than were typed in")
        self.thrown[roll].append({**data, "by_hand": data["physical"]})

    def correct(self, line: int, roll: str, throws: list[Any]) -> None:
        """Faces may be put right where somebody typed them in, and nowhere else."""
        for one in throws:
            old = self.thrown[roll][one["throw"]]
            if not old["by_hand"] or len(old["faces"]) != len(one["faces"]):
                self.problems.append(
                    f"line {line}: throw {one['throw']} of {roll} was not typed in like this"
                )
            self.thrown[roll][one["throw"]] = {**old, "faces": one["faces"]}
        if throws:
            self.compare(line, roll)

    def compare(self, line: int, roll: str) -> None:
        """A roll that is made of others begins with dice of theirs, each once."""
        parts, taken = self.parts.get(roll, ([], 0))
        theirs = [(at, one["faces"]) for part in parts for at, one in enumerate(self.thrown[part])]
        for one in self.thrown[roll][:taken]:
            if (one["throw"], one["faces"]) not in theirs:
                self.problems.append(f"line {line}: {roll} has other dice than the rolls it is made of")
                return
            theirs.remove((one["throw"], one["faces"]))

    def take_over(self, line: int, roll: str, parts: list[Any], begun: list[Any]) -> None:
        """Dice of other rolls that became part of this one; they follow from the keys of those."""
        taken = [one for one in begun if "faces" in one]
        self.parts[roll] = [part["roll"] for part in parts], len(taken)
        self.thrown[roll] = [{**one, "physical": True, "by_hand": one["physical"]} for one in taken]
        self.compare(line, roll)

    def tell(self, line: int, roll: str, story: dict[str, Any]) -> None:
        """A roll that was hidden: whole, in one event."""
        if self.promised.setdefault(roll, story["commitment"]) != story["commitment"]:
            self.problems.append(f"line {line}: {roll} was promised otherwise")
        taken = story["taken"]  # of other rolls, with other keys
        thrown = [{**one, "by_hand": one["physical"]} for one in story["replies"] if "faces" in one]
        self.trace(line, roll, thrown[:taken], story.get("sources"))
        others = [{**one, "physical": True} for one in thrown[:taken]]
        self.thrown[roll] = others + thrown[taken:]
        self.typed[roll] = story.get("typed", [])
        if story["key"]:
            self.finish(line, roll, story["key"])

    def trace(self, line: int, roll: str, taken: list[Any], sources: list[Any] | None) -> None:
        """Dice that a revealed roll took over follow from the keys of the rolls they came from.

        Events of version 1 do not name these: then they are dice of rolls that the log shows.
        """
        theirs: list[tuple[int, list[int]]] = []
        if sources is None:
            shown = [one for name in self.over for one in self.thrown[name] if not one["by_hand"]]
            theirs = [(one["sides"], one["faces"]) for one in shown]
        for one in sources or ():
            if self.promised.get(one["roll"], one["commitment"]) != one["commitment"]:
                self.problems.append(f"line {line}: {one['roll']} was promised otherwise")
            own = [reply for reply in one["replies"] if not reply["physical"]]
            self.follow(line, one["roll"], one["key"], one["commitment"], own)
            theirs += [(reply["sides"], reply["faces"]) for reply in own]
        for one in taken:
            if one["physical"]:
                continue
            if (one["sides"], one["faces"]) not in theirs:
                self.problems.append(
                    f"line {line}: {roll} has dice {one['faces']} of no roll that can be checked"
                )
                return
            theirs.remove((one["sides"], one["faces"]))

    def finish(self, line: int, roll: str, key: str) -> None:
        self.over.add(roll)
        thrown = [one for one in self.thrown[roll] if not one["physical"]]
        self.follow(line, roll, key, self.promised[roll], thrown)

    def follow(self, line: int, roll: str, key: str, promise: str, thrown: list[Any]) -> None:
        """Faces follow from a key, and the key is the one that was promised."""
        if hashlib.sha256(bytes.fromhex(key)).hexdigest() != promise:
            self.problems.append(f"line {line}: the key of {roll} is not the one that was promised")
        for one in thrown:
            own = faces(key, one["throw"], len(one["faces"]), one["sides"], one["entropy"])
            self.checked += len(own)
            if own != one["faces"]:
                self.problems.append(
                    f"line {line}: throw {one['throw']} of {roll} shows {one['faces']}, its key gives {own}"
                )


def verify(text: str) -> tuple[list[str], str]:
    """All problems of a log, and what was checked in one sentence."""
    lines = text.split("\n")
    if not text.endswith("\n") or len(lines) < 3:
        return ["the log does not end as a log does: something is missing"], ""
    try:
        return _verified([json.loads(line) for line in lines[:-1]], lines)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        return [f"this is no log of a seat, or it was changed ({type(fault).__name__}: {fault})"], ""


def _verified(entries: list[Any], lines: list[str]) -> tuple[list[str], str]:
    head, *events, end = entries
    if head.get("format") != FORMAT or head.get("version") != 1:
        return [f"line 1: this is no {FORMAT} of version 1"], ""
    rolls, problems, before = Rolls(), [], sha(lines[0])
    for number, (line, entry) in enumerate(zip(lines, entries, strict=False), 1):
        if line != canonical(entry):
            problems.append(f"line {number}: is not written as it should be")
    for number, entry in enumerate(events, 1):
        where, own = number + 1, {name: one for name, one in entry.items() if name != "hash"}
        if entry["version"] > NEWEST:
            problems.append(f"line {where}: is of version {entry['version']}: take a newer verifier")
        if entry["n"] != number:
            problems.append(f"line {where}: is number {entry['n']} where {number} is due")
        if entry["before"] != before:
            problems.append(f"line {where}: does not follow the line before")
        if entry["hash"] != sha(canonical(own)):
            problems.append(f"line {where}: was changed")
        before = entry["hash"]
        rolls.see(where, entry["kind"], entry["data"])
    if end != {"end": len(events), "head": before}:
        problems.append(f"line {len(entries)}: the end does not fit: something is missing")
    counts = [(len(events), "event"), (len(rolls.promised), "roll"), (rolls.checked, "face")]
    told = ", ".join(f"{n} {what}{'s' * (n != 1)}" for n, what in counts) + " by their keys"
    return problems + rolls.problems, f"{told}; head {before[:16]}"


def main() -> int:
    problems, told = verify(sys.stdin.buffer.read().decode("utf-8", "replace"))
    sys.stdout.write("\n".join([*problems, told or "nothing was checked"]) + "\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
