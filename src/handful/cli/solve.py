"""`handful solve`: how many dice for 80 %, the highest difficulty at a chance, a fair opponent."""

from __future__ import annotations

import click

from handful import library
from handful.cli import complete, paper, rim
from handful.cli.arguments import WithExamples, json_option, option_option
from handful.cli.words import read_options, sides_of, whole
from handful.errors import Refused

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
@click.argument("ruleset", shell_complete=complete.rulesets)
@click.argument("check", shell_complete=complete.checks)
@click.argument("words", nargs=-1, metavar="[NAME=VALUE | vs | with]...",
                shell_complete=complete.words)  # fmt: skip
@click.option("--for", "parameter", required=True, metavar="NAME", help="What is looked for.")
@click.option("--chance", required=True, metavar="80%", help="At least this: 80%, 0.8 or 4/5.")
@click.option("--side", "typed_side", default="1", metavar="N",
              help="Whose parameter, where there are sides.")  # fmt: skip
@click.option("--within", metavar="RANGE", help="Where to look: 1..20.")
@option_option
@click.option("--show", default="", metavar="FIGURE", help="Another figure than the success.")
@click.option("--policy", default="usual", metavar="usual|best|never",
              help="How decisions are taken; usual unless given.")  # fmt: skip
@json_option
def solve(
    ruleset: str,
    check: str,
    words: tuple[str, ...],
    parameter: str,
    chance: str,
    typed_side: str,
    within: str | None,
    options: tuple[str, ...],
    show: str,
    policy: str,
    as_json: bool,
) -> None:
    """Find the value of one parameter at which a chance is just reached."""
    from handful.cli.progress import Bar
    from handful.explore import solve as found_by
    from handful.explore.sweep import as_fraction

    rules = library.ruleset(ruleset).rules
    own, sides, first = sides_of(rules, (check, *words))
    side = whole(typed_side)
    if side is None or side < 1:
        raise Refused(f"--side is a number from 1, not {typed_side[:20]!r}")
    with Bar("solving") as bar:
        answer = found_by(
            rules, own.name, parameter, as_fraction(chance), sides, first,
            side=side if side > 1 else 0, within=within, options=read_options(rules, options),
            shows=show.strip(), policy=policy.strip().lower(), progress=bar.tell,
        )  # fmt: skip
    if as_json:
        rim.emit_json(answer.to_dict())
        return
    wanted = paper.percent(answer.chance)
    if answer.value is None:
        best = max((f for _, f in answer.tried if f is not None), default=None)
        reached = "" if best is None else f"; the most is {paper.percent(best)}"
        rim.emit(f"no {answer.parameter} gives {wanted}{reached}")
        return
    assert answer.figure is not None
    word = "at least" if answer.rising else "at most"
    lines = [f"{answer.parameter} {word} {answer.value}: {paper.percent(answer.figure)}", ""]
    at = [value for value, _ in answer.tried].index(answer.value)
    for value, figure in answer.tried[max(0, at - 3) : at + 4]:
        mark = paper.arrow() if value == answer.value else " "
        share = "–" if figure is None else f"{paper.percent(figure):>8}  {paper.bar(figure, 40)}"
        lines.append(f"{mark} {value!s:>8}  {share}")
    if answer.nearest != answer.value:  # the fair opponent may be on the other side of even
        figure = dict(answer.tried)[answer.nearest]
        assert figure is not None
        near = f"nearest to {wanted}: {answer.parameter} {answer.nearest}, {paper.percent(figure)}"
        lines += ["", near]
    rim.emit("\n".join(lines))
