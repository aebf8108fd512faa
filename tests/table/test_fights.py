"""Fights at the table: order, turns, and what each seat sees."""

from __future__ import annotations

import json

import pytest
from in_memory_table import PlayedTable
from me_d6_fights import (
    CORVIN,
    RAIDER,
    SANNA,
    assert_refused,
    begin_fight,
    fight_table,
    fight_view,
    legal_moves,
    order_names,
)

from handful import table as tables
from handful.errors import Refused
from handful.verifier import verify


@pytest.fixture
def play() -> PlayedTable:
    return fight_table()


def test_d14_the_order_follows_from_the_sheets(play: PlayedTable) -> None:
    begin_fight(play)
    assert order_names(play) == ["Corvin Ade", "Sanna Vey", "Raider"]
    assert fight_view(play)["turn"] == [CORVIN]
    assert (fight_view(play)["round"], fight_view(play)["seconds"]) == (1, 5)


def test_d15_marks_of_the_gm_break_ties_and_unknown_ones_are_refused(play: PlayedTable) -> None:
    assert_refused(
        play,
        "no mark 'quick'; there is first or situation",
        "gm",
        "fight",
        combatants=[{"character": SANNA, "marks": {"quick": 1}}],
    )


def test_d17_moves_belong_to_the_owner_and_the_gm(play: PlayedTable) -> None:
    begin_fight(play)
    assert "fix" in legal_moves(play, "bob", CORVIN)
    assert legal_moves(play, "ann", CORVIN) == set()
    assert_refused(play, "ann does not play", "ann", "fix", combatant=CORVIN, actions=1)
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("gm", "act", combatant=CORVIN, what="opens the door")
    play.do("bob", "act", combatant=CORVIN)
    assert fight_view(play)["turn"] == [SANNA]
    late = assert_refused(play, "has none left|turn of", "bob", "act", combatant=CORVIN)
    assert late.hint


def test_a_repeated_move_takes_effect_once(play: PlayedTable) -> None:
    begin_fight(play)
    play.do("bob", "fix", key="f", combatant=CORVIN, actions=2)
    for _ in range(3):
        play.do("bob", "act", key="a", combatant=CORVIN)
    (own,) = (one for one in fight_view(play)["order"] if one["combatant"] == CORVIN)
    assert own["left"] == 1


def test_d20_only_the_gm_allows_a_reaction_before_the_turn(play: PlayedTable) -> None:
    begin_fight(play)
    assert_refused(play, "has not had a turn", "ann", "react", combatant=SANNA)
    play.do("gm", "react", combatant=SANNA, actions=2, what="catches the flask")
    (own,) = (one for one in fight_view(play)["order"] if one["combatant"] == SANNA)
    assert (own["actions"], own["left"]) == (2, 1)


def test_d28_full_reaction(play: PlayedTable) -> None:
    begin_fight(play)
    assert_refused(play, "one of ranged", "bob", "stance", combatant=CORVIN, stance="full_reaction")
    play.do("bob", "stance", combatant=CORVIN, stance="full_reaction", choice="ranged")
    assert fight_view(play)["turn"] == [SANNA]
    assert_refused(play, "nothing else", "gm", "react", combatant=CORVIN)


def test_d40_sprinting_is_an_action(play: PlayedTable) -> None:
    begin_fight(play)
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    (event,) = play.do("bob", "pace", combatant=CORVIN, pace="sprinting")
    assert (event.data["distance"], event.data["cost"]) == (40, 1)
    assert_refused(play, "no pace 'flying'", "ann", "pace", combatant=SANNA, pace="flying")


