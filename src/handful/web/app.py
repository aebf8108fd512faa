"""The application: which address does what.  Thinking is done elsewhere.

Everything under /api speaks JSON; whoever has a seat shows it by a cookie, one for each place.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import anyio
from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException

import handful
from handful import table as tables
from handful.errors import HandfulError
from handful.store import Link
from handful.table import GM, Command, canonical_json
from handful.web import explorer, games, shelf, wire
from handful.web.answers import NO, KnownGame, hall_of, made, plain
from handful.web.demos import set_up
from handful.web.described import document
from handful.web.faults import Fault, fault_of, forbidden
from handful.web.files import Files
from handful.web.guard import Guard, visitor_of
from handful.web.hall import Hall
from handful.web.links import COOKIE, place_of
from handful.web.reckoning import about_roll
from handful.web.rooms import Room
from handful.web.settings import Limits, Settings
from handful.web.socket import serve_socket
from handful.web.speaking import language_of, spoken

# anyio loads its parts by parsing itself, when they are first used; in Python 3.11 that can disturb
# a thread that reads rules, so all of them are loaded now
for _part in dir(anyio):
    getattr(anyio, _part, None)

FILES = Files(Path(__file__).with_name("static"))
LOST = {"en": "lost.html", "de": "lost.de.html"}  # without script: nothing else is fetched
GAMES = ("table_opened", "rules_changed")  # events that name the rules of a table
LASTS = 180 * 24 * 3600  # seconds that a browser keeps its seat


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
        title="Handful", version=handful.__version__, lifespan=life, docs_url=None, redoc_url=None,
        description="A rules-aware dice table.  Commands are those of the table core.",
    )  # fmt: skip
    app.openapi = lambda: document(app)  # type: ignore[method-assign]
    app.add_middleware(Guard, settings=settings, limits=limits or Limits())
    app.add_exception_handler(Fault, _told)
    app.add_exception_handler(HandfulError, _told)
    app.add_exception_handler(HTTPException, _not_found)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.include_router(api)
    app.include_router(explorer.router)
    app.include_router(shelf.router)
    app.include_router(seated)
    app.add_api_websocket_route("/api/tables/{place}/socket", serve_socket)
    app.include_router(pages)
    app.mount("/static", FILES, name="static")
    return app


async def _told(request: Request, error: Exception) -> Response:
    fault = error if isinstance(error, Fault) else fault_of(error)  # type: ignore[arg-type]
    return _answer(request, fault)


def _answer(request: Request, fault: Fault, headers: Mapping[str, str] | None = None) -> Response:
    """A fault in the language of whoever asked."""
    rules = getattr(request.state, "rules", None)
    said = spoken(fault.to_dict(), language_of(request.headers), rules)
    return JSONResponse(said, fault.status, headers=headers)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code in (404, 405):
        says = ("not_found", "there is nothing at this address", "see /openapi.json")
        fault = Fault(error.status_code, *says)
    else:  # a body that is not even text
        fault = Fault(422, "bad", "the request: this is no JSON", "see /openapi.json")
    return _answer(request, fault, error.headers)


async def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(one)[:60] for one in first["loc"] if one != "body")
    fault = Fault(422, "bad", f"{where or 'the request'}: {first['msg']}"[:300],
                  "see /openapi.json")  # fmt: skip
    return _answer(request, fault)


# -- who asks


async def sitting(request: Request, place: str) -> Link:
    """The seat of whoever asks; forbidden for everybody else."""
    hall = hall_of(request)
    link = await hall.sits(request.cookies.get(COOKIE, ""), visitor_of(request))
    if place_of(link) != place:
        raise forbidden()
    hall.may_ask(link.table, link.seat)
    return link


async def room_of(request: Request, link: Sitting) -> Room:
    room = await hall_of(request).room(link.table)
    request.state.rules = room.kept.rules
    return room


Sitting = Annotated[Link, Depends(sitting)]
OwnRoom = Annotated[Room, Depends(room_of)]


def only_gm(room: Room, link: Link) -> None:
    if room.table.role(link.seat) != GM:
        raise Fault(403, "forbidden", "that is for the GM", "")


def keep_seat(hall: Hall, answer: Response, link: Link, token: str) -> None:
    """The cookie of a seat: sent to its own place and nowhere else, unseen by scripts."""
    answer.set_cookie(
        COOKIE, token, httponly=True, samesite="strict", path=f"/api/tables/{place_of(link)}",
        secure=hall.settings.secure, max_age=LASTS,
    )  # fmt: skip


# -- games, without a table

api = APIRouter(prefix="/api", responses=NO)


@api.get("/games", responses=made(list[wire.GameInShort]))
async def list_games() -> Response:
    """The games that can be played here, in short, with their odds at a glance."""
    return plain(await asyncio.to_thread(games.in_short))


@api.get("/games/{game}", responses=made(wire.Game))
async def one_game(request: Request, game: KnownGame) -> Response:
    """Everything about a game: checks, parameters, sheet, wording; samples in the own language."""
    language = language_of(request.headers)
    return plain(await asyncio.to_thread(games.described, game, language))


@api.post("/games/{game}/odds", responses=made(wire.Odds))
async def game_odds(request: Request, game: KnownGame, asked: wire.Reckoning) -> Response:
    """Exact odds of a check, without a table."""
    hall, visitor = hall_of(request), visitor_of(request)
    hall.may_ask("visitor", visitor)
    rules, texts = await asyncio.to_thread(games.installed, game)
    request.state.rules = rules
    parts = {"check": asked.check, "sides": asked.sides, "parameters": asked.parameters,
             "options": asked.options}  # fmt: skip

    async def given() -> Any:
        return texts

    question = {"asked": parts, "policy": asked.policy}
    return plain(await hall.reckons(("visitor", visitor), question, rules.hash, given,
                                    request.is_disconnected))  # fmt: skip


# -- tables


@api.post("/tables", status_code=201, responses=shelf.MISSING)
async def open_table(request: Request, wanted: wire.NewTable) -> wire.Opened:
    """Open a table; whoever does gets the links."""
    hall = hall_of(request)
    hall.may_open(visitor_of(request))
    table, tokens = await hall.new_table(
        wanted.game, wanted.title, wanted.gm, wanted.players, wanted.watchers, wanted.brew
    )
    if wanted.demo:
        language = language_of(request.headers)
        await set_up(await hall.room(table), wanted.gm, wanted.players, language)
    return wire.Opened(table=table, links={seat: f"/join/{one}" for seat, one in tokens.items()})


@api.post("/sit")
async def sit_down(request: Request, wanted: wire.Sitting) -> wire.Seated:
    """Take a new seat by an open invitation; the answer is a link of one's own."""
    hall = hall_of(request)
    hall.may_ask("sit", visitor_of(request))
    link = await hall.follow(wanted.token, visitor_of(request))
    if link.seat:
        raise forbidden()
    token = await hall.sit_down(link, wanted.name)
    return wire.Seated(table=link.table, link=f"/join/{token}")


