"""Running the server: one process, stopped gracefully, with logs that hold no token."""

from __future__ import annotations

import logging
import signal
import socket
from contextlib import suppress
from functools import partial

import uvicorn

from handful.errors import FileFault
from handful.store import SQLiteStore
from handful.web.app import application
from handful.web.gc_policy import only_young
from handful.web.middleware import LOG
from handful.web.protocols import ConnectionCounter, HttpProtocol, SocketProtocol
from handful.web.settings import Limits, Settings

GRACE = 3  # seconds for answers that are under way when the server stops


def run(settings: Settings, limits: Limits | None = None) -> None:
    """Serve until somebody stops it; a file that cannot be used is refused before."""
    SQLiteStore(settings.data, create=True).close()
    _allow_files(2 * (limits or Limits()).connections)
    opened = listening(settings)
    server = server_of(settings, limits or Limits())
    log_to_stderr(settings.log_level)
    where = opened.getsockname()[1]
    for one in (signal.SIGTERM, signal.SIGINT):
        # before uvicorn listens to them, and when it hands them on in the end: no failure
        signal.signal(one, lambda number, frame: setattr(server, "should_exit", True))
    LOG.warning(
        "Handful serves %s at %s", settings.data, settings.public or f"http://{_named(settings.host)}:{where}"
    )
    only_young()
    server.run(sockets=[opened])
    LOG.warning("stopped")


def server_of(settings: Settings, limits: Limits) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            application(settings, limits),
            log_config=None,
            access_log=False,
            http=partial(HttpProtocol, ConnectionCounter(settings, limits)),  # type: ignore[arg-type]
            ws=SocketProtocol,
            ws_max_size=2 * limits.sheet,
            ws_per_message_deflate=False,
            proxy_headers=bool(settings.public),
            forwarded_allow_ips=settings.proxies,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=limits.idle_seconds,  # type: ignore[arg-type]
        )
    )


def _allow_files(count: int) -> None:
    """Let this process open as many files and connections, as far as the system allows it."""
    try:
        import resource
    except ImportError:  # not on every system
        return
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if most == resource.RLIM_INFINITY else min(count, most)
    if least != resource.RLIM_INFINITY and least < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def log_to_stderr(level: str) -> None:
    """Our own lines at the level that was asked for; of the server only what is wrong.

    At its more talkative levels the server would write down headers and messages: tokens, secrets.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    for name, own in (("handful.web", level.upper()), ("uvicorn", "WARNING")):
        logger = logging.getLogger(name)
        logger.setLevel(own)
        logger.handlers[:] = [handler]
        logger.propagate = False
    logging.getLogger("uvicorn.error").setLevel("WARNING")


def listening(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # named as TCP, so that asyncio sends small answers at once instead of 40 ms later
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((settings.host, settings.port))
    except OSError as error:
        made.close()
        says = (error.strerror or str(error)).lower()
        raise FileFault(
            f"cannot listen on {settings.host} port {settings.port}: {says}",
            "another --port or --host may be free",
        ) from None
    return made


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host
