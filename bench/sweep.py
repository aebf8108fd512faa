"""Times a table of 10,000 cells in every library, in both ways that one would write it by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cases import IDIOM
from grid import CELLS, WAYS
from workers import OURS, Contender, Workers

LONGEST = 120  # seconds of a pass


def sweeps(workers: Workers, step: Callable[[str], None], passes: int) -> dict[str, Any]:
    """The best of a few interleaved passes; all answers must be the same."""
    step("a table of 10,000 cells")
    seconds: dict[str, dict[str, float]] = {way: {} for way in WAYS}
    held: dict[str, int] = {}
    digests: dict[str, str] = {}
    for _ in range(passes):
        for way in WAYS:
            for who, worker in workers.items():
                said = worker.ask("sweep", limit=LONGEST, way=way)
                if "failed" in said:
                    continue
                name, spent = str(who), said["seconds"]
                seconds[way][name] = min(spent, seconds[way].get(name, spent))
                held[name] = max(held.get(name, 0), said["bytes"])
                digests[f"{who}, {way}"] = said["digest"]
    if len({*digests.values()}) > 1:
        raise SystemExit(f"the tables are not the same: {digests}")
    return {"cells": CELLS, "seconds": seconds, "bytes": held, "ratio": ratios(seconds)}


def ratios(seconds: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """How many times faster Handful is than the best idiom, and than the best of all."""
    made: dict[str, dict[str, float]] = {}
    for way, spent in seconds.items():
        peers = {name: one for name, one in spent.items() if name != str(OURS)}
        idiom = {name: one for name, one in peers.items() if name in _IDIOMS}
        if str(OURS) in spent and idiom:
            own = spent[str(OURS)]
            made[way] = {"idiom": min(idiom.values()) / own, "tuned": min(peers.values()) / own}
    return made


_IDIOMS = {str(Contender(name, IDIOM)) for name in ("icepool", "dyce")}
