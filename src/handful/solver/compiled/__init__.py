"""Compiles hot rules to Python, specialized for the kinds of arguments they are called with.

From arguments to outcomes there are no records in between: distributions are packed integers in locals of the
generated code (`packed_fields`).  A rule is compiled at its second call.  Invariant: the interpreter is
always the fallback and gives identical results; a rule or argument that cannot be compiled only costs time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from handful.errors import TooBig
from handful.rules.codegen.source import NotCompilable
from handful.rules.program import Program, Record
from handful.solver.compiled.compiled_rule import FALLBACK_ERRORS, MAX_SPECIALIZATIONS, CompiledRule
from handful.solver.compiled.run import MAX_WIDTH, MIN_WIDTH, Memo, Run, TooMuchWork, TooNarrow, fitting_width
from handful.solver.compiled.specialization import OutcomeParts, Specialization
from handful.solver.plan import Plan
from handful.solver.solved_rules import Wanted

if TYPE_CHECKING:
    from handful.solver.compiled.called_rule import CalledRule
    from handful.solver.compiled.pure_rules import PureFunction
    from handful.solver.solved_rules import SolvedRules
    from handful.solver.states import Outcome

# A compiled rule may use this fraction of the budget.  It is so small that the interpreter could
# answer within the budget as well, so compilation never decides whether there is an answer.
COMPILED_SHARE = 100


class CompiledAnswer(NamedTuple):
    """Outcomes of a check, the width of their packed fields, and the decisions that were met."""

    outcomes: list[OutcomeParts]
    width: int
    decided: set[str]


class CompiledRules:
    """Compiled rules of a ruleset under one choice of options and one policy."""

    def __init__(self, solved: SolvedRules, options: Record, policy: str, *, memoize_calls: bool) -> None:
        self.options, self.policy, self.memoize_calls = options, policy, memoize_calls
        self._solved = solved
        self.program: Callable[[str], Program] = solved.ruleset.program
        self.emits_events, self._plan = solved.emits_events, solved.plan
        self.rules: dict[tuple[str, frozenset[str]], CompiledRule] = {}
        self.checks: dict[str, CompiledRule] = {}  # those of whole checks, for all figures
        self._callees: dict[tuple[str, frozenset[str]], CalledRule] = {}
        self._pure_functions: dict[tuple[str, Wanted], tuple[PureFunction, tuple[str, ...]]] = {}
        self._run: Run | None = None  # the question for which a rule is being compiled

    # -- answers

    def answer(
        self, rule: CompiledRule, args: Mapping[str, Any], budget: int, memo: Memo | None = None
    ) -> CompiledAnswer | None:
        """Return the outcomes of a rule, or None if the interpreter has to find them."""
        width = rule.width
        while width <= MAX_WIDTH:
            run = Run(width, budget // COMPILED_SHARE, self._interpret, memo)
            try:
                found = rule.solve(run, args)
            except TooNarrow:
                width *= 2
                continue
            except (TooBig, TooMuchWork):
                return None
            if found is None:
                return None
            one, out = found
            if width > MIN_WIDTH:
                rule.width = fitting_width(out)
            return CompiledAnswer(one.outcomes(out), width, run.decided)
        return None

    def chances_of_true(
        self, rule: CompiledRule, args: Record, row: tuple[str, list[Any]], budget: int, memo: Memo
    ) -> tuple[list[Fraction], set[str]] | None:
        """Return the chance that the single field is true, for each value of an argument, or None."""
        argument, values = row
        if not all(type(value) is int for value in values):
            return None
        width = rule.width
        for one in rule.specializations:
            solve = one.sweep(argument)
            while solve is not None and width <= MAX_WIDTH:
                run = Run(width, budget // COMPILED_SHARE, self._interpret, memo)
                try:
                    rows = solve(run, args, values)
                except TooNarrow:
                    width *= 2
                    continue
                except (*FALLBACK_ERRORS, TooBig, TooMuchWork):
                    return None
                if rows is not None:
                    rule.width = width
                    return [_chance_of_true(one, out) for out in rows], run.decided
                break
        return None

    def _interpret(
        self, run: Run, rule: str, args: Record, wanted: frozenset[str], decided: set[str]
    ) -> list[Outcome]:
        from handful.solver.solver import Solver  # imported late: it needs this package

        solver = Solver(self._solved, self.options, self.policy, max(run.remaining, 0))
        outcomes = solver.solve_rule(rule, args, wanted)
        run.remaining = solver.remaining
        decided |= solver.decided
        return outcomes

    # -- what the emitter asks for

    def compiled_rule(self, rule: str, wanted: frozenset[str]) -> CompiledRule:
        key = rule, wanted
        if key not in self.rules:
            self.rules[key] = CompiledRule(rule, wanted, self._compile)
        return self.rules[key]

    def callee(self, rule: str, wanted: frozenset[str], sample: Record | None) -> CalledRule:
        """Return a rule as compiled code calls it."""
        key = rule, wanted
        if key not in self._callees:
            from handful.solver.compiled.called_rule import CalledRule  # imported late: often not needed

            assert self._run is not None
            self._callees[key] = CalledRule(self.compiled_rule(rule, wanted), sample, self._run)
        return self._callees[key]

    def is_pure(self, rule: str) -> bool:
        """Return True if a rule and the rules it calls have no dice and no decisions, with these options."""
        return self._solved.is_pure(rule, self.options)

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

    def _compile(self, rule: CompiledRule, run: Run, args: Mapping[str, Any]) -> Specialization:
        from handful.solver.compiled.emitter import RuleCompiler

        outer, self._run = self._run, run
        try:
            return Specialization(RuleCompiler(self, self.plan(rule.name, rule.wanted), Record(args)))
        finally:
            self._run = outer


def _chance_of_true(one: Specialization, out: dict[Any, Any]) -> Fraction:
    """Return the chance of the outcomes whose only field is true."""
    parts = [part for key, found in out.items() if one.templates[key].fields[0][1] for part in found]
    if len(parts) == 1:
        return Fraction(parts[0][2], parts[0][3])
    return sum([Fraction(n, d) for _, _, n, d in parts], Fraction(0))


__all__ = [
    "MAX_SPECIALIZATIONS",
    "CompiledAnswer",
    "CompiledRules",
    "Memo",
    "NotCompilable",
    "OutcomeParts",
]
