"""Routes of the odds explorer: odds of any game or family, without a table.

Short queries return one JSON response.  Long ones (tables, comparisons) stream JSON lines:
progress, then the answer or an error.  Invariant: work ends when its client disconnects.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from handful.errors import HandfulError, Message, Refused
from handful.explore.query import Query
from handful.library.claims import claims_file
from handful.library.files import read_text
from handful.rules.ruleset import Ruleset as Rules
from handful.store import RulesetTexts
from handful.table import canonical_json
from handful.web import games, schemas, schemas_odds
from handful.web.faults import Fault, fault_of
from handful.web.i18n import game_words, language_of, render_answer, render_error
from handful.web.middleware import visitor_of
from handful.web.responses import ERRORS, KnownGame, json_response, known_game, responds_with, server_of
from handful.web.worker_main import Question

_RULES: dict[str, tuple[Rules, RulesetTexts]] = {}  # rules and texts, cached by game

router = APIRouter(prefix="/api", responses=ERRORS)
QUEUES = {"odds": "visitor", "survey": "explore"}  # a slider has its own queue and does not delay others
NDJSON = "application/x-ndjson"
STREAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Lines of JSON, each a `ProgressLine`; the last has the answer.",
        "content": {NDJSON: {"schema": {"type": "string"}}},
    }
}


@router.get("/families", responses=responds_with(list[schemas.GameSummary]))
async def families() -> Response:
    """List common mechanics that have odds, but no tables."""
    return json_response(await asyncio.to_thread(games.families))


@router.post("/games/{game}/odds", responses=responds_with(schemas_odds.OddsResponse))
async def odds(request: Request, game: KnownGame, body: schemas_odds.OddsRequest) -> Response:
    """Return the exact odds of a check, without a table."""
    return await _answer(request, game, await _question(request, game, "odds", body))


@router.post("/games/{game}/survey", responses=responds_with(schemas_odds.SurveyResponse))
async def survey(request: Request, game: KnownGame, body: schemas_odds.OddsRequest) -> Response:
    """Return the odds of a check with its curves, spread, and success at every difficulty."""
    return await _answer(request, game, await _question(request, game, "survey", body))


@router.post("/games/{game}/worth", responses=responds_with(schemas_odds.WorthResponse))
async def worth(request: Request, game: KnownGame, body: schemas_odds.CheckQuery) -> Response:
    """Return what the decisions of a check are worth."""
    return await _answer(request, game, await _question(request, game, "worth", body))


@router.post("/games/{game}/solve", responses=responds_with(schemas_odds.SolveResponse))
async def solve(request: Request, game: KnownGame, body: schemas_odds.SolveRequest) -> Response:
    """Find the value of a parameter that gives a chance: how many dice for 80%."""
    return await _answer(request, game, await _question(request, game, "solve", body))


@router.get("/games/{game}/claims", responses=responds_with(schemas_odds.ClaimsResponse))
async def claims(request: Request, game: KnownGame) -> Response:
    """Judge the claims about odds that came with a game."""
    if game not in games.game_names():
        return json_response({"claims": [], "false": 0, "command": f"handful claims {game}"})
    text = await asyncio.to_thread(read_text, claims_file(game)[0])
    await _admit(request, game)
    return await _answer(request, game, _claims_question(text, f"{game}/claims.toml"))


@router.post("/games/{game}/claims", responses=responds_with(schemas_odds.ClaimsResponse))
async def own_claims(request: Request, game: KnownGame, body: schemas_odds.ClaimsRequest) -> Response:
    """Judge claims about a game that are sent in the request."""
    await _admit(request, game)
    return await _answer(request, game, _claims_question(body.text, "claims.toml"))


@router.post("/games/{game}/table", response_class=StreamingResponse, responses=STREAMED)
async def table(request: Request, game: KnownGame, body: schemas_odds.OddsTableRequest) -> Response:
    """Stream odds over ranges of parameters."""
    return await _stream(request, game, await _question(request, game, "table", body))


@router.post("/diff", response_class=StreamingResponse, responses=STREAMED)
async def diff(request: Request, body: schemas_odds.CompareRequest) -> Response:
    """Compare two rulesets: changes in words, and in odds with the largest first."""
    before, after = body.before, body.after
    game = known_game(before.game)
    if before.text:
        raise Refused(Message("server.draft_is_after"), Message("server.leave_out_before"))
    texts: RulesetTexts = []
    others: list[Rules] = []
    other = "draft.toml" if after.text else known_game(after.game)
    if after.text:
        server, visitor = server_of(request), visitor_of(request)
        texts = (await server.processes.read_draft(visitor, after.text, request.is_disconnected))[1]
    elif other != game:
        rules, texts = await asyncio.to_thread(games.installed_rules, other)
        others = [rules]
    query = Query.comparing((game, before.options), (other, after.options))
    question = {"explore": "diff", "query": query.argv(), "texts_after": texts}
    await _admit(request, game)
    return await _stream(request, game, question, others)


# -- sending questions to workers


async def _question(request: Request, game: str, explore: str, body: schemas_odds.CheckQuery) -> Question:
    rules = await _admit(request, game)
    kind = explore if explore in ("table", "solve") else "odds"
    return {"explore": explore, "query": Query.from_json(kind, rules, body.model_dump()).argv()}


def _claims_question(text: str, where: str) -> Question:
    return {"explore": "claims", "text": text, "where": where}


async def _admit(request: Request, game: str) -> Rules:
    """Apply the rate limit and return the game's rules; errors are worded by them."""
    server_of(request).rates.limit_explorer(visitor_of(request))
    if game not in _RULES:
        _RULES[game] = await asyncio.to_thread(games.installed_rules, game)
    request.state.words = game_words(_RULES[game][0], language_of(request.headers))
    return _RULES[game][0]


