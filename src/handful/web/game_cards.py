"""Cards of the games for the start page: a few odds and an example throw of the first check.

Everything follows from the ruleset, and is computed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import cycle
from random import SystemRandom
from threading import Lock
from typing import Any

from handful.odds import odds
from handful.roll import Reply, Throw, bind, policy_reply, resume, start
from handful.roll.contributions import contributions
from handful.rules.params import Param, display_value
from handful.rules.program import Record
from handful.rules.ruleset import Ruleset
from handful.table.view_sheets import json_value
from handful.web import games

_SUMMARY_LOCK = Lock()
# Faces of the example throws: high and low ones, so that something counts and something may not.
EXAMPLE_FACES = (6, 2, 5, 3, 4, 1)
EXAMPLE_POOL = 4
MOST_EXAMPLE_STEPS = 20
MANY = 2**32  # numbers that become faces; of any die alike, as far as anybody can see
NO_THROW = {"dice": None, "outcome": None}


@lru_cache(maxsize=64)
def odds_at_a_glance(name: str) -> dict[str, Any] | None:
    """Return the chances of the first check for six pool sizes, at the middle difficulty."""
    game = games.load_game(name)
    rules = game.rules
    if (first := _first_check(rules)) is None:
        return None
    check, pool, goal, rung = first
    values = [_pool_value(pool, n) for n in range(2, 8)]
    chances = []
    for value in values:
        bound = bind(rules, check, [], {pool.name: value, goal: rung}, {})
        found = odds(bound, solved=game.solved)
        chances.append([value, str(found.success)])
    return {
        "of": dict(pool.label),
        "against": dict(rules.ladder[rung]["title"]),
        "chances": chances,
        "example": _pool_value(pool, EXAMPLE_POOL),
    }


def _pool_value(pool: Param, dice: int) -> str | int:
    return f"{dice}D" if pool.type == "die_code" else dice


def _first_check(rules: Ruleset) -> tuple[str, Param, str, str] | None:
    """Return the first check, its parameter for the pool, that for the goal, and the middle difficulty."""
    check = next(one for one in rules.checks.values() if one.program is not None)
    goal = next((one.name for one in check.params.values() if one.type == "ladder"), None)
    picks = rules.sheet.picks if rules.sheet else {}
    pool = next((one for one in check.params.values() if one.name in picks), None)
    if goal is None or pool is None or not rules.ladder:
        return None
    return check.name, pool, goal, list(rules.ladder)[len(rules.ladder) // 2]


@lru_cache(maxsize=64)
def example_throw(name: str) -> dict[str, Any] | None:
    """Return an example throw of a game's first check: the same one every time."""
    return _throw(name, cycle(EXAMPLE_FACES))


def throw_again(name: str) -> dict[str, Any] | None:
    """Return another throw of the example, by chance."""
    chance = SystemRandom()
    return _throw(name, iter(lambda: chance.randrange(MANY), None))


def _throw(name: str, numbers: Iterator[int]) -> dict[str, Any] | None:
    """Throw a game's first check at its middle difficulty; each number becomes a face of its die."""
    rules = games.load_game(name).rules
    if (first := _first_check(rules)) is None:
        return None
    check, pool, goal, rung = first
    bound = bind(rules, check, [], {pool.name: _pool_value(pool, EXAMPLE_POOL), goal: rung}, {})
    node = start(bound)
    replies: list[Reply] = []
    sides: list[int] = []
    for _ in range(MOST_EXAMPLE_STEPS):
        if node.ask is None:
            break
        if isinstance(node.ask, Throw):
            sides += [node.ask.sides] * node.ask.count
            reply: Reply = tuple((next(numbers) - 1) % node.ask.sides + 1 for _ in range(node.ask.count))
        else:
            reply = policy_reply(node, "never")
        node = resume(bound, node, reply)
        replies.append(reply)
    counts = contributions(bound, replies) or [None] * len(sides)
    outcome, main = node.outcome or Record(), bound.check.main
    return {
        "dice": [
            {"face": die.face, "sides": of, "role": die.role, "counts": one}
            for die, of, one in zip(node.trace.dice, sides, counts, strict=True)
        ],
        "outcome": {
            "success": outcome.get("success"),
            "value": json_value(display_value(outcome.get(main))),
            "of": {one: rules.wording(main, one, amount=outcome.get(main)) for one in rules.title},
        },
    }


def summaries() -> list[dict[str, Any]]:
    """Return a summary of every game for its card; one thread computes it, others wait.

    The server calls this when it starts, so that the first page loads as fast as later ones.
    """
    with _SUMMARY_LOCK:
        found = [
            (
                games.describe_game(name),
                {"glance": odds_at_a_glance(name), **(example_throw(name) or NO_THROW)},
            )
            for name in games.game_names()
        ]
    return [{name: one[name] for name in ("id", "title", "about")} | more for one, more in found]
