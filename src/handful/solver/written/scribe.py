"""The values of a function that is being written, and questions about its numbers."""

from __future__ import annotations

from typing import Any

from handful.dice import Die, Gathered
from handful.rules.operators import Value, is_number
from handful.rules.program import Record
from handful.rules.written.page import Page, Unwritten
from handful.solver.written.forms import Asked, Cut, Form, Number, Spelt, Together
from handful.solver.written.path import Path, Upper
from handful.solver.written.support import SUPPORT


class Seen(Record):
    """A record that the written function will have; its fields are looked at one by one."""

    def __init__(self, writer: Scribe, sample: Record, text: str) -> None:
        super().__init__(sample)
        self.writer, self.sample, self.text = writer, sample, text

    def __getitem__(self, name: str) -> Value:
        constant = self.writer.page.constant(name)
        return self.writer.wrapped(self.sample[name], f"{self.text}[{constant}]")

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self.text)


class Scribe:
    """Knows which locals there are on the way to where it writes, and what is known of them."""

    def __init__(self) -> None:
        self.page = Page("def solve(ask, decided, args, out):", SUPPORT)
        self.path = Path()
        self.samples: dict[str, Number] = {}
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
            return Seen(self, sample, self.named(text))
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
            self.samples[name] = sample
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
            return (
                f"({value.text()})" if len(value.locals) + bool(value.const) > 1 else value.text()
            )
        if isinstance(value, Seen):
            return value.text
        if id(value) in self.texts:
            return self.texts[id(value)][1]
        if type(value) is tuple:
            return f"({''.join(f'{self.text(part)}, ' for part in value)})"
        if isinstance(value, Record):
            constant = self.page.constant
            fields = (f"{constant(name)}: {self.text(part)}" for name, part in value.items())
            return f"Record({{{', '.join(fields)}}})"
        if isinstance(value, Gathered):
            raise Unwritten
        return self.page.constant(value)

    def sample(self, value: Value) -> Value:
        """What a value is in the call for which the rule is written."""
        if isinstance(value, Form):
            form = value.settled()
            if form.axes or any(name not in self.samples for name, _ in form.locals):
                raise Unwritten
            total = form.const + sum(n * self.samples[name] for name, n in form.locals)
            return total.numerator if total.denominator == 1 else total
        if isinstance(value, Seen):
            return value.sample
        if type(value) is tuple:
            return tuple(self.sample(part) for part in value)
        if isinstance(value, Record):
            return Record((name, self.sample(part)) for name, part in value.items())
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
        value: Number = self.sample(form)
        if form.locals:
            self.require(f"{form.text()} == {self.page.constant(value)}")
            self.path.fix(form, value)
        return value

    def times(self, a: Form, b: Any) -> Value:
        a, b = a.settled(), b.settled()
        if a.axes or b.axes:
            return a.scaled(b.known()) if a.axes else b.scaled(a.known())
        sample = self.sample(a) * self.sample(b)
        return self.form(self.local(f"({a.text()}) * ({b.text()})", sample))

    def count(self, form: Form) -> Value:
        form = form.settled()
        if form.axes:
            raise Spelt(form.axes[0][0])
        if not form.locals:
            return max(form.const, 0)
        return self.form(self.local(f"max({form.text()}, 0)", max(self.sample(form), 0)))

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
            self.page.line(f"{name} = {held.series}.above({held.at})")
            self.path.series[axis] = held = name
        return held


def _difference(a: Form, b: Form) -> Form:
    made = a.add(b.scaled(-1)) if b.locals or b.const else a
    return made if isinstance(made, Form) else Form(a.writer, (), (), made)
