"""Old log entries are upcast; the lines that seats received stay equal byte by byte."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from in_memory_table import SECRET, PlayedTable, usual_table

from handful import table as tables
from handful import verifier
from handful.errors import FileFault
from handful.store import MemoryStore, StoredTable, StoreFault, TableHeader
from handful.table import Command, events, upcast
from handful.table.upcast import VersionStep

Entry = Mapping[str, Any]


# A made-up history: version -1 knew no titles; version 0 had `rank` in place of `role`.
def with_role(entry: Entry) -> Entry:
    if entry["kind"] != "seat_taken":
        return entry
    data = dict(entry["data"])
    return {**entry, "data": {"role": data.pop("rank"), **data}}


def with_rank(kind: str, told: dict[str, Any], gm: bool) -> dict[str, Any]:
    if kind != "seat_taken":
        return told
    rest = {name: one for name, one in told.items() if name != "role"}
    return {"rank": told["role"], **rest}


def titled(entry: Entry) -> Entry:
    if entry["kind"] != "roll_started":
        return entry
    return {**entry, "kind": "roll_declared", "data": {**entry["data"], "title": ""}}


def untitled(kind: str, told: dict[str, Any], gm: bool) -> dict[str, Any]:
    if kind != "roll_started":
        return told
    return {name: one for name, one in told.items() if name != "title"}


STEPS = {-1: VersionStep(titled, untitled), 0: VersionStep(with_role, with_rank), **upcast.VERSION_STEPS}


def older(entry: dict[str, Any], version: int) -> dict[str, Any]:
    """An entry as it would have been written then."""
    entry = json.loads(json.dumps(entry)) | {"version": version}
    if entry["kind"] == "seat_taken":
        entry["data"]["rank"] = entry["data"].pop("role")
    if version < 0 and entry["kind"] == "roll_declared":
        entry["kind"] = "roll_started"
        del entry["data"]["title"]
    return entry


def scene() -> PlayedTable:
    play = usual_table()
    for actor, mode in (("ann", "public"), ("bob", "blind"), ("gm", "secret")):
        roll = play.declare(actor, parameters={"attribute": 3, "target": 1}, mode=mode)
        play.do("gm" if mode == "blind" else actor, "throw", roll=roll)
    return play


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upcast, "VERSION_STEPS", STEPS)


@pytest.mark.usefixtures("steps")
@pytest.mark.parametrize("version", [-1, 0])
def test_an_old_log_makes_the_same_table(version: int) -> None:
    play = scene()
    old = [older(entry, version) for entry in play.entries]
    assert old != play.entries
    before = json.dumps(old)
    again = tables.fold(play.empty, map(tables.read_event, old))
    assert again == play.table
    assert json.dumps(old) == before, "nobody changes an entry that was kept"
    for seat in play.table.seats:
        assert tables.view(again, seat) == tables.view(play.table, seat)


@pytest.mark.usefixtures("steps")
@pytest.mark.parametrize("version", [-1, 0])
def test_old_lines_keep_their_bytes(version: int) -> None:
    play = scene()
    log = tables.seat_log(play.empty, [older(one, version) for one in play.entries], "ann")
    new = play.log_of("ann")
    assert [line["version"] for line in log] == [version] * len(new)
    assert [line["data"]["rank"] for line in log if line["kind"] == "seat_taken"]
    declared = "roll_started" if version < 0 else "roll_declared"
    told = [line["data"] for line in log if line["kind"] == declared]
    assert len(told) == 2
    assert ("title" in told[0]) == (version == 0)
    assert "title" not in told[1], "only that bob rolls: no version tells more"


@pytest.mark.usefixtures("steps")
def test_a_log_of_all_versions_verifies_and_begins_as_it_was_exported_before() -> None:
    play = scene()
    first = [older(one, 0) for one in play.entries]
    lines = tables.export_log(play.empty, first, "ann").splitlines()
    entries = [*first, *scene_goes_on(play)]
    export = tables.export_log(play.empty, entries, "ann")
    assert export.splitlines()[: len(lines) - 1] == lines[:-1]
    assert {json.loads(line).get("version") for line in export.splitlines()[1:-1]} == {
        0,
        events.VERSION,
    }
    problems, told = verifier.verify(export)
    assert not problems
    assert "3 rolls" in told


def scene_goes_on(play: PlayedTable) -> list[dict[str, Any]]:
    before = len(play.entries)
    play.do("ann", "throw", roll=play.declare("ann", parameters={"attribute": 2}))
    return play.entries[before:]


def test_every_version_has_its_step() -> None:
    assert sorted(upcast.VERSION_STEPS) == [*range(1, events.VERSION)]


def test_a_newer_entry_is_refused_with_what_to_do() -> None:
    play = scene()
    newer = play.entries[0] | {"version": events.VERSION + 1}
    with pytest.raises(FileFault, match="newer Handful") as fault:
        tables.read_event(newer)
    assert "install" in fault.value.hint
    with pytest.raises(FileFault, match="newer"):
        tables.export_log(play.empty, [newer], "gm")


def test_a_table_of_a_newer_version_is_refused_and_unchanged() -> None:
    play = scene()
    store, opened = MemoryStore(), TableHeader("evening", "uwr", SECRET)
    store.create_table(opened)
    store.append("evening", play.entries, after=0)
    own = StoredTable(store, opened, play.rules, lambda: "t")
    newer = play.entries[-1] | {"version": events.VERSION + 1}
    store.append("evening", [newer], after=len(play.entries))
    for _ in range(2):
        with pytest.raises(StoreFault, match="evening: it was played with a newer") as fault:
            own.do("ann", Command("declare", "x", {"check": "direct"}))
        assert "install" in fault.value.hint
    assert len(store.read("evening")) == len(play.entries) + 1
    with pytest.raises(StoreFault, match="newer"):
        StoredTable(store, opened, play.rules, lambda: "t")


def test_an_outdated_verifier_reports_it() -> None:
    play = scene()
    log = tables.export_log(play.empty, play.entries, "ann").splitlines()
    line = json.loads(log[1])
    line["version"] = verifier.NEWEST_VERSION + 1
    problems, _ = verifier.verify("\n".join([log[0], json.dumps(line), *log[2:]]) + "\n")
    assert any("newer verifier" in one for one in problems)
    assert events.VERSION == verifier.NEWEST_VERSION
