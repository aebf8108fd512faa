"""The odds page in Chromium: drag, compare, copy and share, also by keyboard."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from accessibility import violations
from click.testing import CliRunner
from effort import rest_in_proof
from playwright.sync_api import Browser, Locator, Page, expect
from servers import ServerThread

from handful.cli.app import handful as command
from handful.web.settings import ServerLimits

PHONE, LAPTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
UWR = "('g':'uwr','c':'direct','p':('attribute':'6','rerolls':'2','target':'3'))"
TUURNA = "('g':'tuurna','c':'check','p':('level':'5','difficulty':'5'))"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    limits = ServerLimits(explorer_burst=10**6, query_burst=10**6)
    with ServerThread(tmp_path_factory.mktemp("odds") / "tables.db", limits) as running:
        yield running


@pytest.fixture
def visit(browser: Browser, server: ServerThread) -> Iterator[Any]:
    """Open the page in a context of its own; a script error fails the test."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def opened(fragment: str = "", **more: Any) -> Page:
        context = browser.new_context(**{"viewport": LAPTOP, "locale": "en-GB", **more})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda said: (
                wrong.append(said.text)
                if said.type == "error" and "Failed to load resource" not in said.text
                else None
            ),
        )
        page.goto(f"{server.url}/odds{fragment}")
        expect(page.get_by_role("tab").first).to_be_visible()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


def series(*those: str) -> str:
    return f"#('v':1,'s':[{','.join(those)}])"


def rows(page: Page) -> Locator:
    return page.locator(".overview tbody tr")


def figure(page: Page, at: int = 0) -> Locator:
    return rows(page).nth(at).locator(".figure strong")


def slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name, exact=True)


def copied(page: Page, what: str) -> str:
    page.get_by_role("group", name="Copy").get_by_role("button", name=what, exact=True).click()
    expect(page.get_by_text(re.compile(f"{what} (copied|saved)"))).to_be_visible()
    text: str = page.evaluate("() => navigator.clipboard.readText()")
    return text


CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


def test_a_fresh_page_shows_odds_at_once(visit: Any) -> None:
    page = visit()
    expect(figure(page)).to_contain_text("%")
    expect(page.locator(".plot svg")).to_be_visible()


def test_a_link_with_only_a_check_opens_it(visit: Any) -> None:
    page = visit(series("('g':'tuurna','c':'contest')"))
    expect(figure(page)).to_have_text("50.0%")


def test_dragging_a_slider_moves_the_figure(visit: Any) -> None:
    page = visit(series(UWR))
    expect(figure(page)).to_have_text("53.2%")
    thumb = slider(page, "Attribute")
    box = thumb.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 6 / 20, y)
    page.mouse.down()
    for share in (0.35, 0.4, 0.45, 0.5):
        page.mouse.move(box["x"] + box["width"] * share, y)
    page.mouse.up()
    assert float(thumb.input_value()) > 8
    value = thumb.input_value()
    expect(rows(page).first).to_contain_text(f"Attribute {value}")
    expect(figure(page)).not_to_have_text("53.2%")
    expect(page.locator(".overview [aria-busy=true]")).to_have_count(0)
    line = f"odds uwr direct attribute={value} rerolls=2 target=3 --json"
    said = json.loads(CliRunner().invoke(command, line.split()).output)
    expect(figure(page)).to_have_attribute("title", said["success"])


def test_a_series_of_another_game_is_shown_with_the_first(visit: Any) -> None:
    page = visit(series(UWR))
    page.get_by_role("button", name="+ Add a series").click()
    page.get_by_label("Game", exact=True).select_option("ten-again")
    expect(rows(page)).to_have_count(2)
    expect(rows(page).nth(1)).to_contain_text("Pool")
    expect(figure(page, 1)).to_contain_text("%")
    dashes = page.locator(".plot svg g[data-mark=line]")
    expect(page.locator(".plot svg g[data-mark=dot]")).to_have_count(2)
    told_apart = dashes.evaluate_all("those => those.map(one => one.getAttribute('stroke-dasharray'))")
    assert len(told_apart) == len(set(told_apart)) == 2
    for _ in range(4):
        page.get_by_role("button", name="+ Add a series").click()
    expect(rows(page)).to_have_count(6)
    expect(page.get_by_role("button", name="+ Add a series")).to_have_count(0)
    page.get_by_role("button", name="Remove F").click()
    expect(rows(page)).to_have_count(5)


def picture(page: Page) -> list[Any]:
    """Return every mark of the chart with its position."""
    expect(page.locator(".plot svg")).to_be_visible()
    found: list[Any] = page.locator(".plot svg").evaluate(
        "svg => [...svg.querySelectorAll('path, rect, line, text')].map(one =>"
        " [one.tagName, one.getAttribute('d'), one.getAttribute('transform'),"
        " one.getAttribute('y'), one.getAttribute('height'), one.textContent])"
    )
    return found


