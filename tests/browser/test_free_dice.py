"""Free dice, saved rolls and sharing a roll in Chromium."""

from __future__ import annotations

from pathlib import Path

from accessibility import violations
from browser_players import LAPTOP, open_page, show_beside
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect
from servers import Seat, ServerThread

ASKED = {"check": "direct", "parameters": {"attribute": 3, "target": 1}}


def opened(browser: Browser, server: ServerThread, seat: Seat) -> tuple[Page, list[str]]:
    page = open_page(browser, server.url + seat.link, LAPTOP)
    said: list[str] = []
    page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda one: said.append(str(one)))
    expect(page.get_by_role("banner")).to_be_visible()
    return page, said


def test_free_dice_are_typed_with_their_odds_and_rolled(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    page, said = opened(browser, server, seats["ann"])
    show_beside(page, "Dice")
    box = page.locator("details.free")
    box.locator("summary").click()
    field = box.get_by_label("Which dice?")
    field.press_sequentially("2d6 >= 9")  # half an expression is never asked about
    expect(box.locator(".chance")).to_contain_text("28%")
    assert violations(page) == []
    box.get_by_role("button", name="Roll", exact=True).click()
    card = page.locator("article.card").first
    expect(card).to_contain_text("2d6 >= 9 (outside the rules)")
    expect(card).to_contain_text("total")
    (roll,) = seats["bob"].get("/view")["rolls"]
    assert roll["asked"]["check"] == "dice:2d6 >= 9"
    show_beside(page, "Dice")
    box.get_by_role("group", name="Your last dice").get_by_role("button").first.click()
    expect(page.locator("article.card, article.past")).to_have_count(2)
    assert said == []
    page.context.close()


def test_a_roll_is_saved_and_rolled_with_one_tap(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    page, said = opened(browser, server, seats["ann"])
    show_beside(page, "Dice")
    page.get_by_text("Save this roll").click()
    page.get_by_label("Name of the roll").fill("climb")
    page.get_by_role("button", name="Save", exact=True).click()
    page.reload()
    show_beside(page, "Dice")
    page.get_by_role("list", name="Saved rolls").get_by_role("button", name="climb", exact=True).click()
    expect(page.locator("article.card")).to_have_count(1)
    show_beside(page, "Dice")
    page.get_by_role("button", name="Remove climb").click()
    expect(page.get_by_role("list", name="Saved rolls")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("list", name="Saved rolls")).to_be_visible()
    assert said == []
    page.context.close()


def test_a_roll_is_shared_as_text_picture_and_link(
    browser: Browser, server: ServerThread, tmp_path: Path
) -> None:
    seats = server.open(demo=True)
    seats["ann"].do("declare", "r", **ASKED, title="jump", throw={"faces": [6, 5, 1]}, finish=True)
    page, said = opened(browser, server, seats["ann"])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card = page.locator("article.card").first
    card.locator("details.menu > summary").click()
    card.get_by_role("button", name="Copy as text").click()
    expect(card.get_by_role("status").filter(has_text="opied")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("ann: jump [6 5 1] Success")
    assert "#1 · Friday" in text
    with page.expect_download() as saved:
        card.get_by_role("button", name="Save as picture").click()
    saved.value.save_as(tmp_path / "roll.png")
    with Image.open(tmp_path / "roll.png") as picture:
        assert picture.width == 1000
        assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 10
    card.get_by_role("button", name="Copy link").click()
    expect(card.get_by_role("status").filter(has_text="opied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    bob, _ = opened(browser, server, seats["bob"])
    bob.goto(link)
    expect(bob.get_by_role("banner")).to_contain_text("bob")
    expect(bob.locator("article.card").first).to_be_focused()
    assert said == []
    for one in (page, bob):
        one.context.close()


def test_a_part_that_could_not_be_fetched_is_asked_for_again(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    seats["ann"].do("declare", "r", **ASKED, throw={"faces": [6, 5, 1]}, finish=True)
    page, _ = opened(browser, server, seats["ann"])
    missed: list[str] = []

    def fail_twice(route: Route) -> None:
        missed.append(route.request.url)
        route.abort() if len(missed) < 3 else route.continue_()

    page.route("**/shareRoll.js*", fail_twice)
    page.reload()
    card = page.locator("article.card").first
    card.locator("details.menu > summary").click()
    expect(card.get_by_role("button", name="Copy as text")).to_be_visible()
    assert len(missed) >= 3
    page.context.close()
