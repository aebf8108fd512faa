"""Time and memory against the number of dice, up to 100, for each library in its own idiom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cases import IDIOM, Family
from workers import Worker, Workers

LIMIT = 4  # seconds of processor time for one case; a library that needs more is asked no further
SLOWER = 6  # watching memory makes Python slower

Points = list[dict[str, Any]]


def grow(
    families: Sequence[Family], workers: Workers, step: Callable[[str], None]
) -> dict[str, dict[str, Points]]:
    """By family and library: size, seconds and peak bytes of one case each."""
    found: dict[str, dict[str, Points]] = {}
    for family in families:
        step(f"{family.name}: growth")
        found[family.name] = {
            contender.library: _grown(family, worker)
            for contender, worker in workers.items()
            if contender.style == IDIOM
        }
    return found


def _grown(family: Family, worker: Worker) -> Points:
    points: Points = []
    for size in family.grown:
        timed = worker.ask("grow", limit=LIMIT, family=family.name, size=size)
        if "failed" in timed:
            points.append({"dice": size, "failed": timed["failed"]})
            break
        held = worker.ask("peak", limit=LIMIT * SLOWER, family=family.name, size=size)
        points.append({"dice": size, "seconds": timed["seconds"], "bytes": held.get("bytes")})
    return points