def test_a_link_in_a_fresh_browser_gives_the_same_chart(visit: Any) -> None:
    page = visit(series(UWR, TUURNA), **CLIPBOARD)
    page.get_by_role("button", name="at least", exact=True).click()
    page.locator("summary", has_text="House rules").click()
    house = page.get_by_label("Several rerolls on one die")
    house.select_option(index=1)
    chosen = house.locator("option").nth(1).inner_text()
    page.get_by_label("Decisions", exact=True).select_option("best")
    expect(rows(page).first).to_contain_text(f"{chosen}; perfect play")
    expect(page.locator(".overview [aria-busy=true]")).to_have_count(0)
    link = copied(page, "Link")
    expect(page).to_have_url(link)
    other = visit(link.partition("/odds")[2])
    expect(rows(other)).to_have_count(2)
    for at in range(2):
        expect(rows(other).nth(at)).to_have_text(rows(page).nth(at).inner_text(), use_inner_text=True)
    expect(other.get_by_role("button", name="at least", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(other.locator(".plot svg g[data-mark=dot]")).to_have_count(2)
    assert picture(other) == picture(page)


def test_the_copied_text_has_the_figures_of_the_page(visit: Any) -> None:
    page = visit(series(UWR, TUURNA), **CLIPBOARD)
    expect(figure(page, 1)).to_contain_text("%")
    lines = [line.split(",") for line in copied(page, "CSV").splitlines()]
    assert lines[0][0] == "series"
    line = "odds uwr direct attribute=6 rerolls=2 target=3 --json"
    said = json.loads(CliRunner().invoke(command, line.split()).output)
    assert [[int(one[3]), one[7]] for one in lines if one[0] == "A"] == said["distribution"]
    told = json.loads(copied(page, "JSON"))
    assert [one["series"] for one in told] == ["A", "B"]
    assert told[0]["success"] == said["success"]
    markdown = copied(page, "Markdown")
    assert "| 3 | 27.3% | 53.2% | 74.1% |" in markdown


def test_the_copied_command_gives_the_same_figures(visit: Any) -> None:
    page = visit(series(UWR, TUURNA), **CLIPBOARD)
    expect(figure(page, 1)).to_contain_text("%")
    for at, line in enumerate(copied(page, "Command line").splitlines()):
        program, *words = shlex.split(line)
        assert program == "handful"
        said = json.loads(CliRunner().invoke(command, [*words, "--json"]).output)
        expect(figure(page, at)).to_have_attribute("title", said["success"])


@pytest.mark.parametrize("which", rest_in_proof(["exactly", "at least", "at most"]))
@pytest.mark.parametrize("those", [(UWR,), (UWR, TUURNA)], ids=["bars", "lines"])
def test_the_chart_and_the_table_show_the_same_numbers(
    visit: Any, which: str, those: tuple[str, ...]
) -> None:
    """Both what its marks say and where they stand: heights are chances."""
    page = visit(series(*those), **CLIPBOARD)
    page.get_by_role("button", name=which, exact=True).click()
    expect(figure(page, len(those) - 1)).to_contain_text("%")
    page.locator(".plotted summary").click()
    heads = page.locator(".plotted thead th").all_inner_texts()
    table = {}
    for row in page.locator(".plotted tbody tr").all():
        name, *cells = row.locator("th, td").all_inner_texts()
        for head, cell in zip(heads[1:], cells, strict=True):
            if head.endswith(which) and cell != "–":
                table[f"{head[0]} {name}"] = cell
    expect(page.locator(".plot svg title").first).to_be_attached()
    svg = copied(page, "SVG")
    shown = dict(said.split(": ") for said in re.findall(r"<title>([^<]+)</title>", svg))
    assert shown == table
    assert svg.startswith("<svg")
    assert "var(--plot" not in svg
    places = page.locator(".plot svg").evaluate(
        "svg => [...svg.querySelectorAll('title')].map(one => { const mark = one.parentNode;"
        " const { y, height } = mark.getBoundingClientRect();"
        " return [one.textContent, mark.tagName === 'rect' ? y : y + height / 2]; })"
    )
    exact = [(float(said.split(": ")[1].strip("<>% ")), y) for said, y in places]
    (low, below), (high, above) = min(exact), max(exact)
    for share, y in exact:
        expected = below + (share - low) / (high - low) * (above - below)
        assert abs(y - expected) < 2.5, (share, y, expected)


def test_a_chart_can_be_downloaded_as_png(visit: Any) -> None:
    page = visit(series(UWR, TUURNA), **CLIPBOARD)
    expect(page.locator(".plot svg g[data-mark=dot]")).to_have_count(2)
    page.get_by_role("button", name="PNG", exact=True).click()
    expect(page.get_by_text("PNG copied")).to_be_visible()
    size = page.evaluate(
        "async () => { const [one] = await navigator.clipboard.read();"
        " return (await one.getType('image/png')).size; }"
    )
    assert size > 2000


def test_success_at_every_difficulty_and_worth_of_decisions(visit: Any) -> None:
    page = visit(series(UWR))
    rungs = page.locator(".rungs tbody tr")
    expect(rungs).to_have_count(4)
    expect(rungs.nth(3)).to_contain_text("53.2%")
    worth = page.locator(".weighed tbody tr")
    expect(worth).to_contain_text("+21.2 points")
    expect(worth).to_contain_text("32.0%")


@pytest.mark.proof
def test_everything_by_the_keyboard_alone(visit: Any) -> None:
    page = visit(series(UWR))
    expect(figure(page)).to_have_text("53.2%")
    slider(page, "Attribute").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(rows(page).first).to_contain_text("Attribute 7")
    expect(figure(page)).to_have_text("62.3%")
    page.get_by_role("button", name="+ Add a series").focus()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("tab", name="Odds").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Table")).to_be_focused()
    expect(page.get_by_role("heading", name="Table of odds")).to_be_visible()
    page.get_by_label("Range", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".swept .plot svg")).to_be_visible()
    order = []
    page.get_by_role("tab", name="Table").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        order.append(page.evaluate("() => document.activeElement.tagName"))
    assert {"SELECT", "INPUT"} <= set(order)


def test_a_table_over_two_ranges_and_the_value_for_a_chance(visit: Any) -> None:
    page = visit(series(UWR), **CLIPBOARD)
    page.get_by_role("tab", name="Table").click()
    page.get_by_label("Range", exact=True).fill("1..4")
    page.get_by_label("And", exact=True).select_option("target")
    page.get_by_label("Second range").fill("1..8")
    page.get_by_role("button", name="Make the table").click()
    expect(page.locator(".swept tbody tr")).to_have_count(4)
    expect(page.locator(".swept .plot svg g[data-mark=cell] rect")).to_have_count(32)
    line = page.locator(".swept").get_by_role("button", name="Command line")
    line.click()
    expect(page.get_by_text("Command line copied")).to_be_visible()
    _, *words = shlex.split(page.evaluate("() => navigator.clipboard.readText()"))
    said = json.loads(CliRunner().invoke(command, [*words, "--json"]).output)
    cells = page.locator(".swept .plot svg g[data-mark=cell] title").all_inner_texts()
    assert len(said["cells"]) == len(cells) == 32
    page.get_by_label("Find").select_option("attribute")
    page.get_by_role("button", name="Find it").click()
    expect(page.locator(".inverse [role=status]").first).to_contain_text("10 or more")


def test_a_table_that_is_too_large_or_impossible_is_refused_in_one_message(visit: Any) -> None:
    page = visit(series(UWR))
    page.get_by_role("tab", name="Table").click()
    for typed, says in (
        ("5..1", "write 1..5"),
        ("1..x", "not a number"),
        ("1..99999", "10000 values"),
    ):
        page.get_by_label("Range", exact=True).fill(typed)
        page.get_by_role("button", name="Make the table").click()
        expect(page.get_by_role("alert")).to_have_count(1)
        expect(page.get_by_role("alert")).to_contain_text(says)


def test_two_editions_are_compared_on_the_page(visit: Any) -> None:
    page = visit("#('v':1,'t':'diff','b':('game':'agga'),'f':('game':'fons'))")
    expect(page.locator(".compared")).to_contain_text("difficulty trivial is new", timeout=60_000)
    rows_there = page.locator(".compared tbody tr")
    expect(rows_there.first).to_contain_text("−11.0 points")


@pytest.mark.proof
def test_an_author_compares_a_changed_fate_table(visit: Any) -> None:
    """R-26, changed: the words and the largest changes on one page; it can be stopped."""
    page = visit("#('v':1,'t':'diff')")
    page.get_by_label("Game", exact=True).first.select_option("tuurna")
    page.get_by_label("Compare with my own draft").check()
    draft = page.get_by_label("The changed ruleset")
    expect(draft).to_have_value(re.compile('extends = "tuurna"'))
    draft.fill(draft.input_value() + "[tables.fate]\nneutral = [0, 0, 1, 1, 1, 2]\n")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator(".compared")).to_contain_text(
        "table fate: neutral 0 0 1 1 2 2 -> 0 0 1 1 1 2", timeout=120_000
    )
    expect(page.locator(".compared tbody tr").first).to_contain_text("points")
    draft.fill("[tables")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("line 1")


