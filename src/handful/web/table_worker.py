"""Worker process that decides tables whose rules are not shipped: lines of JSON on stdin and stdout.

Started as `python -m handful.web.table_worker` by `table_workers.py`, which sends one request at a time.
While it works on a request the worker asks the server to read and append entries (`PipeStore`): the server
commits, and only then does the worker write what is told of it.
Invariant: the process has limited memory, limited time for each request, and writes no files.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, cast

from handful.errors import HandfulError, TooBig
from handful.library.tables import now, rules_for
from handful.store import (
    Conflict,
    Epoch,
    RulesetTexts,
    Store,
    StoredTable,
    StoreFault,
    TableDeleted,
    TableHeader,
)
from handful.store.protocol import Entry
from handful.table import Command, SeatLogs
from handful.web.faults import Fault
from handful.web.message_json import dump_line, load_line
from handful.web.open_table import OpenTable, TableFacts
from handful.web.settings import ServerLimits
from handful.web.table_queries import answer_query
from handful.web.worker_main import MAX_LINE_BYTES

MEMORY_LIMIT = 1 << 30  # bytes
READ_PART = 100  # entries that are read at once
NICENESS = 10  # the server and its other tables come first

Request = dict[str, Any]
Reply = dict[str, Any]


class Pipe:
    """The worker's end of the pipe to the server."""

    def __init__(self) -> None:
        self._input, self._output = sys.stdin.buffer, sys.stdout.buffer
        sys.stdout = sys.stderr  # nothing else may write into the pipe

    def read(self) -> Request | None:
        line = self._input.readline(MAX_LINE_BYTES)
        return load_line(line) if line else None

    def write(self, reply: Reply) -> None:
        self._output.write(dump_line(reply))
        self._output.flush()


class PipeStore:
    """The part of a store that a table needs, read and written by the server."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def _call(self, do: str, **arguments: Any) -> Any:
        self._pipe.write({"store": do, **arguments})  # for the table of the request
        match self._pipe.read():
            case {"result": result}:
                return result
            case {"conflict": _}:
                raise Conflict
            case {"deleted": [message, hint]}:
                raise TableDeleted(message, hint)
            case {"fault": [message, hint, public]}:
                raise StoreFault(message, hint, public)
        raise EOFError  # the server has gone

    def read(self, table: str, *, after: int = 0, most: int | None = None) -> list[Entry]:
        entries: list[Entry] = self._call("read", after=after, most=most)
        return entries

    def append(self, table: str, entries: Sequence[Entry], *, after: int, epoch: Epoch | None = None) -> None:
        saved = None if epoch is None else [epoch.number, epoch.secret.hex()]
        self._call("append", entries=list(entries), after=after, epoch=saved)

    def rules(self, hash: str) -> RulesetTexts:
        return [(name, text) for name, text in self._call("rules", hash=hash)]

    def save_rules(self, hash: str, texts: RulesetTexts) -> None:
        self._call("save_rules", hash=hash, texts=list(texts))

    def epochs(self, table: str) -> dict[int, bytes]:
        return {int(number): bytes.fromhex(one) for number, one in self._call("epochs").items()}

    def signing_seed(self, table: str) -> bytes:
        return bytes.fromhex(self._call("signing_seed"))


class TableWorker:
    """The tables of this process."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe, self._store = pipe, cast(Store, PipeStore(pipe))
        self._tables: dict[str, OpenTable] = {}

    def serve(self) -> None:
        """Answer requests until the pipe is closed."""
        while (request := self._pipe.read()) is not None:
            limit_seconds(request["seconds"])
            reply = self._attempt(request)
            self._pipe.write(reply | self._news(request["table"]))

    def _attempt(self, request: Request) -> Reply:
        try:
            return {"answer": self._do(request)}
        except Fault as fault:
            return {"server_fault": [fault.status, fault.code, fault.message, fault.hint]}
        except StoreFault as fault:
            return {"store_fault": [fault.problem, fault.advice, fault.public_message]}
        except TableDeleted as error:
            return {"deleted": [error.problem, error.advice]}
        except TooBig as error:
            return {"too_big": [error.problem, error.advice]}
        except HandfulError as error:
            return {"refused": [error.problem, error.advice, type(error).__name__]}
        except EOFError:
            raise
        except Exception as error:  # not its message, which may hold secrets
            return {"broken": type(error).__name__}

    def _do(self, request: Request) -> Any:
        table = request["table"]
        match request["do"]:
            case "open":
                self._open(request)
            case "close":
                self._tables.pop(table, None)
            case "submit":
                command = Command(request["kind"], request["key"], request["data"])
                return self._within(request).decide_and_save(request["seat"], command)()
            case "record_link":
                self._within(request).record_link(request["seat"], request["by"])()
            case "refresh":
                self._within(request).stored.refresh()
            case "snapshot":
                opened = self._within(request)
                while opened.hash_part(request["viewer"]):
                    pass
                return opened.write_snapshot(request["viewer"], request["after"])
            case "ask":
                return answer_query(self._tables[table], request["name"], request["arguments"])
        return None

    def _within(self, request: Request) -> OpenTable:
        """Return the table of a request, which writes messages for the viewers that it names."""
        opened = self._tables[request["table"]]
        opened.viewers = lambda: request["viewers"]
        return opened

    def _open(self, request: Request) -> None:
        table, game, secret, rules_hash = request["header"]
        header = TableHeader(table, game, bytes.fromhex(secret), rules_hash)
        logs, limits = SeatLogs(), ServerLimits(**request["limits"])
        rules = rules_for(self._store, header)
        stored = StoredTable(
            self._store,
            header,
            rules,
            now,
            has_epoch=request["has_epoch"],
            on_entry=[logs.add],
            reads_all=False,
        )
        while stored.read_part(READ_PART):
            pass
        with suppress(StoreFault):  # a table can be read while the file cannot be written
            stored.begin_epoch()
        self._tables[table] = OpenTable(stored, logs, limits)

    def _news(self, table: str) -> Reply:
        """Return what has changed for the server since the last reply about a table."""
        opened = self._tables.get(table)
        if opened is None:
            return {}
        if not opened.is_written:
            opened.write_patches()
        patches = opened.take_patches()
        facts = TableFacts.of(opened.table).to_json()
        return {"patches": patches, "facts": facts, "has_epoch": opened.stored.has_epoch}


def limit_resources() -> None:
    """Limit memory and files, and let the server go first, where the system supports it."""
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    try:
        import resource
    except ImportError:  # not on every system
        return
    for value, most in (
        (resource.RLIMIT_AS, MEMORY_LIMIT),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # a lower limit is already set
            resource.setrlimit(value, (most, most))


def limit_seconds(seconds: float) -> None:
    """Let the system end this process if the next request takes more processor time than that."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, most))


def main(serve: Callable[[Pipe], None] = lambda pipe: TableWorker(pipe).serve()) -> None:
    limit_resources()
    with suppress(KeyboardInterrupt, BrokenPipeError, EOFError):
        serve(Pipe())
    os._exit(0)


if __name__ == "__main__":
    main()
