"""Serves the static files of the pages from memory: a page loads about sixty of them.

Each file is read and compressed once, and again when it changes on disk.
Invariant: browsers revalidate every file (`no-cache`, ETag), so no old page survives an upgrade.
"""

from __future__ import annotations

import gzip
import re
from hashlib import sha256
from os import stat_result
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from handful.records import record
from handful.web.without_comments import strip_script, strip_style

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
STRIPPED = {".js": strip_script, ".css": strip_style}
SAFE_NAME = re.compile(r"(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_.-]+")
MIN_GZIP_BYTES = 500  # smaller files are not compressed


@record()
class _File:
    body: bytes
    gzipped: bytes  # empty if compression does not help
    etag: str
    type: str
    version: tuple[int, int]


class StaticFiles:
    """ASGI application that serves the files of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files: dict[str, _File] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        name = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/")
        answer = self.answer(name, Request(scope))
        await answer(scope, receive, send)

    def answer(self, name: str, request: Request, status: int = 200) -> Response:
        """Return a file, or 304 if the browser's copy is current."""
        found = self._file(name)
        headers = {"ETag": found.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if status == 200 and found.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = found.body
        if found.gzipped and "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["Content-Encoding"] = found.gzipped, "gzip"
        headers |= {"Content-Length": str(len(body)), "Content-Type": found.type}
        return Response(b"" if request.method == "HEAD" else body, status, headers)

    def text(self, name: str) -> str:
        return self._file(name).body.decode()

    def _file(self, name: str) -> _File:
        path = self.folder / name
        if not SAFE_NAME.fullmatch(name) or path.suffix not in TYPES:
            raise HTTPException(404)
        try:
            version = _version(path.stat())
            cached = self._files.get(name)
            if cached is None or cached.version != version:
                self._files[name] = cached = _read(path, version)
        except OSError:
            raise HTTPException(404) from None
        return cached


def _version(found: stat_result) -> tuple[int, int]:
    return found.st_mtime_ns, found.st_size


def _sent_bytes(path: Path) -> bytes:
    """Return a file as it is sent: our own modules and styles without their comments."""
    body = path.read_bytes()
    if "vendor" in path.parts or path.suffix not in STRIPPED:
        return body
    return STRIPPED[path.suffix](body.decode()).encode()


def _read(path: Path, version: tuple[int, int]) -> _File:
    body = _sent_bytes(path)
    gzipped = gzip.compress(body, 6, mtime=0) if len(body) >= MIN_GZIP_BYTES else b""
    etag = f'"{sha256(body).hexdigest()[:20]}"'
    smaller = gzipped if len(gzipped) < len(body) else b""
    return _File(body, smaller, etag, TYPES[path.suffix], version)
