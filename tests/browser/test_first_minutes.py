"""The first five minutes: a GM opens a table, lets others in and invites them; they join by one link.

The network of these tests is 127.0.0.2, a second address of this machine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_players import LAPTOP, PHONE, expect
from playwright.sync_api import Browser
from servers import ServerThread

from handful.web.settings import ServerLimits

STATIC = Path(__file__).parents[2] / "src/handful/web/static/texts"
LOCALES = {"en": "en-GB", "de": "de-DE"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerThread]:
    """A server of its own: the test lets others into it."""
    running = ServerThread(tmp_path / "tables.db", ServerLimits(guesses_per_minute=1000))
    running.server.reach._find = lambda: ["127.0.0.2"]
    with running:
        yield running


class Words:
    """The texts of the pages in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.texts: dict[str, str] = {}
        for file in (STATIC / f"{language}.js", *STATIC.glob(f"*/{language}.js")):
            entries = re.findall(r'"([\w.]+)": ("(?:[^"\\]|\\.)*")', file.read_text(encoding="utf-8"))
            self.texts |= {key: json.loads(value) for key, value in entries}

    def __call__(self, key: str, **values: Any) -> str:
        return self.texts[key].format(**values)


class Person:
    """Somebody at a device: a page, and what went wrong on it."""

    def __init__(self, browser: Browser, words: Words, size: dict[str, int]) -> None:
        context = browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            locale=LOCALES[words.language],
            reduced_motion="reduce",
        )
        context.set_default_timeout(60_000)
        self.page, self.words = context.new_page(), words
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def button(self, key: str, **values: Any) -> Any:
        return self.page.get_by_role("button", name=self.words(key, **values), exact=True)

    def fits(self) -> None:
        wide = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]

    def joins(self, address: str, name: str, **choices: str) -> None:
        self.page.goto(address)
        self.page.get_by_label(self.words("join.name")).fill(name)
        for choice in choices.values():
            self.page.get_by_role("radio", name=choice).check(force=True)
        self.fits()
        self.button("join.sit").click()
        expect(self.page.get_by_role("banner")).to_contain_text(name)


def opens_a_table(gm: Person, at: str) -> None:
    gm.page.goto(at)
    gm.button("start.open_what", what="UWR").click()
    assert gm.page.get_by_label(gm.words("start.title")).input_value() == gm.words("start.usual_title")
    gm.page.get_by_label(gm.words("start.gm")).fill("Kim")
    gm.button("start.make").click()


def invitation(gm: Person) -> Any:
    return gm.page.get_by_role("dialog", name=gm.words("invite.title"))


def address(gm: Person) -> str:
    expect(invitation(gm).locator(".address")).to_be_visible()
    return str(invitation(gm).locator(".address").inner_text()).replace("\n", "")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_gm_invites_and_two_phones_join_by_one_link(
    browser: Browser, server: ServerThread, language: str
) -> None:
    words = Words(language)
    gm, ann, bob = (Person(browser, words, size) for size in (LAPTOP, PHONE, PHONE))
    gm.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    opens_a_table(gm, server.url)
    expect(invitation(gm)).to_contain_text(words("reach.only_here"))
    assert address(gm).startswith(f"http://127.0.0.1:{server.port}/join/")
    gm.button("reach.open").click()
    expect(invitation(gm).get_by_text(words("reach.only_here"))).to_be_hidden()
    link = address(gm)
    assert link.startswith(f"http://127.0.0.2:{server.port}/join/")
    invitation(gm).get_by_role("button", name=words("invite.copy"), exact=True).click()
    expect(invitation(gm).get_by_role("button", name=words("links.copied"))).to_be_visible()
    text = gm.page.evaluate("navigator.clipboard.readText()")
    assert text == words("invite.text", gm="Kim", table=words("start.usual_title"), game="UWR", link=link)

    ann.joins(link, "Ann", colour=words("colour.violet"), character="Mira Quill")
    expect(invitation(gm)).to_contain_text(words("invite.plays", who="Mira Quill"))
    bob.page.goto(link)
    expect(bob.page.get_by_text(words("join.there", who="Ann"))).to_be_visible()
    expect(bob.page.get_by_role("radio", name="Mira Quill")).to_have_count(0)  # she is played already
    bob.joins(link, "Bob")
    expect(invitation(gm)).to_contain_text(words("invite.no_character"))
    expect(invitation(gm).locator("[data-colour=violet]")).to_have_count(1)
    assert gm.faults == ann.faults == bob.faults == []


def test_a_taken_name_is_refused_and_another_works(browser: Browser, server: ServerThread) -> None:
    gm = server.open(gm="Kim", players=["Ann"], join=True)["Kim"]
    link = server.url + gm.get("/join")["player"]
    ann = Person(browser, Words("en"), PHONE)
    ann.page.goto(link)
    ann.page.get_by_label("Your name").fill("Ann")
    ann.button("join.sit").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("the seat 'Ann' is taken")
    ann.page.get_by_label("Your name").fill("Anna")
    ann.button("join.sit").click()
    expect(ann.page.get_by_role("banner")).to_contain_text("Anna")


