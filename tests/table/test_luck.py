"""Luck report: percentiles of single rolls, of several, and of long runs of fair dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random

import pytest
from effort import sample
from in_memory_table import PlayedTable

from handful.table import KeyedDice
from handful.table.luck import JudgedRoll, LuckScore, luck

CHECKS = {
    "uwr": ("direct", {"attribute": 4, "target": 2}),
    "fons": ("direct", {"attribute": 3, "target": 2}),
    "agga": ("direct", {"attribute": 5, "target": 2}),
    "tuurna": ("check", {"level": 4, "difficulty": 5}),
    "me-d6": ("check", {"dice": "3D", "difficulty": 10, "ruling": "cancel"}),
}


def die(face: int, sides: int = 6) -> JudgedRoll:
    """A die as a roll."""
    chances = tuple(((2 * n - 1) / (2 * sides), 1 / sides) for n in range(1, sides + 1))
    mean, same = Fraction(sides + 1, 2), Fraction(1, sides)
    return JudgedRoll("r", "ann", "die", face, mean, (face - 1) * same, same, chances)


def test_one_roll_has_the_middle_percentile_of_its_step() -> None:
    table = PlayedTable("uwr", ann="player")
    roll = table.declare("ann", parameters={"attribute": 2, "target": 1})
    table.do("ann", "throw", roll=roll, faces=[6, 2])
    (found,) = luck(table.table, "ann")["seats"]["ann"]["rolls"]
    assert found["result"] == "1"
    # 5 and 6 succeed: less than one success 4/9, exactly one 4/9
    assert (found["percentile"], found["same"], found["mean"]) == ("2/3", "4/9", "2/3")


def test_two_rolls_are_judged_exactly() -> None:
    for one, two in product(range(1, 7), repeat=2):
        below, same = LuckScore([die(one), die(two)]).percentile()
        pairs = [a + b for a, b in product(range(1, 7), repeat=2)]
        assert below == pytest.approx(sum(total < one + two for total in pairs) / 36)
        assert same == pytest.approx(sum(total == one + two for total in pairs) / 36)


def test_many_rolls_use_the_normal_curve_which_meets_the_exact_figures() -> None:
    faces = [Random(5).choice(range(1, 7)) for _ in range(150)]
    tally = LuckScore(map(die, faces))
    below, same = tally.percentile()
    tally.sum_distribution = None
    assert tally.percentile()[0] == pytest.approx(below + same / 2, abs=0.002)


@pytest.mark.sampled
@pytest.mark.parametrize("game", CHECKS)
def test_fair_sessions_have_uniform_percentiles(game: str) -> None:
    """Kolmogorov-Smirnov, with fixed secrets: the step of a discrete result is filled by chance."""
    check, parameters = CHECKS[game]
    chance = Random(game)
    found = []
    for session in range(sample(40, 120)):
        table = PlayedTable(game, dice=KeyedDice(bytes([session + 100]) * 32), ann="player")
        for _ in range(5):
            roll = table.declare("ann", check, parameters=parameters)
            table.do("ann", "throw", roll=roll)
        report = luck(table.table, "ann")["seats"]["ann"]
        assert report["count"] == 5
        found.append(report["percentile"] + (chance.random() - 0.5) * report["same"])
    furthest = max(
        max(abs(one - at / len(found)), abs(one - (at + 1) / len(found)))
        for at, one in enumerate(sorted(found))
    )
    assert furthest < 1.36 / sqrt(len(found))  # 5 %; the secrets are fixed


def test_spent_points_do_not_count_as_luck() -> None:
    found = []
    for answer in ("none", "paragon-bonus"):
        table = PlayedTable("me-d6", ann="player")
        asked = {"dice": "3D", "difficulty": 12, "spend": "ask"}
        roll = table.declare("ann", "check", parameters=asked)
        table.do("ann", "throw", roll=roll, faces=[3, 4, 4])
        table.do("ann", "answer", roll=roll, answer=answer)
        table.do("ann", "finalise", roll=roll)
        (own,) = luck(table.table, "ann")["table"]["rolls"]
        assert own["by_hand"]
        found.append((own["result"], own["percentile"]))
    assert [result for result, _ in found] == ["11", "14"]
    assert found[0][1] == found[1][1]


def test_other_dice_than_usual_count_as_they_are() -> None:
    table = PlayedTable("uwr", ann="player")
    roll = table.declare("ann", parameters={"attribute": 3, "rerolls": 2, "target": 2})
    table.do("ann", "throw", roll=roll, faces=[1, 1, 6])
    table.do("ann", "answer", roll=roll, answer=[])  # usual would be to throw two dice again
    table.do("ann", "finalise", roll=roll)
    (own,) = luck(table.table, "ann")["table"]["rolls"]
    assert (own["as_usual"], own["result"]) == (False, "1")
    again = table.declare("ann", parameters={"attribute": 3, "rerolls": 1, "target": 2})
    table.do("ann", "throw", roll=again, faces=[2, 1, 6])
    table.do("ann", "answer", roll=again, answer=[1])  # one die all the same, if not the lowest
    table.do("ann", "throw", roll=again, faces=[6])
    assert luck(table.table, "ann")["table"]["rolls"][-1]["as_usual"]


@pytest.mark.proof
def test_unusual_decisions_have_fair_percentiles_too() -> None:
    found = []
    for evening in range(150):
        table = PlayedTable("me-d6", dice=KeyedDice(bytes([evening]) * 32), ann="player")
        for _ in range(3):
            asked = {"dice": "2D", "difficulty": 9, "spend": "ask", "ruling": "ask"}
            roll = table.declare("ann", "check", parameters=asked)
            table.do("ann", "throw", roll=roll)
            while (ask := table.roll("gm", roll)["question"]) is not None:
                words = {"ruling": "complication", "spend": "paragon-bonus"}
                table.do("gm", "answer", roll=roll, answer=words[ask["decision"]])
            table.do("gm", "finalise", roll=roll)
        found.append(luck(table.table, "ann")["table"]["percentile"])
    assert sum(found) / len(found) == pytest.approx(0.5, abs=0.06)


def test_luck_counts_only_visible_rolls() -> None:
    table = PlayedTable("uwr", ann="player", bob="player")
    for mode in ("public", "private", "blind", "secret"):
        roll = table.declare("ann", parameters={"attribute": 3, "target": 2}, mode=mode)
        actor = "gm" if mode == "blind" else "ann"
        table.do(actor, "throw", roll=roll)
    counts = {seat: luck(table.table, seat)["table"]["count"] for seat in ("gm", "ann", "bob")}
    assert counts == {"gm": 3, "ann": 3, "bob": 1}


def test_the_dice_of_a_contest_count_once() -> None:
    table = PlayedTable("uwr", ann="player", bob="player")
    rolls = []
    for who in ("ann", "bob"):
        rolls.append(table.declare(who, "direct", parameters={"attribute": 3}))
        table.do(who, "throw", roll=rolls[-1])
    table.do("gm", "contest", check="opposed", rolls=rolls)
    assert luck(table.table, "gm")["table"]["count"] == 2
