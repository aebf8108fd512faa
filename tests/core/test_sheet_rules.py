"""Every rule that involves a sheet, by its number."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from ruleset_cases import ruleset
from sample_characters import contribution_lines, contributions_of, shipped_character

import handful
from handful.errors import BadCharacter, Refused
from handful.sheet import Character, adjusted, derive, paid, skill_rank, spent_by, used

UWR, AGGA, FONS, TUURNA, ME = map(ruleset, ("uwr", "agga", "fons", "tuurna", "me-d6"))
FOUR = {"might": 2, "grace": 3, "mettle": 2, "insight": 2}
SIX = dict.fromkeys(("dexterity", "knowledge", "mechanical", "perception", "strength", "technical"), "3D")


def of_uwr(**fields: Any) -> Character:
    return UWR.character({"format": 1, "ruleset": "uwr", "name": "A", "attributes": FOUR, **fields})


def of_tuurna(**fields: Any) -> Character:
    return TUURNA.character({"format": 1, "ruleset": "tuurna", "name": "B", **fields})


def of_me(**fields: Any) -> Character:
    attributes = {**SIX, **fields.pop("attributes", {})}
    head = {"format": 1, "ruleset": "me-d6", "name": "C", "attributes": attributes}
    return ME.character({**head, **fields})


def args(draft: handful.Draft) -> Any:
    return draft.bound().args


def dice(check: str, **asked: Any) -> int:
    """Return the number of dice of the first throw in me-d6, the wild die included."""
    return ME.start(check, **asked).throw(faces=[3]).ask.count + 1


# -- uwr, agga, fons


def test_u10_half_an_attribute_becomes_a_reroll() -> None:
    found = contribution_lines(UWR.draft("direct", character=shipped_character("mira"), attribute="Grace"))
    assert found == [
        "Grace 3.5 dice",
        "Half a die becomes a reroll -0.5 dice",
        "Half a die becomes a reroll 1 rerolls",
    ]


def test_u13_the_four_primary_attributes() -> None:
    assert list(UWR.rules.sheet.attributes) == ["might", "grace", "mettle", "insight"]
    with pytest.raises(Refused, match="might, grace, mettle or insight"):
        UWR.draft("direct", character=of_uwr(), attribute="Charm")


def test_u14_the_ranks_are_those_of_the_proficiency() -> None:
    draft = UWR.draft(
        "direct", character=shipped_character("mira"), attribute="Grace", skill="Acrobatics", target=2
    )
    assert contribution_lines(draft)[:2] == ["Grace 3.5 dice", "Acrobatics, from Burglar 2 dice"]
    assert UWR.odds(draft).success == Fraction(473, 729)  # G-U1


def test_u14_a_narrower_skill_gives_rerolls() -> None:
    for skill, rerolls in (("Acrobatics", 0), ("Balance", 1), ("Tightroping", 2)):
        draft = UWR.draft("direct", character=shipped_character("mira"), attribute="Grace", skill=skill)
        assert (args(draft)["skill"], args(draft)["specific"]) == (2, rerolls)


def test_a6_the_attribute_is_rounded_down() -> None:
    found = contribution_lines(AGGA.draft("direct", character=shipped_character("dorn"), attribute="Brawn"))
    assert "Half a die becomes a reroll 1 rerolls" in found


def test_a7_the_attributes_have_other_names() -> None:
    assert list(AGGA.rules.sheet.attributes) == ["brawn", "grace", "mettle", "savvy"]


def test_a8_ranks_are_cumulative() -> None:
    draft = AGGA.draft("direct", character=shipped_character("dorn"), attribute="Brawn", skill="Athletics")
    assert args(draft)["skill"] == 4
    assert [one.source for one in contributions_of(draft) if one.parameter == "skill"] == [
        "Athletics, from Mariner",
        "Athletics, from Quarry Hand",
    ]


def test_a10_swimming_and_diving() -> None:
    for skill, rerolls in (("Swimming", 1), ("Diving", 2)):
        draft = AGGA.draft("direct", character=shipped_character("dorn"), attribute="Brawn", skill=skill)
        assert args(draft)["specific"] == rerolls


def test_a13_kenning_in_an_opposed_check() -> None:
    draft = AGGA.draft(
        "opposed",
        {"attribute": 4},
        {"character": shipped_character("ina"), "attribute": "Savvy", "skill": "Kenning"},
    )
    assert (args(draft)["sides"][1]["attribute"], args(draft)["sides"][1]["skill"]) == (3.5, 2)


def test_f4_half_a_die_is_not_thrown() -> None:
    draft = FONS.draft("direct", character=shipped_character("pell"), attribute="Charm")
    assert FONS.start(draft).ask.count == 3


def test_f7_any_attribute_may_be_called_for() -> None:
    assert (
        args(FONS.draft("direct", character=shipped_character("pell"), attribute="Style"))["attribute"] == 4
    )


def test_f9_specific_skills() -> None:
    draft = FONS.draft("direct", character=shipped_character("pell"), attribute="Grace", skill="Tightroping")
    assert (args(draft)["skill"], args(draft)["specific"]) == (3, 2)


def test_amb_u4_two_halves_make_a_die() -> None:
    draft = UWR.draft("direct", character=shipped_character("mira"), attribute="Insight")
    draft = draft.add("bonus", 0.5, by="gm", note="A hint")
    assert contribution_lines(draft) == ["Insight 2.5 dice", "A hint 0.5 dice"]
    assert UWR.start(draft).ask.count == 3


def test_amb_u6_the_cap_is_a_house_rule() -> None:
    asked = {"character": shipped_character("dorn"), "attribute": "Brawn", "skill": "Athletics"}
    usual = AGGA.start("direct", **asked).ask.count
    capped = AGGA.draft("direct", options={"skill_rank_cap": "3"}, **asked)
    assert (usual, AGGA.start(capped).ask.count) == (8, 7)
    assert "Skill above the maximum -1 dice" in contribution_lines(capped)


def test_amb_u7_rerolls_in_addition_to_dice_or_instead_of_them() -> None:
    asked = {"character": shipped_character("mira"), "attribute": 3, "skill": "Tightroping"}
    usual = UWR.start("direct", **asked).ask.count
    replaced = UWR.start("direct", options={"specific_skill": "replace"}, **asked).ask.count
    assert (usual, replaced) == (5, 3)


def test_amb_u16_one_skill_supplies_both() -> None:
    draft = UWR.draft("direct", character=shipped_character("mira"), attribute="Grace", skill="Balance")
    sources = {line.source for line in draft.lines if line.parameter in ("skill", "specific")}
    assert sources == {"skills.balance"}


# -- tuurna


def test_r2_levels_go_from_0_to_12() -> None:
    assert args(TUURNA.draft("check", character=shipped_character("ylir"), level="Armaments"))["level"] == (
        5,
    )
    with pytest.raises(BadCharacter, match=r"skills.armaments: 13 is out of range.*0 to 12"):
        of_tuurna(skills={"armaments": 13})


def test_r2_the_characters_of_the_page() -> None:
    rules = TUURNA.rules
    assert skill_rank(rules.sheet, shipped_character("ylir"), "armaments") == 5
    assert skill_rank(rules.sheet, shipped_character("zejhe"), "instinct") == 4
    assert skill_rank(rules.sheet, shipped_character("zejhe"), "armaments") == 2


def test_r6_supernatural_potential_is_of_one_skill() -> None:
    oruun = shipped_character("oruun")
    for skill, cap in (("Memory", 12), ("Communication", 9)):
        odds = TUURNA.odds("check", character=oruun, level=skill)
        assert max(odds.distribution) == cap


def test_r9_the_origin_stays_in_the_trace() -> None:
    draft = TUURNA.draft("check", character=shipped_character("zejhe"), level="Armaments")
    draft = draft.add("labor", 3, by="gm", note="high ground")
    found = {one.source: one.by for one in contributions_of(draft)}
    assert (
        found["Injured wrist (Specific Modifier)"],
        found["high ground (Circumstantial Modifier)"],
    ) == ("sheet", "gm")


def test_r10_r12_updates_are_added_up_before_the_roll() -> None:
    draft = TUURNA.draft("check", character=shipped_character("zejhe"), level="Armaments")
    draft = draft.add("labor", 3, by="gm").add("labor", 1, by="player")
    assert args(draft)["labor"] == (2,)


def bounded(*gives: dict[str, Any]) -> int:
    """The dice of a Roll of Level 5 with some traits."""
    who = of_tuurna(
        skills={"tactics": 5},
        traits=[{"name": f"T{n}", "gives": [gift]} for n, gift in enumerate(gives)],
    )
    return TUURNA.start("check", character=who, level="Tactics").ask.count


def test_r11_r13_several_minima_and_maxima() -> None:
    assert bounded({"labor_min": 3}, {"labor_min": 1}, {"labor_max": 5}) == 8
    assert bounded({"labor": 4}, {"labor_max": 3}, {"labor_max": 2}) == 7


def test_r14_a_smaller_maximum_drops_the_minimum() -> None:
    assert bounded({"labor_min": 3}, {"labor_max": 1}) == 5


def test_r15_a_minimum_gives_dice_out_of_nothing() -> None:
    assert bounded({"labor_min": 2}) == 7
    assert bounded({"labor": 1}, {"labor": 3}, {"labor": -2}, {"labor_min": 3}) == 8  # G-R4


def test_r16_leverage_and_labor_have_separate_bounds() -> None:
    who = of_tuurna(
        skills={"tactics": 5},
        traits=["cautious", {"name": "Bold", "gives": [{"leverage": 5, "labor": 5}]}],
    )
    draft = TUURNA.draft("check", character=who, level="Tactics", difficulty=4)
    assert contribution_lines(draft) == [
        "Tactics 5 dice",
        "Bold (Specific Modifier) 5 dice",
        "Bold (Specific Modifier) 5 points",
        "Cautious (Specific Modifier) -2 points",
    ]


def test_r17_one_die_is_left() -> None:
    assert bounded({"labor": -9}) == 1


def test_r26_a_trait_may_bring_a_fate() -> None:
    who = of_tuurna(skills={"craft": 3}, traits=[{"name": "Charm", "gives": [{"fate": "lucky"}]}])
    assert args(TUURNA.draft("check", character=who, level="Craft"))["fate"] == (("lucky",),)
    both = TUURNA.draft("check", character=who, level="Craft").add("fate", "lucky", by="gm")
    assert args(both)["fate"] == (("lucky", "lucky"),)


def test_r27_several_skills_each_with_its_own_modifiers() -> None:
    draft = TUURNA.draft("check", character=shipped_character("zejhe"), level="Craft,Communication")
    assert (args(draft)["level"], args(draft)["labor"]) == ((2, 3), (-2, 0))


def test_amb_r11_a_modifier_for_all_skills_stays_one() -> None:
    who = of_tuurna(
        skills={"craft": 5, "memory": 5},
        traits=[{"name": "Muse", "gives": [{"leverage": 2}]}],
    )
    draft = TUURNA.draft("check", character=who, level=["Craft", "Memory"], difficulty=5)
    assert args(draft)["leverage"] == (2,)
    assert round(float(TUURNA.odds(draft).success), 3) == 0.940
    once = TUURNA.odds(
        "check", character=who, level="craft,memory", difficulty=5, options={"multiskill_leverage": "once"}
    )
    assert round(float(once.success), 3) == 0.781


def test_amb_r6_an_untrained_skill_is_level_0() -> None:
    odds = TUURNA.odds("check", character=shipped_character("ylir"), level="Memory", difficulty=2)
    assert odds.events["cannot_attempt"] == 1


# -- me-d6


def test_d1_a_third_pip_is_a_die() -> None:
    assert of_me(attributes={"strength": "3D+2"}).attributes["strength"]["pips"] == 2
    for wrong in ("3D+3", "3D-1"):
        with pytest.raises(BadCharacter, match=r"attributes.strength: .*0 to 2"):
            of_me(attributes={"strength": wrong})


def test_d2_bonuses_in_dice_and_in_numbers_add_up() -> None:
    who = of_me(traits=[{"name": n, "gives": [{"bonus": b}]} for n, b in (("A", "+1D"), ("B", 2))])
    assert args(ME.draft("check", character=who, dice="search"))["bonus"] == {"dice": 1, "pips": 2}


def test_d11_taking_10_with_a_skill() -> None:
    who = of_me(attributes={"dexterity": "3D+1"}, skills={"ranged": 5})
    assert ME.start("take10", character=who, attribute="ranged").result == 15  # G-D11
    light = adjusted(ME.rules, who, {"hit_points": -1})  # AMB-D21: only zero dice forbid it
    assert ME.start("take10", character=light, attribute="ranged").result == 15
    with pytest.raises(Refused, match="zero dice"):
        ME.start("take10", character=adjusted(ME.rules, who, {"hit_points": -15}), attribute="ranged")
    with pytest.raises(Refused, match="3D"):
        ME.start("take10", character=shipped_character("corvin"), attribute="ranged")


def test_d12_untrained_is_offered_and_off() -> None:
    draft = ME.draft("check", character=shipped_character("corvin"), dice="medicine", difficulty=11)
    assert args(draft)["dice"] == {"dice": 3, "pips": 0}
    (number,) = [n for n, line in enumerate(draft.lines, 1) if line.source == "untrained"]
    assert args(draft)["untrained"] == 0
    harder = draft.switch(number, on=True, by="gm")
    assert args(harder)["untrained"] == 5
    assert "Untrained 5 difficulty" in contribution_lines(harder)


def test_d13_d21_an_ability_frees_an_action() -> None:
    who = of_me(traits=["quick_thinker"])
    draft = ME.draft("check", character=who, dice="ranged", actions=3)
    assert "Multi-action penalty -1 dice" in contribution_lines(draft)
    assert "Multi-action penalty -2 dice" in contribution_lines(
        ME.draft("check", character=of_me(), dice="ranged", actions=3)
    )


def test_d14_initiative_is_derived() -> None:
    assert derive(ME.rules, shipped_character("sanna")).derived["initiative"] == 13
    assert derive(ME.rules, of_me(derived={"initiative": 20})).derived["initiative"] == 20


def test_d15_tie_breakers_are_on_the_sheet() -> None:
    assert (shipped_character("sanna").kind, shipped_character("raider").kind) == ("pc", "npc")
    assert skill_rank(ME.rules.sheet, shipped_character("sanna"), "dodge") == 4


def test_d23_wounds_and_actions_may_leave_no_dice() -> None:
    who = of_me(attributes={"dexterity": "5D"}, resources={"hit_points": 15, "medals": 1})  # G-D7
    asked = {"character": who, "dice": "ranged", "actions": 3, "difficulty": 5}
    assert ME.odds("check", **asked).events == {"cannot_attempt": 1}
    assert dice("check", spend="medal", **asked) == 3


def test_d39_move_is_10_unless_set() -> None:
    assert derive(ME.rules, of_me()).derived["move"] == 10
    assert derive(ME.rules, shipped_character("raider")).derived["move"] == 12


def test_d41_d42_three_defenses() -> None:
    derived = derive(ME.rules, shipped_character("raider")).derived
    kinds = ("ranged_defense", "melee_defense", "brawling_defense")
    assert [derived[kind] for kind in kinds] == [9, 12, 14]


@pytest.mark.parametrize(
    ("most", "points", "condition"),
    [  # G-D10, AMB-D10
        (29, 29, None),
        (29, 28, "lightly_wounded"),
        (29, 20, "lightly_wounded"),
        (29, 19, "wounded"),
        (29, 10, "wounded"),
        (29, 9, "severely_wounded"),
        (29, 1, "severely_wounded"),
        (29, 0, "almost_dead"),
        (29, -1, "dead"),
        (32, 22, "lightly_wounded"),
        (32, 21, "wounded"),
        (32, 11, "wounded"),
        (32, 10, "severely_wounded"),
    ],
)
def test_d44_wound_levels(most: int, points: int, condition: str | None) -> None:
    who = of_me(derived={"hit_points_most": most}, resources={"hit_points": points})
    found = [one.name for one in derive(ME.rules, who).conditions]
    assert found == ([condition] if condition else [])


def test_d44_a_wound_is_a_line_of_the_check() -> None:
    draft = ME.draft("check", character=shipped_character("sanna"), dice="repair", difficulty=11)
    assert contribution_lines(draft)[:3] == ["Technical 4D+1", "Repair 6 points", "Wounded -3 dice"]
    light = ME.draft(
        "check", character=shipped_character("sanna"), dice="repair", options={"wound_penalties": "1,2,5"}
    )
    assert "Wounded -2 dice" in contribution_lines(light)


def test_d44_no_character_acts_at_0_hit_points() -> None:
    draft = ME.draft("check", character=of_me(resources={"hit_points": 0}), dice="repair")
    with pytest.raises(Refused, match="almost dead"):
        draft.bound()
    (number,) = [n for n, line in enumerate(draft.lines, 1) if line.cannot]
    assert draft.switch(number, on=False, by="gm").bound().check.name == "check"


def test_amb_d10_damage_is_no_check() -> None:
    asked = {"character": shipped_character("sanna"), "dice": "strength"}
    assert dice("total", **asked) == 3
    weak = ME.odds("total", options={"wounds_affect_resist": True}, **asked)
    assert weak.events == {"cannot_attempt": 1}


def test_d45_points_buy_dice_for_four_skills() -> None:
    corvin = shipped_character("corvin")
    asked = {"character": corvin, "spend": "paragon-dice"}
    assert dice("check", **{"dice": "command", **asked}) == 9
    with pytest.raises(Refused, match="command, con"):
        ME.start("check", dice="melee", **asked)


def test_d45_missing_points_are_refused() -> None:
    with pytest.raises(Refused, match="Raider has 0 Paragon, and this costs 1"):
        ME.start("check", character=shipped_character("raider"), dice="ranged", spend="paragon-bonus")


def test_d46_one_point_in_total() -> None:
    with pytest.raises(Refused, match="at most one"):
        ME.start(
            "check", character=shipped_character("corvin"), dice="con", spend="paragon-dice,renegade-bonus"
        )


def test_d47_medals_are_for_player_characters() -> None:
    with pytest.raises(BadCharacter, match=r"resources.medals: a non-player character has none"):
        of_me(kind="npc", resources={"medals": 1})
    with pytest.raises(Refused, match="0 Medals"):
        ME.start("check", character=shipped_character("raider"), dice="ranged", spend="medal")
    with pytest.raises(Refused, match="3 Medals, and this costs 4"):
        ME.start("check", character=shipped_character("corvin"), dice="con", spend="medal,medal,medal,medal")


def test_d47_a_medal_heals_10_hit_points() -> None:
    healed = used(ME.rules, shipped_character("sanna"), "medals", "heal")
    assert (healed.resources["hit_points"], healed.resources["medals"]) == (27, 2)
    again = used(ME.rules, healed, "Medals", "heal")  # AMB-D22: not above the maximum
    assert (again.resources["hit_points"], again.resources["medals"]) == (29, 1)
    assert used(ME.rules, of_me(resources={"hit_points": 0, "medals": 1}), "medals", "heal")
    with pytest.raises(Refused, match="cannot use that now"):
        used(ME.rules, of_me(resources={"hit_points": -1, "medals": 1}), "medals", "heal")
    with pytest.raises(Refused, match="0 Medals"):
        used(ME.rules, of_me(), "medals", "heal")


def test_amb_d22_a_medal_heals_the_dead_by_house_rule_only() -> None:
    dead = of_me(resources={"hit_points": -3, "medals": 1})
    for options in (None, {"medal_heal_dead": False}):
        with pytest.raises(Refused, match="cannot use that now"):
            used(ME.rules, dead, "medals", "heal", options)
    healed = used(ME.rules, dead, "medals", "heal", {"medal_heal_dead": True})
    assert (healed.resources["hit_points"], healed.resources["medals"]) == (7, 0)


def test_d10_the_sheet_gives_the_score_of_a_comparison() -> None:
    strong = of_me(attributes={"strength": "4D+1"})
    roll = ME.start(
        "compare", {"character": strong, "dice": "strength"}, {"character": "raider", "dice": "4D"}
    )
    assert (roll.result, roll.success, roll.events) == (13, True, ("compared",))
    assert ME.odds("compare", {"dice": "4D"}, {"dice": "4D"}).success > 0


def test_d45_d47_points_are_paid_once() -> None:
    corvin = shipped_character("corvin")
    roll = ME.start("check", character=corvin, dice="con", spend="paragon-dice,medal,medal")
    spent = spent_by(ME.rules, roll.bound.args)
    assert spent == {"paragon": 1, "medals": 2}
    after = paid(ME.rules, corvin, spent)
    assert (after.resources["paragon"], after.resources["medals"]) == (1, 1)
    assert spent_by(ME.rules, {"spend": "renegade-bonus"}) == {"renegade": 1}  # a decision's answer
    with pytest.raises(Refused, match="costs 2"):
        paid(ME.rules, after, spent)
    with pytest.raises(Refused, match="it goes from -1000 to 30"):
        adjusted(ME.rules, corvin, {"hit points": 1})
    with pytest.raises(Refused, match="has no resource 'mana'"):
        adjusted(ME.rules, corvin, {"mana": 1})


def test_amb_d6_skill_points_are_flat_or_pips() -> None:
    asked = {"character": of_me(skills={"ranged": 6}), "dice": "ranged"}
    assert dice("check", **asked) == 3
    assert dice("check", options={"skill_point_value": "pips_convert"}, **asked) == 5
