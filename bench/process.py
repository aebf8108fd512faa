"""Whole processes: one answer of the command line beside the bare import of each peer."""

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
WHERE = {"python": "handful"}  # the environment of a command, where it is not its name


def shown(name: str) -> str:
    program, *rest = COMMANDS[name]
    return " ".join([program, *(f'"{part}"' if " " in part else part for part in rest)])


def processes(step: Callable[[str], None], runs: int = RUNS) -> dict[str, float]:
    """Seconds from start to end, the best of several after a warm-up that leaves .pyc files."""
    step("whole processes")
    own = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHASHSEED")}
    own.pop("PYTHONDONTWRITEBYTECODE", None)
    best = dict.fromkeys(COMMANDS, float("inf"))
    for turn in range(runs + 2):
        for name in COMMANDS:
            spent = _once(name, own)
            if turn >= 2:
                best[name] = min(best[name], spent)
    return best


def _once(name: str, own: Mapping[str, str]) -> float:
    program, *rest = COMMANDS[name]
    path = environments.HOME / WHERE.get(name, name) / "bin" / program
    before = time.perf_counter()
    subprocess.run([str(path), *rest], check=True, stdout=subprocess.DEVNULL, env=own)
    return time.perf_counter() - before
