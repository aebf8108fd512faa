"""`handful schema`: file formats as JSON Schema, for editors."""

from __future__ import annotations

import click

from handful.cli import console
from handful.cli.arguments import WithExamples
from handful.rules.schema import FILES
from handful.rules.schema import schema as file_schema

EXAMPLES = [
    ("handful schema", "the format of ruleset.toml"),
    ("handful schema cases", "the format of cases.toml"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file", type=click.Choice(FILES), default="ruleset")
def schema(file: str) -> None:
    """Print the JSON Schema of a file format.

    Save it and start a TOML file with the line `#:schema PATH`: your editor then completes and
    checks the file.
    """
    console.emit_json(file_schema(file))
