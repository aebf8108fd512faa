"""Self-check: computes every answer a second time, by the interpreter without caches, and compares.

Off by default.  `HANDFUL_CHECK=1` in the environment enables it; only `handful/__init__.py` reads that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from handful.errors import HandfulError

Answer = TypeVar("Answer")

_on = False


class Disagreement(AssertionError):
    """Two computations of one answer differ: a defect of Handful, never of a ruleset."""


def enable(on: bool) -> bool:
    """Switch the self-check on or off; return the previous setting."""
    global _on
    before, _on = _on, on
    return before


def is_enabled() -> bool:
    return _on


def cross_check(answer: Callable[[], Answer], reference: Callable[[], Answer]) -> Answer:
    """Return the answer; if enabled, `reference` must return the same one or raise the same error."""
    if not _on:
        return answer()
    found, expected = _attempt(answer), _attempt(reference)
    if found[1:] != expected[1:]:
        raise Disagreement(f"answered {found[1:]!r:.2000}, but plainly {expected[1:]!r:.2000}")
    if found[0] is not None:
        raise found[0]
    result: Answer = found[1]
    return result


def _attempt(answer: Callable[[], Any]) -> tuple[HandfulError | None, Any]:
    try:
        return None, answer()
    except HandfulError as error:
        return error, (type(error), str(error))
