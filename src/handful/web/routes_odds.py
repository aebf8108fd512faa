"""The addresses of the explorer page: odds of any game or family, without a table.

Short questions are answered at once.  Long ones, tables and comparisons, answer in lines: how far
they are, and in the end what was found; whoever goes away ends the work.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from handful.errors import HandfulError, Refused
from handful.explore.query import Query
from handful.library.claims import place_of
from handful.library.files import read_text
from handful.rules.ruleset import Ruleset as Rules
from handful.store import RulesetTexts
from handful.table import canonical_json
from handful.web import games, schemas, schemas_odds
from handful.web.faults import Fault, fault_of
from handful.web.i18n import language_of, spoken, told
from handful.web.middleware import visitor_of
from handful.web.responses import NO, KnownGame, hall_of, known_game, made, plain
from handful.web.worker_main import Question

_KNOWN: dict[str, tuple[Rules, RulesetTexts]] = {}  # what was read already, by game

router = APIRouter(prefix="/api", responses=NO)
LANES = {"odds": "visitor", "survey": "explore"}  # a slider is dragged beside everything else
LINES = "application/x-ndjson"
IN_LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Lines of JSON, each a `Progress`; the last has the answer.",
        "content": {LINES: {"schema": {"type": "string"}}},
    }
}


@router.get("/families", responses=made(list[schemas.GameInShort]))
async def families() -> Response:
    """Common mechanics that have odds, but no tables."""
    return plain(await asyncio.to_thread(games.families))


@router.post("/games/{game}/odds", responses=made(schemas_odds.Odds))
async def odds(request: Request, game: KnownGame, wanted: schemas_odds.Reckoning) -> Response:
    """Exact odds of a check, without a table."""
    return await _asked(request, game, await _question(request, game, "odds", wanted))


@router.post("/games/{game}/survey", responses=made(schemas_odds.Survey))
async def survey(request: Request, game: KnownGame, wanted: schemas_odds.Reckoning) -> Response:
    """Everything about a check at a glance: odds, curves, spread, every difficulty."""
    return await _asked(request, game, await _question(request, game, "survey", wanted))


@router.post("/games/{game}/worth", responses=made(schemas_odds.Weighed))
async def worth(request: Request, game: KnownGame, wanted: schemas_odds.Weighing) -> Response:
    """What the decisions of a check are worth."""
    return await _asked(request, game, await _question(request, game, "worth", wanted))


@router.post("/games/{game}/solve", responses=made(schemas_odds.Solved))
async def solve(request: Request, game: KnownGame, wanted: schemas_odds.Solving) -> Response:
    """How many dice for 80 %: the value of one parameter that gives a chance."""
    return await _asked(request, game, await _question(request, game, "solve", wanted))


@router.get("/games/{game}/claims", responses=made(schemas_odds.Judged))
async def claims(request: Request, game: KnownGame) -> Response:
    """What the page of a game says about odds, judged."""
    if game not in games.games():
        return plain({"claims": [], "false": 0, "command": f"handful claims {game}"})
    text = await asyncio.to_thread(read_text, place_of(game)[0])
    await _rules(request, game)
    return await _asked(request, game, _claiming(text, f"{game}/claims.toml"))


@router.post("/games/{game}/claims", responses=made(schemas_odds.Judged))
async def own_claims(request: Request, game: KnownGame, wanted: schemas_odds.Claiming) -> Response:
    """Claims of one's own about a game, judged."""
    await _rules(request, game)
    return await _asked(request, game, _claiming(wanted.text, "claims.toml"))


@router.post("/games/{game}/table", response_class=StreamingResponse, responses=IN_LINES)
async def table(request: Request, game: KnownGame, wanted: schemas_odds.Sweeping) -> Response:
    """Odds over ranges of parameters."""
    return await _told(request, game, await _question(request, game, "table", wanted))


