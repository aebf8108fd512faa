"""Runs the lines of a script as if typed; a refusal is reported with its line number."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from handful.cli import console
from handful.cli.prompts import echo
from handful.cli.repl.parsing import split
from handful.errors import HandfulError, Message


def run_script(lines: Iterable[str], prompt: Callable[[], str], run_line: Callable[[str], None]) -> int:
    """Run the lines; return the number of refused ones."""
    refusals = 0
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        echo(prompt() + line)
        try:
            run_line(line)
        except console.UserLeft:
            break
        except HandfulError as error:
            refusals += 1
            console.flush()
            sys.stderr.write(f"line {number}: ")
            console.report_error(error)
            if split(line)[0].lower() == "seat":
                console.print_error(Message("play.script_ends"))
                break
    return refusals
