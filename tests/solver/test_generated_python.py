"""Compiled rules: identical answers to the interpreter, and nothing of an author's text in the source."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import generated_code
import pytest
from effort import sample
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rule_generator import write_game
from toy_rulesets import toy

import handful
from handful.errors import HandfulError
from handful.odds import Odds, odds, solve_odds
from handful.odds.compiled_odds import CompiledFigures
from handful.roll import BoundCheck, bind
from handful.rules.codegen.source import BUILTINS, NotCompilable
from handful.rules.program import Record
from handful.solver import compiled, solved_rules
from handful.solver.compiled.packed_fields import SUPPORT
from handful.solver.compiled.sweep import compile_sweep, sweep_operations
from handful.solver.solver import BUDGET, SolvedRules, Solver

CASES: dict[str, tuple[str, str, list[dict[str, Any]], dict[str, Any]]] = {
    "U-3 rerolls": ("uwr", "direct", [], {"attribute": 7, "rerolls": 3, "target": 2}),
    "U-3 more rerolls than dice": ("uwr", "direct", [], {"attribute": 2, "rerolls": 9}),
    "U-17 opposed": ("uwr", "opposed", [{"attribute": 6, "rerolls": 1}, {"attribute": 4}], {}),
    "R-3 extra dice": ("tuurna", "check", [], {"level": 6, "difficulty": 4}),
    "R-19 group, best": ("tuurna", "group", [{"level": 3}, {"level": 5}], {"judge": "max"}),
    "R-19 group, worst": ("tuurna", "group", [{"level": 3}, {"level": 5}], {"judge": "min"}),
    "R-19 group, average": ("tuurna", "group", [{"level": 3}] * 3, {"judge": "average"}),
    "D-5 wild die": ("me-d6", "check", [], {"dice": "5D+1", "difficulty": 15}),
    "D-5 complication": ("me-d6", "check", [], {"dice": "4D", "ruling": "complication"}),
}


def both_ways(check: BoundCheck) -> tuple[Odds, Odds]:
    """Odds by the interpreter (the first call), then by compiled rules."""
    return ask_twice(check, SolvedRules(check.ruleset))


def ask_twice(check: BoundCheck, solved: SolvedRules) -> tuple[Odds, Odds]:
    general = odds(check, solved=solved)
    solved.entries.clear()
    return general, odds(check, solved=solved)


def was_compiled(check: BoundCheck, solved: SolvedRules) -> bool:
    rules = solved.compiled_rules(check.options, "usual", memoize_calls=False).rules
    return any(name == check.check.name and rule.specializations for (name, _), rule in rules.items())


@pytest.mark.parametrize(("game", "name", "sides", "params"), CASES.values(), ids=CASES)
def test_everyday_checks_are_compiled_and_agree(
    game: str, name: str, sides: list[dict[str, Any]], params: dict[str, Any]
) -> None:
    check = handful.ruleset(game).bind(name, *sides, **params)
    solved = SolvedRules(check.ruleset)
    general, quick = ask_twice(check, solved)
    assert quick == general
    assert was_compiled(check, solved)


@pytest.mark.sampled
@settings(max_examples=sample(40, 200))
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_random_rules_agree(seed: int, endless: bool) -> None:
    try:
        check = toy(*write_game(Random(seed), endless=endless))
        general, quick = both_ways(check)
    except HandfulError:
        assume(False)
        return
    assert quick == general


TEXTS = {
    "rolled by parameters": "x = sum(roll(a, d6)) + b",
    "rerolls": (
        "p = roll(a, d6 >= 4)\nworst = lowest(p, b)\nr = reroll(worst, d6 >= 4)\nx = sum(p - worst) + sum(r)"
    ),
    "highest": "x = sum(highest(roll(a, d6), b))",
    "sum and highest": "p = roll(a, d6)\nx = sum(p) - sum(highest(p, b)) * 2",
    "two throws": ("y = sum(roll(a, d4))\nz = sum(roll(b, d6))\nx = y - z\nif x < 0:\n    x = -2 * x"),
    "larger": "y = sum(roll(a, d4))\nz = sum(roll(b, d6))\nx = max(y, z + 1)",
    "smaller": "y = sum(roll(a, d4))\nz = sum(roll(b, d6))\nx = min(y - 1, z) + 3",
    "larger in other words": ("y = sum(roll(a, d4))\nz = sum(roll(b, d6)) + 1\nx = y if y > z else z"),
    "smaller in other words": ("x = sum(roll(a, d4))\nz = sum(roll(b, d6)) + 1\nif x >= z:\n    x = z"),
    "capped without end": "y = size(roll(a, d6, more = 5) >= 3)\nx = min(y, b)",
    "average": "y = sum(roll(a, d4)) + sum(roll(b, d6))\nx = y / 3",
    "dice for dice": "y = sum(roll(1, d4))\nx = sum(roll(y, d4)) + a + b",
    "texts": 'y = "low" if a > b else "high"\nx = sum(roll(2, d6)) + (1 if y == "low" else 0)',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_other_numbers_agree_with_the_general_way(text: str) -> None:
    """Written for the first numbers, used for all: what it takes for granted it must check."""
    rules = toy(f"{text}\nresult(total = x)", a=0, b=0).ruleset
    solved = SolvedRules(rules)
    for a, b in [(3, 1), (1, 1), (2, 5), (4, 2), (0, 0), (5, 3), (1, 0), (3, 1)]:
        check = bind(rules, "c", params={"a": a, "b": b})
        assert odds(check, solved=solved) == solve_odds(plain_solver(check), check, None, "usual")
    assert was_compiled(check, solved)


def plain_solver(check: BoundCheck) -> Solver:
    """Interprets, and remembers nothing."""
    return Solver(SolvedRules(check.ruleset), check.options)


def test_a_record_with_other_fields_is_of_another_kind() -> None:
    """A rule that spreads records takes a parameter from the last one that has it."""
    rules = {
        "one": ((), "result(n = 1)"),
        "two": ((), "result(n = 2)"),
        "other": ((), "result(m = 3)"),
        "g": (("n",), "result(v = sum(roll(n, d6)))"),
        "f": (("base", "over"), "x = g(**base, **over)\nresult(v = x.v)"),
    }
    text = (
        "a = one()\nb = two()\nc = other()\np = f(base = a, over = b)\nq = f(base = a, over = c)\n"
        "result(total = p.v - q.v + c.m)"
    )
    check = toy(text, rules)
    solved = SolvedRules(check.ruleset)
    assert odds(check, solved=solved).mean == 7 - Fraction(7, 2) + 3
    compiled_rules = solved.compiled_rules(check.options, "usual", memoize_calls=False)
    two, other = ({"n": 2}, {"m": 3})
    rule = compiled_rules.compiled_rule("f", frozenset("v"))
    for over in (other, other, other, two, other, two):
        args = Record(base=Record(n=1), over=Record(over))
        answer = compiled_rules.answer(rule, args, BUDGET)
        assert answer is not None
        assert CompiledFigures(answer, "v").mean() == Fraction(7 if over is two else 7 / 2)


# --- the emitted source ------------------------------------------------------------------------

HOSTILE = {
    "names": "__class__ = sum(roll(2, d6))\nx = __class__ + 1",
    "texts": (
        "z = sum(roll(1, d2))\ny = '\"); import os; (\"' if z > 1 else 'a'\n"
        "x = sum(roll(3, d6)) + (1 if y == 'a' else 2)"
    ),
}


def test_generated_source_holds_only_generated_names(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = [handful.ruleset(g).bind(c, *sides, **p) for g, c, sides, p in CASES.values()]
    checks += [toy(f"{text}\nresult(total = x)") for text in HOSTILE.values()]
    known = {*SUPPORT, *BUILTINS, "compare", "is_true", "TooBig", "Refusal", "solve", "_", "at"}
    known |= {"run", "args", "out", "events", "__class__", "results", "values", "W", "M"}
    methods = {"at_least", "convolve", "shifted", "can_reach", "add", "append", "__class__", "keys"}
    methods |= {"width", "mask", "decided", "below", "series", "packed", "by_events"}
    seen = generated_code.watched(monkeypatch)
    for check in checks:
        both_ways(check)
    handful.ruleset("uwr").table("direct", attribute="1..4", rerolls="0..2", target="1..3")
    assert seen
    assert any("for v" in text and "in values" in text for text in seen)
    generated_code.hold_only(seen, known, methods)


def test_rows_of_a_table_do_once_what_does_not_depend_on_the_last_range() -> None:
    rules = handful.ruleset("uwr")
    rules.table("direct", attribute="1..4", rerolls="0..2", target="1..3")
    specialization = table_specialization(rules)
    before = sweep_source(specialization, "target")
    assert ".packed(run" in before[0]
    assert ".packed(run" not in before[1]
    assert ".packed(run" in sweep_source(specialization, "attribute")[1]


def table_specialization(rules: handful.Ruleset) -> Any:
    compiled_rules = rules.solved.compiled_rules(rules.rules.defaults, "usual", memoize_calls=True)
    (specialization, *_) = compiled_rules.rules["direct", frozenset(("success",))].specializations
    return specialization


def sweep_source(specialization: Any, argument: str) -> tuple[str, str]:
    """Return the operations of a sweep before its loop, and inside it, as text."""
    *before, loop, _ = sweep_operations(specialization, argument)
    return str(before), str(loop)


def test_an_argument_that_is_no_plain_number_has_no_row() -> None:
    rules = handful.ruleset("uwr")
    rules.table("direct", attribute="1..4", target="1..3")
    with pytest.raises(NotCompilable):
        compile_sweep(table_specialization(rules), "difficulty")


def test_compiled_rules_reach_little_of_python() -> None:
    assert set(BUILTINS) == {"int", "set", "frozenset", "range", "tuple", "len", "max"}


def test_wrong_rules_give_the_same_message_both_ways() -> None:
    check = toy("y = sum(roll(1, d2)) - 1\nz = 6 / y\nx = z\nresult(total = x)")
    messages, solved = [], SolvedRules(check.ruleset)
    for _ in range(3):
        solved.entries.clear()
        with pytest.raises(HandfulError) as error:
            odds(check, solved=solved)
        messages.append(str(error.value))
    assert len(set(messages)) == 1
    assert "division by zero" in messages[0]


def test_what_is_kept_between_questions_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each choice of house rules has compiled rules of its own."""
    monkeypatch.setattr(solved_rules, "MAX_COMPILED", 3)
    rules = handful.ruleset("uwr").rules
    solved = SolvedRules(rules)
    for name, option in rules.options.items():
        for value in option.values:
            for attribute in (3, 4):
                check = bind(rules, "direct", params={"attribute": attribute}, options={name: value})
                odds(check, solved=solved)
            assert 1 <= len(solved._compiled) <= 3


def test_a_rule_is_compiled_at_its_second_use() -> None:
    check = toy("x = sum(roll(3, d6))\nresult(total = x)")
    solved = SolvedRules(check.ruleset)
    odds(check, solved=solved)
    assert not was_compiled(check, solved)
    solved.entries.clear()
    odds(check, solved=solved)
    assert was_compiled(check, solved)
    assert compiled.MAX_SPECIALIZATIONS > 1
