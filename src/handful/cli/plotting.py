"""`--plot FILE`: save a chart; the file is written completely or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.library.files import write_atomically

if TYPE_CHECKING:
    from handful.explore.sweep import Sweep
    from handful.odds import Odds


def save_plot(figures: Sweep | Odds, path: str) -> None:
    """Render figures to a file; its extension decides the format."""
    from handful.plots import render  # imported late: matplotlib is slow to load

    write_atomically(path, render(figures, path))
