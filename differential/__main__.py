"""Differential test: solves generated games with every engine and compares; any difference is a bug.

`make differential` runs for ten minutes, `make differential ARGS='--minutes 60'` for an hour.
Each game is generated from a seed; `--seed 41 --games 1` repeats one game.  A game that shows a bug is
shrunk and stored in tests/prover/found, where the test suite runs it from then on.
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

ROOT = Path(__file__).parents[1]
BATCH = 60  # games that a worker runs before it reports


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="make differential", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10, help="duration; default: 10")
    parser.add_argument("--seed", type=int, default=None, help="seed of the first game; default: the time")
    parser.add_argument("--games", type=int, default=10**9, help="maximum number of games")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--missed", action="store_true", help="list solver branches that no game covered")
    arguments = parser.parse_args()
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "support")]
    return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from prover.campaign import Campaign, asked_lot

    first = int(time.time()) * 1000 if arguments.seed is None else arguments.seed
    print(f"seeds from {first}, for at most {arguments.minutes:g} minutes", flush=True)
    campaign, began = Campaign(), time.monotonic()
    end = began + 60 * arguments.minutes
    starts = iter(range(first, first + arguments.games, BATCH))
    with ProcessPoolExecutor(arguments.workers, get_context("spawn")) as pool:

        def submit(at: int) -> Future[Campaign]:
            seeds = range(at, min(at + BATCH, first + arguments.games))
            return pool.submit(asked_lot, seeds, end, (at - first) // BATCH + 1)

        pending = [submit(at) for at in islice(starts, 2 * arguments.workers)]
        while pending:
            campaign.add(pending.pop(0).result())
            if time.monotonic() < end:
                pending += [submit(at) for at in islice(starts, 1)]
            _report(campaign, time.monotonic() - began, 60 * arguments.minutes)
    print(f"\n{campaign.summary()}")
    if arguments.missed:
        print("\n".join(campaign.coverage.missed()))
    return 1 if campaign.found else 0


def _report(campaign: Campaign, seconds: float, duration: float) -> None:
    games, found = campaign.games.total(), len(campaign.found)
    line = f"{min(seconds / duration, 1):4.0%}  {games:,} games, {found} differences"
    print(f"\r{line}" if sys.stdout.isatty() else line, end="" if sys.stdout.isatty() else "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
