"""Scripts for `handful play FILE`: type lines, then inspect the table file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cli_runner import CliResult, run_cli

from handful.library.tables import open_table


class ScriptedTable:
    """A table file that scripts are played at."""

    def __init__(self, folder: Path, game: str, name: str = "night") -> None:
        self.file, self.game = folder / f"{name}.handful", game
        self.made = False

    def play(self, *lines: str) -> CliResult:
        """Play a script; the first one creates the table, with the GM kim."""
        new = [] if self.made else ["--game", self.game, "--gm", "kim"]
        self.made = True
        return run_cli(["play", str(self.file), *new], "\n".join(lines) + "\n")

    def play_ok(self, *lines: str) -> str:
        """Play a script whose lines all work, in 80 columns without escape codes; return the screen."""
        said = self.play(*lines)
        assert (said.status, said.err) == (0, ""), f"{said.err}\n{said.out[-2000:]}"
        assert "\033" not in said.out
        typed = {line.partition("> ")[2] for line in said.out.splitlines() if "> " in line}
        long = [one for one in said.out.splitlines() if len(one) > 80 and "> " not in one]
        assert not long, long
        assert typed
        return said.out

    def refused(self, *lines: str, last: str = "") -> str:
        """Play a script whose last line alone is refused; return the message."""
        said = self.play(*lines)
        errors = [line for line in said.err.splitlines() if line.startswith("line ")]
        assert said.status == 2, said.out
        assert len(errors) == 1, said.err
        assert errors[0].startswith(f"line {len(lines)}: handful: "), said.err
        assert "Traceback" not in said.err
        return said.err

    def view(self, seat: str) -> dict[str, Any]:
        kept = open_table(self.file)
        try:
            return kept.view(seat)
        finally:
            kept.store.close()

    def kinds(self) -> list[str]:
        """Return the kinds of all events."""
        kept = open_table(self.file)
        try:
            return [entry["kind"] for entry in kept.store.read(kept.header.table)]
        finally:
            kept.store.close()
