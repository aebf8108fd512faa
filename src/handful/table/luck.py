"""Luck: results compared with the exact distribution of each roll a seat has seen to its end.

A result's percentile is P(less) + P(equal) / 2, the mid-rank: its mean is one half for fair dice,
however coarse the results are.  Several rolls are scored by the sum of their percentiles: against
the exact distribution of that sum while it has few values, else against the normal approximation
with the exact variance.

Luck measures the dice, not the decisions.  The expectation assumes the usual policy, and the thrown
dice are scored as if every decision had followed it.  If that would have needed other dice, the
actual result counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import erf, sqrt
from typing import Any

from handful import odds as exact
from handful.errors import HandfulError
from handful.records import record
from handful.roll import BoundCheck, Throw, policy_reply, resume, start
from handful.rules.free_dice import is_free_check
from handful.rules.ruleset import Ruleset
from handful.table.codec import read_record, write_record
from handful.table.events.values import AskedCheck
from handful.table.json_types import JsonObject
from handful.table.knowledge import known_to
from handful.table.state import RecordedReply, Table, TableRoll

MAX_SUMS = 2_000
MAX_PRODUCTS = 40_000  # of sums and outcomes, to add one roll
BUDGET = 2_000_000  # solver work per roll; rolls that need more are reported as left out
MAX_ROLLS = 500  # the latest; older ones are not scored


@record()
class JudgedRoll:
    """A scored roll: its result, its expectation, and its percentile."""

    roll: str
    roller: str
    check: str
    result: int | Fraction
    mean: Fraction
    below: Fraction
    same: Fraction
    percentiles: tuple[tuple[float, float], ...]  # each possible percentile with its probability
    by_hand: bool = False  # physical dice
    as_usual: bool = True  # scored by the usual policy's decisions

    @property
    def percentile(self) -> Fraction:
        return self.below + self.same / 2


def luck(table: Table, seat: str) -> JsonObject:
    """Return the luck of every roller, from the rolls that a seat has seen to their end."""
    finished = _finished(table, seat)
    return _report_all([one for one in map(_judge, finished) if one is not None], len(finished))


def finished_rolls(table: Table, seat: str) -> list[JsonObject]:
    """Return the rolls that count for `luck` as JSON data, for `luck_of_rolls` in another process.

    The data holds only what the seat sees, so the time it takes leaks nothing either.
    """
    return [
        {
            "roll": one.id,
            "roller": one.roller,
            "rules": one.rules(table.rules).hash,
            "asked": write_record(one.asked),
            "given": [[o.reply, o.thrown, o.physical] for o in one.replies],
        }
        for one in _finished(table, seat)
    ]


def luck_of_rolls(finished: Sequence[Mapping[str, Any]], rules: Mapping[str, Ruleset]) -> JsonObject:
    """Return the luck of rolls from `finished_rolls`; rolls whose ruleset is missing are left out."""
    read = [_read_roll(one, rules[one["rules"]]) for one in finished if one["rules"] in rules]
    return _report_all([one for one in map(_judge, read) if one is not None], len(finished))


def _read_roll(data: Mapping[str, Any], rules: Ruleset) -> TableRoll:
    replies = tuple(
        RecordedReply(tuple(reply) if isinstance(reply, list) else reply, "", thrown, physical=physical)
        for reply, thrown, physical in data["given"]
    )
    roll = TableRoll(data["roll"], data["roller"], "")
    return roll.with_replies(rules, read_record(AskedCheck, data["asked"]), replies)


def _finished(table: Table, seat: str) -> list[TableRoll]:
    known = known_to(table, seat)
    return [*islice((one for one in _latest_first(known) if _is_counted(one)), MAX_ROLLS)][::-1]


def _report_all(judged: Sequence[JudgedRoll], count: int) -> JsonObject:
    rollers = dict.fromkeys(one.roller for one in judged)
    return {
        "left_out": count - len(judged),
        "table": _report_rolls(judged),
        "seats": {name: _report_rolls([o for o in judged if o.roller == name]) for name in rollers},
    }


def _latest_first(known: Table) -> Iterator[TableRoll]:
    for name in reversed([*known.rolls]):
        yield known.rolls[name]


def _is_counted(roll: TableRoll) -> bool:
    """Return whether a roll has visible dice of its own; a contest's dice count in its components."""
    is_free = roll.asked is not None and is_free_check(roll.asked.check)  # outside the rules
    return bool(roll.key and not roll.components and roll.throws and roll.position) and not is_free


def _judge(roll: TableRoll) -> JudgedRoll | None:
    assert roll.bound is not None
    assert roll.node is not None
    usual_outcome, main = _usual_outcome(roll), roll.bound.check.main
    result = _number(roll.node.outcome, main)
    scored = result if usual_outcome is None else _number(usual_outcome, main)
    expectation = _expectation(roll.bound)
    if result is None or scored is None or expectation is None:
        return None
    mean, distribution, percentiles = expectation
    below, same = _probabilities_at(distribution, scored)
    by_hand = any(one.physical for one in roll.replies if one.thrown)
    return JudgedRoll(
        roll.id,
        roll.roller,
        roll.bound.check.name,
        result,
        mean,
        below,
        same,
        percentiles,
        by_hand,
        usual_outcome is not None,
    )


