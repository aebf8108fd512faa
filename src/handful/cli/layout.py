"""Text layout for the terminal: width, colour, numbers and columns.

Tables and bars use the width of the terminal, running text at most 80 columns.  Output that does
not go to a terminal always has 80 columns, so that it can be compared.  Colour only repeats what
words and symbols already say: `NO_COLOR`, a dumb terminal and a pipe get plain text.  An output
that cannot encode block characters gets `#`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from textwrap import wrap

WIDTH = 80  # of running text, and of everything outside a terminal
NARROWEST, WIDEST = 40, 120  # of tables; in a wider one the eye loses the row
LONGEST_FRACTION = 40
_EIGHTHS = " ▏▎▍▌▋▊▉"
_STYLES = {"bold": "1", "faint": "2", "good": "32", "bad": "31"}


def width() -> int:
    """Return the width available for tables."""
    if sys.stdout is None or not sys.stdout.isatty():
        return WIDTH
    from shutil import get_terminal_size  # honours COLUMNS

    return min(max(get_terminal_size((WIDTH, 24)).columns, NARROWEST), WIDEST)


def has_color() -> bool:
    """Return True if standard output shows colour and the environment does not forbid it."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def apply_style(text: str, style: str) -> str:
    """Style text as bold, faint, good or bad; unchanged without colour."""
    return f"\033[{_STYLES[style]}m{text}\033[0m" if text and has_color() else text


def has_block_characters() -> bool:
    """Return True if standard output can encode block characters."""
    try:
        "█▏→·".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def bar(share: Fraction | float, width: int) -> str:
    """Draw a bar that fills `share` of a width."""
    eighths = round(share * width * 8)
    if not has_block_characters():
        return "#" * (eighths // 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def arrow() -> str:
    return "→" if has_block_characters() else ">"


# -- numbers


def format_percent(chance: Fraction) -> str:
    """Format as `64.88%`; 0 and 100 are reserved for the impossible and the certain."""
    hundredths = round(chance * 10000)
    if chance > 0 and hundredths == 0:
        return "<0.01%"
    if chance < 1 and hundredths == 10000:
        return ">99.99%"
    return f"{hundredths // 100}.{hundredths % 100:02}%"


def format_fraction(value: Fraction) -> str:
    """Format an exact fraction; a very long one is replaced by a note."""
    text = str(value)
    if len(text) <= LONGEST_FRACTION:
        return text
    return "(long fraction: see --json)"


def format_decimal(value: Fraction | int) -> str:
    """Format with two decimal places; integers without."""
    if isinstance(value, int) or value.denominator == 1:
        return str(value)
    hundredths = round(abs(value) * 100)
    sign = "-" if value < 0 else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}"


def format_signed(value: Fraction | int) -> str:
    """Format as `+2`, `-0.5`, `+1/3`."""
    exact = value if isinstance(value, int) else Fraction(value)
    short = float(exact) if isinstance(exact, Fraction) and exact.denominator in (2, 4) else exact
    return f"+{short}" if exact > 0 else str(short)


def format_entries(count: int) -> str:
    """Format a number of log entries: `1 entry`, `2 entries`."""
    return "1 entry" if count == 1 else f"{count:,} entries"


# -- lines


def wrap_text(text: str, indent: int = 0, hanging: int | None = None) -> list[str]:
    """Wrap text to the width; later lines are indented by `hanging`."""
    later = indent if hanging is None else hanging
    return wrap(
        text,
        min(WIDTH, width()),
        initial_indent=" " * indent,
        subsequent_indent=" " * later,
        break_on_hyphens=False,
    ) or [""]


def columns(rows: Sequence[Sequence[str]], indent: int = 2, gap: int = 2) -> list[str]:
    """Align rows in columns; the last column is wrapped."""
    if not rows:
        return []
    fixed = len(rows[0]) - 1
    widths = [max(len(row[column]) for row in rows) for column in range(fixed)]
    lines = []
    for row in rows:
        head = " " * indent + "".join(
            f"{cell:<{width + gap}}" for cell, width in zip(row[:-1], widths, strict=True)
        )
        lines += wrap_after(head, row[-1])
    return lines


def wrap_after(head: str, text: str) -> list[str]:
    """Wrap text after a head; later lines align with the first."""
    room = width() - len(head)
    if room < 16:
        return [*wrap_text(head.strip(), 2, 4), *wrap_text(text, 4)]
    lines = wrap(text, room, break_on_hyphens=False) or [""]
    return [(head + lines[0]).rstrip(), *(" " * len(head) + line for line in lines[1:])]


def section(title: str, lines: Iterable[str]) -> list[str]:
    """Return lines under a title, after a blank line; empty if there are no lines."""
    body = list(lines)
    return ["", apply_style(title, "bold"), *body] if body else []


def shorten(text: str, width: int) -> str:
    """Shorten text to one line, cut at a word."""
    if len(text) <= width:
        return text
    return text[: width - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") + ("…" if has_block_characters() else "~")
