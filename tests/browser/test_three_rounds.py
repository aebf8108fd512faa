"""A three-round fight of me-d6 in Chromium, rule by rule: a GM, a laptop and a phone.

An early parry, a full reaction by the slowest, a ranged attack that overheats, a point after
damage dice, a free action granted by the GM, and a critical failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from browser_fights import PATIENCE, FightPlayer, FightScene
from playwright.sync_api import Browser, Locator, expect
from servers import ServerProcess

from browser.test_fights import CORVIN, IDS, RAIDER, SANNA, begins

expect.set_options(timeout=PATIENCE)

PARRY = ("sheet", "rounds", "answers", "parry", "title")
FULL = ("sheet", "rounds", "stances", "full_reaction")
INTERNAL = re.compile(r"\b[a-z]+_[a-z_]+\b|\b(?:paragon|renegade)-(?:bonus|dice)\b")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("rounds") / "tables.db") as running:
        yield running


class State:
    """The fight and the sheets as the GM sees them."""

    def __init__(self, ring: FightScene) -> None:
        self.view: dict[str, Any] = ring.seats["gm"].get("/view")

    def actions(self) -> dict[str, tuple[int | None, int | None]]:
        """Actions left, and of how many."""
        order = self.view["fight"]["order"]
        return {one["name"]: (one["left"], one["actions"]) for one in order}

    def points(self, name: str, resource: str) -> int:
        points: int = self.of(name)["sheet"]["resources"][resource]
        return points

    def of(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = next(one for one in self.view["characters"] if one["name"] == name)
        return found


def check_screen(what: str, *people: FightPlayer) -> None:
    """The screens are in order, and say nothing in the words of files and programs."""
    for one in people:
        one.check_screen(what)
        found = INTERNAL.findall(one.page.locator("body").inner_text())
        assert not found, f"{what}: {one.name} reads {found}"


def attacks(who: FightPlayer, name: str, title: str, target: str, **values: str) -> Locator:
    """An attack as it is declared: which skill, and against whom."""
    who.fills_in_attack(name)
    who.rolls(title, target=IDS[target], **values)
    return who.card(title)


def acts(who: FightPlayer, name: str, what: str) -> None:
    """Take an action without a roll."""
    who.turn(name).get_by_label(who.say("fight.what")).first.fill(what)
    who.press(who.turn(name), "fight.act")


def hit_says(one: FightPlayer, other: str, name: str, total: int) -> str:
    """Return the text for a player who was hit before their turn."""
    result = f"{one.say.of('words', 'total')} {total}"
    return one.say("moment.early_own", other=other, who=name, result=result, how=one.say.of(*PARRY))


def hides_defense(one: FightPlayer, title: str, defense: int) -> None:
    """Assert that a seat that may not see the target's sheet sees a Defense without its number."""
    card = one.card(title)
    expect(card).to_contain_text(one.say("roll.hidden"))
    expect(card).not_to_contain_text(f"{one.say.label('attack', 'defense')} {defense}")
    expect(card.locator(".verdict")).to_have_count(0)


@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_fight_of_three_rounds_by_the_book(browser: Browser, server: ServerProcess, language: str) -> None:
    ring = FightScene(browser, server, "me-d6", language, f"Hold {language}", phones=("bob",))
    ring.do("gm", "adjust", character=IDS[SANNA], resources={"hit_points": 12})
    with ring as (gm, ann, bob):
        begins(gm, SANNA, CORVIN)
        _joins(gm)
        _a_blow_and_a_point_after_damage_dice(gm, ann, bob)
        assert State(ring).points(CORVIN, "renegade") == 1
        _an_early_parry(gm, ann, bob)
        state = State(ring)
        assert state.actions() == {CORVIN: (1, 2), RAIDER: (0, 2), SANNA: (0, 2)}
        assert [state.points(one, "hit_points") for one in IDS] == [30, 29, 21]
        _next_round(gm, 2, lost=f"{CORVIN} 1")

        _a_full_reaction_by_the_slowest(gm, ann, bob)
        state = State(ring)
        assert state.actions() == {CORVIN: (0, 1), RAIDER: (1, 2), SANNA: (0, 0)}
        assert state.points(SANNA, "hit_points") == 29
        _next_round(gm, 3, lost=f"{RAIDER} 1")

        _a_free_action_and_a_critical_failure(gm, ann, bob)
        assert State(ring).actions() == {CORVIN: (0, 1), RAIDER: (None, None), SANNA: (None, None)}
        _a_weapon_overheats(gm, ann, bob)
        state = State(ring)
        assert state.actions() == {CORVIN: (0, 1), RAIDER: (1, 1), SANNA: (0, 1)}
        assert state.of(SANNA)["items"]["pistol"]["hot"] is True
        gm.press(gm.fight(), "fight.end_fight")
        for one in (gm, ann, bob):
            expect(one.bar).to_have_count(0)


