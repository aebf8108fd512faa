"""Type the transcripts of docs/terminal.md line by line and compare what is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from repl_scripts import ScriptedTable

TOP = Path(__file__).parents[2]
PROMPT = re.compile(r"^(evening|brawl) \w+ \(\w+\)[^>]*> (.*)$")
GAMES = {"evening": "uwr", "brawl": "me-d6"}


def blocks(page: str, table: str) -> list[str]:
    """The lines of the transcripts of one table."""
    found = re.findall(r"^```\n(.*?)^```", (TOP / page).read_text(), re.DOTALL | re.MULTILINE)
    return [line for block in found if block.startswith(f"{table} ") for line in [*block.splitlines(), "…"]]


@pytest.mark.parametrize(
    ("page", "table"),
    [("docs/terminal.md", "evening"), ("docs/terminal.md", "brawl")],
)
def test_the_transcript_is_what_happens(
    page: str, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = blocks(page, table)
    typed = [found[2] for line in lines if (found := PROMPT.match(line))]
    assert len(typed) >= 4
    shown = ScriptedTable(tmp_path, GAMES[table], table).play_ok(*typed).splitlines()
    place, near = 0, False  # near: the next line of the page follows the one before
    for line in lines:
        if line == "…":
            near = False
            continue
        fits = [at for at in range(place, len(shown)) if line.strip() in shown[at]]
        assert fits, f"no {line!r} after:\n" + "\n".join(shown[max(0, place - 5) : place + 10])
        assert not near or fits[0] == place, f"{line!r} does not follow {shown[place - 1]!r}"
        place, near = fits[0] + 1, True
