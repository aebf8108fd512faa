"""A seat's log: chained, exported, and verified by a script that shares no code."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from handmade_logs import rehashed
from hypothesis import given
from hypothesis import strategies as st
from in_memory_table import PlayedTable, usual_table

import handful.verifier
from handful import table as tables
from handful.verifier import verify

SCRIPT = Path(handful.verifier.__file__)


def scene() -> PlayedTable:
    """A public roll with rerolls, a private one, a secret one that is revealed to bob."""
    play = usual_table()
    first = play.declare("ann", parameters={"attribute": 3.5, "skill": 2, "target": 2})
    play.do("ann", "throw", roll=first, entropy="my word")
    play.do("ann", "answer", roll=first, answer=[1])
    play.do("ann", "throw", roll=first)
    private = play.declare("bob", parameters={"attribute": 2}, mode="private")
    play.do("bob", "throw", roll=private)
    secret = play.declare("gm", parameters={"attribute": 4}, mode="secret")
    play.do("gm", "throw", roll=secret)
    play.do("gm", "reveal", roll=secret, to=["bob"])
    by_hand = play.declare("bob", parameters={"attribute": 2})
    play.do("bob", "throw", roll=by_hand, faces=[6, 6])
    return play


PLAY = scene()
LOGS = {seat: tables.export_log(PLAY.empty, PLAY.entries, seat) for seat in PLAY.table.seats}


@pytest.mark.parametrize("seat", LOGS)
def test_every_seats_export_verifies(seat: str) -> None:
    problems, told = verify(LOGS[seat])
    assert not problems
    assert "events" in told


def test_exports_differ_as_they_should() -> None:
    kinds = {seat: [json.loads(line).get("kind") for line in log.splitlines()] for seat, log in LOGS.items()}
    assert kinds["ann"].count("dice_thrown") == 3
    assert kinds["bob"].count("dice_thrown") == 4
    assert kinds["gm"].count("dice_thrown") == 5
    assert "roll_revealed" in kinds["bob"]
    assert "roll_revealed" not in kinds["ann"]
    assert LOGS["ann"].replace('"seat":"ann"', "") != LOGS["eve"]


def test_a_log_only_grows() -> None:
    play = scene()
    before = play.log_of("ann")
    play.do("gm", "visibility", mode="private")
    assert play.log_of("ann")[: len(before)] == before


@pytest.mark.parametrize("seat", LOGS)
def test_a_part_of_a_log_is_a_part_of_the_whole(seat: str) -> None:
    log = tables.replay_log(PLAY.empty, PLAY.entries, seat)
    whole = LOGS[seat].splitlines()[1:-1]
    assert len(log) == len(whole)
    for first in range(len(whole) + 2):
        assert log.texts(first) == whole[first:]
        assert log.texts(first, first + 2) == whole[first : first + 2]


def test_a_log_is_hashed_in_parts() -> None:
    log, whole = tables.replay_log(PLAY.empty, PLAY.entries, "gm"), LOGS["gm"].splitlines()[1:-1]
    parts = 1
    while log.hash_part(4):
        parts += 1
    assert parts == -(-len(whole) // 4)
    assert log.texts() == whole
    assert not log.hash_part(4)


@given(st.sampled_from([*LOGS]), st.data())
def test_any_changed_byte_is_found(seat: str, data: st.DataObject) -> None:
    log = LOGS[seat]
    at = data.draw(st.integers(0, len(log) - 1))
    to = data.draw(st.sampled_from('0129azAZ{}[]",:. \n').filter(lambda one: one != log[at]))
    assert verify(log[:at] + to + log[at + 1 :])[0]


@given(st.sampled_from([*LOGS]), st.data())
def test_missing_and_reordered_events_are_found(seat: str, data: st.DataObject) -> None:
    lines = LOGS[seat].splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    assert verify("".join(lines[:at] + lines[at + 1 :]))[0]
    other = data.draw(st.integers(0, len(lines) - 1).filter(lambda one: one != at))
    lines[at], lines[other] = lines[other], lines[at]
    assert verify("".join(lines))[0]


def test_a_face_that_does_not_follow_from_its_key_is_found() -> None:
    """Also in a log whose chain was made anew around it."""

    class Loaded(tables.KeyedDice):
        def faces(self, *asked: Any) -> tuple[int, ...]:
            return tuple(6 for _ in super().faces(*asked))

    play = PlayedTable(dice=Loaded(bytes(32)), ann="player")
    roll = play.declare("ann", parameters={"attribute": 8})
    play.do("ann", "throw", roll=roll)
    problems, _ = verify(tables.export_log(play.empty, play.entries, "ann"))
    assert len(problems) == 1
    assert "its key gives" in problems[0]


def forged(do: str) -> list[dict[str, Any]]:
    """Bob's log, with something done to the first roll in it."""
    lines = [json.loads(line) for line in LOGS["bob"].splitlines()]
    at = {one["kind"]: n for n, one in reversed([*enumerate(lines)]) if "kind" in one}
    declared, thrown, over = (at[kind] for kind in ("roll_declared", "dice_thrown", "roll_finalised"))
    roll = lines[declared : over + 1]
    again = {**lines[thrown], "data": {**lines[thrown]["data"], "throw": 2, "faces": [6, 6, 6]}}
    match do:
        case "nothing":
            return lines
        case "thrown again":
            return [*lines[: over + 1], again, *lines[over + 1 :]]
        case "finalised again":
            return [*lines[: over + 1], lines[over], *lines[over + 1 :]]
        case "declared again":
            return [*lines[:thrown], lines[declared], *lines[thrown:]]
        case "played again":
            return [*lines[: over + 1], *roll, *lines[over + 1 :]]
        case "without its key":
            lines[over]["data"].pop("key")
        case _:
            name, value = do.split("=")
            lines[thrown]["data"][name] = json.loads(value)
    return lines


