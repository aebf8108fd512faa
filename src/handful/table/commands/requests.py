"""Commands on requests and calls."""

from __future__ import annotations

from handful.rules.program import Record
from handful.table.commands.base import CommandBody, RequestCommand, command
from handful.table.commands.field_types import (
    ActionCosts,
    CharacterId,
    CountList,
    Id,
    ModeName,
    Name,
    NamedValues,
    Names,
    Text,
)
from handful.table.commands.rolls import TypedLines


@command("request", by="GM")
class RequestCheck(CommandBody):
    """Ask players for a check; `as` if one player is asked, the rest as for `declare`."""

    to: Names
    check: Name
    parameters: NamedValues = Record()
    hidden: Names = ()
    mode: ModeName = "public"
    title: Text = ""
    character_id: CharacterId | None = None


@command("propose", by="a player who was asked")
class ProposeCheck(RequestCommand):
    """Propose how to make the requested check: the skill to use, for example."""

    parameters: NamedValues
    character_id: CharacterId | None = None


@command("accept", by="GM")
class AcceptProposal(RequestCommand):
    """Accept the proposal of `name`, which declares the roll.

    With `parameters` also for an absent player; the rest as for `declare`.
    """

    name: Name
    parameters: NamedValues | None = None
    character_id: CharacterId | None = None
    off: CountList = ()
    add: TypedLines = ()
    spends: ActionCosts | None = None
    target: CharacterId | None = None
    item: Name | None = None
    task: Name | None = None


@command("refuse", by="GM")
class RefuseProposal(RequestCommand):
    """Refuse the proposal of `name`."""

    name: Name
    words: Text = ""


@command("call", by="players")
class CallCheck(CommandBody):
    """Challenge what may be a lie; `title` says what."""

    check: Name
    parameters: NamedValues = Record()
    title: Text = ""
    character_id: CharacterId | None = None


@command("settle", by="GM")
class SettleCall(RequestCommand):
    """Settle a call.

    `against`: the challenged roll, with `check` and its `parameters`: the comparison; or `contest`: an
    earlier comparison of the two. Without any of these there was nothing to find.
    """

    against: Id | None = None
    check: Name | None = None
    parameters: NamedValues = Record()
    contest: Id | None = None


@command("withdraw", by="GM; for a call also the caller, before it is accepted")
class WithdrawRequest(RequestCommand):
    """Withdraw a request or a call."""
