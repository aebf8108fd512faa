"""`handful table`: exact odds over ranges of parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from handful import library
from handful.cli import complete, rim
from handful.cli.arguments import WithExamples, json_option, option_option, plot_option
from handful.cli.drawing import draw
from handful.cli.words import read_options, sides_of
from handful.errors import Refused

if TYPE_CHECKING:
    from handful.explore import Sweep

EXAMPLES = [
    ("handful table uwr direct attribute=1..8 rerolls=0..3 target=1..3", "a page for each target"),
    ("handful table tuurna check level=1..12 difficulty=1..10", "the whole ladder"),
    ("handful table me-d6 check dice=2D..8D difficulty=easy..heroic --markdown", "for a rulebook"),
    ("handful table tuurna contest level=1..9 vs level=1..9 --show wins:1", "who beats whom"),
    ("handful table tuurna check level=5 fate=.. difficulty=3..8 --csv", "for a spreadsheet"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("ruleset", shell_complete=complete.rulesets)
@click.argument("check", shell_complete=complete.checks)
@click.argument("words", nargs=-1, metavar="[NAME=RANGE | vs | with]...",
                shell_complete=complete.words)  # fmt: skip
@option_option
@click.option("--show", default="", metavar="FIGURE",
              help="success, mean, wins:N, tie, event:NAME, at-least:N or exactly:N.")  # fmt: skip
@click.option("--policy", default="usual", metavar="usual|best|never",
              help="How decisions are taken; usual unless given.")  # fmt: skip
@click.option("--csv", "as_csv", is_flag=True, help="One line for each cell.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Tables for a page.")
@plot_option
@json_option
def table(
    ruleset: str,
    check: str,
    words: tuple[str, ...],
    options: tuple[str, ...],
    show: str,
    policy: str,
    as_csv: bool,
    as_markdown: bool,
    plot: str | None,
    as_json: bool,
) -> None:
    """Exact odds over ranges: 1..8, 1..4/0.5, 2D..6D, easy..heroic, cursed|lucky, .. for all.

    The first range goes down, the second across; each further one makes more tables.
    """
    if as_csv + as_markdown + as_json > 1:
        raise Refused("give one of --csv, --markdown and --json")
    made = swept(ruleset, check, words, options, show, policy)
    if plot is not None:
        draw(made, plot)
    if as_json:
        rim.emit_json(made.to_dict())
    elif as_csv:
        rim.emit(made.to_csv().rstrip("\n"))
    elif as_markdown:
        rim.emit(made.to_markdown().rstrip("\n"))
    elif plot is None:
        from handful.cli.show_sweep import sweep_text

        rim.emit(sweep_text(made))
    else:
        rim.emit(f"{plot}: {len(made.cells)} figures")


def swept(
    ruleset: str,
    check: str,
    words: tuple[str, ...],
    options: tuple[str, ...],
    show: str,
    policy: str,
) -> Sweep:
    """The table that was asked for, with a bar while it is worked out."""
    from handful.cli.progress import Bar
    from handful.explore import sweep

    rules = library.ruleset(ruleset).rules
    own, sides, first = sides_of(rules, (check, *words))
    with Bar("solving") as bar:
        return sweep(
            rules, own.name, sides, first,
            options=read_options(rules, options), shows=show.strip(),
            policy=policy.strip().lower(), progress=bar.tell,
        )  # fmt: skip
