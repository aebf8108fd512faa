"""Installed on a home screen: the manifest, the icons, and an offline page."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest
from browser_players import PHONE, open_page
from playwright.sync_api import Browser, expect
from servers import ServerThread, get

STATIC = Path(__file__).parents[2] / "src/handful/web/static"
MANIFEST = json.loads((STATIC / "manifest.webmanifest").read_text(encoding="utf-8"))
SMALL = 20_000  # bytes of an icon at most
LONG = 60_000


@pytest.mark.parametrize("icon", MANIFEST["icons"], ids=lambda icon: icon["src"])
def test_the_icons_of_the_manifest_exist(server: ServerThread, icon: dict[str, str]) -> None:
    answer = get(server.url + icon["src"])
    assert answer.headers["content-type"] == icon["type"]
    assert len(answer.content) < SMALL
    if icon["type"] == "image/png":
        width, height = struct.unpack("!II", answer.content[16:24])
        assert f"{width}x{height}" == icon["sizes"]


def test_the_manifest_of_a_table_opens_at_its_seat(server: ServerThread) -> None:
    place = server.open()["ann"].place
    answer = get(f"{server.url}/t/{place}/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    assert answer.json() == MANIFEST | {"id": f"/t/{place}", "start_url": f"/t/{place}"}
    odd = get(f"{server.url}/t/%22%3E%3Cscript/manifest.webmanifest").json()
    assert odd["start_url"] == "/t/%22%3E%3Cscript"


@pytest.mark.proof
def test_the_browser_finds_no_mistake(browser: Browser, server: ServerThread) -> None:
    ann = server.open()["ann"]
    for where, starts in ((server.url, "/"), (server.url + ann.link, f"/t/{ann.place}")):
        page = open_page(browser, where, PHONE)
        expect(page.get_by_role("heading").first).to_be_visible()
        asks = page.context.new_cdp_session(page)
        link = page.locator("link[rel=manifest]")
        expect(link).to_have_attribute(
            "href", "/static/manifest.webmanifest" if starts == "/" else f"{starts}/manifest.webmanifest"
        )
        found = asks.send("Page.getAppManifest")
        assert found["errors"] == []
        assert json.loads(found["data"])["start_url"] == starts
        wrong = [one["errorId"] for one in asks.send("Page.getInstallabilityErrors")["installabilityErrors"]]
        assert {*wrong} <= {"in-incognito"}, "browsers of tests forget everything"
        page.context.close()


def test_an_offline_page_shows_until_the_network_is_back(
    browser: Browser,
    server: ServerThread,
) -> None:
    ann = server.open()["ann"]
    page = open_page(browser, server.url + ann.link, PHONE)
    expect(page.get_by_role("banner")).to_contain_text("ann")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.context.set_offline(True)
    page.goto(f"{server.url}/t/{ann.place}")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_role("heading", name="Keine Verbindung")).to_be_visible()
    assert page.evaluate("() => getComputedStyle(document.body).margin") == "0px", "with its style"
    expect(page.get_by_role("banner")).to_have_count(0)  # never a table as it was
    page.context.set_offline(False)
    expect(page.get_by_role("banner")).to_contain_text("ann", timeout=LONG)  # by itself
    page.context.close()


def test_only_the_offline_page_is_cached(
    browser: Browser,
    server: ServerThread,
) -> None:
    ann = server.open()["ann"]
    page = open_page(browser, server.url + ann.link, PHONE)
    expect(page.locator("p.chance")).not_to_have_text("…")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.reload()
    expect(page.locator("p.chance")).not_to_have_text("…")
    kept = page.evaluate("""async () => {
        const all = await Promise.all((await caches.keys()).map(async (name) =>
            (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname)));
        return all.flat().sort();
    }""")
    styles = ["/static/css/base.css", "/static/css/tokens.css"]
    assert kept == [*styles, "/static/icon.svg", "/static/offline.html"]
    page.context.close()
