"""New characters in Chromium: made on a phone and played at once, in any game."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from accessibility import violations
from browser_players import LAPTOP, PHONE, save_screenshot, show_beside
from effort import rest_in_proof
from playwright.sync_api import Browser, Locator, Page, expect
from servers import Seat, ServerThread, post
from toy_rulesets import HEAD

SLOW = 20_000  # milliseconds; only a broken page takes as long
# A game that nobody has seen: attributes and a check, and nothing about how characters are made.
BREW = (
    HEAD.replace("language = 1", "language = 2")
    + """[checks.try]
title.en = "Try"
help.en = "Try it"
main = "total"
does = "result(total = sum(roll(max(1, trait), d6 >= 5)))"
[checks.try.params.trait]
type = "number"
min = 0
max = 99
label.en = "Trait"
[sheet.attribute]
min = 1
max = 6
[sheet.attributes]
wit = { title.en = "Wit" }
nerve = { title.en = "Nerve", help.en = "stay calm" }
[sheet.picks.trait]
attributes = { trait = "value" }
"""
)
BUDGET = """[sheet.creation]
strict = true
[sheet.creation.budgets.b]
title.en = "Points"
points = 7
"""


class NewTable:
    """A table without characters, and pages for its seats that may not complain."""

    def __init__(self, browser: Browser, server: ServerThread, **wanted: Any) -> None:
        self.browser, self.url = browser, server.url
        self.seats: dict[str, Seat] = server.open(**wanted)
        self.said: list[str] = []

    def page(self, seat: str, size: dict[str, int], after: str = "", language: str = "en") -> Page:
        context = self.browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            locale=language,
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.set_default_timeout(SLOW)
        page.on("console", lambda one: self.said.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda one: self.said.append(str(one)))
        page.goto(f"{self.url}{self.seats[seat].link}{after}")
        return page

    def characters(self, seat: str = "gm") -> dict[str, dict[str, Any]]:
        return {one["name"]: one for one in self.seats[seat].get("/view")["characters"]}


@pytest.fixture
def tables(browser: Browser, server: ServerThread) -> Iterator[Any]:
    made: list[NewTable] = []

    def table(**wanted: Any) -> NewTable:
        made.append(NewTable(browser, server, **wanted))
        return made[-1]

    yield table
    for context in browser.contexts:
        context.close()
    assert [one for table in made for one in table.said] == []


def brew(server: ServerThread, text: str) -> str:
    answer = post(f"{server.url}/api/brews", json={"ruleset": text})
    assert answer.status_code in (200, 201), answer.text
    found: str = answer.json()["hash"]
    return found


def dialog(page: Page) -> Locator:
    window = page.get_by_role("dialog")
    expect(window.locator("form")).to_be_visible()
    return window


def added(page: Page) -> None:
    page.get_by_role("dialog").locator("button.primary").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


# -- from nothing to the first roll

WORDS = {
    "en": {
        "name": "Your name",
        "own": "I make my own",
        "sit": "Sit down",
        "people": "People",
        "roll": "Roll",
    },
    "de": {
        "name": "Dein Name",
        "own": "Ich mache eine eigene Figur",
        "sit": "Hinsetzen",
        "people": "Leute",
        "roll": "Würfeln",
    },
}


class Clicks:
    """Clicks on a page, counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, what: Locator) -> None:
        what.click()
        self.count += 1


def roll_grace(page: Page, click: Clicks, language: str) -> None:
    """Tap an attribute of the own character, and roll it."""
    page.get_by_role("navigation").get_by_role("button", name=WORDS[language]["people"]).click()
    click(page.locator("details.character").get_by_role("button", name=re.compile("^Grace")))
    click(page.locator("form button.primary:visible").filter(has_text=WORDS[language]["roll"]).first)
    expect(page.locator("[id^=card-]").first).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
def test_from_the_invitation_to_the_first_roll_on_a_phone(
    server: ServerThread, tables: Any, language: str
) -> None:
    table = tables(game="uwr", players=[], join=True)
    link = table.seats["gm"].get("/join")["player"]
    context = table.browser.new_context(viewport=PHONE, locale=language, reduced_motion="reduce")
    page, words = context.new_page(), WORDS[language]
    page.set_default_timeout(SLOW)
    began, click = time.monotonic(), Clicks(page)
    page.goto(f"{server.url}{link}")
    page.get_by_label(words["name"]).fill("Nell")
    click(page.get_by_role("radio", name=words["own"]))
    click(page.get_by_role("button", name=words["sit"]))
    dialog(page)
    added(page)
    roll_grace(page, click, language)
    (one,) = table.characters().values()
    assert (one["owner"], one["kind"]) == ("Nell", "pc")
    (roll,) = table.seats["gm"].get("/view")["rolls"]
    assert roll["as"] == [one["character"]]
    assert click.count <= 5
    assert time.monotonic() - began < 90


