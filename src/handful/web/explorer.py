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
from handful.library.claims import place_of
from handful.library.files import read_text
from handful.rules.ruleset import Ruleset as Rules
from handful.store import Texts
from handful.table import canonical_json
from handful.web import games, wire, wire_odds
from handful.web.answers import NO, KnownGame, hall_of, known_game, made, plain
from handful.web.faults import Fault, fault_of
from handful.web.guard import visitor_of
from handful.web.speaking import language_of, spoken, told
from handful.web.worker import Question

_KNOWN: dict[str, tuple[Rules, Texts]] = {}  # what was read already, by game

router = APIRouter(prefix="/api", responses=NO)
LINES = "application/x-ndjson"
IN_LINES: dict[int | str, dict[str, Any]] = {
    200: {"description": "Lines of JSON, each a `Progress`; the last has the answer.",
          "content": {LINES: {"schema": {"type": "string"}}}}
}  # fmt: skip


@router.get("/families", responses=made(list[wire.GameInShort]))
async def families() -> Response:
    """Common mechanics that have odds, but no tables."""
    return plain(await asyncio.to_thread(games.families))


@router.post("/games/{game}/survey", responses=made(wire_odds.Survey))
async def survey(request: Request, game: KnownGame, wanted: wire_odds.Reckoning) -> Response:
    """Everything about a check at a glance: odds, curves, spread, every difficulty."""
    return plain(await _asked(request, game, "survey", wanted))


@router.post("/games/{game}/worth", responses=made(wire_odds.Weighed))
async def worth(request: Request, game: KnownGame, wanted: wire_odds.Weighing) -> Response:
    """What the decisions of a check are worth."""
    return plain(await _asked(request, game, "worth", wanted))


@router.post("/games/{game}/solve", responses=made(wire_odds.Solved))
async def solve(request: Request, game: KnownGame, wanted: wire_odds.Solving) -> Response:
    """How many dice for 80 %: the value of one parameter that gives a chance."""
    return plain(await _asked(request, game, "solve", wanted))


@router.get("/games/{game}/claims", responses=made(wire_odds.Judged))
async def claims(request: Request, game: KnownGame) -> Response:
    """What the page of a game says about odds, judged."""
    if game not in games.games():
        return plain({"claims": [], "false": 0, "command": f"handful claims {game}"})
    text = await asyncio.to_thread(read_text, place_of(game)[0])
    more = {"text": text, "where": f"{game}/claims.toml"}
    return plain(await _asked(request, game, "claims", None, more))


@router.post("/games/{game}/claims", responses=made(wire_odds.Judged))
async def own_claims(request: Request, game: KnownGame, wanted: wire_odds.Claiming) -> Response:
    """Claims of one's own about a game, judged."""
    more = {"text": wanted.text, "where": "claims.toml"}
    return plain(await _asked(request, game, "claims", None, more))


@router.post("/games/{game}/table", response_class=StreamingResponse, responses=IN_LINES)
async def table(request: Request, game: KnownGame, wanted: wire_odds.Sweeping) -> Response:
    """Odds over ranges of parameters."""
    return await _told(request, game, _question("table", wanted))


@router.post("/diff", response_class=StreamingResponse, responses=IN_LINES)
async def diff(request: Request, wanted: wire_odds.Comparing) -> Response:
    """What changed between two rulesets: in words, and the largest changes in odds first."""
    before, after = wanted.before, wanted.after
    game = known_game(before.game)
    if before.text:
        raise Refused("a draft is what comes after", "leave the text of `before` out")
    texts: Texts = []
    others: list[Rules] = []
    if after.text:
        hall, visitor = hall_of(request), visitor_of(request)
        texts = (await hall.read(visitor, after.text, request.is_disconnected))[1]
    elif known_game(after.game) != game:
        rules, texts = await asyncio.to_thread(games.installed, after.game)
        others = [rules]
    name = "draft.toml" if after.text else after.game
    other = {"name": name, "texts": texts, "options": after.options}
    question = {"explore": "diff", "name": game, "options": before.options, "other": other}
    return await _told(request, game, question, others)


# -- how questions are asked


def _question(explore: str, wanted: wire_odds.Weighing | None) -> Question:
    if wanted is None:
        return {"explore": explore}
    fields = wanted.model_dump()
    names = ("check", "parameters", "sides", "options")
    return {"explore": explore, "asked": {name: fields.pop(name) for name in names}, **fields}


async def _asked(
    request: Request, game: str, explore: str, wanted: wire_odds.Weighing | None,
    more: dict[str, Any] | None = None,
) -> Any:  # fmt: skip
    """The answer to a question, in one piece."""
    hall, visitor = hall_of(request), visitor_of(request)
    hall.may_explore(visitor)
    rules, given = await _rules(game)
    question = _question(explore, wanted) | (more or {})
    who = ("explore" if explore == "survey" else "beside", visitor)  # one drags surveys alone
    tell = None if explore in ("survey", "worth") else _nobody
    request.state.rules = rules
    found = await hall.reckons(who, question, rules.hash, given, request.is_disconnected, tell)
    return told(found, language_of(request.headers), rules)


def _nobody(done: int, of: int) -> None:
    """Work over many checks, which leaves a hand free for others; nobody watches it."""


async def _rules(game: str) -> tuple[Rules, Callable[[], Awaitable[Texts]]]:
    """A game's rules and a way to their texts; after the first time at once."""
    if game not in _KNOWN:
        _KNOWN[game] = await asyncio.to_thread(games.installed, game)
    rules, texts = _KNOWN[game]

    async def given() -> Texts:
        return texts

    return rules, given


async def _told(
    request: Request, game: str, question: Question, others: Sequence[Rules] = ()
) -> Response:
    """The answer to a long question, in lines; what is refused at once is an answer of its own."""
    hall, visitor = hall_of(request), visitor_of(request)
    hall.may_explore(visitor)
    rules, given = await _rules(game)
    request.state.rules = rules
    language = language_of(request.headers)
    news: asyncio.Queue[list[int]] = asyncio.Queue()

    async def found() -> Any:
        answer = await hall.reckons(
            ("long", visitor), question | {"cells": hall.limits.cells}, rules.hash, given,
            request.is_disconnected, lambda done, of: news.put_nowait([done, of]),
        )  # fmt: skip
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
    work: asyncio.Future[Any], first: asyncio.Future[list[int]], news: asyncio.Queue[list[int]],
    says: Callable[[dict[str, Any]], dict[str, Any]],
) -> AsyncIterator[str]:  # fmt: skip
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
