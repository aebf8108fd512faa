"""Schemas of the HTTP API: tables, seats, games, views and errors.

Odds, draft rulesets and the WebSocket have their own modules (`schemas_*.py`).  Requests are
validated by these models.  Responses are written by the table, and tests validate them against the
models.  docs/table.md lists the further fields of a view.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=60)]
Data = dict[str, Any]
Words = dict[str, str]  # language -> text


class RequestBody(BaseModel):
    """Base of request bodies: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class CreateTableRequest(RequestBody):
    """A new table."""

    game: Annotated[str, Field(max_length=60)] = ""
    brew: Annotated[str, Field(max_length=64)] = ""  # or the hash of a published ruleset
    title: Name
    gm: Name = "gm"
    players: list[Name] = Field(default=[], max_length=20)
    watchers: bool = True
    demo: bool = False


class CommandRequest(RequestBody):
    """A command; docs/table.md lists them with their fields.  A key is executed once."""

    do: Name
    key: Name
    data: Data = {}


class TakeSeatRequest(RequestBody):
    """Take a seat by an open invitation, under a name."""

    token: Annotated[str, Field(min_length=10, max_length=100)]
    name: Name


class CreateLinkRequest(RequestBody):
    """A link for a seat, or without one for new seats of a role."""

    seat: Annotated[str, Field(max_length=60)] = ""
    role: Literal["gm", "player", "watcher"] = "player"
    instead: bool = False  # revoke all earlier links to it


class ChangeRulesRequest(RequestBody):
    """Other rules for a table: a game, or the hash of a published ruleset."""

    game: Annotated[str, Field(max_length=60)] = ""
    brew: Annotated[str, Field(max_length=64)] = ""


class RevokeLinksRequest(RequestBody):
    """Revoke all links to a seat, or without one all to new seats of a role."""

    seat: Annotated[str, Field(max_length=60)] = ""
    role: Literal["gm", "player", "watcher"] = "player"


class PreviewRollRequest(RequestBody):
    """A check that a seat might declare."""

    data: Data
    policy: Literal["usual", "best", "never"] = "usual"


class PreviewSheetRequest(RequestBody):
    """A sheet to bring, as data or as a text (JSON or TOML).

    `base` is the sheet that the edit started from; changes made since are merged.
    """

    sheet: Data | str
    owner: Name | None = None
    base: Data | None = None


# -- responses

Code = Literal[
    "refused",
    "forbidden",
    "not_found",
    "too_large",
    "too_fast",
    "too_many",
    "too_big",
    "store",
    "bad",
    "cancelled",
    "broken",
]


class ErrorDetail(BaseModel):
    """An error: stable code, message, and a hint what to do instead."""

    code: Code
    message: str
    hint: str


class ErrorResponse(BaseModel):
    """The body of every error response."""

    error: ErrorDetail


class HealthResponse(BaseModel):
    status: Literal["ok"]


class GameSummary(BaseModel):
    """A game in short; `glance` has the chances of its first check by pool size."""

    id: str
    title: Words
    about: Words
    glance: Data | None


class GameView(BaseModel):
    """A game: its checks with their parameters, and the fields of its sheets."""

    id: str
    title: Words
    about: Words
    hash: str
    checks: list[Data]
    options: list[Data]
    decisions: dict[str, dict[str, Words]]
    ladder: list[Data]
    words: dict[str, Words]
    characters: list[Data]
    sheet: Data | None


class SheetPreview(BaseModel):
    """The changes that bringing a sheet would make; `replaces` is passed on to `bring`.

    With `base`: what changed `meanwhile`, and if something did, both edits combined (`merged`),
    the fields that both changed (`clashes`), and the sheet as it is `now`.
    """

    model_config = ConfigDict(extra="allow")

    changes: list[Data]
    sheet: Data
    comes_to: Data


class CharacterChange(BaseModel):
    """A line of the seat's log about a character, and what it changed on the sheet."""

    n: int
    time: str
    seat: str
    kind: str
    changes: list[Data]
    about: Data


class RulesPreview(BaseModel):
    """The effect of other rules; `game.hash` and the names in `unfit` are passed on to `rules`."""

    game: dict[str, str]
    title: Words
    waits_for: list[str]  # what must be finished first
    unfit: dict[str, list[str]]  # characters that would be dismissed, with reasons
    options: Data
    dropped: list[str]  # house rules that the new rules lack
    words: list[str]  # the changes in words
    moved: list[Data]  # the odds that change most, before and after


class LuckReport(BaseModel):
    """Rolls compared with their expectation."""

    left_out: int
    table: Data
    seats: dict[str, Data]


class SeatView(BaseModel):
    name: str
    role: Literal["gm", "player", "watcher"]
    left: bool


class ActionView(BaseModel):
    """A command that the seat may send now, with its object."""

    model_config = ConfigDict(extra="allow")

    do: str


class RollView(BaseModel):
    """A roll as the seat sees it; only the first four fields are always present."""

    model_config = ConfigDict(extra="allow")

    roll: str
    roller: str
    phase: str
    commitment: str
    asked: Data = {}
    hidden: list[str] = []
    title: str = ""
    dice: list[Data] = []
    key: str = ""
    judged: list[Data] = []
    question: Data | None = None
    decisions: list[Data] = []
    outcome: Data | None = None
    may: list[ActionView] = []


class CharacterView(BaseModel):
    """A character at the table; the sheet is present only for seats that may see it."""

    model_config = ConfigDict(extra="allow")

    character: str
    owner: str
    name: str
    kind: str
    may: list[ActionView] = []


class RequestView(BaseModel):
    """A request for a check, or a call."""

    model_config = ConfigDict(extra="allow")

    request: str
    to: list[str]
    check: str
    parameters: Data
    proposals: Data
    rolls: dict[str, str]
    may: list[ActionView] = []


class ContestView(BaseModel):
    model_config = ConfigDict(extra="allow")

    contest: str
    sides: list[Data]
    waits_for: list[str]
    result: str
    may: list[ActionView] = []


class TableView(BaseModel):
    """The table as the seat sees it; `may` on it and on everything in it: the commands possible now."""

    model_config = ConfigDict(extra="allow")

    table: str
    game: dict[str, str]
    seat: str
    role: Literal["gm", "player", "watcher"]
    seats: list[SeatView]
    options: Data
    mode: str
    characters: list[CharacterView]
    rolls: list[RollView]
    fight: Data | None
    requests: list[RequestView]
    contests: list[ContestView]
    may: list[ActionView]


class LogLine(BaseModel):
    """A line of the seat's own log; see docs/events.md."""

    n: int
    time: str
    version: int
    ruleset: str
    seat: str
    kind: str
    data: Data
    before: str
    hash: str
    public: Data | None = None  # place in the chain of the lines that everyone sees
    signature: str | None = None  # of a finalised roll, by the table


class CommandResponse(BaseModel):
    """A command was executed, now or earlier with the same key: it is saved and was announced.

    `n` is the number of the last line of the seat's log.
    """

    done: str
    n: int


class CreateTableResponse(BaseModel):
    """A new table and its links by seat; "" is for new watchers.  Links are shown only once."""

    table: str
    links: dict[str, str]


class TakeSeatResponse(BaseModel):
    """A new seat; follow the link to use it."""

    table: str
    link: str


class CreateLinkResponse(BaseModel):
    """A new link; it is shown only once."""

    link: str


class LinkCount(BaseModel):
    """The number of links to a seat, or without one to new seats of a role."""

    seat: str
    role: str
    links: int


class RevokeLinksResponse(BaseModel):
    revoked: int
