"""Liveness analysis and dead-code elimination of a rule, for the fields of the result that are wanted.

Instructions whose values are never read are dropped (throws, too).  For each instruction the plan holds
the live variables: branches that agree on those are the same state.
"""

from __future__ import annotations

from collections.abc import Callable

from handful.records import record
from handful.rules.expression_tree import Expr
from handful.rules.program import (
    Ask,
    Call,
    Choose,
    Code,
    Instruction,
    Jump,
    JumpUnless,
    Let,
    LoopHead,
    Modify,
    Program,
    Reroll,
    Result,
    RollDice,
)


@record(eq=False)
class Plan:
    """The instructions without dead code, and the variables that are live at each."""

    program: Program
    code: Code
    live_before: list[tuple[str, ...]]  # variables live when an instruction is reached
    called_fields: dict[str, frozenset[str] | None]  # fields read of each called result; None means all
    loops: dict[int, frozenset[str]]  # head of a `while` -> variables that its body assigns
    live_after: list[tuple[str, ...]]  # variables live after an instruction, except the one it writes
    tail_calls: dict[int, tuple[tuple[str, str], ...]]  # calls whose fields are just returned
    wanted: frozenset[str] | None  # fields of the result


def make_plan(program: Program, wanted: frozenset[str] | None, emits_events: Callable[[str], bool]) -> Plan:
    """Return the plan for some fields of the result (None: all)."""
    code = [_restrict_result(step, wanted) for step in program.code]
    while True:
        live_sets = _live_variables(code, program, emits_events)
        reduced = [
            _skip(step, pc) if _is_dead(step, live_sets[pc + 1], emits_events) else step
            for pc, step in enumerate(code)
        ]
        if all(new is old for new, old in zip(reduced, code, strict=True)):
            break
        code = reduced
    live = [tuple(sorted(names)) for names in live_sets]
    after = [tuple(name for name in live[pc + 1] if name != step.writes) for pc, step in enumerate(code)]
    return Plan(program, code, live, _fields(code), _loops(code), after, _tail_calls(code), wanted)


def _restrict_result(step: Instruction, wanted: frozenset[str] | None) -> Instruction:
    if isinstance(step, Modify):
        return Let("@", Expr(("const", None)), line=step.line, column=step.column)
    if not isinstance(step, Result) or wanted is None:
        return step
    fields = tuple((name, expr) for name, expr in step.fields if name in wanted)
    return Result(fields, line=step.line, column=step.column)


def _is_dead(step: Instruction, after: set[str], emits_events: Callable[[str], bool]) -> bool:
    if step.writes is None or step.writes in after:
        return False
    if isinstance(step, Call):
        return not emits_events(step.rule)
    return isinstance(step, (Let, RollDice, Reroll, Choose, Ask))


def _skip(step: Instruction, pc: int) -> Instruction:
    return Jump(pc + 1, line=step.line, column=step.column)


def _live_variables(code: Code, program: Program, emits_events: Callable[[str], bool]) -> list[set[str]]:
    """Return the live variables before each instruction, by a fixed-point iteration."""
    live_sets: list[set[str]] = [set() for _ in range(len(code) + 1)]
    fixed = {*program.params, "@"}
    changed = True
    while changed:
        changed = False
        for pc in reversed(range(len(code))):
            step = code[pc]
            names: set[str] = set()
            for after in successors(step, pc):
                names |= live_sets[after]
            if not _is_dead(step, names, emits_events):
                names.discard(step.writes or "")
                for expr in step.expressions():
                    names |= expr.reads
            names -= fixed
            if names != live_sets[pc]:
                live_sets[pc], changed = names, True
    return live_sets


def successors(step: Instruction, pc: int) -> tuple[int, ...]:
    """Return the instructions that can follow an instruction."""
    if isinstance(step, JumpUnless):
        return pc + 1, step.target
    if isinstance(step, Jump):
        return (step.target,)
    return () if isinstance(step, Result) else (pc + 1,)


def _fields(code: Code) -> dict[str, frozenset[str] | None]:
    """Return the fields that are read of each called result; None if the record itself is used."""
    called = {step.var for step in code if isinstance(step, Call)}
    fields: dict[str, set[str]] = {name: set() for name in called}
    used_as_value: set[str] = set()
    for step in code:
        for expr in step.expressions():
            used_as_value |= expr.value_reads & called
            for name, field in expr.field_reads:
                if name in called:
                    fields[name].add(field)
    return {name: None if name in used_as_value else frozenset(fields[name]) for name in called}


def _tail_calls(code: Code) -> dict[int, tuple[tuple[str, str], ...]]:
    """Return the calls followed only by a result that returns some of their fields, maybe renamed."""
    found = {}
    for pc, step in enumerate(code[:-1]):
        result = code[pc + 1]
        if isinstance(step, Call) and isinstance(result, Result):
            selected = [(name, expr.single_field) for name, expr in result.fields]
            if all(selection is not None and selection[0] == step.var for _, selection in selected):
                found[pc] = tuple((name, selection[1]) for name, selection in selected if selection)
    return found


def _loops(code: Code) -> dict[int, frozenset[str]]:
    loops = {}
    for pc, step in enumerate(code):
        if isinstance(step, Jump) and step.target < pc and isinstance(code[step.target], LoopHead):
            body = code[step.target : pc]
            loops[step.target] = frozenset(s.writes for s in body if s.writes is not None)
    return loops
