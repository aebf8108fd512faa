"""One question that compiled rules answer: how wide its fields are, and what it may still cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from handful.rules.program import Record

if TYPE_CHECKING:
    from handful.solver.states import Outcome

MIN_WIDTH = 64
MAX_WIDTH = 4096  # bits of a field; larger numbers are left to the interpreter
MAX_MEMOIZED = 1000  # answers of called rules, while a table is computed

Memo = dict[Any, Any]
Interpret = Callable[["Run", str, Record, frozenset[str], set[str]], "list[Outcome]"]


def fitting_width(out: Mapping[Any, list[Any]]) -> int:
    """Return the width of fields in which the parts of an answer fit: the next question starts with it."""
    bits = max([part[3] for parts in out.values() for part in parts]).bit_length()
    width = MIN_WIDTH
    while width <= bits:
        width *= 2
    return min(width, MAX_WIDTH)


class TooNarrow(Exception):
    """A distribution does not fit into the fields: ask again with wider ones."""


class TooMuchWork(Exception):
    """The question takes more work than compiled rules may use: the interpreter answers, or refuses."""


class Run:
    """The state of a question while compiled rules answer it."""

    __slots__ = ("_interpret", "decided", "mask", "memo", "price", "remaining", "width")

    def __init__(self, width: int, work: int, interpret: Interpret, memo: Memo | None = None) -> None:
        self.width, self.mask = width, (1 << width) - 1
        self.price = 1 + (width * width >> 14)  # of handling one field
        self.remaining, self._interpret, self.memo = work, interpret, memo
        self.decided: set[str] = set()

    def interpret(self, rule: str, args: Record, wanted: frozenset[str], decided: set[str]) -> list[Outcome]:
        """Return the outcomes of a called rule that is not compiled; the decisions it meets are added."""
        return self._interpret(self, rule, args, wanted, decided)

    def spend(self, fields: int) -> None:
        """Charge the work of handling some fields; what is too much is left to the interpreter."""
        self.charge(fields * self.price)

    def charge(self, work: int) -> None:
        """Charge work that does not depend on the width of the fields."""
        self.remaining -= work
        if self.remaining < 0:
            raise TooMuchWork

    def remember(self, key: Any, answer: Any) -> None:
        """Memoize the answer of a called rule for the other questions of a table."""
        assert self.memo is not None
        if len(self.memo) >= MAX_MEMOIZED:
            self.memo.clear()
        self.memo[key] = answer
