"""A state of the walk: values over sources of undrawn dice, and the operations that draw.

*Refinement* draws how many dice of a source fall into each group of classes; what is left of a group
is a source of fewer dice over fewer classes.  *Folding* replaces sources that only numbers depend on by
one draw from their joint distribution.  *Spawning* throws one more die for each die of some classes.

Invariant: the probability of a state is numerator / denominator times, for each source, the sum of its
weights to the power of its number of dice; everything is a whole number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from math import comb, gcd, inf, lcm
from typing import Any

from handful.errors import Message, TooBig
from handful.rules.operators import Value, normalize_number
from handful.solver.generating_function import GeneratingFunction
from handful.solver.walk.changes import occupancies, stretched, substitution
from handful.solver.walk.tables import ROWS_A_UNIT, Source, Spend, Table, joint
from handful.solver.walk.values import (
    Column,
    Number,
    OpenDice,
    Truth,
    factor_between,
    is_open,
    opened,
    rewritten,
)

Env = dict[str, Value]
OPEN_KINDS = frozenset((Number, Truth, OpenDice))
MAX_CLASSES = 600  # of a source that dice are spawned from
TALLY = 0  # the source of the free tally of a loop
PAIRS = "@pairs"  # differences of endless numbers whose bounds are known, among the values of a state
Pair = tuple[Number, int | None, int | None]  # a difference, its least and its largest value


class Free:
    """Stands for the distribution of a loop's tally: any number, or any from `least` on."""

    __slots__ = ("least",)
    mass_ratio = (1, 1)

    def __init__(self, least: int | None) -> None:
        self.least = least

    @property
    def minimum(self) -> Any:
        return -inf if self.least is None else self.least


class TallyObserved(Exception):
    """A loop reads its tally; from `at` on the answer is the same, if that is known."""

    def __init__(self, at: int | None) -> None:
        super().__init__()
        self.at = at


class WalkState:
    """Values of the live variables, the sources they depend on, and the mass."""

    __slots__ = ("den", "env", "num", "sources")

    def __init__(self, env: Env, sources: dict[int, Source], num: int, den: int) -> None:
        self.env, self.sources, self.num, self.den = env, sources, num, den

    def copied(self) -> WalkState:
        return WalkState(dict(self.env), dict(self.sources), self.num, self.den)

    def change(self, function: Callable[[Any], Value]) -> None:
        """Replace every open value of the environment."""
        env = self.env
        for name, value in env.items():
            if type(value) in OPEN_KINDS:
                env[name] = function(value)
            elif is_open(value):
                env[name] = rewritten(value, function)

    def bounds(self, number: Value) -> tuple[Any, Any]:
        """Return the least and the largest value of a number; both can occur."""
        if not isinstance(number, Number):
            return number, number
        low = high = number.const
        for source, column in number.terms.items():
            n = self.sources[source][1]
            if type(n) is int:
                low, high = low + n * min(column), high + n * max(column)
            else:
                least, most = min(column), max(column)
                low += n.minimum * least if least >= 0 else -inf
                high += n.minimum * most if most <= 0 else inf
        if PAIRS in self.env:
            return self._paired(number, low, high)
        return low, high

    def _paired(self, number: Number, low: Any, high: Any) -> tuple[Any, Any]:
        """Return the bounds of a number, which may be a difference that was asked about."""
        for pair, least, most in self.env[PAIRS]:
            factor = factor_between(number, pair)
            if factor:
                ends = (
                    None if least is None else number.const + factor * least,
                    None if most is None else number.const + factor * most,
                )
                below, above = ends if factor > 0 else ends[::-1]
                low = low if below is None else max(low, below)
                high = high if above is None else min(high, above)
        return low, high

    def is_endless(self, source: int) -> bool:
        return type(self.sources[source][1]) is not int

    def refuse_endless(self, sources: Iterable[int]) -> None:
        """Raise an error if a number is needed value by value and has no end."""
        endless = [self.sources[source][1] for source in sources if self.is_endless(source)]
        if any(type(one) is Free for one in endless):
            raise TallyObserved(None)
        if endless:
            raise TooBig(Message("solver.endless_number"))

    def multiply(self, source: int) -> None:
        """Replace a source that nothing depends on by its mass."""
        weights, n = self.sources.pop(source)
        if type(n) is int:
            self.num *= sum(weights) ** n
        else:
            num, den = n.mass_ratio
            self.num, self.den = self.num * num, self.den * den


