"""`handful solve`: how many dice for 80 %, the highest difficulty at a chance, a fair opponent."""

from __future__ import annotations

import click

from handful import library
from handful.cli import console, layout
from handful.cli.arguments import WithExamples, json_option
from handful.cli.progress import ProgressBar
from handful.cli.query_arguments import query_command
from handful.explore.inverse import Answer
from handful.explore.query import Query

EXAMPLES = [
    ("handful solve uwr direct target=2 --for attribute --chance 80%", "how many dice for 80 %?"),
    ("handful solve tuurna check level=9 --for difficulty --chance 50%", "what is even for them?"),
    (
        "handful solve tuurna contest level=5 fate=lucky vs --for level --side 2 --chance 50%",
        "the fair opponent",
    ),
    ("handful solve me-d6 check dice=4D --for difficulty --chance 2/3 --within 1..30", "up to 30"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@query_command("solve")
@json_option
def solve(query: Query, as_json: bool) -> None:
    """Find the value of one parameter at which a chance is just reached."""
    rules = library.ruleset(query.game).rules
    with ProgressBar("solving") as bar:
        answer = query.solve(rules, progress=bar.update)
    if as_json:
        console.emit_json(answer.to_dict())
    else:
        console.emit("\n".join(_text(answer)))


def _text(answer: Answer) -> list[str]:
    wanted = layout.format_percent(answer.chance)
    if answer.value is None:
        best = max((f for _, f in answer.tried if f is not None), default=None)
        reached = "" if best is None else f"; the most is {layout.format_percent(best)}"
        return [f"no {answer.parameter} gives {wanted}{reached}"]
    assert answer.figure is not None
    word = "at least" if answer.rising else "at most"
    lines = [f"{answer.parameter} {word} {answer.value}: {layout.format_percent(answer.figure)}", ""]
    at = [value for value, _ in answer.tried].index(answer.value)
    for value, figure in answer.tried[max(0, at - 3) : at + 4]:
        mark = layout.arrow() if value == answer.value else " "
        share = "–" if figure is None else f"{layout.format_percent(figure):>8}  {layout.bar(figure, 40)}"
        lines.append(f"{mark} {value!s:>8}  {share}")
    if answer.nearest != answer.value:  # the fair opponent may be on the other side of even
        figure = dict(answer.tried)[answer.nearest]
        assert figure is not None
        near = f"nearest to {wanted}: {answer.parameter} {answer.nearest}, {layout.format_percent(figure)}"
        lines += ["", near]
    return lines
