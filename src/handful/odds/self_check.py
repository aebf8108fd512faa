"""Answers computed a second time, by the plain interpreter with nothing remembered, and compared.

Off unless somebody switches it on: `HANDFUL_CHECK=1` in the environment does, and only
`handful/__init__.py` reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from handful.errors import HandfulError

Answer = TypeVar("Answer")

_on = False


class Disagreement(AssertionError):
    """Two ways to one answer differ: a defect of Handful, never of a ruleset."""


def enable(on: bool) -> bool:
    """Check every answer from now on, or no longer; gives how it was before."""
    global _on
    before, _on = _on, on
    return before


def cross_check(answer: Callable[[], Answer], plain: Callable[[], Answer]) -> Answer:
    """The answer; with checks on, `plain` must give the same one or refuse in the same words."""
    if not _on:
        return answer()
    found, expected = _attempt(answer), _attempt(plain)
    if found[1:] != expected[1:]:
        raise Disagreement(f"answered {found[1:]!r:.2000}, but plainly {expected[1:]!r:.2000}")
    if found[0] is not None:
        raise found[0]
    made: Answer = found[1]
    return made


def _attempt(answer: Callable[[], Any]) -> tuple[HandfulError | None, Any]:
    try:
        return None, answer()
    except HandfulError as error:
        return error, (type(error), str(error))
