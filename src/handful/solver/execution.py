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
from handful.solver.cycles import MOST_TURNS, SOON, Repeats, Trail
from handful.solver.generating_function import GeneratingFunction
from handful.solver.joint_distribution import NeedsWhole, Row
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
from handful.solver.throws import casts_of, land, rows_of, simple, work_of
from handful.solver.weights import Weight, add_weight

if TYPE_CHECKING:
    from handful.solver.solver import Solver


class Layers:
    """One rule, solved from one place on."""

    def __init__(self, solver: Solver, plan: Plan, env: Env) -> None:
        self.solver, self.plan = solver, plan
        self.fixed = {name: env[name] for name in plan.program.params}
        self.fixed["@options"] = env["@options"]
        self.least: int | None = None  # lower limit of the free axis in this segment
        self.looked: set[int] = set()  # throws that this step has looked at

    def begin(self, pc: int, env: Env, start: Frontier) -> None:
        self._advance(pc, env, PathCondition.unconstrained([]), None, start)

    def go_on(
        self,
        state: State,
        inner: list[Outcome] | None,
        landed: Pool | None,
        cast: SymbolicThrow | None,
        start: Frontier,
    ) -> None:
        var = self.plan.code[state.pc].writes
        assert var is not None
        certain = Weight(Fraction(1), ())
        if cast is not None and landed is not None:
            self._thrown(state, certain, var, to_symbolic_pool(landed), [cast], start)
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
            return self._followed(start, Trail(self.solver, SOON)), {}
        except Repeats as found:
            try:
                return markov.solve(self, start)
            except TooBig:
                if found.certain:
                    raise
        return self._followed(start, Trail(self.solver, MOST_TURNS)), {}

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

    def _followed(self, frontier: Frontier, trail: Trail) -> Frontier:
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
                casts = casts_of(step, state.question)
                self._thrown(state, weight, step.var, SymbolicPool(()), casts, out)
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
            weight.free,
        )
        self._resumed(state, joint, [], {var: fields}, outcome.events, out)

    def _thrown(
        self,
        state: State,
        weight: Weight,
        var: str,
        heap: SymbolicPool,
        casts: list[SymbolicThrow],
        out: Frontier,
    ) -> None:
        path = PathCondition.unconstrained(list(weight.series))
        for cast in casts:
            if simple(cast):
                heap = heap.plus(land(cast, path, self.solver.context))
        unseen = [cast for cast in casts if not simple(cast)]
        known = Weight(weight.factor, tuple(path.series), weight.free)
        self._resumed(state, known, unseen, {var: heap}, frozenset(), out)

    def _resumed(
        self,
        state: State,
        weight: Weight,
        casts: list[SymbolicThrow],
        given: dict[str, Value],
        events: frozenset[str],
        out: Frontier,
    ) -> None:
        """Run on after a stop, looking at the casts only as far as the rule does."""
        carried = throws_in(state.values)
        if not carried and not casts:
            self._row(state, weight, [], [], (), given, events, out)
            return
        base = len(carried)
        casts = [*carried.values(), *(replace(c, token=base + c.token) for c in casts)]
        wanted: dict[int, list[Statistic]] = {cast.token: [] for cast in casts}
        whole_casts: set[int] = set()
        before, self.looked = self.looked, set()
        while True:
            trial: Frontier = {}
            try:
                all_rows = [rows_of(c, wanted[c.token], whole_casts) for c in casts]
                self.solver.spend(len(casts) * prod([len(rows) for rows in all_rows]))
                self.solver.spend(sum([work_of(rows) for rows in all_rows]))
                for rows in product(*all_rows):
                    self._row(state, weight, casts[:base], casts[base:], rows, given, events, trial)
                break
            except StatisticNeeded as want:
                if want.view is None:
                    whole_casts.add(want.token)
                else:
                    wanted[want.token].append(want.view)
                self.looked.add(want.token)
            except NeedsWhole:
                whole_casts |= self.looked
        self.looked = before
        for key, entries in trial.items():
            add_state(out, key, entries)

    def _row(
        self,
        state: State,
        weight: Weight,
        carried: list[SymbolicThrow],
        thrown: list[SymbolicThrow],
        rows: tuple[Row | tuple[Any, Fraction], ...],
        given: dict[str, Value],
        events: frozenset[str],
        out: Frontier,
    ) -> None:
        series, factor = list(weight.series), weight.factor
        views: dict[Statistic, Value] = {}
        landed: dict[int, tuple[tuple[int, int], ...]] = {}
        for cast, row in zip([*carried, *thrown], rows, strict=True):
            if not isinstance(row, Row):
                landed[cast.token] = row[0]
                factor *= row[1]
                continue
            views.update(row.known)
            if row.axis is not None:
                views[row.axis] = random_variable(self.solver.context, len(series))
                series.append(row.series)
            else:
                factor *= row.series.mass
        env = dict(zip(self.plan.live_after[state.pc], state.values, strict=True)) | given
        if thrown:
            var = next(iter(given))
            unseen = tuple(Subset(1, cast, frozenset(cast.die)) for cast in thrown)
            env[var] = given[var].plus(SymbolicPool((), unseen))
        if rows:
            env = {name: observe(value, views, landed) for name, value in env.items()}
        env[EVENTS] = state.events | events
        path = PathCondition.unconstrained(series)
        if weight.free is not None:
            path.ranges[weight.free] = self._free_range(series[weight.free])
        self._advance(state.pc + 1, env, path, weight.free, out, factor=factor)

    def _free_range(self, gain: GeneratingFunction) -> tuple[int | None, int | None]:
        return (None if self.least is None else self.least + gain.minimum), None

    # -- running

    def _next(self, todo: list[Branch]) -> Branch:
        """The branch to be run next."""
        return todo.pop()

    def _advance(
        self,
        pc: int,
        env: Env,
        path: PathCondition,
        free: int | None,
        out: Frontier,
        factor: Fraction = Fraction(1),
    ) -> None:
        """Run to the next stop in every branch, and file the states that are reached."""
        first = Branch(self.solver, self.plan, pc, env | self.fixed, path=path, free=free, looked=self.looked)
        todo = [first]
        while todo:
            branch = self._next(todo)
            self.solver.spend(1 + len(branch.path.series))
            try:
                state, weight = branch.run()
            except Split as fork:
                if free is not None and _touches(fork.axis, free):
                    raise markov.NotFree(fork.at, fork.axis == free) from None
                todo.extend(branch.split(branch.path.split(fork.axis, fork.at)))
            except Enumerate as spell:
                if spell.axis == free:
                    raise markov.NotFree(None, True) from None
                todo.extend(branch.split(branch.path.enumerate_values(spell.axis)))
            else:
                self.solver.spend(weight.work)
                if factor != 1:
                    weight = weight._replace(factor=weight.factor * factor)
                add_state(out, state, [weight])


def _touches(axis: Any, free: int) -> bool:
    return axis == free if isinstance(axis, int) else free in axis[:2]
