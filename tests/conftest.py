"""Fixtures of programs that may be missing, run order and closing report of the test run."""

from __future__ import annotations

import ast
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

import pytest
from postgres_cluster import NO_POSTGRES, PostgresCluster, find_programs

from handful.library import files

NO_BROWSER = "there is no chromium"
INSTALL = "On Debian and Ubuntu: apt-get install {}.  As root, `make test` does it by itself."
MISSING = {  # reason of a skip -> what was not tested, the package
    NO_BROWSER: ("the pages in a browser", "chromium"),
    NO_POSTGRES: ("tables in PostgreSQL", "postgresql"),
}
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
)


GAMES = Path(__file__).parents[1] / "rulesets"


def pytest_configure() -> None:
    """Load the shipped games as an installed package does: without analysing them each time.

    A working copy analyses them on every load, 50 ms each.  The tests load them thousands of times,
    and `handful lint`, which always analyses, has tests of its own.
    """
    files.INSTALLED = str(GAMES)
    os.environ["HANDFUL_CACHE"] = ""  # what one run keeps must not decide the next one
    _parse_one_at_a_time()


def _parse_one_at_a_time() -> None:
    """Let one thread parse Python at a time: in Python 3.11 two at once may fail (SystemError).

    Handful has a lock of its own; Hypothesis, which reads the source of tests, does not know it.
    """
    parse, parsing = ast.parse, Lock()

    def parse_alone(*args: Any, **more: Any) -> ast.AST:
        with parsing:
            return parse(*args, **more)

    ast.parse = parse_alone  # type: ignore[assignment]


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """Launch Debian's Chromium; without one, fail in CI and skip elsewhere.

    One per module: its event loop would disturb tests that run a loop of their own.
    """
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        _report_missing(NO_BROWSER)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresCluster]:
    """Start a private PostgreSQL; without its programs, fail in CI and skip elsewhere."""
    programs = find_programs()
    if programs is None:
        _report_missing(NO_POSTGRES)
    cluster = PostgresCluster(programs)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture
def postgres_address(postgres: PostgresCluster) -> str:
    """Return the address of an empty schema in PostgreSQL."""
    return postgres.new_address()


def _report_missing(reason: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(f"{reason}: {INSTALL.format(MISSING[reason][1])}")
    pytest.skip(reason)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run modules with a browser first: long tests at the end would leave a worker idle."""
    with_browser = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: item.path not in with_browser)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report the random seeds used and the tests skipped for want of a program."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else ():
            if name == "new seeds":
                terminalreporter.line(str(value))
    skipped = terminalreporter.stats.get("skipped", [])
    for reason, (subject, package) in MISSING.items():
        count = sum(reason in str(report.longrepr) for report in skipped)
        if count:
            terminalreporter.section(f"not tested: {subject}", yellow=True)
            terminalreporter.line(f"{count} tests were skipped, for {reason}.  {INSTALL.format(package)}")
