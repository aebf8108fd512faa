"""`handful diff`: compare two rulesets, or two settings of one: rules and odds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from handful import library
from handful.cli import console, layout
from handful.cli.arguments import WithExamples, json_option
from handful.cli.progress import ProgressBar
from handful.explore.query import Query, counting_number
from handful.library.files import write_atomically

if TYPE_CHECKING:
    from handful.explore.differences import OddsChange, RulesetDiff

EXAMPLES = [
    ("handful diff agga fons", "two editions"),
    ("handful diff uwr uwr:reroll_stack=stacking", "a house rule"),
    ("handful diff tuurna tuurna:cap=off --most 20", "show 20 changes"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("before", metavar="RULESET[:OPTION=VALUE,…]")
@click.argument("after", metavar="RULESET[:OPTION=VALUE,…]")
@click.option(
    "--most", "typed_most", default="10", metavar="N", help="Show at most N changed odds.", show_default=True
)
@click.option("--html", "page", metavar="FILE", help="Write a web page with charts.")
@json_option
def diff(before: str, after: str, typed_most: str, page: str | None, as_json: bool) -> None:
    """Compare two rulesets, or one with and without house rules.

    Lists what changed in the rules, then the odds that changed most.
    """
    most = counting_number("--most", typed_most)
    query = Query("diff", before, other=after)
    with ProgressBar("comparing") as bar:
        found = query.compare(lambda name: library.ruleset(name).rules, progress=bar.update)
    if page is not None:
        from handful.cli.diff_page import diff_html

        write_atomically(page, diff_html(found).encode())
    if as_json:
        console.emit_json(found.to_dict())
    elif page is not None:
        console.emit(f"{page}: {len(found.changes)} of {found.compared} odds changed")
    else:
        console.emit("\n".join(_text(found, most)))


def _text(found: RulesetDiff, most: int) -> list[str]:
    lines = [f"{found.before.name} {layout.arrow()} {found.after.name}", ""]
    lines += [line for word in found.words for line in layout.wrap_text(f"- {word}", 0, 2)]
    lines += [] if found.words else ["no changes to the rules"]
    lines += ["", f"{len(found.changes)} of {found.compared} odds changed"]
    rows = [
        (one.asked, _format_figure(one, one.before), _format_figure(one, one.after))
        for one in found.distinct_changes
    ]
    for name, before, after in rows[:most]:
        lines += layout.wrap_text(name, 2, 4)
        lines.append(f"      {before:>8} {layout.arrow()} {after:>8}")
    if len(rows) > most:
        lines.append(f"  and {len(rows) - most} more (--most {len(rows)} shows all)")
    return lines


def _format_figure(one: OddsChange, figure: object) -> str:
    from fractions import Fraction

    assert isinstance(figure, (Fraction, int))
    return layout.format_decimal(figure) if one.shows == "mean" else layout.format_percent(Fraction(figure))
