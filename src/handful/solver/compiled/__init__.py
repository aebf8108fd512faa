"""Compiles hot rules to Python, specialized for the kinds of arguments they are called with.

A rule is compiled at its second call.  Invariant: the interpreter (`execution`) is always the fallback and
gives identical results; a rule or argument that cannot be compiled only costs time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from handful.dice import Die
from handful.rules.codegen.folding import ControlFlow
from handful.rules.codegen.source import NotCompilable, SourceBuilder
from handful.rules.operators import is_number
from handful.rules.program import VALUE_ERRORS, Ask, Call, Choose, Program, Record, Reroll, RollDice
from handful.solver.compiled.result_templates import CONTEXT, RandomNumber, ResultTemplate, RuntimeValue
from handful.solver.compiled.support import (
    Part,
    binomial_of,
    constant_series,
    mixture,
    statistic_rows,
    weighted_values,
)
from handful.solver.generating_function import GeneratingFunction, point_mass
from handful.solver.joint_distribution import NeedsEnumeration
from handful.solver.linear import Linear
from handful.solver.plan import Plan
from handful.solver.states import Outcome
from handful.solver.symbolic_pool import Statistic
from handful.solver.weights import ONE, Weight

if TYPE_CHECKING:
    from handful.solver.compiled.pure_rules import PureFunction
    from handful.solver.solved_rules import SolvedRules
    from handful.solver.solver import Solver

MAX_SPECIALIZATIONS = 16  # per rule
MAX_FAILURES = 4  # attempts to compile a rule, or runs that fell back to the interpreter

Wanted = frozenset[str] | None
Number = int | Fraction
Answer = TypeVar("Answer")
# Errors of a compiled rule: the interpreter then answers, or reports the error with line and column.
FALLBACK_ERRORS = (NotCompilable, NeedsEnumeration, NameError, AssertionError, *VALUE_ERRORS)


class Runtime:
    """Services for compiled rules at run time: other rules' results and distributions of dice, cached."""

    __slots__ = ("_rows", "_solver")

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._rows: dict[Any, Any] = {}

    def distributions(
        self, name: str, args: Record, wanted: frozenset[str], slope: Number
    ) -> list[tuple[frozenset[str], GeneratingFunction]]:
        """Return the distribution of a called rule's single numeric result, by events."""
        return self._solver.number_distributions(name, args, wanted, slope)

    def rows(self, *dice: Any) -> list[Any]:
        """Return the joint distribution of some statistics of a throw."""
        if dice not in self._rows:
            self._rows[dice] = computed = statistic_rows(*dice)
            self._solver.spend(len(computed) + sum([row[-1].work for row in computed]))
        rows: list[Any] = self._rows[dice]
        return rows

    def binomial(self, die: Die, count: Any) -> GeneratingFunction:
        """Return the distribution of the number of two-reading dice that show the higher reading."""
        series = binomial_of(die, count)
        self._solver.remaining -= 1
        if count > 100:
            self._solver.spend(series.work)
        return series

    def weighted_values(self, series: GeneratingFunction) -> list[tuple[int, int]]:
        """Return the values of a finite distribution with their weights."""
        self._solver.spend(len(series.numerator))
        return weighted_values(series)

    def statistic(
        self, die: Die, count: int, explodes_from: int | None, statistic: Statistic
    ) -> GeneratingFunction:
        """Return the distribution of one statistic of a throw."""
        ((series,),) = self.rows(die, count, explodes_from, (statistic,))
        return series  # type: ignore[no-any-return]


