"""The pages in a German Chromium: every screen in German, until English is chosen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser_players import show_beside
from effort import rest_in_proof
from playwright.sync_api import Browser, Page, expect
from servers import ServerThread

from core.test_ruleset_wording import wordings
from handful.library import ruleset
from handful.web.games import sample_characters
from web.test_page_texts import TEXTS

# Every text that somebody sees or hears, node by node; what a file or a command says is no text
# of the pages, nor is a remark that is quoted in its own language.
SEEN = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode())
    if (!walk.currentNode.parentElement.closest('textarea,code,pre,.behind,[lang=en]'))
      found.push(walk.currentNode.textContent);
  for (const one of document.querySelectorAll('.behind em')) found.push(one.textContent);
  for (const one of document.querySelectorAll('[aria-label],[placeholder],[title]'))
    for (const name of ['aria-label', 'placeholder', 'title'])
      if (one.getAttribute(name)) found.push(one.getAttribute(name));
  found.push(document.title);
  return found.map((one) => one.replaceAll(/\\s+/g, ' ').trim()).filter(Boolean);
}"""


# Words of sentences that no German one has.
ENGLISH = re.compile(
    r"\b(the|there is|it is|is not|has no|needs|did you mean|must be|is gone|is new|by default|"
    r"says something|whatever|fails|lowest)\b"
)


def german(browser: Browser, at: str, width: int = 1280) -> Page:
    size: Any = {"width": width, "height": 800}
    page = browser.new_context(locale="de-DE", viewport=size).new_page()
    page.set_default_timeout(30_000)
    page.goto(at)
    return page


def english_words(game: str) -> tuple[set[str], list[re.Pattern[str]]]:
    """Texts that are English and nothing else: of the pages, and of a game."""
    rules = ruleset(game).rules
    says = [one for _, one in wordings(dict(rules.content))]
    known = {one for texts in says for name, one in texts.items() if name == "de"}
    known |= set(TEXTS["de"].values())
    whole = {one["en"] for one in says} | set(TEXTS["en"].values())
    whole |= {str(one[part]) for one in sample_characters(rules) for part in ("name", "notes")}
    known |= {str(one[part]) for one in sample_characters(rules, "de") for part in ("name", "notes")}
    shapes = []
    for key, text in TEXTS["en"].items():
        bare = re.sub(r"\{\w+\}", "", text)
        if "{" in text and TEXTS["de"][key] != text and len(re.findall(r"[a-zA-Z]", bare)) > 4:
            parts = [re.escape(one) for one in re.split(r"\{\w+\}", text)]
            shapes.append(re.compile(".+".join(parts)))
    return {one for one in whole - known if re.search(r"[a-z]{2}", one)}, shapes


class Screens:
    """Looks at a page again and again; nothing English may be there."""

    def __init__(self, page: Page, game: str) -> None:
        self.page, self.seen = page, set[str]()
        self.names = {"Markdown"}  # what is said as it is, in whatever language
        self.whole, self.shapes = english_words(game)

    def look(self, where: str) -> None:
        self.page.wait_for_timeout(300)
        texts = set(self.page.evaluate(SEEN)) - self.names
        self.seen |= texts
        bad = sorted(texts & self.whole)
        bad += sorted(one for one in texts for shape in self.shapes if shape.fullmatch(one))
        bad += sorted(one for one in texts if ENGLISH.search(re.sub(r"'[^']*'", "", one)))
        assert not bad, f"{where}: {bad}"


def open_all(page: Page) -> None:
    """Unfold all folded parts, so that they are checked too."""
    for _ in range(3):
        page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
        page.wait_for_timeout(100)


def test_the_first_page_is_german_until_english_is_chosen(browser: Browser, server: ServerThread) -> None:
    page = german(browser, server.url)
    expect(page.get_by_role("button", name="Ausprobieren").first).to_be_visible()
    assert page.evaluate("() => document.documentElement.lang") == "de"
    Screens(page, "uwr").look("first page")
    page.get_by_role("button", name="Tisch eröffnen").first.click()
    expect(page.get_by_label("Name des Tisches")).to_be_visible()
    Screens(page, "uwr").look("new table")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("button", name="Try it").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Try it").first).to_be_visible()
    assert page.evaluate("() => document.documentElement.lang") == "en"
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("button", name="Ausprobieren").first).to_be_visible()
    page.context.close()


@pytest.mark.parametrize(("languages", "wanted"), [("de-AT", "de"), ("fr-FR", "en"), ("en-GB", "en")])
def test_the_browser_language_decides(
    browser: Browser, server: ServerThread, languages: str, wanted: str
) -> None:
    page = browser.new_context(locale=languages).new_page()
    page.goto(f"{server.url}/join/nowhere")
    title = TEXTS[wanted]["lost.title"]
    expect(page.get_by_role("heading", level=1)).to_have_text(title, timeout=30_000)
    assert page.evaluate("() => document.documentElement.lang") == wanted
    page.context.close()


