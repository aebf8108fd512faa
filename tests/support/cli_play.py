"""Rolls, odds and tables through typed commands, as a user plays them.

Nothing here reaches below the command line. Rolls and odds come from `--json`; a table is a script
for `handful play FILE`, and the events a seat saw come from its exported log.
"""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

from cli_runner import CliResult, run_cli
from repl_scripts import ScriptedTable


def odds_of(line: str, *options: str) -> dict[str, Any]:
    """Return what `handful odds LINE --json` prints."""
    data: dict[str, Any] = run_cli(["odds", *shlex.split(line), *_options(options), "--json"]).data
    return data


def chance_of(line: str, *options: str) -> Fraction:
    """Return the exact chance of success of a check with one target."""
    return Fraction(odds_of(line, *options)["success"])


def distribution(line: str, *options: str) -> dict[Any, Fraction]:
    """Return the exact distribution of the main result."""
    return {value: Fraction(share) for value, share in odds_of(line, *options)["distribution"]}


def roll_of(line: str, faces: str = "", *answers: str, options: tuple[str, ...] = ()) -> Any:
    """Return what `handful roll LINE --faces … --answer … --json` prints."""
    return run_cli(_rolling(line, faces, answers, options)).data


def refusal_of(line: str, faces: str = "", *answers: str, options: tuple[str, ...] = ()) -> str:
    """Return the one message with which `handful roll LINE` is refused."""
    said = run_cli(_rolling(line, faces, answers, options))
    assert (said.status, said.out) == (2, ""), said.out
    return said.err


def output_of(line: str) -> str:
    """Return the output of a command with its lines joined, independent of wrapping."""
    said = run_cli(line)
    assert said.status == 0, said.err
    return joined(said.out)


def joined(text: str) -> str:
    return " ".join(text.split())


def modifiers(roll: Any) -> dict[tuple[str, str], Any]:
    """Return the modifiers of a roll by source and unit."""
    return {(one["source"], one["unit"]): one["value"] for one in roll["modifiers"]}


def roles(roll: Any) -> list[tuple[int, str]]:
    return [(die["face"], die["role"]) for die in roll["dice"]]


class TerminalTable(ScriptedTable):
    """A table file played by typed lines; its set-up lines come before the first of them."""

    def __init__(self, folder: Path, game: str, *setup: str) -> None:
        super().__init__(folder, game)
        self.setup = list(setup)

    def play(self, *lines: str) -> CliResult:
        lines = (*self.setup, *lines)
        self.setup.clear()
        return super().play(*lines)

    def refused(self, *lines: str, last: str = "") -> str:
        if self.setup:
            self.play_ok()
        return super().refused(*lines)

    def screen_after(self, *lines: str) -> str:
        """Play lines that all work; return the screen with its lines joined."""
        return joined(self.play_ok(*lines))

    def log(self, seat: str) -> list[dict[str, Any]]:
        """Return the events in the exported log of a seat."""
        if self.setup:
            self.play_ok()
        said: CliResult = run_cli(["export", str(self.file), "--seat", seat])
        assert said.status == 0, said.err
        entries = [json.loads(line) for line in said.out.splitlines()]
        return [entry for entry in entries if "kind" in entry]

    def events_of(self, seat: str, kind: str) -> list[dict[str, Any]]:
        """Return the data of the events of one kind in the log of a seat."""
        return [entry["data"] for entry in self.log(seat) if entry["kind"] == kind]


def me_d6_table(folder: Path, *setup: str) -> TerminalTable:
    """Return a table of Mass Effect D6 with ann's Sanna, unhurt, bob's Corvin and a raider.

    No character has Paragon or Renegade points, visibly for all, so that no roll asks for them.
    """
    return TerminalTable(
        folder,
        "me-d6",
        "seat ann player",
        "seat bob player",
        "bring sanna for ann",
        "bring corvin for bob",
        "bring raider shown=own",
        "adjust sanna hit_points=12 paragon=-3 renegade=-1",
        "adjust corvin paragon=-2 renegade=-2",
        "show sanna open",
        "show corvin open",
        *setup,
    )


def _rolling(line: str, faces: str, answers: tuple[str, ...], options: tuple[str, ...]) -> list[str]:
    typed = ["roll", *shlex.split(line), *_options(options), "--json"]
    if faces:
        typed += ["--faces", faces]
    for answer in answers:
        typed += ["--answer", answer]
    return typed


def _options(options: tuple[str, ...]) -> list[str]:
    return [word for option in options for word in ("--option", option)]
