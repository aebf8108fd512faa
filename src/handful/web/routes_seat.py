"""The addresses of a seat: whoever has one shows it by a cookie, which is sent to its place alone.

A seat is sent only what `handful.table` made for it.
"""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response

from handful import table as tables
from handful.store import Link
from handful.table import GM, SPECTATOR, Command
from handful.web import games, schemas, schemas_odds
from handful.web.faults import Fault, forbidden
from handful.web.i18n import language_of, told
from handful.web.links import COOKIE, place_of
from handful.web.middleware import visitor_of
from handful.web.responses import MISSING, NO, hall_of, keep_seat, made, plain
from handful.web.rooms import Room
from handful.web.workers import about_roll

# Addresses that stay open to a seat that was left; everything else is closed to it.
READS = frozenset({"/view", "/game", "/log", "/export", "/luck", "/odds", "/history", "/sheet"})

router = APIRouter(prefix="/api/tables/{place}", responses=NO)


async def sitting(request: Request, place: str) -> Link:
    """The seat of the caller; a seat that was left is forbidden everything but reading."""
    hall = hall_of(request)
    link = await hall.sits(request.cookies.get(COOKIE, ""), visitor_of(request))
    if place_of(link) != place:
        raise forbidden()
    hall.may_ask(link.table, link.seat)
    room = await hall.room(link.table)
    if link.seat in room.table.left_seats and not _reads(request):
        raise Fault(403, "forbidden", "you have left this table", "the GM can seat you again")
    return link


def _reads(request: Request) -> bool:
    path: str = request.scope["route"].path
    return request.method == "GET" and path.removeprefix(router.prefix) in READS


async def room_of(request: Request, link: Sitting) -> Room:
    room = await hall_of(request).room(link.table)
    request.state.rules = room.kept.rules
    return room


Sitting = Annotated[Link, Depends(sitting)]
OwnRoom = Annotated[Room, Depends(room_of)]


def only_gm(room: Room, link: Link) -> None:
    if room.table.role(link.seat) != GM:
        raise Fault(403, "forbidden", "that is for the GM", "")


@router.get("/view", responses=made(schemas.View))
async def see(
    room: OwnRoom, link: Sitting, as_: Annotated[Literal["", "watcher"], Query(alias="as")] = ""
) -> Response:
    """The view of the seat; with `as=watcher` the view that every watcher has, without actions."""
    viewer = SPECTATOR if as_ else link.seat
    return plain(await room.ask(lambda now: tables.view(now, viewer)))


@router.get("/game", responses=made(schemas.Game))
async def own_game(request: Request, room: OwnRoom) -> Response:
    """Everything about the game that is played here, by the very rules of this table."""
    language = language_of(request.headers)
    return plain(await room.ask(lambda now: games.describe(now.rules, language)))


@router.post("/commands")
async def do(request: Request, room: OwnRoom, link: Sitting, wanted: schemas.Doing) -> schemas.Done:
    """Obey a command of the table; it is saved when this answers."""
    hall_of(request).not_too_fast(link)
    n = await room.do(link.seat, Command(wanted.do, wanted.key, wanted.data))
    return schemas.Done(done=wanted.key, n=n)


async def _reckoned(request: Request, room: Room, link: Link, question: dict[str, Any], rules: str) -> Any:
    hall = hall_of(request)
    return await hall.reckons(
        (link.table, link.seat), question, rules, lambda: hall.texts_of(room, rules), request.is_disconnected
    )


@router.post("/sketch", responses=made(schemas_odds.Sketched))
async def sketch(request: Request, room: OwnRoom, link: Sitting, wanted: schemas.Sketching) -> Response:
    """What a declaration would come to: its lines, and its odds by what the seat knows."""
    asked, about = await room.ask(lambda now: tables.preview_request(now, link.seat, wanted.data))
    question = {"asked": asked, "policy": wanted.policy}
    odds = await _reckoned(request, room, link, question, room.table.rules.hash)
    odds = told(odds, language_of(request.headers), room.table.rules)
    return plain({**about, "odds": odds})


@router.get("/odds", responses=made(schemas_odds.Odds))
async def roll_odds(
    request: Request, room: OwnRoom, link: Sitting, roll: Annotated[str, Query(max_length=130)]
) -> Response:
    """Odds of a roll from where it stands."""
    question, rules = await room.ask(lambda now: about_roll(now, link.seat, roll))
    odds = await _reckoned(request, room, link, question, rules)
    return plain(told(odds, language_of(request.headers), room.table.rules))


@router.post("/preview", responses=made(schemas.Preview))
async def preview(room: OwnRoom, link: Sitting, wanted: schemas.Previewing) -> Response:
    """What bringing a sheet would change, and what its numbers come to."""
    asked = (link.seat, wanted.sheet, wanted.owner, wanted.base)
    return plain(await room.ask(lambda now: tables.preview_sheet(now, *asked)))


