"""`handful rulesets`: the games, one line each."""

from __future__ import annotations

import click

from handful import library
from handful.cli import paper, rim
from handful.cli.arguments import WithExamples, json_option
from handful.rules.ruleset import text

EXAMPLES = [
    ("handful rulesets", "the games that come with handful"),
    ("handful rulesets --json", "the same for programs"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@json_option
def rulesets(as_json: bool) -> None:
    """List the games.

    Wherever a command takes a RULESET, a path to a ruleset file will do as well.
    """
    games = [library.ruleset(name) for name in library.shipped()]
    if as_json:
        listed = [
            {
                "id": game.id,
                "title": game.title,
                "about": text(game.rules.about),
                "hash": game.hash,
            }
            for game in games
        ]
        rim.emit_json({"rulesets": listed})
        return
    rows = [(game.id, game.title, text(game.rules.about)) for game in games]
    wide = [max(len(row[place]) for row in rows) + 2 for place in (0, 1)]
    lines = []
    for name, title, about in rows:
        head = f"{name:<{wide[0]}}{title:<{wide[1]}}"
        room = paper.width() - len(head)
        lines.append((head + paper.shortened(about, room) * (room > 16)).rstrip())
    rim.emit("\n".join(lines))
