"""Properties of the rules (section 12 of the reference), compared on equal faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruleset_cases import ruleset

import handful
from handful.roll import Throw

UWR, TUURNA, ME = ruleset("uwr"), ruleset("tuurna"), ruleset("me-d6")
FATES = ("cursed", "unlucky", "neutral", "lucky", "blessed")
FACE = st.integers(1, 6)


def play(roll: handful.Roll, faces: Iterator[int], answer: str = "") -> handful.Roll:
    """To the end: dice from the faces, decisions by the answer or as usual."""
    while roll.ask is not None:
        if isinstance(roll.ask, Throw):
            roll = roll.throw(faces=[next(faces) for _ in range(roll.ask.count)])
        else:
            roll = roll.answer(answer) if answer else roll.usual()
    return roll


def endless(faces: Sequence[int]) -> Iterator[int]:
    """The faces, and then a harmless one for ever."""
    yield from faces
    for _ in count():
        yield 2


# -- UWR


def successes(faces: Sequence[int], **params: Any) -> int:
    return int(play(UWR.start("direct", **params), endless(faces)).result)


POOL = {"dice": st.integers(0, 7), "faces": st.lists(FACE, min_size=14, max_size=14)}


@given(**POOL, rerolls=st.integers(0, 4), favor=st.integers(-2, 4), stacking=st.booleans())
def test_u7_u11_successes_never_fall_with_a_reroll_or_favor_more(
    dice: int, faces: list[int], rerolls: int, favor: int, stacking: bool
) -> None:
    options = {"reroll_stack": "stacking" if stacking else "distinct"}
    params = {"attribute": dice, "rerolls": rerolls, "favor": favor, "options": options}
    plain = successes(faces, **params)
    assert 0 <= plain <= dice
    assert successes(faces, **params | {"rerolls": rerolls + 1}) >= plain
    assert stacking or successes(faces, **params | {"favor": favor + 1}) >= plain


@given(half=st.integers(0, 14), faces=st.lists(FACE, min_size=10, max_size=10))
def test_u10_a_half_never_adds_a_die(half: int, faces: list[int]) -> None:
    pool = Fraction(half, 2)
    roll = play(UWR.start("direct", attribute=pool), endless(faces))
    assert 0 <= roll.result <= int(pool)
    assert sum(die.role == "regular" for die in roll.dice) == int(pool)


@pytest.mark.parametrize("tie_winner", ["reactor", "initiator"])
def test_u19_one_of_both_wins_and_a_larger_pool_never_hurts(tie_winner: str) -> None:
    chance = {}
    for a, b in product(range(8), range(8)):
        sides = {"attribute": a, "rerolls": 1}, {"attribute": b}
        odds = UWR.odds("opposed", *sides, options={"tie_winner": tie_winner})
        assert odds.wins is not None
        assert sum(odds.wins) == 1
        assert odds.success == odds.wins[0]
        chance[a, b] = odds.wins[0]
    for a, b in product(range(7), range(8)):
        assert chance[a, b] <= chance[a + 1, b]
        assert chance[b, a] >= chance[b, a + 1]


def test_u6_u11_odds_rise_with_dice_rerolls_and_favor_and_fall_with_the_target() -> None:
    def chance(dice: int, rerolls: int, favor: int, target: int) -> Any:
        params = {"attribute": dice, "rerolls": rerolls, "favor": favor}
        return UWR.odds("direct", **params, target=target).success

    for dice, rerolls, favor, target in product((1, 3, 6), (0, 2), (-1, 1), (1, 3)):
        own = chance(dice, rerolls, favor, target)
        assert own <= chance(dice + 1, rerolls, favor, target)
        assert own <= chance(dice, rerolls + 1, favor, target)
        assert own <= chance(dice, rerolls, favor + 1, target)
        assert own >= chance(dice, rerolls, favor, target + 1)


# -- Tu'urna


def wins_by_streams(dice: int, fate: str, streams: list[list[int]]) -> tuple[int, int]:
    """Wins and dice thrown; each die of the pool and what it brings have faces of their own."""
    roll = TUURNA.start("check", level=dice, fate=fate, options={"cap": "off"})
    own = [endless([*stream]) for stream in streams]
    stream_of: dict[int, int] = {}
    while isinstance(ask := roll.ask, Throw):
        first = len(roll.dice) + 1
        faces = []
        for number, of in enumerate(ask.of, first):
            stream_of[number] = number - 1 if of is None else stream_of[of]
            faces.append(next(own[stream_of[number]]))
        roll = roll.throw(faces=faces)
    return int(roll.result), len(roll.dice)


@given(streams=st.lists(st.lists(FACE, min_size=1, max_size=5), min_size=1, max_size=5))
def test_r26_fates_are_ordered_face_by_face(streams: list[list[int]]) -> None:
    dice = len(streams)
    found = [wins_by_streams(dice, fate, streams) for fate in FATES]
    wins = [won for won, _ in found]
    assert wins == sorted(wins)
    assert wins[0] >= 0
    assert found[0][1] == dice  # cursed dice bring no others
    assert wins[-1] >= dice  # blessed ones never lose


def test_r26_odds_are_ordered_like_the_fates() -> None:
    for level, difficulty in product((1, 4, 9), (1, 3, 9)):
        chances = [
            TUURNA.odds("check", level=level, fate=fate, difficulty=difficulty).success for fate in FATES
        ]
        assert chances == sorted(chances)  # type: ignore[type-var]


BOUNDS = st.lists(st.integers(-3, 5), min_size=1, max_size=3)


@given(
    updates=st.lists(st.integers(-4, 4), min_size=1, max_size=4),
    minima=BOUNDS,
    maxima=BOUNDS,
    shuffle=st.randoms(use_true_random=False),
)
def test_r11_to_r15_modifiers_in_any_order_and_bounds_twice_are_the_same(
    updates: list[int], minima: list[int], maxima: list[int], shuffle: Any
) -> None:
    def leverage(updates: list[int], minima: list[int], maxima: list[int]) -> int:
        params = {
            "leverage": "".join(f"{n:+}" for n in updates),
            "leverage_min": "+".join(map(str, minima)),
            "leverage_max": "+".join(map(str, maxima)),
        }
        roll = TUURNA.start("check", level=1, **params).throw(faces=[1])
        return int(roll.result)

    value = leverage(updates, minima, maxima)
    mixed = [shuffle.sample(part, len(part)) for part in (updates, minima, maxima)]
    assert leverage(*mixed) == value
    assert leverage(updates, minima * 2, maxima * 2) == value
    assert leverage([value], minima, maxima) == value


# -- Mass Effect D6


def total(dice: int, faces: list[int], answer: str, removes: str = "highest") -> handful.Roll:
    start = ME.start("total", dice=f"{dice}D+1", options={"crit_fail_removes": removes})
    return play(start, endless(faces), answer)


@given(dice=st.integers(1, 6), faces=st.lists(FACE, min_size=10, max_size=10), one=st.booleans())
def test_d5_amb_d3_both_rulings_and_both_readings(dice: int, faces: list[int], one: bool) -> None:
    faces = [1, *faces] if one else faces
    highest = total(dice, faces, "cancel")
    pair = total(dice, faces, "cancel", removes="pair")
    added = total(dice, faces, "complication")
    failed = faces[0] == 1
    assert highest.result - pair.result == (1 if failed and dice >= 2 else 0)
    assert added.result >= highest.result
    assert added.result >= dice + 1
    for roll in (highest, pair, added):
        assert ("critical_failure" in roll.events) == failed
        assert ("critical_success" in roll.events) == (faces[0] == 6)
    assert ("complication" in added.events) == failed


def test_d5_the_least_total_is_one_for_each_die() -> None:
    for dice in (1, 3, 7):
        odds = ME.odds("total", dice=f"{dice}D", ruling="complication")
        assert min(odds.distribution) == dice


@given(
    faces=st.lists(FACE, min_size=10, max_size=10),
    pips=st.integers(0, 3),
    difficulty=st.integers(1, 25),
)
def test_d9_success_is_monotone_in_total_and_difficulty(faces: list[int], pips: int, difficulty: int) -> None:
    def success(pips: int, difficulty: int) -> bool:
        start = ME.start("check", dice="3D", bonus=f"+{pips}", difficulty=difficulty)
        roll = play(start, endless(faces))
        assert roll.success == (roll.margin >= 0)
        return bool(roll.success)

    own = success(pips, difficulty)
    assert own <= success(pips + 1, difficulty)
    assert own >= success(pips, difficulty + 1)


@pytest.mark.parametrize("check", ["check", "opposed", "attack"])
def test_d21_every_further_action_costs_a_die_on_every_roll(check: str) -> None:
    for actions, free in product((1, 2, 4), (1, 3)):
        hand = {"dice": "6D", "actions": actions, "free_actions": free}
        sides = () if check == "check" else (hand, hand)
        whole: dict[str, Any] = {"check": hand, "opposed": {}, "attack": {"defense": 1}}[check]
        roll = play(ME.start(check, *sides, **whole), endless([]))
        dice = [die.side for die in roll.dice]
        assert dice.count(1 if sides else 0) == 6 - max(0, actions - free)
        assert dice.count(2) == (6 - max(0, actions - free) if sides else 0)


# -- what nobody asks for


@pytest.mark.parametrize(
    ("game", "check", "params", "unused"),
    [
        ("uwr", "direct", {"attribute": 0.5, "target": 1}, {"rerolls": 3}),
        ("tuurna", "check", {"level": 4, "difficulty": 3}, {"labor_min": -5, "leverage_max": 50}),
        ("me-d6", "check", {"dice": "4D", "difficulty": 12}, {"skill_name": "dodge"}),
        ("me-d6", "check", {"dice": "4D", "difficulty": 12}, {"base_time": 5, "free_actions": 3}),
        ("me-d6", "total", {"dice": "3D"}, {"wound": "severe"}),
    ],
)
def test_ineffective_parameters_change_no_odds(
    game: str, check: str, params: dict[str, Any], unused: dict[str, Any]
) -> None:
    plain = ruleset(game).odds(check, **params)
    assert ruleset(game).odds(check, **params, **unused) == plain


@pytest.mark.parametrize(
    ("game", "check", "params", "number"),
    [
        ("uwr", "direct", {"attribute": 5.5, "favor": 1}, "target"),
        ("tuurna", "check", {"level": "3,2", "leverage": 1}, "difficulty"),
        ("me-d6", "check", {"dice": "4D+1"}, "difficulty"),
    ],
)
def test_the_chance_of_success_is_that_of_the_listed_results(
    game: str, check: str, params: dict[str, Any], number: str
) -> None:
    listed = ruleset(game).odds(check, **params)
    factor = 2 if "," in str(params.get("level")) else 1
    assert listed.success is None
    for wanted in (1, 3, 5, 12):
        aimed = ruleset(game).odds(check, **params, **{number: wanted})
        assert aimed.success == listed.at_least(wanted * factor)
        assert aimed.distribution == listed.distribution
