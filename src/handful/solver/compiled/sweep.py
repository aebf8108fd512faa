"""Compiles a rule for many values of one argument: loop-invariant code motion on its operations.

Operations that depend neither on the argument nor on anything computed from it run once; the others go
into a loop over the argument's values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from handful.rules.codegen.source import NotCompilable, Operation
from handful.solver.compiled.results import OUT

if TYPE_CHECKING:
    from handful.solver.compiled.specialization import Specialization

RESULTS, VALUES = "results", "values"
HEAD = f"def solve(run, args, {VALUES}):"


def compile_sweep(specialization: Specialization, argument: str) -> Callable[..., Any]:
    """Return `solve(run, args, values)`: the parts for each value, or None if a guard fails."""
    for template in specialization.templates:
        if template.is_random or template.placeholders or len(template.fields) != 1 or template.events:
            raise NotCompilable
        if type(template.fields[0][1]) is not bool:
            raise NotCompilable
    operations = sweep_operations(specialization, argument)
    function: Callable[..., Any] = specialization.source.compile_operations(HEAD, operations)
    return function


def sweep_operations(specialization: Specialization, argument: str) -> list[Operation]:
    """Return the operations with the dependent ones inside a loop over the values of an argument."""
    local = specialization.compiler.argument_local(argument)
    *operations, _last = specialization.source.operations
    others = [one for one in operations if local not in one.writes]
    inside = _dependent_operations(others, {local})
    inside |= {at for at, one in enumerate(others) if OUT in one.all_writes}
    invariant = [one for at, one in enumerate(others) if at not in inside]
    repeated = [one for at, one in enumerate(others) if at in inside]
    begin, end = Operation(f"{OUT} = {{}}", (OUT,)), Operation(f"{RESULTS}.append({OUT})", (RESULTS,))
    loop = Operation(f"for {local} in {VALUES}:", (local,), [begin, *repeated, end])
    results = Operation(f"{RESULTS} = []", (RESULTS,))
    return [*invariant, results, loop, Operation(f"return {RESULTS}", ())]


def _dependent_operations(operations: list[Operation], dependent: set[str]) -> set[int]:
    """Return the operations that depend on the names `dependent`, directly or through other names."""
    inside: set[int] = set()
    while True:
        more = {at for at, one in enumerate(operations) if at not in inside and one.names & dependent}
        if not more:
            return inside
        inside |= more
        for at in more:
            dependent |= operations[at].all_writes