def test_an_own_table_with_an_own_character_within_ten_clicks(server: ServerThread, tables: Any) -> None:
    table = tables()
    page = table.browser.new_context(viewport=LAPTOP, locale="en", reduced_motion="reduce").new_page()
    page.set_default_timeout(SLOW)
    began, click = time.monotonic(), Clicks(page)
    page.goto(server.url)
    click(page.get_by_role("button", name=re.compile("^Open a table.*UWR")))
    click(page.get_by_role("dialog").locator("button.primary"))
    invitation = page.get_by_role("dialog", name="Invite the players")
    click(invitation.get_by_role("button", name="Close", exact=True))
    expect(invitation).to_have_count(0)
    click(page.get_by_role("button", name="New character"))
    window = dialog(page)
    window.get_by_role("textbox", name="Name").fill("Nell Holm")
    click(window.get_by_role("button", name="more Grace"))
    click(window.locator("button.primary"))
    expect(page.locator("button.person b")).to_have_text("Nell Holm")
    assert click.count <= 10
    assert time.monotonic() - began < 90


def from_link_to_roll(tables: Any, game: str, language: str) -> None:
    table = tables(game=game)
    page = table.page("ann", PHONE, "#create", language)
    window = dialog(page)
    expect(window.locator(".live")).to_be_visible()
    assert violations(page) == []
    save_screenshot(page, f"create-{game}-{language}.png")
    added(page)  # one click: everything was filled in
    (one,) = table.characters().values()
    assert (one["owner"], one["kind"]) == ("ann", "pc")
    assert one["name"]
    button = page.locator("button.primary:visible, nav button:visible").first
    expect(button).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_newcomer_has_a_character_with_one_click(tables: Any, language: str) -> None:
    from_link_to_roll(tables, "uwr", language)


@pytest.mark.parametrize("game", rest_in_proof(["me-d6", "tuurna", "fons", "agga"], keep=1))
def test_every_game_has_a_form(tables: Any, game: str) -> None:
    from_link_to_roll(tables, game, "de")


def test_choices_show_at_once_what_follows(tables: Any) -> None:
    table = tables(game="me-d6")
    page = table.page("ann", PHONE, "#create")
    window = dialog(page)
    window.get_by_role("button", name="Soldier").click()
    name = window.get_by_role("textbox", name="Name")
    first = name.input_value()
    window.get_by_role("button", name="Random name").click()
    expect(name).not_to_have_value(first)
    name.fill("Nell Holm")
    budget = window.get_by_role("region", name="Attributes").locator(".budget")
    expect(budget).to_contain_text("1D left")
    figure = window.locator(".figures-of div", has_text="Max hit points").locator("dd")
    expect(figure).to_have_text("32")
    for _ in range(3):
        window.get_by_role("button", name="more Strength").click()
    expect(window.get_by_label("Strength", exact=True)).to_have_value("5D")
    expect(budget).to_contain_text("all spent")
    expect(figure).to_have_text("35")
    expect(window.locator(".figures-of .up", has_text="Max hit points")).to_be_visible()
    window.get_by_label("Strength", exact=True).fill("nonsense")  # explained, without an error in the console
    expect(window.get_by_role("alert")).to_contain_text("strength")
    expect(window.locator("button.primary")).to_be_disabled()
    window.get_by_label("Strength", exact=True).fill("5D+1")
    expect(budget).to_contain_text("0D+1 too many")
    added(page)  # the game is not strict: points are advice
    assert table.characters()["Nell Holm"]["sheet"]["attributes"]["strength"] == "5D+1"


def test_long_lists_are_searched(tables: Any) -> None:
    table = tables(game="me-d6")
    page = table.page("ann", PHONE, "#create")
    window = dialog(page)
    window.get_by_role("button", name="Blank").click()
    skills = window.get_by_role("region", name="Skills")
    skills.locator("summary", has_text="Choose").click()
    skills.get_by_role("searchbox", name="Search").fill("codes")
    skills.get_by_role("button", name="Decryption").click()
    expect(skills.get_by_label("Decryption", exact=True)).to_have_value("1")
    expect(skills.locator(".budget")).to_contain_text("20 left")
    added(page)
    (one,) = table.characters().values()
    assert one["sheet"]["skills"] == {"decryption": 1}


