"""Luck: what was rolled against the exact expectation of each roll, by what a seat knows.

A result's standing is the chance of less and half the chance of the same: for a fair die it is one
half on average, however coarse the results are.  Several rolls are judged by the sum of their
standings: exactly as long as there are few different sums, else by the normal curve with the exact
spread.

Luck is what the dice did, not what somebody decided: the expectation is that of the check played as
usual, and the same dice are counted as if everybody had decided as usual.  Where that would have
thrown other dice, the result counts as it is.
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
from handful.rules.ruleset import Ruleset
from handful.table.projection import project
from handful.table.state import RecordedReply, Table, TableRoll

MOST_SUMS = 2_000
MOST_STEPS = 40_000  # to add one roll
BUDGET = 2_000_000  # work for one roll's odds; what is more is left out, and said so
LATEST = 500  # rolls that are judged


@record()
class Rolled:
    """A roll that counts: what came, what was to be expected, and where it stands."""

    roll: str
    roller: str
    check: str
    result: int | Fraction
    mean: Fraction
    below: Fraction
    same: Fraction
    chances: tuple[tuple[float, float], ...]  # each standing with its chance
    by_hand: bool = False  # thrown by somebody, not by the table
    as_usual: bool = True  # judged as if decided as usual

    @property
    def standing(self) -> Fraction:
        return self.below + self.same / 2


def luck(table: Table, seat: str) -> dict[str, Any]:
    """How lucky everybody was, in the rolls that a seat has seen to their ends."""
    ended = _ended(table, seat)
    return _reported([one for one in map(_judged, ended) if one is not None], len(ended))


def finished_rolls(table: Table, seat: str) -> list[dict[str, Any]]:
    """The same rolls as plain data, for a process that does not have the table: see `luck_of`.

    Nothing else goes there, so the work depends on what the seat knows.
    """
    return [
        {
            "roll": one.id,
            "roller": one.roller,
            "rules": one.rules(table.rules).hash,
            "asked": one.asked,
            "given": [[o.reply, o.thrown, o.physical] for o in one.replies],
        }
        for one in _ended(table, seat)
    ]


def luck_of_rolls(ended: Sequence[Mapping[str, Any]], rules: Mapping[str, Ruleset]) -> dict[str, Any]:
    """Luck of rolls as `ended_rolls` gives them; those without their rules are left out."""
    read = [_read(one, rules[one["rules"]]) for one in ended if one["rules"] in rules]
    return _reported([one for one in map(_judged, read) if one is not None], len(ended))


def _read(data: Mapping[str, Any], rules: Ruleset) -> TableRoll:
    given = tuple(
        RecordedReply(tuple(reply) if isinstance(reply, list) else reply, "", thrown, physical=physical)
        for reply, thrown, physical in data["given"]
    )
    roll = TableRoll(data["roll"], data["roller"], "")
    return roll.with_replies(rules, data["asked"], given)


def _ended(table: Table, seat: str) -> list[TableRoll]:
    known = project(table, seat)
    return [*islice((one for one in _latest_first(known) if _counts(one)), LATEST)][::-1]


def _reported(judged: Sequence[Rolled], count: int) -> dict[str, Any]:
    rollers = dict.fromkeys(one.roller for one in judged)
    return {
        "left_out": count - len(judged),
        "table": _report(judged),
        "seats": {name: _report([o for o in judged if o.roller == name]) for name in rollers},
    }


def _latest_first(known: Table) -> Iterator[TableRoll]:
    for name in reversed([*known.rolls]):
        yield known.rolls[name]


def _counts(roll: TableRoll) -> bool:
    """Whether a roll has dice of its own, all of them seen; those of a contest count once."""
    return bool(roll.key and not roll.components and roll.throws and roll.position)


def _judged(roll: TableRoll) -> Rolled | None:
    assert roll.bound is not None
    assert roll.node is not None
    usual, main = _as_usual(roll), roll.bound.check.main
    result = _number(roll.node.outcome, main)
    counts = result if usual is None else _number(usual, main)
    expected = _expected(roll.bound)
    if result is None or counts is None or expected is None:
        return None
    mean, steps, chances = expected
    below, same = _at(steps, counts)
    by_hand = any(one.physical for one in roll.replies if one.thrown)
    return Rolled(
        roll.id,
        roll.roller,
        roll.bound.check.name,
        result,
        mean,
        below,
        same,
        chances,
        by_hand,
        usual is not None,
    )


def _number(outcome: Mapping[str, Any] | None, main: str) -> int | Fraction | None:
    value = None if outcome is None else outcome.get(main)
    return value if isinstance(value, (int, Fraction)) and not isinstance(value, bool) else None


def _as_usual(roll: TableRoll) -> Mapping[str, Any] | None:
    """What the same dice come to if everybody decides as usual; None: these were other dice."""
    assert roll.bound is not None
    assert roll.node is not None
    if all(one.thrown for one in roll.replies):
        return roll.node.outcome
    throws = [one.reply for one in roll.replies if one.thrown]
    node = start(roll.bound)
    try:
        while (ask := node.ask) is not None:
            if isinstance(ask, Throw) and not throws:
                return None
            reply = throws.pop(0) if isinstance(ask, Throw) else policy_reply(node, "usual")
            node = resume(roll.bound, node, reply)
    except HandfulError:  # more dice are due than were thrown, or fewer
        return None
    return None if throws else node.outcome


Steps = tuple[tuple[int | Fraction, Fraction], ...]


@lru_cache(maxsize=1024)
def _expected(bound: BoundCheck) -> tuple[Fraction, Steps, tuple[tuple[float, float], ...]] | None:
    """Mean, results with their chances, and standings with theirs; None where it is too much."""
    try:
        odds = exact.odds(bound, budget=BUDGET)
    except HandfulError:
        return None
    steps = tuple(odds.distribution.items())
    if odds.tail is not None:
        steps = (*steps, (odds.tail.start, odds.tail.probability))
    if odds.mean is None or not steps:
        return None
    chances, below = [], Fraction(0)
    for _, chance in steps:
        chances.append((float(below + chance / 2), float(chance)))
        below += chance
    return odds.mean, steps, tuple(chances)


def _at(steps: Steps, result: int | Fraction) -> tuple[Fraction, Fraction]:
    """The chance of less than a result, and of the same."""
    below = sum((chance for value, chance in steps[:-1] if value < result), Fraction(0))
    last, rest = steps[-1]
    if result >= last:
        return below, rest
    return below, sum((chance for value, chance in steps if value == result), Fraction(0))


# -- several rolls


class Tally:
    """The sum of some standings, and every sum that fair dice could have come to."""

    def __init__(self, rolls: Iterable[Rolled] = ()) -> None:
        self.count, self.reached, self.spread = 0, 0.0, 0.0
        # a sum as it is known again -> the sum, and its chance; None: too many of them
        self.sums: dict[float, tuple[float, float]] | None = {0.0: (0.0, 1.0)}
        for one in rolls:
            self.add(one)

    def add(self, one: Rolled) -> None:
        self.count += 1
        self.reached += float(one.standing)
        self.spread += (1 - sum(chance**3 for _, chance in one.chances)) / 12
        if self.sums is None or len(self.sums) * len(one.chances) > MOST_STEPS:
            self.sums = None
            return
        more: dict[float, tuple[float, float]] = {}
        for total, chance in self.sums.values():
            for standing, own in one.chances:
                key = round(total + standing, 9)
                before = more[key][1] if key in more else 0.0
                more[key] = total + standing, before + chance * own
        self.sums = more if len(more) <= MOST_SUMS else None

    def percentile(self) -> tuple[float, float]:
        """The chance that fair dice come to less together, and that they come to the same."""
        if self.sums is None:
            return self._by_the_curve(), 0.0
        reached = round(self.reached, 9)
        below = sum(chance for key, (_, chance) in self.sums.items() if key < reached)
        return below, self.sums[reached][1] if reached in self.sums else 0.0

    def _by_the_curve(self) -> float:
        """A standing has the mean 1/2, and a spread that follows from its chances."""
        return (1 + erf((self.reached - self.count / 2) / sqrt(2 * self.spread))) / 2

    def figures(self) -> dict[str, Any]:
        below, same = self.percentile()
        return {
            "count": self.count,
            "percentile": round(below + same / 2, 6),
            "same": round(same, 6),
        }


def _report(rolls: Sequence[Rolled]) -> dict[str, Any]:
    tally, course = Tally(), []
    for one in rolls:
        tally.add(one)
        course.append(tally.figures()["percentile"])
    checks = dict.fromkeys(one.check for one in rolls)
    return {
        **tally.figures(),
        "checks": {name: Tally(o for o in rolls if o.check == name).figures() for name in checks},
        "course": course,
        "rolls": [
            {
                "roll": one.roll,
                "check": one.check,
                "result": str(one.result),
                "mean": str(one.mean),
                "percentile": str(one.standing),
                "same": str(one.same),
                "by_hand": one.by_hand,
                "as_usual": one.as_usual,
            }
            for one in rolls
        ],
    }
