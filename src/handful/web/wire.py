"""What goes over the wire, as schemas: requests, answers, and the messages of the WebSocket."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=60)]


class Body(BaseModel):
    """Whatever comes in: nothing beyond the fields that are named."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(Body):
    """A table that somebody opens."""

    game: Name
    title: Name
    gm: Name = "gm"
    players: list[Name] = Field(default=[], max_length=20)
    watchers: bool = True
    demo: bool = False


class Doing(Body):
    """A command; see docs/table.md for each and its fields.  The same key is obeyed once."""

    do: Name
    key: Name
    data: dict[str, Any] = {}


class Sitting(Body):
    """Whoever follows an open invitation says their name."""

    token: Annotated[str, Field(min_length=10, max_length=100)]
    name: Name


class Inviting(Body):
    """A link for a seat, or without one for new seats of a role."""

    seat: Annotated[str, Field(max_length=60)] = ""
    role: Literal["gm", "player", "watcher"]


class Reckoning(Body):
    """Odds of a check before it is rolled: what `declare` takes, or plain parameters."""

    check: Name
    parameters: dict[str, Any] = {}
    sides: list[dict[str, Any]] = Field(default=[], max_length=20)
    options: dict[str, Any] = {}
    policy: Literal["usual", "best", "never"] = "usual"


class Sketching(Body):
    """A check that a seat could declare: what it would come to, line by line, with its odds."""

    data: dict[str, Any]
    policy: Literal["usual", "best", "never"] = "usual"


class Previewing(Body):
    """A sheet that somebody wants to bring: what it would change."""

    sheet: dict[str, Any]
    owner: Name | None = None


class Mistake(BaseModel):
    code: Literal[
        "refused", "forbidden", "too_large", "too_fast", "too_many", "too_big", "store", "bad",
    ]  # fmt: skip
    message: str
    hint: str


class Answer(BaseModel):
    """Every answer that is no."""

    error: Mistake


class Done(BaseModel):
    """A command was obeyed, now or before: it is saved, and everybody was told."""

    done: str
    events: int


class Opened(BaseModel):
    """A new table and its links; they are shown this once."""

    table: str
    links: dict[str, str]


class Command(BaseModel):
    """To the server, over the WebSocket."""

    type: Literal["command"]
    do: str
    key: str
    data: dict[str, Any] = {}


class Hello(BaseModel):
    """The first message: the view as it is, and the lines of the log since `after`.

    `begins`: more was missed than is told again; take this as a beginning.
    """

    type: Literal["hello"]
    n: int
    lines: list[dict[str, Any]]
    view: dict[str, Any]
    begins: bool


class News(BaseModel):
    """Something happened: lines of the log, and the parts of the view that changed."""

    type: Literal["news"]
    n: int
    lines: list[dict[str, Any]]
    view: dict[str, Any]


class Obeyed(BaseModel):
    """The answer to a command."""

    type: Literal["done"]
    key: str
    events: int


class NotObeyed(BaseModel):
    """The answer to a command, or to a message that is none."""

    type: Literal["error"]
    key: str | None
    error: Mistake
