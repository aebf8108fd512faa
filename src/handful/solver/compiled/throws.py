"""Dice in a written rule: thrown, and looked at as far as the rule does."""

from __future__ import annotations

from typing import Any

from handful.rules.operators import Value
from handful.rules.program import Env
from handful.rules.written.page import Unwritten
from handful.solver.compiled.scope import Path
from handful.solver.compiled.staged import Form
from handful.solver.compiled.values import Scribe
from handful.solver.kronecker import gain, weights
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
        self.casts = 0

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
        faces = weights(die)
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
        self.casts += 1
        cast = SymbolicThrow(self.casts, count, die, endless)
        return SymbolicPool((), (Subset(1, cast, frozenset(die)),), self.path.views)

    def look(self, pc: int, env: Env, token: int, view: Statistic) -> None:
        """Somebody looks at dice: write what they show, as far as it is wanted from here on."""
        cast = throws_in(tuple(env.values()))[token]
        views, path = [view], self.path
        mark = self.page.mark()
        while True:
            self.path = path.copy()
            try:
                return self._looked(pc, env, cast, views)
            except StatisticNeeded as want:
                if want.token != token or want.view is None:
                    raise
                if want.view in views:
                    raise Unwritten from None
                views.append(want.view)
                self.page.rewind(mark)

    def _looked(self, pc: int, env: Env, cast: SymbolicThrow, views: list[Statistic]) -> None:
        first, *others = sorted(views, key=_narrowness)
        constant, axis, series = self.page.constant, self.axis(), self.page.fresh("s")
        texts = ", ".join(self._view(view) for view in (first, *others))
        dice = f"{constant(cast.die)}, {self.text(cast.count)}, {constant(cast.explodes_from)}"
        names = {view: self.page.fresh("n") for view in others}
        self.whole.update(names.values())
        branch = self.into_loop() if others else self.path
        branch.looked |= {cast.token}
        branch.series[axis] = series
        branch.marks[axis] = self._bounds(cast, first)
        branch.views = {
            **branch.views,
            first: Form(self, ((axis, 1),), (), 0),
            **{view: self.form(name) for view, name in names.items()},
        }
        seen = {name: observe(value, branch.views, {}) for name, value in env.items()}
        if not others:
            self.page.line(f"{series} = ask.spread({dice}, {texts})")
            return self.follow(pc, seen, branch)
        branch.partial |= {axis}
        row = ", ".join([*names.values(), series])
        with self.page.block(f"for {row} in ask.rows({dice}, ({texts})):"):
            self.follow(pc, seen, branch)
        return None

    def _bounds(self, cast: SymbolicThrow, view: Statistic) -> tuple[tuple[Form, bool], ...]:
        """Between what a sum lies if the number of dice is known while writing."""
        if type(cast.count) is not int or view.keep is not None:
            return ()
        gains = [gain(view, reading) * cast.count for reading in cast.die]
        least = (Form(self, (), (), min(gains)), True)
        beyond = (Form(self, (), (), max(gains) + 1), False)
        return (least,) if cast.explodes_from is not None else (least, beyond)

    def _view(self, view: Statistic) -> str:
        """A view as the written function has it; how many dice are kept may be known only there."""
        which, count = view.keep or ("", 0)
        if not isinstance(count, Form):
            return self.page.constant(view)
        constant = self.page.constant
        return (
            f"Statistic(0, {constant(view.measure)}, {constant(view.readings)}, "
            f"({constant(which)}, {self.defined(count)}))"
        )


def _narrowness(view: Statistic) -> tuple[bool, bool]:
    """The view that takes most values comes first, and is the one that is not spelt out."""
    return view.measure == "size", view.keep is not None
