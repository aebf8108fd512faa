"""docs/table.md lists every command, with the fields that follow from its record."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from handful.table.commands import command_kinds

TOP = Path(__file__).parents[2]
sys.path.insert(0, str(TOP / "tools"))

import commands  # noqa: E402

PAGE = commands.PAGE.read_text(encoding="utf-8")


def test_every_command_has_its_row() -> None:
    (table,) = commands.TABLE.findall(PAGE)
    assert {*re.findall(r"^\| `(\w+)` \| .*? \| .*? \| .+? \|$", table, re.M)} == {*command_kinds()}


def test_the_reference_is_up_to_date() -> None:
    assert commands.page(PAGE) == PAGE, "run python tools/commands.py"
