"""A table file stores its rules and continues with them; old layouts are migrated."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from cli_runner import COIN_GAME

import handful
from handful.errors import Refused
from handful.library import tables as library
from handful.library.files import shipped
from handful.library.tables import new_table, open_table
from handful.store import SQLiteStore, StoreFault, migrations
from handful.table import Command
from handful.verifier import verify

HOUSE = """
language = 1
id = "house"
extends = "base.toml"
title = { en = "House coins" }
[checks.flip]
help = { en = "Flip our coins." }
"""
# The first layout, word for word; files like this are out there.
FIRST_LAYOUT = """
CREATE TABLE tables (
    table_id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    secret BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
    table_id TEXT NOT NULL REFERENCES tables (table_id),
    seq INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = 1212574820;
PRAGMA user_version = 1;
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a user's game and one that extends it."""
    (tmp_path / "base.toml").write_text(COIN_GAME, encoding="utf-8")
    (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def played(game: str, file: str = "evening.handful") -> dict[str, Any]:
    """A table with a roll in a file; the GM's view of it."""
    kept = new_table(game, name="evening", file=file)
    flip = {"check": "flip", "parameters": {"coins": 5, "need": 2}}
    kept.do("gm", Command("declare", "1", flip))
    kept.do("gm", Command("throw", "2", {"roll": "gm/1"}))
    seen = kept.view("gm")
    kept.store.close()
    return seen


def more(text: str) -> str:
    """Other rules of the same game: every head counts for two."""
    changed = text.replace("total = sum(pool)", "total = 2 * sum(pool)")
    assert changed != text
    return changed


@pytest.mark.parametrize("change", ["changed", "base changed", "gone", "broken", "newer"])
def test_a_table_goes_on_by_its_own_rules(folder: Path, change: str) -> None:
    seen = played("house.toml")
    base, house = folder / "base.toml", folder / "house.toml"
    if change == "changed":
        house.write_text(HOUSE.replace("House coins", "Our coins"), encoding="utf-8")
    elif change == "base changed":
        base.write_text(more(COIN_GAME), encoding="utf-8")
    elif change == "gone":
        house.unlink()
    elif change == "broken":
        house.write_text("language = ", encoding="utf-8")
    else:
        house.write_text(HOUSE.replace("language = 1", "language = 99"), encoding="utf-8")
    kept = open_table("evening.handful")
    assert kept.view("gm") == seen
    flip = {"check": "flip", "parameters": {"coins": 1}}
    kept.do("gm", Command("declare", "3", flip))
    kept.do("gm", Command("throw", "4", {"roll": "gm/3", "faces": [2]}))
    assert kept.view("gm")["rolls"][-1]["outcome"]["heads"] == 1
    assert not verify(kept.export("gm"))[0]
    kept.store.close()
    if change == "base changed":  # the new rules count at a new table
        other = new_table("house.toml", name="second", file="evening.handful")
        assert other.rules.hash != seen["game"]["hash"]
        other.do("gm", Command("declare", "3", flip))
        other.do("gm", Command("throw", "4", {"roll": "gm/3", "faces": [2]}))
        assert other.view("gm")["rolls"][-1]["outcome"]["heads"] == 2
        other.store.close()


def test_stored_rules_reveal_nothing_about_the_machine(folder: Path) -> None:
    played(str(folder / "house.toml"), str(folder / "evening.handful"))
    store = SQLiteStore("evening.handful")
    (opened,) = store.tables()
    names = [name for name, _ in store.rules(opened.rules_hash)]
    store.close()
    assert [name.rpartition("/")[2] for name in names] == ["base.toml", "house.toml"]
    assert not any(name.startswith("/") for name in names)


def test_rules_that_this_handful_cannot_read_are_a_clear_fault(folder: Path) -> None:
    """Kept by a newer Handful whose language this one does not know."""
    played("house.toml")
    store = SQLiteStore("evening.handful")
    (opened,) = store.tables()
    texts = [
        (name, text.replace("language = 1", "language = 99")) for name, text in store.rules(opened.rules_hash)
    ]
    store._database.execute("UPDATE rulesets SET texts = ?", (json.dumps(texts),))
    store.close()
    (folder / "house.toml").unlink()
    before = (folder / "evening.handful").read_bytes()
    with pytest.raises(StoreFault, match=r"by this Handful .*language 99") as fault:
        open_table("evening.handful")
    assert fault.value.hint
    assert (folder / "evening.handful").read_bytes() == before


def test_tampered_stored_rules_are_found(folder: Path) -> None:
    played("house.toml")
    store = SQLiteStore("evening.handful")
    store._database.execute("UPDATE rulesets SET texts = replace(texts, 'Flip our coins', 'Flip')")
    store.close()
    (folder / "house.toml").unlink()
    with pytest.raises(StoreFault, match="not those it was played with"):
        open_table("evening.handful")


# -- files of the first layout


def old_file(path: str = "old.handful", game: str = "house.toml") -> dict[str, Any]:
    """A table in a file as the first layout had it; the GM's view of it."""
    seen = played(game, "new.handful")
    store = SQLiteStore("new.handful")
    (opened,), entries = store.tables(), store.read("evening")
    store.close()
    with sqlite3.connect(path) as file:
        file.executescript(FIRST_LAYOUT)
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("INSERT INTO tables VALUES (?, ?, ?)", (opened.table, game, opened.secret))
        rows = [("evening", one["seq"], json.dumps(one)) for one in entries]
        file.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
    file.close()
    os.remove("new.handful")
    return seen


def shape(path: str) -> tuple[Any, ...]:
    with sqlite3.connect(path) as file:
        version = file.execute("PRAGMA user_version").fetchone()[0]
        tables = sorted(file.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
        columns = [file.execute(f"PRAGMA table_info({name})").fetchall() for (name,) in tables]
    file.close()
    return version, tables, columns


@pytest.mark.usefixtures("folder")
def test_a_file_of_the_first_layout_is_migrated() -> None:
    seen = old_file()
    kept = open_table("old.handful")
    assert kept.view("gm") == seen
    assert kept.header.rules_hash == kept.rules.hash
    kept.do("gm", Command("declare", "3", {"check": "flip", "parameters": {"coins": 1}}))
    kept.store.close()
    played("house.toml", "fresh.handful")
    assert shape("old.handful") == shape("fresh.handful")
    assert shape("old.handful")[0] == migrations.VERSION == 8
    os.remove("house.toml")  # its rules have been kept meanwhile
    again = open_table("old.handful")
    assert len(again.view("gm")["rolls"]) == 2
    again.store.close()


@pytest.mark.usefixtures("folder")
def test_an_old_file_without_its_rules_is_refused_by_name() -> None:
    old_file()
    Path("base.toml").write_text(more(COIN_GAME), encoding="utf-8")
    with pytest.raises(Refused, match="other rules"):
        open_table("old.handful")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("fault", [StoreFault, KeyboardInterrupt, MemoryError])
def test_an_interrupted_migration_leaves_the_file_unchanged(
    monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
) -> None:
    seen = old_file()
    before = shape("old.handful")

    def broken(file: sqlite3.Connection) -> None:
        migrations.MIGRATIONS[1](file)
        assert file.execute("SELECT count(*) FROM rulesets").fetchone() == (0,)
        raise fault("in the middle")

    from handful.store import sqlite

    with monkeypatch.context() as during:
        during.setattr(sqlite, "MIGRATIONS", [migrations.MIGRATIONS[0], broken])
        with pytest.raises(fault):
            SQLiteStore("old.handful")
    assert shape("old.handful") == before
    assert before[0] == 1
    kept = open_table("old.handful")
    assert kept.view("gm") == seen
    kept.store.close()


# -- who may read it


@pytest.mark.skipif(os.name != "posix", reason="rights of files are POSIX's")
@pytest.mark.usefixtures("folder")
def test_a_new_file_is_its_owners_alone() -> None:
    before = os.umask(0)
    try:
        kept = new_table("house.toml", name="evening", file="evening.handful")
        modes = {
            name: stat.S_IMODE(os.stat(name).st_mode) for name in os.listdir() if name.startswith("evening")
        }
        kept.store.close()
    finally:
        os.umask(before)
    assert set(modes.values()) == {0o600}
    assert {"evening.handful", "evening.handful-wal"} <= set(modes)


def test_shipped_games_are_stored_with_their_bases(tmp_path: Path) -> None:
    for game in shipped():
        kept = new_table(game, name=game, file=tmp_path / "all.handful")
        texts = kept.store.rules(kept.rules.hash)
        again = library._stored_rules(kept.header, texts)
        assert again.hash == handful.ruleset(game).hash
        kept.store.close()
