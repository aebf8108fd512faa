"""A server killed repeatedly during a fight, and a clock that is set back."""

from __future__ import annotations

import json
import os
import random
import sys
import threading
from itertools import groupby
from pathlib import Path
from typing import Any

import httpx
import pytest
from in_memory_table import sheet
from servers import Seat, ServerProcess, ServerThread, set_clock

from handful import table as tables
from handful.library.tables import open_table
from handful.table import Command, Table
from handful.verifier import verify
from handful.web.settings import ServerLimits

GOLDEN = Path(__file__).parents[1] / "golden"
sys.path.append(str(GOLDEN))
from scenes import SCENES  # noqa: E402

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
KILLS = 20
LONGEST = 0.06  # seconds from a command to the kill: before, while and after it is obeyed
OPENING = 3  # lines of a scene that open the table, which is done over the web here
SEATED = ("seat 1", "seat 2")  # the keys of that


def fields_of(game: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a line, without points that a roll would ask for, visibly for all."""
    if "sheet" not in fields:
        return fields
    own = sheet(game, fields["sheet"])
    left = {name: 0 if name in ("paragon", "renegade") else n for name, n in own["resources"].items()}
    return {"shown": "open", **fields, "sheet": {**own, "resources": left}}


@pytest.mark.proof
def test_a_fight_goes_on_through_twenty_kills(tmp_path: Path) -> None:
    """Every command is sent until it is acknowledged; the fight is as if there had been no kill."""
    game, lines = SCENES["me-d6-fight"]
    chance = random.Random(20)
    lines = lines[OPENING:]
    kills = {*chance.sample(range(len(lines)), KILLS)}
    with ServerProcess(tmp_path / "tables.db") as server:
        seats = server.open(game=game)
        logs: dict[str, list[Any]] = {}
        for at, (who, do, key, fields) in enumerate(lines):
            data, killer = fields_of(game, fields), None
            if at in kills:
                killer = threading.Timer(chance.random() * LONGEST, server.kill)
                killer.start()
            acknowledged = tried(seats[who], do, key, data)
            if killer is not None:
                killer.join()
                server.start()
                if acknowledged:
                    n = acknowledged["n"]
                    assert len(seats[who].get("/log?most=1000")) >= n, "what was said is so"
                again = tried(seats[who], do, key, data)
                assert again is not None, "obeyed now, or told that it was"
                for name in ("gm", "ann", "bob"):
                    log = seats[name].get("/log?most=1000")
                    before = logs.get(name, [])
                    assert log[: len(before)] == before, "what was told stays as it was"
                    logs[name] = log
            else:
                assert acknowledged is not None
        exports = [seats[name].ask("GET", "/export").text for name in ("gm", "ann", "bob")]
        assert [verify(one)[0] for one in exports] == [[], [], []]
        assert server.stop() == 0
    undisturbed(tmp_path, [(who, do, key, fields_of(game, data)) for who, do, key, data in lines])


def undisturbed(folder: Path, lines: list[Any]) -> None:
    """The file holds what the commands come to with its dice: each once, whole, and in order."""
    kept = open_table(folder / "tables.db")
    entries = kept.store.read(kept.header.table)
    table, dice = Table(kept.rules), kept.dice
    left = iter(lines)
    for (who, key), block in groupby(entries, key=lambda one: (one["seat"], one["command"]["key"])):
        events = tuple(tables.read_event(one) for one in block)
        if key and key not in ("open", *SEATED):  # without a key: epochs and links
            seat, do, wanted, data = next(left)
            assert (who, key) == (seat, wanted), "nothing is lost, nothing came twice"
            assert tables.decide(table, Command(do, key, data), who, dice) == events
        table = tables.fold(table, events)
    assert next(left, None) is None
    kept.store.close()


def tried(seat: Seat, do: str, key: str, data: dict[str, Any]) -> dict[str, Any] | None:
    """Return the answer to a command, or None if there was none."""
    try:
        answer = seat.do(do, key=key, **data)
    except httpx.TransportError:
        return None
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def entries_of(folder: Path) -> list[dict[str, Any]]:
    kept = open_table(folder / "tables.db")
    found = kept.store.read(kept.header.table)
    kept.store.close()
    return found


def test_a_clock_that_is_set_back_changes_nothing_but_the_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Order comes from sequence numbers, limits from a monotonic clock."""
    hours = iter([*range(20, 0, -1)] * 50)
    set_clock(monkeypatch, lambda: f"2026-11-15T{next(hours):02}:00:00.000+00:00")
    roll = {"check": "direct", "parameters": {"attribute": 2, "target": 1}}
    with ServerThread(
        tmp_path / "tables.db", ServerLimits(room_idle_seconds=0.05, watch_seconds=0.02)
    ) as server:
        seats = server.open()
        with seats["ann"].listen() as ann:
            for at in range(12):
                assert ann.do("declare", key=f"r{at}", **roll)["type"] == "done"
                assert ann.do("throw", key=f"t{at}", roll=f"ann/r{at}")["type"] == "done"
        log = seats["ann"].get("/log")
        times = [one["time"] for one in log]
        assert times != sorted(times), "the clock went back"
        assert [one["n"] for one in log] == [*range(1, len(log) + 1)]
        exports = {name: seats[name].ask("GET", "/export").text for name in ("gm", "ann", "bob")}
    with ServerThread(tmp_path / "tables.db") as server:  # read again, with another clock
        for name, link in ((name, seats[name].link) for name in exports):
            seat = Seat(server, link)
            *before, end, _ = exports[name].split("\n")  # the next server begins another epoch
            assert seat.ask("GET", "/export").text.split("\n")[: len(before)] == before
            assert json.loads(end)["end"] == len(before) - 1
            assert verify(exports[name])[0] == []
            assert len(seat.get("/view")["rolls"]) == 12
    numbers = [one["seq"] for one in entries_of(tmp_path)]
    assert numbers == [*range(1, len(numbers) + 1)]
