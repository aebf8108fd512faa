"""Error responses: one exception with status, code, message and hint, for HTTP and WebSocket.

`fault_of` maps errors of the core to it.  Invariant: codes are stable, programs read them; texts
never name a file of the server.
"""

from __future__ import annotations

from typing import Any

from handful.errors import NO_MESSAGE, HandfulError, Message, Refused, Text, TooBig, as_message
from handful.store import StoreFault


class Fault(Exception):
    """An error response: HTTP status, stable code, message, and a hint what to do instead."""

    def __init__(self, status: int, code: str, message: Text, hint: Text = NO_MESSAGE) -> None:
        super().__init__(message)
        self.status, self.code = status, code
        self.message, self.hint = as_message(message), as_message(hint)

    def to_dict(self) -> dict[str, Any]:
        """Return the body of the response; `render_error` puts its messages into words."""
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint}}


def drop_tracebacks(error: BaseException) -> None:
    """Release what a handled error references through its frames, above all request bodies.

    A frame that holds the error it raised refers to itself through the traceback.  Only the
    garbage collector frees such a cycle, and full collections are rare (`gc_policy.py`).
    """
    chain: list[BaseException | None] = [error]
    while chain:
        one = chain.pop()
        if one is not None:
            chain += [one.__cause__, one.__context__]
            one.__traceback__ = one.__cause__ = one.__context__ = None


def forbidden() -> Fault:
    """Return one fault for wrong, revoked and missing tokens and missing tables: it reveals nothing."""
    return Fault(403, "forbidden", Message("server.dead_link"), Message("server.ask_for_link"))


def too_large(most: int) -> Fault:
    return Fault(413, "too_large", Message("server.too_large", most=most), Message("advice.shorter"))


def internal_error() -> Fault:
    """Return the fault for a bug of the server; details go to the server's log only."""
    return Fault(500, "broken", Message("server.bug"), Message("advice.try_again"))


def fault_of(error: HandfulError) -> Fault:
    """Return the response for an error of the core."""
    match error:
        case StoreFault():  # the public message leaves out the path of the file
            return Fault(503, "store", error.public_message, error.advice)
        case TooBig():
            return Fault(422, "too_big", error.problem, error.advice)
        case Refused():
            return Fault(409, "refused", error.problem, error.advice)
    return Fault(422, "refused", error.problem, error.advice)
