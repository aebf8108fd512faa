"""Nothing jumps: the layout stays in place while a table loads and while a roll of somebody else comes in."""

from __future__ import annotations

from typing import Any

import pytest
from browser_players import LAPTOP, PHONE
from effort import rest_in_proof
from playwright.sync_api import Browser, Page, expect
from servers import Seat, ServerThread

MOST = 0.02  # cumulative layout shift; from 0.1 on people notice
WATCH = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) {
    const moved = one.sources.map(({ node }) => node?.className ?? String(node));
    shifts.push({ value: one.value, input: one.hadRecentInput, moved });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
DIRECT = {"check": "direct", "parameters": {"attribute": 4, "target": 2}}


def shifted(page: Page, since: int = 0) -> tuple[float, Any]:
    """Return the sum of the shifts, and what moved."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shifts = page.evaluate("shifts")[since:]
    return sum(one["value"] for one in shifts), [one for one in shifts if one["value"] > 0.001]


def rolled(seat: Seat, key: str) -> None:
    """Roll as the button does: with one command."""
    seat.do("declare", key=key, throw={}, **DIRECT)


@pytest.mark.parametrize("size", rest_in_proof([LAPTOP, PHONE], keep=2), ids=["laptop", "phone"])
def test_the_layout_stays_while_a_table_loads_and_a_roll_comes_in(
    browser: Browser, server: ServerThread, size: dict[str, int]
) -> None:
    seats = server.open(demo=True)
    for n in range(3):
        rolled(seats["bob"], f"before{n}")
    context = browser.new_context(viewport=size)  # type: ignore[arg-type]
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(server.url + seats["ann"].link)
    expect(page.locator("[id='card-bob/before2']")).to_be_visible()
    page.wait_for_load_state("networkidle")
    total, moved = shifted(page)
    assert total <= MOST, f"while loading: {total:.3f}, {moved}"
    before = page.evaluate("shifts.length")
    rolled(seats["bob"], "comes")
    expect(page.locator("[id='card-bob/comes']")).to_be_visible()
    page.wait_for_timeout(800)  # the throw is over
    total, moved = shifted(page, before)
    assert total <= MOST, f"as a roll comes in: {total:.3f}, {moved}"
    context.close()


@pytest.mark.parametrize("path", ["/", "/odds", "/edit"])
def test_the_layout_stays_while_other_pages_load(browser: Browser, server: ServerThread, path: str) -> None:
    context = browser.new_context(viewport=LAPTOP)  # type: ignore[arg-type]
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(server.url + path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    total, moved = shifted(page)
    assert total <= MOST, f"{path}: {total:.3f}, {moved}"
    context.close()
