"""What a log proves and what it cannot, as docs/table.md states."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from handmade_logs import rehashed, text_of
from in_memory_table import PlayedTable, usual_table

from handful import table as tables
from handful.verifier import verify

ASKED = {"attribute": 3, "target": 2}
Line = dict[str, Any]


def played() -> PlayedTable:
    """Two hidden rolls are compared; the contest is revealed to Ann, who also rolls in the open."""
    play = usual_table()
    for key in ("x", "y"):
        play.do("gm", "declare", key, check="direct", parameters=ASKED, mode="secret")
        play.do("gm", "throw", roll=f"gm/{key}", entropy=f"shake {key}")
    play.do("gm", "contest", "c", check="opposed", rolls=["gm/x", "gm/y"])
    play.do("gm", "reveal", roll="gm/c", to=["ann"])
    for key in ("first", "second"):
        play.do("ann", "declare", key, check="direct", parameters=ASKED)
        play.do("ann", "throw", roll=f"ann/{key}")
    return play


def exported(play: PlayedTable, seat: str = "ann") -> list[Line]:
    text = tables.export_log(play.empty, play.entries, seat)
    return [json.loads(one) for one in text.splitlines()]


def story_of(lines: list[Line]) -> Line:
    (found,) = (one["data"]["story"] for one in lines[1:-1] if "story" in one["data"])
    story: Line = found
    return story


def other(faces: list[int]) -> list[int]:
    return [face % 6 + 1 for face in faces]


def test_a_revealed_contest_brings_the_keys_of_its_dice() -> None:
    lines = exported(played())
    story = story_of(lines)
    assert story["taken"] == 2
    assert [one["roll"] for one in story["sources"]] == ["gm/x", "gm/y"]
    problems, told = verify(text_of(lines))
    assert problems == []
    assert "12 faces by their keys" in told
    assert verify(rehashed(lines))[0] == []


def taken_face(story: Line) -> None:
    story["replies"][0]["faces"] = other(story["replies"][0]["faces"])


def taken_and_source(story: Line) -> None:
    taken_face(story)
    story["sources"][0]["replies"][0]["faces"] = story["replies"][0]["faces"]


def without_sources(story: Line) -> None:
    del story["sources"]


def other_key(story: Line) -> None:
    story["sources"][0]["key"] = "00" * 32


def dice_twice(story: Line) -> None:
    story["replies"][1]["faces"] = story["replies"][0]["faces"]


@pytest.mark.parametrize("change", [taken_face, taken_and_source, without_sources, other_key, dice_twice])
def test_false_faces_in_a_revealed_contest_are_found(change: Callable[[Line], None]) -> None:
    lines = exported(played())
    change(story_of(lines))
    assert verify(rehashed(lines))[0]


def test_own_dice_of_a_revealed_roll_cannot_pass_as_taken_over() -> None:
    play = usual_table()
    play.do("gm", "declare", "x", check="direct", parameters=ASKED, mode="secret")
    play.do("gm", "throw", roll="gm/x")
    play.do("gm", "reveal", roll="gm/x", to=["ann"])
    lines = exported(play)
    taken_face(story_of(lines))
    assert verify(rehashed(lines))[0]
    story_of(lines)["taken"] = 1
    assert verify(rehashed(lines))[0]


def test_a_known_source_is_held_against_its_promise() -> None:
    """The sides were shown to Ann before; a made-up key for one of them does not fit."""
    play = usual_table()
    for key in ("x", "y"):
        play.do("gm", "declare", key, check="direct", parameters=ASKED, mode="private")
        play.do("gm", "throw", roll=f"gm/{key}")
    play.do("gm", "contest", "c", check="opposed", rolls=["gm/x", "gm/y"])
    play.do("gm", "reveal", roll="gm/c", to=["ann"])
    lines = exported(play)
    assert verify(rehashed(lines))[0] == []
    source = story_of(lines)["sources"][0]
    source["key"] = "00" * 32
    source["commitment"] = sha256(bytes(32)).hexdigest()
    assert any("promised otherwise" in one for one in verify(rehashed(lines))[0])


# -- what is not proven, and what notices it


def dropped(lines: list[Line]) -> list[Line]:
    return [one for one in lines if one.get("data", {}).get("roll") != "ann/first"]


def cut(lines: list[Line]) -> list[Line]:
    return [*lines[:-3], lines[-1]]


def by_hand(lines: list[Line]) -> list[Line]:
    for one in lines:
        if one.get("kind") == "dice_thrown" and one["data"]["roll"] == "ann/first":
            one["data"] |= {"faces": other(one["data"]["faces"]), "physical": True}
    return lines


@pytest.mark.parametrize("change", [cut, by_hand])
def test_recomputed_hashes_are_found_only_with_an_earlier_copy(
    change: Callable[[list[Line]], list[Line]],
) -> None:
    play = played()
    copy = exported(play)
    play.do("ann", "declare", "third", check="direct", parameters=ASKED)
    later = exported(play)
    assert verify(text_of(later))[0] == []
    assert later[: len(copy) - 1] == copy[:-1], "an earlier copy is the beginning of a later one"
    assert later[len(copy) - 2]["hash"] == copy[-1]["head"]
    false = rehashed(change(exported(play)))
    assert verify(false)[0] == [], "hashes need no secret"
    lines = [json.loads(one) for one in false.splitlines()]
    if change is cut:  # nothing that the copy has is missing: only its own end tells
        assert lines[-1] != later[-1]
        copy = later
    assert lines[: len(copy) - 1] != copy[:-1]
    assert copy[-1]["head"] not in [one.get("hash") for one in lines]
    assert verify(text_of(change(exported(play))))[0], "whoever leaves the hashes alone is found"


def test_a_dropped_roll_is_found_because_the_next_one_uses_a_commitment_that_was_not_announced() -> None:
    problems, _ = verify(rehashed(dropped(exported(played()))))
    assert any("the commitment of ann/second is not the one announced before" in one for one in problems)


def test_a_copy_proves_nothing_about_lines_it_lacks() -> None:
    play = played()
    copy = exported(play)
    for key in ("third", "fourth"):
        play.do("ann", "declare", key, check="direct", parameters=ASKED)
    later = exported(play)
    false = rehashed([*later[: len(copy) - 1], later[-1]])  # without the last two rolls
    assert verify(false)[0] == []
    lines = [json.loads(one) for one in false.splitlines()]
    assert lines[: len(copy) - 1] == copy[:-1]
    assert copy[-1]["head"] in [one.get("hash") for one in lines]
    assert lines[: len(later) - 1] != later[:-1], "a copy that has the line notices it"


def test_two_seats_cannot_compare_heads_but_rolls_that_both_see() -> None:
    play = played()
    logs = [exported(play, seat) for seat in ("ann", "bob")]
    assert logs[0][-1]["head"] != logs[1][-1]["head"]
    rolls = [[one["data"] for one in log[1:-1] if one["data"].get("roll") == "ann/first"] for log in logs]
    assert rolls[0] == rolls[1]
