"""Several serving processes on one port: a supervisor forks them, starts dead ones again, and stops all.

The supervisor binds the sockets and serves nothing itself; its workers accept connections from the same
sockets, so a connection that waits while a worker dies is accepted by another.
SIGHUP replaces the workers one after another: each new one accepts connections before an old one ends.
Invariant: no worker outlives its supervisor.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from time import monotonic, sleep

from handful.web.middleware import LOG

CRASH_SECONDS = 1.0  # a worker that lived no longer is started again only after this time
START_SECONDS = 30.0  # for a worker to accept connections
TICK = 0.05  # seconds between looks at the workers
Serve = Callable[[Callable[[], None], Callable[[Callable[[], None]], None]], None]


class Supervisor:
    """Runs `serve` in several processes.

    `serve` gets a function to call when it accepts connections, and one that registers how to stop it.
    """

    def __init__(self, count: int, serve: Serve, on_started: Callable[[], None]) -> None:
        self._count, self._serve, self._on_started = count, serve, on_started
        self._workers: dict[int, float] = {}  # process id -> when it was started
        self._ready: set[int] = set()
        self._leaving: set[int] = set()  # told to stop
        self._life = os.pipe()  # its end tells workers that the supervisor is gone
        self._reports = os.pipe()  # workers that accept connections write their process id
        self._is_stopping = self._is_replacing = False

    def run(self) -> None:
        """Serve until a signal."""
        os.set_blocking(self._reports[0], False)
        signal.signal(signal.SIGHUP, lambda number, frame: setattr(self, "_is_replacing", True))
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, lambda number, frame: setattr(self, "_is_stopping", True))
        gc.collect()
        gc.freeze()  # workers share the memory of what is loaded
        for _ in range(self._count):
            self._start_worker()
        has_started = False
        while not self._is_stopping:
            self._look_after_workers()
            if self._ready and not has_started:
                has_started = True
                self._on_started()
            if self._is_replacing:
                self._is_replacing = False
                self._replace_workers()
            sleep(TICK)
        for worker in tuple(self._workers):
            self._stop_worker(worker)
        while self._workers:
            self._reap()
            sleep(TICK)

    def _look_after_workers(self) -> None:
        """Start as many workers as there should be; those that are leaving do not count."""
        self._reap()
        self._read_reports()
        for _ in range(self._count - len(self._workers.keys() - self._leaving)):
            self._start_worker()

    def _replace_workers(self) -> None:
        for old in tuple(self._workers.keys() - self._leaving):
            new, ends = self._start_worker(), monotonic() + START_SECONDS
            while new not in self._ready and new in self._workers and monotonic() < ends:
                if self._is_stopping:
                    return
                self._read_reports()
                self._reap()
                sleep(TICK)
            if new not in self._ready:
                LOG.warning("a new worker does not start; the old ones stay")
                self._stop_worker(new)
                return
            self._stop_worker(old)
        LOG.warning("the workers were replaced")

    def _reap(self) -> None:
        """Forget the workers that have ended."""
        for worker, started in tuple(self._workers.items()):
            found, status = os.waitpid(worker, os.WNOHANG)
            if not found:
                continue
            del self._workers[worker]
            if worker not in self._leaving and not self._is_stopping:
                LOG.warning("a worker has ended (%s); another one starts", _ending(status))
                if monotonic() < started + CRASH_SECONDS:
                    sleep(CRASH_SECONDS)
            self._leaving.discard(worker)
            self._ready.discard(worker)

    def _read_reports(self) -> None:
        with suppress(BlockingIOError):
            text = os.read(self._reports[0], 4096).decode()
            self._ready |= {int(word) for word in text.split()} & self._workers.keys()

    def _stop_worker(self, worker: int) -> None:
        self._leaving.add(worker)
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGTERM)

    def _start_worker(self) -> int:
        worker = os.fork()
        if worker:
            self._workers[worker] = monotonic()
            return worker
        status = 1
        try:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            os.close(self._life[1])
            self._serve(self._report_ready, self._on_orphaned)
            status = 0
        finally:
            os._exit(status)

    def _report_ready(self) -> None:
        os.write(self._reports[1], f"{os.getpid()} ".encode())

    def _on_orphaned(self, stop: Callable[[], None]) -> None:
        """Call `stop` when the supervisor is gone."""

        def wait() -> None:
            os.read(self._life[0], 1)
            stop()

        Thread(target=wait, name="supervisor", daemon=True).start()


def _ending(status: int) -> str:
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"status {os.waitstatus_to_exitcode(status)}"
