"""Odds over ranges: tables, inverse questions, comparisons and claims.

    sweep(rules, "direct", params={"attribute": "1..8", "target": "1..3"})
    solve(rules, "direct", "attribute", Fraction(4, 5), params={"target": 2})

Pure: everything is worked out from exact odds, and nothing about a game is known here.
"""

from handful.explore.axes import MOST_CELLS, Axis, spread
from handful.explore.figures import Figure, measure
from handful.explore.inverse import Answer, solve
from handful.explore.sweep import Sweep, sweep

__all__ = [
    "MOST_CELLS",
    "Answer",
    "Axis",
    "Figure",
    "Sweep",
    "measure",
    "solve",
    "spread",
    "sweep",
]
