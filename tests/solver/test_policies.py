"""Odds under the policies `best` and `never`: from the start and from every pause."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from ruleset_cases import all_cases, average, listed_below, play_case, ruleset, throw_outcomes

import handful
from handful.roll import Throw

UWR, ME = ruleset("uwr"), ruleset("me-d6")
DECIDED = [case for case in all_cases() if case.answers and not case.refused]


def by_case(chosen: list[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", chosen, ids=[case.id for case in chosen])


@by_case(DECIDED)
def test_never_at_a_pause_is_the_average_over_what_may_follow(case: Any) -> None:
    compared = 0
    for roll in play_case(case)[:-1]:
        if isinstance(roll.ask, Throw):
            following = [(share, after.odds("never")) for share, after in throw_outcomes(roll)]
        else:
            following = [(Fraction(1), roll.usual("never").odds("never"))]
        if following:
            before = roll.odds("never")
            below = listed_below([before, *(odds for _, odds in following)])
            assert average([(Fraction(1), before)], below) == average(following, below)
            compared += 1
    assert compared


@by_case(DECIDED)
def test_best_at_a_decision_is_the_best_answer(case: Any) -> None:
    for roll in play_case(case)[:-1]:
        if isinstance(roll.ask, Throw) or roll.ask is None:
            continue
        odds = roll.odds("best")
        assert odds.answers is not None
        assert odds.best is not None
        after = {name: roll.answer(name).odds("best") for name in odds.answers}
        assert odds.answers == {name: own.success for name, own in after.items()}
        if roll.ask.by == "player":
            worths = {name: worth(own, roll.ask.side) for name, own in after.items()}
            assert worth(odds, roll.ask.side) == max(worths.values()) == worths[odds.best]
            assert worth(roll.odds(), roll.ask.side) <= worth(odds, roll.ask.side)


def worth(odds: handful.Odds, side: int) -> Fraction:
    """Return the figure that the deciding side maximises."""
    if odds.wins is not None:
        return odds.wins[side - 1]
    assert not isinstance(odds.success, tuple)
    found = odds.mean if odds.success is None else odds.success
    return found or Fraction(0)


# -- mended faults


def test_best_knows_which_rerolled_die_landed_how() -> None:
    """A success that is rerolled cannot make up for a failing die that fails again."""
    roll = UWR.start("direct", attribute=2, rerolls=2, target=2).throw(faces=[6, 1])
    odds = roll.odds("best")
    assert odds.success == Fraction(1, 3)
    assert odds.answers == roll.odds().answers


@pytest.mark.parametrize(
    ("check", "sides", "params"),
    [
        ("total", [], {"dice": "1D"}),
        ("check", [], {"dice": "3D", "difficulty": 11}),
        ("opposed", [{"dice": "3D"}, {"dice": "2D+1"}], {}),
        ("attack", [{"dice": "4D"}, {"dice": "3D"}], {"defense": 10}),
    ],
)
def test_best_is_usual_where_no_player_decides(
    check: str, sides: list[dict[str, str]], params: dict[str, Any]
) -> None:
    """Also behind dice without end: the GM rules, no player has anything to decide."""
    best = ME.odds(check, *sides, policy="best", **params)
    usual = ME.odds(check, *sides, **params)
    assert best.distribution == usual.distribution
    assert (best.success, best.wins, best.mean) == (usual.success, usual.wins, usual.mean)


def test_best_of_the_resister_counts_against_the_initiator() -> None:
    """A win that is certain only as long as the other side keeps its point."""
    sides = {"dice": "2D"}, {"dice": "2D", "spend": "ask"}
    roll = ME.start("opposed", *sides).throw(faces=[5, 5, 4, 4])
    assert roll.odds().success == 1
    odds = roll.odds("best")
    assert (odds.success, odds.wins) == (0, (0, 1))
    assert odds.best in ("paragon-bonus", "renegade-bonus")


def test_every_player_who_decides_gains_by_best() -> None:
    plain = UWR.odds("opposed", {"attribute": 3, "rerolls": 1}, {"attribute": 3, "rerolls": 2})
    never = UWR.odds(
        "opposed", {"attribute": 3, "rerolls": 1}, {"attribute": 3, "rerolls": 2}, policy="never"
    )
    best = UWR.odds("opposed", {"attribute": 3, "rerolls": 1}, {"attribute": 3, "rerolls": 2}, policy="best")
    assert never.success == UWR.odds("opposed", {"attribute": 3}, {"attribute": 3}).success
    assert best.success == plain.success  # failing dice first is the best that both can do
    assert best.policy["reroll"] != plain.policy["reroll"] != never.policy["reroll"]