def _number(outcome: Mapping[str, Any] | None, main: str) -> int | Fraction | None:
    value = None if outcome is None else outcome.get(main)
    return value if isinstance(value, (int, Fraction)) and not isinstance(value, bool) else None


def _usual_outcome(roll: TableRoll) -> Mapping[str, Any] | None:
    """Return the outcome of the same dice under the usual policy; None if it needs other dice."""
    assert roll.bound is not None
    assert roll.node is not None
    if all(one.thrown for one in roll.replies):
        return roll.node.outcome
    throws = [one.reply for one in roll.replies if one.thrown]
    node = start(roll.bound, most_work=None)
    try:
        while (ask := node.ask) is not None:
            if isinstance(ask, Throw) and not throws:
                return None
            reply = throws.pop(0) if isinstance(ask, Throw) else policy_reply(node, "usual")
            node = resume(roll.bound, node, reply, most_work=None)
    except HandfulError:  # the policy throws more dice than there are, or fewer
        return None
    return None if throws else node.outcome


Distribution = tuple[tuple[int | Fraction, Fraction], ...]


# Kept by the worker process that counts luck, because an evening repeats a few checks.
@lru_cache(maxsize=1024)
def _expectation(bound: BoundCheck) -> tuple[Fraction, Distribution, tuple[tuple[float, float], ...]] | None:
    """Return mean, distribution and percentile distribution; None if the solver's budget is exceeded."""
    try:
        odds = exact.odds(bound, budget=BUDGET)
    except HandfulError:
        return None
    distribution = tuple(odds.distribution.items())
    if odds.tail is not None:
        distribution = (*distribution, (odds.tail.start, odds.tail.probability))
    if odds.mean is None or not distribution:
        return None
    percentiles, below = [], Fraction(0)
    for _, probability in distribution:
        percentiles.append((float(below + probability / 2), float(probability)))
        below += probability
    return odds.mean, distribution, tuple(percentiles)


def _probabilities_at(distribution: Distribution, result: int | Fraction) -> tuple[Fraction, Fraction]:
    """Return the probability of less than a result, and of exactly that result."""
    below = sum((probability for value, probability in distribution[:-1] if value < result), Fraction(0))
    last, rest = distribution[-1]
    if result >= last:
        return below, rest
    return below, sum((probability for value, probability in distribution if value == result), Fraction(0))


# -- several rolls


class LuckScore:
    """The sum of percentiles, and the distribution of that sum for fair dice."""

    def __init__(self, rolls: Iterable[JudgedRoll] = ()) -> None:
        self.count, self.total, self.variance = 0, 0.0, 0.0
        # rounded sum -> exact sum and probability; None once there are too many
        self.sum_distribution: dict[float, tuple[float, float]] | None = {0.0: (0.0, 1.0)}
        for one in rolls:
            self.add(one)

    def add(self, one: JudgedRoll) -> None:
        self.count += 1
        self.total += float(one.percentile)
        self.variance += (1 - sum(chance**3 for _, chance in one.percentiles)) / 12
        if self.sum_distribution is None or len(self.sum_distribution) * len(one.percentiles) > MAX_PRODUCTS:
            self.sum_distribution = None
            return
        after: dict[float, tuple[float, float]] = {}
        for total, chance in self.sum_distribution.values():
            for percentile, probability in one.percentiles:
                key = round(total + percentile, 9)
                before = after[key][1] if key in after else 0.0
                after[key] = total + percentile, before + chance * probability
        self.sum_distribution = after if len(after) <= MAX_SUMS else None

    def percentile(self) -> tuple[float, float]:
        """Return the probability that fair dice score less than this sum, and exactly this sum."""
        if self.sum_distribution is None:
            return self._normal_probability(), 0.0
        rounded = round(self.total, 9)
        below = sum(probability for key, (_, probability) in self.sum_distribution.items() if key < rounded)
        return below, self.sum_distribution[rounded][1] if rounded in self.sum_distribution else 0.0

    def _normal_probability(self) -> float:
        """Normal approximation; a percentile has mean 1/2, and `variance` is their exact sum."""
        return (1 + erf((self.total - self.count / 2) / sqrt(2 * self.variance))) / 2

    def figures(self) -> JsonObject:
        below, same = self.percentile()
        return {
            "count": self.count,
            "percentile": round(below + same / 2, 6),
            "same": round(same, 6),
        }


def _report_rolls(rolls: Sequence[JudgedRoll]) -> JsonObject:
    score, progress = LuckScore(), []
    for one in rolls:
        score.add(one)
        progress.append(score.figures()["percentile"])
    checks = dict.fromkeys(one.check for one in rolls)
    return {
        **score.figures(),
        "checks": {name: LuckScore(o for o in rolls if o.check == name).figures() for name in checks},
        "course": progress,
        "rolls": [
            {
                "roll": one.roll,
                "check": one.check,
                "result": str(one.result),
                "mean": str(one.mean),
                "percentile": str(one.percentile),
                "same": str(one.same),
                "by_hand": one.by_hand,
                "as_usual": one.as_usual,
            }
            for one in rolls
        ],
    }
