"""Throws in the solver's representation: groups of equal dice.

Dice with at most two readings are simple: the number that show the higher one is a binomial random
variable, and it says everything.  Other dice stay unsampled until the rule reads a statistic of them
(`symbolic_pool`, `joint_distribution`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from handful.dice import Die
from handful.errors import Message, TooBig
from handful.rules.program import Reroll, RollDice
from handful.solver.joint_distribution import JointRow, binomial, face_counts, joint_distribution, multisets
from handful.solver.linear import BranchContext, PathCondition, random_variable
from handful.solver.symbolic_pool import Statistic, SymbolicPool, SymbolicThrow


def throws_of(step: RollDice | Reroll, question: Any) -> list[SymbolicThrow]:
    """Return the dice of a throw; for a reroll, one group per reading that is rerolled."""
    if isinstance(step, RollDice):
        count, die, explodes_from = question
        if step.adds and explodes_from > max(die):
            return [SymbolicThrow(0, count, die)]  # no reading explodes
        return [SymbolicThrow(0, count, die, explodes_from, step.adds)]
    groups, die, keep = question
    return [SymbolicThrow(token, n, reroll_die(die, keep, old)) for token, (old, n) in enumerate(groups)]


def simple(throw: SymbolicThrow) -> bool:
    return not throw.count or (throw.explodes_from is None and len(face_counts(throw.die)) <= 2)


def land(throw: SymbolicThrow, path: PathCondition, context: BranchContext) -> SymbolicPool:
    """Return a simple throw as a pool; its binomial count becomes a random variable of the path."""
    if not throw.count:
        return SymbolicPool(())
    (low, _), *rest = face_counts(throw.die)
    if not rest:
        return SymbolicPool(((low, throw.count),))
    high = random_variable(context, path.add_variable(binomial(throw.die, throw.count)))
    return SymbolicPool(((low, high.scaled(-1).add(throw.count)), (rest[0][0], high)))


def reroll_die(die: Die, keep: str, old: int) -> Die:
    """Return the die whose readings are those of a reroll that keeps the new, better or worse one."""
    if keep == "new":
        return die
    return die.at_least(old) if keep == "better" else die.at_most(old)


def joint_rows(
    throw: SymbolicThrow, statistics: list[Statistic], enumerated_throws: set[int]
) -> Sequence[Any]:
    """Return the joint distribution of some statistics, or every outcome of an enumerated throw."""
    if throw.token not in enumerated_throws:
        return joint_distribution(throw, tuple(statistics))
    if throw.explodes_from is not None:
        raise TooBig(Message("solver.endless_dice"))
    scale = len(throw.die) ** throw.count
    return [(counts, Fraction(n, scale)) for counts, n in multisets(throw.die, throw.count)]


def work_of(rows: Sequence[Any]) -> int:
    """Return the work that computing the rows took, in units of the budget."""
    return sum([row.series.work for row in rows if isinstance(row, JointRow)])
