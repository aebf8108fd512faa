"""The survey of a check, the worth of decisions, and the commands that show them."""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from math import isclose, sqrt
from typing import Any

import pytest
from click.testing import CliRunner
from ruleset_cases import ruleset

from handful import library
from handful.cli.app import handful as command
from handful.errors import HandfulError
from handful.explore.differences import Version, compare_rulesets
from handful.explore.survey import survey
from handful.explore.worth import worth
from handful.roll import bind
from handful.rules import load as loading

UWR, TUURNA, ME = (ruleset(game).rules for game in ("uwr", "tuurna", "me-d6"))
ASKED: list[tuple[str, str, list[dict[str, Any]], dict[str, Any], dict[str, Any], str]] = [
    ("uwr", "direct", [], {"attribute": 3.5, "skill": 2, "target": 2}, {}, "usual"),
    ("uwr", "direct", [], {"attribute": 5, "rerolls": 2, "target": 3}, {"reroll_stack": "stacking"}, "best"),
    ("uwr", "opposed", [{"attribute": 4, "skill": 1}, {"attribute": 3.5}], {}, {}, "never"),
    ("agga", "direct", [], {"attribute": 3, "difficulty": "easy", "favor": -1}, {}, "usual"),
    ("tuurna", "check", [], {"level": [5, 3], "difficulty": 6, "fate": "lucky"}, {}, "usual"),
    ("tuurna", "group", [{"level": 4}, {"level": 2}], {"judge": "min", "difficulty": 3}, {}, "usual"),
    ("me-d6", "check", [], {"dice": "4D+2", "difficulty": "moderate", "rush": "25%"}, {}, "usual"),
    ("double-tens", "pool", [], {"dice": 5, "speciality": True}, {}, "usual"),
    ("best-two", "total", [], {"dice": "d6,d8,d8", "target": 9}, {}, "usual"),
    ("symbols", "test", [], {"good": 2, "bad": 2}, {}, "usual"),
]


@pytest.mark.parametrize(
    ("game", "check", "sides", "params", "options", "policy"), ASKED, ids=lambda one: str(one)[:30]
)
def test_the_command_line_gives_the_same_figures_exactly(
    game: str, check: str, sides: Any, params: Any, options: Any, policy: str
) -> None:
    rules = library.ruleset(game).rules
    found = survey(rules, check, sides, params, options=options, policy=policy).to_dict()
    program, *words = shlex.split(found["command"])
    ran = CliRunner().invoke(command, [*words, "--json"])
    assert program == "handful"
    assert ran.exit_code == 0, ran.output
    said = json.loads(ran.output)
    assert said == {name: found[name] for name in said}


@pytest.mark.parametrize(
    ("game", "check", "sides", "params", "options", "policy"), ASKED, ids=lambda one: str(one)[:30]
)
def test_curves_are_sums_of_the_distribution(
    game: str, check: str, sides: Any, params: Any, options: Any, policy: str
) -> None:
    found = survey(library.ruleset(game).rules, check, sides, params, options=options, policy=policy)
    odds = found.odds
    for value, exactly, at_least, at_most in found.curves:
        assert exactly == odds.distribution[value]
        assert at_least == odds.at_least(value)
        assert at_most == sum(p for v, p in odds.distribution.items() if v <= value)


def test_the_spread_of_plain_dice_is_the_one_in_every_book() -> None:
    """Four dice that succeed one time in three: a binomial."""
    found = survey(UWR, "direct", params={"attribute": 4}).deviation
    assert found is not None
    assert isclose(found, sqrt(4 * (1 / 3) * (2 / 3)))


def test_an_endless_spread_is_as_good_as_exact() -> None:
    """ME-D6's wild die goes on for ever; the list ends where less than one in a million is left."""
    found = survey(ME, "check", params={"dice": "1D"})
    assert found.odds.tail is not None
    assert found.deviation is not None


@pytest.mark.parametrize(
    ("rules", "params", "name"),
    [
        (UWR, {"attribute": 6, "rerolls": 2, "target": 3}, "difficulty"),
        (UWR, {"attribute": 6, "rerolls": 2, "difficulty": "easy"}, "difficulty"),
        (TUURNA, {"level": 7, "difficulty": 8}, "difficulty"),
        (ME, {"dice": "5D", "difficulty": 12}, "difficulty"),
    ],
)
def test_every_rung_is_the_check_against_that_difficulty(
    rules: Any, params: dict[str, Any], name: str
) -> None:
    check = next(iter(rules.checks))
    rungs = dict(survey(rules, check, params=params).rungs)
    assert list(rungs) == list(rules.ladder)
    bare = {one: value for one, value in params.items() if one not in ("target", name)}
    for rung, figure in rungs.items():
        assert figure == survey(rules, check, params={**bare, name: rung}).odds.success


