"""Schemas of the odds API: queries without a table or before a roll, and their responses.

Invariant: every chance is an exact fraction, written as text.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from handful.web.schemas import Data, ErrorDetail, Name, RequestBody


class CheckQuery(RequestBody):
    """A check before it is rolled: parameters, sides and house rules, without characters."""

    check: Name
    parameters: Data = Field(default={})
    sides: list[Data] = Field(default=[], max_length=20)
    options: Data = Field(default={})


class OddsRequest(CheckQuery):
    """A check and the policy of its decisions."""

    policy: Literal["usual", "best", "never"] = "usual"


class OddsTableRequest(OddsRequest):
    """A table of odds: a parameter may be a range, as in docs/authors.md."""

    shows: Annotated[str, Field(max_length=80)] = ""  # which figure; empty for the check's default


class SolveRequest(OddsRequest):
    """The parameter to solve for, and the chance; `side` is 0 for a check without sides."""

    find: Name
    chance: Annotated[str, Field(min_length=1, max_length=40)]
    side: Annotated[int, Field(ge=0, le=20)] = 0
    within: Annotated[str, Field(max_length=200)] = ""


class RulesetEdition(RequestBody):
    """A ruleset with house rules; `text` is a draft in TOML that replaces the game's own."""

    game: Name
    options: Data = Field(default={})
    text: Annotated[str, Field(max_length=60_000)] = ""


class CompareRequest(RequestBody):
    """Two editions of a ruleset to compare."""

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
    """Odds with curves, spread and difficulties.

    `curves` has each value with the chance of exactly, at least and at most that; `window` is the
    range of them to show; `rungs` is the success at every difficulty of the game.
    """

    shows: str
    figure: str | None
    curves: list[list[Any]]
    window: list[int]
    deviation: float | None
    rungs: list[list[Any]]
    command: str


class WorthResponse(BaseModel):
    """A figure under every policy, and the gain by deciding; null for a check without decisions."""

    worth: Data | None


class SolveResponse(BaseModel):
    """The value at which a chance is just reached; null if no value reaches it."""

    model_config = ConfigDict(extra="allow")

    parameter: str
    tried: list[list[Any]]
    command: str


class ClaimsResponse(BaseModel):
    """Claims with their verdicts: the actual figures, and what would make false ones true."""

    claims: list[Data]
    false: int
    command: str


class ProgressLine(BaseModel):
    """A line of a streamed response: progress, at the end the answer or an error."""

    progress: list[int] | None = None
    answer: Data | None = None
    error: ErrorDetail | None = None


class RollPreview(BaseModel):
    """A roll before it is declared: its lines, and its odds by what the seat knows."""

    lines: list[Data]
    cannot: dict[str, str] = {}  # why the check is impossible, in each language of the game
    unknown: list[str] = []  # parameters that matter and that the seat may not see
    odds: OddsResponse
