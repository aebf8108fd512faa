"""What goes over the wire, as schemas: tables, seats, games and views, and every refusal.

Odds, rulesets that somebody writes and the WebSocket have modules of their own beside this one.
Requests are read by these; answers are made by the table, and a test holds them to what is said
here.  What a view shows beyond these fields is in docs/table.md.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=60)]
Data = dict[str, Any]
Words = dict[str, str]  # language -> text


class RequestBody(BaseModel):
    """Whatever comes in: nothing beyond the fields that are named."""

    model_config = ConfigDict(extra="forbid", strict=True)


class CreateTableRequest(RequestBody):
    """A table that somebody opens."""

    game: Annotated[str, Field(max_length=60)] = ""
    brew: Annotated[str, Field(max_length=64)] = ""  # the hash of a ruleset on the shelf, instead
    title: Name
    gm: Name = "gm"
    players: list[Name] = Field(default=[], max_length=20)
    watchers: bool = True
    demo: bool = False


class CommandRequest(RequestBody):
    """A command; see docs/table.md for each and its fields.  The same key is obeyed once."""

    do: Name
    key: Name
    data: Data = {}


class TakeSeatRequest(RequestBody):
    """Whoever follows an open invitation says their name."""

    token: Annotated[str, Field(min_length=10, max_length=100)]
    name: Name


class CreateLinkRequest(RequestBody):
    """A link for a seat, or without one for new seats of a role."""

    seat: Annotated[str, Field(max_length=60)] = ""
    role: Literal["gm", "player", "watcher"] = "player"
    instead: bool = False  # of all links that led there before


class ChangeRulesRequest(RequestBody):
    """Other rules for a table: of a game, or by its hash of a ruleset on the shelf."""

    game: Annotated[str, Field(max_length=60)] = ""
    brew: Annotated[str, Field(max_length=64)] = ""


class RevokeLinksRequest(RequestBody):
    """All links to a seat, or without one all to new seats of a role."""

    seat: Annotated[str, Field(max_length=60)] = ""
    role: Literal["gm", "player", "watcher"] = "player"


class PreviewRollRequest(RequestBody):
    """A check that a seat could declare: what it would come to, line by line, with its odds."""

    data: Data
    policy: Literal["usual", "best", "never"] = "usual"


class PreviewSheetRequest(RequestBody):
    """A sheet that somebody wants to bring, as data or as a text (JSON or TOML).

    `base` is the sheet that an edit began with: what has changed since is merged.
    """

    sheet: Data | str
    owner: Name | None = None
    base: Data | None = None


# -- answers

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
    """What is wrong, and what would be right."""

    code: Code
    message: str
    hint: str


class ErrorResponse(BaseModel):
    """Every answer that is no."""

    error: ErrorDetail


class HealthResponse(BaseModel):
    status: Literal["ok"]


class GameSummary(BaseModel):
    """A game in a few lines; `glance` has the chances of its first check by the size of a pool."""

    id: str
    title: Words
    about: Words
    glance: Data | None


class GameView(BaseModel):
    """A game: what can be checked, with which parameters, and what its sheets hold."""

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
    """What bringing a sheet would change, and what it comes to; `replaces` is for `bring`.

    With `base`: what has changed `meanwhile`, and if something has, both edits in one (`merged`),
    with what both have changed (`clashes`) and the sheet as it is `now`.
    """

    model_config = ConfigDict(extra="allow")

    changes: list[Data]
    sheet: Data
    comes_to: Data


class CharacterChange(BaseModel):
    """A line about a character, by the seat's own log, and what it changed on the sheet."""

    n: int
    time: str
    seat: str
    kind: str
    changes: list[Data]
    about: Data


class RulesPreview(BaseModel):
    """What other rules would change; `game.hash` and the names of `unfit` are for `rules`."""

    game: dict[str, str]
    title: Words
    waits_for: list[str]  # what has to be ended before
    unfit: dict[str, list[str]]  # who would be dismissed, and why
    options: Data
    dropped: list[str]  # house rules that the other rules do not have
    words: list[str]  # what changes, in words
    moved: list[Data]  # the odds that move most, before and after


class LuckReport(BaseModel):
    """Rolls against their expectation."""

    left_out: int
    table: Data
    seats: dict[str, Data]


class SeatView(BaseModel):
    name: str
    role: Literal["gm", "player", "watcher"]
    left: bool


class RollView(BaseModel):
    """A roll as far as the seat sees it; the first four fields are always there."""

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


class CharacterView(BaseModel):
    """Somebody at the table; the sheet only for those who see it."""

    model_config = ConfigDict(extra="allow")

    character: str
    owner: str
    name: str
    kind: str


class RequestView(BaseModel):
    """A request for a check, or a call."""

    model_config = ConfigDict(extra="allow")

    request: str
    to: list[str]
    check: str
    parameters: Data
    proposals: Data
    rolls: dict[str, str]


class ContestView(BaseModel):
    model_config = ConfigDict(extra="allow")

    contest: str
    sides: list[Data]
    waits_for: list[str]
    result: str


class ActionView(BaseModel):
    """Something that the seat may do now: a command, and what it is about."""

    model_config = ConfigDict(extra="allow")

    do: str


class TableView(BaseModel):
    """What a seat sees now, and what it may do."""

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
    actions: list[ActionView]


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


class CommandResponse(BaseModel):
    """A command was obeyed, now or before: it is saved, and everybody was told.

    `n` is the number of the last line of the seat's log.
    """

    done: str
    n: int


class CreateTableResponse(BaseModel):
    """A new table and its links, by seat; "" is for new watchers.  They are shown this once."""

    table: str
    links: dict[str, str]


class TakeSeatResponse(BaseModel):
    """A seat of one's own: follow the link to sit down."""

    table: str
    link: str


class CreateLinkResponse(BaseModel):
    """A new link; it is shown this once."""

    link: str


class LinkCount(BaseModel):
    """How many links lead to a seat, or, without one, to new seats of a role."""

    seat: str
    role: str
    links: int


class RevokeLinksResponse(BaseModel):
    revoked: int