seated = APIRouter(prefix="/api/tables/{place}", responses=NO)


@seated.get("/view", responses=made(wire.View))
async def see(room: OwnRoom, link: Sitting) -> Response:
    """What the seat sees now."""
    return plain(await room.ask(lambda now: tables.view(now, link.seat)))


@seated.get("/game", responses=made(wire.Game))
async def own_game(request: Request, room: OwnRoom) -> Response:
    """Everything about the game that is played here, by the very rules of this table."""
    language = language_of(request.headers)
    return plain(await room.ask(lambda now: games.describe(now.rules, language)))


@seated.post("/commands")
async def do(request: Request, room: OwnRoom, link: Sitting, wanted: wire.Doing) -> wire.Done:
    """Obey a command of the table; it is saved when this answers."""
    hall_of(request).not_too_fast(link)
    n = await room.do(link.seat, Command(wanted.do, wanted.key, wanted.data))
    return wire.Done(done=wanted.key, n=n)


async def _reckoned(
    request: Request, room: Room, link: Link, question: dict[str, Any], rules: str
) -> Any:
    hall = hall_of(request)
    return await hall.reckons(
        (link.table, link.seat), question, rules, lambda: hall.texts_of(room, rules),
        request.is_disconnected,
    )  # fmt: skip


@seated.post("/sketch", responses=made(wire.Sketched))
async def sketch(
    request: Request, room: OwnRoom, link: Sitting, wanted: wire.Sketching
) -> Response:
    """What a declaration would come to: its lines, and its odds by what the seat knows."""
    asked, lines = await room.ask(lambda now: tables.sketched(now, link.seat, wanted.data))
    question = {"asked": asked, "policy": wanted.policy}
    odds = await _reckoned(request, room, link, question, room.table.rules.hash)
    return plain({"lines": lines, "odds": odds})


