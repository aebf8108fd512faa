"""The values of a function that is being written, and questions about its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handful.dice import AbstractPool, Die
from handful.rules.codegen.source import Page, Unwritten
from handful.rules.operators import Value, is_number
from handful.rules.program import Record
from handful.solver.compiled.scope import Path, Upper
from handful.solver.compiled.staged import Asked, Cut, Form, Number, Spelt, Together
from handful.solver.compiled.support import SUPPORT


class RecordToken(dict[str, Value]):
    """A record argument of the rule being written: it has a name, but no value to read.

    It stores nothing, so whatever goes around its methods finds an empty record and not the
    sample.  Every method that tells something about the record writes the guard for it first.
    """

    __slots__ = ("scribe", "text")

    def __init__(self, scribe: Scribe, text: str) -> None:
        super().__init__()
        self.scribe, self.text = scribe, text

    def __getitem__(self, name: str) -> Value:
        return self.scribe.field(self.text, name)

    def keys(self) -> frozenset[str]:  # type: ignore[override]
        return self.scribe.names_in(self.text)

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
        raise Unwritten

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecordToken) and self.text == other.text

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self.text)

    def __repr__(self) -> str:
        return f"RecordToken({self.text})"


class Scribe:
    """Knows which locals there are on the way to where it writes, and what is known of them."""

    def __init__(self) -> None:
        self.page = Page("def solve(ask, decided, args, out):", SUPPORT)
        self.path = Path()
        self._samples: dict[str, Any] = {}  # local -> its number or record in the sample call
        self.whole: set[str] = set()  # locals that are whole numbers
        self.texts: dict[int, tuple[Any, str]] = {}  # id of a list -> it, and its local
        self.names: dict[str, str] = {}  # the local for each text, wherever it is made
        self.axes = 0

    # -- values of the written function

    def wrapped(self, sample: Value, text: str) -> Value:
        """A value that the function will have: checked for its kind, numbers apart."""
        if is_number(sample):
            return self.form(self.local(text, sample))
        if isinstance(sample, Record):
            return self.token(sample, self.named(text))
        if sample is None or type(sample) is bool:
            self.require(f"{text} is {sample}")
            return sample
        if type(sample) is str or type(sample) is Die:
            self.require(f"{text} == {self.page.constant(sample)}")
            return sample
        if type(sample) is tuple:
            name = self.named(text)
            self.require(f"len({name}) == {len(sample)}")
            made = tuple(self.wrapped(part, f"{name}[{at}]") for at, part in enumerate(sample))
            self.texts[id(made)] = made, name
            return made
        raise Unwritten

    def token(self, sample: Record, name: str) -> RecordToken:
        """A record that the function will have in a local."""
        self._samples[name] = sample
        return RecordToken(self, name)

    def field(self, record: str, name: str) -> Value:
        """A field of a record that the function will have."""
        return self.wrapped(self._samples[record][name], f"{record}[{self.page.constant(name)}]")

    def names_in(self, record: str) -> frozenset[str]:
        """The names of the fields of such a record: only records with the same ones are served."""
        names = frozenset(self._samples[record])
        if f"names in {record}" not in self.path.made:
            self.page.line(f"if {record}.keys() != {self.page.constant(names)}: return None")
            self.path.made[f"names in {record}"] = ""
        return names

    def require(self, test: str) -> None:
        if test not in self.path.made:
            self.page.line(f"if not ({test}): return None")
            self.path.made[test] = ""

    def named(self, text: str) -> str:
        """A local with a value."""
        if text.isidentifier():
            return text
        if text not in self.path.made:
            if text not in self.names:
                self.names[text] = self.page.fresh("v")
            self.path.made[text] = self.names[text]
            self.page.line(f"{self.names[text]} = {text}")
        return self.path.made[text]

    def defined(self, form: Form) -> str:
        """A number whose locals may have been taken back with a part of the page."""
        for name, _ in form.locals:
            for text, own in self.names.items():
                if own == name:
                    self.named(text)
        return self.text(form)

    def local(self, text: str, sample: Number | None) -> str:
        """A local with a number, whole if the sample is."""
        new = text not in self.path.made
        name = self.named(text)
        if sample is None:
            self.whole.add(name)
        elif new:
            kind = "int" if type(sample) is int else "Fraction"
            self.page.line(f"if {name}.__class__ is not {kind}: return None")
            self._samples[name] = sample
            if kind == "int":
                self.whole.add(name)
        return name

    def form(self, name: str) -> Form:
        return Form(self, (), ((name, 1),), 0)

    def text(self, value: Value) -> str:
        """A value as the written function has it; its numbers must be known there."""
        if isinstance(value, Form):
            value = value.settled()
            if value.axes:
                raise Spelt(value.axes[0][0])
            return f"({value.text()})" if len(value.locals) + bool(value.const) > 1 else value.text()
        if isinstance(value, RecordToken):
            return value.text
        if id(value) in self.texts:
            return self.texts[id(value)][1]
        if type(value) is tuple:
            return f"({''.join(f'{self.text(part)}, ' for part in value)})"
        if isinstance(value, Record):
            constant = self.page.constant
            fields = (f"{constant(name)}: {self.text(part)}" for name, part in value.items())
            return f"Record({{{', '.join(fields)}}})"
        if isinstance(value, AbstractPool):
            raise Unwritten
        return self.page.constant(value)

    def _sample(self, value: Value) -> Value:
        """A value in the call for which the rule is written.

        For guards and for what the written function checks when it runs; never to write from.
        """
        if isinstance(value, Form):
            form = value.settled()
            if form.axes or any(name not in self._samples for name, _ in form.locals):
                raise Unwritten
            total = form.const + sum(n * self._samples[name] for name, n in form.locals)
            return total.numerator if total.denominator == 1 else total
        if isinstance(value, RecordToken):
            return self._samples[value.text]
        if type(value) is tuple:
            return tuple(self._sample(part) for part in value)
        if isinstance(value, Record):
            return Record((name, self._sample(part)) for name, part in value.items())
        return value

    # -- questions about numbers

    def reaches(self, form: Form) -> bool:
        """Whether a sum is at least 0, if that is known; else the question is raised."""
        form = form.settled()
        if not form.axes:
            answer = self.path.at_least_0(form)
            if answer is None:
                raise Asked(form)
            return answer
        if len(form.axes) > 1:
            raise Together(form)
        ((axis, slope),) = form.axes
        known = Form(self, (), form.locals, form.const)
        if slope == 1:
            at = self._negative(known)
        elif slope == -1:
            at = Form(self, (), known.locals, known.const + 1)
        else:
            by = self.page.constant(abs(slope))
            text = f"-(({known.text()}) // {by})" if slope > 0 else f"({known.text()}) // {by} + 1"
            at = self.form(self.local(text, None))
        return self._axis_reaches(axis, at) == (slope > 0)

    def _negative(self, form: Form) -> Form:
        return Form(self, (), tuple((name, -n) for name, n in form.locals), -form.const)

    def _axis_reaches(self, axis: int, at: Form) -> bool:
        for mark, reached in self.path.marks.get(axis, ()):
            gap = _difference(mark, at) if reached else _difference(at, mark)
            if self.path.at_least_0(gap):
                return reached
        raise Cut(axis, at)

    def known(self, form: Form) -> Number:
        """The value of a number that has to be known while writing: only that one is served."""
        form = form.settled()
        if form.axes:
            raise Spelt(form.axes[0][0])
        value: Number = self._sample(form)
        if form.locals:
            self.require(f"{form.text()} == {self.page.constant(value)}")
            self.path.fix(form, value)
        return value

    def times(self, a: Form, b: Any) -> Value:
        a, b = a.settled(), b.settled()
        if a.axes or b.axes:
            return a.scaled(b.resolve()) if a.axes else b.scaled(a.resolve())
        sample = self._sample(a) * self._sample(b)
        return self.form(self.local(f"({a.text()}) * ({b.text()})", sample))

    def count(self, form: Form) -> Value:
        form = form.settled()
        if form.axes:
            raise Spelt(form.axes[0][0])
        if not form.locals:
            return max(form.const, 0)
        return self.form(self.local(f"max({form.text()}, 0)", max(self._sample(form), 0)))

    def extreme(self, which: str, a: Form, b: Any) -> Form | None:
        """The largest or smallest of two numbers on axes of their own: a new axis."""
        a, b = a.settled(), b.settled()
        if len(a.axes) != 1 or len(b.axes) != 1 or a.axes[0][0] == b.axes[0][0]:
            return None
        if a.axes[0][1] != 1 or b.axes[0][1] != 1:
            return None
        axis = self.axis()
        self.path.pending[axis] = which, a, b
        return Form(self, ((axis, 1),), (), 0)

    def axis(self) -> int:
        self.axes += 1
        return self.axes

    def series(self, axis: int) -> str:
        """The local that holds the series of an axis."""
        held = self.path.series[axis]
        if isinstance(held, Upper):
            name = self.page.fresh("s")
            self.page.line(f"{name} = {held.series}.at_least({held.at})")
            self.path.series[axis] = held = name
        return held


def _difference(a: Form, b: Form) -> Form:
    made = a.add(b.scaled(-1)) if b.locals or b.const else a
    return made if isinstance(made, Form) else Form(a.writer, (), (), made)
