"""Full and read-only disks, produced by the operating system.

Everything that was acknowledged stays, the file stays as it was, and the table goes on when there
is room again.  What needs a right that the tests do not have is skipped, and says so.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import handful
from handful.store import SQLiteStore, StoredTable, StoreFault, TableHeader
from handful.table import Command
from handful.verifier import verify

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights and limits are POSIX's")
UWR = handful.ruleset("uwr").rules
EVENING = TableHeader("evening", "uwr", bytes(32), UWR.hash)
NOBODY = 65534
ASKED = {"check": "direct", "parameters": {"attribute": 3, "target": 1}}


def table(store: SQLiteStore) -> StoredTable:
    return StoredTable(store, EVENING, UWR, lambda: "2026-11-15T20:00:00Z")


def begun(path: str) -> SQLiteStore:
    store = SQLiteStore(path, create=True)
    store.create_table(EVENING)
    own = table(store)
    own.do("gm", Command("open", "1", {"table": "evening"}))
    roll(own, "first")
    return store


def roll(own: StoredTable, key: str) -> int:
    """Declare and throw; the number of the last event that was acknowledged."""
    own.do("gm", Command("declare", key, ASKED))
    own.do("gm", Command("throw", f"{key}t", {"roll": f"gm/{key}"}))
    return own.table.seq


def until_refused(own: StoredTable, name: str, most: int = 20_000) -> tuple[int, StoreFault]:
    """Rolls until the disk is full; how far that went, and what was said."""
    for at in range(most):
        acknowledged = own.table.seq
        try:
            roll(own, f"{name}{at}")
        except StoreFault as fault:
            return max(acknowledged, own.table.seq), fault
    raise AssertionError("it never got full")


def sound(path: str, acknowledged: int) -> None:
    """A file with everything that was acknowledged, and no half roll."""
    store = SQLiteStore(path)
    own = table(store)
    kinds = [entry["kind"] for entry in store.read("evening")]
    assert len(kinds) >= acknowledged
    assert kinds.count("dice_thrown") == kinds.count("roll_finalised")
    assert not verify(own.export("gm"))[0]
    store.close()


def child(work: Callable[[], Any], *, uid: int | None = None) -> Any:
    """Return the result of `work` in a process of its own, optionally as another user."""
    ours, theirs = os.pipe()
    number = os.fork()
    if number == 0:
        try:
            if uid is not None:
                os.setgroups([])
                os.setgid(uid)
                os.setuid(uid)
            said: Any = {"gave": work()}
        except StoreFault as fault:
            said = {"fault": fault.message, "hint": fault.hint}
        except PermissionError as error:
            said = {"denied": str(error)}
        except BaseException as error:
            said = {"error": repr(error)}
        os.write(theirs, json.dumps(said).encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        said = json.loads(pipe.read())
    os.waitpid(number, 0)
    assert "error" not in said, said
    if "denied" in said:
        pytest.skip(f"rights cannot be tested here: {said['denied']}")
    return said


def bounded(work: Callable[[], Any]) -> Any:
    """Return the result of `work` in a process without root rights."""
    return child(work, uid=NOBODY if os.geteuid() == 0 else None)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder that the user nobody may enter and write; pytest's own are private."""
    if os.geteuid() != 0:
        yield tmp_path
        return
    place = Path("/tmp") / f"handful-{os.getpid()}-{tmp_path.name}"
    place.mkdir(mode=0o755)
    os.chown(place, NOBODY, NOBODY)
    yield place
    shutil.rmtree(place)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk; the limit on file sizes is tested anyway")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip(f"no disk may be mounted here: {mounted.stderr.decode().strip()}")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_disk_that_is_full_and_gets_room_again(small_disk: Path) -> None:
    path, filler = str(small_disk / "evening.handful"), small_disk / "filler"
    store = begun(path)
    own = table(store)
    filler.write_bytes(bytes(400_000))
    acknowledged, fault = until_refused(own, "a")
    assert "full" in fault.message
    assert "free some space" in fault.hint
    acknowledged, fault = until_refused(own, "again", most=2)
    assert "full" in fault.message
    before = own.view("gm")
    assert len(store.read("evening")) == acknowledged == own.table.seq
    assert own.view("gm") == before
    filler.unlink()
    after = roll(own, "b")
    assert after == acknowledged + 3
    store.close()
    sound(path, after)


