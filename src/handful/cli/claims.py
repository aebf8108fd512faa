"""`handful claims`: statements of a rulebook about odds, compared with the exact figures."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import click

from handful import library
from handful.cli import console, layout
from handful.cli.arguments import WithExamples, json_option
from handful.errors import format_choices
from handful.library.claims import claims_file, read_claims_file

RARE = Fraction(1, 10_000)
EXAMPLES = [
    ("handful claims me-d6", "the claims of a game"),
    ("handful claims me-d6 --json", "for a program"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file", metavar="GAME|FILE")
@click.option("--game", metavar="GAME", help="The game for claims that do not name one: a name or a path.")
@json_option
@click.pass_context
def claims(ctx: click.Context, file: str, game: str | None, as_json: bool) -> None:
    """Check what a rulebook says about odds.

    Takes a game, a claims.toml, or a Markdown page with claims in ```claim blocks, written as
    [[claim]] in TOML.  The exit status is 1 if a claim is false.
    """
    from handful.explore.claims import judge, rules_of

    path, default_game = claims_file(file)
    found = read_claims_file(path)
    rules = cache(library.ruleset)
    verdicts = []
    for one in found:
        own = rules_of(one, game or default_game, rules)
        verdicts.append(judge(own.rules, one, solved=own.solved))
    false = [one for one in verdicts if not one.true]
    if as_json:
        console.emit_json({"claims": [one.to_dict() for one in verdicts], "false": len(false)})
    else:
        console.emit("\n".join(_text(verdicts)))
    if false:
        ctx.exit(1)


def _text(verdicts: list[Any]) -> list[str]:
    lines: list[str] = []
    for one in verdicts:
        mark = layout.apply_style("true ", "good") if one.true else layout.apply_style("FALSE", "bad")
        lines += layout.wrap_text(f"{mark}  {one.claim.id}: {one.claim.says}", 0, 7)
        actual = "nothing" if one.figure is None else _format_figure(one.shows, one.figure)
        bounds = dict.fromkeys((one.claim.least, one.claim.most))
        allowed = " to ".join(_format_figure(one.shows, bound) for bound in bounds)
        verb = "is" if one.claim.against is None else "changes by"
        lines += layout.wrap_text(f"{one.shows} {verb} {actual}; claimed {allowed}{_error_text(one)}", 7)
        for name, value, figure in one.remedies:
            remedy = f"true with {name}={value}: {_format_figure(one.shows, figure)}"
            lines += layout.wrap_text(remedy, 7)
        if not (one.true or one.remedies or one.claim.against is not None):
            tried = [*one.claim.params, "a house rule"]
            lines += layout.wrap_text(f"changing only {format_choices(tried)} would not make it true", 7)
    return [*lines, "", *_counts(verdicts)]


def _counts(verdicts: list[Any]) -> list[str]:
    """Count true and false claims, by source where there are several."""
    sources = dict.fromkeys(one.claim.source for one in verdicts)
    groups = {name: [one for one in verdicts if one.claim.source == name] for name in sources}
    named = len(sources) > 1
    lines = []
    for name, group in [*(groups.items() if named else ()), ("all" if named else "", verdicts)]:
        true = sum(one.true for one in group)
        lines.append(f"{f'{name}: ' if name else ''}{true} true, {len(group) - true} false")
    return lines


def _error_text(one: Any) -> str:
    """Return how far the figure is outside the claimed range."""
    if one.true or one.figure is None:
        return ""
    if one.figure > one.claim.most:
        return f", off by {_format_figure(one.shows, one.figure - one.claim.most)}"
    return f", off by {_format_figure(one.shows, one.claim.least - one.figure)}"


def _format_figure(shows: str, figure: Any) -> str:
    if shows == "mean" or not -1 <= figure <= 1:
        return layout.format_decimal(figure)
    if 0 < figure < RARE:  # a percentage would round to 0
        return f"1 in {round(1 / figure):,}"
    return layout.format_percent(figure) if figure >= 0 else f"-{layout.format_percent(-figure)}"
