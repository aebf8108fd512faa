"""What is probably meant where a text cannot even be read: the slips that everybody makes.

The readers of TOML and of rule texts say what they have stumbled over, in the words of programmers
and often lines after the slip.  These hints are for people who do not program.
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
    """What helps with a rule text that cannot be read."""
    return next((hint for part, hint in SYNTAX_HINTS if part in message), "")


def toml_hint(lines: Sequence[str], line: int, message: str) -> str:
    """What helps with a file that is no TOML, by where its reader has stumbled."""
    if opened := _unclosed_text_line(lines, line):
        return f'the long text that begins in line {opened} has no """ at its end'
    if "twice" in message or "overwrite" in message.lower():
        return "a part or a name stands only once in a file: put both together"
    words = lines[line - 1] if 0 < line <= len(lines) else ""
    if message == "Invalid value" and re.search(r"=\s*[^\W\d]", words):
        return 'words stand in quotation marks: en = "Words"; numbers are digits: max = 5'
    if "after a key" in message:
        return "a line is name = value, a heading [part], or a remark that begins with #"
    return ""


def _unclosed_text_line(lines: Sequence[str], line: int) -> int:
    """The line of a long text that swallows the heading after it; 0 if there is none."""
    quotes, began = "", 0
    for number, words in enumerate(lines[:line], 1):
        if quotes and re.match(r"\[[\w.]+\]\s*$", words):
            return began  # no rule has such a line
        if not quotes and words.lstrip().startswith("#"):
            continue
        for one in re.findall("|".join(TRIPLE_QUOTES), words):
            if not quotes:
                quotes, began = one, number
            elif quotes == one:
                quotes = ""
    return began if quotes else 0
