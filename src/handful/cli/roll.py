"""`handful roll`: one roll, played by the rules."""

from __future__ import annotations

import click

from handful import library
from handful.cli import console
from handful.cli.arguments import (
    WithExamples,
    answer_option,
    faces_option,
    json_option,
)
from handful.cli.face_source import FaceSource, read_faces, read_seed
from handful.cli.query_arguments import query_command
from handful.cli.roll_loop import roll_to_end
from handful.explore.query import Query

EXAMPLES = [
    ("handful roll uwr direct attribute=3.5 skill=2 target=2", "a roll"),
    (
        "handful roll me-d6 check dice=3D difficulty=5 --faces 1,5,3 --answer cancel",
        "with your own dice, and the ruling given beforehand",
    ),
    (
        "handful roll tuurna check --as ylir level=Armaments difficulty=moderate --seed 7",
        "a character makes it: names in place of numbers",
    ),
    ("handful roll tuurna check level=5 difficulty=easy --seed 7", "the same roll every time"),
    (
        "handful roll uwr direct attribute=4 rerolls=2 target=3 --faces 1,5,3,6 --answer 1,3 --seed 1",
        "four dice by hand, dice 1 and 3 rerolled from the seed",
    ),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@query_command("roll")
@faces_option
@answer_option
@click.option(
    "--seed",
    metavar="NUMBER",
    help="Throw what --faces leaves open from this number: the same again every time.",
)
@json_option
def roll(
    query: Query,
    faces: tuple[str, ...],
    answers: tuple[str, ...],
    seed: str | None,
    as_json: bool,
) -> None:
    """Roll a check.

    In a terminal, open decisions are asked for with the odds of each answer beside it, and so are
    faces that are missing (`--faces ask` asks for all of them). Elsewhere, and with --json,
    decisions fall to the usual policy and missing faces are refused.
    """
    game = library.ruleset(query.game)
    bound, draft = query.bind(game.rules, game.character)
    given = read_faces(faces)
    rng = read_seed(seed)
    if as_json:
        done = roll_to_end(bound, FaceSource(given, rng), answers)
        fields = done.to_dict()
        if draft is not None:
            from handful.cli.show_sheet import origin_data

            fields |= origin_data(draft, done.modifiers)
        console.emit_json(fields)
        return
    from handful.cli.prompts import terminal_prompter
    from handful.cli.show_roll import roll_text

    asking = terminal_prompter()
    supply = FaceSource(given, rng, asking.faces if asking else None)
    done = roll_to_end(bound, supply, answers, asking.decision if asking else None)
    console.emit(roll_text(done, draft))
