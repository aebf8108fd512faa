"""Fights in a real browser, in any language of the pages: found, clicked and typed as people do.

Dice are typed in as if they had been thrown by hand, so that every fight goes the same way.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from accessibility import violations
from browser_players import show_beside
from playwright.sync_api import Browser, Locator, Page, expect
from servers import Address, get

from browser.test_german import Screens
from handful.library import ruleset
from handful.web.games import sample_characters

STATIC = Path(__file__).parents[2] / "src/handful/web/static"
ENTRY = re.compile(r'(?:"([\w.]+)"|\b(\w+)): ("(?:[^"\\]|\\.)*")')
PHONE, LAPTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
PATIENCE = 30_000  # milliseconds: only a broken page takes as long
SCREENS = os.environ.get("HANDFUL_SCREENS", "")  # folder for screenshots; none by default


MOST_TABS = 200
FOCUSED = """() => {
  const one = document.activeElement;
  return (one.getAttribute("aria-label") ?? one.labels?.[0]?.innerText ?? one.innerText).trim();
}"""
LISTEN = """
globalThis.heard = [];
new MutationObserver((changes) => changes.forEach(({ target, addedNodes }) => {
  if (!target.closest?.("[role='log']")) return;
  for (const one of addedNodes)
    if (one.textContent.trim()) globalThis.heard.push(one.textContent.trim());
})).observe(document, { childList: true, subtree: true });
"""


class PageTexts:
    """Texts of the pages and of a game in one language."""

    def __init__(self, at: Address, game: str, language: str) -> None:
        text = (STATIC / f"texts/{language}.js").read_text(encoding="utf-8")
        self.texts = {a or b: json.loads(value) for a, b, value in ENTRY.findall(text)}
        self.language = language
        self.game: dict[str, Any] = get(f"{at.url}/api/games/{game}").json()

    def __call__(self, key: str, **values: Any) -> str:
        the = self.game["words"].get("the_gm", {}).get(self.language, self.texts["role.the_gm"])
        gm = self.game["words"].get("gm", {}).get(self.language, self.texts["role.gm"])
        known = {"gm": gm, "the_gm": the, "The_gm": the[0].upper() + the[1:], **values}
        return re.sub(r"\{(\w+)\}", lambda m: str(known[m[1]]), self.texts[key]).strip()

    def of(self, *path: str) -> str:
        """Return a text of the game by its path: `sheet`, `rounds`, `paces`, `running`."""
        found: Any = self.game
        for one in path:
            if isinstance(found, list):
                (found,) = (each for each in found if each["name"] == one)
            else:
                found = found[one]
        said: str = found[self.language]
        return said

    def label(self, check: str, parameter: str) -> str:
        return self.of("checks", check, "parameters", parameter, "label")


class FightPlayer:
    """Player in a fight, with their screen."""

    def __init__(self, page: Page, name: str, words: PageTexts, scene: str) -> None:
        self.page, self.name, self.say, self.scene = page, name, words, scene
        self.faults: list[str] = []
        self.shots = 0
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    @property
    def narrow(self) -> bool:
        return self.page.viewport_size == PHONE

    def check_screen(self, what: str) -> None:
        """Assert no overflow and no axe violation; take a screenshot if a folder is given."""
        if not self.narrow:
            self.fight()  # a long form beside the feed is scrolled under its button
        wide = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], f"{what}: {wide[0]} px on a screen of {wide[1]}"
        found = violations(self.page)
        assert not found, f"{what}: {found}"
        if self.say.language == "de":
            own = Screens(self.page, self.say.game["id"])
            brought = sample_characters(
                ruleset(self.say.game["id"]).rules
            )  # texts of characters are not translated
            own.names |= {one[part] for one in brought for part in ("name", "notes")}
            own.look(what)
        self.shots += 1
        if SCREENS:
            name = f"{self.scene}-{self.name}-{self.shots:02}-{what.replace(' ', '-')}.png"
            self.page.screenshot(path=Path(SCREENS) / name, full_page=True)

    # -- navigation

    @property
    def bar(self) -> Locator:
        return self.page.get_by_role("region", name=self.say("act.fight"), exact=True)

    def part(self, name: str) -> None:
        show_beside(self.page, self.say(name))

    def fight(self) -> Locator:
        """Open and return the panel of the fight."""
        self.part("part.act")
        self.page.get_by_role("tab", name=self.say("act.fight"), exact=True).click()
        return self.page.locator("#card-fight")

    def turn(self, name: str) -> Locator:
        """Return the card of the character whose turn it is."""
        title = self.say("fight.turn_of", who=name)
        return self.fight().get_by_role("region", name=title, exact=True)

    def place(self, name: str) -> Locator:
        """Return the entry of a character in the turn order."""
        own = self.page.locator("strong", has_text=re.compile(f"^{re.escape(name)}$"))
        return self.fight().locator(".order > li").filter(has=own)

    def press(self, where: Locator, key: str, **values: Any) -> None:
        where.get_by_role("button", name=self.say(key, **values), exact=True).first.click()

    def card(self, title: str) -> Locator:
        """Return the newest card with a title."""
        self.part("part.feed")
        return self._newest(title)

    def _newest(self, title: str) -> Locator:
        return self.page.get_by_role("article", name=re.compile(f": {re.escape(title)}$")).first

    def is_led_to(self, title: str) -> None:
        """Assert that the page shows the newest card and moves the focus to it."""
        card = self._newest(title)
        expect(card).to_be_visible()
        expect(card.locator(".faces input, .throw button").first).to_be_focused()

    # -- moves

    def fixes(self, name: str, actions: int) -> None:
        many = "fight.fix.one" if actions == 1 else "fight.fix.other"
        self.press(self.turn(name), many, n=actions)

    def uses_own_dice(self) -> None:
        """Say in the roll panel that dice are thrown by hand."""
        self.part("part.act")
        self.page.get_by_role("tab", name=self.say("act.roll"), exact=True).click()
        form = self.page.get_by_role("form", name=self.say("panel.title"), exact=True)
        how = form.locator("details.more").filter(has_text=self.say("panel.how", mode="", dice=""))
        how.locator("summary").click()
        how.get_by_label(self.say("panel.dice.own")).check()

    def fills_in_attack(self, name: str) -> None:
        """Open the whole check of an attack from the panel of the combatant whose turn it is."""
        panel = self.turn(name).get_by_role("form", name=self.say("attack.title", who=name), exact=True)
        panel.get_by_text(self.say("attack.more"), exact=True).click()
        self.press(panel, "attack.form")

    def rolls(self, title: str, who: str = "", **values: str) -> None:
        """Fill in the roll panel and declare the roll with physical dice."""
        form = self.page.get_by_role("form", name=self.say("panel.title"), exact=True)
        check = form.get_by_label(self.say("panel.check"), exact=True).input_value()
        for name, value in values.items():
            if name in ("target", "item", "task"):
                label = self.say(f"deed.{name}")
            else:
                label = self.say.label(check, name)
            self._put(form, label, value)
        how = form.locator("details.more").filter(has_text=self.say("panel.how", mode="", dice=""))
        if how.get_attribute("open") is None:
            how.locator("summary").click()
        how.get_by_label(self.say("panel.dice.own")).check()
        how.get_by_label(self.say("panel.what")).fill(title)
        form.get_by_role("button", name=self.say("panel.declare"), exact=True).click()
        self.is_led_to(title)

    def _put(self, form: Locator, label: str, value: str) -> None:
        exactly = re.compile(rf"^\s*{re.escape(label)}(\s*\(.*\))?\s*$")
        found = form.get_by_label(exactly).first
        if not found.is_visible():
            more = form.locator("details.more").filter(has=self.page.get_by_label(exactly))
            more.locator("summary").first.click()
        if found.evaluate("one => one.tagName") != "SELECT":
            found.fill(value)
        elif value in found.evaluate("one => [...one.options].map((each) => each.value)"):
            found.select_option(value)
        else:
            found.select_option(label=self.say("field.type"))
            found.locator("xpath=following-sibling::input").fill(value)

    def throws(self, card: Locator, *faces: str) -> None:
        """Type faces throw by throw; the focus is always on the next field."""
        own = card.get_by_role("button", name=self.say("roll.own_dice"), exact=True)
        first = card.get_by_label(re.compile("^" + self.say("roll.face_of", n=1, sides=6)))
        expect(own.or_(first).first).to_be_visible()
        if own.count():
            own.click()
        for one in faces:
            shown = card.get_by_role("img").count()
            expect(first).to_be_focused()
            self.page.keyboard.type(one)
            self.page.keyboard.press("Enter")
            expect(card.get_by_role("img")).to_have_count(shown + len(one))

    def decides(self, title: str, answer: str = "none", decision: str = "spend") -> Locator:
        """Answer a decision after the dice, such as a point for +3; by default decline."""
        card = self.card(title)
        says = self.say.of("decisions", decision, answer)
        card.locator(".decision .options button").filter(has_text=says).click()
        expect(card.locator(".decision").filter(has_text=says)).to_have_count(0)
        return card

    def finishes(self, title: str) -> Locator:
        """Finalise a roll that has no open decision."""
        card = self.card(title)
        self.press(card, "roll.finalise")
        expect(card.get_by_role("button", name=self.say("roll.finalise"))).to_have_count(0)
        return card

    def tells(self, title: str) -> Locator:
        """Reveal a result as the GM."""
        card = self.card(title)
        self.press(card, "roll.tell")
        expect(card.get_by_role("button", name=self.say("roll.tell"), exact=True)).to_have_count(0)
        return card

    # -- keyboard and screen reader

    def tabs_to(self, label: str) -> None:
        """Press Tab until the focused element has this label."""
        for _ in range(MOST_TABS):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(FOCUSED).partition("\n")[0] == label:
                return
        raise AssertionError(f"{self.name} does not come to {label!r} by Tab")

    def keys(self, key: str, press: str = "Enter", **values: Any) -> None:
        """Tab to an element by its text and press a key there."""
        self.tabs_to(self.say(key, **values))
        self.page.keyboard.press(press)

    def heard(self) -> list[str]:
        """Return all announcements in order."""
        found: list[str] = self.page.evaluate("globalThis.heard")
        return found


class FightScene:
    """A GM on a laptop and two players, usually on phones, each with a shipped character."""

    def __init__(
        self,
        browser: Browser,
        at: Address,
        game: str,
        language: str = "en",
        title: str = "Friday",
        *,
        phones: tuple[str, ...] = ("ann", "bob"),
    ) -> None:
        self.seats = at.open(game=game, title=title, demo=True)
        words = PageTexts(at, game, language)
        self.people = {}
        for name in ("gm", "ann", "bob"):
            size = PHONE if name in phones else LAPTOP
            context = browser.new_context(
                viewport=size,  # type: ignore[arg-type]
                locale={"en": "en-GB", "de": "de-DE"}[language],
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            page.add_init_script(LISTEN)
            self.people[name] = FightPlayer(page, name, words, f"{game}-{language}")
            page.goto(at.url + self.seats[name].link)
            expect(page.get_by_role("banner")).to_contain_text(name, timeout=PATIENCE)

    def do(self, seat: str, do: str, **data: Any) -> None:
        """Send a command outside the pages."""
        answer = self.seats[seat].do(do, **data)
        assert answer.status_code == 200, answer.text

    def __enter__(self) -> tuple[FightPlayer, FightPlayer, FightPlayer]:
        return self.people["gm"], self.people["ann"], self.people["bob"]

    def __exit__(self, kind: object, *_: Any) -> None:
        faults = [fault for one in self.people.values() for fault in one.faults]
        for one in self.people.values():
            if kind is not None and SCREENS:
                one.page.screenshot(path=Path(SCREENS) / f"broken-{one.name}.png", full_page=True)
            one.page.context.close()
        assert kind is not None or not faults
