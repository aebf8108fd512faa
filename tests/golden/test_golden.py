"""Golden logs are read as when they were recorded; logs are only ever added."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from golden import record
from golden.scenes import SCENES
from handful import table as tables
from handful.library.files import shipped
from handful.store import MemoryStore, StoredTable, TableHeader
from handful.table.events import event_kinds
from handful.verifier import verify

GOLDEN = Path(record.__file__).parent
NAMES = sorted(path.stem for path in GOLDEN.glob("*.jsonl"))


@cache
def entries(name: str) -> list[dict[str, Any]]:
    text = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@cache
def expected(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


@cache
def rules(name: str) -> Any:
    hash = entries(name)[0]["ruleset"]
    made = record.rules_of(hash)
    assert made.hash == hash
    return made


def says(then: Any, now: Any, where: str = "") -> list[str]:
    """Return the places where `now` lacks or changes something of `then`; additions are allowed."""
    if isinstance(then, dict) and isinstance(now, dict):
        gone = [f"{where}/{name} is gone" for name in then if name not in now]
        both = [name for name in then if name in now]
        return gone + [one for name in both for one in says(then[name], now[name], f"{where}/{name}")]
    if where.endswith("/rolls") and isinstance(now, list):  # a revealed roll stands where it was revealed
        return says({one["roll"]: one for one in then}, {one["roll"]: one for one in now}, f"{where}")
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        pairs = enumerate(zip(then, now, strict=True))
        return [one for at, (a, b) in pairs for one in says(a, b, f"{where}/{at}")]
    return [] if then == now else [f"{where} was {then!r}, is {now!r}"]


@pytest.mark.parametrize("name", NAMES)
def test_views_equal_the_recorded_ones(name: str) -> None:
    now = record.seen(rules(name), entries(name))
    assert [*now] == [*expected(name)]
    for seat, then in expected(name).items():
        assert not says(then["view"], now[seat]["view"], seat)


@pytest.mark.parametrize("name", NAMES)
def test_seat_logs_equal_the_recorded_ones_byte_by_byte(name: str) -> None:
    now = record.seen(rules(name), entries(name))
    for seat, then in expected(name).items():
        lines = zip(then["lines"], now[seat]["lines"], strict=False)
        other = [at for at, (old, new) in enumerate(lines, 1) if old != new]
        assert not other[:1], f"the first line of {seat} that is not as it was"
        assert len(then["lines"]) == len(now[seat]["lines"])
        assert then["head"] == now[seat]["head"]


@pytest.mark.parametrize("name", NAMES)
def test_every_export_verifies(name: str) -> None:
    for seat in expected(name):
        log = tables.export_log(record.begun(rules(name)), entries(name), seat, record.KEY.sign)
        assert verify(log)[0] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_table_continues_in_a_store(name: str) -> None:
    store, opened = MemoryStore(), TableHeader("golden", name, record.SECRET)
    store.create_table(opened)
    store._signing_seeds["golden"] = record.SECRET
    store.append("golden", entries(name), after=0)
    for hash in {entry["ruleset"] for entry in entries(name)}:
        store.save_rules(hash, record.rules_of(hash).texts)
    kept = StoredTable(store, opened, rules(name), lambda: "later")
    again = tables.Command("open", "open", {"table": "golden"})
    assert kept.do("gm", again) == (), "the first command again: all is done"
    assert len(store.read("golden")) == len(entries(name)), "nothing is written for nothing"
    assert kept.do("gm", tables.Command("seat", "zoe", {"name": "zoe", "role": "player"}))
    begun, seated = store.read("golden")[len(entries(name)) :]
    assert (begun["kind"], seated["kind"]) == ("epoch_begun", "seat_taken")
    for seat, then in expected(name).items():
        lines = [json.loads(line) for line in kept.export(seat).splitlines()]
        old = [line["hash"][:12] for line in lines[1:-1]][: len(then["lines"])]
        assert old == then["lines"], "an earlier export is the beginning of every later one"
        assert verify(kept.export(seat))[0] == []


def test_every_kind_of_event_is_in_a_golden_log() -> None:
    kinds = {tables.read_event(one).kind for name in NAMES for one in entries(name)}
    missing = sorted({*event_kinds()} - kinds)
    assert not missing, f"no golden log has {missing}: see tests/golden/README.md"


def test_every_scene_is_recorded_and_every_game_has_one() -> None:
    assert {*SCENES} <= {*NAMES}, "run `make golden`"
    assert {game for game, _ in SCENES.values()} >= {*shipped()}


def test_recorded_scenes_are_not_recorded_again() -> None:
    before = {path: path.read_bytes() for path in GOLDEN.glob("*.json*")}
    run = [sys.executable, str(GOLDEN / "record.py")]
    again = subprocess.run([*run, NAMES[0]], capture_output=True, text=True, timeout=60)
    assert again.returncode == 1
    assert "recorded already" in again.stderr
    nothing = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert nothing.returncode == 0, nothing.stderr
    assert {path: path.read_bytes() for path in GOLDEN.glob("*.json*")} == before


def test_a_missing_field_is_found() -> None:
    assert not says({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2, "c": 3}], "d": 4})
    assert says({"a": 1}, {})
    assert says({"a": [1, 2]}, {"a": [1, 2, 3]})
    assert says({"a": 1}, {"a": 2})
