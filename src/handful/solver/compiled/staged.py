"""Numbers while a rule is being written out.

A `Form` is a sum over what the written code will know (locals) and what it will not (axes).
The rule runs on forms as it runs on numbers; a question that nobody can answer yet is raised, and
the writer puts it into the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from handful.rules.operators import SymbolicNumber, Unresolved, Value, is_number, normalize_number

if TYPE_CHECKING:
    from handful.solver.compiled.values import Scribe

Number = int | Fraction
Terms = tuple[tuple[Any, Number], ...]


class Asked(Unresolved):
    """Is a sum of locals at least 0?"""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form


class Cut(Unresolved):
    """Is an axis at least `at`, a sum of locals?"""

    def __init__(self, axis: int, at: Form) -> None:
        super().__init__()
        self.axis, self.at = axis, at


class Spelt(Unresolved):
    """The value of an axis must be known: it is taken value by value."""

    def __init__(self, axis: int) -> None:
        super().__init__()
        self.axis = axis


class Together(Unresolved):
    """Several axes are asked about as one sum."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form


class Form(SymbolicNumber):
    """const + sum of coefficient * local + sum of slope * axis."""

    __slots__ = ("axes", "const", "locals", "writer")

    def __init__(self, writer: Scribe, axes: Terms, locals_: Terms, const: Number) -> None:
        self.writer, self.axes, self.locals, self.const = writer, axes, locals_, const

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Terms, Terms, Number]:
        return self.axes, self.locals, self.const

    def add(self, other: Value) -> Value:
        if is_number(other):
            return Form(self.writer, self.axes, self.locals, normalize_number(self.const + other))
        return self._made(
            _sum(self.axes, other.axes), _sum(self.locals, other.locals), self.const + other.const
        )

    def scaled(self, factor: Number) -> Value:
        if not factor:
            return 0
        return self._made(
            {axis: slope * factor for axis, slope in self.axes},
            {name: n * factor for name, n in self.locals},
            self.const * factor,
        )

    def _made(self, axes: Mapping[Any, Number], known: Mapping[Any, Number], const: Number) -> Any:
        kept = tuple(sorted((axis, normalize_number(n)) for axis, n in axes.items() if n))
        own = tuple(sorted((name, normalize_number(n)) for name, n in known.items() if n))
        const = normalize_number(const)
        return Form(self.writer, kept, own, const) if kept or own else const

    def times(self, other: SymbolicNumber) -> Value:
        return self.writer.times(self, other)

    def reaches(self, number: Number) -> bool:
        return self.writer.reaches(self.add(-number))

    def resolve(self) -> Number:
        return self.writer.known(self)

    def count(self) -> Value:
        return self.writer.count(self)

    def larger(self, other: SymbolicNumber) -> Value:
        return self.writer.extreme("largest", self, other) or super().larger(other)

    def smaller(self, other: SymbolicNumber) -> Value:
        return self.writer.extreme("smallest", self, other) or super().smaller(other)

    def settled(self) -> Form:
        """The form whose axes are all still open: those taken value by value are locals."""
        spelt = self.writer.path.spelt
        if not any(axis in spelt for axis, _ in self.axes):
            return self
        known = dict(self.locals)
        for axis, slope in self.axes:
            if axis in spelt:
                known[spelt[axis]] = known.get(spelt[axis], 0) + slope
        axes = {axis: slope for axis, slope in self.axes if axis not in spelt}
        made = self._made(axes, known, self.const)
        return made if isinstance(made, Form) else Form(self.writer, (), (), made)

    def text(self) -> str:
        """The locals and the constant, in Python."""
        page = self.writer.page
        parts = []
        for name, n in self.locals:
            amount = "" if abs(n) == 1 else f"{page.constant(abs(n))} * "
            parts.append(f"{'-' if n < 0 else '+'} {amount}{name}")
        if self.const or not parts:
            sign, size = ("-", -self.const) if self.const < 0 else ("+", self.const)
            parts.append(f"{sign} {page.constant(size)}")
        text = " ".join(parts)
        return text.removeprefix("+ ")


def _sum(a: Terms, b: Terms) -> dict[Any, Number]:
    total = dict(a)
    for name, n in b:
        total[name] = total.get(name, 0) + n
    return total
