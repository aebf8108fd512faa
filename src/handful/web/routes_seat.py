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

from handful.errors import Message, Refused
from handful.store import Link
from handful.table import GM, SPECTATOR, Command
from handful.web import schemas, schemas_odds
from handful.web.faults import Fault, fault_of, forbidden
from handful.web.i18n import language_of, render_error, render_parts
from handful.web.links import COOKIE, seat_path
from handful.web.middleware import visitor_of
from handful.web.responses import ERRORS, NOT_FOUND, json_response, responds_with, server_of
from handful.web.rooms import Room

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
    if link.seat in room.facts.left_seats and not _only_reads(request):
        raise Fault(403, "forbidden", Message("server.you_have_left"), Message("server.gm_can_seat_you"))
    return link


def _only_reads(request: Request) -> bool:
    path: str = request.scope["route"].path
    return request.method == "GET" and path.removeprefix(router.prefix) in READ_ONLY


async def own_room(request: Request, link: OwnSeat) -> Room:
    room = await server_of(request).rooms.get(link.table)
    request.state.words = await room.words(language_of(request.headers))
    return room


OwnSeat = Annotated[Link, Depends(own_seat)]
OwnRoom = Annotated[Room, Depends(own_room)]


def require_gm(room: Room, link: Link) -> None:
    if room.facts.role(link.seat) != GM:
        raise Fault(403, "forbidden", Message("server.for_the_gm"))


@router.get("/view", responses=responds_with(schemas.TableView))
async def get_view(
    room: OwnRoom, link: OwnSeat, as_: Annotated[Literal["", "watcher"], Query(alias="as")] = ""
) -> Response:
    """Return the view of the seat; with `as=watcher` that of any watcher, without actions."""
    viewer = SPECTATOR if as_ else link.seat
    return json_response(await room.ask("view", seat=viewer))


@router.get("/summary")
async def get_summary(request: Request, link: SeatLink) -> schemas.SeatSummary:
    """Describe the seat for a list of tables, with who is there now; the table is not opened for it."""
    return schemas.SeatSummary(seat=link.seat, **await server_of(request).rooms.summary(link))


@router.get("/game", responses=responds_with(schemas.GameView))
async def get_game(request: Request, room: OwnRoom) -> Response:
    """Describe the game of this table, by the table's own rules."""
    language = language_of(request.headers)
    return json_response(await room.ask("game", language=language))


@router.post("/commands")
async def send_command(
    request: Request, room: OwnRoom, link: OwnSeat, body: schemas.CommandRequest
) -> schemas.CommandResponse:
    """Execute a command; it is saved when this returns."""
    server_of(request).rates.limit_commands(link, body.do)
    with server_of(request).metrics.command(body.do):
        n = await room.submit(link.seat, Command(body.do, body.key, body.data))
    return schemas.CommandResponse(done=body.key, n=n)


async def _compute(request: Request, room: Room, link: Link, question: dict[str, Any], rules: str) -> Any:
    server = server_of(request)
    return await server.processes.compute(
        (link.table, link.seat),
        question,
        rules,
        lambda: server.rulesets.texts(room.header, rules),
        request.is_disconnected,
        parties=(link.table, visitor_of(request)),
    )


@router.post("/sketch", responses=responds_with(schemas_odds.RollPreview | schemas.SheetProblem))
async def preview_roll(
    request: Request, room: OwnRoom, link: OwnSeat, body: schemas.PreviewRollRequest
) -> Response:
    """Preview a roll before it is declared: its lines, and its odds by what the seat knows.

    With `partial`, a check that does not fit yet gets an answer as well: `problem`.
    """
    try:
        found = await room.ask("preview_request", seat=link.seat, data=body.data)
    except Refused as refusal:
        if not body.partial:
            raise
        return _problem(request, refusal)
    question = {"asked": found["asked"], "policy": body.policy}
    odds = await _compute(request, room, link, question, room.facts.rules)
    return json_response({**found["about"], "odds": _render(request, odds)})


def _problem(request: Request, refusal: Refused) -> Response:
    said = render_error(fault_of(refusal).to_dict(), language_of(request.headers), request.state.words)
    return json_response({"problem": said["error"]})


def _render(request: Request, answer: Any) -> Any:
    return render_parts(answer, language_of(request.headers), request.state.words)


