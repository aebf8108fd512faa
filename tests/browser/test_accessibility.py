"""Accessibility of every screen and state: axe, on laptop and phone, light and dark.

Sheets, the luck report, the explorer and fights have such tests beside their own; here they are
held to small screens as well.
"""

from __future__ import annotations

from typing import Any

import pytest
from accessibility import violations
from browser_players import LAID_OUT, LAPTOP, PHONE, open_page, show_beside
from playwright.sync_api import Browser, Locator, Page, expect
from servers import Seat, ServerThread, post

from handful.store import SQLiteStore, StoreFault

PARTS = {"act": "Dice", "feed": "Table", "side": "People"}
MIRA = {"as": "ann/Mira Quill"}
BIG = "?view=big"
# At the end no field lies under the bar at the foot, where axe would take it for too small.
TO_THE_END = """() => [document.scrollingElement, ...document.querySelectorAll(".part")]
  .forEach((one) => { one.scrollTop = one.scrollHeight; })"""
# How much longer the table page is than a wide screen, where only its parts scroll.
LONGER = """() => document.querySelector(".as-table:is([data-columns='2'], [data-columns='3'])")
  ? document.documentElement.scrollHeight - innerHeight : 0"""


def clean(page: Page, what: str, part: str = "") -> None:
    """Assert no axe violation and no overflow on a laptop, on a phone and with dark colours."""
    for size in (LAPTOP, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        if part and size is PHONE:
            show_beside(page, PARTS[part])
        if page.locator(".as-table").count():
            page.wait_for_function(LAID_OUT)
        page.evaluate(TO_THE_END)
        assert violations(page) == [], f"{what}, {size['width']} px"
        wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], f"{what}: {wide[0]} px on a screen of {wide[1]}"
        assert page.evaluate(LONGER) <= 0, f"{what}: the page scrolls, not only its parts"
    page.emulate_media(color_scheme="dark")
    assert violations(page, "color-contrast") == [], f"{what}, dark"
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]


class TableInPages:
    """A table driven over HTTP and shown in pages."""

    def __init__(self, browser: Browser, at: ServerThread, game: str = "uwr") -> None:
        self.browser, self.at = browser, at
        self.seats = at.open(game=game, demo=True, watchers=True)
        link = post(f"{at.url}/api/sit", json={"token": self.seats[""].token, "name": "eve"})
        self.seats["eve"] = Seat(at, link.json()["link"])
        self.pages: dict[str, Page] = {}

    def page(self, name: str, query: str = "") -> Page:
        """Return the page of a seat once its odds have loaded."""
        if name + query not in self.pages:
            made = open_page(self.browser, self.at.url + self.seats[name].link)
            if query:
                made.goto(made.url + query)
            shown = "watcher" if query == BIG else name  # no seat is named on a screen for all
            expect(made.get_by_role("banner").locator(".me")).to_contain_text(shown)
            self.pages[name + query] = made
        found = self.pages[name + query]
        if found.locator("p.chance").count():
            expect(found.locator("p.chance").first).not_to_have_text("…")
        return found

    def do(self, seat: str, do: str, key: str = "", **data: Any) -> None:
        answer = self.seats[seat].do(do, key, **data)
        assert answer.status_code == 200, answer.text

    def card(self, name: str, roll: str) -> Locator:
        found = self.page(name).locator(f"[id='card-{roll}']")
        expect(found).to_be_visible()
        return found

    def check_screen(self, what: str, *names: str, part: str = "feed") -> None:
        for name in names:
            clean(self.page(name), f"{what}, {name}", "" if name == "eve" else part)

    def __enter__(self) -> TableInPages:
        return self

    def __exit__(self, *_: Any) -> None:
        for page in self.pages.values():
            page.context.close()


def test_the_first_pages(browser: Browser, server: ServerThread) -> None:
    page = open_page(browser, server.url)
    expect(page.get_by_role("button", name="Try it").first).to_be_visible()
    clean(page, "start")
    page.get_by_role("button", name="Open a table").first.click()
    page.get_by_label("Your name (you run the game)").fill("Kim")
    clean(page, "a new table")
    page.get_by_role("button", name="Open the table").click()
    dialog = page.get_by_role("dialog", name="Invite the players")
    expect(dialog.get_by_role("img", name="QR code")).to_be_visible()
    expect(dialog.get_by_role("button", name="Copy the code")).to_be_visible()
    clean(page, "an invitation")
    dialog.get_by_text("Other links").click()
    dialog.get_by_role("button", name="Make a link for watchers").click()
    expect(dialog.get_by_label("Anyone with this link can watch")).to_be_visible()
    clean(page, "other links")
    page.goto(server.url)
    expect(page.get_by_role("link", name="Sit down: Our table")).to_be_visible()
    clean(page, "my tables")
    page.get_by_role("button", name="I have a recovery code").click()
    clean(page, "a recovery code")
    page.context.close()


