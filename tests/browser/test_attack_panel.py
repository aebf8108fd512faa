"""An attack is one panel: from the weapon to the wound, in fewer than six clicks of the GM."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser_fights import PATIENCE, FightPlayer, FightScene
from duel_ruleset import DUEL, duellist
from playwright.sync_api import Browser, Locator, expect
from servers import ServerProcess, post

CORVIN, SANNA, RAIDER = "ann/Corvin Ade", "bob/Sanna Vey", "gm/Raider"
MOST_CLICKS = 5  # of the GM for a whole attack
COUNT = """() => {
  const count = (event) => { if (event.detail) clicks += 1; };  // a click of the mouse, not of a key
  if (globalThis.clicks === undefined) addEventListener("click", count, true);
  globalThis.clicks = 0;
}"""
PARRY = ("sheet", "rounds", "answers", "parry", "title")

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("attacks") / "tables.db") as running:
        yield running


def raiders_turn(ring: FightScene) -> None:
    """Begin a fight that has come to the raider; everyone else has ended their turn."""
    ring.do("gm", "fight", combatants=[{"character": one} for one in (CORVIN, SANNA, RAIDER)])
    ring.do("ann", "end_turn", combatant=CORVIN)
    ring.do("bob", "end_turn", combatant=SANNA)


def panel_of(gm: FightPlayer) -> Locator:
    return gm.fight().get_by_role("form", name=gm.say("attack.title", who="Raider"), exact=True)


def flow_of(player: FightPlayer, name: str = "Raider") -> Locator:
    return player.page.get_by_role("region", name=player.say("attack.title", who=name), exact=True)


def strong_raider(ring: FightScene) -> None:
    """Make the raider hit and hurt for certain, and decide the 1 of a wild die by a house rule."""
    ring.do("gm", "house_rules", options={"crit_fail_option": "1"})
    (raider,) = (one for one in ring.seats["gm"].get("/view")["characters"] if one["character"] == RAIDER)
    items = {"Carbine": {"skill": "ranged", "damage": "9D"}, "Fists": {"damage": "1D"}}
    skills = {**raider["sheet"]["skills"], "ranged": 60}
    sheet = {**raider["sheet"], "skills": skills, "items": items}
    ring.do("gm", "bring", sheet=sheet, replaces=raider["mark"])


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_whole_attack_takes_the_gm_fewer_than_six_clicks(
    browser: Browser, server: ServerProcess, language: str
) -> None:
    """Weapon, target, attack, damage, resistance, wound."""
    ring = FightScene(browser, server, "me-d6", language, f"Clicks {language}")
    ring.do("gm", "adjust", character=SANNA, resources={"hit_points": 12})
    strong_raider(ring)
    with ring as (gm, _, bob):
        raiders_turn(ring)
        panel = panel_of(gm)
        gm.page.evaluate(COUNT)
        panel.get_by_role("radio", name="Carbine").click()
        panel.get_by_role("radio", name="Sanna").click()
        expect(panel.locator(".choice", has_text="Sanna").locator(".worth")).to_contain_text("100")
        panel.get_by_role("button", name=gm.say("attack.do")).click()
        bob.press(bob.bar, "moment.resist")  # the damage was rolled by itself
        bob.decides(bob.say("harm.resists", who="Sanna Vey"))
        bob.finishes(bob.say("harm.resists", who="Sanna Vey"))
        gm.check_screen("what gets through")
        flow_of(gm).locator("button.primary").click()
        expect(flow_of(gm)).to_contain_text(gm.say("attack.applied", who="Sanna Vey"))
        assert gm.page.evaluate("clicks") <= MOST_CLICKS
        hurt = ring.seats["gm"].get("/view")["characters"]
        (points,) = (one["sheet"]["resources"]["hit_points"] for one in hurt if one["character"] == SANNA)
        assert points < 29
        for one in (gm, bob):  # points stand in the turn bar
            expect(one.bar).to_contain_text(f"{points}/29".replace("-", "−"))  # a minus sign
        gm.press(gm.page.locator(".toast"), "toast.undo")
        expect(gm.bar).to_contain_text("29/29")


def test_a_parry_is_one_click(browser: Browser, server: ServerProcess) -> None:
    ring = FightScene(browser, server, "me-d6", title="Parry")
    with ring as (gm, ann, _):
        raiders_turn(ring)
        pike = {"check": "attack", "as": RAIDER, "target": CORVIN, "item": "Boarding pike", "actions": 1}
        ring.do("gm", "declare", key="pike", throw={"faces": [5, 5, 4]}, **pike)
        ann.page.evaluate(COUNT)
        ann.bar.get_by_role("button", name=ann.say.of(*PARRY), exact=True).click()
        card = ann.card(ann.say.of(*PARRY))
        expect(card.get_by_role("img").first).to_be_visible()  # thrown by the same command
        assert ann.page.evaluate("clicks") == 1
        del gm


def test_an_attack_that_cannot_be_made_says_why(browser: Browser, server: ServerProcess) -> None:
    ring = FightScene(browser, server, "me-d6", title="Too many")
    ring.do(
        "gm", "adjust", character=RAIDER, resources={"hit_points": -27}
    )  # severely wounded: five dice less
    with ring as (gm, _, _):
        raiders_turn(ring)
        panel = panel_of(gm)
        button = panel.get_by_role("button", name=gm.say("attack.do"))
        expect(button).to_be_disabled()
        reason = panel.locator(f"[id='cannot {RAIDER}']")
        expect(reason).to_contain_text(gm.say.of("words", "cannot_attempt"))
        assert button.get_attribute("aria-describedby") == f"cannot {RAIDER}"
        gm.check_screen("impossible")


def test_the_gm_heals_from_the_turn_bar(browser: Browser, server: ServerProcess) -> None:
    ring = FightScene(browser, server, "me-d6", title="Bar")
    with ring as (gm, ann, _):
        raiders_turn(ring)
        gm.bar.get_by_role("button", name="Sanna").click()
        gm.bar.get_by_label(gm.say("harm.points")).fill("5")
        gm.press(gm.bar, "harm.heal")
        expect(gm.bar).to_contain_text("22/29")
        expect(ann.bar).not_to_contain_text("22/29")  # not her sheet


def test_a_home_brew_has_the_same_panel(browser: Browser, server: ServerProcess) -> None:
    """Weapons, odds, damage and points follow from a game that nobody has seen, without resistance."""
    answer = post(f"{server.url}/api/brews", json={"ruleset": DUEL, "cases": ""})
    assert answer.status_code < 300, answer.text
    seats = server.open(game="", brew=answer.json()["hash"], players=["ann"])
    gm = seats["gm"]
    for name, nerve in (("Ada", 9), ("Bel", 0)):
        assert gm.do("bring", sheet=duellist(name, nerve)).status_code == 200
    fighters = [{"character": f"gm/{name}"} for name in ("Ada", "Bel")]
    assert gm.do("fight", combatants=fighters).status_code == 200
    page = browser.new_context(locale="en-GB", reduced_motion="reduce").new_page()
    page.goto(server.url + gm.link)
    page.get_by_role("tab", name="Fight", exact=True).click()
    panel = page.get_by_role("form", name="Ada attacks", exact=True)
    expect(panel.get_by_role("radio", name="Rapier")).to_be_checked()
    expect(panel.locator(".choice", has_text="Rapier")).to_contain_text("Art Foil · Keen 2 · Deep 3")
    expect(panel.locator(".choice", has_text="Bel").locator(".worth")).to_have_text("100%")  # no guard
    panel.get_by_role("button", name="Attack").click()
    flow = page.get_by_role("region", name="Ada attacks", exact=True)
    expect(flow.get_by_text("Resistance")).to_have_count(0)
    flow.get_by_role("button", name="Apply").click()  # told and rolled by itself
    expect(flow).to_contain_text("Bel takes it.")
    (bel,) = (one for one in gm.get("/view")["characters"] if one["name"] == "Bel")
    expect(page.get_by_role("region", name="Fight")).to_contain_text(
        f"{bel['sheet']['resources']['blood']}/20"
    )
    page.context.close()