def test_undo_takes_back_the_last_move(play: PlayedTable) -> None:
    begin_fight(play)
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    play.do("bob", "act", combatant=CORVIN)
    assert fight_view(play)["turn"] == [SANNA]
    play.do("bob", "undo_move", combatant=CORVIN)
    assert fight_view(play)["turn"] == [CORVIN]
    play.do("bob", "undo_move", combatant=CORVIN)
    play.do("bob", "fix", combatant=CORVIN, actions=3)
    play.do("bob", "end_turn", combatant=CORVIN)
    play.do("ann", "fix", combatant=SANNA, actions=1)
    assert_refused(play, "only the last one", "bob", "undo_move", combatant=CORVIN)


def test_rounds_end_by_the_gm_and_unused_actions_are_lost(play: PlayedTable) -> None:
    begin_fight(play)
    play.do("bob", "fix", combatant=CORVIN, actions=3)
    assert_refused(play, "next_round is not possible for bob", "bob", "next_round")
    play.do("gm", "next_round")
    assert fight_view(play)["round"] == 2
    assert all(one["actions"] is None for one in fight_view(play)["order"])
    play.do("gm", "end_fight")
    assert fight_view(play) is None
    assert_refused(play, "there is no fight", "bob", "fix", combatant=CORVIN, actions=1)


def test_joining_and_leaving(play: PlayedTable) -> None:
    play.do("gm", "fight", combatants=[{"character": SANNA}, {"name": "drone"}])
    play.do("gm", "join", who={"character": CORVIN})
    assert order_names(play) == ["Corvin Ade", "Sanna Vey", "drone"]
    play.do("gm", "join", who={"name": "turret"}, behind="gm/drone")
    assert order_names(play)[-1] == "turret"
    play.do("gm", "out", combatant="gm/drone")
    assert "drone" not in order_names(play)
    assert_refused(play, "fight is not possible for gm now", "gm", "fight", combatants=[{"name": "x"}])
    assert_refused(play, "already", "gm", "join", who={"character": CORVIN})


def test_amb_d12_a_die_settles_the_last_tie_and_is_the_same_for_both(play: PlayedTable) -> None:
    rolled = fight_table(options={"init_final_tie": "roll"})
    rolled.do("gm", "fight", key="f", combatants=[{"name": "b"}, {"name": "a"}])
    again = fight_table(options={"init_final_tie": "roll"})
    again.do("gm", "fight", key="f", combatants=[{"name": "a"}, {"name": "b"}, {"name": "c"}])
    assert [one for one in order_names(again) if one != "c"] == order_names(rolled)


@pytest.mark.parametrize("game", ["uwr", "agga", "fons", "tuurna"])
def test_the_other_games_have_the_order_of_the_gm(game: str) -> None:
    play = PlayedTable(game, ann="player", eve="watcher")
    play.do("gm", "fight", combatants=[{"name": "a"}, {"name": "b"}, {"name": "c"}], order=["c", "gm/a", "b"])
    assert order_names(play) == ["c", "a", "b"]
    play.do("gm", "fix", combatant="gm/c", actions=1)
    play.do("gm", "act", combatant="gm/c")
    assert fight_view(play)["turn"] == ["gm/a"]


def test_d15_unused_actions_are_lost_and_announced_for_visible_combatants(play: PlayedTable) -> None:
    begin_fight(play, {"name": "ghost", "hidden": True, "initiative": 20})
    play.do("gm", "fix", combatant="gm/ghost", actions=2)
    play.do("bob", "fix", combatant=CORVIN, actions=3)
    play.do("bob", "act", combatant=CORVIN)
    play.do("gm", "next_round")
    lost = {
        seat: {
            line["data"]["combatant"]: line["data"]["actions"]
            for line in tables.seat_log(play.empty, play.entries, seat)
            if line["kind"] == "actions_lost"
        }
        for seat in ("gm", "ann")
    }
    assert lost == {"gm": {"gm/ghost": 2, CORVIN: 2}, "ann": {CORVIN: 2}}


