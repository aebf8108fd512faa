"""Language functions that the families need: rows, sets, sizes, exploding dice.

Each is played, solved and simulated by a small rule, and counted here by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import goodness_of_fit
import icepool
import pytest

import handful
from handful.roll import Throw
from handful.simulate import simulate_dice
from oracles.rolling import rolled_one_by_one

FILE = '''
language = 1
id = "toy"
title = {{ en = "Toy" }}
about = {{ en = "Toy." }}
[checks.toy]
title = {{ en = "Toy" }}
help = {{ en = "Toy." }}
main = "n"
does = """
{}
"""
'''
PARAM = """
[checks.toy.params.{}]
type = "number"
min = 0
max = 50
label = {{ en = "Number" }}
"""


@pytest.fixture
def toy(tmp_path: Path):  # type: ignore[no-untyped-def]
    def made(*lines: str) -> handful.Ruleset:
        path = tmp_path / "toy.toml"
        text = "\n".join(lines)
        read = [name for name in "ab" if re.search(rf"\b{name}\b", text)]
        params = "".join(PARAM.format(name) for name in read)
        path.write_text(FILE.format(text) + params, encoding="utf-8")
        return handful.ruleset(path)

    return made


def shares(results) -> dict[int, Fraction]:  # type: ignore[no-untyped-def]
    found = Counter(results)
    return {n: Fraction(times, found.total()) for n, times in found.items()}


def agrees(game: handful.Ruleset, **params: int) -> handful.Odds:
    """Play and simulation give what the odds allow, and about as often."""
    bound, odds = game.bind("toy", **params), game.odds("toy", **params)
    simulated = simulate_dice(bound, count=4000, seed=1)
    played = rolled_one_by_one(bound, 300, 2, "usual")
    for kinds in (simulated.kinds, played):
        assert not goodness_of_fit.contradictions(kinds, odds)
    assert goodness_of_fit.count_outliers([goodness_of_fit.chi_square(simulated.kinds, odds)]) == 0
    return odds


def widest(faces: tuple[int, ...]) -> tuple[int, int]:
    return max(((n, face) for face, n in Counter(faces).items()), default=(0, 0))


# -- sets


@pytest.mark.parametrize("dice", [0, 1, 4, 6])
def test_the_widest_set_has_its_height(toy, dice: int) -> None:  # type: ignore[no-untyped-def]
    game = toy("set = widest(roll(a, d6))", "result(n = 100 * size(set) + sum(set))")
    odds = agrees(game, a=dice)
    ways = [widest(faces) for faces in product(range(1, 7), repeat=dice)]
    assert dict(odds.distribution) == shares(100 * n + n * face for n, face in ways)


def test_a_set_together_with_the_sum_of_all_dice(toy) -> None:  # type: ignore[no-untyped-def]
    game = toy("pool = roll(a, d6)", "result(n = 100 * size(widest(pool)) + sum(pool))")
    ways = product(range(1, 7), repeat=4)
    expected = shares(100 * widest(faces)[0] + sum(faces) for faces in ways)
    assert dict(agrees(game, a=4).distribution) == expected


def test_a_set_of_two_throws_and_among_some_readings(toy) -> None:  # type: ignore[no-untyped-def]
    game = toy("pool = roll(a, d6) + roll(b, d4)", "result(n = sum(widest(pool >= 2)))")
    expected = shares(
        n * face
        for faces in product(range(1, 7), range(1, 7), range(1, 5))
        for n, face in [widest(tuple(one for one in faces if one >= 2))]
    )
    assert dict(agrees(game, a=2, b=1).distribution) == expected


def test_a_set_of_dice_with_two_readings(toy) -> None:  # type: ignore[no-untyped-def]
    game = toy("result(n = size(widest(roll(a, d6 >= 5))))")
    expected = shares(
        max(hits, 5 - hits)
        for hits in [sum(face >= 5 for face in faces) for faces in product(range(1, 7), repeat=5)]
    )
    assert dict(agrees(game, a=5).distribution) == expected


# -- rows


def test_rows_count_several_symbols_of_one_throw(toy) -> None:  # type: ignore[no-untyped-def]
    swords, shields = (0, 1, 2, 0, 1, 0), (1, 0, 0, 2, 1, -1)
    game = toy(
        "pool = roll(a, d6)",
        f"swords = sum(pool, {list(swords)})",
        f"shields = sum(pool, {list(shields)})",
        "result(n = 100 * swords + shields)",
    )
    expected = shares(
        sum(100 * swords[face - 1] + shields[face - 1] for face in faces)
        for faces in product(range(1, 7), repeat=4)
    )
    assert dict(agrees(game, a=4).distribution) == expected


def test_a_row_also_counts_kept_and_picked_dice(toy) -> None:  # type: ignore[no-untyped-def]
    game = toy(
        "pool = roll(a, d4)",
        "result(n = 10 * sum(highest(pool, 2), [0, 1, 0, 3]) + sum(pool == 2, [9, 5, 9, 9]))",
    )
    row = (0, 1, 0, 3)
    expected = shares(
        10 * sum(row[face - 1] for face in sorted(faces)[-2:]) + 5 * faces.count(2)
        for faces in product(range(1, 5), repeat=3)
    )
    assert dict(agrees(game, a=3).distribution) == expected


def test_a_row_of_dice_without_end(toy) -> None:  # type: ignore[no-untyped-def]
    game = toy("result(n = sum(roll(a, d6, more = 6), [0, 0, 1, 0, 0, 2]))")
    odds = game.odds("toy", a=1)
    assert odds.distribution[0] == Fraction(4, 6)
    assert odds.distribution[3] == Fraction(1, 36)
    assert odds.mean == Fraction(3, 5)


def test_a_row_that_is_too_short_is_a_mistake_of_the_rule(toy) -> None:  # type: ignore[no-untyped-def]
    game = toy("result(n = sum(roll(a, d6), [1, 2, 3]))")
    with pytest.raises(handful.RuleError, match="a row of 3 numbers has none for a reading of"):
        game.odds("toy", a=1)
    with pytest.raises(handful.RuleError, match="a row of 3 numbers has none for a reading of 5"):
        game.start("toy", a=1).throw(faces=[5])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("result(n = sum([1, 2], [1]))", "sum needs a pool, not a list"),
        ("result(n = sum(roll(1, d6), 3))", "sum needs a list, not a number"),
        ("result(n = sum(roll(1, d6), [1], [2]))", "perhaps a row"),
        ("result(n = size(widest(5)))", "widest needs a pool"),
        ("result(n = sum(roll(1, sided(d6))))", "sided needs a number"),
        ("result(n = sum(roll(1, d6, add = 6, more = 6)))", "roll takes how many"),
    ],
)
def test_mistakes_are_found_before_anything_is_rolled(toy, line: str, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(handful.HandfulError, match=says):
        toy(line)


# -- sizes


def test_the_size_of_a_die_may_be_a_parameter(toy) -> None:  # type: ignore[no-untyped-def]
    game = toy("result(n = sum(roll(2, sided(a))))")
    for sides in (2, 7, 20):
        faces = range(1, sides + 1)
        assert dict(agrees(game, a=sides).distribution) == shares(x + y for x, y in product(faces, faces))
    with pytest.raises(handful.RuleError, match="a die has 2 to 1000 sides, not 1"):
        game.odds("toy", a=1)


# -- dice that add on


@pytest.mark.parametrize("which", ["highest", "lowest"])
@pytest.mark.parametrize(("dice", "kept"), [(1, 1), (3, 1), (3, 2), (4, 3), (2, 5), (3, 0)])
def test_exploding_dice_may_be_kept(toy, which: str, dice: int, kept: int) -> None:  # type: ignore[no-untyped-def]
    game = toy(f"result(n = sum({which}(roll(a, d4, add = 4), b)))")
    odds = agrees(game, a=dice, b=kept)
    deep = icepool.Die(range(1, 5)).explode(depth=9)
    counted = getattr(deep, which)(dice, min(kept, dice)) if kept else icepool.Die([0])
    listed = min(37, odds.tail.start if odds.tail else 37)  # further tosses lie beyond
    for total, n in counted.items():
        if total < listed:
            assert odds.distribution.get(total, 0) == Fraction(n, counted.denominator())


def test_odds_in_the_middle_of_adding_on(toy) -> None:  # type: ignore[no-untyped-def]
    for which, best in (("highest", max), ("lowest", min)):
        game = toy(f"result(n = sum({which}(roll(a, d4, add = 4), b)))")
        roll = game.start("toy", a=3, b=1).throw(faces=[4, 2, 4])
        assert isinstance(roll.ask, Throw)
        assert roll.ask.count == 2
        ends = roll.throw(faces=[1, 3])
        assert ends.result == best(5, 2, 7)
        if which == "lowest":
            assert dict(roll.odds().distribution) == {2: 1}
        else:
            once = sum(4 + max(faces) <= 7 for faces in product((1, 2, 3), repeat=2))
            some = roll.odds().distribution
            assert sum(some[n] for n in (5, 6, 7)) == Fraction(once, 16)
        two = game.start("toy", a=3, b=2).throw(faces=[4, 2, 4]).odds()
        assert two.mean is not None
        simulated = simulate_dice(
            game.bind("toy", a=3, b=2),
            count=3000,
            seed=3,
            node=game.start("toy", a=3, b=2).throw(faces=[4, 2, 4]).node,
        )
        assert not goodness_of_fit.contradictions(simulated.kinds, two)


def test_only_the_highest_reading_adds_on(toy) -> None:  # type: ignore[no-untyped-def]
    game = toy("result(n = sum(roll(a, d6, add = 5)))")
    for tried in (game.start, game.odds):
        with pytest.raises(handful.RuleError, match=r"only the highest .* add = 6"):
            tried("toy", a=1)
    worse = toy("result(n = sum(roll(a, read(d4, [-1, 0, 1, 2]), add = 2)))")
    with pytest.raises(handful.RuleError, match="must not read less than 0"):
        worse.odds("toy", a=1)
    never = toy("result(n = sum(roll(a, d6, add = 7)))")
    assert dict(agrees(never, a=1).distribution) == shares(range(1, 7))


def test_exploding_dice_are_read_one_by_one(toy) -> None:  # type: ignore[no-untyped-def]
    game = toy("result(n = size(roll(a, d6, add = 6) >= 8))")
    hit = Fraction(1, 6) * Fraction(5, 6)  # a 6, and then 2 or more
    assert dict(game.odds("toy", a=2).distribution) == {
        0: (1 - hit) ** 2,
        1: 2 * hit * (1 - hit),
        2: hit**2,
    }
    assert game.start("toy", a=2).throw(faces=[6, 5]).throw(faces=[2]).result == 1
