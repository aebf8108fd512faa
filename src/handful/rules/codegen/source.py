"""A page of Python on which a rule is written out, and the function it becomes.

Nothing that an author wrote stands on it: names are made here, and values of a rule are bound as
constants.  Only whole numbers, truths and None are written as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

LONGEST = 600  # lines; a rule that needs more is not worth writing out
DEEPEST = 30  # blocks in blocks
BUILTINS = {kind.__name__: kind for kind in (int, set, frozenset, range, tuple)} | {
    "len": len,
    "max": max,
}  # all that a written rule can reach of Python


class Unwritten(Exception):
    """This rule, or these arguments, cannot be written out: the general way answers."""


class Page:
    """Lines of Python with the values that they name."""

    def __init__(self, head: str, values: dict[str, Any]) -> None:
        self.lines = [head]
        self.values = dict(values)
        self.depth = 1
        self._fresh = 0
        self._constants: dict[Any, str] = {}

    def line(self, text: str) -> None:
        if len(self.lines) >= LONGEST or self.depth > DEEPEST:
            raise Unwritten
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
        """Take back what was written since the mark."""
        size, self.depth = mark
        del self.lines[size:]

    def fresh(self, prefix: str) -> str:
        self._fresh += 1
        return f"{prefix}{self._fresh}"

    def constant(self, value: Any) -> str:
        if value is None or type(value) in (int, bool):
            return repr(value)
        key = (type(value), value) if type(value) in (str, Fraction) else id(value)
        if key not in self._constants:
            self._constants[key] = name = self.fresh("k")
            self.values[name] = value
        return self._constants[key]

    def function(self) -> Callable[..., Any]:
        return self.compiled("\n".join(self.lines))

    def compiled(self, text: str) -> Callable[..., Any]:
        """The function `solve` of a text that uses the values of this page."""
        values = {**self.values, "__builtins__": BUILTINS}
        try:
            exec(compile(text, "<a rule, written out>", "exec"), values)
        except (SyntaxError, RecursionError, MemoryError):
            raise Unwritten from None  # nested too deeply for Python
        made: Callable[..., Any] = values["solve"]
        return made
