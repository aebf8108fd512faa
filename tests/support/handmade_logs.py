"""Seat logs of format 2 written line by line, and the ways in which somebody could forge them."""

from __future__ import annotations

import json
from typing import Any

from handful.ed25519 import SigningKey
from handful.table import Viewer
from handful.table.chain import (
    FORMAT,
    SIGNED_KINDS,
    PublicChain,
    PublicLine,
    envelope_of,
    format_line,
    hash_text,
    log_end,
    log_head,
    sign_hash,
)
from handful.table.events import canonical_json, digest
from handful.table.key_streams import KeyPlace, commitment_of, derive_key, first_commitments, sees_stream
from handful.table.keys import derive_faces

Line = dict[str, Any]
KEY = SigningKey(bytes(range(32)))
OTHER_KEY = SigningKey(bytes(32))
ENTROPY = "0123456789abcdef" * 2
SEATS = {"gm": "gm", "ann": "player", "bob": "player"}


class SeatLines:
    """The lines of one seat's log; `old`: it begins in format 1."""

    def __init__(self, table: str, seat: str, key: SigningKey | None, old: bool) -> None:
        self.key = key
        self.head: Line = dict(log_head(table, seat, key.public_key.hex() if key else ""))
        if old:
            self.head = {"format": FORMAT, "version": 1, "table": table, "seat": seat}
        self.last_hash = digest(self.head)
        self.texts: list[str] = []

    def add(self, entry: Line, data: Line, public: PublicLine | None, *, signed: bool) -> None:
        envelope, text, n = envelope_of(entry), canonical_json(data), len(self.texts) + 1
        field = public.field_for(text) if public else ""
        before = self.last_hash
        self.last_hash = hash_text(format_line(envelope, before, text, n, public=field))
        signature = ""
        if self.key and signed and entry["kind"] in SIGNED_KINDS:
            signature = sign_hash(self.key.sign, self.last_hash)
        self.texts.append(
            format_line(envelope, before, text, n, public=field, hash=self.last_hash, signature=signature)
        )


