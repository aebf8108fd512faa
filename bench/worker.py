"""The part of the bench that runs inside one library's own environment.

`python worker.py handful|icepool|dyce idiom|tuned` reads one question a line, as JSON, and answers
likewise.
Every measurement happens in a child process that is forked for it and ends with it, so nothing can
be remembered from one pass to the next.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from cases import FAMILIES, IDIOM, SHIPPED, TUNED
from mechanics import MECHANICS

MODULES = {
    ("handful", IDIOM): "ours",
    ("icepool", IDIOM): "by_icepool",
    ("icepool", TUNED): "tuned_icepool",
    ("dyce", IDIOM): "by_dyce",
    ("dyce", TUNED): "tuned_dyce",
}


def main(name: str, style: str) -> None:
    library = importlib.import_module(MODULES[name, style])
    tasks: dict[str, Callable[..., Any]] = {
        "version": lambda: importlib.import_module("importlib.metadata").version(name),
        "answers": lambda **ask: answers(library, **ask),
        "pass": lambda limit, **ask: in_a_child(lambda: one_pass(library, **ask), limit),
        "grow": lambda limit, **ask: in_a_child(lambda: grown(library, **ask), limit),
        "peak": lambda limit, **ask: in_a_child(lambda: peak(library, **ask), limit),
        "draws": lambda limit: in_a_child(draws, limit),
        "sweep": lambda limit, way: in_a_child(lambda: sweep(library, way), limit),
        "mechanic": lambda limit, **ask: in_a_child(lambda: mechanic(name, **ask), limit),
        "table": lambda limit, **ask: in_a_child(lambda: evening(**ask), limit),
    }
    for line in sys.stdin:
        ask = json.loads(line)
        print(json.dumps(tasks[ask.pop("do")](**ask)), flush=True)


def in_a_child(work: Callable[[], Any], limit: int) -> Any:
    """What `work` gives, from a process of its own that has so many seconds.

    A limit on processor time would do, but under one Linux counts that time only in ticks.
    """
    gc.collect()
    gc.freeze()  # what was there before is not looked through again, in any library
    gc.freeze()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            said = work()
        except Exception as error:
            said = {"failed": f"{type(error).__name__}: {error}"}
        with os.fdopen(writer, "w") as pipe:
            json.dump(said, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        ready, _, _ = select.select([pipe], [], [], limit)
        if not ready:
            os.kill(child, signal.SIGKILL)
        said = pipe.read()
    os.waitpid(child, 0)
    return json.loads(said) if said else {"failed": f"took more than {limit} s"}


def answers(library: Any, family: str, column: str) -> list[Any]:
    solve = library.solver(family, column)
    cases = FAMILIES[family].cases(column)
    return [library.told(solve(*case), family, column, case) for case in cases]


def warm_up(library: Any, family: str, column: str) -> None:
    """Cases that are not measured, more than once: rules are compiled when they come again."""
    solve = library.solver(family, column)
    for case in [*FAMILIES[family].warm[column]] * 3:
        library.forget()
        library.read(solve(*case))


def one_pass(library: Any, family: str, column: str) -> dict[str, float]:
    """Every case once, its whole distribution read; seconds of processor time in all."""
    solve, read, forget = library.solver(family, column), library.read, library.forget
    warm_up(library, family, column)
    clock, spent = time.process_time_ns, 0
    gc.collect()
    gc.freeze()  # what was there before is not looked through again, in any library
    for case in FAMILIES[family].cases(column):
        forget()
        before = clock()
        read(solve(*case))
        spent += clock() - before
    return {"seconds": spent / 1e9}


def grown(library: Any, family: str, size: int) -> dict[str, float]:
    """One case of a size: seconds of processor time, the best of a few."""
    solve, case = library.solver(family, SHIPPED), FAMILIES[family].grown[size]
    warm_up(library, family, SHIPPED)
    times: list[float] = []
    while len(times) < 20 and sum(times) < 0.3:
        library.forget()
        before = time.process_time()
        library.read(solve(*case))
        times.append(time.process_time() - before)
    return {"seconds": min(times)}


def peak(library: Any, family: str, size: int) -> dict[str, int]:
    """One case of a size: the most memory that Python held for it, in bytes."""
    solve, case = library.solver(family, SHIPPED), FAMILIES[family].grown[size]
    warm_up(library, family, SHIPPED)
    library.forget()
    tracemalloc.start()
    library.read(solve(*case))
    return {"bytes": tracemalloc.get_traced_memory()[1]}


def draws() -> dict[str, float]:
    """Return the draws a second from a solved table; only Handful has them."""
    measured: dict[str, float] = importlib.import_module("rates").draws()
    return measured


def sweep(library: Any, way: str) -> dict[str, Any]:
    """A table of 10,000 cells."""
    found: dict[str, Any] = importlib.import_module("grid").swept(library, way)
    return found


def mechanic(library: str, family: str, passes: int) -> dict[str, Any]:
    """Every case of a great family, the best of some passes; and what came of each."""
    module = importlib.import_module(f"mechanics_{library}")
    warm, *cases = MECHANICS[family]
    for _ in range(3):
        module.forget()
        module.read(module.solve(family, warm))
    spent = []
    for _ in range(passes):
        total = 0.0
        for case in cases:
            module.forget()
            before = time.process_time()
            module.read(module.solve(family, case))
            total += time.process_time() - before
        spent.append(total)
    answers = [sorted(module.told(module.solve(family, case)).items()) for case in cases]
    return {"seconds": min(spent) / len(cases), "answers": answers}


def evening(**size: int) -> dict[str, Any]:
    """A long evening at a table; only Handful is asked."""
    found: dict[str, Any] = importlib.import_module("evening").measured(**size)
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
