"""Whole fights in a real Chromium: a GM on a laptop, two players on phones of 360 px."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from fighters import PATIENCE, Fighter, Ring
from serving import Outside

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
CORVIN, SANNA, RAIDER = "Corvin Ade", "Sanna Vey", "Raider"
IDS = {CORVIN: "ann/Corvin Ade", SANNA: "bob/Sanna Vey", RAIDER: "gm/Raider"}

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; where it is missing, only the gate insists on it."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        says = "there is no chromium: apt-get install chromium"
        pytest.fail(says) if os.environ.get("CI") else pytest.skip(says)
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield made
        made.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    with Outside(tmp_path_factory.mktemp("fights") / "tables.db") as running:
        yield running


def begins(gm: Fighter, *names: str, hidden: str = "") -> None:
    """The GM chooses who fights; somebody without a sheet may be hidden."""
    panel = gm.fight()
    for name in names:
        panel.get_by_role("button", name=name, exact=True).click()
    if hidden:
        panel.get_by_text(gm.say("fight.nameless")).click()
        panel.get_by_label(gm.say("seats.name"), exact=True).fill(hidden)
        panel.get_by_label(gm.say("fight.its_initiative")).fill("20")
        panel.get_by_label(gm.say("fight.only_gm")).check()
        gm.press(panel, "line.add")
    gm.looks("begin")
    gm.press(panel, "fight.begin")
    expect(gm.bar).to_contain_text(gm.say("fight.round", n=1))


def at_rest(*people: Fighter) -> dict[str, str]:
    """What the pages hold, when nothing moves in them any more."""
    found = {}
    for one in people:
        chance = one.page.locator("p.chance")
        if chance.count():
            expect(chance).not_to_have_text("…")
        one.page.wait_for_timeout(500)
        found[one.name] = one.page.content()
    return found


@pytest.mark.parametrize("language", ["en", "de"])
def test_d13_to_d44_three_rounds_of_me_d6(
    browser: Browser, server: Outside, language: str
) -> None:
    ring = Ring(browser, server, "me-d6", language, f"Docks {language}")
    ring.do("gm", "show", character=IDS[RAIDER], shown="own")
    ring.do("gm", "adjust", character=IDS[SANNA], resources={"hit_points": 12})
    with ring as (gm, ann, bob):
        begins(gm, SANNA, CORVIN, RAIDER, hidden="Sniper")
        _first_round(gm, ann, bob)
        _second_round(gm, ann, bob)
        _third_round(gm, ann, bob)


def _first_round(gm: Fighter, ann: Fighter, bob: Fighter) -> None:
    """An attack and its harm, waiting, an interruption and a parry, beside somebody hidden."""
    for one in (gm, ann, bob):  # D-14: by initiative
        order = one.bar.get_by_role("list", name=one.say("fight.order")).get_by_role("listitem")
        names = [CORVIN, SANNA, RAIDER]
        expect(order).to_contain_text(["Sniper", *names] if one is gm else names)
    expect(ann.bar).to_contain_text(ann.say("fight.your_turn", who=CORVIN))
    expect(bob.bar).not_to_contain_text(ann.say("fight.take_turn"))
    ann.looks("my turn")
    bob.looks("not my turn")

    before = at_rest(ann, bob)  # whoever is hidden acts beside the others
    gm.fixes("Sniper", 1)
    gm.press(gm.turn("Sniper"), "fight.act")
    expect(gm.place("Sniper")).to_contain_text(gm.say("fight.actions", left=0, n=1))
    assert at_rest(ann, bob) == before
    assert "Sniper" not in before["ann"] + before["bob"]

    ann.press(ann.bar, "fight.take_turn")
    ann.looks("how many actions")
    ann.fixes(CORVIN, 2)
    expect(ann.bar.locator(".pips").first).to_have_text("○○")
    ann.looks("moves")
    ann.turn(CORVIN).get_by_role("button", name=ann.say.of("checks", "attack", "title")).click()
    ann.rolls("pipe", target=IDS[RAIDER], dice="melee")
    ann.throws(ann.card("pipe"), "5", "4")  # D-21: 3D+1 and 3, one die less: 2D+4
    card = ann.card("pipe")
    expect(card).to_contain_text("13")
    expect(card).to_contain_text(ann.say("roll.gm_tells"))
    ann.looks("untold")
    expect(gm.card("pipe")).to_contain_text(gm.say("roll.may_step_in", who=RAIDER))
    expect(gm.bar).to_contain_text(gm.say.of("sheet", "rounds", "answers", "parry", "title"))
    gm.looks("a hit that may be parried")
    gm.press(gm.bar, "moment.not")
    card = gm.tells("pipe")
    expect(card).to_contain_text(gm.say("success"))  # D-42: 13 reaches 12
    expect(ann.card("pipe")).not_to_contain_text(ann.say("success"))  # the Defense is the GM's

    ann.press(ann.card("pipe"), "harm.roll_damage")
    ann.rolls("pipe hurts", dice="4D")
    ann.throws(ann.card("pipe hurts"), "3", "452")
    expect(ann.card("pipe hurts")).to_contain_text("14")
    gm.press(gm.card("pipe"), "harm.roll_resist", who=RAIDER)
    gm.rolls("thick coat", dice="strength")
    gm.throws(gm.card("thick coat"), "2", "23")
    expect(gm.card("thick coat")).to_contain_text("8")
    harm = gm.card("pipe").locator("details.harm")
    harm.locator("summary").click()
    gm.looks("harm")
    gm.press(harm, "sheet.harm")
    expect(gm.place(RAIDER)).to_contain_text("24/30")  # 14 less 8
    expect(gm.place(RAIDER)).to_contain_text("✦")  # D-44: lightly wounded
    gm.looks("wounded")

    ann.press(ann.turn(CORVIN), "fight.end_turn")
    expect(ann.place(CORVIN)).to_contain_text(ann.say("fight.may_be_lost"))
    bob.fixes(SANNA, 2)
    bob.press(bob.turn(SANNA), "fight.wait")
    expect(bob.place(SANNA)).to_contain_text(bob.say("fight.waits_long"))  # D-18
    bob.looks("waits")

    gm.fixes(RAIDER, 1)
    gm.turn(RAIDER).get_by_role("button", name=gm.say.of("checks", "attack", "title")).click()
    gm.rolls("club", target=IDS[CORVIN], dice="melee")
    gm.throws(gm.card("club"), "5", "5")  # 3D+1 and 2, one die less by the wound: 13 reaches 13
    expect(gm.card("club")).to_contain_text(gm.say("roll.may_step_in", who=f"{CORVIN}, {SANNA}"))
    parry = ann.say.of("sheet", "rounds", "answers", "parry", "title")
    expect(ann.bar.get_by_role("button", name=parry, exact=True)).to_be_visible()  # D-43
    ann.looks("parry")
    expect(bob.bar).not_to_contain_text(parry)
    bob.looks("interrupt")
    bob.press(bob.bar, "moment.roll")  # D-19
    bob.page.get_by_label(bob.say("panel.check"), exact=True).select_option("attack")
    bob.rolls("warning shot", target=IDS[RAIDER], dice="ranged", kind="ranged", item="pistol")
    bob.throws(bob.card("warning shot"), "3", "22")
    expect(bob.card("warning shot")).to_contain_text("13")  # 3D+1 and 5; two actions are free for her
    gm.tells("warning shot")
    ann.bar.get_by_role("button", name=parry, exact=True).click()
    ann.throws(ann.card(parry), "5", "5")
    gm.looks("a parry to tell")
    gm.press(gm.card(parry), "roll.tell")
    for one in (gm, ann, bob):  # 14 is more than 13: the two are compared by themselves
        one.part("part.feed")
        expect(one.page.locator("article.contest")).to_contain_text(
            re.compile(one.say.of("words", "parried"), re.IGNORECASE)
        )
    ann.looks("parried")
    expect(ann.bar).to_contain_text(ann.say("fight.all_done"))
    assert not [one for one in ("Sniper",) if one in ann.page.content() + bob.page.content()]
    gm.looks("round over")
    gm.press(gm.bar, "fight.next_round")


def _second_round(gm: Fighter, ann: Fighter, bob: Fighter) -> None:
    """A full reaction, a round of preparing, and an attack that fails."""
    for one in (gm, ann, bob):
        expect(one.bar).to_contain_text(one.say("fight.round", n=2))
    stance = ("sheet", "rounds", "stances", "full_reaction")
    says = f"{ann.say.of(*stance, 'title')}: {ann.say.of(*stance, 'choices', 'melee')}"
    ann.turn(CORVIN).get_by_role("button", name=says, exact=True).click()  # D-28
    expect(ann.place(CORVIN)).to_contain_text(says)
    ann.looks("full reaction")
    bob.press(bob.turn(SANNA), "fight.prepare")  # D-29
    expect(bob.place(SANNA)).to_contain_text(bob.say("fight.prepared.one"))
    bob.looks("prepares")
    gm.fixes(RAIDER, 1)
    gm.turn(RAIDER).get_by_role("button", name=gm.say.of("checks", "attack", "title")).click()
    gm.rolls("club again", target=IDS[CORVIN], dice="melee")
    gm.throws(gm.card("club again"), "5", "5")
    assert "full reaction" not in ann.bar.inner_text()
    expect(gm.tells("club again")).to_contain_text(gm.say("failure"))  # 13 against 23
    parry = ann.say.of("sheet", "rounds", "answers", "parry", "title")
    expect(ann.bar.get_by_role("button", name=parry, exact=True)).to_have_count(0)
    expect(gm.bar).to_contain_text(gm.say("fight.all_used"))
    gm.press(gm.bar, "fight.next_round")


def _third_round(gm: Fighter, ann: Fighter, bob: Fighter) -> None:
    """A pace, an act without a roll, a weapon that overheats, a wound, and the end."""
    expect(ann.bar).to_contain_text(ann.say("fight.round", n=3))
    paces = ("sheet", "rounds", "paces")
    ann.turn(CORVIN).get_by_role("button", name=f"{ann.say.of(*paces, 'walking')} 10").click()  # D-39
    expect(ann.place(CORVIN)).to_contain_text(ann.say.of(*paces, "walking"))
    ann.fixes(CORVIN, 1)
    ann.turn(CORVIN).get_by_label(ann.say("fight.what")).first.fill("opens the hatch")
    ann.press(ann.turn(CORVIN), "fight.act")
    bob.fixes(SANNA, 1)
    bob.turn(SANNA).get_by_role("button", name=bob.say.of("checks", "attack", "title")).click()
    bob.rolls("last shot", target=IDS[RAIDER], dice="ranged", kind="ranged", item="pistol")
    bob.throws(bob.card("last shot"), "1", "456")  # AMB-D15: two rounds, a die more; and D-5
    card = gm.card("last shot")
    expect(card.locator(".decision")).to_be_visible()
    gm.looks("a ruling")
    card.locator(".decision .options button").first.click()
    gm.tells("last shot")
    expect(bob.place(SANNA)).to_contain_text(bob.say("things.hot"))  # D-7
    bob.looks("too hot")
    things = gm.place(SANNA).locator("details").filter(has_text=gm.say("things.title"))
    things.locator("summary").click()
    gm.press(things, "things.cool")
    expect(bob.place(SANNA)).to_contain_text(bob.say("things.uses.one"))

    gm.fixes(RAIDER, 1)
    gm.turn(RAIDER).get_by_role("button", name=gm.say.of("checks", "attack", "title")).click()
    gm.rolls("grip", target=IDS[SANNA], dice="brawling", kind="brawling")
    gm.throws(gm.card("grip"), "5", "5")
    card = gm.tells("grip")
    expect(card).to_contain_text(gm.say("success"))
    harm = card.locator("details.harm")
    harm.locator("summary").click()
    harm.get_by_label(gm.say("harm.points"), exact=True).first.fill("12")
    gm.press(harm, "sheet.harm")
    for one in (gm, bob):
        expect(one.place(SANNA)).to_contain_text("17/29")
        expect(one.place(SANNA)).to_contain_text("✦")
    bob.looks("a wound")
    expect(ann.place(SANNA)).not_to_contain_text("17/29")  # points are told to who sees the sheet
    gm.press(gm.fight(), "fight.end_fight")
    for one in (gm, ann, bob):
        expect(one.bar).to_have_count(0)
