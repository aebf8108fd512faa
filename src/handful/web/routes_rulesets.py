"""Routes of draft rulesets: check, try out and publish; published ones are found by their hash.

Texts come from strangers.  They are parsed, checked, solved and rolled in a sandboxed process
(`sandbox.py`).  Invariant: a text is sent back as data or plain text, never as HTML.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from handful.library.new_ruleset import check_name, empty_ruleset, extending_ruleset
from handful.web import games, schemas_drafts, schemas_odds
from handful.web.faults import too_large
from handful.web.i18n import language_of
from handful.web.middleware import visitor_of
from handful.web.responses import (
    ERRORS,
    NOT_FOUND,
    KnownGame,
    json_response,
    known_game,
    responds_with,
    server_of,
)

router = APIRouter(responses=ERRORS)
TEXT: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}

Hash = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
DraftBody = schemas_drafts.DraftRequest | schemas_drafts.DraftCheckRequest | schemas_drafts.EditDraftRequest


async def _ask_sandbox(request: Request, do: str, body: DraftBody) -> Any:
    _limit_size(request, body)
    question: dict[str, Any] = {"do": do, "ruleset": body.ruleset, "language": language_of(request.headers)}
    if isinstance(body, schemas_drafts.DraftCheckRequest):
        names = ("check", "sides", "parameters", "options")
        question |= {"asked": {name: getattr(body, name) for name in names}, "policy": body.policy}
    elif isinstance(body, schemas_drafts.EditDraftRequest):
        question |= {"path": body.path, "value": body.value}
    else:
        question |= {"cases": body.cases}
    return await server_of(request).processes.ask_sandbox(
        visitor_of(request), question, request.is_disconnected
    )


def _limit_size(request: Request, body: DraftBody) -> None:
    most = server_of(request).limits.draft_bytes
    for text in (body.ruleset, getattr(body, "cases", "")):
        if len(text.encode("utf-8", "replace")) > most:
            raise too_large(most)


@router.get("/api/brews/bases")
async def bases() -> list[schemas_drafts.BaseRuleset]:
    """List what a new game can extend: the games, then the families."""
    found = await asyncio.to_thread(lambda: [games.load_game(name).rules for name in games.ruleset_names()])
    return [
        schemas_drafts.BaseRuleset(id=one.id, title=dict(one.title), about=dict(one.about)) for one in found
    ]


@router.get("/api/brews/start")
async def start(
    name: Annotated[str, Query(max_length=60)] = "my-game",
    base: Annotated[str, Query(max_length=60)] = "",
) -> schemas_drafts.DraftTexts:
    """Return the first texts of a new game, as `handful new` writes them; `base` is what it extends."""
    check_name(name)
    if base:
        known_game(base)
        texts = await asyncio.to_thread(lambda: extending_ruleset(name, games.load_game(base), base))
    else:
        texts = empty_ruleset(name)
    return schemas_drafts.DraftTexts(ruleset=texts[0], cases=texts[1])


@router.post("/api/brews/check", responses=responds_with(schemas_drafts.DraftReport))
async def check(request: Request, body: schemas_drafts.DraftRequest) -> Response:
    """Return every mistake of a draft with its position, or without any the description of its game."""
    return json_response(await _ask_sandbox(request, "check", body))


@router.post("/api/brews/odds", responses=responds_with(schemas_odds.OddsResponse))
async def odds(request: Request, body: schemas_drafts.DraftCheckRequest) -> Response:
    """Return exact odds by the draft in the request; it is not stored."""
    return json_response(await _ask_sandbox(request, "odds", body))


@router.post("/api/brews/roll", responses=responds_with(schemas_drafts.DraftRoll))
async def roll(request: Request, body: schemas_drafts.DraftCheckRequest) -> Response:
    """Roll a check of a draft; the roll is not stored or shown to others."""
    return json_response(await _ask_sandbox(request, "roll", body))


@router.post("/api/brews/cases", responses=responds_with(schemas_drafts.CaseReport))
async def cases(request: Request, body: schemas_drafts.DraftRequest) -> Response:
    """Check the worked examples of a draft against play and odds."""
    return json_response(await _ask_sandbox(request, "cases", body))


@router.post("/api/brews/form", responses=responds_with(list[schemas_drafts.FormGroup]))
async def form(request: Request, body: schemas_drafts.DraftRequest) -> Response:
    """Return a draft as a form: everything that can be filled in without programming."""
    return json_response(await _ask_sandbox(request, "form", body))


@router.post("/api/brews/edit", responses=responds_with(schemas_drafts.RulesetText))
async def edit(request: Request, body: schemas_drafts.EditDraftRequest) -> Response:
    """Return the text with one value changed; comments and layout stay."""
    return json_response(await _ask_sandbox(request, "edit", body))


@router.get("/api/brews/bases/{game}")
async def base_text(game: KnownGame) -> schemas_drafts.RulesetText:
    """Return the text of a shipped ruleset, to read and to copy from."""
    texts = await asyncio.to_thread(lambda: games.installed_rules(game)[1])
    return schemas_drafts.RulesetText(ruleset=texts[-1][1])


@router.post("/api/brews", status_code=201)
async def publish(request: Request, body: schemas_drafts.DraftRequest) -> schemas_drafts.PublishResponse:
    """Publish a ruleset; the same texts always get the same hash."""
    _limit_size(request, body)
    draft = await server_of(request).rulesets.publish(
        visitor_of(request), body.ruleset, body.cases, request.is_disconnected
    )
    return schemas_drafts.PublishResponse(hash=draft.hash, link=f"/brew/{draft.hash}")


@router.get("/api/brews/{hash}", responses=NOT_FOUND)
async def published_ruleset(request: Request, hash: Hash) -> schemas_drafts.PublishedRuleset:
    """Return the texts of a published ruleset."""
    server_of(request).rates.limit_queries("visitor", visitor_of(request))
    found = await server_of(request).rulesets.published(hash)
    return schemas_drafts.PublishedRuleset(hash=hash, ruleset=found.text, cases=found.cases)


@router.get("/api/brews/{hash}/{file}", response_class=Response, responses=NOT_FOUND | TEXT)
async def download(request: Request, hash: Hash, file: Literal["ruleset.toml", "cases.toml"]) -> Response:
    """Download one text of a published ruleset as a file."""
    server_of(request).rates.limit_queries("visitor", visitor_of(request))
    found = await server_of(request).rulesets.published(hash)
    text = found.text if file == "ruleset.toml" else found.cases
    name = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=name)
