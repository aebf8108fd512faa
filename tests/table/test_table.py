"""The table: rolls from declaration to the end, seats, exactly-once, undo and corrections."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from in_memory_table import PlayedTable, usual_table

from handful import table as tables
from handful.errors import BadReply, Refused
from handful.table import Command

PARAMETERS = {"attribute": 3.5, "skill": 2, "target": 2}


@pytest.fixture
def play() -> PlayedTable:
    return usual_table()


def thrown(play: PlayedTable, faces: list[int]) -> str:
    roll = play.declare("ann", parameters=PARAMETERS)
    play.do("ann", "throw", roll=roll, faces=faces)
    return roll


# -- the life of a roll


def test_a_roll_goes_from_declared_to_finalised(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    assert play.roll("bob", roll)["phase"] == "declared"
    play.do("ann", "throw", roll=roll)
    assert play.roll("bob", roll)["phase"] == "deciding"
    assert len(play.roll("bob", roll)["dice"]) == 5
    play.do("ann", "answer", roll=roll, answer=[1])
    assert play.roll("bob", roll)["phase"] == "rolling"
    play.do("ann", "throw", roll=roll)
    seen = play.roll("bob", roll)
    assert seen["phase"] == "finalised"
    assert seen["outcome"]["success"] in (True, False)
    assert len(seen["dice"]) == 6


def test_faces_follow_from_the_key_and_the_key_was_promised(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    promised = play.roll("ann", roll)["commitment"]
    assert not play.roll("ann", roll)["asked"].get("key")
    play.do("ann", "throw", roll=roll, entropy="my lucky word")
    play.do("ann", "answer", roll=roll, answer=[])
    assert play.roll("ann", roll)["key"] == ""
    play.do("ann", "finalise", roll=roll)
    seen = play.roll("ann", roll)
    assert tables.derive_faces(seen["key"], 0, 5, 6, "my lucky word") == tuple(
        die["face"] for die in seen["dice"]
    )
    from hashlib import sha256

    assert sha256(bytes.fromhex(seen["key"])).hexdigest() == promised


def test_physical_dice_are_typed_in_and_marked(play: PlayedTable) -> None:
    roll = thrown(play, [6, 3, 1, 5, 2])
    assert [die["face"] for die in play.roll("eve", roll)["dice"]] == [6, 3, 1, 5, 2]
    assert all(die["physical"] for die in play.roll("eve", roll)["dice"])
    for faces in ([1, 7], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 7]):
        other = play.declare("ann", parameters=PARAMETERS)
        with pytest.raises(BadReply):
            play.do("ann", "throw", roll=other, faces=faces)
        assert play.roll("ann", other)["phase"] == "declared"


def test_odds_of_each_answer_at_a_decision(play: PlayedTable) -> None:
    roll = thrown(play, [6, 3, 1, 4, 2])
    odds = tables.odds(play.table, "ann", roll)
    assert odds["answers"]["none"] == "0"
    assert odds["answers"]["2"] == "1/3"


def test_a_roll_without_dice_is_finalised_at_once() -> None:
    play = PlayedTable("me-d6", ann="player")
    roll = play.declare("ann", "take10", parameters={"attribute": "3D", "difficulty": 8})
    assert play.roll("ann", roll)["phase"] == "finalised"
    assert play.roll("ann", roll)["outcome"]["success"] is True


def test_d5_the_gm_rules_on_a_critical_failure_with_words() -> None:
    play = PlayedTable("me-d6", ann="player", eve="watcher")
    asked = {"dice": "3D", "difficulty": 5, "ruling": "ask"}
    roll = play.declare("ann", "check", parameters=asked)
    play.do("ann", "throw", roll=roll, faces=[1, 5, 3])
    assert "answer" not in play.allowed("ann", roll)
    assert play.roll("gm", roll)["question"]["odds"]["results"] == {"cancel": 4, "complication": 9}
    assert play.roll("gm", roll)["modes"] == ["public", "public"]
    with pytest.raises(Refused):
        play.do("ann", "answer", roll=roll, answer="complication")
    play.do("gm", "answer", roll=roll, answer="complication", words="the lamp goes out")
    play.do("gm", "finalise", roll=roll)
    seen = play.roll("eve", roll)
    assert seen["decisions"][0]["words"] == "the lamp goes out"
    assert "complication" in {one["event"] for one in seen["events"]}


# -- undo and corrections


def test_a_player_cannot_undo_a_ruling_of_the_gm() -> None:
    play = PlayedTable("me-d6", ann="player")
    asked = {"dice": "3D", "difficulty": 5, "ruling": "ask"}
    roll = play.declare("ann", "check", parameters=asked)
    play.do("ann", "throw", roll=roll, faces=[1, 5, 3])
    play.do("gm", "answer", roll=roll, answer="complication")
    assert "undo" not in play.allowed("ann", roll)
    with pytest.raises(Refused, match="not possible"):
        play.do("ann", "undo", roll=roll)
    play.do("gm", "undo", roll=roll)
    assert play.roll("ann", roll)["phase"] == "deciding"


def test_undo_takes_back_decisions_up_to_the_last_throw(play: PlayedTable) -> None:
    roll = thrown(play, [6, 3, 1, 4, 2])
    assert "undo" not in play.allowed("ann", roll)
    play.do("ann", "answer", roll=roll, answer=[])
    assert play.roll("ann", roll)["phase"] == "decided"
    play.do("ann", "undo", roll=roll)
    play.do("ann", "answer", roll=roll, answer=[2])
    play.do("ann", "throw", roll=roll)
    with pytest.raises(Refused, match="not possible"):
        play.do("ann", "undo", roll=roll)


def test_a_correction_recomputes_and_never_rerolls(play: PlayedTable) -> None:
    roll = thrown(play, [6, 5, 1, 4, 2])
    play.do("ann", "answer", roll=roll, answer=[])
    play.do("ann", "finalise", roll=roll)
    assert play.roll("ann", roll)["outcome"]["success"] is True
    before = play.roll("ann", roll)["dice"]
    play.do("gm", "correct", roll=roll, parameters={"target": 3}, words="it was slippery")
    assert play.roll("ann", roll)["outcome"]["success"] is False
    assert play.roll("ann", roll)["dice"] == before
    with pytest.raises(Refused, match="other dice"):
        play.do("gm", "correct", roll=roll, parameters={"skill": 5})
    with pytest.raises(Refused):
        play.do("ann", "correct", roll=roll, parameters={"target": 1})


# -- seats, house rules, keys


def test_watchers_cannot_act(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    assert [one["do"] for one in tables.legal_actions(play.table, "eve")] == ["leave"]
    for do, data in (("declare", {"check": "direct"}), ("throw", {"roll": roll})):
        with pytest.raises(Refused):
            play.do("eve", do, **data)


def test_no_player_acts_for_another(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    with pytest.raises(Refused):
        play.do("bob", "throw", roll=roll)
    with pytest.raises(Refused, match="no seat"):
        play.do("mallory", "declare", check="direct")
    with pytest.raises(Refused, match="only the GM"):
        play.do("bob", "declare", check="direct", for_="ann")
    absent = play.declare("gm", parameters=PARAMETERS, for_="ann")
    assert play.roll("bob", absent)["roller"] == "ann"
    play.do("gm", "throw", roll=absent)


def test_house_rules_count_from_the_next_roll(play: PlayedTable) -> None:
    before = play.declare("ann", parameters={"attribute": 3, "rerolls": 2})
    play.do("gm", "house_rules", options={"reroll_stack": "stacking"})
    after = play.declare("ann", parameters={"attribute": 3, "rerolls": 2})
    assert play.roll("ann", before)["asked"]["options"]["reroll_stack"] == "distinct"
    assert play.roll("ann", after)["asked"]["options"]["reroll_stack"] == "stacking"
    with pytest.raises(Refused):
        play.do("ann", "house_rules", options={})
    with pytest.raises(Refused, match="reroll_stack"):
        play.do("gm", "house_rules", options={"reroll_stack": "never"})


def test_a_repeated_key_changes_nothing(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    assert play.do("ann", "throw", key="once", roll=roll)
    state = play.table
    assert play.do("ann", "throw", key="once", roll=roll) == ()
    assert play.table == state
    with pytest.raises(Refused, match="another command"):
        play.do("ann", "throw", key="once", roll=roll, entropy="other")
    assert play.do("bob", "declare", key="once", check="direct")  # keys are a seat's own


@pytest.mark.parametrize("name", ["", "a/b", " ann", "x" * 61, "two\nlines", "\u202eann"])
def test_the_opener_of_a_table_has_a_name(name: str) -> None:
    """Rolls and requests are named after their seat."""
    play = PlayedTable(ann="player")
    with pytest.raises(Refused, match="name"):
        tables.decide(play.empty, Command("open", "1", {"table": "t"}), name, play.dice)
    with pytest.raises(Refused, match="name"):
        play.do("gm", "seat", name=name, role="player")
    with pytest.raises(Refused, match="key"):
        tables.decide(play.table, Command("leave", name, {}), "ann", play.dice)


def test_only_plain_data_is_a_command(play: PlayedTable) -> None:
    deep: dict[str, object] = {}
    for _ in range(5000):
        deep = {"attribute": deep}
    for data in (
        MappingProxyType({"check": "direct"}),
        {"check": "direct", "parameters": deep},
        {"check": "direct", "parameters": MappingProxyType({})},
        {"check": "direct", "parameters": {"attribute": float("nan")}},
        {"check": "direct", "parameters": {"attribute": 2**70}},
        {1: 2},
        None,
        "declare",
    ):
        with pytest.raises(Refused, match="names, texts, numbers"):
            tables.decide(play.table, Command("declare", "1", data), "ann", play.dice)


def test_without_a_seat_nothing_is_visible(play: PlayedTable) -> None:
    roll = play.declare("ann", parameters=PARAMETERS)
    seen = tables.view(play.table, "mallory")
    assert seen["role"] == ""
    assert seen["rolls"] == seen["characters"] == seen["requests"] == seen["may"] == []
    with pytest.raises(Refused, match="knows no odds"):
        tables.odds(play.table, "mallory", roll)


def test_a_view_has_the_latest_rolls_and_all_that_are_not_over(play: PlayedTable) -> None:
    waiting = play.declare("ann", parameters=PARAMETERS)
    blind = play.declare("ann", parameters=PARAMETERS, mode="blind")
    play.do("gm", "throw", roll=blind, faces=[1, 2, 3, 4, 1])  # for ann that is the end of it
    old = thrown(play, [6, 5, 5, 6, 6])
    play.do("ann", "answer", roll=old, answer=[])
    play.do("ann", "finalise", roll=old)
    later = [play.declare("bob", parameters={"attribute": 0}) for _ in range(60)]  # no dice: over
    for seat in ("gm", "ann", "eve"):
        seen = tables.view(play.table, seat)
        shown = [one["roll"] for one in seen["rolls"]]
        assert shown == [waiting, *([blind] if seat == "gm" else []), *later[-50:]]
        assert {one["roll"] for one in tables.actions_in(seen) if "roll" in one} <= {*shown}
    play.do("gm", "correct", roll=old, parameters={"target": 3})  # it stays legal all the same
    assert "correct" in play.allowed("gm", old)


# -- the laws of the reducer


def test_folding_the_log_read_back_gives_the_same_table(play: PlayedTable) -> None:
    roll = thrown(play, [6, 5, 1, 4, 2])
    play.do("ann", "answer", roll=roll, answer=[3])
    play.do("ann", "throw", roll=roll)
    play.do("gm", "correct", roll=roll, parameters={"target": 3})
    again = tables.fold(play.empty, (tables.read_event(entry) for entry in play.entries))
    for seat in play.table.seats:
        assert tables.view(again, seat) == tables.view(play.table, seat)
    assert again.command_digests == play.table.command_digests
    assert again.seq == play.table.seq == len(play.entries)


# -- colours of seats


def test_everybody_who_plays_chooses_a_colour_that_all_see() -> None:
    play = usual_table()
    for seat, colour in (("ann", "red"), ("gm", "teal"), ("bob", "red")):
        play.do(seat, "style", colour=colour)
    for seat in ("gm", "ann", "eve"):
        assert {one["name"]: one.get("colour") for one in tables.view(play.table, seat)["seats"]} == {
            "gm": "teal",
            "ann": "red",
            "bob": "red",
            "eve": None,
        }


@pytest.mark.parametrize("colour", ["beige", "", "#ff0000", 3, None])
def test_a_colour_is_one_of_a_few(colour: object) -> None:
    with pytest.raises(Refused, match="'colour' must be"):
        usual_table().do("ann", "style", colour=colour)


def test_a_watcher_has_no_colour() -> None:
    with pytest.raises(Refused, match="style"):
        usual_table().do("eve", "style", colour="red")


def test_the_same_colour_again_is_no_event() -> None:
    play = usual_table()
    play.do("ann", "style", colour="red")
    with pytest.raises(Refused, match="already"):
        play.do("ann", "style", colour="red")
