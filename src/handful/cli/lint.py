"""`handful lint`: every mistake in a ruleset file, with its position."""

from __future__ import annotations

import click

from handful import library
from handful.cli import completers, console
from handful.cli.arguments import WithExamples, json_option
from handful.errors import RuleError, format_count
from handful.rules.diagnostics import lint_code
from handful.rules.load import BadRuleset

EXAMPLES = [
    ("handful lint uwr", "check a built-in game"),
    ("handful lint rulesets/uwr/ruleset.toml", "check a file by its path"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file", shell_complete=completers.rulesets)
@json_option
@click.pass_context
def lint(ctx: click.Context, file: str, as_json: bool) -> None:
    """Check a ruleset file and show every mistake.

    The exit status is 1 if the file has mistakes.
    """
    path = library.ruleset_path(file)
    try:
        rules = library.reviewed(file)
    except BadRuleset as bad:
        mistakes, summary = bad.errors, format_count(len(bad.errors), "mistake")
    else:
        mistakes, summary = [], f"no mistakes ({rules.id} {rules.hash[:12]})"
    if as_json:
        console.emit_json({"file": path, "mistakes": [_mistake_data(error) for error in mistakes]})
    else:
        console.emit("\n".join([*map(str, mistakes), f"{path}: {summary}"]))
    ctx.exit(1 if mistakes else 0)


def _mistake_data(error: RuleError) -> dict[str, object]:
    return {
        "file": error.file,
        "line": error.line or None,
        "column": error.column or None,
        "end_line": error.end[0] or None,
        "end_column": error.end[1] or None,
        "code": lint_code(error.problem),
        "severity": "error",  # a file with any mistake cannot be played
        "rule": error.rule or None,
        "message": error.message,
        "hint": error.hint or None,
        "source": error.source or None,
    }
