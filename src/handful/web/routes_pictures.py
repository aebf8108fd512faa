"""Routes of pictures: upload one, and fetch those that a seat knows of.

A picture is named by its hash and never changes, so browsers keep it.  A seat gets only pictures of
people and characters that it knows of: else it could find out which pictures hidden characters have.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from handful.errors import Message
from handful.web import pictures, schemas
from handful.web.faults import Fault
from handful.web.responses import ERRORS, NOT_FOUND, server_of
from handful.web.routes_seat import OwnRoom, OwnSeat

router = APIRouter(prefix="/api/tables/{place}", responses=ERRORS)
UPLOAD = {"requestBody": {"required": True, "content": {"image/*": {"schema": {"format": "binary"}}}}}


@router.post("/pictures", status_code=201, openapi_extra=UPLOAD)
async def upload_picture(request: Request, room: OwnRoom, link: OwnSeat) -> schemas.PictureResponse:
    """Upload a picture; it becomes a small square. Then send `picture` or `portrait` with its hash."""
    server = server_of(request)
    server.rates.limit_pictures(link)
    hash, data = await asyncio.to_thread(pictures.redraw, await request.body())
    if await server.database.read(lambda store: store.count_pictures(link.table)) >= server.limits.pictures:
        most = Message("server.too_many_open", most=server.limits.pictures, what=Message("server.pictures"))
        raise Fault(429, "too_many", most)
    await server.database.write(lambda store: store.save_picture(link.table, hash, data))
    return schemas.PictureResponse(picture=hash)


@router.get(
    "/pictures/{hash}",
    response_class=Response,
    responses={200: {"content": {pictures.MEDIA_TYPE: {}}}, **NOT_FOUND},
)
async def get_picture(
    request: Request, room: OwnRoom, link: OwnSeat, hash: Annotated[str, Path(pattern="^[0-9a-f]{64}$")]
) -> Response:
    """Return a picture of somebody whom the seat knows of."""
    known = await room.ask("knows_picture", seat=link.seat, picture=hash)
    data = await server_of(request).database.read(lambda store: store.picture(link.table, hash))
    if not known or data is None:
        raise Fault(404, "not_found", Message("server.no_such_picture"))
    keep = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(data, media_type=pictures.MEDIA_TYPE, headers=keep)
