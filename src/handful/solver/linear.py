"""Symbolic numbers of outcomes: linear expressions over independent random variables.

The distributions of the variables are those of the outcome's `Weight`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from handful.rules.operators import SymbolicNumber, Value, normalize_number

Slopes = tuple[tuple[int, int | Fraction], ...]


class BranchContext:
    """To whom a symbolic number belongs."""

    __slots__ = ()


class Linear(SymbolicNumber):
    """const + sum of slope * variable; hashable, and compared structurally."""

    __slots__ = ("const", "context", "slopes")

    def __init__(self, context: BranchContext, slopes: Slopes, const: int | Fraction) -> None:
        self.context, self.slopes, self.const = context, slopes, const

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linear) and self.slopes == other.slopes and self.const == other.const

    def __hash__(self) -> int:
        return hash((self.slopes, self.const))

    def __repr__(self) -> str:
        return f"Linear({dict(self.slopes)}, {self.const})"

    def add(self, other: Value) -> Value:
        if not isinstance(other, Linear):
            return Linear(self.context, self.slopes, normalize_number(self.const + other))
        if len(self.slopes) == 1 and len(other.slopes) == 1:
            return self._add_one(other)
        slopes = dict(self.slopes)
        for variable, slope in other.slopes:
            slopes[variable] = normalize_number(slopes.get(variable, 0) + slope)
        return self.with_terms(slopes, normalize_number(self.const + other.const))

    def _add_one(self, other: Linear) -> Value:
        """Add two expressions with one variable each, the most frequent case."""
        (term,), (term_b,) = self.slopes, other.slopes
        const = normalize_number(self.const + other.const)
        if term[0] != term_b[0]:
            return Linear(self.context, (term, term_b) if term < term_b else (term_b, term), const)
        slope = normalize_number(term[1] + term_b[1])
        return Linear(self.context, ((term[0], slope),), const) if slope else const

    def scaled(self, factor: int | Fraction) -> Value:
        if factor == 1:
            return self
        if not factor:
            return 0
        slopes = tuple([(variable, normalize_number(slope * factor)) for variable, slope in self.slopes])
        return Linear(self.context, slopes, normalize_number(self.const * factor))

    def with_terms(self, slopes: Mapping[int, int | Fraction], const: int | Fraction) -> Value:
        """Return an expression in the same context; a constant if no slope is left."""
        terms = tuple(sorted((variable, slope) for variable, slope in slopes.items() if slope))
        return Linear(self.context, terms, const) if terms else normalize_number(const)