@pytest.mark.proof
def test_joining_and_getting_lost(browser: Browser, server: ServerThread) -> None:
    seats = server.open(watchers=True)
    page = open_page(browser, server.url + seats[""].link)
    expect(page.get_by_label("Your name")).to_be_visible()
    clean(page, "join")
    page.get_by_label("Your name").fill("ann")
    page.get_by_role("button", name="Watch").click()
    expect(page.get_by_role("alert")).to_be_visible()
    clean(page, "a name that is taken")
    page.goto(f"{server.url}/join/nothing")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    clean(page, "lost")
    page.context.close()


@pytest.mark.proof
@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
def test_every_tab_of_a_fresh_table(browser: Browser, server: ServerThread, name: str) -> None:
    with TableInPages(browser, server) as table:
        page = table.page(name, "?view=table")
        clean(page, "empty", "feed")
        for part in ("act", "side"):
            show_beside(page, PARTS[part])
            for tab in page.locator(f".part.{part}").get_by_role("tab").all():
                tab.click()
                clean(page, f"{part}: {tab.inner_text()}", part)
        page.locator(".part.act details.more, .part.side details").evaluate_all(
            "all => all.forEach((one) => { one.open = true; })"
        )
        clean(page, "all open", "side")


@pytest.mark.proof
def test_every_state_of_a_roll(browser: Browser, server: ServerThread) -> None:
    with TableInPages(browser, server) as table:
        do, card = table.do, table.card
        for name in ("gm", "ann", "bob", "eve"):
            table.page(name)
        asked = {"attribute": "grace", "skill": "acrobatics", "target": 3}
        do("ann", "declare", "r", check="direct", title="over the wall", parameters=asked, **MIRA)
        card("ann", "ann/r").get_by_role("button", name="My own dice").click()
        table.check_screen("declared", "ann", "gm", "eve")
        do("ann", "throw", roll="ann/r", faces=[6, 3])
        expect(card("ann", "ann/r")).to_contain_text("Throw 3d6")
        table.check_screen("dice typed", "ann", "bob")
        do("ann", "throw", roll="ann/r", faces=[1, 5, 2])
        card("ann", "ann/r").get_by_role("button", name="shows 3", exact=False).click()
        table.check_screen("a decision", "ann", "gm", "eve")
        do("ann", "answer", roll="ann/r", answer=[2])
        expect(card("ann", "ann/r").get_by_role("button", name="Undo")).to_be_visible()
        table.check_screen("decided, and may be undone", "ann")
        do("ann", "throw", roll="ann/r", faces=[4])
        do("gm", "judge", roll="ann/r", words="she hangs there")
        expect(card("ann", "ann/r")).to_contain_text("she hangs there")
        for one in card("gm", "ann/r").locator("details").all():
            one.evaluate("one => { one.open = true; }")
        table.check_screen("finalised, a failure, its menu", "gm", "bob", "eve")
        do("gm", "correct", roll="ann/r", parameters={"target": 2}, words="it is lower")
        expect(card("bob", "ann/r")).to_contain_text("Success")
        table.check_screen("a success", "bob")


@pytest.mark.proof
def test_rolls_that_are_hidden(browser: Browser, server: ServerThread) -> None:
    with TableInPages(browser, server) as table:
        do, card = table.do, table.card
        asked = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}
        do("gm", "declare", "lie", mode="gm", **asked)
        do("gm", "throw", roll="gm/lie")
        do("ann", "declare", "p", mode="private", **asked)
        do("ann", "throw", roll="ann/p", faces=[6, 6, 1])
        do("ann", "declare", "b", mode="blind", **asked)
        do("ann", "throw", roll="ann/b")
        do("ann", "declare", "s", mode="secret", **asked)
        do("gm", "declare", "h", hidden=["target"], **{"for": "ann"}, **asked)
        do("ann", "declare", "c", title="never mind", **asked)
        do("ann", "cancel", roll="ann/c")
        expect(card("bob", "ann/p")).to_contain_text("Not for your eyes")
        expect(card("ann", "ann/b")).to_contain_text("the GM knows the result")
        card("gm", "gm/h")
        table.check_screen("hidden", "gm", "ann", "bob", "eve")
        do("gm", "reveal", roll="gm/lie")
        expect(card("bob", "gm/lie")).to_contain_text("revealed")
        table.check_screen("revealed", "bob", "eve")


