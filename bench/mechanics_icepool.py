"""Solves the cases of `mechanics` with icepool in its own idiom.

An outcome is a tuple: the main result, then what Handful reports as events.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log
from typing import Any

import icepool
from icepool import Again, Die, MultisetEvaluator, Pool, vectorize
from icepool.evaluator import basic
from icepool.evaluator import keep as keeping

MAX_TAIL = 1e-12
GOOD = ["", "s", "s", "ss", "b", "b", "sb", "bb"]
GREAT = ["", "s", "s", "ss", "ss", "b", "sb", "sb", "sb", "bb", "bb", "sc"]
BAD = ["", "s", "ss", "b", "b", "b", "bb", "sb"]
DIRE = ["", "s", "s", "ss", "ss", "b", "b", "sb", "sb", "bb", "bb", "sc"]


def depth(sides: int) -> int:
    return ceil(-log(MAX_TAIL) / log(sides))


def fresh_die(sides: int) -> Any:
    """Return a fresh die; `icepool.d` caches its dice."""
    return Die(range(1, sides + 1))


def forget() -> None:
    """Clear the evaluators' caches; dice are created anew for each case."""
    for evaluator in (basic.sum_evaluator, basic.ExpandEvaluator, keeping.keep_evaluator):
        if "_cache" in vars(evaluator):
            del evaluator._cache


def ten_again(dice: int) -> Any:
    one = fresh_die(10).map(lambda f: 1 + Again if f == 10 else int(f >= 8), again_depth=depth(10))
    return (dice @ one).map(lambda n: (n, n >= 5))


def glitch(dice: int) -> Any:
    both = dice @ fresh_die(6).map(lambda f: vectorize(int(f >= 5), int(f == 1)))
    return both.map(lambda hits, ones: (hits, 2 * ones >= dice, hits == 0))


def push(attribute: int, skill: int, gear: int) -> Any:
    kind = Die([(1, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 1)])  # ones, sixes
    free = Die([0, 0, 0, 0, 0, 1])

    def again(own: Any, trained: int, tool: Any) -> Any:
        hits = own[1] + trained + tool[1]
        if hits >= 1:
            return Die([(hits, False, False)])
        more = attribute - own[0] - own[1]
        further = gear - tool[0] - tool[1]
        return icepool.map(
            lambda a, s, g: (a[1] + s + g[1], own[0] + a[0] > 0, tool[0] + g[0] > 0),
            times(more, kind),
            times(skill - trained, free, 0),
            times(further, kind),
        )

    return icepool.map(again, times(attribute, kind), times(skill, free, 0), times(gear, kind))


def times(count: int, die: Any, nothing: Any = (0, 0)) -> Any:
    return count @ die.map(lambda o: vectorize(*o) if nothing else o) if count else Die([nothing])


def highest(dice: int) -> Any:
    def grade(low: int, high: int) -> int:
        return 3 if low == 6 else (high > 3) + (high > 5)

    return fresh_die(6).pool(dice).highest(2).expand().map(grade)


def roll_and_keep(dice: int, keep: int) -> Any:
    return fresh_die(10).explode(depth=depth(10)).highest(dice, keep)


def step(sides: int, modifier: int) -> Any:
    own, wild = fresh_die(sides).explode(depth=depth(sides)), fresh_die(6).explode(depth=depth(6))
    return icepool.highest(own, wild) + modifier


def step_successes(*sides: int) -> Any:
    dice = [fresh_die(n).map(lambda f: vectorize((f > 5) + (f > 9), int(f == 1))) for n in sides]
    return (dice[0] + dice[1]).map(lambda n, ones: (n, ones > 0))


class Widest(MultisetEvaluator):  # type: ignore[misc]
    """Width of the widest set; it does not depend on the order of the faces."""

    def next_state(self, state: Any, order: Any, face: int, count: int) -> Any:
        return max(state or 0, count)

    def final_outcome(self, final_state: Any, *_: Any) -> Any:
        return final_state if final_state > 1 else 0


