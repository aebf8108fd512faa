"""Worker process of the benchmark, inside one library's environment.

`python worker.py handful|icepool|dyce idiom|tuned` reads one JSON request per line and writes one JSON
answer per line.  Invariant: every measurement runs in a child process forked for it, so nothing is cached
from one pass to the next.
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
    ("handful", IDIOM): "library_handful",
    ("icepool", IDIOM): "library_icepool",
    ("icepool", TUNED): "library_icepool_tuned",
    ("dyce", IDIOM): "library_dyce",
    ("dyce", TUNED): "library_dyce_tuned",
}

ANSWER_SECONDS = 600  # for all answers of a family, in a process that no measurement inherits


def main(name: str, style: str) -> None:
    library = importlib.import_module(MODULES[name, style])
    tasks: dict[str, Callable[..., Any]] = {
        "version": lambda: importlib.import_module("importlib.metadata").version(name),
        "answers": lambda **request: in_a_child(lambda: answers(library, **request), ANSWER_SECONDS),
        "pass": lambda limit, **request: in_a_child(lambda: one_pass(library, **request), limit),
        "grow": lambda limit, **request: in_a_child(lambda: grown(library, **request), limit),
        "peak": lambda limit, **request: in_a_child(lambda: peak(library, **request), limit),
        "draws": lambda limit: in_a_child(draws, limit),
        "sweep": lambda limit, strategy: in_a_child(lambda: sweep(library, strategy), limit),
        "mechanic": lambda limit, **request: in_a_child(lambda: mechanic(name, **request), limit),
        "table": lambda limit, **request: in_a_child(lambda: long_table(**request), limit),
    }
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(tasks[request.pop("do")](**request)), flush=True)


def in_a_child(work: Callable[[], Any], limit: int) -> Any:
    """Run `work` in a forked process and return its result, within `limit` seconds of wall-clock time.

    A CPU time limit would be more natural, but under one Linux counts CPU time only in ticks.
    """
    gc.collect()
    gc.freeze()  # keep the collector away from existing objects, in every library
    gc.freeze()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            answer = work()
        except Exception as error:
            answer = {"failed": f"{type(error).__name__}: {error}"}
        with os.fdopen(writer, "w") as pipe:
            json.dump(answer, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        ready, _, _ = select.select([pipe], [], [], limit)
        if not ready:
            os.kill(child, signal.SIGKILL)
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else {"failed": f"took more than {limit} s"}


def answers(library: Any, family: str, column: str) -> list[Any]:
    solve = library.solver(family, column)
    cases = FAMILIES[family].cases(column)
    return [library.to_answer(solve(*case), family, column, case) for case in cases]


def warm_up(library: Any, family: str, column: str) -> None:
    """Solve unmeasured cases more than once: Handful compiles a rule at its second call."""
    solve = library.solver(family, column)
    for case in [*FAMILIES[family].warm[column]] * 3:
        library.forget()
        library.read(solve(*case))


def one_pass(library: Any, family: str, column: str, *, warm: bool = True) -> dict[str, float]:
    """Solve every case once and read its entire distribution; return the total CPU seconds.

    Without a warm-up the first questions count as well, with everything that they import and compile.
    """
    solve, read, forget = library.solver(family, column), library.read, library.forget
    if warm:
        warm_up(library, family, column)
    clock, spent = time.process_time_ns, 0
    gc.collect()
    gc.freeze()  # keep the collector away from existing objects, in every library
    for case in FAMILIES[family].cases(column):
        forget()
        before = clock()
        read(solve(*case))
        spent += clock() - before
    return {"seconds": spent / 1e9}


def grown(library: Any, family: str, size: int) -> dict[str, float]:
    """Return the CPU seconds of one case of a size, the best of several runs."""
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
    """Return the peak memory of one case of a size, in bytes."""
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


def sweep(library: Any, strategy: str) -> dict[str, Any]:
    """Measure a table of 10,000 cells."""
    found: dict[str, Any] = importlib.import_module("grid").measure_sweep(library, strategy)
    return found


def mechanic(library: str, family: str, passes: int) -> dict[str, Any]:
    """Time every case of a family of common mechanics, the best of some passes; return the answers, too."""
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
    answers = [sorted(module.to_answer(module.solve(family, case)).items()) for case in cases]
    return {"seconds": min(spent) / len(cases), "answers": answers}


def long_table(**size: int) -> dict[str, Any]:
    """Measure one long table; only Handful has tables."""
    found: dict[str, Any] = importlib.import_module("long_table").measure(**size)
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
