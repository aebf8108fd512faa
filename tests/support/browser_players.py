"""Players in a real browser: they find, click and type as people do.

The GM has a laptop and each player a phone, with separate browser contexts.  Dice are typed in as
if thrown by hand, so that every scene runs the same way.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accessibility import violations
from playwright.sync_api import Browser, Locator, Page, expect
from servers import Address

import handful

PATIENCE = 60_000  # milliseconds; only a broken page takes this long
PHONE, LAPTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
SCREENS = os.environ.get("HANDFUL_SCREENS", "")  # folder for screenshots; none by default
expect.set_options(timeout=PATIENCE)
# An offline browser keeps its open sockets, unlike a phone in a tunnel.
SOCKETS = """
const open = [];
globalThis.WebSocket = class extends WebSocket {
  constructor(...given) { super(...given); open.push(this); }
};
globalThis.cutSockets = () => open.forEach((one) => {
  one.close(); // the other side does not hear of it
  one.dispatchEvent(new CloseEvent("close", { code: 1006 }));
});
"""


def open_page(browser: Browser, at: str, size: dict[str, int] | None = None) -> Page:
    """Open a page in a new browser context."""
    page = browser.new_context(
        viewport=size or LAPTOP,  # type: ignore[arg-type]
        reduced_motion="reduce",
    ).new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(SOCKETS)
    page.goto(at)
    return page


def save_screenshot(page: Page, name: str, *, full_page: bool = False) -> None:
    """Save a screenshot if `HANDFUL_SCREENS` names a folder."""
    if SCREENS:
        page.screenshot(path=Path(SCREENS) / name, full_page=full_page, animations="disabled")


def labelled(label: str) -> re.Pattern[str]:
    """Return a pattern for a label, with or without "(required)" after it."""
    return re.compile(rf"^\s*{re.escape(label)}(\s*\(required\))?\s*$")


# The page counts its columns again after a change of size; until then it has the controls of the old one.
LAID_OUT = """() => {
  const columns = document.querySelector("[data-columns]")?.dataset.columns;
  const narrow = innerWidth / parseFloat(getComputedStyle(document.documentElement).fontSize) < 56;
  return columns && narrow === (columns === "1")
    && document.querySelector(narrow ? "nav.switch" : "nav.desktabs");
}"""
PARTS = {"Dice": "act", "Würfel": "act", "Table": "feed", "Tisch": "feed", "People": "side", "Leute": "side"}


def show_beside(page: Page, part: str) -> None:
    """Show a part of the table: `Dice`, `Table` or `People`, in German `Würfel`, `Tisch` or `Leute`.

    A laptop has two of them beside the feed; on a phone the large button opens the dice.
    """
    page.wait_for_function(LAID_OUT)
    shown = page.locator(f"#{PARTS[part]}")
    if shown.is_visible():
        return
    nav = page.get_by_role("navigation")
    opened = nav.get_by_role("button", name=re.compile(f"^{part}( |$)"))
    opened.or_(nav.locator(".compose")).first.click() if PARTS[part] == "act" else opened.click()
    expect(shown).to_be_visible()


class BrowserPlayer:
    """Player at a table, by what they see and do on their screen."""

    def __init__(self, page: Page, name: str, scene: str) -> None:
        self.page, self.name, self.scene = page, name, scene
        self.faults: list[str] = []
        self.shots = 0
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        """Collect console errors, except those of a server that is away."""
        if message.type == "error" and not re.search("ERR_|WebSocket", message.text):
            self.faults.append(message.text)

    @property
    def narrow(self) -> bool:
        size = self.page.viewport_size
        return size is not None and size["width"] < 800

    def check_screen(self, what: str, checked: bool = False) -> None:
        """Take a screenshot; assert no overflow, no duplicate ids and, if `checked`, no axe violation."""
        found = violations(self.page) if checked else []
        assert not found, f"{what}: {found}"
        wide = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], f"{what}: {wide[0]} px on a screen of {wide[1]}"
        ids = self.page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
        assert len(ids) == len({*ids}), f"{what}: {[one for one in ids if ids.count(one) > 1]} twice"
        self.shots += 1
        name = f"{self.scene}-{self.name}-{self.shots:02}-{what.replace(' ', '-')}.png"
        save_screenshot(self.page, name, full_page=True)

    def loses_the_network(self) -> None:
        self.page.context.set_offline(True)
        self.page.evaluate("cutSockets()")
        expect(self.page.get_by_text("No connection. Trying again")).to_be_visible()

    def gets_network_back(self) -> None:
        self.page.context.set_offline(False)
        self.is_back()

    def is_back(self) -> None:
        """Wait until the page has reconnected."""
        expect(self.page.get_by_text("No connection. Trying again")).to_be_hidden()

    # -- navigation

    def part(self, name: str) -> None:
        """Switch to a part of the table: a phone shows one at a time, a laptop one beside the feed."""
        show_beside(self.page, name)

    def panel(self, tab: str, label: str = "") -> Locator:
        """Return the form of an action panel."""
        self.part("Dice")
        self.page.get_by_role("tab", name=tab, exact=True).click()
        return self.page.get_by_role("form", name=label or tab, exact=True)

    def side(self, tab: str) -> Locator:
        self.part("People")
        self.page.get_by_role("tab", name=tab, exact=True).click()
        return self.page.get_by_role("tabpanel").last

    def card(self, label: str) -> Locator:
        """Return a card by its name: `Mira Quill (ann): over the wall`; a line of history is opened first."""
        self.part("Table")
        found = self.page.get_by_role("article", name=label, exact=True).first
        expect(found).to_be_visible()
        folded = found.get_by_role("button", name="Show the whole roll")
        if folded.count():
            folded.click()
        return found

    def is_led_to(self, title: str) -> None:
        """Assert that the page scrolls to the new card."""
        name = re.compile(f": {re.escape(title)}$")
        expect(self.page.get_by_role("article", name=name).first).to_be_visible()

    def sees(self, label: str, *says: str | re.Pattern[str]) -> Locator:
        """Wait until a card says all this; it folds to a line as soon as a newer roll arrives."""
        ends = time.monotonic() + PATIENCE / 1000
        while True:
            card = self.card(label)
            try:
                for one in says:
                    expect(card).to_contain_text(one, timeout=2_000)
            except AssertionError:
                if time.monotonic() > ends:
                    raise
            else:
                return card

    # -- forms

    def put(self, where: Locator, **values: Any) -> None:
        """Fill in fields by their labels; _ stands for a space."""
        for name, value in values.items():
            self.field(where, name.replace("_", " "), value)

    def field(self, where: Locator, label: str, value: Any) -> None:
        found = where.get_by_label(labelled(label)).first
        more = where.locator("details.more").filter(has=self.page.get_by_label(labelled(label))).first
        if not found.is_visible() and more.count() and more.get_attribute("open") is None:
            more.locator("summary").first.click()
        kind = found.evaluate("one => one.tagName + (one.type ?? '')")
        if kind.startswith("SELECT"):
            self._choose(found, str(value))
        elif kind.endswith("checkbox"):
            found.set_checked(bool(value))
        elif kind.startswith("DIV"):  # several to choose from
            for one in value:
                found.get_by_role("button", name=one, exact=True).click()
        else:
            found.fill(str(value))

    def _choose(self, found: Locator, value: str) -> None:
        """Choose from a list, or type a value that is not in it."""
        known = found.evaluate("one => [...one.options].map((each) => each.value)")
        if value in known:
            found.select_option(value)
        else:
            found.select_option(label="type a value …")
            found.locator("xpath=following-sibling::input").fill(value)

    def press(self, where: Locator, button: str) -> None:
        where.get_by_role("button", name=button).first.click()

    def shows(self, where: Locator, *says: str) -> None:
        for one in says:
            expect(where.locator("p.chance")).to_contain_text(one)

    # -- playing

    def shows_sheet(self, name: str, shown: str) -> None:
        """Set who sees a character's sheet."""
        own = self.side("Characters").locator("details.character").filter(has_text=name)
        if own.get_attribute("open") is None:
            own.locator("summary").first.click()
        self.put(own, Others_see=shown)

    def rolls(
        self, check: str = "", who: str = "", title: str = "", mode: str = "", chance: str = "", **values: Any
    ) -> None:
        """Declare a roll in the panel, with physical dice."""
        form = self.panel("Roll", "Roll")
        if check:
            self.put(form, Check=check)
        if who or form.get_by_label(labelled("Character")).count():
            self.put(form, Character=who)
        self.put(form, **values)
        how = form.locator("details.more").filter(has_text=re.compile("virtual dice|my own dice"))
        if how.get_attribute("open") is None:
            how.locator("summary").click()
        how.get_by_label("my own dice").check()
        self.put(how, Who_sees_it=mode or "public", **{"What is it about?": title})
        if chance:
            self.shows(form, chance)
        self.press(form, "Throw my dice")
        if title:
            self.is_led_to(title)

    def throws(self, label: str, *throws: str, instead_of: str = "") -> None:
        """Type the faces of physical dice, throw by throw; the focus moves on."""
        card = self.acting_for(label, instead_of) if instead_of else self.card(label)
        for faces in throws:
            self._types(card, faces)

    def _types(self, card: Locator, faces: str) -> None:
        own = card.get_by_role("button", name="My own dice")
        first = card.get_by_label(re.compile("^Die 1, "))
        expect(own.or_(first).first).to_be_visible()
        if own.count():
            own.click()
        expect(first).to_be_focused()
        self.page.keyboard.type(faces)
        expect(card.get_by_role("button", name="Done")).to_be_focused()
        self.page.keyboard.press("Enter")
        expect(card.locator("button:enabled", has_text="Done")).to_have_count(0)

    def rerolls(
        self, label: str, *faces: int, worth: str = "", last: bool = False, instead_of: str = ""
    ) -> None:
        """Click the first or last dice with these faces and reroll them."""
        card = self.acting_for(label, instead_of) if instead_of else self.card(label)
        for face in faces:
            name = re.compile(f"shows {face}")
            found = card.get_by_role("button", name=name, pressed=False)
            (found.last if last else found.first).click()
        button = card.get_by_role("button", name=re.compile(r"^Reroll \d"))
        expect(button).to_contain_text(worth)
        button.click()

    def takes_back(self, label: str) -> None:
        """Undo a decision; the question comes back."""
        card = self.card(label)
        button = card.get_by_role("button", name="Undo")
        button.click()
        expect(button).to_have_count(0)
        expect(card.locator(".question")).to_be_visible()

    def picks(self, label: str, option: str, words: str = "") -> None:
        """Answer a question of the game."""
        card = self.card(label)
        if words:
            self.put(card, **{"What happens (optional)": words})
        self.press(card, option)

    def acting_for(self, label: str, name: str) -> Locator:
        """Open the part of a card in which the GM acts for another seat."""
        card = self.card(label)
        own = card.locator("details").filter(has_text=f"Do it for {name}").first
        expect(own).to_be_visible()
        if own.get_attribute("open") is None:
            own.locator("summary").first.click()
        return card

    def asks(self, *to: str, title: str, hidden: Sequence[str] = (), **values: Any) -> None:
        form = self.panel("Ask")
        for one in form.get_by_role("group", name="Who rolls?").get_by_role("button").all():
            name = one.inner_text()
            if name not in ("Everyone", "No one") and (
                (one.get_attribute("aria-pressed") == "true") != (name in to)
            ):
                one.click()
        self.put(form, **{"What is it about?": title}, **values)
        for one in hidden:
            field = form.locator(".field").filter(has=self.page.get_by_label(labelled(one)))
            field.get_by_role("button", name="hide").click()
        self.press(
            form,
            "Ask for the check"
            if form.get_by_role("button", name="Ask for the check").count()
            else "Everybody rolls",
        )
        self.is_led_to(title)

    def proposes(self, title: str, chance: str = "", **values: Any) -> None:
        card = self.card(f"gm asks for a check: {title}")
        self.put(card, **values)
        if chance:
            self.shows(card, chance)
        self.press(card, "Suggest")

    def asked(self, label: str, name: str) -> Locator:
        """Return the line of a seat in a request."""
        own = self.page.locator("p > strong", has_text=re.compile(f"^{name}$"))
        return self.card(label).locator(".seatlist > li").filter(has=own)

    def accepts(self, label: str, name: str) -> None:
        button = self.asked(label, name).get_by_role("button", name="Accept", exact=True)
        button.click()
        # the line disappears and the rest moves up: a click meanwhile would miss
        expect(button).to_have_count(0)

    def refuses(self, label: str, name: str, words: str) -> None:
        line = self.asked(label, name)
        line.get_by_label("Why not (optional)").fill(words)
        self.press(line, "Decline")

    def answers_for(self, label: str, name: str, **values: Any) -> None:
        line = self.asked(label, name)
        line.locator("summary").first.click()
        self.put(line, **values)
        self.press(line, f"Roll for {name}")

    def judges(self, label: str, words: str) -> None:
        """Post the meaning of a result."""
        menu = self.more(label)
        self.put(menu, What_it_means=words)
        self.press(menu, "Post")
        self.sees(label, words)

    def corrects(self, label: str, what: str, value: Any, why: str) -> None:
        menu = self.more(label)
        own = menu.locator("details").filter(has_text="Correct a number").first
        own.locator("summary").click()
        own.get_by_label(labelled("What")).select_option(label=what)
        self.put(own, Value=value, Why=why)
        self.press(own, "Correct")

    def more(self, label: str) -> Locator:
        """Open the menu of a roll."""
        menu = self.card(label).locator("details.menu").first
        if menu.get_attribute("open") is None:
            menu.locator("summary").first.click()
        return menu

    def calls(self, title: str, **values: Any) -> None:
        form = self.panel("Challenge")
        self.put(form, **{"What do you challenge?": title}, **values)
        self.press(form, "Send")
        self.is_led_to(title)

    def settles(self, label: str, against: str, check: str) -> None:
        card = self.card(label)
        card.get_by_label(labelled("Challenged roll")).select_option(label=against)
        self.put(card, Compare_with=check)
        self.press(card, "Compare and reveal")

    def contests(self, check: str, *sides: str, title: str = "", **values: Any) -> None:
        """Start a contest; sides by their list entries: `ask ann`, or a roll."""
        form = self.panel("Contest")
        self.put(form, Check=check)
        for _ in range(len(sides) - form.get_by_label(re.compile(r"^Side \d+$")).count()):
            self.press(form, "Add a side")
        for at, side in enumerate(sides, 1):
            field = form.get_by_label(f"Side {at}", exact=True)
            options = field.locator("option").all_inner_texts()
            (found, *_) = [one for one in options if one.startswith(side)]
            field.select_option(label=found)
        if title:
            values["What is it about?"] = title
        self.put(form, **values)
        self.press(form, "Start")


class Scene:
    """A GM on a laptop and two players on phones, with shipped characters."""

    def __init__(self, browser: Browser, at: Address, game: str, **brought: str) -> None:
        self.at, self.seats = at, at.open(game=game, title=f"Night of {game}")
        rules = handful.ruleset(game)
        for name, character in brought.items():
            sheet = json.loads(rules.export(rules.character(character)))
            assert self.seats[name].do("bring", sheet=sheet).status_code == 200
        self.people = {
            name: BrowserPlayer(
                open_page(browser, at.url + self.seats[name].link, LAPTOP if name == "gm" else PHONE),
                name,
                game,
            )
            for name in ("gm", "ann", "bob")
        }
        for name, one in self.people.items():
            expect(one.page.get_by_role("banner")).to_contain_text(name)

    def __enter__(self) -> tuple[BrowserPlayer, BrowserPlayer, BrowserPlayer]:
        return self.people["gm"], self.people["ann"], self.people["bob"]

    def __exit__(self, *_: Any) -> None:
        for one in self.people.values():
            one.page.context.close()
