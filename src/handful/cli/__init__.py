"""The `handful` command: what people and programs type, and what they read.

`run` is the command as a process, `main` the way in and the rim: whatever goes wrong inside becomes
one clear line on standard error and an exit status there, never a traceback.  Commands live in
modules of their own and are loaded when they are called; nothing about a game stands in this
package.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

GC_THRESHOLD = 50_000  # objects that are made before somebody looks for garbage; Python says 700


def run() -> None:
    """The command line as a process of its own, which ends here."""
    gc.set_threshold(GC_THRESHOLD)  # what a command loads stays: looking for garbage finds none
    status = main()
    gc.freeze()  # nor at the end, where it would take longer than an answer
    sys.exit(status)


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit status."""
    from handful.cli import console

    sys.set_int_max_str_digits(0)  # exact fractions may be longer than Python's own limit
    try:
        console.prepare_output()
        from handful.cli.app import handful

        done = handful.main(None if args is None else list(args), prog_name="handful", standalone_mode=False)
        console.flush()
        return done if isinstance(done, int) else 0
    except BaseException as trouble:
        return console.report_error(trouble)