def test_a_newcomer_takes_what_the_gm_laid_out_or_just_watches(
    browser: Browser, server: ServerThread
) -> None:
    gm = server.open(gm="Kim", players=["Ann", "Bob"], demo=True, join=True)["Kim"]
    mine = [one["name"] for one in gm.get("/view")["characters"] if one["owner"] == "Kim"]
    link = server.url + gm.get("/join")["player"]
    sheets = {one["name"]: one for one in gm.get("/view")["characters"]}
    gm.do("bring", sheet={**sheets["Mira Quill"]["sheet"], "name": "Nell"}, shown="own")
    cid, eve = (Person(browser, Words("en"), PHONE) for _ in range(2))
    cid.joins(link, "Cid", character="Nell")
    owners = {one["name"]: one["owner"] for one in gm.get("/view")["characters"]}
    assert owners["Nell"] == "Cid"
    assert {owners[name] for name in mine} <= {"Kim"}
    eve.page.goto(link)
    eve.page.get_by_label("Your name").fill("Eve")
    eve.page.get_by_role("radio", name="I just watch").check(force=True)
    eve.button("join.watch").click()
    expect(eve.page.get_by_role("banner")).to_contain_text("Eve")
    assert {one["name"]: one["role"] for one in gm.get("/view")["seats"]}["Eve"] == "watcher"


def test_the_gm_switches_the_link_off(browser: Browser, server: ServerThread) -> None:
    gm, late = (Person(browser, Words("en"), size) for size in (LAPTOP, PHONE))
    opens_a_table(gm, server.url)
    link = address(gm)
    invitation(gm).get_by_text("Other links").click()
    gm.button("invite.switch_off").click()
    expect(invitation(gm)).to_contain_text("switched off")
    late.page.goto(link)
    expect(late.page.get_by_role("heading", name="This link doesn’t work")).to_be_visible()
    gm.button("invite.on").click()
    late.joins(address(gm), "Lea")


def test_my_tables_lead_back_and_say_what_is_gone(browser: Browser, server: ServerThread) -> None:
    ann, words = Person(browser, Words("en"), PHONE), Words("en")
    gm = server.open(gm="Kim", players=[], join=True)["Kim"]
    ann.joins(server.url + gm.get("/join")["player"], "Ann")
    with gm.listen() as socket:
        socket.next()
        ann.page.get_by_role("link", name=words("home.label")).click()
        row = ann.page.get_by_role("listitem").filter(has_text="Friday")
        expect(row).to_contain_text("you are Ann")
        expect(row).to_contain_text("last visit today")
        expect(row).to_contain_text("Kim is there now")
    row.get_by_role("link").click()
    expect(ann.page.get_by_role("banner")).to_contain_text("Friday")
    stored = ann.page.evaluate("JSON.stringify(localStorage)")
    cookies = [one["value"] for one in ann.page.context.cookies()]
    assert not [one for one in cookies if one and one in stored], "the seat's secret is in its cookie alone"
    assert gm.ask("POST", "/links/revoke", {"seat": "Ann"}).json() == {"revoked": 1}
    expect(ann.page.get_by_role("heading", name="This link doesn’t work")).to_be_visible()
    ann.page.get_by_role("link", name="My tables", exact=True).click()
    row = ann.page.get_by_role("listitem").filter(has_text="Friday")
    expect(row).to_contain_text("This seat is gone")
    ann.button("mine.forget_what", what="Friday").click()
    expect(row).to_have_count(0)
    ann.page.reload()
    expect(ann.page.get_by_role("heading", name="Pick a game")).to_be_visible()
    expect(row).to_have_count(0)


def test_a_gm_comes_back_by_the_recovery_code(browser: Browser, server: ServerThread) -> None:
    gm, again = (Person(browser, Words("en"), size) for size in (LAPTOP, PHONE))
    opens_a_table(gm, server.url)
    code = str(invitation(gm).locator(".recovery").inner_text()).strip()
    assert re.fullmatch(r"(\w{4}-){4}\w{4}", code)
    gm.page.reload()  # it is shown once
    expect(gm.page.get_by_role("banner")).to_contain_text("Kim")
    expect(invitation(gm)).to_be_hidden()
    again.page.goto(server.url)
    again.button("recover.have").click()
    again.page.get_by_role("textbox", name="Recovery code").fill("wrong")
    again.button("recover.do").click()
    expect(again.page.get_by_role("alert")).to_contain_text("no recovery code")
    again.page.get_by_role("textbox", name="Recovery code").fill(code.lower().replace("-", " "))
    again.button("recover.do").click()
    expect(again.page.get_by_role("banner")).to_contain_text("Kim")
