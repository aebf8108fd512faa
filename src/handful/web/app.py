"""The application: which address does what.  Thinking is done elsewhere.

Everything under /api speaks JSON; whoever has a seat shows it by a cookie, one for each table.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles

import handful
from handful import odds as exact
from handful import table as tables
from handful.errors import HandfulError
from handful.roll import bind
from handful.store import Link
from handful.table import GM, Command
from handful.web import games, wire
from handful.web.demos import set_up
from handful.web.faults import Fault, fault_of, forbidden
from handful.web.guard import Guard, cookie_of, of_same_origin
from handful.web.hall import Hall
from handful.web.rooms import Room
from handful.web.settings import Limits, Settings
from handful.web.socket import serve_socket

STATIC = Path(__file__).with_name("static")
NO: dict[int | str, dict[str, Any]] = {
    status: {"model": wire.Answer} for status in (403, 409, 413, 422, 429, 503)
}


def application(settings: Settings, limits: Limits | None = None) -> FastAPI:
    """The whole server, ready to run."""
    hall = Hall(settings, limits or Limits())

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await hall.begin()
        yield
        await hall.end()

    app = FastAPI(
        title="Handful", version=handful.__version__, lifespan=life, docs_url=None, redoc_url=None,
        description="A rules-aware dice table.  Commands are those of the table core.",
    )  # fmt: skip
    app.state.hall = hall
    app.add_middleware(Guard, settings=settings, limits=hall.limits)
    app.add_exception_handler(Fault, _told)
    app.add_exception_handler(HandfulError, _told)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.include_router(api)
    app.add_api_websocket_route("/api/tables/{table}/socket", serve_socket)
    app.include_router(pages)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


async def _told(request: Request, error: Exception) -> Response:
    fault = error if isinstance(error, Fault) else fault_of(error)  # type: ignore[arg-type]
    return JSONResponse(fault.to_dict(), fault.status)


async def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(one) for one in first["loc"] if one != "body")
    fault = Fault(422, "bad", f"{where or 'the request'}: {first['msg']}"[:300],
                  "see /openapi.json")  # fmt: skip
    return JSONResponse(fault.to_dict(), fault.status)


# -- who asks


def hall_of(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


async def sitting(request: Request, table: str) -> Link:
    """The seat of whoever asks; forbidden for everybody else."""
    hall = hall_of(request)
    link = await hall.sits(request.cookies.get(cookie_of(table), ""))
    if link.table != table or not link.seat:
        raise forbidden()
    return link


async def room_of(request: Request, table: str, link: Sitting) -> Room:
    return await hall_of(request).room(table)


Sitting = Annotated[Link, Depends(sitting)]
OwnRoom = Annotated[Room, Depends(room_of)]


def only_gm(room: Room, link: Link) -> None:
    if room.table.role(link.seat) != GM:
        raise Fault(403, "forbidden", "that is for the GM", "")


# -- games, without a table

api = APIRouter(prefix="/api", responses=NO)


@api.get("/games")
async def list_games() -> list[dict[str, Any]]:
    """The games that can be played here, in short."""
    found = [games.described(name) for name in games.games()]
    return [{name: one[name] for name in ("id", "title", "about")} for one in found]


@api.get("/games/{game}")
async def one_game(game: str) -> dict[str, Any]:
    """Everything about a game: checks, parameters, sheet, wording."""
    if game not in games.games():
        raise Fault(422, "refused", f"there is no game {game[:40]!r}", "")
    return games.described(game)


@api.post("/games/{game}/odds")
async def game_odds(request: Request, game: str, asked: wire.Reckoning) -> dict[str, Any]:
    """Exact odds of a check, without a table."""
    if game not in games.games():
        raise Fault(422, "refused", f"there is no game {game[:40]!r}", "")
    rules = games.game(game).rules
    budget = hall_of(request).limits.odds

    def work() -> dict[str, Any]:
        bound = bind(rules, asked.check, asked.sides, asked.parameters, asked.options)
        return exact.odds(bound, policy=asked.policy, budget=budget).to_dict()

    return await hall_of(request).thinks(work)


# -- tables


@api.post("/tables", status_code=201)
async def open_table(request: Request, wanted: wire.NewTable) -> wire.Opened:
    """Open a table; whoever does gets the links."""
    hall = hall_of(request)
    hall.may_open(request.client.host if request.client else "")
    players = [one for one in wanted.players if one != wanted.gm]
    table, tokens = await hall.new_table(
        wanted.game, wanted.title, wanted.gm, players, wanted.watchers
    )
    if wanted.demo:
        await set_up(await hall.room(table), wanted.gm, players)
    return wire.Opened(table=table, links={seat: f"/join/{one}" for seat, one in tokens.items()})


@api.post("/sit")
async def sit_down(request: Request, wanted: wire.Sitting) -> dict[str, str]:
    """Take a new seat by an open invitation; the answer is a link of one's own."""
    hall = hall_of(request)
    link = await hall.sits(wanted.token)
    if link.seat:
        raise forbidden()
    return {"link": f"/join/{await hall.sit_down(link, wanted.name)}", "table": link.table}


