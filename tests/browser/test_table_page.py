"""The table page in Chromium: open, roll, keep secrets, reconnect."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browser_players import LAPTOP, PHONE, open_page, show_beside
from effort import rest_in_proof
from playwright.sync_api import Browser, Page, expect
from servers import ServerProcess, ServerThread, wait_until

from handful.library import shipped
from handful.verifier import verify


def pages(browser: Browser, server: ServerThread | ServerProcess, **wanted: object) -> dict[str, Page]:
    """GM on a laptop, two players on phones."""
    seats = server.open(demo=True, **wanted)
    found = {
        name: open_page(browser, server.url + seats[name].link, LAPTOP if name == "gm" else PHONE)
        for name in ("gm", "ann", "bob")
    }
    for name, page in found.items():
        expect(page.get_by_role("banner")).to_contain_text(name)
    return found


@pytest.mark.parametrize("game", rest_in_proof(shipped(), 2))
def test_a_newcomer_takes_a_seat_in_every_game(browser: Browser, server: ServerThread, game: str) -> None:
    page = open_page(browser, server.url)
    title = page.request.get(f"{server.url}/api/games/{game}").json()["title"]["en"]
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=title, exact=True))
    card = card.or_(
        page.get_by_role("article").filter(has=page.get_by_role("heading", name=title, exact=True))
    )
    card.get_by_role("button", name="Try it").click()
    expect(page.get_by_role("banner")).to_contain_text("You are")
    expect(page.get_by_role("banner")).to_contain_text(title)
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_visible()
    page.context.close()


def test_a_removed_character_comes_back_as_it_was(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    before = seats["ann"].get("/view")["characters"]
    page = open_page(browser, server.url + seats["ann"].link)
    own = page.locator("details.character").filter(has_text="Mira Quill")
    for undone in (True, False):
        own.get_by_role("button", name="Remove").click()
        expect(own).to_have_count(0)
        assert seats["ann"].get("/view")["characters"] == before  # it waits until the note goes
        if undone:
            page.get_by_role("button", name="Undo").click()
            expect(own).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    wait_until(lambda: len(seats["ann"].get("/view")["characters"]) == len(before) - 1)
    page.context.close()


def test_a_request_that_leaves_nothing_open_is_one_button(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    asked = {"attribute": "grace", "skill": "acrobatics", "target": 2}
    answer = seats["gm"].do("request", "q", to=["ann"], check="direct", title="the roof", parameters=asked)
    assert answer.status_code == 200, answer.text
    ann = open_page(browser, server.url + seats["ann"].link, PHONE)
    card = ann.get_by_role("article", name="gm asks for a check: the roof")
    expect(card.locator("p.chance")).to_contain_text("%")
    assert not any(one.is_visible() for one in card.locator("select, input").all())
    card.get_by_text("Suggest something else").click()
    expect(card.get_by_label("Character")).to_be_visible()
    card.get_by_text("Suggest something else").click()
    card.get_by_role("button", name="Roll", exact=True).click()
    rolled = ann.get_by_role("article", name="Mira Quill (ann): the roof")
    expect(rolled.get_by_label(re.compile("shows")).first).to_be_visible()
    ann.context.close()


def test_the_gm_rolls_and_a_player_sees_it(browser: Browser, server: ServerThread) -> None:
    seen = pages(browser, server)
    gm, ann = seen["gm"], seen["ann"]
    gm.get_by_role("textbox", name="Attribute", exact=True).fill("4")
    gm.get_by_role("textbox", name="Target", exact=True).fill("2")
    expect(gm.get_by_role("form", name="Roll")).to_contain_text("41%")  # 11/27
    gm.get_by_role("button", name="Roll", exact=True).click()
    for page in (gm, ann):
        card = page.locator("[id^='card-gm/']").first
        expect(card).to_be_visible()
        expect(card).to_contain_text("Direct check")
    for page in seen.values():
        page.context.close()


def test_a_throw_mixes_in_randomness_of_the_device(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    gm = open_page(browser, server.url + seats["gm"].link)
    gm.get_by_role("textbox", name="Attribute", exact=True).fill("4")
    for number in (1, 2):
        gm.get_by_role("button", name="Roll", exact=True).click()
        cards = gm.locator("[id^='card-gm/']")
        expect(cards).to_have_count(number)
        expect(cards.locator(".die")).to_have_count(4 * number)
    lines = [json.loads(line) for line in seats["gm"].ask("GET", "/export").text.splitlines()]
    sent = [one["data"]["entropy"] for one in lines if one.get("kind") == "dice_thrown"]
    assert len({*sent}) == len(sent) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", one) for one in sent)
    gm.context.close()


def test_a_log_is_verified_and_its_head_is_the_same_for_everyone(
    browser: Browser, server: ServerThread
) -> None:
    seats = server.open(title="Überfahrt")
    ask = {"check": "direct", "parameters": {"attribute": 3.5, "target": 1}}
    seats["ann"].do("declare", key="secret", mode="secret", **ask)
    seats["ann"].do("declare", key="r", check="direct", parameters={"attribute": 3, "target": 1})
    seats["gm"].do("throw", roll="ann/r", faces=[6, 5, 2])
    seats["bob"].do("declare", key="r", title="vor’m Tor", throw={"entropy": "00" * 16}, **ask)
    seen = {}
    for name in ("gm", "ann"):
        page = open_page(browser, server.url + seats[name].link)
        page.locator("#card-ann\\/r").get_by_role("button", name="Show the whole roll").click()
        expect(page.locator("#card-ann\\/r")).to_contain_text("typed by gm")
        show_beside(page, "People")
        page.get_by_role("tab", name="Log").click()
        page.get_by_role("button", name="Verify", exact=True).click()
        expect(page.get_by_text("Log intact")).to_be_visible()
        head = page.get_by_text("Public line")
        expect(head).to_contain_text(re.compile(r"(\d{5} ){5}\d{5}"))
        seen[name] = re.search(r"Public line.*?(\d{5} ){5}\d{5}", head.inner_text())
        page.context.close()
    digits = {found[0] for found in seen.values() if found}
    assert len(digits) == 1
    exported = json.loads(seats["bob"].ask("GET", "/export").text.splitlines()[-1])
    assert digits.pop().endswith(exported["public"]["digits"])


def test_a_page_warns_if_a_server_does_not_mix_in_its_randomness(
    browser: Browser, server: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handful.table import rolls

    seats = server.open(demo=True)
    honest = rolls.throw_due_dice
    monkeypatch.setattr(rolls, "throw_due_dice", lambda now, roll, entropy="": honest(now, roll, "chosen"))
    gm = open_page(browser, server.url + seats["gm"].link)
    gm.get_by_role("textbox", name="Attribute", exact=True).fill("4")
    gm.get_by_role("button", name="Roll", exact=True).click()
    expect(gm.get_by_role("alert")).to_contain_text("random bytes didn’t go into this throw")
    gm.context.close()


def sent_commands(page: Page) -> list[str]:
    """Return the kinds of commands that a page sends from its next reload on."""
    sent: list[str] = []

    def read(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "command":
            sent.append(message["do"])

    page.on("websocket", lambda socket: socket.on("framesent", read))
    page.reload()
    return sent


def test_one_click_is_one_command(browser: Browser, server: ServerThread) -> None:
    seats = server.open()
    asked = {"attribute": 3, "rerolls": 1, "target": 3}
    ask = {"to": ["ann"], "check": "direct", "parameters": asked, "title": "jump"}
    assert seats["gm"].do("request", key="q", **ask).status_code == 200
    ann = open_page(browser, server.url + seats["ann"].link)
    expect(ann.get_by_role("banner")).to_contain_text("ann")
    sent = sent_commands(ann)
    request = ann.locator("[id='card-gm/q']")
    request.get_by_role("button", name="Roll", exact=True).click()
    card = ann.locator("[id^='card-ann/']")
    expect(card).to_contain_text("jump")
    expect(card.locator(".die")).to_have_count(3)
    assert sent == ["declare"]
    kinds = [one["kind"] for one in seats["ann"].get("/log")]
    assert kinds[-3:] == ["roll_declared", "proposal_accepted", "dice_thrown"]
    card.get_by_role("button", name="Keep it").click()
    wait_until(lambda: seats["ann"].get("/log")[-1]["kind"] == "roll_finalised")
    assert sent == ["declare", "answer"]
    ann.context.close()


@pytest.mark.proof
def test_a_required_parameter_may_be_zero(browser: Browser, server: ServerThread) -> None:
    seen = pages(browser, server, game="tuurna")
    gm = seen["gm"]
    form = gm.get_by_role("form", name="Roll")
    level = form.get_by_label(re.compile(r"^\s*Level(\s*\(required\))?\s*$")).first
    level.fill("0")
    expect(form.locator("p.chance")).to_contain_text("Level")  # nought is a number, but no die
    expect(form.locator("p.chance")).not_to_contain_text("Fill in")
    expect(form.get_by_role("button", name="Not possible", exact=True)).to_be_disabled()
    level.fill("1")
    form.get_by_role("button", name="Roll", exact=True).click()
    expect(gm.locator("[id^='card-gm/']").first).to_be_visible()
    for page in seen.values():
        page.context.close()


def test_a_roll_by_keyboard_alone(browser: Browser, server: ServerThread) -> None:
    seen = pages(browser, server)
    gm = seen["gm"]
    gm.get_by_role("textbox", name="Attribute", exact=True).focus()
    gm.keyboard.type("3")
    gm.keyboard.press("Enter")
    expect(gm.locator("[id^='card-gm/']").first).to_be_visible()
    for page in seen.values():
        page.context.close()


def test_a_secret_roll_leaves_no_trace_on_a_players_page(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    ann = open_page(browser, server.url + seats["ann"].link)
    expect(ann.get_by_role("banner")).to_contain_text("ann")
    expect(ann.locator("p.chance")).not_to_have_text("…")  # the page is at rest
    ann.wait_for_timeout(500)
    before = ann.content()
    asked = {"check": "direct", "parameters": {"attribute": 6, "target": 2}}
    assert seats["gm"].do("declare", key="lie", mode="gm", **asked).status_code == 200
    assert seats["gm"].do("throw", roll="gm/lie").status_code == 200
    ann.wait_for_timeout(300)
    assert ann.content() == before
    assert seats["gm"].do("reveal", roll="gm/lie").status_code == 200
    expect(ann.locator("[id='card-gm/lie']")).to_be_visible()
    ann.context.close()


def test_names_and_words_are_text_and_never_markup(browser: Browser, server: ServerThread) -> None:
    seats = server.open(title="<img src=x onerror=alert(1)>")
    ann = open_page(browser, server.url + seats["ann"].link)
    expect(ann.get_by_role("heading", level=1)).to_have_text("<img src=x onerror=alert(1)>")
    title = "<script>document.title='x'</script>"
    asked = {"check": "direct", "parameters": {"attribute": 1}, "title": title}
    assert seats["ann"].do("declare", key="x", **asked).status_code == 200
    expect(ann.get_by_text(title).first).to_be_visible()
    assert ann.locator("main img, main script").count() == 0
    ann.context.close()


def test_pages_come_back_after_the_server_was_killed(browser: Browser, tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "tables.db") as server:
        seats = server.open(demo=True)
        ann = open_page(browser, server.url + seats["ann"].link)
        expect(ann.get_by_role("banner")).to_contain_text("ann")
        asked = {"check": "direct", "parameters": {"attribute": 3, "rerolls": 1, "target": 3}}
        assert seats["ann"].do("declare", key="r", **asked).status_code == 200
        assert seats["ann"].do("throw", roll="ann/r", faces=[1, 5, 2]).status_code == 200
        card = ann.locator("[id='card-ann/r']")
        expect(card).to_contain_text("Keep it")
        server.kill()
        server.start()
        assert seats["ann"].do("answer", roll="ann/r", answer=[]).status_code == 200
        assert seats["ann"].do("finalise", roll="ann/r").status_code == 200
        expect(card).not_to_contain_text("Keep it", timeout=20_000)
        text = seats["ann"].ask("GET", "/export").text
        assert verify(text)[0] == []
        ann.context.close()


COVERED = """() => {
  const circle = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, r: Math.min(width, height) / 2 };
  };
  const marked = [...document.querySelectorAll(".die")].filter((die) => die.querySelector(".sign"));
  const covered = marked.filter((die) => {
    const sign = circle(die.querySelector(".sign"));
    return [...die.querySelectorAll(".dot")].map(circle).some((pip) =>
      Math.hypot(pip.x - sign.x, pip.y - sign.y) < pip.r + sign.r - 0.5);
  });
  return [marked.length, covered.map((die) => die.dataset.face)];
}"""


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_no_mark_of_a_die_covers_a_pip(browser: Browser, server: ServerThread, size: dict[str, int]) -> None:
    seats = server.open(demo=True)
    roll = {"check": "direct", "parameters": {"attribute": 4, "rerolls": 1, "target": 2}}
    seats["ann"].do("declare", key="r", **roll, throw={"faces": [6, 5, 4, 1]})
    page = open_page(browser, server.url + seats["ann"].link, size)
    expect(page.locator(".die")).to_have_count(4)
    page.locator("button.die").last.click()  # chosen dice have a mark, too
    marked, covered = page.evaluate(COVERED)
    assert marked >= 2
    assert covered == []
    page.context.close()