def test_a_difficulty_that_is_no_target_keeps_the_target() -> None:
    """A family whose ladder names a face, not a number of successes."""
    rules = library.ruleset("double-tens").rules
    two = dict(survey(rules, "pool", params={"dice": 5, "target": 2}).rungs)
    asked = survey(rules, "pool", params={"dice": 5, "target": 2, "difficulty": "hard"})
    assert two["hard"] == asked.odds.success


def test_a_check_without_a_ladder_has_no_rungs() -> None:
    assert survey(UWR, "opposed", [{"attribute": 4}, {"attribute": 3}]).rungs == ()


# -- what decisions are worth


def test_rerolls_are_worth_what_lies_between_using_and_leaving_them() -> None:
    found = worth(bind(UWR, "direct", [], {"attribute": 6, "rerolls": 2, "target": 3}, {}))
    assert found is not None
    assert found.figures == {
        "usual": Fraction(1163, 2187),
        "best": Fraction(1163, 2187),
        "never": Fraction(233, 729),
    }
    assert found.deciding == Fraction(1163, 2187) - Fraction(233, 729)
    assert found.better == 0


def test_nobody_decides_nothing() -> None:
    assert worth(bind(TUURNA, "check", [], {"level": 4, "difficulty": 4}, {})) is None


def test_a_policy_that_is_too_much_work_is_left_out() -> None:
    bound = bind(UWR, "direct", [], {"attribute": 60, "rerolls": 20, "target": 30}, {})
    found = worth(bound, budget=20_000)
    assert found is not None
    assert found.figures["best"] is None
    assert found.better is None
    assert found.deciding is not None


def test_the_command_says_what_deciding_is_worth() -> None:
    words = ["odds", "uwr", "direct", "attribute=6", "rerolls=2", "target=3", "--worth"]
    ran = CliRunner().invoke(command, words)
    assert "usual instead of never: +21.22%" in ran.output
    assert "best instead of usual: +0.00%" in ran.output
    told = json.loads(CliRunner().invoke(command, [*words, "--json"]).output)
    assert told["worth"]["figures"]["never"] == "233/729"
    none = CliRunner().invoke(command, ["odds", "tuurna", "check", "level=4", "--worth"])
    assert "this check has no decisions" in none.output


def test_worth_is_not_asked_in_the_middle_of_a_roll() -> None:
    words = ["odds", "uwr", "direct", "attribute=2", "rerolls=1", "--worth", "--faces", "1,5"]
    ran = CliRunner().invoke(command, words)
    assert "--worth answers for a whole roll" in str(ran.exception)


# -- a changed table, in words


def draft(base: str, text: str) -> Any:
    sources = library.read_sources(library.ruleset_path(base))
    head = f'language = 1\nid = "draft"\nextends = "{base}"\n[title]\nen = "Draft"\n'
    return loading.load([*sources, loading.Source("draft.toml", head + text)])


@pytest.mark.proof
def test_a_changed_table_is_reported_row_by_row() -> None:
    """R-26: a Fate table that an author changed."""
    new = draft("tuurna", "[tables.fate]\nneutral = [0, 0, 1, 1, 1, 2]\n")
    found = compare_rulesets(Version("tuurna", TUURNA, {}), Version("draft", new, {}))
    assert found.words == ("table fate: neutral 0 0 1 1 2 2 -> 0 0 1 1 1 2",)
    assert found.changes
    assert all(one.by < 0 for one in found.changes if one.check == "check")


def test_a_comparison_says_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    one = Version("agga", ruleset("agga").rules, {})
    compare_rulesets(
        one, Version("fons", ruleset("fons").rules, {}), progress=lambda done, of: told.append((done, of))
    )
    assert told == sorted(told)
    assert told[0][0] == 0
    assert all(done < of for done, of in told)


@pytest.mark.parametrize("params", [{"attribute": -1}, {"nothing": 1}, {"difficulty": "nowhere"}])
def test_what_cannot_be_is_refused(params: dict[str, Any]) -> None:
    with pytest.raises(HandfulError):
        survey(UWR, "direct", params=params)
