"""Times entire processes: one `handful odds` command, and the bare import of each peer."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping

import environments

RUNS = 25
COMMANDS = {
    "handful": ["handful", "odds", "uwr", "direct", "attribute=4", "target=2"],
    "dyce": ["python", "-c", "import dyce"],
    "icepool": ["python", "-c", "import icepool"],
    "python": ["python", "-c", "pass"],
}
ENVIRONMENTS = {"python": "handful"}  # environment of a command, if it is not its name


def format_command(name: str) -> str:
    program, *rest = COMMANDS[name]
    return " ".join([program, *(f'"{part}"' if " " in part else part for part in rest)])


def processes(step: Callable[[str], None], runs: int = RUNS) -> dict[str, float]:
    """Return wall-clock seconds per command, the best of several runs after a warm-up (.pyc files)."""
    step("entire processes")
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHASHSEED")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    best = dict.fromkeys(COMMANDS, float("inf"))
    for run in range(runs + 2):
        for name in COMMANDS:
            spent = _time_once(name, environment)
            if run >= 2:
                best[name] = min(best[name], spent)
    return best


def _time_once(name: str, environment: Mapping[str, str]) -> float:
    program, *rest = COMMANDS[name]
    path = environments.HOME / ENVIRONMENTS.get(name, name) / "bin" / program
    before = time.perf_counter()
    subprocess.run([str(path), *rest], check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - before
