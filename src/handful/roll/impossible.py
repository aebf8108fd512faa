"""Explains why a check cannot be made, for example because its modifiers leave no dice.

A ruleset lists the events that make a check impossible (`impossible`); the explanation names the modifiers
and the event in the ruleset's wording.
"""

from __future__ import annotations

from fractions import Fraction

from handful.roll.binding import BoundCheck
from handful.roll.machine import start
from handful.roll.node import Modifier, Node
from handful.rules.ruleset import localize


def why_impossible(bound: BoundCheck, node: Node | None = None, language: str = "en") -> str:
    """Return the reason why a check cannot be made, in words; empty where it can.

    >>> import handful
    >>> from handful.roll import bind
    >>> rules = handful.ruleset("me-d6").rules
    >>> why_impossible(bind(rules, "check", [], {"dice": "2D", "wound": "wounded"}))
    'Die code: +2 dice, Wound: -3 dice. No dice left: this cannot be attempted'
    >>> why_impossible(bind(rules, "check", [], {"dice": "4D", "wound": "wounded"}))
    ''
    """
    rules = bound.ruleset
    if not rules.impossible:
        return ""
    node = start(bound) if node is None else node
    found = [one for one in rules.impossible if one in node.events]
    if not found or node.outcome is None or node.trace.dice:
        return ""
    modifiers_text = [
        f"{rules.wording(one.source, language)}: {_signed(one)} "
        f"{rules.wording(one.unit, language, amount=one.amount)}"
        for one in _missing(node.trace.modifiers)
    ]
    event_text = localize(rules.events[found[0]], language)
    return f"{', '.join(modifiers_text)}. {event_text}" if modifiers_text else event_text


def _signed(one: Modifier) -> str:
    """Format an amount with its sign; halves as decimals."""
    amount = one.amount
    shown = float(amount) if isinstance(amount, Fraction) and amount.denominator == 2 else amount
    return f"{'+' if amount > 0 else ''}{shown}"


def _missing(modifiers: tuple[Modifier, ...]) -> list[Modifier]:
    """Return the first side's modifiers in the unit that is used up."""
    first_side = [one for one in modifiers if one.side <= 1]
    units = dict.fromkeys(one.unit for one in first_side)
    empty = [unit for unit in units if sum(one.amount for one in first_side if one.unit == unit) <= 0]
    return [one for one in first_side if one.unit in empty[:1]]
