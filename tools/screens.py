"""Take the screenshots of README and docs, from a demo in Debian's Chromium.

python tools/screens.py        # writes docs/web-table.png, web-phone.png, web-fight.png and web-odds.png
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

TOP = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TOP / "tests"), str(TOP / "tests" / "support")]

from servers import Seat, ServerThread  # noqa: E402  the tests know how to start a server

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
ASKED = {
    "check": "direct",
    "as": ["ann/Mira Quill"],
    "title": "across the roof",
    "parameters": {"attribute": "Grace", "skill": "Acrobatics", "difficulty": "difficult"},
}


LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}


def fight(seats: dict[str, Seat]) -> None:
    """Set up a fight in which a raider has hit, and the target may parry."""
    gm, ann, bob = seats["gm"], seats["ann"], seats["bob"]
    mine, theirs, raider = "ann/Corvin Ade", "bob/Sanna Vey", "gm/Raider"
    gm.do("fight", combatants=[{"character": one} for one in (mine, theirs, raider)])
    ann.do("fix", combatant=mine, actions=2)
    ann.do("act", combatant=mine, what="behind the crates")
    ann.do("end_turn", combatant=mine)
    bob.do("fix", combatant=theirs, actions=2)
    bob.do("wait", combatant=theirs)
    gm.do("fix", combatant=raider, actions=1)
    attack = {"check": "attack", "as": raider, "target": mine, "title": "a club"}
    gm.do("declare", key="club", parameters={"dice": "melee", "kind": "melee"}, **attack)
    gm.do("throw", roll="gm/club", faces=[5, 5, 4])


def choose_best(page: Page) -> None:
    """Choose the best dice to reroll, while another roll is being put together."""
    page.get_by_role("button", name="Roll", exact=True).click()
    page.get_by_label("Attribute", exact=True).select_option("mettle")
    page.get_by_role("textbox", name="Target").fill("1")
    expect(page.locator("p.chance")).to_contain_text("%", timeout=30_000)
    page.locator(".choice", has_text="best").click()
    page.get_by_role("heading", level=1).click()


def picture(
    browser: Browser, name: str, address: str, size: dict[str, int], prepare: Callable[[Page], object] = str
) -> None:
    page = browser.new_context(viewport=size).new_page()  # type: ignore[arg-type]
    page.goto(address)
    page.wait_for_timeout(2500)
    prepare(page)
    page.wait_for_timeout(500)
    file = TOP / "docs" / f"{name}.png"
    page.screenshot(path=str(file))
    Image.open(file).quantize(128).save(file, optimize=True)  # few colours, few bytes


def main() -> None:
    with ServerThread(Path(tempfile.mkdtemp()) / "tables.db") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        seats = server.open(demo=True, title="Friday night")
        shove = {"check": "direct", "parameters": {"attribute": 4, "target": 2}}
        seats["bob"].do("declare", key="shove", title="the door", **shove)
        seats["bob"].do("throw", roll="bob/shove", faces=[6, 5, 2, 3])
        seats["ann"].do("declare", key="roof", **ASKED)
        seats["ann"].do("throw", roll="ann/roof", faces=[6, 3, 1, 4, 2])
        picture(browser, "web-table", server.url + seats["ann"].link, LAPTOP, choose_best)
        picture(browser, "web-phone", server.url + seats["ann"].link, PHONE)
        seats = server.open(game="me-d6", demo=True, title="At the docks")
        fight(seats)
        picture(browser, "web-fight", server.url + seats["ann"].link, PHONE)
        picture(browser, "web-odds", f"{server.url}/odds", LAPTOP)
        browser.close()


if __name__ == "__main__":
    main()