def test_an_author_finds_out_which_remarks_are_wrong_and_by_how_much(visit: Any) -> None:
    """CLM-R2 to CLM-R4, with the real figures and what would make them true."""
    page = visit("#('v':1,'t':'claims','g':'tuurna')")
    remark = page.locator(".verdicts tbody tr", has_text="Difficulty 8 slightly more than half")
    row = remark.filter(has_text="greatest mortals")
    expect(row).to_contain_text("false")
    expect(row).to_contain_text("67.2%")
    expect(row).to_contain_text("off by +7.2 points")
    expect(row).to_contain_text("difficulty=9: 53.5%")
    row.get_by_role("button").click()
    expect(figure(page)).to_have_text("67.2%")


def test_own_claims_are_checked(visit: Any) -> None:
    page = visit("#('v':1,'t':'claims','g':'uwr')")
    page.locator("summary", has_text="Check my own claims").click()
    text = page.get_by_label("Claims (TOML")
    expect(text).to_have_value(re.compile("direct"))
    text.fill(
        '[[claim]]\nid = "x"\nsays = "Four dice, two needed: even."\ncheck = "direct"\n'
        'params = { attribute = 4, target = 2 }\nrange = ["45%", "55%"]\n'
    )
    page.get_by_role("button", name="Check", exact=True).click()
    row = page.locator(".verdicts tbody tr", has_text="Four dice, two needed: even.")
    expect(row).to_contain_text("40.7%")
    text.fill("[[claim")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("claims.toml:1")


