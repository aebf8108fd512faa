"""Schemas of the draft-ruleset API: texts, mistakes, forms, trial rolls and worked examples.

Requests hold the complete texts: the server stores a draft only when it is published.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from handful.web.schemas import Data, GameView, Name, RequestBody, Words
from handful.web.schemas_odds import OddsRequest


class DraftRequest(RequestBody):
    """A draft ruleset with its cases."""

    ruleset: Annotated[str, Field(max_length=128 * 1024)]
    cases: Annotated[str, Field(max_length=128 * 1024)] = ""


class EditDraftRequest(RequestBody):
    """A change of one value in a ruleset, named by its path; without a value it is removed."""

    ruleset: Annotated[str, Field(max_length=128 * 1024)]
    path: list[Name] = Field(min_length=1, max_length=6)
    value: Any = None


class DraftCheckRequest(OddsRequest):
    """A check of a draft ruleset."""

    ruleset: Annotated[str, Field(max_length=128 * 1024)]


class DraftMistake(BaseModel):
    """A mistake in a text; lines and columns count from 1, 0 means unknown.

    The end is behind the last character.  The code is stable, the wording is not.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    message: str
    hint: str


class DraftReport(BaseModel):
    """The mistakes of a ruleset, or without any its game and the hash of its rules.

    `base` is the shipped ruleset that it extends.
    """

    mistakes: list[DraftMistake]
    hash: str
    game: GameView | None
    base: str


class FormField(BaseModel):
    """A field of a form: a text, number, truth, choice or list of numbers at a path.

    `own` is true if the text sets it itself, false if a base does.
    """

    kind: Literal["text", "number", "truth", "choice", "numbers"]
    path: list[str]
    value: Any
    values: list[Any] = []
    own: bool
    added: bool  # no base has this path


class FormGroup(BaseModel):
    """A group of fields: of the game, a check, a parameter, a rung of the ladder …"""

    kind: Literal["game", "check", "param", "rung", "option", "table"]
    name: str
    of: str
    path: list[str]
    added: bool
    title: Words
    fields: list[FormField]


class RulesetText(BaseModel):
    ruleset: str


class BaseRuleset(BaseModel):
    """A game or a family that another one can extend."""

    id: str
    title: Words
    about: Words


class DraftTexts(BaseModel):
    """The texts of a ruleset: its own, and its cases."""

    ruleset: str
    cases: str


class PublishedRuleset(DraftTexts):
    """A published ruleset."""

    hash: str


class PublishResponse(BaseModel):
    """The hash and the link of a published ruleset."""

    hash: str
    link: str


class DraftRoll(BaseModel):
    """A finished roll, as `handful roll --json` shows it; decisions followed the usual policy.

    Each die has its number among its side's dice, and its own number of sides.
    """

    model_config = ConfigDict(extra="allow")

    main: str
    dice: list[Data]
    events: list[str]


class CaseMismatch(BaseModel):
    """A value that differs from what a case expects."""

    way: str
    what: str
    expected: Any
    found: Any


class CaseResult(BaseModel):
    """A case and its mismatches; none if it holds."""

    name: str
    check: str
    differences: list[CaseMismatch]


class CaseReport(BaseModel):
    """The results of all cases of a ruleset, or the mistakes of its texts."""

    mistakes: list[DraftMistake]
    cases: list[CaseResult]