WALKS = {
    "uwr": ("direct", {"attribute": "grace", "rerolls": 1, "target": 3}),
    "me-d6": ("check", {"dice": "ranged", "difficulty": "easy"}),
}


@pytest.mark.parametrize("game", rest_in_proof(WALKS))
@pytest.mark.parametrize("width", rest_in_proof([1280, 360]))
def test_no_english_is_left_at_a_german_table(
    browser: Browser, server: ServerThread, game: str, width: int
) -> None:
    page = german(browser, server.url, width)
    title = ruleset(game).rules.title["de"]
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=title, exact=True))
    card.get_by_role("button", name="Ausprobieren").click()
    expect(page.get_by_role("banner")).to_contain_text("Du bist")
    screens = Screens(page, game)
    screens.look("the table")
    check, parameters = WALKS[game]
    place = page.url.rpartition("/")[2]

    def does(do: str, **data: object) -> dict[str, Any]:
        answer = page.request.post(
            f"{server.url}/api/tables/{place}/commands",
            data={"do": do, "key": f"test-{do}", "data": data},
            headers={"Accept-Language": "de"},
        )
        return answer.json()  # type: ignore[no-any-return]

    view = page.request.get(f"{server.url}/api/tables/{place}/view").json()
    own = next(one["character"] for one in view["characters"] if one["kind"] == "npc")
    made = does("declare", check=check, parameters=parameters, **{"as": [own]})
    assert "done" in made, made
    roll = page.request.get(f"{server.url}/api/tables/{place}/view").json()["rolls"][-1]["roll"]
    screens.look("declared")
    assert "done" in does("throw", roll=roll)
    expect(page.locator(f"[id='card-{roll}']")).to_be_attached()
    open_all(page)
    screens.look("thrown")
    for part in ("Würfel", "Tisch", "Leute"):
        show_beside(page, part)
        for tab in page.get_by_role("tab").all():
            if tab.is_visible():
                tab.click()
                open_all(page)
                screens.look(tab.inner_text())
    refused = does("answer", roll=roll, answer=[99])["error"]
    assert not re.search(r"\b(is|the|it|not)\b", refused["message"]), refused
    assert len(screens.seen) > 150
    page.context.close()


def test_a_refusal_is_shown_in_german(browser: Browser, server: ServerThread) -> None:
    page = german(browser, server.url)
    page.get_by_role("button", name="Ausprobieren: UWR").click()
    expect(page.get_by_role("banner")).to_contain_text("Du bist")
    page.get_by_role("textbox", name="Attribut", exact=True).fill("viel")
    page.get_by_role("button", name="Würfeln", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("ist keine Zahl")
    page.context.close()


# -- the pages beside the tables


def tab(page: Page, key: str) -> None:
    page.get_by_role("tab", name=TEXTS["de"][key], exact=True).click()


CASES = """
[[case]]
name = "Fall"
check = "direct"
params = { attribute = "viel" }
"""


@pytest.mark.proof
@pytest.mark.parametrize("width", rest_in_proof([1280, 360]))
def test_no_english_is_left_in_the_editor(browser: Browser, server: ServerThread, width: int) -> None:
    says = TEXTS["de"]
    page = german(browser, f"{server.url}/edit", width)
    screens = Screens(page, "uwr")
    screens.look("before it begins")
    page.get_by_label(says["edit.base"]).select_option("uwr")
    page.get_by_role("button", name=says["edit.start"], exact=True).click()
    text = page.get_by_role("textbox", name=says["edit.text_label"])
    expect(text).to_be_visible()
    good = text.input_value()
    tab(page, "edit.form")
    expect(page.get_by_role("group").first).to_be_attached(timeout=60_000)
    open_all(page)
    screens.look("the form")
    tab(page, "edit.cases")
    page.get_by_role("textbox", name=says["edit.cases_label"]).fill(CASES)
    if width < 600:
        page.get_by_role("button", name=says["edit.try"], exact=True).click()
    expect(page.get_by_text("ist keine Zahl").first).to_be_visible(timeout=60_000)
    open_all(page)
    screens.look("cases, and what the game comes to")
    if width < 600:
        page.get_by_role("button", name=says["edit.write"]).click()
    tab(page, "edit.text")
    text.fill(good + "\n[checks.probe]\ntitle = 1\ncolour = 2\n[rules.x]\nparams = 3\n")
    expect(page.locator(".faults")).to_contain_text("braucht einen Wortlaut", timeout=60_000)
    expect(page.locator(".faults")).to_contain_text("'colour' gibt es hier nicht")
    screens.look("mistakes")
    page.context.close()
