"""Worked examples of a ruleset (`cases.toml`), checked against play, odds and simulation.

A case is a check with its parameters and the expected results.  `mismatches` returns every result
that differs, with the method that found it.  Invariant: a case reads no file but its own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from os.path import dirname, join
from typing import Any

from handful import odds as exact
from handful.errors import BadReply, FileFault, HandfulError, Message, Refused, RuleError, did_you_mean
from handful.library.files import read_text
from handful.library.rolls import Roll
from handful.library.rulesets import Ruleset
from handful.library.simulation import simulation
from handful.odds import Odds
from handful.records import field, record
from handful.roll import BoundCheck, Throw, bind
from handful.solver.solver import BUDGET

FILE = "cases.toml"
ROLLS = 4000  # simulated for each case
PLAYABLE = Message("case.playable")  # found where a case expects a refusal
MAX_DEVIATIONS = 6  # standard deviations from the expected count


@record()
class Case:
    """One worked example, as written in the file."""

    name: str
    check: str
    rules: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    sides: tuple[Mapping[str, Any], ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    policy: str = "usual"
    faces: tuple[int, ...] = ()
    answers: tuple[str, ...] = ()
    roll: Mapping[str, Any] = field(default_factory=dict)
    odds: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""


FIELDS = Case.__match_args__
_TEXT = (str, Message("case.a_text"))
_LIST = (list, Message("case.a_list"))
_TABLE = (dict, Message("case.a_table"))
_KINDS: Mapping[str, tuple[type, Message]] = {
    "name": _TEXT,
    "check": _TEXT,
    "rules": _LIST,
    "params": _TABLE,
    "sides": _LIST,
    "options": _TABLE,
    "policy": _TEXT,
    "faces": _LIST,
    "answers": _LIST,
    "roll": _TABLE,
    "odds": _TABLE,
    "refused": _TEXT,
}


@record()
class Mismatch:
    """An expected and an actual value; `method` is play, odds, simulation or check.

    `found` is a message where the case was refused, or was not.
    """

    method: str
    what: str
    expected: Any
    found: Any


def read_cases(game: Ruleset) -> list[Case]:
    """Return the cases of the file next to a ruleset."""
    path = join(dirname(game.file), FILE)
    return cases_in(read_text(path), path)


def cases_in(text: str, path: str = FILE) -> list[Case]:
    """Parse cases from a text; `path` names it in messages."""
    try:
        tables = tomllib.loads(text).get("case", [])
    except tomllib.TOMLDecodeError as error:
        raise FileFault(Message("at", place=path, problem=Message("foreign_text", text=str(error)))) from None
    except RecursionError:
        raise FileFault(Message("case.nested_too_deeply", path=path)) from None
    except ValueError:  # Python refuses integers of thousands of digits
        raise FileFault(Message("case.number_too_long", path=path)) from None
    if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
        raise FileFault(Message("case.begins_with", path=path))
    found = []
    for number, table in enumerate(tables, 1):
        place = Message("case.number", path=path, number=number)
        for key, value in table.items():
            if key not in FIELDS:
                raise FileFault(
                    Message("case.unknown_field", place=place, key=key[:60]), did_you_mean(key[:60], FIELDS)
                )
            if not isinstance(value, _KINDS[key][0]):
                raise FileFault(Message("case.wrong_kind", place=place, key=key, kinds=_KINDS[key][1]))
        if not all(isinstance(one, dict) for one in table.get("sides", [])):
            raise FileFault(Message("case.sides", place=place))
        if not all(type(one) is int for one in table.get("faces", [])):
            raise FileFault(Message("case.faces", place=place))
        if not all(table.get(key) for key in ("name", "check")):
            raise FileFault(Message("case.needs", place=place), 'name = "…", check = "…"')
        lists: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
        found.append(Case(**lists))
    return found


def mismatches(game: Ruleset, case: Case, *, simulated: bool = True, budget: int = BUDGET) -> list[Mismatch]:
    """Return everything that differs from what the case expects."""
    try:
        if case.refused:
            return _refusal(game, case)
        found = _compare_play(game, case) if case.roll or case.faces else []
        odds = exact.odds(_bind(game, case), policy=case.policy, budget=budget, solved=game.solved)
        return found + _compare_odds(case, odds) + (_simulate(game, case, odds) if simulated else [])
    except HandfulError as error:
        return [Mismatch("check", "error", "none", _located(error))]


def _located(error: HandfulError) -> Message:
    """Return the problem of an error, with its place in the rules if it has one."""
    place = error.place if isinstance(error, RuleError) else ""
    return Message("at", place=place, problem=error.problem) if place else error.problem


def _bind(game: Ruleset, case: Case) -> BoundCheck:
    """Bind a case by numbers: a case names no character, whose file would have to be read."""
    return bind(game.rules, case.check, case.sides, case.params, case.options)


def _start(game: Ruleset, case: Case) -> Roll:
    return Roll.begin(_bind(game, case))


def _play(game: Ruleset, case: Case) -> Roll:
    """Play the roll to its end; decisions that the case leaves out follow the usual policy."""
    roll, faces, answers = _start(game, case), list(case.faces), list(case.answers)
    while (ask := roll.ask) is not None:
        if isinstance(ask, Throw):
            if len(faces) < ask.count:
                raise BadReply(Message("case.more_faces", count=ask.count, faces=len(faces)))
            roll = roll.throw(faces=faces[: ask.count])
            del faces[: ask.count]
        else:
            roll = roll.answer(answers.pop(0)) if answers else roll.usual()
    if faces or answers:
        raise BadReply(Message("case.unused_replies", faces=faces, answers=answers))
    return roll


def _refusal(game: Ruleset, case: Case) -> list[Mismatch]:
    try:
        _play(game, case) if case.faces else _start(game, case)
    except Refused as refusal:
        if case.refused in refusal.message:
            return []
        return [Mismatch("play", "refused", case.refused, refusal.message)]
    return [Mismatch("play", "refused", case.refused, PLAYABLE)]


def _compare_play(game: Ruleset, case: Case) -> list[Mismatch]:
    fields = _play(game, case).to_dict()
    fields["thrown"] = [[die["face"], die["role"], die["of"] or 0] for die in fields["dice"]]
    fields["dice"] = len(fields["dice"])
    found = []
    for name, expected in case.roll.items():
        if name == "tally" and isinstance(expected, dict):
            for part, number in expected.items():
                found += _compare("play", part, number, fields["tally"].get(part))
        elif name == "events" and isinstance(expected, list):
            found += _compare("play", name, sorted(map(str, expected)), sorted(fields[name]))
        else:
            found += _compare("play", name, expected, fields.get(name))
    return found


def _compare_odds(case: Case, odds: Odds) -> list[Mismatch]:
    fields = odds.to_dict()
    fields["distribution"] = {str(value): chance for value, chance in fields["distribution"]}
    found = []
    for name, expected in case.odds.items():
        parts = fields.get(name)
        if isinstance(expected, dict) and isinstance(parts, dict):
            for part, chance in expected.items():
                found += _compare("odds", f"{name} {part}", chance, parts.get(part, "0"))
        else:
            found += _compare("odds", name, expected, fields.get(name))
    return found


def _compare(method: str, what: str, expected: Any, found: Any) -> list[Mismatch]:
    expected = None if expected == "none" else expected
    return [] if expected == found else [Mismatch(method, what, expected, found)]


def _simulate(game: Ruleset, case: Case, odds: Odds) -> list[Mismatch]:
    """Return simulated results that are impossible, and a success rate far from its chance."""
    if case.policy == "best":
        return []  # the best policy needs exact odds at every decision
    bound = _bind(game, case)
    kinds = simulation().simulate_dice(bound, count=ROLLS, seed=1, policy=case.policy).kinds
    found = []
    for result in {kind[0] for kind in kinds}:
        beyond = odds.tail is not None and result is not None and result >= odds.tail.start
        if result is not None and result not in odds.distribution and not beyond:
            found.append(Mismatch("simulation", "result", "impossible", result))
    if isinstance(odds.success, Fraction):
        seen = sum(times for kind, times in kinds.items() if kind[1])
        spread = sqrt(ROLLS * odds.success * (1 - odds.success))
        if abs(seen - ROLLS * odds.success) > MAX_DEVIATIONS * spread:
            share = f"{seen} of {ROLLS}"
            found.append(Mismatch("simulation", "success", str(odds.success), share))
    return found
