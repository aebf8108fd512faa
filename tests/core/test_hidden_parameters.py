"""Hidden parameters: what the questions and the outcome of a roll reveal of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruleset_cases import ruleset
from toy_rulesets import toml

import handful
from handful.roll import BoundCheck, ChooseDice, Node, PickOption, Throw, bind, resume, start
from handful.roll.noninterference import compare_rolls
from handful.rules.load import Source, load


def pair(
    game: str, check: str, params: dict[str, Any], hidden: tuple[str, ...], **options: Any
) -> tuple[BoundCheck, BoundCheck]:
    rules = ruleset(game).rules
    params = dict(params)
    sides = params.pop("sides", [])
    left = [{k: v for k, v in side.items() if k not in hidden} for side in sides]
    bare = {k: v for k, v in params.items() if k not in hidden}
    return bind(rules, check, sides, params, options), bind(rules, check, left, bare, options)


DIRECT = {"attribute": 3.5, "rerolls": 1}
SIDES = [{"level": 3}, {"level": 2}]
FAMILY = ("uwr", "agga", "fons")
SKILL = {"dice": "3D", "difficulty": 9}
HIDEABLE = [
    *((game, "direct", {**DIRECT, "target": 2}, ("target",), {}) for game in FAMILY),
    *((one, "direct", {**DIRECT, "difficulty": "extreme"}, ("difficulty",), {}) for one in FAMILY),
    ("uwr", "direct", {**DIRECT, "target": 2}, ("target",), {"reroll_mode": "sequential"}),
    ("tuurna", "check", {"level": "3,4", "difficulty": 4}, ("difficulty",), {}),
    ("tuurna", "group", {"sides": SIDES, "judge": "min", "difficulty": 3}, ("difficulty",), {}),
    ("me-d6", "check", {**SKILL, "spend": "ask"}, ("difficulty",), {}),
    ("me-d6", "check", {**SKILL, "modifier": 2}, ("difficulty", "modifier"), {}),
    ("me-d6", "take10", {"attribute": "3D", "difficulty": 9}, ("difficulty",), {}),
]
TELLING = [
    ("uwr", "direct", {**DIRECT, "difficulty": "easy"}, ("difficulty",), {}),  # brings favor
    ("fons", "direct", {**DIRECT, "difficulty": "trivial"}, ("difficulty",), {}),
    ("uwr", "direct", {**DIRECT, "target": 1}, ("rerolls",), {}),
    ("tuurna", "check", {"level": 3, "fate": "lucky"}, ("fate",), {}),
    ("tuurna", "contest", {"sides": SIDES, "ties": "stand"}, ("ties",), {}),  # asked only on a tie
    ("me-d6", "check", {**SKILL, "difficulty": 0}, ("difficulty",), {}),  # needs no roll
    ("me-d6", "check", {**SKILL, "ruling": "cancel"}, ("ruling",), {}),  # asked only on a 1
    ("me-d6", "check", {**SKILL, "ranged": True}, ("ranged",), {"overheat_replaces_option": True}),
]


@pytest.mark.parametrize(("game", "check", "params", "hidden", "options"), HIDEABLE)
def test_a_target_that_only_decides_success_asks_nothing_else(
    game: str, check: str, params: dict[str, Any], hidden: tuple[str, ...], options: dict[str, Any]
) -> None:
    assert compare_rolls(*pair(game, check, params, hidden, **options)) == (True, ())


@pytest.mark.parametrize(("game", "check", "params", "hidden", "options"), TELLING)
def test_a_parameter_visible_in_a_later_throw_or_question_is_found(
    game: str, check: str, params: dict[str, Any], hidden: tuple[str, ...], options: dict[str, Any]
) -> None:
    assert not compare_rolls(*pair(game, check, params, hidden, **options)).same_questions


def test_a_misstated_parameter_is_named() -> None:
    params = {"dice": "3D", "difficulty": 9, "modifier": 2}
    found = compare_rolls(*pair("me-d6", "check", params, ("modifier",)))
    assert found == (True, ("difficulty", "margin", "success"))
    assert compare_rolls(*pair("me-d6", "check", {"dice": "3D", "skill_points": 1}, ("skill_points",))) == (
        True,
        ("total",),
    )


# -- rules written for it: each asks by what is hidden in a way of its own

TELLTALES = {
    "a later count": "a = sum(roll(1, d6))\nresult(total = a + sum(roll(secret, d6)))",
    "a later test": "a = sum(roll(1, d6))\nif a > secret:\n    a += sum(roll(1, d6))\nresult(total = a)",
    "a test of a test": "a = sum(roll(1, d6))\nb = 0\nif a > secret:\n    b = 1\nif b == 1:\n"
    "    a += sum(roll(1, d6))\nresult(total = a)",
    "an early end": "a = sum(roll(1, d6))\nif a > secret:\n    result(total = 0)\n"
    "result(total = a + sum(roll(1, d6)))",
    "a loop": "a = sum(roll(1, d6))\nwhile a < secret:\n    a += sum(roll(1, d6))\nresult(total = a)",
    "a list": "a = sum(roll(1, d6))\nfor x in range(secret):\n    a += sum(roll(1, d6))\nresult(total = a)",
    "explosions": "result(total = sum(roll(1, d6, more = 4 + secret)))",
    "the reading": "pool = roll(3, d6 >= secret + 2)\nresult(total = sum(pool))",
}
HARMLESS = {
    "a count": "a = sum(roll(2, d6))\nresult(total = a, success = a >= secret)",
    "tests that only tell": "a = sum(roll(1, d6))\nb = 0\nif a > secret:\n    b = 1\n"
    "c = sum(roll(1, d6))\nresult(total = a + c, success = b == 1)",
    "the same either way": "a = sum(roll(1, d6))\nn = 1\nif a > secret:\n    n = 1\n"
    "result(total = a + sum(roll(n, d6)))",
}


SECRET = "[checks.c.params.secret]\ntype = 'number'\nmin = 0\nmax = 9\nlabel = { en = 'S' }\n"


def hiding(text: str) -> tuple[BoundCheck, BoundCheck]:
    rules = load([Source("toy.toml", toml(text) + SECRET)])
    return bind(rules, "c", (), {"secret": 2}), bind(rules, "c", (), {"secret": 1})


@pytest.mark.parametrize("name", TELLTALES)
def test_a_rule_that_reveals_a_parameter(name: str) -> None:
    assert not compare_rolls(*hiding(TELLTALES[name])).same_questions


@pytest.mark.parametrize("name", HARMLESS)
def test_a_rule_that_hides_a_parameter(name: str) -> None:
    assert compare_rolls(*hiding(HARMLESS[name])).same_questions


# -- what it says can be relied on


def replies(node: Node, faces: list[int]) -> Any:
    match node.ask:
        case Throw() as ask:
            return tuple((faces[at % len(faces)] - 1) % ask.sides + 1 for at in range(ask.count))
        case ChooseDice() as ask:
            return ask.numbers[: min(ask.at_most, faces[0] % 3)]
        case PickOption() as ask:
            return ask.options[faces[0] % len(ask.options)]


def course(one: BoundCheck, other: BoundCheck, faces: list[int]) -> Iterator[tuple[Any, Any]]:
    a, b = start(one), start(other)
    for turn in range(40):
        yield a.ask, b.ask
        if a.ask is None or b.ask is None:
            return
        reply = replies(a, faces[turn % len(faces) :] + faces)
        a, b = resume(one, a, reply), resume(other, b, reply)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(HIDEABLE), st.lists(st.integers(1, 6), min_size=3, max_size=12))
def test_indistinguishable_rolls_ask_the_same_for_any_faces(case: tuple[Any, ...], faces: list[int]) -> None:
    game, check, params, hidden, options = case
    for a, b in course(*pair(game, check, params, hidden, **options), faces):
        assert a == b


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(HARMLESS)), st.lists(st.integers(1, 6), min_size=3, max_size=12))
def test_rules_that_hide_a_parameter_ask_the_same_for_any_faces(name: str, faces: list[int]) -> None:
    for a, b in course(*hiding(HARMLESS[name]), faces):
        assert a == b


def test_other_checks_and_options_are_distinguishable() -> None:
    rules = handful.ruleset("uwr").rules
    asked = {"attribute": 3}
    one = bind(rules, "direct", (), asked)
    assert not compare_rolls(
        one, bind(rules, "direct", (), asked, {"reroll_mode": "sequential"})
    ).same_questions
    assert not compare_rolls(one, bind(rules, "opposed", [asked, asked])).same_questions
