"""Symbolic execution of one rule: all its states advance together, layer by layer.

A state's chance node (a throw, a called rule) adds random variables; `branch` runs the rule to its next
chance node; equal states are merged, and the next layer begins.  Dice are sampled lazily (delayed
sampling): a throw is replaced by the joint distribution of just the statistics that the rule reads.
Invariant: the weights of a layer and of the finished states always add up to the weight of the start.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, Any

from handful.dice import Die, Pool
from handful.errors import TooBig
from handful.records import replace
from handful.rules.operators import Value
from handful.rules.program import EVENTS, Call, Env, LoopHead, Record, Reroll, RollDice
from handful.solver import markov
from handful.solver.branch import Branch
from handful.solver.cycles import MAX_ITERATIONS, UNROLL_LIMIT, CycleDetector, CycleFound
from handful.solver.generating_function import GeneratingFunction
from handful.solver.joint_distribution import MAX_STATISTICS, JointRow, NeedsEnumeration, face_counts
from handful.solver.linear import Enumerate, PathCondition, Split, random_variable
from handful.solver.memo import MoreWork
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


MAX_ENUMERATED = 40  # outcomes of a throw, one by one, in an execution that may be abandoned


class SymbolicExecution:
    """Execution of one rule from a given instruction.

    `floor`: it is abandoned (`MoreWork`) when less than this is left of the budget.
    """

    def __init__(self, solver: Solver, plan: Plan, env: Env, floor: int | None = None) -> None:
        self.solver, self.plan = solver, plan
        self.floor = floor
        self.fixed = {name: env[name] for name in plan.program.params}
        self.fixed["@options"] = env["@options"]
        self.least: int | None = None  # lower bound of the accumulator in this loop iteration
        self.observed: set[int] = set()  # throws of which this step reads a statistic

    def begin(self, pc: int, env: Env, start: Frontier) -> None:
        """Fill `start` with the states reached from an instruction."""
        self._advance(pc, env, PathCondition.unconstrained([]), None, start)

    def begin_after(
        self,
        state: State,
        inner: list[Outcome] | None,
        landed: Pool | None,
        throw: SymbolicThrow | None,
        start: Frontier,
    ) -> None:
        """Fill `start` with the states reached from a call or throw that is already in progress."""
        var = self.plan.code[state.pc].writes
        assert var is not None
        certain = Weight(Fraction(1), ())
        if throw is not None and landed is not None:
            self._after_throw(state, certain, var, to_symbolic_pool(landed), [throw], start)
        for outcome in inner or []:
            self._after_call(state, certain, var, outcome, start)

    def outcomes(self, start: Frontier) -> list[Outcome]:
        """Return the outcomes of all branches from some states on, one loop after the other."""
        done: Frontier = {}
        while start:
            part, start = self._solve_loop(start)
            for state, entries in part.items():
                add_state(done, state, entries)
        return merge_outcomes(done)

    def _solve_loop(self, start: Frontier) -> tuple[Frontier, Frontier]:
        """Return the finished states, and the states left to run after an unbounded loop."""
        try:
            return self._unroll(start, CycleDetector(self.solver, UNROLL_LIMIT)), {}
        except CycleFound as found:
            try:
                return markov.solve(self, start)
            except TooBig:
                if found.certain:
                    raise
        return self._unroll(start, CycleDetector(self.solver, MAX_ITERATIONS)), {}

    # -- layers

    def advance(self, frontier: Frontier, stops: tuple[type, ...] = (LoopHead,)) -> tuple[Frontier, Frontier]:
        """Advance states until they finish (first result) or reach one of `stops` (second)."""
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

    def _unroll(self, frontier: Frontier, detector: CycleDetector) -> Frontier:
        """Advance states through loops until all are finished; `detector` raises when a loop cycles."""
        if not self.plan.loops:
            return self.advance(frontier)[0]
        done: Frontier = {}
        while frontier:
            following: Frontier = {}
            for state, entries in frontier.items():
                if state.pc == DONE:
                    add_state(done, state, entries)
                    continue
                if isinstance(self.plan.code[state.pc], LoopHead):
                    detector.enter_head(state)
                reached: Frontier = {}
                for weight in entries:
                    self._step(state, weight, reached)
                detector.add_edges(state, reached)
                for key, found in reached.items():
                    add_state(following, key, found)
            frontier = following
            detector.next_layer()
        return done

    def _step(self, state: State, weight: Weight, out: Frontier) -> None:
        step = self.plan.code[state.pc]
        match step:
            case RollDice() | Reroll():
                throws = throws_of(step, state.question)
                self._after_throw(state, weight, step.var, SymbolicPool(()), throws, out)
            case Call(var, rule):
                wanted = self.plan.called_fields[var]
                outcomes = self.solver.solve_rule(rule, state.question, wanted)
                if state.pc in self.plan.tail_calls and not weight.series:
                    self._tail_call(state, weight, outcomes, out)
                    return
                for outcome in outcomes:
                    self._after_call(state, weight, var, outcome, out)
            case _:
                self._resume(state, weight, [], {}, frozenset(), out)

    def enter(self, state: State, weight: Weight, out: Frontier) -> None:
        """Advance a single state (for `markov`)."""
        self._step(state, weight, out)

    # -- chance

    def _tail_call(self, state: State, weight: Weight, outcomes: list[Outcome], out: Frontier) -> None:
        for outcome in outcomes:
            inner = dict(relocate(outcome.fields, 0, self.solver.context))
            fields = tuple((name, inner[field]) for name, field in self.plan.tail_calls[state.pc])
            events = state.events | outcome.events
            done = State(DONE, None, (fields,), events, booleans=boolean_positions((fields,)))
            factor = weight.factor * outcome.weight.factor
            add_weight(out.setdefault(done, []), outcome.weight._replace(factor=factor))

    def _after_call(self, state: State, weight: Weight, var: str, outcome: Outcome, out: Frontier) -> None:
        fields = Record(relocate(outcome.fields, len(weight.series), self.solver.context))
        joint = Weight(
            weight.factor * outcome.weight.factor,
            weight.series + outcome.weight.series,
            weight.accumulator,
        )
        self._resume(state, joint, [], {var: fields}, outcome.events, out)

    def _after_throw(
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
        lazy = [throw for throw in throws if not simple(throw)]
        with_simple = Weight(weight.factor, tuple(path.series), weight.accumulator)
        self._resume(state, with_simple, lazy, {var: pool}, frozenset(), out)

    def _resume(
        self,
        state: State,
        weight: Weight,
        throws: list[SymbolicThrow],
        given: dict[str, Value],
        events: frozenset[str],
        out: Frontier,
    ) -> None:
        """Continue after a chance node, with only the statistics of the throws that the rule reads.

        Which ones it reads is found by trial: `StatisticNeeded` names one more, and the step runs again.
        """
        carried = throws_in(state.values)
        if not carried and not throws:
            self._resume_with_row(state, weight, [], [], (), given, events, out)
            return
        base = len(carried)
        throws = [*carried.values(), *(replace(c, token=base + c.token) for c in throws)]
        wanted: dict[int, list[Statistic]] = {throw.token: [] for throw in throws}
        enumerated_throws: set[int] = set()
        before, self.observed = self.observed, set()
        while True:
            reached_states: Frontier = {}
            try:
                self._check_fit(throws, wanted, enumerated_throws)
                all_rows = [joint_rows(c, wanted[c.token], enumerated_throws) for c in throws]
                self.solver.spend(len(throws) * prod([len(rows) for rows in all_rows]))
                self.solver.spend(sum([work_of(rows) for rows in all_rows]))
                self._check_floor()
                for rows in product(*all_rows):
                    self._resume_with_row(
                        state, weight, throws[:base], throws[base:], rows, given, events, reached_states
                    )
                break
            except StatisticNeeded as needed:
                if needed.statistic is None:
                    enumerated_throws.add(needed.token)
                else:
                    wanted[needed.token].append(needed.statistic)
                self.observed.add(needed.token)
            except NeedsEnumeration:
                enumerated_throws |= self.observed
        self.observed = before
        for key, entries in reached_states.items():
            add_state(out, key, entries)

    def _resume_with_row(
        self,
        state: State,
        weight: Weight,
        carried: list[SymbolicThrow],
        new_throws: list[SymbolicThrow],
        rows: tuple[JointRow | tuple[Any, Fraction], ...],
        given: dict[str, Value],
        events: frozenset[str],
        out: Frontier,
    ) -> None:
        series, factor = list(weight.series), weight.factor
        statistics: dict[Statistic, Value] = {}
        landed: dict[int, tuple[tuple[int, int], ...]] = {}
        for throw, row in zip([*carried, *new_throws], rows, strict=True):
            if not isinstance(row, JointRow):
                landed[throw.token] = row[0]
                factor *= row[1]
                continue
            statistics.update(row.constants)
            if row.random_statistic is not None:
                statistics[row.random_statistic] = random_variable(self.solver.context, len(series))
                series.append(row.series)
            else:
                factor *= row.series.mass
        env = dict(zip(self.plan.live_after[state.pc], state.values, strict=True)) | given
        if new_throws:
            var = next(iter(given))
            lazy = tuple(Subset(1, throw, frozenset(throw.die)) for throw in new_throws)
            env[var] = given[var].plus(SymbolicPool((), lazy))
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

    def _check_floor(self) -> None:
        if self.floor is not None and self.solver.remaining < self.floor:
            raise MoreWork

    def _check_fit(
        self, throws: list[SymbolicThrow], wanted: dict[int, list[Statistic]], enumerated: set[int]
    ) -> None:
        """Abandon a rule that needs dice one by one, or many statistics of them."""
        if self.floor is None:
            return
        for throw in throws:
            if len(wanted[throw.token]) > MAX_STATISTICS:
                raise MoreWork
            if throw.token in enumerated and count_multisets(throw.die, throw.count) > MAX_ENUMERATED:
                raise MoreWork

    def _next(self, todo: list[Branch]) -> Branch:
        """Return the branch to run next."""
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
        """Run every branch to its next stop, and add the states that are reached to `out`."""
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
            self._check_floor()
            try:
                state, weight = branch.run()
            except Split as split:
                if accumulator is not None and _touches(split.variable, accumulator):
                    raise markov.AccumulatorObserved(split.at, split.variable == accumulator) from None
                todo.extend(branch.split(branch.path.split(split.variable, split.at)))
            except Enumerate as enumeration:
                if enumeration.variable == accumulator:
                    raise markov.AccumulatorObserved(None, True) from None
                todo.extend(branch.split(branch.path.enumerate_values(enumeration.variable)))
            else:
                self.solver.spend(weight.work)
                if factor != 1:
                    weight = weight._replace(factor=weight.factor * factor)
                add_state(out, state, [weight])


def count_multisets(die: Die, count: int) -> int:
    readings = len(face_counts(die))
    return comb(count + readings - 1, readings - 1)


def _touches(variable: Any, accumulator: int) -> bool:
    return variable == accumulator if isinstance(variable, int) else accumulator in variable[:2]
