"""The verifier on logs of format 2: announced commitments, signatures, the public chain, comparison."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from handmade_logs import (
    ENTROPY,
    KEY,
    OTHER_KEY,
    HandmadeTable,
    Line,
    lines_of,
    rehashed,
    text_of,
)
from hypothesis import given
from hypothesis import strategies as st

from handful import ed25519, verifier
from handful.table.chain import spoken_digits
from handful.verifier import Log, check_signature, compare, report, verify


def played() -> HandmadeTable:
    """Open rolls of Ann and Bob, a secret one of Ann, one of the GM for Bob."""
    table = HandmadeTable()
    for name, stream in (
        ("ann/1", "open"),
        ("ann/x", "secret"),
        ("bob/1", "open"),
        ("bob/x", "gm"),
        ("ann/2", "open"),
    ):
        table.roll(name, stream)
    return table


PLAYED = played()
SEATS = ["gm", "ann", "bob"]
ANN = PLAYED.export("ann")


@pytest.mark.parametrize("seat", SEATS)
def test_a_log_of_format_2_verifies(seat: str) -> None:
    log = Log(seat, PLAYED.export(seat))
    assert log.problems == []
    assert log.notes() == []
    assert ("12 faces" if seat == "bob" else "16 faces") + " by their keys" in log.summary
    assert spoken_digits(PLAYED.public.last_hash) in log.summary


def test_logs_of_several_seats_agree() -> None:
    logs = [Log(seat, PLAYED.export(seat)) for seat in SEATS]
    assert len({len(log.hashes) for log in logs}) == 2
    assert len({log.public[-1]["hash"] for log in logs}) == 1
    assert compare(logs) == ([], [])
    assert report(logs)[0][-1] == "the logs agree"


@given(st.data())
def test_any_changed_byte_is_found(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(ANN) - 1))
    to = data.draw(st.sampled_from('0129azAZ{}[]",:. \n').filter(lambda one: one != ANN[at]))
    assert verify(ANN[:at] + to + ANN[at + 1 :])[0]


# -- signatures


def test_the_slow_check_accepts_what_was_signed() -> None:
    for n in range(20):
        key = ed25519.SigningKey(bytes([n + 1]) * 32)
        message = b"x" * n
        signature = key.sign(message)
        assert check_signature(key.public_key, message, signature)
        assert not check_signature(key.public_key, message + b"y", signature)
        assert not check_signature(OTHER_KEY.public_key, message, signature)
        for at in (0, 31, 32, 63):
            changed = bytearray(signature)
            changed[at] ^= 1
            assert not check_signature(key.public_key, message, bytes(changed))


def test_the_slow_check_refuses_another_form_of_a_signature() -> None:
    signature = KEY.sign(b"message")
    response = int.from_bytes(signature[32:], "little") + verifier.ORDER
    assert not check_signature(KEY.public_key, b"message", signature[:32] + response.to_bytes(32, "little"))
    assert not check_signature(KEY.public_key, b"message", signature + b"\0")
    assert not check_signature(KEY.public_key[:31], b"message", signature)
    assert not check_signature(b"\xff" * 32, b"message", signature)


def test_the_library_and_the_slow_check_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cryptography")
    signature = KEY.sign(verifier.FORMAT.encode() + b"\nabc").hex()
    forged = "00" + signature[2:]
    for hidden in (False, True):
        if hidden:
            monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
        assert verifier.is_signed(KEY.public_key.hex(), "abc", signature)
        assert not verifier.is_signed(KEY.public_key.hex(), "abc", forged)


def test_a_slow_check_takes_milliseconds() -> None:
    signature = KEY.sign(b"message")
    begin = time.process_time()
    for _ in range(20):
        check_signature(KEY.public_key, b"message", signature)
    assert time.process_time() - begin < 20 * 0.05


# -- what a player can do to a log: everything but sign it


def dropped(lines: list[Line]) -> list[Line]:
    return [one for one in lines if one.get("data", {}).get("roll") != "ann/1"]


def cut(lines: list[Line]) -> list[Line]:
    return [*lines[:-4], lines[-1]]


def typed(lines: list[Line]) -> list[Line]:
    for one in lines:
        if one.get("kind") == "dice_thrown" and one["data"]["roll"] == "ann/1":
            one["data"] |= {"faces": [6, 6, 6, 6], "physical": True}
    return lines


def unsigned(lines: list[Line]) -> list[Line]:
    return [{name: one for name, one in line.items() if name != "signature"} for line in lines]


@pytest.mark.parametrize("change", [dropped, cut, typed, unsigned])
def test_a_forged_log_is_found_without_the_key(change: Callable[[list[Line]], list[Line]]) -> None:
    assert rehashed(lines_of(ANN), KEY) == ANN
    problems = verify(rehashed(change(lines_of(ANN))))[0]
    assert any("signed" in one for one in problems)


def test_a_log_signed_with_another_key_is_no_log_of_this_table() -> None:
    lines = lines_of(ANN)
    lines[0]["public_key"] = OTHER_KEY.public_key.hex()
    forged = Log("forged.log", rehashed(typed(lines), OTHER_KEY))
    assert forged.problems == []
    (problem, *_), _ = compare([Log("bob.log", PLAYED.export("bob")), forged])
    assert problem == "bob.log and forged.log are signed with different keys: they are of different tables"


def test_an_unsigned_log_says_so() -> None:
    table = HandmadeTable(key=None)
    table.roll("ann/1")
    log = Log("ann.log", table.export("ann"))
    assert log.problems == []
    assert log.notes() == ["no line is signed: whoever exported this log could have changed it"]


# -- what the host can do: everything, but others have seen it


@pytest.mark.parametrize("change", [dropped, cut, typed])
def test_a_host_cannot_show_two_logs(change: Callable[[list[Line]], list[Line]]) -> None:
    forged = Log("ann.log", rehashed(change(lines_of(ANN)), KEY))
    other = Log("bob.log", PLAYED.export("bob"))
    problems, remarks = compare([forged, other])
    if change is cut:
        assert problems == []
        (remark,) = remarks
        assert "ann.log ends at public line 10, bob.log goes on to 13" in remark
        return
    assert "public line" in problems[0]
    assert "ann.log: " in problems[0]
    assert "bob.log: " in problems[0]
    if change is typed:
        assert any(one.startswith("throw 0 of ann/1 differs") for one in problems)
        assert forged.notes() == ["4 faces typed by ann: nothing proves physical dice"]


def test_a_commitment_that_was_not_announced_is_found() -> None:
    """Somebody chose a key that gives sixes, after the commitment was announced."""
    table = HandmadeTable()
    table.used["ann", "open"] = 7
    table.roll("ann/1")
    assert verify(table.export("bob"))[0] == [
        "line 6: the commitment of ann/1 is not the one announced before"
    ]


def test_dropping_a_roll_breaks_the_stream_of_commitments() -> None:
    """Also in a log that the host has signed again, and nobody else has a copy of."""
    problems = verify(rehashed(dropped(lines_of(ANN)), KEY))[0]
    assert problems == ["line 12: the commitment of ann/2 is not the one announced before"]


def test_commitments_cannot_be_announced_again() -> None:
    table = HandmadeTable()
    told = {"commitments": {"open": "00" * 32}}
    table.write("seat_taken", "gm", {"name": "ann", "role": "player"}, watcher=told)
    assert verify(table.export("bob"))[0] == ["line 6: ann gets other commitments than announced"]


def test_a_line_tells_everyone_the_same() -> None:
    lines = lines_of(ANN)
    for one in lines:
        if one.get("kind") == "dice_thrown" and one["data"]["roll"] == "ann/1":
            one["public"]["data"] = {**one["data"], "faces": [1, 1, 1, 1]}
    assert verify(rehashed(lines, KEY))[0] == ["line 7: tells others another faces than ann"]


def test_a_copy_of_the_table_shows_where_it_begins() -> None:
    """A restored backup: the same beginning, then another epoch."""
    first, second = played(), played()
    first.roll("ann/3")
    second.begin_epoch(b"t" * 32)
    second.roll("ann/3")
    logs = [Log(f"{seat}.log", table.export(seat)) for seat, table in (("ann", first), ("bob", second))]
    assert [log.problems for log in logs] == [[], []]
    assert logs[1].notes() == [
        "the table, a backup or a copy of it was opened again, with new keys, at line 15"
    ]
    (problem, *more), _ = compare(logs)
    assert problem.startswith("public line 14 differs")
    assert "a backup was restored, or a copy of the table was played" in problem
    assert [one.split(" differs")[0] for one in more] == [
        "the commitment of ann/3",
        "the key of ann/3",
        "throw 0 of ann/3",
    ]


def test_an_epoch_has_other_dice() -> None:
    table = HandmadeTable()
    before = table.roll("ann/1")
    table.begin_epoch(b"t" * 32)
    assert table.roll("ann/2") != before
    assert verify(table.export("ann"))[0] == []
    assert verify(table.export("gm"))[0] == []


def test_epochs_are_numbered() -> None:
    table = HandmadeTable()
    table.begin_epoch(b"t" * 32)
    table.epoch += 1
    table.begin_epoch(b"u" * 32)
    assert verify(table.export("ann"))[0] == ["line 7: epoch 4 follows epoch 2"]


# -- tables that are older than format 2


def test_an_older_table_is_signed_from_its_first_epoch_on() -> None:
    table = HandmadeTable(old=True)
    table.roll("ann/1")
    early = Log("early.log", table.export("ann"))
    assert early.problems == []
    assert early.notes() == [
        "the first 7 events of format 1 are not signed: whoever exported them could have left out rolls, "
        "cut off the end or changed typed faces",
        "1 roll with a key that follows from its name: a roller who knew the table's secret could have "
        "chosen the name",
    ]
    table.begin_epoch(b"t" * 32)
    table.roll("ann/2")
    late, other = (Log(f"{seat}.log", table.export(seat)) for seat in ("ann", "bob"))
    assert late.problems == other.problems == []
    assert late.notes()[:2] == early.notes()
    assert late.public_key == KEY.public_key.hex()
    assert late.hashes[: len(early.hashes)] == early.hashes
    assert compare([early, late])[0] == []
    assert compare([late, other]) == ([], [])
    assert verify(table.export("ann").replace('"signature":"', '"signature":"00', 1))[0]


# -- what no log proves


def test_physical_dice_are_claims_of_who_typed_them() -> None:
    table = HandmadeTable()
    table.roll("ann/1", typed=[6, 6, 6, 6])
    log = Log("bob.log", table.export("bob"))
    assert log.problems == []
    assert log.notes() == ["4 faces typed by ann: nothing proves physical dice"]


def test_a_throw_without_randomness_of_the_roller_is_noted() -> None:
    table = HandmadeTable()
    table.roll("ann/1", entropy="my word")
    table.roll("ann/2", entropy=ENTROPY + "my word")
    (note,) = Log("ann.log", table.export("ann")).notes()
    assert note.startswith("1 throw without randomness from the roller's device")


def test_a_link_to_a_seat_is_noted() -> None:
    table = HandmadeTable()
    table.write("link_made", "gm", {"seat": "ann", "by": "gm"}, watcher=None, bob=None)
    assert Log("ann.log", table.export("ann")).notes() == ["line 6: gm made a link to the seat of ann"]
    assert Log("bob.log", table.export("bob")).notes() == []


# -- comparing


def test_logs_of_other_tables_are_not_compared() -> None:
    other = HandmadeTable(table="another")
    problems, remarks = compare([Log("a", ANN), Log("b", other.export("bob"))])
    assert problems == ["a is of the table 'evening', b of 'another'"]
    assert remarks == []


def test_two_logs_of_a_seat_are_one_the_beginning_of_the_other() -> None:
    early = HandmadeTable()
    early.roll("ann/1")
    assert compare([Log("early", early.export("ann")), Log("late", ANN)]) == (
        [],
        [
            "early ends at public line 7, late goes on to 13: the shorter one was exported earlier, "
            "or its end was cut off"
        ],
    )
    early.roll("ann/y", "secret", entropy=ENTROPY + "other")
    problems, _ = compare([Log("early", early.export("ann")), Log("late", ANN)])
    assert problems == ["line 9 of early and late differs, though both are logs of ann"]


def test_a_hidden_roll_is_compared_between_those_who_see_it() -> None:
    """The GM's log and a forged log of the GM differ in a roll that is in no public line."""
    lines = lines_of(PLAYED.export("gm"))
    for one in lines:
        if one.get("kind") == "dice_thrown" and one["data"]["roll"] == "bob/x":
            one["data"] |= {"faces": [1, 1, 1, 1], "physical": True}
    problems, _ = compare([Log("a", PLAYED.export("gm")), Log("b", rehashed(lines, KEY))])
    assert any(one.startswith("throw 0 of bob/x differs") for one in problems)


# -- as a script


def test_the_script_compares_files(tmp_path: Path) -> None:
    for seat in ("ann", "bob"):
        (tmp_path / f"{seat}.log").write_text(PLAYED.export(seat))
    run = [sys.executable, "-I", verifier.__file__, "ann.log", "bob.log"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "the logs agree"
    (tmp_path / "bob.log").write_text(text_of(lines_of(ANN)[:-1]))
    assert subprocess.run(run, cwd=tmp_path, capture_output=True, timeout=60).returncode == 1