@pytest.mark.proof
def test_a_ruling_a_point_to_spend_and_a_wild_die(browser: Browser, server: ServerThread) -> None:
    with TableInPages(browser, server, "me-d6") as table:
        do = table.do
        asked = {"dice": "4D+2", "difficulty": 15}
        do("ann", "declare", "r", check="check", parameters=asked)
        do("ann", "throw", roll="ann/r", faces=[1])
        do("ann", "throw", roll="ann/r", faces=[4, 5, 6])
        expect(table.card("gm", "ann/r").locator(".decision")).to_be_visible()
        table.check_screen("a ruling", "gm", "ann", "eve")
        do(
            "ann",
            "declare",
            "s",
            check="check",
            parameters={**asked, "spend": "ask"},
            **{"as": "ann/Corvin Ade"},
        )
        while table.seats["ann"].get("/view")["rolls"][-1]["question"].get("throw"):
            due = table.seats["ann"].get("/view")["rolls"][-1]["question"]["due"]
            do("ann", "throw", roll="ann/s", faces=[4] * due)
        expect(table.card("ann", "ann/s").locator(".decision")).to_be_visible()
        table.check_screen("a point to spend", "ann")


@pytest.mark.proof
def test_requests_and_calls(browser: Browser, server: ServerThread) -> None:
    with TableInPages(browser, server) as table:
        do, card = table.do, table.card
        do(
            "gm",
            "request",
            "q",
            to=["ann", "bob"],
            check="direct",
            title="over the wall",
            parameters={"target": 2},
            hidden=["target"],
        )
        card("ann", "gm/q")
        table.check_screen("asked", "ann", "gm")
        do("ann", "propose", request="gm/q", parameters={"attribute": "grace"}, **MIRA)
        expect(card("gm", "gm/q")).to_contain_text("suggests")
        table.check_screen("proposed", "gm", "ann")
        do("gm", "refuse", request="gm/q", name="ann", words="too slow")
        expect(card("ann", "gm/q")).to_contain_text("too slow")
        table.check_screen("refused", "ann")
        do(
            "bob",
            "call",
            "d",
            check="direct",
            title="is it locked?",
            parameters={"attribute": "insight"},
            **{"as": "bob/Tove Harl"},
        )
        card("gm", "bob/d")
        table.check_screen("a call", "gm", "bob")
        do("gm", "accept", request="bob/d", name="bob")
        do(
            "bob",
            "throw",
            roll=table.seats["bob"].get("/view")["rolls"][-1]["roll"],
            faces=[6, 6],
        )
        expect(card("gm", "bob/d").get_by_role("button", name="Nothing to find")).to_be_visible()
        table.check_screen("a call to settle", "gm")


@pytest.mark.proof
def test_contests_and_a_group(browser: Browser, server: ServerThread) -> None:
    with TableInPages(browser, server, "tuurna") as table:
        do, card = table.do, table.card
        for name, level in (("ann", 5), ("bob", 4)):
            do(
                name,
                "declare",
                "r",
                check="check",
                title="to the gate",
                parameters={"level": level},
            )
        do("gm", "challenge", "c", check="contest", sides=[{"roll": "ann/r"}, {"roll": "bob/r"}])
        card("gm", "gm/c")
        table.check_screen("a contest that waits", "gm", "ann", "eve")
        for name in ("ann", "bob"):
            while (roll := table.seats[name].get("/view")["rolls"][0])["question"]:
                do(name, "throw", roll=roll["roll"], faces=[3] * roll["question"]["due"])
        for name in ("ann", "bob"):
            while not (
                view := next(
                    one for one in table.seats[name].get("/view")["rolls"] if one["roll"] == f"{name}/r"
                )
            )["outcome"]:
                do(name, "throw", roll=f"{name}/r", faces=[3] * view["question"]["due"])
        table.check_screen("a contest that is over, or a tie", "gm", "eve")
        do(
            "gm",
            "contest",
            "g",
            check="group",
            rolls=["ann/r", "bob/r"],
            parameters={"difficulty": 10, "judge": "max"},
        )
        expect(card("gm", "gm/g")).to_be_visible()
        table.check_screen("a group", "gm", "ann", "eve")


