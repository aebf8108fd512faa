"""Routes of a seat: view, commands, log, odds, sheets.

The seat is authenticated by its cookie, which browsers send only to the seat's own path.
Invariant: a response holds only what `handful.table` projected for the seat.
"""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import StringConstraints

from handful import sheet as sheets
from handful import table as tables
from handful.errors import Message, Refused
from handful.store import Link
from handful.table import GM, SPECTATOR, Command
from handful.table.characters import sheet_data
from handful.table.codec import write_record
from handful.table.view import named_rolls
from handful.web import games, schemas, schemas_odds
from handful.web.faults import Fault, fault_of, forbidden
from handful.web.i18n import language_of, render_answer, render_error
from handful.web.links import COOKIE, seat_path
from handful.web.middleware import visitor_of
from handful.web.responses import ERRORS, NOT_FOUND, json_response, responds_with, server_of
from handful.web.rooms import Room
from handful.web.workers import roll_question

# Routes that a seat can still use after its player has left.
READ_ONLY = frozenset(
    {
        "/view",
        "/summary",
        "/game",
        "/log",
        "/export",
        "/luck",
        "/odds",
        "/history",
        "/evenings",
        "/rolls",
        "/sheet",
    }
)

MAX_ROLLS = 50  # of one question
RollName = Annotated[str, StringConstraints(max_length=130)]

router = APIRouter(prefix="/api/tables/{place}", responses=ERRORS)


async def seat_link(request: Request, place: str) -> Link:
    """Return the caller's link to the place in the URL."""
    server = server_of(request)
    link = await server.access.find_seat(request.cookies.get(COOKIE, ""), visitor_of(request))
    if seat_path(link) != place:
        raise forbidden()
    server.rates.limit_queries(link.table, link.seat)
    return link


SeatLink = Annotated[Link, Depends(seat_link)]


async def own_seat(request: Request, link: SeatLink) -> Link:
    """Return the caller's link; a seat that was left may only read."""
    room = await server_of(request).rooms.get(link.table)
    if link.seat in room.table.left_seats and not _only_reads(request):
        raise Fault(403, "forbidden", Message("server.you_have_left"), Message("server.gm_can_seat_you"))
    return link


def _only_reads(request: Request) -> bool:
    path: str = request.scope["route"].path
    return request.method == "GET" and path.removeprefix(router.prefix) in READ_ONLY


async def own_room(request: Request, link: OwnSeat) -> Room:
    room = await server_of(request).rooms.get(link.table)
    request.state.rules = room.stored.rules
    return room


OwnSeat = Annotated[Link, Depends(own_seat)]
OwnRoom = Annotated[Room, Depends(own_room)]


def require_gm(room: Room, link: Link) -> None:
    if room.table.role(link.seat) != GM:
        raise Fault(403, "forbidden", Message("server.for_the_gm"))


@router.get("/view", responses=responds_with(schemas.TableView))
async def get_view(
    room: OwnRoom, link: OwnSeat, as_: Annotated[Literal["", "watcher"], Query(alias="as")] = ""
) -> Response:
    """Return the view of the seat; with `as=watcher` that of any watcher, without actions."""
    viewer = SPECTATOR if as_ else link.seat
    return json_response(await room.query(lambda now: tables.view(now, viewer)))


@router.get("/summary")
async def get_summary(request: Request, link: SeatLink) -> schemas.SeatSummary:
    """Describe the seat for a list of tables, with who is there now; the table is not opened for it."""
    return schemas.SeatSummary(seat=link.seat, **await server_of(request).rooms.summary(link))


@router.get("/game", responses=responds_with(schemas.GameView))
async def get_game(request: Request, room: OwnRoom) -> Response:
    """Describe the game of this table, by the table's own rules."""
    language = language_of(request.headers)
    return json_response(await room.query(lambda now: games.describe(now.rules, language)))


@router.post("/commands")
async def send_command(
    request: Request, room: OwnRoom, link: OwnSeat, body: schemas.CommandRequest
) -> schemas.CommandResponse:
    """Execute a command; it is saved when this returns."""
    server_of(request).rates.limit_commands(link, body.do)
    n = await room.submit(link.seat, Command(body.do, body.key, body.data))
    return schemas.CommandResponse(done=body.key, n=n)


async def _compute(request: Request, room: Room, link: Link, question: dict[str, Any], rules: str) -> Any:
    server = server_of(request)
    return await server.processes.compute(
        (link.table, link.seat),
        question,
        rules,
        lambda: server.rulesets.texts(room.stored.header, rules),
        request.is_disconnected,
    )


@router.post("/sketch", responses=responds_with(schemas_odds.RollPreview | schemas.SheetProblem))
async def preview_roll(
    request: Request, room: OwnRoom, link: OwnSeat, body: schemas.PreviewRollRequest
) -> Response:
    """Preview a roll before it is declared: its lines, and its odds by what the seat knows.

    With `partial`, a check that does not fit yet gets an answer as well: `problem`.
    """
    try:
        asked, about = await room.query(lambda now: tables.preview_request(now, link.seat, body.data))
    except Refused as refusal:
        if not body.partial:
            raise
        said = render_error(fault_of(refusal).to_dict(), language_of(request.headers), room.table.rules)
        return json_response({"problem": said["error"]})
    question = {"asked": write_record(asked), "policy": body.policy}
    odds = await _compute(request, room, link, question, room.table.rules.hash)
    odds = render_answer(odds, language_of(request.headers), room.table.rules)
    return json_response({**about, "odds": odds})


@router.get("/odds", responses=responds_with(schemas_odds.OddsResponse))
async def roll_odds(
    request: Request, room: OwnRoom, link: OwnSeat, roll: Annotated[str, Query(max_length=130)]
) -> Response:
    """Return the odds of a roll in its current state."""
    question, rules = await room.query(lambda now: roll_question(now, link.seat, roll))
    odds = await _compute(request, room, link, question, rules)
    return json_response(render_answer(odds, language_of(request.headers), room.table.rules))


