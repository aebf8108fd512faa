"""Talk in Chromium: messages, whispers, notes, the scratchpad; removing people, with an undo; a second GM."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from accessibility import violations
from browser_players import LAPTOP, PHONE, open_page, show_beside
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from servers import Seat, ServerThread, wait_until


class Table:
    """A table with pages for some of its seats."""

    def __init__(self, browser: Browser, server: ServerThread) -> None:
        self.browser, self.url = browser, server.url
        self.seats: dict[str, Seat] = server.open(demo=True)
        self.open: list[Page] = []
        self.faults: list[str] = []

    def page(self, seat: str, tab: str, size: dict[str, int] | None = None) -> Page:
        page = open_page(self.browser, self.url + self.seats[seat].link, size or LAPTOP)
        page.on("pageerror", lambda one: self.faults.append(str(one)))
        expect(page.get_by_role("banner")).to_contain_text(seat)
        if size == PHONE:
            page.get_by_role("navigation").get_by_role("button").last.click()
        show_beside(page, "People")
        page.get_by_role("tab", name=re.compile(f"^{tab}")).click()
        self.open.append(page)
        return page


@pytest.fixture
def table(browser: Browser, server: ServerThread) -> Iterator[Table]:
    made = Table(browser, server)
    yield made
    for page in made.open:
        page.context.close()
    assert made.faults == []


def test_people_talk_aloud_and_in_whispers(table: Table) -> None:
    ann, gm = table.page("ann", "Talk", PHONE), table.page("gm", "Talk")
    ann.get_by_label("Say something").fill("Hello, <b>all</b>")
    ann.get_by_label("Say something").press("Enter")
    expect(gm.locator(".said .words")).to_have_text("Hello, <b>all</b>")
    ann.get_by_role("button", name="bob", exact=True).click()
    ann.get_by_label("Whisper to bob").fill("not for the GM")
    ann.get_by_role("button", name="Send").click()
    expect(ann.locator(".said.whispered")).to_contain_text("whispered to bob")
    table.seats["bob"].do("say", text="done")
    expect(gm.locator(".said .words")).to_have_text(["Hello, <b>all</b>", "done"])
    assert "not for the GM" not in gm.content()
    assert violations(ann) == []


def test_unread_messages_are_counted_until_they_are_seen(table: Table) -> None:
    ann = table.page("ann", "Characters")
    table.seats["gm"].do("say", text="It rains.")
    show_beside(ann, "People")
    ann.get_by_role("tab", name="Talk (1)").click()
    expect(ann.get_by_role("tab", name="Talk", exact=True)).to_be_visible()


def test_two_people_write_on_the_scratchpad_at_once(table: Table) -> None:
    table.seats["gm"].do("scratchpad", text="silver\nrope", replaces="")
    ann, bob = table.page("ann", "Talk"), table.page("bob", "Talk")
    pads = [page.get_by_label("Scratchpad") for page in (ann, bob)]
    pads[0].fill("silver\nrope\nlamp")
    pads[1].fill("40 silver\nrope")
    pads[0].blur()
    pads[1].blur()
    for pad in pads:
        expect(pad).to_have_value("40 silver\nrope\nlamp")
    assert table.seats["gm"].get("/view")["scratchpad"]["text"] == "40 silver\nrope\nlamp"


def test_a_note_stands_on_the_roll(table: Table) -> None:
    asked = {"check": "direct", "parameters": {"attribute": 3}}
    table.seats["ann"].do("declare", "r", **asked, throw={"faces": [6, 5, 1]}, finish=True)
    bob, gm = table.page("bob", "Talk"), table.page("gm", "Talk")
    card = bob.locator("article.card").first
    card.locator("details.menu > summary").click()
    card.get_by_label("Note on this roll").fill("hold my lantern")
    card.get_by_role("button", name="Add", exact=True).click()
    expect(gm.locator("article.card .notes")).to_contain_text("hold my lantern")


def test_removing_somebody_can_be_undone(table: Table) -> None:
    gm = table.page("gm", "Seats")
    seat = gm.locator(".seats > li").filter(has_text="ann")
    seat.get_by_role("button", name="Remove").click()
    expect(seat).to_contain_text("away")
    gm.get_by_role("button", name="Undo").click()
    expect(seat).not_to_contain_text("away")
    gm.wait_for_timeout(6500)
    assert table.seats["ann"].ask("GET", "/view").status_code == 200, "its link is still valid"
    seat.get_by_role("button", name="Remove").click()
    wait_until(lambda: table.seats["ann"].ask("GET", "/view").status_code == 403, 15)
    assert "ann/Mira Quill" in [one["character"] for one in table.seats["gm"].get("/view")["characters"]]


def test_a_removed_character_comes_back(table: Table) -> None:
    ann = table.page("ann", "Characters")
    box = ann.locator("details.character").filter(has_text="Mira Quill")
    if box.get_attribute("open") is None:
        box.locator("summary").first.click()
    before = table.seats["ann"].get("/view")["characters"]
    box.get_by_role("button", name="Remove").click()
    ann.get_by_role("button", name="Undo").click()
    wait_until(lambda: len(table.seats["ann"].get("/view")["characters"]) == len(before), 15)
    sheets = [
        {one["character"]: one.get("sheet") for one in found}
        for found in (before, table.seats["ann"].get("/view")["characters"])
    ]
    assert sheets[0] == sheets[1]


def test_the_gm_hands_the_table_over(table: Table) -> None:
    gm, bob = table.page("gm", "Seats"), table.page("bob", "Seats")
    gm.get_by_text("Share or hand over").click()
    gm.get_by_label("With whom?").select_option("bob")
    gm.get_by_role("button", name="Give bob a seat as GM").click()
    bob.get_by_role("button", name="Sit down as GM").first.click()
    expect(bob.get_by_role("banner")).to_contain_text("bob (GM)")
    own = gm.locator(".seats > li").first
    own.get_by_role("button", name="Leave").click()
    expect(own).to_contain_text("away")
    show_beside(bob, "People")
    bob.get_by_role("tab", name="Seats").click()
    expect(bob.get_by_role("button", name="New link").first).to_be_visible()


def test_a_picture_is_chosen_and_seen_by_others(table: Table, tmp_path: Path) -> None:
    Image.new("RGB", (300, 200), "green").save(tmp_path / "me.png")
    (tmp_path / "text.png").write_text("no picture")
    ann, bob = table.page("ann", "Seats"), table.page("bob", "Seats")
    field = ann.locator(".seats > li").filter(has_text="ann").get_by_label("Choose a picture")
    field.set_input_files(tmp_path / "text.png")
    expect(ann.get_by_text("this is no picture")).to_be_visible()
    field.set_input_files(tmp_path / "me.png")
    face = bob.locator(".seats > li").filter(has_text="ann").locator("img.who")
    expect(face).to_be_visible()
    expect(face).to_have_js_property("naturalWidth", 128)
    ann.get_by_role("button", name="Remove the picture").click()
    expect(face).to_have_count(0)
