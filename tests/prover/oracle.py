"""The answers that the product is held against: by enumeration, by icepool, by counting rolls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lgamma, log
from typing import Any

from handful.odds import Odds
from oracles import brute
from oracles.enumeration import Played
from prover.games import Game, Question

MOST_WAYS = 6000
CUT = Fraction(1, 400)  # of endless rules: ways that are less likely are not followed
FALSE_ALARM = 1e-6  # the chance that a whole run of sequential tests raises one


class Oracle:
    """Enumerates one game die by die, by an interpreter that shares no code with the product."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cut = CUT if game.endless else Fraction(0)

    @cached_property
    def parsed(self) -> Mapping[str, Any]:
        import tomllib

        return tomllib.loads(self.game.toml)

    def played(self, question: Question, policy: str = "usual", replies: tuple[Any, ...] = ()) -> Played:
        """Every outcome of a question, from the start or after some replies."""
        answer = brute.enumerate_check(
            self.parsed,
            "c",
            question.params,
            sides=question.sides,
            options=question.options,
            policy=policy,
            replies=replies,
            cut=self.cut,
            most=MOST_WAYS,
            alike=True,
        )
        played = Played(events=answer.events(), left=answer.cut)
        for (fields, _), chance in answer.outcomes.items():
            named = dict(fields)
            if named["total"] is not None:
                total = named["total"]
                played.results[total] = played.results.get(total, Fraction(0)) + chance
            if named.get("success") is not None:
                gain = chance if named["success"] else Fraction(0)
                played.success = (played.success or Fraction(0)) + gain
            played.add_wins(named.get("wins"), chance)
        return played

    def best(self, question: Question) -> Fraction:
        """The chance of success, or else the mean, when players decide best."""
        return brute.best_value(
            self.parsed,
            "c",
            question.params,
            sides=question.sides,
            options=question.options,
            cut=self.cut,
            most=MOST_WAYS,
            alike=True,
        )


@lru_cache(maxsize=512)
def by_icepool(kind: str, sides: int, count: int, number: int) -> dict[int, Fraction]:
    """The distribution of a plain throw, by a library of other people.

    >>> by_icepool("sum", 2, 2, 1)
    {3: Fraction(1, 4), 4: Fraction(1, 2), 5: Fraction(1, 4)}
    """
    import icepool

    die = icepool.d(sides)
    if kind == "count":
        made = count @ (die >= number + 2)
    elif kind == "sum":
        made = count @ die + number
    else:
        pool = icepool.Pool([die] * count)
        made = getattr(pool, kind)(min(number, count)).sum()
    return {int(value): Fraction(n, made.denominator()) for value, n in made.items() if n}


class SequentialTests:
    """Counted rolls against exact chances, with one bound for the false alarms of a whole run.

    For each test the evidence against the exact chances is a likelihood ratio: the counts under a
    mixture of all distributions, over the counts under the exact one.  If the exact one is true
    the ratio has the mean 1 at any time of stopping, so it exceeds n(n + 1) / bound with a chance
    of at most bound / n(n + 1) in the n-th test, and the sum of these is the bound.
    """

    def __init__(self, bound: float = FALSE_ALARM) -> None:
        self.tests, self.bound = 0, bound

    @classmethod
    def of_part(cls, number: int) -> SequentialTests:
        """The tests of one part of a run, counted from 1: all parts together have the bound."""
        return cls(FALSE_ALARM / (number * (number + 1)))

    def refutes(self, evidence: float) -> bool:
        """Judge the next test by the logarithm of its evidence."""
        self.tests += 1
        return evidence > log(self.tests * (self.tests + 1) / self.bound)


def evidence(counts: Mapping[Any, int], chances: Mapping[Any, Fraction]) -> float:
    """The logarithm of the evidence against these chances; infinite for what cannot happen.

    >>> round(evidence({0: 50, 1: 50}, {0: Fraction(1, 2), 1: Fraction(1, 2)}), 1)
    -2.5
    >>> evidence({0: 90, 1: 10}, {0: Fraction(1, 2), 1: Fraction(1, 2)}) > 30
    True
    """
    possible = {value: chance for value, chance in chances.items() if chance}
    if any(value not in possible for value, n in counts.items() if n):
        return float("inf")
    kinds, rolls = len(possible), sum(counts.values())
    total = lgamma(kinds / 2) - lgamma(rolls + kinds / 2)
    for value, chance in possible.items():
        n = counts.get(value, 0)
        total += lgamma(n + 0.5) - lgamma(0.5) - n * (log(chance.numerator) - log(chance.denominator))
    return total


def counted_results(odds: Odds, counts: Mapping[Any, int]) -> tuple[dict[Any, int], dict[Any, Fraction]]:
    """Counts and chances of the main result; None if there is none, "more" for an endless tail."""
    chances: dict[Any, Fraction] = dict(odds.distribution)
    if odds.tail is not None:
        chances["more"] = odds.tail.probability
    chances[None] = 1 - sum(chances.values(), Fraction(0))
    found: dict[Any, int] = {}
    for value, n in counts.items():
        beyond = odds.tail is not None and value is not None and value >= odds.tail.start
        key = "more" if beyond else value
        found[key] = found.get(key, 0) + n
    return found, chances
