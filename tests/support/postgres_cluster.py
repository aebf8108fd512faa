"""A private PostgreSQL: a cluster in a temporary folder, reached by a socket in that folder only.

PostgreSQL refuses to run as root, so that root starts it as an unprivileged user.  It does not wait for
the disk: tests kill processes, which loses nothing that was written, and never cut the power.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

NO_POSTGRES = "there is no PostgreSQL"
USERS = ("postgres", "nobody")  # for root: the first of them that exists
PATIENCE = 60.0  # seconds until it accepts connections; it recovers first if it was killed


def find_programs() -> Path | None:
    """Return the folder of `initdb` and `postgres`: the newest of Debian's, or that of the PATH."""
    versions = [one for one in Path("/usr/lib/postgresql").glob("*/bin") if (one / "initdb").exists()]
    if versions:
        return max(versions, key=lambda one: float(one.parent.name))
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


class PostgresCluster:
    """A running PostgreSQL; it can be killed, and started again."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="handful-pg-"))
        self._schemas = count(1)
        self._user: dict[str, Any] = {}
        self._process: subprocess.Popen[bytes]
        if os.geteuid() == 0:
            import pwd  # not on Windows

            names = {one.pw_name: one for one in pwd.getpwall()}
            account = next(names[name] for name in USERS if name in names)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self._user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        self._run("initdb", "-D", "data", "-U", "handful", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [self.programs / program, *words], cwd=self.folder, capture_output=True, text=True, **self._user
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",
            "max_connections": "60",
            "shared_buffers": "32MB",
            "deadlock_timeout": "20s",  # so that nobody relies on it
        }
        flags = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.programs / "postgres", "-D", "data", *flags],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C in the terminal is for the tests
                **self._user,
            )
        ends = time.monotonic() + PATIENCE
        while not self.accepts_connections():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < ends, "PostgreSQL does not start"
            time.sleep(0.02)

    def accepts_connections(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self._address()).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """Kill it and every process of its connections at once, without a word to clients.

        Each of these has a process group of its own, and would serve its client a moment longer.
        """
        serving = _children(self._process.pid)
        os.killpg(self._process.pid, signal.SIGKILL)
        for one in serving:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        self._process.wait(PATIENCE)
        while any(map(_is_alive, serving)):
            time.sleep(0.01)
        (self.folder / "data/postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        """End it, also while there are connections, and remove the folder."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE)
        shutil.rmtree(self.folder)

    # -- addresses

    @property
    def socket(self) -> Path:
        return self.folder / ".s.PGSQL.5432"

    def new_address(self) -> str:
        """Return the address of a new empty schema."""
        import psycopg

        name = f"test_{next(self._schemas)}"
        with psycopg.connect(self._address()) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return self._address(name)

    def _address(self, schema: str = "public") -> str:
        options = quote(f"-csearch_path={schema}", safe="")
        folder = quote(str(self.folder), safe="")
        return f"postgresql://handful@/postgres?host={folder}&options={options}"


def _children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children").read_text("ascii")
    return [int(one) for one in listed.split()]


def _is_alive(process: int) -> bool:
    """Return whether a process still runs; one that has ended may wait for its parent to notice."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