@pytest.mark.proof
def test_a_fight_in_each_view(browser: Browser, server: ServerThread) -> None:
    with TableInPages(browser, server) as table:
        do = table.do
        do(
            "gm",
            "fight",
            combatants=[
                {"character": "ann/Mira Quill"},
                {"character": "bob/Tove Harl"},
                {"name": "Wolf", "hidden": True},
            ],
        )
        do("ann", "fix", combatant="ann/Mira Quill", actions=2)
        for name in ("gm", "ann", "eve"):
            expect(table.page(name).locator("#app")).to_contain_text("Mira Quill’s turn")
        table.check_screen("a fight", "gm", "ann", part="act")
        table.check_screen("a fight", "eve")
        clean(table.page("gm", "?view=middle"), "a fight in the middle")
        big = table.page("gm", BIG)
        expect(big.get_by_role("main")).to_contain_text("Mira Quill’s turn")
        expect(big.get_by_role("banner").locator(".me")).to_have_text("watcher")
        expect(big.locator("body")).not_to_contain_text("Wolf")
        assert "Wolf" in str(table.seats["gm"].get("/view")), "the GM's own page has it"
        clean(big, "a fight, big")


@pytest.mark.proof
def test_windows(browser: Browser, server: ServerThread) -> None:
    with TableInPages(browser, server) as table:
        asked = {"check": "direct", "parameters": {"attribute": 1, "target": 1}}
        table.do("ann", "declare", "r", **asked)
        table.do("ann", "throw", roll="ann/r", faces=[6])
        page = table.page("ann")
        page.get_by_role("button", name="Open sheet").click()
        window = page.get_by_role("dialog")
        expect(window).to_be_visible()
        for tab in window.get_by_role("tab").all():
            tab.click()
            clean(page, f"sheet: {tab.inner_text()}")
        page.keyboard.press("Escape")
        expect(window).to_have_count(0)
        show_beside(page, "People")
        page.get_by_role("tab", name="Log").click()
        page.get_by_role("button", name="Luck report").click()
        expect(window.locator("svg").first).to_be_visible()
        clean(page, "luck")


@pytest.mark.proof
def test_errors_and_lost_connections(
    browser: Browser, server: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TableInPages(browser, server) as table:
        page = table.page("ann")
        show_beside(page, "Dice")
        page.get_by_label("Attribute").first.select_option("grace")
        form = page.get_by_role("form", name="Roll")
        form.get_by_text("Modifiers").first.click()
        form.get_by_role("textbox", name="Favor").fill("nonsense")
        form.get_by_role("button", name="Roll", exact=True).click()
        expect(page.get_by_role("alert")).to_be_visible()
        clean(page, "refused", "act")

        def full(*_: Any, **__: Any) -> None:
            raise StoreFault("the disk is full", "make room")

        monkeypatch.setattr(SQLiteStore, "append", full)
        form.get_by_role("textbox", name="Favor").fill("")
        form.get_by_role("button", name="Roll", exact=True).click()
        expect(page.get_by_text("the disk is full").first).to_be_visible()
        clean(page, "the disk is full")
        page.context.set_offline(True)
        page.evaluate("cutSockets()")
        expect(page.get_by_text("No connection")).to_be_visible()
        clean(page, "disconnected", "feed")


@pytest.mark.proof
@pytest.mark.parametrize("tab", ["Odds", "Table", "Compare", "Claims"])
def test_the_explorer(browser: Browser, server: ServerThread, tab: str) -> None:
    page = open_page(browser, f"{server.url}/odds")
    page.get_by_role("tab", name=tab, exact=True).click()
    clean(page, tab)
    page.context.close()


@pytest.mark.proof
def test_the_other_views(browser: Browser, server: ServerThread) -> None:
    with TableInPages(browser, server) as table:
        clean(table.page("eve"), "nothing yet")
        page = table.page("ann", "?view=middle")
        page.get_by_role("button", name="Mira Quill").click()
        clean(page, "who throws")
        page.get_by_label("Attribute").first.select_option("grace")
        page.get_by_role("button", name="Enter the dice").click()
        page.get_by_role("button", name="6", exact=True).click()
        clean(page, "keys")
        clean(table.page("eve"), "a roll")
