"""Run the command line in this process."""

import contextlib
import io
import json
import shlex
import sys
from typing import Any

from handful.cli import main

CONTRACT = [  # design.md, word for word
    "handful odds uwr direct attribute=3.5 skill=2 target=2",
    "handful odds uwr opposed attribute=4 skill=1 vs attribute=3.5",
    "handful odds tuurna group judge=min difficulty=4 level=5 with level=3 with level=4 fate=lucky",
    "handful roll me-d6 check dice=3D difficulty=5 --faces 1,5,3 --answer cancel "
    "--option crit_fail_removes=pair",
]
COIN_GAME = """
language = 1
id = "toy"
title = { en = "Toy" }
about = { en = "Flip coins and count heads." }
[options.generous]
values = [false, true]
default = false
label = { en = "One head more" }
[decisions.flip_again]
by = "player"
question = { en = "Which coins do you flip again?" }
usual = { en = "tails" }
[events.all_heads]
en = "Nothing but heads"
[words.heads]
en = "heads"
[words.gift]
en = "A gift"
[words.coins]
en = "coins"
[ladder.simple]
value = 1
title = { en = "Simple" }
[checks.flip]
title = { en = "Flip" }
help = { en = "Flip coins." }
main = "heads"
does = \"\"\"
pool = roll(coins, d2 >= 2)
again = choose("flip_again", pool == 0, 1)
pool = pool - again + reroll(again, d2 >= 2)
total = sum(pool)
if options.generous:
    modify("gift", 1, "heads")
    total += 1
if sum(pool) == coins:
    event("all_heads")
result(heads = total, success = total >= need.value, margin = total - need.value)
\"\"\"
[checks.flip.params.coins]
type = "number"
min = 1
max = 20
label = { en = "Coins" }
unit = "coins"
[checks.flip.params.need]
type = "ladder"
number = "value"
min = 0
max = 20
default = 1
label = { en = "Heads needed" }
"""


class CliResult:
    """Exit status and output of a command."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def data(self) -> Any:
        assert self.status == 0, self.err
        return json.loads(self.out)


def run_cli(line: str | list[str], typed: str = "") -> CliResult:
    """Run a command line without a terminal; `typed` comes from standard input."""
    words = shlex.split(line) if isinstance(line, str) else line
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    before = sys.stdin
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        sys.stdin = io.StringIO(typed)
        try:
            status = main(words[1:] if words[:1] == ["handful"] else words)
        finally:
            sys.stdin = before
    return CliResult(status, _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def assert_refused(said: CliResult, *parts: str, status: int = 2, hint: bool = False) -> None:
    """Assert one line on standard error with these parts, and no standard output."""
    lines = said.err.splitlines()
    assert said.status == status, said.err
    assert said.out == ""
    assert len(lines) == (2 if hint else 1), said.err
    assert lines[0].startswith("handful: ")
    assert not [part for part in parts if part not in said.err], said.err
