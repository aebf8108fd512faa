"""Measures time and memory by number of dice, up to 100, for each library in its own idiom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cases import IDIOM, Family
from workers import Worker, Workers

LIMIT = 4  # CPU seconds for one case; larger sizes are skipped for a library that needs more
TRACING_SLOWDOWN = 6  # tracing memory slows Python down

Points = list[dict[str, Any]]


def grow(
    families: Sequence[Family], workers: Workers, step: Callable[[str], None]
) -> dict[str, dict[str, Points]]:
    """Return size, seconds and peak bytes of one case per size, by family and library."""
    found: dict[str, dict[str, Points]] = {}
    for family in families:
        step(f"{family.name}: growth")
        found[family.name] = {
            contender.library: _measure_sizes(family, worker)
            for contender, worker in workers.items()
            if contender.style == IDIOM
        }
    return found


def _measure_sizes(family: Family, worker: Worker) -> Points:
    points: Points = []
    for size in family.grown:
        timed = worker.ask("grow", limit=LIMIT, family=family.name, size=size)
        if "failed" in timed:
            points.append({"dice": size, "failed": timed["failed"]})
            break
        memory = worker.ask("peak", limit=LIMIT * TRACING_SLOWDOWN, family=family.name, size=size)
        points.append({"dice": size, "seconds": timed["seconds"], "bytes": memory.get("bytes")})
    return points
