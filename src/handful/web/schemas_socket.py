"""Schemas of the WebSocket's messages, in both directions.

The server writes its messages as text (`rooms.py`); tests validate them against these models.
Invariant: a change that old clients cannot read increases `PROTOCOL`.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from handful.web.schemas import Data, ErrorDetail, LogLine, Name, TableView

PROTOCOL = 3  # version of these messages; 2 had patches by position


class CommandMessage(BaseModel):
    """To the server: a command.  A key is executed once, however often it is sent."""

    type: Literal["command"]
    do: Name
    key: Name
    data: Data = {}


class PingMessage(BaseModel):
    """To the server: a liveness check."""

    type: Literal["ping"]


class PongMessage(BaseModel):
    """The answer to a ping."""

    type: Literal["pong"]


class SnapshotMessage(BaseModel):
    """The first message: the current view, and the lines of the log since `after`.

    `begins`: replaces everything that the client has, because that does not fit or it missed more
    lines than are sent again.
    """

    type: Literal["snapshot"]
    protocol: Literal[3]
    n: int
    lines: list[LogLine]
    view: TableView
    begins: bool


class PatchMessage(BaseModel):
    """New lines of the log, and the parts of the view that changed.

    Characters, requests, contests and rolls are patched by name: `put` has new and changed items, `gone`
    the names of items to remove; new items come last, unless `order` has all names.
    """

    type: Literal["patch"]
    n: int
    lines: list[LogLine]
    view: Data


class DoneMessage(BaseModel):
    """The answer to a command: it is saved, and its patch was sent before this."""

    type: Literal["done"]
    key: str
    n: int


class ErrorMessage(BaseModel):
    """The answer to a refused command or an invalid message."""

    type: Literal["error"]
    key: str | None
    error: ErrorDetail


class StoreMessage(BaseModel):
    """The store cannot save now, with the reason, or can save again."""

    type: Literal["store"]
    ok: bool
    error: ErrorDetail | None = None


TO_SERVER = (CommandMessage, PingMessage)


class HereMessage(BaseModel):
    """Which seats have an open connection; only for clients that ask for it, now and when it changes."""

    type: Literal["here"]
    seats: list[str]


TO_CLIENT = (
    SnapshotMessage,
    PatchMessage,
    DoneMessage,
    ErrorMessage,
    StoreMessage,
    HereMessage,
    PongMessage,
)
