"""Times a table of 10,000 cells in every library, with both strategies of `grid`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cases import IDIOM
from grid import CELLS, STRATEGIES
from workers import OURS, Contender, Workers

MAX_PASS_SECONDS = 120


def sweeps(workers: Workers, step: Callable[[str], None], passes: int) -> dict[str, Any]:
    """Return the best of several interleaved passes; all answers must be equal."""
    step("a table of 10,000 cells")
    seconds: dict[str, dict[str, float]] = {strategy: {} for strategy in STRATEGIES}
    memory: dict[str, int] = {}
    digests: dict[str, str] = {}
    for _ in range(passes):
        for strategy in STRATEGIES:
            for who, worker in workers.items():
                answer = worker.ask("sweep", limit=MAX_PASS_SECONDS, strategy=strategy)
                if "failed" in answer:
                    continue
                name, spent = str(who), answer["seconds"]
                seconds[strategy][name] = min(spent, seconds[strategy].get(name, spent))
                memory[name] = max(memory.get(name, 0), answer["bytes"])
                digests[f"{who}, {strategy}"] = answer["digest"]
    if len({*digests.values()}) > 1:
        raise SystemExit(f"the tables are not the same: {digests}")
    return {"cells": CELLS, "seconds": seconds, "bytes": memory, "ratio": ratios(seconds)}


def ratios(seconds: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Return how many times faster Handful is than the best idiom, and than the best of all."""
    found: dict[str, dict[str, float]] = {}
    for strategy, spent in seconds.items():
        peers = {name: one for name, one in spent.items() if name != str(OURS)}
        idiom = {name: one for name, one in peers.items() if name in _IDIOMS}
        if str(OURS) in spent and idiom:
            own = spent[str(OURS)]
            found[strategy] = {"idiom": min(idiom.values()) / own, "tuned": min(peers.values()) / own}
    return found


_IDIOMS = {str(Contender(name, IDIOM)) for name in ("icepool", "dyce")}
