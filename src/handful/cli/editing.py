"""Editing a typed line: arrows, earlier lines and Tab, where the system has them.

Only whole lines are remembered, such as a check; values and numbers would be in the way.
No escape codes are sent beyond those that editing needs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

CompletionSource = Callable[[Sequence[str], str], Sequence[str]]  # words before, and the one that is begun

_readline: Any = None


def enable(offers: CompletionSource) -> None:
    """Switch editing on for all that is typed from now on."""
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
    readline.set_completer(_completer(offers))


def add_history(line: str) -> None:
    """Let the arrow upwards bring a line again."""
    if _readline is None or not line.isprintable():
        return
    last = _readline.get_current_history_length()
    if last == 0 or _readline.get_history_item(last) != line:
        _readline.add_history(line)


def swap_history(lines: Sequence[str]) -> list[str]:
    """Put other lines in place of those that were remembered, and give these back."""
    if _readline is None:
        return []
    count = _readline.get_current_history_length()
    before = [_readline.get_history_item(place) for place in range(1, count + 1)]
    _readline.clear_history()
    for line in lines:
        _readline.add_history(line)
    return before


def _completer(offers: CompletionSource) -> Callable[[str, int], str | None]:
    found: list[str] = []

    def complete(begun: str, place: int) -> str | None:
        if place == 0:
            before = _readline.get_line_buffer()[: _readline.get_begidx()].split()
            wanted = begun.lower()
            words = sorted({one for one in offers(before, begun) if one.lower().startswith(wanted)})
            found[:] = [word if word.endswith("=") else f"{word} " for word in words]
        return found[place] if place < len(found) else None

    return complete
