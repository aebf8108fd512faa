"""Operations on open values: what they compute, and what they have to draw for it.

Any function of numbers is computed row by row on one draw from their joint distribution.  If a live pool
depends on the same dice, the numbers of dice that the function tells apart are drawn first: `Forked`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor, inf
from typing import Any

from handful.dice import Die
from handful.errors import Message, TooBig
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import (
    Value,
    add,
    compare,
    divide,
    get_field,
    get_item,
    is_number,
    make_list,
    multiply,
    negate,
    resolve_int,
    subtract,
)
from handful.solver.exploding import AddingSum
from handful.solver.walk import contests, independent, keeping
from handful.solver.walk.flat import Var, copy, make_record, make_tuple
from handful.solver.walk.graph import FlowNode
from handful.solver.walk.questions import Forked, Passed, are_numbers, certain, narrow, operands_and_after
from handful.solver.walk.sources import PAIRS, Free, SourceDraws, TallyObserved, WalkState, flattened
from handful.solver.walk.values import (
    EMPTY,
    Extra,
    Number,
    OpenDice,
    Truth,
    is_open,
    linear,
    number_of,
    opened,
    rewritten,
    sources_of,
)

EXTREMES = (FUNCTIONS["min"], FUNCTIONS["max"])
BOUNDED = (FUNCTIONS["abs"], FUNCTIONS["clamp"])
MOVES = frozenset((copy, make_list, make_tuple, make_record, get_field, FUNCTIONS["len"]))


class Operations:
    """Computes the operations of nodes."""

    def __init__(self, draws: SourceDraws) -> None:
        self.draws = draws

    def computed(self, state: WalkState, node: FlowNode, values: list[Value]) -> Value:
        fn = node.fn
        if not any(is_open(value) for value in values):
            return fn(*values)
        if fn in MOVES or (fn is FUNCTIONS["given"] and isinstance(values[0], (Number, OpenDice))):
            return fn(*values)
        first = values[0]
        if fn is add or fn is subtract:
            if are_numbers(values):
                return linear(values[0], values[1], 1 if fn is add else -1)
            if isinstance(first, OpenDice) or (type(first) is tuple and fn is add):
                return fn(*values)
        elif fn is negate and are_numbers(values):
            return linear(0, first, -1)
        elif fn is multiply and are_numbers(values):
            if not isinstance(first, Number):
                return linear(0, values[1], first)
            if not isinstance(values[1], Number):
                return linear(0, first, values[1])
        elif fn is divide and are_numbers(values) and not isinstance(values[1], Number):
            return linear(0, first, divide(1, values[1]))
        elif fn is compare:
            return self._compared(state, node, values)
        elif fn is FUNCTIONS["sum"] and (isinstance(first, OpenDice) or len(values) == 1):
            return self._sum(state, node, values)
        elif isinstance(first, OpenDice):
            return self._of_pool(state, node, values)
        elif fn in EXTREMES and are_numbers(values):
            found = self._extreme(state, node, values)
            found = self._largest(state, node, values) if found is None else found
            if found is not None:
                return found
        elif (
            fn in BOUNDED
            and are_numbers(values)
            and (found := self._bounded(state, node, values)) is not None
        ):
            return found
        elif fn is get_item and type(first) is tuple:
            if isinstance(values[1], Number):
                self.know(state, node, 1)
            return fn(*values)
        return self._by_row(state, node, values)

    def _extreme(self, state: WalkState, node: FlowNode, values: list[Value]) -> Value | None:
        """Return the largest or smallest of some numbers if it is certain which one that is."""
        best = values[0]
        for value in values[1:]:
            larger = self._is_at_least(state, node, value, best)
            if larger is None:
                self._order(state, node, values, linear(value, best, -1))
                return None
            best = value if larger == (node.fn is FUNCTIONS["max"]) else best
        return best

    def _order(self, state: WalkState, node: FlowNode, values: list[Value], difference: Value) -> None:
        """Fork by the order of two finite numbers, if others are endless and no table can be made."""
        numbers = [value for value in values if isinstance(value, Number)]
        if isinstance(difference, Number) and any(
            state.is_endless(source) for one in numbers for source in one.terms
        ):
            narrow(state, operands_and_after(node))
            raise Forked(contests.fork_by_sign(self.draws, state, difference, ">="))

    def _largest(self, state: WalkState, node: FlowNode, values: list[Value]) -> Value | None:
        """Return the largest or smallest of independent numbers that nothing else depends on."""
        found = independent.extreme(
            self.draws, state, node.after, values, largest=node.fn is FUNCTIONS["max"]
        )
        if found is not None:
            narrow(state, node.after)
        return found

    def _bounded(self, state: WalkState, node: FlowNode, values: list[Value]) -> Value | None:
        """Return abs(x) or clamp(x, low, high) if the order of these is certain."""
        x, *limits = values
        if node.fn is FUNCTIONS["abs"]:
            rises = self._is_at_least(state, node, x, 0)
            return None if rises is None else x if rises else linear(0, x, -1)
        low, high = limits
        above = self._is_at_least(state, node, x, high)
        if above is None:
            return None
        x = high if above else x
        above = self._is_at_least(state, node, x, low)
        return None if above is None else x if above else low

    def _is_at_least(self, state: WalkState, node: FlowNode, a: Value, b: Value) -> bool | None:
        """Return whether a number is at least another; None if finite dice decide."""
        difference = linear(a, b, -1)
        low, high = state.bounds(difference)
        if low >= 0 or high < 0:
            return bool(low >= 0)
        self._cut(state, node, difference, ">=")
        return None

    def _cut(self, state: WalkState, node: FlowNode, difference: Value, symbol: str) -> None:
        """Fork where an endless number decides the sign of a difference, and run the node again."""
        if not isinstance(difference, Number):
            return
        endless = [source for source in difference.terms if state.is_endless(source)]
        if not endless:
            return
        for source in endless:
            if len(set(difference.terms[source])) > 1:
                raise Forked([self._plain(state, node, source)])
        source = endless[0]
        slope = difference.terms[source][0]
        rest = linear(difference, Number(0, {source: (slope,) * len(difference.terms[source])}), -1)
        low, high = state.bounds(rest)
        bound = -low if slope > 0 else high
        if bound < inf:
            raise Forked(self.draws.cut(state, source, floor(Fraction(bound) / abs(slope)) + 1))
        if any(type(state.sources[one][1]) is Free for one in endless):
            raise TallyObserved(None)
        narrow(state, operands_and_after(node))
        raise Forked(contests.fork_by_sign(self.draws, state, difference, symbol))

    def _plain(self, state: WalkState, node: FlowNode, source: int) -> WalkState:
        """Turn endlessly many dice of several classes into one number, if only one depends on them."""
        narrow(state, operands_and_after(node))
        users = [one for value in state.env.values() for one in opened(value) if source in sources_of(one)]
        columns = {one.terms[source] if isinstance(one, Number) else None for one in users}
        if len(columns) > 1 or None in columns:
            raise TooBig(Message("solver.one_endless_statistic"))
        (column,) = columns
        self.draws.make_plain(state, source, column or ())
        return state

    def _sum(self, state: WalkState, node: FlowNode, values: list[Value]) -> Value:
        first, *row = values
        if isinstance(first, OpenDice):
            if row and is_open(row[0]):
                return self._by_row(state, node, values)
            return node.fn(*values)
        if type(first) is tuple and are_numbers(first):
            total: Value = 0
            for part in first:
                total = linear(total, part, 1)
            return total
        return self._by_row(state, node, values)

    def _compared(self, state: WalkState, node: FlowNode, values: list[Value]) -> Value:
        symbol, a, b = values
        if isinstance(a, OpenDice):
            if isinstance(b, Number):
                self.know(state, node, 2)
            return a.passing(symbol, resolve_int(b))
        if are_numbers((a, b)):
            difference = linear(a, b, -1)
            low, high = state.bounds(difference)
            answer = certain(symbol, low, high)
            if answer is not None:
                return answer
            self._cut(state, node, difference, symbol)
            independent.fork_by_comparison(self.draws, state, node, difference, symbol)
            return self._pointwise(state, node, [difference], lambda x: compare(symbol, x, 0))
        if isinstance(a, Die):
            self.know(state, node, 2)
        return self._by_row(state, node, values)

    def _by_row(self, state: WalkState, node: FlowNode, values: list[Value]) -> Value:
        """Compute any function of open numbers, row by row of their joint distribution."""
        found = list({id(one): one for value in values for one in opened(value)}.values())
        if any(isinstance(one, OpenDice) for one in found):
            raise Forked(self.refined_fully(state, next(one for one in found if isinstance(one, OpenDice))))
        roots: list[Number] = [one for one in found if isinstance(one, Number)]
        places = {id(one): place for place, one in enumerate(roots)}

        def of_row(*row: Any) -> Value:
            known = [
                rewritten(value, lambda one: one.closed(row[places[id(one)]]) if id(one) in places else one)
                for value in values
            ]
            return node.fn(*known)

        return self._pointwise(state, node, roots, of_row)

    def _pointwise(
        self, state: WalkState, node: FlowNode, roots: list[Number], function: Callable[..., Value]
    ) -> Value:
        """Return a function of numbers, as an open value; forks only if a pool needs the faces."""
        drawn = self._drawn_together(state, node, [flattened(root, state) for root in roots])
        source = next((next(iter(root.terms)) for root in drawn if isinstance(root, Number)), None)
        if source is None:
            return function(*drawn)
        rows = len(state.sources[source][0])
        columns = [
            [x + root.const for x in root.terms[source]] if isinstance(root, Number) else [root] * rows
            for root in drawn
        ]
        results = [function(*row) for row in zip(*columns, strict=True)]
        if all(type(one) is bool for one in results):
            return (
                Truth(0, {}).with_terms(0, {source: tuple([int(one) for one in results])})
                if not all(results)
                else True
            )
        if all(is_number(one) for one in results):
            first = results[0]
            if all(one == first for one in results):
                return first
            return number_of(0, {source: tuple(results)})
        names = [(type(one), one) for one in results]  # neither numbers nor truths: a state for each
        state.env[node.dst or ""] = EMPTY
        forks = []
        for (_, value), one in self.draws.by_value(state, source, names):
            one.env[node.dst or ""] = value
            forks.append(one)
        raise Passed(forks)

    def _drawn_together(self, state: WalkState, node: FlowNode, numbers: list[Value]) -> list[Value]:
        """Return the numbers over one draw; raise `Forked` if a live pool depends on their sources."""
        roots = [root for root in numbers if isinstance(root, Number)]
        ids = list(dict.fromkeys(source for root in roots for source in root.terms))
        state.refuse_endless(ids)
        if not ids or (len(ids) == 1 and state.sources[ids[0]][1] == 1):
            return numbers
        source = self.draws.held(state, node.after, ids)
        if source is not None:
            nothing = (0,) * len(state.sources[source][0])
            columns = [root.terms.get(source, nothing) for root in roots]
            raise Forked(self.draws.refined(state, source, list(zip(*columns, strict=True))))
        narrow(state, node.after)
        drawn = iter(self.draws.folded(state, roots, node.after))
        return [next(drawn) if isinstance(one, Number) else one for one in numbers]

    def know(self, state: WalkState, node: FlowNode, place: int) -> None:
        """Fork by the value of an operand, and run the node again."""
        name = node.args[place]
        assert type(name) is Var
        number = state.env[name] = flattened(state.env[name], state)
        if not isinstance(number, Number):
            raise Forked([state])
        live = operands_and_after(node)
        ids = list(number.terms)
        state.refuse_endless(ids)
        if len(ids) > 1 or state.sources[ids[0]][1] > 1:
            source = self.draws.held(state, live, ids)
            if source is not None:
                raise Forked(self.draws.refined(state, source, number.terms[source]))
            narrow(state, live)
            (number,) = self.draws.folded(state, [number], live)
        if not isinstance(number, Number):
            raise Forked([state])
        ((source, column),) = number.terms.items()
        raise Forked(self.draws.refined(state, source, column))

    # -- pools

    def refined_fully(self, state: WalkState, pool: OpenDice) -> list[WalkState]:
        source = next(iter(pool.parts))
        return self.draws.refined(state, source, range(len(pool.parts[source])))

    def _of_pool(self, state: WalkState, node: FlowNode, values: list[Value]) -> Value:
        """Evaluate a function of a pool that is open, or of how many of its dice."""
        fn, pool = node.fn, values[0]
        if fn is FUNCTIONS["size"]:
            return fn(pool)
        if fn is FUNCTIONS["highest"] or fn is FUNCTIONS["lowest"]:
            if isinstance(values[1], Number):
                self.know(state, node, 1)
            return self._kept(state, pool, resolve_int(values[1]), highest=fn is FUNCTIONS["highest"])
        if pool.parts:
            raise Forked(self.refined_fully(state, pool))
        return self._by_row(state, node, values)

    def _kept(self, state: WalkState, pool: OpenDice, count: int, *, highest: bool) -> OpenDice:
        """Return the best or worst dice: peel readings from the end until there are enough."""
        if count <= 0:
            return EMPTY
        if state.bounds(pool.size())[1] <= count:
            return pool
        if not pool.parts:
            return pool.highest(count) if highest else pool.lowest(count)
        order = {r for part in pool.parts.values() for readings in part for r in readings} | set(pool.known)
        if any(type(reading) is Extra for reading in order):
            raise TooBig(Message("solver.one_exploding_sum"))
        taken: dict[int, int] = {}
        for reading in sorted(order, reverse=highest):
            for source, part in pool.parts.items():
                signs = [readings.count(reading) for readings in part]
                if any(signs) and state.is_endless(source):
                    if len(set(signs)) > 1:
                        raise TooBig(Message("solver.one_endless_statistic"))
                    if state.sources[source][1].minimum * signs[0] >= count:
                        return OpenDice({}, {**taken, reading: count})
                    raise Forked(self.draws.cut(state, source, count))
                if any(signs):
                    if len(set(signs)) == 1:
                        signs = list(range(len(signs)))
                    raise Forked(self.draws.refined(state, source, signs))
            taken[reading] = min(pool.known.get(reading, 0), count)
            count -= taken[reading]
            if not count:
                break
        return OpenDice({}, taken)

    def keep_sum(self, state: WalkState, node: FlowNode, values: list[Value]) -> bool:
        """Compute the sum of kept dice at once if nothing else depends on them."""
        pool, count = values
        following = node.next
        assert following is not None
        if not isinstance(pool, OpenDice) or not pool.parts or type(count) is not int or count <= 0:
            return False
        live = [name for name in following.after if name != following.dst]
        ids = set(pool.parts)
        for name in (*live, PAIRS):
            for one in opened(state.env.get(name)):
                if not ids.isdisjoint(sources_of(one)):
                    return False
        if any(state.is_endless(source) for source in ids):
            return self._keep_adding(state, node, pool, count, tuple(live))
        sums = keeping.kept_sums(
            state.sources, pool, count, highest=node.fn is FUNCTIONS["highest"], spend=self.draws.spend
        )
        if sums is None:
            return False
        narrow(state, tuple(live))
        for source in ids:
            del state.sources[source]
        rows = sorted(sums.items())
        new = self.draws.new_source(state, [weight for _, weight in rows], 1)
        assert following.dst is not None
        state.env[following.dst] = number_of(0, {new: tuple([value for value, _ in rows])})
        return True

    def _keep_adding(
        self, state: WalkState, node: FlowNode, pool: OpenDice, count: int, live: tuple[str, ...]
    ) -> bool:
        """Compute the sum of kept dice that add on; other dice of the pool are known, and read less."""
        following = node.next
        thrown = [state.sources[source][1] for source in pool.parts]
        if following is None or len(thrown) > 1 or not isinstance(thrown[0], AddingSum):
            return False
        (adding,) = thrown
        base = int(next(reading for part in pool.parts.values() for (reading,) in part))
        others = OpenDice({}, {**pool.known, base: pool.known[base] - adding.count})
        if any(reading > base for reading in others.known):
            return False
        highest = node.fn is FUNCTIONS["highest"]
        size = sum(others.known.values())
        taken = min(count if highest else max(count - size, 0), adding.count)
        rest = others.highest(count - taken) if highest else others.lowest(count - taken)
        narrow(state, live)
        for source in pool.parts:
            del state.sources[source]
        new = self.draws.new_endless(state, adding.kept(taken, highest=highest))
        assert following.dst is not None
        gained = Number(0, {new: (1,)})
        state.env[following.dst] = linear(gained, rest.total() + taken * base, 1)
        return True
