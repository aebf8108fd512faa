"""`make bench`: exact odds beside icepool, measured in one run, everyday sizes.

Each case is solved once, with parameters not seen before, and its whole distribution is read.
Ratios above 1 mean that Handful is faster.  Times are processor time; machines are noisy, so look
at ratios, not at microseconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import icepool
from icepool import d6

import handful

UWR, TUURNA, ME_D6 = (handful.ruleset(name) for name in ("uwr", "tuurna", "me-d6"))
HIT = icepool.Die([0, 0, 0, 0, 1, 1])
FATE = icepool.Die([0, 0, 1, 1, 2, 2])
Case = tuple[int, ...]


def chances(die: Any) -> dict[Any, Any]:
    return {outcome: die.probability(outcome) for outcome in die}


# -- the same question, asked of both


def our_rerolls(dice: int, rerolls: int) -> Any:
    return UWR.odds("direct", attribute=dice, rerolls=rerolls, target=1).distribution


def rerolled(dice: int, rerolls: int) -> Any:
    return (dice @ HIT).map(lambda hits: hits + min(rerolls, dice - hits) @ HIT)


def their_rerolls(dice: int, rerolls: int) -> Any:
    return chances(rerolled(dice, rerolls))


def our_opposed(acting: int, reacting: int) -> Any:
    return UWR.odds("opposed", {"attribute": acting, "rerolls": 1}, {"attribute": reacting}).wins


def their_opposed(acting: int, reacting: int) -> Any:
    return chances((rerolled(acting, 1) - reacting @ HIT).map(lambda over: max(over, 0)))


def our_explosions(level: int) -> Any:
    return TUURNA.odds("check", level=level, difficulty=4).distribution


def their_explosions(level: int) -> Any:
    one = FATE.map(lambda v: v if v < 2 else 1 + icepool.Again, again_depth=12)
    return chances((level @ one).map(lambda wins: min(wins, 9)))


def our_wild(dice: int) -> Any:
    return ME_D6.odds("check", dice=f"{dice}D", difficulty=12).distribution


def their_wild(dice: int) -> Any:
    def total(wild: int) -> Any:
        if wild == 1:
            return 1 + d6.pool(dice - 1).lowest(dice - 2).sum()
        return wild + (dice - 1) @ d6

    return chances(d6.explode(depth=6).map(total))


FAMILIES: dict[str, tuple[Callable[..., Any], Callable[..., Any], Sequence[Case]]] = {
    "rerolls (1-10 dice, 0-3 rerolls)": (
        our_rerolls, their_rerolls, [(n, r) for n in range(1, 11) for r in range(4)],
    ),
    "opposed (2-8 dice a side)": (
        our_opposed, their_opposed, [(a, b) for a in range(2, 9) for b in range(2, 9)],
    ),
    "explosions (levels 1-12)": (
        our_explosions, their_explosions, [(level,) for level in range(1, 13)],
    ),
    "wild die (3D-12D, cut at depth 6 there)": (
        our_wild, their_wild, [(n,) for n in range(3, 13)],
    ),
}  # fmt: skip


def measured(solve: Callable[..., Any], cases: Sequence[Case]) -> float:
    """Microseconds a case, in the best of three passes; nothing solved is remembered between."""
    best = float("inf")
    for _ in range(3):
        for game in (UWR, TUURNA, ME_D6):
            game.rules.derived.pop("solved", None)
        before = time.process_time()
        for case in cases:
            solve(*case)
        best = min(best, (time.process_time() - before) / len(cases) * 1e6)
    return best


def main() -> None:
    ratios = []
    print(f"{'microseconds a case':42} {'handful':>9} {'icepool':>9} {'ratio':>7}")
    for name, (ours, theirs, cases) in FAMILIES.items():
        own, other = measured(ours, cases), measured(theirs, cases)
        ratios.append(other / own)
        print(f"{name:42} {own:9.0f} {other:9.0f} {other / own:7.2f}", flush=True)
    print(f"{'geometric mean':62} {prod(ratios) ** (1 / len(ratios)):7.2f}")


if __name__ == "__main__":
    main()
