"""Throws as the solver sees them: lots of equal dice.

Dice with at most two readings are simple: all there is to know is how many show the higher one,
and that is one open number.  Others stay unseen until somebody looks (`heaps`, `landing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from handful.dice import Die
from handful.errors import TooBig
from handful.rules.program import Reroll, RollDice
from handful.solver.joint_distribution import JointRow, binomial, face_counts, joint_distribution, multisets
from handful.solver.linear import BranchContext, PathCondition, random_variable
from handful.solver.symbolic_pool import Statistic, SymbolicPool, SymbolicThrow


def throws_of(step: RollDice | Reroll, question: Any) -> list[SymbolicThrow]:
    """The dice of a throw; of a reroll one lot for each reading that is thrown again."""
    if isinstance(step, RollDice):
        count, die, endless = question
        if step.adds and endless > max(die):
            return [SymbolicThrow(0, count, die)]  # none goes on
        return [SymbolicThrow(0, count, die, endless, step.adds)]
    groups, die, keep = question
    return [SymbolicThrow(token, n, kept(die, keep, old)) for token, (old, n) in enumerate(groups)]


def simple(throw: SymbolicThrow) -> bool:
    return not throw.count or (throw.explodes_from is None and len(face_counts(throw.die)) <= 2)


def land(throw: SymbolicThrow, path: PathCondition, context: BranchContext) -> SymbolicPool:
    """Simple dice on the table; what is open about them becomes an axis of the path."""
    if not throw.count:
        return SymbolicPool(())
    (low, _), *rest = face_counts(throw.die)
    if not rest:
        return SymbolicPool(((low, throw.count),))
    high = random_variable(context, path.add_variable(binomial(throw.die, throw.count)))
    return SymbolicPool(((low, high.scaled(-1).add(throw.count)), (rest[0][0], high)))


def kept(die: Die, keep: str, old: int) -> Die:
    if keep == "new":
        return die
    return die.at_least(old) if keep == "better" else die.at_most(old)


def joint_rows(
    throw: SymbolicThrow, statistics: list[Statistic], enumerated_throws: set[int]
) -> Sequence[Any]:
    """How a throw can land, as far as it is looked at; die by die where that is needed."""
    if throw.token not in enumerated_throws:
        return joint_distribution(throw, tuple(statistics))
    if throw.explodes_from is not None:
        raise TooBig("the dice of an endless throw cannot be looked at one by one")
    scale = len(throw.die) ** throw.count
    return [(counts, Fraction(n, scale)) for counts, n in multisets(throw.die, throw.count)]


def work_of(rows: Sequence[Any]) -> int:
    """What it took to land dice, in units of the budget."""
    return sum([row.series.work for row in rows if isinstance(row, JointRow)])
