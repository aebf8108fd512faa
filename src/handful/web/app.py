"""The FastAPI application: lifespan, error handlers, and the routes for games and new tables.

Routes of a seat, of pages, of odds and of draft rulesets are in the `routes_*` modules.
Invariant: every error leaves as `{"error": {code, message, hint}}` in the client's language.
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
from handful.catalogue import NO_WORDS
from handful.errors import HandfulError, Message, Refused
from handful.table import WATCHER
from handful.web import (
    game_cards,
    games,
    routes_links,
    routes_odds,
    routes_pages,
    routes_pictures,
    routes_rulesets,
    routes_seat,
    routes_status,
    schemas,
)
from handful.web.demo import set_up
from handful.web.faults import Fault, drop_tracebacks, fault_of, forbidden
from handful.web.i18n import language_of, render_error
from handful.web.joining import Newcomer
from handful.web.metrics import Metrics
from handful.web.middleware import Guard, visitor_of
from handful.web.new_tables import NewTable, open_new_table
from handful.web.openapi import build_openapi
from handful.web.reach import Reach
from handful.web.responses import ERRORS, NOT_FOUND, KnownGame, json_response, responds_with, server_of
from handful.web.server import Server
from handful.web.settings import ServerLimits, Settings
from handful.web.socket import serve_socket

# anyio imports its submodules on first use by parsing its own source.  In Python 3.11 that can
# disturb a thread that is parsing rules, so import all of them now.
for _part in dir(anyio):
    getattr(anyio, _part, None)


def create_app(settings: Settings, limits: ServerLimits | None = None, reach: Reach | None = None) -> FastAPI:
    """Create the ASGI application with all routes, middleware and error handlers."""
    reached, metrics = reach or Reach(settings), Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.server = server = Server(reached, limits or ServerLimits(), metrics)
        await server.start()
        preloading = asyncio.create_task(asyncio.to_thread(game_cards.summaries))  # no request waits for it
        try:
            yield
        finally:
            await preloading
            await server.stop()

    app = FastAPI(
        title="Handful",
        version=handful.__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        description="A rules-aware dice table.  Commands are those of the table core.",
    )
    app.openapi = lambda: build_openapi(app)  # type: ignore[method-assign]
    app.add_middleware(
        Guard, reach=reached, limits=limits or ServerLimits(), on_request=metrics.count_request
    )
    app.add_exception_handler(Fault, _handle_error)
    app.add_exception_handler(HandfulError, _handle_error)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.include_router(api)
    app.include_router(routes_odds.router)
    app.include_router(routes_rulesets.router)
    app.include_router(routes_seat.router)
    app.include_router(routes_links.router)
    app.include_router(routes_pictures.router)
    app.add_api_websocket_route("/api/tables/{place}/socket", serve_socket)
    app.include_router(routes_status.router)
    app.include_router(routes_pages.router)
    app.mount("/static", routes_pages.FILES, name="static")
    return app


async def _handle_error(request: Request, error: Exception) -> Response:
    fault = error if isinstance(error, Fault) else fault_of(error)  # type: ignore[arg-type]
    drop_tracebacks(error)
    return _error_response(request, fault)


def _error_response(request: Request, fault: Fault, headers: Mapping[str, str] | None = None) -> Response:
    """Return a fault as JSON in the language of the request."""
    words = getattr(request.state, "words", NO_WORDS)
    body = render_error(fault.to_dict(), language_of(request.headers), words)
    return JSONResponse(body, fault.status, headers=headers)


async def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    drop_tracebacks(error)
    if error.status_code in (404, 405):
        wrong = Message("server.nothing_here")
        fault = Fault(error.status_code, "not_found", wrong, Message("server.see_openapi"))
    else:  # raised for a body that is not UTF-8
        fault = Fault(422, "bad", Message("server.request_not_json"), Message("server.see_openapi"))
    return _error_response(request, fault, error.headers)


async def _handle_validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    drop_tracebacks(error)
    first = error.errors()[0]
    where = ".".join(str(one)[:60] for one in first["loc"] if one != "body")
    problem = Message("foreign_text", text=first["msg"][:300])
    place = where[:300] or Message("server.the_request")
    fault = Fault(422, "bad", Message("at", place=place, problem=problem), Message("server.see_openapi"))
    return _error_response(request, fault)


# -- games, without a table

api = APIRouter(prefix="/api", responses=ERRORS)


@api.get("/games", responses=responds_with(list[schemas.GameSummary]))
async def list_games() -> Response:
    """List the games of this server with a few odds each."""
    return json_response(await asyncio.to_thread(game_cards.summaries))


@api.get("/games/{game}", responses=responds_with(schemas.GameView))
async def get_game(request: Request, game: KnownGame) -> Response:
    """Describe a game: checks, parameters, sheet and wording; sample characters in your language."""
    language = language_of(request.headers)
    return json_response(await asyncio.to_thread(games.describe_game, game, language))


@api.post("/games/{game}/throw", responses=responds_with(schemas.ThrowAgainResponse))
async def throw_again(request: Request, game: KnownGame) -> Response:
    """Throw the example of a game's card again, by chance."""
    server_of(request).rates.limit_explorer(visitor_of(request))
    thrown = await asyncio.to_thread(game_cards.throw_again, game)
    if thrown is None:
        raise Refused(Message("server.no_example", game=game))
    return json_response(thrown)


