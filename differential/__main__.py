"""Ask generated games in every way there is; whatever differs is a bug.

`make differential` runs for ten minutes, `make differential ARGS='--minutes 60'` for an hour.
Each game comes from a seed; `--seed 41 --games 1` asks that game again.  A game that shows a bug
is made small and kept in tests/prover/found, where the tests ask it from then on.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prover.campaign import Campaign

TOP = Path(__file__).parents[1]
LOT = 60  # games that a worker asks before it tells


def main() -> int:
    asked = argparse.ArgumentParser(
        prog="make differential", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--minutes", type=float, default=10, help="how long; 10 unless given")
    asked.add_argument("--seed", type=int, default=None, help="of the first game; else the time")
    asked.add_argument("--games", type=int, default=10**9, help="at most so many")
    asked.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked.add_argument("--missed", action="store_true", help="list branches that were not taken")
    given = asked.parse_args()
    sys.path[:0] = [str(TOP / "tests"), str(TOP / "tests" / "support")]
    return _run(given)


def _run(given: argparse.Namespace) -> int:
    from prover.campaign import Campaign, asked_lot

    first = int(time.time()) * 1000 if given.seed is None else given.seed
    print(f"seeds from {first}, for at most {given.minutes:g} minutes", flush=True)
    whole, began = Campaign(), time.monotonic()
    end = began + 60 * given.minutes
    starts = iter(range(first, first + given.games, LOT))
    with ProcessPoolExecutor(given.workers, get_context("spawn")) as pool:

        def submitted(at: int) -> Future[Campaign]:
            seeds = range(at, min(at + LOT, first + given.games))
            return pool.submit(asked_lot, seeds, end, (at - first) // LOT + 1)

        waiting = [submitted(at) for at in islice(starts, 2 * given.workers)]
        while waiting:
            whole.add(waiting.pop(0).result())
            if time.monotonic() < end:
                waiting += [submitted(at) for at in islice(starts, 1)]
            _tell(whole, time.monotonic() - began, 60 * given.minutes)
    print(f"\n{whole.summary()}")
    if given.missed:
        print("\n".join(whole.coverage.missed()))
    return 1 if whole.found else 0


def _tell(whole: Campaign, seconds: float, most: float) -> None:
    games, found = whole.games.total(), len(whole.found)
    line = f"{min(seconds / most, 1):4.0%}  {games:,} games, {found} differences"
    print(f"\r{line}" if sys.stdout.isatty() else line, end="" if sys.stdout.isatty() else "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
