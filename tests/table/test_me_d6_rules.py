"""The rules of me-d6 at the table, by number: what is offered and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from in_memory_table import PlayedTable, sheet
from me_d6_fights import (
    CORVIN,
    EASY,
    RAIDER,
    SANNA,
    assert_refused,
    begin_fight,
    fight_table,
    fight_view,
    hit_points,
    legal_moves,
    order_names,
    place_of,
    roll_with,
    sheet_of,
)

from handful import table as tables

MELEE = {"dice": "melee", "kind": "melee"}
HOUR = 3600


def healed(**options: Any) -> PlayedTable:
    """Corvin, Sanna, Raider, in this order, all of them seen; Sanna is unhurt."""
    play = fight_table(options=options)
    play.do("gm", "adjust", character=SANNA, resources={"hit_points": 29 - hit_points(play, SANNA)})
    return begin_fight(play)


@pytest.fixture
def play() -> PlayedTable:
    return healed()


def lines(play: PlayedTable, roll: str) -> dict[str, Any]:
    found = play.roll("gm", roll)["lines"]
    return {one["parameter"]: one["value"] for one in found if one["on"]}


def to_the_raider(play: PlayedTable, corvins: int = 1, sannas: int = 1) -> None:
    """Corvin and Sanna keep their actions; now it is the raider's turn."""
    for who, seat, count in ((CORVIN, "bob", corvins), (SANNA, "ann", sannas)):
        play.do(seat, "fix", combatant=who, actions=count)
        play.do(seat, "end_turn", combatant=who)
    play.do("gm", "fix", combatant=RAIDER, actions=1)


# -- checks


def test_d12_untrained_checks_may_be_harder_or_impossible_by_ruling(play: PlayedTable) -> None:
    play.do("gm", "end_fight")
    asked = {"dice": "survival", "difficulty": 10}
    roll = play.declare("ann", "check", as_=SANNA, parameters=asked)
    (line,) = (one for one in play.roll("gm", roll)["lines"] if one["parameter"] == "untrained")
    assert not line["on"]
    play.do("gm", "switch", roll=roll, line=line["number"], on=True)
    assert play.roll("ann", roll)["asked"]["parameters"]["untrained"] == 5
    play.do("gm", "cancel", roll=roll)  # or not at all
    assert play.roll("ann", roll)["phase"] == "cancelled"
    play.do("gm", "request", key="r", to=["ann"], check="check")
    play.do("ann", "propose", request="gm/r", parameters=asked, as_=SANNA)
    play.do("gm", "refuse", request="gm/r", name="ann", words="nobody learns that by looking")
    assert not tables.view(play.table, "ann")["requests"][0]["proposals"]


