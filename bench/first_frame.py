"""Measures what a player feels: from a click on Roll to the first frame with falling dice.

A new database is served on loopback, and Chromium plays one seat of a demo table.  The same run measures an
idle baseline: from a click on a button that does nothing to the next frame, which is what the machine and
the browser take anyway.  `python bench --only click` shows both.
"""

from __future__ import annotations

import json
import shutil
import urllib.request
from typing import Any

from playwright.sync_api import Page, sync_playwright

from page import serve

ROLLS = 40
PAUSE = 700  # milliseconds between two clicks: longer than a throw
SIZE = {"width": 1280, "height": 800}
WATCH = """() => {
  window.took = { roll: [], idle: [] };
  let began = 0;
  addEventListener("click", (event) => {
    const from = event.timeStamp;
    if (event.target.closest("#idle")) requestAnimationFrame(() => took.idle.push(performance.now() - from));
    else began = from;
  }, { capture: true });
  new MutationObserver(() => {
    if (!began || !document.querySelector(".dice.throwing")) return;
    const from = began;
    began = 0;
    requestAnimationFrame(() => took.roll.push(performance.now() - from));
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
  const idle = Object.assign(document.createElement("button"), { id: "idle", textContent: "·" });
  idle.style.cssText = "position: fixed; inset: auto auto 0 0; z-index: 9";
  document.body.append(idle);
}"""


def open_table(address: str) -> str:
    """Open a demo table; return the link of a player."""
    body = json.dumps(
        {"game": "uwr", "gm": "gm", "players": ["ann"], "title": "Bench", "demo": True}
    ).encode()
    asks = urllib.request.Request(f"{address}/api/tables", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asks) as answer:
        made = json.load(answer)
    return f"{address}{made['links']['ann']}"


def click_through(page: Page, rolls: int) -> dict[str, list[float]]:
    """Return the milliseconds of each roll and of each idle click."""
    page.evaluate(WATCH)
    page.get_by_role("navigation").get_by_role("button", name="Dice", exact=True).click()
    form = page.get_by_role("form", name="Roll")
    form.get_by_role("combobox", name="Attribute").select_option("might")
    form.get_by_role("textbox", name="Target").fill("1")
    for _ in range(rolls):
        page.locator("#idle").click()
        form.get_by_role("button", name="Roll", exact=True).click()
        page.wait_for_timeout(PAUSE)
    found: Any = page.evaluate("() => took")
    return {name: sorted(map(float, all_of_it)) for name, all_of_it in found.items()}


def percentile(sorted_times: list[float], share: float) -> float:
    return sorted_times[min(len(sorted_times) - 1, int(share * len(sorted_times)))]


def measure(rolls: int = ROLLS) -> dict[str, dict[str, float]]:
    """Return the median and the 95th percentile of rolls and idle clicks; empty without a browser."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        return {}
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, locale="en")  # type: ignore[arg-type]
        page.goto(open_table(address))
        page.wait_for_load_state("networkidle")
        found = click_through(page, rolls)
        browser.close()
    if len(found["roll"]) < rolls * 0.9:
        raise RuntimeError(f"{rolls} clicks on Roll, but only {len(found['roll'])} throws were drawn")
    return {
        name: {"count": len(times), "p50": percentile(times, 0.5), "p95": percentile(times, 0.95)}
        for name, times in found.items()
    }


if __name__ == "__main__":
    for name, times in measure().items():
        print(name, {what: round(figure, 1) for what, figure in times.items()})
