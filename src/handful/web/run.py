"""Runs the server: one process that stops gracefully.

Binds the socket, raises the limit of open files, and configures uvicorn and logging.
Invariant: the log holds no tokens and no secrets.
"""

from __future__ import annotations

import logging
import signal
import socket
from contextlib import suppress
from functools import partial

import uvicorn

from handful.errors import FileFault, Message
from handful.store import SQLiteStore
from handful.web.app import create_app
from handful.web.gc_policy import disable_full_collections
from handful.web.middleware import LOG
from handful.web.protocols import ConnectionCounter, HttpProtocol, SocketProtocol
from handful.web.settings import ServerLimits, Settings

SHUTDOWN_SECONDS = 3  # seconds for running requests when the server stops


def run(settings: Settings, limits: ServerLimits | None = None) -> None:
    """Serve until a signal; an unusable database file is refused before the start."""
    SQLiteStore(settings.data, create=True).close()
    _raise_file_limit(2 * (limits or ServerLimits()).connections)
    opened = bind_socket(settings)
    server = uvicorn_server(settings, limits or ServerLimits())
    log_to_stderr(settings.log_level)
    port = opened.getsockname()[1]
    for one in (signal.SIGTERM, signal.SIGINT):
        # before uvicorn installs its own handlers, and when it re-raises the signal at the end,
        # which must not count as a failure
        signal.signal(one, lambda number, frame: setattr(server, "should_exit", True))
    LOG.warning(
        "Handful serves %s at %s",
        settings.data,
        settings.public or f"http://{_bracketed(settings.host)}:{port}",
    )
    disable_full_collections()
    server.run(sockets=[opened])
    LOG.warning("stopped")


def uvicorn_server(settings: Settings, limits: ServerLimits) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            create_app(settings, limits),
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
        )
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


def log_to_stderr(level: str) -> None:
    """Log our own lines at `level`, but only warnings of uvicorn.

    At lower levels uvicorn logs headers and messages, which hold tokens and secrets.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    for name, minimum in (("handful.web", level.upper()), ("uvicorn", "WARNING")):
        logger = logging.getLogger(name)
        logger.setLevel(minimum)
        logger.handlers[:] = [handler]
        logger.propagate = False
    logging.getLogger("uvicorn.error").setLevel("WARNING")


def bind_socket(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # with an explicit IPPROTO_TCP asyncio sets TCP_NODELAY: small answers are not delayed by 40 ms
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
    except OSError as error:
        bound.close()
        reason = (error.strerror or str(error)).lower()
        raise FileFault(
            Message("serve.cannot_listen", host=settings.host, port=settings.port, reason=reason),
            Message("serve.other_port"),
        ) from None
    return bound


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
