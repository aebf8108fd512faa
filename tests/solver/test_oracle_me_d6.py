"""Mass Effect D6 against enumeration, closed forms, icepool, dyce and the printed tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruleset_cases import ruleset

import handful
from oracles import me_d6 as oracle
from oracles import peers
from oracles.me_d6 import Side

ME = ruleset("me-d6")
RULINGS = ("cancel", "complication")
READINGS = [("cancel", "highest"), ("cancel", "pair"), ("complication", "highest")]


def total(dice: str, ruling: str = "cancel", removes: str = "highest", **more: Any) -> handful.Odds:
    options = {"crit_fail_removes": removes}
    return ME.odds("total", dice=dice, ruling=ruling, options=options, **more)


def check(**params: Any) -> handful.Odds:
    return ME.odds("check", **params)


def below(odds: handful.Odds, number: int) -> dict[Any, Fraction]:
    return {value: chance for value, chance in odds.distribution.items() if value < number}


# -- one throw: the wild die with both rulings and both readings


@pytest.mark.parametrize(("ruling", "removes"), READINGS)
def test_d4_d5_amb_d3_totals_and_means(ruling: str, removes: str) -> None:
    for dice, pips in product((1, 2, 3, 5, 8), (0, 2)):
        odds = total(f"{dice}D+{pips}", ruling, removes)
        side = Side(dice, pips, ruling, removes)
        assert odds.tail is not None
        assert below(odds, int(odds.tail.start)) == oracle.totals_below(side, int(odds.tail.start))
        assert odds.tail.probability == oracle.at_least(side, int(odds.tail.start))
        assert odds.mean == oracle.mean(side)
        assert odds.success is None


@pytest.mark.parametrize(("ruling", "removes"), READINGS)
@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_d4_d5_against_every_face(dice: int, ruling: str, removes: str) -> None:
    side = Side(dice, 1, ruling, removes)
    assert below(total(f"{dice}D+1", ruling, removes), 20) == oracle.enumerated(side, 20)


@pytest.mark.parametrize(("ruling", "removes"), READINGS)
@pytest.mark.parametrize("dice", [1, 2, 4, 7])
def test_d4_d5_against_icepool(dice: int, ruling: str, removes: str) -> None:
    odds = total(f"{dice}D", ruling, removes)
    assert odds.tail is not None
    exact = min(int(odds.tail.start), 30)  # the peer cuts the wild die off after five more sixes
    second = peers.of_die(peers.total(dice, ruling, removes))
    assert below(odds, exact) == {value: p for value, p in second.items() if value < exact}


@pytest.mark.parametrize("dice", [1, 3, 6])
def test_d4_against_dyce(dice: int) -> None:
    third = peers.of_h(peers.total_dyce(dice))
    for number in (dice, 10, 20, 29):
        reached = sum((p for value, p in third.items() if value >= number), Fraction(0))
        assert check(dice=f"{dice}D", ruling="complication", difficulty=number).success == reached


def test_clm_d2_critical_events() -> None:
    for dice in (1, 4):
        events = check(dice=f"{dice}D", ruling="complication", ranged=True).events
        assert events == dict.fromkeys(
            ("critical_failure", "critical_success", "complication", "weapon_overheats"),
            Fraction(1, 6),
        )


# -- everything before the throw

CHECKS = st.fixed_dictionaries(
    {
        "dice": st.tuples(st.integers(0, 5), st.integers(0, 2)),
        "skill_points": st.integers(0, 7),
        "bonus": st.tuples(st.integers(-3, 3), st.integers(-2, 2)),
        "actions": st.integers(1, 4),
        "free_actions": st.integers(1, 2),
        "wound": st.integers(0, 3),
        "prepare": st.sampled_from(["1", "1.9", "2", "3.9", "4", "8", "20"]),
        "rush": st.sampled_from(["0%", "10%", "25%", "26%", "50%", "75%"]),
        "running": st.booleans(),
        "untrained": st.sampled_from([0, 1, 5]),
        "modifier": st.integers(-8, 8),
        "medals": st.integers(0, 2),
        "point": st.sampled_from(["", "paragon-dice", "renegade-bonus"]),
        "difficulty": st.integers(-2, 25),
        "ruling": st.sampled_from(RULINGS),
    }
)
HOUSE_RULES = st.fixed_dictionaries(
    {
        "tie": st.sampled_from(["initiator", "strict"]),
        "crit_fail_removes": st.sampled_from(["highest", "pair"]),
        "skill_point_value": st.sampled_from(["flat", "pips_convert"]),
        "paragon_dice": st.sampled_from([5, 3]),
        "zero_dice": st.sampled_from(["forbid", "pips_only", "min_1D"]),
        "wound_penalties": st.sampled_from([[1, 3, 5], [0, 1, 2]]),
    }
)
WOUNDS = ("none", "light", "wounded", "severe")


def side_of(p: dict[str, Any], options: dict[str, Any]) -> Side:
    """Dice and points after every bonus and penalty (D-2, D-21, D-29, D-44, D-45, D-47)."""
    dice, points = p["dice"][0], p["dice"][1] + p["skill_points"]
    if options["skill_point_value"] == "pips_convert":
        dice, points = oracle.pips_converted(*p["dice"], p["skill_points"])
    dice += p["bonus"][0] + oracle.prepared_dice(Fraction(p["prepare"])) + 3 * p["medals"]
    dice += options["paragon_dice"] if p["point"] == "paragon-dice" else 0
    dice -= max(0, p["actions"] - p["free_actions"])
    dice -= [0, *options["wound_penalties"]][p["wound"]]
    points += p["bonus"][1] + (3 if p["point"] == "renegade-bonus" else 0)
    return Side(dice, points, p["ruling"], options["crit_fail_removes"])


def number_of(p: dict[str, Any]) -> int:
    rush = oracle.rush_raise(Fraction(p["rush"].rstrip("%")) / 100)
    assert rush is not None
    return int(p["difficulty"] + rush + 6 * p["running"] + p["untrained"] + p["modifier"])


@given(p=CHECKS, options=HOUSE_RULES)
def test_d2_to_d47_everything_that_shapes_a_check(p: dict[str, Any], options: dict[str, Any]) -> None:
    side, number = side_of(p, options), number_of(p)
    typed = {k: v for k, v in p.items() if k not in ("medals", "point")}
    typed["dice"] = f"{p['dice'][0]}D+{p['dice'][1]}"
    typed["bonus"] = f"{p['bonus'][0]}D{p['bonus'][1]:+}"
    typed["wound"] = WOUNDS[p["wound"]]
    if spend := ["medal"] * p["medals"] + [p["point"]] * bool(p["point"]):
        typed["spend"] = ",".join(spend)
    odds = check(**typed, options=options)
    needed = number + (options["tie"] == "strict")
    if number <= 0:  # AMB-D23
        assert (odds.success, odds.mean, odds.events["automatic"]) == (1, 0, 1)
    elif side.dice > 0:
        assert odds.success == oracle.at_least(side, needed)
        assert odds.mean == oracle.mean(side)
    elif options["zero_dice"] == "min_1D":
        assert odds.success == oracle.at_least(side._replace(dice=1), needed)
    elif options["zero_dice"] == "pips_only":
        assert odds.distribution == {side.points: 1}
        assert odds.success == (side.points >= needed)
    else:
        assert (odds.success, odds.distribution, odds.mean) == (0, {}, None)
        assert odds.events["cannot_attempt"] == 1


@pytest.mark.parametrize("raises", ["cumulative", "from_original", "none"])
def test_d38_amb_d16_retries(raises: str) -> None:
    for failed in ([10], [10, 20], [3, 7, 12]):
        number = oracle.retry_number(16, failed, raises)
        if raises == "none" and max(failed) >= 16:
            continue  # refused: that try did not fail
        odds = check(
            dice="6D",
            difficulty=16,
            failed=",".join(map(str, failed)),
            options={"retry_raise": raises},
        )
        assert odds.success == oracle.at_least(Side(6), number)


# -- two throws


@pytest.mark.parametrize(("ruling", "removes"), READINGS)
@pytest.mark.parametrize("tie", ["initiator", "strict"])
def test_d34_amb_d1_amb_d20_opposed_wild_dice(ruling: str, removes: str, tie: str) -> None:
    options = {"crit_fail_removes": removes, "tie": tie}
    for a, b, lead in [(1, 1, 0), (2, 2, 0), (4, 3, 5), (3, 5, -2), (2, 6, 0)]:
        first = {"dice": f"{a}D+1", "ruling": ruling, "modifier": lead}
        second = {"dice": f"{b}D", "ruling": ruling}
        odds = ME.odds("opposed", first, second, options=options)
        sides = Side(a, 1, ruling, removes), Side(b, 0, ruling, removes)
        assert odds.success == oracle.not_below(*sides, lead + (tie == "strict"))
        assert odds.wins == (odds.success, 1 - odds.success)
        assert odds.tie == 0


@pytest.mark.parametrize(("a", "b", "defense"), [(4, 4, 12), (3, 2, 8), (5, 5, 20), (2, 4, 1)])
def test_d42_d43_amb_d17_attack_and_parry(a: int, b: int, defense: int) -> None:
    for ruling, hampered in product(RULINGS, (0, 3)):
        first = {"dice": f"{a}D", "ruling": ruling}
        second = {"dice": f"{b}D", "ruling": ruling, "modifier": hampered}
        sides = Side(a, 0, ruling), Side(b, 0, ruling)
        alone = ME.odds("attack", first, defense=defense)
        assert alone.success == oracle.at_least(sides[0], defense)
        parried = ME.odds("attack", first, second, defense=defense)
        assert parried.success == oracle.hits_unparried(sides[0], defense, sides[1], hampered)
        instead = ME.odds("attack", first, second, defense=defense, options={"parry": "instead_of_defense"})
        assert instead.success == oracle.not_below(*sides, -hampered)


def test_d28_full_reaction_and_amb_d10_resistance() -> None:
    reaction = ME.odds("attack", {"dice": "6D"}, defense=12, full_reaction=True)
    assert reaction.success == oracle.at_least(Side(6), 22)
    hurt = ME.odds("total", dice="5D", wound="light", options={"wounds_affect_resist": True})
    assert (total("5D").mean, hurt.mean) == (oracle.mean(Side(5)), oracle.mean(Side(4)))


def test_amb_d7_a_point_after_the_roll_is_worth_three() -> None:
    """With `best` it is always spent; the usual policy keeps it."""
    for dice, difficulty in [(2, 9), (3, 14), (4, 12)]:
        params = {"dice": f"{dice}D", "difficulty": difficulty, "spend": "ask", "ruling": "cancel"}
        assert check(**params).success == oracle.at_least(Side(dice), difficulty)
        best = check(**params, policy="best").success
        assert best == oracle.at_least(Side(dice, 3), difficulty)


# -- printed tables of the reference (10.7, 10.8)

EDGES = (1, 6, 11, 16, 21, 26, 31, 36, 41)
PRINTED = {  # (dice, ruling, removes): P(total >= edge)
    (1, *READINGS[0]): "0.83333 0.16667 0.05556 0.01389 0.00309 0.00064 0.00013 0.00002 0.00001",
    (4, *READINGS[0]): "1.00000 0.93981 0.74833 0.36664 0.09122 0.02058 0.00464 0.00104 0.00023",
    (10, *READINGS[0]): "1.00000 1.00000 0.99999 0.99867 0.98126 0.90850 0.73445 0.45675 0.19412",
    (2, *READINGS[1]): "0.83333 0.66667 0.16667 0.03935 0.00913 0.00206 0.00045 0.00009 0.00002",
    (5, *READINGS[1]): "1.00000 0.97827 0.86214 0.63632 0.26956 0.06628 0.01491 0.00335 0.00075",
    (9, *READINGS[1]): "1.00000 1.00000 0.99963 0.98846 0.93212 0.79575 0.54493 0.25391 0.07742",
    (3, *READINGS[2]): "1.00000 0.95370 0.52469 0.12487 0.02842 0.00645 0.00145 0.00032 0.00007",
    (7, *READINGS[2]): "1.00000 1.00000 0.99957 0.97819 0.81643 0.45269 0.14814 0.03487 0.00784",
}
MEANS = {
    1: "121/30 121/30 21/5",
    3: "11291/1080 11111/1080 56/5",
    6: "1617007/77760 1604047/77760 217/10",
}


@pytest.mark.parametrize(("dice", "ruling", "removes"), PRINTED)
def test_d33_printed_table(dice: int, ruling: str, removes: str) -> None:
    printed = map(float, PRINTED[dice, ruling, removes].split())
    for edge, expected in zip(EDGES, printed, strict=True):
        odds = check(
            dice=f"{dice}D",
            ruling=ruling,
            difficulty=edge,
            options={"crit_fail_removes": removes},
        )
        assert float(odds.success) == pytest.approx(expected, abs=5.1e-6)  # type: ignore[arg-type]


@pytest.mark.parametrize("dice", MEANS)
def test_d5_printed_means(dice: int) -> None:
    for reading, mean in zip(READINGS, MEANS[dice].split(), strict=True):
        assert total(f"{dice}D", *reading).mean == Fraction(mean)


def test_printed_fixed_points() -> None:
    four = {"dice": "4D", "ruling": "complication"}
    points = [
        *((check(**four, prepare=t, difficulty=16), p) for t, p in [(1, 0.3821), (8, 0.9782)]),
        (check(dice="5D", ruling="complication", rush="50%", difficulty=11), 0.2786),
        (ME.odds("attack", four, defense=12), 0.7679),
        (ME.odds("attack", four, four, defense=12), 0.5017),
        (ME.odds("opposed", four, four), 0.5347),
    ]
    for odds, printed in points:
        assert float(odds.success) == pytest.approx(printed, abs=5.1e-5)  # type: ignore[arg-type]
