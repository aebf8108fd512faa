"""Staged numbers: the numbers of a rule while it is being compiled.

A `StagedNumber` is a linear expression over locals of the emitted code, known when it runs, and over
random variables, never known.  The rule runs on staged numbers as on any others; a question that cannot
be answered at compile time is raised, and the emitter turns it into code.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from handful.dice import Die
from handful.rules.codegen.source import NotCompilable
from handful.rules.operators import SymbolicNumber, Unresolved, Value, is_number, normalize_number

if TYPE_CHECKING:
    from handful.solver.compiled.values import ValueEmitter

Number = int | Fraction
Terms = tuple[tuple[Any, Number], ...]


class StagedComparison(Unresolved):
    """Question: is a sum of locals at least 0?"""

    def __init__(self, number: StagedNumber) -> None:
        super().__init__()
        self.number = number


class StagedSplit(Unresolved):
    """Question: is a random variable at least `at`, a sum of locals?"""

    def __init__(self, variable: int, at: StagedNumber) -> None:
        super().__init__()
        self.variable, self.at = variable, at


class StagedEnumeration(Unresolved):
    """The value of a random variable is needed: emit a loop over its values."""

    def __init__(self, variable: int) -> None:
        super().__init__()
        self.variable = variable


class StagedConvolution(Unresolved):
    """A comparison of a sum of several random variables: convolve them first."""

    def __init__(self, number: StagedNumber) -> None:
        super().__init__()
        self.number = number


class StagedNumber(SymbolicNumber):
    """const + sum of coefficient * local + sum of slope * variable."""

    __slots__ = ("const", "emitter", "locals", "variables")

    def __init__(self, emitter: ValueEmitter, variables: Terms, locals_: Terms, const: Number) -> None:
        self.emitter, self.variables, self.locals, self.const = emitter, variables, locals_, const

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StagedNumber) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Terms, Terms, Number]:
        return self.variables, self.locals, self.const

    def add(self, other: Value) -> Value:
        if is_number(other):
            return StagedNumber(
                self.emitter, self.variables, self.locals, normalize_number(self.const + other)
            )
        return self._with_terms(
            _sum(self.variables, other.variables), _sum(self.locals, other.locals), self.const + other.const
        )

    def scaled(self, factor: Number) -> Value:
        if not factor:
            return 0
        return self._with_terms(
            {variable: slope * factor for variable, slope in self.variables},
            {name: n * factor for name, n in self.locals},
            self.const * factor,
        )

    def _with_terms(
        self, variables: Mapping[Any, Number], local_terms: Mapping[Any, Number], const: Number
    ) -> Any:
        own = tuple(sorted((variable, normalize_number(n)) for variable, n in variables.items() if n))
        locals_ = tuple(sorted((name, normalize_number(n)) for name, n in local_terms.items() if n))
        const = normalize_number(const)
        return StagedNumber(self.emitter, own, locals_, const) if own or locals_ else const

    def times(self, other: SymbolicNumber) -> Value:
        return self.emitter.times(self, other)

    def reaches(self, number: Number) -> bool:
        return self.emitter.reaches(self.add(-number))

    def resolve(self) -> Number:
        return self.emitter.specialize(self)

    def count(self) -> Value:
        return self.emitter.count(self)

    def compare_die(self, die: Die, comparison: str) -> Value:
        return self.emitter.compare_die(self, die, comparison)

    def larger(self, other: SymbolicNumber) -> Value:
        return self.emitter.extreme("largest", self, other) or super().larger(other)

    def smaller(self, other: SymbolicNumber) -> Value:
        return self.emitter.extreme("smallest", self, other) or super().smaller(other)

    def normalized(self) -> StagedNumber:
        """Return the number with enumerated variables replaced by the locals that hold their values."""
        enumerated = self.emitter.scope.enumerated
        if not any(variable in enumerated for variable, _ in self.variables):
            return self
        local_terms = dict(self.locals)
        for variable, slope in self.variables:
            if variable in enumerated:
                local_terms[enumerated[variable]] = local_terms.get(enumerated[variable], 0) + slope
        variables = {variable: slope for variable, slope in self.variables if variable not in enumerated}
        number = self._with_terms(variables, local_terms, self.const)
        return number if isinstance(number, StagedNumber) else StagedNumber(self.emitter, (), (), number)

    def text(self) -> str:
        """Return the locals and the constant as a Python expression."""
        source = self.emitter.source
        parts = []
        for name, n in self.locals:
            amount = "" if abs(n) == 1 else f"{source.constant(abs(n))} * "
            parts.append(f"{'-' if n < 0 else '+'} {amount}{name}")
        if self.const or not parts:
            sign, magnitude = ("-", -self.const) if self.const < 0 else ("+", self.const)
            parts.append(f"{sign} {source.constant(magnitude)}")
        text = " ".join(parts)
        return text.removeprefix("+ ")


class StagedDie:
    """A die that reads 1 where a comparison with a number holds, else 0; the number is known at run time.

    It is no `Die` and equals nothing, so that whatever does not know it cannot take it for one.
    """

    __slots__ = ("comparison", "die", "number")
    __hash__ = object.__hash__

    def __init__(self, die: Die, comparison: str, number: StagedNumber) -> None:
        self.die, self.comparison, self.number = die, comparison, number

    def __eq__(self, other: object) -> bool:
        raise NotCompilable

    def at_least(self, reading: int) -> StagedDie | Die:
        """Return the die whose readings are raised to at least `reading`, as `Die.at_least` does."""
        return self if reading <= 0 else Die((reading,))

    def at_most(self, reading: int) -> StagedDie | Die:
        """Return the die whose readings are lowered to at most `reading`, as `Die.at_most` does."""
        return self if reading >= 1 else Die((reading,))


def _sum(a: Terms, b: Terms) -> dict[Any, Number]:
    total = dict(a)
    for name, n in b:
        total[name] = total.get(name, 0) + n
    return total
