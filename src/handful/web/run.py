"""Runs the server, in one process or in several, and stops it gracefully.

Binds the socket, raises the limit of open files, and configures uvicorn and logging.
Invariant: the log holds no tokens and no secrets.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

import uvicorn

from handful.errors import FileFault
from handful.store import display_name, open_store
from handful.web.app import create_app
from handful.web.gc_policy import disable_full_collections
from handful.web.middleware import LOG, REQUEST_FIELDS
from handful.web.network_addresses import url
from handful.web.protocols import ConnectionCounter, HttpProtocol, SocketProtocol
from handful.web.reach import WILDCARDS, Reach, bind
from handful.web.settings import ServerLimits, Settings
from handful.web.supervisor import Supervisor

SHUTDOWN_SECONDS = 3  # seconds for running requests when the server stops


def run(
    settings: Settings,
    limits: ServerLimits | None = None,
    on_started: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve until a signal, in one process or in several; an unusable database is refused before.

    `on_started` gets the address for this machine as soon as pages can be opened there.
    """
    open_store(settings.data, create=True).close()
    _raise_file_limit(2 * (limits or ServerLimits()).connections)
    opened = bind_sockets(settings)
    server = uvicorn_server(settings, limits or ServerLimits())
    log_to_stderr(settings.log_level, settings.log_format)
    server.reach.port = opened[0].getsockname()[1]
    tell_start = partial(_tell_start, server.reach, on_started)
    if settings.workers == 1:
        server.on_started = tell_start
        _serve(server, opened)
    else:
        server.reach.listen = None  # another address would be served by one worker only
        for one in opened:
            one.listen(server.config.backlog)

        def serve(on_ready: Callable[[], None], on_orphaned: Callable[[Callable[[], None]], None]) -> None:
            server.on_started = on_ready
            on_orphaned(lambda: setattr(server, "should_exit", True))
            _serve(server, opened)

        Supervisor(settings.workers, serve, tell_start).run()
    LOG.warning("stopped")


def _serve(server: TableServer, opened: list[socket.socket]) -> None:
    for one in _ending_signals():
        # before uvicorn installs its own handlers, and when it re-raises the signal at the end,
        # which must not count as a failure
        signal.signal(one, lambda number, frame: setattr(server, "should_exit", True))
    disable_full_collections()
    server.run(sockets=opened)


def _tell_start(reach: Reach, on_started: Callable[[str], None]) -> None:
    announce(reach)
    on_started(_own_address(reach))


def _ending_signals() -> list[signal.Signals]:
    """Return the signals that end the server; Windows sends SIGBREAK for Ctrl-Break."""
    names = ("SIGTERM", "SIGINT", "SIGBREAK")
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


def announce(reach: Reach) -> None:
    """Log where the tables are, and what friends type."""
    data = display_name(reach.settings.data)
    LOG.warning("Handful serves %s at %s", data, reach.settings.public or _own_address(reach))
    friends = " or ".join(reach.lan_urls())
    if reach.is_on_network and friends:
        LOG.warning("Friends on this network open %s", friends)
        LOG.warning("Whoever is on this network can open tables here; links travel unencrypted.")
    elif reach.is_on_network:
        LOG.warning("This machine is on no network: friends cannot reach it yet.")
    elif reach.scope == "machine" and friends:
        LOG.warning("Only this machine can open it. With --lan, friends on this network open %s", friends)


def _own_address(reach: Reach) -> str:
    """Return the address at which this machine itself opens the pages."""
    host = reach.settings.host
    return url({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), reach.port)


class TableServer(uvicorn.Server):
    """A uvicorn server that can listen on further sockets while it runs."""

    def __init__(self, config: uvicorn.Config, reach: Reach) -> None:
        super().__init__(config)
        self.reach, self.on_started = reach, _do_nothing
        reach.listen = self.listen

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:  # connections are accepted
            self.on_started()

    async def listen(self, bound: socket.socket) -> None:
        """Accept connections on one more socket; `shutdown` closes it with the others."""
        loop = asyncio.get_running_loop()
        self.servers.append(
            await loop.create_server(self._create_protocol, sock=bound, backlog=self.config.backlog)
        )

    def _create_protocol(self) -> asyncio.Protocol:
        """Return the protocol of a new connection, as uvicorn's own `startup` does."""
        made = self.config.http_protocol_class
        return made(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)  # type: ignore[call-arg]


def _do_nothing() -> None:
    pass


def uvicorn_server(settings: Settings, limits: ServerLimits) -> TableServer:
    reach = Reach(settings)
    return TableServer(
        uvicorn.Config(
            create_app(settings, limits, reach),
            log_config=None,
            access_log=False,
            http=partial(HttpProtocol, ConnectionCounter(settings, limits)),  # type: ignore[arg-type]
            ws=SocketProtocol,
            ws_max_size=2 * limits.sheet_bytes,
            ws_per_message_deflate=False,
            proxy_headers=bool(settings.public),
            forwarded_allow_ips=settings.proxies,
            server_header=False,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            timeout_keep_alive=limits.keep_alive_seconds,  # type: ignore[arg-type]
        ),
        reach,
    )


def _raise_file_limit(count: int) -> None:
    """Raise the limit of open files to `count`, as far as the system allows."""
    try:
        import resource
    except ImportError:  # not on every system
        return
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if most == resource.RLIM_INFINITY else min(count, most)
    if least != resource.RLIM_INFINITY and least < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class JsonFormatter(logging.Formatter):
    """Writes a line as a JSON object: time, level, message, and the fields of a request."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": time, "level": record.levelname.lower(), "message": record.getMessage()}
        line |= getattr(record, REQUEST_FIELDS, {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_to_stderr(level: str, format: str = "text") -> None:
    """Log our own lines at `level`, but only warnings of uvicorn.

    At lower levels uvicorn logs headers and messages, which hold tokens and secrets.
    """
    handler = logging.StreamHandler()
    text = logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S")
    handler.setFormatter(JsonFormatter() if format == "json" else text)
    for name, minimum in (("handful.web", level.upper()), ("uvicorn", "WARNING")):
        logger = logging.getLogger(name)
        logger.setLevel(minimum)
        logger.handlers[:] = [handler]
        logger.propagate = False
    logging.getLogger("uvicorn.error").setLevel("WARNING")


def bind_sockets(settings: Settings) -> list[socket.socket]:
    """Bind the sockets to listen on: with `lan` one for IPv4 and, where there is IPv6, one for it."""
    if not settings.lan:
        return [bind(settings.host, settings.port)]
    first, *others = WILDCARDS
    opened = [bind(first, settings.port)]
    for host in others:
        with suppress(FileFault):  # there is no IPv6 here
            opened.append(bind(host, opened[0].getsockname()[1]))
    return opened
