"""Commands on contests."""

from __future__ import annotations

from typing import Annotated, ClassVar

from handful.errors import Message
from handful.records import record
from handful.rules.program import Record
from handful.table.commands.base import CommandBody, command, parts
from handful.table.commands.field_types import Flag, Id, ModeName, Name, NamedValues, Names, RollIds


@command("contest", by="GM")
class CompareRolls(CommandBody):
    """Compare finalised `rolls`, in the order of the sides, by a check.

    `parameters` are those of the whole check.
    """

    check: Name
    rolls: RollIds
    parameters: NamedValues = Record()
    hidden: Names = ()
    mode: ModeName = "public"


@record()
class NamedSide:
    """A side of a contest: a declared roll, or somebody who was asked for one."""

    roll: Id | None = None
    request: Id | None = None
    name: Name | None = None


NamedSides = Annotated[
    tuple[NamedSide, ...], parts(Message("part_of_command.side"), NamedSide, Message("field.sides"))
]


@command("challenge", by="GM")
class OpenContest(CommandBody):
    """Open a contest before its sides throw.

    A side is `{"roll": …}`, a declared roll, or `{"request": …, "name": …}`, a requested one.
    `together`: false lets each side throw at any time; the rest as for `contest`.
    """

    check: Name
    sides: NamedSides
    parameters: NamedValues = Record()
    hidden: Names = ()
    mode: ModeName = "public"
    together: Flag = True


@command("call_off", by="GM")
class CallOffContest(CommandBody):
    """Call off a contest that is not decided yet."""

    about: ClassVar[str] = "contest"
    contest: Id
