"""Keyboard and screen reader: every control is reachable, every event is announced once.

Players here use Tab and keys to reach named elements, and hear the page's live region.
"""

from __future__ import annotations

import pytest
from browser_fights import FOCUSED, FightPlayer, FightScene
from browser_players import LAPTOP, PHONE, SOCKETS, open_page
from effort import rest_in_proof
from playwright.sync_api import Browser, Page, expect
from servers import ServerThread, wait_until

KEYS = ("Enter", "Space", "ArrowDown", "ArrowUp", "ArrowRight", "End")
MIRA = {"as": "ann/Mira Quill"}
LABEL = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"
SEEN = """() => {
  const one = document.activeElement;
  const box = one.getBoundingClientRect();
  const style = getComputedStyle(one);
  return one !== document.body && one.checkVisibility() && box.width > 0 && box.height > 0
    && one.matches(":focus-visible") && style.outlineStyle !== "none"
    && parseFloat(style.outlineWidth) >= 2;
}"""


@pytest.mark.parametrize("size", rest_in_proof([LAPTOP, PHONE]), ids=["laptop", "phone"])
def test_updates_never_take_the_focus_from_a_text_field(
    browser: Browser, server: ServerThread, size: dict[str, int]
) -> None:
    seats = server.open(demo=True)

    def do(seat: str, do: str, key: str = "", **data: object) -> None:
        answer = seats[seat].do(do, key, **data)
        assert answer.status_code == 200, answer.text

    asked = {"check": "direct", "parameters": {"attribute": 2, "target": 1}}
    for name in ("bob", "gm"):
        do(name, "declare", "old", **asked)
    do(
        "ann",
        "declare",
        "r",
        check="direct",
        title="mine",
        parameters={"attribute": "grace", "skill": "acrobatics", "target": 2},
        **MIRA,
    )
    do("bob", "declare", "late", **asked)
    page = open_page(browser, server.url + seats["ann"].link, size)
    card = page.locator("[id='card-ann/r']")
    card.get_by_role("button", name="My own dice").focus()
    page.keyboard.press("Enter")
    expect(card.get_by_label("Die 1, 1 to 6")).to_be_focused()
    page.keyboard.type("63")
    third = page.locator("[id='card-ann/r']").get_by_label("Die 3, 1 to 6")
    happens = [
        ("bob", "declare", "new", asked),
        ("bob", "throw", "", {"roll": "bob/old", "faces": [6, 6]}),
        ("gm", "throw", "", {"roll": "gm/old", "faces": [6, 1]}),
        ("gm", "contest", "", {"check": "opposed", "rolls": ["bob/old", "gm/old"]}),
        ("gm", "request", "q", {"to": ["ann"], "check": "direct", "title": "and this"}),
        ("gm", "declare", "x", {**asked, "for": "ann"}),
        ("gm", "adjust", "", {"character": "ann/Mira Quill", "resources": {"vitality": -1}}),
        ("bob", "cancel", "", {"roll": "bob/late"}),
        ("gm", "fight", "", {"combatants": [{"character": "ann/Mira Quill"}]}),
        ("gm", "house_rules", "", {"options": {"reroll_stack": "stacking"}}),
        (
            "gm",
            "challenge",
            "c",
            {"check": "opposed", "together": False, "sides": [{"roll": "ann/r"}, {"roll": "bob/new"}]},
        ),
        ("gm", "call_off", "", {"contest": "gm/c"}),
        ("gm", "withdraw", "", {"request": "gm/q"}),
    ]
    for seat, what, key, data in happens:
        before = seats["ann"].get("/view")
        do(seat, what, key, **data)
        wait_until(lambda before=before: seats["ann"].get("/view") != before)  # type: ignore[misc]
        page.wait_for_timeout(150)  # drawn, and whatever follows from it
        assert third.evaluate("one => one === document.activeElement"), what
    page.keyboard.type("152")
    expect(card.get_by_role("button", name="Done")).to_be_focused()
    page.keyboard.press("Enter")
    expect(card.get_by_text("Which dice do you reroll?")).to_be_visible()
    (roll,) = [one for one in seats["ann"].get("/view")["rolls"] if one["roll"] == "ann/r"]
    assert [die["face"] for die in roll["dice"]] == [6, 3, 1, 5, 2]
    expect(card.locator(".pick").first).to_be_focused()
    page.context.close()


