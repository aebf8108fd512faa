"""Events about requests, calls and contests.

A request is shown to the GM and the players asked; an event with a `name` to the GM and that seat.
"""

from __future__ import annotations

from typing import ClassVar

from handful.records import record
from handful.table.events.base import Declared, EventBody, Presence, Told, event
from handful.table.events.values import DeclaredSide, SideData, Values


@record()
class RequestEventBody(EventBody):
    """The content of an event about one request."""

    group: ClassVar[str] = "request"


@event("check_requested")
class CheckRequested(RequestEventBody):
    """The GM requested a check; `hidden` parameters are for the GM only."""

    request: str
    to: tuple[str, ...]
    check: str
    parameters: Values
    hidden: tuple[str, ...]
    mode: str
    title: str
    character_id: str | None = None


@event("check_called")
class CheckCalled(RequestEventBody):
    """A player challenged something."""

    request: str
    to: tuple[str, ...]
    check: str
    parameters: Values
    title: str
    character_id: str | None = None


@event("check_proposed")
class CheckProposed(RequestEventBody):
    """A player's proposal."""

    request: str
    name: str
    parameters: Values
    character_id: str | None = None


@event("proposal_accepted")
class ProposalAccepted(RequestEventBody):
    """The GM accepted it; the roll is declared.

    Others who see a contest with that roll learn only its `sides`.
    """

    request: str | None = None
    name: str | None = None
    roll_of: str | None = None
    sides: Told[tuple[DeclaredSide, ...] | None] = None


@event("proposal_refused")
class ProposalRefused(RequestEventBody):
    """The GM refused it."""

    request: str
    name: str
    words: str


@event("request_reopened")
class RequestReopened(RequestEventBody):
    """The roll was cancelled, so the request is open again."""

    request: str
    name: str


@event("request_withdrawn")
class RequestWithdrawn(RequestEventBody):
    """The request was withdrawn."""

    request: str


@event("call_settled")
class CallSettled(RequestEventBody):
    """The result of a challenge."""

    request: str
    name: str
    found: bool


@record()
class ContestBody(EventBody):
    """The content of an event about one contest; seen by those who see every side."""

    group: ClassVar[str] = "contest"
    contest: str


@event("contest_opened")
class ContestOpened(ContestBody):
    """A contest was opened, before its sides throw."""

    contest: Presence[str]
    sides: Presence[tuple[SideData, ...]]
    check: Declared[str | None] = None
    parameters: Declared[Values | None] = None
    hidden: Declared[tuple[str, ...] | None] = None
    modes: Declared[tuple[str, ...] | None] = None
    together: Presence[bool | None] = None


@event("contest_called_off")
class ContestCalledOff(ContestBody):
    """The contest was called off."""

    contest: Presence[str]
