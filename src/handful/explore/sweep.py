"""Tables of exact odds over ranges of parameters, as text, CSV, Markdown and data frames.

`Cells` computes the figures; this splits parameters into axes and formats the result.
Invariant: figures stay exact fractions until they are formatted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import product
from math import prod
from typing import Any

from handful.errors import Message, NotInstalled, Refused
from handful.explore.axes import MOST_CELLS, Axis, split_axes
from handful.explore.cells import Cells
from handful.explore.figures import Figure, fraction_text
from handful.records import field, record
from handful.rules.name_resolution import resolve_parameters
from handful.rules.ruleset import Ruleset, localize
from handful.solver.solver import SolvedRules

Progress = Callable[[int, int], None]
MIN_SHOWN = Fraction(1, 2000)  # smaller chances would be rounded to 0.0%
REPORT = 50  # cells between two progress reports


@record(eq=False)
class Sweep:
    """Figures of a check over ranges: the first axis gives rows, the second columns."""

    rules: Ruleset
    check: str
    axes: tuple[Axis, ...]
    fixed: Mapping[str, Any]  # the fixed parameters, as typed
    shows: str
    policy: str
    cells: Mapping[tuple[int, ...], Figure]  # by the indices of the values
    assumed: Mapping[str, str] = field(default_factory=dict)  # policy of each decision, in words

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each cell: its parameters and the exact figure."""
        for index, figure in self.cells.items():
            named = {
                axis_name(axis, self.axes): axis.values[at] for axis, at in zip(self.axes, index, strict=True)
            }
            yield named | {self.shows: figure}

    def panels(self) -> Iterator[tuple[dict[str, Any], list[list[Figure]]]]:
        """Yield a grid of the first two axes for each combination of the others."""
        lengths = [len(axis.values) for axis in self.axes] + [1] * (2 - len(self.axes))
        heights, widths = range(lengths[0]), range(lengths[1])
        for rest in product(*(range(length) for length in lengths[2:])):
            named = {
                axis_name(axis, self.axes): axis.values[at]
                for axis, at in zip(self.axes[2:], rest, strict=True)
            }
            yield (
                named,
                [[self.cells[(y, x, *rest)[: len(self.axes)]] for x in widths] for y in heights],
            )

    def to_dict(self) -> dict[str, Any]:
        return {
            "ruleset": {"id": self.rules.id, "hash": self.rules.hash},
            "check": self.check,
            "fixed": dict(self.fixed),
            "shows": self.shows,
            "policy": self.policy,
            "axes": [
                {"parameter": one.name, "side": one.side, "values": list(one.values)} for one in self.axes
            ],
            "cells": [[*index, fraction_text(figure)] for index, figure in self.cells.items()],
        }

    def to_csv(self) -> str:
        """Return CSV: a line for each cell, with the figure as a decimal and as a fraction."""
        names = [axis_name(axis, self.axes) for axis in self.axes]
        lines = [[*names, self.shows, "exact"]]
        for row in self.rows():
            figure = row[self.shows]
            lines.append([*(str(row[name]) for name in names), _decimal(figure), fraction_text(figure) or ""])
        return "".join(",".join(map(_quoted, line)) + "\n" for line in lines)

    def to_markdown(self) -> str:
        """Return a Markdown table for each panel."""
        lines = []
        for named, (heads, *rows) in self.grids():
            lines += [f"**{named}**\n"] if named else []
            lines += [f"| {' | '.join(heads)} |", "|" + "---:|" * len(heads)]
            lines += [*(f"| {' | '.join(row)} |" for row in rows), ""]
        return "\n".join(lines)

    def grids(self) -> Iterator[tuple[str, list[list[str]]]]:
        """Yield each panel as texts: its caption, and its rows with the headings first."""
        down = self.axes[0] if self.axes else None
        across = self.axes[1] if len(self.axes) > 1 else None
        heads = [f"{across.name} {one}" for one in across.labels] if across else [self.shows]
        for named, grid in self.panels():
            rows = [[axis_name(down, self.axes) if down else "", *heads]]
            for label, row in zip(down.labels if down else [""], grid, strict=True):
                rows.append([label, *map(figure_format(self.shows), row)])
            yield ", ".join(f"{name} {value}" for name, value in named.items()), rows

    def heading(self) -> str:
        """Return a title such as `UWR, Direct check: rerolls=1`."""
        fixed = ", ".join(f"{name}={value}" for name, value in self.fixed.items())
        title = f"{localize(self.rules.title)}, {localize(self.rules.checks[self.check].title)}"
        return f"{title}: {fixed}" if fixed else title

    def __repr__(self) -> str:
        over = " × ".join(f"{axis_name(one, self.axes)} ({len(one.values)})" for one in self.axes)
        return f"<table {self.rules.id} {self.check}: {self.shows} over {over or 'nothing'}>"

    def _repr_markdown_(self) -> str:
        """Return Markdown for notebooks: title, tables and assumptions."""
        assumed = "".join(f"\nassuming {name} = {how}\n" for name, how in self.assumed.items())
        return f"**{self.heading()}**\n\n{self.to_markdown()}{assumed}"

    def to_pandas(self) -> Any:
        """Return a pandas data frame with a row for each cell."""
        return _import_optional("pandas").DataFrame(_floats(self))

    def to_polars(self) -> Any:
        """Return a polars data frame with a row for each cell."""
        return _import_optional("polars").DataFrame(_floats(self))


