"""The brute-force oracle against hand-computed odds, the worked examples and the product."""

from __future__ import annotations

import ast
import tomllib
from fractions import Fraction
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest
from effort import every_nth_in_test
from rule_generator import write_game
from toy_rulesets import toml, toy

import handful
from handful.errors import HandfulError
from handful.odds import odds
from oracles import brute

TOP = Path(__file__).parents[2]
CUT = Fraction(1, 10**5)
MOST = 3000  # ways of one case: enough for most of them, and each case takes less than a second
Case = dict[str, Any]


def read_game(folder: Path) -> dict[str, Any]:
    """Read a ruleset over the one that it extends."""
    game = tomllib.loads((folder / "ruleset.toml").read_text(encoding="utf-8"))
    if "extends" not in game:
        return game
    base = read_game(TOP / "rulesets" / game["extends"])
    return brute.merged(base, game, game.get("replace", ()))


GAMES = {path.parent.name: read_game(path.parent) for path in sorted(TOP.glob("rulesets/**/ruleset.toml"))}
COOKBOOK = read_game(TOP / "docs" / "cookbook")


def cases() -> list[Any]:
    """List the cases with odds under a policy that gives outcomes."""
    return [
        pytest.param(path.parent.name, case, id=f"{path.parent.name}: {case['name']}")
        for path in sorted(TOP.glob("rulesets/**/cases.toml"))
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
        if "odds" in case and case.get("policy") != "best"
    ]


# -- independence


def test_the_oracle_imports_nothing_of_the_product() -> None:
    files = list((TOP / "tests" / "oracles" / "brute").glob("*.py"))
    assert len(files) >= 4
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names.append(node.module or "")
            assert not [name for name in names if name.partition(".")[0] == "handful"], file


# -- the worked examples


@pytest.mark.parametrize(("game", "case"), every_nth_in_test(cases(), 10))
def test_worked_examples(game: str, case: Case) -> None:
    """Each stated chance lies between what was counted and that plus what was not followed."""
    try:
        answer = brute.enumerate_check(
            GAMES[game],
            case["check"],
            case.get("params", {}),
            sides=case.get("sides", ()),
            options=case.get("options", {}),
            policy=case.get("policy", "usual"),
            cut=CUT,
            most=MOST,
            alike=True,
        )
    except brute.TooManyWays:
        pytest.skip("more ways than a test waits for")
    main = GAMES[game]["checks"][case["check"]]["main"]
    stated = figures(case["odds"])
    found = counted(answer, main, stated)
    for name, chance in stated.items():
        if name == "mean" and answer.cut:
            continue
        assert found[name] <= chance <= found[name] + answer.cut, name


def figures(odds: Case) -> dict[str, Fraction]:
    """Return every number that the odds of a case state, by name."""
    flat: dict[str, Any] = {}
    for name, value in odds.items():
        if isinstance(value, dict):
            flat |= {f"{name} {key}": chance for key, chance in value.items()}
        elif isinstance(value, list):
            flat |= {f"{name} {place}": chance for place, chance in enumerate(value)}
        else:
            flat[name] = value
    return {name: Fraction(value) for name, value in flat.items() if value != "none"}


def counted(answer: brute.Answer, main: str, names: Any) -> dict[str, Fraction]:
    """Return what the oracle counts for each of these numbers."""
    found = {}
    for name in names:
        what, _, which = name.partition(" ")
        found[name] = {
            "success": lambda which: share(answer, "success", which),
            "wins": lambda which: share(answer, "wins", which),
            "tie": lambda _: tie(answer),
            "mean": lambda _: answer.mean(main),
            "events": lambda event: answer.events().get(event, Fraction(0)),
            "distribution": lambda value: answer.spread(main).get(Fraction(value), Fraction(0)),
        }[what](which)
    return found


