"""Rounds by their rule numbers: order, actions, waiting, and their effect on checks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from effort import sample
from hypothesis import given, settings
from hypothesis import strategies as st
from ruleset_cases import ruleset

from handful import rounds as fight
from handful.errors import Refused
from handful.rounds import Rounds
from handful.sheet import Character

ME, UWR = ruleset("me-d6"), ruleset("uwr")
SIX = ("dexterity", "knowledge", "mechanical", "perception", "strength", "technical")


def fighter(name: str, initiative: int, kind: str = "pc", **fields: Any) -> Character:
    derived = {"initiative": initiative, **fields.pop("derived", {})}
    head = {"format": 1, "ruleset": "me-d6", "name": name, "kind": kind, "derived": derived}
    return ME.character({**head, "attributes": dict.fromkeys(SIX, "3D"), **fields})


def begun(*who: Character, **more: Any) -> Rounds:
    hidden = more.pop("hidden", ())
    marks = more.pop("marks", {})
    options = more.get("options", {})
    there = [
        fight.combatant(
            ME.rules,
            one.name,
            one,
            marks=marks.get(one.name),
            hidden=one.name in hidden,
            options=options,
        )
        for one in who
    ]
    return fight.begin(ME.rules, there, **more)


def order(rounds: Rounds) -> list[str]:
    return [one.who for one in rounds.places]


ANN, BOB, ORC = fighter("ann", 20), fighter("bob", 12), fighter("orc", 8, "npc")


def test_d14_highest_initiative_first() -> None:
    rounds = begun(ORC, ANN, BOB)
    assert order(rounds) == ["ann", "bob", "orc"]
    assert rounds.turn == ("ann",)


def test_d15_g_d13_four_tie_breakers_in_order() -> None:
    pc = fighter("pc", 14, skills={"dodge": 2})
    gifted, quick = fighter("gifted", 14, "npc"), fighter("quick", 14, "npc", skills={"dodge": 6})
    rounds = begun(quick, gifted, pc, marks={"gifted": {"first": 1}})
    assert order(rounds) == ["pc", "gifted", "quick"]
    placed = fighter("placed", 14, "npc")
    rounds = begun(quick, placed, gifted, marks={"gifted": {"first": 1}, "placed": {"situation": 1}})
    assert order(rounds) == ["gifted", "placed", "quick"]


def test_amb_d12_the_last_tie() -> None:
    a, b = fighter("a", 9), fighter("b", 9)
    assert order(begun(b, a)) == ["a", "b"]
    assert order(begun(b, a, order=["b", "a"])) == ["b", "a"]
    shared = begun(b, a, options={"init_final_tie": "shared"})
    assert {*shared.turn} == {"a", "b"}
    one = fight.end_turn(shared, "b")
    assert one.turn == ("a",)
    rolled = [fight.Combatant("a", (9,), rolled=2), fight.Combatant("b", (9,), rolled=5)]
    assert order(fight.begin(ME.rules, rolled, {"init_final_tie": "roll"})) == ["b", "a"]


def test_d15_places_stay_when_combatants_join_or_leave() -> None:
    rounds = begun(ANN, ORC)
    rounds = fight.join(rounds, fight.combatant(ME.rules, "bob", BOB))
    assert order(rounds) == ["ann", "bob", "orc"]
    assert rounds.turn == ("ann",)
    assert order(fight.leave(rounds, "ann")) == ["bob", "orc"]
    assert fight.leave(rounds, "ann").turn == ("bob",)
    with pytest.raises(Refused, match="already"):
        fight.join(rounds, fight.Combatant("bob"))


def test_other_games_have_the_order_of_the_gm() -> None:
    there = [fight.combatant(UWR.rules, name, None) for name in ("a", "b", "c")]
    rounds = fight.begin(UWR.rules, there, order=["c", "a", "b"])
    assert order(rounds) == ["c", "a", "b"]
    joined = fight.join(rounds, fight.Combatant("d"), behind="c")
    assert order(joined) == ["c", "d", "a", "b"]


def test_d17_the_number_is_fixed_on_the_turn_and_nothing_is_added() -> None:
    rounds = begun(ANN, BOB)
    with pytest.raises(Refused, match="turn of ann"):
        fight.fix(rounds, "bob", 2)
    with pytest.raises(Refused, match="has not said"):
        fight.act(rounds, "ann")
    rounds = fight.fix(rounds, "ann", 2)
    with pytest.raises(Refused, match="already: 2"):
        fight.fix(rounds, "ann", 3)
    rounds = fight.act(fight.act(rounds, "ann"), "ann")
    assert rounds.turn == ("bob",)
    with pytest.raises(Refused, match="turn of bob"):
        fight.act(rounds, "ann")


def test_d17_unused_actions_are_lost_at_the_end_of_the_round() -> None:
    rounds = fight.end_turn(fight.fix(begun(ANN, BOB), "ann", 3), "ann")
    assert rounds.place("ann").actions_left == 3
    rounds = fight.next_round(rounds)
    assert (rounds.number, rounds.turn) == (2, ("ann",))
    assert rounds.place("ann").actions is None


def test_d18_waiting_costs_an_action_each_time() -> None:
    rounds = fight.wait(fight.fix(begun(ANN, BOB), "ann", 4), "ann")
    assert rounds.turn == ("bob",)
    rounds = fight.act(rounds, "ann")
    assert rounds.place("ann").actions_left == 2
    rounds = fight.act(fight.wait(rounds, "ann"), "ann")
    assert rounds.place("ann").actions_left == 0
    with pytest.raises(Refused, match="acting later needs one more"):
        fight.wait(fight.fix(begun(ANN, BOB), "ann", 1), "ann")


def test_d19_only_a_waiting_combatant_interrupts() -> None:
    rounds = fight.fix(begun(ANN, BOB), "ann", 2)
    with pytest.raises(Refused, match="has not waited"):
        fight.interrupt(rounds, "ann")
    rounds = fight.interrupt(fight.wait(rounds, "ann"), "ann")
    assert rounds.place("ann").actions_left == 0
    with pytest.raises(Refused, match="has not waited"):
        fight.interrupt(rounds, "ann")


def test_d20_reacting_early_is_by_the_gms_leave_and_uses_an_action() -> None:
    rounds = begun(ANN, BOB)
    with pytest.raises(Refused, match="has not had a turn"):
        fight.answer(rounds, "bob")
    rounds = fight.answer(rounds, "bob", 2, leave=True)
    assert (rounds.place("bob").actions, rounds.place("bob").actions_left) == (2, 1)
    rounds = fight.end_turn(rounds, "ann")
    rounds = fight.act(rounds, "bob")
    assert rounds.turn == ()


def test_amb_d17_a_parry_needs_an_action_that_is_left() -> None:
    rounds = fight.act(fight.fix(begun(ANN, BOB), "ann", 1), "ann")
    with pytest.raises(Refused, match="had 1 action this round and has none left"):
        fight.answer(rounds, "ann")
    rounds = fight.end_turn(fight.fix(begun(ANN, BOB), "ann", 2), "ann")
    assert fight.answer(rounds, "ann").place("ann").actions_left == 1


def test_d21_the_penalty_lies_on_every_check_of_the_round() -> None:
    rounds = fight.fix(begun(ANN, BOB), "ann", 3)
    check = ME.rules.check("check")
    lines = fight.actor_lines(ME.rules, check, rounds.place("ann"), ANN, {})
    assert [(one.parameter, one.value) for one in lines] == [("actions", 3)]
    none = fight.actor_lines(ME.rules, ME.rules.check("total"), rounds.place("ann"), ANN, {})
    assert none == []  # D-25: resisting damage is no check


def test_d26_all_declare_lowest_first() -> None:
    rounds = begun(ANN, BOB, ORC, options={"round_structure": "interleaved"})
    assert rounds.turn == ("orc",)
    with pytest.raises(Refused, match="orc declares first"):
        fight.fix(rounds, "ann", 1)
    for who, count in (("orc", 1), ("bob", 2), ("ann", 2)):
        with pytest.raises(Refused, match="everybody declares"):
            fight.act(rounds, who)
        rounds = fight.fix(rounds, who, count)
    acted = []
    while rounds.turn:
        acted += rounds.turn
        rounds = fight.act(rounds, *rounds.turn)
    assert acted == ["ann", "bob", "orc", "ann", "bob"]


def test_d27_amb_d13_initiative_is_divided_by_the_actions() -> None:
    options = {"round_structure": "interleaved", "initiative_division": True}
    rounds = begun(ANN, ORC, options=options)
    rounds = fight.fix(fight.fix(rounds, "orc", 1), "ann", 2)
    assert [slot.who for slot in rounds.slots()] == ["ann", "ann", "orc"]
    assert not begun(ANN, ORC, options={"initiative_division": True}).division


def test_d28_full_reaction_takes_the_round_and_helps_one_defense() -> None:
    says = ME.rules.sheet.rounds
    rounds = begun(ANN, BOB)
    with pytest.raises(Refused, match="ranged, melee or brawling"):
        fight.take_stance(rounds, "ann", says, "full_reaction")
    rounds = fight.take_stance(rounds, "ann", says, "full_reaction", "melee")
    assert rounds.turn == ("bob",)
    with pytest.raises(Refused, match="nothing else"):
        fight.answer(rounds, "ann", leave=True)
    with pytest.raises(Refused, match="does not move"):
        fight.move(rounds, "ann", "walking", 0)
    attack = ME.rules.check("attack")

    def lines(kind: str, **options: Any) -> dict[str, Any]:
        found = fight.target_lines(ME.rules, attack, {"kind": kind}, ANN, rounds, "ann", options)
        return {one.parameter: one.value for one in found}

    assert lines("melee") == {"defense": 9, "full_reaction": True}
    assert lines("ranged") == {"defense": 9}
    assert lines("ranged", full_reaction_covers="all") == {"defense": 9, "full_reaction": True}


def test_d29_amb_d15_preparing_takes_whole_rounds_and_ends_when_attacked() -> None:
    rounds = fight.prepare(begun(ANN), "ann")
    assert rounds.turn == ()
    rounds = fight.fix(fight.next_round(rounds), "ann", 1)
    check = ME.rules.check("check")
    (line,) = fight.actor_lines(ME.rules, check, rounds.place("ann"), ANN, {})
    assert (line.parameter, line.value) == ("prepare", 2)
    hit = fight.attacked(rounds, "ann")
    assert fight.actor_lines(ME.rules, check, hit.place("ann"), ANN, {}) == []
    idle = fight.next_round(fight.act(rounds, "ann"))
    assert idle.place("ann").prepared == 0


def test_amb_d21_no_taking_10_when_attacked() -> None:
    rounds = fight.attacked(begun(ANN), "ann")
    with pytest.raises(Refused, match="was attacked this round"):
        fight.actor_lines(ME.rules, ME.rules.check("take10"), rounds.place("ann"), ANN, {})


@pytest.mark.parametrize(
    ("pace", "distance", "actions"),
    [("cautious", 5, 0), ("walking", 10, 0), ("running", 20, 0), ("sprinting", 40, 1)],
)
def test_d39_d40_g_d12_paces(pace: str, distance: int, actions: int) -> None:
    moved = fight.movement_at(ME.rules, ANN, pace, {})
    assert (moved.distance, moved.actions) == (distance, actions)


def test_d40_running_burdens_the_checks_of_the_round() -> None:
    rounds = fight.move(fight.fix(begun(ANN), "ann", 1), "ann", "running", 0)
    check = ME.rules.check("check")
    (line,) = fight.actor_lines(ME.rules, check, rounds.place("ann"), ANN, {})
    assert (line.parameter, line.value) == ("running", True)
    with pytest.raises(Refused, match="moves once a round"):
        fight.move(rounds, "ann", "walking", 0)


def test_amb_d11_sprinting_costs_an_action_and_may_be_no_burden() -> None:
    rounds = fight.move(fight.fix(begun(ANN), "ann", 2), "ann", "sprinting", 1)
    assert rounds.place("ann").actions_left == 1
    check = ME.rules.check("check")
    names = [one.parameter for one in fight.actor_lines(ME.rules, check, rounds.place("ann"), ANN, {})]
    assert names == ["actions", "running"]
    free = fight.actor_lines(ME.rules, check, rounds.place("ann"), ANN, {"sprint_mod": "none"})
    assert [one.parameter for one in free] == ["actions"]
    assert fight.movement_at(ME.rules, ANN, "walking", {"free_move": "half_only"}).actions == 1
    odd = fighter("odd", 1, derived={"move": 9})
    assert fight.movement_at(ME.rules, odd, "cautious", {}).distance == 4


# -- whoever is hidden


def visible(rounds: Rounds) -> tuple[Any, ...]:
    """Return all that is visible without seeing the hidden combatants."""
    return rounds.number, rounds.turn, rounds.slot, rounds.declaring, rounds.seen


MOVES = (
    "fix",
    "fix2",
    "act",
    "wait",
    "interrupt",
    "answer",
    "leave",
    "end_turn",
    "prepare",
    "next",
)


def tried(rounds: Rounds, who: str, move: str) -> tuple[Rounds, str]:
    """The round after a move, and what was said where it was refused."""
    does: dict[str, Any] = {
        "fix": lambda: fight.fix(rounds, who, 1),
        "fix2": lambda: fight.fix(rounds, who, 3),
        "leave": lambda: fight.answer(rounds, who, leave=True),
        "next": lambda: fight.next_round(rounds),
    }
    try:
        made = does[move]() if move in does else fight.MOVES[move](rounds, who)
    except Refused as refused:
        return rounds, str(refused)
    return made, ""


@pytest.mark.parametrize("structure", ["turn", "interleaved"])
@pytest.mark.parametrize("division", [False, True])
@pytest.mark.sampled
@settings(max_examples=sample(30, 150), deadline=None)
@given(data=st.data())
def test_hidden_combatants_change_nothing_for_the_others(
    structure: str, division: bool, data: st.DataObject
) -> None:
    options = {"round_structure": structure, "initiative_division": division}
    ghost, shade = fighter("ghost", 15, "npc"), fighter("shade", 1, "npc")
    with_them = begun(ANN, BOB, ghost, ORC, shade, hidden=("ghost", "shade"), options=options)
    without = begun(ANN, BOB, ORC, options=options)
    steps = data.draw(
        st.lists(
            st.tuples(st.sampled_from(["ann", "bob", "orc", "ghost", "shade"]), st.sampled_from(MOVES)),
            max_size=40,
        )
    )
    for who, move in steps:
        with_them, said = tried(with_them, who, move)
        if move == "next" or who not in ("ghost", "shade"):
            without, same = tried(without, who, move)
            assert said == same
        assert visible(with_them)[:4] == visible(without)[:4]
        # ranks end with the place among the names, which is the same order
        assert [(o.who, o.actions_left, o.waiting) for o in with_them.seen] == [
            (o.who, o.actions_left, o.waiting) for o in without.seen
        ]


def test_a_hidden_combatant_acts_after_all_earlier_ones() -> None:
    ghost = fighter("ghost", 15, "npc")
    rounds = begun(ANN, ghost, BOB, hidden=("ghost",))
    with pytest.raises(Refused):
        fight.fix(rounds, "ghost", 1)
    rounds = fight.end_turn(rounds, "ann")
    assert rounds.turn == ("bob",)
    rounds = fight.act(fight.fix(rounds, "ghost", 1), "ghost")
    assert (rounds.turn, rounds.place("ghost").actions_left) == (("bob",), 0)
    seen = fight.reveal(rounds, "ghost")
    assert order(seen) == ["ann", "ghost", "bob"]
    assert seen.turn == ("bob",)


def came_or_went(rounds: Rounds, who: str, move: str) -> Rounds:
    """Let a combatant join, leave or become visible, where possible."""
    makes: dict[str, Any] = {
        "join": lambda: fight.join(rounds, fight.Combatant(who, (8,), hidden=who == "shade")),
        "behind": lambda: fight.join(rounds, fight.Combatant(who), behind="bob"),
        "gone": lambda: fight.leave(rounds, who),
        "seen": lambda: fight.reveal(rounds, who),
    }
    try:
        made: Rounds = makes[move]()
    except Refused:
        return rounds
    return made


PEOPLE = ["ann", "bob", "orc", "pal", "shade"]


@pytest.mark.parametrize("structure", ["turn", "interleaved"])
@pytest.mark.parametrize("last_tie", ["stable", "shared"])
@pytest.mark.sampled
@settings(max_examples=sample(40, 200), deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(PEOPLE), st.sampled_from([*MOVES, "join", "behind", "gone", "seen"])),
        max_size=60,
    )
)
def test_random_rounds_keep_their_laws(structure: str, last_tie: str, steps: list[tuple[str, str]]) -> None:
    options = {"round_structure": structure, "init_final_tie": last_tie}
    rounds = begun(ANN, BOB, ORC, options=options)
    for who, move in steps:
        before = rounds
        if move in ("join", "behind", "gone", "seen"):
            rounds = came_or_went(rounds, who, move)
        elif who in rounds:
            rounds, said = tried(rounds, who, move)
            assert not said or rounds is before
        stayed = [one for one in order(rounds) if one in before]
        assert stayed == [one for one in order(before) if one in rounds]  # D-15
        assert len({place.rank for place in rounds.places}) == len(rounds.places)
        for one in rounds.turn:
            assert fight.possible(rounds, one)  # nobody is stuck
        if not rounds.turn and structure == "turn":
            assert all(place.over for place in rounds.seen)
        if who not in before or who not in rounds:
            continue
        for place in rounds.places:
            assert 0 <= place.taken <= (place.actions or 0)
            assert not place.waiting or place.actions_left >= 1
        own = before.place(who)
        if move != "next" and own.actions is not None:
            assert rounds.place(who).actions == own.actions  # D-17
        assert isinstance(rounds.places[0].initiative, (int, Fraction))
