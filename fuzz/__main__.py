"""A long campaign against what reads files: `make fuzz`, `make fuzz ARGS='--minutes 30'`.

Each turn makes a ruleset out of a good one (`tests/support/fuzzing.py`), reads it, and plays, solves and
simulates what was accepted; every other turn it is a file of cases or claims, or a character.  What
gets out that is no error of Handful's is written down with its
seed; `--seed N --turns 1` does that turn again.  Turns that take long are told as well.
With atheris (`pip install '.[fuzz]'`), `--atheris` lets coverage choose the changes instead.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

TOP = Path(__file__).parents[1]
SLOW = 20  # seconds of one turn that are worth telling


def main() -> int:
    asked = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    asked.add_argument("--minutes", type=float, default=10)
    asked.add_argument("--seed", type=int, default=1, help="of the first turn")
    asked.add_argument("--turns", type=int, default=10**9)
    asked.add_argument("--atheris", action="store_true")
    given = asked.parse_args()
    sys.path[:0] = [str(TOP / "tests"), str(TOP / "tests" / "support")]
    if given.atheris:
        return _by_coverage(given.minutes)
    return _by_chance(given.minutes, given.seed, given.turns)


def _by_chance(minutes: float, seed: int, turns: int) -> int:
    from fuzzing import beside, changed, corpus, mutated, tried, tried_beside

    from handful import library

    texts, seen, faults = corpus(), Counter[str](), Counter[str]()
    games = [library.ruleset(name) for name in library.shipped()]
    more = {
        "cases": beside("cases.toml"),
        "claims": beside("claims.toml"),
        "character": beside("characters/*.json"),
    }
    end = time.monotonic() + 60 * minutes
    for turn in range(seed, seed + turns):
        if time.monotonic() > end:
            break
        rng, began = Random(turn), time.monotonic()
        kind = rng.choice(["ruleset", "ruleset", "ruleset", *more])
        try:
            if kind == "ruleset":
                seen[tried(rng, mutated(rng, texts))] += 1
            else:
                became = tried_beside(rng, kind, changed(rng, more[kind]), rng.choice(games))
                seen[f"{kind} {became}"] += 1
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
            faults[kind] += 1
            if faults[kind] == 1:
                print(f"seed {turn}: {kind}: {error}", flush=True)
        if (took := time.monotonic() - began) > SLOW:
            print(f"seed {turn}: took {took:.0f} s", flush=True)
    print(dict(seen), dict(faults))
    return 1 if faults else 0


def _by_coverage(minutes: float) -> int:
    import atheris  # type: ignore[import-not-found]

    with atheris.instrument_imports(include=["handful.rules", "handful.roll"]):
        from fuzzing import corpus, mutated, tried

    texts = corpus()

    def once(data: bytes) -> None:
        given = atheris.FuzzedDataProvider(data)
        rng = Random(given.ConsumeInt(8))
        own = given.ConsumeUnicodeNoSurrogates(given.remaining_bytes())
        tried(rng, own or mutated(rng, texts))

    kept = TOP / ".fuzz"
    kept.mkdir(exist_ok=True)
    for number, text in enumerate(texts):
        (kept / f"shipped-{number}").write_bytes(b"\0" * 8 + text.encode())
    limits = [
        f"-max_total_time={int(60 * minutes)}",
        "-max_len=65536",
        "-timeout=120",
        f"-artifact_prefix={kept}/",
    ]
    atheris.Setup([sys.argv[0], *limits, str(kept)], once)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
