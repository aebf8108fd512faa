"""Running the server: one process, stopped gracefully, with logs that hold no token."""

from __future__ import annotations

import logging
import re
from typing import Any

import uvicorn

from handful.store import SQLiteStore
from handful.web.app import application
from handful.web.settings import Limits, Settings

TOKEN = re.compile(r"/join/[^\s?\"']+")


class WithoutTokens(logging.Filter):
    """Addresses of links are secrets: they do not go into logs."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(map(_covered, record.args))
        record.msg = _covered(record.msg)
        return True


def _covered(value: Any) -> Any:
    return TOKEN.sub("/join/…", value) if isinstance(value, str) else value


def run(settings: Settings) -> None:
    """Serve until somebody stops it; a file that cannot be used is refused before."""
    SQLiteStore(settings.data, create=True).close()
    for name in ("uvicorn.access", "uvicorn.error"):
        logging.getLogger(name).addFilter(WithoutTokens())
    limits = Limits()
    config = uvicorn.Config(
        application(settings, limits), host=settings.host, port=settings.port,
        log_level=settings.log_level, ws="websockets-sansio", ws_max_size=limits.sheet,
        server_header=False, timeout_graceful_shutdown=5, proxy_headers=bool(settings.public),
    )  # fmt: skip
    uvicorn.Server(config).run()
