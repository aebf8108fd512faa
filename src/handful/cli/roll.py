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
    ("handful roll uwr direct attribute=3.5 skill=2 target=2", "roll virtual dice"),
    (
        "handful roll me-d6 check dice=3D difficulty=5 --faces 1,5,3 --answer cancel",
        "use your own dice, and give the GM's ruling in advance",
    ),
    (
        "handful roll tuurna check --as ylir level=Armaments difficulty=moderate --seed 7",
        "roll for a character: names instead of numbers",
    ),
    ("handful roll tuurna check level=5 difficulty=easy --seed 7", "a seed gives the same roll every time"),
    (
        "handful roll uwr direct attribute=4 rerolls=2 target=3 --faces 1,5,3,6 --answer 1,3 --seed 1",
        "your own four dice; dice 1 and 3 are rerolled from the seed",
    ),
    ("handful roll 3d6+2", "dice outside the rules of any game"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@query_command("roll")
@faces_option
@answer_option
@click.option(
    "--seed",
    metavar="NUMBER",
    help="Seed for dice not given by --faces: the same roll every time.",
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

    In a terminal, handful asks for decisions, with the odds of each answer, and for missing faces
    (`--faces ask` asks for all of them). Otherwise, and with --json, decisions follow the usual
    policy and missing faces are an error.
    """
    game = library.ruleset(query.game)
    bound, draft = query.bind(game.rules, game.character)
    given = read_faces(faces)
    rng = read_seed(seed)
    if as_json:
        finished = roll_to_end(bound, FaceSource(given, rng), answers)
        fields = finished.to_dict()
        if draft is not None:
            from handful.cli.show_sheet import origin_data

            fields |= origin_data(draft, finished.modifiers)
        console.emit_json(fields)
        return
    from handful.cli.prompts import terminal_prompter
    from handful.cli.show_roll import roll_text

    prompter = terminal_prompter()
    source = FaceSource(given, rng, prompter.faces if prompter else None)
    finished = roll_to_end(bound, source, answers, prompter.decision if prompter else None)
    console.emit(roll_text(finished, draft))
