"""A rule as the solver runs it: without what nobody asks for.

Given the fields of the result that are wanted, instructions whose values nobody reads are dropped
(throws, too), and for each place the variables that are still needed are known: histories that
agree on those are the same state.
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
    """The instructions, and for each the variables that are needed after it."""

    program: Program
    code: Code
    live_before: list[tuple[str, ...]]  # variables needed when an instruction is reached
    called_fields: dict[str, frozenset[str] | None]  # of each called result; None means all
    loops: dict[int, frozenset[str]]  # head of a `while` -> variables that its body changes
    live_after: list[tuple[str, ...]]  # variables needed after an instruction, but for its own
    tail_calls: dict[int, tuple[tuple[str, str], ...]]  # calls whose result is just handed on
    wanted: frozenset[str] | None  # fields of the result


def make_plan(program: Program, wanted: frozenset[str] | None, tells: Callable[[str], bool]) -> Plan:
    """The plan for some fields of the result (None: all); `tells` says if a rule has events."""
    code = [_restrict_result(step, wanted) for step in program.code]
    while True:
        needed = _live_variables(code, program, tells)
        slim = [
            _skip(step, pc) if _is_dead(step, needed[pc + 1], tells) else step for pc, step in enumerate(code)
        ]
        if all(new is old for new, old in zip(slim, code, strict=True)):
            break
        code = slim
    kept = [tuple(sorted(names)) for names in needed]
    after = [tuple(name for name in kept[pc + 1] if name != step.writes) for pc, step in enumerate(code)]
    return Plan(program, code, kept, _fields(code), _loops(code), after, _tail_calls(code), wanted)


def _restrict_result(step: Instruction, wanted: frozenset[str] | None) -> Instruction:
    if isinstance(step, Modify):
        return Let("@", Expr(("const", None)), line=step.line, column=step.column)
    if not isinstance(step, Result) or wanted is None:
        return step
    fields = tuple((name, expr) for name, expr in step.fields if name in wanted)
    return Result(fields, line=step.line, column=step.column)


def _is_dead(step: Instruction, after: set[str], tells: Callable[[str], bool]) -> bool:
    if step.writes is None or step.writes in after:
        return False
    if isinstance(step, Call):
        return not tells(step.rule)
    return isinstance(step, (Let, RollDice, Reroll, Choose, Ask))


def _skip(step: Instruction, pc: int) -> Instruction:
    return Jump(pc + 1, line=step.line, column=step.column)


def _live_variables(code: Code, program: Program, tells: Callable[[str], bool]) -> list[set[str]]:
    """For each place, the variables whose values may still be read, and to some end."""
    needed: list[set[str]] = [set() for _ in range(len(code) + 1)]
    fixed = {*program.params, "@"}
    changed = True
    while changed:
        changed = False
        for pc in reversed(range(len(code))):
            step = code[pc]
            names: set[str] = set()
            for after in successors(step, pc):
                names |= needed[after]
            if not _is_dead(step, names, tells):
                names.discard(step.writes or "")
                for expr in step.expressions():
                    names |= expr.reads
            names -= fixed
            if names != needed[pc]:
                needed[pc], changed = names, True
    return needed


def successors(step: Instruction, pc: int) -> tuple[int, ...]:
    """Where the program can go from an instruction."""
    if isinstance(step, JumpUnless):
        return pc + 1, step.target
    if isinstance(step, Jump):
        return (step.target,)
    return () if isinstance(step, Result) else (pc + 1,)


def _fields(code: Code) -> dict[str, frozenset[str] | None]:
    """Which fields of each called result are read; a result used as a whole needs them all."""
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
    """Calls with nothing behind them but a result that names some of their fields anew."""
    found = {}
    for pc, step in enumerate(code[:-1]):
        result = code[pc + 1]
        if isinstance(step, Call) and isinstance(result, Result):
            selects = [(name, expr.single_field) for name, expr in result.fields]
            if all(select is not None and select[0] == step.var for _, select in selects):
                found[pc] = tuple((name, select[1]) for name, select in selects if select)
    return found


def _loops(code: Code) -> dict[int, frozenset[str]]:
    loops = {}
    for pc, step in enumerate(code):
        if isinstance(step, Jump) and step.target < pc and isinstance(code[step.target], LoopHead):
            body = code[step.target : pc]
            loops[step.target] = frozenset(s.writes for s in body if s.writes is not None)
    return loops
