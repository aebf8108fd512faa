"""Shared parts of commands: help with examples, and common arguments and options.

Examples are data, so that a test can run every one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from handful.cli import completers

Example = tuple[str, str]  # a command line, and a caption
Function = TypeVar("Function", bound=Callable[..., Any])


class WithExamples(click.Command):
    """Command whose help ends with examples."""

    def __init__(self, *args: Any, examples: Sequence[Example] = (), **others: Any) -> None:
        super().__init__(*args, **others)
        self.examples = list(examples)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, and attach the command to usage errors that lack one."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if not self.examples:
            return
        with formatter.section("Examples"):
            for line, caption in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}# {caption}\n")
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def ruleset_argument(function: Function) -> Function:
    return click.argument("ruleset", shell_complete=completers.rulesets)(function)


option_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=completers.options,
    help="Set a house rule; repeat for several.",
)


as_option = click.option(
    "--as",
    "characters",
    multiple=True,
    metavar="CHARACTER",
    shell_complete=completers.characters,
    help="The character who rolls: a .json file, or a character of the game by name.",
)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
plot_option = click.option(
    "--plot", metavar="FILE", help="Save a chart as .svg, .png or .pdf; needs matplotlib."
)
faces_option = click.option(
    "--faces",
    multiple=True,
    metavar="1,5,3",
    help="Faces of your own dice, in order: the first throw, then rerolls, then extra dice.",
)
answer_option = click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="ANSWER",
    help="Answer to a decision: die numbers (3 or 1,4), none, or an option; repeat in order.",
)