@seated.get("/odds", responses=made(wire.Odds))
async def roll_odds(
    request: Request, room: OwnRoom, link: Sitting, roll: Annotated[str, Query(max_length=130)]
) -> Response:
    """Odds of a roll from where it stands."""
    question, rules = await room.ask(lambda now: about_roll(now, link.seat, roll))
    return plain(await _reckoned(request, room, link, question, rules))


@seated.post("/preview", responses=made(wire.Preview))
async def preview(room: OwnRoom, link: Sitting, wanted: wire.Previewing) -> Response:
    """What bringing a sheet would change, and what its numbers come to."""
    asked = (link.seat, wanted.sheet, wanted.owner, wanted.base)
    return plain(await room.ask(lambda now: tables.preview(now, *asked)))


@seated.get("/history", responses=made(list[wire.Change]))
async def history(
    room: OwnRoom, link: Sitting, character: Annotated[str, Query(max_length=200)]
) -> Response:
    """Every change of a character and who made it, as far as the seat was told."""
    return plain(await room.history(link.seat, character))


@seated.get(
    "/sheet", response_class=Response,
    responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)  # fmt: skip
async def sheet(
    room: OwnRoom, link: Sitting, character: Annotated[str, Query(max_length=200)]
) -> Response:
    """A character's sheet as a file, the same bytes as `handful sheet --export` gives."""
    text = await room.ask(lambda now: tables.sheet_text(now, link.seat, character))
    name = re.sub(r"[^A-Za-z0-9]+", "-", character.rpartition("/")[2]).strip("-") or "character"
    headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
    return Response(text, media_type="application/json", headers=headers)


@seated.post("/rules", responses=made(wire.OtherRules) | shelf.MISSING)
async def other_rules(
    request: Request, room: OwnRoom, link: Sitting, wanted: wire.Changing
) -> Response:
    """What other rules would change: in words, in odds, and for those who are here."""
    only_gm(room, link)
    hall = hall_of(request)
    hash, texts = await hall.rules_for(wanted.game, wanted.brew)
    found = await room.ask(lambda now: tables.rules_preview(now, link.seat, hash))
    before = await hall.texts_of(room, room.table.rules.hash)
    question = {"do": "difference", "before": before, "after": texts,
                "options": [dict(room.table.options), found["options"]]}  # fmt: skip
    differs = await hall.brewed(visitor_of(request), question, request.is_disconnected)
    return plain(found | differs)


@seated.get("/luck", responses=made(wire.Luck))
async def luck(request: Request, room: OwnRoom, link: Sitting) -> Response:
    """Rolls against their expectation, by what the seat knows."""
    kept = room.kept
    entries = await room.ask(lambda now: kept.store.read(kept.opened.table))
    hall, first = hall_of(request), kept.empty.rules.hash
    shelf = {
        hash: await hall.texts_of(room, hash)
        for hash in {one["data"]["game"]["hash"] for one in entries if one["kind"] in GAMES}
        if hash != first
    }
    question = {"luck": entries, "seat": link.seat, "shelf": shelf}
    return plain(await _reckoned(request, room, link, question, first))


@seated.get("/log", responses=made(list[wire.Line]))
async def log(
    room: OwnRoom, link: Sitting,
    after: Annotated[int, Query(ge=0)] = 0, most: Annotated[int, Query(ge=1, le=1000)] = 500,
) -> Response:  # fmt: skip
    """Lines of the seat's own log, after a number."""
    return Response(await room.lines(link.seat, after, most), media_type="application/json")


@seated.get(
    "/export", response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)  # fmt: skip
