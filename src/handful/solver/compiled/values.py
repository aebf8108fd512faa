"""Values of the emitted function at compile time, and questions about its numbers.

Invariant: whatever the emitter assumes of an argument (its kind, a length, a value), it emits a guard for;
a call for which a guard fails returns None, and another specialization or the interpreter answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handful.dice import AbstractPool, Die
from handful.rules.codegen.source import NotCompilable, SourceBuilder
from handful.rules.operators import Value, is_number, resolve_int
from handful.rules.program import Record
from handful.solver.compiled.packed_fields import SUPPORT
from handful.solver.compiled.scope import ExplodingSeries, OpenSeries, PackedSeries, Scope, UpperPart
from handful.solver.compiled.staged import (
    Number,
    StagedComparison,
    StagedConvolution,
    StagedDie,
    StagedEnumeration,
    StagedNumber,
    StagedSplit,
)


class StagedRecord(dict[str, Value]):
    """A record argument of the rule being compiled: it has a local name, but no value to read.

    It stores nothing, so code that bypasses its methods finds an empty record and not the sample.
    Every method that reveals something about the record emits the guard for it first.
    """

    __slots__ = ("emitter", "text")

    def __init__(self, emitter: ValueEmitter, text: str) -> None:
        super().__init__()
        self.emitter, self.text = emitter, text

    def __getitem__(self, name: str) -> Value:
        return self.emitter.field(self.text, name)

    def keys(self) -> frozenset[str]:  # type: ignore[override]
        return self.emitter.field_names(self.text)

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.keys()))

    def __len__(self) -> int:
        return len(self.keys())

    def values(self) -> list[Value]:  # type: ignore[override]
        return [self[name] for name in self]

    def items(self) -> list[tuple[str, Value]]:  # type: ignore[override]
        return [(name, self[name]) for name in self]

    def __bool__(self) -> bool:
        raise NotCompilable

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StagedRecord) and self.text == other.text

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self.text)

    def __repr__(self) -> str:
        return f"StagedRecord({self.text})"


class ValueEmitter:
    """Emits values: tracks the locals in scope and the facts that hold of them."""

    def __init__(self) -> None:
        self.source = SourceBuilder("def solve(run, args, out):", SUPPORT)
        self.source.line("W, M = run.width, run.mask")
        self.scope = Scope()
        self._samples: dict[str, Any] = {}  # local -> its number or record in the sample call
        self.integers: set[str] = set()  # locals that are integers
        self.list_locals: dict[int, tuple[Any, str]] = {}  # id of a list -> it, and its local
        self.local_names: dict[str, str] = {}  # expression -> its local, in every scope
        self.variables = 0  # random variables so far

    # -- values of the emitted function

    def stage(self, sample: Value, text: str) -> Value:
        """Stage a value of the function, with a guard for its kind; numbers stay variable."""
        if is_number(sample):
            return self.number(self.number_local(text, sample))
        if isinstance(sample, Record):
            return self.stage_record(sample, self.local_for(text))
        if sample is None or type(sample) is bool:
            self.require(f"{text} is {sample}")
            return sample
        if type(sample) is str or type(sample) is Die:
            self.require(f"{text} == {self.source.constant(sample)}")
            return sample
        if type(sample) is tuple:
            name = self.local_for(text)
            self.require(f"len({name}) == {len(sample)}")
            staged = tuple(self.stage(part, f"{name}[{at}]") for at, part in enumerate(sample))
            self.list_locals[id(staged)] = staged, name
            return staged
        raise NotCompilable

    def stage_record(self, sample: Record, name: str) -> StagedRecord:
        """Stage a record that the function has in a local."""
        self._samples[name] = sample
        return StagedRecord(self, name)

    def field(self, record: str, name: str) -> Value:
        """Stage a field of a record."""
        return self.stage(self._samples[record][name], f"{record}[{self.source.constant(name)}]")

    def field_names(self, record: str) -> frozenset[str]:
        """Return a record's field names; a guard rejects records with other ones."""
        names = frozenset(self._samples[record])
        if f"names in {record}" not in self.scope.computed:
            self.source.guard(f"{record}.keys() == {self.source.constant(names)}")
            self.scope.computed[f"names in {record}"] = ""
        return names

    def require(self, test: str) -> None:
        """Emit a guard, unless it is in scope already."""
        if test not in self.scope.computed:
            self.source.guard(test)
            self.scope.computed[test] = ""

    def local_for(self, text: str) -> str:
        """Return a local that holds the value of an expression."""
        if text.isidentifier():
            return text
        if text not in self.scope.computed:
            if text not in self.local_names:
                self.local_names[text] = self.source.fresh("v")
            self.scope.computed[text] = self.local_names[text]
            self.source.assign(self.local_names[text], text)
        return self.scope.computed[text]

    def defined_text(self, number: StagedNumber) -> str:
        """Return a number's expression; emit its locals again if a rewind removed them."""
        for name, _ in number.locals:
            for text, own in self.local_names.items():
                if own == name:
                    self.local_for(text)
        return self.text(number)

    def number_local(self, text: str, sample: Number | None) -> str:
        """Return a local that holds a number, with a guard for the sample's type; None: an integer."""
        is_new = text not in self.scope.computed
        name = self.local_for(text)
        if sample is None:
            self.integers.add(name)
        elif is_new:
            kind = "int" if type(sample) is int else "Fraction"
            self.source.guard(f"{name}.__class__ is {kind}")
            self._samples[name] = sample
            if kind == "int":
                self.integers.add(name)
        return name

    def number(self, name: str) -> StagedNumber:
        return StagedNumber(self, (), ((name, 1),), 0)

    def text(self, value: Value) -> str:
        """Return the expression of a value; raise if a number in it is random."""
        if isinstance(value, StagedNumber):
            value = value.normalized()
            if value.variables:
                raise StagedEnumeration(value.variables[0][0])
            return f"({value.text()})" if len(value.locals) + bool(value.const) > 1 else value.text()
        if isinstance(value, StagedRecord):
            return value.text
        if id(value) in self.list_locals:
            return self.list_locals[id(value)][1]
        if type(value) is tuple:
            return f"({''.join(f'{self.text(part)}, ' for part in value)})"
        if isinstance(value, Record):
            constant = self.source.constant
            fields = (f"{constant(name)}: {self.text(part)}" for name, part in value.items())
            return f"Record({{{', '.join(fields)}}})"
        if isinstance(value, (AbstractPool, StagedDie)):
            raise NotCompilable
        return self.source.constant(value)

    def _sample(self, value: Value) -> Value:
        """Return a value in the sample call, for which the rule is compiled.

        Only for guards and for what the function checks at run time; never to emit code from.
        """
        if isinstance(value, StagedNumber):
            number = value.normalized()
            if number.variables or any(name not in self._samples for name, _ in number.locals):
                raise NotCompilable
            total = number.const + sum(n * self._samples[name] for name, n in number.locals)
            return total.numerator if total.denominator == 1 else total
        if isinstance(value, StagedRecord):
            return self._samples[value.text]
        if type(value) is tuple:
            return tuple(self._sample(part) for part in value)
        if isinstance(value, Record):
            return Record((name, self._sample(part)) for name, part in value.items())
        if isinstance(value, (AbstractPool, StagedDie)):
            raise NotCompilable
        return value

    # -- questions about numbers

    def reaches(self, number: StagedNumber) -> bool:
        """Return whether a number is at least 0; raise the question if only the run can tell."""
        number = number.normalized()
        if not number.variables:
            answer = self.scope.at_least_0(number)
            if answer is None:
                raise StagedComparison(number)
            return answer
        if len(number.variables) > 1:
            raise StagedConvolution(number)
        ((variable, slope),) = number.variables
        offset = StagedNumber(self, (), number.locals, number.const)
        if slope == 1:
            at = self._negative(offset)
        elif slope == -1:
            at = StagedNumber(self, (), offset.locals, offset.const + 1)
        else:
            by = self.source.constant(abs(slope))
            text = f"-(({offset.text()}) // {by})" if slope > 0 else f"({offset.text()}) // {by} + 1"
            at = self.number(self.number_local(text, None))
        return self._variable_reaches(variable, at) == (slope > 0)

    def _negative(self, number: StagedNumber) -> StagedNumber:
        return StagedNumber(self, (), tuple((name, -n) for name, n in number.locals), -number.const)

    def _variable_reaches(self, variable: int, at: StagedNumber) -> bool:
        for threshold, reached in self.scope.thresholds.get(variable, ()):
            gap = _difference(threshold, at) if reached else _difference(at, threshold)
            if self.scope.at_least_0(gap):
                return reached
        raise StagedSplit(variable, at)

    def specialize(self, number: StagedNumber) -> Number:
        """Return the value of a number that is needed at compile time, and emit a guard for it."""
        number = number.normalized()
        if number.variables:
            raise StagedEnumeration(number.variables[0][0])
        value: Number = self._sample(number)
        if number.locals:
            self.require(f"{number.text()} == {self.source.constant(value)}")
            self.scope.fix(number, value)
        return value

    def times(self, a: StagedNumber, b: Any) -> Value:
        a, b = a.normalized(), b.normalized()
        if a.variables or b.variables:
            return a.scaled(b.resolve()) if a.variables else b.scaled(a.resolve())
        sample = self._sample(a) * self._sample(b)
        return self.number(self.number_local(f"({a.text()}) * ({b.text()})", sample))

    def count(self, number: StagedNumber) -> Value:
        number = number.normalized()
        if number.variables:
            raise StagedEnumeration(number.variables[0][0])
        if not number.locals:
            return max(number.const, 0)
        return self.number(self.number_local(f"max({number.text()}, 0)", max(self._sample(number), 0)))

    def compare_die(self, number: StagedNumber, die: Die, comparison: str) -> Value:
        """Return a die compared with a number; the number need not be known at compile time."""
        number = number.normalized()
        if number.variables or not self.is_integer(number):
            return die.compare(comparison, resolve_int(number))
        if number.locals:
            return StagedDie(die, comparison, number)
        return die.compare(comparison, resolve_int(number.const))

    def fixed(self, value: Value) -> Value:
        """Return a value in which the number that a die was compared with is known, with a guard for it."""
        if not isinstance(value, StagedDie):
            return value
        return value.die.compare(value.comparison, resolve_int(value.number))

    def is_integer(self, number: StagedNumber) -> bool:
        """Return True if a sum of locals is an integer in every run."""
        own = (number.const, *[n for _, n in number.locals])
        return all(type(n) is int for n in own) and all(name in self.integers for name, _ in number.locals)

    def extreme(self, which: str, a: StagedNumber, b: Any) -> StagedNumber | None:
        """Return the maximum or minimum of two independent numbers as a new, pending variable."""
        a, b = a.normalized(), b.normalized()
        if len(a.variables) != 1 or len(b.variables) != 1 or a.variables[0][0] == b.variables[0][0]:
            return None
        if a.variables[0][1] != 1 or b.variables[0][1] != 1:
            return None
        variable = self.new_variable()
        self.scope.pending[variable] = which, a, b
        return StagedNumber(self, ((variable, 1),), (), 0)

    def new_variable(self) -> int:
        self.variables += 1
        return self.variables

    # -- distributions of variables

    def packed(self, variable: int) -> PackedSeries:
        """Return a variable's distribution as a packed one."""
        series = self.scope.series[variable]
        if not isinstance(series, PackedSeries):
            series = self.new_packed(f"finite(run, {self.series_local(variable)})")
            self.scope.series[variable] = series
        return series

    def series_local(self, variable: int) -> str:
        """Return the local that holds a variable's series, which may be endless."""
        series = self.scope.series[variable]
        if isinstance(series, OpenSeries):
            return series.series
        if isinstance(series, PackedSeries):
            text = f"unpacked(W, {', '.join(series)})"
        elif isinstance(series, ExplodingSeries):
            text = f"{series.die}.series(run, {series.dice})"
        else:
            whole = series.series
            of = whole.series if isinstance(whole, OpenSeries) else f"{whole.die}.series(run, {whole.dice})"
            text = f"{of}.at_least({series.at})"
        name = self.source.assign(self.source.fresh("s"), text)
        if not isinstance(series, PackedSeries):
            self.scope.series[variable] = OpenSeries(name)
        return name

    def new_packed(self, text: str) -> PackedSeries:
        """Emit the three locals of a packed distribution that an expression gives."""
        own = PackedSeries(self.source.fresh("s"), self.source.fresh("l"), self.source.fresh("d"))
        self.source.line(f"{', '.join(own)} = {text}", *own)
        return own

    def require_width(self, scale: str) -> None:
        """Emit the check that weights with this scale fit into the fields."""
        self.source.line(f"if {scale} >= M: raise TooNarrow")

    def mass(self, variable: int) -> tuple[str, str]:
        """Return numerator and denominator of the mass of a variable's distribution."""
        held = self.scope.series[variable]
        n = self.source.fresh("w")
        if isinstance(held, PackedSeries):
            return self.source.assign(n, f"{held.packed} % M"), held.scale
        d = self.source.fresh("w")
        if isinstance(held, UpperPart):
            of = "1"
            if not held.is_total:
                assert isinstance(held.series, OpenSeries)
                of = held.series.series
            text = f"upper_mass(run, {of}, {held.lower.packed}, {held.lower.scale})"
        else:
            text = f"series_mass({self.series_local(variable)})"
        self.source.line(f"{n}, {d} = {text}", n, d)
        return n, d


def _difference(a: StagedNumber, b: StagedNumber) -> StagedNumber:
    gap = a.add(b.scaled(-1)) if b.locals or b.const else a
    return gap if isinstance(gap, StagedNumber) else StagedNumber(a.emitter, (), (), gap)
