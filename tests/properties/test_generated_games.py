"""Differential test of generated games: a share of what `make differential` does.

Most seeds are fixed; a few are new each time, and the end of the tests names them.
`test_planted_…` puts defects into the solver and shows that the prover finds each.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from effort import sample

from handful.rules.program import EVENTS, Record
from handful.solver import memo
from handful.solver.compiled.staged import StagedNumber
from handful.solver.compiled.values import ValueEmitter
from handful.solver.walk import filing
from prover import oracle
from prover.campaign import FOUND, Campaign, interview, read_found
from prover.games import Game
from prover.interview import Difference
from prover.shapes import SHAPES, write
from prover.shrinking import shrunk

FIXED = range(1, sample(6, 60) + 1)
NEW = 16
PARTS = 6


@pytest.mark.sampled
@pytest.mark.parametrize("part", range(PARTS))
def test_all_methods_agree(part: int) -> None:
    campaign = Campaign(tests=oracle.SequentialTests.of_part(part + 1))
    campaign.run(FIXED[part::PARTS])
    assert not campaign.found, campaign.summary()


@pytest.mark.proof
def test_all_methods_agree_on_new_games(
    record_property: Callable[[str, object], None],
) -> None:
    first = int(time.time())
    record_property("new seeds", f"differential: seeds {first} to {first + NEW - 1}")
    campaign = Campaign(tests=oracle.SequentialTests.of_part(PARTS + 1))
    campaign.run(range(first, first + NEW))
    assert not campaign.found, campaign.summary()


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.json")), ids=lambda path: path.stem)
def test_differences_found_before_stay_fixed(path: Path) -> None:
    interview(*read_found(path))


def test_every_shape_is_generated() -> None:
    assert {write(seed).shape for seed in range(400)} == {*SHAPES}


# --- planted defects ---------------------------------------------------------------------------


def drop_the_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record argument is a plain record, whose values are baked into the compiled rule."""
    monkeypatch.setattr(ValueEmitter, "stage_record", lambda self, sample, name: sample)


def forget_a_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that must be known while a rule is compiled is taken without a guard."""
    monkeypatch.setattr(ValueEmitter, "specialize", lambda self, number: self._sample(number.normalized()))


def forget_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choices and truths are taken for granted, and lengths of lists."""
    monkeypatch.setattr(ValueEmitter, "require", lambda self, test: None)


def merge_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    """States that differ only in what has happened are taken for one."""
    key_of = filing.Filing.key_of

    def careless(self: Any, state: Any, axis: set[int]) -> Any:
        happened, state.env[EVENTS] = state.env[EVENTS], frozenset()
        key = key_of(self, state, axis)
        state.env[EVENTS] = happened
        return key

    monkeypatch.setattr(filing.Filing, "key_of", careless)


def forget_house_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solved rules are remembered without the house rules under which they were solved."""
    once = memo.Budget.memoize

    def careless(self: Any, key: Any, price: int, solve: Any) -> Any:
        *rest, _options, policy = key
        return once(self, (*rest, Record(), policy), price, solve)

    monkeypatch.setattr(memo.Budget, "memoize", careless)


def forget_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solved rules are remembered without the policy."""
    once = memo.Budget.memoize

    def careless(self: Any, key: Any, price: int, solve: Any) -> Any:
        *rest, _policy = key
        return once(self, tuple(rest), price, solve)

    monkeypatch.setattr(memo.Budget, "memoize", careless)


def solve_for_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charge nothing for cached solutions, so that a budget depends on history."""
    monkeypatch.setattr(memo.Budget, "_cost", lambda self, entry, paid: 0)
    monkeypatch.setattr(memo.Budget, "_pay", lambda self, entry: None)


DEFECTS = (
    drop_the_mark,
    forget_a_guard,
    forget_texts,
    merge_wrongly,
    forget_house_rules,
    forget_the_policy,
    solve_for_free,
)


@pytest.mark.proof
@pytest.mark.parametrize("plant", DEFECTS, ids=lambda plant: plant.__name__)
def test_planted_defects_are_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert any(_differs(write(seed), seed) for seed in FIXED), "no game of the gate shows it"


def _differs(game: Game, seed: int) -> bool:
    try:
        interview(game, seed)
    except Difference:
        return True
    return False


@pytest.mark.proof
def test_a_game_that_shows_a_defect_is_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_the_policy(monkeypatch)
    seed = next(seed for seed in FIXED if _differs(write(seed), seed))
    small = shrunk(write(seed), lambda game: _differs(game, seed))
    assert _differs(small, seed)
    assert len(small.toml) < len(write(seed).toml)


# --- the tests of the tests --------------------------------------------------------------------


def test_forms_are_numbers_without_a_value() -> None:
    """Nothing in Python can read a number of a rule that is being compiled."""
    number = ValueEmitter().number("v1")
    assert isinstance(number, StagedNumber)
    for read in (int, float, hash_of_range, bool_of_comparison):
        with pytest.raises((TypeError, AttributeError)):
            read(number)


def hash_of_range(value: Any) -> Any:
    return range(value)


def bool_of_comparison(value: Any) -> Any:
    return value >= 1


def test_sequential_tests_raise_few_false_alarms_and_find_wrong_chances() -> None:
    from fractions import Fraction
    from random import Random

    rng, tests, half = Random(5), oracle.SequentialTests(), Fraction(1, 2)
    chances = {0: half, 1: half}
    for _ in range(500):
        heads = sum(rng.random() < 0.5 for _ in range(400))
        assert not tests.refutes(oracle.evidence({0: 400 - heads, 1: heads}, chances))
    heads = sum(rng.random() < 0.55 for _ in range(60_000))
    assert tests.refutes(oracle.evidence({0: 60_000 - heads, 1: heads}, chances))
    assert tests.refutes(oracle.evidence({2: 1}, chances))
