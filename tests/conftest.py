"""What several test modules share: a browser, and their order."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

NO_BROWSER = "there is no chromium"
HOW = "On Debian and Ubuntu: apt-get install chromium.  As root, `make test` does it by itself."
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """Debian's Chromium; where it is missing, only the gate insists on it.

    One for each module: its event loop would be in the way of tests that have one of their own.
    """
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.fail(f"{NO_BROWSER}: {HOW}") if os.environ.get("CI") else pytest.skip(NO_BROWSER)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield made
        made.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole modules with a browser come first: they take longest, and at the end one would wait."""
    slow = {one.path for one in items if "browser" in getattr(one, "fixturenames", ())}
    items.sort(key=lambda one: one.path not in slow)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says at the very end what was left out, and how to have it."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else ():
            if name == "new seeds":
                terminalreporter.line(str(value))
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(NO_BROWSER in str(one.longrepr) for one in skipped)
    if count:
        terminalreporter.section("not tested: the pages in a browser", yellow=True)
        terminalreporter.line(f"{count} tests were skipped, for {NO_BROWSER}.  {HOW}")
