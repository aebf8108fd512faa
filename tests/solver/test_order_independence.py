"""No answer depends on earlier questions, their order or the process."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from effort import rest_in_proof
from toy_rulesets import toy

import handful
from handful.errors import HandfulError, TooBig
from handful.odds import odds, self_check, state_key
from handful.roll import BoundCheck, bind, resume, start
from handful.rules.load import Source, load
from handful.rules.ruleset import Ruleset
from handful.simulate import simulate
from handful.solver.solver import BUDGET, SolvedRules, Solver

LADDER = """
language = 1
id = "mini"
title = { en = "Mini" }
about = { en = "Count 7 and more." }
[ladder.easy]
target = 1
title = { en = "Easy" }
[ladder.hard]
target = 3
title = { en = "Hard" }
[ladder.legendary]
target = 5
title = { en = "Legendary" }
[words.hits]
en = "hits"
one = { en = "hit" }
[checks.test]
title = { en = "Test" }
help = { en = "t" }
main = "hits"
does = \"\"\"
good = size(roll(dice, d10) >= 7)
result(hits = good, success = good >= difficulty.target)
\"\"\"
[checks.test.params.dice]
type = "number"
min = 1
max = 30
label = { en = "Dice" }
[checks.test.params.difficulty]
type = "ladder"
label = { en = "Difficulty" }
"""

CODE = """
language = 1
id = "code"
title = { en = "Code" }
about = { en = "Add the pips last." }
[words.total]
en = "total"
[checks.test]
title = { en = "Test" }
help = { en = "t" }
main = "total"
does = \"\"\"
thrown = roll(code.dice, d6)
extra = 2 if style == "bold" else bonus[0]
x = sum(thrown) + code.pips + extra + bonus[len(bonus) - 1]
result(total = x, success = x >= 12)
\"\"\"
[checks.test.params.code]
type = "die_code"
min = 1
max = 5
label = { en = "Dice" }
[checks.test.params.style]
type = "choice"
values = ["bold", "calm"]
default = "bold"
label = { en = "Style" }
[checks.test.params.bonus]
type = "number"
list = ","
min = 0
max = 9
default = [0]
label = { en = "Bonus" }
"""


def rules_of(text: str) -> SolvedRules:
    return SolvedRules(load([Source("test.toml", text)]))


def asked(solved: SolvedRules, params: dict[str, Any]) -> Fraction:
    made = odds(bind(solved.ruleset, "test", params=params), solved=solved).success
    assert isinstance(made, Fraction)
    return made


TARGETS = {
    "easy": Fraction(2882, 3125),
    "hard": Fraction(992, 3125),
    "legendary": Fraction(32, 3125),
}


@pytest.mark.parametrize("order", [*permutations(TARGETS)])
def test_a_ladder_that_is_read_after_the_dice(order: tuple[str, ...]) -> None:
    rules = rules_of(LADDER)
    for name in (*order, *order):
        assert asked(rules, {"dice": 5, "difficulty": name}) == TARGETS[name]


def test_die_codes_choices_and_lists_that_are_read_after_the_dice() -> None:
    questions: list[dict[str, Any]] = [
        {"code": code, "style": style, "bonus": bonus}
        for code in ("3D", "3D+1", "2D+2", "3D+2")
        for style in ("bold", "calm")
        for bonus in ("0", "3", "1,2", "4,4,4")
    ]
    cold = [asked(rules_of(CODE), one) for one in questions]
    warm = rules_of(CODE)
    assert [asked(warm, one) for one in questions] == cold
    assert [asked(warm, one) for one in reversed(questions)] == cold[::-1]
    assert cold[0] == Fraction(135, 216)  # 3d6 + 2 >= 12


def test_a_truth_is_not_the_number_one() -> None:
    """In Python True is equal to 1, in a rule it is not: states and answers are told apart."""
    f = {"f": (("a",), "y = sum(roll(1, d4))\nresult(v = (3 if a == 1 else 5) + y * 0)")}
    called = toy("x = sum(roll(1, d6))\np = f(a = x > 3)\nq = f(a = 1)\nresult(total = p.v + q.v)", f)
    assert odds(called).distribution == {8: 1}
    merged = toy(
        "x = sum(roll(1, d6))\ny = 1\nif x > 3:\n    y = x > 4\nz = sum(roll(1, d2))\n"
        "result(total = (30 if y == 1 else 50) + z)"
    )
    quarter = Fraction(1, 4)
    assert odds(merged).distribution == {31: quarter, 32: quarter, 51: quarter, 52: quarter}


def test_pauses_that_differ_in_a_truth_are_distinguished() -> None:
    text = (
        "x = sum(roll(1, d6))\ny = 1\nif x > 3:\n    y = x > 3\nx = 0\n"
        'z = ask("ruling", ["yes", "no"])\nif z == "yes":\n    x = 2\n'
        "result(total = x + (30 if y == 1 else 50))"
    )
    check = toy(text)
    solved = SolvedRules(check.ruleset)
    low, high = (resume(check, start(check), (face,)) for face in (2, 5))
    assert state_key(low) != state_key(high)
    means = [odds(check, node, solved=solved).answer_means for node in (low, high)]
    assert [one and one["no"] for one in means] == [30, 50]


# --- work --------------------------------------------------------------------------------------

BIG = {
    "five sides": ("uwr", "opposed", [{"attribute": 6, "rerolls": 2}] * 5, {}),
    "a contest": ("tuurna", "contest", [{"level": 9}] * 3, {}),
    "an attack": ("me-d6", "attack", [{"dice": "5D+1"}, {"dice": "4D"}], {"defense": 12}),
}


def verdict(check: BoundCheck, budget: int, solved: SolvedRules) -> Any:
    try:
        return odds(check, budget=budget, solved=solved).to_dict()
    except HandfulError as error:
        return str(error)


@pytest.mark.parametrize(
    ("game", "name", "sides", "params"),
    rest_in_proof(pytest.param(*asked, id=name) for name, asked in BIG.items()),
)
def test_the_budget_says_the_same_whatever_was_solved_before(
    game: str, name: str, sides: list[dict[str, Any]], params: dict[str, Any]
) -> None:
    check = handful.ruleset(game).bind(name, *sides, **params)
    solver = Solver(SolvedRules(check.ruleset), check.options)
    solver.solve_rule(name, check.args, frozenset((check.check.main, "success", "wins")))
    need = BUDGET - solver.remaining
    for budget in (need // 3, need - 1, need, 2 * need - 1, 2 * need, 2 * need + 1, 3 * need):
        solved = SolvedRules(check.ruleset)
        cold = verdict(check, budget, solved)
        assert verdict(check, budget, solved) == cold
        odds(check, solved=solved)  # now everything is solved
        assert verdict(check, budget, solved) == cold


def spent(check: BoundCheck, solved: SolvedRules) -> int:
    solver = Solver(solved, check.options)
    solver.solve_rule("c", check.args, frozenset(("total",)))
    return BUDGET - solver.remaining


def test_a_solved_rule_costs_a_question_once_and_always_the_same() -> None:
    rules = {"f": (("n",), "result(v = sum(roll(n, d6)))")}
    same, other = (toy(f"p = f(n = 9)\nq = f(n = {n})\nresult(total = p.v - q.v)", rules) for n in (9, 8))
    solved = SolvedRules(same.ruleset)
    first = spent(same, solved)
    assert spent(same, solved) == first  # it is found solved, and paid for all the same
    assert spent(other, SolvedRules(other.ruleset)) > first  # two rules are solved here, and one there


def test_solved_rules_of_another_game_are_refused() -> None:
    uwr, again, tuurna = (handful.ruleset(name) for name in ("uwr", "uwr", "tuurna"))
    check = uwr.bind("direct", attribute=3, target=1)
    assert odds(check, solved=again.solved) == odds(check)  # equal rules have equal answers
    with pytest.raises(ValueError, match="solved rules of tuurna, not of uwr"):
        odds(check, solved=tuurna.solved)


def test_a_ruleset_has_no_mutable_field() -> None:
    """A ruleset is a value that questions share; what they have solved is kept by `SolvedRules`."""
    mutable = [name for name, kind in Ruleset.__annotations__.items() if re.match("dict|list|set", kind)]
    assert not mutable


def test_the_same_seed_rolls_the_same_whatever_was_solved_before() -> None:
    check = handful.ruleset("uwr").bind("opposed", *[{"attribute": 6, "rerolls": 2}] * 5)
    for budget in (100, 10_000_000):
        solved = SolvedRules(check.ruleset)
        first = simulate(check, count=200, seed=7, budget=budget, solved=solved)
        odds(check, solved=solved)
        odds(check, solved=solved)
        again = simulate(check, count=200, seed=7, budget=budget, solved=solved)
        assert (again.method, again.kinds) == (first.method, first.kinds)


# --- HANDFUL_CHECK -----------------------------------------------------------------------------


def test_a_wrong_answer_is_noticed_when_answers_are_checked() -> None:
    def refuses() -> int:
        raise TooBig("too big")

    before = self_check.enable(True)
    try:
        assert self_check.cross_check(lambda: 1, lambda: 1) == 1
        with pytest.raises(self_check.Disagreement):
            self_check.cross_check(lambda: 1, lambda: 2)
        with pytest.raises(self_check.Disagreement):
            self_check.cross_check(lambda: 1, refuses)
        with pytest.raises(TooBig):
            self_check.cross_check(refuses, refuses)
        self_check.enable(False)
        assert self_check.cross_check(lambda: 1, lambda: 2) == 1
    finally:
        self_check.enable(before)


def test_the_policy_names_only_decisions_of_this_question() -> None:
    """Compiling a rule solves the rules it calls; their decisions once stayed in the answer."""
    me_d6 = handful.ruleset("me-d6")
    alone = me_d6.odds("check", dice="1D", difficulty="automatic").policy
    fresh = handful.ruleset("me-d6")
    assert fresh.odds("check", dice="1D").policy == {"ruling": "the highest die is canceled"}
    assert fresh.odds("check", dice="1D", difficulty="automatic").policy == alone == {}
