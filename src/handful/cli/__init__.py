"""The `handful` command: what people and programs type, and what they read.

`main` is the way in and the rim: whatever goes wrong inside becomes one clear line on standard
error and an exit status here, never a traceback.  Commands live in modules of their own and are
loaded when they are called; nothing about a game stands in this package.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit status."""
    from handful.cli import rim

    sys.set_int_max_str_digits(0)  # exact fractions may be longer than Python's own limit
    try:
        rim.check_output()
        from handful.cli.app import handful

        done = handful.main(
            None if args is None else list(args), prog_name="handful", standalone_mode=False
        )
        rim.flush()
        return done if isinstance(done, int) else 0
    except BaseException as trouble:
        return rim.told(trouble)