@router.post("/diff", response_class=StreamingResponse, responses=IN_LINES)
async def diff(request: Request, wanted: schemas_odds.Comparing) -> Response:
    """What changed between two rulesets: in words, and the largest changes in odds first."""
    before, after = wanted.before, wanted.after
    game = known_game(before.game)
    if before.text:
        raise Refused("a draft is what comes after", "leave the text of `before` out")
    texts: RulesetTexts = []
    others: list[Rules] = []
    other = "draft.toml" if after.text else known_game(after.game)
    if after.text:
        hall, visitor = hall_of(request), visitor_of(request)
        texts = (await hall.read(visitor, after.text, request.is_disconnected))[1]
    elif other != game:
        rules, texts = await asyncio.to_thread(games.installed, other)
        others = [rules]
    query = Query.comparing((game, before.options), (other, after.options))
    question = {"explore": "diff", "query": query.argv(), "texts_after": texts}
    await _rules(request, game)
    return await _told(request, game, question, others)


# -- how questions are asked


async def _question(request: Request, game: str, explore: str, wanted: schemas_odds.Weighing) -> Question:
    rules = await _rules(request, game)
    kind = explore if explore in ("table", "solve") else "odds"
    return {"explore": explore, "query": Query.from_json(kind, rules, wanted.model_dump()).argv()}


def _claiming(text: str, where: str) -> Question:
    return {"explore": "claims", "text": text, "where": where}


async def _rules(request: Request, game: str) -> Rules:
    """Return a game's rules, whose words answer the request, unless it comes too fast."""
    hall_of(request).may_explore(visitor_of(request))
    if game not in _KNOWN:
        _KNOWN[game] = await asyncio.to_thread(games.installed, game)
    request.state.rules = _KNOWN[game][0]
    return _KNOWN[game][0]


async def _asked(request: Request, game: str, question: Question) -> Response:
    """Answer in one piece; a visitor waits in each lane for one answer after the other."""
    rules, lane = _KNOWN[game][0], LANES.get(question["explore"], "beside")
    found = await hall_of(request).reckons(
        (lane, visitor_of(request)),
        question,
        rules.hash,
        _texts(game),
        request.is_disconnected,
        _nobody if question["explore"] in ("solve", "claims") else None,
    )
    return plain(told(found, language_of(request.headers), rules))


def _nobody(done: int, of: int) -> None:
    """Mark work over many checks, which leaves a hand free for others; nobody watches it."""


def _texts(game: str) -> Callable[[], Awaitable[RulesetTexts]]:
    async def given() -> RulesetTexts:
        return _KNOWN[game][1]

    return given


async def _told(request: Request, game: str, question: Question, others: Sequence[Rules] = ()) -> Response:
    """Answer a long question in lines; what is refused at once is an answer of its own."""
    rules = _KNOWN[game][0]
    hall, visitor = hall_of(request), visitor_of(request)
    language = language_of(request.headers)
    news: asyncio.Queue[list[int]] = asyncio.Queue()

    async def found() -> Any:
        answer = await hall.reckons(
            ("long", visitor),
            question | {"cells": hall.limits.cells},
            rules.hash,
            _texts(game),
            request.is_disconnected,
            lambda done, of: news.put_nowait([done, of]),
        )
        return await asyncio.to_thread(told, answer, language, rules, *others)

    work = asyncio.ensure_future(found())
    first = asyncio.ensure_future(news.get())
    await asyncio.wait([work, first], return_when=asyncio.FIRST_COMPLETED)
    if work.done():
        first.cancel()
        return Response(_line({"answer": work.result()}), media_type=LINES)
    lines = _lines(work, first, news, lambda no: spoken(no, language, rules))
    return StreamingResponse(lines, media_type=LINES)


async def _lines(
    work: asyncio.Future[Any],
    first: asyncio.Future[list[int]],
    news: asyncio.Queue[list[int]],
    says: Callable[[dict[str, Any]], dict[str, Any]],
) -> AsyncIterator[str]:
    told = first
    try:
        while not work.done():
            await asyncio.wait([work, told], return_when=asyncio.FIRST_COMPLETED)
            if told.done():
                yield _line({"progress": told.result()})
                told = asyncio.ensure_future(news.get())
        yield _line(says(_ending(work)))
    finally:
        told.cancel()
        work.cancel()


def _ending(work: asyncio.Future[Any]) -> dict[str, Any]:
    try:
        return {"answer": work.result()}
    except Fault as fault:
        return fault.to_dict()
    except HandfulError as error:
        return fault_of(error).to_dict()


def _line(data: Any) -> str:
    return canonical_json(data) + "\n"