@router.get("/odds", responses=responds_with(schemas_odds.OddsResponse))
async def roll_odds(
    request: Request, room: OwnRoom, link: OwnSeat, roll: Annotated[str, Query(max_length=130)]
) -> Response:
    """Return the odds of a roll in its current state."""
    found = await room.ask("roll_question", seat=link.seat, roll=roll)
    odds = await _compute(request, room, link, found["question"], found["rules"])
    return json_response(_render(request, odds))


@router.post("/preview", responses=responds_with(schemas.SheetPreview | schemas.SheetProblem))
async def preview_sheet(
    request: Request, room: OwnRoom, link: OwnSeat, body: schemas.PreviewSheetRequest
) -> Response:
    """Preview what bringing a sheet would change, with its derived values.

    With `partial`, a sheet that does not fit yet gets an answer as well: `problem`.
    """
    asked = {"sheet": body.sheet, "owner": body.owner, "base": body.base}
    try:
        return json_response(await room.ask("preview_sheet", seat=link.seat, **asked))
    except Refused as refusal:
        if not body.partial:
            raise
        return _problem(request, refusal)


@router.post("/new-character")
async def new_character(
    room: OwnRoom, link: OwnSeat, body: schemas.NewCharacterRequest
) -> schemas.NewCharacterResponse:
    """Return the sheet of a new character, to be changed and brought; the seed decides what chance does."""
    quick = body.start or body.quick
    sheet = await room.ask("new_character", kind=body.kind, quick=quick, seed=body.seed)
    return schemas.NewCharacterResponse(sheet=sheet)


@router.get("/rolls", responses=responds_with(list[schemas.RollView]))
async def get_rolls(
    room: OwnRoom, link: OwnSeat, roll: Annotated[list[RollName], Query(max_length=MAX_ROLLS)]
) -> Response:
    """Return rolls by name, also those that are too old for the view; unknown ones are left out."""
    return json_response(await room.ask("rolls", seat=link.seat, names=roll))


@router.get("/evenings", responses=responds_with(list[schemas.EveningSummary]))
async def get_evenings(room: OwnRoom, link: OwnSeat) -> Response:
    """Summarize each evening of the seat's own log: rolls, special results, points."""
    return json_response(await room.ask("evenings", seat=link.seat))


@router.get("/history", responses=responds_with(list[schemas.CharacterChange]))
async def get_history(
    room: OwnRoom, link: OwnSeat, character: Annotated[str, Query(max_length=200)]
) -> Response:
    """List the changes of a character and who made them, by the seat's own log."""
    return json_response(await room.ask("history", seat=link.seat, character=character))


@router.get(
    "/sheet",
    response_class=Response,
    responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def download_sheet(
    room: OwnRoom, link: OwnSeat, character: Annotated[str, Query(max_length=200)]
) -> Response:
    """Download a character's sheet, the same bytes as `handful sheet --export` writes."""
    text = await room.ask("sheet_text", seat=link.seat, character=character)
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
    found = await room.ask("preview_rules", seat=link.seat, hash=hash)
    before = await server.rulesets.texts(room.header, room.facts.rules)
    question = {
        "do": "difference",
        "before": before,
        "after": texts,
        "options": [dict(room.facts.options), found["options"]],
    }
    difference = await server.processes.ask_sandbox(visitor_of(request), question, request.is_disconnected)
    language = language_of(request.headers)
    words = {**request.state.words, **await room.words(language, hash)}
    return json_response(await asyncio.to_thread(render_parts, found | difference, language, words))


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
    rolls = await room.ask("finished_rolls", seat=link.seat, first=first, last=last)
    server, now = server_of(request), room.facts.rules
    others = {one["rules"] for one in rolls} - {now}
    rulesets = {hash: await server.rulesets.texts(room.header, hash) for hash in others}
    return json_response(await _compute(request, room, link, {"luck": rolls, "rulesets": rulesets}, now))


@router.get("/log", responses=responds_with(list[schemas.LogLine]))
async def get_log(
    room: OwnRoom,
    link: OwnSeat,
    after: Annotated[int, Query(ge=0)] = 0,
    most: Annotated[int, Query(ge=1, le=1000)] = 500,
) -> Response:
    """Return lines of the seat's own log after line number `after`."""
    text = await room.ask("log_lines", seat=link.seat, after=after, most=most)
    return Response(text, media_type="application/json")


@router.get(
    "/export",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def export_log(room: OwnRoom, link: OwnSeat) -> Response:
    """Download the seat's own log, for `handful verify`."""
    name = f'attachment; filename="{seat_path(link).partition("~")[0]}.log"'
    return Response(
        await room.ask("export", seat=link.seat),
        media_type="text/plain",
        headers={"Content-Disposition": name},
    )
