"""Statistics that compare counted rolls with exact odds; no single one decides.

`rolled` counts the rolls of each kind: result, success, wins, events.
`contradictions` lists hard errors: impossible values that occurred, certain ones that did not.
The other functions return figures that a test pools over many checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from handful.odds import Odds

Rolled = Mapping[Any, int]
FAR = 5.0  # standard deviations
FEWEST = 8  # expected rolls of a group of values


def contradictions(rolled: Rolled, odds: Odds) -> list[str]:
    count = sum(rolled.values())
    found = []
    for result, _, _, events in rolled:
        beyond = odds.tail is not None and result is not None and result >= odds.tail.start
        if result is not None and result not in odds.distribution and not beyond:
            found.append(f"result {result} cannot be")
        found += [f"event {name} cannot be" for name in events if name not in odds.events]
    for name, seen, chance in facts(rolled, odds):
        if (chance == 0 and seen) or (chance == 1 and seen != count):
            found.append(f"{name}: {seen} of {count}, but the chance is {chance}")
    if odds.mean is None and any(kind[0] is not None for kind in rolled):
        found.append("there can be no result")
    return found


def facts(rolled: Rolled, odds: Odds) -> Iterator[tuple[str, int, Fraction]]:
    """Yield each yes/no fact of a roll with how often it occurred and its exact chance."""
    success = odds.success if isinstance(odds.success, tuple) else (odds.success,)
    for place, chance in enumerate(success):
        if chance is not None:
            yield f"success {place}", _true(rolled, 1, place), chance
    for place, chance in enumerate(odds.wins or ()):
        yield f"wins {place}", _true(rolled, 2, place), chance
    if odds.tie is not None and len(odds.wins or ()) > 1:
        yield "tie", sum(n for kind, n in rolled.items() if not any(kind[2])), odds.tie
    for name, chance in odds.events.items():
        yield name, sum(n for kind, n in rolled.items() if name in kind[3]), chance


def _true(rolled: Rolled, field: int, place: int) -> int:
    return sum(
        n
        for kind, n in rolled.items()
        if (kind[field][place] if isinstance(kind[field], tuple) else kind[field])
    )


def deviations(rolled: Rolled, odds: Odds) -> list[float]:
    """Return the distance of each fact from its chance, in standard deviations."""
    count = sum(rolled.values())
    return [
        (seen - float(chance * count)) / sqrt(count * chance * (1 - chance))
        for _, seen, chance in facts(rolled, odds)
        if FEWEST <= count * chance <= count - FEWEST
    ]


def chi_square(rolled: Rolled, odds: Odds) -> tuple[float, int]:
    """Return the chi-square statistic of the results and its degrees of freedom; rare results are pooled."""
    count = sum(rolled.values())
    results: dict[Any, int] = {}
    for kind, n in rolled.items():
        results[kind[0]] = results.get(kind[0], 0) + n
    groups: list[tuple[float, int]] = []
    due, seen, counted = 0.0, 0, 0
    for value, chance in odds.distribution.items():
        due += float(chance * count)
        seen += results.get(value, 0)
        counted += results.get(value, 0)
        if due >= FEWEST:
            groups.append((due, seen))
            due, seen = 0.0, 0
    if not groups:
        return 0.0, 0
    _, most = groups.pop()  # the last group takes the rest, including an unbounded tail
    rest = count - sum(each for each, _ in groups)
    groups.append((rest, most + seen + count - counted))
    return sum((one - each) ** 2 / each for each, one in groups), len(groups) - 1


def pooled_deviation(statistics: Sequence[tuple[float, int]]) -> float:
    """Return the distance of the summed chi-squares from their expectation, in standard deviations."""
    total, freedom = sum(s for s, _ in statistics), sum(k for _, k in statistics)
    return (total - freedom) / sqrt(2 * freedom)


def count_outliers(statistics: Sequence[tuple[float, int]]) -> int:
    """Return the number of single statistics far from their expectation."""
    return sum((s - k) / sqrt(2 * k) > 2 * FAR for s, k in statistics if k)
