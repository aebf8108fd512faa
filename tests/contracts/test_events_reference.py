"""docs/events.md lists every kind of event with its stored fields and its visible fields."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from golden.test_golden import NAMES, entries
from handful.table.evolve import EVOLVERS
from handful.table.visibility import ALL, DECLARED, NOTHING, PRESENCE, VISIBLE_FIELDS

PAGE = (Path(__file__).parents[2] / "docs" / "events.md").read_text(encoding="utf-8")
ROWS = {
    kind: (stored, visible)
    for kind, stored, visible in re.findall(r"^\| `(\w+)` \| .*? \| (.*?) \| (.*?) \|$", PAGE, re.M)
}
LEVELS = {NOTHING: "nothing", PRESENCE: "presence", DECLARED: "declared", ALL: "all"}


def fields(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def visible_column(kind: str) -> str:
    """The last column, as it follows from the one place that says what is told."""
    levels = VISIBLE_FIELDS[kind]
    if [*levels] == [ALL]:
        return fields(levels[ALL])
    return "; ".join(f"{LEVELS[level]}: {fields(names)}" for level, names in levels.items())


def stored_fields(kind: str) -> str:
    """The fields that entries of this kind have in the newest golden logs."""
    found = {name for log in NAMES for one in entries(log) if one["kind"] == kind for name in one["data"]}
    return fields(sorted(found))


def test_every_event_has_its_change_its_visibility_and_its_row() -> None:
    assert {*VISIBLE_FIELDS} == {*EVOLVERS}
    assert {*ROWS} == {*VISIBLE_FIELDS}, "docs/events.md"


@pytest.mark.parametrize("kind", VISIBLE_FIELDS)
def test_the_reference_is_up_to_date(kind: str) -> None:
    row = f"docs/events.md needs | `{kind}` | … | {stored_fields(kind)} | {visible_column(kind)} |"
    assert ROWS.get(kind) == (stored_fields(kind), visible_column(kind)), row


def test_the_reference_names_every_field_of_an_entry() -> None:
    for name in entries(NAMES[0])[0]:
        assert f"| `{name}` |" in PAGE
