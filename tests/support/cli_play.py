"""Rules of the games, played as a user plays them: typed commands and tables in the terminal.

Nothing here reaches below the command line. Rolls and odds come from `--json`; a table is a script
for `handful play FILE`, and what a seat was told is its exported log.
"""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

from cli_runner import Said, say
from repl_scripts import Night


def odds(line: str, *options: str) -> dict[str, Any]:
    """Return what `handful odds LINE --json` prints."""
    data: dict[str, Any] = say(["odds", *shlex.split(line), *_options(options), "--json"]).data
    return data


def chance(line: str, *options: str) -> Fraction:
    """Return the exact chance of success of a check with one target."""
    return Fraction(odds(line, *options)["success"])


def spread(line: str, *options: str) -> dict[Any, Fraction]:
    """Return the exact distribution of the main result."""
    return {value: Fraction(share) for value, share in odds(line, *options)["distribution"]}


def rolled(line: str, faces: str = "", *answers: str, options: tuple[str, ...] = ()) -> Any:
    """Return what `handful roll LINE --faces … --answer … --json` prints."""
    return say(_rolling(line, faces, answers, options)).data


def refused(line: str, faces: str = "", *answers: str, options: tuple[str, ...] = ()) -> str:
    """Return the one message with which `handful roll LINE` is refused."""
    said = say(_rolling(line, faces, answers, options))
    assert (said.status, said.out) == (2, ""), said.out
    return said.err


def read(line: str) -> str:
    """Return what a command prints, with its lines joined: wrapping is not the rule's business."""
    said = say(line)
    assert said.status == 0, said.err
    return joined(said.out)


def joined(text: str) -> str:
    return " ".join(text.split())


def modifiers(roll: Any) -> dict[tuple[str, str], Any]:
    """Return the modifiers of a roll by source and unit."""
    return {(one["source"], one["unit"]): one["value"] for one in roll["modifiers"]}


def roles(roll: Any) -> list[tuple[int, str]]:
    return [(die["face"], die["role"]) for die in roll["dice"]]


class Table(Night):
    """A table in a file, played by typed lines; the first lines come after those of its set-up."""

    def __init__(self, folder: Path, game: str, *setup: str) -> None:
        super().__init__(folder, game)
        self.setup = list(setup)

    def play(self, *lines: str) -> Said:
        lines = (*self.setup, *lines)
        self.setup.clear()
        return super().play(*lines)

    def refused(self, *lines: str, last: str = "") -> str:
        if self.setup:
            self.well()
        return super().refused(*lines)

    def says(self, *lines: str) -> str:
        """Play lines that are all obeyed; return the screen with its lines joined."""
        return joined(self.well(*lines))

    def log(self, seat: str) -> list[dict[str, Any]]:
        """Return the events that a seat was told of, from its exported log."""
        if self.setup:
            self.well()
        said: Said = say(["export", str(self.file), "--seat", seat])
        assert said.status == 0, said.err
        entries = [json.loads(line) for line in said.out.splitlines()]
        return [entry for entry in entries if "kind" in entry]

    def told(self, seat: str, kind: str) -> list[dict[str, Any]]:
        """Return the data of the events of one kind that a seat was told of."""
        return [entry["data"] for entry in self.log(seat) if entry["kind"] == kind]


def crew(folder: Path, *setup: str) -> Table:
    """Return a table of Mass Effect D6 with ann's Sanna, unhurt, bob's Corvin and a raider.

    Nobody has Paragon or Renegade points, and everybody may know it, so that no roll asks.
    """
    return Table(
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
