"""Routes of the GM for those who are to come: links to seats, and who can reach this server.

Invariant: a link is shown to the GM who made it; the list of links has only their number.
"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from handful.errors import Message
from handful.store import Link
from handful.table import GM
from handful.web import schemas
from handful.web.faults import Fault
from handful.web.responses import ERRORS, server_of, set_seat_cookie
from handful.web.routes_seat import OwnRoom, OwnSeat, require_gm
from handful.web.routes_status import is_at_this_machine

router = APIRouter(prefix="/api/tables/{place}", responses=ERRORS)


def _describe_reach(request: Request) -> schemas.ReachResponse:
    reach = server_of(request).reach
    may_open = reach.scope == "machine" and is_at_this_machine(request)
    return schemas.ReachResponse(
        scope=reach.scope,
        addresses=reach.urls(),
        may_open=may_open,
        would_open=reach.lan_urls() if may_open else [],
    )


@router.get("/reach")
async def get_reach(request: Request, room: OwnRoom, link: OwnSeat) -> schemas.ReachResponse:
    """Say who can open links of this server, and at which addresses."""
    require_gm(room, link)
    return _describe_reach(request)


@router.post("/reach")
async def open_to_network(request: Request, room: OwnRoom, link: OwnSeat) -> schemas.ReachResponse:
    """Let others on the same network reach this server, until it stops.

    Only for a GM at the machine that runs the server.
    """
    require_gm(room, link)
    if not is_at_this_machine(request):
        raise Fault(403, "forbidden", Message("server.only_here"), Message("server.start_with_lan"))
    await server_of(request).reach.open_to_network()
    return _describe_reach(request)


@router.get("/join")
async def get_join_links(request: Request, room: OwnRoom, link: OwnSeat) -> schemas.JoinLinksResponse:
    """Return the join links of the table, one for players and one for watchers."""
    require_gm(room, link)
    return schemas.JoinLinksResponse(**await server_of(request).access.join_links(link.table))


@router.post("/join")
async def switch_join_link(
    request: Request, room: OwnRoom, link: OwnSeat, body: schemas.SwitchJoinLinkRequest
) -> schemas.JoinLinksResponse:
    """Make a new join link, or switch it off; all earlier open invitations for its role are revoked."""
    require_gm(room, link)
    access = server_of(request).access
    await access.switch_join_link(link.table, body.role, body.on)
    return schemas.JoinLinksResponse(**await access.join_links(link.table))


@router.get("/recovery")
async def get_recovery(request: Request, room: OwnRoom, link: OwnSeat) -> schemas.RecoveryResponse:
    """Say whether the GM has a recovery code."""
    require_gm(room, link)
    return schemas.RecoveryResponse(exists=await server_of(request).access.has_recovery_code(link))


@router.post("/recovery", status_code=201)
async def create_recovery(request: Request, room: OwnRoom, link: OwnSeat) -> schemas.RecoveryResponse:
    """Make a recovery code for the GM's own seat, instead of the one before; it is shown once."""
    require_gm(room, link)
    return schemas.RecoveryResponse(
        exists=True, code=await server_of(request).access.create_recovery_code(link)
    )


@router.get("/links")
async def list_links(request: Request, room: OwnRoom, link: OwnSeat) -> list[schemas.LinkCount]:
    """Count the links to each seat; the links themselves are shown once, when created."""
    require_gm(room, link)
    return [schemas.LinkCount(**one) for one in await server_of(request).access.count_links(link.table)]


@router.post("/links", status_code=201)
async def create_link(
    request: Request, answer: Response, room: OwnRoom, link: OwnSeat, body: schemas.CreateLinkRequest
) -> schemas.CreateLinkResponse:
    """Create a link; earlier ones stay valid, or with `instead` are revoked."""
    require_gm(room, link)
    if body.seat and body.seat not in room.facts.seats:
        raise Fault(
            409, "refused", Message("server.unknown_seat", seat=body.seat), Message("server.give_seat_first")
        )
    role = room.facts.role(body.seat) if body.seat else body.role
    leads = Link(link.table, body.seat, role)
    token = await server_of(request).access.create_link(leads, link.seat, instead=body.instead)
    if body.instead and body.seat == link.seat:
        set_seat_cookie(server_of(request), answer, link, token)  # the caller's own link was revoked too
    return schemas.CreateLinkResponse(link=f"/join/{token}")


@router.post("/gm_seat", status_code=201)
async def take_gm_seat(request: Request, room: OwnRoom, link: OwnSeat) -> schemas.CreateLinkResponse:
    """Create a link to the GM's seat that was given to the person at this seat (`share_gm`)."""
    left = room.facts.left_seats
    own = [name for name, seat in room.facts.gm_seats.items() if seat == link.seat and name not in left]
    if not own:
        raise Fault(409, "refused", Message("server.no_gm_seat"), Message("server.gm_shares"))
    token = await server_of(request).access.create_link(Link(link.table, own[-1], GM), link.seat)
    return schemas.CreateLinkResponse(link=f"/join/{token}")


@router.post("/links/revoke")
async def revoke_links(
    request: Request, room: OwnRoom, link: OwnSeat, body: schemas.RevokeLinksRequest
) -> schemas.RevokeLinksResponse:
    """Revoke all links to a seat and close its connections."""
    require_gm(room, link)
    if body.seat == link.seat:
        raise Fault(409, "refused", Message("server.locks_you_out"), Message("server.make_new_link"))
    found = await server_of(request).access.revoke_links(Link(link.table, body.seat, body.role))
    return schemas.RevokeLinksResponse(revoked=found)
