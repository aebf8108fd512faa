"""Tu'urna against enumeration, closed forms, icepool, dyce and the printed tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruleset_cases import ruleset

import handful
from oracles import peers
from oracles import tuurna as oracle
from oracles.tuurna import Roll

TUURNA = ruleset("tuurna")
FATES = ("cursed", "unlucky", "neutral", "lucky", "blessed")


def check(**params: Any) -> handful.Odds:
    return TUURNA.odds("check", **params)


# -- one Roll


@pytest.mark.parametrize("fate", FATES)
def test_r3_r5_r6_r26_score_of_every_fate(fate: str) -> None:
    for level, supernatural in product((1, 2, 5, 9, 12), (False, True)):
        cap = 12 if supernatural else 9
        odds = check(level=level, fate=fate, supernatural=supernatural)
        assert odds.distribution == oracle.wins(level, fate, cap)
        assert odds.tail is None


@pytest.mark.parametrize("fate", FATES)
def test_r3_against_every_face(fate: str) -> None:
    for level in (1, 2, 4):
        assert check(level=level, fate=fate).distribution == oracle.wins_by_faces(level, fate)


@pytest.mark.parametrize("fate", FATES)
def test_r3_against_icepool_and_dyce(fate: str) -> None:
    """Explosions with a cap; both cut chains off beyond it."""
    for level in (1, 3, 7):
        capped = peers.wins(level, fate).map(lambda won: min(won, 9))
        assert check(level=level, fate=fate).distribution == peers.of_die(capped)
        listed = check(level=level, fate=fate, options={"cap": "off"}).distribution
        exact = {won: chance for won, chance in listed.items() if won <= 12}
        second = peers.of_die(peers.wins(level, fate))
        third = peers.of_h(peers.wins_dyce(level, fate))
        assert exact == {won: second[won] for won in exact} == {won: third[won] for won in exact}


@pytest.mark.parametrize("fate", FATES)
def test_amb_r2_without_a_cap_nothing_is_left_over(fate: str) -> None:
    for level in (1, 4, 12):
        odds = check(level=level, fate=fate, options={"cap": "off"})
        assert odds.mean == oracle.mean_wins(level, fate)
        for wanted in (1, 5, 15):
            reached = check(level=level, fate=fate, difficulty=wanted, options={"cap": "off"})
            assert reached.success == oracle.reaches(level, fate, wanted)
        assert (odds.tail is None) == (fate == "cursed")


@pytest.mark.parametrize("leverage_cap", ["after", "before"])
@pytest.mark.parametrize("result_floor", ["none", "0"])
def test_r18_amb_r3_amb_r5_leverage(leverage_cap: str, result_floor: str) -> None:
    options = {"leverage_cap": leverage_cap, "result_floor": result_floor}
    for level, leverage, success_at in product((1, 6), (-4, -1, 0, 2), ("meet", "beat")):
        before, floored = leverage_cap == "before", result_floor == "0"
        roll = Roll(level, leverage=leverage, before=before, floored=floored)
        options = {**options, "success_at": success_at}
        odds = check(level=level, leverage=leverage, difficulty=4, options=options)
        assert odds.distribution == roll.distribution()
        assert odds.success == oracle.at_least(roll.distribution(), 4 + (success_at == "beat"))


BOUNDS = st.lists(st.integers(-4, 6), max_size=3)


@given(
    level=st.integers(0, 6),
    labor=st.integers(-7, 5),
    bounds=st.tuples(BOUNDS, BOUNDS, BOUNDS, BOUNDS),
    leverage=st.integers(-4, 4),
    fates=st.lists(st.sampled_from(FATES), min_size=1, max_size=3),
    combine=st.sampled_from(["sum", "strongest"]),
    level0=st.sampled_from(["forbid", "score0", "one_die"]),
)
def test_r11_to_r17_amb_r6_amb_r8_everything_before_the_dice(
    level: int,
    labor: int,
    bounds: tuple[list[int], ...],
    leverage: int,
    fates: list[str],
    combine: str,
    level0: str,
) -> None:
    names = ("labor_min", "labor_max", "leverage_min", "leverage_max")
    limits = {n: "+".join(map(str, b)) for n, b in zip(names, bounds, strict=True) if b}
    odds = check(
        level=level,
        labor=labor,
        leverage=leverage,
        fate="+".join(fates),
        difficulty=3,
        options={"fate_combine": combine, "level0": level0},
        **limits,
    )
    dice = oracle.dice_of(level, oracle.bounded(labor, bounds[0], bounds[1]), level0)
    if dice is None:
        assert (odds.success, odds.distribution, odds.mean) == (0, {}, None)
        assert odds.events == {"cannot_attempt": 1}
        return
    points = oracle.bounded(leverage, bounds[2], bounds[3])
    roll = Roll(dice, oracle.combined_fate(fates, combine), points)
    assert odds.distribution == roll.distribution()
    assert odds.success == oracle.at_least(roll.distribution(), 3)


# -- several Skills, groups


@pytest.mark.parametrize("levels", [(5, 3), (2, 2, 4), (1, 1, 1, 1)])
def test_r27_r28_amb_r10_amb_r11_several_skills(levels: tuple[int, ...]) -> None:
    typed = ",".join(map(str, levels))
    for factor, leverage, once in product(("k", "2"), (0, 2), (False, True)):
        options = {"multiskill_factor": factor, "multiskill_leverage": "once" if once else "each"}
        odds = check(level=typed, leverage=leverage, difficulty=3, options=options)
        rolls = [
            Roll(level, leverage=leverage if place == 0 or not once else 0)
            for place, level in enumerate(levels)
        ]
        assert odds.distribution == oracle.summed(rolls)
        assert odds.success == oracle.check(rolls, 3, 2 if factor == "2" else None)


GROUPS = [[4, 4, 4], [5, 3, 4], [1, 6], [2, 0, 3]]


@pytest.mark.parametrize("levels", GROUPS, ids=str)
@pytest.mark.parametrize("judge", ["max", "min", "average"])
def test_r22_amb_r6_amb_r9_group(levels: list[int], judge: str) -> None:
    members = [[Roll(level)] if level else None for level in levels]
    sides = [{"level": level} for level in levels]
    for rounding in ("exact", "half_up"):
        odds = TUURNA.odds("group", *sides, judge=judge, difficulty=4, options={"group_average": rounding})
        expected = oracle.group(members, judge, half_up=rounding == "half_up")
        assert odds.distribution == expected
        assert odds.success == oracle.at_least(expected, 4)


@pytest.mark.parametrize("judge", ["max", "min", "average"])
def test_r22_against_icepool(judge: str) -> None:
    members = [peers.wins(level, depth=10).map(lambda won: min(won, 9)) for level in (3, 5)]
    joined = {
        "max": lambda a, b: max(a, b) >= 4,
        "min": lambda a, b: min(a, b) >= 4,
        "average": lambda a, b: a + b >= 8,
    }[judge]
    success = peers.icepool.map(joined, *members).probability(True)
    odds = TUURNA.odds("group", {"level": 3}, {"level": 5}, judge=judge, difficulty=4)
    assert odds.success == success


# -- contests

CONTESTS = [
    [[Roll(5)], [Roll(2)]],
    [[Roll(3, leverage=-1)], [Roll(3, fate="lucky")]],
    [[Roll(2)], [Roll(1)], [Roll(2)]],
    [[Roll(1)], [Roll(2, leverage=1)], [Roll(2, fate="cursed")]],
    [[Roll(2), Roll(3)], [Roll(3)]],
    [[Roll(1, fate="blessed")], [Roll(1)], [Roll(1)]],
]


def as_side(rolls: list[Roll]) -> dict[str, Any]:
    return {
        "level": ",".join(str(roll.dice) for roll in rolls),
        "leverage": ",".join(str(roll.leverage) for roll in rolls),
        "fate": ",".join(roll.fate for roll in rolls),
    }


@pytest.mark.parametrize("sides", CONTESTS, ids=range(len(CONTESTS)))
def test_r24_r25_r29_amb_r12_contests(sides: list[list[Roll]]) -> None:
    for ties, tied_only in (("reroll", False), ("reroll", True), ("stand", False)):
        odds = TUURNA.odds(
            "contest",
            *map(as_side, sides),
            ties=ties,
            options={"tie_reroll": "tied_only" if tied_only else "all"},
        )
        expected = oracle.contest(sides, reroll=ties == "reroll", tied_only=tied_only)
        assert odds.wins == expected.wins
        assert (odds.success, odds.tie) == (expected.wins[0], expected.tie)
        assert odds.distribution == expected.first


@pytest.mark.parametrize(("a", "b"), [(1, 1), (5, 2), (4, 6)])
def test_r25_rerolled_ties_against_icepool(a: int, b: int) -> None:
    first, second = (peers.wins(n, depth=10).map(lambda won: min(won, 9)) for n in (a, b))
    wins, tie = (first > second).probability(True), (first == second).probability(True)
    stands = TUURNA.odds("contest", {"level": a}, {"level": b}, ties="stand")
    assert (stands.success, stands.tie) == (wins, tie)
    again = TUURNA.odds("contest", {"level": a}, {"level": b})
    assert (again.success, again.tie) == (wins / (1 - tie), 0)


# -- printed tables of the reference (10.3 to 10.6)

REACHED = {  # (fate, dice): P(W >= D) for D = 1 to 12, no cap
    ("cursed", 7): "0.9995 0.9931 0.9547 0.8267 0.5706 0.2634 0.0585 0 0 0 0 0",
    ("unlucky", 6): ("0.9986 0.9849 0.9255 0.7790 0.5519 0.3180 0.1502 0.0605 0.0215 0.0070 0.0021 0.0006"),
    ("neutral", 5): ("0.9959 0.9684 0.8861 0.7368 0.5488 0.3685 0.2266 0.1296 0.0699 0.0359 0.0177 0.0085"),
    ("neutral", 12): ("1.0000 1.0000 0.9997 0.9986 0.9946 0.9837 0.9598 0.9163 0.8486 0.7572 0.6477 0.5298"),
    ("lucky", 4): ("0.9992 0.9889 0.9341 0.7843 0.5572 0.3463 0.1949 0.1018 0.0503 0.0238 0.0108 0.0048"),
    ("blessed", 3): ("1.0000 1.0000 1.0000 0.7037 0.4074 0.2099 0.1001 0.0453 0.0197 0.0083 0.0034 0.0014"),
}
MEANS = {  # level: E[min(W, 9)], E[min(W, 12)]
    1: (0.999949, 0.999998),
    5: (4.930786, 4.992914),
    9: (7.824040, 8.701394),
    12: (8.701394, 10.636074),
}
HIGHER = {
    (1, 1): (0.333, 0.333),
    (5, 2): (0.840, 0.081),
    (4, 7): (0.136, 0.087),
    (9, 9): (0.333, 0.334),
}


@pytest.mark.parametrize(("fate", "dice"), REACHED)
def test_r3_printed_table(fate: str, dice: int) -> None:
    odds = check(level=dice, fate=fate, options={"cap": "off"})
    for wanted, expected in enumerate(map(float, REACHED[fate, dice].split()), 1):
        assert float(odds.at_least(wanted)) == pytest.approx(expected, abs=5.1e-5)


@pytest.mark.parametrize("level", MEANS)
def test_r5_r6_printed_means(level: int) -> None:
    mortal, supernatural = (check(level=level, supernatural=s).mean for s in (False, True))
    assert float(mortal or 0) == pytest.approx(MEANS[level][0], abs=6e-7)
    assert float(supernatural or 0) == pytest.approx(MEANS[level][1], abs=6e-7)


@pytest.mark.parametrize(("a", "b"), HIGHER)
def test_r24_printed_table(a: int, b: int) -> None:
    odds = TUURNA.odds("contest", {"level": a}, {"level": b}, ties="stand")
    win, tie = HIGHER[a, b]
    assert float(odds.success) == pytest.approx(win, abs=5.1e-4)  # type: ignore[arg-type]
    assert float(odds.tie or 0) == pytest.approx(tie, abs=5.1e-4)


def test_printed_fixed_points() -> None:
    ylir = TUURNA.odds("contest", {"level": 5}, {"level": 2}).success
    fire = TUURNA.odds("contest", {"level": 5, "leverage": 5}, {"level": 5}, ties="stand")
    points = [
        (ylir, 0.9132),
        (fire.success, 0.9365),
        (fire.tie, 0.0347),
        (check(level="5,5", difficulty=5).success, 0.5326),
        (check(level="9,9", difficulty=9).success, 0.2861),
        (check(level="5,5", leverage=2, difficulty=5).success, 0.940),
    ]
    for chance, printed in points:
        assert float(chance) == pytest.approx(printed, abs=5.1e-4)  # type: ignore[arg-type]


def test_cap_duality_of_the_neutral_die() -> None:
    """E[min(Wn, c)] - E[min(Wn-1, c)] = P(Wc >= n), for the caps 9 and 12."""
    for cap, level in product((9, 12), (2, 5, 9, 12)):
        means = [check(level=n, supernatural=cap == 12).mean for n in (level - 1, level)]
        reached = check(level=cap, difficulty=level, options={"cap": "off"}).success
        assert means[1] - means[0] == reached  # type: ignore[operator]
    assert check(level=1, difficulty=10, options={"cap": "off"}).success == Fraction(2, 59049)
