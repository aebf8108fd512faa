"""Renders results as docutils nodes (tables, charts, lists), for every Sphinx builder.

Pure functions of the cached data; only standard nodes are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from docutils import nodes

from handful.explore.sweep import figure_format
from handful.sphinx.cache import Result


def tables(data: Result, caption: str, bare: bool) -> list[nodes.Node]:
    """Return a table for each panel, and the assumptions."""
    built: list[nodes.Node] = []
    for panel in data["panels"]:
        title = ", ".join(part for part in (caption, panel["named"]) if part)
        built.append(grid(data["heads"], panel["rows"], title))
    return built if bare else [*built, *assumed(data)]


def assumed(data: Result) -> list[nodes.Node]:
    """Return a paragraph with the policy of each decision; empty without decisions."""
    words = "; ".join(f"{name}: {how}" for name, how in data["assumed"].items())
    return [nodes.paragraph("", f"Assuming {words}.", classes=["handful-assumed"])] if words else []


def grid(heads: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> nodes.table:
    """Return a table: the first column holds names, the others figures."""
    table = nodes.table(classes=["handful-table"])
    if title:
        table += nodes.title(title, title)
    group = nodes.tgroup(cols=len(heads))
    table += group
    for number in range(len(heads)):
        group += nodes.colspec(colwidth=1, **({} if number else {"stub": 1}))
    head, body = nodes.thead(), nodes.tbody()
    group += [head, body]
    head += _row(heads)
    body += [_row(row) for row in rows]
    return table


def _row(cells: Sequence[str]) -> nodes.row:
    row = nodes.row()
    for number, cell in enumerate(cells):
        entry = nodes.entry(classes=["text-left" if number == 0 else "text-right"])
        entry += nodes.paragraph("", cell)
        row += entry
    return row


def chart(data: Result, uri: str, alt: str, caption: str) -> nodes.figure:
    """Return a figure whose format the builder chooses: SVG for screens, PDF for print."""
    figure = nodes.figure("", classes=["handful-chart"])
    figure += nodes.image("", uri=f"{uri}.*", alt=alt or describe_chart(data))
    if caption:
        figure += nodes.caption(caption, caption)
    return figure


def describe_chart(data: Result) -> str:
    """Return the alternative text of a chart: what it shows, and its end points."""
    first, *others = data["heads"]
    description = f"{data['heading']}. {data['shows']}"
    if others and others != [data["shows"]] and others[0] != "chance":
        description += f" for {others[0]} to {others[-1]}" if len(others) > 1 else f" for {others[0]}"
    rows = data["panels"][0]["rows"]
    ends = [f"{first} {row[0]}: {', '.join(row[1:])}" for row in (rows[0], rows[-1])]
    return f"{description}, from {ends[0]} to {ends[1]}"


def difference(data: Result, before: str, after: str, caption: str) -> list[nodes.Node]:
    """Return the changes in words, and a table of the odds that changed most."""
    words = nodes.bullet_list(classes=["handful-diff"])
    for word in data["words"]:
        words += nodes.list_item("", nodes.paragraph("", word))
    built: list[nodes.Node] = [words] if data["words"] else []
    if not data["rows"]:
        return [*built, nodes.paragraph("", f"None of {data['compared']} odds moved.")]
    moved = f"{data['moved']} of {data['compared']} odds moved; the largest first"
    return [*built, grid(["check", before, after], data["rows"], caption or moved)]


def claims(verdicts: Sequence[Result]) -> list[nodes.Node]:
    """Return a table of verdicts for each source."""
    sources = dict.fromkeys(one["source"] for one in verdicts)
    return [_verdicts([one for one in verdicts if one["source"] == name]) for name in sources]


def _verdicts(verdicts: Sequence[Result]) -> nodes.table:
    rows = [[one["id"], one["says"], _figure(one), verdict(one)] for one in verdicts]
    true = sum(one["true"] for one in verdicts)
    source = f"{verdicts[0]['source']}: " if verdicts[0]["source"] else ""
    title = f"{source}{true} true, {len(verdicts) - true} false"
    table = grid(["claim", "says", "figure", "verdict"], rows, title)
    for entry in table.findall(nodes.entry):
        entry["classes"] = ["text-left"]
    for column, width in zip(table.findall(nodes.colspec), (15, 50, 12, 23), strict=True):
        column["colwidth"] = width
    return table


def verdict(one: Result) -> str:
    """Return a verdict in words, and the values that would make a false claim true."""
    if one["true"]:
        return "true"
    fits = [f"{fit['parameter']} {fit['value']} would fit" for fit in one["would_be_true"]]
    return "; ".join(["false", *fits])


def judged(one: Result) -> str:
    """Return a verdict with the actual figure."""
    return f"{verdict(one)}: {_real(one)}"


def falsehood(one: Result) -> str:
    """Return the error message of a false claim, in one line."""
    ends = " to ".join(_format(one, end) for end in one["range"])
    fits = [
        f"it would be true with {fit['parameter']}={fit['value']}: {_format(one, fit['figure'])}"
        for fit in one["would_be_true"]
    ]
    real = f"{_real(one)}, the words allow {ends}"
    return "; ".join([f"not true: {one['says']!r}: {real}", *fits])


def _real(one: Result) -> str:
    does = "changes by" if one["against"] else "is"
    return f"{one['shows']} {does} {_figure(one)}"


def _figure(one: Result) -> str:
    return "nothing" if one["figure"] is None else _format(one, one["figure"])


def _format(one: Result, typed: Any) -> str:
    return figure_format(one["shows"])(Fraction(typed))
