"""Tu'urna by closed forms, by counting faces and by trying every combination of results.

Independent of the package: plain Python and fractions, no rule text, no packed numbers.
R- and AMB-numbers are those of the reference specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor
from typing import TypeVar

Distribution = dict[int, Fraction]
Key = TypeVar("Key")

FACES = (1, 2, 3, 4, 5, 6)
LOSING = {"cursed": 2, "unlucky": 2, "neutral": 2, "lucky": 1, "blessed": 0}  # faces up to here
GROWING = {"cursed": 7, "unlucky": 6, "neutral": 5, "lucky": 5, "blessed": 5}  # from here on
STEPS = {"cursed": -2, "unlucky": -1, "neutral": 0, "lucky": 1, "blessed": 2}
MORTAL, SUPERNATURAL = 9, 12


# -- what is settled before the dice


def bounded(updates: int, minima: Sequence[int] = (), maxima: Sequence[int] = ()) -> int:
    """One Labor or Leverage from its updates and bounds (R-12 to R-15)."""
    if minima and maxima and min(maxima) < max(minima):
        minima = ()
    return min([max([updates, *minima]), *maxima])


def dice_of(level: int, labor: int = 0, level0: str = "forbid") -> int | None:
    """Return the number of dice thrown, or None if the check cannot be attempted (R-17, AMB-R6)."""
    if level >= 1:
        return max(1, level + labor)
    if labor > 0:
        return labor
    return {"forbid": None, "score0": 0, "one_die": 1}[level0]


def combined_fate(fates: Sequence[str], combine: str = "sum") -> str:
    """Several Fates on one Roll as one (AMB-R8); the Narrator's ruling is not ours to know."""
    steps = [STEPS[fate] for fate in fates]
    step = sum(steps)
    if combine == "strongest":
        strength = max(map(abs, steps))
        strongest = {step for step in steps if abs(step) == strength}
        step = strongest.pop() if len(strongest) == 1 else 0
    step = max(-2, min(2, step))
    return next(fate for fate, own in STEPS.items() if own == step)


# -- one Roll


def thrown(dice: int, fate: str, faces: Iterable[int]) -> tuple[int, int]:
    """Wins and dice thrown when the dice fall as given, wave by wave."""
    stream = iter(faces)
    wins = count = 0
    waiting = dice
    while waiting:
        wave = [next(stream) for _ in range(waiting)]
        count += len(wave)
        wins += sum(face > LOSING[fate] for face in wave)
        waiting = sum(face >= GROWING[fate] for face in wave)
    return wins, count


def wins_of_one(fate: str, most: int) -> list[Fraction]:
    """P(one die and its extra dice win exactly w) for w = 0 … most, in closed form."""
    loss = Fraction(LOSING[fate], 6)
    more = Fraction(7 - GROWING[fate], 6)
    stop = 1 - loss - more
    # w extra dice and then a loss, or one fewer and then a win without another die
    rest = [more**w * loss + more ** (w - 1) * stop for w in range(1, most + 1)]
    return [loss, *rest]


@cache
def _wins(dice: int, fate: str, most: int) -> tuple[Fraction, ...]:
    if dice == 0:
        return (Fraction(1), *[Fraction(0)] * (most - 1))
    fewer, one = _wins(dice - 1, fate, most), wins_of_one(fate, most)
    return tuple(total(fewer[a] * one[w - a] for a in range(w + 1)) for w in range(most))


def wins(dice: int, fate: str = "neutral", most: int = MORTAL) -> Distribution:
    """P(W = w); the entry `most` holds everything from there on."""
    exact = _wins(dice, fate, most)
    return nonzero({**dict(enumerate(exact)), most: 1 - total(exact)})


@cache
def _wins_by_faces(waiting: int, fate: str, left: int) -> tuple[Fraction, ...]:
    """P(further wins = w) for w = 0 … left, throwing one die after the other."""
    if waiting == 0 or left == 0:
        return (Fraction(1), *[Fraction(0)] * left)
    chances = [Fraction(0)] * (left + 1)
    for face in FACES:
        win = face > LOSING[fate]
        grows = face >= GROWING[fate]
        rest = _wins_by_faces(waiting - 1 + grows, fate, left - win)
        for further, chance in enumerate(rest):
            chances[further + win] += chance / 6
    return tuple(chances)


def wins_by_faces(dice: int, fate: str = "neutral", most: int = MORTAL) -> Distribution:
    """As `wins`, by trying every face of every die."""
    return nonzero(dict(enumerate(_wins_by_faces(dice, fate, most))))


def reaches(dice: int, fate: str, wanted: int) -> Fraction:
    """P(W ≥ wanted), without a cap."""
    return 1 - total(_wins(dice, fate, wanted)) if wanted > 0 else Fraction(1)


def mean_wins(dice: int, fate: str = "neutral") -> Fraction:
    """E[W] without a cap: every die is worth (win)/(1 − more)."""
    return dice * (1 - Fraction(LOSING[fate], 6)) / (1 - Fraction(7 - GROWING[fate], 6))


# -- results


