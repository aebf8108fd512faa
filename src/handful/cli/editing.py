"""Line editing with history and Tab completion, where the system has readline.

Only commands enter the history; answers to questions would be in the way.
No escape codes are sent beyond those that editing needs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

CompletionSource = Callable[[Sequence[str], str], Sequence[str]]  # (words before, incomplete word)

_readline: Any = None


def enable(source: CompletionSource) -> None:
    """Switch line editing on for the rest of the process."""
    global _readline
    if os.environ.get("TERM", "dumb") == "dumb":
        return
    try:
        import readline
    except ImportError:  # not on every system
        return
    _readline = readline
    for setting in ("enable-bracketed-paste off", "enable-meta-key off", "bell-style none"):
        readline.parse_and_bind(f"set {setting}")
    editline = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")
    readline.set_auto_history(False)
    readline.set_completer_delims(" \t\n")
    readline.set_completer(_completer(source))


def add_history(line: str) -> None:
    """Add a line to the history, unless it repeats the last one."""
    if _readline is None or not line.isprintable():
        return
    last = _readline.get_current_history_length()
    if last == 0 or _readline.get_history_item(last) != line:
        _readline.add_history(line)


def swap_history(lines: Sequence[str]) -> list[str]:
    """Replace the history and return the previous one."""
    if _readline is None:
        return []
    count = _readline.get_current_history_length()
    previous = [_readline.get_history_item(index) for index in range(1, count + 1)]
    _readline.clear_history()
    for line in lines:
        _readline.add_history(line)
    return previous


def _completer(source: CompletionSource) -> Callable[[str, int], str | None]:
    found: list[str] = []

    def complete(incomplete: str, index: int) -> str | None:
        if index == 0:
            before = _readline.get_line_buffer()[: _readline.get_begidx()].split()
            prefix = incomplete.lower()
            words = sorted({word for word in source(before, incomplete) if word.lower().startswith(prefix)})
            found[:] = [word if word.endswith("=") else f"{word} " for word in words]
        return found[index] if index < len(found) else None

    return complete
