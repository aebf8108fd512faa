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
