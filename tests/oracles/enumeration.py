"""Odds by playing a check with every face that every die can show.

The machine of play is given each combination of faces, and answers decisions by a policy. What
comes out is counted; nothing of the solver is used. A check without end is followed until a way
is less likely than `cut`: what is left over then is known, and every chance is known up to that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from handful.odds import Odds
from handful.roll import BoundCheck, Node, Throw, policy_reply, resume, start


class TooManyWays(Exception):
    """There are too many ways to play the check."""


@dataclass
class Played:
    """Outcomes of all ways to play a check, with their chances."""

    results: dict[Any, Fraction] = field(default_factory=dict)
    events: dict[str, Fraction] = field(default_factory=dict)
    success: Fraction | None = None
    wins: tuple[Fraction, ...] | None = None
    tie: Fraction = Fraction(0)
    left: Fraction = Fraction(0)  # the chance of the ways that were not followed to their end

    def add(self, node: Node, chance: Fraction) -> None:
        assert node.outcome is not None
        total, success = node.outcome["total"], node.outcome.get("success")
        if total is not None:
            self.results[total] = self.results.get(total, Fraction(0)) + chance
        for name in node.events:
            self.events[name] = self.events.get(name, Fraction(0)) + chance
        if success is not None:
            self.success = (self.success or Fraction(0)) + (chance if success else 0)
        self.add_wins(node.outcome.get("wins"), chance)

    def add_wins(self, wins: tuple[bool, ...] | None, chance: Fraction) -> None:
        if wins is None:
            return
        before = self.wins or (Fraction(0),) * len(wins)
        self.wins = tuple(p + (chance if won else 0) for p, won in zip(before, wins, strict=True))
        if not any(wins):
            self.tie += chance

    @property
    def mean(self) -> Fraction | None:
        mass = sum(self.results.values(), Fraction(0))
        total = sum((value * p for value, p in self.results.items()), Fraction(0))
        return total / mass if mass else None


def enumerated(
    check: BoundCheck,
    node: Node | None = None,
    *,
    policy: str = "usual",
    most: int = 100_000,
    cut: Fraction = Fraction(0),
) -> Played:
    """Everything that can come of a check, from the start or from a pause."""
    played = Played()
    todo = [(node or start(check), Fraction(1))]
    ways = 0
    while todo:
        node, chance = todo.pop()
        ways += 1
        if ways > most:
            raise TooManyWays
        if node.outcome is not None:
            played.add(node, chance)
        elif chance < cut:
            played.left += chance
        else:
            todo.extend((after, chance * p) for after, p in following(check, node, policy))
    return played


def following(check: BoundCheck, node: Node, policy: str = "usual") -> Iterator[tuple[Node, Fraction]]:
    """The nodes after a pause with their chances: each way to throw, or the policy's answer."""
    ask = node.ask
    if not isinstance(ask, Throw):
        yield resume(check, node, policy_reply(node, policy)), Fraction(1)
        return
    share = Fraction(1, ask.sides**ask.count)
    for faces in product(range(1, ask.sides + 1), repeat=ask.count):
        yield resume(check, node, faces), share


def differences(made: Odds, played: Played) -> list[str]:
    """Return the contradictions between odds and enumeration."""
    found = []
    for value in {*made.distribution, *played.results}:
        chance = made.distribution.get(value)
        if chance is None:
            # beyond the list of an endless distribution only the sum of the chances is known
            chance = made.tail.probability if made.tail and value >= made.tail.start else 0
            agrees = played.results[value] <= chance
        else:
            agrees = _within(chance, played.results.get(value, Fraction(0)), played.left)
        if not agrees:
            found.append(f"{value}: odds {chance}, played {played.results.get(value)}")
    for name in {*made.events, *played.events}:
        chance, seen = made.events.get(name, Fraction(0)), played.events.get(name, Fraction(0))
        if not _within(chance, seen, played.left):
            found.append(f"{name}: odds {chance}, played {seen}")
    if _contradicts(made.success, played):
        found.append(f"success: odds {made.success}, played {played.success}")
    for place, seen in enumerate(played.wins or ()):
        if made.wins is None or not _within(made.wins[place], seen, played.left):
            found.append(f"side {place + 1} wins: odds {made.wins}, played {seen}")
    if played.wins and (made.tie is None or not _within(made.tie, played.tie, played.left)):
        found.append(f"tie: odds {made.tie}, played {played.tie}")
    if not played.left and made.mean != played.mean:
        found.append(f"mean: odds {made.mean}, played {played.mean}")
    return sorted(found)


def _within(chance: Fraction, seen: Fraction, left: Fraction) -> bool:
    return seen <= chance <= seen + left


def _contradicts(success: Any, played: Played) -> bool:
    if success is None or played.success is None:
        return (success is None) != (played.success is None) and not played.left
    return isinstance(success, Fraction) and not _within(success, played.success, played.left)
