"""Times the families: interleaved passes, the best of each library in each style.

Processor time, because machines are shared; interleaved, because they change their speed; the best,
because noise only ever adds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

from cases import COLUMNS, IDIOM, SHIPPED, STYLES, TOY, Family
from compare import compare
from workers import OURS, Contender, Workers

LONGEST_PASS = 120  # seconds
Step = Callable[[str], None]


@dataclass(frozen=True)
class Effort:
    """How many rounds of passes: at least `least`, more while `seconds` last."""

    least: int = 2
    most: int = 7
    seconds: float = 5.0


@dataclass
class Timed:
    """Microseconds a case by column and contender; what failed has none."""

    family: Family
    spent: dict[str, dict[Contender, float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def peer(self, column: str, style: str) -> Contender | None:
        """The fastest peer in its idiom; or of all, if hand-tuned ones are let in."""
        spent, styles = self.spent[column], (IDIOM,) if style == IDIOM else STYLES
        others = [one for one in spent if one != OURS and one.style in styles]
        return min(others, key=lambda one: spent[one], default=None)

    def ratio(self, column: str, style: str = IDIOM) -> float | None:
        """How many times faster Handful is than that peer."""
        spent, peer = self.spent[column], self.peer(column, style)
        return spent[peer] / spent[OURS] if peer and OURS in spent else None

    @property
    def toy_to_shipped(self) -> float | None:
        """How much longer the toy takes in Handful than the shipped game."""
        shipped, toy = (self.spent[column].get(OURS) for column in (SHIPPED, TOY))
        return toy / shipped if toy and shipped else None


def timed(family: Family, workers: Workers, effort: Effort, step: Step) -> Timed:
    found = Timed(family)
    for column in COLUMNS:
        step(f"{family.name} ({column}): comparing answers")
        check_answers(family, column, workers)
        step(f"{family.name} ({column}): timing")
        found.spent[column] = _passes(found, column, workers, effort)
    return found


def check_answers(family: Family, column: str, workers: Workers) -> None:
    answers = {
        str(contender): worker.ask("answers", family=family.name, column=column)
        for contender, worker in workers.items()
    }
    compare(family.name, family.cases(column), answers)


def _passes(found: Timed, column: str, workers: Workers, effort: Effort) -> dict[Contender, float]:
    best: dict[Contender, float] = {}
    started = time.monotonic()
    for turn in range(effort.most):
        if turn >= effort.least and time.monotonic() - started > effort.seconds:
            break
        for contender, worker in workers.items():
            said = worker.ask("pass", limit=LONGEST_PASS, family=found.family.name, column=column)
            if "failed" in said:
                found.failed[f"{contender} ({column})"] = said["failed"]
                continue
            spent = said["seconds"] * 1e6 / len(found.family.cases(column))
            best[contender] = min(spent, best.get(contender, spent))
    return best


def mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return prod(ratios) ** (1 / len(ratios))
