"""Values inside events: checks, lines, replies, and what becomes visible by a reveal."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from handful.records import record, replace
from handful.roll import Reply
from handful.rules.params import display_value
from handful.rules.program import Record
from handful.sheet import Line
from handful.sheet.draft import freeze
from handful.table.codec import CUSTOM

if TYPE_CHECKING:
    Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]
else:
    Value = object  # any JSON value; the codec passes it on as it is

Values = Mapping[str, Value]  # by name: parameters, options, a sheet
Texts = Mapping[str, str]
Counts = Mapping[str, int]
SideLine = tuple[int, Line]  # side number, 0 for the overall check, and the line


@record()
class Game:
    """A ruleset, by its id and the hash of its text."""

    id: str
    hash: str


@record()
class AskedCheck:
    """A check as it was declared; together with its ruleset it can be bound and rolled."""

    check: str
    sides: tuple[Values, ...] = ()
    parameters: Values = Record()
    options: Values = Record()

    def without(self, hidden: Collection[str]) -> AskedCheck:
        """Return the check without these parameters."""
        if not hidden:
            return self

        def remaining(values: Values) -> Values:
            return {name: value for name, value in values.items() if name not in hidden}

        sides = tuple([remaining(side) for side in self.sides])
        return replace(self, parameters=remaining(self.parameters), sides=sides)


def read_line(data: Mapping[str, Any]) -> SideLine:
    return data["side"], Line(
        data["parameter"],
        freeze(data["value"]),
        data["source"],
        Record(data["title"]),
        Record(data["via"]),
        data["place"],
        data["by"],
        data["on"],
        data["switched_by"],
        Record(data["cannot"]),
    )


def write_line(side_line: SideLine) -> dict[str, Any]:
    side, line = side_line
    return {
        "side": side,
        "parameter": line.parameter,
        "value": _typed_value(line.value),
        "source": line.source,
        "title": dict(line.title),
        "via": dict(line.via),
        "place": line.skill_index,
        "by": line.by,
        "on": line.on,
        "switched_by": line.switched_by,
        "cannot": dict(line.cannot),
    }


def _typed_value(value: Any) -> Any:
    """Return a value as it could be typed, also if it was parsed already."""
    if value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, tuple):
        return [_typed_value(one) for one in value]
    if isinstance(value, Fraction) or (isinstance(value, dict) and {*value} == {"dice", "pips"}):
        return display_value(value)
    return {name: _typed_value(one) for name, one in value.items()} if isinstance(value, dict) else value


def stored_line(side_line: SideLine) -> SideLine:
    """Return a line as it will be read back from the log: with its value as it could be typed."""
    return read_line(write_line(side_line))


CUSTOM[SideLine] = read_line, write_line


@record()
class ReplyData:
    """A reply to a roll's question: the faces of a throw, or the answer to a decision."""

    by: str
    throw: int | None = None  # index of the throw
    sides: int | None = None
    faces: tuple[int, ...] | None = None
    physical: bool | None = None
    entropy: str | None = None
    answer: Reply | None = None
    words: str | None = None


@record()
class ComponentData:
    """A roll that became part of a contest."""

    roll: str
    roller: str
    modes: tuple[str, ...] = ()


@record()
class CorrectedThrow:
    """Other faces for a throw that was typed in wrongly."""

    throw: int
    faces: tuple[int, ...]


@record()
class JudgmentData:
    """The GM's comment on a result."""

    by: str
    grade: str
    words: str


@record()
class NoteData:
    """A note on a roll."""

    by: str
    text: str


@record()
class SourceData:
    """A component roll of a revealed contest, with what is needed to verify its dice."""

    roll: str
    commitment: str
    key: str
    replies: tuple[ReplyData, ...]


@record()
class RollStory:
    """A whole roll up to now, for a seat that is shown it late."""

    roller: str
    title: str
    commitment: str
    asked: AskedCheck
    hidden: tuple[str, ...]
    taken: int  # throws that a contest inherited
    replies: tuple[ReplyData, ...]
    typed: tuple[int, ...]
    key: str
    judged: tuple[JudgmentData, ...]
    character_ids: tuple[str, ...] | None = None
    lines: tuple[SideLine, ...] | None = None
    sources: tuple[SourceData, ...] | None = None
    # since version 3:
    modes: tuple[str, ...] = ()
    ruleset: str = ""  # hash of the rules under which it was declared
    inherited: int = 0  # replies that a contest inherited
    components: tuple[ComponentData, ...] = ()
    skill_counts: tuple[int, ...] = ()
    action_context: Texts | None = None
    cancelled: bool | None = None
    notes: tuple[NoteData, ...] | None = None


@record()
class ItemData:
    """The uses of an item in a round, and whether it is out of use."""

    uses: int
    hot: bool


@record()
class SideData:
    """A side of a contest: a roll, or a seat that was asked for one; `request` is for the GM."""

    name: str
    roll: str
    request: str | None = None


@record()
class DeclaredSide:
    """The roll that a side of a contest has declared."""

    contest: str
    name: str
    roll: str


@record()
class RankData:
    """Initiative and tie-breakers of a combatant; a fraction is a text."""

    rank: tuple[int | str, ...]
    rolled: int


@record()
class CombatantName:
    """A combatant and the name it is shown by."""

    combatant: str
    name: str


@record()
class PlaceData:
    """A combatant's place in the turn order, and its progress in this round."""

    who: str
    name: str
    rank: tuple[int | str, ...]
    hidden: bool
    over: bool
    taken: int
    waiting: bool
    stepped: bool
    stance: str
    choice: str
    pace: str
    attacked: bool
    prepared: int
    actions: int | None = None


@record()
class OfferedAnswer:
    """The answer, such as a parry, that the target of a roll may give now; "" if there is none."""

    answer: str
    to: str


@record()
class FightState:
    """A fight as far as a seat sees it, for a seat that sees more of it than before."""

    fight: str
    number: int
    structure: str
    division: bool
    places: tuple[PlaceData, ...]
    turn: tuple[str, ...]
    slot: int
