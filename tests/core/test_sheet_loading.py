"""The `[sheet]` part of a ruleset: its syntax, and messages for its mistakes."""

from __future__ import annotations

import pytest
from ruleset_cases import GAMES, ruleset
from sample_characters import JO, TOY, load_toy, toy, toy_character

from handful.rules.load import BadRuleset, load
from handful.sheet import derive, read_character


def mistakes(text: str) -> list[str]:
    with pytest.raises(BadRuleset) as raised:
        load_toy(text)
    assert all(error.line and error.file == "toy0.toml" for error in raised.value.errors)
    return [f"{error.line}: {error.message} | {error.hint}" for error in raised.value.errors]


def line_of(text: str, part: str) -> int:
    return 1 + next(n for n, line in enumerate(text.splitlines()) if part in line)


WRONG = [  # what is written instead of what; what is said
    ("wit = { title", "wit = { tytle", "there is no 'tytle' here", "did you mean 'title'?"),
    ("min = 0\nmax = 9", 'min = 0\ntype = "truth"', "wit cannot be of that type", "die_code"),
    ('de = "Witz" }', 'de = "Witz" }, default = 10', "the default does not fit", ""),
    ('called = "knack"', 'called = "a knack"', "'a knack' is not a name", ""),
    ('bluff = { title = { en = "Bluff", de = "Täuschen" } }', "bluff = 3", "must be a table", ""),
    ('{ title = { en = "Hand" }', '{ title = { de = "Hand" }', "needs English wording", ""),
    ("twice(number = attributes.wit)", "twice(number = attributes.wut)", "'wut'", "wit"),
    ("skills.bluff", "skills.bluf", "'bluf'", "bluff"),
    ('value = "derived.hand + 3"', 'value = "derived.limit + 3"', "'limit'", "hand"),
    (
        'value = "derived.hand + 3"',
        'value = "sum(roll(1, d6))"',
        "throws no dice",
        "without dice and questions",
    ),
    ('value = "derived.hand + 3"', "value = 3", "needs a formula", "attributes.strength"),
    ('value = "derived.hand + 3"', 'value = "derived.hand > 3"', "a number is needed", "1 if"),
    ('value = "derived.hand + 3"', 'value = "derived.hand +"', "", ""),
    ('when = "resources.chips == 0"\ng', 'when = "resources.chips"\ng', "a truth is needed", "> 0"),
    ('max = "derived.limit"', 'max = "derived.limits"', "'limits'", "limit"),
    ("max = 3\n", "max = -1\n", "the range of heat is empty", "min must not exceed max"),
    ('kinds = ["npc"]', 'kinds = ["monster"]', "there is no kind 'monster'", "pc or npc"),
    ("gives = [{ tired = 1 }]", "gives = [{ tird = 1 }]", "the parameter 'tird'", "tired"),
    ("gives = [{ tired = 1 }]", "gives = [{ tired = 9 }]", "tired: 9 is out of range", ""),
    ("gives = [{ tired = 1 }]", "gives = { tired = 1 }", "gives must be a list of tables", ""),
    ("gives = [{ tired = 1 }]", "gives = [{ off = true }]", "it gives nothing", "parameter"),
    ('for = ["bluff"]', 'for = ["bluf"]', "there is no 'bluf'", "did you mean 'bluff'?"),
    ("off = true", "off = 1", "off must be true or false", ""),
    ("[sheet.picks.cards]", "[sheet.picks.card]", "no check has the parameter 'card'", "cards"),
    ('{ cards = "knack" }', '{ cards = "nack" }', "skills have no 'nack'", "did you mean 'knack'?"),
    ("[sheet.traits.charmed]", "[sheet.trait.charmed]", "there is no 'trait' here", "traits"),
    ("[sheet.picks", '[sheet.told]\nluck = ["lack"]\n[sheet.picks', "no word 'lack'", "luck"),
    ("start = 1\n", "start = 1\nuses.x = { changes = { chip = 1 } }\n", "no resource 'chip'", ""),
    ("start = 1\n", 'start = 1\nspent = { lick = ["x"] }\n', "or decision 'lick'", "luck"),
]


@pytest.mark.parametrize(("right", "wrong", "message", "hint"), WRONG)
def test_a_mistake_is_reported_with_its_line(right: str, wrong: str, message: str, hint: str) -> None:
    assert right in TOY
    text = TOY.replace(right, wrong, 1)
    found = mistakes(text)
    pairs = zip(text.splitlines(), TOY.splitlines(), strict=False)
    changed = {number for number, (one, other) in enumerate(pairs, 1) if one != other}
    fitting = [one for one in found if message in one and hint in one]
    assert fitting, found
    assert int(fitting[0].partition(":")[0]) in {n + d for n in changed for d in (-1, 0, 1)}


