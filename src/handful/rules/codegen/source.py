"""Operations of a generated function, and their compilation to Python.

An operation is a line with the names that it reads and those that it binds or changes; blocks hold
further operations.  Passes over a function (`solver.compiled.sweep`) work on this list and never read text.
Invariant: nothing that a rule's author wrote appears in the source.  Names are generated, and values are
bound as constants of the namespace; only integers, booleans and None appear as literals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple

from handful.dice import Die

MAX_LINES = 600  # a rule that needs more is not worth compiling
MAX_DEPTH = 30  # nested blocks
BUILTINS = {kind.__name__: kind for kind in (int, set, frozenset, range, tuple)} | {
    "len": len,
    "max": max,
}  # the only builtins that generated code can reach
_NAMES = re.compile(r"\b[a-z]\d+\b")  # as `fresh` makes them
_SHARED = (str, Fraction, Die, frozenset)  # equal constants of these types have one name


class NotCompilable(Exception):
    """This rule, or these arguments, cannot be compiled: the interpreter answers instead."""


class Operation(NamedTuple):
    """One line of a function: its text, the names it binds or changes, and its block, if it opens one."""

    text: str
    writes: tuple[str, ...]
    body: list[Operation] | None = None

    @property
    def names(self) -> set[str]:
        """Return the generated names that occur in it and in its block."""
        names = {*_NAMES.findall(self.text)}
        for one in self.body or ():
            names |= one.names
        return names

    @property
    def all_writes(self) -> set[str]:
        """Return the names that it and its block bind or change."""
        return {*self.writes}.union(*[one.all_writes for one in self.body or ()])


class SourceBuilder:
    """Operations of one function, and the namespace that they run in."""

    def __init__(self, head: str, values: dict[str, Any]) -> None:
        self.head = head
        self.operations: list[Operation] = []
        self.values = dict(values)
        self.size = 0  # operations so far, in all blocks
        self._blocks = [self.operations]
        self._fresh = 0
        self._constants: dict[Any, str] = {}

    def line(self, text: str, *writes: str) -> None:
        """Emit an operation that binds or changes the locals `writes`."""
        self._append(Operation(text, writes))

    def assign(self, target: str, text: str) -> str:
        """Emit the assignment of an expression to a local, and return the local."""
        self._append(Operation(f"{target} = {text}", (target,)))
        return target

    def guard(self, test: str) -> None:
        """Emit a guard: the function returns None unless the test holds."""
        self._append(Operation(f"if not ({test}): return None", ()))

    @contextmanager
    def block(self, head: str, *writes: str) -> Iterator[None]:
        """Emit a block; everything emitted inside the context belongs to it."""
        body: list[Operation] = []
        self._append(Operation(head, writes, body))
        self._blocks.append(body)
        try:
            yield
            if not body:
                self.line("pass")
        finally:
            self._blocks.pop()

    def _append(self, operation: Operation) -> None:
        if self.size >= MAX_LINES or len(self._blocks) > MAX_DEPTH:
            raise NotCompilable
        self.size += 1
        self._blocks[-1].append(operation)

    def mark(self) -> tuple[int, int]:
        return len(self._blocks[-1]), self.size

    def rewind(self, mark: tuple[int, int]) -> None:
        """Remove the operations emitted since the mark, which was set in the same block."""
        length, self.size = mark
        del self._blocks[-1][length:]

    def fresh(self, prefix: str) -> str:
        """Return a new local name."""
        self._fresh += 1
        return f"{prefix}{self._fresh}"

    def constant(self, value: Any) -> str:
        """Return an expression for a constant: a literal, or a name bound in the namespace."""
        if value is None or type(value) in (int, bool):
            return repr(value)
        key = (type(value), value) if type(value) in _SHARED else id(value)
        if key not in self._constants:
            self._constants[key] = name = self.fresh("k")
            self.values[name] = value
        return self._constants[key]

    def compile_function(self) -> Callable[..., Any]:
        """Compile the operations emitted so far."""
        return self.compile_operations(self.head, self.operations)

    def compile_operations(self, head: str, operations: Sequence[Operation]) -> Callable[..., Any]:
        """Compile operations in this namespace and return the function `solve` that `head` defines."""
        return self.compile_text("\n".join([head, *_lines(operations, "    ")]))

    def compile_text(self, text: str) -> Callable[..., Any]:
        """Compile source text in this namespace and return its function `solve`."""
        values = {**self.values, "__builtins__": BUILTINS}
        try:
            exec(compile(text, "<compiled rule>", "exec"), values)
        except (SyntaxError, RecursionError, MemoryError):
            raise NotCompilable from None  # nested too deeply for Python
        function: Callable[..., Any] = values["solve"]
        return function


def _lines(operations: Sequence[Operation], indent: str) -> Iterator[str]:
    for one in operations:
        yield indent + one.text
        if one.body is not None:
            yield from _lines(one.body, indent + "    ")