class Specialization:
    """A rule compiled for arguments of one kind."""

    def __init__(self, source: SourceBuilder, templates: list[ResultTemplate]) -> None:
        self.source, self.templates = source, templates
        self.solve = source.compile_function()
        self.work = len(source.lines)
        self._sweeps: dict[str, Callable[..., Any] | None] = {}  # by the argument that varies
        self._constant_fields = [
            None if template.placeholders else template.fill(()) for template in templates
        ]

    def outcomes(self, solver: Solver, args: Record) -> list[Outcome] | None:
        """Return the outcomes, or None if the arguments are of another kind."""
        solver.spend(self.work)
        out = self.solve(solver.runtime, solver.decided, args, {})
        if out is None:
            return None
        outcomes = []
        for key, parts in out.items():
            template, runtime_events = self.templates[key[0]], key[-1]
            events = template.events if runtime_events is None else template.events | runtime_events
            if template.is_random:
                series = mixture(parts)
                solver.spend(1 + series.work)
                weight = Weight(ONE, (series,))
            else:
                total = sum([Fraction(n, d) for _, n, d in parts], Fraction(0))
                weight = Weight(total, ())
            fields = self._constant_fields[key[0]] or template.fill(key)
            outcomes.append(Outcome(fields, events, weight))
        return merge_numbers(outcomes)

    def chances_of_true(
        self, solver: Solver, args: Record, argument: str, values: list[Any]
    ) -> list[Fraction] | None:
        """Return the chance that the single field is true, for each value of an argument.

        None if the arguments are of another kind, or the field is not a constant boolean per outcome.
        """
        if argument not in self._sweeps:
            self._sweeps[argument] = self._compile_sweep(argument)
        solve = self._sweeps[argument]
        if solve is None or not all(type(value) is int for value in values):
            return None
        rows = solve(solver.runtime, solver.decided, args, values)
        if rows is None:
            return None
        true_keys = [(at, None) for at, template in enumerate(self.templates) if template.fields[0][1]]
        chances = []
        for out in rows:
            parts = [part for key in true_keys if key in out for part in out[key]]
            if len(parts) == 1:
                chances.append(Fraction(parts[0][1], parts[0][2]))
            else:
                chances.append(sum([Fraction(n, d) for _, n, d in parts], Fraction(0)))
        return chances

    def _compile_sweep(self, argument: str) -> Callable[..., Any] | None:
        from handful.solver.compiled.sweep import compile_sweep  # imported late: only tables need it

        for template in self.templates:
            if template.is_random or template.placeholders or len(template.fields) != 1 or template.events:
                return None
            if type(template.fields[0][1]) is not bool:
                return None
        try:
            return compile_sweep(self.source, argument)
        except NotCompilable:
            return None

    def distributions(
        self, solver: Solver, args: Record, slope: Number
    ) -> list[tuple[frozenset[str], GeneratingFunction]] | None:
        """Return the distribution of a single numeric result, by events, without creating outcomes."""
        solver.spend(self.work)
        out = self.solve(solver.runtime, solver.decided, args, {})
        if out is None:
            return None
        found: dict[frozenset[str], list[Part]] = {}
        for key, parts in out.items():
            template, runtime_events = self.templates[key[0]], key[-1]
            events = template.events if runtime_events is None else template.events | runtime_events
            ((_, value),) = template.fields
            if type(value) is RuntimeValue:
                value = key[value.position]
            if type(value) is int and slope == 1:
                parts = [(constant_series(value), n, d) for _, n, d in parts]
            elif type(value) is not RandomNumber or value.slope != slope or value.const != 0:
                raise NotCompilable
            if events in found:
                found[events] += parts
            else:
                found[events] = parts
        distributions = [(events, mixture(parts)) for events, parts in found.items()]
        solver.spend(sum([1 + series.work for _, series in distributions]))
        return distributions


def merge_numbers(outcomes: list[Outcome]) -> list[Outcome]:
    """Merge outcomes whose only field is a number into one random number per set of events."""
    if len(outcomes) < 2 or len(outcomes[0].fields) != 1:
        return outcomes
    slope = slope_of(outcomes)
    try:
        distributions = number_distributions(outcomes, slope)
    except NotCompilable:
        return outcomes
    ((name, _),) = outcomes[0].fields
    fields = ((name, Linear(CONTEXT, ((0, slope),), 0)),)
    return [Outcome(fields, events, Weight(ONE, (series,))) for events, series in distributions]


def slope_of(outcomes: list[Outcome]) -> Number:
    """Return the slope of the single numeric field of some outcomes; 1 if it is constant."""
    for outcome in outcomes:
        ((_, value),) = outcome.fields
        if isinstance(value, Linear):
            slope: Number = value.slopes[0][1]
            return slope if slope > 0 else -slope
    return 1


def number_distributions(
    outcomes: list[Outcome], slope: Number
) -> list[tuple[frozenset[str], GeneratingFunction]]:
    """Return the distribution of the single numeric field as a multiple of `slope`, by events."""
    if len(outcomes) == 1:
        return [(outcomes[0].events, _distribution(outcomes[0], slope))]
    distributions: dict[frozenset[str], GeneratingFunction] = {}
    for outcome in outcomes:
        series = _distribution(outcome, slope)
        before = distributions.get(outcome.events)
        distributions[outcome.events] = series if before is None else before.plus(series)
    return list(distributions.items())


def _distribution(outcome: Outcome, slope: Number) -> GeneratingFunction:
    ((_, value),) = outcome.fields
    factor, all_series, _ = outcome.weight
    if is_number(value) and value % slope == 0:
        for one in all_series:
            factor *= one.mass
        return point_mass(int(value / slope)).scaled(factor)
    if type(value) is not Linear or len(all_series) != 1 or (value.const and value.const % slope):
        raise NotCompilable
    (series,) = all_series
    if value.slopes == ((0, slope),) and not value.const and factor is ONE:
        return series
    if value.slopes == ((0, -slope),) and not series.denominator:
        series = series.negated()
    elif value.slopes != ((0, slope),):
        raise NotCompilable
    series = series.shifted(int(value.const / slope)) if value.const else series
    return series.scaled(factor)