def share(answer: brute.Answer, field: str, which: str) -> Fraction:
    """Return the chance that a field is true, or that one entry of it is."""
    chances = answer.spread(field).items()
    return sum((p for value, p in chances if (value[int(which)] if which else value)), Fraction(0))


def tie(answer: brute.Answer) -> Fraction:
    """Return the chance that none of several sides wins."""
    chances = answer.spread("wins").items()
    return sum((p for wins, p in chances if len(wins) > 1 and not any(wins)), Fraction(0))


# -- by hand


def simple(does: str, **declared: Any) -> dict[str, Any]:
    """Return a game with one check `c`, whose main result is `x`."""
    return {"checks": {"c": {"main": "x", "does": does, **declared}}}


def spread(does: str, **given: Any) -> dict[Any, Fraction]:
    return brute.enumerate_check(simple(does), "c", {}, **given).spread("x")


def test_two_dice_added() -> None:
    found = spread("result(x = sum(roll(2, d6)))")
    assert found == {n: Fraction(6 - abs(n - 7), 36) for n in range(2, 13)}


def test_successes_of_five_d10() -> None:
    found = spread("result(x = size(roll(5, d10) >= 7))")
    assert found == {n: Fraction(comb(5, n) * 4**n * 6 ** (5 - n), 10**5) for n in range(6)}


def test_the_target_of_a_ladder() -> None:
    game = simple(
        "result(x = size(roll(1, d6) >= goal.value))",
        params={"goal": {"type": "ladder", "number": "value"}},
    ) | {"ladder": {"very_hard": {"value": 6, "title": {}}}}
    for typed, chance in (("Very Hard", Fraction(1, 6)), ("3", Fraction(2, 3))):
        answer = brute.enumerate_check(game, "c", {"goal": typed})
        assert answer.mean("x") == chance


def test_dice_without_end_leave_a_rest() -> None:
    found = brute.enumerate_check(
        simple("result(x = size(roll(1, d2, more = 2)))"), "c", {}, cut=Fraction(1, 100)
    )
    assert found.spread("x") == {n: Fraction(1, 2**n) for n in range(1, 8)}
    assert found.cut == Fraction(1, 128)


def test_the_better_of_two_dice_that_add_up() -> None:
    """Both stay below 7 unless a six goes on: 25/36."""
    found = brute.enumerate_check(
        simple("result(x = sum(highest(roll(2, d6, add = 6), 1)))"), "c", {}, cut=CUT
    )
    below = sum(p for total, p in found.spread("x").items() if total < 6)
    assert below == Fraction(25, 36)


@pytest.mark.parametrize(
    "does",
    [
        "result(x = 1 / (sum(roll(1, d6)) - 3))",
        "result(x = sum(roll(sum(roll(1, d6)) - 2, d6)))",
        "p = roll(1, d6)\nq = roll(1, d6)\nresult(x = size(p - q))",
        "result(x = [1, 2][sum(roll(1, d6))])",
        "result(x = sum(roll(1, d6, add = 5)))",
        "result(x = size(roll(1, d6, more = 1)))",
    ],
)
def test_checks_without_an_answer_are_refused(does: str) -> None:
    with pytest.raises(brute.OracleError):
        brute.enumerate_check(simple(does), "c", {})


def test_equal_throws_are_merged() -> None:
    does = """
pool = roll(3, d6)
redo = choose("luck", pool < 5, 2)
pool = pool - redo + reroll(redo, d6)
result(x = sum(highest(pool, 2)) - sum(widest(pool)))
"""
    assert spread(does) == spread(does, alike=True)


# -- beside the product: a fresh ruleset for each question


