"""What all addresses share: the hall, the games that there are, and how answers are written."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request, Response

from handful.table import canonical_json
from handful.web import games, wire
from handful.web.faults import Fault
from handful.web.hall import Hall

NO: dict[int | str, dict[str, Any]] = {
    status: {"model": wire.Answer} for status in (403, 409, 413, 422, 429, 500, 503)
}


def hall_of(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def made(model: Any) -> dict[int | str, dict[str, Any]]:
    """What an answer holds, for the document; it is sent as the table made it."""
    return {200: {"model": model}}


def plain(data: Any) -> Response:
    """The same data are always the same bytes."""
    return Response(canonical_json(data), media_type="application/json")


def known_game(game: str) -> str:
    """A game or a family that came with the server; nothing else is read from its disk."""
    if game not in games.known():
        raise Fault(422, "refused", f"there is no game {game[:40]!r}",
                    f"there is {', '.join(games.known())}")  # fmt: skip
    return game


KnownGame = Annotated[str, Depends(known_game)]