class CompiledRules:
    """Compiled rules of a ruleset under one choice of options and one policy."""

    def __init__(self, solved: SolvedRules, options: Record, policy: str, *, memoize_calls: bool) -> None:
        self.options, self.policy, self.memoize_calls = options, policy, memoize_calls
        self.program: Callable[[str], Program] = solved.ruleset.program
        self.emits_events, self._plan = solved.emits_events, solved.plan
        self._is_pure: dict[str, bool] = {}
        self.specializations: dict[tuple[str, Wanted], tuple[Specialization, ...]] = {}
        self._failures: dict[tuple[str, Wanted], int] = {}
        self._pure_functions: dict[tuple[str, Wanted], tuple[PureFunction, tuple[str, ...]]] = {}

    def is_pure(self, rule: str) -> bool:
        """Return True if a rule and the rules it calls have no dice and no decisions, with these options."""
        if rule not in self._is_pure:
            code = self.program(rule).code
            reachable = [code[pc] for pc in ControlFlow(code, self.options).reachable()]
            self._is_pure[rule] = not any(
                isinstance(step, (RollDice, Reroll, Choose, Ask))
                or (isinstance(step, Call) and not self.is_pure(step.rule))
                for step in reachable
            )
        return self._is_pure[rule]

    def plan(self, rule: str, wanted: Wanted) -> Plan:
        return self._plan(self.program(rule), wanted)

    def pure_function(self, rule: str, wanted: Wanted) -> tuple[PureFunction, tuple[str, ...]]:
        """Return a pure rule as a function, and its parameters in order."""
        key = rule, wanted
        if key not in self._pure_functions:
            from handful.solver.compiled.pure_rules import PureRuleEmitter  # imported late: often not needed

            plan = self.plan(rule, wanted)
            function = PureRuleEmitter(plan, self.options, self.pure_function).compile()
            self._pure_functions[key] = function, plan.program.params
        return self._pure_functions[key]

    def outcomes(self, solver: Solver, rule: str, args: Record, wanted: Wanted) -> list[Outcome] | None:
        """Return the outcomes of a rule, or None if the interpreter has to find them."""
        return self._solve(solver, rule, args, wanted, lambda one: one.outcomes(solver, args))

    def distributions(
        self, solver: Solver, rule: str, args: Record, wanted: Wanted, slope: Number
    ) -> list[tuple[frozenset[str], GeneratingFunction]] | None:
        """Return the distribution of a rule's single numeric result, by events, or None."""
        return self._solve(solver, rule, args, wanted, lambda one: one.distributions(solver, args, slope))

    def chances_of_true(
        self, solver: Solver, rule: str, args: Record, wanted: Wanted, row: tuple[str, list[Any]]
    ) -> list[Fraction] | None:
        """Return the chance that the single field is true, for each value of an argument, or None."""
        for specialization in self.specializations.get((rule, wanted), ()):
            try:
                chances = specialization.chances_of_true(solver, args, *row)
            except FALLBACK_ERRORS:
                return None
            if chances is not None:
                return chances
        return None

    def _solve(
        self,
        solver: Solver,
        rule: str,
        args: Record,
        wanted: Wanted,
        solve: Callable[[Specialization], Answer | None],
    ) -> Answer | None:
        key = rule, wanted
        if key not in self.specializations:
            self.specializations[key] = ()  # the first time, compiling would take longer than solving
            return None
        # Compiling may solve called rules; their decisions are not those of this question.
        before, solver.decided = solver.decided, set()
        try:
            for specialization in self._candidates(solver, rule, args, wanted):
                solver.decided = set()  # drop the decisions of a specialization that did not fit
                answer = solve(specialization)
                if answer is not None:
                    before |= solver.decided
                    return answer
        except FALLBACK_ERRORS:
            self._failures[key] = self._failures.get(key, 0) + 1
        finally:
            solver.decided = before
        return None

    def _candidates(
        self, solver: Solver, rule: str, args: Record, wanted: Wanted
    ) -> Iterator[Specialization]:
        """Yield the existing specializations, newest first, then a new one for these arguments."""
        key = rule, wanted
        existing = self.specializations[key]
        yield from existing
        if len(existing) < MAX_SPECIALIZATIONS and self._failures.get(key, 0) < MAX_FAILURES:
            specialization = self._compile(solver, rule, args, wanted)
            self.specializations[key] = (specialization, *existing)
            yield specialization

    def _compile(self, solver: Solver, rule: str, args: Record, wanted: Wanted) -> Specialization:
        from handful.solver.compiled.emitter import RuleCompiler

        def slope(name: str, sample: Record, fields: Wanted) -> Number:
            return slope_of(solver.solve_rule(name, sample, fields))

        compiler = RuleCompiler(self, self.plan(rule, wanted), args, slope)
        return Specialization(compiler.source, compiler.templates)
