"""The cases of a ruleset: worked examples beside it, held against play, odds and simulation.

A case is one table of a `cases.toml`: a check with its parameters, and what must come of it.
`differences` says in which of the three ways something else came of it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from os.path import dirname, join
from typing import Any

from handful import odds as exact
from handful.errors import BadReply, FileFault, HandfulError, Refused, did_you_mean
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
PLAYABLE = "it can be rolled"  # where a case expects a refusal
FAR = 6  # standard deviations that chance does not explain


@record()
class Case:
    """One worked example, as it stands in the file."""

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
_TEXT, _LIST, _TABLE = (str, "a text"), (list, "a list"), (dict, "a table, { … }")
_KINDS: Mapping[str, tuple[type, str]] = {
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
class Difference:
    """What a case says, and what came instead: in play, in the odds or in a simulation."""

    way: str
    what: str
    expected: Any
    found: Any


def read_cases(game: Ruleset) -> list[Case]:
    """The cases in the file beside a ruleset."""
    path = join(dirname(game.file), FILE)
    return cases_in(read_text(path), path)


def cases_in(text: str, path: str = FILE) -> list[Case]:
    """The cases of a text."""
    try:
        tables = tomllib.loads(text).get("case", [])
    except tomllib.TOMLDecodeError as error:
        raise FileFault(f"{path}: {error}") from None
    except RecursionError:
        raise FileFault(f"{path}: is nested too deeply") from None
    except ValueError:  # Python reads no number of thousands of digits
        raise FileFault(f"{path}: holds a number that is far too long") from None
    if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
        raise FileFault(f"{path}: a case begins with [[case]]")
    found = []
    for number, table in enumerate(tables, 1):
        place = f"{path}: case {number}"
        for key, value in table.items():
            if key not in FIELDS:
                raise FileFault(f"{place} has {key[:60]!r}", did_you_mean(key[:60], FIELDS))
            if not isinstance(value, _KINDS[key][0]):
                raise FileFault(f"{place}: {key} is {_KINDS[key][1]}")
        if not all(isinstance(one, dict) for one in table.get("sides", [])):
            raise FileFault(f"{place}: sides are a list of tables, [{{ … }}, {{ … }}]")
        if not all(type(one) is int for one in table.get("faces", [])):
            raise FileFault(f"{place}: faces are a list of numbers, [6, 5]")
        if not all(table.get(key) for key in ("name", "check")):
            raise FileFault(f"{place} needs a name and a check", 'name = "…", check = "…"')
        lists: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
        found.append(Case(**lists))
    return found


def differences(
    game: Ruleset, case: Case, *, simulated: bool = True, budget: int = BUDGET
) -> list[Difference]:
    """Everything that came out otherwise than the case says; nothing if it holds."""
    try:
        if case.refused:
            return _refusal(game, case)
        found = _play(game, case) if case.roll or case.faces else []
        odds = exact.odds(_bound(game, case), policy=case.policy, budget=budget)
        return found + _odds(case, odds) + (_simulated(game, case, odds) if simulated else [])
    except HandfulError as error:
        return [Difference("check", "error", "none", str(error))]


def _bound(game: Ruleset, case: Case) -> BoundCheck:
    """By plain parameters: a case names no character, whose file somebody would have to read."""
    return bind(game.rules, case.check, case.sides, case.params, case.options)


def _started(game: Ruleset, case: Case) -> Roll:
    return Roll.begin(_bound(game, case))


def _played(game: Ruleset, case: Case) -> Roll:
    """The roll to its end; where the case gives no answer, the usual one is taken."""
    roll, faces, answers = _started(game, case), list(case.faces), list(case.answers)
    while (ask := roll.ask) is not None:
        if isinstance(ask, Throw):
            if len(faces) < ask.count:
                raise BadReply(f"{ask.count} more faces are needed, and the case has {len(faces)}")
            roll = roll.throw(faces=faces[: ask.count])
            del faces[: ask.count]
        else:
            roll = roll.answer(answers.pop(0)) if answers else roll.usual()
    if faces or answers:
        raise BadReply(f"nobody asked for these faces {faces} and answers {answers}")
    return roll


def _refusal(game: Ruleset, case: Case) -> list[Difference]:
    try:
        _played(game, case) if case.faces else _started(game, case)
    except Refused as refusal:
        if case.refused in refusal.message:
            return []
        return [Difference("play", "refused", case.refused, refusal.message)]
    return [Difference("play", "refused", case.refused, PLAYABLE)]


def _play(game: Ruleset, case: Case) -> list[Difference]:
    fields = _played(game, case).to_dict()
    fields["thrown"] = [[die["face"], die["role"], die["of"] or 0] for die in fields["dice"]]
    fields["dice"] = len(fields["dice"])
    found = []
    for name, expected in case.roll.items():
        if name == "tally" and isinstance(expected, dict):
            for part, number in expected.items():
                found += _differs("play", part, number, fields["tally"].get(part))
        elif name == "events" and isinstance(expected, list):
            found += _differs("play", name, sorted(map(str, expected)), sorted(fields[name]))
        else:
            found += _differs("play", name, expected, fields.get(name))
    return found


def _odds(case: Case, odds: Odds) -> list[Difference]:
    fields = odds.to_dict()
    fields["distribution"] = {str(value): chance for value, chance in fields["distribution"]}
    found = []
    for name, expected in case.odds.items():
        parts = fields.get(name)
        if isinstance(expected, dict) and isinstance(parts, dict):
            for part, chance in expected.items():
                found += _differs("odds", f"{name} {part}", chance, parts.get(part, "0"))
        else:
            found += _differs("odds", name, expected, fields.get(name))
    return found


def _differs(way: str, what: str, expected: Any, found: Any) -> list[Difference]:
    expected = None if expected == "none" else expected
    return [] if expected == found else [Difference(way, what, expected, found)]


def _simulated(game: Ruleset, case: Case, odds: Odds) -> list[Difference]:
    """Rolls that the odds call impossible, and successes that are far from their chance."""
    if case.policy == "best":
        return []  # whoever plays best has to see exact odds
    bound = _bound(game, case)
    kinds = simulation().rolled(bound, count=ROLLS, seed=1, policy=case.policy).kinds
    found = []
    for result in {kind[0] for kind in kinds}:
        beyond = odds.tail is not None and result is not None and result >= odds.tail.start
        if result is not None and result not in odds.distribution and not beyond:
            found.append(Difference("simulation", "result", "impossible", result))
    if isinstance(odds.success, Fraction):
        seen = sum(times for kind, times in kinds.items() if kind[1])
        spread = sqrt(ROLLS * odds.success * (1 - odds.success))
        if abs(seen - ROLLS * odds.success) > FAR * spread:
            share = f"{seen} of {ROLLS}"
            found.append(Difference("simulation", "success", str(odds.success), share))
    return found
