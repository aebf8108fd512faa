"""Without a browser: the end of the tests says what was left out, and the gate insists on one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def without(**environment: str) -> subprocess.CompletedProcess[str]:
    """One test of the pages, where no program is found."""
    kept = {name: one for name, one in os.environ.items() if name not in ("CI", "PATH")}
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
            str(HERE / "test_web_browser.py"),
        ],
        env={**kept, "PATH": "", **environment},
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_browser_the_end_says_what_was_skipped_and_how_to_get_one() -> None:
    made = without()
    assert made.returncode == 0, made.stdout
    end = made.stdout[made.stdout.index("not tested: the pages in a browser") :]
    assert "1 tests were skipped, for there is no chromium" in end
    assert "apt-get install chromium" in end


def test_in_the_gate_nothing_is_skipped() -> None:
    made = without(CI="true")
    assert made.returncode == 1
    assert "there is no chromium" in made.stdout