def test_entries_of_ones_own_are_asked_for_what_they_need(tables: Any) -> None:
    table = tables(game="me-d6")
    page = table.page("ann", PHONE, "#create")
    window = dialog(page)
    window.get_by_role("button", name="Blank").click()
    skills = window.get_by_role("region", name="Skills")
    skills.locator("summary", has_text="Your own").click()
    skills.get_by_label("Custom").fill("Cooking")
    skills.get_by_role("button", name="Add", exact=True).click()
    expect(window.locator("button.primary")).to_be_disabled()  # it belongs to an attribute
    expect(window.get_by_role("alert")).to_contain_text("Cooking")
    skills.get_by_label("Attribute").select_option("knowledge")
    expect(window.locator("button.primary")).to_be_enabled()
    added(page)
    (one,) = table.characters().values()
    assert one["sheet"]["skills"] == {"Cooking": {"points": 1, "attribute": "knowledge"}}


def test_a_draft_survives_closing_and_loading_again(tables: Any) -> None:
    table = tables(game="uwr")
    page = table.page("ann", PHONE, "#create")
    window = dialog(page)
    window.get_by_role("button", name="Sturdy").click()
    expect(window.get_by_role("button", name="Sturdy")).to_have_attribute("aria-pressed", "true")
    window.get_by_role("textbox", name="Name").fill("Half done")
    window.get_by_label("Grace", exact=True).fill("3.5")
    window.get_by_role("button", name="Close").click()
    page.reload()
    page.get_by_role("navigation").get_by_role("button").last.click()
    page.get_by_role("button", name="New character").click()
    window = dialog(page)
    expect(window.get_by_role("textbox", name="Name")).to_have_value("Half done")
    expect(window.get_by_label("Grace", exact=True)).to_have_value("3.5")
    expect(window.get_by_role("button", name="Sturdy")).to_have_attribute("aria-pressed", "true")


# -- games that nobody has seen


def test_a_game_with_attributes_alone_gets_a_form(server: ServerThread, tables: Any) -> None:
    table = tables(game="", brew=brew(server, BREW))
    page = table.page("ann", PHONE, "#create")
    window = dialog(page)
    window.get_by_role("button", name="Surprise me").click()
    expect(window.get_by_label("Nerve", exact=True)).not_to_have_value("")
    expect(window.get_by_text("stay calm")).to_be_visible()
    assert violations(page) == []
    added(page)
    assert len(table.characters()) == 1


def test_a_strict_game_refuses_and_the_gm_may_add_it(server: ServerThread, tables: Any) -> None:
    table = tables(game="", brew=brew(server, BREW + BUDGET))
    for seat, refused in (("ann", True), ("gm", False)):
        page = table.page(seat, LAPTOP, "#create")
        window = dialog(page)
        if seat == "gm":
            window.get_by_label("Who plays it?").select_option("ann")
        window.get_by_label("Wit", exact=True).fill("6")
        window.get_by_label("Nerve", exact=True).fill("4")
        window.get_by_role("textbox", name="Name").fill(f"Of {seat}")
        expect(window.locator(".budget")).to_contain_text("3 too many")
        window.locator("button.primary").click()
        if refused:
            expect(window.get_by_role("alert")).to_contain_text("3 too many")
        else:
            expect(window).to_have_count(0)
    assert [(one["owner"], name) for name, one in table.characters().items()] == [("ann", "Of gm")]


# -- other names, copies, the GM's own


def test_rename_and_duplicate(tables: Any) -> None:
    table = tables(game="uwr")
    page = table.page("gm", LAPTOP, "#create")
    window = dialog(page)
    window.get_by_role("textbox", name="Name").fill("Raider")
    added(page)
    assert table.characters()["Raider"]["kind"] == "npc"
    show_beside(page, "People")
    page.get_by_role("button", name="Duplicate").click()
    window = dialog(page)
    expect(window.get_by_role("textbox", name="Name")).to_have_value("Raider 2")
    added(page)
    box = page.locator("details.character").filter(
        has=page.locator("summary strong", has_text=re.compile("^Raider$"))
    )
    box.get_by_role("button", name="Rename").click()
    window = page.get_by_role("dialog")
    window.get_by_role("textbox", name="Name").fill("Captain")
    window.get_by_role("button", name="Rename").click()
    expect(window).to_have_count(0)
    expect(page.locator("details.character summary strong")).to_have_text(["Captain", "Raider 2"])
    assert set(table.characters()) == {"Captain", "Raider 2"}


def test_a_tap_on_the_open_sheet_goes_into_a_roll(tables: Any) -> None:
    table = tables(game="uwr")
    page = table.page("ann", PHONE, "#create")
    dialog(page)
    added(page)
    page.get_by_role("navigation").get_by_role("button").last.click()
    page.get_by_role("button", name="Open sheet").click()
    window = page.get_by_role("dialog")
    window.get_by_role("button", name=re.compile("^Grace")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("combobox", name="Attribute")).to_have_value("grace")
