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
    join: bool = False  # with a join link for players, for the whole table


class CommandRequest(RequestBody):
    """A command; docs/table.md lists them with their fields.  A key is executed once."""

    do: Name
    key: Name
    data: Data = {}


class TakeSeatRequest(RequestBody):
    """Take a seat by an open invitation, under a name."""

    token: Annotated[str, Field(min_length=10, max_length=100)]
    name: Name
    colour: Annotated[str, Field(max_length=20)] = ""
    character: Annotated[str, Field(max_length=200)] = ""  # a ready character, by its id
    sample: Annotated[str, Field(max_length=200)] = ""  # or a sample of the game, by its name
    watch: bool = False  # only watch, though the invitation is for players


class ReadInvitationRequest(RequestBody):
    """The token of an open invitation."""

    token: Annotated[str, Field(min_length=1, max_length=100)]


class RecoverRequest(RequestBody):
    """A recovery code, as it was typed."""

    code: Annotated[str, Field(min_length=1, max_length=100)]


class SwitchJoinLinkRequest(RequestBody):
    """Make a new join link for a role, or with `on` false switch it off."""

    role: Literal["player", "watcher"] = "player"
    on: bool = True


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
    partial: bool = False  # being filled in: what does not fit yet is an answer, not an error


class PreviewSheetRequest(RequestBody):
    """A sheet to bring, as data or as a text (JSON or TOML).

    `base` is the sheet that the edit started from; changes made since are merged.
    """

    sheet: Data | str
    owner: Name | None = None
    base: Data | None = None
    partial: bool = False  # being filled in: what does not fit yet is an answer, not an error


class NewCharacterRequest(RequestBody):
    """First values of a new character: nothing, a quick start by name, or one by the seed."""

    kind: Literal["pc", "npc"] = "pc"
    start: Annotated[str, Field(max_length=80)] = ""
    quick: bool = False
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0


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
    """A game in short; `glance` has the chances of its first check by pool size.

    `dice` is an example throw of that check, and `outcome` what came of it.
    """

    id: str
    title: Words
    about: Words
    glance: Data | None
    dice: list[Data] | None
    outcome: Data | None


class ThrowAgainResponse(BaseModel):
    """Another throw of a game's example."""

    dice: list[Data]
    outcome: Data


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


class SheetProblem(BaseModel):
    """Why a sheet or a check that is being filled in does not fit yet."""

    problem: Data


class NewCharacterResponse(BaseModel):
    """The sheet of a new character with a random name; nothing is saved."""

    sheet: Data


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


class EveningSummary(BaseModel):
    """An evening of the seat's log: its first and last line, and what was rolled."""

    first: int
    last: int
    begins: str
    ends: str
    rolls: int
    seats: dict[str, Data]
    points: dict[str, dict[str, int]]


class LuckReport(BaseModel):
    """Rolls compared with their expectation."""

    left_out: int
    table: Data
    seats: dict[str, Data]


class SeatView(BaseModel):
    name: str
    role: Literal["gm", "player", "watcher"]
    left: bool
    colour: str | None = None  # if it has chosen one
    picture: str | None = None  # the hash of its picture, if it has one
    of: str = ""  # the other seat of the person whom a GM gave this one


class MessageView(BaseModel):
    """A chat message; `to` if it was whispered."""

    model_config = ConfigDict(extra="allow")

    message: str
    by: str
    text: str
    to: list[str] = []


class ScratchpadView(BaseModel):
    """A text that several seats write; `mark` names its version."""

    text: str
    mark: str


class ActionView(BaseModel):
    """A command that the seat may send now, with its object."""

    model_config = ConfigDict(extra="allow")

    do: str


class RollView(BaseModel):
    """A roll as the seat sees it; only the first five fields are always present."""

    model_config = ConfigDict(extra="allow")

    roll: str
    roller: str
    phase: str
    commitment: str
    label: str
    asked: Data = {}
    hidden: list[str] = []
    title: str = ""
    dice: list[Data] = []
    key: str = ""
    judged: list[Data] = []
    notes: list[Data] = []
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
    messages: list[MessageView]
    scratchpad: ScratchpadView
    gm_notes: ScratchpadView | None = None
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


class PictureResponse(BaseModel):
    """An uploaded picture, by its hash."""

    picture: str


class LinkCount(BaseModel):
    """The number of links to a seat, or without one to new seats of a role."""

    seat: str
    role: str
    links: int


class ReachResponse(BaseModel):
    """Reach of the links: this machine, its network, or everybody; `would_open` are possible addresses."""

    scope: Literal["machine", "network", "public"]
    addresses: list[str]  # that others can open, the likeliest first
    may_open: bool  # by `POST …/reach`
    would_open: list[str]


class JoinLinksResponse(BaseModel):
    """The table's join links; None if switched off."""

    player: str | None
    watcher: str | None


class RecoveryResponse(BaseModel):
    """State of the recovery code: if the seat has one, and the code itself when it is made, never again."""

    exists: bool
    code: str | None = None


class ReadyCharacter(BaseModel):
    """A character that a newcomer may take."""

    character: str
    name: str


class GameTitle(BaseModel):
    """A game, with its title in every language that it has."""

    id: str
    title: Words


class InvitationResponse(BaseModel):
    """A table as an open invitation describes it."""

    id: str
    table: str
    game: GameTitle
    role: Literal["gm", "player", "watcher"]
    gms: list[str]
    players: list[str]
    colours: dict[str, str]  # seat -> its colour
    characters: list[ReadyCharacter]
    samples: list[str]
    creates: bool  # whether one can bring a character of one's own


class SeatSummary(BaseModel):
    """A seat for a list of tables: where it is, and who is there now."""

    table: str
    game: str
    seat: str
    role: Literal["gm", "player", "watcher"]
    here: list[str]  # seats whose pages are open


class RevokeLinksResponse(BaseModel):
    revoked: int
