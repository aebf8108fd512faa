"""Other systems, simulated as far as this one allows: Windows has no directories to flush, no sessions,
and other signals and paths."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path, PureWindowsPath

import pytest

from handful.library.tables import new_table
from handful.store import maintenance
from handful.store.sqlite import read_only_uri
from handful.web import run, worker_main, workers


def test_windows_opens_no_directory_to_flush_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There, opening a directory fails, and so does flushing a file that is open for reading."""
    new_table("uwr", file=tmp_path / "tables.db").store.close()
    real, flushed = os.open, dict[int, int]()

    def opened(path: str, flags: int, *more: int) -> int:
        if os.path.isdir(path):
            raise PermissionError(13, "Permission denied")
        descriptor = real(path, flags, *more)
        flushed[descriptor] = flags
        return descriptor

    def flush(descriptor: int) -> None:
        if not flushed[descriptor] & os.O_RDWR:
            raise OSError(9, "Bad file descriptor")

    monkeypatch.setattr(maintenance.os, "open", opened)
    monkeypatch.setattr(maintenance.os, "fsync", flush)
    file = str(tmp_path / "tables.db")
    with pytest.raises(OSError, match="Bad file descriptor"):
        maintenance._fsync(file)  # as elsewhere
    monkeypatch.setattr(maintenance.os, "name", "nt")
    maintenance._fsync(file)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (r"C:\Games\our table.db", "file:///C:/Games/our%20table.db?mode=ro"),
        (r"D:\50%\#1?.db", "file:///D:/50%25/%231%3F.db?mode=ro"),
    ],
)
def test_a_path_on_a_windows_drive_is_a_uri_that_sqlite_reads(path: str, uri: str) -> None:
    assert read_only_uri(path, PureWindowsPath) == uri


def test_a_path_with_odd_characters_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "50% #1?.db"
    new_table("uwr", file=file).store.close()
    assert len(maintenance.list_tables(str(file))) == 1


def test_ctrl_break_ends_the_server_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run._ending_signals() == [signal.SIGTERM, signal.SIGINT]
    monkeypatch.setattr(signal, "SIGBREAK", 21, raising=False)
    assert run._ending_signals() == [signal.SIGTERM, signal.SIGINT, 21]


def test_ctrl_c_does_not_reach_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert workers.own_group() == {"start_new_session": True}
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 512, raising=False)
    assert workers.own_group() == {"creationflags": 512}


def test_limits_of_the_system_are_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no `resource` on Windows; importing it fails."""
    monkeypatch.setitem(sys.modules, "resource", None)
    run._raise_file_limit(100)
    worker_main.limit_resources()
