"""Simulation: sampling tables, seeds and workers, figures and their errors."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import goodness_of_fit
import numpy as np
import pytest
from ruleset_cases import ruleset
from toy_rulesets import toy

import handful
from handful.roll import BoundCheck
from handful.simulate import Simulation, draws, simulate, simulate_dice
from handful.simulate.figures import estimate
from handful.simulate.guide_table import BUCKETS, SCALE, GuideTable, kind_probabilities, solve_table
from handful.simulate.outcomes import Kind
from handful.simulate.sampling import DiceSampler, TableSampler
from handful.solver.solver import SolvedRules, Solver

UWR = {"attribute": 4, "rerolls": 2, "target": 2}


def uwr() -> BoundCheck:
    return ruleset("uwr").bind("direct", **UWR)


# -- the table


class Scripted:
    """A generator that gives what a test wants."""

    def __init__(self, keys: list[int]) -> None:
        self.keys = keys

    def integers(self, low: int, high: int, size: int, dtype: Any) -> Any:
        width = SCALE // BUCKETS
        if high == BUCKETS:
            return np.array([key // width for key in self.keys], dtype)
        unsure = [key % width for key in self.keys if key // width in self.asked]
        return np.array(unsure, dtype)

    asked: frozenset[int] = frozenset()


def guide_table(chances: list[Fraction]) -> GuideTable:
    return GuideTable({Kind(n, None, None, ()): p for n, p in enumerate(chances)})


@pytest.mark.parametrize(
    "chances",
    [
        [Fraction(1)],
        [Fraction(1, 2), Fraction(1, 2)],
        [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)],
        [Fraction(1, 3**60), 1 - Fraction(2, 3**60), Fraction(1, 3**60)],
        [Fraction(1, 3**30)] * 5 + [1 - Fraction(5, 3**30)],
        [Fraction(n, 500 * 999) for n in range(1000)],
    ],
)
def test_every_kind_has_its_exact_share_of_the_draws(chances: list[Fraction]) -> None:
    """Draws at both sides of every border fall where exact arithmetic says."""
    table = guide_table(chances)
    ends, total = [], Fraction(0)
    for chance in chances:
        total += chance
        ends.append(total * SCALE)
    borders = [int(end) for end in ends[:-1]]
    near = {border + step for border in borders for step in (-2, -1, 0, 1, 2)}
    keys = sorted({0, SCALE - 1, SCALE // 2} | {key for key in near if 0 <= key < SCALE})
    script = Scripted(keys)
    width = SCALE // BUCKETS
    script.asked = frozenset(b for b in range(BUCKETS) if table._guide[b] < 0)
    assert {border // width for border in borders if border % width} >= set(script.asked)
    rows = table.draw(len(keys), script).rows.tolist()  # type: ignore[arg-type]
    found = [table.kinds[row].result for row in rows]
    slack = len(chances)  # of 2**64: what rounding can shift a border by
    for key, place in zip(keys, found, strict=True):
        assert place is not None
        low = ends[int(place) - 1] if place else 0
        assert low - slack <= key <= ends[int(place)] + slack


def test_the_chances_of_all_kinds_are_the_odds() -> None:
    for check in (
        uwr(),
        ruleset("tuurna").bind("check", level=9, difficulty=7, options={"cap": "off"}),
        ruleset("me-d6").bind("opposed", {"dice": "5D"}, {"dice": "4D+1"}),
        ruleset("uwr").bind("opposed", {"attribute": 4}, {"attribute": 2}, {"attribute": 3}),
    ):
        exact, table = solve_table(check, "usual")
        assert table is not None
        solver = Solver(SolvedRules(check.ruleset), check.options)
        wanted = frozenset((check.check.main, "success", "wins"))
        chances = kind_probabilities(
            solver.solve_rule(check.check.name, check.args, wanted), check.check.main
        )
        assert sum(chances.values()) == 1
        for name, chance, due in goodness_of_fit.facts(chances, exact):  # type: ignore[arg-type]
            assert chance == due, name
        for value, due in exact.distribution.items():
            assert sum(p for kind, p in chances.items() if kind.result == value) == due


# -- seeds and workers


def kinds(made: Simulation) -> dict[Kind, int]:
    return dict(made.kinds)


def test_a_seed_gives_the_same_rolls_for_any_number_of_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TableSampler, "size", 1000)
    monkeypatch.setattr(DiceSampler, "size", 1000)
    for way in (simulate, simulate_dice):
        first = way(uwr(), count=9500, seed=7)
        assert kinds(way(uwr(), count=9500, seed=7)) == kinds(first)
        with ThreadPoolExecutor(3) as pool:
            assert kinds(way(uwr(), count=9500, seed=7, workers=pool)) == kinds(first)
        assert kinds(way(uwr(), count=9500, seed=8)) != kinds(first)
        assert sum(first.kinds.values()) == 9500
    threads = simulate(uwr(), count=9500, seed=7, workers=4)
    assert kinds(threads) == kinds(simulate(uwr(), count=9500, seed=7))


def test_other_processes_roll_the_same() -> None:
    check = ruleset("tuurna").bind("contest", {"level": 3}, {"level": 2, "leverage": 1})
    count = 2 * DiceSampler.size + 1
    assert kinds(simulate_dice(check, count=count, seed=3, workers=2)) == kinds(
        simulate_dice(check, count=count, seed=3)
    )


def test_draws_are_the_rolls_that_are_counted() -> None:
    for check in (
        uwr(),
        toy(
            "a = sum(roll(1, d6, more = 6))\nb = sum(roll(1, d6, more = 6))\n"
            'if a > b:\n    event("boom")\nresult(total = a - b)'
        ),
    ):
        made = simulate(check, count=20_000, seed=5)
        each = draws(check, count=20_000, seed=5)
        assert each.method == made.method
        values, counts = np.unique(each.results, return_counts=True)
        counted = {value: one.count for value, one in made.distribution.items()}
        assert dict(zip(values.tolist(), counts.tolist(), strict=True)) == counted
    assert each.happened("boom").sum() == made.events["boom"].count
    own = draws(uwr(), count=100, seed=5)
    assert (own.success == (own.results >= 2)).all()
    assert len(own.results) == 100


def test_draws_of_fractions_of_several_reactors_and_of_nothing() -> None:
    halves = draws(toy("result(total = sum(roll(1, d2)) / 2)"), count=50, seed=1)
    assert set(halves.results) == {Fraction(1, 2), 1}
    sides = ruleset("uwr").bind("opposed", {"attribute": 4}, {"attribute": 2}, {"attribute": 3})
    assert {len(one) for one in draws(sides, count=50, seed=1).success} == {2}
    nothing = simulate(toy("x = roll(1, d2)\nresult(total = None)"), count=50, seed=1)
    assert (nothing.distribution, nothing.mean, nothing.success) == ({}, None, None)


def test_progress_is_reported_and_ctrl_c_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TableSampler, "size", 1000)
    told: list[tuple[int, int]] = []
    simulate(uwr(), count=2500, seed=1, progress=lambda *done: told.append(done))
    assert told == [(1000, 2500), (2000, 2500), (2500, 2500)]

    def interrupt(done: int, count: int) -> None:
        raise KeyboardInterrupt

    for workers in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            simulate(uwr(), count=10**9, seed=1, workers=workers, progress=interrupt)


# -- figures


def test_figures() -> None:
    made = ruleset("uwr").simulate("direct", **UWR, count=50_000, seed=1)
    exact = ruleset("uwr").odds("direct", **UWR)
    assert (made.count, made.seed, made.method, made.exact) == (50_000, 1, "table", exact)
    assert made.success.chance == pytest.approx(float(exact.success), abs=0.02)
    assert made.mean.value == pytest.approx(float(exact.mean), abs=0.05)
    assert made.mean.error == pytest.approx(0.0094, rel=0.05)
    assert list(made.distribution) == [0, 1, 2, 3, 4]
    assert made.policy == exact.policy
    fields = json.loads(json.dumps(made.to_dict()))
    assert fields["exact"]["success"] == "473/729"
    assert fields["success"] == {
        "count": made.success.count,
        "chance": made.success.chance,
        "error": made.success.error,
    }
    assert [value for value, _ in fields["distribution"]] == [0, 1, 2, 3, 4]
    assert (fields["check"], fields["parameters"]["attribute"]) == ("direct", 4)


def test_sides() -> None:
    made = ruleset("uwr").simulate(
        "opposed", {"attribute": 4}, {"attribute": 2}, {"attribute": 3}, count=5000, seed=1
    )
    assert len(made.success) == 2
    assert len(made.wins) == 3
    assert made.tie.count == 5000 - sum(n for kind, n in made.kinds.items() if any(kind.wins))
    assert {"wins", "tie"} <= set(made.to_dict())


def test_errors_stay_honest_at_the_ends() -> None:
    assert 0.002 < estimate(0, 1000).error < 0.005
    assert estimate(0, 1000).error == pytest.approx(estimate(1000, 1000).error)
    assert estimate(500_000, 1_000_000).error == pytest.approx(0.00098, rel=0.01)


def test_a_seed_is_chosen_and_named() -> None:
    one, other = (ruleset("uwr").simulate("direct", **UWR, count=1000) for _ in range(2))
    assert one.seed != other.seed
    again = ruleset("uwr").simulate("direct", **UWR, count=1000, seed=one.seed)
    assert kinds(again) == kinds(one)


def test_without_numpy_everything_else_works() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import handful; from handful.cli import main\n"
        "print(handful.ruleset('uwr').odds('direct', attribute=3, target=1).success)\n"
        "print(main(['simulate', 'uwr', 'direct', 'attribute=3']))\n"
        "try: handful.ruleset('uwr').simulate('direct', attribute=3)\n"
        "except handful.NotInstalled: print('not here')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["19/27", "1", "not", "here"]
    assert done.stderr.splitlines() == [
        "handful: simulations need numpy, which is not installed here; `pip install numpy` installs it"
    ]


def test_importing_handful_does_not_load_numpy() -> None:
    code = "import sys, handful; print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"
    assert handful.ruleset is not None
