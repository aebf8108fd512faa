"""The package installed from source and used from another directory."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAMES = {"agga", "uwr", "fons", "tuurna", "me-d6"}


def run(*command: str | Path, folder: Path) -> str:
    """Run a command as in a new shell and give its output; a failure shows all it said."""
    # What the outer run exports must not reach the new environment.
    outside = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in outside},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.proof
def test_a_plain_install_brings_all_five_games(tmp_path: Path) -> None:
    home = tmp_path / "env"
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    run(sys.executable, "-m", "venv", home, folder=elsewhere)
    pip = (programs / "python", "-m", "pip")
    run(*pip, "install", "-q", "-c", ROOT / "constraints.txt", ROOT, folder=elsewhere)

    listed = run(programs / "handful", "rulesets", folder=elsewhere)
    missing = GAMES - set(re.findall(r"[\w-]+", listed))
    assert not missing

    # Its characters come along, and their sheets are read only when somebody asks for them.
    made = run(
        programs / "handful",
        "odds",
        "uwr",
        "direct",
        "--as",
        "mira",
        "attribute=Grace",
        "skill=Acrobatics",
        "target=2",
        folder=elsewhere,
    )
    assert "473/729" in made
    assert "Acrobatics, from Burglar" in made
    assert "Ylir" in run(programs / "handful", "sheet", folder=elsewhere)
