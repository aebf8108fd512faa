"""Routes of the HTML pages and of links (/join/TOKEN).

Invariant: pages are the same static files for everybody and hold no data of any table or ruleset.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from handful.table import canonical_json
from handful.web import schemas
from handful.web.faults import Fault
from handful.web.i18n import language_of
from handful.web.links import seat_path
from handful.web.middleware import visitor_of
from handful.web.responses import server_of, set_seat_cookie
from handful.web.static_files import StaticFiles

FILES = StaticFiles(Path(__file__).with_name("static"))
LOST = {"en": "lost.html", "de": "lost.de.html"}  # without scripts: nothing else is fetched
METHODS = ["GET", "HEAD"]
PAGES = {
    "/": "index.html",
    "/odds": "odds.html",  # its state is in the URL fragment, which browsers do not send
    "/edit": "editor.html",
    "/brew/{hash}": "editor.html",  # the page fetches the published ruleset
    "/t/{place}": "table.html",  # the same for every table
    "/sw.js": "sw.js",  # at the root, so that its scope is every page
}

router = APIRouter()
HTML: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {}}}}


@router.get(
    "/join/{token}",
    response_class=Response,
    responses={
        **HTML,
        303: {"description": "Sets the cookie of the seat and redirects to /t/{place}."},
        403: {"description": "The link is unknown or was revoked.", "content": {"text/html": {}}},
        422: {"model": schemas.ErrorResponse},
        429: {"model": schemas.ErrorResponse},
    },
)
async def follow_link(request: Request, token: str) -> Response:
    """Follow a link: set the cookie of its seat; an open invitation shows a page that asks for a name."""
    server = server_of(request)
    try:
        link = await server.access.follow_link(token, visitor_of(request))
    except Fault as fault:
        if fault.status != 403:
            raise
        return FILES.answer(LOST[language_of(request.headers)], request, 403)
    if not link.seat:
        return FILES.answer("index.html", request)
    answer = RedirectResponse(f"/t/{seat_path(link)}", 303)
    set_seat_cookie(server, answer, link, token)
    return answer


@router.api_route("/t/{place}/manifest.webmanifest", methods=METHODS, include_in_schema=False)
async def seat_manifest(place: str) -> Response:
    """Return the manifest of a seat, so that a home-screen icon opens that seat."""
    own = f"/t/{quote(place, safe='~')}"
    manifest = json.loads(FILES.text("manifest.webmanifest")) | {"id": own, "start_url": own}
    return Response(canonical_json(manifest), media_type="application/manifest+json")


def _page(file: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return FILES.answer(file, request)

    return answer


for path, file in PAGES.items():
    router.add_api_route(path, _page(file), methods=METHODS, include_in_schema=False)
