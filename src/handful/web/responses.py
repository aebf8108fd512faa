"""What all addresses share: the hall, known games, how answers are written, and the cookie."""

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
COOKIE_SECONDS = 180 * 24 * 3600  # seconds that a browser keeps its seat


def server_of(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def responds_with(model: Any) -> dict[int | str, dict[str, Any]]:
    """What an answer holds, for the document; it is sent as the table made it."""
    return {200: {"model": model}}


def json_response(data: Any) -> Response:
    """The same data are always the same bytes."""
    return Response(canonical_json(data), media_type="application/json")


def known_game(game: str) -> str:
    """A game or a family that came with the server; nothing else is read from its disk."""
    try:
        return find_name(game, games.ruleset_names(), "ruleset")
    except Refused as error:
        raise Fault(422, "refused", error.message, error.hint) from None


KnownGame = Annotated[str, Depends(known_game)]


def set_seat_cookie(server: Server, answer: Response, link: Link, token: str) -> None:
    """The cookie of a seat: sent to its own place and nowhere else, unseen by scripts."""
    answer.set_cookie(
        COOKIE,
        token,
        httponly=True,
        samesite="strict",
        path=f"/api/tables/{seat_path(link)}",
        secure=server.settings.secure,
        max_age=COOKIE_SECONDS,
    )
