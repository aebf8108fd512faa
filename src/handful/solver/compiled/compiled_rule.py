"""One rule with the fields of its result that are wanted, and its specializations.

Invariant: whether a rule is compiled decides how long an answer takes, never what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.rules.codegen.source import NotCompilable
from handful.rules.program import VALUE_ERRORS
from handful.solver.compiled.packed_fields import Part
from handful.solver.compiled.run import Run
from handful.solver.compiled.specialization import Specialization
from handful.solver.joint_distribution import NeedsEnumeration

MAX_SPECIALIZATIONS = 16  # per rule
MAX_FAILURES = 4  # attempts to compile a rule, or runs that fell back to the interpreter

# Errors of a compiled rule: the interpreter then answers, or reports the error with line and column.
FALLBACK_ERRORS = (NotCompilable, NeedsEnumeration, NameError, AssertionError, *VALUE_ERRORS)

Found = tuple[Specialization, dict[Any, list[Part]]]  # parts by outcome, as the specialization keys them


class CompiledRule:
    """A rule and its specializations, newest first."""

    def __init__(
        self,
        name: str,
        wanted: frozenset[str],
        compile_for: Callable[[CompiledRule, Run, Mapping[str, Any]], Specialization],
    ) -> None:
        self.name, self.wanted, self._compile_for = name, wanted, compile_for
        self.specializations: tuple[Specialization, ...] = ()
        self.width = 64  # of the fields that the last answer needed
        self._failures = 0

    def solve(self, run: Run, args: Mapping[str, Any]) -> Found | None:
        """Return the parts of the rule's outcomes, or None if the interpreter has to find them."""
        before = run.decided
        try:
            for one in self.specializations:
                run.decided = set()  # drop the decisions of a specialization that did not fit
                run.charge(one.work)
                out = one.solve(run, args, {})
                if out is not None:
                    before |= run.decided
                    return one, out
            if len(self.specializations) < MAX_SPECIALIZATIONS and self._failures < MAX_FAILURES:
                run.decided = set()  # samples that are solved while compiling have decisions of their own
                one = self._compile_for(self, run, args)
                self.specializations = (one, *self.specializations)
                run.decided = set()
                run.charge(one.work)
                out = one.solve(run, args, {})
                if out is not None:
                    before |= run.decided
                    return one, out
        except FALLBACK_ERRORS:
            self._failures += 1
        finally:
            run.decided = before
        return None
