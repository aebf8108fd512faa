"""Comparisons of endless numbers: bounds on their difference, and what becomes of them.

An answer about the difference of two endless numbers bounds it; a state remembers that (`PAIRS`) while
both numbers are needed.  As soon as one of them is not, the other is conditioned on it (`comparison`);
if only their difference is needed, that becomes a number of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Any

from handful.errors import Message, TooBig
from handful.rules.operators import Value, normalize_number
from handful.solver.comparison import constrain, recurrence_start
from handful.solver.generating_function import GeneratingFunction, point_mass
from handful.solver.hadamard import recurrence_order
from handful.solver.polynomials import multiply
from handful.solver.walk.sources import PAIRS, Pair, SourceDraws, WalkState
from handful.solver.walk.tables import joint
from handful.solver.walk.values import Number, factor_between, opened, ratio, sources_of

Range = tuple[int | None, int | None]
# Ranges of a whole number, by the answer to how it compares with 0.
AT_LEAST: tuple[Range, ...] = ((0, None), (None, -1))
MORE: tuple[Range, ...] = ((1, None), (None, 0))
RANGES: dict[str, tuple[Range, ...]] = {
    ">=": AT_LEAST,
    "<": AT_LEAST,
    ">": MORE,
    "<=": MORE,
    "==": ((None, -1), (0, 0), (1, None)),
    "!=": ((None, -1), (0, 0), (1, None)),
}
SERIES_PRICE = 20  # units
MAX_TERMS = 2000  # of a difference


def fork_by_sign(draws: SourceDraws, state: WalkState, difference: Number, symbol: str) -> list[WalkState]:
    """Return the states in which it is known how a difference of endless numbers compares with 0."""
    whole = _joined(draws, state, _whole(difference))
    pairs: tuple[Pair, ...] = state.env.get(PAIRS, ())
    before: Range = (None, None)
    sign = 1
    for number, least, most in pairs:
        for factor in (1, -1):
            if {s: tuple([factor * x for x in c]) for s, c in number.terms.items()} == whole.terms:
                before, sign, whole = (least, most), factor, Number(factor * whole.const, number.terms)
    others = tuple(pair for pair in pairs if pair[0].terms != whole.terms)
    found = []
    for low, high in RANGES[symbol]:
        if sign < 0:
            low, high = None if high is None else -high, None if low is None else -low
        least = _tighter(before[0], None if low is None else low - whole.const, max)
        most = _tighter(before[1], None if high is None else high - whole.const, min)
        if least is not None and most is not None and least > most:
            continue
        one = state.copied()
        one.env[PAIRS] = (*others, (Number(0, whole.terms), least, most))
        found.append(one)
    draws.spend(SERIES_PRICE)
    return found


def _joined(draws: SourceDraws, state: WalkState, number: Number) -> Number:
    """Make one endless number of sources that all values depend on alike; return the difference over it."""
    users = [one for value in state.env.values() for one in opened(value)]
    users = [one for one in users if not number.terms.keys().isdisjoint(sources_of(one))]
    groups: dict[Any, list[int]] = {}
    for source, column in number.terms.items():
        groups.setdefault((max(column) > 0, _ratios(users, source, column)), []).append(source)
    state.env[""] = number
    for (rises, ratios), group in groups.items():
        if ratios is None or not any(map(state.is_endless, group)):
            continue
        sign = 1 if rises else -1
        series = _rest(draws, state, group, number, -sign)
        new = draws.new_endless(state, series)
        for source in group:
            del state.sources[source]

        def change(one: Any, group: list[int] = group, new: int = new, sign: int = sign) -> Value:
            if not isinstance(one, Number) or group[0] not in one.terms:
                return one
            slope = sign * (ratio(one.terms[group[0]], number.terms[group[0]]) or 0)
            terms = {source: column for source, column in one.terms.items() if source not in group}
            terms[new] = (normalize_number(slope),)
            return one.with_terms(one.const, terms)

        state.change(change)
    joined: Number = state.env.pop("")
    return joined


def _ratios(users: list[Any], source: int, column: tuple[Any, ...]) -> tuple[Fraction, ...] | None:
    """Return how many times each user has a source of a number; None if that is no factor."""
    ratios = []
    for one in users:
        own = sources_of(one).get(source)
        if own is not None and not isinstance(one, Number):
            return None
        factor = Fraction(0) if own is None else ratio(own, column)
        if factor is None:
            return None
        ratios.append(factor)
    return tuple(ratios)


def _tighter(a: int | None, b: int | None, pick: Any) -> int | None:
    return b if a is None else a if b is None else pick(a, b)


def _whole(number: Number) -> Number:
    """Return the multiple of a number that is whole."""
    slopes = [x for column in number.terms.values() for x in column]
    grain = lcm(*[x.denominator for x in (number.const, *slopes)])
    if grain == 1:
        return number
    terms = {s: tuple([int(x * grain) for x in c]) for s, c in number.terms.items()}
    return Number(int(number.const * grain), terms)


def resolve_pairs(draws: SourceDraws, state: WalkState) -> bool:
    """Condition endless numbers on others that are not needed any more; False if the state cannot be."""
    while True:
        pairs = state.env.get(PAIRS, ())
        for at, pair in enumerate(pairs):
            state.env[PAIRS] = pairs[:at] + pairs[at + 1 :]
            done = _resolved(draws, state, *pair)
            if done is False:
                return False
            if done:
                break
            state.env[PAIRS] = pairs
        else:
            if not pairs:
                state.env.pop(PAIRS, None)
            return True


def _resolved(
    draws: SourceDraws, state: WalkState, number: Number, least: int | None, most: int | None
) -> bool | None:
    """Condition a state on a bounded difference; None if all of it is still needed."""
    users = [one for value in state.env.values() for one in opened(value)]
    users = [one for one in users if not number.terms.keys().isdisjoint(sources_of(one))]
    endless = [source for source in number.terms if state.is_endless(source)]
    needed = {source for one in users for source in sources_of(one)} & number.terms.keys()
    upper = [source for source in endless if number.terms[source][0] > 0]
    lower = [source for source in endless if number.terms[source][0] < 0]
    if users and all(isinstance(one, Number) and factor_between(one, number) for one in users):
        series = _difference(draws, state, number, least, most, upper, lower)
        if not series:
            return False
        _replace(draws, state, number, series)
        return True
    if needed and needed.isdisjoint(endless):
        if needed == number.terms.keys():
            return None
        return _reweighted(draws, state, number, (least, most), upper, sorted(needed))
    sign = -1 if not needed.isdisjoint(lower) else 1
    kept = upper if sign > 0 else lower
    if needed and (needed != set(kept) or len(kept) > 1 or number.terms[kept[0]] != (sign,)):
        return None
    k = _sum(state, kept, number, sign)
    j = _rest(draws, state, [source for source in number.terms if source not in kept], number, sign)
    draws.spend(SERIES_PRICE + k.work + j.work)
    series = constrain(k, j, -1, *((least, most) if sign > 0 else _mirrored(least, most)))
    num, den = series.mass_ratio
    if not num:
        return False
    for source in number.terms:
        if source not in needed:
            del state.sources[source]
    if needed:
        draws.replace_endless(state, kept[0], series)
    else:
        state.num, state.den = state.num * num, state.den * den
    return True


def _reweighted(
    draws: SourceDraws, state: WalkState, number: Number, limits: Range, upper: list[int], needed: list[int]
) -> bool | None:
    """Condition finite numbers, which are still needed, on endless ones, which are not."""
    if draws.held(state, state.env, needed) is not None:
        return None
    k = _sum(state, upper, number, 1)
    j = _rest(draws, state, [s for s in number.terms if s not in needed and s not in upper], number, 1)
    kept: Value = Number(0, {source: number.terms[source] for source in needed})
    if len(needed) > 1 or state.sources[needed[0]][1] > 1:
        (kept,) = draws.folded(state, [kept], state.env)
    ((source, column),) = kept.terms.items()
    draws.spend(SERIES_PRICE * len(set(column)))
    least, most = limits
    chances = {
        x: constrain(k, j, -1, None if least is None else least - x, None if most is None else most - x).mass
        for x in sorted(set(column))
    }
    scale = lcm(*[chance.denominator for chance in chances.values()])
    weights = [w * int(chances[x] * scale) for x, w in zip(column, state.sources[source][0], strict=True)]
    if not any(weights):
        return False
    for one in number.terms:
        if one not in needed:
            del state.sources[one]
    state.den *= scale
    draws.reweigh(state, source, weights)
    return True


def _mirrored(least: int | None, most: int | None) -> Range:
    return None if most is None else -most, None if least is None else -least


def _replace(draws: SourceDraws, state: WalkState, number: Number, series: GeneratingFunction) -> None:
    """Replace a difference by a number of its own."""
    new = draws.new_endless(state, series)

    def change(one: Any) -> Value:
        if not isinstance(one, Number) or number.terms.keys().isdisjoint(one.terms):
            return one
        factor = factor_between(one, number) or Fraction(0)
        return one.with_terms(one.const, {new: (normalize_number(factor),)})

    state.change(change)
    for source in number.terms:
        del state.sources[source]
    if not series.is_infinite:
        draws.replace_endless(state, new, series)


def _difference(
    draws: SourceDraws,
    state: WalkState,
    number: Number,
    least: int | None,
    most: int | None,
    upper: list[int],
    lower: list[int],
) -> GeneratingFunction:
    """Return the distribution of a difference within its bounds.

    Beyond some value it follows the recurrence of the number that grows, so finitely many terms tell all.
    """
    if not upper and not lower:
        low, high = state.bounds(number)
        least, most = int(low) if least is None else least, int(high) if most is None else most
    if least is None:
        raise TooBig(Message("solver.endless_difference"))
    k = _sum(state, upper, number, 1)
    j = _rest(draws, state, [source for source in number.terms if source not in upper], number, 1)
    if most is not None:
        end = most + 1
    else:
        end = max(least, recurrence_start(k) - j.minimum) + recurrence_order(k.denominator)
    if end - least > MAX_TERMS:
        raise TooBig(Message("solver.endless_comparison"))
    draws.spend(SERIES_PRICE * (end - least))
    terms = [constrain(k, j, -1, at, at).mass for at in range(least, end)]
    scale = lcm(*[term.denominator for term in terms])
    num = [int(term * scale) for term in terms]
    if most is not None:
        return GeneratingFunction(least, num, scale)
    for factor, times in k.denominator:
        for _ in range(times):
            num = multiply(num, list(factor))[: len(terms)]
    return GeneratingFunction(least, num, scale, k.denominator)


def _sum(state: WalkState, sources: Iterable[int], number: Number, sign: int) -> GeneratingFunction:
    """Return the distribution of what endless numbers add."""
    series = point_mass(0)
    for source in sources:
        series = series.convolve(state.sources[source][1].stretched(sign * number.terms[source][0]))
    return series


def _rest(
    draws: SourceDraws, state: WalkState, sources: list[int], number: Number, sign: int
) -> GeneratingFunction:
    """Return the distribution of what other sources take away."""
    finite = [source for source in sources if not state.is_endless(source)]
    series = _sum(state, [source for source in sources if source not in finite], number, -sign)
    if not finite:
        return series
    table = joint(state.sources, finite, [number], draws.spend)
    values = {-sign * x: weight for (x,), weight in table.items()}
    low = min(values)
    return series.convolve(GeneratingFunction(low, [values.get(x, 0) for x in range(low, max(values) + 1)]))


def settle_pairs(draws: SourceDraws, state: WalkState) -> bool:
    """Condition all numbers on what is known of their differences; False if the state cannot be."""
    for number, least, most in state.env.pop(PAIRS, ()):
        if any(map(state.is_endless, number.terms)):
            raise TooBig(Message("solver.two_endless_numbers"))
        (drawn,) = draws.folded(state, [number], state.env)
        if not isinstance(drawn, Number):
            continue
        ((source, column),) = drawn.terms.items()
        within = [
            (least is None or x + drawn.const >= least) and (most is None or x + drawn.const <= most)
            for x in column
        ]
        weights, _ = state.sources[source]
        if not any(within):
            return False
        draws.reweigh(state, source, [w if yes else 0 for w, yes in zip(weights, within, strict=True)])
    return True
