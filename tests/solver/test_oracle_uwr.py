"""The UWR family against enumeration, closed forms, icepool, dyce and the printed tables."""

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
from oracles import uwr as oracle

UWR = ruleset("uwr")


def direct(**params: Any) -> handful.Odds:
    return UWR.odds("direct", **params)


def stack(stacking: bool) -> dict[str, str]:
    return {"reroll_stack": "stacking" if stacking else "distinct"}


# -- rerolls and favor


@pytest.mark.parametrize("favor", [-2, -1, 0, 1, 2, 4])
@pytest.mark.parametrize("stacking", [False, True])
def test_u7_rerolls_and_u11_favor(favor: int, stacking: bool) -> None:
    threshold = oracle.pool(favor=favor).threshold
    for dice, rerolls in product(range(9), range(5)):
        odds = direct(attribute=dice, rerolls=rerolls, favor=favor, options=stack(stacking))
        expected = oracle.direct(dice, rerolls, threshold, stack=stacking)
        assert odds.distribution == expected, (dice, rerolls)
        assert odds.mean == oracle.mean(expected)


@pytest.mark.parametrize(("dice", "rerolls"), [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1)])
def test_u7_against_every_sequence_of_faces(dice: int, rerolls: int) -> None:
    for threshold in (4, 5, 6):
        params = {"attribute": dice, "rerolls": rerolls, "favor": 5 - threshold}
        distinct = direct(**params, options=stack(False)).distribution
        stacking = direct(**params, options=stack(True)).distribution
        assert distinct == oracle.distinct_by_faces(dice, rerolls, threshold)
        assert stacking == oracle.stacking_by_faces(dice, rerolls, threshold)


@pytest.mark.parametrize("dice", [1, 3, 6, 10])
def test_u7_against_icepool_and_dyce(dice: int) -> None:
    for rerolls, favor in product((0, 1, 3), (-1, 0, 1)):
        params = {"attribute": dice, "rerolls": rerolls, "favor": favor}
        expected = peers.of_die(peers.rerolled(dice, rerolls, 5 - favor))
        assert direct(**params).distribution == expected
        expected = peers.of_die(peers.stacked(dice, rerolls, 5 - favor))
        assert direct(**params, options=stack(True)).distribution == expected
    for favor in (-1, 0, 1, 2):
        expected = peers.of_h(peers.successes_dyce(dice, 5 - favor))
        assert direct(attribute=dice, favor=favor).distribution == expected


def test_u8_without_rerolls_nothing_is_rerolled() -> None:
    for dice, rerolls in product((1, 4, 7), (1, 3)):
        never = direct(attribute=dice, rerolls=rerolls, target=2, policy="never")
        assert never.distribution == oracle.plain(dice)
        best = direct(attribute=dice, rerolls=rerolls, target=2, policy="best")
        usual = direct(attribute=dice, rerolls=rerolls, target=2)
        assert best.success == usual.success  # DP-1 is the best there is


def test_u6_odds_of_each_number_of_rerolls_at_the_choice() -> None:
    for target in (2, 3, 4):
        roll = UWR.start("direct", attribute=4, rerolls=3, target=target)
        answers = roll.throw(faces=[5, 2, 1, 4]).odds().answers
        assert answers is not None
        for answer, chance in answers.items():
            picked = [] if answer == "none" else answer.split(",")
            failing = sum(number != "1" for number in picked)
            assert chance == oracle.at_least(oracle.plain(failing), target - 1)


def test_amb_u2_stacking_is_a_binomial_cut_off_and_distinct_equals_it_below() -> None:
    for dice, rerolls in product(range(1, 8), range(1, 5)):
        more = oracle.plain(dice + rerolls)
        stacking = direct(attribute=dice, rerolls=rerolls, options=stack(True))
        distinct = direct(attribute=dice, rerolls=rerolls)
        for target in range(dice + 1):
            assert stacking.at_least(target) == oracle.at_least(more, target)
            if target <= dice - rerolls + 1:  # CLM-U2 for one reroll
                assert distinct.at_least(target) == oracle.at_least(more, target)


# -- building the pool

