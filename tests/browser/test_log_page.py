"""The log as a page: evenings with their summaries, older rolls, text and print; several foes in one step."""

from __future__ import annotations

from pathlib import Path

from accessibility import violations
from browser_players import LAPTOP, PHONE, open_page
from playwright.sync_api import Browser, expect
from servers import ServerThread

ASKED = {"check": "check", "parameters": {"dice": "3D", "difficulty": 9}}


def test_the_log_is_read_as_a_story_and_saved_as_text(
    browser: Browser, server: ServerThread, tmp_path: Path
) -> None:
    seats = server.open(game="me-d6", demo=True)
    for at in range(55):  # more than the view holds
        seats["ann"].do("declare", **ASKED, title=f"jump {at}", throw={"faces": [2, 5, 4]}, finish=True)
    seats["gm"].do("declare", **ASKED, title="a lie", mode="gm", throw={"faces": [6, 5, 4, 6]}, finish=True)
    seats["bob"].do("say", text="Well done")
    page = open_page(browser, server.url + seats["ann"].link, LAPTOP)
    page.get_by_role("tab", name="Log").click()
    page.get_by_role("button", name="Read and print").click()
    story = page.locator(".story")
    expect(story).to_contain_text("ann, jump 0: Success")
    expect(story).to_contain_text("bob: “Well done”")
    expect(story).not_to_contain_text("throws")
    expect(page.locator(".evening")).to_contain_text("55 rolls")
    assert "a lie" not in page.content()
    page.get_by_label("Every step").check()
    expect(story).to_contain_text("throws")
    page.get_by_role("button", name="How lucky").click()
    expect(page.get_by_role("columnheader", name="Luck")).to_be_visible()
    assert violations(page) == []
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as text").click()
    saved.value.save_as(tmp_path / "log.txt")
    text = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert text.startswith("Friday\n")
    assert "jump 54: Success" in text
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    page.context.close()


def test_the_gm_adds_three_raiders_in_one_step(browser: Browser, server: ServerThread) -> None:
    seats = server.open(game="me-d6", demo=True)
    page = open_page(browser, server.url + seats["gm"].link, PHONE)
    page.get_by_role("navigation").get_by_role("button").last.click()
    page.get_by_text("Several of a kind").click()
    page.get_by_role("button", name="Add 3 × Raider").click()
    expect(page.locator("details.character strong").filter(has_text="Raider 3").first).to_be_visible()
    there = [one["name"] for one in seats["ann"].get("/view")["characters"]]
    assert [name for name in there if name.startswith("Raider ")] == ["Raider 1", "Raider 2", "Raider 3"]
    page.context.close()