def sets(dice: int) -> Any:
    return Widest().evaluate(fresh_die(10).pool(dice))


def best_two(*sides: int) -> Any:
    return Pool([fresh_die(n).map({1: 0}) for n in sides]).highest(2).sum()


def symbols(good: int, great: int, bad: int, dire: int) -> Any:
    def die(faces: list[str], sign: int) -> Any:
        return Die([vectorize(*(sign * f.count(c) for c in "sb"), f.count("c")) for f in faces])

    kinds = [
        (good, GOOD, 1),
        (great, GREAT, 1),
        (bad, BAD, -1),
        (dire, DIRE, -1),
    ]
    parts = [count @ die(faces, sign) for count, faces, sign in kinds if count]
    return sum(parts[1:], parts[0]).map(lambda s, b, crowns: (s, (b > 0) - (b < 0), crowns > 0))


def double_tens(dice: int, difficulty: int) -> Any:
    one = fresh_die(10).map(
        lambda f: vectorize(int(f >= difficulty), (f >= difficulty) + (f == 10), int(f == 1))
    )

    def left(reached: int, counted: int, ones: int) -> Any:
        return max(counted - ones, 0), reached == 0 < ones

    return (dice @ one).map(left)


def bands(modifier: int) -> Any:
    return 2 @ fresh_die(6) + modifier


