"""What goes wrong, as answers: one typed error each, the same over HTTP and WebSocket."""

from __future__ import annotations

from typing import Any

from handful.errors import HandfulError, Refused, TooBig
from handful.store import StoreFault


class Fault(Exception):
    """An answer that is no: a code, a status, and what would be right."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.hint = status, code, message, hint

    def to_dict(self) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint}}


def drop_tracebacks(error: BaseException) -> None:
    """Let go of everything that an answered error holds through its frames: bodies above all.

    A frame that keeps the error it raised refers to itself through the traceback.  Only the
    collector frees such a cycle, and it runs seldom (`tidy.py`).
    """
    chain: list[BaseException | None] = [error]
    while chain:
        one = chain.pop()
        if one is not None:
            chain += [one.__cause__, one.__context__]
            one.__traceback__ = one.__cause__ = one.__context__ = None


def forbidden() -> Fault:
    """The same for a wrong, an old and a missing token, and for a table that is not there."""
    return Fault(
        403, "forbidden", "this link does not lead anywhere, or not any more", "ask the GM for a new one"
    )


def too_large(most: int) -> Fault:
    return Fault(413, "too_large", f"that is more than {most} bytes", "say it shorter")


def internal_error() -> Fault:
    """A mistake of ours; the log of the server has the rest."""
    return Fault(500, "broken", "something went wrong inside the server", "try again")


def fault_of(error: HandfulError) -> Fault:
    """How an error of the core is answered."""
    match error:
        case StoreFault():  # where the file lies is nobody's business
            return Fault(503, "store", error.public_message, error.hint)
        case TooBig():
            return Fault(422, "too_big", error.message, error.hint)
        case Refused():
            return Fault(409, "refused", error.message, error.hint)
    return Fault(422, "refused", error.message, error.hint)
