"""`handful test`: the worked examples of a ruleset, through play, odds and simulation."""

from __future__ import annotations

from typing import Any

import click

from handful import library
from handful.cli import completers, console
from handful.cli.arguments import WithExamples, json_option
from handful.errors import Refused, format_count

EXAMPLES = [
    ("handful test uwr", "the cases of a game that comes with handful"),
    ("handful test rulesets/families/ten-again", "those of a file or folder of your own"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file", shell_complete=completers.rulesets)
@json_option
@click.pass_context
def test(ctx: click.Context, file: str, as_json: bool) -> None:
    """Run the cases.toml beside a ruleset and show what came out otherwise.

    Each case is played with its faces, solved and simulated.
    The exit status is 1 if anything differs.
    """
    from handful.library.cases import differences, read_cases

    game = library.ruleset(file)
    cases = read_cases(game)
    if not cases:
        raise Refused(f"there are no cases beside {game.file}; a case begins with [[case]]")
    wrong = [(case, found) for case in cases if (found := differences(game, case))]
    if as_json:
        console.emit_json({"cases": len(cases), "different": [_data(*one) for one in wrong]})
    else:
        lines = [line for one in wrong for line in _text(*one)]
        held = format_count(len(cases) - len(wrong), "case")
        lines.append(f"{game.id}: {held} as they should be, {len(wrong)} different")
        console.emit("\n".join(lines))
    ctx.exit(1 if wrong else 0)


def _text(case: Any, found: list[Any]) -> list[str]:
    lines = [f"{case.name} ({case.check})"]
    for one in found:
        lines.append(f"  {one.way}, {one.what}: {_said(one.expected)}, but came {_said(one.found)}")
    return [*lines, ""]


def _said(value: Any) -> str:
    return "none" if value is None else str(value)


def _data(case: Any, found: list[Any]) -> dict[str, Any]:
    return {
        "name": case.name,
        "check": case.check,
        "differences": [
            {"way": d.way, "what": d.what, "expected": d.expected, "found": d.found} for d in found
        ],
    }