HALVES = st.integers(0, 16).map(lambda n: Fraction(n, 2))
POOLS = st.fixed_dictionaries(
    {
        "attribute": HALVES,
        "skill": st.integers(0, 5),
        "specific": st.integers(0, 2),
        "rerolls": st.integers(0, 3),
        "bonus": st.integers(-12, 6).map(lambda n: Fraction(n, 2)),
        "favor": st.integers(-3, 5),
    }
)
HOUSE_RULES = st.fixed_dictionaries(
    {
        "half_dice": st.sampled_from(["pool", "attribute"]),
        "skill_rank_cap": st.sampled_from(["none", "3"]),
        "specific_skill": st.sampled_from(["add", "replace"]),
        "reroll_skill": st.sampled_from(["same", "separate"]),
        "min_pool": st.sampled_from(["after_penalty_1", "0", "1"]),
        "favor_min_threshold": st.sampled_from([2, 1]),
    }
)


@given(params=POOLS, options=HOUSE_RULES, stacking=st.booleans())
def test_u10_u14_amb_u4_to_u8_pool_and_odds(
    params: dict[str, Any], options: dict[str, Any], stacking: bool
) -> None:
    pool = oracle.pool(**params, **options)
    roll = UWR.start("direct", **params, options=options)
    dice = len(roll.ask.of) if roll.ask else 0  # type: ignore[union-attr]
    assert dice == pool.dice
    odds = direct(**params, options=options | stack(stacking))
    assert odds.distribution == oracle.direct(**vars(pool), stack=stacking)


@pytest.mark.parametrize("game", ["uwr", "agga", "fons"])
def test_edition_switch_of_half_dice(game: str) -> None:
    half = "attribute" if game == "agga" else "pool"
    for attribute, bonus in product((0.5, 1.5, 2.5, 3), (-1.5, -1, 0, 0.5, 1)):
        pool = oracle.pool(attribute=attribute, bonus=bonus, half_dice=half)
        odds = ruleset(game).odds("direct", attribute=attribute, bonus=bonus)
        assert odds.distribution == oracle.direct(**vars(pool))


# -- opposed checks


def side(dice: int, rerolls: int = 0) -> dict[str, int]:
    return {"attribute": dice, "rerolls": rerolls}


@pytest.mark.parametrize("tie_winner", ["reactor", "initiator"])
@pytest.mark.parametrize("min_net", [1, 2, 3])
def test_u18_u19_amb_u12_amb_u14_one_reactor(tie_winner: str, min_net: int) -> None:
    options = {"tie_winner": tie_winner, "opposed_min_net": min_net}
    for a, b, rerolls in product((0, 1, 3, 6), (0, 1, 2, 5), (0, 2)):
        odds = UWR.odds("opposed", side(a, rerolls), side(b), options=options)
        expected = oracle.opposed(
            oracle.direct(a, rerolls), [oracle.plain(b)], min_net=min_net, tie_winner=tie_winner
        )
        assert [odds.success] == expected.success
        assert list(odds.wins or ()) == expected.wins
        assert odds.distribution == expected.net
        assert odds.tie == 0


def test_u18_against_icepool() -> None:
    for a, b in product(range(1, 11, 3), range(1, 11, 3)):
        net = peers.rerolled(a, 1) - peers.rerolled(b, 2)
        odds = UWR.odds("opposed", side(a, 1), side(b, 2))
        assert odds.success == (net > 0).probability(True)
        assert odds.distribution == peers.of_die(net.map(lambda over: max(over, 0)))


@pytest.mark.parametrize("pooled", [False, True])
def test_amb_u13_several_reactors(pooled: bool) -> None:
    options = {"multi_reactor": "pooled_negation" if pooled else "separate"}
    for acting, *reacting in [(3, 1, 2), (5, 2, 2), (4, 3, 1, 0), (2, 1, 1, 1, 1)]:
        odds = UWR.odds("opposed", *map(side, (acting, *reacting)), options=options)
        plain = [oracle.plain(dice) for dice in reacting]
        expected = oracle.opposed(oracle.plain(acting), plain, pooled=pooled)
        success = odds.success if isinstance(odds.success, tuple) else (odds.success,)
        assert list(success) == expected.success
        assert list(odds.wins or ()) == expected.wins
        assert odds.distribution == expected.net


