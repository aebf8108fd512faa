"""Play and odds agree: seeded rolls occur as often as the exact odds say.

Each check gives one chi-square statistic over its results and one over its events; no single one
decides. All of them together must be ordinary, and hardly any may be far out.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import pytest
from effort import every_nth_in_test
from ruleset_cases import ruleset
from sample_checks import IDS, SAMPLES, finish

import handful

ROLLS = 2000
FAR = 5.0  # standard deviations


class Seen(NamedTuple):
    results: Counter[Any]
    facts: Counter[str]


@cache
def seen(place: int) -> Seen:
    start, rng = SAMPLES[place].start(), Random(1000 + place)
    results: Counter[Any] = Counter()
    facts: Counter[str] = Counter()
    for _ in range(ROLLS):
        end = finish(start, rng)
        results[end.result] += 1
        facts.update(true_facts(end))
    return Seen(results, facts)


def true_facts(end: handful.Roll) -> list[str]:
    """The yes-or-no things that came true: successes, victories, events."""
    fields = end.to_dict()
    success = fields["success"] if isinstance(fields["success"], list) else [fields["success"]]
    truths = {f"success {n}": truth for n, truth in enumerate(success)}
    truths |= {f"wins {n}": truth for n, truth in enumerate(fields.get("wins", []))}
    return [*(name for name, truth in truths.items() if truth), *end.events]


def chances_of_facts(odds: handful.Odds) -> dict[str, Fraction]:
    success = odds.success if isinstance(odds.success, tuple) else (odds.success,)
    chances = {f"success {n}": p for n, p in enumerate(success) if p is not None}
    chances |= {f"wins {n}": p for n, p in enumerate(odds.wins or ())}
    return chances | dict(odds.events)


def chi_square(results: Counter[Any], odds: handful.Odds) -> tuple[float, int]:
    """The statistic and its degrees of freedom; rare values are taken together."""
    groups: list[tuple[float, int]] = []
    expected, observed, counted = 0.0, 0, 0
    for value, chance in odds.distribution.items():
        expected += float(chance * ROLLS)
        observed += results[value]
        counted += results[value]
        if expected >= 8:
            groups.append((expected, observed))
            expected, observed = 0.0, 0
    expected += float(odds.tail.probability * ROLLS) if odds.tail else 0.0
    observed += ROLLS - counted  # the tail
    last = groups.pop()
    groups.append((last[0] + expected, last[1] + observed))
    return sum((seen - due) ** 2 / due for due, seen in groups), len(groups) - 1


@pytest.mark.parametrize("place", every_nth_in_test(range(len(SAMPLES)), 3), ids=IDS)
def test_what_is_played_is_possible_and_what_is_certain_happens(place: int) -> None:
    odds = SAMPLES[place].start().odds()
    found = seen(place)
    for value in found.results:
        assert value in odds.distribution or (odds.tail and value >= odds.tail.start)
    chances = chances_of_facts(odds)
    assert set(found.facts) <= set(chances)
    for name, chance in chances.items():
        assert chance > 0 or found.facts[name] == 0
        assert chance < 1 or found.facts[name] == ROLLS


@pytest.mark.proof
def test_results_fall_as_often_as_the_odds_say() -> None:
    statistics = [
        chi_square(seen(place).results, sample.start().odds()) for place, sample in enumerate(SAMPLES)
    ]
    assert all(freedom >= 1 for _, freedom in statistics)
    far = [(value - k) / sqrt(2 * k) > FAR for value, k in statistics]
    assert sum(far) <= 1
    total, freedom = (sum(column) for column in zip(*statistics, strict=True))
    assert abs(total - freedom) / sqrt(2 * freedom) < FAR


def test_successes_victories_and_events_come_as_often_as_the_odds_say() -> None:
    deviations = []
    for place, sample in enumerate(SAMPLES):
        for name, chance in chances_of_facts(sample.start().odds()).items():
            if 0 < chance < 1:
                spread = sqrt(ROLLS * chance * (1 - chance))
                deviations.append((seen(place).facts[name] - float(ROLLS * chance)) / spread)
    assert len(deviations) > 40
    assert sum(abs(deviation) > FAR for deviation in deviations) <= 1
    square = sum(deviation**2 for deviation in deviations)
    # facts of one check hang together, so the bound is generous
    assert abs(square - len(deviations)) / sqrt(2 * len(deviations)) < 2 * FAR


def test_the_statistic_notices_wrong_odds() -> None:
    """A die too many, or a threshold one off, is far out; so the tests above can fail."""
    five = ruleset("uwr").odds("direct", attribute=5)
    easier = ruleset("uwr").odds("direct", attribute=4, favor=1)
    for wrong in (five, easier):
        value, freedom = chi_square(seen(0).results, wrong)
        assert (value - freedom) / sqrt(2 * freedom) > 4 * FAR
