"""Hints for sources that do not parse: common slips of people who do not program.

The TOML and Python parsers report errors in programmers' terms and often lines after the slip.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from handful.errors import NO_MESSAGE, Message

TRIPLE_QUOTES = ('"""', "'''")
SYNTAX_HINTS = (
    ("expected an indented block", Message("parser_advice.indented_block")),
    ("unindent does not match", Message("parser_advice.same_indent")),
    ("unexpected indent", Message("parser_advice.too_much_indent")),
    ("expected ':'", Message("parser_advice.colon")),
    ("decimal literal", Message("parser_advice.multiply")),
    ("was never closed", Message("parser_advice.close")),
    ("unmatched", Message("parser_advice.one_too_many")),
    ("instead of '='", Message("parser_advice.equals")),
    ("unterminated string", Message("parser_advice.quotes")),
)


def syntax_hint(message: str) -> Message:
    """Return a hint for a syntax error of a rule source, or an empty message."""
    return next((hint for part, hint in SYNTAX_HINTS if part in message), NO_MESSAGE)


def toml_hint(lines: Sequence[str], line: int, message: str) -> Message:
    """Return a hint for invalid TOML, from the position and message of the parser."""
    if start := _unclosed_text_line(lines, line):
        return Message("parser_advice.long_text", line=start)
    if "twice" in message or "overwrite" in message.lower():
        return Message("parser_advice.only_once")
    words = lines[line - 1] if 0 < line <= len(lines) else ""
    if message == "Invalid value" and re.search(r"=\s*[^\W\d]", words):
        return Message("parser_advice.words_quoted")
    if "after a key" in message:
        return Message("parser_advice.form_of_line")
    return NO_MESSAGE


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
