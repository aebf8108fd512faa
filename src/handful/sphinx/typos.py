"""Finds misspelled names of our directives and roles.

Sphinx leaves out an unknown directive and goes on, in Markdown with a warning only: the rulebook
would lack its table.  So pages are searched for similar names before Sphinx parses them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher

from handful.errors import Message, Refused

DIRECTIVE = re.compile(r"^[ \t>]*(?:\.\.[ \t]+([\w-]+)::|(?:`{3,}|~{3,}|:{3,})[ \t]*\{([\w-]+)\})", re.M)
ROLE = re.compile(r"(?<![\w`{}:]):([\w-]+):`|(?<![\w`{}])\{([\w-]+)\}`(?!`)")
ROLES = ("handful",)
LIKE = 0.85  # similarity from which a name counts as a misspelling


def typos(text: str, directives: Collection[str]) -> Iterator[tuple[int, Refused]]:
    """Yield the line and the error of each misspelled name."""
    for found, names, what in ((DIRECTIVE, directives, "directive"), (ROLE, ROLES, "role")):
        for one in found.finditer(text):
            name = one[1] or one[2]
            meant = _closest(name, names)
            if meant:
                line = text.count("\n", 0, one.start(one.lastindex or 0)) + 1
                wrong = Message("name.unknown", what=what, name=name[:40], names=names)
                yield line, Refused(wrong, Message("did_you_mean", name=meant))


def _closest(name: str, names: Collection[str]) -> str:
    if name in names:
        return ""
    close = {own: SequenceMatcher(None, name, own).ratio() for own in names}
    best = max(close, key=lambda own: close[own])
    return best if close[best] >= LIKE else ""