class HandmadeTable:
    """A table whose log lines are written by hand, for a GM and two players.

    `old`: it is older than format 2, until its first epoch begins.
    """

    def __init__(self, *, key: SigningKey | None = KEY, table: str = "evening", old: bool = False) -> None:
        self.key, self.table, self.secret, self.old = key, table, b"s" * 32, old
        self.epoch, self.time = 0 if old else 1, 0
        self.used: dict[tuple[str, str], int] = {}
        self.public = PublicChain(table, key.public_key.hex() if key else "")
        self.logs = {seat: SeatLines(table, seat, key, old) for seat in SEATS}
        self.write("table_opened", "gm", {"table": table, "game": "uwr"})
        for seat, role in SEATS.items():
            if old:
                self.write("seat_taken", "gm", {"name": seat, "role": role})
                continue
            told = first_commitments(self.key_at, 1, seat)
            self.write(
                "seat_taken",
                "gm",
                {"name": seat, "role": role},
                **{
                    viewer: {"commitments": self.visible(told, seat, viewer)}
                    for viewer in (*SEATS, "watcher")
                },
            )

    def key_at(self, place: KeyPlace) -> str:
        return derive_key(self.secret, place)

    @staticmethod
    def visible(told: dict[str, str], roller: str, viewer: str) -> dict[str, str]:
        gm = SEATS.get(viewer) == "gm"
        return {
            stream: one
            for stream, one in told.items()
            if sees_stream(stream, Viewer(viewer, "gm" if gm else "player"), roller)
        }

    def write(self, kind: str, by: str, data: Line, **more: Line | None) -> None:
        """Write an event into all logs; `more` is what one viewer sees in addition, None: nothing."""
        self.time += 1
        entry = {"kind": kind, "seat": by, "time": f"t{self.time}", "ruleset": "r" * 64, "version": 2}
        watcher = more.get("watcher", {})
        public = None
        if watcher is not None and not self.old:
            public = self.public.append(canonical_json({**data, **watcher}), envelope_of(entry))
        for seat, log in self.logs.items():
            own = more.get(seat, watcher or {})
            if own is not None:
                log.add(entry, {**data, **own}, public, signed=not self.old)

    def begin_epoch(self, secret: bytes) -> None:
        """Begin an epoch with another secret, as each process does that opens the table."""
        self.secret, self.epoch, self.used, self.old = secret, self.epoch + 1, {}, False
        told = {seat: first_commitments(self.key_at, self.epoch, seat) for seat in SEATS}
        self.write(
            "epoch_begun",
            "",
            {"number": self.epoch, "public_key": self.key.public_key.hex() if self.key else ""},
            **{
                viewer: {"commitments": {seat: self.visible(one, seat, viewer) for seat, one in told.items()}}
                for viewer in (*SEATS, "watcher")
            },
        )

    def roll(
        self, name: str, stream: str = "open", *, typed: list[int] | None = None, entropy: str = ENTROPY
    ) -> list[int]:
        """Write a whole roll and return its faces; `name` is roller/key."""
        roller = name.partition("/")[0]
        index = self.used.get((roller, stream), 0)
        self.used[roller, stream] = index + 1
        key, after = (
            derive_key(self.secret, KeyPlace(self.epoch, stream, roller, n)) for n in (index, index + 1)
        )
        faces = typed or list(derive_faces(key, 0, 4, 6, entropy))
        hidden = {
            viewer: None
            for viewer in (*SEATS, "watcher")
            if not sees_stream(stream, Viewer(viewer, SEATS.get(viewer, "watcher")), roller)
        }
        declared: Line = {"roll": name, "roller": roller, "parts": [], "begun": []}
        declared["commitment"] = commitment_of(key)
        if not self.old:
            declared["next"] = commitment_of(after)
        thrown = {"roll": name, "throw": 0, "sides": 6, "faces": faces, "physical": typed is not None}
        self.write("roll_declared", roller, declared, **hidden)
        self.write("dice_thrown", roller, thrown | {"entropy": "" if typed else entropy}, **hidden)
        self.write("roll_finalised", roller, {"roll": name, "key": key}, **hidden)
        return faces

    def export(self, seat: str) -> str:
        log = self.logs[seat]
        if self.old:
            end: Line = {"end": len(log.texts), "head": log.last_hash}
            return "\n".join([canonical_json(log.head), *log.texts, canonical_json(end), ""])
        public = (self.public.count, self.public.last_hash)
        end = log_end(len(log.texts), log.last_hash, public, self.key.sign if self.key else None)
        return "\n".join([canonical_json(log.head), *log.texts, canonical_json(end), ""])


def lines_of(text: str) -> list[Line]:
    return [json.loads(line) for line in text.splitlines()]


def text_of(lines: list[Line]) -> str:
    return "".join(canonical_json(line) + "\n" for line in lines)


def rehashed(lines: list[Line], key: SigningKey | None = None) -> str:
    """Return a forged log with all numbers and hashes computed anew; with the table's key also signed.

    Without the key signatures stay as they are, which is all that a player can do.
    """
    head, *events, end = lines
    before, public = digest(head), PublicChain(head["table"], head.get("public_key", ""))
    forged = [head]
    for n, line in enumerate(events, 1):
        own = {name: value for name, value in line.items() if name != "hash"}
        signature = own.pop("signature", "")
        own |= {"n": n, "before": before}
        if "public" in own:
            data = own["public"].get("data", own["data"])
            made = public.append(canonical_json(data), envelope_of(own))
            own["public"] = {**own["public"], "n": made.n, "hash": made.hash}
        before = digest(own)
        if key and own["kind"] in SIGNED_KINDS:
            signature = sign_hash(key.sign, before)
        forged.append({**own, "hash": before, **({"signature": signature} if signature else {})})
    made_end = log_end(len(events), before, (public.count, public.last_hash), key.sign if key else None)
    if not key and "signature" in end:
        made_end["signature"] = end["signature"]
    return text_of([*forged, made_end])
