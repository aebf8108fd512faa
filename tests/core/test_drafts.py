"""Checks built from a sheet: contributions, their sources and their totals."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import pytest
from ruleset_cases import GAMES, ruleset
from sample_characters import (
    SHIPPED,
    contribution_lines,
    contributions_of,
    shipped_character,
    toy,
    toy_character,
)
from sample_checks import finish

import handful
from handful.errors import BadCharacter, HandfulError, Refused
from handful.roll import bind, start
from handful.rules.ruleset import Check
from handful.sheet import Draft, draft, list_contributions, skill_names

UWR, ME, TUURNA = ruleset("uwr"), ruleset("me-d6"), ruleset("tuurna")


def drawn(who: dict[str, Any] | None = None, **typed: Any) -> Draft:
    return draft(toy(), "draw", [], typed, [toy_character(**who or {})])


# -- a game of its own


def test_a_toy_game_has_characters_too() -> None:
    made = drawn(cards="Wit", who={"resources": {"chips": 0}})
    assert made.bound().args == {"cards": 3, "luck": 0, "tired": 1}
    assert contribution_lines(made) == ["Wit 3 cards", "Broke 1 Tired"]


def test_contributions_are_worded_in_the_language() -> None:
    made = UWR.draft("direct", character=shipped_character("mira"), attribute="Grace", skill="Akrobatik")
    found = list_contributions(made, start(made.bound()).trace.modifiers, "de")
    assert [(one.source, one.unit) for one in found][1:3] == [
        ("Akrobatik (Einbrecher)", "Würfel"),
        ("Ein halber Würfel wird zum Neuwurf", "Würfel"),
    ]


def test_names_and_titles_in_any_language() -> None:
    for name in ("wit", "WIT", " Witz "):
        assert drawn(cards=name).bound().args["cards"] == 3


def test_a_trait_comes_only_where_it_fits() -> None:
    charmed = {"traits": ["charmed"]}
    assert drawn(cards="Bluff", who=charmed).bound().args["luck"] == 2
    assert drawn(cards="Wit", who=charmed).bound().args["luck"] == 0
    assert contribution_lines(drawn(cards="Bluff", who=charmed)) == [
        "Bluff 2 cards",
        "Charmed 2 cards",
        "Charmed 1 Luck off",
    ]


def test_an_incapable_character_is_refused_unless_the_gm_overrides() -> None:
    made = drawn(cards="Wit", who={"attributes": {"wit": 3, "nerve": 0}, "resources": {"chips": 0}})
    with pytest.raises(Refused, match="too rattled to draw") as raised:
        made.bound()
    assert "Rattled" in raised.value.hint
    (number,) = [n for n, line in enumerate(made.lines, 1) if line.cannot]
    allowed = made.switch(number, on=False, by="gm")
    assert allowed.bound()
    assert contributions_of(allowed)[-1].switched_by == "gm"


# -- lines


def test_a_contribution_names_its_source() -> None:
    made = UWR.draft("direct", character=shipped_character("mira"), attribute="Grace", target=2)
    made = made.add("bonus", -1, by="gm", note="slippery")
    made = made.add("favor", 1, by="Ann")
    assert [(line.parameter, line.by) for line in made.lines] == [
        ("attribute", "sheet"),
        ("target", "player"),
        ("bonus", "gm"),
        ("favor", "Ann"),
    ]
    assert [(one.source, one.by) for one in contributions_of(made)][1] == ("slippery", "gm")


def test_a_switched_off_contribution_adds_nothing_and_names_who_switched_it() -> None:
    made = UWR.draft("direct", character=shipped_character("mira"), attribute="Grace", skill="Stealth")
    off = made.switch(2, on=False, by="gm")
    assert made.bound().args["skill"] == 2
    assert off.bound().args["skill"] == 0
    last = contributions_of(off)[-1].to_dict()
    assert (last["on"], last["switched_by"], last["source"]) == (
        False,
        "gm",
        "Stealth, from Burglar",
    )
    assert off.switch(2, on=True, by="gm").bound().args == made.bound().args


def test_drafts_never_change() -> None:
    made = UWR.draft("direct", character=shipped_character("mira"), attribute="Grace")
    before = hash(made.lines), made.lines
    made.add("bonus", 1)
    made.switch(1, on=False)
    assert (hash(made.lines), made.lines) == before


def test_wrong_lines_are_refused() -> None:
    made = UWR.draft("direct", character=shipped_character("mira"), attribute="Grace")
    for number in (0, 2, -1, True, "1"):
        with pytest.raises(Refused):
            made.switch(number, on=False)  # type: ignore[arg-type]
    for parameter, value in (("bonus", "x"), ("bonsu", 1), ("bonus", 0.25)):
        with pytest.raises(Refused):
            made.add(parameter, value)
    with pytest.raises(Refused, match="one line"):
        made.add("bonus", 1, note="a\nb")
    with pytest.raises(Refused, match="no side 2"):
        made.add("bonus", 1, side=2)


def test_a_number_wins_over_the_sheet() -> None:
    made = ME.draft(
        "check", character=shipped_character("sanna"), dice="repair", wound="none", skill_points=1
    )
    assert (made.bound().args["wound"], made.bound().args["skill_points"]) == ("none", 1)
    off = [(line.source, line.switched_by) for line in made.lines if not line.on]
    assert off == [("skills.repair", "player"), ("conditions.wounded", "player")]
    assert (
        UWR.draft("direct", character=shipped_character("mira"), attribute=5).bound().args["attribute"] == 5
    )


def test_plus_adds_to_the_sheet_value() -> None:
    zejhe = shipped_character("zejhe")
    made = TUURNA.draft("check", character=zejhe, level="Armaments", **{"labor+": 3})
    assert made.bound().args["labor"] == (1,)
    over = TUURNA.draft("check", character=zejhe, level="Armaments", labor=3)
    assert over.bound().args["labor"] == (3,)


def test_lines_add_up_also_where_no_skill_is_named() -> None:
    who = TUURNA.character(
        {
            "format": 1,
            "ruleset": "tuurna",
            "name": "N",
            "traits": [{"name": n, "gives": [{"labor": b}]} for n, b in (("A", -2), ("B", 5))],
        }
    )
    assert TUURNA.draft("check", character=who, level=5).bound().args["labor"] == (3,)
    assert TUURNA.draft("check", character=who, level="5,4").bound().args["labor"] == (3,)
    both = TUURNA.draft("check", character=who, level=5, **{"labor+": 2, "labor": 1})
    assert both.bound().args["labor"] == (3,)


def test_lines_add_up_also_without_a_character() -> None:
    made = TUURNA.draft("check", level=4).add("labor", 1).add("labor", "2")
    assert made.bound().args["labor"] == (3,)
    assert made.bound().args["level"] == (4,)
    each = TUURNA.draft("check", level="4,3", labor="1,2").add("labor", 1)
    assert each.bound().args["labor"] == (2, 3)
    assert ME.draft("check", dice="3D", failed="10").add("failed", 20).bound().args["failed"] == (10, 20)


def test_numbers_and_names_together() -> None:
    made = TUURNA.draft("check", character=shipped_character("zejhe"), level="Craft,3", difficulty=2)
    assert made.bound().args["level"] == (2, 3)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(Refused, match="Mira Quill has no 'Grasce'") as raised:
        UWR.draft("direct", character=shipped_character("mira"), attribute="Grasce")
    assert raised.value.hint == "did you mean 'grace'?"
    with pytest.raises(Refused, match="has no 'comand'") as raised:
        ME.draft("check", character=shipped_character("corvin"), skill_name="comand")
    assert raised.value.hint == "did you mean 'command'?"


def test_one_pick_fills_parameters_that_another_leaves_open() -> None:
    made = ME.draft("check", character=shipped_character("corvin"), dice="strength", skill_name="command")
    args = made.bound().args
    assert (args["dice"]["dice"], args["skill_points"], args["skill_name"]) == (3, 6, "command")
    both = ME.draft("check", character=shipped_character("corvin"), dice="command", skill_name="command")
    assert both.bound().args["skill_points"] == 6


def test_sides_have_characters_of_their_own() -> None:
    made = UWR.draft(
        "opposed",
        {"character": "mira", "attribute": "Grace", "skill": "Stealth"},
        {"character": "sentry", "attribute": "Insight", "skill": "Listening"},
    )
    first, second = made.bound().args["sides"]
    assert (first["attribute"], first["skill"]) == (3.5, 2)
    assert (second["skill"], second["specific"]) == (1, 1)
    assert {one.side for one in contributions_of(made)} == {1, 2}
    with pytest.raises(Refused, match="characters for 1 side;"):
        draft(UWR.rules, "direct", [], {}, [shipped_character("mira"), shipped_character("mira")])


def test_a_character_of_another_game_makes_no_check() -> None:
    with pytest.raises(Refused, match="Mira Quill is a character of uwr, not of tuurna"):
        TUURNA.odds("check", character=shipped_character("mira"), level=3)
    with pytest.raises(Refused, match="read it again"):
        draft(ruleset("agga").rules, "direct", [], {"attribute": 3}, [shipped_character("mira")])
    with pytest.raises(BadCharacter, match="there is no 'insight'"):
        ruleset("agga").odds("direct", character=shipped_character("mira"), attribute="Grace")
    fons = ruleset("fons")
    assert (
        fons.draft("direct", character=shipped_character("mira"), attribute="Charm").bound().args["attribute"]
        == 1
    )


def test_without_a_character_a_draft_is_the_typed_check() -> None:
    made = draft(UWR.rules, "direct", [], {"attribute": 3, "target": 1})
    assert made.bound().args == bind(UWR.rules, "direct", (), {"attribute": 3, "target": 1}).args


def test_a_draft_is_solved_and_rolled_as_it_stands() -> None:
    made = UWR.draft("direct", character="mira", attribute="Grace", skill="Stealth", target=2)
    plain = UWR.odds("direct", attribute=3.5, skill=2, target=2)
    assert (
        UWR.odds(made).success
        == plain.success
        == UWR.odds("direct", character="mira", attribute="Grace", skill="Stealth", target=2).success
    )
    with pytest.raises(Refused, match="a draft cannot be changed here"):
        UWR.odds(made, target=3)


def test_contributions_account_for_every_die() -> None:
    """The listed contributions add up to the modifiers of the rule, unit by unit."""
    for game, name in SHIPPED:
        own = ruleset(game)
        for made in fitting(game, name):
            if made.check.sides is not None:
                continue  # the second side is told of when its turn comes
            modifiers = start(made.bound()).trace.modifiers
            dice = sum(m.amount for m in modifiers if m.unit == "dice")
            unit = own.rules.wording("dice")
            shown = [one for one in contributions_of(made) if one.on]
            codes = [one.amount for one in shown if isinstance(one.amount, dict) and not one.unit]
            counted = sum(one.amount for one in shown if one.unit == unit)
            assert counted + sum(code["dice"] for code in codes) == dice, (name, made.check.name)


def fitting(game: str, name: str) -> Iterator[Draft]:
    """Every check that fits a character, once for each thing that can be picked."""
    own, who = ruleset(game), shipped_character(name)
    sheet = own.rules.sheet
    assert sheet is not None
    names = {
        "attributes": list(sheet.attributes),
        "skills": [*skill_names(sheet, who), *list(sheet.skills)[:3]],
    }
    for check in own.rules.checks.values():
        for pick in sheet.picks.values():
            if pick.parameter in check.params:
                for group, known in names.items():
                    for one in known if getattr(pick, group) else ():
                        yield from built(own, check, {"character": who, pick.parameter: one})


def built(own: handful.Ruleset, check: Check, side: dict[str, Any]) -> Iterator[Draft]:
    """The check by one character, against itself where it takes two; nothing if it needs more."""
    whole = {"judge": "max", "defense": 10}
    params = {key: value for key, value in whole.items() if key in check.params}
    sides = [side] * (2 if check.sides and check.sides.word == "vs" else 1)
    made = own.draft(check.name, *sides, **params)
    try:
        start(made.bound())
    except Refused as refusal:
        reasons = [word in refusal.message for word in ("needs", "taking 10", "takes 10", "parried")]
        if not any(reasons):
            raise
    else:
        yield made


@pytest.mark.parametrize(("game", "name"), SHIPPED)
def test_every_character_rolls_in_every_check_that_fits(game: str, name: str) -> None:
    rng = random.Random(5)
    checks = set()
    for made in fitting(game, name):
        roll = finish(ruleset(game).start(made), rng)
        assert roll.finished
        checks.add(made.check.name)
    wanted = {c.name for c in ruleset(game).rules.checks.values() if c.program is not None}
    assert checks == wanted


@pytest.mark.parametrize("game", GAMES)
def test_nothing_but_refusals(game: str) -> None:
    own = ruleset(game)
    check = next(iter(own.rules.checks))
    who = own.characters()[0]
    for name in own.rules.checks[check].params:
        for value in ("", "x" * 5000, "\x00", None, [], {}, -1, 1e400, "nan", ["a"], "Grace,,"):
            with contextlib.suppress(HandfulError):
                own.draft(check, character=who, **{name: value}).bound()
