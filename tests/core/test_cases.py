"""Every case of every ruleset, by play and by odds, and the coverage of the cases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
import ruleset_cases
from effort import only_in_proof
from ruleset_cases import (
    FAMILIES,
    GAMES,
    Case,
    all_cases,
    average,
    cases,
    odds_of,
    play_case,
    ruleset,
    throw_outcomes,
)

import handful
from handful.odds import answers as legal_answers
from handful.roll import Throw
from handful.rules.ruleset import Option

PLAYED = [case for case in all_cases() if not case.refused and (case.roll or case.faces)]
SOLVED = [case for case in all_cases() if case.odds]
THROWN = [case for case in PLAYED if case.faces]
REFUSED = [case for case in all_cases() if case.refused]


def by_case(chosen: list[Case], *long: str, step: int = 1) -> pytest.MarkDecorator:
    """Parametrize by cases; `make test` runs one in `step`, and none of those with the names `long`."""
    values = [
        only_in_proof(case) if case.name in long or place % step else case
        for place, case in enumerate(chosen)
    ]
    return pytest.mark.parametrize("case", values, ids=[case.id for case in chosen])


# -- what a case says


@by_case(PLAYED)
def test_play_gives_the_expected_roll(case: Case) -> None:
    end = play_case(case)[-1]
    assert ruleset_cases.shown_by_roll(case, end) == ruleset_cases.expected_of_roll(case)


@by_case(SOLVED)
def test_odds_give_the_expected_figures(case: Case) -> None:
    odds = odds_of(case)
    assert ruleset_cases.shown_by_odds(case, odds) == ruleset_cases.expected_of_odds(case)
    assert ruleset_cases.mass(odds) in (0, 1)


@by_case(REFUSED)
def test_a_forbidden_roll_is_refused_with_a_reason(case: Case) -> None:
    with pytest.raises(handful.Refused) as refusal:
        ruleset_cases.attempt_case(case)
    assert case.refused in refusal.value.message
    assert "\n" not in refusal.value.message


@by_case([case for case in REFUSED if not case.faces])
def test_odds_are_refused_as_the_roll_is(case: Case) -> None:
    with pytest.raises(handful.Refused) as refusal:
        odds_of(case)
    with pytest.raises(handful.Refused) as same:
        ruleset_cases.attempt_case(case)
    assert refusal.value.message == same.value.message


def test_every_case_expects_something_and_has_its_own_name() -> None:
    for case in all_cases():
        assert bool(case.refused) != bool(case.roll or case.odds), case.id
        assert case.roll or not case.faces or case.refused, case.id
    names = [case.id for case in all_cases()]
    assert len(names) == len(set(names)) > 400


# -- odds at every pause on the way


@by_case(THROWN, "A contest of thirty equal sides")
def test_odds_at_every_pause_allow_the_actual_outcome(case: Case) -> None:
    rolls = play_case(case)
    end = rolls[-1]
    if case.policy == "usual":
        assert average([(Fraction(1), rolls[0].odds())]) == average([(Fraction(1), odds_of(case))])
    for place, roll in enumerate(rolls):
        if ruleset_cases.followed_usual_policy(rolls, place):
            odds = roll.odds()
            assert end.result is None or ruleset_cases.possible(odds, end.result)
            assert all(odds.events.get(event, 0) > 0 for event in end.events)
    assert_certain(end)


def assert_certain(end: handful.Roll) -> None:
    """After the last face nothing is open any more."""
    odds = end.odds()
    assert odds.distribution == ({} if end.result is None else {end.result: 1})
    assert odds.mean == end.result
    assert odds.success == certainly(end.success)
    assert odds.events == dict.fromkeys(end.events, Fraction(1))
    assert odds.tail is None
    if odds.wins is not None:
        wins = end.to_dict()["wins"]
        assert odds.wins == certainly(tuple(wins))
        assert odds.tie == (len(wins) > 1 and not any(wins))


def certainly(truth: Any) -> Any:
    if isinstance(truth, tuple):
        return tuple(Fraction(one) for one in truth)
    return None if truth is None else Fraction(truth)


@by_case(THROWN, "A contest of thirty equal sides", step=3)
def test_odds_at_a_pause_are_the_average_over_the_next_throw(case: Case) -> None:
    rolls = play_case(case)
    compared = 0
    for roll in rolls[:-1]:
        if isinstance(roll.ask, Throw):
            following = [(share, after.odds()) for share, after in throw_outcomes(roll)]
        else:
            following = [(Fraction(1), roll.usual().odds())]
        if following:
            before = roll.odds()
            below = ruleset_cases.listed_below([before, *(odds for _, odds in following)])
            assert average([(Fraction(1), before)], below) == average(following, below)
            compared += 1
    assert compared or max(roll.ask.count for roll in rolls if isinstance(roll.ask, Throw)) > 2


@by_case([case for case in THROWN if case.answers])
def test_each_answer_has_the_odds_of_the_roll_after_it(case: Case) -> None:
    asked = 0
    for roll in play_case(case)[:-1]:
        if isinstance(roll.ask, Throw):
            continue
        asked += 1
        odds = roll.odds()
        assert odds.answers is not None
        assert odds.answers == {
            name: roll.answer(name).odds().success for name, _, _ in legal_answers(roll.node)
        }
        assert odds.best in odds.answers
        usual = roll.usual()
        assert average([(Fraction(1), odds)]) == average([(Fraction(1), usual.odds())])
    assert asked


# -- what the cases must cover


def differs(case: Case, name: str, value: Any) -> bool:
    """Return whether a case has another outcome with the option at that value."""
    other = case.with_option(name, value)
    return outcome(case) != outcome(other)


def outcome(case: Case) -> tuple[Any, ...]:
    return roll_fields(case), odds_fields(case)


def roll_fields(case: Case) -> Any:
    if not (case.faces or case.roll):
        return None
    try:
        fields = play_case(case)[-1].to_dict()
    except handful.Refused as refusal:
        return refusal.message
    for name in ("options", "decided_by_options"):
        del fields[name]
    return fields


def odds_fields(case: Case) -> Any:
    try:
        fields = odds_of(case).to_dict()
    except handful.Refused as refusal:
        return refusal.message
    del fields["options"]
    return fields


def cases_for(game: str) -> list[Case]:
    """The cases of a game; an edition inherits those of `uwr`, as it inherits the rules."""
    inherited = cases("uwr") if game in ("agga", "fons") else ()
    return [*cases(game), *(case.in_game(game) for case in inherited)]


# They change how rounds go, not a roll: their tests are in test_rounds.py.
OF_ROUNDS = {
    ("me-d6", name)
    for name in (
        "round_structure",
        "initiative_division",
        "init_final_tie",
        "free_move",
        "sprint_mod",
        "full_reaction_covers",
        "early_parry",
    )
}
# They change what characters may do, not a roll: their tests are in test_sheet_rules.py.
OF_SHEETS = {("me-d6", "medal_heal_dead")}


def option_values(game: str) -> Iterator[tuple[str, str, Any]]:
    for option in ruleset(game).rules.options.values():
        if (game, option.name) in OF_ROUNDS | OF_SHEETS:
            continue
        values = option.values or [
            option.read(case.options[option.name]) for case in cases_for(game) if option.name in case.options
        ]
        others = {value for value in values if value != option.default}
        assert others, f"no case of {game} sets {option.name}"
        for value in sorted(others, key=str):
            yield game, option.name, value


OPTION_VALUES = [entry for game in (*GAMES, *FAMILIES) for entry in option_values(game)]


@pytest.mark.parametrize(
    ("game", "name", "value"), OPTION_VALUES, ids=[f"{g} {n}={v}" for g, n, v in OPTION_VALUES]
)
def test_some_case_distinguishes_each_option_value_from_the_default(game: str, name: str, value: Any) -> None:
    option = ruleset(game).rules.options[name]
    assert any(
        differs(case, name, option.default)
        for case in cases_for(game)
        if name in case.options and sets(case, option, value)
    )


def sets(case: Case, option: Option, value: Any) -> bool:
    try:
        return bool(option.read(case.options[option.name]) == value)
    except handful.Refused:  # a case that must be refused
        return False


def span(letters: str, numbers: str) -> set[str]:
    """`span("U-", "1-3 6")` is U-1, U-2, U-3 and U-6."""
    found = set()
    for part in numbers.split():
        first, _, last = part.partition("-")
        found |= {f"{letters}{n}" for n in range(int(first), int(last or first) + 1)}
    return found


# Without U-5, U-12, U-20, U-23 (table), R-1, R-9, R-10 (Narrator), rounds, movement, hit points.
MUST_BE_CITED = {
    "golden traces": span("G-U", "1-8") | span("G-R", "1-9") | span("G-D", "1-9 11 14"),
    "uwr": span("U-", "1-4 6-11 13-19 21-22"),
    "agga": span("A-", "3-4 6-14"),
    "fons": span("F-", "1 3-5 7-12"),
    "tuurna": span("R-", "2-6 8 11-29"),
    "me-d6": span("D-", "1-12 21 23 25 28-30 32-34 36-38 40-47"),
    "open points, uwr": span("AMB-U", "1-10 12-14 16"),
    "open points, tuurna": span("AMB-R", "1-12 14"),
    "open points, me-d6": span("AMB-D", "1 3-10 14-18 20-21 23"),
    "claims": span("CLM-U", "1-3") | span("CLM-R", "1-8 10") | span("CLM-D", "1 3-5"),
}


@pytest.mark.parametrize("part", MUST_BE_CITED)
def test_every_rule_that_shapes_a_roll_has_a_case(part: str) -> None:
    cited = set()
    for case in all_cases():
        text = " ".join([case.name, *case.rules])
        cited |= set(re.findall(r"\b(?:[GUAFRD]-|AMB-|CLM-)[URD]?\d+\b", text))
    assert MUST_BE_CITED[part] - cited == set()


def test_options_name_the_open_points_that_they_settle() -> None:
    for game in GAMES:
        for option in ruleset(game).rules.options.values():
            assert re.fullmatch(r"AMB-[URD]\d+", option.open), f"{game} {option.name}"
