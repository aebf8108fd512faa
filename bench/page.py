"""Measures how fast the explorer page responds: from a step of a slider to the figure on the screen.

`python bench/page.py` serves a new database on loopback, drives Chromium, and prints the median and the
slowest of many steps for typical checks.  Each value is new to the page, so that no answer comes from its
cache; a figure counts as shown in the frame after it changed.  A step that does not change the figure, such
as half a die that is rounded away, is not counted.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from handful.web.run import bind_sockets, uvicorn_server
from handful.web.settings import ServerLimits, Settings

STEPS = 30
CHECKS = {
    "uwr direct": ("('g':'uwr','c':'direct','p':('attribute':'0','skill':'2','target':'2'))", "Attribute"),
    "uwr opposed": ("('g':'uwr','c':'opposed','s':[('attribute':'0'),('attribute':'4')])", "Attribute"),
    "tuurna check": ("('g':'tuurna','c':'check','p':('level':'1','difficulty':'5'))", "Level"),
    "me-d6 check": ("('g':'me-d6','c':'check','p':('dice':'1D','difficulty':'moderate'))", "Dice"),
}
WATCH = """([label]) => {
  window.stepped = [];
  const sliders = [...document.querySelectorAll('input[type=range]')];
  const slider = sliders.find(one => one.ariaLabel === label);
  let began = 0;
  slider.addEventListener('input', () => { began = performance.now(); }, { capture: true });
  new MutationObserver(() => {
    if (began) { const from = began; began = 0;
      requestAnimationFrame(() => window.stepped.push(performance.now() - from)); }
  }).observe(document.querySelector('.overview .figure'),
    { subtree: true, childList: true, characterData: true });
  slider.focus();
}"""


@contextmanager
def serve() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        server = uvicorn_server(Settings(data=str(Path(folder) / "tables.db")), ServerLimits())
        opened = bind_sockets(Settings(port=0))[0]
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([opened])))
        thread.start()
        while not server.started:
            time.sleep(0.05)
        try:
            yield f"http://127.0.0.1:{opened.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            opened.close()


def measure_steps(page: Page, label: str) -> list[float]:
    """Return the milliseconds of each step of a slider."""
    page.evaluate(WATCH, [label])
    for _ in range(STEPS):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(120)
    found: Any = page.evaluate("() => window.stepped")
    return [float(one) for one in found]


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (series, label) in CHECKS.items():
            page = browser.new_page()
            page.goto(f"{address}/odds#('v':1,'s':[{series}])")
            page.wait_for_selector(".plot svg")
            page.wait_for_timeout(1500)
            found = measure_steps(page, label)
            median = statistics.median(found)
            print(f"{name:<14} {len(found):>3} steps  median {median:5.1f} ms  slowest {max(found):6.1f} ms")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
