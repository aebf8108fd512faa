"""Odds of a check by compiled rules: from arguments to figures, without outcomes in between.

Figures are worked out when they are read.  Whatever is not compiled is left to the interpreter.
"""

from __future__ import annotations

from fractions import Fraction

from handful.odds.continuation import describe_policy, wanted_fields
from handful.odds.figures import Distribution, Number, Odds, Success, Tail
from handful.odds.tally import ListedPart, OutcomeTally, Share, combine
from handful.roll import BoundCheck, refusal_error
from handful.rules.operators import is_number
from handful.rules.program import Refusal
from handful.solver.compiled import CompiledAnswer, OutcomeParts
from handful.solver.compiled.packed_fields import coefficients, unpacked
from handful.solver.compiled.result_templates import RandomNumber, RuntimeValue
from handful.solver.solver import Outcome, SolvedRules
from handful.solver.weights import Weight


def compiled_odds(solved: SolvedRules, bound: BoundCheck, policy: str, budget: int) -> Odds | None:
    """Return the odds from the start of a check, or None if the interpreter has to find them."""
    rules, check = solved.compiled_rules(bound.options, policy, memoize_calls=False), bound.check
    rule = rules.checks.get(check.name)
    if rule is None:
        rules.checks[check.name] = rule = rules.compiled_rule(check.name, wanted_fields(bound))
    try:
        answer = rules.answer(rule, bound.args, budget)
    except Refusal as refusal:
        raise refusal_error(bound, refusal) from None
    figures = None if answer is None else _figures(answer, check.main)
    if answer is None or figures is None:
        return None
    return Odds(figures, lambda: describe_policy(bound.ruleset, answer.decided, policy), bound)


def _figures(answer: CompiledAnswer, main: str) -> CompiledFigures | OutcomeTally | None:
    """Return the figures of an answer; None if its main result is not a number in every outcome."""
    for outcome in answer.outcomes:
        value = outcome.field(main)
        if value is not None and type(value) is not RandomNumber and not is_number(value):
            return None
        for part in outcome.parts:
            if type(part[0]) is not int:
                return tally_answer(answer, main)
    return CompiledFigures(answer, main)


def tally_answer(answer: CompiledAnswer, main: str) -> OutcomeTally:
    """Return the figures of an answer that may be endless; its distribution is listed at once."""
    tally = OutcomeTally(main)
    for template, key, events, parts in answer.outcomes:
        fields = template.fill(key)
        for one, low, n, d in parts:
            if type(one) is int and template.is_random:
                one = unpacked(answer.width, one, low, 1)
            series = (one,) if template.is_random else ()
            tally.add(Outcome(fields, events, Weight(Fraction(n, d), series)))
    tally.list_distribution()
    return tally


class CompiledFigures:
    """Figures of an answer without endless parts, from its packed integers."""

    __slots__ = ("_answer", "_distribution", "_main", "_tally")

    def __init__(self, answer: CompiledAnswer, main: str) -> None:
        self._answer, self._main = answer, main
        self._tally: OutcomeTally | None = None
        self._distribution: Distribution | None = None

    def list_distribution(self) -> tuple[Distribution, Tail | None]:
        """Return the distribution in ascending order; there is no tail."""
        if self._distribution is None:
            points: list[tuple[Number, Share]] = []
            parts: list[ListedPart] = []
            for outcome in self._answer.outcomes:
                self._list(outcome, points, parts)
            self._distribution = combine(points, parts)
        return self._distribution, None

    def _list(
        self, outcome: OutcomeParts, points: list[tuple[Number, Share]], parts: list[ListedPart]
    ) -> None:
        value = outcome.field(self._main)
        if type(value) is RandomNumber:
            const = value.const
            if type(const) is RuntimeValue:
                const = outcome.key[const.position]
            for packed, low, n, d in outcome.parts:
                weights = coefficients(packed, self._answer.width)
                if n != 1:
                    weights = [n * weight for weight in weights]
                parts.append(ListedPart(value.slope, const, low, weights, d))
        elif value is not None:
            points += [(value, share) for share in self._shares(outcome)]

    def _shares(self, outcome: OutcomeParts) -> list[Share]:
        """Return the probabilities of the parts of an outcome."""
        mask, shares = (1 << self._answer.width) - 1, []
        for one, _, n, d in outcome.parts:
            mass, over = (one % mask, 1) if type(one) is int else one.mass_ratio
            if mass and n:
                shares.append((mass * n, over * d))
        return shares

    def _tallied(self) -> OutcomeTally:
        if self._tally is None:
            self._tally = tally = OutcomeTally(self._main)
            for outcome in self._answer.outcomes:
                success, wins = outcome.field("success"), outcome.field("wins")
                for share in self._shares(outcome):
                    tally.add_share(success, wins, outcome.events, share)
        return self._tally

    def success(self) -> Success:
        return self._tallied().success()

    def mean(self) -> Fraction | None:
        return self.list_distribution()[0].mean()

    def events(self) -> dict[str, Fraction]:
        return self._tallied().events()

    def wins(self) -> tuple[Fraction, ...] | None:
        return self._tallied().wins()

    def tie(self) -> Fraction | None:
        return self._tallied().tie()
