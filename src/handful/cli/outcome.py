"""The outcome of a finished roll in words: result, target, and margin."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from handful.cli import layout
from handful.library import Roll

NO_TARGET = "(no target)"


def verdict(roll: Roll) -> str:
    """Return the outcome, such as `5 successes against 2: success by 3`."""
    name = roll.bound.ruleset.wording(roll.bound.check.main)
    if roll.result is None:
        return f"no result: {_success_word(roll.success)}" if roll.success is not None else "no result"
    got = _result_text(roll, name)
    winner = _winner_text(roll)
    if roll.success is None and winner:
        return winner if roll.bound.check.main == "winner" else f"{got}; {winner}"
    if roll.success is None:
        return f"{got} {NO_TARGET}"
    if isinstance(roll.success, tuple):
        return f"{got}: {_against_each(roll.success)}"
    target = _target(roll)
    against = f" against {format_number(target)}" if target is not None else ""
    ending = f"; {winner}" if winner else ""
    return f"{got}{against}: {_success_word(roll.success)}{_margin_text(roll)}{ending}"


def _result_text(roll: Roll, name: str) -> str:
    """Return the result: `5 successes`, `1 success`, or `total 5` where the name does not count."""
    one = roll.bound.ruleset.wording(roll.bound.check.main, amount=roll.result)
    counts = name.endswith("s") if abs(roll.result) != 1 else one != name
    return f"{format_number(roll.result)} {one}" if counts else f"{name} {format_number(roll.result)}"


def format_number(value: Any) -> str:
    """Format a number as `3.5` or `7/3`."""
    if isinstance(value, Fraction) and value.denominator in (2, 4, 5, 10):
        return str(float(value))
    return str(value)


def _target(roll: Roll) -> Any:
    """Return the target; None in a contest, where the tally shows the other side's result."""
    if roll.margin is None or _wins(roll) is not None:
        return None
    return roll.result - roll.margin


def _success_word(success: Any) -> str:
    return "success" if success else "failure"


def _margin_text(roll: Roll) -> str:
    if roll.margin is None:
        return ""
    if roll.margin == 0:
        return ", just enough" if roll.success else ", a tie is not enough"
    in_favour = (roll.margin > 0) == bool(roll.success)
    if in_favour:
        return f" by {format_number(abs(roll.margin))}"
    return f" (margin {layout.format_signed(roll.margin)})"


def _against_each(success: tuple[Any, ...]) -> str:
    return ", ".join(f"{_success_word(one)} against side {side}" for side, one in enumerate(success, 2))


def _wins(roll: Roll) -> Any:
    return None if roll.node.outcome is None else roll.node.outcome.get("wins")


def _winner_text(roll: Roll) -> str:
    """Return `side 2 wins`; empty for a check that has no winner."""
    wins = _wins(roll)
    if roll.bound.check.main == "winner" and roll.bound.check.sides is not None and wins is None:
        return f"side {roll.result} wins" if roll.result else "a tie, nobody wins"
    if wins is None or len(wins) < 2:
        return ""
    winners = [str(side) for side, won in enumerate(wins, 1) if won]
    if not winners:
        return "a tie, nobody wins"
    if len(winners) > 1:
        return f"sides {', '.join(winners[:-1])} and {winners[-1]} win"
    return f"side {winners[0]} wins"
