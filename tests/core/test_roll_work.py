"""The work of a roll is counted in units: the same everywhere, and refused beyond a limit."""

from __future__ import annotations

import pytest
from ruleset_cases import ruleset
from toy_rulesets import Rules, toy

from handful.dice import LandedDie, Pool
from handful.errors import TooBig
from handful.roll import BoundCheck, Node, Throw, bind, policy_reply, resume, start
from handful.roll.contributions import TRACED_WORK, contributions
from handful.rules.work import MAX_WORK

LOOP = "p = roll({dice}, d1000)\nt = 0\nfor i in range(500):\n    t = {does}\nresult(total = t)"
CALLS: Rules = {
    "a": (["n"], "t = 0\nfor i in range(1000):\n    x = b(n = i)\n    t = t + x.m\nresult(m = t % 7)"),
    "b": (["n"], "t = 0\nfor i in range(1000):\n    t = (t + n) % 7\nresult(m = t)"),
}
NESTED = "p = roll(1, d6)\nt = 0\nfor i in range(1000):\n    x = a(n = i)\n    t = x.m\nresult(total = t)"


def play(bound: BoundCheck, *, most_work: int | None = MAX_WORK) -> Node:
    """Play a roll to its end with dice that show 1, 2, 3 and so on."""
    node = start(bound, most_work=most_work)
    while (ask := node.ask) is not None:
        if isinstance(ask, Throw):
            reply = tuple(at % ask.sides + 1 for at in range(ask.count))
        else:
            reply = policy_reply(node, "usual")
        node = resume(bound, node, reply, most_work=most_work)
    return node


@pytest.mark.parametrize(
    "does",
    ["size(highest(p, 500))", "size(p - lowest(p, 500))", "sum(p) % 10 + sum(p >= 3) % 10 + sum(p) % 7"],
)
def test_operations_cost_as_much_as_they_have_dice(does: str) -> None:
    few, many = (play(toy(LOOP.format(dice=n, does=does)), most_work=None).work for n in (10, 1000))
    assert many > 25 * few
    with pytest.raises(TooBig) as refused:
        play(toy(LOOP.format(dice=1000, does=does)))
    assert refused.value.problem.code == "roll.too_much_work"
    assert refused.value.cost is not None
    assert MAX_WORK < refused.value.cost < 2 * MAX_WORK  # it stopped at once


def test_calls_in_loops_add_up() -> None:
    with pytest.raises(TooBig) as refused:
        play(toy(NESTED, CALLS))
    assert refused.value.problem.code == "roll.too_much_work"


@pytest.mark.parametrize(
    "does",
    [
        "a = range(1000)\nt = 0\nfor i in range(1000):\n    if a == a:\n        t = t + 1",
        "t = 0\nfor i in range(1000):\n    t = len(range(1000)) + len(range(999)) + len(range(9))",
        "t = 0\nfor i in range(1000):\n    q = roll(1000, d1000)\n    t = size(q)",
    ],
)
def test_lists_and_throws_are_work(does: str) -> None:
    with pytest.raises(TooBig):
        play(toy(f"p = roll(1, d6)\n{does}\nresult(total = t + size(p))"))


def test_long_results_are_work() -> None:
    word = "x" * 15_000
    text = f'p = roll(1, d6)\na = "{word}"\nresult(total = size(p), b = [{", ".join("a" * 100)}])'
    with pytest.raises(TooBig):
        play(toy(text))


def test_the_count_follows_from_the_replies_alone() -> None:
    bound = bind(ruleset("uwr").rules, "direct", params={"attribute": 4, "rerolls": 1, "target": 2})
    first = play(bound)
    assert play(bound).work == first.work == play(bound, most_work=None).work
    assert 0 < first.work < MAX_WORK / 100
    assert start(bound).work < first.work


def test_a_recorded_roll_is_replayed_without_a_limit() -> None:
    bound = toy(LOOP.format(dice=1000, does="size(highest(p, 500))"))
    node = start(bound)
    faces = tuple(range(1, 1001))
    assert resume(bound, node, faces, most_work=None).outcome is not None
    with pytest.raises(TooBig):
        resume(bound, node, faces)


def test_tracing_dice_ends_when_it_takes_too_much_work() -> None:
    loop = "for i in range(400):\n    t = t + sum(p) - sum(p)"
    text = f"p = roll(200, d6)\nt = sum(p)\n{loop}\nresult(total = t)"
    bound, faces = toy(text), tuple(at % 6 + 1 for at in range(200))
    once = resume(bound, start(bound), faces)
    assert once.work < TRACED_WORK  # to play it is little work, to follow each die is not
    assert contributions(bound, [faces]) == []
    short = toy(text.replace("400", "9"))
    assert contributions(short, [faces]) == ["sum"] * 200


def test_taking_dice_away_removes_each_once() -> None:
    one, two = LandedDie(1, 3, 3), LandedDie(2, 3, 3)
    assert Pool([one, two, one]).minus(Pool([one])) == Pool([two, one])
    assert Pool([one, two, one]).minus(Pool([one, one])) == Pool([two])
    with pytest.raises(ValueError, match="not all in the pool"):
        Pool([one]).minus(Pool([one, one]))
