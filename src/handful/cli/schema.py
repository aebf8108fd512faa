"""`handful schema`: the format of files as JSON Schema, for editors."""

from __future__ import annotations

import click

from handful.cli import console
from handful.cli.arguments import WithExamples
from handful.rules.schema import FILES
from handful.rules.schema import schema as made

EXAMPLES = [
    ("handful schema", "of ruleset.toml"),
    ("handful schema cases", "of cases.toml"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file", type=click.Choice(FILES), default="ruleset")
def schema(file: str) -> None:
    """Print the JSON Schema of a kind of file.

    Editors complete and check a TOML file whose first line is `#:schema`
    and the path of such a schema.
    """
    console.emit_json(made(file))
