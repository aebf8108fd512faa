"""Emits throws of a compiled rule, and the joint distribution of the statistics that it reads.

Invariant: all statistics of a throw are read together, from one joint distribution.
"""

from __future__ import annotations

from typing import Any

from handful.dice import Die
from handful.roll import MAX_DICE
from handful.rules.codegen.source import NotCompilable
from handful.rules.operators import Value
from handful.rules.program import Env
from handful.solver.compiled.packed_fields import DiePolynomial, ExplodingDie, FaceCounts, lowest_terms
from handful.solver.compiled.scope import ExplodingSeries, PackedSeries, Scope, Series
from handful.solver.compiled.staged import StagedDie, StagedNumber
from handful.solver.compiled.values import ValueEmitter
from handful.solver.joint_distribution import exploding_die
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
        self._compared_dice: dict[tuple[Die, str], FaceCounts] = {}

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
        self.text(count)  # raises if the count is random
        if explodes_from is not None:
            die = self.fixed(die)
        if isinstance(die, StagedDie):
            faces = self.source.constant(self._face_counts(die.die, die.comparison))
            weights = [self.source.fresh("n") for _ in range(3)]
            self.source.line(f"{', '.join(weights)} = {faces}[{self.defined_text(die.number)}]", *weights)
            return self._emit_binomial(count, (0, 1), *weights)
        counts = face_counts(die)
        if explodes_from is None and len(counts) == 1:
            return SymbolicPool(((counts[0][0], count),))
        if explodes_from is None and len(counts) == 2:
            (low, low_faces), (high, high_faces) = counts
            return self._emit_binomial(count, (low, high), *map(str, lowest_terms(low_faces, high_faces)))
        self.throws += 1
        throw = SymbolicThrow(self.throws, count, die, explodes_from)
        return SymbolicPool((), (Subset(1, throw, frozenset(die)),), self.scope.statistics)

    def _face_counts(self, die: Die, comparison: str) -> FaceCounts:
        key = die, comparison
        if key not in self._compared_dice:
            self._compared_dice[key] = FaceCounts(die, comparison)
        return self._compared_dice[key]

    def _emit_binomial(
        self, count: Value, readings: tuple[int, int], low: str, high: str, faces: str
    ) -> SymbolicPool:
        """Emit the number of dice that show the higher of two readings."""
        dice, variable = self._number_of_dice(count), self.new_variable()
        packed = self.source.assign(self.source.fresh("s"), f"({low} | {high} << W) ** {dice}")
        scale = self.source.assign(self.source.fresh("d"), f"{faces} ** {dice}")
        self.require_width(scale)
        self.scope.series[variable] = PackedSeries(packed, "0", scale)
        number = StagedNumber(self, ((variable, 1),), (), 0)
        all_dice = count if isinstance(count, StagedNumber) else StagedNumber(self, (), (), count)
        return SymbolicPool(((readings[0], all_dice.add(number.scaled(-1))), (readings[1], number)))

    def _number_of_dice(self, count: Value) -> str:
        """Return the local or literal of a number of dice, with the check that they can be thrown."""
        if not isinstance(count, StagedNumber):
            if type(count) is not int or not 0 <= count <= MAX_DICE:
                raise NotCompilable
            return str(count)
        text = self.text(count)
        name = self.local_for(text)
        if f"dice {name}" not in self.scope.computed:
            kind = "" if self.is_integer(count.normalized()) else f"{name}.__class__ is not int or "
            self.source.line(f"if {kind}not 0 <= {name} <= {MAX_DICE}: raise NotCompilable")
            self.scope.computed[f"dice {name}"] = ""
        return name

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
        variable = self.new_variable()
        names = {statistic: self.source.fresh("n") for statistic in others}
        self.integers.update(names.values())
        branch = self.enter_loop() if others else self.scope
        branch.observed |= {throw.token}
        branch.thresholds[variable] = self._bounds(throw, first)
        branch.statistics = {
            **branch.statistics,
            first: StagedNumber(self, ((variable, 1),), (), 0),
            **{statistic: self.number(name) for statistic, name in names.items()},
        }
        observed = {name: observe(value, branch.statistics, {}) for name, value in env.items()}
        if not others:
            branch.series[variable] = self._emit_single(throw, first)
            return self.emit_from(pc, observed, branch)
        if throw.explodes_from is not None:
            raise NotCompilable
        branch.partial |= {variable}
        texts = ", ".join(self._statistic_text(statistic) for statistic in (first, *others))
        own = PackedSeries(self.source.fresh("s"), self.source.fresh("l"), self.source.fresh("d"))
        branch.series[variable] = own
        row = (*names.values(), *own)
        dice = f"{self.source.constant(throw.die)}, {self.text(throw.count)}, None"
        with self.source.block(f"for {', '.join(row)} in statistic_rows(run, {dice}, ({texts})):", *row):
            self.emit_from(pc, observed, branch)
        return None

    def _emit_single(self, throw: SymbolicThrow, statistic: Statistic) -> Series:
        """Emit the distribution of the only statistic that is read of a throw."""
        constant = self.source.constant
        if throw.explodes_from is not None:
            if statistic.keep is not None:
                raise NotCompilable
            one = exploding_die(throw.die, throw.explodes_from, statistic.measure, statistic.readings)
            count = self.defined_text(throw.count) if isinstance(throw.count, StagedNumber) else throw.count
            return ExplodingSeries(constant(ExplodingDie(one)), str(count))
        if statistic.keep is not None:
            dice = f"{constant(throw.die)}, {self.text(throw.count)}"
            return self.new_packed(f"one_statistic(run, {dice}, {self._statistic_text(statistic)})")
        die, dice = DiePolynomial(throw.die, statistic), self._number_of_dice(throw.count)
        packed = self.source.assign(self.source.fresh("s"), f"{constant(die)}[W] ** {dice}")
        scale = self.source.assign(self.source.fresh("d"), f"{die.sides} ** {dice}")
        self.require_width(scale)
        low = "0" if not die.least else dice if die.least == 1 else f"({die.least} * {dice})"
        return PackedSeries(packed, low, scale)

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
