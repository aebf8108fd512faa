"""Exact odds: all branches of a rule at once.

Theory of operation.  A state is a place in the rule and the values that are still needed there; a
`Weight` is its chance.  States are advanced in layers: a state's chance node (a throw, a called
rule) adds axes, the rule runs on to its next stop, `condense` forgets what nobody needs, and
states that agree are merged.  Questions about unknown numbers fork the run (`numbers`); pools are
looked at only as far as the rule looks (`heaps`); called rules are solved once per argument list.
A state that comes back means a loop without end: those are solved as linear equations (`loops`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from handful.dice import Die, Pool
from handful.errors import TooBig
from handful.roll import MOST_DICE, arguments
from handful.rules.functions import Value, whole
from handful.rules.program import (
    EVENTS,
    FUEL,
    Ask,
    Call,
    Choose,
    Env,
    Event,
    Instruction,
    Jump,
    Loop,
    Program,
    Record,
    Reroll,
    Result,
    Roll,
    bound,
    run,
)
from handful.rules.ruleset import Ruleset
from handful.solver import loops
from handful.solver.heaps import (
    Cast,
    Heap,
    Selection,
    View,
    Wanted,
    as_heap,
    casts_in,
    looked_at,
    renamed,
)
from handful.solver.landing import NeedsWhole, Row, landing, multisets, two_way, weights
from handful.solver.numbers import Desk, Fork, Path, Spell, Unknown, axis_number
from handful.solver.plan import Plan, plan
from handful.solver.series import Series, point
from handful.solver.weights import Weight, condense, merge, rewritten

BUDGET = 2_000_000  # units of work; about a minute on a small machine
MOST_KNOWN = 1000  # solved rules that a ruleset remembers
DONE = -1


class State(NamedTuple):
    """A place in a rule, the question asked there, and the values needed afterwards."""

    pc: int
    question: Any
    values: tuple[Value, ...]
    events: frozenset[str]
    free: int | None = None


class Outcome(NamedTuple):
    """One kind of result of a rule: its fields, which may be open, its events and its weight."""

    fields: tuple[tuple[str, Value], ...]
    events: frozenset[str]
    weight: Weight


Frontier = dict[State, list[Weight]]


class Solver:
    """Solves rules of one ruleset under one choice of options and one policy."""

    def __init__(
        self, ruleset: Ruleset, options: Record, policy: str = "usual", budget: int = BUDGET
    ) -> None:
        self.ruleset, self.options, self.policy = ruleset, options, policy
        self.left = budget
        self.decided: set[str] = set()
        self._known: dict[Any, tuple[list[Outcome], frozenset[str]]]
        self._known = ruleset.derived.setdefault("solved", {})
        self.desk = Desk()

    def spend(self, work: int) -> None:
        """Count work; too much of it ends in one clear refusal."""
        self.left -= work
        if self.left < 0:
            raise TooBig(
                "this would take more work than the budget allows",
                "fewer dice, sides or decisions can be solved",
            )

    def plan(self, program: Program, wanted: frozenset[str] | None) -> Plan:
        key = ("plan", program.name, wanted)
        if key not in self.ruleset.derived:
            self.ruleset.derived[key] = plan(program, wanted, self._tells)
        made: Plan = self.ruleset.derived[key]
        return made

    def _tells(self, rule: str) -> bool:
        """Whether a rule, or one that it calls, has events."""
        return self._has("tells", rule, (Event,))

    def quiet(self, rule: str) -> bool:
        """Whether a rule and all that it calls neither throw dice nor ask anybody."""
        return not self._has("asks", rule, (Roll, Reroll, Choose, Ask))

    def _has(self, what: str, rule: str, kinds: tuple[type, ...]) -> bool:
        key = (what, rule)
        derived = self.ruleset.derived
        if key not in derived:
            code = self.ruleset.program(rule).code
            derived[key] = any(isinstance(step, kinds) for step in code) or any(
                self._has(what, step.rule, kinds) for step in code if isinstance(step, Call)
            )
        return bool(derived[key])

    # -- entry points

    def rule(self, name: str, args: Record, wanted: frozenset[str] | None) -> list[Outcome]:
        """The outcomes of a rule, solved once per argument list."""
        key = (name, args, wanted, self.options, self.policy)
        if key not in self._known:
            before, self.decided = self.decided, set()
            program = self.ruleset.program(name)
            env = bound(program, args, self.options)
            outcomes = self.rest(self.plan(program, wanted), 0, env)
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = (outcomes, frozenset(self.decided))
            self.decided = before
        outcomes, decided = self._known[key]
        self.decided |= decided
        return outcomes

    def rest(self, plan: Plan, pc: int, env: Env) -> list[Outcome]:
        """The outcomes of a rule from some place on."""
        run = _Run(self, plan, env)
        start: Frontier = {}
        run.begin(pc, env, start)
        return run.outcomes(start)

    def rest_after(
        self,
        plan: Plan,
        pc: int,
        env: Env,
        *,
        inner: list[Outcome] | None = None,
        landed: Pool | None = None,
        cast: Cast | None = None,
    ) -> list[Outcome]:
        """The same from the middle of a stop: a called rule or an endless throw in progress."""
        step = plan.code[pc]
        if isinstance(step, Jump):  # nobody asks for it
            return self.rest(plan, pc, env)
        run = _Run(self, plan, env)
        values = tuple(env[name] for name in plan.needed_after(pc))
        state = State(pc, None, values, env[EVENTS])
        start: Frontier = {}
        run.go_on(state, inner, landed, cast, start)
        return run.outcomes(start)


class _Run:
    """One rule, solved from one place on."""

    def __init__(self, solver: Solver, plan: Plan, env: Env) -> None:
        self.solver, self.plan = solver, plan
        self.fixed = {name: env[name] for name in plan.program.params}
        self.fixed["@options"] = env["@options"]
        self.least: int | None = None  # lower limit of the free axis in this segment
        self.looked: set[int] = set()  # throws that this step has looked at

    def begin(self, pc: int, env: Env, start: Frontier) -> None:
        self._advance(pc, env, Path.of([]), None, start)

    def go_on(
        self,
        state: State,
        inner: list[Outcome] | None,
        landed: Pool | None,
        cast: Cast | None,
        start: Frontier,
    ) -> None:
        var = self.plan.code[state.pc].writes
        assert var is not None
        certain = Weight(Fraction(1), ())
        if cast is not None and landed is not None:
            self._thrown(state, certain, var, as_heap(landed), [cast], start)
        for outcome in inner or []:
            self._called(state, certain, var, outcome, start)

    def outcomes(self, start: Frontier) -> list[Outcome]:
        """The results of all branches from some states on."""
        try:
            done, _ = self.push(start, meet=True)
        except loops.Repeats:
            done = loops.solve(self, start)
        return _gathered(done)

    # -- layers

    def push(self, frontier: Frontier, *, meet: bool) -> tuple[Frontier, Frontier]:
        """Advance states until all are done.

        With `meet`, a loop state that comes back raises `Repeats`; without, states that reach the
        head of a loop are collected (second result) instead of advanced.
        """
        done: Frontier = {}
        arrived: Frontier = {}
        seen: set[State] = set()
        while frontier:
            following: Frontier = {}
            for state, entries in frontier.items():
                target = self._waiting(state, done, arrived, seen, meet)
                if target is not None:
                    kept = target.setdefault(state, [])
                    for weight in entries:
                        merge(kept, weight)
                    continue
                for weight in entries:
                    self._step(state, weight, following)
            frontier = following
        return done, arrived

    def _waiting(
        self, state: State, done: Frontier, arrived: Frontier, seen: set[State], meet: bool
    ) -> Frontier | None:
        if state.pc == DONE:
            return done
        if isinstance(self.plan.code[state.pc], Loop):
            if not meet:
                return arrived
            if state in seen:
                raise loops.Repeats
            seen.add(state)
        return None

    def _step(self, state: State, weight: Weight, out: Frontier) -> None:
        step = self.plan.code[state.pc]
        match step:
            case Roll(var):
                count, die, endless = state.question
                casts = [Cast(0, count, die, endless)]
                self._thrown(state, weight, var, Heap(()), casts, out)
            case Reroll(var):
                groups, die, keep = state.question
                casts = [
                    Cast(token, n, _kept(die, keep, old)) for token, (old, n) in enumerate(groups)
                ]
                self._thrown(state, weight, var, Heap(()), casts, out)
            case Call(var, rule):
                wanted = self.plan.fields[var]
                outcomes = self.solver.rule(rule, state.question, wanted)
                if state.pc in self.plan.hands_on and not weight.series:
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

    def _hand_on(
        self, state: State, weight: Weight, outcomes: list[Outcome], out: Frontier
    ) -> None:
        for outcome in outcomes:
            inner = dict(self._moved(outcome.fields, 0))
            fields = tuple((name, inner[field]) for name, field in self.plan.hands_on[state.pc])
            done = State(DONE, None, (fields,), state.events | outcome.events)
            factor = weight.factor * outcome.weight.factor
            merge(out.setdefault(done, []), outcome.weight._replace(factor=factor))

    def _moved(self, fields: Iterable[tuple[str, Value]], base: int) -> Iterable[tuple[str, Value]]:
        """The fields of a remembered outcome: at this desk, and with axes from `base` on."""
        desk = self.solver.desk

        def here(one: Unknown) -> Unknown:
            return Unknown(desk, tuple((axis + base, s) for axis, s in one.slopes), one.const)

        return ((name, rewritten(value, here)) for name, value in fields)

    def _called(
        self, state: State, weight: Weight, var: str, outcome: Outcome, out: Frontier
    ) -> None:
        fields = Record(self._moved(outcome.fields, len(weight.series)))
        joint = Weight(
            weight.factor * outcome.weight.factor,
            weight.series + outcome.weight.series,
            weight.free,
        )
        self._resumed(state, joint, [], {var: fields}, outcome.events, out)

    def _thrown(
        self, state: State, weight: Weight, var: str, heap: Heap, casts: list[Cast], out: Frontier
    ) -> None:
        series = list(weight.series)
        unseen = []
        for cast in casts:
            faces = weights(cast.die)
            if cast.count == 0:
                continue
            if cast.endless is None and len(faces) == 1:
                heap = heap.plus(Heap(((faces[0][0], cast.count),)))
            elif cast.endless is None and len(faces) == 2:
                high = axis_number(self.solver.desk, len(series))
                series.append(two_way(cast.die, cast.count))
                low = high.scaled(-1).add(cast.count)
                heap = heap.plus(Heap(((faces[0][0], low), (faces[1][0], high))))
            else:
                unseen.append(cast)
        known = Weight(weight.factor, tuple(series), weight.free)
        self._resumed(state, known, unseen, {var: heap}, frozenset(), out)

    def _resumed(
        self,
        state: State,
        weight: Weight,
        casts: list[Cast],
        given: dict[str, Value],
        events: frozenset[str],
        out: Frontier,
    ) -> None:
        """Run on after a stop, looking at the casts only as far as the rule does."""
        carried = casts_in(state.values)
        if not carried and not casts:
            self._row(state, weight, [], [], (), given, events, out)
            return
        base = len(carried)
        casts = [*carried.values(), *(replace(c, token=base + c.token) for c in casts)]
        wanted: dict[int, list[View]] = {cast.token: [] for cast in casts}
        whole_casts: set[int] = set()
        before, self.looked = self.looked, set()
        while True:
            trial: Frontier = {}
            try:
                for rows in product(*(_rows(c, wanted[c.token], whole_casts) for c in casts)):
                    self._row(state, weight, casts[:base], casts[base:], rows, given, events, trial)
                break
            except Wanted as want:
                if want.view is None:
                    whole_casts.add(want.token)
                else:
                    wanted[want.token].append(want.view)
                self.looked.add(want.token)
            except NeedsWhole:
                whole_casts |= self.looked
        self.looked = before
        for key, entries in trial.items():
            kept = out.setdefault(key, [])
            for one in entries:
                merge(kept, one)

    def _row(
        self,
        state: State,
        weight: Weight,
        carried: list[Cast],
        thrown: list[Cast],
        rows: tuple[Row | tuple[Any, Fraction], ...],
        given: dict[str, Value],
        events: frozenset[str],
        out: Frontier,
    ) -> None:
        series, factor = list(weight.series), weight.factor
        views: dict[View, Value] = {}
        landed: dict[int, tuple[tuple[int, int], ...]] = {}
        for cast, row in zip([*carried, *thrown], rows, strict=True):
            if not isinstance(row, Row):
                landed[cast.token] = row[0]
                factor *= row[1]
                continue
            views.update(row.known)
            if row.axis is not None:
                views[row.axis] = axis_number(self.solver.desk, len(series))
                series.append(row.series)
            else:
                factor *= row.series.mass
        env = dict(zip(self.plan.needed_after(state.pc), state.values, strict=True)) | given
        if thrown:
            var = next(iter(given))
            unseen = tuple(Selection(1, cast, frozenset(cast.die)) for cast in thrown)
            env[var] = given[var].plus(Heap((), unseen))
        if rows:
            env = {name: looked_at(value, views, landed) for name, value in env.items()}
        env[EVENTS] = state.events | events
        path = Path.of(series)
        if weight.free is not None:
            path.ranges[weight.free] = self._free_range(series[weight.free])
        self._advance(state.pc + 1, env, path, weight.free, out, factor=factor)

    def _free_range(self, gain: Series) -> tuple[int | None, int | None]:
        return (None if self.least is None else self.least + gain.lo), None

    # -- running

    def _advance(
        self,
        pc: int,
        env: Env,
        path: Path,
        free: int | None,
        out: Frontier,
        factor: Fraction = Fraction(1),
    ) -> None:
        """Run to the next stop in every branch, and file the states that are reached."""
        todo = [path]
        while todo:
            path = todo.pop()
            self.solver.spend(1)
            try:
                state, weight = self._branch(pc, env, path, free)
            except Fork as fork:
                if free is not None and _touches(fork.axis, free):
                    raise loops.NotFree(fork.at, fork.axis == free) from None
                todo.extend(path.split(fork.axis, fork.at))
            except Spell as spell:
                if spell.axis == free:
                    raise loops.NotFree(None, True) from None
                todo.extend(path.spelt(spell.axis))
            else:
                if factor != 1:
                    weight = weight._replace(factor=weight.factor * factor)
                merge(out.setdefault(state, []), weight)

    def _branch(self, pc: int, env: Env, path: Path, free: int | None) -> tuple[State, Weight]:
        own = env | self.fixed
        self.solver.desk.path = path
        plan = self.plan
        while True:
            pc = run(plan.program, plan.code, pc, own)
            step = plan.code[pc]
            if isinstance(step, (Choose, Ask)):
                own[step.var] = self._decide(step, own)
                pc += 1
                continue
            if isinstance(step, Call) and self.solver.quiet(step.rule):
                self._compute(plan, step, pc, own)
                pc += 1
                continue
            try:
                return self._stopped(step, pc, own, path, free)
            except (TypeError, ValueError, KeyError, IndexError) as error:
                raise plan.program.fault(pc, str(error)) from error

    def _compute(self, outer: Plan, call: Call, at: int, env: Env) -> None:
        """A called rule without dice and questions is part of the same step."""
        program = self.solver.ruleset.program(call.rule)
        plan = self.solver.plan(program, outer.fields[call.var])
        try:
            own = bound(program, arguments(program, call, env), self.solver.options)
        except (TypeError, KeyError) as error:
            raise outer.program.fault(at, str(error)) from error
        pc = 0
        for _ in range(FUEL):
            pc = run(program, plan.code, pc, own)
            step = plan.code[pc]
            if isinstance(step, Result):
                env[call.var] = Record((name, expr.value(own)) for name, expr in step.fields)
                env[EVENTS] = env[EVENTS] | own[EVENTS]
                return
            if isinstance(step, Call):
                self._compute(plan, step, pc, own)
            pc += 1
        raise TooBig(f"the rule {program.name!r} goes on without end")

    def _stopped(
        self, step: Instruction, pc: int, env: Env, path: Path, free: int | None
    ) -> tuple[State, Weight]:
        events = env[EVENTS]
        if isinstance(step, Result):
            fields = tuple((name, expr.value(env)) for name, expr in step.fields)
            for token in casts_in(fields):
                raise Wanted(token, None)
            values, weight = condense((fields,), path, free)
            return State(DONE, None, values, events, weight.free), weight
        question = self._question(step, env)
        values = self._carried(tuple(env[name] for name in self.plan.needed_after(pc)))
        values, weight = condense(values, path, free)
        return State(pc, question, values, events, weight.free), weight

    def _carried(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Throws that nobody looked at go on as they are; of others the dice must be known."""
        tokens = casts_in(values)
        if not tokens:
            return values
        for token in tokens:
            if token in self.looked:
                raise Wanted(token, None)
        return tuple(renamed(values, {old: new for new, old in enumerate(tokens)}))

    def _question(self, step: Instruction, env: Env) -> Any:
        match step:
            case Roll(_, what, die, _, endless):
                asked = what.value(env)
                count = whole(asked.size() if isinstance(asked, (Heap, Pool)) else asked)
                shape = die.value(env)
                if not isinstance(shape, Die):
                    raise TypeError("only dice can be thrown")
                if count < 0:
                    raise ValueError(f"{count} dice cannot be thrown")
                if count > MOST_DICE:
                    raise TooBig(f"at most {MOST_DICE} dice can be thrown at once, not {count}")
                self.solver.spend(count)
                return count, shape, None if endless is None else whole(endless.value(env))
            case Reroll(_, pool, die, keep):
                spread = pool.value(env).spread()
                groups = tuple((reading, whole(n)) for reading, n in spread)
                return tuple(g for g in groups if g[1]), die.value(env), keep
            case Call():
                program = self.solver.ruleset.program(step.rule)
                args = arguments(program, step, env)
                return Record((name, _settled(value)) for name, value in args.items())
        return None

    def _decide(self, step: Choose | Ask, env: Env) -> Value:
        """What the policy answers; decisions are part of the rule as far as odds go."""
        never = self.solver.policy == "never"
        if isinstance(step, Choose):
            most = step.at_most.value(env)
            if isinstance(most, int) and most <= 0:
                return Heap(())
            self.solver.decided.add(step.decision)
            if never:
                return Heap(())
            return step.usual.value(env) if step.usual else step.pool.value(env).lowest(most)
        options = step.choices.value(env)
        if len(options) == 1:
            return options[0]
        self.solver.decided.add(step.decision)
        chosen = (step.never if never else None) or step.usual
        return chosen.value(env) if chosen else options[0]