@api.get("/tables/{table}/view")
async def see(room: OwnRoom, link: Sitting) -> dict[str, Any]:
    """What the seat sees now."""
    return await room.ask(lambda now: tables.view(now, link.seat))


@api.post("/tables/{table}/commands")
async def do(request: Request, room: OwnRoom, link: Sitting, wanted: wire.Doing) -> wire.Done:
    """Obey a command of the table; it is saved when this answers."""
    hall_of(request).not_too_fast(link)
    events = await room.do(link.seat, Command(wanted.do, wanted.key, wanted.data))
    return wire.Done(done=wanted.key, events=events)


@api.post("/tables/{table}/sketch")
async def sketch(
    request: Request, room: OwnRoom, link: Sitting, wanted: wire.Sketching
) -> dict[str, Any]:
    """What a declaration would come to: its lines, and its odds by what the seat knows."""
    budget = hall_of(request).limits.odds
    return await hall_of(request).thinks(
        lambda: tables.reckoned(room.table, link.seat, wanted.data, wanted.policy, budget)
    )


@api.get("/tables/{table}/odds")
async def roll_odds(
    request: Request, room: OwnRoom, link: Sitting, roll: Annotated[str, Query(max_length=130)]
) -> dict[str, Any]:
    """Odds of a roll from where it stands."""
    return await hall_of(request).thinks(lambda: tables.odds(room.table, link.seat, roll))


@api.post("/tables/{table}/preview")
async def preview(room: OwnRoom, link: Sitting, wanted: wire.Previewing) -> dict[str, Any]:
    """What bringing a sheet would change."""
    return await room.ask(lambda now: tables.preview(now, link.seat, wanted.sheet, wanted.owner))


@api.get("/tables/{table}/luck")
async def luck(request: Request, room: OwnRoom, link: Sitting) -> dict[str, Any]:
    """Rolls against their expectation, by what the seat knows."""
    return await hall_of(request).thinks(lambda: tables.luck(room.table, link.seat))


@api.get("/tables/{table}/log")
async def log(
    room: OwnRoom, link: Sitting,
    after: Annotated[int, Query(ge=0)] = 0, most: Annotated[int, Query(ge=1, le=1000)] = 500,
) -> list[dict[str, Any]]:  # fmt: skip
    """Lines of the seat's own log, after a number."""
    return await room.lines(link.seat, after, most)


@api.get("/tables/{table}/export", response_class=PlainTextResponse)
async def export(room: OwnRoom, link: Sitting, table: str) -> Response:
    """The seat's own log, for `handful verify`."""
    text = await room.export(link.seat)
    name = f'attachment; filename="{table}.log"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


@api.get("/tables/{table}/links")
async def list_links(request: Request, room: OwnRoom, link: Sitting) -> list[dict[str, Any]]:
    """How many links lead to each seat; the links themselves are shown once, when made."""
    only_gm(room, link)
    return await hall_of(request).invited(link.table)


@api.post("/tables/{table}/links", status_code=201)
async def invite(
    request: Request, room: OwnRoom, link: Sitting, wanted: wire.Inviting
) -> dict[str, str]:
    """A new link; those that were given out before stay."""
    only_gm(room, link)
    if wanted.seat and wanted.seat not in room.table.seats:
        raise Fault(409, "refused", f"there is no seat {wanted.seat!r}", "give it first")
    role = room.table.role(wanted.seat) if wanted.seat else wanted.role
    return {"link": f"/join/{await hall_of(request).invite(link.table, wanted.seat, role)}"}


@api.post("/tables/{table}/links/revoke")
async def revoke(
    request: Request, room: OwnRoom, link: Sitting, wanted: wire.Inviting
) -> dict[str, int]:
    """All links to a seat lead nowhere from now on, and whoever listens there is let go."""
    only_gm(room, link)
    if wanted.seat == link.seat:
        raise Fault(409, "refused", "that would lock you out", "make a new link before")
    return {"revoked": await hall_of(request).take_back(link.table, wanted.seat, wanted.role)}


# -- pages

pages = APIRouter(include_in_schema=False)


@pages.get("/healthz")
async def healthy(request: Request) -> dict[str, str]:
    await hall_of(request).writer.do(hall_of(request).store.tables)
    return {"status": "ok"}


@pages.get("/join/{token}")
async def follow(request: Request, token: str) -> Response:
    """A link becomes a cookie; an open invitation becomes a question for a name."""
    hall = hall_of(request)
    try:
        link = await hall.sits(token)
    except Fault:
        return FileResponse(STATIC / "lost.html", 403)
    if not link.seat:
        return FileResponse(STATIC / "index.html")
    answer = RedirectResponse(f"/t/{link.table}", 303)
    answer.set_cookie(
        cookie_of(link.table), token, httponly=True, samesite="strict", path="/",
        secure=hall.settings.secure, max_age=180 * 24 * 3600,
    )  # fmt: skip
    return answer


@pages.get("/")
@pages.get("/t/{table}")
async def page(table: str = "") -> Response:
    """One page for everything: it holds nothing about any table."""
    return FileResponse(STATIC / "index.html")


__all__ = ["application", "of_same_origin"]