def test_d11_amb_d21_taking_10_is_an_action_and_needs_calm_and_dice(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    calm = play.declare("bob", "take10", as_=CORVIN, parameters={"attribute": "command"})
    assert place_of(play, CORVIN)["left"] == 0
    play.do("gm", "finalise", roll=calm)
    play.do("gm", "harm", character=SANNA, damage=1)
    play.do("ann", "fix", combatant=SANNA, actions=1)
    ten = {"check": "take10", "as_": SANNA, "parameters": {"attribute": "repair"}}
    assert_refused(play, "was attacked this round", "ann", "declare", **ten)
    play.do("gm", "next_round")
    play.do("bob", "end_turn", combatant=CORVIN)
    play.do("ann", "fix", combatant=SANNA, actions=6)  # 4D, wounded, and two actions are free
    assert_refused(play, "zero dice", "ann", "declare", **ten)


# -- rounds


def test_d13_a_round_has_5_seconds_and_an_ability_frees_a_second_action(play: PlayedTable) -> None:
    assert (fight_view(play)["round"], fight_view(play)["seconds"]) == (1, 5)
    play.do("bob", "end_turn", combatant=CORVIN)
    play.do("ann", "fix", combatant=SANNA, actions=2)
    roll = play.declare("ann", "check", as_=SANNA, parameters={"dice": "repair"})
    assert (lines(play, roll)["actions"], lines(play, roll)["free_actions"]) == (2, 2)
    play.do("ann", "throw", roll=roll, faces=[3, 3, 3, 3])  # 4D+1, six points: nothing is lost
    assert play.roll("ann", roll)["outcome"]["total"] == 12 + 1 + 6


def test_d15_g_d13_places_stay_when_sheets_change(play: PlayedTable) -> None:
    before = order_names(play)
    there = {one["character"]: one for one in tables.view(play.table, "gm")["characters"]}
    own = there[RAIDER]
    quick = {**own["sheet"], "attributes": {**own["sheet"]["attributes"], "perception": "9D"}}
    play.do("gm", "bring", sheet=quick, replaces=own["mark"])
    play.do("gm", "next_round")
    assert order_names(play) == before


def test_amb_d12_the_gm_breaks_the_last_tie() -> None:
    for option in ("stable", "roll", "shared"):
        play = fight_table(options={"init_final_tie": option})
        twins = [{"name": name, "initiative": 9} for name in ("a", "b")]
        play.do("gm", "fight", combatants=twins, order=["b", "a"])
        assert order_names(play) == ["b", "a"]
    shared = fight_table(options={"init_final_tie": "shared"})
    shared.do("gm", "fight", combatants=[{"name": name, "initiative": 9} for name in ("a", "b")])
    assert {*fight_view(shared)["turn"]} == {"gm/a", "gm/b"}


def test_d16_combatants_act_in_turn(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    for do, data in (("fix", {"actions": 1}), ("act", {}), ("prepare", {}), ("end_turn", {})):
        late = assert_refused(play, "turn of bob/Corvin Ade", "ann", do, combatant=SANNA, **data)
        assert late.hint


def test_d17_no_action_beyond_those_fixed(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("bob", "wait", combatant=CORVIN)
    play.do("bob", "act", combatant=CORVIN)
    assert_refused(play, "already: 2", "bob", "fix", combatant=CORVIN, actions=3)
    assert_refused(play, "turn of ann", "bob", "act", combatant=CORVIN)
    assert_refused(
        play, "has none left", "bob", "declare", check="check", as_=CORVIN, parameters=EASY, spends="reaction"
    )


def test_d18_act_wait_act_wait_within_the_number(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=5)
    for do in ("act", "wait", "act", "wait", "act"):
        play.do("bob", do, combatant=CORVIN)
    assert place_of(play, CORVIN)["left"] == 0


def test_d19_a_combatant_that_has_not_waited_cannot_interrupt(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    roll = roll_with(play, "bob", CORVIN, "check", [3, 3, 3], parameters=EASY)
    early = assert_refused(play, "has not waited", "ann", "interrupt", combatant=SANNA, roll_of=roll)
    assert not early.hint or "interrupt" not in early.hint
    asked = {"check": "check", "as_": SANNA, "parameters": {"dice": "repair"}}
    assert_refused(play, "has not waited", "ann", "declare", **asked, spends="interruption", interrupts=roll)
    assert_refused(play, "which roll", "ann", "declare", **asked, spends="interruption")


def test_d19_amb_d7_the_moment_comes_after_the_points(play: PlayedTable) -> None:
    play.do("gm", "adjust", character=SANNA, resources={"paragon": 1})
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("bob", "wait", combatant=CORVIN)
    play.do("ann", "fix", combatant=SANNA, actions=1)
    roll = roll_with(
        play, "ann", SANNA, "check", [1, 2, 2, 2], parameters={"dice": "repair", "difficulty": 15}
    )
    moment = {"combatant": CORVIN, "roll_of": roll}
    assert_refused(play, "is deciding", "bob", "interrupt", **moment)  # the GM rules first
    play.do("gm", "answer", roll=roll, answer="cancel")
    assert_refused(play, "is deciding", "bob", "interrupt", **moment)
    play.do("ann", "answer", roll=roll, answer="paragon-bonus")
    play.do("bob", "interrupt", **moment)
    play.do("gm", "finalise", roll=roll)


@pytest.mark.parametrize("division", [False, True])
def test_d26_d27_interleaved_rounds_with_waiting_and_interrupting(division: bool) -> None:
    play = healed(round_structure="interleaved", initiative_division=division)
    assert fight_view(play)["declaring"]
    assert_refused(play, "the slowest begins", "bob", "fix", combatant=CORVIN, actions=1)
    for who, count in ((RAIDER, 1), (SANNA, 1), (CORVIN, 3)):
        play.do("gm", "fix", combatant=who, actions=count)
    play.do("bob", "wait", combatant=CORVIN)
    if division:  # Corvin: 14, 9 1/3, 4 2/3; Sanna 13; Raider 9
        assert fight_view(play)["turn"] == [SANNA]
    roll = roll_with(play, "ann", SANNA, "check", [3, 3, 3, 3], parameters={"dice": "repair"})
    play.do("bob", "interrupt", combatant=CORVIN, roll_of=roll)
    assert place_of(play, CORVIN)["left"] == 1
    play.do("gm", "finalise", roll=roll)
    while (turn := fight_view(play)["turn"]) != [CORVIN]:
        play.do("gm", "act", combatant=turn[0])
    play.do("bob", "act", combatant=CORVIN)
    while fight_view(play)["turn"]:
        play.do("gm", "act", combatant=fight_view(play)["turn"][0])
    assert all(one["left"] == 0 for one in fight_view(play)["order"])


def test_d26_a_late_combatant_declares_from_the_next_round_on() -> None:
    play = fight_table(options={"round_structure": "interleaved"})
    play.do("gm", "fight", combatants=[{"character": SANNA}, {"character": CORVIN}])
    for who in (SANNA, CORVIN):
        play.do("gm", "fix", combatant=who, actions=2)
    play.do("gm", "join", who={"character": RAIDER})
    play.do("bob", "act", combatant=CORVIN)  # goes on
    play.do("gm", "next_round")
    assert fight_view(play)["turn"] == [RAIDER]


def test_d20_early_by_the_gms_leave_also_with_a_check(play: PlayedTable) -> None:
    catch = {"check": "check", "as_": SANNA, "parameters": {"dice": "acrobatics"}}
    assert_refused(play, "has not had a turn", "ann", "declare", **catch, spends="reaction")
    play.do("gm", "declare", **catch, spends="reaction", for_="ann")
    assert (place_of(play, SANNA)["actions"], place_of(play, SANNA)["left"]) == (1, 0)


def test_d21_several_tasks_at_once_outside_of_rounds_are_given_by_hand(play: PlayedTable) -> None:
    play.do("gm", "end_fight")
    asked = {"dice": "command", "difficulty": 10, "actions": 3}
    roll = play.declare("bob", "check", as_=CORVIN, parameters=asked)
    said = {one["source"]: one["value"] for one in _log_entries(play, roll)}
    assert said["actions"] == -2


def _log_entries(play: PlayedTable, roll: str) -> list[dict[str, Any]]:
    play.do("bob", "throw", roll=roll)
    found: list[dict[str, Any]] = play.roll("gm", roll)["modifiers"]
    return found


def test_d22_a_roll_that_is_cancelled_has_not_used_the_weapon(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    shoot = {"check": "check", "as_": CORVIN, "parameters": EASY, "item": "pistol"}
    play.do("bob", "declare", key="s", **shoot)
    play.do("bob", "cancel", roll="bob/s")
    play.do("bob", "declare", **shoot)
    assert_refused(play, "once a round", "bob", "declare", **shoot)
    play.do("gm", "next_round")
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("bob", "declare", **shoot)


def test_d23_with_no_dice_left_nothing_is_thrown(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=9)
    why = assert_refused(
        play,
        "Multi-action penalty: -8 dice. No dice left",
        "bob",
        "declare",
        check="check",
        as_=CORVIN,
        parameters=EASY,
    )
    assert "Die code: +4 dice" in why.message
    assert place_of(play, CORVIN)["left"] == 9


def test_d24_d25_a_requested_check_need_not_be_an_action(play: PlayedTable) -> None:
    play.do("gm", "request", key="r", to=["ann"], check="check")
    play.do("ann", "propose", request="gm/r", as_=SANNA, parameters={"dice": "willpower"})
    assert_refused(play, "turn of bob", "gm", "accept", request="gm/r", name="ann")
    play.do("gm", "accept", request="gm/r", name="ann", spends="nothing")
    assert place_of(play, SANNA)["actions"] is None


def test_d28_amb_d18_a_full_reaction_is_the_whole_round(play: PlayedTable) -> None:
    play.do("bob", "stance", combatant=CORVIN, stance="full_reaction", choice="melee")
    for do, data in (("act", {}), ("react", {}), ("pace", {"pace": "walking"}), ("prepare", {})):
        assert_refused(
            play, "nothing else|turn of|does not move|whole round", "bob", do, combatant=CORVIN, **data
        )
    play.do("ann", "end_turn", combatant=SANNA)
    play.do("gm", "fix", combatant=RAIDER, actions=1)
    hit = play.declare("gm", "attack", as_=RAIDER, target=CORVIN, parameters=MELEE)
    assert lines(play, hit)["full_reaction"] is True


def test_d28_a_full_reaction_comes_before_the_first_action(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    assert_refused(
        play,
        "already declared what this round is for",
        "bob",
        "stance",
        combatant=CORVIN,
        stance="full_reaction",
        choice="melee",
    )


# -- time


def test_d29_preparing_counts_once_and_the_gm_may_find_it_disturbed(play: PlayedTable) -> None:
    play.do("bob", "prepare", combatant=CORVIN)
    assert_refused(play, "turn of ann", "bob", "act", combatant=CORVIN)
    play.do("gm", "next_round")
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    first = play.declare("bob", "check", as_=CORVIN, parameters=EASY)
    assert lines(play, first)["prepare"] == 2
    (line,) = (one for one in play.roll("gm", first)["lines"] if one["parameter"] == "prepare")
    play.do("gm", "switch", roll=first, line=line["number"], on=False)
    play.do("bob", "throw", roll=first)
    second = play.declare("bob", "check", as_=CORVIN, parameters=EASY)
    assert "prepare" not in lines(play, second)


def test_d29_waiting_after_preparing_counts_the_time_once(play: PlayedTable) -> None:
    play.do("bob", "prepare", combatant=CORVIN)
    play.do("gm", "next_round")
    play.do("bob", "fix", combatant=CORVIN, actions=4)
    play.do("bob", "wait", combatant=CORVIN)
    roll_with(play, "bob", CORVIN, "check", [3, 3, 3], parameters={"dice": "5D"})
    assert place_of(play, CORVIN)["prepared"] == 0


@pytest.mark.parametrize(("minutes", "harder"), [(45, 5), (40, 10), (30, 10), (15, 20), (14, None)])
def test_d30_g_d9_amb_d14_rushing_an_hours_work(minutes: int, harder: int | None) -> None:
    play = PlayedTable("me-d6", ann="player")
    rush = {"dice": "4D", "difficulty": 10, "base_time": HOUR, "rush": f"{60 - minutes}/60"}
    if harder is None:
        assert_refused(play, "at most 75%", "ann", "declare", check="check", parameters=rush)
        return
    roll = play.declare("ann", "check", parameters=rush)
    play.do("ann", "throw", roll=roll, faces=[2, 2, 2, 2])
    assert play.roll("ann", roll)["outcome"]["difficulty"] == 10 + harder


def test_d30_g_d9_a_5_second_task_cannot_be_rushed() -> None:
    play = PlayedTable("me-d6", ann="player")
    asked = {"dice": "4D", "difficulty": 10, "base_time": 5, "rush": "1/4"}
    assert_refused(play, "two rounds", "ann", "declare", check="check", parameters=asked)


# -- opposed


def test_d35_both_sides_use_up_an_action(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    play.do("bob", "wait", combatant=CORVIN)
    play.do("ann", "fix", combatant=SANNA, actions=1)
    roll = play.declare("gm", "opposed", as_=[SANNA, CORVIN], sides=[{"dice": "con"}, {"dice": "command"}])
    assert (place_of(play, SANNA)["left"], place_of(play, CORVIN)["left"]) == (0, 0)
    play.do("gm", "cancel", roll=roll)
    assert (place_of(play, SANNA)["left"], place_of(play, CORVIN)["left"]) == (1, 1)
    assert place_of(play, CORVIN)["waiting"]


def test_d35_amb_d19_only_a_waiting_combatant_rolls(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    both = {"check": "opposed", "as_": [CORVIN, SANNA], "sides": [{"dice": "con"}] * 2}
    late = assert_refused(play, "neither waited nor prepared", "gm", "declare", **both)
    assert "set a difficulty" in late.hint
    play.do("gm", "declare", **both, spends="nothing")  # a free reaction roll


def test_d35_resisting_ends_preparation(play: PlayedTable) -> None:
    play.do("bob", "prepare", combatant=CORVIN)
    play.do("ann", "fix", combatant=SANNA, actions=1)
    resist = {"check": "check", "as_": CORVIN, "parameters": {"dice": "willpower"}}
    roll = play.declare("bob", **resist, spends="resistance")
    assert "prepare" not in lines(play, roll)  # the round is not over
    assert place_of(play, CORVIN)["prepared"] == 0


# -- movement


def test_d39_d40_g_d12_running_is_a_line_and_the_gm_asks_for_terrain(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    (event,) = play.do("bob", "pace", combatant=CORVIN, pace="running")
    assert (event.data["distance"], event.data["cost"]) == (20, 0)
    roll = play.declare("bob", "check", as_=CORVIN, parameters=EASY)
    assert lines(play, roll)["running"] is True
    play.do(
        "gm",
        "request",
        key="t",
        to=["bob"],
        check="check",
        as_=CORVIN,
        parameters={"dice": "acrobatics", "difficulty": 12},
        title="a wreck",
    )
    play.do("gm", "accept", request="gm/t", name="bob", parameters={}, spends="nothing")
    assert place_of(play, CORVIN)["left"] == 1
    assert_refused(play, "moves once a round", "bob", "pace", combatant=CORVIN, pace="sprinting")


def test_d40_sprinting_needs_an_action_that_is_left(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    play.do("bob", "act", combatant=CORVIN)
    assert_refused(play, "turn of ann|none left", "bob", "pace", combatant=CORVIN, pace="sprinting")


# -- attacks


def test_d41_cover_and_distance_are_lines_of_the_gm(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    shot = play.declare(
        "bob",
        "attack",
        as_=CORVIN,
        target=RAIDER,
        item="pistol",
        parameters={"dice": "ranged", "kind": "ranged"},
    )
    play.do("gm", "add_line", roll=shot, parameter="modifier", value=5, note="behind a crate")
    play.do("bob", "throw", roll=shot, faces=[3, 3])
    defense = lines(play, shot)["defense"]
    assert play.roll("gm", shot)["outcome"]["difficulty"] == defense + 5


@pytest.mark.parametrize("kind", ["melee", "brawling", "ranged"])
def test_d41_d42_each_kind_against_its_own_defense(play: PlayedTable, kind: str) -> None:
    play.do("gm", "end_fight")
    own = sheet("me-d6", "raider", name="Guard", skills={"melee": 1, "brawling": 2, "dodge": 7})
    play.do("gm", "bring", sheet=own, shown="own")
    play.do("gm", "fight", combatants=[{"character": CORVIN}, {"character": "gm/Guard"}])
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    roll = play.declare(
        "bob", "attack", as_=CORVIN, target="gm/Guard", parameters={"dice": "3D", "kind": kind}
    )
    derived = sheet_of(play, "gm/Guard")["derived"]
    assert len({derived[f"{one}_defense"] for one in ("melee", "brawling", "ranged")}) == 3
    assert lines(play, roll)["defense"] == derived[f"{kind}_defense"]


def test_d43_a_parry_needs_an_action_that_is_left_and_costs_it(play: PlayedTable) -> None:
    to_the_raider(play)
    hit = roll_with(play, "gm", RAIDER, "attack", [5, 6, 6], target=SANNA, parameters=MELEE)
    parry = {"check": "check", "as_": SANNA, "answers": hit}
    assert_refused(play, "only the GM can grant", "ann", "declare", **parry, spends="nothing")
    play.do("ann", "react", combatant=SANNA)
    late = assert_refused(play, "had 1 action this round and has none left", "ann", "declare", **parry)
    assert "react" not in late.hint


def hit_before_her_turn(**options: Any) -> tuple[PlayedTable, dict[str, Any]]:
    """The raider hits Sanna, who has not had a turn yet; and her parry."""
    play = healed(**options)
    play.do("gm", "out", combatant=RAIDER)
    play.do("gm", "join", who={"character": RAIDER}, behind=CORVIN)
    play.do("bob", "end_turn", combatant=CORVIN)
    play.do("gm", "fix", combatant=RAIDER, actions=1)
    hit = roll_with(play, "gm", RAIDER, "attack", [5, 6, 6], target=SANNA, parameters=MELEE)
    return play, {"check": "check", "as_": SANNA, "answers": hit}


def asked(play: PlayedTable, seat: str, do: str = "take_hit") -> list[dict[str, Any]]:
    return [one for one in tables.legal_actions(play.table, seat) if one["do"] == do]


def test_d43_amb_d17_a_hit_combatant_is_asked_at_once_even_before_its_turn() -> None:
    play, parry = hit_before_her_turn()
    (question,) = asked(play, "ann")
    assert question == {"do": "take_hit", "combatant": SANNA, "roll_of": parry["answers"]}
    assert not asked(play, "bob")
    play.do("ann", "declare", **parry)
    assert (place_of(play, SANNA)["actions"], place_of(play, SANNA)["left"]) == (1, 0)
    assert not asked(play, "ann")


def test_d43_d17_an_early_parry_fixes_the_number_of_actions_that_is_said() -> None:
    play, parry = hit_before_her_turn()
    roll = play.declare("ann", **parry, parameters={"actions": 3})
    assert (place_of(play, SANNA)["actions"], place_of(play, SANNA)["left"]) == (3, 2)
    assert lines(play, roll)["actions"] == 3
    play.do("ann", "cancel", roll=roll)
    assert place_of(play, SANNA)["actions"] is None
    play.do("ann", "declare", **parry, actions=2)
    assert (place_of(play, SANNA)["actions"], place_of(play, SANNA)["left"]) == (2, 1)
    play.do("gm", "end_turn", combatant=RAIDER) if fight_view(play)["turn"] == [RAIDER] else None
    assert fight_view(play)["turn"] == [SANNA]
    assert_refused(
        play,
        "has 2 actions this round, not 1",
        "ann",
        "declare",
        check="check",
        as_=SANNA,
        parameters={**EASY, "actions": 1},
    )
    play.do("ann", "declare", check="check", as_=SANNA, parameters={**EASY, "actions": 2})
    assert place_of(play, SANNA)["left"] == 0


def test_amb_d17_with_gm_leave_an_early_parry_is_granted_by_the_gm() -> None:
    play, parry = hit_before_her_turn(early_parry="gm_leave")
    early = assert_refused(play, "has not had a turn yet", "ann", "declare", **parry)
    assert "early reaction" in early.hint
    assert_refused(play, "only the GM", "ann", "grant", combatant=SANNA, leave="reaction")
    play.do("gm", "grant", combatant=SANNA, leave="reaction")
    play.do("ann", "declare", **parry)
    assert place_of(play, SANNA)["left"] == 0


def test_d43_a_hit_may_be_taken_and_is_not_asked_about_again() -> None:
    play, parry = hit_before_her_turn()
    assert_refused(play, "bob does not play", "bob", "take_hit", combatant=SANNA, roll_of=parry["answers"])
    play.do("ann", "take_hit", combatant=SANNA, roll_of=parry["answers"])
    assert not asked(play, "ann")
    assert any(one["kind"] == "hit_taken" for one in play.log_of("ann"))
    assert not any(one["kind"] == "hit_taken" for one in play.log_of("bob"))
    assert_refused(play, "has already taken the hit", "ann", "declare", **parry)
    assert_refused(play, "is not asked", "ann", "take_hit", combatant=SANNA, roll_of=parry["answers"])
    assert place_of(play, SANNA)["actions"] is None


def test_d28_amb_d18_the_slowest_may_take_a_full_reaction_when_first_attacked(
    play: PlayedTable,
) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    hit = play.declare("bob", "attack", as_=CORVIN, target=RAIDER, parameters={"dice": "melee"})
    play.do("gm", "stance", combatant=RAIDER, stance="full_reaction", choice="melee")
    assert lines(play, hit)["full_reaction"] is True
    assert play.roll("gm", hit)["asked"]["parameters"]["full_reaction"] is True
    play.do("bob", "throw", roll=hit, faces=[3, 3, 3])
    play.do("gm", "finalise", roll=hit)
    play.do("ann", "fix", combatant=SANNA, actions=1)
    late = play.declare("ann", "attack", as_=SANNA, target=RAIDER, parameters={"dice": "brawling"})
    assert "full_reaction" not in lines(play, late)  # the Defense that was chosen, and no other
    play.do("ann", "cancel", roll=late)
    again = play.declare("ann", "attack", as_=SANNA, target=RAIDER, parameters={"dice": "melee"})
    assert lines(play, again)["full_reaction"] is True
    play.do("gm", "next_round")
    assert place_of(play, RAIDER)["stance"] == ""


def test_d41_the_kind_of_an_attack_follows_from_the_skill(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=2)
    aimed = {"check": "attack", "as_": CORVIN, "target": RAIDER}
    assert_refused(
        play, "kind is given twice", "bob", "declare", **aimed, parameters={"dice": "ranged", "kind": "melee"}
    )
    shot = play.declare("bob", **aimed, parameters={"dice": "ranged"})
    derived = sheet_of(play, RAIDER)["derived"]
    assert lines(play, shot)["defense"] == derived["ranged_defense"]
    assert play.roll("gm", shot)["asked"]["parameters"]["kind"] == "ranged"
    play.do("bob", "throw", roll=shot, faces=[1])  # 2D less one for two actions
    play.do("gm", "answer", roll=shot, answer="cancel")
    assert "weapon_overheats" in [one["event"] for one in play.roll("gm", shot)["events"]]


def test_d24_only_the_gm_grants_a_free_action_visibly_for_all(play: PlayedTable) -> None:
    free = {"check": "check", "as_": SANNA, "parameters": {"dice": "search"}, "spends": "nothing"}
    assert_refused(play, "only the GM can grant", "ann", "declare", **free)
    assert_refused(
        play,
        "in a fight, attack needs somebody who acts",
        "ann",
        "declare",
        check="attack",
        parameters={"dice": "4D", "defense": 3},
    )
    play.do("gm", "grant", combatant=SANNA, leave="free_action")
    assert_refused(play, "already has that permission", "gm", "grant", combatant=SANNA, leave="free_action")
    roll = play.declare("ann", **free)
    assert place_of(play, SANNA)["actions"] is None
    assert play.roll("eve", roll)["deed"]["granted"] == "free_action"
    assert_refused(play, "only the GM can grant", "ann", "declare", **free)  # once
    play.do("ann", "cancel", roll=roll)
    play.do("ann", "declare", **free)  # that was not made
    granted = play.declare("gm", **free, for_="ann")
    assert play.roll("bob", granted)["deed"]["granted"] == "free_action"
    damage = play.declare("ann", "total", as_=SANNA, parameters={"dice": "3D"})
    assert "granted" not in play.roll("eve", damage)["deed"]


def test_d35_only_the_resister_may_act_for_free(play: PlayedTable) -> None:
    play.do("bob", "fix", combatant=CORVIN, actions=1)
    sides = {
        "check": "opposed",
        "as_": [CORVIN, SANNA],
        "sides": [{"dice": "con"}, {"dice": "willpower"}],
    }
    assert_refused(play, "neither waited nor prepared", "gm", "declare", **sides)
    roll = play.declare("gm", **sides, spends=["action", "nothing"])
    assert place_of(play, CORVIN)["left"] == 0
    assert place_of(play, SANNA)["actions"] is None
    assert play.roll("eve", roll)["deed"]["granted"] == "free_action"


def test_d45_a_point_after_damage_dice_unannounced(play: PlayedTable) -> None:
    play.do("gm", "adjust", character=CORVIN, resources={"renegade": 1})
    damage = play.declare("bob", "total", as_=CORVIN, parameters={"dice": "3D"})
    play.do("bob", "throw", roll=damage, faces=[4, 4, 4])
    play.do("bob", "answer", roll=damage, answer="renegade-bonus")
    assert play.roll("eve", damage)["outcome"]["total"] == 15
    assert sheet_of(play, CORVIN)["sheet"]["resources"]["renegade"] == 0
    later = play.declare("bob", "total", as_=CORVIN, parameters={"dice": "3D"})
    play.do("bob", "throw", roll=later, faces=[4, 4, 4])  # no point is left: nothing is asked
    assert play.roll("eve", later)["phase"] == "finalised"


def test_amb_d8_a_medal_before_and_a_point_after_but_never_two_points(play: PlayedTable) -> None:
    play.do("gm", "end_fight")
    play.do("gm", "adjust", character=CORVIN, resources={"paragon": 2})
    for spend, faces, asks in (("medal", [3] * 7, True), ("paragon-bonus", [3] * 4, False)):
        roll = play.declare("bob", "check", as_=CORVIN, parameters={**EASY, "spend": spend})
        play.do("bob", "throw", roll=roll, faces=faces)
        assert (play.roll("bob", roll)["phase"] == "deciding") is asks


def test_d47_a_medal_at_full_hit_points_is_not_wasted(play: PlayedTable) -> None:
    had = sheet_of(play, SANNA)["sheet"]["resources"]["medals"]
    assert_refused(play, "cannot use that now", "ann", "use", character=SANNA, resource="medals", use="heal")
    assert sheet_of(play, SANNA)["sheet"]["resources"]["medals"] == had


def test_d43_amb_d17_a_parry_in_place_of_the_defense_comes_before_the_dice() -> None:
    play = healed(parry="instead_of_defense")
    to_the_raider(play)
    roll = play.declare("gm", "attack", as_=RAIDER, target=SANNA, parameters=MELEE)
    parry = play.declare("ann", "check", as_=SANNA, answers=roll)
    play.do("ann", "throw", roll=parry, faces=[2, 1, 1])
    assert not any(one.kind == "roll_declared" for one in play.do("gm", "finalise", roll=parry))
    play.do("gm", "throw", roll=roll, faces=[2, 2, 2])  # would miss the Defense
    (made,) = [
        one.data["roll"] for one in play.do("gm", "finalise", roll=roll) if one.kind == "roll_declared"
    ]
    outcome = play.roll("ann", made)["outcome"]
    assert outcome["success"] is (outcome["total"] >= outcome["parry_total"])
    play.do("gm", "next_round")
    to_the_raider(play)
    late = roll_with(play, "gm", RAIDER, "attack", [2, 2, 2], target=SANNA, parameters=MELEE)
    assert_refused(play, "already thrown", "ann", "declare", check="check", as_=SANNA, answers=late)


# -- hit points


@pytest.mark.parametrize(
    ("left", "level"),
    [(29, ""), (28, "light"), (20, "light"), (19, "wounded"), (10, "wounded"), (9, "severe"), (1, "severe")],
)
def test_d44_g_d10_wounds_feed_every_later_check(play: PlayedTable, left: int, level: str) -> None:
    play.do("gm", "end_fight")
    if left < 29:
        play.do("gm", "harm", character=SANNA, damage=29 - left)
    if level == "severe":  # of 4D nothing is left
        assert_refused(
            play, "Wound: -5 dice", "ann", "declare", check="check", as_=SANNA, parameters={"dice": "repair"}
        )
        play.do("gm", "adjust", character=SANNA, resources={"medals": 1})
        return
    roll = play.declare("ann", "check", as_=SANNA, parameters={"dice": "repair"})
    assert lines(play, roll).get("wound", "") == level


@pytest.mark.parametrize(("left", "says"), [(0, "almost dead"), (-1, "dead")])
def test_d44_g_d10_dying_and_dead_characters_do_nothing(play: PlayedTable, left: int, says: str) -> None:
    play.do("bob", "end_turn", combatant=CORVIN)
    play.do("gm", "harm", character=SANNA, damage=29 - left)
    assert_refused(play, says, "ann", "fix", combatant=SANNA, actions=1)
    assert_refused(play, says, "ann", "declare", check="check", as_=SANNA, parameters=EASY)
    assert legal_moves(play, "ann", SANNA) == {"end_turn"}
    play.do("ann", "end_turn", combatant=SANNA)
    assert fight_view(play)["turn"] == [RAIDER]
    if left < 0:
        assert_refused(
            play, "cannot use that now", "ann", "use", character=SANNA, resource="medals", use="heal"
        )
    else:
        play.do("ann", "use", character=SANNA, resource="medals", use="heal")  # AMB-D22
        assert hit_points(play, SANNA) == 10


# -- points


def test_d45_the_gm_gives_points_and_they_are_spent_after_the_roll(play: PlayedTable) -> None:
    play.do("gm", "end_fight")
    play.do("gm", "adjust", character=CORVIN, resources={"paragon": 1}, words="let them go")
    had = sheet_of(play, CORVIN)["sheet"]["resources"]["paragon"]
    roll = roll_with(
        play, "bob", CORVIN, "check", [3, 3, 3], parameters={"dice": "3D", "difficulty": 12, "spend": "ask"}
    )
    for _ in range(2):
        play.do("bob", "answer", key="once", roll=roll, answer="paragon-bonus")
    assert sheet_of(play, CORVIN)["sheet"]["resources"]["paragon"] == had - 1
    play.do("bob", "undo", roll=roll)
    assert sheet_of(play, CORVIN)["sheet"]["resources"]["paragon"] == had


def test_d46_a_second_paragon_or_renegade_point_on_one_roll_is_refused(play: PlayedTable) -> None:
    play.do("gm", "end_fight")
    play.do("gm", "adjust", character=CORVIN, resources={"paragon": 5, "renegade": 5})
    for spend in ("paragon-bonus,renegade-bonus", "paragon-dice,ask", "renegade-dice,paragon-dice"):
        asked = {**EASY, "spend": spend}
        late = assert_refused(
            play,
            "at most one Paragon or Renegade point",
            "bob",
            "declare",
            check="check",
            as_=CORVIN,
            parameters=asked,
        )
        assert "name only one" in late.message


def test_d47_amb_d8_medals_join_one_paragon_point_unless_the_house_rules_say_no() -> None:
    for options, spend, allowed in (
        ({}, "medal,medal,paragon-bonus", True),
        ({"medals_per_roll": "1"}, "medal,medal", False),
        ({"combine_points": False}, "medal,paragon-bonus", False),
    ):
        play = fight_table(options=options, points=3)
        declared = {"check": "check", "as_": SANNA, "parameters": {**EASY, "spend": spend}}
        if not allowed:
            assert_refused(play, "house rule", "ann", "declare", **declared)
            continue
        play.do("ann", "declare", **declared)
        left = sheet_of(play, SANNA)["sheet"]["resources"]
        assert (left["medals"], left["paragon"]) == (1, 2)


def test_d47_medals_are_given_to_player_characters_only(play: PlayedTable) -> None:
    play.do("gm", "adjust", character=SANNA, resources={"medals": 1})
    assert_refused(play, "medals", "gm", "adjust", character=RAIDER, resources={"medals": 1})


def test_amb_d18_d28_an_attack_does_not_reveal_a_hidden_stance() -> None:
    """Neither its line nor that something of it is hidden."""
    heard = []
    for stance in (True, False):
        play = fight_table(shown="hidden")
        begin_fight(play)
        play.do("bob", "end_turn", combatant=CORVIN)
        play.do("ann", "end_turn", combatant=SANNA)
        if stance:
            play.do("gm", "stance", combatant=RAIDER, stance="full_reaction", choice="melee")
        roll = play.declare(
            "gm", "attack", key="a", as_=CORVIN, target=RAIDER, parameters=MELEE, spends="nothing", for_="bob"
        )
        heard.append({k: v for k, v in play.roll("bob", roll).items() if k != "commitment"})
        assert "full_reaction" in play.roll("bob", roll)["hidden"]
        assert "target" not in play.roll("bob", roll)["deed"]
    assert heard[0] == heard[1]
