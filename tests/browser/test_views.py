"""Other views of the table: big screen, shared tablet, large type, few colours."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser_players import LAPTOP, PATIENCE, PHONE, save_screenshot, show_beside
from effort import rest_in_proof
from playwright.sync_api import Browser, Page, WebSocket, expect
from servers import Seat, ServerThread, post

WALL, TABLET = {"width": 1920, "height": 1080}, {"width": 1024, "height": 768}
MIRA, TOVE = {"as": "ann/Mira Quill"}, {"as": "bob/Tove Harl"}
LEAP = {
    "check": "direct",
    "title": "a leap",
    "parameters": {"attribute": "grace", "skill": "acrobatics", "target": 2},
}
# What may be wider than the screen scrolls by itself.
STICKS_OUT = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  if (!box.width || box.right <= innerWidth + 1 || !one.checkVisibility()) return false;
  for (let up = one; up; up = up.parentElement) {
    const cut = ["auto", "scroll", "hidden"].includes(getComputedStyle(up).overflowX);
    if (cut && up !== document.body) return false;
  }
  return true;
}).map((one) => one.outerHTML.slice(0, 120))"""
MOVES = "document.getAnimations().filter((one) => one.playState === 'running').length"


class Table:
    """A table with a watcher, and rolls that were made beside the pages."""

    def __init__(self, at: ServerThread, **wanted: Any) -> None:
        self.at, self.seats = at, at.open(demo=True, watchers=True, **wanted)
        told = post(f"{at.url}/api/sit", json={"token": self.seats[""].token, "name": "wall"})
        self.seats["wall"] = Seat(at, told.json()["link"])

    def do(self, seat: str, do: str, key: str = "", **data: Any) -> None:
        answer = self.seats[seat].do(do, key, **data)
        assert answer.status_code == 200, answer.text

    def leaps(self) -> None:
        """Ann has a success, Bob a failure, and the two are compared."""
        for seat, who, faces in (("ann", MIRA, [6, 5, 1, 3, 2]), ("bob", TOVE, [2] * 9)):
            self.do(seat, "declare", "leap", **LEAP, **who)
            due = self.seats[seat].get("/view")["rolls"][-1]["question"]["due"]
            self.do(seat, "throw", roll=f"{seat}/leap", faces=faces[:due])
            if self.seats[seat].get("/view")["rolls"][-1]["question"]:
                self.do(seat, "answer", roll=f"{seat}/leap", answer=[])
                self.do(seat, "finalise", roll=f"{seat}/leap")

    def page(self, browser: Browser, seat: str, size: dict[str, int], view: str = "", **more: Any) -> Page:
        page = browser.new_context(viewport=size, **more).new_page()  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE)
        page.goto(self.at.url + self.seats[seat].link)
        if view:
            page.goto(f"{page.url}?view={view}")
        expect(page.get_by_role("banner")).to_contain_text(seat)
        return page


def shot(page: Page, name: str) -> None:
    save_screenshot(page, f"views-{name}.png")


