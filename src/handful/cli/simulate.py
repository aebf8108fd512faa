"""`handful simulate`: many rolls, counted and compared with the exact odds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from handful import library
from handful.cli import console
from handful.cli.arguments import WithExamples, json_option
from handful.cli.check_request import LONGEST_SEED, parse_digits
from handful.cli.query_arguments import query_command
from handful.errors import Message, Refused
from handful.explore.query import Query

if TYPE_CHECKING:
    from handful.roll import BoundCheck
    from handful.simulate import Simulation

COUNT = 100_000
EXAMPLES = [
    (
        "handful simulate uwr direct attribute=4 target=2 --count 1000000 --seed 1",
        "a million rolls, the same every time",
    ),
    ("handful simulate tuurna contest level=5 vs level=4 fate=lucky", "one side against another"),
    ("handful simulate me-d6 total dice=4D --csv", "for a spreadsheet"),
    (
        "handful simulate uwr direct attribute=4 target=2 --independent",
        "throw every die, to test the exact odds",
    ),
    (
        "handful simulate uwr direct attribute=4 rerolls=2 target=2 --policy never --json",
        "without rerolls, for a program",
    ),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@query_command("simulate")
@click.option("--count", "typed_count", metavar="N", help=f"Number of rolls; default: {COUNT:,}.")
@click.option("--seed", "typed_seed", metavar="S", help="Seed of the rolls: the same rolls every time.")
@click.option("--workers", "typed_workers", metavar="N", help="Number of processes; the rolls stay the same.")
@click.option(
    "--independent", is_flag=True, help="Throw every die without the solver, to test the exact odds."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for spreadsheets.")
@json_option
@click.pass_context
def simulate(
    ctx: click.Context,
    query: Query,
    typed_count: str | None,
    typed_seed: str | None,
    typed_workers: str | None,
    independent: bool,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Roll a check many times and count the results.

    The check is solved once, and the rolls are drawn from its exact odds, which are shown for
    comparison. A check that is too complex to solve is rolled die by die, with decisions made by
    the policy.
    """
    game = library.ruleset(query.game)
    bound, _ = query.bind(game.rules, game.character)
    count = COUNT if typed_count is None else parse_number("--count", typed_count, "rolls")
    seed = None if typed_seed is None else parse_number("--seed", typed_seed, "any number")
    workers = 1 if typed_workers is None else parse_number("--workers", typed_workers, "workers")
    if as_csv and as_json:
        raise Refused(Message("command.csv_or_json"))
    try:
        result = _simulate(bound, count, seed, query.policy, workers, independent)
    except KeyboardInterrupt:
        console.print_error(Message("command.interrupted"))
        ctx.exit(console.INTERRUPTED)
    from handful.cli import show_simulation

    if as_json:
        console.emit_json(result.to_dict())
    elif as_csv:
        console.emit(show_simulation.as_csv(result))
    else:
        console.emit(show_simulation.simulation_text(bound, result))


def _simulate(
    bound: BoundCheck, count: int, seed: int | None, policy: str, workers: int, independent: bool
) -> Simulation:
    from handful.cli.progress import ProgressBar

    simulation = library.simulation()
    with ProgressBar() as bar:
        result: Simulation = simulation.simulate(
            bound,
            count=count,
            seed=library.own_seed(seed),
            policy=policy,
            workers=workers,
            progress=bar.update,
            independent=independent,
        )
    return result


def parse_number(option: str, typed: str, what: str) -> int:
    """Parse the number after an option."""
    if (found := parse_digits(typed, LONGEST_SEED)) is None:
        raise Refused(
            Message(
                "command.not_a_whole_number",
                option=option,
                typed=typed[:40],
                what=what,
                example="1" if what != "rolls" else "1000000",
            )
        )
    return found
