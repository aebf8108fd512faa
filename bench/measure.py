"""Times the families: interleaved passes, the best pass of each library in each style.

CPU time, because machines are shared; interleaved, because their speed changes; the best, because noise
only ever adds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

from cases import COLUMNS, IDIOM, SHIPPED, STYLES, TOY, Family
from compare import compare
from workers import OURS, Contender, Workers

MAX_PASS_SECONDS = 120
Step = Callable[[str], None]


@dataclass(frozen=True)
class Effort:
    """Number of rounds of passes: at least `least`, and more until `seconds` have passed."""

    least: int = 2
    most: int = 7
    seconds: float = 5.0


@dataclass
class FamilyTimes:
    """Microseconds per case by column and contender; contenders that failed are missing."""

    family: Family
    times: dict[str, dict[Contender, float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    cold: dict[Contender, float] = field(default_factory=dict)  # shipped games, from the first question on

    def peer(self, column: str, style: str) -> Contender | None:
        """Return the fastest peer in its idiom, or in any style if `style` is tuned."""
        times, styles = self.times[column], (IDIOM,) if style == IDIOM else STYLES
        others = [one for one in times if one != OURS and one.style in styles]
        return min(others, key=lambda one: times[one], default=None)

    def ratio(self, column: str, style: str = IDIOM) -> float | None:
        """Return how many times faster Handful is than that peer."""
        times, peer = self.times[column], self.peer(column, style)
        return times[peer] / times[OURS] if peer and OURS in times else None

    @property
    def cold_ratio(self) -> float | None:
        """Return the ratio to the best peer in its idiom, first questions included."""
        peers = [spent for one, spent in self.cold.items() if one != OURS and one.style == IDIOM]
        return min(peers) / self.cold[OURS] if peers and OURS in self.cold else None

    @property
    def toy_to_shipped(self) -> float | None:
        """Return the toy's time in Handful as a multiple of the shipped game's."""
        shipped, toy = (self.times[column].get(OURS) for column in (SHIPPED, TOY))
        return toy / shipped if toy and shipped else None


def time_family(family: Family, workers: Workers, effort: Effort, step: Step) -> FamilyTimes:
    found = FamilyTimes(family)
    for column in COLUMNS:
        step(f"{family.name} ({column}): comparing answers")
        check_answers(family, column, workers)
        step(f"{family.name} ({column}): timing")
        found.times[column] = _passes(found, column, workers, effort)
    step(f"{family.name}: from the first question on")
    found.cold = _passes(found, SHIPPED, workers, effort, warm=False)
    return found


def check_answers(family: Family, column: str, workers: Workers) -> None:
    answers = {
        str(contender): worker.ask("answers", family=family.name, column=column)
        for contender, worker in workers.items()
    }
    compare(family.name, family.cases(column), answers)


def _passes(
    found: FamilyTimes, column: str, workers: Workers, effort: Effort, *, warm: bool = True
) -> dict[Contender, float]:
    best: dict[Contender, float] = {}
    started = time.monotonic()
    for round_ in range(effort.most):
        if round_ >= effort.least and time.monotonic() - started > effort.seconds:
            break
        for contender, worker in workers.items():
            answer = worker.ask(
                "pass", limit=MAX_PASS_SECONDS, family=found.family.name, column=column, warm=warm
            )
            if "failed" in answer:
                found.failed[f"{contender} ({column})"] = answer["failed"]
                continue
            microseconds = answer["seconds"] * 1e6 / len(found.family.cases(column))
            best[contender] = min(microseconds, best.get(contender, microseconds))
    return best


def mean(ratios: list[float]) -> float:
    """Return the geometric mean."""
    return prod(ratios) ** (1 / len(ratios))
