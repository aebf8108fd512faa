"""Figures of a check's odds by name: a chance or a mean, as an exact fraction.

Names are those of `--show`: success, mean, wins:N, tie, event:NAME, at-least:N, exactly:N.
None means that the check has no such figure.
"""

from __future__ import annotations

from fractions import Fraction

from handful.errors import Message, Refused, did_you_mean
from handful.odds import Odds

Figure = Fraction | None
MEASURES = ("success", "mean", "wins:N", "tie", "event:NAME", "at-least:N", "exactly:N")


def measure(wanted: str, odds: Odds) -> Figure:
    """Return a figure of some odds by its name; None if the check has none."""
    name, _, what = wanted.partition(":")
    match name:
        case "success":
            return odds.success[0] if isinstance(odds.success, tuple) else odds.success
        case "mean":
            return odds.mean
        case "tie":
            return odds.tie
        case "wins":
            wins = odds.wins
            at = _read_int(wanted, what or "1") - 1
            return wins[at] if wins is not None and 0 <= at < len(wins) else None
        case "event":
            return odds.events[what] if what in odds.events else _zero_chance(what, odds)
        case "at-least":
            return at_least(odds, _read_int(wanted, what))
        case "exactly":
            return odds.distribution.get(_read_int(wanted, what), Fraction(0))
    raise Refused(Message("query.unknown_figure", wanted=wanted[:40], measures=MEASURES))


def fraction_text(figure: Figure) -> str | None:
    """Return a figure for JSON: an exact fraction as text."""
    return None if figure is None else str(figure)


def _zero_chance(event: str, odds: Odds) -> Fraction:
    """Return 0 for an event that cannot happen here; refuse one that the game does not have."""
    events = odds.bound.ruleset.events if odds.bound is not None else {event: {}}
    if event not in events:
        raise Refused(
            Message("query.unknown_event", event=event[:40], events=events),
            did_you_mean(event, list(events)),
        )
    return Fraction(0)


def at_least(odds: Odds, number: int) -> Fraction:
    """Return the chance of at least `number`, including the tail beyond the listed results."""
    listed = sum((p for value, p in odds.distribution.items() if value >= number), Fraction(0))
    return listed + (odds.tail.probability if odds.tail is not None else 0)


def _read_int(wanted: str, typed: str) -> int:
    try:
        return int(typed)
    except ValueError:
        name = wanted.partition(":")[0]
        raise Refused(Message("query.figure_needs_number", name=name)) from None


def default_measure(odds: Odds) -> str:
    """Return the default figure of a check: success, the first side's win, or the mean."""
    if odds.success is not None:
        return "success"
    return "wins:1" if odds.wins is not None else "mean"
