"""Compiles rules with dice: the exact solution of a rule becomes one Python function.

The emitter runs the rule once, on staged numbers (partial evaluation).  A comparison that only the run can
answer becomes an `if` with both branches; a comparison of a random variable splits its series.  What the
function assumes (texts, booleans, lengths of lists, numbers needed at compile time) is guarded: it returns
None for arguments of another kind.
"""

from __future__ import annotations

from handful.rules.codegen.source import NotCompilable
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
from handful.solver.compiled.calls import RULE_ERRORS, CallEmitter, RuleInfo
from handful.solver.compiled.combining import convolve_variables, emit_extremes, map_numbers, staged_numbers
from handful.solver.compiled.scope import ExplodingSeries, OpenSeries, PackedSeries, Scope, Series, UpperPart
from handful.solver.compiled.staged import (
    StagedComparison,
    StagedConvolution,
    StagedEnumeration,
    StagedNumber,
    StagedSplit,
)
from handful.solver.plan import Plan
from handful.solver.policy import decide
from handful.solver.symbolic_pool import Statistic, StatisticNeeded, SymbolicPool
from handful.solver.throws import reroll_die

MAX_QUESTIONS = 60  # in sequence
MAX_ITERATIONS = 200  # of loops that are unrolled at compile time


class RuleCompiler(CallEmitter):
    """Emits one rule, specialized for arguments of one kind."""

    def __init__(
        self,
        rules: RuleInfo,
        plan: Plan,
        args: Record,
    ) -> None:
        super().__init__(rules, plan)
        self.iterations = 0
        reads = {name for step in plan.code for expr in step.expressions() for name in expr.reads}
        env: Env = {
            name: self.stage(args[name], f"args[{self.source.constant(name)}]")
            for name in plan.program.params
            if name in reads
        }
        env["@options"], env[EVENTS] = rules.options, frozenset()
        self.emit_from(0, env, self.scope)
        self.finish()

    def argument_local(self, name: str) -> str:
        """Return the local that holds an argument, if it is a plain number; raise if it is not."""
        text = f"args[{self.source.constant(name)}]"
        if self.local_names.get(text) not in self.integers:
            raise NotCompilable
        return self.local_names[text]

    # -- running the rule

    def emit_from(self, pc: int, env: Env, scope: Scope) -> None:
        """Emit everything from an instruction on."""
        self.scope = scope
        scope.questions += 1
        if scope.questions > MAX_QUESTIONS:
            raise NotCompilable
        while True:
            try:
                pc = run(self.plan.program, self.plan.code, pc, env)
                env = self._emit_extremes(pc, env)
                if self.emit_stop(pc, env):
                    return
            except Unresolved as question:
                place = question.pc if question.pc >= 0 else pc
                self._emit_question(question, place, env)
                return
            except RULE_ERRORS:
                self.source.line("raise NotCompilable")
                return
            pc += 1

    def _emit_extremes(self, pc: int, env: Env) -> Env:
        if not self.scope.pending:
            return env
        env = self._live(pc, env)
        emit_extremes(self, list(staged_numbers(tuple(env.values()))))
        return env

    def _live(self, pc: int, env: Env) -> Env:
        names = {*self.plan.live_before[pc], *self.plan.program.params, "@options", EVENTS}
        return {name: value for name, value in env.items() if name in names}

    def _emit_question(self, question: Unresolved, pc: int, env: Env) -> None:
        env = self._emit_extremes(pc, env)
        match question:
            case StagedComparison(number=number):
                self._emit_comparison(pc, env, number)
            case StagedSplit(variable=variable, at=at) if variable in self.scope.series:
                self._emit_split(pc, env, variable, at)
            case StagedEnumeration(variable=variable) if variable in self.scope.series:
                self._emit_enumeration(pc, env, variable)
            case StagedConvolution(number=number) if all(
                variable in self.scope.series for variable, _ in number.variables
            ):
                live_env = self._live(pc, env)
                change = convolve_variables(self, number, staged_numbers(tuple(live_env.values())))
                if change is None:
                    self._emit_enumeration(pc, env, number.variables[0][0])
                else:
                    joined_env = {name: map_numbers(value, change) for name, value in live_env.items()}
                    self.emit_from(pc, joined_env, self.scope)
            case StatisticNeeded(token=token, statistic=Statistic() as statistic) if (
                token not in self.scope.observed
            ):
                self.emit_statistic(pc, env, token, statistic)
            case StatisticNeeded(statistic=Statistic()):
                raise question  # `emit_statistic` adds it to the statistics read before
            case _:
                raise NotCompilable

    def _emit_comparison(self, pc: int, env: Env, number: StagedNumber) -> None:
        scope, is_integer = self.scope, all(name in self.integers for name, _ in number.locals)
        for condition, answer in ((f"if {number.text()} >= 0:", True), ("else:", False)):
            with self.source.block(condition):
                branch = scope.copy()
                branch.learn(number, answer, is_integer)
                self.emit_from(pc, dict(env), branch)

    def _emit_split(self, pc: int, env: Env, variable: int, at: StagedNumber) -> None:
        series, scope = self.scope.series[variable], self.scope
        limit = self.local_for(at.text()) if at.locals else at.text()
        if isinstance(series, UpperPart):
            series = OpenSeries(self.series_local(variable))
        lower, upper = self._emit_parts(variable, series, limit)
        reachable = upper.packed if isinstance(upper, PackedSeries) else f"{lower.packed} % M < {lower.scale}"
        if isinstance(series, OpenSeries):
            reachable = f"{series.series}.can_reach({limit})"
        for condition, part in ((lower.packed, lower), (reachable, upper)):
            with self.source.block(f"if {condition}:"):
                branch = scope.copy()
                branch.series[variable] = part
                branch.partial |= {variable}
                split = (at, part is upper)
                branch.thresholds[variable] = (*branch.thresholds.get(variable, ()), split)
                self.emit_from(pc, dict(env), branch)

    def _emit_parts(
        self, variable: int, series: Series, limit: str
    ) -> tuple[PackedSeries, PackedSeries | UpperPart]:
        """Emit the parts of a distribution below a value and from it on."""
        source = self.source
        if isinstance(series, PackedSeries):
            fields = f"({limit} - {series.low})" if series.low != "0" else limit
            if not fields.isdigit():
                fields = self.local_for(fields)
            cut = f"{series.packed} & ((1 << {fields} * W) - 1)"
            if not fields.isdigit():
                cut = f"{cut} if {fields} > 0 else 0"
            below = source.assign(source.fresh("s"), cut)
            above = source.assign(source.fresh("s"), f"{series.packed} - {below}")
            return series._replace(packed=below), series._replace(packed=above)
        assert not isinstance(series, UpperPart)
        if isinstance(series, ExplodingSeries):
            lower = self.new_packed(f"{series.die}.below(run, {series.dice}, {limit})")
        else:
            lower = self.new_packed(f"below(run, {series.series}, {limit})")
        is_total = variable not in self.scope.partial
        if not is_total and isinstance(series, ExplodingSeries):
            raise NotCompilable  # exploding dice are whole until they are split
        return lower, UpperPart(series, limit, lower, is_total)

    def _emit_enumeration(self, pc: int, env: Env, variable: int) -> None:
        series = self.packed(variable)
        value, weight = self.source.fresh("n"), self.source.fresh("w")
        branch = self.enter_loop()
        del branch.series[variable]
        branch.enumerated[variable] = value
        branch.factors = (*branch.factors, (weight, series.scale))
        self.integers.add(value)
        values = f"weighted_values(run, {series.packed}, {series.low})"
        with self.source.block(f"for {value}, {weight} in {values}:", value, weight):
            self.emit_from(pc, dict(env), branch)

    # -- stops

    def emit_stop(self, pc: int, env: Env) -> bool:
        """Emit a stop; return True if everything after it has been emitted already."""
        step = self.plan.code[pc]
        match step:
            case Result():
                self.emit_result(step, env)
                return True
            case LoopHead() | LoopExit():
                self.iterations += 1
                if self.iterations > MAX_ITERATIONS:
                    raise NotCompilable
            case Choose() | Ask():
                env[step.var], is_choice = decide(step, env, self.rules.policy)
                if is_choice:
                    self.source.line(f"run.decided.add({self.source.constant(step.decision)})")
            case Call() if self.rules.is_pure(step.rule):
                env[step.var] = self.emit_pure_call(step, env)
            case Call():
                return self.emit_call(step, pc, env)
            case RollDice(adds=True):
                raise NotCompilable
            case RollDice():
                what = step.dice.value(env)
                count = what.size() if isinstance(what, SymbolicPool) else what
                explodes_from = (
                    None if step.explodes_from is None else resolve_int(step.explodes_from.value(env))
                )
                env[step.var] = self.emit_throw(count, step.die.value(env), explodes_from)
            case Reroll():
                die, pool = step.die.value(env), SymbolicPool(())
                counts = step.pool.value(env).counts_by_reading()
                for _, n in counts:
                    self.text(n)  # raises if the count is random
                for old, n in counts:
                    pool = pool.plus(self.emit_throw(n, reroll_die(die, step.keep, old), None))
                env[step.var] = pool
            case _:
                raise NotCompilable
        return False