@pytest.mark.parametrize("language", rest_in_proof(["en", "de"]))
def test_a_watcher_sees_the_table_large_and_can_press_nothing(
    browser: Browser, server: ServerThread, language: str
) -> None:
    table = Table(server)
    page = table.page(browser, "wall", WALL, locale=language)
    main = page.get_by_role("main")
    expect(main).to_contain_text({"en": "No rolls yet", "de": "Noch keine Würfe"}[language])
    table.leaps()
    table.do("gm", "contest", "c", check="opposed", rolls=["ann/leap", "bob/leap"])
    wins = {"en": "Mira Quill wins", "de": "Mira Quill gewinnt"}[language]
    expect(main.locator(".latest")).to_contain_text(wins)
    combatants = [{"character": "ann/Mira Quill"}, {"character": "bob/Tove Harl"}]
    table.do("gm", "fight", combatants=[*combatants, {"name": "Spy", "hidden": True}])
    order = main.get_by_role("listitem").filter(has_text=re.compile("Mira Quill|Tove Harl|Spy"))
    expect(main.locator("[aria-current]")).to_contain_text("Mira Quill")
    expect(order).to_have_count(2)
    table.do("ann", "declare", "next", spends="nothing", **{**LEAP, "title": "the next"}, **MIRA)
    table.do("ann", "throw", roll="ann/next", faces=[6, 5, 1, 3, 2])
    expect(main.locator(".latest")).to_contain_text("the next")
    expect(main.locator(".before")).to_contain_text(wins)
    assert main.locator("button, input, select, a, summary, [tabindex]").count() == 0
    sizes = main.locator(".latest h2, .latest .waits, [aria-current]").evaluate_all(
        "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) >= 32  # a thirtieth of the screen's height, from across the room
    die = main.locator(".latest .die").first.bounding_box()
    assert die is not None
    assert die["width"] >= 90
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    shot(page, f"wall-{language}")
    page.context.close()


def test_a_watcher_receives_nothing_hidden(browser: Browser, server: ServerThread) -> None:
    table = Table(server)
    page = table.page(browser, "wall", WALL)
    came: list[str] = []
    page.on("websocket", lambda one: one.on("framereceived", lambda text: came.append(str(text))))
    page.reload()
    expect(page.get_by_role("banner")).to_contain_text("wall")
    hidden = {"check": "direct", "title": "tell-tale", "parameters": {"attribute": 2, "target": 1}}
    for key, seat, mode in (("g", "gm", "gm"), ("s", "ann", "secret"), ("p", "ann", "private")):
        table.do(seat, "declare", key, mode=mode, **hidden)
        table.do(seat, "throw", roll=f"{seat}/{key}", faces=[6, 6])
    table.do(
        "gm",
        "declare",
        "h",
        check="direct",
        hidden=["target"],
        title="hidden target",
        parameters={"attribute": 1, "target": 31},
    )
    table.do("gm", "throw", roll="gm/h", faces=[6])
    expect(page.get_by_role("main")).to_contain_text("hidden target")
    expect(page.get_by_role("main")).to_contain_text("ann rolls something. Not for your eyes.")
    assert came
    assert "tell-tale" not in page.content() + "".join(came)
    assert '"target":31' not in "".join(came)
    assert "31" not in page.get_by_role("main").inner_text()
    assert table.seats["wall"].do("declare", **hidden).status_code != 200
    page.context.close()


def everything_sent_to(page: Page) -> list[str]:
    """Messages of sockets and addresses of answers, from now on."""
    came: list[str] = []

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: came.append(str(text)))

    page.on("websocket", opened)
    page.on("response", lambda one: came.append(one.url))
    return came


@pytest.mark.parametrize("switched", rest_in_proof([False, True]), ids=["by address", "by button"])
def test_the_big_screen_of_the_gm_shows_what_a_watcher_sees(
    browser: Browser, server: ServerThread, switched: bool
) -> None:
    table = Table(server)
    hidden = {"check": "direct", "title": "tell-tale", "parameters": {"attribute": 2, "target": 1}}
    page = table.page(browser, "gm", WALL)
    for key, faces in (("before", [6, 6]), ("after", [5, 5])):
        table.do("gm", "declare", key, mode="gm", **hidden)
        table.do("gm", "throw", roll=f"gm/{key}", faces=faces)
        if key == "before" and switched:
            expect(page.locator("[aria-live='polite'][role='log']")).to_contain_text("tell-tale")
        if key == "before":
            came = everything_sent_to(page)
            if switched:
                page.get_by_role("button", name="Big screen").click()
            else:
                page.goto(f"{server.url}/t/{table.seats['gm'].place}?view=big")
            expect(page.locator("main.bigscreen")).to_be_visible()
    table.do(
        "gm",
        "declare",
        "h",
        check="direct",
        hidden=["target"],
        title="hidden target",
        parameters={"attribute": 1, "target": 31},
    )
    table.do("gm", "throw", roll="gm/h", faces=[6])
    fight = [{"character": "ann/Mira Quill"}, {"name": "Spy", "hidden": True}]
    table.do("gm", "fight", combatants=fight)
    expect(page.get_by_role("main")).to_contain_text("hidden target")
    expect(page.get_by_role("main")).to_contain_text("Mira Quill")
    assert came
    for secret in ("tell-tale", "31", "Spy"):
        assert secret not in page.locator("body").inner_text()
        assert secret not in page.locator("[aria-live='polite'][role='log']").inner_text()
    for secret in ("tell-tale", '"target":31', "Spy"):
        assert secret not in "".join(came)
    assert not [one for one in came if one.endswith("/view")]
    page.get_by_role("button", name="Normal view").click()
    expect(page.get_by_role("banner")).to_contain_text("gm")
    expect(page.get_by_role("form", name="Roll")).to_be_visible()
    page.context.close()


def test_any_seat_may_switch_views_and_the_address_records_it(browser: Browser, server: ServerThread) -> None:
    table = Table(server)
    page = table.page(browser, "gm", LAPTOP)
    page.get_by_role("button", name="Big screen").click()
    expect(page.locator("main.bigscreen")).to_be_visible()
    assert page.url.endswith("?view=big")
    page.reload()
    expect(page.locator("main.bigscreen")).to_be_visible()
    page.get_by_role("button", name="Normal view").click()
    expect(page.get_by_role("form", name="Roll")).to_be_visible()
    page.context.close()