def test_faces_that_are_refused_or_too_few_keep_the_focus(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    asked = {"check": "direct", "parameters": {"attribute": 3, "target": 1}}
    assert seats["ann"].do("declare", "r", **asked).status_code == 200
    page = open_page(browser, server.url + seats["ann"].link, PHONE)
    card = page.locator("[id='card-ann/r']")
    card.get_by_role("button", name="My own dice").click()
    first = card.get_by_label("Die 1, 1 to 6")
    expect(first).to_be_focused()
    page.keyboard.type("6")
    page.keyboard.press("Enter")
    expect(card).to_contain_text("Throw 2d6")
    expect(first).to_be_focused()
    expect(first).to_have_value("")
    page.context.close()


def test_the_focus_follows_moved_elements_and_stays_near_removed_ones(
    browser: Browser, server: ServerThread
) -> None:
    seats = server.open(demo=True)

    def do(seat: str, do: str, key: str = "", **data: object) -> None:
        assert seats[seat].do(do, key, **data).status_code == 200

    asked = {"check": "direct", "parameters": {"attribute": 3, "target": 1}}
    for name in ("ann", "bob"):
        do(name, "declare", "r", **asked)
    page = open_page(browser, server.url + seats["ann"].link)
    throw = page.locator("[id='card-ann/r']").get_by_role("button", name="Throw")
    throw.focus()
    do("gm", "challenge", "c", check="opposed", sides=[{"roll": "ann/r"}, {"roll": "bob/r"}])
    expect(page.locator("[id='card-gm/c'] [id='card-ann/r']")).to_be_visible()
    expect(throw).to_be_focused()  # its card stands in another one now
    do("gm", "request", "q", to=["ann"], check="direct", title="and this")
    page.locator("[id='card-gm/q']").get_by_label("Attribute").first.focus()
    do("gm", "withdraw", request="gm/q")
    expect(page.locator("#feed")).to_be_focused()
    page.context.close()


def at_keys(page: Page, key: str) -> None:
    """Press a key; the focus is somewhere after it, and is seen."""
    page.keyboard.press(key)
    page.wait_for_timeout(150)
    assert page.evaluate(SEEN), f"after {key}: {page.evaluate(LABEL)}"


@pytest.mark.proof
def test_the_focus_is_always_visible_and_dialogs_give_it_back(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    page = open_page(browser, server.url + seats["ann"].link, LAPTOP)
    expect(page.get_by_role("banner")).to_contain_text("ann")
    at_keys(page, "Tab")
    assert page.evaluate(LABEL) == "Skip to the rolls"
    at_keys(page, "Enter")
    assert page.evaluate("document.activeElement.id") == "feed"
    page.reload()
    expect(page.get_by_role("banner")).to_contain_text("ann")
    seen = []
    while not (seen and page.evaluate("document.activeElement.innerText") == "Open sheet"):
        at_keys(page, "Tab")
        seen.append(page.evaluate(LABEL))
        assert len(seen) < 60, seen
    read = ("Big screen", "New character", "Make the first roll", "Roll", "Dice", "Characters")
    order = [seen.index(one) for one in read]
    assert order == sorted(order)  # head, people, what happens and what to start, what stands beside it
    page.keyboard.press("Enter")
    window = page.get_by_role("dialog")
    expect(window).to_be_visible()
    page.keyboard.press("Escape")
    expect(window).to_have_count(0)
    expect(page.get_by_role("button", name="Open sheet")).to_be_focused()
    page.context.close()


REROLL = {
    "en": "Which dice do you reroll? The better face stays.",
    "de": "Welche Würfel wirfst du neu? Die bessere Augenzahl bleibt.",
}
# Everything that is said in the scene, in its order, and who hears it.
SAID: dict[str, list[tuple[str, str]]] = {
    "en": [
        ("all", "Mira Quill (ann) throws 6, 3, 1, 5, 2"),
        ("ann", f"Decide: Mira Quill (ann): a leap. {REROLL['en']}"),
        ("all", "ann undoes a decision."),
        ("ann", f"Decide: Mira Quill (ann): a leap. {REROLL['en']}"),
        ("all", "Mira Quill (ann) throws 6"),
        ("all", "Mira Quill (ann): a leap: Success, 3 successes"),
        ("ann bob", "gm asks you for a check: the lock"),
        ("gm", "Suggestion: the lock. ann"),
        ("ann", "Throw: Mira Quill (ann): the lock. 2 dice"),
        ("all", "Mira Quill (ann) throws 6, 1"),
        ("ann", f"Decide: Mira Quill (ann): the lock. {REROLL['en']}"),
        ("all", "Mira Quill (ann): the lock: Success, 1 success"),
        ("gm", "gm throws 6, 6"),
        ("all", "gm: a lie: Success, 2 successes"),
        ("gm", "gm’s roll is revealed."),
        ("all", "Mira Quill vs Mira Quill: Opposed check: Mira Quill wins, 2 net successes"),
        ("ann", "You’re connected again."),
        ("all", "bob throws 2"),
        ("all", "bob: the gate: Failure, 0 successes"),
        ("all", "gm: “it creaks”."),
    ],
    "de": [
        ("all", "Mira Quill (ann) würfelt 6, 3, 1, 5, 2"),
        ("ann", f"Entscheiden: Mira Quill (ann): a leap. {REROLL['de']}"),
        ("all", "ann nimmt eine Entscheidung zurück."),
        ("ann", f"Entscheiden: Mira Quill (ann): a leap. {REROLL['de']}"),
        ("all", "Mira Quill (ann) würfelt 6"),
        ("all", "Mira Quill (ann): a leap: Erfolg, 3 Erfolge"),
        ("ann bob", "gm will eine Probe von dir: the lock"),
        ("gm", "Vorschlag: the lock. ann"),
        ("ann", "Werfen: Mira Quill (ann): the lock. 2 Würfel"),
        ("all", "Mira Quill (ann) würfelt 6, 1"),
        ("ann", f"Entscheiden: Mira Quill (ann): the lock. {REROLL['de']}"),
        ("all", "Mira Quill (ann): the lock: Erfolg, 1 Erfolg"),
        ("gm", "gm würfelt 6, 6"),
        ("all", "gm: a lie: Erfolg, 2 Erfolge"),
        ("gm", "Ein Wurf von gm ist aufgedeckt."),
        ("all", "Mira Quill gegen Mira Quill: Vergleichende Probe: Mira Quill gewinnt, 2 Nettoerfolge"),
        ("ann", "Die Verbindung steht wieder."),
        ("all", "bob würfelt 2"),
        ("all", "bob: the gate: Fehlschlag, 0 Erfolge"),
        ("all", "gm: „it creaks“."),
    ],
}


IS_BUTTON = "document.activeElement.tagName === 'BUTTON'"


def goes(one: FightPlayer, begins: str, *keys: str, button: bool = False) -> None:
    """Tab to what is called like that, and press keys there; the focus is seen all the way."""
    for _ in range(120):
        one.page.keyboard.press("Tab")
        if one.page.evaluate(FOCUSED).startswith(begins) and (one.page.evaluate(IS_BUTTON) or not button):
            assert one.page.evaluate(SEEN), begins
            break
    else:
        raise AssertionError(f"{one.name} does not come to {begins!r} by Tab")
    for key in keys:
        one.page.keyboard.press(key) if key in KEYS else one.page.keyboard.type(key)


def hears(one: FightPlayer, says: str, times: int = 1) -> None:
    """Wait for an announcement."""
    wait_until(lambda: one.heard().count(says) >= times)


def types(one: FightPlayer, faces: str) -> None:
    """The page leads to the dice by itself."""
    first = one.say("roll.face_of", n=1, sides=6)
    wait_until(lambda: one.page.evaluate(FOCUSED) == first)
    one.page.keyboard.type(faces)
    one.page.keyboard.press("Enter")


@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_scene_by_keyboard_and_announcements(browser: Browser, server: ServerThread, language: str) -> None:
    ring = FightScene(browser, server, "uwr", language, title=f"Dark {language}")
    for one in ring.people.values():
        one.page.add_init_script(SOCKETS)
        one.page.reload()
        expect(one.page.get_by_role("banner")).to_contain_text(one.name)
    with ring as (gm, ann, bob):
        say = ann.say
        grace, insight = (say.of("sheet", "attributes", one) for one in ("grace", "insight"))
        ask = f"{say('tray.answer')}: Mira Quill (ann): "

        # Ann leaps, with dice of her own; a reroll is taken back and made again
        goes(ann, say("act.roll"), "Enter")  # the large button leads into the form
        goes(ann, say.label("direct", "attribute"), grace)
        goes(ann, say.label("direct", "skill"), say.of("sheet", "skills", "acrobatics"))
        goes(ann, say.label("direct", "target"), "3")
        goes(ann, say("panel.how", mode=say("mode.public"), dice=say("panel.dice.table")), "Enter")
        goes(ann, say("panel.dice.table"), "ArrowDown")
        goes(ann, say("panel.what"), "a leap")
        goes(ann, say("panel.declare"), "Enter")
        types(ann, "63152")
        hears(ann, f"{ask}a leap. {REROLL[language]}")
        shows = say("die.shows", face=1)
        wait_until(lambda: ann.page.evaluate(FOCUSED).startswith(say("die.shows", face=6)))
        goes(ann, shows, "Space")
        goes(ann, say("decision.reroll.one"), "Enter", button=True)
        wait_until(lambda: ann.page.evaluate(FOCUSED) == say("roll.face_of", n=1, sides=6))
        goes(ann, f"↶ {say('do.undo')}", "Enter")
        hears(ann, f"{ask}a leap. {REROLL[language]}", times=2)
        goes(ann, shows, "Space")
        goes(ann, say("decision.reroll.one"), "Enter", button=True)
        types(ann, "6")

        # the GM asks, Ann proposes, the GM accepts
        goes(gm, say("act.roll"), "ArrowRight")
        goes(gm, say("panel.what"), "the lock")
        goes(gm, say.label("direct", "target"), "1", "Enter")
        hears(ann, say("say.asked", who="gm", what="the lock"))
        goes(ann, say.label("direct", "attribute"), insight)
        goes(ann, say("request.propose"), "Enter")
        hears(gm, f"{say('tray.accept')}: the lock. ann")
        goes(gm, say("request.accept"), "Enter")
        hears(ann, f"{say('tray.throw')}: Mira Quill (ann): the lock. {say('say.dice.other', n=2)}")
        goes(ann, say("roll.own_dice"), "Enter")
        types(ann, "61")
        hears(ann, f"{ask}the lock. {REROLL[language]}")
        goes(ann, say("roll.keep"), "Enter", button=True)
        hears(
            gm,
            say(
                "say.result",
                who="Mira Quill (ann)",
                what="the lock",
                result=f"{say('success')}, 1 {say.of('singular', 'successes')}",
            ),
        )

        # a roll of the GM alone, shown later; then both of Ann's rolls against each other
        asked = {"check": "direct", "title": "a lie", "parameters": {"attribute": 2, "target": 1}}
        ring.do("gm", "declare", key="lie", mode="gm", **asked)
        ring.do("gm", "throw", roll="gm/lie", faces=[6, 6])
        ring.do("gm", "reveal", roll="gm/lie")
        goes(gm, say("act.ask"), "ArrowRight")
        goes(gm, say("roll.side", n=1), "End")
        goes(gm, say("roll.side", n=2), "End", "ArrowUp")
        goes(gm, say("contest.do"), "Enter")
        wait_until(lambda: any("Mira Quill " + say("contest.vs") in one for one in bob.heard()))

        # Ann's phone sleeps while Bob rolls
        told = [says for who, says in SAID[language] if who == "all" or "ann" in who.split()]
        hears(ann, told[told.index(say("say.back")) - 1])  # what came before is announced before
        ann.page.context.set_offline(True)
        ann.page.evaluate("cutSockets()")
        ring.do(
            "bob",
            "declare",
            key="b",
            check="direct",
            title="the gate",
            parameters={"attribute": 1, "target": 1},
        )
        ring.do("bob", "throw", roll="bob/b", faces=[2])
        ann.page.context.set_offline(False)
        hears(ann, say("say.back"))
        ring.do("gm", "judge", roll="bob/b", words="it creaks")
        wait_until(lambda: all("it creaks" in one.heard()[-1] for one in (gm, ann, bob)))
        for one in (gm, ann, bob):
            mine = [says for who, says in SAID[language] if who == "all" or one.name in who.split()]
            assert one.heard() == mine, one.name
