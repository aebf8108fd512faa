"""Removes comments from modules and styles before they are sent: a seventh of a page.

Only comments that stand on lines of their own are removed, and their line breaks stay, so that errors
name the right line.  Invariant: what is inside a template literal is never touched.
"""

from __future__ import annotations

import re

# A block comment or a line comment that opens a line; a backtick, at which a template begins or ends.
_PARTS = re.compile(r"^[ \t]*/\*.*?\*/[ \t]*$|^[ \t]*//[^\n]*$|\\.|`", re.M | re.S)
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.S)


def strip_script(text: str) -> str:
    """Return a module without the comments between its lines of code."""
    is_template = False

    def keep(found: re.Match[str]) -> str:
        nonlocal is_template
        part = found[0]
        if part.startswith("\\"):
            return part
        if part == "`" or is_template:
            is_template ^= part.count("`") % 2 == 1
            return part
        return "\n" * part.count("\n")

    return _PARTS.sub(keep, text)


def strip_style(text: str) -> str:
    """Return a style sheet without its comments."""
    return _STYLE_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
