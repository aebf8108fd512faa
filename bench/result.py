"""Result of one benchmark run as JSON data, with a description of the machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from cases import COLUMNS, IDIOM, STYLES
from measure import FamilyTimes, mean


@dataclass
class Result:
    """Figures of one run; parts that were not selected stay empty."""

    versions: dict[str, str]
    families: list[FamilyTimes] = field(default_factory=list)
    mechanics: dict[str, dict[str, float]] = field(default_factory=dict)
    growth: dict[str, dict[str, list[dict[str, Any]]]] = field(default_factory=dict)
    sweep: dict[str, Any] = field(default_factory=dict)
    processes: dict[str, float] = field(default_factory=dict)
    rates: dict[str, float | None] = field(default_factory=dict)
    table: dict[str, Any] = field(default_factory=dict)
    click: dict[str, dict[str, float]] = field(default_factory=dict)
    load: dict[str, Any] = field(default_factory=dict)
    hostile: dict[str, Any] = field(default_factory=dict)

    def mean(self, column: str, style: str = IDIOM) -> float | None:
        ratios = [ratio for one in self.families if (ratio := one.ratio(column, style))]
        return mean(ratios) if ratios else None

    def cold_mean(self) -> float | None:
        ratios = [ratio for one in self.families if (ratio := one.cold_ratio)]
        return mean(ratios) if ratios else None

    def to_dict(self) -> dict[str, Any]:
        return {
            "machine": machine(),
            "versions": self.versions,
            "families": [_family(one) for one in self.families],
            "mean": _by_style(lambda column, style: _short(self.mean(column, style))),
            "mechanics": {
                name: {library: _short(spent) for library, spent in one.items()}
                for name, one in self.mechanics.items()
            },
            "growth": self.growth,
            "sweep": self.sweep,
            "process_seconds": {name: _short(spent) for name, spent in self.processes.items()},
            "a_second": {name: _short(rate) for name, rate in self.rates.items()},
            "table": {name: _short(figure) for name, figure in self.table.items()},
            "click": {
                name: {what: _short(figure) for what, figure in one.items()}
                for name, one in self.click.items()
            },
            "load": self.load,
            "hostile": self.hostile,
        }


def _family(one: FamilyTimes) -> dict[str, Any]:
    return {
        "family": one.family.name,
        "about": one.family.about,
        "cases": len(one.family.shipped),
        "microseconds": {
            column: {str(who): _short(spent) for who, spent in one.times[column].items()}
            for column in COLUMNS
        },
        "best_peer": _by_style(lambda column, style: (peer := one.peer(column, style)) and str(peer)),
        "ratio": _by_style(lambda column, style: _short(one.ratio(column, style))),
        "toy_to_shipped": _short(one.toy_to_shipped),
        "cold_microseconds": {str(who): _short(spent) for who, spent in one.cold.items()},
        "cold_ratio": _short(one.cold_ratio),
        "failed": one.failed,
    }


def _by_style(figure: Callable[[str, str], Any]) -> dict[str, dict[str, Any]]:
    return {style: {column: figure(column, style) for column in COLUMNS} for style in STYLES}


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
