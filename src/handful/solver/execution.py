"""One rule, solved from one place on: all its states advance in layers.

Each state's chance node (a throw, a called rule) adds axes; `branch` runs the rule on to its next
stops; states that agree are merged, and the next layer begins.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from handful.dice import Pool
from handful.errors import TooBig
from handful.records import replace
from handful.rules.operators import Value
from handful.rules.program import EVENTS, Call, Env, LoopHead, Record, Reroll, RollDice
from handful.solver import markov
from handful.solver.branch import Branch
from handful.solver.cycles import MOST_TURNS, SOON, CycleDetector, CycleFound
from handful.solver.generating_function import GeneratingFunction
from handful.solver.joint_distribution import JointRow, NeedsEnumeration
from handful.solver.linear import Enumerate, PathCondition, Split, random_variable
from handful.solver.plan import Plan
from handful.solver.states import (
    DONE,
    Frontier,
    Outcome,
    State,
    add_state,
    boolean_positions,
    merge_outcomes,
    relocate,
)
from handful.solver.symbolic_pool import (
    Statistic,
    StatisticNeeded,
    Subset,
    SymbolicPool,
    SymbolicThrow,
    observe,
    throws_in,
    to_symbolic_pool,
)
from handful.solver.throws import joint_rows, land, simple, throws_of, work_of
from handful.solver.weights import Weight, add_weight

if TYPE_CHECKING:
    from handful.solver.solver import Solver


class SymbolicExecution:
    """One rule, solved from one place on."""

    def __init__(self, solver: Solver, plan: Plan, env: Env) -> None:
        self.solver, self.plan = solver, plan
        self.fixed = {name: env[name] for name in plan.program.params}
        self.fixed["@options"] = env["@options"]
        self.least: int | None = None  # lower limit of the free axis in this segment
        self.observed: set[int] = set()  # throws that this step has looked at

    def begin(self, pc: int, env: Env, start: Frontier) -> None:
        self._advance(pc, env, PathCondition.unconstrained([]), None, start)

    def go_on(
        self,
        state: State,
        inner: list[Outcome] | None,
        landed: Pool | None,
        throw: SymbolicThrow | None,
        start: Frontier,
    ) -> None:
        var = self.plan.code[state.pc].writes
        assert var is not None
        certain = Weight(Fraction(1), ())
        if throw is not None and landed is not None:
            self._thrown(state, certain, var, to_symbolic_pool(landed), [throw], start)
        for outcome in inner or []:
            self._called(state, certain, var, outcome, start)

    def outcomes(self, start: Frontier) -> list[Outcome]:
        """The results of all branches from some states on, one loop after the other."""
        done: Frontier = {}
        while start:
            part, start = self._through_a_loop(start)
            for state, entries in part.items():
                add_state(done, state, entries)
        return merge_outcomes(done)

    def _through_a_loop(self, start: Frontier) -> tuple[Frontier, Frontier]:
        """What is done, and what is left to do behind a loop without end."""
        try:
            return self._followed(start, CycleDetector(self.solver, SOON)), {}
        except CycleFound as found:
            try:
                return markov.solve(self, start)
            except TooBig:
                if found.certain:
                    raise
        return self._followed(start, CycleDetector(self.solver, MOST_TURNS)), {}

    # -- layers

    def push(self, frontier: Frontier, stops: tuple[type, ...] = (LoopHead,)) -> tuple[Frontier, Frontier]:
        """Advance states until they are done or come to a stop (second result)."""
        done: Frontier = {}
        arrived: Frontier = {}
        while frontier:
            following: Frontier = {}
            for state, entries in frontier.items():
                if state.pc == DONE:
                    add_state(done, state, entries)
                elif isinstance(self.plan.code[state.pc], stops):
                    add_state(arrived, state, entries)
                else:
                    for weight in entries:
                        self._step(state, weight, following)
            frontier = following
        return done, arrived

    def _followed(self, frontier: Frontier, trail: CycleDetector) -> Frontier:
        """Advance states through loops, too, until all are done; the trail sees when to stop."""
        if not self.plan.loops:
            return self.push(frontier)[0]
        done: Frontier = {}
        while frontier:
            following: Frontier = {}
            for state, entries in frontier.items():
                if state.pc == DONE:
                    add_state(done, state, entries)
                    continue
                if isinstance(self.plan.code[state.pc], LoopHead):
                    trail.head(state)
                reached: Frontier = {}
                for weight in entries:
                    self._step(state, weight, reached)
                trail.leads(state, reached)
                for key, found in reached.items():
                    add_state(following, key, found)
            frontier = following
            trail.layer()
        return done

    def _step(self, state: State, weight: Weight, out: Frontier) -> None:
        step = self.plan.code[state.pc]
        match step:
            case RollDice() | Reroll():
                throws = throws_of(step, state.question)
                self._thrown(state, weight, step.var, SymbolicPool(()), throws, out)
            case Call(var, rule):
                wanted = self.plan.called_fields[var]
                outcomes = self.solver.solve_rule(rule, state.question, wanted)
                if state.pc in self.plan.tail_calls and not weight.series:
                    self._hand_on(state, weight, outcomes, out)
                    return
                for outcome in outcomes:
                    self._called(state, weight, var, outcome, out)
            case _:
                self._resumed(state, weight, [], {}, frozenset(), out)

    def enter(self, state: State, weight: Weight, out: Frontier) -> None:
        """Advance one state by itself (for loops)."""
        self._step(state, weight, out)

    # -- chance

    def _hand_on(self, state: State, weight: Weight, outcomes: list[Outcome], out: Frontier) -> None:
        for outcome in outcomes:
            inner = dict(relocate(outcome.fields, 0, self.solver.context))
            fields = tuple((name, inner[field]) for name, field in self.plan.tail_calls[state.pc])
            events = state.events | outcome.events
            done = State(DONE, None, (fields,), events, booleans=boolean_positions((fields,)))
            factor = weight.factor * outcome.weight.factor
            add_weight(out.setdefault(done, []), outcome.weight._replace(factor=factor))

    def _called(self, state: State, weight: Weight, var: str, outcome: Outcome, out: Frontier) -> None:
        fields = Record(relocate(outcome.fields, len(weight.series), self.solver.context))
        joint = Weight(
            weight.factor * outcome.weight.factor,
            weight.series + outcome.weight.series,
            weight.accumulator,
        )
        self._resumed(state, joint, [], {var: fields}, outcome.events, out)

    def _thrown(
        self,
        state: State,
        weight: Weight,
        var: str,
        pool: SymbolicPool,
        throws: list[SymbolicThrow],
        out: Frontier,
    ) -> None:
        path = PathCondition.unconstrained(list(weight.series))
        for throw in throws:
            if simple(throw):
                pool = pool.plus(land(throw, path, self.solver.context))
        unseen = [throw for throw in throws if not simple(throw)]
        known = Weight(weight.factor, tuple(path.series), weight.accumulator)
        self._resumed(state, known, unseen, {var: pool}, frozenset(), out)

    def _resumed(
        self,
        state: State,
        weight: Weight,
        throws: list[SymbolicThrow],
        given: dict[str, Value],
        events: frozenset[str],
        out: Frontier,
    ) -> None:
        """Run on after a stop, looking at the casts only as far as the rule does."""
        carried = throws_in(state.values)
        if not carried and not throws:
            self._row(state, weight, [], [], (), given, events, out)
            return
        base = len(carried)
        throws = [*carried.values(), *(replace(c, token=base + c.token) for c in throws)]
        wanted: dict[int, list[Statistic]] = {throw.token: [] for throw in throws}
        enumerated_throws: set[int] = set()
        before, self.observed = self.observed, set()
        while True:
            trial: Frontier = {}
            try:
                all_rows = [joint_rows(c, wanted[c.token], enumerated_throws) for c in throws]
                self.solver.spend(len(throws) * prod([len(rows) for rows in all_rows]))
                self.solver.spend(sum([work_of(rows) for rows in all_rows]))
                for rows in product(*all_rows):
                    self._row(state, weight, throws[:base], throws[base:], rows, given, events, trial)
                break
            except StatisticNeeded as want:
                if want.statistic is None:
                    enumerated_throws.add(want.token)
                else:
                    wanted[want.token].append(want.statistic)
                self.observed.add(want.token)
            except NeedsEnumeration:
                enumerated_throws |= self.observed
        self.observed = before
        for key, entries in trial.items():
            add_state(out, key, entries)

    def _row(
        self,
        state: State,
        weight: Weight,
        carried: list[SymbolicThrow],
        thrown: list[SymbolicThrow],
        rows: tuple[JointRow | tuple[Any, Fraction], ...],
        given: dict[str, Value],
        events: frozenset[str],
        out: Frontier,
    ) -> None:
        series, factor = list(weight.series), weight.factor
        statistics: dict[Statistic, Value] = {}
        landed: dict[int, tuple[tuple[int, int], ...]] = {}
        for throw, row in zip([*carried, *thrown], rows, strict=True):
            if not isinstance(row, JointRow):
                landed[throw.token] = row[0]
                factor *= row[1]
                continue
            statistics.update(row.known)
            if row.random_statistic is not None:
                statistics[row.random_statistic] = random_variable(self.solver.context, len(series))
                series.append(row.series)
            else:
                factor *= row.series.mass
        env = dict(zip(self.plan.live_after[state.pc], state.values, strict=True)) | given
        if thrown:
            var = next(iter(given))
            unseen = tuple(Subset(1, throw, frozenset(throw.die)) for throw in thrown)
            env[var] = given[var].plus(SymbolicPool((), unseen))
        if rows:
            env = {name: observe(value, statistics, landed) for name, value in env.items()}
        env[EVENTS] = state.events | events
        path = PathCondition.unconstrained(series)
        if weight.accumulator is not None:
            path.ranges[weight.accumulator] = self._free_range(series[weight.accumulator])
        self._advance(state.pc + 1, env, path, weight.accumulator, out, factor=factor)

    def _free_range(self, contribution: GeneratingFunction) -> tuple[int | None, int | None]:
        return (None if self.least is None else self.least + contribution.minimum), None

    # -- running

    def _next(self, todo: list[Branch]) -> Branch:
        """The branch to be run next."""
        return todo.pop()

    def _advance(
        self,
        pc: int,
        env: Env,
        path: PathCondition,
        accumulator: int | None,
        out: Frontier,
        factor: Fraction = Fraction(1),
    ) -> None:
        """Run to the next stop in every branch, and file the states that are reached."""
        first = Branch(
            self.solver,
            self.plan,
            pc,
            env | self.fixed,
            path=path,
            accumulator=accumulator,
            observed=self.observed,
        )
        todo = [first]
        while todo:
            branch = self._next(todo)
            self.solver.spend(1 + len(branch.path.series))
            try:
                state, weight = branch.run()
            except Split as fork:
                if accumulator is not None and _touches(fork.variable, accumulator):
                    raise markov.AccumulatorObserved(fork.at, fork.variable == accumulator) from None
                todo.extend(branch.split(branch.path.split(fork.variable, fork.at)))
            except Enumerate as spell:
                if spell.variable == accumulator:
                    raise markov.AccumulatorObserved(None, True) from None
                todo.extend(branch.split(branch.path.enumerate_values(spell.variable)))
            else:
                self.solver.spend(weight.work)
                if factor != 1:
                    weight = weight._replace(factor=weight.factor * factor)
                add_state(out, state, [weight])


def _touches(variable: Any, accumulator: int) -> bool:
    return variable == accumulator if isinstance(variable, int) else accumulator in variable[:2]