def _gathered(done: Frontier) -> list[Outcome]:
    """Outcomes as few as possible: a known number joins those that are spread in its place."""
    spread: dict[Any, list[Weight]] = {}
    known = []
    for state, entries in done.items():
        open_at = [i for i, (_, value) in enumerate(state.values[0]) if type(value) is Unknown]
        if not any(weight.series for weight in entries):
            known.append((state, entries[0]))
            continue
        for weight in entries:
            merge(spread.setdefault((state.values[0], state.events, tuple(open_at)), []), weight)
    for state, weight in known:
        if not _joined(spread, state, weight):
            spread[(state.values[0], state.events, ())] = [weight]
    return [
        Outcome(fields, events, weight)
        for (fields, events, _), entries in spread.items()
        for weight in entries
    ]


def _joined(spread: dict[Any, list[Weight]], state: State, weight: Weight) -> bool:
    """Put a known outcome into a spread one that agrees in everything else, if there is one."""
    own = state.values[0]
    for (fields, events, open_at), entries in spread.items():
        if len(open_at) != 1 or events != state.events:
            continue
        (at,) = open_at
        value, number = own[at][1], fields[at][1]
        agrees = own[:at] == fields[:at] and own[at + 1 :] == fields[at + 1 :]
        if agrees and type(value) is int and number.slopes == ((0, 1),) and number.const == 0:
            merge(entries, Weight(weight.factor, (point(value),)))
            return True
    return False


def _rows(cast: Cast, views: list[View], whole_casts: set[int]) -> Iterable[Any]:
    if cast.token not in whole_casts:
        return landing(cast, tuple(views))
    if cast.endless is not None:
        raise TooBig("the dice of an endless throw cannot be looked at one by one")
    scale = len(cast.die) ** cast.count
    return [(counts, Fraction(n, scale)) for counts, n in multisets(cast.die, cast.count)]


def _kept(die: Die, keep: str, old: int) -> Die:
    if keep == "new":
        return die
    return die.at_least(old) if keep == "better" else die.at_most(old)


def unlanded(env: Env) -> Env:
    """The values of a played rule as the solver keeps them: pools as heaps."""
    return {name: rewritten(value, lambda one: one) for name, value in env.items()}


def _settled(value: Value) -> Value:
    """A value for another rule: its numbers must be known."""
    if isinstance(value, Heap):
        return Heap(tuple((r, whole(n)) for r, n in value.spread()))
    return rewritten(value, lambda one: one.known())


def _touches(axis: Any, free: int) -> bool:
    return axis == free if isinstance(axis, int) else free in axis[:2]


__all__ = ["Frontier", "Outcome", "Solver", "State", "unlanded"]
