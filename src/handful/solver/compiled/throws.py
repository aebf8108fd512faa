"""Emits throws of a compiled rule, and the joint distribution of the statistics that it reads.

Invariant: all statistics of a throw are read together, from one joint distribution.
"""

from __future__ import annotations

from typing import Any

from handful.rules.codegen.source import NotCompilable
from handful.rules.operators import Value
from handful.rules.program import Env
from handful.solver.compiled.scope import Scope
from handful.solver.compiled.staged import StagedNumber
from handful.solver.compiled.values import ValueEmitter
from handful.solver.kronecker import contribution, face_counts
from handful.solver.symbolic_pool import (
    Statistic,
    StatisticNeeded,
    Subset,
    SymbolicPool,
    SymbolicThrow,
    observe,
    throws_in,
)

MAX_NESTED_LOOPS = 3


class ThrowEmitter(ValueEmitter):
    """Emits throws; dice stay unsampled until the rule reads a statistic."""

    def __init__(self) -> None:
        super().__init__()
        self.throws = 0

    def emit_from(self, pc: int, env: Env, scope: Scope) -> None:
        """Emit everything from an instruction on."""
        raise NotImplementedError

    def enter_loop(self) -> Scope:
        branch = self.scope.copy()
        branch.loops += 1
        if branch.loops > MAX_NESTED_LOOPS:
            raise NotCompilable
        return branch

    def emit_throw(self, count: Value, die: Any, explodes_from: int | None) -> SymbolicPool:
        text = self.text(count)
        faces = face_counts(die)
        if explodes_from is None and len(faces) == 1:
            return SymbolicPool(((faces[0][0], count),))
        if explodes_from is None and len(faces) == 2:
            (low, _), (high, _) = faces
            series, variable = self.source.fresh("s"), self.new_variable()
            self.source.line(f"{series} = runtime.binomial({self.source.constant(die)}, {text})")
            self.scope.series[variable] = series
            number = StagedNumber(self, ((variable, 1),), (), 0)
            all_dice = count if isinstance(count, StagedNumber) else StagedNumber(self, (), (), count)
            return SymbolicPool(((low, all_dice.add(number.scaled(-1))), (high, number)))
        self.throws += 1
        throw = SymbolicThrow(self.throws, count, die, explodes_from)
        return SymbolicPool((), (Subset(1, throw, frozenset(die)),), self.scope.statistics)

    def emit_statistic(self, pc: int, env: Env, token: int, statistic: Statistic) -> None:
        """Emit the distribution of all statistics of a throw that the rule reads from here on.

        Which ones it reads is found by trial: each failure adds one, and the lines are emitted again.
        """
        throw = throws_in(tuple(env.values()))[token]
        statistics, scope = [statistic], self.scope
        mark = self.source.mark()
        while True:
            self.scope = scope.copy()
            try:
                return self._emit_statistics(pc, env, throw, statistics)
            except StatisticNeeded as needed:
                if needed.token != token or needed.statistic is None:
                    raise
                if needed.statistic in statistics:
                    raise NotCompilable from None
                statistics.append(needed.statistic)
                self.source.rewind(mark)

    def _emit_statistics(self, pc: int, env: Env, throw: SymbolicThrow, statistics: list[Statistic]) -> None:
        first, *others = sorted(statistics, key=_most_values_first)
        constant, variable, series = self.source.constant, self.new_variable(), self.source.fresh("s")
        texts = ", ".join(self._statistic_text(statistic) for statistic in (first, *others))
        dice = f"{constant(throw.die)}, {self.text(throw.count)}, {constant(throw.explodes_from)}"
        names = {statistic: self.source.fresh("n") for statistic in others}
        self.integers.update(names.values())
        branch = self.enter_loop() if others else self.scope
        branch.observed |= {throw.token}
        branch.series[variable] = series
        branch.thresholds[variable] = self._bounds(throw, first)
        branch.statistics = {
            **branch.statistics,
            first: StagedNumber(self, ((variable, 1),), (), 0),
            **{statistic: self.number(name) for statistic, name in names.items()},
        }
        observed = {name: observe(value, branch.statistics, {}) for name, value in env.items()}
        if not others:
            self.source.line(f"{series} = runtime.statistic({dice}, {texts})")
            return self.emit_from(pc, observed, branch)
        branch.partial |= {variable}
        row = ", ".join([*names.values(), series])
        with self.source.block(f"for {row} in runtime.rows({dice}, ({texts})):"):
            self.emit_from(pc, observed, branch)
        return None

    def _bounds(self, throw: SymbolicThrow, statistic: Statistic) -> tuple[tuple[StagedNumber, bool], ...]:
        """Return the bounds of a statistic if the number of dice is a compile-time constant."""
        if type(throw.count) is not int or statistic.keep is not None:
            return ()
        sums = [contribution(statistic, reading) * throw.count for reading in throw.die]
        least = (StagedNumber(self, (), (), min(sums)), True)
        beyond = (StagedNumber(self, (), (), max(sums) + 1), False)
        return (least,) if throw.explodes_from is not None else (least, beyond)

    def _statistic_text(self, statistic: Statistic) -> str:
        """Return the expression of a statistic; the number of dice kept may be a run-time value."""
        which, count = statistic.keep or ("", 0)
        if not isinstance(count, StagedNumber):
            return self.source.constant(statistic)
        constant = self.source.constant
        return (
            f"Statistic(0, {constant(statistic.measure)}, {constant(statistic.readings)}, "
            f"({constant(which)}, {self.defined_text(count)}))"
        )


def _most_values_first(statistic: Statistic) -> tuple[bool, bool]:
    """Sort key: the statistic with most values comes first and stays random; the others are enumerated."""
    return statistic.measure == "size", statistic.keep is not None
