"""Rules written out as Python: the quick way, for rules that are solved again and again.

A rule is written at the second call with arguments of its kind; whatever cannot be written is
solved the general way (`layers`), with the same answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from handful.dice import Die
from handful.rules.codegen.folding import Flow
from handful.rules.codegen.source import Page, Unwritten
from handful.rules.operators import is_number
from handful.rules.program import VALUE_ERRORS, Ask, Call, Choose, Program, Record, Reroll, RollDice
from handful.solver.compiled.result_slots import DESK, Noted, Site, Spread
from handful.solver.compiled.support import Part, counted, known_number, slots, together, views_of
from handful.solver.generating_function import GeneratingFunction, point_mass
from handful.solver.joint_distribution import NeedsEnumeration
from handful.solver.linear import Linear
from handful.solver.plan import Plan
from handful.solver.states import Outcome
from handful.solver.symbolic_pool import Statistic
from handful.solver.weights import ONE, Weight

if TYPE_CHECKING:
    from handful.solver.compiled.pure_rules import Quiet
    from handful.solver.solver import Solver

MOST_WAYS = 16  # kinds of arguments that a rule is written for
MOST_FAILURES = 4  # in vain

Wanted = frozenset[str] | None
Number = int | Fraction
Made = TypeVar("Made")
# What a written rule may run into; the general way then answers, or says what is wrong and where.
FALLS = (Unwritten, NeedsEnumeration, NameError, AssertionError, *VALUE_ERRORS)


class Asked:
    """What written rules ask while they run: other rules, and how dice land, each once."""

    __slots__ = ("_landed", "_solver")

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._landed: dict[Any, Any] = {}

    def rule(
        self, name: str, args: Record, wanted: frozenset[str], slope: Number
    ) -> list[tuple[frozenset[str], GeneratingFunction]]:
        """How the single number that a rule results in is spread, by events."""
        return self._solver.number_distributions(name, args, wanted, slope)

    def rows(self, *dice: Any) -> list[Any]:
        """How dice land, as far as some views of them go."""
        if dice not in self._landed:
            self._landed[dice] = landed = views_of(*dice)
            self._solver.spend(len(landed) + sum([row[-1].work for row in landed]))
        made: list[Any] = self._landed[dice]
        return made

    def counted(self, die: Die, count: Any) -> GeneratingFunction:
        """How many of so many dice with two readings show the higher one."""
        series = counted(die, count)
        self._solver.remaining -= 1
        if count > 100:
            self._solver.spend(series.work)
        return series

    def slots(self, series: GeneratingFunction) -> list[tuple[int, int]]:
        """Each value of a number, with its weight."""
        self._solver.spend(len(series.numerator))
        return slots(series)

    def spread(self, die: Die, count: int, endless: int | None, statistic: Statistic) -> GeneratingFunction:
        """One sum or number of some dice."""
        ((series,),) = self.rows(die, count, endless, (statistic,))
        return series  # type: ignore[no-any-return]


class Way:
    """A rule, written for arguments of one kind."""

    def __init__(self, page: Page, sites: list[Site]) -> None:
        self.page, self.sites = page, sites
        self.solve = page.function()
        self.work = len(page.lines)
        self._rows: dict[str, Callable[..., Any] | None] = {}  # by the argument that varies
        self.ready = [None if site.notes else site.filled(()) for site in sites]

    def outcomes(self, solver: Solver, args: Record) -> list[Outcome] | None:
        """None if the arguments are of another kind."""
        solver.spend(self.work)
        out = self.solve(solver.runtime, solver.decided, args, {})
        if out is None:
            return None
        made = []
        for note, parts in out.items():
            site, told = self.sites[note[0]], note[-1]
            events = site.events if told is None else site.events | told
            if site.spread:
                series = together(parts)
                solver.spend(1 + series.work)
                weight = Weight(ONE, (series,))
            else:
                total = sum([Fraction(n, d) for _, n, d in parts], Fraction(0))
                weight = Weight(total, ())
            made.append(Outcome(self.ready[note[0]] or site.filled(note), events, weight))
        return joined(made)

    def truths(self, solver: Solver, args: Record, argument: str, values: list[Any]) -> list[Fraction] | None:
        """The chance that the single field is true, for each value of an argument.

        None if the arguments are of another kind, or the field is no plain truth.
        """
        if argument not in self._rows:
            self._rows[argument] = self._along(argument)
        solve = self._rows[argument]
        if solve is None or not all(type(value) is int for value in values):
            return None
        rows = solve(solver.runtime, solver.decided, args, values)
        if rows is None:
            return None
        true = [(at, None) for at, site in enumerate(self.sites) if site.fields[0][1]]
        made = []
        for out in rows:
            parts = [part for note in true if note in out for part in out[note]]
            if len(parts) == 1:
                made.append(Fraction(parts[0][1], parts[0][2]))
            else:
                made.append(sum([Fraction(n, d) for _, n, d in parts], Fraction(0)))
        return made

    def _along(self, argument: str) -> Callable[..., Any] | None:
        from handful.solver.compiled.sweep import along  # only tables need it

        for site in self.sites:
            if site.spread or site.notes or len(site.fields) != 1 or site.events:
                return None
            if type(site.fields[0][1]) is not bool:
                return None
        try:
            return along(self.page, argument)
        except Unwritten:
            return None

    def spreads(
        self, solver: Solver, args: Record, slope: Number
    ) -> list[tuple[frozenset[str], GeneratingFunction]] | None:
        """How a single number is spread, without the detour over outcomes."""
        solver.spend(self.work)
        out = self.solve(solver.runtime, solver.decided, args, {})
        if out is None:
            return None
        found: dict[frozenset[str], list[Part]] = {}
        for note, parts in out.items():
            site, told = self.sites[note[0]], note[-1]
            events = site.events if told is None else site.events | told
            ((_, value),) = site.fields
            if type(value) is Noted:
                value = note[value.place]
            if type(value) is int and slope == 1:
                parts = [(known_number(value), n, d) for _, n, d in parts]
            elif type(value) is not Spread or value.slope != slope or value.const != 0:
                raise Unwritten
            if events in found:
                found[events] += parts
            else:
                found[events] = parts
        made = [(events, together(parts)) for events, parts in found.items()]
        solver.spend(sum([1 + series.work for _, series in made]))
        return made


def joined(outcomes: list[Outcome]) -> list[Outcome]:
    """Results that are a single number, as one spread number for each set of events."""
    if len(outcomes) < 2 or len(outcomes[0].fields) != 1:
        return outcomes
    slope = slope_of(outcomes)
    try:
        spread = spreads(outcomes, slope)
    except Unwritten:
        return outcomes
    ((name, _),) = outcomes[0].fields
    fields = ((name, Linear(DESK, ((0, slope),), 0)),)
    return [Outcome(fields, events, Weight(ONE, (series,))) for events, series in spread]


def slope_of(outcomes: list[Outcome]) -> Number:
    """Of what a number that is the single field of some outcomes is a multiple."""
    for outcome in outcomes:
        ((_, value),) = outcome.fields
        if isinstance(value, Linear):
            slope: Number = value.slopes[0][1]
            return slope if slope > 0 else -slope
    return 1


def spreads(outcomes: list[Outcome], slope: Number) -> list[tuple[frozenset[str], GeneratingFunction]]:
    """How the single number of some outcomes is spread, as a multiple of `slope`, by events."""
    if len(outcomes) == 1:
        return [(outcomes[0].events, _series(outcomes[0], slope))]
    spread: dict[frozenset[str], GeneratingFunction] = {}
    for outcome in outcomes:
        series = _series(outcome, slope)
        before = spread.get(outcome.events)
        spread[outcome.events] = series if before is None else before.plus(series)
    return list(spread.items())


def _series(outcome: Outcome, slope: Number) -> GeneratingFunction:
    ((_, value),) = outcome.fields
    factor, spread, _ = outcome.weight
    if is_number(value) and value % slope == 0:
        for one in spread:
            factor *= one.mass
        return point_mass(int(value / slope)).scaled(factor)
    if type(value) is not Linear or len(spread) != 1 or (value.const and value.const % slope):
        raise Unwritten
    (series,) = spread
    if value.slopes == ((0, slope),) and not value.const and factor is ONE:
        return series
    if value.slopes == ((0, -slope),) and not series.denominator:
        series = series.negated()
    elif value.slopes != ((0, slope),):
        raise Unwritten
    series = series.shifted(int(value.const / slope)) if value.const else series
    return series.scaled(factor)


class Written:
    """The written rules of a ruleset under one choice of options and one policy."""

    def __init__(self, solver: Solver) -> None:
        self.options, self.policy, self.apart = solver.options, solver.policy, solver.memoize_calls
        self.program: Callable[[str], Program] = solver.ruleset.program
        self.tells, self._plan = solver.emits_events, solver.plan
        self._is_quiet: dict[str, bool] = {}
        self.ways: dict[tuple[str, Wanted], tuple[Way, ...]] = {}
        self._failures: dict[tuple[str, Wanted], int] = {}
        self._quiet: dict[tuple[str, Wanted], tuple[Quiet, tuple[str, ...]]] = {}

    def is_quiet(self, rule: str) -> bool:
        """Whether a rule and all that it calls neither throw dice nor ask, with these options."""
        if rule not in self._is_quiet:
            code = self.program(rule).code
            reached = [code[pc] for pc in Flow(code, self.options).reached()]
            self._is_quiet[rule] = not any(
                isinstance(step, (RollDice, Reroll, Choose, Ask))
                or (isinstance(step, Call) and not self.is_quiet(step.rule))
                for step in reached
            )
        return self._is_quiet[rule]

    def plan(self, rule: str, wanted: Wanted) -> Plan:
        return self._plan(self.program(rule), wanted)

    def quiet(self, rule: str, wanted: Wanted) -> tuple[Quiet, tuple[str, ...]]:
        """A rule without dice as a function, and its parameters in order."""
        key = rule, wanted
        if key not in self._quiet:
            from handful.solver.compiled.pure_rules import QuietRule  # a single question needs none

            plan = self.plan(rule, wanted)
            function = QuietRule(plan, self.options, self.quiet).function()
            self._quiet[key] = function, plan.program.params
        return self._quiet[key]

    def outcomes(self, solver: Solver, rule: str, args: Record, wanted: Wanted) -> list[Outcome] | None:
        """The outcomes of a rule, or None if they have to be found the general way."""
        return self._by_some_way(solver, rule, args, wanted, lambda way: way.outcomes(solver, args))

    def spreads(
        self, solver: Solver, rule: str, args: Record, wanted: Wanted, slope: Number
    ) -> list[tuple[frozenset[str], GeneratingFunction]] | None:
        """How the single number is spread that a rule results in, or None as before."""
        return self._by_some_way(solver, rule, args, wanted, lambda way: way.spreads(solver, args, slope))

    def truths(
        self, solver: Solver, rule: str, args: Record, wanted: Wanted, row: tuple[str, list[Any]]
    ) -> list[Fraction] | None:
        """The chance that the single field is true, for each value of an argument, or None."""
        for way in self.ways.get((rule, wanted), ()):
            try:
                made = way.truths(solver, args, *row)
            except FALLS:
                return None
            if made is not None:
                return made
        return None

    def _by_some_way(
        self,
        solver: Solver,
        rule: str,
        args: Record,
        wanted: Wanted,
        solve: Callable[[Way], Made | None],
    ) -> Made | None:
        key = rule, wanted
        ways = self.ways.get(key)
        if ways is None:
            self.ways[key] = ()  # the first time, writing would take longer than solving
            return None
        before = solver.decided
        try:
            for way in self._tried(solver, rule, args, wanted):
                solver.decided = set()  # a way that does not fit may have met decisions in vain
                made = solve(way)
                if made is not None:
                    before |= solver.decided
                    return made
        except FALLS:
            self._failures[key] = self._failures.get(key, 0) + 1
        finally:
            solver.decided = before
        return None

    def _tried(self, solver: Solver, rule: str, args: Record, wanted: Wanted) -> Iterator[Way]:
        """The ways that there are, the last one first, and then one for just these arguments."""
        key = rule, wanted
        ways = self.ways[key]
        yield from ways
        if len(ways) < MOST_WAYS and self._failures.get(key, 0) < MOST_FAILURES:
            way = self._write(solver, rule, args, wanted)
            self.ways[key] = (way, *ways)
            yield way

    def _write(self, solver: Solver, rule: str, args: Record, wanted: Wanted) -> Way:
        from handful.solver.compiled.emitter import Writer

        def slope(name: str, sample: Record, fields: Wanted) -> Number:
            return slope_of(solver.solve_rule(name, sample, fields))

        writer = Writer(self, self.plan(rule, wanted), args, slope)
        return Way(writer.page, writer.sites)
