"""`make bench`: compares exact odds with icepool and dyce in one run, as ratios.

`python bench --only rerolls` measures one family, `--quick` makes fewer passes, `--save` writes the result
to `bench/`.  `bench/README.md` explains how it measures, and why that is fair.
"""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import environments
import first_frame
import handful
import hostile
import load
from cases import FAMILIES, Family
from chart import chart
from growth import grow
from measure import Effort, time_family
from mechanics import MECHANICS, check_mechanics
from process import RUNS, processes
from result import Result
from show import WIDTH, page, show
from sweep import sweeps
from workers import CONTENDERS, OURS, Contender, Worker, Workers

PARTS = ("odds", "mechanics", "growth", "sweep", "process", "rates", "table", "click", "load", "hostile")
LATEST = environments.BENCH / "results"
QUICK = Effort(least=1, most=2, seconds=1)


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Compare exact odds with the best peers.")
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        choices=[*FAMILIES, *PARTS],
        metavar="NAME",
        help=f"only these families ({', '.join(FAMILIES)}) or parts ({', '.join(PARTS)})",
    )
    parser.add_argument("--quick", action="store_true", help="fewer passes, less certain")
    parser.add_argument(
        "--save", action="store_true", help="write bench/RESULT.md, result.json and growth.svg"
    )
    chosen = parser.parse_args(arguments)
    chosen.families = [FAMILIES[name] for name in FAMILIES if name in chosen.only]
    chosen.parts = [part for part in PARTS if part in chosen.only]
    if chosen.families and not chosen.parts:
        chosen.parts = ["odds"]
    chosen.families = chosen.families or list(FAMILIES.values())
    chosen.parts = chosen.parts or list(PARTS)
    if chosen.save and (chosen.only or chosen.quick):
        parser.error("--save keeps whole runs: leave out --only and --quick")
    return chosen


@contextlib.contextmanager
def progress(steps: int) -> Iterator[Callable[[str], None]]:
    """Show a progress bar on stderr, only at a terminal; the yielded function starts a step."""
    console = Console(stderr=True)
    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=steps)

        def step(what: str) -> None:
            bar.update(task, advance=1, description=what)

        yield step


def measure_parts(families: list[Family], parts: list[str], *, quick: bool) -> Result:
    effort, runs = (QUICK, 5) if quick else (Effort(), RUNS)
    steps = 3 + 5 * len(families) * ("odds" in parts) + len(families) * ("growth" in parts) + 5
    steps += len(MECHANICS) * ("mechanics" in parts)
    steps += len(load.STAGES) + 1 if "load" in parts else 0
    with progress(steps) as step, contextlib.ExitStack() as stack:
        if {*parts} <= {"click", "load", "hostile"}:  # no peer is measured, so no environments are needed
            return measure_server(Result({"handful": handful.__version__}), parts, step, quick=quick)
        for name in environments.LIBRARIES:
            step(f"the environment of {name}")
            environments.make(name)
        workers = {who: stack.enter_context(Worker(who)) for who in CONTENDERS}
        versions = {name: workers[Contender(name)].ask("version") for name in environments.LIBRARIES}
        result = Result(versions)
        if "odds" in parts:
            result.families = [time_family(family, workers, effort, step) for family in families]
        if "mechanics" in parts:
            result.mechanics = measure_mechanics(workers, step, passes=1 if quick else 5)
        if "growth" in parts:
            result.growth = grow(families, workers, step)
        if "sweep" in parts:
            result.sweep = sweeps(workers, step, 1 if quick else 3)
        if "process" in parts:
            result.processes = processes(step, runs)
        if "rates" in parts:
            step("draws a second")
            result.rates["draws"] = workers[OURS].ask("draws", limit=60).get("rate")
        if "table" in parts:
            step("a table of 10,000 rolls")
            size = {"rolls": 1_000, "saved": 100} if quick else {}
            answer = workers[OURS].ask("table", limit=300, **size)
            result.table = {} if "failed" in answer else answer
    return measure_server(result, parts, lambda what: None, quick=quick)


def measure_server(result: Result, parts: list[str], step: Callable[[str], None], *, quick: bool) -> Result:
    """Measure what needs a server, last, when no other process is running."""
    if "click" in parts:
        step("from a click to falling dice")
        result.click = first_frame.measure(10 if quick else first_frame.ROLLS)
    if "load" in parts:
        result.load = measure_load(step, quick=quick)
    if "hostile" in parts:
        result.hostile = hostile.measure(step, seconds=3.0 if quick else hostile.SECONDS)
    return result


def measure_load(step: Callable[[str], None], *, quick: bool) -> dict[str, Any]:
    size: dict[str, Any] = {"tables": 20, "seconds": 5.0, "short": 2.0} if quick else {}
    return load.measure(step, **size)


def measure_mechanics(
    workers: Workers, step: Callable[[str], None], *, passes: int
) -> dict[str, dict[str, float]]:
    """Measure the families of common mechanics in Handful and in icepool, in microseconds per case."""
    found = {}
    for family in MECHANICS:
        step(f"{family} compared with icepool")
        answers = {
            who.library: workers[who].ask("mechanic", limit=120, family=family, passes=passes)
            for who in (OURS, Contender("icepool"))
        }
        for library, one in answers.items():
            if "failed" in one:
                raise RuntimeError(f"{family}, {library}: {one['failed']}")
        check_mechanics(family, answers["handful"]["answers"], answers["icepool"]["answers"])
        found[family] = {library: one["seconds"] * 1e6 for library, one in answers.items()}
    return found


def write(result: Result, folder: Path, name: str) -> None:
    folder.mkdir(exist_ok=True)
    text = json.dumps(result.to_dict(), indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    if result.growth:
        (folder / "growth.svg").write_text(chart(result.growth), encoding="utf-8")


def save(result: Result) -> None:
    """Write the result to commit: as Markdown and as JSON."""
    (environments.BENCH / "RESULT.md").write_text(page(result), encoding="utf-8")
    write(result, environments.BENCH, "result")


def main() -> None:
    chosen = parse_arguments()
    result = measure_parts(chosen.families, chosen.parts, quick=chosen.quick)
    console = Console(width=WIDTH, highlight=False)
    show(result, console)
    write(result, LATEST, "latest")
    if chosen.save:
        save(result)


if __name__ == "__main__":
    main()
