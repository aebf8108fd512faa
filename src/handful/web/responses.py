"""Helpers shared by all routes: the server object, game names, JSON responses, the seat's cookie.

Invariant: equal data is always sent as equal bytes (canonical JSON).
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request, Response

from handful.errors import Refused
from handful.rules.params import find_name
from handful.store import Link
from handful.table import canonical_json
from handful.web import games, schemas
from handful.web.faults import Fault
from handful.web.links import COOKIE, seat_path
from handful.web.server import Server

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.ErrorResponse} for status in (403, 409, 413, 422, 429, 500, 503)
}
NOT_FOUND: dict[int | str, dict[str, Any]] = {404: {"model": schemas.ErrorResponse}}
COOKIE_SECONDS = 180 * 24 * 3600  # lifetime of the seat's cookie


def server_of(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def responds_with(model: Any) -> dict[int | str, dict[str, Any]]:
    """Document the body of a response; it is sent as canonical JSON, not through the model."""
    return {200: {"model": model}}


def json_response(data: Any) -> Response:
    """Return data as canonical JSON: equal data, equal bytes."""
    return Response(canonical_json(data), media_type="application/json")


def known_game(game: str) -> str:
    """Return the name of a shipped game or family; nothing else is read from the server's disk."""
    try:
        return find_name(game, games.ruleset_names(), "ruleset")
    except Refused as error:
        raise Fault(422, "refused", error.problem, error.advice) from None


KnownGame = Annotated[str, Depends(known_game)]


def set_seat_cookie(server: Server, answer: Response, link: Link, token: str) -> None:
    """Set the cookie of a seat: sent only to the seat's own path, and hidden from scripts."""
    answer.set_cookie(
        COOKIE,
        token,
        httponly=True,
        samesite="strict",
        path=f"/api/tables/{seat_path(link)}",
        secure=server.settings.secure,
        max_age=COOKIE_SECONDS,
    )
