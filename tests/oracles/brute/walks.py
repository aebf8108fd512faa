"""All ways from a state to its ends: their outcomes under a policy, or their value at best play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod
from typing import Any

from .state import Ask, Choose, Reply, State, Throw
from .values import plain

Outcome = tuple[tuple[tuple[str, Any], ...], frozenset[str]]
MOST_DEEP = 300  # throws and decisions on one way


class TooManyWays(Exception):
    """There are too many ways to play the check."""


def usual_reply(wanted: Choose | Ask) -> Reply:
    """Return what odds assume that people answer."""
    if isinstance(wanted, Ask):
        return wanted.usual
    return tuple(landed.number for landed in wanted.usual)


def never_reply(wanted: Choose | Ask) -> Reply:
    """Return what those answer who never use a decision."""
    return wanted.never if isinstance(wanted, Ask) else ()


@dataclass
class Counting:
    """A count of ways that stops where they are too many."""

    cut: Fraction
    most: int
    alike: bool
    ways: int = 0

    def count(self) -> None:
        self.ways += 1
        if self.ways > self.most:
            raise TooManyWays(f"more than {self.most} ways")

    def landings(self, throw: Throw, deep: int) -> Iterator[tuple[Reply, Fraction]]:
        """Yield the ways of a throw that a rule can tell apart."""
        if deep > MOST_DEEP:
            raise TooManyWays(f"more than {MOST_DEEP} throws and decisions")
        ways = Counter(throw.die)
        faces = [(throw.die.index(reading) + 1, count) for reading, count in ways.items()]
        dice = len(throw.of)
        if self.alike and not throw.old:  # the dice of a reroll differ by what they read before
            return self._unordered(faces, dice, len(throw.die) ** dice)
        if len(faces) ** dice > self.most:
            raise TooManyWays(f"more than {self.most} ways")
        return _ordered(faces, dice, len(throw.die) ** dice)

    def _unordered(
        self, faces: list[tuple[int, int]], dice: int, total: int
    ) -> Iterator[tuple[Reply, Fraction]]:
        for thrown in combinations_with_replacement(faces, dice):
            orders = factorial(dice) // prod(map(factorial, Counter(thrown).values()))
            ways = orders * prod(count for _, count in thrown)
            yield tuple(face for face, _ in thrown), Fraction(ways, total)


def _ordered(faces: list[tuple[int, int]], dice: int, total: int) -> Iterator[tuple[Reply, Fraction]]:
    for thrown in product(faces, repeat=dice):
        chance = Fraction(prod(count for _, count in thrown), total)
        yield tuple(face for face, _ in thrown), chance


@dataclass
class Walk(Counting):
    """All ways under a policy, followed one after the other."""

    policy: str = "usual"
    outcomes: dict[Outcome, Fraction] = field(default_factory=dict)
    left: Fraction = Fraction(0)

    def go(self, state: State, chance: Fraction, deep: int = 0) -> None:
        if state.outcome is not None:
            self.count()
            self.add(state.outcome, state.events, chance)
        elif chance < self.cut:
            self.count()
            self.left += chance
        elif isinstance(state.wanted, Throw):
            for faces, share in self.landings(state.wanted, deep):
                self.go(state.after(faces), chance * share, deep + 1)
        elif state.wanted is not None:
            reply = usual_reply if self.policy == "usual" else never_reply
            self.go(state.after(reply(state.wanted)), chance, deep + 1)

    def add(self, result: Mapping[str, Any], events: frozenset[str], chance: Fraction) -> None:
        fields = tuple(sorted((name, plain(value)) for name, value in result.items()))
        outcome = fields, events
        self.outcomes[outcome] = self.outcomes.get(outcome, Fraction(0)) + chance


@dataclass(frozen=True)
class Worth:
    """Chance of success, sum and mass of the main result, and the chance of each side to win.

    A check has a success if any of its results has one; those without do not count as one.
    """

    success: Fraction | None = None
    total: Fraction = Fraction(0)
    mass: Fraction = Fraction(0)
    wins: tuple[Fraction, ...] = ()

    def plus(self, other: Worth, share: Fraction) -> Worth:
        success = self.success
        if other.success is not None:
            success = (success or Fraction(0)) + share * other.success
        pairs = zip(self.wins or (Fraction(0),) * len(other.wins), other.wins, strict=False)
        wins = tuple(own + share * further for own, further in pairs)
        return Worth(
            success,
            self.total + share * other.total,
            self.mass + share * other.mass,
            wins or self.wins,
        )

    @property
    def value(self) -> Fraction:
        if self.success is not None:
            return self.success
        return self.total / self.mass if self.mass else Fraction(0)

    def to(self, side: int) -> Fraction:
        return self.wins[side - 1] if side and self.wins else self.value


@dataclass
class Best(Counting):
    """Expectimax: each decision of a player takes the answer that is worth most to its side."""

    main: str = ""
    players: Set[str] = frozenset()

    def go(self, state: State, chance: Fraction, deep: int = 0) -> Worth:
        if state.outcome is not None:
            self.count()
            return self.worth(state.outcome)
        if chance < self.cut:
            self.count()
            return Worth()
        if isinstance(state.wanted, Throw):
            total = Worth()
            for faces, share in self.landings(state.wanted, deep):
                after = self.go(state.after(faces), chance * share, deep + 1)
                total = total.plus(after, share)
            return total
        assert state.wanted is not None
        if state.wanted.decision not in self.players:
            return self.go(state.after(usual_reply(state.wanted)), chance, deep + 1)
        answers = [self.go(state.after(r), chance, deep + 1) for r in replies(state.wanted)]
        return max(answers, key=lambda worth: worth.to(state.side))

    def worth(self, result: Mapping[str, Any]) -> Worth:
        success, wins, main = result.get("success"), result.get("wins") or (), result[self.main]
        if isinstance(success, tuple):
            success = all(success)
        return Worth(
            None if success is None else Fraction(success),
            Fraction(main or 0),
            Fraction(main is not None),
            tuple(map(Fraction, wins)),
        )


def replies(wanted: Choose | Ask) -> list[Reply]:
    """List every answer to a decision."""
    if isinstance(wanted, Ask):
        return list(wanted.options)
    numbers = [landed.number for landed in wanted.pool]
    counts = range(wanted.at_most + 1)
    return [picked for count in counts for picked in combinations(numbers, count)]
