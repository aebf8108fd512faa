"""`handful claims`: what a rulebook says about odds, held against the exact figures."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import click

from handful import library
from handful.cli import console, layout
from handful.cli.arguments import WithExamples, json_option
from handful.errors import format_choices
from handful.library.claims import claims_of, place_of

RARE = Fraction(1, 10_000)
EXAMPLES = [
    ("handful claims me-d6", "what the page of a game says, judged"),
    ("handful claims me-d6 --json", "for a program"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("file", metavar="GAME|FILE")
@click.option("--game", help="The game of claims that do not name one: a name or a path.")
@json_option
@click.pass_context
def claims(ctx: click.Context, file: str, game: str | None, as_json: bool) -> None:
    """Judge the claims of a game, of a claims.toml, or of a page with claims in it.

    A page holds them in blocks that begin with ```claim and are written as [[claim]] in TOML.
    The exit status is 1 if one of them is not true.
    """
    from handful.explore.claims import judge, rules_of

    path, usual = place_of(file)
    found = claims_of(path)
    rules = cache(library.ruleset)
    verdicts = [judge(rules_of(one, game or usual, rules).rules, one) for one in found]
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
        real = "nothing" if one.figure is None else _shown(one.shows, one.figure)
        ends = " to ".join(_shown(one.shows, end) for end in (one.claim.least, one.claim.most))
        does = "is" if one.claim.against is None else "changes by"
        lines += layout.wrap_text(f"{one.shows} {does} {real}{_off(one)}; the words allow {ends}", 7)
        for name, value, figure in one.remedies:
            fits = f"it would be true with {name}={value}: {_shown(one.shows, figure)}"
            lines += layout.wrap_text(fits, 7)
        if not (one.true or one.remedies or one.claim.against is not None):
            tried = [*one.claim.params, "house rule"]
            lines += layout.wrap_text(f"no other {format_choices(tried)} alone would make it true", 7)
    return [*lines, "", *_counts(verdicts)]


def _counts(verdicts: list[Any]) -> list[str]:
    """How many are true, for each source where there are several."""
    sources = dict.fromkeys(one.claim.source for one in verdicts)
    groups = {name: [one for one in verdicts if one.claim.source == name] for name in sources}
    named = len(sources) > 1
    lines = []
    for name, group in [*(groups.items() if named else ()), ("all" if named else "", verdicts)]:
        true = sum(one.true for one in group)
        lines.append(f"{f'{name}: ' if name else ''}{true} true, {len(group) - true} false")
    return lines


def _off(one: Any) -> str:
    """By how much the words are wrong, for someone who has to mend them."""
    if one.true or one.figure is None:
        return ""
    if one.figure > one.claim.most:
        return f", {_shown(one.shows, one.figure - one.claim.most)} too much"
    return f", {_shown(one.shows, one.claim.least - one.figure)} too little"


def _shown(shows: str, figure: Any) -> str:
    if shows == "mean" or not -1 <= figure <= 1:
        return layout.format_decimal(figure)
    if 0 < figure < RARE:  # per cent would say nothing
        return f"1 in {round(1 / figure):,}"
    return layout.format_percent(figure) if figure >= 0 else f"-{layout.format_percent(-figure)}"
