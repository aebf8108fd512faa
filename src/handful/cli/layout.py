"""How text is laid out: in the width of the terminal, with colour only where it is wanted.

Tables and bars use a wide terminal, running text stays at 80 columns, a narrow terminal narrows
both.  Whatever is not shown in a terminal has 80 columns, always: it may be compared or kept.
Colour repeats what words and symbols say already.  `NO_COLOR`, a dumb terminal and a pipe get
plain text; an output that cannot show block characters gets `#`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from textwrap import wrap

WIDTH = 80  # of running text, and of everything outside a terminal
NARROWEST, WIDEST = 40, 120  # of tables; a wider one tears its columns apart
LONGEST_FRACTION = 40
_EIGHTHS = " ▏▎▍▌▋▊▉"
_STYLES = {"bold": "1", "faint": "2", "good": "32", "bad": "31"}


def width() -> int:
    """The columns that a table may have."""
    if sys.stdout is None or not sys.stdout.isatty():
        return WIDTH
    from shutil import get_terminal_size  # which heeds COLUMNS, too

    return min(max(get_terminal_size((WIDTH, 24)).columns, NARROWEST), WIDEST)


def has_color() -> bool:
    """Whether standard output shows colour and somebody wants it."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def apply_style(text: str, style: str) -> str:
    """Text in a style: bold, faint, good or bad."""
    return f"\033[{_STYLES[style]}m{text}\033[0m" if text and has_color() else text


def has_block_characters() -> bool:
    """Whether standard output can show block characters."""
    try:
        "█▏→·".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def bar(share: Fraction | float, width: int) -> str:
    """A bar of a share of a width."""
    eighths = round(share * width * 8)
    if not has_block_characters():
        return "#" * (eighths // 8)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def arrow() -> str:
    return "→" if has_block_characters() else ">"


# -- numbers


def format_percent(chance: Fraction) -> str:
    """`64.88%`; never 0 or 100 for what may or may not happen."""
    hundredths = round(chance * 10000)
    if chance > 0 and hundredths == 0:
        return "<0.01%"
    if chance < 1 and hundredths == 10000:
        return ">99.99%"
    return f"{hundredths // 100}.{hundredths % 100:02}%"


def format_fraction(value: Fraction) -> str:
    """An exact fraction as long as it can be read."""
    written = str(value)
    if len(written) <= LONGEST_FRACTION:
        return written
    return "(a long fraction: --json has it whole)"


def format_decimal(value: Fraction | int) -> str:
    """A number with two places, or as it is if it is whole."""
    if isinstance(value, int) or value.denominator == 1:
        return str(value)
    hundredths = round(abs(value) * 100)
    sign = "-" if value < 0 else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}"


def format_signed(value: Fraction | int) -> str:
    """`+2`, `-0.5`, `+1/3`."""
    plain = value if isinstance(value, int) else Fraction(value)
    short = float(plain) if isinstance(plain, Fraction) and plain.denominator in (2, 4) else plain
    return f"+{short}" if plain > 0 else str(short)


# -- lines


def wrap_text(text: str, indent: int = 0, hanging: int | None = None) -> list[str]:
    """Text in lines that fit, the later ones further in."""
    later = indent if hanging is None else hanging
    return wrap(
        text,
        min(WIDTH, width()),
        initial_indent=" " * indent,
        subsequent_indent=" " * later,
        break_on_hyphens=False,
    ) or [""]


def columns(rows: Sequence[Sequence[str]], indent: int = 2, gap: int = 2) -> list[str]:
    """Rows in columns; the last column is folded."""
    if not rows:
        return []
    places = len(rows[0]) - 1
    widths = [max(len(row[place]) for row in rows) for place in range(places)]
    lines = []
    for row in rows:
        head = " " * indent + "".join(
            f"{cell:<{width + gap}}" for cell, width in zip(row[:-1], widths, strict=True)
        )
        lines += wrap_after(head, row[-1])
    return lines


def wrap_after(head: str, text: str) -> list[str]:
    """Text beside a head, its later lines under the first."""
    room = width() - len(head)
    if room < 16:
        return [*wrap_text(head.strip(), 2, 4), *wrap_text(text, 4)]
    lines = wrap(text, room, break_on_hyphens=False) or [""]
    return [(head + lines[0]).rstrip(), *(" " * len(head) + line for line in lines[1:])]


def section(title: str, lines: Iterable[str]) -> list[str]:
    """Lines under a title, after a blank line; nothing if there are none."""
    body = list(lines)
    return ["", apply_style(title, "bold"), *body] if body else []


def shorten(text: str, width: int) -> str:
    """Text on one line, cut at a word where it does not fit."""
    if len(text) <= width:
        return text
    return text[: width - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") + ("…" if has_block_characters() else "~")
