"""Fuzzes everything that reads files: `make fuzz`, `make fuzz ARGS='--minutes 30'`.

Each turn mutates a shipped ruleset (`tests/support/fuzzing.py`), loads it, and plays, solves and simulates
it if it is accepted; every other turn mutates a file of cases or claims, or a character.  Any exception
that is not one of Handful's own errors is printed with its seed; `--seed N --turns 1` repeats that turn.
Slow turns are printed as well.
With atheris (`pip install '.[fuzz]'`), `--atheris` uses coverage-guided mutation instead.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
SLOW = 20  # seconds after which a turn is reported


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1, help="seed of the first turn")
    parser.add_argument("--turns", type=int, default=10**9)
    parser.add_argument("--atheris", action="store_true")
    arguments = parser.parse_args()
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "support")]
    if arguments.atheris:
        return _fuzz_by_coverage(arguments.minutes)
    return _fuzz_at_random(arguments.minutes, arguments.seed, arguments.turns)


def _fuzz_at_random(minutes: float, seed: int, turns: int) -> int:
    from fuzzing import beside, changed, corpus, mutated, tried, tried_beside

    from handful import library

    texts, seen, errors = corpus(), Counter[str](), Counter[str]()
    games = [library.ruleset(name) for name in library.shipped()]
    other_files = {
        "cases": beside("cases.toml"),
        "claims": beside("claims.toml"),
        "character": beside("characters/*.json"),
    }
    end = time.monotonic() + 60 * minutes
    for turn in range(seed, seed + turns):
        if time.monotonic() > end:
            break
        rng, began = Random(turn), time.monotonic()
        kind = rng.choice(["ruleset", "ruleset", "ruleset", *other_files])
        try:
            if kind == "ruleset":
                seen[tried(rng, mutated(rng, texts))] += 1
            else:
                outcome = tried_beside(rng, kind, changed(rng, other_files[kind]), rng.choice(games))
                seen[f"{kind} {outcome}"] += 1
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
            errors[kind] += 1
            if errors[kind] == 1:
                print(f"seed {turn}: {kind}: {error}", flush=True)
        if (duration := time.monotonic() - began) > SLOW:
            print(f"seed {turn}: took {duration:.0f} s", flush=True)
    print(dict(seen), dict(errors))
    return 1 if errors else 0


def _fuzz_by_coverage(minutes: float) -> int:
    import atheris  # type: ignore[import-not-found]

    with atheris.instrument_imports(include=["handful.rules", "handful.roll"]):
        from fuzzing import corpus, mutated, tried

    texts = corpus()

    def once(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        rng = Random(provider.ConsumeInt(8))
        text = provider.ConsumeUnicodeNoSurrogates(provider.remaining_bytes())
        tried(rng, text or mutated(rng, texts))

    corpus_folder = ROOT / ".fuzz"
    corpus_folder.mkdir(exist_ok=True)
    for number, text in enumerate(texts):
        (corpus_folder / f"shipped-{number}").write_bytes(b"\0" * 8 + text.encode())
    limits = [
        f"-max_total_time={int(60 * minutes)}",
        "-max_len=65536",
        "-timeout=120",
        f"-artifact_prefix={corpus_folder}/",
    ]
    atheris.Setup([sys.argv[0], *limits, str(corpus_folder)], once)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
