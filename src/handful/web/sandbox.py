"""Sandboxed process for draft rulesets: checks, odds, rolls, worked examples, form edits.

The texts come from strangers.  Invariant: the process reads no file that a text names and writes
none, its memory is limited, and it is killed when it takes too long (`worker_main.py`, `workers.py`).
"""

from __future__ import annotations

import os
import tomllib
from contextlib import suppress
from math import isfinite
from random import SystemRandom
from typing import Any

from handful import odds as exact
from handful.errors import FileFault, HandfulError, Message, TooBig, as_message
from handful.explore.differences import Version, compare_rulesets
from handful.explore.query import Query
from handful.library import Roll, Ruleset
from handful.library.cases import Mismatch, cases_in, mismatches
from handful.library.draft_rulesets import mistakes_of, read_draft_ruleset, stored_texts
from handful.roll import BoundCheck, Throw
from handful.rules import load as loading
from handful.rules.ruleset import Ruleset as Rules
from handful.store import RulesetTexts
from handful.web import games
from handful.web.forms import apply_edit, build_form
from handful.web.i18n import render_answer, render_file_message
from handful.web.worker_main import Question, serve_stdin

MOST_CASES = 300
MOST_CELLS = 40  # cells that are compared, of each check
MOST_MOVED = 12
MOST_WORDS = 100
MOST_CACHED = 4  # loaded texts in the cache

_CACHE: dict[str, Ruleset | HandfulError] = {}


def draft_of(question: Question) -> Ruleset:
    """Return the ruleset of the question's text, from the cache if possible."""
    text = question["ruleset"]
    if text not in _CACHE:
        while len(_CACHE) >= MOST_CACHED:
            del _CACHE[next(iter(_CACHE))]
        try:
            _CACHE[text] = read_draft_ruleset(text)
        except HandfulError as error:
            _CACHE[text] = error
    found = _CACHE[text]
    if isinstance(found, HandfulError):
        raise found.with_traceback(None)  # else the traceback grows with every question
    return found


def answer(question: Question) -> Any:
    return _ANSWERS[question["do"]](question)


def _mistakes(question: Question, error: HandfulError) -> list[dict[str, Any]]:
    """Return the mistakes of a text in the client's language."""
    return mistakes_of(error, lambda message: render_file_message(message, question["language"]))


def _check(question: Question) -> dict[str, Any]:
    """Return the mistakes of a text, or without any the description of its game."""
    try:
        draft = draft_of(question)
    except HandfulError as error:
        return {"mistakes": _mistakes(question, error), "hash": "", "game": None, "base": ""}
    bases = stored_texts(draft)[:-1]
    base = str(tomllib.loads(bases[-1][1]).get("id", "")) if bases else ""
    game = games.describe(draft.rules)
    return {"mistakes": [], "hash": draft.hash, "game": game, "base": base}


def _texts(question: Question) -> dict[str, Any]:
    """Return the texts of a ruleset and its bases, as the store saves them."""
    try:
        draft = draft_of(question)
    except HandfulError as error:
        return {"mistakes": mistakes_of(error, as_message), "hash": "", "texts": []}
    return {"mistakes": [], "hash": draft.hash, "texts": stored_texts(draft)}


def _bind(question: Question) -> BoundCheck:
    rules = draft_of(question).rules
    return Query.from_json("odds", rules, question["asked"]).bind(rules)[0]


def _odds(question: Question) -> dict[str, Any]:
    bound = _bind(question)
    found = exact.odds(
        bound, policy=question["policy"], budget=question["budget"], solved=draft_of(question).solved
    )
    result: dict[str, Any] = render_answer(found.to_dict(), question["language"], bound.ruleset)
    return result


def _roll(question: Question) -> dict[str, Any]:
    """Roll a check to its end; decisions follow the usual policy."""
    roll, rng, sizes = Roll.begin(_bind(question)), SystemRandom(), []
    while (ask := roll.ask) is not None:
        if isinstance(ask, Throw):
            sizes += [ask.sides] * ask.count
            roll = roll.reply(tuple(rng.randrange(ask.sides) + 1 for _ in range(ask.count)))
        else:
            roll = roll.usual()
    dice = [
        {
            "face": die.face,
            "role": die.role,
            "of": die.of,
            "side": die.side,
            "number": die.number,
            "sides": size,
        }
        for die, size in zip(roll.node.trace.dice, sizes, strict=True)
    ]
    return roll.to_dict() | {"dice": dice, "main": roll.bound.check.main}


def _cases(question: Question) -> dict[str, Any]:
    """Check every case against play and odds; only `handful test` also simulates."""
    try:
        draft = draft_of(question)
    except HandfulError as error:
        return {"mistakes": _mistakes(question, error), "cases": []}
    try:
        cases = cases_in(question["cases"])
    except FileFault as fault:
        return {"mistakes": _mistakes(question, fault), "cases": []}
    if len(cases) > MOST_CASES:
        raise TooBig(
            Message("draft.too_many_cases", cases=len(cases), most=MOST_CASES),
            Message("draft.test_tries_all"),
        )
    budget = question["budget"] // 4
    results = []
    for case in cases:
        found = mismatches(draft, case, simulated=False, budget=budget)
        results.append(
            {
                "name": case.name,
                "check": case.check,
                "differences": [
                    {
                        "way": one.method,
                        "what": one.what,
                        "expected": _to_json(one.expected),
                        "found": _to_json(_translate_found(question, one)),
                    }
                    for one in found
                ],
            }
        )
    return {"mistakes": [], "cases": results}


def _translate_found(question: Question, one: Mismatch) -> Any:
    """Return the found value, a message in words; a refusal stays English, because cases quote it so."""
    if not isinstance(one.found, Message):
        return one.found
    return render_file_message(one.found, question["language"])


def _to_json(value: Any) -> Any:
    """Convert a TOML value to JSON: dates, huge integers and non-finite floats become texts."""
    if isinstance(value, dict):
        return {str(name): _to_json(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_to_json(one) for one in value]
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and abs(value) < 2**53:
        return value
    return value if isinstance(value, float) and isfinite(value) else str(value)


def _form(question: Question) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = _to_json(build_form(question["ruleset"]))
    return result


def _edit(question: Question) -> dict[str, Any]:
    return {"ruleset": apply_edit(question["ruleset"], question["path"], question["value"])}


def _difference(question: Question) -> dict[str, Any]:
    """Compare two rulesets: changes in words, and the odds that change most."""
    before, after = (
        Version(rules.id, rules, options)
        for rules, options in zip(
            map(_load, (question["before"], question["after"])), question["options"], strict=True
        )
    )
    found = compare_rulesets(before, after, most=MOST_CELLS, budget=question["budget"] // 100)
    shown = [one.to_dict() for one in found.changes if one.shows == "success"][:MOST_MOVED]
    return {"words": [*found.descriptions[:MOST_WORDS]], "moved": _to_json(shown)}


def _identify(question: Question) -> dict[str, Any]:
    """Return name and hash of a published ruleset."""
    rules = _load(question["texts"])
    return {"id": rules.id, "hash": rules.hash}


def _load(texts: RulesetTexts) -> Rules:
    return loading.load([loading.Source(name, text) for name, text in texts], trusted=True)


_ANSWERS = {
    "check": _check,
    "texts": _texts,
    "identify": _identify,
    "odds": _odds,
    "roll": _roll,
    "cases": _cases,
    "form": _form,
    "edit": _edit,
    "difference": _difference,
}


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        serve_stdin(answer)
        os._exit(0)