# -- tables


@api.post("/tables", status_code=201, responses=NOT_FOUND)
async def create_table(request: Request, body: schemas.CreateTableRequest) -> schemas.CreateTableResponse:
    """Create a table and return the links to its seats."""
    server = server_of(request)
    server.rates.limit_new_tables(visitor_of(request))
    wanted = NewTable(body.title, body.gm, body.players, body.watchers, body.join)
    asked = (body.game, body.brew, visitor_of(request), request.is_disconnected)
    rules = await server.rulesets.of_new_table(*asked)
    table, tokens = await open_new_table(server.database, rules, wanted)
    if body.demo:
        language = language_of(request.headers)
        await set_up(await server.rooms.get(table), body.gm, body.players, language)
    return schemas.CreateTableResponse(
        table=table, links={seat: f"/join/{one}" for seat, one in tokens.items()}
    )


@api.post("/invitation", responses=responds_with(schemas.InvitationResponse))
async def read_invitation(request: Request, body: schemas.ReadInvitationRequest) -> Response:
    """Describe the table of an open invitation: its game, who is there, and which characters are free."""
    server = server_of(request)
    server.rates.limit_queries("sit", visitor_of(request))
    link = await server.access.follow_link(body.token, visitor_of(request))
    if link.seat:
        raise forbidden()
    room, language = await server.rooms.get(link.table), language_of(request.headers)
    told = await room.ask("invitation", role=link.role, language=language)
    return json_response({"id": link.table, **told})


@api.post("/recover")
async def recover_seat(request: Request, body: schemas.RecoverRequest) -> schemas.TakeSeatResponse:
    """Return a new link for a recovery code; the seat's log says that it was made."""
    server = server_of(request)
    server.rates.limit_queries("recover", visitor_of(request))
    table, token = await server.access.recover(body.code, visitor_of(request))
    return schemas.TakeSeatResponse(table=table, link=f"/join/{token}")


@api.post("/sit")
async def take_seat(request: Request, body: schemas.TakeSeatRequest) -> schemas.TakeSeatResponse:
    """Take a new seat by an open invitation; returns the link to that seat."""
    server = server_of(request)
    server.rates.limit_queries("sit", visitor_of(request))
    link = await server.access.follow_link(body.token, visitor_of(request))
    if link.seat:
        raise forbidden()
    role = WATCHER if body.watch else link.role
    newcomer = Newcomer(
        body.name, role, body.colour, body.character, body.sample, language_of(request.headers)
    )
    token = await server.access.take_seat(link, newcomer)
    return schemas.TakeSeatResponse(table=link.table, link=f"/join/{token}")
