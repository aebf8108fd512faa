"""Types of the pages: they follow from the server's schemas and fit what it really sends."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import page_types
import pytest

from golden import record
from handful import table as tables
from handful.table.view import ITEMS
from handful.web import games

ROOT = Path(__file__).parents[2]
TSC = ROOT / "node_modules/.bin/tsc"
GOLDEN = ROOT / "tests/golden"
EVERY = 9  # entries of a log between two views of it
TYPES = ROOT / "src/handful/web/static/app/types.js"  # its .d.ts
OPTIONS = {"target": "es2023", "module": "preserve", "strict": True, "noEmit": True, "skipLibCheck": True}


def type_check(tmp_path: Path, samples: dict[str, list[Any]]) -> str:
    """Return what tsc finds in constants of these types, unknown fields included."""
    if not TSC.exists():
        reason = "there is no node_modules: run `make lint`"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    lines = [f'import type {{ {", ".join(samples)} }} from "{TYPES.as_posix()}";']
    for name, values in samples.items():
        lines += [f"export const {name}{at}: {name} = {json.dumps(one)};" for at, one in enumerate(values)]
    file = tmp_path / "samples.ts"
    file.write_text("\n".join(lines), "utf-8")
    project = tmp_path / "tsconfig.json"
    project.write_text(json.dumps({"compilerOptions": OPTIONS, "files": [file.name]}), "utf-8")
    done = subprocess.run([TSC, "-p", project], capture_output=True, text=True, cwd=ROOT, check=False)
    return done.stdout


def test_types_follow_from_the_schemas() -> None:
    assert page_types.FILE.read_text("utf-8") == page_types.page(), "run tools/page_types.py"


def test_pages_know_every_list_that_is_patched_item_by_item() -> None:
    source = (TYPES.parent / "patch.js").read_text("utf-8")
    listed = re.search(r"KEYED = \{(.*?)\}", source, re.S)
    assert listed is not None
    assert dict(re.findall(r'(\w+): "(\w+)"', listed[1])) == {one: one.removesuffix("s") for one in ITEMS}


def recorded_views() -> Iterator[Any]:
    """Yield what each seat sees of each recorded scene, again and again while it goes on."""
    for file in sorted(GOLDEN.glob("*.jsonl")):
        entries = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        table = record.begun(record.rules_of(entries[0]["ruleset"]))
        for at, entry in enumerate(entries, 1):
            table = tables.evolve(table, tables.read_event(entry))
            if at % EVERY == 0 or at == len(entries):
                yield from (tables.view(table, seat) for seat in table.seats)


def test_recorded_tables_fit_the_types(tmp_path: Path) -> None:
    views = [*recorded_views()]
    assert len(views) > 100
    assert type_check(tmp_path, {"View": views}) == "", "web/static/app/types.d.ts lacks something"


def test_games_fit_the_types(tmp_path: Path) -> None:
    described = [games.describe_game(name) for name in games.ruleset_names()]
    assert len(described) > 5
    assert type_check(tmp_path, {"Game": described}) == ""


def test_a_field_that_nobody_knows_is_found(tmp_path: Path) -> None:
    """The check itself: neither unknown fields nor missing ones pass."""
    seat = {"name": "ann", "role": "player", "left": False}
    assert type_check(tmp_path, {"SeatView": [seat]}) == ""
    assert '"nonsense"\' does not exist' in type_check(tmp_path, {"SeatView": [seat | {"nonsense": 1}]})
    assert "'left' is missing" in type_check(tmp_path, {"SeatView": [{"name": "ann", "role": "player"}]})