def test_a_fight_is_the_same_after_a_json_round_trip_and_every_export_verifies(
    play: PlayedTable,
) -> None:
    begin_fight(play, {"name": "ghost", "hidden": True})
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("bob", "act", combatant=CORVIN)
    play.do("gm", "uncover", combatant="gm/ghost")
    play.do("gm", "next_round")
    again = play.empty
    for entry in play.entries:
        again = tables.evolve(again, tables.read_event(json.loads(json.dumps(entry))))
    assert again == play.table
    for seat in ("gm", "ann", "bob", "eve"):
        problems, _ = verify(tables.export_log(play.empty, play.entries, seat))
        assert not problems


# -- what is hidden


def heard(play: PlayedTable, seat: str) -> str:
    views = [tables.view(play.table, seat), tables.legal_actions(play.table, seat)]
    return json.dumps(views) + json.dumps(play.log_of(seat))


@pytest.mark.parametrize("structure", ["turn", "interleaved"])
def test_hidden_combatants_do_not_show(structure: str) -> None:
    worlds = []
    for there in (True, False):
        play = fight_table(shown="hidden", options={"round_structure": structure})
        hidden = [{"character": RAIDER}, {"name": "ghost", "hidden": True}] if there else []
        seen_ones = [{"character": SANNA}, {"character": CORVIN}]
        play.do("gm", "fight", key="f", combatants=[*seen_ones, *hidden])
        texts = []
        for number in range(3):
            for who in ("ann", "bob"):
                own = SANNA if who == "ann" else CORVIN
                for do, data in (("fix", {"actions": 2}), ("wait", {}), ("act", {}), ("act", {})):
                    play.count = 1000 * number + len(texts)
                    try:
                        play.do(who, do, f"{who}{number}{len(texts)}", combatant=own, **data)
                        texts.append("done")
                    except Refused as refusal:
                        texts.append(f"{refusal.message} {refusal.hint}")
                if there:
                    for ghost in (RAIDER, "gm/ghost"):
                        for do, data in (("fix", {"actions": 1}), ("act", {})):
                            try:
                                play.do("gm", do, f"{ghost}{number}{do}{who}", combatant=ghost, **data)
                            except Refused:
                                continue
            play.count = 1000 * number + 500
            play.do("gm", "next_round", f"r{number}")
            for who in (RAIDER, "gm/ghost"):
                with pytest.raises(Refused) as told:
                    play.do("ann", "fix", combatant=who, actions=1)
                texts.append(told.value.message)
        worlds.append((texts, {seat: heard(play, seat) for seat in ("ann", "bob", "eve")}))
    assert worlds[0] == worlds[1]


def test_a_fight_of_hidden_combatants_is_invisible() -> None:
    play = fight_table(shown="hidden")
    before = heard(play, "ann")
    play.do("gm", "fight", combatants=[{"character": RAIDER}])
    play.do("gm", "next_round")
    assert heard(play, "ann") == before
    play.do("gm", "show", character=RAIDER, shown="own")
    assert order_names(play, "ann") == ["Raider"]


def test_joining_after_a_hidden_combatant_does_not_name_it(play: PlayedTable) -> None:
    begin_fight(play, {"name": "ghost", "hidden": True})
    play.do("gm", "join", who={"name": "drone"}, behind="gm/ghost")
    assert order_names(play, "ann")[-1] == "drone"
    assert "ghost" not in heard(play, "ann")
    assert play.log_of("gm")[-1]["data"]["behind"] == "gm/ghost"


def test_a_revealed_combatant_appears_in_the_fight() -> None:
    play = fight_table(shown="hidden")
    begin_fight(play)
    assert order_names(play, "ann") == ["Corvin Ade", "Sanna Vey"]
    play.do("gm", "show", character=RAIDER, shown="own")
    assert order_names(play, "ann") == ["Corvin Ade", "Sanna Vey", "Raider"]
    assert_refused(play, "can be seen in the fight", "gm", "show", character=RAIDER, shown="hidden")
    assert_refused(play, "is in the fight", "gm", "dismiss", character=RAIDER)
