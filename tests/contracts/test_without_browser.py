"""Test run without a browser: its end reports the skipped tests, and in CI it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def run_browser_test(**environment: str) -> subprocess.CompletedProcess[str]:
    """Run one browser test with an empty PATH, so that no browser is found."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("CI", "PATH")}
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-k",
            "keyboard",
            str(TESTS / "browser/test_table_page.py"),
        ],
        env={**inherited, "PATH": "", **environment},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.proof
def test_the_summary_counts_skipped_browser_tests_and_says_how_to_install_one() -> None:
    finished = run_browser_test()
    assert finished.returncode == 0, finished.stdout
    end = finished.stdout[finished.stdout.index("not tested: the pages in a browser") :]
    assert "1 tests were skipped, for there is no chromium" in end
    assert "apt-get install chromium" in end


@pytest.mark.proof
def test_in_ci_a_missing_browser_fails() -> None:
    finished = run_browser_test(CI="true")
    assert finished.returncode == 1
    assert "there is no chromium" in finished.stdout