RECIPES: list[tuple[str, dict[str, Any]]] = [
    ("explode_once", {"dice": 2}),
    ("explode_keep", {"dice": 2, "keep": 1}),
    ("explode_keep", {"dice": 3}),
    ("sixes_twice", {"dice": 4, "target": 2}),
    ("ones_cancel", {"dice": 4}),
    ("push_once", {"dice": 2}),
    ("advantage", {"edge": "advantage", "bonus": "+3", "target": "15"}),
    ("advantage", {"edge": "Disadvantage"}),
    ("step_dice", {"step": "8", "target": 5}),
    ("sets", {"dice": 3}),
    ("doom", {"dice": 3, "doom_dice": 1}),
    ("luck", {"dice": 3, "points": 2, "target": 2}),
    ("luck", {"dice": 3, "points": 0}),
]


def same(answer: brute.Answer, found: handful.Odds, main: str) -> None:
    """Check the distribution, the events and the success, up to what was not followed."""
    results, events = answer.spread(main), answer.events()
    for value, chance in found.distribution.items():
        assert 0 <= chance - results.get(value, 0) <= answer.cut, value
    if found.tail is None:
        assert {value for value in results if value is not None} <= set(found.distribution)
    assert set(events) <= set(found.events)
    for name, chance in found.events.items():
        assert 0 <= chance - events.get(name, 0) <= answer.cut, name
    if isinstance(found.success, Fraction):
        assert 0 <= found.success - share(answer, "success", "") <= answer.cut


@pytest.mark.parametrize("policy", ["usual", "never"])
@pytest.mark.parametrize(("check", "params"), RECIPES)
def test_the_cookbook(check: str, params: dict[str, Any], policy: str) -> None:
    answer = brute.enumerate_check(COOKBOOK, check, params, policy=policy, cut=CUT)
    product = handful.ruleset(str(TOP / "docs" / "cookbook" / "ruleset.toml"))
    found = product.odds(check, policy=policy, **params)
    same(answer, found, COOKBOOK["checks"][check]["main"])


@pytest.mark.parametrize(
    ("game", "check", "params", "sides"),
    [
        ("uwr", "direct", {"attribute": 2, "rerolls": 2, "target": 2}, []),
        ("uwr", "opposed", {}, [{"attribute": 2, "rerolls": 1}, {"attribute": 1.5}]),
        ("push-d6", "test", {"attribute": 1, "skill": 1, "gear": 1, "target": 2}, []),
    ],
)
def test_best_play(game: str, check: str, params: Any, sides: Any) -> None:
    value = brute.best_value(GAMES[game], check, params, sides=sides)
    assert handful.ruleset(game).odds(check, *sides, policy="best", **params).success == value


def test_every_answer_in_the_middle_of_a_roll() -> None:
    params = {"dice": 3, "points": 2, "target": 2}
    path = str(TOP / "docs" / "cookbook" / "ruleset.toml")
    thrown: list[brute.Reply] = [(1, 5, 3)]
    state = brute.paused(brute.start(COOKBOOK, "luck", params), thrown)
    replies = [reply for reply, _ in brute.following(state)]
    assert replies == [(), (1,), (3,), (1, 3)]
    for reply in replies:
        answer = brute.enumerate_check(COOKBOOK, "luck", params, replies=[*thrown, reply])
        roll = handful.ruleset(path).start("luck", **params).throw(faces=[1, 5, 3])
        same(answer, roll.reply(reply).odds(), "successes")


@pytest.mark.parametrize("seed", every_nth_in_test(range(60), 2))
def test_random_rules(seed: int) -> None:
    """Rules that a writer makes up, under each policy."""
    text, rules = write_game(Random(seed))
    try:
        check = toy(text, rules)
        product = {policy: odds(check, policy=policy) for policy in ("usual", "never", "best")}
    except HandfulError:
        return  # refused, or too much work
    game = tomllib.loads(toml(text, rules))
    try:
        for policy in ("usual", "never"):
            answer = brute.enumerate_check(game, "c", {}, policy=policy, most=MOST)
            same(answer, product[policy], "total")
        value = brute.best_value(game, "c", {}, most=MOST)
    except brute.TooManyWays:
        return
    best = product["best"]
    assert value == (best.mean if best.success is None else best.success)
