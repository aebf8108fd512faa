"""Draws the growth curves as SVG: one panel per family, time above memory, on log scales."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, log10
from typing import Any

LINES = {"handful": ("#0b5cad", ""), "icepool": ("#c2571a", "5 3"), "dyce": ("#3d7d3a", "1.5 2.5")}
MEASURES = {"seconds": ("milliseconds", 1e3), "bytes": ("kilobytes", 1 / 1024)}
WIDTH, HEIGHT, LEFT, TOP, GAP = 150, 150, 56, 44, 26
MAX_DICE = 100

Growth = dict[str, dict[str, list[dict[str, Any]]]]


def chart(growth: Growth) -> str:
    """Return the chart as an SVG document."""
    across = LEFT + len(growth) * (WIDTH + GAP)
    down = TOP + len(MEASURES) * (HEIGHT + GAP) + 24
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" '
            f'width="{across}" height="{down}" font-family="sans-serif" font-size="11">',
            f'<rect width="{across}" height="{down}" fill="white"/>',
            *_legend(),
            *(line for place in range(len(MEASURES)) for line in _row(growth, place)),
            f'<text x="{across / 2}" y="{down - 8}" text-anchor="middle">number of dice</text>',
            "</svg>",
            "",
        ]
    )


def _legend() -> Iterator[str]:
    for place, (name, (colour, dashes)) in enumerate(LINES.items()):
        x = LEFT + place * 110
        yield _path([(x, 12), (x + 26, 12)], colour, dashes)
        yield f'<text x="{x + 32}" y="16">{name}</text>'


def _row(growth: Growth, place: int) -> Iterator[str]:
    measure, (unit, scale) = list(MEASURES.items())[place]
    values = [
        point[measure] * scale
        for lines in growth.values()
        for points in lines.values()
        for point in points
        if point.get(measure)
    ]
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    top = TOP + place * (HEIGHT + GAP)
    middle = top + HEIGHT / 2
    yield (f'<text transform="translate(12 {middle}) rotate(-90)" text-anchor="middle">{unit}</text>')
    for column, (family, lines) in enumerate(growth.items()):
        x = LEFT + column * (WIDTH + GAP)
        if place == 0:
            yield f'<text x="{x}" y="{top - 8}" font-weight="bold">{family}</text>'
        yield from _frame(x, top, low, high, first=column == 0)
        for name, points in lines.items():
            line = [
                (
                    x + WIDTH * point["dice"] / MAX_DICE,
                    _height(point[measure] * scale, top, low, high),
                )
                for point in points
                if point.get(measure)
            ]
            yield _path(line, *LINES[name])


def _height(value: float, top: float, low: int, high: int) -> float:
    return top + HEIGHT * (high - log10(value)) / (high - low)


def _frame(x: float, top: float, low: int, high: int, *, first: bool) -> Iterator[str]:
    for power in range(low, high + 1):
        y = _height(10.0**power, top, low, high)
        yield _path([(x, y), (x + WIDTH, y)], "#ddd", "", 0.7)
        if first:
            yield f'<text x="{x - 5}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>'
    for dice in (0, 50, 100):
        place = f'x="{x + WIDTH * dice / MAX_DICE}" y="{top + HEIGHT + 13}"'
        yield f'<text {place} text-anchor="middle" fill="#555">{dice}</text>'


def _path(points: list[tuple[float, float]], colour: str, dashes: str, width: float = 1.8) -> str:
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{width}" '
        f'stroke-dasharray="{dashes}"/>'
    )
