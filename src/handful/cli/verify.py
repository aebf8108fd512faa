"""`handful verify`: is a seat's log whole, in order, and do its dice follow from their keys?"""

from __future__ import annotations

import click

from handful.cli import console
from handful.cli.arguments import WithExamples, json_option

EXAMPLES = [
    ("handful export evening.handful --seat ann > ann.log", "a seat's own log"),
    ("handful verify ann.log", "every problem in it, a line each"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("log")
@json_option
@click.pass_context
def verify(ctx: click.Context, log: str, as_json: bool) -> None:
    """Check the log of a seat: any changed byte, any event out of its place, any wrong die.

    The status is 1 if there is a problem.  The checking is done by a short script that shares no
    code with the table and runs without Handful: handful/verifier.py.
    """
    from handful import verifier
    from handful.library.files import read_log

    problems, told = verifier.verify(read_log(log))
    if as_json:
        console.emit_json({"file": log, "problems": problems, "checked": told})
    else:
        console.emit("\n".join([*problems, f"{log}: {told}" if not problems else f"{log}: is not sound"]))
    ctx.exit(1 if problems else 0)