@pytest.mark.parametrize(
    "fragment",
    rest_in_proof(
        [
            "#broken",
            "#('v':1,'s':'x')",
            "#('v':2)",
            "#%E0%A4%A",
            "#('v':1,'s':[('g':'nowhere')])",
            "#('v':1,'s':[('g':'uwr','c':'nothing')])",
            "#('v':1,'a':7)",
            "#('v':1,'t':'nothing')",
            "#('v':1,'s':[('g':'uwr','c':'direct','p':('attribute':[[1]]))])",
        ],
        3,
    ),
)
def test_a_broken_link_gets_one_clear_message_and_a_fresh_page(visit: Any, fragment: str) -> None:
    page = visit(fragment)
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text("This link is incomplete")
    expect(figure(page)).to_contain_text("%")


def test_a_refusal_of_the_rules_is_shown_at_its_series(visit: Any) -> None:
    page = visit(series(UWR.replace("'6'", "'900'"), TUURNA))
    expect(rows(page).first).to_contain_text("attribute")
    expect(rows(page).first.get_by_role("alert")).to_have_count(1)
    expect(figure(page, 0)).to_have_count(0)
    expect(rows(page).nth(1).locator(".figure strong")).to_contain_text("%")


@pytest.mark.proof
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tab", ["odds", "table", "diff", "claims"])
def test_axe_finds_nothing(visit: Any, tab: str, scheme: str) -> None:
    page = visit(
        f"#('v':1,'t':'{tab}','s':[{UWR},{TUURNA}],'w':('down':'attribute'),"
        "'b':('game':'agga'),'f':('game':'agga'),'g':'me-d6')",
        color_scheme=scheme,
    )
    shown = {"odds": ".weighed", "table": ".swept svg", "diff": ".compared", "claims": ".verdicts"}
    expect(page.locator(shown[tab]).first).to_be_visible(timeout=60_000)
    assert violations(page) == []


@pytest.mark.parametrize("tab", rest_in_proof(["odds", "table", "diff", "claims"]))
def test_nothing_is_wider_than_a_small_phone(visit: Any, tab: str) -> None:
    page = visit(
        f"#('v':1,'t':'{tab}','s':[{UWR},{TUURNA}],"
        "'w':('down':'attribute','across':'target'),"
        "'b':('game':'agga'),'f':('game':'fons'),'g':'tuurna')",
        viewport=PHONE,
    )
    shown = {"odds": ".weighed", "table": ".swept svg", "diff": ".compared", "claims": ".verdicts"}
    expect(page.locator(shown[tab]).first).to_be_visible(timeout=60_000)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_page_in_german(visit: Any) -> None:
    page = visit(series(UWR), locale="de-DE")
    expect(figure(page)).to_have_text("53,2 %")
    expect(page.get_by_role("heading", name="Erfolg bei jeder Schwierigkeit")).to_be_visible()


def test_the_first_page_and_a_game_lead_here(visit: Any, server: ServerThread) -> None:
    page = visit()
    page.goto(server.url)
    page.get_by_role("listitem").filter(has_text="Tu'urna").get_by_role("link", name="Odds").click()
    expect(rows(page).first).to_contain_text("Tu'urna")
    expect(figure(page)).to_contain_text("%")
