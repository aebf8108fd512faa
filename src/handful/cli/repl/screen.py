"""The screen that is passed from hand to hand: nothing of the seat before stays on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from shutil import get_terminal_size

from handful.cli import console, layout
from handful.cli.prompts import echo

# home, the screen, and what has scrolled out of it
CLEAR = "\033[H\033[2J\033[3J"


def clear_screen() -> None:
    """Clear screen and scrollback; where no terminal understands that, push them out of sight."""
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
    """Until somebody presses Enter."""
    console.flush()
    try:
        input(message)
    except (EOFError, KeyboardInterrupt):
        echo("")
        raise console.UserLeft from None
