"""One run of the bench as plain data, with notes on the machine, for the JSON file."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from cases import COLUMNS, SHIPPED, TOY
from measure import Timed, mean


@dataclass
class Result:
    """What one run found; parts that were not asked for stay empty."""

    versions: dict[str, str]
    families: list[Timed] = field(default_factory=list)
    growth: dict[str, dict[str, list[dict[str, Any]]]] = field(default_factory=dict)
    processes: dict[str, float] = field(default_factory=dict)
    rates: dict[str, float | None] = field(default_factory=dict)

    def mean(self, column: str) -> float | None:
        ratios = [ratio for one in self.families if (ratio := one.ratio(column))]
        return mean(ratios) if ratios else None

    def to_dict(self) -> dict[str, Any]:
        return {
            "machine": machine(),
            "versions": self.versions,
            "families": [_family(one) for one in self.families],
            "mean": {column: _short(self.mean(column)) for column in COLUMNS},
            "growth": self.growth,
            "process_seconds": {name: _short(spent) for name, spent in self.processes.items()},
            "a_second": {name: _short(rate) for name, rate in self.rates.items()},
        }


def _family(one: Timed) -> dict[str, Any]:
    return {
        "family": one.family.name,
        "about": one.family.about,
        "cases": len(one.family.shipped),
        "microseconds": {
            column: {name: _short(spent) for name, spent in one.spent[column].items()}
            for column in COLUMNS
        },
        "best_peer": {column: one.peer(column) for column in COLUMNS},
        "ratio": {SHIPPED: _short(one.ratio(SHIPPED)), TOY: _short(one.ratio(TOY))},
        "toy_to_shipped": _short(one.toy_to_shipped),
        "failed": one.failed,
    }


def _short(number: float | None) -> float | None:
    return None if number is None else float(f"{number:.4g}")


def machine() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": date.today().isoformat(),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
