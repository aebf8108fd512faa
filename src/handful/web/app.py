"""The application: what it is made of, how it says what is wrong, and how tables are opened.

Everything under /api speaks JSON.  The addresses of seats, pages, odds and texts are in `seated`,
`pages`, `explorer` and `shelf`; thinking is done elsewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

import handful
from handful.errors import HandfulError
from handful.web import games, routes_odds, routes_pages, routes_rulesets, routes_seat, schemas
from handful.web.demo import set_up
from handful.web.faults import Fault, drop_tracebacks, fault_of, forbidden
from handful.web.i18n import language_of, spoken
from handful.web.middleware import Guard, visitor_of
from handful.web.openapi import document
from handful.web.responses import MISSING, NO, KnownGame, hall_of, made, plain
from handful.web.server import Hall
from handful.web.settings import Limits, Settings
from handful.web.socket import serve_socket

# anyio loads its parts by parsing itself, when they are first used; in Python 3.11 that can disturb
# a thread that reads rules, so all of them are loaded now
for _part in dir(anyio):
    getattr(anyio, _part, None)


def application(settings: Settings, limits: Limits | None = None) -> FastAPI:
    """The whole server, ready to run."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        app.state.hall = hall = Hall(settings, limits or Limits())
        await hall.begin()
        reading = asyncio.create_task(asyncio.to_thread(games.read_all))  # nobody waits for it
        try:
            yield
        finally:
            await reading
            await hall.end()

    app = FastAPI(
        title="Handful",
        version=handful.__version__,
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        description="A rules-aware dice table.  Commands are those of the table core.",
    )
    app.openapi = lambda: document(app)  # type: ignore[method-assign]
    app.add_middleware(Guard, settings=settings, limits=limits or Limits())
    app.add_exception_handler(Fault, _told)
    app.add_exception_handler(HandfulError, _told)
    app.add_exception_handler(HTTPException, _not_found)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.include_router(api)
    app.include_router(routes_odds.router)
    app.include_router(routes_rulesets.router)
    app.include_router(routes_seat.router)
    app.add_api_websocket_route("/api/tables/{place}/socket", serve_socket)
    app.include_router(routes_pages.router)
    app.mount("/static", routes_pages.FILES, name="static")
    return app


async def _told(request: Request, error: Exception) -> Response:
    fault = error if isinstance(error, Fault) else fault_of(error)  # type: ignore[arg-type]
    drop_tracebacks(error)
    return _answer(request, fault)


def _answer(request: Request, fault: Fault, headers: Mapping[str, str] | None = None) -> Response:
    """A fault in the language of whoever asked."""
    rules = getattr(request.state, "rules", None)
    said = spoken(fault.to_dict(), language_of(request.headers), rules)
    return JSONResponse(said, fault.status, headers=headers)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    drop_tracebacks(error)
    if error.status_code in (404, 405):
        says = ("not_found", "there is nothing at this address", "see /openapi.json")
        fault = Fault(error.status_code, *says)
    else:  # a body that is not even text
        fault = Fault(422, "bad", "the request: this is no JSON", "see /openapi.json")
    return _answer(request, fault, error.headers)


async def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    drop_tracebacks(error)
    first = error.errors()[0]
    where = ".".join(str(one)[:60] for one in first["loc"] if one != "body")
    fault = Fault(422, "bad", f"{where or 'the request'}: {first['msg']}"[:300], "see /openapi.json")
    return _answer(request, fault)


# -- games, without a table

api = APIRouter(prefix="/api", responses=NO)


@api.get("/games", responses=made(list[schemas.GameInShort]))
async def list_games() -> Response:
    """The games that can be played here, in short, with their odds at a glance."""
    return plain(await asyncio.to_thread(games.in_short))


@api.get("/games/{game}", responses=made(schemas.Game))
async def one_game(request: Request, game: KnownGame) -> Response:
    """Everything about a game: checks, parameters, sheet, wording; samples in the own language."""
    language = language_of(request.headers)
    return plain(await asyncio.to_thread(games.described, game, language))


# -- tables


@api.post("/tables", status_code=201, responses=MISSING)
async def open_table(request: Request, wanted: schemas.NewTable) -> schemas.Opened:
    """Open a table; whoever does gets the links."""
    hall = hall_of(request)
    hall.may_open(visitor_of(request))
    table, tokens = await hall.new_table(
        wanted.game, wanted.title, wanted.gm, wanted.players, wanted.watchers, wanted.brew
    )
    if wanted.demo:
        language = language_of(request.headers)
        await set_up(await hall.room(table), wanted.gm, wanted.players, language)
    return schemas.Opened(table=table, links={seat: f"/join/{one}" for seat, one in tokens.items()})


@api.post("/sit")
async def sit_down(request: Request, wanted: schemas.Sitting) -> schemas.Seated:
    """Take a new seat by an open invitation; the answer is a link of one's own."""
    hall = hall_of(request)
    hall.may_ask("sit", visitor_of(request))
    link = await hall.follow(wanted.token, visitor_of(request))
    if link.seat:
        raise forbidden()
    token = await hall.sit_down(link, wanted.name)
    return schemas.Seated(table=link.table, link=f"/join/{token}")