def _import_optional(name: str) -> Any:
    """Import an optional library; raise NotInstalled if it is missing."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise NotInstalled(Message("query.needs_package", name=name), f"pip install {name}") from None


def _floats(sweep: Sweep) -> list[dict[str, Any]]:
    rows = []
    for row in sweep.rows():
        figure = row[sweep.shows]
        rows.append({**row, sweep.shows: None if figure is None else float(figure)})
    return rows


def axis_name(axis: Axis, axes: Sequence[Axis]) -> str:
    """Return a parameter's name, with the side if it is ambiguous."""
    twice = sum(one.name == axis.name for one in axes) > 1
    return f"{axis.name} {max(axis.side, 1)}" if twice or axis.side > 1 else axis.name


def figure_format(shows: str) -> Callable[[Figure], str]:
    """Return a formatter for figures: chances in per cent, means as decimals."""

    def show(figure: Figure) -> str:
        if figure is None:
            return "–"
        if shows == "mean":
            return f"{float(figure):.2f}"
        if 0 < figure < MIN_SHOWN or 1 - MIN_SHOWN < figure < 1:  # must not look like never or always
            return "<0.1%" if figure < MIN_SHOWN else ">99.9%"
        return f"{100 * float(figure):.1f}%"

    return show


def _quoted(cell: str) -> str:
    """Quote a CSV cell if necessary."""
    if not any(one in cell for one in ',"\n'):
        return cell
    doubled = cell.replace('"', '""')
    return f'"{doubled}"'


def _decimal(figure: Figure) -> str:
    return "" if figure is None else repr(float(figure))


def sweep(
    rules: Ruleset,
    check_name: str,
    sides: Sequence[Mapping[str, Any]] = (),
    params: Mapping[str, Any] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    shows: str = "",
    policy: str = "usual",
    progress: Progress | None = None,
    most: int | None = None,
    solved: SolvedRules | None = None,
) -> Sweep:
    """Compute exact figures for every combination of the axes' values."""
    check = rules.check(check_name)
    given = sides or ([{}] if check.sides else [])
    own = [resolve_parameters(rules, check, side) for side in given]
    axes, fixed, overall = split_axes(check, own, resolve_parameters(rules, check, params or {}))
    count = prod(len(axis.values) for axis in axes)
    most = MOST_CELLS if most is None else most
    if count > most:
        raise Refused(Message("query.too_many_cells", count=count, most=most))
    cells = Cells(
        rules, check, axes, fixed, overall, options=options, shows=shows, policy=policy, solved=solved
    )
    figures: dict[tuple[int, ...], Figure] = {}
    done = 0
    for index in product(*(range(len(one.values)) for one in axes[:-1])):
        for at, figure in enumerate(cells.row(index)):
            figures[(*index, at)[: len(axes)]] = figure
            if progress is not None and done % REPORT == 0:
                progress(done, count)
            done += 1
    typed = {**overall, **{f"{k} {n}": v for n, s in enumerate(fixed, 1) for k, v in s.items()}}
    shows = cells.shows or "success"
    return Sweep(rules, check.name, tuple(axes), typed, shows, policy, figures, cells.assumed())


def as_fraction(typed: str) -> Fraction:
    """Parse a chance as typed: 80%, 0.8, 4/5."""
    text = typed.strip()
    try:
        found = Fraction(text.rstrip("%").strip()) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise Refused(Message("query.not_a_chance", typed=typed[:40])) from None
    if not 0 <= found <= 1:
        raise Refused(Message("query.chance_out_of_range", typed=typed[:40]))
    return found
