"""What a cell of a table shows: a chance or a mean, exactly, taken from the odds of a check."""

from __future__ import annotations

from fractions import Fraction

from handful.errors import Refused, did_you_mean, format_choices
from handful.odds import Odds

Figure = Fraction | None
MEASURES = ("success", "mean", "wins:N", "tie", "event:NAME", "at-least:N", "exactly:N")


def measure(wanted: str, odds: Odds) -> Figure:
    """One figure of some odds; None where there is none."""
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
    raise Refused(f"there is no figure {wanted[:40]!r}; there is {format_choices(MEASURES)}")


def fraction_text(figure: Figure) -> str | None:
    """Write a figure as JSON has it: an exact fraction."""
    return None if figure is None else str(figure)


def _zero_chance(event: str, odds: Odds) -> Fraction:
    """The chance of an event that does not happen here; one that no game knows is refused."""
    known = odds.bound.ruleset.events if odds.bound is not None else {event: {}}
    if event not in known:
        raise Refused(
            f"there is no event {event[:40]!r}; there is {format_choices(known)}",
            did_you_mean(event, list(known)),
        )
    return Fraction(0)


def at_least(odds: Odds, number: int) -> Fraction:
    """The chance of a result or more; what is beyond the listed ones counts as more."""
    listed = sum((p for value, p in odds.distribution.items() if value >= number), Fraction(0))
    return listed + (odds.tail.probability if odds.tail is not None else 0)


def _read_int(wanted: str, typed: str) -> int:
    try:
        return int(typed)
    except ValueError:
        name = wanted.partition(":")[0]
        raise Refused(f"{name}: needs a whole number, such as {name}:2") from None


def default_measure(odds: Odds) -> str:
    """What is shown when nobody says what: a success, who wins, or the mean."""
    if odds.success is not None:
        return "success"
    return "wins:1" if odds.wins is not None else "mean"
