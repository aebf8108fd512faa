"""Tables of odds as text; a grid wider than the terminal is split into parts."""

from __future__ import annotations

from collections.abc import Sequence

from handful.cli import layout
from handful.explore.figures import Figure
from handful.explore.sweep import Sweep, axis_name


def sweep_text(sweep: Sweep) -> str:
    """Return the output of `handful table`."""
    lines = [*layout.wrap_text(layout.apply_style(sweep.heading(), "bold")), f"showing {sweep.shows}"]
    for name, policy in sweep.assumed.items():
        lines += layout.wrap_text(f"assuming {name} = {policy}", 0, 2)
    if not sweep.axes:
        (figure,) = sweep.cells.values()
        return "\n".join([*lines, "", _cell(sweep.shows, figure)])
    for named, grid in sweep.panels():
        lines.append("")
        if named:
            lines.append(", ".join(f"{name} {value}" for name, value in named.items()))
        lines += _grid(sweep, grid)
    return "\n".join(lines)


def _cell(shows: str, figure: Figure) -> str:
    if figure is None:
        return "-"
    return layout.format_decimal(figure) if shows == "mean" else layout.format_percent(figure)


def _grid(sweep: Sweep, grid: Sequence[Sequence[Figure]]) -> list[str]:
    """Return a grid; with a single axis, a bar after each figure."""
    down, *other_axes = sweep.axes
    corner = axis_name(down, sweep.axes)
    first = max(len(corner), *map(len, down.labels))
    if not other_axes:
        rows = [(_cell(sweep.shows, row[0]), _bar(sweep.shows, row[0])) for row in grid]
        return [
            f"{corner:>{first}}  {sweep.shows:>8}",
            *(
                f"{label:>{first}}  {cell:>8}  {bar}".rstrip()
                for label, (cell, bar) in zip(down.labels, rows, strict=True)
            ),
        ]
    across = other_axes[0]
    widths = [
        max(len(label), *(len(_cell(sweep.shows, row[at])) for row in grid))
        for at, label in enumerate(across.labels)
    ]
    lines: list[str] = []
    for start, stop in _split_columns(widths, layout.width() - first - 2):
        heads = "".join(f"  {across.labels[n]:>{widths[n]}}" for n in range(start, stop))
        lines += [] if start == 0 else [""]
        lines.append(f"{'':>{first}}  {axis_name(across, sweep.axes)}")
        lines.append(f"{corner:>{first}}{heads}")
        for label, row in zip(down.labels, grid, strict=True):
            cells = "".join(f"  {_cell(sweep.shows, row[n]):>{widths[n]}}" for n in range(start, stop))
            lines.append(f"{label:>{first}}{cells}")
    return lines


def _bar(shows: str, figure: Figure) -> str:
    return "" if figure is None or shows == "mean" else layout.bar(figure, 50)


def _split_columns(widths: Sequence[int], room: int) -> list[tuple[int, int]]:
    """Split columns into ranges that fit the room."""
    parts, start, used = [], 0, 0
    for at, width in enumerate(widths):
        if used + width + 2 > room and at > start:
            parts.append((start, at))
            start, used = at, 0
        used += width + 2
    return [*parts, (start, len(widths))]
