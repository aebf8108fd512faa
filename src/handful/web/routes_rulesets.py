"""Rulesets that somebody writes: tried without a table, put on the shelf, found by their hash.

The text is a stranger's.  It is read, checked, solved and rolled in a process of its own
(`brewing.py`); here it is passed on as data, never as a page.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from handful.library.starting import empty, extending, own_name
from handful.web import games, schemas_drafts, schemas_odds
from handful.web.faults import too_large
from handful.web.i18n import language_of
from handful.web.middleware import visitor_of
from handful.web.responses import MISSING, NO, KnownGame, hall_of, known_game, made, plain

router = APIRouter(responses=NO)
TEXT: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}

Hash = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
Wanted = schemas_drafts.Brewing | schemas_drafts.Tasting | schemas_drafts.Editing


async def _brewed(request: Request, do: str, wanted: Wanted) -> Any:
    hall = hall_of(request)
    _not_too_large(request, wanted)
    question: dict[str, Any] = {"do": do, "ruleset": wanted.ruleset, "language": language_of(request.headers)}
    if isinstance(wanted, schemas_drafts.Tasting):
        names = ("check", "sides", "parameters", "options")
        question |= {"asked": {name: getattr(wanted, name) for name in names}, "policy": wanted.policy}
    elif isinstance(wanted, schemas_drafts.Editing):
        question |= {"path": wanted.path, "value": wanted.value}
    else:
        question |= {"cases": wanted.cases}
    return await hall.brewed(visitor_of(request), question, request.is_disconnected)


def _not_too_large(request: Request, wanted: Wanted) -> None:
    most = hall_of(request).limits.brew
    for text in (wanted.ruleset, getattr(wanted, "cases", "")):
        if len(text.encode("utf-8", "replace")) > most:
            raise too_large(most)


@router.get("/api/brews/bases")
async def bases() -> list[schemas_drafts.Base]:
    """Everything that a new game can begin with: the games, then the families."""
    found = await asyncio.to_thread(lambda: [games.game(name).rules for name in games.known()])
    return [schemas_drafts.Base(id=one.id, title=dict(one.title), about=dict(one.about)) for one in found]


@router.get("/api/brews/start")
async def start(
    name: Annotated[str, Query(max_length=60)] = "my-game",
    base: Annotated[str, Query(max_length=60)] = "",
) -> schemas_drafts.Texts:
    """The first texts of a new game, as `handful new` writes them: empty, or upon another one."""
    own_name(name)
    if base:
        known_game(base)
        texts = await asyncio.to_thread(lambda: extending(name, games.game(base), base))
    else:
        texts = empty(name)
    return schemas_drafts.Texts(ruleset=texts[0], cases=texts[1])


@router.post("/api/brews/check", responses=made(schemas_drafts.Brewed))
async def check(request: Request, wanted: schemas_drafts.Brewing) -> Response:
    """Every mistake of a ruleset, with its place; or what a page must know of its game."""
    return plain(await _brewed(request, "check", wanted))


@router.post("/api/brews/odds", responses=made(schemas_odds.Odds))
async def odds(request: Request, wanted: schemas_drafts.Tasting) -> Response:
    """Exact odds by a ruleset that is nowhere but in the question."""
    return plain(await _brewed(request, "odds", wanted))


@router.post("/api/brews/roll", responses=made(schemas_drafts.Tasted))
async def roll(request: Request, wanted: schemas_drafts.Tasting) -> Response:
    """A roll to try it; nobody else sees it, and it is kept nowhere."""
    return plain(await _brewed(request, "roll", wanted))


@router.post("/api/brews/cases", responses=made(schemas_drafts.Cases))
async def cases(request: Request, wanted: schemas_drafts.Brewing) -> Response:
    """The worked examples of a ruleset, held against play and odds."""
    return plain(await _brewed(request, "cases", wanted))


@router.post("/api/brews/form", responses=made(list[schemas_drafts.Group]))
async def form(request: Request, wanted: schemas_drafts.Brewing) -> Response:
    """A ruleset as a form: everything that can be filled in without programming."""
    return plain(await _brewed(request, "form", wanted))


@router.post("/api/brews/edit", responses=made(schemas_drafts.Text))
async def edit(request: Request, wanted: schemas_drafts.Editing) -> Response:
    """The text with one place changed; comments and everything else stay as they are."""
    return plain(await _brewed(request, "edit", wanted))


@router.get("/api/brews/bases/{game}")
async def base_text(game: KnownGame) -> schemas_drafts.Text:
    """The text of a shipped ruleset, to read and to copy from."""
    texts = await asyncio.to_thread(lambda: games.installed(game)[1])
    return schemas_drafts.Text(ruleset=texts[-1][1])


@router.post("/api/brews", status_code=201)
async def shelve(request: Request, wanted: schemas_drafts.Brewing) -> schemas_drafts.Shelved:
    """Put a ruleset on the shelf; the same texts are found under the same hash."""
    _not_too_large(request, wanted)
    brew = await hall_of(request).shelve(
        visitor_of(request), wanted.ruleset, wanted.cases, request.is_disconnected
    )
    return schemas_drafts.Shelved(hash=brew.hash, link=f"/brew/{brew.hash}")


@router.get("/api/brews/{hash}", responses=MISSING)
async def on_shelf(request: Request, hash: Hash) -> schemas_drafts.OnShelf:
    """A ruleset on the shelf, as it was written."""
    hall_of(request).may_ask("visitor", visitor_of(request))
    found = await hall_of(request).on_shelf(hash)
    return schemas_drafts.OnShelf(hash=hash, ruleset=found.text, cases=found.cases)


@router.get("/api/brews/{hash}/{file}", response_class=Response, responses=MISSING | TEXT)
async def download(request: Request, hash: Hash, file: Literal["ruleset.toml", "cases.toml"]) -> Response:
    """One of its texts as a file."""
    hall_of(request).may_ask("visitor", visitor_of(request))
    found = await hall_of(request).on_shelf(hash)
    text = found.text if file == "ruleset.toml" else found.cases
    name = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=name)