@router.post("/preview", responses=responds_with(schemas.SheetPreview | schemas.SheetProblem))
async def preview_sheet(
    request: Request, room: OwnRoom, link: OwnSeat, body: schemas.PreviewSheetRequest
) -> Response:
    """Preview what bringing a sheet would change, with its derived values.

    With `partial`, a sheet that does not fit yet gets an answer as well: `problem`.
    """
    asked = (link.seat, body.sheet, body.owner, body.base)
    try:
        return json_response(await room.query(lambda now: tables.preview_sheet(now, *asked)))
    except Refused as refusal:
        if not body.partial:
            raise
        said = render_error(fault_of(refusal).to_dict(), language_of(request.headers), room.table.rules)
        return json_response({"problem": said["error"]})


@router.post("/new-character")
async def new_character(
    room: OwnRoom, link: OwnSeat, body: schemas.NewCharacterRequest
) -> schemas.NewCharacterResponse:
    """Return the sheet of a new character, to be changed and brought; the seed decides what chance does."""
    rules, quick = room.table.rules, body.start or body.quick
    made = sheets.new_character(rules, kind=body.kind, quick=quick, seed=body.seed)
    return schemas.NewCharacterResponse(sheet=sheet_data(rules, made))


@router.get("/rolls", responses=responds_with(list[schemas.RollView]))
async def get_rolls(
    room: OwnRoom, link: OwnSeat, roll: Annotated[list[RollName], Query(max_length=MAX_ROLLS)]
) -> Response:
    """Return rolls by name, also those that are too old for the view; unknown ones are left out."""
    return json_response(await room.query(lambda now: named_rolls(now, link.seat, roll)))


@router.get("/evenings", responses=responds_with(list[schemas.EveningSummary]))
async def get_evenings(room: OwnRoom, link: OwnSeat) -> Response:
    """Summarize each evening of the seat's own log: rolls, special results, points."""
    return json_response(await room.evenings(link.seat))


@router.get("/history", responses=responds_with(list[schemas.CharacterChange]))
async def get_history(
    room: OwnRoom, link: OwnSeat, character: Annotated[str, Query(max_length=200)]
) -> Response:
    """List the changes of a character and who made them, by the seat's own log."""
    return json_response(await room.history(link.seat, character))


@router.get(
    "/sheet",
    response_class=Response,
    responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def download_sheet(
    room: OwnRoom, link: OwnSeat, character: Annotated[str, Query(max_length=200)]
) -> Response:
    """Download a character's sheet, the same bytes as `handful sheet --export` writes."""
    text = await room.query(lambda now: tables.sheet_text(now, link.seat, character))
    name = re.sub(r"[^A-Za-z0-9]+", "-", character.rpartition("/")[2]).strip("-") or "character"
    headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
    return Response(text, media_type="application/json", headers=headers)


@router.post("/rules", responses=responds_with(schemas.RulesPreview) | NOT_FOUND)
async def preview_rules(
    request: Request, room: OwnRoom, link: OwnSeat, body: schemas.ChangeRulesRequest
) -> Response:
    """Preview a change of rules: in words, in odds, and for the table's characters."""
    require_gm(room, link)
    server = server_of(request)
    hash, texts = await server.rulesets.rules_for(body.game, body.brew)
    found = await room.query(lambda now: tables.preview_rules(now, link.seat, hash))
    before = await server.rulesets.texts(room.stored.header, room.table.rules.hash)
    question = {
        "do": "difference",
        "before": before,
        "after": texts,
        "options": [dict(room.table.options), found["options"]],
    }
    difference = await server.processes.ask_sandbox(visitor_of(request), question, request.is_disconnected)
    rules = [room.table.rules, *([after] if (after := room.table.rulesets.get(hash)) else [])]
    language = language_of(request.headers)
    return json_response(await asyncio.to_thread(render_answer, found | difference, language, *rules))


@router.get("/luck", responses=responds_with(schemas.LuckReport))
async def get_luck(
    request: Request,
    room: OwnRoom,
    link: OwnSeat,
    first: Annotated[int, Query(ge=0)] = 0,
    last: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    """Compare rolls with their expectation, by what the seat knows.

    `first` and `last`: numbers of lines of its log; only rolls that these lines are about are counted.
    """
    rolls = await room.query(lambda now: tables.finished_rolls(now, link.seat))
    if first or last is not None:
        names = await room.roll_names(link.seat, first, last)
        rolls = [one for one in rolls if one["roll"] in names]
    server, now = server_of(request), room.table.rules.hash
    others = {one["rules"] for one in rolls} - {now}
    rulesets = {hash: await server.rulesets.texts(room.stored.header, hash) for hash in others}
    return json_response(await _compute(request, room, link, {"luck": rolls, "rulesets": rulesets}, now))


@router.get("/log", responses=responds_with(list[schemas.LogLine]))
async def get_log(
    room: OwnRoom,
    link: OwnSeat,
    after: Annotated[int, Query(ge=0)] = 0,
    most: Annotated[int, Query(ge=1, le=1000)] = 500,
) -> Response:
    """Return lines of the seat's own log after line number `after`."""
    return Response(await room.lines(link.seat, after, most), media_type="application/json")


@router.get(
    "/export",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def export_log(room: OwnRoom, link: OwnSeat) -> Response:
    """Download the seat's own log, for `handful verify`."""
    name = f'attachment; filename="{seat_path(link).partition("~")[0]}.log"'
    return Response(
        await room.export(link.seat), media_type="text/plain", headers={"Content-Disposition": name}
    )