@pytest.mark.parametrize("upright", rest_in_proof([False, True]), ids=["across", "upright"])
@pytest.mark.parametrize("language", rest_in_proof(["en", "de"]))
def test_a_shared_tablet_takes_the_dice_of_any_seat(
    browser: Browser, server: ServerThread, language: str, upright: bool
) -> None:
    say = {
        "en": ("Who rolls?", "Attribute", "Target", "Enter the dice", "Done", "Keep it"),
        "de": ("Wer würfelt?", "Attribut", "Zielwert", "Würfel eintippen", "Fertig", "So lassen"),
    }[language]
    size = {"width": 768, "height": 1024} if upright else TABLET
    table = Table(server)
    secret = {"check": "direct", "parameters": {"attribute": 2, "target": 1}, "title": "hush"}
    table.do("gm", "declare", "lie", mode="gm", **secret)
    page = table.page(browser, "gm", size, "middle", locale=language, has_touch=True)
    who = page.get_by_role("group", name=say[0])
    expect(who.get_by_role("button")).to_have_text(["Mira Quill", "Tove Harl"])  # not the sentry
    assert "hush" not in page.content()
    for name, seat, faces, sheet in (
        ("Tove Harl", "bob", [6, 5, 1, 2], "might"),
        ("Mira Quill", "ann", [6, 6, 6], "grace"),
    ):
        who.get_by_role("button", name=name).tap()
        form = page.get_by_role("form")
        form.get_by_label(re.compile(f"^{say[1]}")).first.select_option(sheet)
        form.get_by_role("textbox", name=say[2], exact=True).fill("2")
        form.get_by_role("button", name=say[3]).tap()
        keys = page.locator(".pad").first
        expect(keys).to_be_visible()
        due = table.seats["gm"].get("/view")["rolls"][-1]["question"]["due"]
        for face in faces[:due]:
            keys.get_by_role("button", name=str(face), exact=True).tap()
        boxes = [one.bounding_box() for one in keys.get_by_role("button").all()]
        assert all(box and box["width"] >= 60 and box["height"] >= 44 for box in boxes)
        shot(page, f"tablet-{language}-{'upright' if upright else 'across'}-{seat}")
        keys.locator("button.primary").tap()
        expect(keys).to_have_count(0)
        roll = table.seats[seat].get("/view")["rolls"][-1]
        assert roll["roller"] == seat
        assert [die["face"] for die in roll["dice"]] == faces[:due]
        assert all(die["physical"] for die in roll["dice"])
        if roll["question"]:  # nobody has to unfold anything for somebody else
            page.locator(".cards .decision button", has_text=say[5]).first.tap()
        expect(page.locator(".cards article").first.locator(".outcome")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.close()


def test_the_shared_tablet_of_the_gm_shows_and_announces_nothing_hidden(
    browser: Browser, server: ServerThread
) -> None:
    table = Table(server)
    page = table.page(browser, "gm", TABLET, "middle")
    fight = [{"character": "ann/Mira Quill"}, {"name": "Spy", "hidden": True}]
    table.do("gm", "fight", combatants=fight)
    hidden = {"check": "direct", "title": "tell-tale", "parameters": {"attribute": 2, "target": 1}}
    table.do("gm", "declare", "g", mode="gm", **hidden)
    table.do("gm", "throw", roll="gm/g", faces=[6, 6])
    table.do("gm", "declare", "o", **{**hidden, "title": "in the open"})
    expect(page.locator(".cards")).to_contain_text("in the open")
    expect(page.locator(".fightbar")).to_contain_text("Mira Quill")
    for secret in ("tell-tale", "Spy"):
        assert secret not in page.content()
    page.context.close()


def test_keys_that_come_quicker_than_the_page_is_drawn_all_count(
    browser: Browser, server: ServerThread
) -> None:
    table = Table(server)
    page = table.page(browser, "ann", TABLET, "middle")
    page.get_by_role("button", name="Mira Quill").click()
    page.get_by_label("Attribute").first.select_option("grace")
    page.get_by_role("button", name="Enter the dice").click()
    pad = page.locator(".pad")
    pad.evaluate("""pad => {
        for (const key of ["6", "1", "Backspace", "5", "4", "3"])
            pad.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }""")
    expect(pad.locator(".typed")).to_contain_text("3 of 3")
    for face in ("6", "5", "4"):
        expect(pad.get_by_role("img", name=f"shows {face}")).to_be_visible()
    pad.evaluate("pad => pad.requestSubmit()")
    expect(pad).to_have_count(0)


def test_a_shared_seat_rolls_for_its_own_characters(browser: Browser, server: ServerThread) -> None:
    table = Table(server)
    page = table.page(browser, "ann", TABLET, "middle")
    expect(page.get_by_role("group", name="Who rolls?").get_by_role("button")).to_have_text(["Mira Quill"])
    page.get_by_role("button", name="Mira Quill").click()
    page.get_by_label("Attribute").first.select_option("grace")
    page.get_by_role("button", name="Enter the dice").click()
    expect(page.locator(".pad .keys button").first).to_be_focused()
    page.keyboard.type("61")  # keys of a keyboard do, too
    page.keyboard.press("Backspace")
    page.keyboard.type("55")
    page.locator(".pad button.primary").click()
    expect(page.locator(".pad")).to_have_count(0)
    roll = table.seats["ann"].get("/view")["rolls"][-1]
    assert [die["face"] for die in roll["dice"]] == [6, 5, 5]
    page.context.close()


@pytest.mark.proof
@pytest.mark.parametrize("how", rest_in_proof(["zoom", "text"]))
def test_at_200_percent_nothing_is_lost(browser: Browser, server: ServerThread, how: str) -> None:
    table = Table(server)
    table.leaps()
    size = {"width": 640, "height": 400} if how == "zoom" else LAPTOP
    more = {"device_scale_factor": 2} if how == "zoom" else {}
    page = table.page(browser, "gm", size, **more)
    for place in ("", "/odds", None):
        if place is None:
            page.goto(f"{server.url}/t/{table.seats['gm'].place}")
            expect(page.get_by_role("banner")).to_contain_text("gm")
        else:
            page.goto(server.url + place)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            if place:
                expect(page.locator(".overview .figure")).to_contain_text("%")
        if how == "text":
            page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        page.wait_for_timeout(300)
        assert page.evaluate(STICKS_OUT) == [], place
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place
    for part, shown in (("Dice", "form"), ("Table", "article"), ("People", "tabpanel")):
        show_beside(page, part)  # one part at a time: there is no room for two
        expect(page.get_by_role(shown).first).to_be_visible()  # type: ignore[arg-type]
        assert page.evaluate(STICKS_OUT) == [], part
    shot(page, f"200-{how}")
    page.context.close()


@pytest.mark.proof
def test_reduced_motion_is_respected(browser: Browser, server: ServerThread) -> None:
    counts = {}
    for motion in ("reduce", "no-preference"):
        table = Table(server)
        page = table.page(browser, "ann", LAPTOP, reduced_motion=motion)
        page.evaluate(
            "globalThis.moved = 0; for (const kind of ['animationstart', 'transitionrun'])"
            " document.addEventListener(kind, () => { globalThis.moved += 1; }, true);"
        )
        table.leaps()
        expect(page.get_by_role("article")).to_have_count(2)
        page.wait_for_timeout(500)
        counts[motion] = page.evaluate("globalThis.moved")
        assert page.evaluate(MOVES) == 0
        page.context.close()
    assert counts["reduce"] == 0
    assert counts["no-preference"] > 0  # else this would prove nothing


@pytest.mark.parametrize("size", rest_in_proof([LAPTOP, PHONE]), ids=["laptop", "phone"])
def test_no_meaning_by_colour_alone(browser: Browser, server: ServerThread, size: dict[str, int]) -> None:
    table = Table(server)
    table.leaps()
    table.do("ann", "declare", "p", mode="private", **LEAP, **MIRA)
    table.do("ann", "throw", roll="ann/p", faces=[6, 5, 1, 3, 2])
    page = table.page(browser, "ann", size, forced_colors="active")
    open_card = page.locator("[id='card-ann/p']")
    open_card.get_by_role("button", name="shows 1").click()
    expect(open_card.get_by_role("button", name="shows 1", pressed=True).locator(".sign")).to_be_visible()
    expect(page.locator("[id='card-ann/leap'] .end")).to_contain_text(re.compile("✓ *Success"))
    expect(page.locator("[id='card-bob/leap'] .end")).to_contain_text(re.compile("✗ *Failure"))
    expect(open_card.locator(".badge")).to_contain_text("GM and roller only")
    expect(open_card.locator(".badge svg")).to_be_visible()
    chosen = page.locator("[role='tab'][aria-selected='true'], [aria-current='page']").first
    other = page.locator("[role='tab'][aria-selected='false'], nav button:not([aria-current])").first
    edge = "one => getComputedStyle(one).borderBottomColor + getComputedStyle(one).borderTopColor"
    assert chosen.evaluate(edge) != other.evaluate(edge)
    shot(page, f"forced-{size['width']}")
    page.context.close()
