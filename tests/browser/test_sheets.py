"""Sheets and the luck report in Chromium: reading, concurrent edits, printing, import and export."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from accessibility import violations
from browser_players import LAPTOP, PHONE, open_page, show_beside
from playwright.sync_api import Browser, Locator, Page, expect
from ruleset_cases import ruleset
from servers import Seat, ServerThread

from handful.library import shipped

CORVIN = "ann/Corvin Ade"
TAGS = '<img src="/x" onerror="document.title=1"><b>bold</b>'
SLOW = 20_000  # milliseconds; only a broken page takes as long


class Table:
    """A table of me-d6 with pages for some of its seats."""

    def __init__(self, browser: Browser, server: ServerThread, game: str = "me-d6") -> None:
        self.browser, self.url = browser, server.url
        self.seats: dict[str, Seat] = server.open(game=game, demo=True)
        self.open: list[Page] = []
        self.said: list[str] = []

    def page(self, seat: str, size: dict[str, int] | None = None) -> Page:
        page = open_page(self.browser, self.url + self.seats[seat].link, size or LAPTOP)
        page.on("console", lambda one: self.said.append(one.text))  # refusals are heard, too
        page.on("pageerror", lambda one: self.said.append(str(one)))
        expect(page.get_by_role("banner")).to_contain_text(seat, timeout=SLOW)
        if size == PHONE:
            page.get_by_role("navigation").get_by_role("button").last.click()
        self.open.append(page)
        return page

    def sheet(self, character: str = CORVIN, seat: str = "gm") -> dict[str, Any]:
        found = self.seats[seat].get("/view")["characters"]
        (one,) = (one for one in found if one["character"] == character)
        return dict(one)


@pytest.fixture
def table(browser: Browser, server: ServerThread) -> Iterator[Table]:
    made = Table(browser, server)
    yield made
    for page in made.open:
        page.context.close()
    assert [one for one in made.said if "Failed to load resource" not in one] == []


def opened(page: Page, name: str = "Corvin Ade", tab: str = "") -> Locator:
    """The window of a sheet, at one of its parts."""
    show_beside(page, "People")
    box = page.locator("details.character").filter(has=page.locator("summary strong", has_text=name))
    if box.get_attribute("open") is None:
        box.locator("summary").first.click()
    box.get_by_role("button", name="Open sheet").click()
    window = page.get_by_role("dialog")
    expect(window).to_be_visible(timeout=SLOW)
    if tab:
        window.get_by_role("tab", name=tab).click()
    return window


def saved(window: Locator) -> None:
    window.get_by_role("button", name="Save").click()
    expect(window.get_by_role("tab", name="Sheet")).to_have_attribute("aria-selected", "true", timeout=SLOW)


# -- editing


def test_derived_numbers_and_wounds_follow_while_a_sheet_is_edited(table: Table) -> None:
    """D-44: 3 for each die of Strength and 20 more; what is typed is not saved before Save."""
    page = table.page("ann", PHONE)
    window = opened(page, tab="Edit")
    most = window.locator("output[data-derived=hit_points_most]")
    before = table.sheet()
    expect(most).to_have_text(str(before["derived"]["hit_points_most"]))
    window.get_by_label("Strength").fill("4D+1")
    expect(most).to_have_text("33", timeout=SLOW)
    window.get_by_role("textbox", name="Hit points", exact=True).fill("0")
    expect(window.get_by_role("status").first).to_contain_text("Almost Dead", timeout=SLOW)
    window.get_by_role("textbox", name="Hit points", exact=True).fill("9")
    expect(window.get_by_role("status").first).to_contain_text("Severely Wounded", timeout=SLOW)
    window.get_by_text("2 changes").click()
    expect(window.locator(".go li")).to_have_text(
        [f"Strength: {before['sheet']['attributes']['strength']} → 4D+1", "Hit points: 30 → 9"]
    )
    assert table.sheet() == before
    saved(window)
    after = table.sheet()
    assert after["sheet"]["attributes"]["strength"] == "4D+1"
    assert after["derived"]["hit_points_most"] == 33
    assert after["sheet"]["resources"]["hit_points"] == 9
    expect(window.locator(".conditions .now")).to_have_text("✦ Severely Wounded (current)")


def test_invalid_values_are_marked_while_typing_and_refused(table: Table) -> None:
    page = table.page("ann")
    window = opened(page, tab="Edit")
    before = table.sheet()
    window.get_by_label("Strength").fill("lots")
    expect(window.get_by_role("alert")).to_contain_text("attributes.strength", timeout=SLOW)
    window.get_by_role("button", name="Save").click()
    expect(window.get_by_role("alert").last).to_contain_text("does not fit", timeout=SLOW)
    assert table.sheet() == before
    window.get_by_role("button", name="Discard").click()
    window.get_by_role("tab", name="Edit").click()
    expect(window.get_by_label("Strength")).to_have_value(before["sheet"]["attributes"]["strength"])


@pytest.mark.proof
def test_custom_skills_and_traits_are_added_and_removed(table: Table) -> None:
    page = table.page("ann")
    window = opened(page, tab="Edit")
    skills = window.get_by_role("group", name="Skills", exact=True)
    skills.get_by_label("Add", exact=True).select_option("lift")
    skills.get_by_label("Lift", exact=True).fill("4")
    skills.get_by_label("Custom").fill("Knots")
    skills.get_by_role("button", name="Add").click()
    skills.get_by_label("Attribute").select_option("dexterity")
    skills.get_by_role("button", name="Remove Command").click()
    traits = window.get_by_role("group", name="Traits", exact=True)
    traits.get_by_label("Custom trait").fill("Lucky coat")
    traits.get_by_role("button", name="Add").click()
    traits.get_by_label("Effect").fill("bonus=+1D for=sneak,Knots off")
    expect(window.get_by_text("4 changes")).to_be_visible(timeout=SLOW)
    saved(window)
    sheet = table.sheet()["sheet"]
    assert "command" not in sheet["skills"]
    assert sheet["skills"]["lift"] == 4
    assert sheet["skills"]["Knots"] == {"points": 1, "attribute": "dexterity"}
    own = {
        "name": "Lucky coat",
        "gives": [{"bonus": "+1D", "for": ["sneak", "Knots"], "off": True}],
    }
    assert own in sheet["traits"]


# -- two at once


def test_two_edits_at_once_never_overwrite_each_other(table: Table) -> None:
    ann, gm = table.page("ann", PHONE), table.page("gm")
    hers, his = opened(ann, tab="Edit"), opened(gm, tab="Edit")
    hers.get_by_label("Notes").fill("Limps a little.")
    his.get_by_label("Strength").fill("4D")
    saved(his)
    told = hers.locator(".meanwhile")
    expect(told).to_contain_text("This sheet changed while you were editing", timeout=SLOW)
    expect(told.locator("li")).to_have_text([r"Strength: 3D+1 → 4D"])
    hers.get_by_role("button", name="Save").click()  # without having looked
    expect(hers.locator(".fault").last).to_contain_text("has changed since", timeout=SLOW)
    assert table.sheet()["sheet"]["notes"] != "Limps a little."
    told.get_by_role("button", name="Combine both").click()
    expect(hers.get_by_label("Strength")).to_have_value("4D")
    expect(hers.get_by_label("Notes")).to_have_value("Limps a little.")
    expect(told).to_have_count(0, timeout=SLOW)
    saved(hers)
    sheet = table.sheet()["sheet"]
    assert (sheet["attributes"]["strength"], sheet["notes"]) == ("4D", "Limps a little.")


@pytest.mark.proof
def test_a_conflicting_edit_is_shown_to_the_second_editor(table: Table) -> None:
    ann, gm = table.page("ann"), table.page("gm")
    hers, his = opened(ann, tab="Edit"), opened(gm, tab="Edit")
    hers.get_by_label("Strength").fill("3D+2")
    his.get_by_label("Strength").fill("4D")
    saved(his)
    told = hers.locator(".meanwhile")
    expect(told).to_contain_text("You both changed:", timeout=SLOW)
    expect(told.locator("li").last).to_have_text("Strength: 3D+1 → 4D: yours is 3D+2")
    told.get_by_role("button", name="Discard mine").click()
    expect(hers.get_by_label("Strength")).to_have_value("4D")
    assert table.sheet()["sheet"]["attributes"]["strength"] == "4D"


def test_damage_during_an_edit_is_not_lost(table: Table) -> None:
    ann = table.page("ann")
    window = opened(ann, tab="Edit")
    window.get_by_label("Notes").fill("Limps.")
    table.seats["gm"].do("harm", character=CORVIN, damage=7)
    window.get_by_role("button", name="Combine both").click(timeout=SLOW)
    expect(window.locator(".meanwhile")).to_have_count(0, timeout=SLOW)
    saved(window)
    sheet = table.sheet()["sheet"]
    assert (sheet["resources"]["hit_points"], sheet["notes"]) == (23, "Limps.")


# -- points and history


def test_damage_healing_and_medals_go_through_the_sheet_and_into_its_history(table: Table) -> None:
    """D-44, D-47: wounds follow from hit points; a medal heals ten of them."""
    gm, ann = table.page("gm"), table.page("ann", PHONE)
    window = opened(gm)
    harm = window.get_by_role("form", name="Apply damage")
    harm.get_by_label("Damage").fill("25")
    harm.get_by_label("Resisted").fill("4")
    harm.get_by_label("Why").fill("a fall")
    harm.get_by_role("button", name="Apply damage").click()
    wound = window.locator(".conditions .now")
    expect(wound).to_have_text("✦ Severely Wounded (current)", timeout=SLOW)
    assert table.sheet()["sheet"]["resources"]["hit_points"] == 9
    move = window.get_by_role("form", name="Give or take points")
    move.get_by_label("How many").fill("3")
    move.get_by_role("button", name="Heal").click()
    expect(move.get_by_label("How many")).to_have_value("1", timeout=SLOW)
    move.get_by_label("Points").select_option("medals")
    move.get_by_role("button", name="Give").click()
    expect(window.locator(".entries div", has_text="Medals")).to_contain_text("4", timeout=SLOW)
    hers = opened(ann)
    assert hers.get_by_role("form").count() == 0  # only the GM gives and takes
    hers.get_by_role("button", name="heal 10 hit points").click()
    expect(hers.locator(".entries div", has_text="Medals")).to_contain_text("3", timeout=SLOW)
    points = table.sheet()["sheet"]["resources"]
    assert (points["hit_points"], points["medals"]) == (22, 3)
    hers.get_by_role("tab", name="History").click()
    lines = hers.locator(".history > li")
    expect(lines).to_have_count(5, timeout=SLOW)
    expect(lines.nth(0)).to_contain_text("ann spent a point. Medals: heal 10 hit points")
    expect(lines.nth(0)).to_contain_text("Hit points: 12 → 22")
    expect(lines.nth(1)).to_contain_text("gm changed points.Medals: 3 → 4")
    expect(lines.nth(2)).to_contain_text("gm changed points.Hit points: 9 → 12")
    expect(lines.nth(3)).to_contain_text("gm dealt damage.Hit points: 30 → 9“a fall”")
    expect(lines.nth(4)).to_contain_text("added the character.")
    told = table.seats["ann"].get(f"/history?character={CORVIN}")
    assert [one["seat"] for one in reversed(told)][:4] == ["ann", "gm", "gm", "gm"]


def test_a_window_closes_when_its_sheet_is_hidden(table: Table) -> None:
    bob, gm = table.page("bob"), table.seats["gm"]
    gm.do("show", character="gm/Raider", shown="open")
    window = opened(bob, "Raider")
    expect(window.get_by_role("tab")).to_have_text(["Sheet", "History"])
    gm.do("show", character="gm/Raider", shown="hidden")
    expect(window).to_have_count(0, timeout=SLOW)
    for path in ("/sheet", "/history"):
        hidden = table.seats["bob"].ask("GET", f"{path}?character=gm/Nobody")
        assert hidden.status_code == 409
    assert table.seats["bob"].ask("GET", "/sheet?character=gm/Raider").status_code == 409


# -- in and out


def toml(entries: dict[str, Any]) -> str:
    return "".join(f"{name} = {json.dumps(one)}\n" for name, one in entries.items())


def test_an_import_shows_what_it_would_change_before_it_does(table: Table) -> None:
    page = table.page("ann")
    window = opened(page, tab="Import")
    before = table.sheet()
    sheet = before["sheet"] | {"notes": TAGS}
    sheet["resources"] = sheet["resources"] | {"medals": 1}
    text = toml({n: one for n, one in sheet.items() if type(one) in (int, str)})
    for section in ("attributes", "skills", "resources"):
        text += f"[{section}]\n{toml(sheet[section])}"
    window.get_by_label("Or paste a sheet").fill(text)
    found = window.locator(".box li")
    expect(found.filter(has_text="Medals: 3 → 1")).to_be_visible(timeout=SLOW)
    expect(found.filter(has_text=TAGS)).to_be_visible()
    assert table.sheet() == before
    window.get_by_role("button", name="Replace").click()
    expect(window.get_by_role("button", name="Replace")).to_have_count(0, timeout=SLOW)
    assert table.sheet()["sheet"]["notes"] == TAGS
    window.get_by_role("tab", name="Sheet").click()
    expect(window.locator(".notes")).to_contain_text(TAGS)
    assert window.locator("img, b").count() == 0
    assert "Handful" in page.title()


def test_an_export_imports_to_the_same_character(table: Table) -> None:
    page = table.page("ann")
    window = opened(page)
    with page.expect_download() as download:
        window.get_by_role("link", name="Export").click()
    text = download.value.path().read_bytes().decode()
    assert download.value.suggested_filename == "Corvin-Ade.json"
    rules = ruleset("me-d6")
    assert text == rules.export(rules.character("corvin"))
    window.get_by_role("tab", name="Import").click()
    file = window.get_by_label("From a file")
    made = {"name": "c.json", "mimeType": "application/json"}
    file.set_input_files({**made, "buffer": text.encode()})  # type: ignore[arg-type]
    expect(window.locator(".box")).to_contain_text("is already here with exactly this sheet", timeout=SLOW)
    expect(window.get_by_role("button", name="Replace")).to_be_disabled()
    file.set_input_files({**made, "buffer": b"{"})  # type: ignore[arg-type]
    expect(window.get_by_role("alert")).to_contain_text("is not JSON", timeout=SLOW)


def test_only_the_sheet_is_printed(table: Table) -> None:
    page = table.page("gm")
    window = opened(page)
    page.emulate_media(media="print")
    expect(window.get_by_role("heading", name="Corvin Ade")).to_be_visible()
    expect(window.get_by_text("Max hit points")).to_be_visible()
    buttons = [window.get_by_role("button", name=one) for one in ("Print", "Apply damage", "Close")]
    table_itself = [page.get_by_role("banner"), page.locator(".columns")]
    for gone in (*table_itself, window.get_by_role("tab").first, *buttons):
        expect(gone).to_be_hidden()
    assert page.pdf().startswith(b"%PDF")
    page.emulate_media(media="screen")
    expect(page.get_by_role("button", name="Print")).to_be_visible()


def test_names_and_notes_are_never_markup(table: Table) -> None:
    sheet = table.sheet()["sheet"] | {
        "name": TAGS[-11:],
        "kind": "npc",
        "notes": TAGS,
        "resources": {},
        "skills": {TAGS[-13:]: {"points": 1, "attribute": "strength"}},
        "traits": [{"name": TAGS, "gives": [{"bonus": 1}]}],
    }
    assert table.seats["gm"].do("bring", sheet=sheet).status_code == 200
    page = table.page("gm")
    window = opened(page, TAGS[-11:])
    for tab in ("Sheet", "Edit", "Import", "History"):
        window.get_by_role("tab", name=tab).click()
        expect(window.get_by_role("heading").first).to_contain_text(TAGS[-11:])
        assert window.locator("img, b").count() == 0
    assert "Handful" in page.title()


# -- by keyboard, and on a small screen


@pytest.mark.proof
def test_a_sheet_is_edited_by_keyboard_alone(table: Table) -> None:
    page = table.page("ann")
    page.get_by_role("button", name="Open sheet").first.focus()
    page.keyboard.press("Enter")
    window = page.get_by_role("dialog")
    expect(window.get_by_role("button", name="Close")).to_be_focused(timeout=SLOW)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(window.get_by_role("tab", name="Edit")).to_be_focused()
    page.keyboard.press("Tab")
    expect(window.get_by_label("Dexterity")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("3D+1")
    page.keyboard.press("Enter")
    first = window.get_by_role("tab", name="Sheet")
    expect(first).to_have_attribute("aria-selected", "true", timeout=SLOW)
    assert table.sheet()["sheet"]["attributes"]["dexterity"] == "3D+1"
    page.keyboard.press("Escape")
    expect(window).to_have_count(0)
    expect(page.get_by_role("button", name="Open sheet").first).to_be_focused()


@pytest.mark.proof
@pytest.mark.parametrize("game", shipped())
def test_every_part_of_a_sheet_fits_a_phone_in_every_game(
    browser: Browser, server: ServerThread, game: str
) -> None:
    table = Table(browser, server, game)
    page = table.page("ann", PHONE)
    page.get_by_role("button", name="Open sheet").first.click()
    window = page.get_by_role("dialog")
    for tab in ("Sheet", "Edit", "Import", "History"):
        window.get_by_role("tab", name=tab).click(timeout=SLOW)
        expect(window.get_by_role("tabpanel")).to_be_visible()
        assert window.evaluate("one => one.scrollWidth <= one.clientWidth"), f"{game}: {tab}"
        small = window.evaluate(
            "one => [...one.querySelectorAll('button, a, input, select, summary')].filter((it) =>"
            " it.checkVisibility() && it.type !== 'checkbox'"
            " && it.getBoundingClientRect().height < 24).map((it) => it.outerHTML)"
        )
        assert small == [], f"{game}: {tab}"
    page.context.close()
    assert table.said == []


# -- luck


def test_the_luck_report_agrees_in_chart_table_and_api(browser: Browser, server: ServerThread) -> None:
    table = Table(browser, server, "uwr")
    for n in range(6):
        for seat in ("ann", "bob", "gm"):
            mode = "secret" if seat == "gm" and n % 2 else "public"
            asked = {"attribute": 2 + n % 3, "target": 2}
            table.seats[seat].do("declare", key=f"r{n}", check="direct", parameters=asked, mode=mode)
            table.seats[seat].do("throw", key=f"t{n}", roll=f"{seat}/r{n}")
    for seat, size in (("gm", LAPTOP), ("ann", PHONE)):
        report = table.seats[seat].get("/luck")
        assert report["seats"]["gm"]["count"] == (6 if seat == "gm" else 3)
        page = table.page(seat, size)
        show_beside(page, "People")
        page.get_by_role("tab", name="Log").click()
        page.get_by_role("button", name="Luck report").click()
        window = page.get_by_role("dialog")
        chart = window.get_by_role("img", name="Everyone’s luck")
        expect(chart).to_be_visible(timeout=SLOW)
        said = {name: f"{one['percentile'] * 100:.1f}%" for name, one in report["seats"].items()}
        said["All together"] = f"{report['table']['percentile'] * 100:.1f}%"
        dots = chart.locator("title").all_text_contents()
        assert dict(one.split(": ") for one in dots) == said
        rows = window.locator("figure").first.locator("tbody tr")
        cells = [row.locator("th, td").all_text_contents() for row in rows.all()]
        assert {row[0]: row[2] for row in cells} == said
        assert {row[0]: int(row[1]) for row in cells[:3]} == {
            name: one["count"] for name, one in report["seats"].items()
        }
        words = window.locator("figcaption").first.inner_text()
        assert f"ann: 6 rolls, luckier than {said['ann']} of evenings." in words
        course = window.get_by_role("img", name="Over the evening").locator("title").all_text_contents()
        assert [one.rpartition(": ")[2] for one in course] == [
            f"{value * 100:.1f}%" for one in report["seats"].values() for value in one["course"]
        ]
        assert window.evaluate("one => one.scrollWidth <= one.clientWidth")
        page.context.close()
    assert table.said == []


def test_the_chart_library_is_loaded_with_the_first_chart(browser: Browser, server: ServerThread) -> None:
    table = Table(browser, server, "uwr")
    page = browser.new_context(viewport=LAPTOP).new_page()  # type: ignore[arg-type]
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.goto(server.url + table.seats["gm"].link)
    expect(page.get_by_role("banner")).to_contain_text("gm", timeout=SLOW)
    table.seats["gm"].do("declare", key="r", check="direct", parameters={"attribute": 3})
    table.seats["gm"].do("throw", roll="gm/r")
    show_beside(page, "People")
    page.get_by_role("tab", name="Log").click()
    assert not [one for one in asked if "plot" in one or "sheetform" in one]
    page.get_by_role("button", name="Luck report").click()
    expect(page.get_by_role("img", name="Everyone’s luck")).to_be_visible(timeout=SLOW)
    assert [one for one in asked if one.endswith("plot.mjs")]
    page.context.close()


# -- for everybody


@pytest.mark.proof
@pytest.mark.parametrize("light", ["light", "dark"])
def test_axe_finds_nothing_in_a_sheet_and_in_the_luck_report(table: Table, light: str) -> None:
    gm = table.seats["gm"]
    gm.do("harm", character=CORVIN, damage=25, words="a fall")
    gm.do("declare", key="r", check="check", parameters={"dice": "3D"})
    for faces in ([4], [6, 5]):  # the wild die first; a 1 would wait for the GM
        assert gm.do("throw", roll="gm/r", faces=faces).status_code == 200
    page = table.page("ann", PHONE)
    page.emulate_media(color_scheme=light, reduced_motion="reduce")  # type: ignore[arg-type]
    window = opened(page)
    for tab in ("Sheet", "Edit", "Import", "History"):
        window.get_by_role("tab", name=tab).click()
        expect(window.get_by_role("tabpanel")).to_be_visible()
        if tab == "Edit":
            window.get_by_label("Notes").fill("Limps.")
            gm.do("adjust", character=CORVIN, resources={"medals": 1})
            expect(window.locator(".meanwhile")).to_be_visible(timeout=SLOW)
        if tab == "Import":
            window.get_by_label("Or paste a sheet").fill("{")
            expect(window.get_by_role("alert")).to_be_visible(timeout=SLOW)
        assert violations(page) == [], tab
    window.get_by_role("button", name="Close").click()
    show_beside(page, "People")
    page.get_by_role("tab", name="Log").click()
    page.get_by_role("button", name="Luck report").click()
    expect(page.get_by_role("img", name="Over the evening")).to_be_visible(timeout=SLOW)
    assert violations(page) == []