def test_the_caret_stands_below_the_formula() -> None:
    with pytest.raises(BadRuleset) as raised:
        load_toy(TOY.replace("+ skills.bluff", "+ skils.bluff"))
    (error,) = raised.value.errors
    assert error.line == line_of(TOY, "[sheet.derived]") + 1
    assert error.rule == "sheet.derived.hand.value"
    shown = str(error).splitlines()
    assert '"twice(number = attributes.wit).value + skils.bluff"' in shown[1]
    assert shown[2].index("^") == shown[1].index("skils")


def test_formulas_on_lines_of_their_own() -> None:
    text = TOY.replace('value = "derived.hand + 3" }', 'value = """\nderived.hand\n+ 3\n""" }')
    assert derive(load_toy(text), read_character(load_toy(text), JO)).derived["limit"] == 11
    with pytest.raises(BadRuleset) as raised:
        load_toy(text.replace("+ 3\n", "+ three\n"))
    assert raised.value.errors[0].line == line_of(text, "+ 3")


def test_all_mistakes_come_at_once() -> None:
    text = TOY.replace("skills.bluff", "skills.bluf").replace('kinds = ["npc"]', "kinds = 3")
    text = text.replace("tired = 1", "tird = 1")
    assert len(mistakes(text)) >= 2


def test_a_formula_may_call_only_rules_without_effects() -> None:
    loud = TOY.replace(
        'does = "result(value = 2 * number)"', 'does = "result(value = sum(roll(number, d6)))"'
    )
    assert "throws no dice and asks nobody; twice does" in "".join(mistakes(loud))


def test_a_rule_used_only_by_a_formula_counts_as_used() -> None:
    assert "twice" in toy().rules
    without = TOY.replace("twice(number = attributes.wit).value", "attributes.wit")
    assert "nothing calls the rule 'twice'" in "".join(mistakes(without))


def test_an_option_may_count_in_a_formula() -> None:
    text = TOY.replace("derived.hand + 3", "derived.hand + options.tired_costs")
    rules = load_toy(text)
    who = read_character(rules, JO)
    assert derive(rules, who).derived["limit"] == 9
    assert derive(rules, who, {"tired_costs": 2}).derived["limit"] == 10


# -- extends


HOUSE = """language = 1
id = "house"
extends = "toy"
[sheet.attributes.grit]
title = { en = "Grit" }
default = 1
[sheet.attributes.nerve]
title = { en = "Pluck" }
[sheet.resources.chips]
start = 2
"""


def test_a_sheet_is_merged_with_its_base() -> None:
    house = load_toy(TOY, HOUSE)
    assert list(house.sheet.attributes) == ["wit", "nerve", "grit"]
    assert house.sheet.attributes["nerve"].title["en"] == "Pluck"
    who = read_character(house, JO)
    assert (who.ruleset, who.resources["chips"], who.attributes["grit"]) == ("toy", 2, 1)
    assert house.sheet.lineage == ("house", "toy")
    assert house.hash != toy().hash


def test_parts_of_a_sheet_can_be_replaced() -> None:
    replaced = 'extends = "toy"\nreplace = ["sheet.traits", "sheet.nothing.here"]\n'
    house = load_toy(TOY, HOUSE.replace('extends = "toy"\n', replaced))
    assert not house.sheet.traits
    assert house.sheet.conditions


def test_a_mistake_in_an_overriding_file_names_that_file() -> None:
    with pytest.raises(BadRuleset) as raised:
        load_toy(TOY, HOUSE.replace('title = { en = "Grit" }', 'title = "Grit"'))
    assert [(e.file, e.line) for e in raised.value.errors] == [("toy1.toml", 5)]


def test_the_hash_covers_the_sheet() -> None:
    assert load_toy(TOY.replace("start = 1", "start = 2")).hash != toy().hash


def test_a_game_needs_no_sheet() -> None:
    rule = TOY[TOY.index("[rules.twice]") : TOY.index("[checks.draw]")]
    rules = load_toy(TOY[: TOY.index("[sheet.attribute]")].replace(rule, ""))
    assert rules.sheet is None


@pytest.mark.parametrize("game", GAMES)
def test_a_trusted_game_has_the_same_sheet(game: str) -> None:
    own = ruleset(game)
    from handful.library import read_sources, ruleset_path

    proven = load(read_sources(ruleset_path(game)), trusted=True)
    assert list(proven.sheet.formulas()) == list(own.rules.sheet.formulas())
    assert proven.sheet is proven.sheet  # loaded once


@pytest.mark.parametrize("game", GAMES)
def test_all_wording_is_in_both_languages(game: str) -> None:
    def without(data: object, path: tuple[str, ...]) -> list[str]:
        if not isinstance(data, dict):
            return []
        if "en" in data:
            return [] if data.get("de") else [".".join(path)]
        return [one for key, part in data.items() for one in without(part, (*path, key))]

    assert not without(ruleset(game).rules.content["sheet"], ())


def test_formulas_are_evaluated() -> None:
    found = derive(toy(), toy_character())
    assert found.derived == {"hand": 8, "limit": 11}
    assert found.ranges["chips"].most == 11
    assert "heat" not in found.ranges
    assert derive(toy(), toy_character(kind="npc")).ranges["heat"].most == 3
