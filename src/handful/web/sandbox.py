"""What is asked about a ruleset that somebody writes, worked out in a process of its own.

Such a text is a stranger's: whatever it holds, this process reads no file that the text names,
writes none, has only so much memory, and is ended when it takes too long (`worker.py`).
"""

from __future__ import annotations

import os
import tomllib
from contextlib import suppress
from math import isfinite
from random import SystemRandom
from typing import Any

from handful import odds as exact
from handful.errors import FileFault, HandfulError, TooBig
from handful.explore.differences import Version, difference
from handful.explore.query import Query
from handful.library import Roll, Ruleset
from handful.library.brews import mistakes_of, read_brew, texts_of
from handful.library.cases import PLAYABLE, Difference, cases_in, differences
from handful.roll import BoundCheck, Throw
from handful.rules import load as loading
from handful.rules.ruleset import Ruleset as Rules
from handful.store import RulesetTexts
from handful.web import games
from handful.web.forms import edited, form_of
from handful.web.i18n import spoken_mistakes, told, tongue
from handful.web.worker_main import Question, answer_all

MOST_CASES = 300
MOST_CELLS = 40  # checks whose odds are compared, for each
MOST_MOVED = 12
MOST_WORDS = 100
MOST_READ = 4  # texts that are remembered as they were read

_READ: dict[str, Ruleset | HandfulError] = {}


def brew_of(question: Question) -> Ruleset:
    """The ruleset of a text; the same text is read once."""
    text = question["ruleset"]
    if text not in _READ:
        while len(_READ) >= MOST_READ:
            del _READ[next(iter(_READ))]
        try:
            _READ[text] = read_brew(text)
        except HandfulError as error:
            _READ[text] = error
    found = _READ[text]
    if isinstance(found, HandfulError):
        raise found.with_traceback(None)  # else it grows with every question
    return found


def answered(question: Question) -> Any:
    return _ANSWERS[question["do"]](question)


def _said(question: Question, error: HandfulError) -> list[dict[str, Any]]:
    """What is wrong with a text, in the language of whoever asks."""
    return spoken_mistakes(mistakes_of(error), question["language"])


def _checked(question: Question) -> dict[str, Any]:
    """What is wrong with a text; if nothing is, everything that a page must know of its game."""
    try:
        brew = brew_of(question)
    except HandfulError as error:
        return {"mistakes": _said(question, error), "hash": "", "game": None, "base": ""}
    bases = texts_of(brew)[:-1]
    base = str(tomllib.loads(bases[-1][1]).get("id", "")) if bases else ""
    game = games.describe(brew.rules)
    return {"mistakes": [], "hash": brew.hash, "game": game, "base": base}


def _shelved(question: Question) -> dict[str, Any]:
    """The texts of a ruleset and its bases, as a file of tables keeps them."""
    try:
        brew = brew_of(question)
    except HandfulError as error:
        return {"mistakes": mistakes_of(error), "hash": "", "texts": []}
    return {"mistakes": [], "hash": brew.hash, "texts": texts_of(brew)}


def _bound(question: Question) -> BoundCheck:
    rules = brew_of(question).rules
    return Query.from_json("odds", rules, question["asked"]).bind(rules)[0]


def _odds(question: Question) -> dict[str, Any]:
    bound = _bound(question)
    found = exact.odds(bound, policy=question["policy"], budget=question["budget"]).to_dict()
    made: dict[str, Any] = told(found, question["language"], bound.ruleset)
    return made


def _rolled(question: Question) -> dict[str, Any]:
    """A roll to its end; what is to be decided is decided as usual."""
    roll, rng, sizes = Roll.begin(_bound(question)), SystemRandom(), []
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
    """Every case held against play and odds; what a simulation shows is for `handful test`."""
    try:
        brew = brew_of(question)
    except HandfulError as error:
        return {"mistakes": _said(question, error), "cases": []}
    try:
        cases = cases_in(question["cases"])
    except FileFault as fault:
        return {"mistakes": _said(question, fault), "cases": []}
    if len(cases) > MOST_CASES:
        raise TooBig(
            f"{len(cases)} cases are more than the {MOST_CASES} that are tried here",
            "`handful test` tries all of them",
        )
    budget = question["budget"] // 4
    tried = []
    for case in cases:
        found = differences(brew, case, simulated=False, budget=budget)
        tried.append(
            {
                "name": case.name,
                "check": case.check,
                "differences": [
                    {
                        "way": one.way,
                        "what": one.what,
                        "expected": _plain(one.expected),
                        "found": _plain(_came(question, one)),
                    }
                    for one in found
                ],
            }
        )
    return {"mistakes": [], "cases": tried}


def _came(question: Question, one: Difference) -> Any:
    """What came instead; a refusal stays English, because a case quotes it so."""
    speaks = tongue(question["language"])
    if speaks is None or (one.what != "error" and one.found != PLAYABLE):
        return one.found
    return speaks.says(str(one.found), of_a_file=True)


def _plain(value: Any) -> Any:
    """What a TOML file can say, as JSON can say it."""
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and abs(value) < 2**53:
        return value
    return value if isinstance(value, float) and isfinite(value) else str(value)


def _form(question: Question) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = _plain(form_of(question["ruleset"]))
    return made


def _edited(question: Question) -> dict[str, Any]:
    return {"ruleset": edited(question["ruleset"], question["path"], question["value"])}


def _difference(question: Question) -> dict[str, Any]:
    """What is other by the one rules than by the other: in words, and where odds move most."""
    before, after = (
        Version(rules.id, rules, options)
        for rules, options in zip(
            map(_loaded, (question["before"], question["after"])), question["options"], strict=True
        )
    )
    found = difference(before, after, most=MOST_CELLS, budget=question["budget"] // 100)
    shown = [one.to_dict() for one in found.moved if one.shows == "success"][:MOST_MOVED]
    return {"words": [*found.words[:MOST_WORDS]], "moved": _plain(shown)}


def _loaded(texts: RulesetTexts) -> Rules:
    return loading.load([loading.Source(name, text) for name, text in texts], proven=True)


_ANSWERS = {
    "check": _checked,
    "shelve": _shelved,
    "odds": _odds,
    "roll": _rolled,
    "cases": _cases,
    "form": _form,
    "edit": _edited,
    "difference": _difference,
}


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        answer_all(answered)
        os._exit(0)
