"""New characters: start values, quick starts, names, and the points that are left."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from toy_rulesets import HEAD

import handful
from handful.errors import BadCharacter, Refused
from handful.rules.load import BadRuleset, Source, load
from handful.rules.ruleset import Ruleset
from handful.sheet import (
    blank_data,
    canonical_data,
    check_budgets,
    new_character,
    points_left,
    quick_data,
    random_name,
    read_character,
)

GAMES = ["agga", "uwr", "fons", "tuurna", "me-d6"]
CHECK = """[checks.c]
title.en = "C"
help.en = "C"
main = "total"
does = "result(total = sum(roll(1, d6)))"
"""


def toy(sheet: str, *variants: str) -> Ruleset:
    head = HEAD.replace("language = 1", "language = 2")
    base = Source("toy.toml", head + CHECK + sheet)
    own = [Source("own.toml", f'language = 2\nid = "own"\n{text}') for text in variants]
    return load([base, *own])


ATTRIBUTES = "[sheet.attribute]\nmin = 1\nmax = 6\n[sheet.attributes]\n" + "".join(
    f'{name} = {{ title.en = "{name.title()}" }}\n' for name in ("wit", "nerve", "luck")
)
SKILLS = "[sheet.skill]\nmin = 0\nmax = 5\nlabel.en = 'Rank'\n[sheet.skills]\n" + "".join(
    f'skill_{n} = {{ title.en = "Skill {n}" }}\n' for n in range(12)
)


def budget(text: str, name: str = "b") -> str:
    return f"[sheet.creation.budgets.{name}]\ntitle.en = 'Points'\n{text}\n"


# -- the shipped games


@pytest.mark.parametrize("game", GAMES)
def test_every_start_of_a_shipped_game_is_a_character_within_its_points(game: str) -> None:
    rules = handful.ruleset(game).rules
    assert rules.sheet is not None
    assert rules.sheet.creation.quick
    for quick in (False, True, *rules.sheet.creation.quick):
        for kind in ("pc", "npc"):
            made = new_character(rules, "Nell", quick=quick, kind=kind)
            assert (made.name, made.kind) == ("Nell", kind)
            assert all(one.keeps for one in points_left(rules, made)), (game, quick)


@pytest.mark.parametrize("game", GAMES)
def test_every_attribute_skill_and_trait_of_a_shipped_game_says_what_it_is_for(game: str) -> None:
    sheet = handful.ruleset(game).rules.sheet
    assert sheet is not None
    entries: list[Any] = [*(one.param for one in sheet.attributes.values())]
    entries += [*sheet.skills.values(), *sheet.proficiencies.values(), *sheet.traits.values()]
    for entry in entries:
        assert {*entry.help} == {"en", "de"}, entry.name
        assert all(len(text) <= 48 for text in entry.help.values()), entry.name


def test_a_variant_keeps_only_the_quick_starts_that_fit_it() -> None:
    agga, fons = handful.ruleset("agga").rules.sheet, handful.ruleset("fons").rules.sheet
    assert agga is not None
    assert fons is not None
    assert set(agga.creation.quick["sturdy"].values["attributes"]) == {"brawn", "grace", "mettle", "savvy"}
    assert fons.creation.quick["sturdy"].values["attributes"]["might"] == 4
    assert fons.creation.quick["sturdy"].values["attributes"]["fright"] == 4


def test_every_quick_start_of_me_d6_has_something_to_fight_with() -> None:
    game = handful.ruleset("me-d6").rules
    assert game.sheet
    for quick in game.sheet.creation.quick:
        assert new_character(game, quick=quick).items, quick


def test_a_quick_start_brings_items_of_the_game() -> None:
    items = "[sheet.item.fields]\nedge = { type = 'number', default = 1, label.en = 'Edge' }\n"
    items += "[sheet.items]\nfoil = { title.en = 'Foil', edge = 2 }\n"
    quick = "[sheet.creation.quick.fencer]\ntitle.en = 'Fencer'\nattributes = { wit = 3 }\n"
    made = new_character(toy(ATTRIBUTES + items + quick + "items = ['foil']\n"), quick="fencer")
    assert [*made.items] == ["foil"]
    with pytest.raises(BadRuleset, match="foyle"):
        toy(ATTRIBUTES + items + quick + "items = ['foyle']\n")


def test_points_of_die_codes_are_counted_in_dice() -> None:
    rules = handful.ruleset("me-d6").rules
    made = new_character(rules, "Nell", values={"attributes": {"dexterity": "4D+2", "technical": "2D+2"}})
    dice, skills, tokens = points_left(rules, made)
    assert (dice.spent, dice.amount(dice.spent)) == (Fraction(58, 3), "19D+1")
    assert not dice.keeps
    assert str(dice.says()) == "0D+1 too many"
    assert (str(skills.says()), str(tokens.says())) == ("21 left", "4 left")


def test_a_value_above_the_highest_at_creation_is_named() -> None:
    rules = handful.ruleset("me-d6").rules
    made = new_character(rules, "Nell", values={"skills": {"dodge": 7, "repair": 6}})
    skills = points_left(rules, made)[1]
    assert skills.too_high == (("skills", "dodge"),)
    assert not skills.keeps
    assert skills.to_dict()["left"] == "8"


# -- a game that nobody has seen


def test_attributes_alone_are_enough() -> None:
    rules = toy(ATTRIBUTES)
    assert blank_data(rules)["attributes"] == {"wit": 1, "nerve": 1, "luck": 1}
    assert points_left(rules, new_character(rules, "Nell")) == ()
    seen = {tuple(quick_data(rules, seed)["attributes"].values()) for seed in range(20)}
    assert len(seen) > 1
    for values in seen:
        assert all(1 <= one <= 6 for one in values)
        assert sum(values) == 9  # usual values: one higher for each that is lower


@pytest.mark.parametrize(
    ("least", "most", "kind"),
    [
        (0, 20, "number"),
        (1, 100, "number"),
        (1, 7, "halves"),
        (0, 100_000, "number"),
        (2, 2, "number"),
        (0, 12, "die_code"),
    ],
)
def test_usual_values_stay_in_any_range(least: int, most: int, kind: str) -> None:
    rules = toy(ATTRIBUTES.replace("min = 1\nmax = 6", f'type = "{kind}"\nmin = {least}\nmax = {most}'))
    for seed in range(10):
        made = new_character(rules, quick=True, seed=seed)
        assert canonical_data(rules.sheet, made)["attributes"] == quick_data(rules, seed)["attributes"]  # type: ignore[arg-type]


def test_a_quick_start_spends_all_points_within_limits() -> None:
    more = budget("points = 14\nmax = 5") + budget("points = 9\nover = ['skills']\nmax = 4", "skills")
    rules = toy(ATTRIBUTES + SKILLS + more)
    for seed in range(25):
        made = new_character(rules, quick=True, seed=seed)
        assert [(one.left, one.keeps) for one in points_left(rules, made)] == [(0, True), (0, True)]


def test_points_can_follow_from_attributes_and_prices_can_rise() -> None:
    more = budget("points = '4 + 2 * attributes.wit'\nover = ['skills']\ncost = 'value * (value + 1) / 2'")
    rules = toy(ATTRIBUTES + SKILLS + more)
    made = new_character(
        rules, "Nell", values={"attributes": {"wit": 3}, "skills": {"skill_1": 3, "skill_2": 2}}
    )
    (state,) = points_left(rules, made)
    assert (state.points, state.spent, str(state.says())) == (10, 9, "1 left")
    quick = new_character(rules, quick=True, seed=4)
    assert points_left(rules, quick)[0].keeps


def test_one_budget_over_several_sections_is_shared() -> None:
    rules = toy(ATTRIBUTES + SKILLS + budget("points = 20\nover = ['attributes', 'skills']"))
    for seed in range(10):
        made = new_character(rules, quick=True, seed=seed)
        (state,) = points_left(rules, made)
        assert state.keeps
        assert made.skills


def test_a_budget_binds_player_characters_unless_it_says_otherwise() -> None:
    rules = toy(ATTRIBUTES + budget("points = 4") + budget("points = 5\nkinds = ['npc']", "other"))
    assert [one.name for one in points_left(rules, new_character(rules, "Nell"))] == ["b"]
    assert [one.name for one in points_left(rules, new_character(rules, "Nell", kind="npc"))] == ["other"]


def test_advice_is_given_in_words_and_only_a_strict_game_refuses() -> None:
    values = {"attributes": {"wit": 6, "nerve": 6}}
    more = budget("points = 10\nleast = 5")
    rules = toy(ATTRIBUTES + more)
    made = new_character(rules, "Nell", values=values)
    assert [str(one.says()) for one in points_left(rules, made)] == ["3 too many"]
    assert [str(one.says()) for one in points_left(rules, new_character(rules, "Jo"))] == [
        "2 to spend yet, 7 at most"
    ]
    check_budgets(rules, made)
    strict = toy(ATTRIBUTES + more + "[sheet.creation]\nstrict = true\n")
    with pytest.raises(Refused, match="Nell breaks the rules for new characters: Points, 3 too many"):
        check_budgets(strict, made)
    check_budgets(
        strict, new_character(strict, "Jo", values={"attributes": {"wit": 4, "nerve": 4, "luck": 2}})
    )


def test_what_a_base_says_about_replaced_entries_is_left_out() -> None:
    more = budget("points = 9\nover = ['wit', 'nerve']") + (
        "[sheet.creation.quick.sharp]\ntitle.en = 'Sharp'\nattributes = { wit = 3 }\n"
        "[sheet.creation.start]\nattributes = { nerve = 2, luck = 2 }\n"
    )
    own = 'replace = ["sheet.attributes"]\n[sheet.attributes]\nluck = { title.en = "Luck" }\n'
    rules = toy(ATTRIBUTES + more, own)
    assert rules.sheet is not None
    assert not rules.sheet.creation.budgets
    assert not rules.sheet.creation.quick
    assert blank_data(rules)["attributes"] == {"luck": 2}
    with pytest.raises(BadRuleset, match="no character of this game has 'grit'"):
        toy(ATTRIBUTES, "[sheet.creation.start]\nattributes = { grit = 2 }\n")


# -- names and values


def test_names_come_from_the_game_or_from_neutral_ones() -> None:
    rules = toy(ATTRIBUTES + "[sheet.creation.names]\nfirst = ['Ada', 'Jo']\nlast = ['Rook']\n")
    assert {random_name(rules, seed) for seed in range(20)} == {"Ada Rook", "Jo Rook"}
    plain = toy(ATTRIBUTES)
    names = [random_name(plain, seed) for seed in range(200)]
    assert names == [random_name(plain, seed) for seed in range(200)]
    assert len({*names}) > 150
    for name in names:
        assert read_character(plain, blank_data(plain) | {"name": name}).name == name


def test_the_same_seed_gives_the_same_character() -> None:
    uwr = handful.ruleset("uwr")
    one, other = uwr.new_character(quick=True, seed=11), uwr.new_character(quick=True, seed=11)
    assert uwr.export(one) == uwr.export(other)
    assert uwr.export(one) == uwr.export(uwr.character(one))


def test_values_go_before_and_wrong_ones_are_refused_with_all_reasons() -> None:
    uwr = handful.ruleset("uwr")
    made = uwr.new_character("Nell", quick="sturdy", attributes={"grace": 2.5}, notes="Hums.")
    assert (made.attributes["might"], made.attributes["grace"], made.notes) == (4, Fraction(5, 2), "Hums.")
    with pytest.raises(BadCharacter) as raised:
        uwr.new_character("Nell", attributes={"grace": 9}, traits=["tall"])
    assert len(raised.value.problems) == 2
    with pytest.raises(Refused, match="nimble"):
        uwr.new_character("Nell", quick="nimbel")
