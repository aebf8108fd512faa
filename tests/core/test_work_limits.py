"""Large and hostile inputs: an answer or one typed refusal, never a hang or excessive memory.

What a game declares as its range is solved in a process of its own with little memory and a
generous watchdog. Hostile rule texts get a small budget, so that they are refused at once.
"""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from effort import every_nth_in_test, rest_in_proof
from ruleset_cases import ruleset
from toy_rulesets import Rules, toy

import handful
from handful.errors import TooBig
from handful.odds import Odds, odds
from handful.roll import resume, start
from handful.rules.load import BadRuleset

MEMORY = 1 << 30
WATCHDOG = 120  # seconds
WORKER = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
import handful
game, check, sides, params, options = json.load(sys.stdin)
try:
    made = handful.ruleset(game).odds(check, *sides, options=options, **params)
except handful.TooBig:
    print("too big")
else:
    mass = sum(made.distribution.values()) + (made.tail.probability if made.tail else 0)
    print("answered" if mass == 1 else mass)
""".replace("MEMORY", str(MEMORY))


def answer(game: str, check: str, *sides: dict[str, Any], options: Any = None, **params: Any) -> str:
    """Return the answer to a question from a process of its own."""
    asked = json.dumps([game, check, sides, params, options or {}])
    done = subprocess.run(
        [sys.executable, "-c", WORKER],
        input=asked,
        capture_output=True,
        text=True,
        timeout=WATCHDOG,
        check=False,
    )
    return done.stdout.strip() or done.stderr[-500:]


# --- the sizes that are promised -------------------------------------------------------------


STACKS_AND_MODES = [pytest.param(*one) for one in product(("distinct", "stacking"), ("batch", "sequential"))]


@pytest.mark.parametrize(("stack", "mode"), rest_in_proof(STACKS_AND_MODES))
def test_uwr_takes_200_dice_with_200_rerolls_u_8_amb_u2_amb_u3(stack: str, mode: str) -> None:
    options = {"reroll_stack": stack, "reroll_mode": mode}
    side = {"attribute": 200, "rerolls": 200}
    assert answer("uwr", "direct", options=options, target=100, **side) == "answered"
    assert answer("uwr", "opposed", side, side, options=options) == "answered"


@pytest.mark.parametrize("eligible", ["any", "failed"])
@pytest.mark.parametrize("rerolls", [0, 1, 2, 199, 200])
def test_uwr_stacking_rerolls_of_many_dice_follow_the_closed_form(rerolls: int, eligible: str) -> None:
    """min(dice, Bin(dice + rerolls)), as rerolls go to failing dice until none is left."""
    made = ruleset("uwr").odds(
        "direct",
        attribute=30,
        rerolls=rerolls,
        target=30,
        options={"reroll_stack": "stacking", "reroll_eligible": eligible},
    )
    ways, below = 1, 0  # of throwing 30 + rerolls dice with k successes
    for k in range(30):
        below += ways * 2 ** (30 + rerolls - k)
        ways = ways * (30 + rerolls - k) // (k + 1)
    assert made.success == 1 - Fraction(below, 3 ** (30 + rerolls))


LARGE: dict[str, tuple[str, str, list[dict[str, Any]], dict[str, Any]]] = {
    "ten Skills of level 100": ("tuurna", "check", [], {"level": "100" + ",100" * 9}),
    "ten Skills, all different": ("tuurna", "check", [], {"level": "5,15,25,35,45,55,65,75,85,95"}),
    "twenty Skills": ("tuurna", "check", [], {"level": "5" + ",5" * 19}),
    "eight sides of level 100": ("tuurna", "contest", [{"level": 100}] * 8, {}),
    "eight sides of ten Skills": ("tuurna", "contest", [{"level": "9" + ",9" * 9}] * 8, {}),
    "eight members of level 100": ("tuurna", "group", [{"level": 100}] * 8, {"judge": "average"}),
    "100D": ("me-d6", "check", [], {"dice": "100D", "difficulty": 350}),
    "100D with nothing to beat": ("me-d6", "total", [], {"dice": "100D"}),
    "100D against 100D": ("me-d6", "opposed", [{"dice": "100D"}] * 2, {}),
    "100D and a parry of 100D": ("me-d6", "attack", [{"dice": "100D"}] * 2, {"defense": 300}),
    "eight sides of 40 dice": ("uwr", "opposed", [{"attribute": 40, "rerolls": 40}] * 8, {}),
}
PROOF = {"eight sides of 40 dice": pytest.mark.proof}  # 8 s


@pytest.mark.parametrize(
    ("game", "check", "sides", "params"),
    rest_in_proof(
        (pytest.param(*asked, id=name, marks=PROOF.get(name, ())) for name, asked in LARGE.items()), 4
    ),
)
def test_the_promised_sizes_are_answered(
    game: str, check: str, sides: list[dict[str, Any]], params: dict[str, Any]
) -> None:
    difficulty = {"difficulty": 50} if check in ("check", "group") else {}
    assert answer(game, check, *sides, **(difficulty | params)) == "answered"


def test_unbounded_scores_of_many_sides_are_answered_or_refused() -> None:
    off = {"cap": "off"}
    assert answer("tuurna", "contest", *[{"level": 20}] * 3, options=off) == "answered"
    twenty = {"level": "5" + ",5" * 19}
    assert answer("tuurna", "contest", *[twenty] * 8, options=off) in ("answered", "too big")


@pytest.mark.proof
def test_uwr_takes_eight_sides_of_200_dice() -> None:
    assert answer("uwr", "opposed", *[{"attribute": 200, "rerolls": 200}] * 8) == "answered"


def test_figures_solved_one_by_one_equal_those_solved_together() -> None:
    """Figures too large to solve together are solved one by one, with equal answers."""
    check = ruleset("uwr").bind("opposed", *[{"attribute": 6, "rerolls": 2}] * 5)
    together = odds(check)
    with pytest.raises(TooBig):
        odds(check, budget=100)
    assert odds(check, budget=9000) == together


# --- what is typed in ------------------------------------------------------------------------


BEYOND: dict[str, tuple[str, str, list[dict[str, Any]], dict[str, Any]]] = {
    "dice": ("uwr", "direct", [], {"attribute": 201}),
    "digits": ("uwr", "direct", [], {"attribute": "9" * 5000}),
    "rerolls": ("uwr", "direct", [], {"attribute": 3, "rerolls": 10**30}),
    "Skills": ("tuurna", "check", [], {"level": "5" + ",5" * 4999}),
    "Fates": ("tuurna", "check", [], {"level": 5, "fate": "lucky" + "+lucky" * 4999}),
    "sides": ("tuurna", "contest", [{"level": 5}] * 2000, {}),
    "members": ("tuurna", "group", [{"level": 5}] * 2000, {}),
    "die codes": ("me-d6", "check", [], {"dice": "101D"}),
    "tries": ("me-d6", "check", [], {"dice": "3D", "failed": "1" + ",1" * 4999}),
}


@pytest.mark.parametrize(("game", "check", "sides", "params"), BEYOND.values(), ids=BEYOND)
def test_values_beyond_a_range_are_refused(
    game: str, check: str, sides: list[dict[str, Any]], params: dict[str, Any]
) -> None:
    with pytest.raises(handful.Refused) as refusal:
        ruleset(game).odds(check, *sides, **params)
    assert len(refusal.value.message) < 200


# --- hostile rules ---------------------------------------------------------------------------


def solved(text: str, rules: Rules | None = None, budget: int = 20_000) -> Odds:
    return odds(toy(f"{text}\nresult(total = x, success = None)", rules), budget=budget)


HOSTILE = {
    "1001 dice": "x = sum(roll(1001, d6))",
    "1000 dice of 1000 sides": "x = sum(roll(1000, d1000))",
    "the highest 500 of 1000": "x = sum(highest(roll(1000, d6), 500))",
    "1000 dice one by one": "p = roll(1000, d6)\nx = sum(highest(p, sum(p) % 7)) * size(p == 3)",
    "two sums of 1000 dice": "p = roll(1000, d6)\nx = sum(p) * sum(p >= 4)",
    "a loop without dice": "x = 1\nwhile x > 0:\n    x = 3 - x",
    "a long count": "x = 0\nwhile x < 900000000:\n    x += 1",
    "squares": "x = 2\nwhile x > 1:\n    x = x * x",
    "squares and dice": "x = 2\nwhile x > 1:\n    x = x * x + sum(roll(1, d6))",
    "a long list": "x = len(range(100000))",
    "a list that doubles": "y = [1]\nfor i in range(50):\n    y = y + y\nx = len(y)",
    "loops in loops": "x = 0\nfor a in range(1000):\n    for b in range(1000):\n        x += 1",
    "a thousand throws": "x = 0\nfor a in range(1000):\n    x += sum(roll(1, d6))",
    "dice for dice": "a = sum(roll(9, d20))\nb = sum(roll(a, d20))\nx = sum(roll(b, d20))",
    "a list of truths": (
        "y = []\nfor i in range(40):\n    z = sum(roll(1, d6))\n    y = y + [z > 3]\n"
        "x = 0\nfor one in y:\n    x += 1 if one else 0"
    ),
    "everybody against everybody": "\n".join(
        [f"p{i} = sum(roll(1, d20))" for i in range(12)]
        + ["x = 0"]
        + [f"if p{i} > p{(5 * i + 3) % 12}:\n    x += {2**i}" for i in range(12)]
    ),
}


@pytest.mark.parametrize("text", every_nth_in_test(HOSTILE.values(), 3), ids=HOSTILE)
def test_hostile_rules_are_refused(text: str) -> None:
    with pytest.raises(TooBig):
        solved(text)


def test_play_refuses_endless_loops() -> None:
    check = toy("x = 1\nwhile x > 0:\n    x = sum(roll(1, d6))\nresult(total = x)")
    node = start(check)
    for _ in range(999):
        node = resume(check, node, (3,))
    with pytest.raises(TooBig, match="1000 repetitions"):
        resume(check, node, (3,))


def test_rules_that_call_each_other_too_deeply_do_not_load() -> None:
    rules = {f"r{i}": ((), f"a = r{i + 1}()\nresult(v = a.v)") for i in range(30)} | {
        "r30": ((), "result(v = sum(roll(1, d6)))")
    }
    with pytest.raises(BadRuleset, match="deep"):
        solved("a = r0()\nx = a.v", rules)


def test_a_thousand_dice_are_answered() -> None:
    assert solved("x = sum(roll(1000, d6))").mean == 3500
    assert solved("x = sum(roll(1000, d6 >= 5))").mean == Fraction(1000, 3)
    assert solved("x = sum(highest(roll(1000, d6), 1))").distribution[6] == 1 - Fraction(5, 6) ** 1000


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("a = sum(roll(2, d6))\nx = sum(roll(a, d6))", Fraction(49, 2)),
        ("a = sum(roll(1, d6))\ny = f(n = a)\nx = y.v", Fraction(49, 4)),
        ("a = sum(roll(1, d6))\nx = len(range(a)) + [5, 4, 3, 2, 1, 0][a - 1]", 6),
        ("a = sum(roll(1, d6))\nx = sum(highest(roll(6, d2), a))", None),
    ],
)
def test_symbolic_numbers_may_be_counts_indexes_and_arguments(text: str, mean: Fraction | None) -> None:
    rules = {"f": (("n",), "result(v = sum(roll(n, d6)))")} if "f(" in text else {}
    made = solved(text, rules)
    assert sum(made.distribution.values()) == 1
    assert mean is None or made.mean == mean


# --- what it would have cost -------------------------------------------------------------------


def test_hopeless_work_is_estimated_and_refused_soon() -> None:
    """Two to the power of forty states: refused after a hundredth of the budget."""
    text = f"{HOSTILE['a list of truths']}\nresult(total = x, success = None)"
    with pytest.raises(TooBig, match=r"about [\d,^]+ steps of work; the budget is") as refusal:
        odds(toy(text))
    assert refusal.value.cost is not None
    assert refusal.value.cost > 10**8  # the estimate of a walk errs on the low side
