"""What goes over the wire, as schemas: requests, answers, and the messages of the WebSocket.

Requests are read by these; answers are made by the table, and a test holds them to what is said
here.  What a view shows beyond these fields is in docs/table.md.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=60)]
Data = dict[str, Any]
Words = dict[str, str]  # language -> text


class Body(BaseModel):
    """Whatever comes in: nothing beyond the fields that are named."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(Body):
    """A table that somebody opens."""

    game: Annotated[str, Field(max_length=60)] = ""
    brew: Annotated[str, Field(max_length=64)] = ""  # the hash of a ruleset on the shelf, instead
    title: Name
    gm: Name = "gm"
    players: list[Name] = Field(default=[], max_length=20)
    watchers: bool = True
    demo: bool = False


class Doing(Body):
    """A command; see docs/table.md for each and its fields.  The same key is obeyed once."""

    do: Name
    key: Name
    data: Data = {}


class Sitting(Body):
    """Whoever follows an open invitation says their name."""

    token: Annotated[str, Field(min_length=10, max_length=100)]
    name: Name


class Inviting(Body):
    """A link for a seat, or without one for new seats of a role."""

    seat: Annotated[str, Field(max_length=60)] = ""
    role: Literal["gm", "player", "watcher"] = "player"
    instead: bool = False  # of all links that led there before


class Weighing(Body):
    """A check before it is rolled: plain parameters, sides and house rules."""

    check: Name
    parameters: Data = {}
    sides: list[Data] = Field(default=[], max_length=20)
    options: Data = {}


class Reckoning(Weighing):
    """Odds of a check before it is rolled, and how decisions are taken."""

    policy: Literal["usual", "best", "never"] = "usual"


class Sweeping(Reckoning):
    """A table of odds: a parameter may be a range, as in docs/authors.md."""

    shows: Annotated[str, Field(max_length=80)] = ""  # a figure; what is usual for the check


class Solving(Reckoning):
    """Which value of a parameter gives a chance; `side` is 0 where there are no sides."""

    find: Name
    chance: Annotated[str, Field(min_length=1, max_length=40)]
    side: Annotated[int, Field(ge=0, le=20)] = 0
    within: Annotated[str, Field(max_length=200)] = ""


class Edition(Body):
    """A ruleset with house rules; `text` is a draft in TOML, in place of what the game says."""

    game: Name
    options: Data = {}
    text: Annotated[str, Field(max_length=60_000)] = ""


class Comparing(Body):
    """Two editions: what changed in words, and in odds."""

    before: Edition
    after: Edition


class Claiming(Body):
    """Claims about a game, as in a claims.toml."""

    text: Annotated[str, Field(min_length=1, max_length=60_000)]


class Brewing(Body):
    """A ruleset that somebody writes, with its cases."""

    ruleset: Annotated[str, Field(max_length=128 * 1024)]
    cases: Annotated[str, Field(max_length=128 * 1024)] = ""


class Editing(Body):
    """A change of one place in a ruleset, named by its path; without a value it is taken out."""

    ruleset: Annotated[str, Field(max_length=128 * 1024)]
    path: list[Name] = Field(min_length=1, max_length=6)
    value: Any = None


class Changing(Body):
    """Other rules for a table: of a game, or by its hash of a ruleset on the shelf."""

    game: Annotated[str, Field(max_length=60)] = ""
    brew: Annotated[str, Field(max_length=64)] = ""


class Tasting(Reckoning):
    """A check by a ruleset that somebody writes."""

    ruleset: Annotated[str, Field(max_length=128 * 1024)]


class Revoking(Body):
    """All links to a seat, or without one all to new seats of a role."""

    seat: Annotated[str, Field(max_length=60)] = ""
    role: Literal["gm", "player", "watcher"] = "player"


class Sketching(Body):
    """A check that a seat could declare: what it would come to, line by line, with its odds."""

    data: Data
    policy: Literal["usual", "best", "never"] = "usual"


class Previewing(Body):
    """A sheet that somebody wants to bring, as data or as a text (JSON or TOML).

    `base` is the sheet that an edit began with: what has changed since is merged.
    """

    sheet: Data | str
    owner: Name | None = None
    base: Data | None = None


# -- answers

