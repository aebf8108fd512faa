"""`handful table`: exact odds over ranges of parameters."""

from __future__ import annotations

import click

from handful import library
from handful.cli import console
from handful.cli.arguments import WithExamples, json_option, plot_option
from handful.cli.plotting import save_plot
from handful.cli.progress import ProgressBar
from handful.cli.query_arguments import query_command
from handful.errors import Message, Refused, format_count
from handful.explore.query import Query

EXAMPLES = [
    ("handful table uwr direct attribute=1..8 rerolls=0..3 target=1..3", "one table per target"),
    ("handful table tuurna check level=1..12 difficulty=1..10", "every difficulty"),
    ("handful table me-d6 check dice=2D..8D difficulty=easy..heroic --markdown", "for a rulebook"),
    ("handful table tuurna contest level=1..9 vs level=1..9 --show wins:1", "who beats whom"),
    ("handful table tuurna check level=5 fate=.. difficulty=3..8 --csv", "for a spreadsheet"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@query_command("table", "NAME=RANGE")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, one line per cell.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown tables.")
@plot_option
@json_option
def table(query: Query, as_csv: bool, as_markdown: bool, plot: str | None, as_json: bool) -> None:
    """Show exact odds over ranges of parameters.

    Ranges: 1..8, 1..4/0.5, 2D..6D, easy..heroic, cursed|lucky, or .. for all values.  The first
    range goes down, the second across; each further range adds tables.
    """
    if as_csv + as_markdown + as_json > 1:
        raise Refused(Message("command.one_format"))
    rules = library.ruleset(query.game).rules
    with ProgressBar("solving") as bar:
        sweep = query.table(rules, progress=bar.update)
    if plot is not None:
        save_plot(sweep, plot)
    if as_json:
        console.emit_json(sweep.to_dict())
    elif as_csv:
        console.emit(sweep.to_csv().rstrip("\n"))
    elif as_markdown:
        console.emit(sweep.to_markdown().rstrip("\n"))
    elif plot is None:
        from handful.cli.show_sweep import sweep_text

        console.emit(sweep_text(sweep))
    else:
        console.emit(f"{plot}: {format_count(len(sweep.cells), 'figure')}")
