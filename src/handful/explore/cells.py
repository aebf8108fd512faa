"""Computes the cells of a table of odds.

Only the first cell is bound by name; the others copy it with other values.  A table of successes
uses the batch solver and skips the full distribution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handful import odds as exact
from handful.errors import Message, Refused, TooBig
from handful.explore.axes import Axis
from handful.explore.figures import Figure, default_measure, measure
from handful.odds.batch import BatchSuccess
from handful.roll import BoundCheck, bind
from handful.rules.program import Record
from handful.rules.ruleset import Check, Ruleset
from handful.solver.solver import SolvedRules

Index = tuple[int, ...]


class Cells:
    """Computes one figure per cell.  The first solved cell decides `shows` if none was requested."""

    def __init__(
        self,
        rules: Ruleset,
        check: Check,
        axes: Sequence[Axis],
        sides: Sequence[Mapping[str, Any]],
        overall: Mapping[str, Any],
        *,
        options: Mapping[str, Any] | None,
        shows: str,
        policy: str,
        solved: SolvedRules | None = None,
    ) -> None:
        self.rules, self.check, self.axes = rules, check, axes
        self.sides, self.overall, self.options = sides, overall, options
        self.shows, self.policy, self.solved = shows, policy, SolvedRules.of(rules, solved)
        self._assumed: dict[str, str] = {}
        self._first: BoundCheck | None = None
        self._values = [[check.params[one.name].read(v) for v in one.values] for one in axes]
        self._successes: BatchSuccess | None = None
        if shows in ("", "success") and policy in ("usual", "never"):
            settled = rules.resolve_options(options) if options else rules.defaults
            self._successes = BatchSuccess(self.solved, settled, policy)

    def row(self, index: Index) -> list[Figure]:
        """Return the figures along the last axis, at an index of the other axes."""
        if not self.axes:
            return [self.figure(index)]
        last, values = self.axes[-1], self._values[-1]
        if self._first is not None and self._successes is not None and self.shows:
            found = self._successes.row(self._bound((*index, 0)), last.name, values)
            if found is not None:
                return [*found]
        return [self.figure((*index, at)) for at in range(len(values))]

    def figure(self, index: Index) -> Figure:
        """Return the figure at an index; None if the rules refuse this combination of values."""
        try:
            bound = self._bound(index)
            if self._successes is not None:
                found = self._successes.success(bound)
                if found is not None:
                    self.shows = "success"
                    return found[0] if isinstance(found, tuple) else found
                if not self.shows:  # this check has no success: solve the full distribution from now on
                    self._successes = None
            odds = exact.odds(bound, policy=self.policy, solved=self.solved)
        except TooBig as big:
            cell = ", ".join(
                f"{axis.name}={axis.values[at]}" for axis, at in zip(self.axes, index, strict=True)
            )
            raise TooBig(
                Message("at", place=cell, problem=big.problem) if cell else big.problem, big.advice
            ) from None
        except Refused:
            if not self.axes or not any(index):
                raise
            return None
        self.shows = self.shows or default_measure(odds)
        self._assumed.update(odds.policy)
        return measure(self.shows, odds)

    def assumed(self) -> dict[str, str]:
        """Return the policy of each decision, in words."""
        batch = {} if self._successes is None else self._successes.assumptions()
        return {**batch, **self._assumed}

    def _bound(self, index: Index) -> BoundCheck:
        """Return the bound check of a cell; all but the first are copies with other values."""
        if self._first is not None:
            args = dict(self._first.args)
            for axis, values, at in zip(self.axes, self._values, index, strict=True):
                args[axis.name] = values[at]
            return BoundCheck(self.rules, self.check, Record(args), self._first.options)
        here = [dict(self.overall), *map(dict, self.sides)]
        for axis, at in zip(self.axes, index, strict=True):
            here[axis.side][axis.name] = axis.values[at]
        bound = bind(self.rules, self.check.name, here[1:], here[0], self.options)
        if self.check.sides is None:
            self._first = bound
        return bound
