"""The shared screen: cleared before it is passed on, so no seat sees another's secrets."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from shutil import get_terminal_size

from handful.cli import console, layout
from handful.cli.prompts import echo

# cursor home, clear the screen, clear the scrollback
CLEAR = "\033[H\033[2J\033[3J"


def clear_screen() -> None:
    """Clear screen and scrollback; on a dumb terminal, scroll them away instead."""
    if not sys.stdout.isatty():
        return
    if os.environ.get("TERM", "dumb") == "dumb":
        pushed = "\n" * (4 * get_terminal_size((80, 50)).lines)
        sys.stdout.write(pushed)
    else:
        sys.stdout.write(CLEAR)
    console.flush()


def echo_lines(lines: Iterable[str]) -> None:
    for line in lines:
        echo("\n".join(layout.wrap_text(console.flatten(line), 2, 4)))


def wait_for_enter(message: str) -> None:
    """Wait until the user presses Enter."""
    console.flush()
    try:
        input(message)
    except (EOFError, KeyboardInterrupt):
        echo("")
        raise console.UserLeft from None
