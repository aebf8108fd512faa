"""Random rules: the solver agrees with playing them in every possible way."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from effort import sample
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rule_generator import write_game
from toy_rulesets import toy

from handful.errors import HandfulError, TooBig
from handful.odds import odds
from handful.roll import BoundCheck, Node, start
from oracles.enumeration import TooManyWays, differences, enumerated, following

WAYS = 4000  # ways to play that a rule may have; a longer one is no use here
CUT = Fraction(1, 500)  # ways of endless rules that are less likely than this are not followed

writers = st.integers(0, 2**32 - 1).map(Random)


def written(rng: Random, *, endless: bool = False) -> BoundCheck:
    """A rule that loads; what a writer makes may be refused, for example as unreachable."""
    try:
        return toy(*write_game(rng, endless=endless))
    except HandfulError:
        assume(False)
        raise


def compare(check: BoundCheck, node: Node | None, cut: Fraction) -> None:
    try:
        played = enumerated(check, node, most=WAYS, cut=cut)
        made = odds(check, node)
    except (TooManyWays, HandfulError):
        # a rule that cannot be played (it divides by zero) has no odds either
        assume(False)
        return
    assert not differences(made, played)
    listed = sum(made.distribution.values(), Fraction(0))
    if not cut:
        assert made.tail is None
        assert listed == sum(played.results.values(), Fraction(0))


@pytest.mark.sampled
@settings(max_examples=sample(50, 250))
@given(writers)
def test_solver_agrees_with_enumeration(rng: Random) -> None:
    compare(written(rng), None, Fraction(0))


@pytest.mark.sampled
@settings(max_examples=sample(16, 40))
@given(writers)
def test_solver_agrees_with_enumeration_of_endless_rules(rng: Random) -> None:
    compare(written(rng, endless=True), None, CUT)


@pytest.mark.sampled
@settings(max_examples=sample(30, 150))
@given(writers, st.integers(1, 3))
def test_solver_agrees_from_a_pause(rng: Random, steps: int) -> None:
    check = written(rng)
    try:
        node = start(check)
        for _ in range(steps):
            if node.ask is None:
                break
            node = rng.choice(list(following(check, node)))[0]
    except HandfulError:
        assume(False)
    compare(check, node, Fraction(0))


@pytest.mark.sampled
@settings(max_examples=sample(20, 100))
@given(writers)
def test_odds_at_a_pause_average_to_the_odds_before_it(rng: Random) -> None:
    check = written(rng)
    try:
        first = start(check)
        before = odds(check, first)
        after = [(odds(check, node), share) for node, share in following(check, first)]
    except HandfulError:
        assume(False)
        return
    assume(first.ask is not None and len(after) <= 300)
    for value in {*before.distribution, *(v for made, _ in after for v in made.distribution)}:
        average = sum(
            (made.distribution.get(value, Fraction(0)) * share for made, share in after),
            Fraction(0),
        )
        assert average == before.distribution.get(value, Fraction(0))


def test_a_work_budget_ends_in_one_typed_error() -> None:
    check = toy("x = 0\nfor i in range(40):\n    x += size(roll(3, d6) >= 4)\nresult(total = x)")
    assert odds(check).mean == 60
    sums = "x = 0\nfor i in range(40):\n    x += sum(roll(3, d6))\nresult(total = x)"
    with pytest.raises(TooBig, match="budget"):
        odds(toy(sums), budget=20)
