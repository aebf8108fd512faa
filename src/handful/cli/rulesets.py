"""`handful rulesets`: the games, or the families, one line each."""

from __future__ import annotations

import click

from handful import library
from handful.cli import console, layout
from handful.cli.arguments import WithExamples, json_option
from handful.rules.ruleset import localize

EXAMPLES = [
    ("handful rulesets", "list the games"),
    ("handful rulesets --families", "list dice mechanics to play with and to extend"),
    ("handful rulesets --json", "for a program"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.option("--families", is_flag=True, help="List families: dice mechanics shared by many games.")
@json_option
def rulesets(families: bool, as_json: bool) -> None:
    """List the games, or the families of dice mechanics.

    Commands that take a RULESET accept a game, a family, or a path to a ruleset file.
    """
    names = library.families() if families else library.shipped()
    games = [library.ruleset(name) for name in names]
    if as_json:
        listed = [
            {
                "id": game.id,
                "title": game.title,
                "about": localize(game.rules.about),
                "hash": game.hash,
            }
            for game in games
        ]
        console.emit_json({"families" if families else "rulesets": listed})
        return
    rows = [(game.id, game.title, localize(game.rules.about)) for game in games]
    widths = [max(len(row[column]) for row in rows) + 2 for column in (0, 1)]
    lines = []
    for name, title, about in rows:
        head = f"{name:<{widths[0]}}{title:<{widths[1]}}"
        room = layout.width() - len(head)
        lines.append((head + layout.shorten(about, room) * (room > 16)).rstrip())
    console.emit("\n".join(lines))
