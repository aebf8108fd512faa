"""Epochs and signing keys in a store."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from stores import KINDS, new_store

from handful import ed25519
from handful.store import Conflict, Epoch, SQLiteStore, Store, TableDeleted, TableHeader
from handful.store.migrations import MIGRATIONS
from handful.store.signing import LibraryKey, signer

EVENING = TableHeader("evening", "uwr", bytes(range(32)))
FIRST, SECOND = Epoch(1, b"a" * 32), Epoch(2, b"b" * 32)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "tables.handful")


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    made = new_store(request.param, request)
    made.create_table(EVENING)
    yield made
    made.close()


def test_an_epoch_is_saved_with_its_entry(store: Store) -> None:
    assert store.epochs("evening") == {}
    store.append("evening", [{"n": 1}], after=0, epoch=FIRST)
    store.append("evening", [{"n": 2}], after=1)
    store.append("evening", [{"n": 3}], after=2, epoch=SECOND)
    assert store.epochs("evening") == {1: FIRST.secret, 2: SECOND.secret}
    assert len(store.read("evening")) == 3


def test_an_epoch_begins_once(store: Store) -> None:
    """Of two processes that open a table at once, the second begins the next epoch."""
    store.append("evening", [{"n": 1}], after=0, epoch=FIRST)
    with pytest.raises(Conflict):
        store.append("evening", [{"n": 1}], after=0, epoch=SECOND)
    with pytest.raises(Conflict):
        store.append("evening", [{"n": 2}], after=1, epoch=Epoch(1, b"c" * 32))
    assert store.epochs("evening") == {1: FIRST.secret}
    assert len(store.read("evening")) == 1
    store.append("evening", [{"n": 2}], after=1, epoch=SECOND)


def test_each_table_has_a_signing_key_of_its_own(store: Store) -> None:
    store.create_table(TableHeader("other", "uwr", bytes(32)))
    seeds = [store.signing_seed(table) for table in ("evening", "other")]
    assert seeds == [store.signing_seed(table) for table in ("evening", "other")]
    assert len({*seeds}) == 2
    assert {len(seed) for seed in seeds} == {ed25519.SEED_BYTES}


def test_tables_of_an_older_file_get_a_signing_key(path: str) -> None:
    with closing(sqlite3.connect(path)) as file:
        for step in MIGRATIONS[:5]:
            step(file)
        for table in ("one", "two"):
            file.execute("INSERT INTO tables VALUES (?, 'uwr', x'00', '', '')", (table,))
        file.execute("PRAGMA user_version = 5")
        file.commit()
    store = SQLiteStore(path)
    assert len({store.signing_seed("one"), store.signing_seed("two")}) == 2
    assert len(store.signing_seed("one")) == ed25519.SEED_BYTES
    assert store.epochs("one") == {}
    store.close()


def test_a_deleted_table_leaves_no_secret(path: str) -> None:
    store = SQLiteStore(path, create=True)
    store.create_table(EVENING)
    store.append("evening", [{"n": 1}], after=0, epoch=FIRST)
    seed = store.signing_seed("evening")
    store.delete_table("evening")
    assert store.epochs("evening") == {}
    with pytest.raises(TableDeleted):
        store.signing_seed("evening")
    store.close()
    content = Path(path).read_bytes()
    assert FIRST.secret not in content
    assert seed not in content


def test_secrets_do_not_show_in_a_traceback() -> None:
    assert "aaa" not in repr(FIRST)


def test_the_library_and_our_own_code_sign_alike() -> None:
    pytest.importorskip("cryptography")
    for seed in (bytes(32), bytes(range(32))):
        one, other = LibraryKey(seed), ed25519.SigningKey(seed)
        assert one.public_key == other.public_key
        assert one.sign(b"a line") == other.sign(b"a line")


def test_tables_are_signed_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    for name in [name for name in sys.modules if name.startswith("cryptography.")]:
        monkeypatch.delitem(sys.modules, name)
    assert isinstance(signer(bytes(32)), ed25519.SigningKey)
