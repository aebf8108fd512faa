"""The `handful` command line.

`run` is the entry point of the process, `main` the one for tests.  `main` turns every exception
into one line on standard error and an exit status, never a traceback.  Each command is a module
that is imported when it is called.  Nothing in this package is specific to one game.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

COMPLETION = "_HANDFUL_COMPLETE"  # set while a shell completes a word
GC_THRESHOLD = 50_000  # allocations between collections; the default is 700


def run() -> None:
    """Run the command line and end the process."""
    gc.set_threshold(GC_THRESHOLD)  # a command keeps what it loads, so collections free nothing
    status = main()
    gc.freeze()  # a collection at exit would take longer than the answer
    sys.exit(status)


def _asks_for_odds(words: Sequence[str]) -> bool:
    """Return True for `handful odds GAME CHECK …` without flags: click is not needed to read it."""
    if words[:1] != ["odds"] or len(words) < 3 or COMPLETION in os.environ:
        return False
    from handful.rules.free_dice import looks_free

    return not any(word.startswith("-") for word in words) and not looks_free(words[1])


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    from handful.cli import console

    sys.set_int_max_str_digits(0)  # exact fractions may exceed Python's limit on digits
    try:
        console.prepare_output()
        words = sys.argv[1:] if args is None else list(args)
        if _asks_for_odds(words):
            from handful.cli.odds_answer import answer_query
            from handful.explore.query import Query

            answer_query(Query.parse(words))
            console.flush()
            return 0
        from handful.cli.app import handful

        status = handful.main(
            None if args is None else list(args), prog_name="handful", standalone_mode=False
        )
        console.flush()
        return status if isinstance(status, int) else 0
    except BaseException as error:
        return console.report_error(error)