def test_a_full_disk_takes_no_new_file(small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(bytes(1 << 20))
    path = str(small_disk / "evening.handful")
    with pytest.raises(StoreFault, match="full"):
        begun(path)
    (small_disk / "filler").unlink()
    begun(path).close()
    sound(path, 5)


def test_a_disk_that_may_only_be_read(small_disk: Path) -> None:
    path = small_disk / "evening.handful"
    begun(str(path)).close()
    before = path.read_bytes()
    remount = ["mount", "-o", "remount,ro", str(small_disk)]
    subprocess.run(remount, check=True)
    with pytest.raises(StoreFault, match=r"cannot be written|cannot be opened") as fault:
        SQLiteStore(str(path))
    assert fault.value.hint
    with pytest.raises(StoreFault, match="cannot be opened"):
        SQLiteStore(str(small_disk / "other.handful"), create=True)
    assert path.read_bytes() == before
    assert os.listdir(small_disk) == [path.name]
    subprocess.run([*remount[:2], "remount,rw", str(small_disk)], check=True)
    store = SQLiteStore(str(path))
    roll(table(store), "b")
    store.close()
    sound(str(path), 8)


def test_files_that_may_not_grow(folder: Path) -> None:
    """A limit on the size of files; the system says otherwise that it did not write."""
    path = str(folder / "evening.handful")

    def play() -> list[Any]:
        store = begun(path)
        own = table(store)
        most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, most))
        acknowledged, fault = until_refused(own, "a")
        saved = len(store.read("evening"))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        after = roll(own, "b")
        store.close()
        return [acknowledged, saved, after, fault.message, fault.hint]

    acknowledged, saved, after, message, hint = bounded(play)["gave"]
    assert "nothing was" in message
    assert hint
    assert acknowledged == saved
    assert after == acknowledged + 3
    sound(path, after)


def rights(folder: Path) -> None:
    os.chmod(folder / "evening.handful", 0o444)


def no_folder(folder: Path) -> None:
    os.chmod(folder, 0o555)


def neither(folder: Path) -> None:
    rights(folder)
    no_folder(folder)


def unreadable(folder: Path) -> None:
    os.chmod(folder / "evening.handful", 0)


@pytest.mark.parametrize("close", [rights, no_folder, neither, unreadable])
def test_a_read_only_file_is_refused_and_unchanged(folder: Path, close: Callable[[Path], None]) -> None:
    path = folder / "evening.handful"
    bounded(lambda: begun(str(path)).close())
    before, names = path.read_bytes(), os.listdir(folder)
    close(folder)
    said = bounded(lambda: roll(table(SQLiteStore(str(path))), "b"))
    assert "gave" not in said
    assert "cannot be written" in said["fault"] or "cannot be opened" in said["fault"]
    assert said["hint"]
    made = bounded(lambda: SQLiteStore(str(folder / "other.handful"), create=True).close())
    assert ("fault" in made) == (close in (no_folder, neither))
    assert sorted(os.listdir(folder)) == sorted([*names, *["other.handful"] * ("gave" in made)])
    os.chmod(folder, 0o755)
    os.chmod(path, 0o600)
    assert path.read_bytes() == before
    assert bounded(lambda: roll(table(SQLiteStore(str(path))), "b")) == {"gave": 9}, "an epoch, too"
    sound(str(path), 9)


@pytest.mark.parametrize("beside", ["-wal", "-shm"])
def test_a_write_ahead_log_that_cannot_be_created(tmp_path: Path, beside: str) -> None:
    path = tmp_path / "evening.handful"
    begun(str(path)).close()
    before = path.read_bytes()
    in_the_way = Path(f"{path}{beside}")
    in_the_way.mkdir()
    with pytest.raises(StoreFault, match=r"cannot be opened|cannot be written") as fault:
        roll(table(SQLiteStore(str(path))), "b")
    assert fault.value.hint
    assert path.read_bytes() == before
    in_the_way.rmdir()
    store = SQLiteStore(str(path))
    roll(table(store), "b")
    store.close()
    sound(str(path), 8)
