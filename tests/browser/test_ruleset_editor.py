"""The ruleset editor in Chromium: make a mistake, fix it, see the odds, play with others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from accessibility import violations
from browser_players import show_beside
from effort import rest_in_proof
from playwright.sync_api import Browser, Locator, Page, expect
from servers import ServerThread

PHONE, LAPTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
PATIENCE = 30_000  # milliseconds: texts are read by a process that has to begin first


expect.set_options(timeout=PATIENCE)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    made = opened(browser)
    yield made
    made.context.close()


def opened(browser: Browser, size: dict[str, int] = LAPTOP) -> Page:
    page = browser.new_context(viewport=size, locale="en-GB").new_page()  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE)
    return page


def begun(page: Page, server: ServerThread, base: str = "") -> Locator:
    """The editor with a new game; its text."""
    page.goto(f"{server.url}/edit")
    page.get_by_label("Start from").select_option(base)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".state")).to_contain_text("no errors")
    return text_of(page)


def text_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Text of the game")


def change(text: Locator, old: str, new: str) -> None:
    """Select a part of the text and type other words over it."""
    at = text.input_value().index(old)
    text.focus()
    text.evaluate("(field, [from, to]) => field.setSelectionRange(from, to)", [at, at + len(old)])
    text.page.keyboard.insert_text(new)


def used_at_a_table(page: Page, browser: Browser, title: str) -> Page:
    """The game is used at once; its author sits down, and a player comes by phone: their page."""
    page.get_by_role("button", name="Open a table with it").click()
    page.get_by_label("Your name").fill("Gwen")
    page.get_by_role("button", name="Open the table").click()
    invitation = page.get_by_role("dialog", name="Invite the players")
    link = invitation.locator(".address").inner_text().replace("\n", "")
    invitation.get_by_role("button", name="Close").click()
    expect(page.get_by_role("banner")).to_contain_text(title)
    ann = opened(browser, PHONE)
    ann.goto(link)
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_role("button", name="Sit down").click()
    expect(ann.get_by_role("banner")).to_be_visible()
    show_beside(ann, "Dice")
    return ann


def test_a_game_is_written_fixed_and_played_with_others(
    browser: Browser, server: ServerThread, page: Page
) -> None:
    """The whole way of a home-brewer: no file, no command, no restart."""
    page.goto(server.url)
    page.get_by_role("link", name="Write a game").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("p.chance")).to_contain_text("80%")
    text = text_of(page)
    change(text, "n = size(pool >=", "n = siz(pool >=")
    wrong = page.locator(".wrong")
    expect(wrong).to_have_text("siz(pool >= options.succeeds_from)")
    assert "wavy" in wrong.evaluate("one => getComputedStyle(one).textDecoration")
    expect(page.locator(".faulty")).to_contain_text("there is no function or rule 'siz'")
    expect(text).to_have_attribute("aria-invalid", "true")
    fault = page.locator(".faults").get_by_role("button")
    line = text.input_value().partition("siz(")[0].count("\n") + 1
    expect(fault).to_contain_text(f"Line {line}: there is no function or rule 'siz'")
    expect(fault).to_contain_text("did you mean 'size'?")
    expect(page.get_by_role("button", name="Open a table with it")).to_be_disabled()
    fault.click()
    expect(text).to_be_focused()
    page.keyboard.insert_text("size")  # its first word is selected
    expect(wrong).to_have_count(0)
    expect(page.locator(".ticks .good")).to_have_count(3)
    change(text, "n = size(pool >= options", "n = size(pool == 6) + size(pool >= options")
    change(text, "max = 40", "max = 10")
    expect(page.locator("p.chance")).to_contain_text("80%")
    expect(page.locator(".ticks .bad")).to_have_count(1)  # the mean of the first is another now
    page.get_by_label("Dice (required)").fill("1")
    expect(page.locator("p.chance")).to_contain_text("33%")
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator(".try .die")).to_have_count(1)
    ann = used_at_a_table(page, browser, "My game")
    ann.get_by_label("Dice (required)").fill("3")
    expect(ann.locator("p.chance").first).to_contain_text("70%")
    ann.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("article.card .die")).to_have_count(3)
    ann.context.close()


SIXES_TWICE = """pool = roll(dice, d6)
redo = choose("reroll", pool < threshold, rerolls)
pool = pool - redo + reroll(redo, d6)
result(successes = size(pool >= threshold) + (pool == 6))"""  # the first mistake
DOOM = """counted = count_successes(**pool)
dooms = roll(doom, d6, "wild")
left = max(counted.successes - size(dooms == 1), 0)
if size(dooms == 1) > 0:
    event("doom")"""  # the second: nobody has said what that is
DOOM_DIE = """
[checks.direct.params.doom]
type = "number"
min = 0
max = 5
default = 0
label = { en = "Doom dice" }
"""


def bring_into_play(page: Page, part: str) -> None:
    page.get_by_label("Section", exact=True).select_option(part)
    page.get_by_role("button", name="Uncomment").click()
    expect(page.get_by_role("button", name="Comment out")).to_be_visible()


def between(text: Locator, first: str, last: str) -> str:
    """The words of a text from the first to the last of these."""
    value = text.input_value()
    start = value.index(first)
    return value[start : value.index(last, start) + len(last)]


@pytest.mark.proof
@pytest.mark.parametrize("size", rest_in_proof([LAPTOP, PHONE]), ids=["laptop", "phone"])
def test_an_author_changes_uwr_and_plays_it_with_a_second_browser(
    browser: Browser, server: ServerThread, size: dict[str, int]
) -> None:
    """Sixes count twice, there is a doom die, and two mistakes are mended by their messages."""
    page = opened(browser, size)
    narrow = size is PHONE

    def look(part: str) -> None:
        if narrow:
            page.get_by_role("navigation").get_by_role("button", name=part).click()

    page.goto(server.url)
    page.locator("a[href='/edit']:visible").first.click()
    page.get_by_label("Start from").select_option("uwr")
    page.get_by_label("Short name").fill("sixes")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".state")).to_contain_text("no errors")
    look("Try")
    expect(page.locator("p.chance")).to_contain_text("41%")
    look("Write")

    # sixes count twice
    text = text_of(page)
    bring_into_play(page, "[rules.count_successes]")
    rule = between(text, "hit = d6 >= threshold\nif rerolls", "result(successes = sum(pool))")
    change(text, rule, SIXES_TWICE)
    fault = page.locator(".faults").get_by_role("button")
    expect(fault).to_contain_text("'+' needs a number, not a pool")
    expect(fault).to_contain_text("size(…) counts them")
    expect(page.locator(".line.faulty")).to_contain_text("+ (pool == 6)")
    fault.click()
    expect(text).to_be_focused()
    change(text, "+ (pool == 6)", "+ size(pool == 6)")
    expect(fault).to_have_count(0)

    # a doom die
    bring_into_play(page, "[checks.direct]")
    change(text, "counted = count_successes(**pool)\nresult(", DOOM + "\nresult(")
    change(
        text,
        between(text, "    successes = counted", "if aimed else None,\n    dice"),
        (
            "    successes = left,\n    success = left >= needed if aimed else None,\n"
            "    margin = left - needed if aimed else None,\n    dice"
        ),
    )
    expect(fault.nth(0)).to_contain_text("the name 'doom' has no value here")
    expect(fault.nth(0)).to_contain_text("make it a parameter")
    expect(fault.nth(1)).to_contain_text("there is no event 'doom'")
    text.evaluate("field => field.setSelectionRange(field.value.length, field.value.length)")
    page.keyboard.insert_text(DOOM_DIE)
    expect(fault).to_have_count(1)
    expect(fault).to_contain_text("declare it: [events.doom]")
    change(text, DOOM_DIE, f'{DOOM_DIE}\n[events.doom]\nen = "Doom strikes"\n')
    expect(page.locator(".state")).to_contain_text("no errors, changed")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]

    # how the odds have moved
    look("Try")
    expect(page.locator("p.chance")).to_contain_text("60%")
    expect(page.locator(".moved")).to_have_text("It was 41% when you started.")
    modifiers = page.locator(".try").get_by_text("Modifiers")
    if not page.get_by_label("Doom dice", exact=True).is_visible():
        modifiers.click()
    page.get_by_label("Doom dice", exact=True).fill("1")
    expect(page.locator("p.chance")).to_contain_text("56%")
    expect(page.locator(".moved")).to_have_text("It was 41% when you started, without Doom dice.")
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator(".try .card .die")).to_have_count(5)

    # a table with somebody else
    ann = used_at_a_table(page, browser, "Sixes")
    ann.get_by_label("Attribute", exact=True).fill("4")
    ann.get_by_label("Target", exact=True).fill("2")
    expect(ann.locator("p.chance").first).to_contain_text("60%")
    if not ann.get_by_label("Doom dice", exact=True).is_visible():
        ann.get_by_text("Modifiers").first.click()
    ann.get_by_label("Doom dice", exact=True).fill("5")
    ann.get_by_role("button", name="Roll", exact=True).click()
    for one in (page, ann):
        expect(one.locator("article.card .die")).to_have_count(9)
        expect(one.locator("article.card .die.wild")).to_have_count(5)
    ann.context.close()
    page.context.close()


def test_the_editor_shows_changed_odds(server: ServerThread, page: Page) -> None:
    text = begun(page, server)
    change(text, "default = 5", "default = 4")
    expect(page.locator("p.chance")).to_contain_text("93.8%")
    expect(page.locator(".moved")).to_have_text("It was 80% when you started.")


def test_a_change_in_the_form_appears_in_the_text_and_nothing_else_changes(
    server: ServerThread, page: Page
) -> None:
    before = begun(page, server).input_value()
    page.get_by_role("tab", name="Form").click()
    page.get_by_text("House rules", exact=True).click()
    rule = page.get_by_role("group", name="Lowest face that succeeds")
    rule.get_by_label("Default").select_option("4")
    expect(page.locator("p.chance")).to_contain_text("93.8%")
    page.get_by_label("Name (en)").first.fill("Four's <b>enough</b>")
    page.keyboard.press("Tab")
    expect(page.locator(".try h2")).to_have_text("Four's <b>enough</b>")
    page.get_by_role("tab", name="Text").click()
    wanted = before.replace("default = 5", "default = 4").replace(
        'en = "My game"', 'en = "Four\'s <b>enough</b>"'
    )
    expect(text_of(page)).to_have_value(wanted)


@pytest.mark.proof
def test_a_derived_game_adds_a_difficulty(server: ServerThread, page: Page) -> None:
    begun(page, server, "uwr")
    page.get_by_role("tab", name="Form").click()
    page.get_by_text("Difficulties", exact=True).click()
    hard = page.get_by_role("group", name="Difficult", exact=True)
    expect(hard.get_by_text("from uwr").first).to_be_visible()
    hard.get_by_label("target").fill("x")
    page.keyboard.press("Enter")
    expect(hard.get_by_role("alert")).to_contain_text("a number, such as 3")
    hard.get_by_label("target").fill("4")
    page.keyboard.press("Enter")
    page.get_by_label("New difficulty", exact=True).fill("Next to impossible")
    page.get_by_role("button", name="Add: New difficulty").click()
    expect(page.get_by_role("group", name="Next to impossible")).to_be_visible()
    page.get_by_role("tab", name="Text").click()
    text = text_of(page).input_value()
    assert "[ladder.difficult]\ntarget = 4\n" in text
    assert "[ladder.next_to_impossible]" in text
    assert "[options." in text  # the comments with what could be changed
    expect(page.locator(".state")).to_contain_text("no errors")
    page.get_by_role("tab", name="uwr").click()
    expect(page.get_by_label("Text of the game that yours extends")).to_have_value(
        (Path(__file__).parents[2] / "rulesets/uwr/ruleset.toml").read_text("utf-8")
    )


@pytest.mark.proof
def test_typed_text_survives_a_reload(server: ServerThread, page: Page) -> None:
    text = begun(page, server)
    change(text, 'en = "My game"', 'en = "Kept <i>here</i>')  # even with a mistake
    expect(page.locator(".faulty")).to_have_count(1)
    typed = text.input_value()
    page.reload()
    expect(text_of(page)).to_have_value(typed)
    expect(page.locator(".faulty")).to_have_count(1)


def test_a_link_shows_the_game_in_a_fresh_browser(browser: Browser, server: ServerThread, page: Page) -> None:
    """Also one whose words would be a page: they are words."""
    text = begun(page, server)
    nasty = "</script><script>document.title='x'</script><img src=x onerror=alert(1)>"
    change(text, 'en = "My game"', f'en = "{nasty}"')
    expect(page.locator(".try h2")).to_have_text(nasty)
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link to this game").input_value()
    other = opened(browser, PHONE)
    said: list[str] = []
    other.on("dialog", lambda one: (said.append(one.message), one.dismiss()))  # type: ignore[func-returns-value]
    other.goto(link)
    expect(text_of(other)).to_have_value(text.input_value())
    other.get_by_role("button", name="Try", exact=True).click()
    expect(other.locator(".try h2")).to_have_text(nasty)
    expect(other.locator("p.chance")).to_contain_text("80%")
    assert other.title() == "Your own game · Handful"
    assert said == []
    assert other.locator(".try img, .code img").count() == 0
    assert other.evaluate("document.documentElement.scrollWidth") <= 360
    other.context.close()


def test_a_dead_link_shows_a_message(server: ServerThread, page: Page) -> None:
    page.goto(f"{server.url}/brew/{'0' * 64}")
    expect(page.get_by_role("alert")).to_contain_text("there is no such ruleset on this server")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()


def test_a_file_is_opened_and_saved_again(server: ServerThread, page: Page, tmp_path: Path) -> None:
    first = tmp_path / "mine.toml"
    text = (Path(__file__).parents[2] / "rulesets/families/ten-again/ruleset.toml").read_text()
    first.write_text(text.replace('id = "ten-again"', 'id = "mine"'), "utf-8")
    page.goto(f"{server.url}/edit")
    page.get_by_label("Open a file").set_input_files(first)
    expect(page.locator(".state")).to_contain_text("no errors")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    download.value.save_as(tmp_path / "again.toml")
    assert download.value.suggested_filename == "ruleset.toml"
    assert (tmp_path / "again.toml").read_text("utf-8") == first.read_text("utf-8")


@pytest.mark.proof
def test_the_editor_by_keyboard_alone(server: ServerThread, page: Page) -> None:
    """Tab leaves the text, Enter goes on where the line began, and can be undone."""
    text = begun(page, server)
    at = text.input_value().index("== dice:") + len("== dice:")
    text.focus()
    text.evaluate("(field, at) => field.setSelectionRange(at, at)", at)
    before = text.input_value()
    page.keyboard.press("Enter")
    page.keyboard.insert_text('event("all_ones")')
    assert 'dice:\n    event("all_ones")\n    event' in text.input_value()
    for _ in range(2):
        page.keyboard.press("Control+z")
    expect(text).to_have_value(before)
    page.keyboard.press("Tab")
    expect(text).not_to_be_focused()
    page.get_by_role("tab", name="Text").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Form")).to_be_focused()
    expect(page.get_by_text("House rules", exact=True)).to_be_visible()


@pytest.mark.proof
@pytest.mark.parametrize("part", ["Write", "Try"])
def test_on_a_phone_nothing_is_wider_than_the_screen(
    browser: Browser, server: ServerThread, part: str
) -> None:
    page = opened(browser, PHONE)
    begun(page, server, "me-d6")
    page.get_by_role("navigation").get_by_role("button", name=part, exact=True).click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = page.locator("button:visible, a:visible, select:visible").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect())"
        ".filter(one => one.height < 24 && one.width < 24).length"
    )
    assert small == 0
    page.context.close()


@pytest.mark.proof
def test_text_and_highlighting_overlap_exactly(browser: Browser, server: ServerThread) -> None:
    """Every letter of the field has its picture behind it, also where lines are folded."""
    for size in (LAPTOP, PHONE):
        page = opened(browser, size)
        begun(page, server, "tuurna")
        heights = page.locator(".code").evaluate(
            "one => [one.querySelector('textarea').scrollHeight, one.querySelector('.behind').offsetHeight]"
        )
        assert abs(heights[0] - heights[1]) < 2
        page.context.close()


def test_a_gm_previews_other_rules_and_adopts_them(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    gm, ann = opened(browser), opened(browser, PHONE)
    gm.goto(server.url + seats["gm"].link)
    ann.goto(server.url + seats["ann"].link)
    show_beside(gm, "People")
    gm.get_by_role("tab", name="Rules").click()
    gm.get_by_text("Change the rules …").click()
    gm.get_by_label("Which rules?").select_option("fons")
    gm.get_by_role("button", name="What would change?").click()
    expect(gm.locator(".changes").first).to_be_visible()
    assert violations(gm) == []
    gm.get_by_role("button", name="Play by these rules").click()
    for page in (gm, ann):
        expect(page.get_by_role("banner")).to_contain_text("FoNS")
    show_beside(ann, "People")
    ann.get_by_role("tab", name="Log").click()
    expect(ann.get_by_text("gm changed the rules: fons from now on.")).to_be_visible()
    gm.context.close()
    ann.context.close()


@pytest.mark.proof
@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_axe_finds_nothing_in_the_editor(
    browser: Browser, server: ServerThread, size: dict[str, int]
) -> None:
    page = opened(browser, size)
    page.goto(f"{server.url}/edit")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    assert violations(page) == []
    text = begun(page, server, "uwr")
    assert violations(page) == []
    change(text, "[title]", "[titel]")
    expect(page.locator(".faults").get_by_role("button").first).to_be_visible()
    assert violations(page) == []
    page.get_by_role("tab", name="Form").click()
    expect(page.get_by_text("House rules", exact=True)).to_be_visible()
    assert violations(page) == []
    page.context.close()


@pytest.mark.proof
def test_the_form_adds_house_rules_parameters_and_rows_and_takes_them_out(
    server: ServerThread, page: Page, tmp_path: Path
) -> None:
    """Everything stands in the text; with all of it taken out again, the text says what it said."""
    before = begun(page, server, "tuurna").input_value()
    page.get_by_role("tab", name="Form").click()

    def add(label: str, name: str) -> None:
        page.get_by_label(label, exact=True).first.fill(name)
        page.get_by_role("button", name=f"Add: {label}").first.click()

    page.get_by_text("House rules", exact=True).click()
    add("New house rule", "Doom counts")
    rule = page.get_by_role("group", name="Doom counts", exact=True)
    expect(rule.get_by_label("Default")).to_have_value("0")
    page.get_by_label("Values, separated by commas").fill("1, 3, 5")
    add("New house rule", "Most doom")
    most = page.get_by_role("group", name="Most doom", exact=True)
    most.get_by_label("Default").select_option("3")
    page.get_by_text("Checks", exact=True).click()
    page.get_by_text("Inputs").first.click()
    add("New input", "Doom dice")
    dice = page.get_by_role("group", name="Doom dice", exact=True)
    dice.get_by_label("Maximum").fill("4")
    page.keyboard.press("Enter")
    page.get_by_text("Tables", exact=True).click()
    add("New row", "Doomed")
    row = page.get_by_role("group", name="fate", exact=True).get_by_label("doomed", exact=True)
    row.fill("0, 0, 0, 0, 1, 1")
    page.keyboard.press("Enter")
    page.get_by_label("New row", exact=True).first.fill("Doomed")
    expect(page.get_by_text("That name is taken.")).to_be_visible()
    expect(page.get_by_role("button", name="Add: New row").first).to_be_disabled()
    page.get_by_role("tab", name="Text").click()
    text = text_of(page)
    expect(text).to_have_value(re.compile(r"doomed = \[0, 0, 0, 0, 1, 1\]"))
    for written in (
        "[options.doom_counts]",
        "[options.most_doom]\nvalues = [1, 3, 5]\ndefault = 3",
        ".params.doom_dice]",
        "max = 4",
        "[tables.fate]",
    ):
        assert written in text.input_value()
    page.get_by_role("tab", name="Form").click()
    expect(page.locator(".form")).to_contain_text("changes nothing")  # as long as no rule reads it
    for part, what in (
        ("House rules", "Doom counts"),
        ("House rules", "Most doom"),
        ("Checks", "Doom dice"),
        ("Tables", "doomed"),
    ):
        gone = page.get_by_role("button", name=f"Remove {what}")
        if not gone.is_visible():
            page.get_by_text(part, exact=True).click()
        if not gone.is_visible():
            page.get_by_text("Inputs").first.click()
        gone.click()
        expect(gone).to_have_count(0)
    page.get_by_role("tab", name="Text").click()
    assert "doom" not in text_of(page).input_value()
    assert text_of(page).input_value().startswith(before.rstrip())
    expect(page.locator(".state")).to_contain_text("no errors")
