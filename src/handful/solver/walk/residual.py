"""Specialises a rule for the arguments of a question: polyvariant partial evaluation.

What does not depend on dice is computed here, once: arguments, tables, house rules, loops over lists.
What is left is a graph of operations on open values (`FlowNode`).  Rules without dice, and rules that are
called with open arguments, become part of the graph; other called rules are solved by themselves.

A loop is unrolled while its test is known.  Where dice decide how often it turns, it is unrolled a few
times; then the numbers that it changes are left open at its head, so that the graph returns there.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from handful.errors import Message, TooBig
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import Value, get_field
from handful.rules.program import VALUE_ERRORS, Call, Record
from handful.solver.states import boolean_positions
from handful.solver.walk.abstract import (
    LATER,
    OPEN,
    Missing,
    Open,
    few,
    is_open_now,
    is_unknown,
    keeps_structure,
    sites_of,
)
from handful.solver.walk.flat import OPTIONS, Flat, FlatCode, Var, copy, make_record
from handful.solver.walk.graph import Edge, FlowNode, ordered

if TYPE_CHECKING:
    from handful.solver.solver import Solver

MAX_NODES = 12_000
MAX_STEPS = 120_000
STEPS_A_UNIT = 20
UNROLLED = 24  # turns of a loop that dice may end, before its numbers are left open


Frame = tuple[FlatCode, int, str, str]  # the rule that called: code, pc to return to, prefix, variable


Place = tuple[FlatCode, int, str, tuple[Frame, ...], dict[str, Value], Edge]


Head = tuple[int, int, str]  # of a loop: its code and place, and the prefix of its variables


class _TooManyTurns(Exception):
    """Loops have to be left open, and the graph built again."""


class Residual:
    """The graph of one question."""

    def __init__(
        self, solver: Solver, flat: FlatCode, pc: int, env: dict[str, Value], inlined: frozenset[str]
    ) -> None:
        self.solver = solver
        self.inlined = inlined  # calls that become part of the graph, because their arguments are open
        self.opened: set[Head] = set()  # loops whose numbers are left open
        while (first := self._built((flat, pc, "", (), env, Edge()))) is None:
            pass
        self.first: FlowNode = first
        self.nodes[:] = ordered(first)

    def _built(self, start: Place) -> FlowNode | None:
        """Build the graph; return its first node, or None if loops have to be left open for that."""
        self.nodes: list[FlowNode] = []
        self.memo: dict[Any, FlowNode] = {}
        self.visits: dict[Head, set[Any]] = {}
        self.decided_by_dice: set[Head] = set()
        self.steps = 0
        self.turning = False  # the next node is the first one of a turn
        self.pending: list[Place] = [start]
        try:
            while self.pending:
                self._run(*self.pending.pop())
        except _TooManyTurns:
            return None
        finally:
            self.solver.spend(1 + self.steps // STEPS_A_UNIT)
        return start[-1].node

    def _limit(self) -> None:
        """Leave all loops open that dice may end, or refuse a rule that is too long without."""
        loops = {head for head in self.decided_by_dice if len(self.visits[head]) > 1} - self.opened
        if not loops:
            raise TooBig(Message("solver.too_many_turns"))
        self.opened |= loops
        raise _TooManyTurns

    def _enter_loop(
        self,
        flat: FlatCode,
        pc: int,
        prefix: str,
        frames: tuple[Frame, ...],
        env: dict[str, Value],
        edge: Edge,
    ) -> Edge:
        """Leave the numbers open that a loop changes, if it has turned often or needs it."""
        head = id(flat), pc, prefix
        visits = self.visits.setdefault(head, set())
        visits.add(self._key(flat, pc, prefix, frames, env))
        if head not in self.opened:
            if len(visits) > UNROLLED and head in self.decided_by_dice:
                self.opened.add(head)
                raise _TooManyTurns
            return edge
        step = flat.code[pc]
        for name in sorted(step.turns.intersection(step.live)):
            value = env.get(prefix + name)
            if type(value) is int or type(value) is Fraction:
                edge = self._add(FlowNode("op", prefix + name, copy, (value,), step), None, edge)
                env[prefix + name] = LATER
        self.turning = True
        return edge

    # -- running what is known

    def _run(
        self,
        flat: FlatCode,
        pc: int,
        prefix: str,
        frames: tuple[Frame, ...],
        env: dict[str, Value],
        edge: Edge,
    ) -> None:
        """Follow the code from one place to the nodes that are known already."""
        env = dict(env)
        self.turning = False
        while True:
            self.steps += 1
            if self.steps > MAX_STEPS or len(self.nodes) > MAX_NODES:
                self._limit()
            step = flat.code[pc]
            if step.turns:
                self.turning = True
                edge = self._enter_loop(flat, pc, prefix, frames, env, edge)
            if step.fn is None and step.kind == "op":  # a jump
                pc = step.next
                continue
            args = [self._value(one, prefix, env) for one in step.args]
            known = not any(is_unknown(one) for one in args)
            if step.kind == "op" and step.dst is not None:
                value = self._computed(step, args, known)
                if value is not None and not is_unknown(value[0]):
                    env[prefix + step.dst] = value[0]
                    pc = step.next
                    continue
            if step.kind == "if" and known and type(args[0]) is bool:
                pc = step.next if args[0] else step.other
                continue
            key = self._key(flat, pc, prefix, frames, env)
            node = self.memo.get(key)
            if node is not None:
                node.head = node.head or self.turning
                edge.set(node)
                return
            if step.kind == "end" and frames:
                edge = self._return(step, args, prefix, frames[-1], env, key, edge)
                flat, pc, prefix, _ = frames[-1]
                frames = frames[:-1]
                continue
            inner = f"{prefix}{step.pc}/"
            if step.kind == "call" and (given := self._given(step, args, known, inner)) is not None:
                edge = self._enter(step, given, (prefix, inner), env, key, edge)
                frames = (*frames, (flat, step.next, prefix, step.dst or ""))
                flat, prefix = self._called(step), inner
                pc = flat.entry[0]
                continue
            node = FlowNode(
                step.kind,
                None if step.dst is None else prefix + step.dst,
                step.fn,
                tuple([self._operand(one, prefix, env) for one in step.args]),
                step,
            )
            edge = self._add(node, key, edge)
            if node.dst is not None:
                env[node.dst] = self._abstract(node, step, args, prefix)
            if node.kind in ("end", "refuse"):
                return
            if node.kind == "if":
                if step.leaves >= 0:
                    self.decided_by_dice.add((id(flat), step.leaves, prefix))
                self.pending.append((flat, step.other, prefix, frames, env, Edge.of(node, "other")))
                env = dict(env)
            pc = step.next

    def _add(self, node: FlowNode, key: Any, edge: Edge) -> Edge:
        self.nodes.append(node)
        node.head, self.turning = self.turning, False
        if key is not None:
            self.memo[key] = node
        edge.set(node)
        return Edge.of(node, "next")

    def _value(self, operand: Any, prefix: str, env: dict[str, Value]) -> Value:
        if type(operand) is not Var:
            return operand
        if operand == OPTIONS:
            return self.solver.options
        try:
            return env[prefix + operand]
        except KeyError:
            return Missing(str(operand))

    def _operand(self, operand: Any, prefix: str, env: dict[str, Value]) -> Any:
        """Return an operand of a node: a constant if its value is known, else a variable."""
        value = self._value(operand, prefix, env)
        if isinstance(value, Missing) or is_unknown(value):
            return Var(prefix + operand)
        return value

    def _computed(self, step: Flat, args: list[Value], known: bool) -> tuple[Value] | None:
        """Return the value of an operation if it can be computed now."""
        if any(isinstance(one, Missing) for one in args):
            return None
        if not known and not keeps_structure(step.fn, args):
            return None
        try:
            return (step.fn(*args),)
        except (*VALUE_ERRORS, TooBig):
            return None  # an error where the rule comes to this place, and only there

    def _abstract(self, node: FlowNode, step: Flat, args: list[Value], prefix: str) -> Value:
        """Return what is known of the value that a node writes."""
        if node.kind in ("roll", "reroll"):
            here = frozenset((len(self.nodes),))
            if node.kind == "reroll" and node.args[2] != "new":
                here |= sites_of(args[0])
            return Open(few(here))
        if node.kind == "call":
            node.site = f"{prefix}{step.pc}/"
            return LATER
        value = self._computed(step, args, False)
        if value is not None:
            return value[0]
        if not any(map(is_open_now, args)):
            return LATER
        sites = frozenset().union(*[sites_of(one) for one in args])
        node.sites = few(sites)
        if step.fn in (FUNCTIONS["size"], FUNCTIONS["sum"]):
            return OPEN
        return Open(few(sites))

    # -- keys

    def _key(
        self, flat: FlatCode, pc: int, prefix: str, frames: tuple[Frame, ...], env: dict[str, Value]
    ) -> Any:
        live = flat.code[pc].live if frames else flat.code[pc].live_own
        parts = [(pc, prefix, id(flat))]
        values: list[Value] = [env.get(prefix + name) for name in live]
        for code, after, own, var in frames:
            names = code.code[after].live if own else code.code[after].live_own
            values += [env.get(own + name) for name in names if name != var]
            parts.append((after, own, id(code)))
        return tuple(parts), tuple(values), boolean_positions(tuple(values))

    # -- called rules

    def _called(self, step: Flat) -> FlatCode:
        call = step.step
        assert isinstance(call, Call)
        program = self.solver.ruleset.program(call.rule)
        return self.solver.flat(self.solver.plan(program, step.plan.called_fields[call.var]))

    def _given(
        self, step: Flat, args: list[Value], known: bool, site: str
    ) -> dict[str, tuple[Value, Any]] | None:
        """Return the arguments of a called rule that becomes part of the graph, else None.

        Each is a value and the operand it comes from: a variable, or a record and the name of its field.
        """
        call = step.step
        assert isinstance(call, Call)
        if known and not self.solver.compiled_rules.is_pure(call.rule):
            return None
        if not known and site not in self.inlined and not any(map(is_open_now, args)):
            return None
        params = self.solver.ruleset.program(call.rule).params
        given: dict[str, tuple[Value, Any]] = {}
        for record, operand in zip(args[: step.fn], step.args, strict=False):
            if not isinstance(record, dict):
                return None  # an error where the rule comes to this place
            given.update((name, (record[name], (operand, name))) for name in params if name in record)
        for (name, _), value, operand in zip(call.args, args[step.fn :], step.args[step.fn :], strict=True):
            given[name] = value, operand
        if any(name not in given or isinstance(given[name][0], Missing) for name in params):
            return None
        return given

    def _enter(
        self,
        step: Flat,
        given: dict[str, tuple[Value, Any]],
        prefixes: tuple[str, str],
        env: dict[str, Value],
        key: Any,
        edge: Edge,
    ) -> Edge:
        """Pass arguments on; a node copies each that is open."""
        outer, inner = prefixes
        for name, (value, source) in given.items():
            if is_unknown(value):
                named = type(source) is tuple  # a field of a record
                fn: Any = get_field if named else copy
                operands = (self._operand(source[0] if named else source, outer, env),)
                operands += source[1:] if named else ()
                edge = self._add(FlowNode("op", inner + name, fn, operands, step), key, edge)
                key = None
        env.update((inner + name, value) for name, (value, _) in given.items())
        return edge

    def _return(
        self,
        step: Flat,
        args: list[Value],
        prefix: str,
        frame: Frame,
        env: dict[str, Value],
        key: Any,
        edge: Edge,
    ) -> Edge:
        """Return to the rule that called; a node builds the record of results that are open."""
        _, _, outer, var = frame
        result = Record(zip(step.fn, args, strict=True))
        if is_unknown(result):
            operands = tuple([self._operand(one, prefix, env) for one in step.args])
            edge = self._add(FlowNode("op", outer + var, make_record, (step.fn, *operands), step), key, edge)
        env[outer + var] = result
        return edge
