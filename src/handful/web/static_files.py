"""The files of the pages, from memory: a page is some sixty of them, and they should come at once.

Each is read and packed once, and again when it has changed on the disk.  Browsers ask every time
whether theirs is still the same, so nobody plays on an old page after an upgrade.
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

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
}
PLAIN = re.compile(r"(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_.-]+")
SMALL = 500  # bytes that are not worth packing


@record()
class _File:
    body: bytes
    packed: bytes  # empty where that is no gain
    mark: str
    type: str
    changed: tuple[int, int]


class Files:
    """A folder of files for browsers."""

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
        """A file, or that the browser's own is still the same."""
        found = self._file(name)
        headers = {"ETag": found.mark, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if status == 200 and found.mark in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = found.body
        if found.packed and "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["Content-Encoding"] = found.packed, "gzip"
        headers |= {"Content-Length": str(len(body)), "Content-Type": found.type}
        return Response(b"" if request.method == "HEAD" else body, status, headers)

    def text(self, name: str) -> str:
        return self._file(name).body.decode()

    def _file(self, name: str) -> _File:
        path = self.folder / name
        if not PLAIN.fullmatch(name) or path.suffix not in TYPES:
            raise HTTPException(404)
        try:
            changed = _changed(path.stat())
            kept = self._files.get(name)
            if kept is None or kept.changed != changed:
                self._files[name] = kept = _read(path, changed)
        except OSError:
            raise HTTPException(404) from None
        return kept


def _changed(found: stat_result) -> tuple[int, int]:
    return found.st_mtime_ns, found.st_size


def _read(path: Path, changed: tuple[int, int]) -> _File:
    body = path.read_bytes()
    packed = gzip.compress(body, 6, mtime=0) if len(body) >= SMALL else b""
    mark = f'"{sha256(body).hexdigest()[:20]}"'
    worth = packed if len(packed) < len(body) else b""
    return _File(body, worth, mark, TYPES[path.suffix], changed)
