"""Between the walk and the rest of the solver: outcomes of a rule, results of called rules, pools."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Any

from handful.dice import Pool
from handful.errors import Message, TooBig
from handful.rules.operators import Value, normalize_number
from handful.rules.program import EVENTS, Record
from handful.solver.generating_function import GeneratingFunction
from handful.solver.linear import BranchContext, Linear
from handful.solver.states import Ends, Fields, Outcome, add_end, merge_outcomes
from handful.solver.symbolic_pool import SymbolicPool
from handful.solver.walk.contests import settle_pairs
from handful.solver.walk.sources import SourceDraws, WalkState
from handful.solver.walk.tables import Table, joint
from handful.solver.walk.values import Column, Number, OpenDice, opened, rewritten
from handful.solver.weights import Weight

MAX_SPARSE = 4  # slots of a series for each value in it, beyond which the values are listed
CONTEXT = BranchContext()


# -- values of other representations


def to_open(value: Value) -> Value:
    """Return a value of the solver with its pools as dice of the walk; numbers must be known."""
    kind = type(value)
    if kind is SymbolicPool:
        return OpenDice({}, dict(value.counts))
    if kind is Pool:
        known: dict[int, int] = {}
        for landed in value:
            known[landed.reading] = known.get(landed.reading, 0) + 1
        return OpenDice({}, known)
    if kind is tuple:
        return tuple([to_open(part) for part in value])
    if kind is Record:
        return Record((name, to_open(part)) for name, part in value.items())
    return value


def to_symbolic(value: Value) -> Value:
    """Return a value of the walk as others hold it: pools as counts by reading."""
    kind = type(value)
    if kind is OpenDice:
        return SymbolicPool(tuple(value.known.items()))
    if kind is tuple:
        return tuple([to_symbolic(part) for part in value])
    if kind is Record:
        return Record((name, to_symbolic(part)) for name, part in value.items())
    return value


# -- called rules


def after_call(state: WalkState, var: str, outcome: Outcome, draws: SourceDraws) -> WalkState:
    """Return the state after a call that ended with an outcome; its random variables become draws."""
    after = state.copied()
    fields, events, weight = outcome
    after.num *= weight.factor.numerator
    after.den *= weight.factor.denominator
    variables: list[tuple[int, list[int]]] = []
    for series in weight.series:
        if series.is_infinite:
            variables.append((draws.new_endless(after, series), [1]))
            continue
        entries = [(series.minimum + i, w) for i, w in enumerate(series.numerator) if w]
        after.den *= series.scale
        draws.spend(1 + len(entries) // 16)
        variables.append((draws.new_source(after, [w for _, w in entries], 1), [v for v, _ in entries]))

    def read(value: Value) -> Value:
        if type(value) is Linear:
            terms: dict[int, Column] = {}
            for variable, slope in value.slopes:
                source, values = variables[variable]
                terms[source] = tuple([slope * one for one in values])
            return Number(0, {}).with_terms(value.const, terms)
        if type(value) is tuple:
            return tuple([read(part) for part in value])
        if type(value) is Record:
            return Record((name, read(part)) for name, part in value.items())
        return to_open(value)

    after.env[var] = Record((name, read(value)) for name, value in fields)
    after.env[EVENTS] = after.env[EVENTS] | events
    return after


# -- ends


def outcomes_of(
    ends: Iterable[tuple[tuple[str, ...], tuple[Value, ...], WalkState]],
    draws: SourceDraws,
) -> list[Outcome]:
    """Return the outcomes of states that have ended, each with the names and values of its fields."""
    done: Ends = {}
    for names, values, state in ends:
        state.env[""] = values
        if not settle_pairs(draws, state):
            continue
        values = state.env.pop("")
        for one_values, one in _without_pools(values, state, draws):
            _add_outcomes(done, names, one_values, one, draws)
    return merge_outcomes(done)


def _without_pools(
    values: tuple[Value, ...], state: WalkState, draws: SourceDraws
) -> Iterable[tuple[tuple[Value, ...], WalkState]]:
    """Draw all dice of pools that are part of the result."""
    pool = next((one for one in opened(values) if isinstance(one, OpenDice)), None)
    if pool is None:
        yield values, state
        return
    source = next(iter(pool.parts))
    state.env = {**state.env, "": values}
    for one in draws.refined(state, source, range(len(pool.parts[source]))):
        yield from _without_pools(one.env[""], one, draws)


def _add_outcomes(
    done: Ends,
    names: tuple[str, ...],
    values: tuple[Value, ...],
    state: WalkState,
    draws: SourceDraws,
) -> None:
    numbers = list({id(one): one for one in opened(values) if isinstance(one, Number)}.values())
    ids = sorted({source for one in numbers for source in one.terms})
    events = state.env[EVENTS]
    for source in [source for source in state.sources if source not in ids]:
        state.multiply(source)
    factor = Fraction(state.num, state.den)
    if not numbers:
        _add(done, names, values, events, Weight(factor, ()))
        return
    table = joint(state.sources, [s for s in ids if not state.is_endless(s)], numbers, draws.spend)
    endless = [place for place, one in enumerate(numbers) if any(map(state.is_endless, one.terms))]
    kept = endless[0] if endless else _variable(values, numbers, table)
    if len(endless) > 1 or (endless and not any(value is numbers[kept or 0] for value in values)):
        raise TooBig(Message("solver.two_endless_numbers"))
    tails = []
    for source in list(numbers[kept].terms) if endless and kept is not None else ():
        if state.is_endless(source):
            column: Column = numbers[kept or 0].terms[source]
            if len(column) > 1:
                draws.make_plain(state, source, column)
                column = (
                    normalize_number(
                        Fraction(1 if min(column) >= 0 else -1, lcm(*[x.denominator for x in column]))
                    ),
                )
            tails.append((state.sources[source][1], column[0]))
    groups: dict[Any, dict[Any, int]] = {}
    for vector, weight in table.items():
        key = vector[:kept] + vector[kept + 1 :] if kept is not None else vector
        series = groups.setdefault(key, {})
        value = vector[kept] + numbers[kept].const if kept is not None else 0
        series[value] = series.get(value, 0) + weight
    places = {id(one): place for place, one in enumerate(numbers)}
    for key, series in groups.items():
        vector = key if kept is None else (*key[:kept], 0, *key[kept:])

        def known(one: Any, vector: Any = vector) -> Value:
            place = places.get(id(one))
            return one if place is None or place == kept else one.closed(vector[place] + one.const)

        closed = tuple([rewritten(value, known) for value in values])
        draws.spend(1 + len(series) // 16)
        if kept is None:
            _add(done, names, closed, events, Weight(factor * series[0], ()))
        else:
            _add_series(done, names, closed, events, (numbers[kept], series, factor, tails))


def _variable(values: tuple[Value, ...], numbers: list[Number], table: Table) -> int | None:
    """Return the place of the number that stays a random variable: the one with most values."""
    best, most = None, 1
    for place, one in enumerate(numbers):
        if type(one) is Number and any(value is one for value in values):
            count = len({vector[place] for vector in table})
            if count > most:
                best, most = place, count
    return best


def _add_series(
    done: Ends,
    names: tuple[str, ...],
    values: tuple[Value, ...],
    events: frozenset[str],
    number: tuple[Number, dict[Any, int], Fraction, list[tuple[GeneratingFunction, Any]]],
) -> None:
    """Add the outcomes in which one number is random: finite values, and what endless numbers add."""
    one, series, factor, tails = number
    grain = lcm(*[value.denominator for value in series], *[slope.denominator for _, slope in tails])
    whole = {int(value * grain): weight for value, weight in series.items()}
    low, high = min(whole), max(whole)
    if not tails and (len(whole) == 1 or high - low > MAX_SPARSE * len(whole) + 100):
        for value, weight in series.items():
            closed = _replaced(values, one, one.closed(value))
            _add(done, names, closed, events, Weight(factor * weight, ()))
        return
    function = GeneratingFunction(
        low, [whole.get(value, 0) for value in range(low, high + 1)], factor.denominator
    )
    for tail, slope in tails:
        if slope < 0:
            raise TooBig(Message("solver.endless_difference"))
        function = function.convolve(tail.stretched(int(slope * grain)))
    variable = Linear(CONTEXT, ((0, 1 if grain == 1 else Fraction(1, grain)),), 0)
    _add(
        done, names, _replaced(values, one, variable), events, Weight(Fraction(factor.numerator), (function,))
    )


def _replaced(values: tuple[Value, ...], number: Number, value: Value) -> tuple[Value, ...]:
    return tuple([rewritten(one, lambda x: value if x is number else x) for one in values])


def _add(
    done: Ends, names: tuple[str, ...], values: tuple[Value, ...], events: frozenset[str], weight: Weight
) -> None:
    fields: Fields = tuple(zip(names, [to_symbolic(value) for value in values], strict=True))
    add_end(done, fields, events, weight)