@router.get("/history", responses=made(list[schemas.Change]))
async def history(room: OwnRoom, link: Sitting, character: Annotated[str, Query(max_length=200)]) -> Response:
    """Every change of a character and who made it, as far as the seat was told."""
    return plain(await room.history(link.seat, character))


@router.get(
    "/sheet",
    response_class=Response,
    responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def sheet(room: OwnRoom, link: Sitting, character: Annotated[str, Query(max_length=200)]) -> Response:
    """A character's sheet as a file, the same bytes as `handful sheet --export` gives."""
    text = await room.ask(lambda now: tables.sheet_text(now, link.seat, character))
    name = re.sub(r"[^A-Za-z0-9]+", "-", character.rpartition("/")[2]).strip("-") or "character"
    headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
    return Response(text, media_type="application/json", headers=headers)


@router.post("/rules", responses=made(schemas.OtherRules) | MISSING)
async def other_rules(request: Request, room: OwnRoom, link: Sitting, wanted: schemas.Changing) -> Response:
    """What other rules would change: in words, in odds, and for those who are here."""
    only_gm(room, link)
    hall = hall_of(request)
    hash, texts = await hall.rules_for(wanted.game, wanted.brew)
    found = await room.ask(lambda now: tables.preview_rules(now, link.seat, hash))
    before = await hall.texts_of(room, room.table.rules.hash)
    question = {
        "do": "difference",
        "before": before,
        "after": texts,
        "options": [dict(room.table.options), found["options"]],
    }
    differs = await hall.brewed(visitor_of(request), question, request.is_disconnected)
    rules = [room.table.rules, *([after] if (after := room.table.rulesets.get(hash)) else [])]
    language = language_of(request.headers)
    return plain(await asyncio.to_thread(told, found | differs, language, *rules))


@router.get("/luck", responses=made(schemas.Luck))
async def luck(request: Request, room: OwnRoom, link: Sitting) -> Response:
    """Rolls against their expectation, by what the seat knows."""
    rolls = await room.ask(lambda now: tables.finished_rolls(now, link.seat))
    hall, now = hall_of(request), room.table.rules.hash
    others = {one["rules"] for one in rolls} - {now}
    shelf = {hash: await hall.texts_of(room, hash) for hash in others}
    return plain(await _reckoned(request, room, link, {"luck": rolls, "shelf": shelf}, now))


@router.get("/log", responses=made(list[schemas.Line]))
async def log(
    room: OwnRoom,
    link: Sitting,
    after: Annotated[int, Query(ge=0)] = 0,
    most: Annotated[int, Query(ge=1, le=1000)] = 500,
) -> Response:
    """Lines of the seat's own log, after a number."""
    return Response(await room.lines(link.seat, after, most), media_type="application/json")


@router.get(
    "/export",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def export(room: OwnRoom, link: Sitting) -> Response:
    """The seat's own log, for `handful verify`."""
    name = f'attachment; filename="{place_of(link).partition("~")[0]}.log"'
    return Response(
        await room.export(link.seat), media_type="text/plain", headers={"Content-Disposition": name}
    )


@router.get("/links")
async def list_links(request: Request, room: OwnRoom, link: Sitting) -> list[schemas.Links]:
    """How many links lead to each seat; the links themselves are shown once, when made."""
    only_gm(room, link)
    return [schemas.Links(**one) for one in await hall_of(request).invited(link.table)]


@router.post("/links", status_code=201)
async def invite(
    request: Request, answer: Response, room: OwnRoom, link: Sitting, wanted: schemas.Inviting
) -> schemas.Invited:
    """A new link; those that were given out before stay, or with `instead` lead nowhere."""
    only_gm(room, link)
    if wanted.seat and wanted.seat not in room.table.seats:
        raise Fault(409, "refused", f"there is no seat {wanted.seat!r}", "give it first")
    role = room.table.role(wanted.seat) if wanted.seat else wanted.role
    leads = Link(link.table, wanted.seat, role)
    token = await hall_of(request).invite(leads, instead=wanted.instead)
    if wanted.instead and wanted.seat == link.seat:
        keep_seat(hall_of(request), answer, link, token)  # whoever asked stays
    return schemas.Invited(link=f"/join/{token}")


@router.post("/links/revoke")
async def revoke(request: Request, room: OwnRoom, link: Sitting, wanted: schemas.Revoking) -> schemas.Revoked:
    """All links to a seat lead nowhere from now on, and whoever listens there is let go."""
    only_gm(room, link)
    if wanted.seat == link.seat:
        raise Fault(409, "refused", "that would lock you out", "make a new link instead")
    found = await hall_of(request).take_back(Link(link.table, wanted.seat, wanted.role))
    return schemas.Revoked(revoked=found)