@dataclass(frozen=True)
class Roll:
    """One Roll with everything settled; `before`: Leverage is added before the cap (AMB-R3)."""

    dice: int
    fate: str = "neutral"
    leverage: int = 0
    cap: int = MORTAL
    before: bool = False
    floored: bool = False

    def distribution(self) -> Distribution:
        found: Distribution = {}
        for won, chance in wins(self.dice, self.fate, self.cap + abs(self.leverage)).items():
            count(found, self.value(won), chance)
        return found

    def value(self, won: int) -> int:
        if self.before:
            points = min(won + self.leverage, self.cap)
        else:
            points = min(won, self.cap) + self.leverage
        return max(points, 0) if self.floored else points


def summed(rolls: Sequence[Roll]) -> Distribution:
    """The results of several Rolls added up (R-27)."""
    sums: Distribution = {0: Fraction(1)}
    for roll in rolls:
        longer: Distribution = {}
        for (a, p), (b, q) in product(sums.items(), roll.distribution().items()):
            count(longer, a + b, p * q)
        sums = longer
    return sums


def repeated(rolls: Sequence[Roll], length: int) -> list[Roll]:
    """Repeat the Skills of the side that has fewer, from its first (R-29)."""
    return [rolls[i % len(rolls)] for i in range(length)]


def at_least(distribution: dict[int, Fraction] | dict[Fraction, Fraction], need: int) -> Fraction:
    return total(chance for value, chance in distribution.items() if value >= need)


def mean(distribution: dict[int, Fraction] | dict[Fraction, Fraction]) -> Fraction:
    return total(value * chance for value, chance in distribution.items())


def check(rolls: Sequence[Roll], difficulty: int, factor: int | None = None) -> Fraction:
    """P(the results together meet the Difficulty times the number of Skills)."""
    return at_least(summed(rolls), difficulty * (len(rolls) if factor is None else factor))


def group(
    members: Sequence[Sequence[Roll] | None], judge: str, *, half_up: bool = False
) -> dict[Fraction, Fraction]:
    """The judged value of a group; a member that cannot attempt its Rolls is None (AMB-R6)."""
    if judge == "max":
        members = [rolls for rolls in members if rolls is not None]
    sums = [{0: Fraction(1)} if rolls is None else summed(rolls) for rolls in members]
    judged: dict[Fraction, Fraction] = {}
    for values, chance in combinations(sums):
        value = Fraction(sum(values), len(values))
        if judge != "average":
            value = Fraction(max(values) if judge == "max" else min(values))
        elif half_up:
            value = Fraction(floor(value + Fraction(1, 2)))
        count(judged, value, chance)
    return judged


# -- contests


@dataclass(frozen=True)
class Outcome:
    """P(each side wins), P(no side wins), and the first side's last sum."""

    wins: tuple[Fraction, ...]
    tie: Fraction
    first: Distribution


def contest(sides: Sequence[Sequence[Roll]], *, reroll: bool = True, tied_only: bool = False) -> Outcome:
    """Every combination of sums; ties for the highest are taken to their end (R-25, AMB-R12)."""
    longest = max(len(rolls) for rolls in sides)
    sums = [summed(repeated(rolls, longest)) for rolls in sides]
    ends = _ends(sums, tuple(range(len(sides))), reroll, tied_only)
    won = [Fraction(0)] * len(sides)
    tie = Fraction(0)
    first: Distribution = {}
    for (winner, own), chance in ends.items():
        if winner is None:
            tie += chance
        else:
            won[winner] += chance
        count(first, own, chance)
    return Outcome(tuple(won), tie, first)


Ends = dict[tuple[int | None, int], Fraction]  # (winner, sum of the first in the running) -> chance


def _ends(sums: Sequence[Distribution], running: tuple[int, ...], reroll: bool, tied_only: bool) -> Ends:
    ends: Ends = {}
    again = Fraction(0)
    for values, chance in combinations([sums[side] for side in running]):
        top = max(values)
        leaders = tuple(s for s, value in zip(running, values, strict=True) if value == top)
        next_up = leaders if tied_only else running
        if len(leaders) == 1:
            count(ends, (leaders[0], values[0]), chance)
        elif not reroll or always_ties([sums[side] for side in next_up]):
            count(ends, (None, values[0]), chance)
        elif next_up == running:
            again += chance
        else:
            for (winner, own), further in _ends(sums, next_up, reroll, tied_only).items():
                last = own if next_up[0] == running[0] else values[0]
                count(ends, (winner, last), chance * further)
    return {end: chance / (1 - again) for end, chance in ends.items()}


def always_ties(sums: Sequence[Distribution]) -> bool:
    """Return whether no combination has a single highest sum."""
    return all(values.count(max(values)) > 1 for values, _ in combinations(sums))


# -- small things


def combinations(
    distributions: Sequence[Distribution],
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every combination of independent values with its chance."""
    for picked in product(*(distribution.items() for distribution in distributions)):
        chance = Fraction(1)
        for _, own in picked:
            chance *= own
        yield tuple(value for value, _ in picked), chance


def count(found: dict[Key, Fraction], value: Key, chance: Fraction) -> None:
    found[value] = found.get(value, Fraction(0)) + chance


def total(chances: Iterable[Fraction]) -> Fraction:
    return sum(chances, Fraction(0))


def nonzero(distribution: Distribution) -> Distribution:
    return {value: chance for value, chance in distribution.items() if chance}
