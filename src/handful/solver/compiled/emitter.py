"""Rules with dice, written out: the whole solution becomes one Python function.

The writer runs the rule once, on forms instead of numbers.  Where the rule asks something that
only the written function can know, both answers are written, one under the other; where it asks
about dice, their series is cut.  What a function takes for granted (texts, truths, lengths of
lists, numbers that had to be known) it checks first, and gives None when it is not so.
"""

from __future__ import annotations

from handful.rules.codegen.source import Unwritten
from handful.rules.operators import Unresolved, resolve_int
from handful.rules.program import (
    EVENTS,
    Ask,
    Call,
    Choose,
    Env,
    LoopExit,
    LoopHead,
    Record,
    Reroll,
    Result,
    RollDice,
    run,
)
from handful.solver.compiled.calls import MISTAKES, Calls, Rules, Slope
from handful.solver.compiled.combining import changed, forms, join, settle_extremes
from handful.solver.compiled.scope import Path, Upper
from handful.solver.compiled.staged import Asked, Cut, Form, Spelt, Together
from handful.solver.plan import Plan
from handful.solver.policy import decide
from handful.solver.symbolic_pool import Statistic, StatisticNeeded, SymbolicPool
from handful.solver.throws import reroll_die

MOST_QUESTIONS = 60  # one after the other
MOST_TURNS = 200  # of loops whose number of turns is known while writing


class Writer(Calls):
    """Writes one rule for arguments of one kind."""

    def __init__(
        self,
        rules: Rules,
        plan: Plan,
        args: Record,
        slope: Slope,
    ) -> None:
        super().__init__(rules, plan, slope)
        self.turns = 0
        reads = {name for step in plan.code for expr in step.expressions() for name in expr.reads}
        env: Env = {
            name: self.wrapped(args[name], f"args[{self.page.constant(name)}]")
            for name in plan.program.params
            if name in reads
        }
        env["@options"], env[EVENTS] = rules.options, frozenset()
        self.follow(0, env, self.path)
        self.finish()

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
                if self.stopped(pc, env):
                    return
            except Unresolved as question:
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
        names = {*self.plan.live_before[pc], *self.plan.program.params, "@options", EVENTS}
        return {name: value for name, value in env.items() if name in names}

    def _question(self, question: Unresolved, pc: int, env: Env) -> None:
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
            case StatisticNeeded(token=token, statistic=Statistic() as statistic) if (
                token not in self.path.observed
            ):
                self.look(pc, env, token, statistic)
            case StatisticNeeded(statistic=Statistic()):
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
        for head, reached in ((lower, False), (f"{series}.can_reach({limit})", True)):
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

    def stopped(self, pc: int, env: Env) -> bool:
        """Pass a stop; gives whether all that follows has been written already."""
        step = self.plan.code[pc]
        match step:
            case Result():
                self.result(step, env)
                return True
            case LoopHead() | LoopExit():
                self.turns += 1
                if self.turns > MOST_TURNS:
                    raise Unwritten
            case Choose() | Ask():
                env[step.var], asked = decide(step, env, self.rules.policy)
                if asked:
                    self.page.line(f"decided.add({self.page.constant(step.decision)})")
            case Call() if self.rules.is_quiet(step.rule):
                env[step.var] = self.computed(step, env)
            case Call():
                return self.called(step, pc, env)
            case RollDice(adds=True):
                raise Unwritten
            case RollDice():
                what = step.dice.value(env)
                count = what.size() if isinstance(what, SymbolicPool) else what
                endless = None if step.explodes_from is None else resolve_int(step.explodes_from.value(env))
                env[step.var] = self.thrown(count, step.die.value(env), endless)
            case Reroll():
                die, pool = step.die.value(env), SymbolicPool(())
                spread = step.pool.value(env).counts_by_reading()
                for _, n in spread:
                    self.text(n)  # it must be known
                for old, n in spread:
                    pool = pool.plus(self.thrown(n, reroll_die(die, step.keep, old), None))
                env[step.var] = pool
            case _:
                raise Unwritten
        return False