@pytest.mark.parametrize(
    "do",
    [
        "thrown again",
        "finalised again",
        "declared again",
        "played again",
        "without its key",
        "sides=0",
        "sides=-6",
        "sides=8589934592",
        "faces=[1,2,9]",
        "throw=5",
        "throw=-1",
        "faces=5",
        "entropy=1",
    ],
)
def test_a_forged_roll_is_found_even_with_a_recomputed_chain(do: str) -> None:
    assert rehashed(forged("nothing")) == LOGS["bob"]
    assert verify(rehashed(forged(do)))[0]


@pytest.mark.parametrize("text", ["", "\n", "x\n", "[]\n[]\n[]\n", "{}\n{}\n", "1\n2\n3\n4\n"])
def test_a_file_that_is_no_log_is_refused(text: str) -> None:
    assert verify(text)[0]


def test_the_verifier_stands_alone() -> None:
    nodes = [*ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8")))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "handful" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert not any(name.startswith("handful") for name in names)
    run = [sys.executable, "-I", str(SCRIPT)]
    good = subprocess.run(run, input=LOGS["bob"], capture_output=True, text=True, timeout=60)
    assert good.returncode == 0, good.stderr
    bad = LOGS["bob"].replace('"faces":[', '"faces":[1,', 1)
    assert subprocess.run(run, input=bad, capture_output=True, text=True, timeout=60).returncode == 1


def test_a_rolls_faces_do_not_depend_on_hidden_events() -> None:
    def faces(hidden: int) -> list[int]:
        play = usual_table()
        for at in range(hidden):
            roll = play.declare("gm", mode="secret", parameters={"attribute": 3}, key=f"h{at}")
            play.do("gm", "throw", roll=roll)
        roll = play.declare("ann", parameters={"attribute": 6}, key="mine")
        play.do("ann", "throw", roll=roll)
        return [die["face"] for die in play.roll("ann", roll)["dice"]]

    assert faces(0) == faces(3)
