"""The mechanics and peers of the benchmark give right answers.

What is expected comes from sums over single dice that share nothing with the solver, and from the
peers that the bench measures.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import pytest
from cli_runner import run_cli

import grid
import library_handful
import load
import long_table
import sweep
from cases import COLUMNS, FAMILIES, SHIPPED, TOY, TUNED, Case, Family, by_family
from compare import compare
from handful.library import families
from measure import FamilyTimes
from result import Result
from show import WIDTH, page
from worker import MODULES
from workers import CONTENDERS, OURS, Contender

TOYS = sorted((Path(__file__).parents[2] / "bench" / "toys").glob("*.toml"))
Chances = dict[int, Fraction]


def weighed(values: Iterable[tuple[int, Fraction]]) -> Chances:
    found: Counter[int] = Counter()
    for value, chance in values:
        found[value] += chance  # type: ignore[assignment]
    return {value: Fraction(chance) for value, chance in found.items() if chance}


def joined(join: Callable[[int, int], int], one: Chances, other: Chances) -> Chances:
    pairs = product(one.items(), other.items())
    return weighed((join(x, y), p * q) for (x, p), (y, q) in pairs)


def rerolls(sides: int, threshold: int, dice: int, again: int) -> Chances:
    p = Fraction(sides - threshold + 1, sides)

    def hits(count: int) -> Chances:
        return {k: comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1)}

    return weighed(
        (first + late, chance * late_chance)
        for first, chance in hits(dice).items()
        for late, late_chance in hits(min(again, dice - first)).items()
    )


def opposed(sides: int, threshold: int, a: int, a_again: int, b: int, b_again: int) -> Chances:
    acting, reacting = rerolls(sides, threshold, a, a_again), rerolls(sides, threshold, b, b_again)
    return joined(lambda x, y: max(x - y, 0), acting, reacting)


def explosions(faces: tuple[int, ...], level: int, cap: int) -> Chances:
    one: Chances = {0: Fraction(1)}
    for _ in range(cap):
        later = [(wins + 1, chance * faces.count(2)) for wins, chance in one.items()]
        now = [(face, Fraction(faces.count(face))) for face in (0, 1)]
        one = {v: p / len(faces) for v, p in weighed([*now, *later]).items()}
    total: Chances = {0: Fraction(1)}
    for _ in range(level):
        total = joined(lambda x, y: min(x + y, cap), total, one)
    return total


def wild(sides: int, dice: int, removed: str, depth: int) -> Chances:
    def totals() -> Iterable[tuple[int, Fraction]]:
        each = Fraction(1, sides ** (dice - 1))
        for others in product(range(1, sides + 1), repeat=dice - 1):
            lost = {"highest": max(others), "pair": max(others) + 1, "nothing": 0}[removed]
            yield 1 + sum(others) - lost, each / sides
            for extra in range(depth + 1):
                for face in range(1 if extra else 2, sides):
                    yield sum(others) + sides * extra + face, each / sides ** (extra + 1)

    return weighed(totals())


def group(faces: tuple[int, ...], cap: int, judge: str, levels: tuple[int, ...]) -> Chances:
    join = {"max": max, "min": min, "average": int.__add__}[judge]
    first, *others = (explosions(faces, level, cap) for level in levels)
    for other in others:
        first = joined(join, first, other)
    return first


def keep(sides: int, dice: int, kept: int) -> Chances:
    each = Fraction(1, sides**dice)
    pools = product(range(1, sides + 1), repeat=dice)
    return weighed((sum(sorted(pool)[-kept:]), each) for pool in pools)


ORACLES = by_family(rerolls, opposed, explosions, wild, group, keep)
FEW: dict[str, list[Case]] = {
    "rerolls": [(10, 8, 4, 0), (10, 6, 7, 2), (10, 7, 3, 5)],
    "opposed": [(10, 8, 5, 2, 4, 1), (10, 8, 4, 0, 6, 3)],
    "explosions": [FAMILIES["explosions"].toy[level] for level in (0, 3, 17)],
    "wild die": [(10, 3, removed, 12) for removed in ("highest", "pair", "nothing")],
    "group": [FAMILIES["group"].toy[place] for place in (0, 13, 26)],
    "keep": [(4, 4, 3), (7, 4, 2), (12, 3, 1), (16, 3, 2)],
}


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.stem)
def test_toys_have_no_mistakes(toy: Path) -> None:
    assert run_cli(["lint", str(toy)]).status == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_toys_agree_with_sums_over_single_dice(family: str) -> None:
    for case in FEW[family]:
        answer = library_handful.to_answer(library_handful.solver(family, TOY)(*case), family, TOY, case)
        found = {value: Fraction(*chance) for value, *chance in answer["chances"]}
        expected = ORACLES[family](*case)
        if answer["left"]:
            expected = {v: p for v, p in expected.items() if v < answer["left"][0]}
        assert found == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("family", FAMILIES)
def test_all_libraries_are_asked_the_same(family: str, column: str) -> None:
    cases = [FAMILIES[family].warm[column][0], FAMILIES[family].cases(column)[4]]
    answers = {}
    for contender in CONTENDERS:
        library = importlib.import_module(MODULES[contender])
        solve = library.solver(family, column)
        answers[str(contender)] = [library.to_answer(solve(*case), family, column, case) for case in cases]
    compare(family, cases, answers)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_no_case_is_asked_twice(family: Family) -> None:
    for column in COLUMNS:
        cases = [*family.warm[column], *family.cases(column)]
        assert len(set(cases)) == len(cases)


LOADED = {
    "tables": 200,
    "a_second": 200.0,
    "commands": 577.1,
    "p50": 9.5,
    "p95": 20.1,
    "p99": 1234.5,
    "slowest": 12345.6,
    "megabytes": 321.0,
    "processor": 3.4,
}


def times(family: Family) -> FamilyTimes:
    """Handful takes 10 and the toy 20; the peers 300, 200, and tuned by hand 50, 100."""
    spent = dict(zip(CONTENDERS, (10.0, 300.0, 200.0, 50.0, 100.0), strict=True))
    return FamilyTimes(family, {SHIPPED: spent, TOY: {**spent, OURS: 20.0}})


def test_ratios_are_to_the_best_idiom_and_to_the_best_of_all() -> None:
    timed = times(FAMILIES["keep"])
    assert timed.ratio(SHIPPED) == 20
    assert timed.ratio(SHIPPED, TUNED) == 5
    assert timed.peer(SHIPPED, TUNED) == Contender("icepool", TUNED)
    assert timed.toy_to_shipped == 2
    timed.times[SHIPPED].pop(Contender("icepool", TUNED))
    timed.times[SHIPPED][Contender("dyce", TUNED)] = 250
    assert timed.ratio(SHIPPED, TUNED) == 20  # tuning that does not help is no worse a peer


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted({*MODULES.values()} - {"library_handful"}))
def test_tables_by_hand_are_the_same(name: str) -> None:
    library = importlib.import_module(name)
    dice, again = range(1, 5), range(3)
    assert grid.solve_pools(library, dice, again) == library_handful.table(dice, again, grid.TARGETS)


def test_a_table_is_measured_whole() -> None:
    found = grid.measure_sweep(library_handful, grid.ONCE)
    assert grid.CELLS == 10_000
    assert 0 < found["seconds"] < 60
    assert found["bytes"] > 1e6
    assert found["digest"] == grid.digest(library_handful.table(grid.DICE, grid.AGAIN, grid.TARGETS))


def test_the_ratio_of_a_table_is_to_the_best_idiom_and_to_the_best_of_all() -> None:
    spent = dict(zip(map(str, CONTENDERS), (2.0, 60.0, 40.0, 30.0, 20.0), strict=True))
    assert sweep.ratios({"each cell": spent}) == {"each cell": {"idiom": 20, "tuned": 10}}


def test_a_long_session_is_measured() -> None:
    found = long_table.measure(rolls=20, saved=5)
    assert found["rolls"] == 20
    assert all(found[name] > 0 for name in ("decided", "saved", "bytes", "load", "view", "wait"))


@pytest.mark.proof
def test_many_tables_are_measured_and_nothing_is_lost() -> None:
    found = load.measure(tables=3, seconds=1.5, stages=(1,), short=1.0)
    assert [one["tables"] for one in found["stages"]] == [1, 3]
    for one in found["stages"]:
        assert 0 < one["p50"] <= one["p95"] <= one["p99"] <= one["slowest"]
        assert one["a_second"] > 0
        assert one["megabytes"] > 10
    assert found["lost"] == 0


def test_a_lost_roll_would_be_noticed(tmp_path: Path) -> None:
    path = str(tmp_path / "load.db")
    load.set_up(path, 1)
    assert load.count_lost(path, [["player1/never"]]) == 1


def test_the_saved_page_has_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [{"dice": size, "seconds": 0.01, "bytes": 4096} for size in (10, 20)]
    result = Result(
        {"handful": "1", "icepool": "2", "dyce": "3"},
        families=[times(family) for family in FAMILIES.values()],
        growth={name: dict.fromkeys(("handful", "icepool", "dyce"), points) for name in FAMILIES},
        sweep={
            "cells": 10_000,
            "seconds": {"each cell": {str(one): 1.0 for one in CONTENDERS}},
            "bytes": {str(one): 26e6 for one in CONTENDERS},
            "ratio": {"each cell": {"idiom": 79.0, "tuned": 41.0}},
        },
        processes={"handful": 0.04, "dyce": 0.08},
        rates={"draws": None},
        table={
            "rolls": 10_000,
            "decided": 2e3,
            "saved": 500,
            "bytes": 25e6,
            "load": 1.5,
            "view": 2,
        },
        load={"seats": 6, "lost": 0, "stages": [LOADED]},
    )
    text = page(result)
    _, table, _ = text.split("```")
    for words in (
        *FAMILIES,
        "idiom",
        "tuned",
        "mean",
        "A table of 10,000 cells",
        "each cell",
        "import dyce",
        "draws from a solved table",
        "seconds to read it",
        "6 seats on one server",
    ):
        assert words in table
    row = next(line.split() for line in table.splitlines() if line.startswith("explosions"))
    assert row[1:] == ["10.0", "300", "200", "50.0", "100", "20.0", "10.0", "5.00", "2.50", "2.00"]
    assert max(map(len, table.splitlines())) <= WIDTH
    monkeypatch.setenv("FORCE_COLOR", "1")  # as if at a terminal
    assert page(result) == text


def test_the_families_have_cases_that_both_solve_equally() -> None:
    """The smallest case of each; the bench itself compares all of them."""
    import mechanics
    import mechanics_handful
    import mechanics_icepool

    assert set(mechanics.MECHANICS) == {*families(), *mechanics.PUBLISHED}
    for family, (_, *cases) in mechanics.MECHANICS.items():
        assert len(set(cases)) == len(cases) > 4
        answers = [
            [sorted(module.to_answer(module.solve(family, case)).items()) for case in cases[:1]]
            for module in (mechanics_handful, mechanics_icepool)
        ]
        chances = dict(answers[1][0])
        for value, chance in answers[0][0]:
            assert abs(chance - chances.get(value, 0.0)) < mechanics.TOLERANCE


def test_different_answers_of_the_great_families_are_noticed() -> None:
    import mechanics

    one = [[(1, 0.5), (2, 0.5)]] * (len(mechanics.MECHANICS["bands-2d6"]) - 1)
    mechanics.check_mechanics("bands-2d6", one, one)
    with pytest.raises(ValueError, match="bands-2d6"):
        mechanics.check_mechanics("bands-2d6", one, [[(1, 0.4), (2, 0.6)]] * len(one))