@pytest.mark.parametrize("auto", [True, False])
def test_u21_amb_u9_uncontested(auto: bool) -> None:
    options = {"uncontested_wins": "auto" if auto else "needs_one_success"}
    for dice in (0, 1, 4):
        odds = UWR.odds("opposed", side(dice), uncontested=True, options=options)
        assert (odds.success, odds.distribution) == oracle.uncontested(oracle.plain(dice), auto=auto)


# -- printed tables of the reference (10.1, 10.2)

PRINTED = {  # (favor, pool): t=1 with 0 to 3 rerolls, t=2, t=3
    (0, 1): "0.3333 0.5556 0.5556 0.5556 0 0 0 0 0 0 0 0",
    (0, 3): "0.7037 0.8025 0.8683 0.9122 0.2593 0.4074 0.5391 0.5830 0.0370 0.1111 0.1605 0.1715",
    (0, 5): "0.8683 0.9122 0.9415 0.9610 0.5391 0.6488 0.7366 0.8049 0.2099 0.3196 0.4294 0.5318",
    (0, 8): "0.9610 0.9740 0.9827 0.9884 0.8049 0.8569 0.8960 0.9249 0.5318 0.6228 0.7009 0.7659",
    (0, 10): "0.9827 0.9884 0.9923 0.9949 0.8960 0.9249 0.9460 0.9615 0.7009 0.7659 0.8189 0.8613",
    (1, 2): "0.7500 0.8750 0.9375 0.9375 0.2500 0.5000 0.5625 0.5625 0 0 0 0",
    (1, 4): "0.9375 0.9688 0.9844 0.9922 0.6875 0.8125 0.8906 0.9375 0.3125 0.5000 0.6562 0.7266",
    (1, 7): "0.9922 0.9961 0.9980 0.9990 0.9375 0.9648 0.9805 0.9893 0.7734 0.8555 0.9102 0.9453",
    (2, 3): "0.9630 0.9877 0.9959 0.9986 0.7407 0.8889 0.9547 0.9657 0.2963 0.5926 0.6914 0.7023",
    (2, 6): "0.9986 0.9995 0.9998 0.9999 0.9822 0.9931 0.9974 0.9990 0.8999 0.9547 0.9803 0.9917",
}
OPPOSED = {  # initiator: against 1 to 10 dice
    1: "0.2222 0.1481 0.0988 0.0658 0.0439 0.0293 0.0195 0.0130 0.0087 0.0058",
    4: "0.6708 0.5501 0.4440 0.3536 0.2784 0.2170 0.1677 0.1286 0.0979 0.0741",
    5: "0.7586 0.6488 0.5452 0.4512 0.3685 0.2976 0.2379 0.1884 0.1480 0.1155",
    10: "0.9538 0.9128 0.8614 0.8019 0.7367 0.6685 0.5996 0.5319 0.4671 0.4062",
}


@pytest.mark.parametrize(("favor", "pool"), PRINTED)
def test_u15_printed_table(favor: int, pool: int) -> None:
    printed = map(float, PRINTED[favor, pool].split())
    for (target, rerolls), expected in zip(product((1, 2, 3), range(4)), printed, strict=True):
        odds = direct(attribute=pool, rerolls=rerolls, favor=favor, target=target)
        assert float(odds.success) == pytest.approx(expected, abs=5.1e-5)  # type: ignore[arg-type]


@pytest.mark.parametrize("acting", OPPOSED)
def test_u19_printed_table(acting: int) -> None:
    for reacting, expected in enumerate(map(float, OPPOSED[acting].split()), 1):
        success = UWR.odds("opposed", side(acting), side(reacting)).success
        assert float(success) == pytest.approx(expected, abs=5.1e-5)  # type: ignore[arg-type]


def test_u19_exact_diagonal_and_ties() -> None:
    wins = ["2/9", "8/27", "242/729", "2320/6561", "806/2187"]
    ties = ["5/9", "11/27", "245/729", "1921/6561", "575/2187"]
    for dice, (win, tie) in enumerate(zip(wins, ties, strict=True), 1):
        strict = UWR.odds("opposed", side(dice), side(dice)).success
        kind = UWR.odds("opposed", side(dice), side(dice), options={"tie_winner": "initiator"}).success
        assert strict == Fraction(win)
        assert kind - strict == Fraction(tie)  # type: ignore[operator]