Code = Literal[
    "refused", "forbidden", "not_found", "too_large", "too_fast", "too_many", "too_big", "store",
    "bad", "cancelled", "broken",
]  # fmt: skip


class Mistake(BaseModel):
    """What is wrong, and what would be right."""

    code: Code
    message: str
    hint: str


class Answer(BaseModel):
    """Every answer that is no."""

    error: Mistake


class Healthy(BaseModel):
    status: Literal["ok"]


class GameInShort(BaseModel):
    """A game in a few lines; `glance` has the chances of its first check by the size of a pool."""

    id: str
    title: Words
    about: Words
    glance: Data | None


class Game(BaseModel):
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


class Odds(BaseModel):
    """Exact odds; every chance is a fraction written as text.  More fields as in `--json`."""

    model_config = ConfigDict(extra="allow")

    success: str | None = None


class Survey(Odds):
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


class Weighed(BaseModel):
    """A figure under every policy, and what deciding is worth; none where nobody decides."""

    worth: Data | None


class Solved(BaseModel):
    """The value at which a chance is just reached; none where no value reaches it."""

    model_config = ConfigDict(extra="allow")

    parameter: str
    tried: list[list[Any]]
    command: str


class Judged(BaseModel):
    """Claims with their verdicts: the real figures, and what would make them true."""

    claims: list[Data]
    false: int
    command: str


class Progress(BaseModel):
    """A line of a long answer: how far it is, at last the answer, or what is wrong."""

    progress: list[int] | None = None
    answer: Data | None = None
    error: Mistake | None = None


class Sketched(BaseModel):
    """What a declaration would come to: its lines, and its odds by what the seat knows."""

    lines: list[Data]
    odds: Odds


class Preview(BaseModel):
    """What bringing a sheet would change, and what it comes to; `replaces` is for `bring`.

    With `base`: what has changed `meanwhile`, and if something has, both edits in one (`merged`),
    with what both have changed (`clashes`) and the sheet as it is `now`.
    """

    model_config = ConfigDict(extra="allow")

    changes: list[Data]
    sheet: Data
    comes_to: Data


class Change(BaseModel):
    """A line about a character, by the seat's own log, and what it changed on the sheet."""

    n: int
    time: str
    seat: str
    kind: str
    changes: list[Data]
    about: Data


class Blunder(BaseModel):
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


class Brewed(BaseModel):
    """What is wrong with a ruleset; if nothing is, its game and the hash of its rules.

    `base` is the shipped ruleset that it extends.
    """

    mistakes: list[Blunder]
    hash: str
    game: Game | None
    base: str


class OtherRules(BaseModel):
    """What other rules would change; `game.hash` and the names of `unfit` are for `rules`."""

    game: dict[str, str]
    title: Words
    waits_for: list[str]  # what has to be ended before
    unfit: dict[str, list[str]]  # who would be dismissed, and why
    options: Data
    dropped: list[str]  # house rules that the other rules do not have
    words: list[str]  # what changes, in words
    moved: list[Data]  # the odds that move most, before and after


class Filling(BaseModel):
    """A field of a form: a text, number, truth, choice or list of numbers at a path.

    `own` says whether the text says it itself, or the ruleset that it extends.
    """

    kind: Literal["text", "number", "truth", "choice", "numbers"]
    path: list[str]
    value: Any
    values: list[Any] = []
    own: bool


class Group(BaseModel):
    """Fields that belong together: of the game, a check, a parameter of a check, a rung …"""

    kind: Literal["game", "check", "param", "rung", "option", "table"]
    name: str
    of: str
    title: Words
    fields: list[Filling]


class Text(BaseModel):
    ruleset: str


class Base(BaseModel):
    """A game or a family that another one can extend."""

    id: str
    title: Words
    about: Words


class Texts(BaseModel):
    """The texts of a ruleset: its own, and its cases."""

    ruleset: str
    cases: str


class OnShelf(Texts):
    """A ruleset on the shelf."""

    hash: str


class Shelved(BaseModel):
    """Where a ruleset is found from now on."""

    hash: str
    link: str


class Tasted(BaseModel):
    """A roll to its end, as `handful roll --json` shows it; decisions were taken as usual.

    Each die has its number on its side, and how many sides it has itself.
    """

    model_config = ConfigDict(extra="allow")

    main: str
    dice: list[Data]
    events: list[str]


