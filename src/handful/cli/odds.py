"""`handful odds`: exact odds, from the start or from the middle of a roll."""

from __future__ import annotations

import click

from handful import odds as exact
from handful.cli import rim
from handful.cli.arguments import (
    WithExamples,
    answer_option,
    faces_option,
    json_option,
    words_of_a_check,
)
from handful.cli.rolling import play_up_to
from handful.cli.supply import read_faces
from handful.cli.words import bound_check

EXAMPLES = [
    ("handful odds uwr direct attribute=3.5 skill=2 target=2", "a check against a target"),
    ("handful odds uwr opposed attribute=4 skill=1 vs attribute=3.5", "one side against another"),
    (
        "handful odds tuurna group judge=min difficulty=4 level=5 with level=3",
        "a group; all that follows `with` is the next member",
    ),
    (
        "handful odds uwr direct attribute=4 rerolls=2 target=3 --faces 1,5,3,6",
        "from the middle of a roll: what each answer is worth",
    ),
    ("handful odds uwr direct attribute=4 rerolls=2 target=2 --policy never", "without rerolls"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@words_of_a_check
@faces_option
@answer_option
@click.option(
    "--policy", default="usual", metavar="usual|best|never",
    help="How decisions are taken; usual unless given.",
)  # fmt: skip
@json_option
def odds(
    ruleset: str,
    check: str,
    words: tuple[str, ...],
    options: tuple[str, ...],
    faces: tuple[str, ...],
    answers: tuple[str, ...],
    policy: str,
    as_json: bool,
) -> None:
    """Exact odds of a check.

    `handful checks RULESET` lists the checks, their parameters and the house rules.
    """
    bound = bound_check(ruleset, check, words, options)
    given = read_faces(faces)
    policy = policy.strip().lower()
    roll = None
    if given is None and not answers:
        found = exact.odds(bound, policy=policy)
    else:
        roll = play_up_to(bound, given or [], answers)
        found = roll.odds(policy)
    if as_json:
        rim.emit_json(found.to_dict())
        return
    from handful.cli.show_odds import odds_text

    rim.emit(odds_text(bound, found, roll))
