"""At the door: sizes, origins, and what every answer tells the browser."""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handful.web.faults import Fault
from handful.web.settings import Limits, Settings

# No request leaves the server; styles inline only where a chart needs them.
POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:", "font-src 'self'", "connect-src 'self'", "manifest-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    )
)  # fmt: skip
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def cookie_of(table: str) -> str:
    """The name of the cookie for a table: a browser may sit at several."""
    return "handful-" + sha256(table.encode("utf-8", "replace")).hexdigest()[:12]


def of_same_origin(headers: Headers, settings: Settings) -> bool:
    """Whether a browser's request comes from a page of ours; other programs name no origin."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    if settings.public:
        return origin == settings.public.rstrip("/")
    return urlsplit(origin).netloc == headers.get("host", "")


class Guard:
    """Refuses what is too large or from elsewhere before anybody reads it."""

    def __init__(self, app: ASGIApp, settings: Settings, limits: Limits) -> None:
        self.app, self.settings, self.limits = app, settings, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    own.setdefault(name, value)
                if scope["path"].startswith(("/api/", "/join/", "/t/")):
                    own["Cache-Control"] = "no-store"
            await send(message)

        if scope["method"] not in ("GET", "HEAD") and not of_same_origin(headers, self.settings):
            fault = Fault(403, "forbidden", "this comes from another page", "")
            await JSONResponse(fault.to_dict(), fault.status)(scope, receive, sent)
            return
        await self._limited(scope, receive, sent, headers)

    async def _limited(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        """Counts a body as it comes; a wrong Content-Length does not help."""
        large = scope["path"].endswith(("/commands", "/preview"))
        most = self.limits.sheet if large else self.limits.message
        told = headers.get("content-length", "0")
        if not told.isdigit() or int(told) > most:
            await self._too_large(most)(scope, receive, send)
            return
        count = 0

        async def counted() -> Message:
            nonlocal count
            message = await receive()
            count += len(message.get("body", b""))
            if count > most:
                raise Fault(413, "too_large", f"at most {most} bytes", "")
            return message

        await self.app(scope, counted, send)

    @staticmethod
    def _too_large(most: int) -> JSONResponse:
        fault = Fault(413, "too_large", f"at most {most} bytes", "")
        return JSONResponse(fault.to_dict(), fault.status)
