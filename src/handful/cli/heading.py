"""What was asked, at the top of an answer: game, check, and what differs from the defaults."""

from __future__ import annotations

from handful.cli import layout
from handful.roll import Bound
from handful.roll.asked import asked_title, asked_words, house_rules, typed

__all__ = ["asked_words", "heading", "house_rules", "typed"]


def heading(bound: Bound) -> list[str]:
    """`UWR, Direct check: attribute=3.5 target=2`."""
    return [layout.apply_style(line, "bold") for line in layout.wrap_text(asked_title(bound), 0, 2)]
