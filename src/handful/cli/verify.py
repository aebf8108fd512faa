"""`handful verify`: check that a seat's log is complete and that its dice follow from their keys."""

from __future__ import annotations

import click

from handful.cli import console
from handful.cli.arguments import WithExamples, json_option

EXAMPLES = [
    ("handful export evening.handful --seat ann > ann.log", "save Ann's log"),
    ("handful verify ann.log", "verify it"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("log")
@json_option
@click.pass_context
def verify(ctx: click.Context, log: str, as_json: bool) -> None:
    """Verify the log of a seat.

    Finds changed bytes, missing or misplaced events and wrong dice; the exit status is 1 if there
    are any.  The check is a short script that shares no code with the table and also runs on its
    own: handful/verifier.py.
    """
    from handful import verifier
    from handful.library.files import read_log

    problems, summary = verifier.verify(read_log(log))
    if as_json:
        console.emit_json({"file": log, "problems": problems, "checked": summary})
    else:
        verdict = "not intact" if problems else f"intact ({summary})"
        console.emit("\n".join([*problems, f"{log}: {verdict}"]))
    ctx.exit(1 if problems else 0)
