"""`--plot FILE`: a picture that is there whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.library.files import write_whole

if TYPE_CHECKING:
    from handful.explore.sweep import Sweep
    from handful.odds import Odds


def save_plot(shown: Sweep | Odds, path: str) -> None:
    from handful.plots import picture  # few ask for a picture

    write_whole(path, picture(shown, path))
