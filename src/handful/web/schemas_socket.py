"""On the wire: the messages of the WebSocket, to the server and to its clients."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from handful.web.schemas import Data, ErrorDetail, LogLine, Name, TableView

PROTOCOL = 2  # version of these messages; 1 had `hello` and `news` for `snapshot` and `patch`


class CommandMessage(BaseModel):
    """To the server, over the WebSocket.  The same key is obeyed once, however often it comes."""

    type: Literal["command"]
    do: Name
    key: Name
    data: Data = {}


class PingMessage(BaseModel):
    """To the server: is anybody there?"""

    type: Literal["ping"]


class PongMessage(BaseModel):
    """The answer to a ping."""

    type: Literal["pong"]


class SnapshotMessage(BaseModel):
    """The first message: the view as it is, and the lines of the log since `after`.

    `begins`: the client has nothing that fits, or has missed more than is told again; what is told
    here takes the place of everything it had.
    """

    type: Literal["snapshot"]
    protocol: Literal[2]
    n: int
    lines: list[LogLine]
    view: TableView
    begins: bool


class PatchMessage(BaseModel):
    """Something happened: lines of the log, and the parts of the view that changed.

    In a part that is a list `[first, count]` stands for things that were in it before.
    """

    type: Literal["patch"]
    n: int
    lines: list[LogLine]
    view: Data


class DoneMessage(BaseModel):
    """The answer to a command: it is saved, and its news were sent before this."""

    type: Literal["done"]
    key: str
    n: int


class ErrorMessage(BaseModel):
    """The answer to a command, or to a message that is none."""

    type: Literal["error"]
    key: str | None
    error: ErrorDetail


class StoreMessage(BaseModel):
    """Nothing can be saved now, and why; or it can be again."""

    type: Literal["store"]
    ok: bool
    error: ErrorDetail | None = None


TO_SERVER = (CommandMessage, PingMessage)
TO_CLIENT = (SnapshotMessage, PatchMessage, DoneMessage, ErrorMessage, StoreMessage, PongMessage)
