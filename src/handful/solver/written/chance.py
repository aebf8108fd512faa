"""Rules with dice, written out: the whole solution becomes one Python function.

The writer runs the rule once, on forms instead of numbers.  Where the rule asks something that
only the written function can know, both answers are written, one under the other; where it asks
about dice, their series is cut.  What a function takes for granted (texts, truths, lengths of
lists, numbers that had to be known) it checks first, and gives None when it is not so.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

from handful.errors import RuleError, TooBig
from handful.roll import arguments
from handful.rules.operators import Unanswered, Value, whole
from handful.rules.program import (
    EVENTS,
    Ask,
    Call,
    Choose,
    Env,
    Instruction,
    Left,
    Loop,
    Program,
    Record,
    Refusal,
    Reroll,
    Result,
    Roll,
    bound,
    run,
)
from handful.rules.written.page import Unwritten
from handful.solver.deciding import decided
from handful.solver.heaps import Heap, View, Wanted
from handful.solver.plan import Plan
from handful.solver.throws import kept
from handful.solver.written.forms import Asked, Cut, Form, Number, Spelt, Together
from handful.solver.written.joining import changed, forms, join, settle_extremes
from handful.solver.written.path import Path, Upper
from handful.solver.written.quiet import Quiet
from handful.solver.written.results import Results
from handful.solver.written.scribe import Seen
from handful.solver.written.throws import Throws

MOST_QUESTIONS = 60  # one after the other
MOST_BEFORE = 150  # lines before a called rule that is written in place
MOST_TURNS = 200  # of loops whose number of turns is known while writing
MISTAKES = (Refusal, RuleError, TooBig)  # the general way finds them again, with their place


class Rules(Protocol):
    """What the writer wants to know about the other rules, and the policy."""

    policy: str
    options: Record

    def program(self, rule: str) -> Program: ...
    def is_quiet(self, rule: str) -> bool: ...
    def tells(self, rule: str) -> bool: ...
    def plan(self, rule: str, wanted: frozenset[str] | None) -> Plan: ...
    def quiet(self, rule: str, wanted: frozenset[str] | None) -> tuple[Quiet, tuple[str, ...]]: ...


class Writer(Throws, Results):
    """Writes one rule for arguments of one kind."""

    def __init__(
        self,
        rules: Rules,
        plan: Plan,
        args: Record,
        slope: Callable[[str, Record, frozenset[str]], int | Fraction],
    ) -> None:
        super().__init__()
        self.rules, self.plan, self.slope = rules, plan, slope
        self.turns = 0
        reads = {name for step in plan.code for expr in step.exprs() for name in expr.reads}
        env: Env = {
            name: self.wrapped(args[name], f"args[{self.page.constant(name)}]")
            for name in plan.program.params
            if name in reads
        }
        env["@options"], env[EVENTS] = rules.options, frozenset()
        self.follow(0, env, self.path)
        self.finish()

    def function(self) -> Callable[..., Any]:
        return self.page.function()

    # -- following the rule

    def follow(self, pc: int, env: Env, path: Path) -> None:
        """Write all that happens from a place on."""
        self.path = path
        path.questions += 1
        if path.questions > MOST_QUESTIONS:
            raise Unwritten
        while True:
            try:
                pc = run(self.plan.program, self.plan.code, pc, env)
                env = self._settled(pc, env)
                if self._stopped(pc, env):
                    return
            except Unanswered as question:
                place = question.place if question.place >= 0 else pc
                self._question(question, place, env)
                return
            except MISTAKES:
                self.page.line("raise Unwritten")
                return
            pc += 1

    def _settled(self, pc: int, env: Env) -> Env:
        if not self.path.pending:
            return env
        env = self._live(pc, env)
        settle_extremes(self, list(forms(tuple(env.values()))))
        return env

    def _live(self, pc: int, env: Env) -> Env:
        names = {*self.plan.needed[pc], *self.plan.program.params, "@options", EVENTS}
        return {name: value for name, value in env.items() if name in names}

    def _question(self, question: Unanswered, pc: int, env: Env) -> None:
        env = self._settled(pc, env)
        match question:
            case Asked(form=form):
                self._ask(pc, env, form)
            case Cut(axis=axis, at=at) if axis in self.path.series:
                self._cut(pc, env, axis, at)
            case Spelt(axis=axis) if axis in self.path.series:
                self._spell(pc, env, axis)
            case Together(form=form) if all(axis in self.path.series for axis, _ in form.axes):
                live = self._live(pc, env)
                change = join(self, form, forms(tuple(live.values())))
                if change is None:
                    self._spell(pc, env, form.axes[0][0])
                else:
                    joined = {name: changed(value, change) for name, value in live.items()}
                    self.follow(pc, joined, self.path)
            case Wanted(token=token, view=View() as view) if token not in self.path.looked:
                self.look(pc, env, token, view)
            case Wanted(view=View()):
                raise question  # wanted together with what was looked at before
            case _:
                raise Unwritten

    def _ask(self, pc: int, env: Env, form: Form) -> None:
        path, is_whole = self.path, all(name in self.whole for name, _ in form.locals)
        for head, answer in ((f"if {form.text()} >= 0:", True), ("else:", False)):
            with self.page.block(head):
                branch = path.copy()
                branch.learn(form, answer, is_whole)
                self.follow(pc, dict(env), branch)

    def _cut(self, pc: int, env: Env, axis: int, at: Form) -> None:
        series, path = self.series(axis), self.path
        limit = self.named(at.text()) if at.locals else at.text()
        lower = self.page.fresh("s")
        self.page.line(f"{lower} = {series}.below({limit})")
        for head, reached in ((lower, False), (f"{series}.reaches({limit})", True)):
            with self.page.block(f"if {head}:"):
                branch = path.copy()
                branch.series[axis] = (
                    Upper(series, limit, lower, axis not in path.partial) if reached else lower
                )
                branch.partial |= {axis}
                branch.marks[axis] = (*branch.marks.get(axis, ()), (at, reached))
                self.follow(pc, dict(env), branch)

    def _spell(self, pc: int, env: Env, axis: int) -> None:
        series = self.series(axis)
        value, weight = self.page.fresh("n"), self.page.fresh("w")
        branch = self.into_loop()
        del branch.series[axis]
        branch.spelt[axis] = value
        branch.factors = (*branch.factors, (weight, f"{series}.scale"))
        self.whole.add(value)
        with self.page.block(f"for {value}, {weight} in ask.slots({series}):"):
            self.follow(pc, dict(env), branch)

    # -- stops

    def _stopped(self, pc: int, env: Env) -> bool:
        """Pass a stop; gives whether all that follows has been written already."""
        step = self.plan.code[pc]
        match step:
            case Result():
                self.result(step, env)
                return True
            case Loop() | Left():
                self.turns += 1
                if self.turns > MOST_TURNS:
                    raise Unwritten
            case Choose() | Ask():
                env[step.var], asked = decided(step, env, self.rules.policy)
                if asked:
                    self.page.line(f"decided.add({self.page.constant(step.decision)})")
            case Call() if self.rules.is_quiet(step.rule):
                env[step.var] = self._computed(step, env)
            case Call():
                return self._called(step, pc, env)
            case Roll():
                what = step.what.value(env)
                count = what.size() if isinstance(what, Heap) else what
                endless = None if step.endless is None else whole(step.endless.value(env))
                env[step.var] = self.thrown(count, step.die.value(env), endless)
            case Reroll():
                die, heap = step.die.value(env), Heap(())
                spread = step.pool.value(env).spread()
                for _, n in spread:
                    self.text(n)  # it must be known
                for old, n in spread:
                    heap = heap.plus(self.thrown(n, kept(die, step.keep, old), None))
                env[step.var] = heap
            case _:
                raise Unwritten
        return False

    def _computed(self, step: Call, env: Env) -> Seen:
        function, params = self.rules.quiet(step.rule, self.plan.fields[step.var])
        args = self._arguments(step, env)
        texts = [self.text(args[name]) for name in params]
        sample = function(set(), *(self.sample(args[name]) for name in params))
        events = "NOBODY"
        if self.rules.tells(step.rule):
            events = self.page.fresh("e")
            self.page.line(f"{events} = set()")
            self.path.told = (*self.path.told, events)
        name = self.page.fresh("r")
        self.page.line(f"{name} = {self.page.constant(function)}({', '.join([events, *texts])})")
        return Seen(self, Record(sample), name)

    def _called(self, step: Call, pc: int, env: Env) -> bool:
        if self._inlined(step, env):
            return False
        wanted = self.plan.fields[step.var]
        if wanted is None or len(wanted) != 1:
            raise Unwritten
        constant, (field,) = self.page.constant, wanted
        args = Record(self._arguments(step, env))
        given = self.text(args)
        slope = self._slope(step.rule, args, wanted)
        if not self.rules.tells(step.rule) and self._poured(step, env, args, field, slope):
            return False
        call = f"ask.rule({constant(step.rule)}, {given}, {constant(wanted)}, {constant(slope)})"
        series, axis = self.page.fresh("s"), self.axis()
        env[step.var] = Record({field: Form(self, ((axis, slope),), (), 0)})
        if not self.rules.tells(step.rule):
            self.page.line(f"((_, {series}),) = {call}")
            self.path.series[axis] = series
            return False
        branch, events = self.into_loop(), self.page.fresh("e")
        branch.series[axis], branch.partial = series, branch.partial | {axis}
        branch.told = (*branch.told, events)
        with self.page.block(f"for {events}, {series} in {call}:"):
            self.follow(pc + 1, env, branch)
        return True

    def _inlined(self, step: Call, env: Env) -> bool:
        """Write a called rule in place, if it runs straight to its result."""
        outer, mark, path = self.plan, self.page.mark(), self.path
        self.path = path.copy()
        own = dict(bound(self._program(step), self._arguments(step, env), self.rules.options))
        self.plan = self.rules.plan(step.rule, outer.fields[step.var])
        pc = 0
        try:
            while True:
                pc = run(self.plan.program, self.plan.code, pc, own)
                result = self.plan.code[pc]
                if self.path.pending:
                    break
                if isinstance(result, Result):
                    fields = {name: expr.value(own) for name, expr in result.fields}
                    if self.path.pending:
                        break
                    env[step.var], env[EVENTS] = Record(fields), env[EVENTS] | own[EVENTS]
                    return True
                if self._opens_a_block(result) or self._stopped(pc, own):
                    break
                pc += 1
        except (Unanswered, Unwritten, *MISTAKES):
            pass
        finally:
            self.plan = outer
        self.page.rewind(mark)
        self.path = path
        return False

    def _poured(self, step: Call, env: Env, args: Record, field: str, slope: Number) -> bool:
        """Write a called rule in place, with all its branches, and add them up at its end."""
        outer, sink, mark, path = self.plan, self.sink, self.page.mark(), self.path
        if len(self.page.lines) > MOST_BEFORE:
            return False
        parts, series, axis = self.page.fresh("q"), self.page.fresh("s"), self.axis()
        self.page.line(f"{parts} = []")
        self.plan = self.rules.plan(step.rule, outer.fields[step.var])
        self.sink = parts, slope
        try:
            self.follow(0, bound(self._program(step), args, self.rules.options), path.apart())
        except (Unanswered, Unwritten):
            self.page.rewind(mark)
            return False
        finally:
            self.plan, self.sink, self.path = outer, sink, path
        self.page.line(f"{series} = together({parts})")
        path.series[axis] = series
        env[step.var] = Record({field: Form(self, ((axis, slope),), (), 0)})
        return True

    def _opens_a_block(self, step: Instruction) -> bool:
        return isinstance(step, Call) and self.rules.tells(step.rule)

    def _program(self, step: Call) -> Program:
        return self.rules.program(step.rule)

    def _arguments(self, step: Call, env: Env) -> dict[str, Value]:
        return arguments(self._program(step), step, env)

    def _slope(self, rule: str, args: Record, wanted: frozenset[str]) -> int | Fraction:
        """Of what the result is a multiple, in the call for which the rule is written."""
        try:
            return self.slope(rule, self.sample(args), wanted)
        except (Unwritten, *MISTAKES):
            return 1
