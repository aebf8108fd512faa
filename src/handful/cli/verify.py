"""`handful verify`: check logs of seats, and compare those of one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from handful.cli import console
from handful.cli.arguments import WithExamples, json_option

if TYPE_CHECKING:
    from handful.verifier import Log

EXAMPLES = [
    ("handful export evening.handful --seat ann > ann.log", "save Ann's log"),
    ("handful verify ann.log", "verify it"),
    ("handful verify ann.log bob.log", "compare the logs of two seats"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@json_option
@click.pass_context
def verify(ctx: click.Context, logs: tuple[str, ...], as_json: bool) -> None:
    """Verify the logs of seats.

    Finds changed bytes, missing or misplaced events, wrong dice and signatures; the exit status is
    1 if there are any.  Also says what a log does not prove, such as physical dice.  Several logs of
    one table are compared: everyone must have seen the same public events and the same dice.  The
    check is one script that shares no code with the table and also runs on its own:
    handful/verifier.py.
    """
    from handful import verifier
    from handful.library.files import read_log

    found = [verifier.Log(path, read_log(path)) for path in logs]
    lines, is_intact = verifier.report(found)
    if as_json:
        problems, notes = verifier.compare(found)
        whole = {"logs": [_to_dict(log) for log in found], "problems": problems, "notes": notes}
        console.emit_json(whole if len(found) > 1 else _to_dict(found[0]))
    else:
        console.emit("\n".join(lines))
    ctx.exit(0 if is_intact else 1)


def _to_dict(log: Log) -> dict[str, str | list[str]]:
    return {"file": log.name, "problems": log.problems, "checked": log.summary, "notes": log.notes()}
