"""`handful odds`: exact odds, from the start or from the middle of a roll."""

from __future__ import annotations

import click

from handful.cli.arguments import (
    WithExamples,
    answer_option,
    faces_option,
    json_option,
    plot_option,
)
from handful.cli.odds_answer import SAMPLE, answer_query
from handful.cli.query_arguments import query_command
from handful.explore.query import Query

EXAMPLES = [
    ("handful odds uwr direct attribute=3.5 skill=2 target=2", "a check against a target"),
    ("handful odds uwr grace=3.5 acrobatics=2 difficult", "the same check in the rulebook's words"),
    ("handful odds uwr opposed attribute=4 skill=1 vs attribute=3.5", "one side against another"),
    (
        "handful odds tuurna group judge=min difficulty=4 level=5 with level=3",
        "a group check; `with` starts the next member",
    ),
    (
        "handful odds uwr direct attribute=4 rerolls=2 target=3 --faces 1,5,3,6",
        "from the middle of a roll: the odds of each answer",
    ),
    ("handful odds uwr direct attribute=4 rerolls=2 target=2 --policy never", "without rerolls"),
    ("handful odds uwr direct attribute=4 rerolls=2 target=2 --worth", "how much the rerolls help"),
    (
        "handful odds uwr --as mira grace acrobatics difficult",
        "for a character: names need no numbers",
    ),
    ('handful odds "4d6 keep 3"', "dice outside the rules of any game"),
    (
        "handful odds uwr direct attribute=4 target=2 --sample",
        "sampled only if the exact odds are too complex",
    ),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@query_command("odds")
@faces_option
@answer_option
@click.option(
    "--sample",
    is_flag=False,
    flag_value=SAMPLE,
    metavar="[N]",
    help="If exact odds are too complex, roll N times (100,000) and show the error.",
)
@plot_option
@json_option
def odds(
    query: Query,
    faces: tuple[str, ...],
    answers: tuple[str, ...],
    sample: str | None,
    plot: str | None,
    as_json: bool,
) -> None:
    """Show the exact odds of a check.

    `handful checks RULESET` lists checks, parameters and house rules.
    """
    answer_query(query, faces, answers, sample, plot, as_json=as_json)
