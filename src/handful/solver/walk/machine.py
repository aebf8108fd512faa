"""Runs the residual graph of a question on states whose dice are drawn only as far as it asks.

A question about numbers is answered on one draw from their joint distribution, row by row, without a
fork; a test forks it in two.  Where a live pool needs the faces as well, only the numbers of dice that the
question tells apart are drawn.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import log2
from typing import TYPE_CHECKING, Any

from handful.errors import Message
from handful.rules.operators import Value, is_true
from handful.rules.program import EVENTS, VALUE_ERRORS, Call, Record, Refusal, Refuse, explain_error
from handful.solver.walk import outcomes
from handful.solver.walk.contests import resolve_pairs
from handful.solver.walk.filing import Filing
from handful.solver.walk.flat import Var
from handful.solver.walk.graph import FlowNode
from handful.solver.walk.loops import solve_loop
from handful.solver.walk.operations import Operations
from handful.solver.walk.questions import ALWAYS, Forked, OpenArguments, Passed, narrow
from handful.solver.walk.residual import Residual
from handful.solver.walk.sources import PAIRS, SourceDraws, WalkState
from handful.solver.walk.tables import Spend
from handful.solver.walk.throwing import Throws
from handful.solver.walk.values import Truth, is_open

if TYPE_CHECKING:
    from handful.solver.solver import Solver

Arrival = tuple[FlowNode, WalkState]

STATE_PRICE = 4  # units
MAX_EXPONENT, MAX_GROWTH = 100, 1e40  # of an estimate
FEW_PLACES = 20  # too few to see how the number of states grows
STOPS = frozenset(("roll", "reroll", "call", "end"))  # nodes where states wait for others


class Machine:
    """One walk over a residual graph."""

    def __init__(self, solver: Solver, residual: Residual, spend: Spend) -> None:
        self.solver, self.residual = solver, residual
        self.draws = SourceDraws(spend)
        self.operations = Operations(self.draws)
        self.throws = Throws(self.operations)
        self.waiting: dict[int, Filing] = {}
        self.places: list[int] = []
        self.inside = -1  # the loop of which one turn is run
        self.ends: list[tuple[FlowNode, WalkState]] = []
        self.history: list[tuple[int, int]] = []  # how far the walk had come, and states there

    def run(self, starts: list[WalkState]) -> list[tuple[FlowNode, WalkState]]:
        """Return the states at the ends of the graph."""
        for start in starts:
            self.file(start, self.residual.first)
        while self.places:
            filing = self.waiting.pop(heappop(self.places))
            self.history.append((filing.node.rank + 1, len(filing.buckets)))
            if filing.node.loop >= 0:
                for node, state in solve_loop(self, self._entries(filing)):
                    self.file(state, node)
            else:
                self._advance_all(filing)
        return self.ends

    def _entries(self, filing: Filing) -> list[Arrival]:
        """Return all states that wait in the same loop."""
        filings = [filing]
        while self.places and self.waiting[self.places[0]].node.loop == filing.node.loop:
            filings.append(self.waiting.pop(heappop(self.places)))
        return [(one.node, state) for one in filings for state in one.states()]

    def _advance_all(self, filing: Filing) -> None:
        for state in filing.states():
            self.draws.spend(STATE_PRICE + len(state.env))
            if filing.node.kind == "end":
                self.ends.append((filing.node, state))
            else:
                self._advance(state, filing.node)

    def turn(self, node: FlowNode, state: WalkState) -> tuple[list[Arrival], list[Arrival]]:
        """Run a state to the next heads of its loop; return those, and the states that have left it."""
        outer = self.waiting, self.places, self.inside
        self.waiting, self.places, self.inside = {}, [], node.loop
        heads: list[Arrival] = []
        left: list[Arrival] = []
        try:
            self._advance(state, node)
            while self.places:
                filing = self.waiting.pop(heappop(self.places))
                if filing.node.loop != self.inside:
                    left += [(filing.node, one) for one in filing.states()]
                elif filing.node.head:
                    heads += [(filing.node, one) for one in filing.states()]
                else:
                    self._advance_all(filing)
        finally:
            self.waiting, self.places, self.inside = outer
        return heads, left

    def projected_growth(self) -> float:
        """Estimate how many times the work so far the whole walk takes: states grow like a power."""
        if len(self.history) < FEW_PLACES:
            return 1.0
        last, size = self.history[-1][0], len(self.residual.nodes)
        early = sum([n for rank, n in self.history if rank <= last // 2])
        exponent = log2(max(sum([n for _, n in self.history]) / max(early, 1), 2))
        return float(min((size / last) ** min(exponent, MAX_EXPONENT), MAX_GROWTH))

    def file(self, state: WalkState, node: FlowNode) -> None:
        """Put a state where states with an equal future meet."""
        if PAIRS in state.env:
            narrow(state, (*node.after, *[str(one) for one in node.args if type(one) is Var]))
            if not resolve_pairs(self.draws, state):
                return
        filing = self.waiting.get(node.rank)
        if filing is None:
            filing = self.waiting[node.rank] = self._filing(node)
            heappush(self.places, node.rank)
        filing.add(state)

    def _filing(self, node: FlowNode) -> Filing:
        live = dict.fromkeys([*node.after, *[str(one) for one in node.args if type(one) is Var], *ALWAYS])
        return Filing(node, tuple(live), node.asked, self.draws)

    def key_of(self, node: FlowNode, state: WalkState) -> Any:
        """Return a key that is equal for states with an equal future at a node."""
        return self._filing(node).key_of(state, set())

    def _advance(self, state: WalkState, node: FlowNode) -> None:
        """Run a state until it meets others, forks or ends."""
        at: FlowNode | None = node
        while at is not None:
            node = at
            try:
                at = self._executed(state, node)
            except Forked as forked:
                for one in forked.states:
                    if node.head and self.inside >= 0:  # not another turn of the loop
                        self._advance(one, node)
                    else:
                        self.file(one, node)
                return
            except Passed as passed:
                for one in passed.states:
                    self._pass_on(one, node)
                return
            except VALUE_ERRORS as error:
                raise node.flat.plan.program.error_at(node.flat.pc, explain_error(error)) from error
            if at is not None and (at.ways > 1 or at.kind in STOPS or at.head or at.loop != node.loop):
                self.file(state, at)
                return

    def _pass_on(self, state: WalkState, node: FlowNode) -> None:
        if node.next is not None:
            self.file(state, node.next)

    def value(self, state: WalkState, operand: Any) -> Value:
        return state.env[operand] if type(operand) is Var else operand

    def _executed(self, state: WalkState, node: FlowNode) -> FlowNode | None:
        """Execute a node; return what follows it, or None if the state has been filed."""
        if node.kind == "if":
            return self._branch(state, node)
        if node.kind == "call":
            for one in self._called(state, node):
                self._pass_on(one, node)
            return None
        values = [self.value(state, one) for one in node.args]
        if node.kind == "op":
            following = node.next
            if node.fused and following is not None and self.operations.keep_sum(state, node, values):
                return following.next
            value = self.operations.computed(state, node, values)
            assert node.dst is not None
            state.env[node.dst] = value
        elif node.kind == "roll":
            self.throws.roll(state, node, values)
        elif node.kind == "reroll":
            self.throws.reroll(state, node, values)
        elif node.kind == "event":
            state.env[EVENTS] = state.env[EVENTS] | {node.fn}
        elif node.kind == "decided":
            self._decided(state, node, values)
        else:
            step = node.flat.step
            if isinstance(step, Refuse):
                raise Refusal(step.word)
            raise AssertionError(step)
        return node.next

    def _branch(self, state: WalkState, node: FlowNode) -> FlowNode | None:
        value = self.value(state, node.args[0])
        if not isinstance(value, Truth):
            return node.next if is_true(value) else node.other
        narrow(state, node.after)
        ((source, column),) = value.terms.items()
        for sign, one in self.draws.by_value(state, source, [bool(x + value.const) for x in column]):
            target = node.next if sign else node.other
            assert target is not None
            self.file(one, target)
        return None

    def _decided(self, state: WalkState, node: FlowNode, values: list[Value]) -> None:
        """Note that there was a choice, if there can be one here."""
        most, pool = values
        if pool is None or (state.bounds(most)[1] > 0 and state.bounds(pool.size())[1] > 0):
            self.solver.decided.add(node.fn)

    # -- called rules

    def _called(self, state: WalkState, node: FlowNode) -> list[WalkState]:
        """Return the states after a call with known arguments."""
        call, plan = node.flat.step, node.flat.plan
        assert isinstance(call, Call)
        assert node.dst is not None
        program = self.solver.ruleset.program(call.rule)
        spread, values = len(call.spread), [self.value(state, one) for one in node.args]
        args: dict[str, Value] = {}
        for record in values[:spread]:
            if not isinstance(record, dict):
                raise TypeError(Message("rule.only_records"))
            args.update((name, record[name]) for name in program.params if name in record)
        args.update(zip([name for name, _ in call.args], values[spread:], strict=True))
        if missing := [name for name in program.params if name not in args]:
            raise TypeError(Message("rule.also_needs", name=program.name, missing=missing))
        if any(is_open(value) for value in args.values()):
            raise OpenArguments(node.site)
        given = Record((name, outcomes.to_symbolic(value)) for name, value in args.items())
        solved = self.solver.solve_rule(call.rule, given, plan.called_fields[call.var])
        return [outcomes.after_call(state, node.dst, one, self.draws) for one in solved]
