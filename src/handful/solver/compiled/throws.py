"""Dice in a written rule: thrown, and looked at as far as the rule does."""

from __future__ import annotations

from typing import Any

from handful.rules.codegen.source import Unwritten
from handful.rules.operators import Value
from handful.rules.program import Env
from handful.solver.compiled.scope import Path
from handful.solver.compiled.staged import Form
from handful.solver.compiled.values import Scribe
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

MOST_LOOPS = 3  # inside each other


class Throws(Scribe):
    """Throws dice; who looks at them goes on with what they show."""

    def __init__(self) -> None:
        super().__init__()
        self.throws = 0

    def follow(self, pc: int, env: Env, path: Path) -> None:
        """Write all that happens from a place on."""
        raise NotImplementedError

    def into_loop(self) -> Path:
        branch = self.path.copy()
        branch.loops += 1
        if branch.loops > MOST_LOOPS:
            raise Unwritten
        return branch

    def thrown(self, count: Value, die: Any, endless: int | None) -> SymbolicPool:
        text = self.text(count)
        faces = face_counts(die)
        if endless is None and len(faces) == 1:
            return SymbolicPool(((faces[0][0], count),))
        if endless is None and len(faces) == 2:
            (low, _), (high, _) = faces
            series, axis = self.page.fresh("s"), self.axis()
            self.page.line(f"{series} = ask.counted({self.page.constant(die)}, {text})")
            self.path.series[axis] = series
            number = Form(self, ((axis, 1),), (), 0)
            all_dice = count if isinstance(count, Form) else Form(self, (), (), count)
            return SymbolicPool(((low, all_dice.add(number.scaled(-1))), (high, number)))
        self.throws += 1
        throw = SymbolicThrow(self.throws, count, die, endless)
        return SymbolicPool((), (Subset(1, throw, frozenset(die)),), self.path.statistics)

    def look(self, pc: int, env: Env, token: int, statistic: Statistic) -> None:
        """Somebody looks at dice: write what they show, as far as it is wanted from here on."""
        throw = throws_in(tuple(env.values()))[token]
        statistics, path = [statistic], self.path
        mark = self.page.mark()
        while True:
            self.path = path.copy()
            try:
                return self._looked(pc, env, throw, statistics)
            except StatisticNeeded as want:
                if want.token != token or want.statistic is None:
                    raise
                if want.statistic in statistics:
                    raise Unwritten from None
                statistics.append(want.statistic)
                self.page.rewind(mark)

    def _looked(self, pc: int, env: Env, throw: SymbolicThrow, statistics: list[Statistic]) -> None:
        first, *others = sorted(statistics, key=_narrowness)
        constant, axis, series = self.page.constant, self.axis(), self.page.fresh("s")
        texts = ", ".join(self._view(statistic) for statistic in (first, *others))
        dice = f"{constant(throw.die)}, {self.text(throw.count)}, {constant(throw.explodes_from)}"
        names = {statistic: self.page.fresh("n") for statistic in others}
        self.whole.update(names.values())
        branch = self.into_loop() if others else self.path
        branch.observed |= {throw.token}
        branch.series[axis] = series
        branch.marks[axis] = self._bounds(throw, first)
        branch.statistics = {
            **branch.statistics,
            first: Form(self, ((axis, 1),), (), 0),
            **{statistic: self.form(name) for statistic, name in names.items()},
        }
        seen = {name: observe(value, branch.statistics, {}) for name, value in env.items()}
        if not others:
            self.page.line(f"{series} = ask.spread({dice}, {texts})")
            return self.follow(pc, seen, branch)
        branch.partial |= {axis}
        row = ", ".join([*names.values(), series])
        with self.page.block(f"for {row} in ask.rows({dice}, ({texts})):"):
            self.follow(pc, seen, branch)
        return None

    def _bounds(self, throw: SymbolicThrow, statistic: Statistic) -> tuple[tuple[Form, bool], ...]:
        """Between what a sum lies if the number of dice is known while writing."""
        if type(throw.count) is not int or statistic.keep is not None:
            return ()
        gains = [contribution(statistic, reading) * throw.count for reading in throw.die]
        least = (Form(self, (), (), min(gains)), True)
        beyond = (Form(self, (), (), max(gains) + 1), False)
        return (least,) if throw.explodes_from is not None else (least, beyond)

    def _view(self, statistic: Statistic) -> str:
        """A view as the written function has it; how many dice are kept may be known only there."""
        which, count = statistic.keep or ("", 0)
        if not isinstance(count, Form):
            return self.page.constant(statistic)
        constant = self.page.constant
        return (
            f"Statistic(0, {constant(statistic.measure)}, {constant(statistic.readings)}, "
            f"({constant(which)}, {self.defined(count)}))"
        )


def _narrowness(statistic: Statistic) -> tuple[bool, bool]:
    """The view that takes most values comes first, and is the one that is not spelt out."""
    return statistic.measure == "size", statistic.keep is not None