class SourceDraws:
    """Operations on states; each charges its work before it is done."""

    def __init__(self, spend: Spend) -> None:
        self.spend = spend
        self.fresh = 0

    def new_source(self, state: WalkState, weights: Iterable[int], n: int) -> int:
        self.fresh += 1
        state.sources[self.fresh] = (tuple(weights), n)
        return self.fresh

    def new_endless(self, state: WalkState, series: GeneratingFunction, weights: Iterable[int] = (1,)) -> int:
        """Add a source of endlessly many dice; `series` is the distribution of their number."""
        self.fresh += 1
        state.sources[self.fresh] = (tuple(weights), series)
        return self.fresh

    def cut(self, state: WalkState, source: int, at: int) -> list[WalkState]:
        """Return the states in which an endless number is below `at`, as one draw, and at least that."""
        weights, series = state.sources[source]
        if type(series) is Free:
            raise TallyObserved(at)
        self.spend(5 + max(at - series.minimum, 0))
        upper = state.copied()
        upper.sources[source] = (weights, series.at_least(at))
        below = series.below(at)
        found = [upper]
        if below and len(weights) == 1:
            lower = state.copied()
            self.replace_endless(lower, source, below)
            return [lower, upper]
        for n, chance in below.items():
            one = state.copied()
            one.num, one.den = one.num * chance.numerator, one.den * chance.denominator * sum(weights) ** n
            one.sources[source] = (weights, n)
            if not n:
                del one.sources[source]
                one.change(substitution(source, [], []))
            found.append(one)
        return found

    def make_plain(self, state: WalkState, source: int, column: Column) -> None:
        """Replace endlessly many dice by what they add to the numbers that have this column."""
        weights, series = state.sources[source]
        grain = lcm(*[x.denominator for x in column])
        sign = -1 if min(column) < 0 else 1
        values: dict[int, int] = {}
        for x, weight in zip(column, weights, strict=True):
            value = int(sign * x * grain)
            values[value] = values.get(value, 0) + weight
        state.sources[source] = (1,), series.composed(values)
        slope = (normalize_number(Fraction(sign, grain)),)
        state.change(
            lambda one: (
                one.with_terms(one.const, {**one.terms, source: slope})
                if isinstance(one, Number) and source in one.terms
                else one
            )
        )

    def replace_endless(self, state: WalkState, source: int, series: GeneratingFunction) -> None:
        """Give an endless number another distribution: one draw, if that is finite."""
        del state.sources[source]
        if series.is_infinite:
            new, values = self.new_endless(state, series), [1]  # of each class: one
        else:
            weights = [weight for weight in series.numerator if weight]
            values = [series.minimum + i for i, weight in enumerate(series.numerator) if weight]
            state.den *= series.scale
            new = self.new_source(state, weights, 1)

        def change(one: Any) -> Value:
            if isinstance(one, Number):
                if source not in one.terms:
                    return one
                terms = {other: column for other, column in one.terms.items() if other != source}
                terms[new] = tuple([value * one.terms[source][0] for value in values])
                return one.with_terms(one.const, terms)
            if source not in one.parts:
                return one
            parts = {other: part for other, part in one.parts.items() if other != source}
            parts[new] = tuple([tuple(sorted(one.parts[source][0] * value)) for value in values])
            return OpenDice(parts, one.known)

        state.change(change)

    # -- refinement

    def refined(self, state: WalkState, source: int, signs: Sequence[Any]) -> list[WalkState]:
        """Return a state for each number of dice in the groups of classes with equal signs."""
        return [one for _, one in self.by_value(state, source, signs)]

    def by_value(self, state: WalkState, source: int, signs: Sequence[Any]) -> list[tuple[Any, WalkState]]:
        """Return the states with the sign that was drawn, if the source is one die."""
        weights, n = state.sources[source]
        state.refuse_endless((source,))
        by_sign: dict[Any, list[int]] = {}
        for place, sign in enumerate(signs):
            by_sign.setdefault(sign, []).append(place)
        groups = list(by_sign.items())
        ways = comb(n + len(groups) - 1, len(groups) - 1)
        self.spend(ways * (2 + len(state.env) // 4))
        users = [
            name
            for name, value in state.env.items()
            if any(source in (one.terms if isinstance(one, Number) else one.parts) for one in opened(value))
        ]
        found = []
        for counts, multiplicity in occupancies(n, len(groups)):
            new = WalkState(dict(state.env), dict(state.sources), state.num * multiplicity, state.den)
            del new.sources[source]
            parts: list[tuple[int, list[int]]] = []
            sure: list[tuple[int, int]] = []
            for at, count in counts:
                group = groups[at][1]
                if len(group) == 1:
                    new.num *= weights[group[0]] ** count
                    sure.append((group[0], count))
                else:
                    parts.append((self.new_source(new, [weights[j] for j in group], count), group))
            change = substitution(source, parts, sure)
            for name in users:
                new.env[name] = rewritten(new.env[name], change)
            found.append((groups[counts[0][0]][0] if n == 1 else None, new))
        return found

    def reweigh(self, state: WalkState, source: int, weights: Sequence[int]) -> None:
        """Give the classes of one draw other weights; those that cannot be are dropped."""
        left = [place for place, weight in enumerate(weights) if weight]
        state.sources[source] = tuple([weights[place] for place in left]), 1
        if len(left) < len(weights):
            state.change(partial(stretched, source=source, back=left))

    # -- folding

    def folded(self, state: WalkState, roots: list[Number], live: Iterable[str]) -> list[Value]:
        """Fold the sources of some numbers into one draw; return the numbers over it.

        The caller has made sure that no live pool depends on these sources.
        """
        ids = list(dict.fromkeys(source for root in roots for source in root.terms))
        gone = set(ids)
        others: dict[int, Number] = {id(root): root for root in roots}
        for name in (*live, PAIRS):
            for one in opened(state.env.get(name)):
                if isinstance(one, Number) and not gone.isdisjoint(one.terms):
                    others[id(one)] = one
        table = joint(state.sources, ids, list(others.values()), self.spend)
        return self.settled(state, ids, others, table, roots)

    def settled(
        self,
        state: WalkState,
        ids: Iterable[int],
        others: dict[int, Number],
        table: Table,
        roots: list[Number],
    ) -> list[Value]:
        """Replace sources by one draw from a table of what they add to the `others`."""
        rows = sorted(table.items())
        gone = set(ids)
        for source in gone:
            del state.sources[source]
        new = self.new_source(state, [weight for _, weight in rows], 1)
        after: dict[int, Any] = {}
        for place, (key, one) in enumerate(others.items()):
            terms = {source: column for source, column in one.terms.items() if source not in gone}
            terms[new] = tuple([vector[place] for vector, _ in rows])
            after[key] = one.with_terms(one.const, terms)
        state.change(lambda one: after.get(id(one), one))
        return [after[id(root)] for root in roots]

    def held(self, state: WalkState, live: Iterable[str], ids: Iterable[int]) -> int | None:
        """Return a source of these that a live pool depends on."""
        wanted = set(ids)
        for name in live:
            for one in opened(state.env.get(name)):
                if isinstance(one, OpenDice):
                    for source in one.parts:
                        if source in wanted:
                            return source
        return None

    # -- spawning

    def spawned(
        self, state: WalkState, source: int, thrown: Sequence[Any], die: Sequence[tuple[Any, int]]
    ) -> tuple[list[int], list[Any]]:
        """Throw a die for each die of the source whose class is `thrown` (not None).

        Return the old class of each new class, and its face (None where nothing was thrown).
        """
        weights, n = state.sources[source]
        total = sum([weight for _, weight in die])
        back: list[int] = []
        faces: list[Any] = []
        new_weights: list[int] = []
        for place, weight in enumerate(weights):
            for face, own in ((None, total),) if thrown[place] is None else die:
                back.append(place)
                faces.append(face)
                new_weights.append(weight * own)
        self.spend(1 + len(back) // ROWS_A_UNIT)
        state.sources[source] = (tuple(new_weights), n)
        if type(n) is int:
            state.den *= total**n
        state.change(lambda one: stretched(one, source, back))
        return back, faces

    # -- sources that nothing uses

    def drop_unused(self, state: WalkState) -> None:
        """Merge classes that no value tells apart; sources that nothing depends on become mass."""
        if not state.sources:
            return
        state.change(lambda one: flattened(one, state))
        users: dict[int, list[Column]] = {source: [] for source in state.sources}
        for value in state.env.values():
            for one in opened(value):
                for source, column in (one.terms if isinstance(one, Number) else one.parts).items():
                    users[source].append(column)
        for source, columns in users.items():
            weights, n = state.sources[source]
            if not columns:
                state.multiply(source)
                continue
            if type(n) is not int:
                continue
            groups: dict[Any, list[int]] = {}
            for place, sign in enumerate(zip(*columns, strict=True)):
                groups.setdefault(sign, []).append(place)
            if len(groups) == len(weights) > 1:
                continue
            first = [group[0] for group in groups.values()]
            merged = tuple([sum([weights[j] for j in group]) for group in groups.values()])
            if len(first) == 1:
                del state.sources[source]
                state.num *= merged[0] ** n
                state.change(substitution(source, [], [(first[0], n)]))
            else:
                state.sources[source] = (merged, n)
                state.change(partial(stretched, source=source, back=first))


def flattened(one: Any, state: WalkState) -> Value:
    """Return a number without the sources that add the same whatever falls."""
    if not isinstance(one, Number):
        return one
    const, constant = one.const, []
    for source, column in one.terms.items():
        first = column[0]
        if all(x == first for x in column) and not state.is_endless(source):
            const += first * state.sources[source][1]
            constant.append(source)
    if not constant:
        return one
    return one.with_terms(const, {source: c for source, c in one.terms.items() if source not in constant})


def add_mass(state: WalkState, num: int, den: int) -> None:
    if state.den == den:
        state.num += num
        return
    shared = gcd(state.den, den)
    state.num = state.num * (den // shared) + num * (state.den // shared)
    state.den = state.den // shared * den