def _joins(gm: FightPlayer) -> None:
    """The raider comes behind Corvin, so that Sanna is the slowest."""
    panel = gm.fight()
    panel.get_by_text(gm.say("fight.join"), exact=True).click()
    panel.get_by_label(gm.say("fight.behind")).select_option(label=CORVIN)
    panel.get_by_label(gm.say("panel.character"), exact=True).select_option(label=RAIDER)
    gm.press(panel, "line.add")
    order = gm.bar.get_by_role("list", name=gm.say("fight.order")).get_by_role("listitem")
    expect(order).to_contain_text([CORVIN, RAIDER, SANNA])


def _next_round(gm: FightPlayer, number: int, lost: str) -> None:
    expect(gm.bar).to_contain_text(gm.say("fight.would_lose", what=lost))
    gm.press(gm.bar, "fight.next_round")
    expect(gm.bar).to_contain_text(gm.say("fight.round", n=number))


def _a_blow_and_a_point_after_damage_dice(gm: FightPlayer, ann: FightPlayer, bob: FightPlayer) -> None:
    ann.fixes(CORVIN, 2)
    card = attacks(ann, CORVIN, "pipe", RAIDER, dice="melee")
    ann.throws(card, "5", "4")  # 3D+1 and 3, one die less
    unknown = ann.say("roll.unknown", what=ann.say.label("attack", "defense"))
    expect(card.locator(".decision")).to_contain_text(unknown)
    check_screen("a point against something unknown", ann)
    ann.decides("pipe")
    expect(gm.bar).to_contain_text(hit_says(gm, f"{CORVIN} (ann)", RAIDER, 13))
    for one in (ann, bob):
        expect(one.bar).not_to_contain_text(one.say("moment.take"))
        hides_defense(one, "pipe", 12)
    check_screen("the raider is hit", gm)
    gm.press(gm.bar, "moment.take")
    expect(gm.bar).not_to_contain_text(gm.say("moment.take"))
    expect(gm.tells("pipe")).to_contain_text(gm.say("success"))  # 13 reaches 12
    for one in (ann, bob):
        hides_defense(one, "pipe", 12)

    ann.press(ann.card("pipe"), "harm.roll_damage")
    hurts = ann.say("harm.damage_to", who=RAIDER)  # the ship's axe: 4D
    ann.throws(ann.card(hurts), "3", "452")
    expect(ann.card(hurts).locator(".decision .worth").first).to_contain_text("14")
    check_screen("a point after damage dice", ann)
    ann.decides(hurts, "renegade-bonus")
    expect(ann.finishes(hurts)).to_contain_text("17")  # D-45
    gm.uses_own_dice()
    gm.press(gm.card("pipe"), "harm.roll_resist", who=RAIDER)
    resists = gm.say("harm.resists", who=RAIDER)
    gm.throws(gm.card(resists), "2", "23")
    gm.press(gm.card("pipe"), "attack.apply_n", n=9)
    light = gm.say.of("sheet", "conditions", "lightly_wounded", "title")
    expect(gm.place(RAIDER)).to_contain_text(f"21/30 · ✦ {light}")  # 17 less 8
    expect(ann.place(RAIDER)).not_to_contain_text("21/30")
    ann.press(ann.turn(CORVIN), "fight.end_turn")


def _an_early_parry(gm: FightPlayer, ann: FightPlayer, bob: FightPlayer) -> None:
    gm.fixes(RAIDER, 2)
    card = attacks(gm, RAIDER, "club", SANNA, dice="melee")
    gm.throws(card, "6", "3")  # 3D+1 and 2; a wound and a second action leave the wild die
    expect(bob.bar).to_contain_text(hit_says(bob, f"{RAIDER} (gm)", SANNA, 12))
    expect(ann.bar).not_to_contain_text(ann.say("moment.take"))
    hides_defense(ann, "club", 9)
    check_screen("hit before the turn", bob, ann)
    parry = bob.say.of(*PARRY)
    bob.uses_own_dice()
    bob.press(bob.bar, "moment.of", what=parry, n=2)
    bob.is_led_to(parry)
    bob.throws(bob.card(parry), "5", "54")  # two actions are free for her
    check_screen("a point after a parry", bob)
    bob.decides(parry)
    hides_defense(ann, "club", 9)
    gm.press(gm.card(parry), "roll.tell")
    for one in (gm, ann, bob):  # 14 is more than 12
        one.part("part.feed")
        parried = one.page.locator("article.contest")
        expect(parried).to_contain_text(one.say.of("words", "parried"))
        expect(parried).to_contain_text(one.say("contest.wins.one", who=SANNA))
    check_screen("parried", bob, ann)
    expect(bob.place(SANNA)).to_contain_text(bob.say("fight.actions.other", left=1, n=2))
    acts(gm, RAIDER, "kicks the crate over")
    expect(bob.bar).to_contain_text(bob.say("fight.turn_of", who=SANNA))
    acts(bob, SANNA, "shuts the hatch")
    expect(bob.bar).to_contain_text(bob.say("fight.all_done"))


