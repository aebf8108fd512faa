"""`handful solve`: the parameter value that reaches a chance, such as the dice needed for 80%."""

from __future__ import annotations

import click

from handful import library
from handful.cli import console, layout
from handful.cli.arguments import WithExamples, json_option
from handful.cli.progress import ProgressBar
from handful.cli.query_arguments import query_command
from handful.explore.inverse import Solution
from handful.explore.query import Query

EXAMPLES = [
    ("handful solve uwr direct target=2 --for attribute --chance 80%", "how many dice for 80%?"),
    ("handful solve tuurna check level=9 --for difficulty --chance 50%", "which difficulty is a coin toss?"),
    (
        "handful solve tuurna contest level=5 fate=lucky vs --for level --side 2 --chance 50%",
        "who is a fair opponent?",
    ),
    (
        "handful solve me-d6 check dice=4D --for difficulty --chance 2/3 --within 1..30",
        "the highest difficulty up to 30",
    ),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@query_command("solve")
@json_option
def solve(query: Query, as_json: bool) -> None:
    """Find the value of a parameter that just reaches a chance."""
    rules = library.ruleset(query.game).rules
    with ProgressBar("solving") as bar:
        answer = query.solve(rules, progress=bar.update)
    if as_json:
        console.emit_json(answer.to_dict())
    else:
        console.emit("\n".join(_text(answer)))


def _text(answer: Solution) -> list[str]:
    chance = layout.format_percent(answer.chance)
    if answer.value is None:
        best = max((f for _, f in answer.tried if f is not None), default=None)
        highest = "" if best is None else f"; the highest chance is {layout.format_percent(best)}"
        return [f"no {answer.parameter} reaches {chance}{highest}"]
    assert answer.figure is not None
    relation = "at least" if answer.rising else "at most"
    lines = [f"{answer.parameter} {relation} {answer.value}: {layout.format_percent(answer.figure)}", ""]
    at = [value for value, _ in answer.tried].index(answer.value)
    for value, figure in answer.tried[max(0, at - 3) : at + 4]:
        mark = layout.arrow() if value == answer.value else " "
        share = "–" if figure is None else f"{layout.format_percent(figure):>8}  {layout.bar(figure, 40)}"
        lines.append(f"{mark} {value!s:>8}  {share}".rstrip())
    if answer.nearest != answer.value:  # a fair opponent may be just below the chance
        figure = dict(answer.tried)[answer.nearest]
        assert figure is not None
        closest = f"closest to {chance}: {answer.parameter} {answer.nearest}, {layout.format_percent(figure)}"
        lines += ["", closest]
    return lines
