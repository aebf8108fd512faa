"""Follow docs/tutorial.md: write every file, make every change, run every command.

A block of commands shows what they say; a line `…` stands for any lines, and `…` at the end of a
line for the rest of it.  A block of TOML names the file that it is, or is added to; a block of
changes takes the lines with `-` out of a file and puts those with `+` in their place.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from cli_runner import run_cli

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BLOCKS = [(head.split(), body) for head, body in BLOCK.findall(PAGE)]


def shown(body: str) -> list[tuple[str, list[str]]]:
    """The commands of a block, each with the lines that it says."""
    commands: list[tuple[str, list[str]]] = []
    for line in body.splitlines():
        if line.startswith("$ handful "):
            commands.append((line.removeprefix("$ handful "), []))
        else:
            commands[-1][1].append(line)
    return commands


def fits(lines: list[str], said: list[str]) -> bool:
    """Return whether a command prints these lines, ignoring indentation."""
    if not lines:
        return not said
    first, rest = " ".join(lines[0].split()), lines[1:]
    if first == "…":
        return any(fits(rest, said[start:]) for start in range(len(said) + 1))
    if not said:
        return False
    own = " ".join(said[0].split())
    same = own.startswith(first[:-1]) if first.endswith(" …") else own == first
    return same and fits(rest, said[1:])


def write(path: Path, kind: list[str], body: str) -> None:
    path.parent.mkdir(exist_ok=True)
    if kind[2:] == ["append"]:
        body = path.read_text(encoding="utf-8") + "\n" + body
    path.write_text(body, encoding="utf-8")


def change(path: Path, body: str) -> None:
    old = "\n".join(line[1:] for line in body.splitlines() if line.startswith("-"))
    new = "\n".join(line[1:] for line in body.splitlines() if line.startswith("+"))
    text = path.read_text(encoding="utf-8")
    assert text.count(f"\n{old}\n") == 1, old
    path.write_text(text.replace(f"\n{old}\n", f"\n{new}\n"), encoding="utf-8")


def test_the_tutorial_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = 0
    for kind, body in BLOCKS:
        if kind[:1] == ["toml"]:
            write(Path(kind[1]), kind, body)
        elif kind[:1] == ["diff"]:
            change(Path(kind[1]), body)
        else:
            assert not kind
            for command, lines in shown(body):
                said = run_cli(shlex.split(command))
                assert not said.err, (command, said.err)
                assert fits(lines, said.out.splitlines()), f"{command}\n{said.out}"
                done += 1
    assert done >= 18
    assert {path.name for path in tmp_path.iterdir()} == {"lantern", "sixes"}