class Difference(BaseModel):
    """Something that came out otherwise than a case says."""

    way: str
    what: str
    expected: Any
    found: Any


class Tried(BaseModel):
    """A case, and what came out otherwise; nothing if it holds."""

    name: str
    check: str
    differences: list[Difference]


class Cases(BaseModel):
    """Every case of a ruleset; or what is wrong with the texts."""

    mistakes: list[Blunder]
    cases: list[Tried]


class Luck(BaseModel):
    """Rolls against their expectation."""

    left_out: int
    table: Data
    seats: dict[str, Data]


class Seat(BaseModel):
    name: str
    role: Literal["gm", "player", "watcher"]
    left: bool


class Roll(BaseModel):
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


class Character(BaseModel):
    """Somebody at the table; the sheet only for those who see it."""

    model_config = ConfigDict(extra="allow")

    character: str
    owner: str
    name: str
    kind: str


class Asked(BaseModel):
    """A request for a check, or a call."""

    model_config = ConfigDict(extra="allow")

    request: str
    to: list[str]
    check: str
    parameters: Data
    proposals: Data
    rolls: dict[str, str]


class Contest(BaseModel):
    model_config = ConfigDict(extra="allow")

    contest: str
    sides: list[Data]
    waits_for: list[str]
    result: str


class Action(BaseModel):
    """Something that the seat may do now: a command, and what it is about."""

    model_config = ConfigDict(extra="allow")

    do: str


class View(BaseModel):
    """What a seat sees now, and what it may do."""

    model_config = ConfigDict(extra="allow")

    table: str
    game: dict[str, str]
    seat: str
    role: Literal["gm", "player", "watcher"]
    seats: list[Seat]
    options: Data
    mode: str
    characters: list[Character]
    rolls: list[Roll]
    fight: Data | None
    requests: list[Asked]
    contests: list[Contest]
    actions: list[Action]


class Line(BaseModel):
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


class Done(BaseModel):
    """A command was obeyed, now or before: it is saved, and everybody was told.

    `n` is the number of the last line of the seat's log.
    """

    done: str
    n: int


class Opened(BaseModel):
    """A new table and its links, by seat; "" is for new watchers.  They are shown this once."""

    table: str
    links: dict[str, str]


class Seated(BaseModel):
    """A seat of one's own: follow the link to sit down."""

    table: str
    link: str


class Invited(BaseModel):
    """A new link; it is shown this once."""

    link: str


class Links(BaseModel):
    """How many links lead to a seat, or, without one, to new seats of a role."""

    seat: str
    role: str
    links: int


class Revoked(BaseModel):
    revoked: int


# -- the WebSocket


class Command(BaseModel):
    """To the server, over the WebSocket.  The same key is obeyed once, however often it comes."""

    type: Literal["command"]
    do: Name
    key: Name
    data: Data = {}


class Ping(BaseModel):
    """To the server: is anybody there?"""

    type: Literal["ping"]


class Pong(BaseModel):
    """The answer to a ping."""

    type: Literal["pong"]


class Hello(BaseModel):
    """The first message: the view as it is, and the lines of the log since `after`.

    `begins`: the client has nothing that fits, or has missed more than is told again; what is told
    here takes the place of everything it had.
    """

    type: Literal["hello"]
    n: int
    lines: list[Line]
    view: View
    begins: bool


class News(BaseModel):
    """Something happened: lines of the log, and the parts of the view that changed.

    In a part that is a list `[first, count]` stands for things that were in it before.
    """

    type: Literal["news"]
    n: int
    lines: list[Line]
    view: Data


class Obeyed(BaseModel):
    """The answer to a command: it is saved, and its news were sent before this."""

    type: Literal["done"]
    key: str
    n: int


class NotObeyed(BaseModel):
    """The answer to a command, or to a message that is none."""

    type: Literal["error"]
    key: str | None
    error: Mistake


class Stored(BaseModel):
    """Nothing can be saved now, and why; or it can be again."""

    type: Literal["store"]
    ok: bool
    error: Mistake | None = None


TO_SERVER = (Command, Ping)
TO_CLIENT = (Hello, News, Obeyed, NotObeyed, Stored, Pong)
