"""Exact numbers of Mass Effect D6, worked out apart from the product.

A throw is `dice` six-sided dice, the first of them wild.  What the other dice show is found by
listing their faces; the endless wild die is a geometric series, summed in closed form.  Nothing
here is cut off: below a finite number there are finitely many ways, and two endless wild dice
are compared through the distribution of the difference of two geometric numbers.

`enumerated` lists whole throws face by face and shares no arithmetic with the rest; it is what
the closed forms are checked against.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

Distribution = dict[int, Fraction]

SIXTH = Fraction(1, 6)
FACES = range(1, 7)
CHAIN_ENDS = range(1, 6)  # a chain of sixes ends with one of these


class Side(NamedTuple):
    """Pool of one side: the dice after every bonus and penalty, and the flat points."""

    dice: int
    points: int = 0
    ruling: str = "cancel"  # or "complication"; "none" adds everything up (overheating instead)
    removes: str = "highest"  # or "pair"


# ------------------------------------------------------------------------------ one throw


def counted_on_critical_failure(others: int, highest: int, ruling: str, removes: str) -> int:
    """Return the counted total of a throw whose wild die shows 1 (D-5, AMB-D3), without points.

    `others` is the sum of the other dice, `highest` their highest face, 0 if there are none.
    """
    if ruling != "cancel":
        return 1 + others
    if not highest:  # 1D: the wild die is the highest die
        return 0
    left = 1 + others - highest
    return left - 1 if removes == "pair" else left


@cache
def sum_and_highest(dice: int) -> dict[tuple[int, int], int]:
    """Ways of `dice` regular dice to show (sum, highest face)."""
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for _ in range(dice):
        grown: dict[tuple[int, int], int] = defaultdict(int)
        for (total, top), count in ways.items():
            for face in FACES:
                grown[total + face, max(top, face)] += count
        ways = dict(grown)
    return ways


@cache
def regular_sums(dice: int) -> Distribution:
    sums: Distribution = defaultdict(Fraction)
    for (total, _), count in sum_and_highest(dice).items():
        sums[total] += Fraction(count, 6**dice)
    return dict(sums)


@cache
def without_chain(side: Side) -> Distribution:
    """Totals of the throws whose wild die does not show 6 (together 5/6)."""
    totals: Distribution = defaultdict(Fraction)
    others = side.dice - 1
    for (total, top), count in sum_and_highest(others).items():
        weight = SIXTH * Fraction(count, 6**others)
        left = counted_on_critical_failure(total, top, side.ruling, side.removes)
        totals[left + side.points] += weight
        for wild in range(2, 6):
            totals[wild + total + side.points] += weight
    return dict(totals)


@cache
def with_shortest_chain(side: Side) -> Distribution:
    """Totals of a throw whose wild die shows 6 and then ends at once, given that this happens.

    Every further 6 adds six; there are k of them with chance 5/6 · (1/6)**k.
    """
    totals: Distribution = defaultdict(Fraction)
    for total, weight in regular_sums(side.dice - 1).items():
        for end in CHAIN_ENDS:
            totals[6 + end + total + side.points] += weight / 5
    return dict(totals)


def totals_below(side: Side, number: int) -> Distribution:
    """The exact chances of every total below `number`."""
    found: Distribution = defaultdict(Fraction)
    for total, weight in without_chain(side).items():
        if total < number:
            found[total] += weight
    for total, weight in with_shortest_chain(side).items():
        chance = SIXTH * Fraction(5, 6) * weight
        while total < number:
            found[total] += chance
            total += 6
            chance *= SIXTH
    return dict(sorted(found.items()))


def at_least(side: Side, number: int) -> Fraction:
    """P(total >= number)."""
    return 1 - sum(totals_below(side, number).values(), Fraction(0))


def mean(side: Side) -> Fraction:
    """The mean total; each further 6 comes 1/5 times on average."""
    plain = sum((total * weight for total, weight in without_chain(side).items()), Fraction(0))
    chain = sum((total * w for total, w in with_shortest_chain(side).items()), Fraction(0))
    return plain + SIXTH * (chain + Fraction(6, 5))


# ------------------------------------------------------------------- two throws compared


def further_sixes_at_least(count: int) -> Fraction:
    """P(K >= count) for the number K of further sixes in a chain."""
    return SIXTH**count if count > 0 else Fraction(1)


def more_sixes_at_least(count: int) -> Fraction:
    """P(K - L >= count) for two independent chains: a two-sided geometric distribution."""
    if count > 0:
        return SIXTH**count / (1 + SIXTH)
    return 1 - SIXTH ** (1 - count) / (1 + SIXTH)


def _ceil_sixth(gap: int) -> int:
    return -(-gap // 6)


def not_below(first: Side, second: Side, lead: int = 0) -> Fraction:
    """P(first total >= second total + lead), with both wild dice endless."""
    chance = Fraction(0)
    plain_a, chain_a = without_chain(first), with_shortest_chain(first)
    plain_b, chain_b = without_chain(second), with_shortest_chain(second)
    for b, weight_b in plain_b.items():
        for a, weight_a in plain_a.items():
            if a >= b + lead:
                chance += weight_a * weight_b
        for a, weight_a in chain_a.items():
            needed = _ceil_sixth(b + lead - a)
            chance += SIXTH * weight_a * weight_b * further_sixes_at_least(needed)
    for b, weight_b in chain_b.items():
        for a, weight_a in plain_a.items():
            too_many = (a - lead - b) // 6 + 1  # further sixes that lift b above a
            if a >= b + lead:
                chance += SIXTH * weight_a * weight_b * (1 - further_sixes_at_least(too_many))
        for a, weight_a in chain_a.items():
            needed = _ceil_sixth(b + lead - a)
            chance += SIXTH**2 * weight_a * weight_b * more_sixes_at_least(needed)
    return chance


def hits_unparried(attack: Side, defense: int, parry: Side, hampered: int = 0) -> Fraction:
    """P(attack reaches the Defense and the parry does not beat it, D-43).

    `hampered` is what makes the parry harder (its own difficulty modifiers).
    """
    chance = not_below(attack, parry, -hampered)
    for total, weight in totals_below(attack, defense).items():
        chance -= weight * (1 - at_least(parry, total + hampered + 1))
    return chance


# ------------------------------------------------------------- numbers around the throw


def prepared_dice(time: Fraction) -> int:
    """D-29, AMB-D15: a die for every full doubling of the time, three at most."""
    dice = 0
    while dice < 3 and time >= 2 ** (dice + 1):
        dice += 1
    return dice


def rush_raise(saved: Fraction) -> int | None:
    """D-30, AMB-D14: what saving that share of the time adds; None where it is illegal."""
    for most, raised in ((0, 0), (25, 5), (50, 10), (75, 20)):
        if saved * 100 <= most:
            return raised
    return None


def retry_number(difficulty: int, failed: list[int], raises: str = "cumulative") -> int:
    """D-38, AMB-D16: the difficulty of the next try."""
    number = difficulty
    for total in failed:
        if raises == "cumulative":
            number = 2 * number - total
        elif raises == "from_original":
            number = difficulty + number - total
    return number


def pips_converted(dice: int, pips: int, skill_points: int) -> tuple[int, int]:
    """AMB-D6, `pips_convert`: three pips of code and skill together are a die."""
    more, rest = divmod(pips + skill_points, 3)
    return dice + more, rest


# ------------------------------------------------------------------- listing every face


def wild_chains(number: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """The tosses of the wild die with their chances, as long as they stay below `number`."""
    tosses: tuple[int, ...] = ()
    chance = Fraction(1)
    while sum(tosses) < number:
        chance *= SIXTH
        for end in CHAIN_ENDS:
            yield (*tosses, end), chance
        tosses = (*tosses, 6)


def enumerated(side: Side, number: int) -> Distribution:
    """`totals_below`, by listing every face of every die; for a few dice only."""
    found: Distribution = defaultdict(Fraction)
    each = Fraction(1, 6 ** (side.dice - 1))
    for tosses, chance in wild_chains(max(number - side.points, 2)):
        for others in product(FACES, repeat=side.dice - 1):
            counted = sum(tosses) + sum(others)
            if tosses == (1,) and side.ruling == "cancel":
                shown = sorted((1, *others))
                shown.pop()
                if side.removes == "pair" and shown:
                    shown.remove(1)
                counted = sum(shown)
            if counted + side.points < number:
                found[counted + side.points] += chance * each
    return dict(sorted(found.items()))
