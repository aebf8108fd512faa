"""Cases of the rulesets, run as rolls and as exact odds.

A case is one table of a `rulesets/<game>/cases.toml`: a check with its parameters and the expected
outcome. `played` runs it as a roll, `odds_of` as exact odds; each `expected_…` picks from an
outcome the fields the case states, so that a test compares two dicts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import handful
from handful.library import shipped_folder
from handful.roll import ChooseDice, Throw, policy_reply

MOST_WAYS = 60  # outcomes of one throw; larger throws are covered by small pools of the same check
GAMES = ("uwr", "agga", "fons", "tuurna", "me-d6")
FAMILIES = (
    "bands-2d6",
    "best-two",
    "double-tens",
    "doubles-3d6",
    "glitch-d6",
    "highest-d6",
    "percentile",
    "push-d6",
    "roll-and-keep",
    "sets-d10",
    "step-dice",
    "step-successes",
    "symbols",
    "ten-again",
)


@dataclass(frozen=True, eq=False)
class Case:
    """One case as written in the file; a misspelt key is an error."""

    game: str
    name: str
    check: str
    rules: Sequence[str] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    sides: Sequence[Mapping[str, Any]] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    policy: str = "usual"
    faces: Sequence[int] = ()
    answers: Sequence[str] = ()
    roll: Mapping[str, Any] = field(default_factory=dict)
    odds: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""

    @property
    def id(self) -> str:
        return f"{self.game}: {self.name}"

    def with_option(self, name: str, value: Any) -> Case:
        return replace(self, options={**self.options, name: value})

    def in_game(self, game: str) -> Case:
        return replace(self, game=game)


@cache
def ruleset(game: str) -> handful.Ruleset:
    return handful.ruleset(game)


@cache
def cases(game: str) -> tuple[Case, ...]:
    folder = shipped_folder() / ("families" if game in FAMILIES else "") / game
    text = (folder / "cases.toml").read_text(encoding="utf-8")
    return tuple(Case(game=game, **table) for table in tomllib.loads(text)["case"])


def all_cases() -> list[Case]:
    return [case for game in (*GAMES, *FAMILIES) for case in cases(game)]


# -- play


def start_case(case: Case) -> handful.Roll:
    return ruleset(case.game).start(case.check, *case.sides, options=case.options, **case.params)


def play_case(case: Case) -> list[handful.Roll]:
    """Return the roll at every pause from start to end; refuse unused faces and answers.

    Where the case gives no answer, the usual policy answers.
    """
    rolls = [start_case(case)]
    faces, answers = list(case.faces), list(case.answers)
    while (ask := rolls[-1].ask) is not None:
        if isinstance(ask, Throw):
            rolls.append(rolls[-1].throw(faces=faces[: ask.count]))
            del faces[: ask.count]
        elif answers:
            rolls.append(rolls[-1].answer(answers.pop(0)))
        else:
            rolls.append(rolls[-1].usual())
    if faces or answers:
        raise handful.BadReply(f"the roll did not need the faces {faces} and answers {answers}")
    return rolls


def attempt_case(case: Case) -> None:
    """Try a case that should be refused: without faces, only its start."""
    if case.faces:
        play_case(case)
    else:
        start_case(case)


def expected_of_roll(case: Case) -> dict[str, Any]:
    wanted = {name: None if value == "none" else value for name, value in case.roll.items()}
    if "events" in wanted:
        wanted["events"] = sorted(wanted["events"])
    return wanted


def shown_by_roll(case: Case, roll: handful.Roll) -> dict[str, Any]:
    """Return the fields of the roll that the case states."""
    fields = roll.to_dict()
    fields["thrown"] = [[die["face"], die["role"], die["of"] or 0] for die in fields["dice"]]
    fields["dice"] = len(fields["dice"])
    fields["events"] = sorted(fields["events"])
    fields["tally"] = {name: fields["tally"].get(name) for name in case.roll.get("tally", ())}
    return {name: fields[name] for name in case.roll}


def followed_usual_policy(rolls: Sequence[handful.Roll], place: int) -> bool:
    """Return whether every decision after that pause is the one of the usual policy."""
    for before, after in zip(rolls[place:], rolls[place + 1 :], strict=False):
        if isinstance(before.ask, Throw):
            continue
        usual = policy_reply(before.node, "usual")
        if isinstance(before.ask, ChooseDice):
            if set(usual) != set(after.replies[-1]):
                return False
        elif usual != after.replies[-1]:
            return False
    return True


def throw_outcomes(roll: handful.Roll) -> Iterator[tuple[Fraction, handful.Roll]]:
    """Yield the roll after each outcome of its throw, with its chance; nothing if there are too many."""
    ask = roll.ask
    assert isinstance(ask, Throw)
    faces = {reading: face for face, reading in enumerate(ask.die, 1)}
    ways = list(combinations_with_replacement(sorted(faces), ask.count)) if ask.count < 60 else []
    if len(ways) > MOST_WAYS:
        return
    for readings in ways:
        counts = [readings.count(reading) for reading in faces]
        orders = factorial(ask.count) // prod(map(factorial, counts))
        likely = prod(ask.die.count(reading) ** n for reading, n in zip(faces, counts, strict=True))
        share = Fraction(orders * likely, len(ask.die) ** ask.count)
        yield share, roll.reply(tuple(faces[reading] for reading in readings))


# -- odds


def odds_of(case: Case) -> handful.Odds:
    return ruleset(case.game).odds(
        case.check, *case.sides, options=case.options, policy=case.policy, **case.params
    )


def expected_of_odds(case: Case) -> dict[str, Any]:
    return {name: None if value == "none" else value for name, value in case.odds.items()}


def shown_by_odds(case: Case, odds: handful.Odds) -> dict[str, Any]:
    """Return the fields of the odds that the case states."""
    fields = odds.to_dict()
    listed = {str(value): chance for value, chance in fields["distribution"]}
    fields["distribution"] = {v: listed.get(v, "0") for v in case.odds.get("distribution", ())}
    fields["events"] = {e: fields["events"].get(e, "0") for e in case.odds.get("events", ())}
    return {name: fields[name] for name in case.odds}


def mass(odds: handful.Odds) -> Fraction:
    """Return the chance that there is a main result at all."""
    tail = odds.tail.probability if odds.tail else Fraction(0)
    return sum(odds.distribution.values(), tail)


def possible(odds: handful.Odds, value: Any) -> bool:
    """Return whether the main result can have that value."""
    return value in odds.distribution or (odds.tail is not None and value >= odds.tail.start)


def average(parts: Sequence[tuple[Fraction, handful.Odds]], below: Any = 10**9) -> dict[str, Any]:
    """Return the mixture of several odds, for the values (`below`) that all of them list."""
    mixed: dict[str, Any] = {"mass": Fraction(0), "total": Fraction(0)}
    for share, odds in parts:
        for name, chance in chances(odds, below):
            mixed[name] = mixed.get(name, Fraction(0)) + share * chance
    return {name: chance for name, chance in mixed.items() if chance}


def listed_below(parts: Sequence[handful.Odds]) -> Any:
    """Return the value below which all the distributions are complete."""
    return min((odds.tail.start for odds in parts if odds.tail), default=Fraction(10**9))


def chances(odds: handful.Odds, below: Any) -> Iterator[tuple[str, Fraction]]:
    """Yield every figure that is linear in the chances, by name."""
    yield "mass", mass(odds)
    yield "total", (odds.mean or Fraction(0)) * mass(odds)
    success = odds.success if isinstance(odds.success, tuple) else (odds.success,)
    for place, chance in enumerate(success):
        yield f"success {place}", chance or Fraction(0)
    for place, chance in enumerate(odds.wins or ()):
        yield f"wins {place}", chance
    yield "tie", odds.tie or Fraction(0)
    for name, chance in odds.events.items():
        yield f"event {name}", chance
    for value, chance in odds.distribution.items():
        if value < below:
            yield f"result {value}", chance
