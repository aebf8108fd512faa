"""Heading of an answer: game, check, and parameters that differ from their defaults."""

from __future__ import annotations

from handful.cli import layout
from handful.roll import BoundCheck
from handful.roll.formatting import format_house_rules, format_parameters, format_title, format_value

__all__ = ["format_house_rules", "format_parameters", "format_value", "heading"]


def heading(bound: BoundCheck) -> list[str]:
    """Return the heading, such as `UWR, Direct check: attribute=3.5 target=2`."""
    return [layout.apply_style(line, "bold") for line in layout.wrap_text(format_title(bound), 0, 2)]
