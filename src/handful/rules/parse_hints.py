"""Hints for sources that do not parse: common slips of people who do not program.

The TOML and Python parsers report errors in programmers' terms and often lines after the slip.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

TRIPLE_QUOTES = ('"""', "'''")
SYNTAX_HINTS = (
    (
        "expected an indented block",
        "lines that belong to a line with : begin with four spaces more",
    ),
    ("unindent does not match", "lines that belong together begin with as many spaces"),
    ("unexpected indent", "only lines that belong to a line with : begin with more spaces"),
    ("expected ':'", "if, else, for and while end with : and their lines follow below"),
    ("decimal literal", "dice are thrown by roll(2, d6); numbers are multiplied by *"),
    ("was never closed", "every ( needs its )"),
    ("unmatched", "there is one ) or ] too many"),
    ("instead of '='", "== compares, = gives a name its value"),
    ("unterminated string", 'words begin and end with "'),
)


def syntax_hint(message: str) -> str:
    """Return a hint for a syntax error of a rule source, or an empty string."""
    return next((hint for part, hint in SYNTAX_HINTS if part in message), "")


def toml_hint(lines: Sequence[str], line: int, message: str) -> str:
    """Return a hint for invalid TOML, from the position and message of the parser."""
    if start := _unclosed_text_line(lines, line):
        return f'the long text that begins in line {start} has no """ at its end'
    if "twice" in message or "overwrite" in message.lower():
        return "a part or a name stands only once in a file: put both together"
    words = lines[line - 1] if 0 < line <= len(lines) else ""
    if message == "Invalid value" and re.search(r"=\s*[^\W\d]", words):
        return 'words stand in quotation marks: en = "Words"; numbers are digits: max = 5'
    if "after a key" in message:
        return "a line is name = value, a heading [part], or a remark that begins with #"
    return ""


def _unclosed_text_line(lines: Sequence[str], line: int) -> int:
    """Return the line of an unclosed multi-line string that swallows the next header; 0 if none."""
    quotes, start = "", 0
    for number, text in enumerate(lines[:line], 1):
        if quotes and re.match(r"\[[\w.]+\]\s*$", text):
            return start  # no rule source has such a line
        if not quotes and text.lstrip().startswith("#"):
            continue
        for quote in re.findall("|".join(TRIPLE_QUOTES), text):
            if not quotes:
                quotes, start = quote, number
            elif quotes == quote:
                quotes = ""
    return start if quotes else 0
