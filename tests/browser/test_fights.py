"""Whole fights in Chromium: a GM on a laptop, two players on phones of 360 px."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from browser_fights import PATIENCE, FightPlayer, FightScene
from effort import rest_in_proof
from playwright.sync_api import Browser, expect
from servers import ServerProcess, wait_until

CORVIN, SANNA, RAIDER = "Corvin Ade", "Sanna Vey", "Raider"
IDS = {CORVIN: "ann/Corvin Ade", SANNA: "bob/Sanna Vey", RAIDER: "gm/Raider"}

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("fights") / "tables.db") as running:
        yield running


def begins(gm: FightPlayer, *names: str, hidden: str = "") -> None:
    """Begin a fight as the GM; a combatant without a sheet may be hidden."""
    panel = gm.fight()
    for name in names:
        panel.get_by_role("button", name=name, exact=True).click()
    if hidden:
        panel.get_by_text(gm.say("fight.nameless")).click()
        panel.get_by_label(gm.say("seats.name"), exact=True).fill(hidden)
        panel.get_by_label(gm.say("fight.its_initiative")).fill("20")
        panel.get_by_label(gm.say("fight.only_gm")).check()
        gm.press(panel, "line.add")
    gm.check_screen("begin")
    gm.press(panel, "fight.begin")
    expect(gm.bar).to_contain_text(gm.say("fight.round", n=1))


def at_rest(*people: FightPlayer) -> dict[str, str]:
    """Return the contents of the pages once they are idle."""
    found = {}
    for one in people:
        chance = one.page.locator("p.chance")
        if chance.count():
            expect(chance).not_to_have_text("…")
        one.page.wait_for_timeout(500)
        found[one.name] = one.page.content()
    return found


@pytest.mark.proof
def test_d13_to_d44_three_rounds_of_me_d6_in_german(browser: Browser, server: ServerProcess) -> None:
    ring = FightScene(browser, server, "me-d6", "de", "Docks")
    ring.do("gm", "adjust", character=IDS[SANNA], resources={"hit_points": 12})
    with ring as (gm, ann, bob):
        begins(gm, SANNA, CORVIN, RAIDER, hidden="Sniper")
        _first_round(gm, ann, bob)
        _second_round(gm, ann, bob)
        _third_round(gm, ann, bob)


def _first_round(gm: FightPlayer, ann: FightPlayer, bob: FightPlayer) -> None:
    """Play an attack with damage, waiting, an interruption and a parry, with a hidden combatant."""
    for one in (gm, ann, bob):  # D-14: by initiative
        order = one.bar.get_by_role("list", name=one.say("fight.order")).get_by_role("listitem")
        names = [CORVIN, SANNA, RAIDER]
        expect(order).to_contain_text(["Sniper", *names] if one is gm else names)
    expect(ann.bar).to_contain_text(ann.say("fight.your_turn", who=CORVIN))
    expect(bob.bar).not_to_contain_text(ann.say("fight.take_turn"))
    ann.check_screen("my turn")
    bob.check_screen("not my turn")

    before = at_rest(ann, bob)  # whoever is hidden acts beside the others
    gm.fixes("Sniper", 1)
    gm.press(gm.turn("Sniper"), "fight.act")
    expect(gm.place("Sniper")).to_contain_text(gm.say("fight.actions.one", left=0))
    assert at_rest(ann, bob) == before
    assert "Sniper" not in before["ann"] + before["bob"]

    ann.press(ann.bar, "fight.take_turn")
    ann.check_screen("how many actions")
    ann.fixes(CORVIN, 2)
    expect(ann.bar.locator(".pips").first).to_have_text("○○")
    ann.check_screen("moves")
    ann.fills_in_attack(CORVIN)
    ann.rolls("pipe", target=IDS[RAIDER], dice="melee")
    ann.throws(ann.card("pipe"), "5", "4")  # D-21: 3D+1 and 3, one die less: 2D+4
    card = ann.decides("pipe")
    expect(card).to_contain_text("13")
    expect(card).to_contain_text(ann.say("roll.gm_tells"))
    ann.check_screen("untold")
    expect(gm.card("pipe")).to_contain_text(gm.say("roll.may_step_in", who=RAIDER))
    expect(gm.bar).to_contain_text(gm.say.of("sheet", "rounds", "answers", "parry", "title"))
    gm.check_screen("a hit that may be parried")
    gm.press(gm.bar, "moment.take")
    card = gm.tells("pipe")
    expect(card).to_contain_text(gm.say("success"))  # D-42: 13 reaches 12
    expect(ann.card("pipe")).not_to_contain_text(ann.say("success"))  # the Defense is the GM's

    ann.press(ann.card("pipe"), "harm.roll_damage")
    hurts = ann.say("harm.damage_to", who=RAIDER)  # the ship's axe: 4D
    ann.throws(ann.card(hurts), "3", "452")
    ann.decides(hurts)
    expect(ann.finishes(hurts)).to_contain_text("14")
    gm.uses_own_dice()
    gm.press(gm.card("pipe"), "harm.roll_resist", who=RAIDER)
    resists = gm.say("harm.resists", who=RAIDER)
    gm.throws(gm.card(resists), "2", "23")
    expect(gm.card(resists)).to_contain_text("8")
    gm.check_screen("harm")
    gm.press(gm.card("pipe"), "attack.apply_n", n=6)
    expect(gm.place(RAIDER)).to_contain_text("24/30")  # 14 less 8
    light = gm.say.of("sheet", "conditions", "lightly_wounded", "title")
    expect(gm.place(RAIDER)).to_contain_text(f"✦ {light}")  # D-44
    gm.check_screen("wounded")

    ann.press(ann.turn(CORVIN), "fight.end_turn")
    expect(ann.place(CORVIN)).to_contain_text(ann.say("fight.may_be_lost"))
    bob.fixes(SANNA, 2)
    bob.press(bob.turn(SANNA), "fight.wait")
    expect(bob.place(SANNA)).to_contain_text(bob.say("fight.waits_long"))  # D-18
    bob.check_screen("waits")

    gm.fixes(RAIDER, 1)
    gm.fills_in_attack(RAIDER)
    gm.rolls("club", target=IDS[CORVIN], dice="melee")
    gm.throws(gm.card("club"), "5", "5")  # 3D+1 and 2, one die less by the wound: 13 reaches 13
    expect(gm.card("club")).to_contain_text(gm.say("roll.may_step_in", who=f"{CORVIN}, {SANNA}"))
    parry = ann.say.of("sheet", "rounds", "answers", "parry", "title")
    expect(ann.bar.get_by_role("button", name=parry, exact=True)).to_be_visible()  # D-43
    ann.check_screen("parry")
    expect(bob.bar).not_to_contain_text(parry)
    bob.check_screen("interrupt")
    bob.press(bob.bar, "moment.roll")  # D-19
    bob.page.get_by_label(bob.say("panel.check"), exact=True).select_option("attack")
    bob.rolls("warning shot", target=IDS[RAIDER], dice="ranged", item="pistol")
    bob.throws(bob.card("warning shot"), "3", "22")
    card = bob.decides("warning shot")
    expect(card).to_contain_text("13")  # 3D+1 and 5; two actions are free for her
    gm.tells("warning shot")
    ann.bar.get_by_role("button", name=parry, exact=True).click()
    ann.is_led_to(parry)
    ann.throws(ann.card(parry), "5", "5")
    ann.decides(parry)
    gm.check_screen("a parry to tell")
    gm.press(gm.card(parry), "roll.tell")
    for one in (gm, ann, bob):  # 14 is more than 13: the two are compared by themselves
        one.part("part.feed")
        parried = one.page.locator("article.contest")
        expect(parried).to_contain_text(one.say.of("words", "parried"))
        expect(parried).to_contain_text(one.say("contest.wins.one", who=CORVIN))
    ann.check_screen("parried")
    expect(ann.bar).to_contain_text(ann.say("fight.all_done"))
    assert not [one for one in ("Sniper",) if one in ann.page.content() + bob.page.content()]
    gm.check_screen("round over")
    gm.press(gm.bar, "fight.next_round")


def _second_round(gm: FightPlayer, ann: FightPlayer, bob: FightPlayer) -> None:
    """A full reaction, a round of preparing, and an attack that fails."""
    for one in (gm, ann, bob):
        expect(one.bar).to_contain_text(one.say("fight.round", n=2))
    stance = ("sheet", "rounds", "stances", "full_reaction")
    says = f"{ann.say.of(*stance, 'title')}: {ann.say.of(*stance, 'choices', 'melee')}"
    ann.turn(CORVIN).get_by_role("button", name=says, exact=True).click()  # D-28
    expect(ann.place(CORVIN)).to_contain_text(says)
    ann.check_screen("full reaction")
    bob.press(bob.turn(SANNA), "fight.prepare")  # D-29
    expect(bob.place(SANNA)).to_contain_text(bob.say("fight.prepared.one"))
    bob.check_screen("prepares")
    gm.fixes(RAIDER, 1)
    gm.fills_in_attack(RAIDER)
    gm.rolls("club again", target=IDS[CORVIN], dice="melee")
    gm.throws(gm.card("club again"), "5", "5")
    assert "full reaction" not in ann.bar.inner_text()
    expect(gm.tells("club again")).to_contain_text(gm.say("failure"))  # 13 against 23
    parry = ann.say.of("sheet", "rounds", "answers", "parry", "title")
    expect(ann.bar.get_by_role("button", name=parry, exact=True)).to_have_count(0)
    expect(gm.bar).to_contain_text(gm.say("fight.all_used"))
    gm.press(gm.bar, "fight.next_round")


def _third_round(gm: FightPlayer, ann: FightPlayer, bob: FightPlayer) -> None:
    """A pace, an act without a roll, a weapon that overheats, a wound, and the end."""
    expect(ann.bar).to_contain_text(ann.say("fight.round", n=3))
    paces = ("sheet", "rounds", "paces")
    ann.turn(CORVIN).get_by_role("button", name=f"{ann.say.of(*paces, 'walking')} 10").click()  # D-39
    expect(ann.place(CORVIN)).to_contain_text(ann.say.of(*paces, "walking"))
    ann.fixes(CORVIN, 1)
    ann.turn(CORVIN).get_by_label(ann.say("fight.what")).first.fill("opens the hatch")
    ann.press(ann.turn(CORVIN), "fight.act")
    bob.fixes(SANNA, 1)
    bob.fills_in_attack(SANNA)
    bob.rolls("last shot", target=IDS[RAIDER], dice="ranged", item="pistol")
    bob.throws(bob.card("last shot"), "1", "456")  # AMB-D15: two rounds, a die more; and D-5
    card = gm.card("last shot")
    expect(card.locator(".decision")).to_be_visible()
    gm.check_screen("a ruling")
    card.locator(".decision .options button").first.click()
    bob.decides("last shot")
    gm.tells("last shot")
    expect(bob.place(SANNA)).to_contain_text(bob.say("things.hot"))  # D-7
    bob.check_screen("too hot")
    things = gm.place(SANNA).locator("details").filter(has_text=gm.say("things.title"))
    things.locator("summary").click()
    gm.press(things, "things.cool")
    expect(bob.place(SANNA)).to_contain_text(bob.say("things.uses.one"))

    gm.fixes(RAIDER, 1)
    gm.fills_in_attack(RAIDER)
    gm.rolls("grip", target=IDS[SANNA], dice="brawling")
    gm.throws(gm.card("grip"), "5", "5")
    card = gm.tells("grip")
    expect(card).to_contain_text(gm.say("success"))
    gm.press(card, "attack.other_number")
    card.get_by_label(gm.say("harm.points"), exact=True).fill("12")
    gm.press(card, "sheet.harm")
    for one in (gm, bob):
        expect(one.place(SANNA)).to_contain_text("17/29")
        wounded = one.say.of("sheet", "conditions", "wounded", "title")
        expect(one.place(SANNA)).to_contain_text(f"✦ {wounded}")
    bob.check_screen("a wound")
    expect(ann.place(SANNA)).not_to_contain_text("17/29")  # points are told to who sees the sheet
    gm.press(gm.fight(), "fight.end_fight")
    for one in (gm, ann, bob):
        expect(one.bar).to_have_count(0)


@pytest.mark.proof
def test_d26_an_interleaved_round_goes_action_by_action(browser: Browser, server: ServerProcess) -> None:
    ring = FightScene(browser, server, "me-d6", title="Interleaved")
    ring.do("gm", "house_rules", options={"round_structure": "interleaved"})
    with ring as (gm, ann, bob):
        begins(gm, SANNA, CORVIN, RAIDER)
        expect(ann.bar).to_contain_text(ann.say("fight.declares", who=RAIDER))  # slowest first
        gm.fixes(RAIDER, 1)
        bob.fixes(SANNA, 1)
        expect(ann.bar).to_contain_text(ann.say("fight.yours_first"))
        ann.fixes(CORVIN, 2)
        slots = ann.fight().locator("div", has_text=ann.say("fight.slots")).last
        expect(slots.get_by_role("listitem")).to_have_text(
            [re.compile(one) for one in ("Ade 1$", "Vey 1$", "Raider 1$", "Ade 2$")]
        )
        ann.check_screen("slots")
        ann.press(ann.turn(CORVIN), "fight.act")
        bob.press(bob.turn(SANNA), "fight.act")
        gm.press(gm.turn(RAIDER), "fight.act")
        expect(ann.turn(CORVIN)).to_contain_text(ann.say("fight.actions.other", left=1, n=2))
        ann.press(ann.turn(CORVIN), "fight.act")
        expect(gm.bar).to_contain_text(gm.say("fight.all_used"))
        gm.press(gm.fight(), "fight.end_fight")


@pytest.mark.proof
def test_d11_d20_d38_reacting_early_failing_twice_and_taking_10(
    browser: Browser, server: ServerProcess
) -> None:
    ring = FightScene(browser, server, "me-d6", title="Engine")
    ring.do("gm", "adjust", character=IDS[SANNA], resources={"hit_points": 12})
    with ring as (gm, ann, bob):
        begins(gm, SANNA, CORVIN)
        place = gm.place(SANNA)
        place.get_by_text(gm.say("roll.instead", who=SANNA)).click()
        early = place.locator("details").filter(has_text=gm.say("fight.early", who=SANNA)).last
        early.locator("summary").click()
        early.get_by_label(gm.say("fight.how_many")).fill("3")
        early.get_by_label(gm.say("fight.what")).fill("catches the flask")
        gm.check_screen("early")
        gm.press(early, "fight.react")
        expect(bob.place(SANNA)).to_contain_text(bob.say("fight.actions.other", left=2, n=3))
        ann.press(ann.turn(CORVIN), "fight.end_turn")
        bob.press(bob.turn(SANNA), "fight.other_roll")
        bob.page.get_by_label(bob.say("panel.check"), exact=True).select_option("check")
        bob.rolls("the valve", dice="repair", difficulty="25", task="valve")
        bob.throws(bob.card("the valve"), "3", "22")  # one die less: two actions are free for her
        bob.decides("the valve")
        gm.tells("the valve")
        expect(bob.place(SANNA)).to_contain_text(bob.say("things.failed", task="valve", what="14"))
        bob.check_screen("a failed try")
        bob.press(bob.turn(SANNA), "fight.other_roll")
        form = bob.page.get_by_role("form", name=bob.say("panel.title"), exact=True)
        form.get_by_label(bob.say("deed.task")).fill("valve")
        expect(form).to_contain_text("tried before: valve")
        things = gm.place(SANNA).locator("details").filter(has_text=gm.say("things.title"))
        things.locator("summary").click()
        gm.press(things, "do.forget", task="valve")
        expect(form).not_to_contain_text("tried before: valve")
        form.get_by_label(bob.say("panel.check"), exact=True).select_option("take10")
        form.get_by_label(bob.say.label("take10", "attribute")).select_option("repair")
        expect(form.locator("p.chance")).not_to_contain_text("attacked")
        ring.do("gm", "harm", character=IDS[SANNA], damage=1)
        expect(form.locator("p.chance")).to_contain_text("was attacked this round")  # AMB-D21


@pytest.mark.parametrize("game", rest_in_proof(["uwr", "agga", "fons", "tuurna"]))
def test_a_game_without_initiative_fights_in_the_gms_order(
    browser: Browser, server: ServerProcess, game: str
) -> None:
    ring = FightScene(browser, server, game, title=f"Brawl {game}")
    names = [one["name"] for one in ring.seats["gm"].get("/view")["characters"]]
    owners = {one["name"]: one["owner"] for one in ring.seats["gm"].get("/view")["characters"]}
    with ring as (gm, ann, bob):
        own = next(name for name in names if owners[name] == "ann")
        panel = gm.fight()
        panel.get_by_text(gm.say("fight.nameless")).click()
        panel.get_by_label(gm.say("seats.name"), exact=True).fill("Wolf")
        gm.press(panel, "line.add")
        panel.get_by_role("button", name=own, exact=True).click()
        panel.get_by_role("button", name=gm.say("fight.earlier", who=own), exact=True).click()
        gm.press(panel, "fight.begin")
        expect(ann.bar).to_contain_text(ann.say("fight.your_turn", who=own))
        order = bob.bar.get_by_role("list", name=bob.say("fight.order")).get_by_role("listitem")
        expect(order).to_contain_text([own, "Wolf"])
        ann.fixes(own, 1)
        ann.turn(own).get_by_label(ann.say("fight.what")).first.fill("shuts the gate")
        ann.press(ann.turn(own), "fight.act")
        ann.check_screen("done")
        gm.fixes("Wolf", 2)
        gm.press(gm.turn("Wolf"), "fight.end_turn")
        expect(gm.bar).to_contain_text(gm.say("fight.would_lose", what="Wolf 2"))
        gm.press(gm.bar, "fight.next_round")
        expect(bob.bar).to_contain_text(bob.say("fight.round", n=2))
        gm.press(gm.fight(), "fight.end_fight")
        expect(bob.bar).to_have_count(0)


@pytest.mark.proof
def test_one_round_by_keyboard_alone(browser: Browser, server: ServerProcess) -> None:
    ring = FightScene(browser, server, "me-d6", title="Keys")
    with ring as (gm, ann, _):
        gm.tabs_to(gm.say("act.roll"))
        for _step in range(3):
            gm.page.keyboard.press("ArrowRight")
        for name in (CORVIN, RAIDER):
            gm.tabs_to(name)
            gm.page.keyboard.press("Space")
        gm.keys("fight.begin")
        expect(ann.bar).to_contain_text(ann.say("fight.your_turn", who=CORVIN))
        ann.keys("fight.take_turn")
        ann.keys("fight.fix.one")
        ann.keys("attack.more")
        ann.keys("attack.form")
        form = ann.page.get_by_role("form", name=ann.say("panel.title"), exact=True)
        expect(form.locator("select").first).to_be_focused()
        ann.tabs_to(f"{ann.say.label('attack', 'dice')} {ann.say('field.required')}")
        ann.page.keyboard.type("Melee")
        ann.tabs_to(ann.say("deed.target"))
        ann.page.keyboard.type("Raider")
        how = ann.say("panel.how", mode=ann.say("mode.public"), dice=ann.say("panel.dice.table"))
        ann.tabs_to(how)
        ann.page.keyboard.press("Enter")
        ann.tabs_to(ann.say("panel.dice.table"))
        ann.page.keyboard.press("ArrowDown")
        ann.tabs_to(ann.say("panel.what"))
        ann.page.keyboard.type("pipe")
        ann.keys("panel.declare")
        ann.throws(ann.page.get_by_role("article").first, "5", "44")
        ann.tabs_to(ann.say.of("decisions", "spend", "none"))
        ann.page.keyboard.press("Enter")
        expect(gm.card("pipe")).to_contain_text("17")
        gm.keys("moment.take")
        gm.tabs_to(gm.say("roll.tell"))
        expect(gm.card("pipe").get_by_role("button", name=gm.say("roll.tell"))).to_be_focused()
        gm.page.keyboard.press("Enter")
        expect(gm.card("pipe").get_by_role("button", name=gm.say("roll.tell"))).to_have_count(0)
        expect(gm.card("pipe")).to_contain_text(gm.say("success"))
        gm.keys("fight.fix.one")  # the panel of the fight is open beside the feed
        gm.keys("fight.end_turn")
        gm.keys("fight.next_round")
        expect(ann.bar).to_contain_text(ann.say("fight.round", n=2))
        turns = ann.say("fight.turn_of", who=CORVIN)
        wait_until(lambda: " ".join(ann.heard()).count(turns) == 2)  # once a round
        said = " ".join(ann.heard())
        assert said.index(ann.say("log.fight_begun")) < said.index(ann.say("fight.round", n=2))
        assert sum("pipe" in one for one in ann.heard()) == 2  # what it asks, and the result
