"""What several commands share: help with examples, and the words of a check.

Examples are data, so that a test can run every one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from handful.cli import completers

Example = tuple[str, str]  # the command line, and what it shows
Function = TypeVar("Function", bound=Callable[..., Any])


class WithExamples(click.Command):
    """A command whose help ends in examples."""

    def __init__(self, *args: Any, examples: Sequence[Example] = (), **others: Any) -> None:
        super().__init__(*args, **others)
        self.examples = list(examples)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The same; a mistake that click finds early learns which command it belongs to."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as mistake:
            mistake.ctx = mistake.ctx or ctx
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if not self.examples:
            return
        with formatter.section("Examples"):
            for line, what in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}# {what}\n")
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def ruleset_argument(function: Function) -> Function:
    return click.argument("ruleset", shell_complete=completers.rulesets)(function)


option_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=completers.options,
    help="A house rule; repeat it for several.",
)


as_option = click.option(
    "--as",
    "characters",
    multiple=True,
    metavar="CHARACTER",
    shell_complete=completers.characters,
    help="Who makes the check: a .json file, or one that came with the game by name.",
)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
plot_option = click.option(
    "--plot", metavar="FILE", help="A picture, as .svg, .png or .pdf; needs matplotlib."
)
faces_option = click.option(
    "--faces",
    multiple=True,
    metavar="1,5,3",
    help="Dice by hand, in the order thrown: the first throw, then rerolls, then extra dice.",
)
answer_option = click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="ANSWER",
    help="Answers to decisions, in order: die numbers (3 or 1,4), none, or an option's word.",
)
