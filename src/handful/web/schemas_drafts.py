"""On the wire: rulesets that somebody writes, what is wrong with them and what comes of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from handful.web.schemas import Data, GameView, Name, RequestBody, Words
from handful.web.schemas_odds import OddsRequest


class DraftRequest(RequestBody):
    """A ruleset that somebody writes, with its cases."""

    ruleset: Annotated[str, Field(max_length=128 * 1024)]
    cases: Annotated[str, Field(max_length=128 * 1024)] = ""


class EditDraftRequest(RequestBody):
    """A change of one place in a ruleset, named by its path; without a value it is taken out."""

    ruleset: Annotated[str, Field(max_length=128 * 1024)]
    path: list[Name] = Field(min_length=1, max_length=6)
    value: Any = None


class DraftCheckRequest(OddsRequest):
    """A check by a ruleset that somebody writes."""

    ruleset: Annotated[str, Field(max_length=128 * 1024)]


class DraftMistake(BaseModel):
    """What is wrong with a text, and where; lines and columns count from 1, 0: not known.

    The end is behind the last character.  The code stays while the wording may change.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    message: str
    hint: str


class DraftReport(BaseModel):
    """What is wrong with a ruleset; if nothing is, its game and the hash of its rules.

    `base` is the shipped ruleset that it extends.
    """

    mistakes: list[DraftMistake]
    hash: str
    game: GameView | None
    base: str


class FormField(BaseModel):
    """A field of a form: a text, number, truth, choice or list of numbers at a path.

    `own` says whether the text says it itself, or the ruleset that it extends.
    """

    kind: Literal["text", "number", "truth", "choice", "numbers"]
    path: list[str]
    value: Any
    values: list[Any] = []
    own: bool
    added: bool  # whether no game below it has this place


class FormGroup(BaseModel):
    """Fields that belong together: of the game, a check, a parameter of a check, a rung …"""

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
    """A ruleset on the shelf."""

    hash: str


class PublishResponse(BaseModel):
    """Where a ruleset is found from now on."""

    hash: str
    link: str


class DraftRoll(BaseModel):
    """A roll to its end, as `handful roll --json` shows it; decisions were taken as usual.

    Each die has its number on its side, and how many sides it has itself.
    """

    model_config = ConfigDict(extra="allow")

    main: str
    dice: list[Data]
    events: list[str]


class CaseMismatch(BaseModel):
    """Something that came out otherwise than a case says."""

    way: str
    what: str
    expected: Any
    found: Any


class CaseResult(BaseModel):
    """A case, and what came out otherwise; nothing if it holds."""

    name: str
    check: str
    differences: list[CaseMismatch]


class CaseReport(BaseModel):
    """Every case of a ruleset; or what is wrong with the texts."""

    mistakes: list[DraftMistake]
    cases: list[CaseResult]
