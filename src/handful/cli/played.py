"""The rolls of a session, as they were played: decisions can be taken back, dice that fell cannot.

Rolls never change, so taking back is putting an earlier one in the place of the last.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from handful.errors import Refused
from handful.library import Roll

if TYPE_CHECKING:
    from handful.sheet import Draft


class Played:
    """Every roll of a session; the last one may still be open."""

    def __init__(self) -> None:
        self.rolls: list[Roll] = []
        self.drafts: list[Draft | None] = []  # where each roll comes from
        self.taken_back: Counter[int] = Counter()  # decisions, by the place of their roll
        self._decided: list[Roll] = []  # the last roll at each of its decisions

    @property
    def open(self) -> bool:
        """Whether the last roll has not come to its end."""
        return bool(self.rolls) and not self.rolls[-1].finished

    def begin(self, roll: Roll, draft: Draft | None) -> None:
        self.rolls.append(roll)
        self.drafts.append(draft)
        self._decided = []

    def go_on(self, roll: Roll) -> None:
        """The last roll has come so far."""
        self.rolls[-1] = roll

    def decide(self, roll: Roll) -> None:
        """The last roll was decided on as it stood there."""
        self._decided.append(roll)

    def check_undo(self) -> None:
        """Refuses to take back what dice have followed."""
        if not self._decided:
            raise Refused("there is no decision to take back; dice that have fallen stay")
        if len(self._decided[-1].dice) < len(self.rolls[-1].dice):
            raise Refused(
                "dice have fallen since your last decision; they stay, and so does the decision"
            )

    def take_back(self) -> Roll:
        """The last roll as it was at its last decision."""
        self.rolls[-1] = self._decided.pop()
        self.taken_back[len(self.rolls) - 1] += 1
        return self.rolls[-1]
