"""Middleware: checks host, origin and size of requests, sets security headers, writes the access log.

Invariant: a request from a foreign page, or with too large a body, never reaches a route; the log
holds no names and no tokens.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from secrets import token_hex
from time import perf_counter
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as ASGIMessage

from handful.errors import Message
from handful.web.faults import Fault, internal_error, too_large
from handful.web.i18n import language_of, render_error
from handful.web.reach import Reach
from handful.web.settings import ServerLimits
from handful.web.visitors import Admission, visitor_at

LOG = logging.getLogger("handful.web")
REQUEST_FIELDS = "request_fields"  # attribute of a log record: the parts of its line by name

# Pages load nothing from other servers.  Inline styles are allowed as attributes: charts need them.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def visitor_of(connection: HTTPConnection) -> str:
    """Return the name of the visitor who sent a request, for limits and never for rights."""
    return visitor_at(connection.client.host) if connection.client else ""


def has_known_host(connection: HTTPConnection, reach: Reach) -> bool:
    """Return whether the `Host` header names this server.

    This stops DNS rebinding: a foreign page whose name was made to resolve to this machine.
    """
    try:
        name = urlsplit(f"//{connection.headers.get('host', '')}").hostname or ""
    except ValueError:
        return False
    server = connection.scope.get("server")
    return reach.knows_host(name, str(server[0]) if server else "")


def is_same_origin(connection: HTTPConnection, reach: Reach) -> bool:
    """Return whether a request comes from a page of this server, or from no browser at all."""
    if not has_known_host(connection, reach):
        return False
    headers, public = connection.headers, reach.settings.public
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    if public and origin == _origin(public):
        return True
    return origin in (f"{scheme}://{headers.get('host', '')}" for scheme in ("http", "https"))


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


class Guard:
    """Refuses requests that are too large or come from foreign pages before they are read."""

    def __init__(
        self,
        app: ASGIApp,
        reach: Reach,
        limits: ServerLimits,
        on_request: Callable[[str, int], None] = lambda route, status: None,
    ) -> None:
        """`on_request` is called with the pattern of the address and the status of each response."""
        self.app, self.reach, self.limits, self.on_request = app, reach, limits, on_request
        # behind a proxy all visitors share its connections; only the requests distinguish them
        self.requests = Admission(limits.connections, limits.visitor_connections)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, request = perf_counter(), 0, token_hex(6)

        async def send_with_headers(message: ASGIMessage) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers_out = MutableHeaders(scope=message)
                headers_out["X-Request-Id"] = request
                for name, value in HEADERS.items():
                    headers_out.setdefault(name, value)
                is_picture = status == 200 and "immutable" in headers_out.get("Cache-Control", "")
                if scope["path"].startswith(("/api/", "/join/", "/t/", "/brew/")) and not is_picture:
                    headers_out["Cache-Control"] = "no-store"
            await send(message)

        try:
            with self.requests.holding(visitor_of(HTTPConnection(scope))):
                await self._admit(scope, receive, send_with_headers)
        except Fault as fault:
            if not status:
                await _error_response(scope, fault)(scope, receive, send_with_headers)
        except Exception:
            LOG.exception("a request could not be answered: %s", request)
            if not status:
                await _error_response(scope, internal_error())(scope, receive, send_with_headers)
        fields = {
            "visitor": visitor_of(HTTPConnection(scope)),
            "method": scope["method"],
            "route": _pattern(scope),
            "status": status,
            "ms": int(1000 * (perf_counter() - began)),
            "request": request,
        }
        LOG.info("%s %s %s %s, %d ms, %s", *fields.values(), extra={REQUEST_FIELDS: fields})
        self.on_request(_pattern(scope), status)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, connection = Headers(scope=scope), HTTPConnection(scope)
        if not has_known_host(connection, self.reach):
            fault = Fault(403, "forbidden", Message("server.other_name"), Message("server.name_by_public"))
            await _error_response(scope, fault)(scope, receive, send)
        elif scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
        elif not is_same_origin(connection, self.reach):
            fault = Fault(403, "forbidden", Message("server.other_page"))
            await _error_response(scope, fault)(scope, receive, send)
        else:
            await self._read_body(scope, receive, send, headers)

    async def _read_body(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        """Count the bytes of a body as they arrive, whatever Content-Length says."""
        path, most = scope["path"], self.limits.message_bytes
        if path.endswith(("/commands", "/preview")):
            most = self.limits.sheet_bytes
        elif path.endswith("/pictures"):
            most = self.limits.picture_bytes
        elif path.startswith("/api/brews"):
            most = 2 * self.limits.draft_bytes + self.limits.message_bytes
        declared = headers.get("content-length", "0")
        body, more = b"", True
        if not (declared.isascii() and declared.isdigit()) or int(declared) > most:
            await _error_response(scope, too_large(most))(scope, receive, send)
            return
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return  # the client has disconnected
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > most:
                await _error_response(scope, too_large(most))(scope, receive, send)
                return
        delivered = False

        async def replay_body() -> ASGIMessage:
            nonlocal delivered
            if delivered:
                return await receive()
            delivered = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, replay_body, send)


def refusal(fault: Fault) -> ASGIApp:
    """Return an application that answers every request with a fault and closes the connection."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        answer = _error_response(scope, fault)
        answer.headers.update(HEADERS | {"Connection": "close"})
        await answer(scope, receive, send)

    return app


def _error_response(scope: Scope, fault: Fault) -> JSONResponse:
    body = render_error(fault.to_dict(), language_of(Headers(scope=scope)))
    return JSONResponse(body, fault.status)


def _pattern(scope: Scope) -> str:
    """Return the pattern of an address as in the API description, without names and tokens."""
    found: str | None = getattr(scope.get("route"), "path", None)
    return found or ("/static" if scope["path"].startswith("/static/") else "(elsewhere)")