async def export(room: OwnRoom, link: Sitting) -> Response:
    """The seat's own log, for `handful verify`."""
    name = f'attachment; filename="{place_of(link).partition("~")[0]}.log"'
    return Response(
        await room.export(link.seat), media_type="text/plain", headers={"Content-Disposition": name}
    )


@seated.get("/links")
async def list_links(request: Request, room: OwnRoom, link: Sitting) -> list[wire.Links]:
    """How many links lead to each seat; the links themselves are shown once, when made."""
    only_gm(room, link)
    return [wire.Links(**one) for one in await hall_of(request).invited(link.table)]


@seated.post("/links", status_code=201)
async def invite(
    request: Request, answer: Response, room: OwnRoom, link: Sitting, wanted: wire.Inviting
) -> wire.Invited:
    """A new link; those that were given out before stay, or with `instead` lead nowhere."""
    only_gm(room, link)
    if wanted.seat and wanted.seat not in room.table.seats:
        raise Fault(409, "refused", f"there is no seat {wanted.seat!r}", "give it first")
    role = room.table.role(wanted.seat) if wanted.seat else wanted.role
    leads = Link(link.table, wanted.seat, role)
    token = await hall_of(request).invite(leads, instead=wanted.instead)
    if wanted.instead and wanted.seat == link.seat:
        keep_seat(hall_of(request), answer, link, token)  # whoever asked stays
    return wire.Invited(link=f"/join/{token}")


@seated.post("/links/revoke")
async def revoke(
    request: Request, room: OwnRoom, link: Sitting, wanted: wire.Revoking
) -> wire.Revoked:
    """All links to a seat lead nowhere from now on, and whoever listens there is let go."""
    only_gm(room, link)
    if wanted.seat == link.seat:
        raise Fault(409, "refused", "that would lock you out", "make a new link instead")
    found = await hall_of(request).take_back(Link(link.table, wanted.seat, wanted.role))
    return wire.Revoked(revoked=found)


# -- pages

pages = APIRouter()
HTML: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {}}}}


@pages.get("/healthz", responses={503: {"model": wire.Answer}})
async def healthy(request: Request) -> wire.Healthy:
    """Whether the server is there and can read its file."""
    hall = hall_of(request)
    await hall.door.do(hall.book.version)
    return wire.Healthy(status="ok")


@pages.get(
    "/join/{token}", response_class=Response,
    responses={
        **HTML, 303: {"description": "The cookie of the seat, and on to /t/{place}."},
        403: {"description": "A link that leads nowhere.", "content": {"text/html": {}}},
        422: {"model": wire.Answer}, 429: {"model": wire.Answer},
    },
)  # fmt: skip
async def follow(request: Request, token: str) -> Response:
    """A link becomes a cookie; an open invitation becomes a question for a name."""
    hall = hall_of(request)
    try:
        link = await hall.follow(token, visitor_of(request))
    except Fault as fault:
        if fault.status != 403:
            raise
        return FILES.answer(LOST[language_of(request.headers)], request, 403)
    if not link.seat:
        return FILES.answer("index.html", request)
    answer = RedirectResponse(f"/t/{place_of(link)}", 303)
    keep_seat(hall, answer, link, token)
    return answer


@pages.get("/", include_in_schema=False)
async def first_page(request: Request) -> Response:
    return FILES.answer("index.html", request)


@pages.get("/odds", include_in_schema=False)
async def odds_page(request: Request) -> Response:
    """The explorer; what it shows is in the fragment of the address, which no server sees."""
    return FILES.answer("odds.html", request)


@pages.get("/sw.js", include_in_schema=False)
async def worker(request: Request) -> Response:
    """At the top, because it is for every page."""
    return FILES.answer("sw.js", request)


@pages.get("/t/{place}/manifest.webmanifest", include_in_schema=False)
async def installed(place: str) -> Response:
    """A table on a phone's home screen opens at its seat."""
    own = f"/t/{quote(place, safe='~')}"
    made = json.loads(FILES.text("manifest.webmanifest")) | {"id": own, "start_url": own}
    return Response(canonical_json(made), media_type="application/manifest+json")


@pages.get("/t/{place}", include_in_schema=False)
async def table_page(request: Request, place: str) -> Response:
    """The same page for every table: it holds nothing about any."""
    return FILES.answer("table.html", request)
