"""Messages, whispers, notes on rolls, the scratchpad, shared GM seats, and labels of rolls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from in_memory_table import PlayedTable, usual_table

from handful import table as tables
from handful.errors import Refused
from handful.table.messages import MAX_NOTES, text_mark

ASKED = {"attribute": 3, "target": 2}
SEATS = ("gm", "ann", "bob", "eve")


@pytest.fixture
def play() -> PlayedTable:
    return usual_table()


def heard(play: PlayedTable, seat: str) -> list[str]:
    return [one["text"] for one in tables.view(play.table, seat)["messages"]]


def everything(play: PlayedTable, seat: str) -> str:
    """Return all that a seat is ever sent: its view, its legal actions and its log."""
    sent = [tables.view(play.table, seat), tables.legal_actions(play.table, seat)]
    return json.dumps([sent, tables.export_log(play.empty, play.entries, seat)])


# -- messages


def test_what_is_said_aloud_reaches_everybody(play: PlayedTable) -> None:
    play.do("ann", "say", text="  Hello, all  ")
    assert all(heard(play, seat) == ["Hello, all"] for seat in SEATS)
    (said,) = tables.view(play.table, "eve")["messages"]
    assert (said["by"], "to" in said) == ("ann", False)


def test_a_whisper_exists_only_for_those_it_is_for(play: PlayedTable) -> None:
    quiet = {seat: everything(play, seat) for seat in SEATS}
    play.do("ann", "say", text="I have the key", to=["bob", "bob", "ann"])
    assert heard(play, "ann") == heard(play, "bob") == ["I have the key"]
    assert tables.view(play.table, "bob")["messages"][0]["to"] == ["bob"]
    for seat in ("gm", "eve"):
        assert everything(play, seat) == quiet[seat], "no GM and no watcher learns of it"
    play.do("gm", "seat", name="zoe", role="gm")
    play.do("gm", "seat", name="tom", role="player")
    assert heard(play, "zoe") == heard(play, "tom") == []
    assert "I have" not in everything(play, "zoe")


def test_a_gm_is_whispered_to_like_anybody(play: PlayedTable) -> None:
    play.do("bob", "say", text="I steal it", to=["gm"])
    assert heard(play, "gm") == ["I steal it"]
    assert heard(play, "ann") == heard(play, "eve") == []


def test_the_window_counts_what_the_seat_has_heard(play: PlayedTable) -> None:
    play.do("ann", "say", text="first")
    for at in range(60):
        play.do("ann", "say", text=f"psst {at}", to=["bob"])
    assert heard(play, "gm") == ["first"]
    assert heard(play, "bob") == [f"psst {at}" for at in range(10, 60)]


@pytest.mark.parametrize(
    ("data", "match"),
    [
        ({"text": ""}, "1 to 1000 characters"),
        ({"text": " \n "}, "1 to 1000 characters"),
        ({"text": "x" * 1001}, "1 to 1000 characters"),
        ({"text": "\x1b[2J"}, "control characters"),
        ({"text": "\u202eabc"}, "control characters"),
        ({"text": "psst", "to": ["ann"]}, "to somebody else"),
        ({"text": "psst", "to": []}, "to somebody else"),
        ({"text": "psst", "to": ["nobody"]}, "no seat"),
    ],
)
def test_wrong_messages_are_refused(play: PlayedTable, data: dict[str, Any], match: str) -> None:
    before = play.table
    with pytest.raises(Refused, match=match):
        play.do("ann", "say", **data)
    assert play.table is before


def test_joined_emoji_and_new_lines_are_text(play: PlayedTable) -> None:
    text = "two\nlines \N{WOMAN}\u200d\N{ROCKET}"
    play.do("ann", "say", text=text)
    assert heard(play, "eve") == [text]


def test_watchers_and_those_who_left_say_nothing(play: PlayedTable) -> None:
    with pytest.raises(Refused, match="eve"):
        play.do("eve", "say", text="hello")
    play.do("bob", "leave")
    with pytest.raises(Refused, match="has left"):
        play.do("bob", "say", text="hello")


# -- notes on rolls


def test_a_note_is_read_by_those_who_see_all_of_the_roll(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=ASKED, mode="private")
    play.do("ann", "note", roll=roll, text="with the rope")
    for seat in ("gm", "ann"):
        assert play.roll(seat, roll)["notes"] == [{"by": "ann", "text": "with the rope"}]
    for seat in ("bob", "eve"):
        assert "rope" not in everything(play, seat)
    with pytest.raises(Refused, match="not possible here"):
        play.do("bob", "note", roll=roll, text="me, too")
    play.do("gm", "reveal", roll=roll, to=["bob"])
    assert play.roll("bob", roll)["notes"] == [{"by": "ann", "text": "with the rope"}]
    play.do("bob", "note", roll=roll, text="well climbed")
    assert [one["by"] for one in play.roll("gm", roll)["notes"]] == ["ann", "bob"]


def test_a_roll_has_room_for_some_notes(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=ASKED)
    for at in range(MAX_NOTES):
        play.do("ann", "note", roll=roll, text=f"note {at}")
    with pytest.raises(Refused, match=f"{MAX_NOTES} notes"):
        play.do("ann", "note", roll=roll, text="one more")


# -- the scratchpad


def test_the_scratchpad_is_shared_and_nothing_is_overwritten(play: PlayedTable) -> None:
    play.do("ann", "scratchpad", text="40 silver", replaces="")
    pads = [tables.view(play.table, seat)["scratchpad"] for seat in SEATS]
    assert pads == [{"text": "40 silver", "mark": text_mark("40 silver")}] * 4
    with pytest.raises(Refused, match="changed this text meanwhile"):
        play.do("bob", "scratchpad", text="a rope", replaces="")
    assert play.table.scratchpad == "40 silver"
    play.do("bob", "scratchpad", text="40 silver\na rope", replaces=pads[0]["mark"])
    assert (
        play.do("bob", "scratchpad", text=play.table.scratchpad, replaces=text_mark("40 silver\na rope"))
        == ()
    )
    with pytest.raises(Refused, match="8000 characters"):
        play.do("bob", "scratchpad", text="x" * 8001, replaces="")


def test_the_notes_of_gms_are_for_gms(play: PlayedTable) -> None:
    quiet = {seat: everything(play, seat) for seat in SEATS}
    play.do("gm", "scratchpad", text="the count did it", replaces="", for_gms=True)
    assert tables.view(play.table, "gm")["gm_notes"]["text"] == "the count did it"
    assert all(everything(play, seat) == quiet[seat] for seat in ("ann", "bob", "eve"))
    with pytest.raises(Refused, match="only a GM"):
        play.do("ann", "scratchpad", text="did he?", replaces="", for_gms=True)
    play.do("gm", "seat", name="zoe", role="gm")
    assert tables.view(play.table, "zoe")["gm_notes"]["text"] == "the count did it"


# -- a second GM


def test_a_second_gm_has_a_seat_of_their_own_that_everybody_hears_of(play: PlayedTable) -> None:
    lie = play.declare("gm", parameters=ASKED, mode="gm")
    own = play.declare("ann", parameters=ASKED, mode="secret")
    play.do("gm", "share_gm", to="ann", name="ann (GM)")
    assert play.sees("ann (GM)", lie)
    assert not play.sees("ann", lie), "the player's seat knows what its own log says"
    assert not play.sees("ann (GM)", own)
    for seat in SEATS:
        assert play.log_of(seat)[-1]["data"] == {"name": "ann (GM)", "to": "ann"}
        (shared,) = (one for one in tables.view(play.table, seat)["seats"] if "of" in one)
        assert (shared["name"], shared["role"], shared["of"]) == ("ann (GM)", "gm", "ann")
    play.do("gm", "leave")
    assert play.table.left_seats == ("gm",)
    with pytest.raises(Refused, match="last GM"):
        play.do("ann (GM)", "leave")
    play.do("ann (GM)", "visibility", mode="private")


def test_the_gm_is_shared_with_somebody_who_is_there_and_no_gm(play: PlayedTable) -> None:
    with pytest.raises(Refused, match="a GM already"):
        play.do("gm", "share_gm", to="gm", name="other")
    with pytest.raises(Refused, match="already has a seat"):
        play.do("gm", "share_gm", to="ann", name="bob")
    with pytest.raises(Refused, match="no seat"):
        play.do("gm", "share_gm", to="zoe", name="zoe (GM)")
    with pytest.raises(Refused, match="not possible for ann"):
        play.do("ann", "share_gm", to="ann", name="ann (GM)")


# -- labels


def labels(play: PlayedTable, seat: str) -> dict[str, str]:
    return {one["roll"]: one["label"] for one in tables.view(play.table, seat)["rolls"]}


def test_a_roll_has_the_same_label_at_every_seat_that_knows_of_it(play: PlayedTable) -> None:
    modes = ["public", "gm", "private", "secret", "blind", "public"]
    rolls = [
        play.declare("gm" if mode == "gm" else roller, parameters=ASKED, mode=mode, for_=roller)
        for roller in ("ann", "bob")
        for mode in modes
    ]
    play.do("gm", "seat", name="zoe", role="gm")
    play.do("gm", "seat", name="tom", role="player")
    all_labels: dict[str, set[str]] = {}
    for seat in play.table.seats:
        for roll, label in labels(play, seat).items():
            all_labels.setdefault(roll, set()).add(label)
    assert all(len(found) == 1 for found in all_labels.values())
    numbered = [roll for roll in rolls if labels(play, "tom").get(roll)]
    assert [labels(play, "tom")[one] for one in numbered] == [str(at) for at in range(1, 9)]
    hidden = {roll for roll in rolls if roll not in numbered}
    assert all(found.pop().isalpha() for roll, found in all_labels.items() if roll in hidden)


def test_a_revealed_roll_keeps_its_label_and_tells_no_count(play: PlayedTable) -> None:
    first = play.declare("ann", parameters=ASKED)
    for _ in range(3):
        hidden = play.declare("gm", parameters=ASKED, mode="gm")
    before = labels(play, "gm")[hidden]
    play.do("gm", "throw", roll=hidden)
    play.do("gm", "reveal", roll=hidden)
    assert {labels(play, seat)[hidden] for seat in SEATS} == {before}
    assert len(before) == 4
    assert before.isalpha()
    last = play.declare("bob", parameters=ASKED)
    assert {(labels(play, seat)[first], labels(play, seat)[last]) for seat in SEATS} == {("1", "2")}


def test_a_comparison_has_letters(play: PlayedTable) -> None:
    rolls = []
    for seat in ("ann", "bob"):
        rolls.append(play.declare(seat, parameters={"attribute": 3}))
        play.do(seat, "throw", roll=rolls[-1], faces=[6, 5, 1])
    play.do("gm", "contest", key="c", check="opposed", rolls=rolls)
    assert {labels(play, seat)["gm/c"].isalpha() for seat in SEATS} == {True}
    assert len({labels(play, seat)["gm/c"] for seat in SEATS}) == 1
