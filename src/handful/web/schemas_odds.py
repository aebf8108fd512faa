"""On the wire: questions about odds, without a table or before a roll, and their answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from handful.web.schemas import Data, ErrorDetail, Name, RequestBody


class CheckQuery(RequestBody):
    """A check before it is rolled: plain parameters, sides and house rules."""

    check: Name
    parameters: Data = Field(default={})
    sides: list[Data] = Field(default=[], max_length=20)
    options: Data = Field(default={})


class OddsRequest(CheckQuery):
    """Odds of a check before it is rolled, and how decisions are taken."""

    policy: Literal["usual", "best", "never"] = "usual"


class OddsTableRequest(OddsRequest):
    """A table of odds: a parameter may be a range, as in docs/authors.md."""

    shows: Annotated[str, Field(max_length=80)] = ""  # a figure; what is usual for the check


class SolveRequest(OddsRequest):
    """Which value of a parameter gives a chance; `side` is 0 where there are no sides."""

    find: Name
    chance: Annotated[str, Field(min_length=1, max_length=40)]
    side: Annotated[int, Field(ge=0, le=20)] = 0
    within: Annotated[str, Field(max_length=200)] = ""


class RulesetEdition(RequestBody):
    """A ruleset with house rules; `text` is a draft in TOML, in place of what the game says."""

    game: Name
    options: Data = Field(default={})
    text: Annotated[str, Field(max_length=60_000)] = ""


class CompareRequest(RequestBody):
    """Two editions: what changed in words, and in odds."""

    before: RulesetEdition
    after: RulesetEdition


class ClaimsRequest(RequestBody):
    """Claims about a game, as in a claims.toml."""

    text: Annotated[str, Field(min_length=1, max_length=60_000)]


class OddsResponse(BaseModel):
    """Exact odds; every chance is a fraction written as text.  More fields as in `--json`."""

    model_config = ConfigDict(extra="allow")

    success: str | None = None


class SurveyResponse(OddsResponse):
    """Odds with everything that is seen at a glance.

    `curves` has each value with the chance of exactly, at least and at most that; `window` says
    which of them matter; `rungs` is the success at every difficulty of the game.
    """

    shows: str
    figure: str | None
    curves: list[list[Any]]
    window: list[int]
    deviation: float | None
    rungs: list[list[Any]]
    command: str


class WorthResponse(BaseModel):
    """A figure under every policy, and what deciding is worth; none where nobody decides."""

    worth: Data | None


class SolveResponse(BaseModel):
    """The value at which a chance is just reached; none where no value reaches it."""

    model_config = ConfigDict(extra="allow")

    parameter: str
    tried: list[list[Any]]
    command: str


class ClaimsResponse(BaseModel):
    """Claims with their verdicts: the real figures, and what would make them true."""

    claims: list[Data]
    false: int
    command: str


class ProgressLine(BaseModel):
    """A line of a long answer: how far it is, at last the answer, or what is wrong."""

    progress: list[int] | None = None
    answer: Data | None = None
    error: ErrorDetail | None = None


class RollPreview(BaseModel):
    """What a declaration would come to: its lines, and its odds by what the seat knows."""

    lines: list[Data]
    cannot: dict[str, str] = {}  # why it cannot be made, in each language of the game
    unknown: list[str] = []  # parameters that count and that the seat may not know
    odds: OddsResponse
