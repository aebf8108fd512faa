"""Times the families: interleaved passes, the best of each library.

Processor time, because machines are shared; interleaved, because they change their speed; the best,
because noise only ever adds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod

from cases import COLUMNS, SHIPPED, TOY, Family
from compare import compare
from workers import Worker

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
    """Microseconds a case by column and library; what failed has none."""

    family: Family
    spent: dict[str, dict[str, float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def peer(self, column: str) -> str | None:
        """The faster of the others."""
        others = {name: spent for name, spent in self.spent[column].items() if name != "handful"}
        return min(others, key=lambda name: others[name], default=None)

    def ratio(self, column: str) -> float | None:
        """How many times faster Handful is than the best of the others."""
        spent, peer = self.spent[column], self.peer(column)
        return spent[peer] / spent["handful"] if peer and "handful" in spent else None

    @property
    def toy_to_shipped(self) -> float | None:
        """How much longer the toy takes in Handful than the shipped game."""
        shipped, toy = (self.spent[column].get("handful") for column in (SHIPPED, TOY))
        return toy / shipped if toy and shipped else None


def timed(family: Family, workers: Mapping[str, Worker], effort: Effort, step: Step) -> Timed:
    found = Timed(family)
    for column in COLUMNS:
        step(f"{family.name} ({column}): comparing answers")
        check_answers(family, column, workers)
        step(f"{family.name} ({column}): timing")
        found.spent[column] = _passes(found, column, workers, effort)
    return found


def check_answers(family: Family, column: str, workers: Mapping[str, Worker]) -> None:
    answers = {
        name: worker.ask("answers", family=family.name, column=column)
        for name, worker in workers.items()
    }
    compare(family.name, family.cases(column), answers)


def _passes(
    found: Timed, column: str, workers: Mapping[str, Worker], effort: Effort
) -> dict[str, float]:
    best: dict[str, float] = {}
    started = time.monotonic()
    for turn in range(effort.most):
        if turn >= effort.least and time.monotonic() - started > effort.seconds:
            break
        for name, worker in workers.items():
            said = worker.ask("pass", limit=LONGEST_PASS, family=found.family.name, column=column)
            if "failed" in said:
                found.failed[f"{name} {column}"] = said["failed"]
                continue
            spent = said["seconds"] * 1e6 / len(found.family.cases(column))
            best[name] = min(spent, best.get(name, spent))
    return best


def mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return prod(ratios) ** (1 / len(ratios))
