"""`handful diff`: two rulesets, or two settings of one, in words and in odds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from handful import library
from handful.cli import console, layout
from handful.cli.arguments import WithExamples, json_option
from handful.cli.progress import ProgressBar
from handful.explore.query import Query, counting_number
from handful.library.files import write_whole

if TYPE_CHECKING:
    from handful.explore.differences import Difference, Moved

EXAMPLES = [
    ("handful diff agga fons", "two editions"),
    ("handful diff uwr uwr:reroll_stack=stacking", "a house rule"),
    ("handful diff tuurna tuurna:cap=off --most 20", "more of what moved"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("before", metavar="RULESET[:OPTION=VALUE,…]")
@click.argument("after", metavar="RULESET[:OPTION=VALUE,…]")
@click.option("--most", "typed_most", default="10", metavar="N", help="So many of the changes.")
@click.option("--html", "page", metavar="FILE", help="A page of its own, with charts.")
@json_option
def diff(before: str, after: str, typed_most: str, page: str | None, as_json: bool) -> None:
    """What changed in words, and what it does to the odds: the largest changes first."""
    most = counting_number("--most", typed_most)
    query = Query("diff", before, other=after)
    with ProgressBar("comparing") as bar:
        found = query.compare(lambda name: library.ruleset(name).rules, progress=bar.update)
    if page is not None:
        from handful.cli.diff_page import page as written

        write_whole(page, written(found).encode())
    if as_json:
        console.emit_json(found.to_dict())
    elif page is not None:
        console.emit(f"{page}: {len(found.moved)} of {found.compared} odds moved")
    else:
        console.emit("\n".join(_text(found, most)))


def _text(found: Difference, most: int) -> list[str]:
    lines = [f"{found.before.name} {layout.arrow()} {found.after.name}", ""]
    lines += [line for word in found.words for line in layout.wrap_text(f"- {word}", 0, 2)]
    lines += [] if found.words else ["no difference in words"]
    lines += ["", f"odds: {len(found.moved)} of {found.compared} moved"]
    told = found.telling
    rows = [(one.asked, _figure(one, one.before), _figure(one, one.after)) for one in told]
    for name, was, now in rows[:most]:
        lines += layout.wrap_text(name, 2, 4)
        lines.append(f"      {was:>8} {layout.arrow()} {now:>8}")
    if len(rows) > most:
        lines.append(f"  and {len(rows) - most} more: --most {len(rows)}")
    return lines


def _figure(one: Moved, figure: object) -> str:
    from fractions import Fraction

    assert isinstance(figure, (Fraction, int))
    return layout.format_decimal(figure) if one.shows == "mean" else layout.format_percent(Fraction(figure))