def _a_full_reaction_by_the_slowest(gm: FightPlayer, ann: FightPlayer, bob: FightPlayer) -> None:
    ann.fixes(CORVIN, 1)
    acts(ann, CORVIN, "reloads")
    gm.fixes(RAIDER, 2)
    attacks(gm, RAIDER, "club again", SANNA, dice="melee")
    expect(bob.bar).to_contain_text(bob.say("moment.stance", other=f"{RAIDER} (gm)", who=SANNA))
    check_screen("may still take a full reaction", bob)
    says = f"{bob.say.of(*FULL, 'title')}: {bob.say.of(*FULL, 'choices', 'melee')}"
    place = bob.place(SANNA)
    place.get_by_text(bob.say("fight.may", who=SANNA)).click()
    expect(place.get_by_role("button", name=says, exact=True)).to_be_visible()
    bob.bar.get_by_role("button", name=says, exact=True).click()
    expect(place).to_contain_text(says)
    expect(ann.place(SANNA)).to_contain_text(says)
    gm.throws(gm.card("club again"), "6", "3")
    expect(gm.tells("club again")).to_contain_text(gm.say("failure"))  # 12 against 9 and 10
    expect(gm.place(SANNA)).to_contain_text(says)
    hides_defense(ann, "club again", 19)
    expect(bob.bar).not_to_contain_text(bob.say("moment.take"))
    check_screen("full reaction", gm, bob)
    gm.press(gm.turn(RAIDER), "fight.end_turn")
    expect(bob.bar).to_contain_text(bob.say("fight.all_done"))  # nothing else in that round


def _a_free_action_and_a_critical_failure(gm: FightPlayer, ann: FightPlayer, bob: FightPlayer) -> None:
    ann.fixes(CORVIN, 1)
    acts(ann, CORVIN, "takes cover")
    place = gm.place(CORVIN)
    place.get_by_text(gm.say("roll.instead", who=CORVIN)).click()
    check_screen("what the GM may grant", gm)
    for leave in ("reaction", "free_action"):
        grant = gm.say(f"fight.grant.{leave}", who=CORVIN)
        expect(place.get_by_role("button", name=grant, exact=True)).to_be_visible()
    gm.press(place, "fight.grant.free_action", who=CORVIN)
    expect(ann.bar).to_contain_text(ann.say("moment.free", who=CORVIN))
    expect(bob.bar).not_to_contain_text(bob.say("moment.use"))
    check_screen("a free action", ann)
    ann.press(ann.bar, "moment.use")
    ann.rolls("a quick glance", dice="search", difficulty="10")
    ann.throws(ann.card("a quick glance"), "1", "533")
    expect(ann.bar).not_to_contain_text(ann.say("moment.use"))
    check_screen("a critical failure", gm, ann)
    gm.decides("a quick glance", "cancel", "ruling")
    ann.decides("a quick glance")
    ann.finishes("a quick glance")
    for one in (gm, ann, bob):
        card = one.card("a quick glance")
        expect(card).to_contain_text(one.say("deed.granted"))
        expect(card).to_contain_text(one.say.of("words", "critical_failure"))
        expect(card).to_contain_text(one.say("failure"))  # 3, 3 and the 1: 7
    check_screen("granted", bob)


def _a_weapon_overheats(gm: FightPlayer, ann: FightPlayer, bob: FightPlayer) -> None:
    gm.fixes(RAIDER, 1)
    gm.press(gm.turn(RAIDER), "fight.end_turn")
    bob.fixes(SANNA, 1)
    card = attacks(bob, SANNA, "a shot", RAIDER, dice="ranged", item="pistol")
    bob.throws(card, "1", "45")
    gm.decides("a shot", "complication", "ruling")
    bob.decides("a shot")
    gm.tells("a shot")
    for one in (gm, ann, bob):
        expect(one.card("a shot")).to_contain_text(one.say.of("words", "weapon_overheats"))
    for one in (ann, bob):
        hides_defense(one, "a shot", 9)
    expect(bob.place(SANNA)).to_contain_text(bob.say("things.hot"))
    check_screen("the weapon overheats", gm, ann, bob)