def percentile(skill: int, bonus: int) -> Any:
    def number(units: int, *tens: int) -> int:
        each = [10 * ten + units or 100 for ten in tens]
        return min(each) if bonus >= 0 else max(each)

    def level(n: int) -> int:
        if n == 1:
            return 4
        if n == 100 or (n >= 96 and skill < 50):
            return -1
        return (n <= skill) + (n <= skill // 2) + (n <= skill // 5)

    digit = Die(range(10))
    return icepool.map(number, digit, *[digit] * (1 + abs(bonus))).map(level)


def doubles(bonus: int, target: int) -> Any:
    def found(a: int, b: int, c: int) -> Any:
        total = a + b + c + bonus
        return total, total >= target and len({a, b, c}) < 3

    return icepool.map(found, fresh_die(6), fresh_die(6), fresh_die(6))


def hunger(dice: int, hungry: int, difficulty: int) -> Any:
    own = fresh_die(10).map(lambda f: (int(f == 10), int(6 <= f < 10), int(f < 6)))
    wild = fresh_die(10).map(lambda f: (int(f == 10), int(6 <= f < 10), int(f == 1)))

    def judged(tens: int, hits: int, beast: Any) -> Any:
        tens, hits = tens + beast[0], hits + beast[1]
        n = tens + hits + tens // 2 * 2
        won = n >= difficulty
        return n, won and tens >= 2 and beast[0] > 0, not won and beast[2] > 0

    def again(first: Any, beast: Any) -> Any:
        tens, hits, failed = first
        found = judged(tens, hits, beast)
        if found[0] >= difficulty:
            return Die([found])
        second = times(min(failed, 3), own, (0, 0, 0))
        return second.map(lambda t, h, f: judged(tens + t, hits + h, beast))

    return icepool.map(again, times(dice - hungry, own, (0, 0, 0)), times(hungry, wild, (0, 0, 0)))


def push_trauma(base: int, skill: int, gear: int) -> Any:
    kind = Die([(1, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 1)])  # ones, sixes
    free = Die([0, 0, 0, 0, 0, 1])

    def again(own: Any, trained: int, tool: Any) -> Any:
        hits = own[1] + trained + tool[1]
        if hits >= 2:
            return Die([(hits, False, False)])
        return icepool.map(
            lambda b, s, g: (hits + b[1] + s + g[1], own[0] + b[0] > 0, tool[0] + g[0] > 0),
            times(base - own[0] - own[1], kind),
            times(skill - trained, free, 0),
            times(gear - tool[0] - tool[1], kind),
        )

    return icepool.map(again, times(base, kind), times(skill, free, 0), times(gear, kind))


class Straight(MultisetEvaluator):  # type: ignore[misc]
    """The longest run of faces; like icepool's own evaluator, but not kept between cases."""

    def next_state(self, state: Any, order: Any, face: int, count: int) -> Any:
        best, run = state or (0, 0)
        run = run + 1 if count else 0
        return max(best, run), run

    def final_outcome(self, final_state: Any, *_: Any) -> Any:
        return final_state[0]


def straight(dice: int) -> Any:
    return Straight().evaluate(fresh_die(10).pool(dice))


class WidthAndHeight(MultisetEvaluator):  # type: ignore[misc]
    """The widest set, and the highest of the widest."""

    def next_state(self, state: Any, order: Any, face: int, count: int) -> Any:
        return max(state or (0, 0), (count, face))

    def final_outcome(self, final_state: Any, *_: Any) -> Any:
        return 100 * final_state[0] + final_state[1]


def width(dice: int) -> Any:
    return WidthAndHeight().evaluate(fresh_die(10).pool(dice))


def attacks(number: int) -> Any:
    d6 = fresh_die(6)
    return (number @ (d6 >= 3)) @ (d6 >= 4) @ (d6 < 5)


def limit(dice: int, most: int) -> Any:
    kind = fresh_die(6).map(lambda f: (int(f >= 5), int(f == 1)))

    def again(hits: int, ones: int) -> Any:
        return times(dice - hits, kind).map(
            lambda more, bad: (min(hits + more, most), ones + bad > dice // 2)
        )

    return times(dice, kind).map(again)


class Pairs(MultisetEvaluator):  # type: ignore[misc]
    """The number of faces that show at least twice."""

    def next_state(self, state: Any, order: Any, face: int, count: int) -> Any:
        return (state or 0) + (count >= 2)


def pairs(dice: int) -> Any:
    return Pairs().evaluate(fresh_die(6).pool(dice))


def cancel(dice: int) -> Any:
    better = Die(range(2, 7))

    def left(ones: int) -> Any:
        return better.lowest(dice - ones, dice - 2 * ones) if dice > 2 * ones else Die([0])

    return (dice @ (fresh_die(6) == 1)).map(left)


def explode_once(dice: int) -> Any:
    d6 = fresh_die(6)
    more = d6.map(lambda f: vectorize(1 + (f >= 4), int(f == 1)))
    one = d6.map(lambda f: more if f == 6 else vectorize(int(f >= 4), int(f == 1)))
    return (dice @ one).map(lambda hits, ones: (hits, ones > dice // 2))


SOLVE: dict[str, Callable[..., Any]] = {
    "ten-again": ten_again,
    "glitch-d6": glitch,
    "push-d6": push,
    "highest-d6": highest,
    "roll-and-keep": roll_and_keep,
    "step-dice": step,
    "step-successes": step_successes,
    "sets-d10": sets,
    "best-two": best_two,
    "symbols": symbols,
    "double-tens": double_tens,
    "bands-2d6": bands,
    "percentile": percentile,
    "doubles-3d6": doubles,
    "hunger": hunger,
    "push": push_trauma,
    "straight": straight,
    "width": width,
    "attacks": attacks,
    "limit": limit,
    "pairs": pairs,
    "cancel": cancel,
    "explode_once": explode_once,
}


def solve(name: str, case: Any) -> Any:
    return SOLVE[name](*case)


def read(die: Any) -> Any:
    return tuple(die.items())


def to_answer(die: Any) -> dict[int, float]:
    chances: dict[int, float] = {}
    for outcome, weight in die.items():
        main = int(outcome[0] if isinstance(outcome, tuple) else outcome)
        chances[main] = chances.get(main, 0) + weight / die.denominator()
    return chances
