"""`handful test`: run the test cases of a ruleset by play, odds and simulation."""

from __future__ import annotations

from typing import Any

import click

from handful import library
from handful.cli import completers, console
from handful.cli.arguments import WithExamples, json_option
from handful.errors import Message, Refused, format_count

EXAMPLES = [
    ("handful test uwr", "test a built-in game"),
    ("handful test rulesets/families/ten-again", "test a file or folder of your own"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file", shell_complete=completers.rulesets)
@json_option
@click.pass_context
def test(ctx: click.Context, file: str, as_json: bool) -> None:
    """Run the test cases of a ruleset.

    Cases are in cases.toml, next to the ruleset.  Each is played with its faces, solved and
    simulated.  The exit status is 1 if a case fails.
    """
    from handful.library.cases import mismatches, read_cases

    game = library.ruleset(file)
    cases = read_cases(game)
    if not cases:
        raise Refused(Message("command.no_cases", file=game.file))
    failed = [(case, found) for case in cases if (found := mismatches(game, case))]
    if as_json:
        console.emit_json({"cases": len(cases), "different": [_failure_data(*one) for one in failed]})
    else:
        lines = [line for one in failed for line in _failure_lines(*one)]
        passed = format_count(len(cases) - len(failed), "case")
        lines.append(f"{game.id}: {passed} passed, {len(failed)} failed")
        console.emit("\n".join(lines))
    ctx.exit(1 if failed else 0)


def _failure_lines(case: Any, found: list[Any]) -> list[str]:
    lines = [f"{case.name} ({case.check})"]
    for one in found:
        expected, got = _format_value(one.expected), _format_value(one.found)
        lines.append(f"  {one.method}, {one.what}: expected {expected}, got {got}")
    return [*lines, ""]


def _format_value(value: Any) -> str:
    return "none" if value is None else str(value)


def _json_value(value: Any) -> Any:
    return str(value) if isinstance(value, Message) else value


def _failure_data(case: Any, found: list[Any]) -> dict[str, Any]:
    return {
        "name": case.name,
        "check": case.check,
        "differences": [
            {"way": d.method, "what": d.what, "expected": d.expected, "found": _json_value(d.found)}
            for d in found
        ],
    }
