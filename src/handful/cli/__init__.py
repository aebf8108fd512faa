"""The `handful` command line.

`run` is the entry point of the process, `main` the one for tests.  `main` turns every exception
into one line on standard error and an exit status, never a traceback.  Each command is a module
that is imported when it is called.  Nothing in this package is specific to one game.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

GC_THRESHOLD = 50_000  # allocations between collections; the default is 700


def run() -> None:
    """Run the command line and end the process."""
    gc.set_threshold(GC_THRESHOLD)  # a command keeps what it loads, so collections free nothing
    status = main()
    gc.freeze()  # a collection at exit would take longer than the answer
    sys.exit(status)


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    from handful.cli import console

    sys.set_int_max_str_digits(0)  # exact fractions may exceed Python's limit on digits
    try:
        console.prepare_output()
        from handful.cli.app import handful

        status = handful.main(
            None if args is None else list(args), prog_name="handful", standalone_mode=False
        )
        console.flush()
        return status if isinstance(status, int) else 0
    except BaseException as error:
        return console.report_error(error)
