"""Every case of every ruleset by play, by odds and by simulation; the three agree.

Played here means one roll after the other by plain Python, independent of solver and simulation.
Simulated means both ways to simulate: drawn from the solved table, and die by die in lockstep.
"""

from __future__ import annotations

from functools import cache

import goodness_of_fit
import pytest
import ruleset_cases
from effort import every_nth_in_test
from ruleset_cases import Case, all_cases, odds_of, ruleset

import handful
from handful.roll import BoundCheck
from handful.simulate import Estimate, Simulation, simulate, simulate_dice
from oracles.rolling import rolled_one_by_one

CASES = [case for case in all_cases() if not case.refused]
REFUSED = [case for case in all_cases() if case.refused and not case.faces]
PLAYED, ROLLED, DRAWN = 120, 5000, 20_000


def bound(case: Case) -> BoundCheck:
    return ruleset(case.game).bind(case.check, *case.sides, options=case.options, **case.params)


@cache
def drawn_of(place: int) -> Simulation:
    return simulate(bound(CASES[place]), count=DRAWN, seed=place, policy=CASES[place].policy)


@cache
def rolled_of(place: int) -> Simulation | None:
    """Simulate die by die; the best policy needs exact odds."""
    case = CASES[place]
    if case.policy == "best":
        return None
    return simulate_dice(bound(case), count=ROLLED, seed=place, policy=case.policy)


@cache
def played_of(place: int) -> goodness_of_fit.Rolled | None:
    case = CASES[place]
    if case.policy == "best":
        return None
    try:
        return rolled_one_by_one(bound(case), PLAYED, place, case.policy)
    except handful.TooBig:  # a tie that is rolled again and again
        return None


@pytest.mark.parametrize("place", every_nth_in_test(range(len(CASES)), 10), ids=[case.id for case in CASES])
def test_a_case_three_ways(place: int) -> None:
    odds = odds_of(CASES[place])
    drawn, thrown, played = drawn_of(place), rolled_of(place), played_of(place)
    assert drawn.method == "table"
    assert drawn.policy == odds.policy
    assert not goodness_of_fit.contradictions(drawn.kinds, odds)
    if thrown is not None:
        assert thrown.method == "dice"
        assert thrown.policy.items() <= odds.policy.items()
        assert not goodness_of_fit.contradictions(thrown.kinds, odds)
    if played is not None:
        assert not goodness_of_fit.contradictions(played, odds)


@pytest.mark.parametrize("case", REFUSED, ids=[case.id for case in REFUSED])
def test_simulations_are_refused_as_rolls_are(case: Case) -> None:
    with pytest.raises(handful.Refused) as same:
        ruleset_cases.attempt_case(case)
    with pytest.raises(handful.Refused) as refusal:
        ruleset(case.game).simulate(
            case.check, *case.sides, options=case.options, count=10, seed=1, **case.params
        )
    assert refusal.value.message == same.value.message
    try:
        check = bound(case)
    except handful.Refused:
        return
    with pytest.raises(handful.Refused) as refusal:
        simulate_dice(check, count=10, seed=1)
    assert refusal.value.message == same.value.message


# -- all cases together


def all_rolled(way: str) -> list[tuple[goodness_of_fit.Rolled, handful.Odds]]:
    found = []
    for place, case in enumerate(CASES):
        made = {"drawn": drawn_of, "rolled": rolled_of, "played": played_of}[way](place)
        if made is not None:
            kinds = made.kinds if isinstance(made, Simulation) else made
            found.append((kinds, odds_of(case)))
    return found


@pytest.mark.proof
@pytest.mark.parametrize("way", ["drawn", "rolled", "played"])
def test_results_come_as_often_as_the_odds_say(way: str) -> None:
    statistics = [goodness_of_fit.chi_square(kinds, odds) for kinds, odds in all_rolled(way)]
    assert len(statistics) > 350
    assert goodness_of_fit.count_outliers(statistics) <= 1
    assert abs(goodness_of_fit.pooled_deviation(statistics)) < goodness_of_fit.FAR


@pytest.mark.proof
@pytest.mark.parametrize("way", ["drawn", "rolled", "played"])
def test_successes_victories_and_events_come_as_often_as_the_odds_say(way: str) -> None:
    deviations = [one for kinds, odds in all_rolled(way) for one in goodness_of_fit.deviations(kinds, odds)]
    assert len(deviations) > 150
    assert sum(abs(one) > goodness_of_fit.FAR for one in deviations) <= 1
    # facts of one check hang together, so the bound is generous
    squares = [(one**2, 1) for one in deviations]
    assert abs(goodness_of_fit.pooled_deviation(squares)) < 2 * goodness_of_fit.FAR


@pytest.mark.proof
@pytest.mark.parametrize("of", [drawn_of, rolled_of])
def test_errors_hold_the_exact_chance_as_often_as_they_say(of: object) -> None:
    held = []
    for place, case in enumerate(CASES):
        made, odds = of(place), odds_of(case)  # type: ignore[operator]
        if made is None or not isinstance(made.success, Estimate):
            continue
        if odds.success not in (0, 1):
            held.append(abs(made.success.chance - float(odds.success)) <= made.success.error)
    assert len(held) > 100
    assert 0.9 < sum(held) / len(held) <= 1


def test_the_statistics_notice_wrong_odds() -> None:
    """A die too many, or a threshold one off, is far out; so the tests above can fail."""
    four = simulate_dice(ruleset("uwr").bind("direct", attribute=4, target=2), count=2000, seed=1)
    for wrong in ({"attribute": 5}, {"attribute": 4, "favor": 1}):
        odds = ruleset("uwr").odds("direct", target=2, **wrong)
        assert goodness_of_fit.count_outliers([goodness_of_fit.chi_square(four.kinds, odds)]) == 1
        assert abs(goodness_of_fit.deviations(four.kinds, odds)[0]) > goodness_of_fit.FAR
    assert goodness_of_fit.contradictions(four.kinds, ruleset("uwr").odds("direct", attribute=3))
