"""Builder for generated Python source, and its compilation to a function.

Invariant: nothing that a rule's author wrote appears in the source.  Names are generated, and values are
bound as constants of the namespace; only integers, booleans and None appear as literals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

MAX_LINES = 600  # a rule that needs more is not worth compiling
MAX_DEPTH = 30  # nested blocks
BUILTINS = {kind.__name__: kind for kind in (int, set, frozenset, range, tuple)} | {
    "len": len,
    "max": max,
}  # the only builtins that generated code can reach


class NotCompilable(Exception):
    """This rule, or these arguments, cannot be compiled: the interpreter answers instead."""


class SourceBuilder:
    """Lines of Python, and the namespace that they run in."""

    def __init__(self, head: str, values: dict[str, Any]) -> None:
        self.lines = [head]
        self.values = dict(values)
        self.depth = 1
        self._fresh = 0
        self._constants: dict[Any, str] = {}

    def line(self, text: str) -> None:
        if len(self.lines) >= MAX_LINES or self.depth > MAX_DEPTH:
            raise NotCompilable
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(head)
        self.depth += 1
        size = len(self.lines)
        yield
        if len(self.lines) == size:
            self.line("pass")
        self.depth -= 1

    def mark(self) -> tuple[int, int]:
        return len(self.lines), self.depth

    def rewind(self, mark: tuple[int, int]) -> None:
        """Remove the lines emitted since the mark."""
        size, self.depth = mark
        del self.lines[size:]

    def fresh(self, prefix: str) -> str:
        """Return a new local name."""
        self._fresh += 1
        return f"{prefix}{self._fresh}"

    def constant(self, value: Any) -> str:
        """Return an expression for a constant: a literal, or a name bound in the namespace."""
        if value is None or type(value) in (int, bool):
            return repr(value)
        key = (type(value), value) if type(value) in (str, Fraction) else id(value)
        if key not in self._constants:
            self._constants[key] = name = self.fresh("k")
            self.values[name] = value
        return self._constants[key]

    def compile_function(self) -> Callable[..., Any]:
        """Compile the lines emitted so far."""
        return self.compile_text("\n".join(self.lines))

    def compile_text(self, text: str) -> Callable[..., Any]:
        """Compile source text in this namespace and return its function `solve`."""
        values = {**self.values, "__builtins__": BUILTINS}
        try:
            exec(compile(text, "<compiled rule>", "exec"), values)
        except (SyntaxError, RecursionError, MemoryError):
            raise NotCompilable from None  # nested too deeply for Python
        function: Callable[..., Any] = values["solve"]
        return function
