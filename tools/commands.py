"""Write the table of commands in docs/table.md from the records of commands.

A test fails when it is out of date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP / "src"))

from handful.table.commands import CommandBody, command_kinds, fields_of  # noqa: E402

PAGE = TOP / "docs" / "table.md"
HEADER = "| command | by | fields | |\n|---|---|---|---|\n"
TABLE = re.compile(re.escape(HEADER) + r"(?:\|.*\n)+")
TITLES = {  # module -> heading of its commands
    "seats": "The table",
    "messages": "Messages",
    "rolls": "A roll",
    "requests": "Requests and calls",
    "contests": "Contests",
    "characters": "Characters",
    "fights": "A fight",
}


def row(cls: type[CommandBody]) -> str:
    """Return a command's row: its kind, who may give it, its fields, and what it does."""
    fields = [f"`{name}`" if one.required else f"`{name}`?" for name, one in fields_of(cls).items()]
    meaning = " ".join((cls.__doc__ or "").split())
    return f"| `{cls.kind}` | {cls.by} | {', '.join(fields)} | {meaning} |\n"


def rows() -> Iterator[str]:
    for module, title in TITLES.items():
        yield f"| **{title}** | | | |\n"
        for cls in command_kinds().values():
            if cls.__module__.endswith(f".{module}"):
                yield row(cls)


def page(text: str) -> str:
    """Return docs/table.md with its table of commands written anew, in the order of the records."""
    return TABLE.sub(lambda _: HEADER + "".join(rows()), text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
