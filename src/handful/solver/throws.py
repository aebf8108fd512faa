"""The die of a reroll."""

from __future__ import annotations

from handful.dice import Die


def reroll_die(die: Die, keep: str, old: int) -> Die:
    """Return the die whose readings are those of a reroll that keeps the new, better or worse one."""
    if keep == "new":
        return die
    return die.at_least(old) if keep == "better" else die.at_most(old)
