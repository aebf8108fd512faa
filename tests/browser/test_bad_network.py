"""Pages that sleep, lose the network and come back: they recover and show what is unconfirmed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_players import PHONE, open_page
from fault_proxy import FaultProxy
from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from servers import Seat, ServerProcess, ServerThread, wait_until

LONG = 40_000  # milliseconds: a dead connection is noticed after some seconds
ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerThread]:
    with ServerThread(tmp_path / "tables.db") as inside:
        yield inside


def at_rest(page: Page) -> None:
    expect(page.get_by_role("banner")).to_contain_text("ann")
    expect(page.locator("p.chance")).not_to_have_text("…")


def shown(page: Page, roll: str) -> None:
    expect(page.locator(f"[id='card-{roll}']")).to_be_visible(timeout=LONG)


def declared(seat: Seat) -> int:
    return [one["kind"] for one in seat.get("/log")].count("roll_declared")


def test_a_phone_that_wakes_shows_the_events_it_missed(
    browser: Browser,
    server: ServerThread,
) -> None:
    seats = server.open()
    page = open_page(browser, server.url + seats["ann"].link, PHONE)
    at_rest(page)
    sleeps = page.context.new_cdp_session(page)
    sleeps.send("Page.setWebLifecycleState", {"state": "frozen"})
    for at in range(3):
        assert seats["bob"].do("declare", key=f"b{at}", **ROLL).status_code == 200
    next(iter(server.rooms.values())).drop(1012, "ann")  # nobody waits for who sleeps
    sleeps.send("Page.setWebLifecycleState", {"state": "active"})
    for at in range(3):
        shown(page, f"bob/b{at}")
    page.context.close()


def test_an_unconfirmed_command_is_marked_and_sent_once(
    browser: Browser,
    server: ServerThread,
) -> None:
    """Without a network: the page says that it is lost and that something is kept."""
    seats = server.open()
    page = open_page(browser, server.url + seats["ann"].link)
    at_rest(page)
    page.context.set_offline(True)
    expect(page.locator(".connection.lost")).to_contain_text("No connection")
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator(".connection.lost")).to_contain_text("Your last action is saved")
    assert declared(seats["ann"]) == 0
    page.context.set_offline(False)
    expect(page.locator(".connection.lost")).to_have_count(0, timeout=LONG)
    wait_until(lambda: declared(seats["ann"]) == 1)
    page.context.close()


def test_a_page_of_an_older_version_reloads_and_keeps_what_was_typed(
    browser: Browser, server: ServerThread
) -> None:
    seats = server.open()
    page = open_page(browser, server.url + seats["ann"].link)
    at_rest(page)
    page.get_by_label("Attribute", exact=True).fill("7")
    page.evaluate("window.isOlder = true")
    answers = iter([lambda socket: socket.close(code=4426, reason="older")])
    newer = WebSocketRoute.connect_to_server
    page.route_web_socket("**/socket?*", lambda socket: next(answers, newer)(socket))
    with page.expect_event("load", timeout=LONG):
        next(iter(server.rooms.values())).drop(1012, "ann")  # the server was updated and comes back
    assert not page.evaluate("window.isOlder ?? false")
    expect(page.get_by_label("Attribute", exact=True)).to_have_value("7")
    page.context.close()


@pytest.mark.proof
def test_a_half_open_connection_is_noticed(
    browser: Browser,
    server: ServerThread,
) -> None:
    """Nothing arrives on an open connection: the page notices, shows it and reconnects."""
    seats = server.open()
    with FaultProxy(server, seed=5) as network:
        page = open_page(browser, network.url + seats["ann"].link)
        at_rest(page)
        network.stall()
        page.get_by_role("button", name="Roll", exact=True).click()
        expect(page.locator(".connection.lost")).to_contain_text("Still waiting for the server", timeout=LONG)
        expect(page.locator(".connection.lost")).to_contain_text("No connection", timeout=LONG)
        assert declared(seats["ann"]) == 0
        network.flow()
        expect(page.locator(".connection.lost")).to_have_count(0, timeout=LONG)
        wait_until(lambda: declared(seats["ann"]) == 1)
        page.context.close()
    assert declared(seats["ann"]) == 1, "sent again, and obeyed once"


def test_an_unconfirmed_command_survives_a_reload(browser: Browser, server: ServerThread) -> None:
    seats = server.open()
    page = open_page(browser, server.url + seats["ann"].link)
    at_rest(page)
    heard = []

    def carry(route: WebSocketRoute) -> None:
        """Nothing of the page arrives, until it was loaded anew."""
        beyond = route.connect_to_server()
        first = not heard
        heard.append(route.url)
        route.on_message(lambda text: None if first else beyond.send(text))

    page.route_web_socket("**/socket?*", carry)
    page.reload()
    at_rest(page)
    page.on("dialog", lambda asks: asks.accept())
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("button.big:disabled")).to_be_visible()
    page.reload()
    expect(page.get_by_role("article")).to_have_count(1)
    page.reload()
    at_rest(page)
    expect(page.get_by_role("article")).to_have_count(1)
    assert declared(seats["ann"]) == 1, "sent again, and obeyed once"
    page.context.close()


def test_form_input_survives_a_language_change(browser: Browser, server: ServerThread) -> None:
    seats = server.open(demo=True)
    page = open_page(browser, server.url + seats["gm"].link)
    expect(page.get_by_role("banner")).to_contain_text("gm")
    form = page.get_by_role("form", name="Roll")
    form.get_by_role("textbox", name="Attribute").fill("5")
    page.get_by_role("tab", name="Ask").click()
    page.get_by_label("What is it about?").first.fill("over the wall")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("banner")).to_contain_text("Du bist")
    expect(page.get_by_label("Worum geht es?").first).to_have_value("over the wall")
    page.get_by_role("tab", name="Würfeln").click()
    expect(page.get_by_role("textbox", name="Attribut").first).to_have_value("5")
    page.context.close()


@pytest.mark.proof
def test_a_page_without_its_server_waits_and_then_opens(
    browser: Browser,
    tmp_path: Path,
) -> None:
    with ServerProcess(tmp_path / "tables.db") as server:
        seats = server.open()
        with FaultProxy(server, seed=6) as network:
            page = open_page(browser, network.url + seats["ann"].link)
            at_rest(page)
            server.kill()
            expect(page.locator(".connection.lost")).to_contain_text("No connection")
            page.get_by_role("button", name="Roll", exact=True).click()
            expect(page.locator(".connection.lost")).to_contain_text("is saved and will be sent")
            server.start()
            expect(page.locator(".connection.lost")).to_have_count(0, timeout=LONG)
            wait_until(lambda: declared(seats["ann"]) == 1)
            page.context.close()
