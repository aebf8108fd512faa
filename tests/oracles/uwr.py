"""The UWR family worked out without Handful: closed forms, and plain enumeration of faces.

Nothing here is shared with the engine or taken from a ruleset file: the rules are written
down a second time, as arithmetic. Two ways lead to each distribution (`distinct` and
`distinct_by_faces`, …), so that they can be held against each other as well.
Every probability is an exact fraction.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, comb, floor

Distribution = dict[int, Fraction]

SIDES = 6
HALF = Fraction(1, 2)


# --- Building a pool ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Pool:
    dice: int
    rerolls: int
    threshold: int


def pool(
    *,
    attribute: Fraction | float = 0,
    skill: int = 0,
    specific: int = 0,
    rerolls: int = 0,
    bonus: Fraction | float = 0,
    favor: int = 0,
    half_dice: str = "pool",
    skill_rank_cap: str = "none",
    specific_skill: str = "add",
    reroll_skill: str = "same",
    min_pool: str = "after_penalty_1",
    favor_min_threshold: int = 2,
) -> Pool:
    """Dice, rerolls and threshold of a check (U-10, U-11, U-14, AMB-U4 … AMB-U8, AMB-U16).

    >>> pool(attribute=3.5, skill=2)
    Pool(dice=5, rerolls=1, threshold=5)
    """
    ranks = min(skill, 3) if skill_rank_cap == "3" else skill
    if specific and specific_skill == "replace" and reroll_skill == "same":
        ranks = 0
    attribute, bonus = Fraction(attribute), Fraction(bonus)
    kept = 0
    if half_dice == "attribute" and attribute.denominator == 2:
        attribute, kept = attribute - HALF, 1
    base = attribute + ranks + (bonus if bonus > 0 else 0)
    count = base + (bonus if bonus < 0 else 0)
    lowest = {"0": 0, "1": 1, "after_penalty_1": 1 if base >= 1 else 0}[min_pool]
    count = max(count, Fraction(lowest))
    return Pool(
        dice=floor(count),
        rerolls=rerolls + specific + kept + (ceil(count) - floor(count)),
        threshold=min(6, max(favor_min_threshold, 5 - favor)),
    )


# --- Successes of one pool ---------------------------------------------------------------------


def hit_chance(threshold: int) -> Fraction:
    """The chance that one die shows the threshold or more."""
    return Fraction(SIDES + 1 - threshold, SIDES)


def binomial(dice: int, chance: Fraction) -> Distribution:
    return {
        k: comb(dice, k) * chance**k * (1 - chance) ** (dice - k)
        for k in range(dice + 1)
        if chance**k * (1 - chance) ** (dice - k)
    }


def plain(dice: int, threshold: int = 5) -> Distribution:
    """No rerolls."""
    return binomial(dice, hit_chance(threshold))


def distinct(dice: int, rerolls: int, threshold: int = 5) -> Distribution:
    """Each failing die is rerolled at most once (AMB-U2: distinct)."""
    chance = hit_chance(threshold)
    return mixture(
        (weight, shifted(binomial(min(rerolls, dice - first), chance), first))
        for first, weight in binomial(dice, chance).items()
    )


def stacking(dice: int, rerolls: int, threshold: int = 5) -> Distribution:
    """A die may be rerolled again and again: min(dice, Bin(dice + rerolls)) (AMB-U2: stacking)."""
    if dice == 0:
        return {0: Fraction(1)}
    return mapped(binomial(dice + rerolls, hit_chance(threshold)), lambda n: min(dice, n))


def distinct_by_faces(dice: int, rerolls: int, threshold: int = 5) -> Distribution:
    """As `distinct`, from every sequence of faces; failing dice, lowest face first."""

    def play(faces: tuple[int, ...]) -> int:
        kept, spare = list(faces[:dice]), iter(faces[dice:])
        failed = sorted((face, i) for i, face in enumerate(kept) if face < threshold)
        for _, i in failed[:rerolls]:
            kept[i] = max(kept[i], next(spare))
        return sum(face >= threshold for face in kept)

    return by_faces(dice + min(dice, rerolls), play)


def stacking_by_faces(dice: int, rerolls: int, threshold: int = 5) -> Distribution:
    """As `stacking`, from every sequence of faces; the lowest face is rerolled while it fails."""

    def play(faces: tuple[int, ...]) -> int:
        kept, spare = list(faces[:dice]), iter(faces[dice:])
        for _ in range(rerolls):
            if kept and min(kept) < threshold:
                lowest = kept.index(min(kept))
                kept[lowest] = max(kept[lowest], next(spare))
        return sum(face >= threshold for face in kept)

    return by_faces(dice + rerolls, play)


def by_faces(dice: int, play: Callable[[tuple[int, ...]], int]) -> Distribution:
    """Return the distribution of `play` over the 6**dice sequences of faces."""
    return mixture(
        (Fraction(1, SIDES**dice), {play(faces): Fraction(1)})
        for faces in product(range(1, SIDES + 1), repeat=dice)
    )


# --- Checks ------------------------------------------------------------------------------------


def direct(dice: int, rerolls: int = 0, threshold: int = 5, *, stack: bool = False) -> Distribution:
    """Successes of a direct check when every reroll goes to a failing die.

    >>> at_least(direct(5, 1), 2)
    Fraction(473, 729)
    """
    return stacking(dice, rerolls, threshold) if stack else distinct(dice, rerolls, threshold)


@dataclass(frozen=True)
class Opposed:
    success: list[Fraction]
    """That the acting side beats each reactor (all alike when their successes are pooled)."""
    wins: list[Fraction]
    net: Distribution


def opposed(
    acting: Distribution,
    reacting: list[Distribution],
    *,
    min_net: int = 1,
    tie_winner: str = "reactor",
    pooled: bool = False,
) -> Opposed:
    """U-18, U-19, AMB-U12 … AMB-U14, from every combination of successes."""

    def beats(mine: int, theirs: int) -> bool:
        return tie_winner == "initiator" if mine == theirs else mine - theirs >= min_net

    success = [Fraction(0)] * len(reacting)
    wins = [Fraction(0)] * (1 + len(reacting))
    net: Distribution = {}
    for (mine, weight), *others in product(*(side.items() for side in [acting, *reacting])):
        for _, chance in others:
            weight *= chance
        counts = [count for count, _ in others]
        against = [sum(counts)] * len(counts) if pooled else counts
        beaten = [beats(mine, theirs) for theirs in against]
        for i, won in enumerate(beaten):
            success[i] += weight * won
        wins[0] += weight * all(beaten)
        for i in range(len(reacting)):
            wins[i + 1] += weight * (not beaten[i])
        left = max(0, mine - max(against))
        net[left] = net.get(left, Fraction(0)) + weight
    return Opposed(success, wins, dict(sorted(net.items())))


def uncontested(acting: Distribution, *, auto: bool = True) -> tuple[Fraction, Distribution]:
    """U-21, AMB-U9: the chance of success and the net successes of an uncontested check."""
    if auto:
        return Fraction(1), mapped(acting, lambda n: max(1, n))
    return at_least(acting, 1), acting


# --- Distributions -----------------------------------------------------------------------------


def at_least(distribution: Distribution, target: int) -> Fraction:
    return sum((p for value, p in distribution.items() if value >= target), Fraction(0))


def mean(distribution: Distribution) -> Fraction:
    return sum((value * p for value, p in distribution.items()), Fraction(0))


def shifted(distribution: Distribution, by: int) -> Distribution:
    return {value + by: p for value, p in distribution.items()}


def mapped(distribution: Distribution, change: Callable[[int], int]) -> Distribution:
    return mixture((p, {change(value): Fraction(1)}) for value, p in distribution.items())


def mixture(parts: Iterable[tuple[Fraction, Distribution]]) -> Distribution:
    """The distribution that is each part with its weight, in ascending order."""
    total: Distribution = {}
    for weight, part in parts:
        for value, p in part.items():
            total[value] = total.get(value, Fraction(0)) + weight * p
    return dict(sorted(total.items()))