async def _answer(request: Request, game: str, question: Question) -> Response:
    """Return one JSON response; a visitor's questions run one at a time in each queue."""
    rules, queue = _RULES[game][0], QUEUES.get(question["explore"], "other")
    found = await server_of(request).processes.compute(
        (queue, visitor_of(request)),
        question,
        rules.hash,
        _texts(game),
        request.is_disconnected,
        _ignore_progress if question["explore"] in ("solve", "claims") else None,
    )
    return json_response(render_answer(found, language_of(request.headers), rules))


def _ignore_progress(done: int, of: int) -> None:
    """Discard progress; passing it marks a question as long, which leaves a worker free for others."""


def _texts(game: str) -> Callable[[], Awaitable[RulesetTexts]]:
    async def texts() -> RulesetTexts:
        return _RULES[game][1]

    return texts


async def _stream(request: Request, game: str, question: Question, others: Sequence[Rules] = ()) -> Response:
    """Stream the answer to a long question; an immediate refusal is an ordinary error response."""
    rules = _RULES[game][0]
    server, visitor = server_of(request), visitor_of(request)
    language = language_of(request.headers)
    updates: asyncio.Queue[list[int]] = asyncio.Queue()

    async def compute() -> Any:
        answer = await server.processes.compute(
            ("long", visitor),
            question | {"cells": server.limits.cells},
            rules.hash,
            _texts(game),
            request.is_disconnected,
            lambda done, of: updates.put_nowait([done, of]),
        )
        return await asyncio.to_thread(render_answer, answer, language, rules, *others)

    work = asyncio.ensure_future(compute())
    first = asyncio.ensure_future(updates.get())
    await asyncio.wait([work, first], return_when=asyncio.FIRST_COMPLETED)
    if work.done():
        first.cancel()
        return Response(_line({"answer": work.result()}), media_type=NDJSON)
    words = game_words(rules, language)
    lines = _lines(work, first, updates, lambda line: render_error(line, language, words))
    return StreamingResponse(lines, media_type=NDJSON)


async def _lines(
    work: asyncio.Future[Any],
    first: asyncio.Future[list[int]],
    updates: asyncio.Queue[list[int]],
    translate: Callable[[dict[str, Any]], dict[str, Any]],
) -> AsyncIterator[str]:
    update = first
    try:
        while not work.done():
            await asyncio.wait([work, update], return_when=asyncio.FIRST_COMPLETED)
            if update.done():
                yield _line({"progress": update.result()})
                update = asyncio.ensure_future(updates.get())
        yield _line(translate(_last_line(work)))
    finally:
        update.cancel()
        work.cancel()


def _last_line(work: asyncio.Future[Any]) -> dict[str, Any]:
    try:
        return {"answer": work.result()}
    except Fault as fault:
        return fault.to_dict()
    except HandfulError as error:
        return fault_of(error).to_dict()


def _line(data: Any) -> str:
    return canonical_json(data) + "\n"
