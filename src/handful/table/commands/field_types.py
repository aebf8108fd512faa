"""Types of the fields of commands: each has a reader of JSON values and a JSON Schema.

A reader refuses a value by saying what would be right; `base.read_fields` adds command and field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from handful.errors import Message, Refused
from handful.records import record
from handful.table.events.values import Counts, Value, Values
from handful.table.visibility import ACTION_COSTS, LEAVES, MODES, ROLES, SEAT_COLOURS, SHEET_MODES

MAX_NAME = 60
MAX_TEXT = 500
MAX_SHEET_NAME = 80  # as in character files
MAX_ID = 2 * MAX_NAME + 1
MAX_CHARACTER = 3 * MAX_NAME
MAX_AMOUNT = 100_000
MAX_MESSAGE = 1_000
MAX_SCRATCHPAD = 8_000
MAX_COPIES = 20

Schema = dict[str, Value]  # a JSON Schema
HASH = re.compile(r"[0-9a-f]{64}\Z")


class WrongValue(Refused):
    """A value that a field does not take; the message says what it takes, such as `a list of names`."""


@record(eq=False)
class FieldType:
    """Reader of a field's JSON value, and the JSON Schema of the values that it accepts."""

    read: Callable[[Any], Any]
    schema: Schema


def _string(*, least: int = 0, most: int) -> Schema:
    return {"type": "string", "minLength": least, "maxLength": most}


def _array(items: Value, *, least: int = 0) -> Schema:
    return {"type": "array", "items": items, "minItems": least}


# -- names


def read_name(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_NAME:
        raise WrongValue(Message("field.length_of_name", most=MAX_NAME))
    if not value.isprintable() or "/" in value or value != value.strip():
        raise WrongValue(Message("field.form_of_name"))
    return value


def _read_names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise WrongValue(Message("field.names"))
    return tuple(map(read_name, value))


def _read_id(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_ID:
        raise WrongValue(Message("field.id"))
    return value


def _read_roll_ids(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise WrongValue(Message("field.rolls"))
    return tuple(map(_read_id, value))


def _read_combatant_ids(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise WrongValue(Message("field.order"))
    return tuple(map(_read_id, value))


def _read_character(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_CHARACTER:
        raise WrongValue(Message("field.character"))
    return value


def _read_sheet_name(value: Any) -> str:
    name = value.strip() if isinstance(value, str) else ""
    if not name or len(name) > MAX_SHEET_NAME or not name.isprintable():
        raise WrongValue(Message("field.sheet_name", most=MAX_SHEET_NAME))
    return name


def _read_side_characters(value: Any) -> tuple[str, ...]:
    entries = value if isinstance(value, list) else [value]
    return tuple("" if one in ("", None) else _read_character(one) for one in entries)


def _read_characters(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise WrongValue(Message("field.characters"))
    return tuple(map(_read_character, value))


def _read_hash(value: Any) -> str:
    if not isinstance(value, str) or not HASH.match(value):
        raise WrongValue(Message("field.rules_hash"))
    return value


def _read_picture(value: Any) -> str:
    if not isinstance(value, str) or (value and not HASH.match(value)):
        raise WrongValue(Message("field.picture"))
    return value


_NAME = _string(least=1, most=MAX_NAME)
_ID = _string(most=MAX_ID)
_CHARACTER = _string(least=1, most=MAX_CHARACTER)
_SIDE_CHARACTER: Schema = {"anyOf": [_string(most=MAX_CHARACTER), {"type": "null"}]}
_SIDE_CHARACTERS: Schema = {"anyOf": [_SIDE_CHARACTER, _array(_SIDE_CHARACTER)]}
Name = Annotated[str, FieldType(read_name, _NAME)]
SheetName = Annotated[str, FieldType(_read_sheet_name, _string(least=1, most=MAX_SHEET_NAME))]
Names = Annotated[tuple[str, ...], FieldType(_read_names, _array(_NAME))]
Id = Annotated[str, FieldType(_read_id, _ID)]  # of a roll, request or contest
RollIds = Annotated[tuple[str, ...], FieldType(_read_roll_ids, _array(_ID, least=1))]
CombatantIds = Annotated[tuple[str, ...], FieldType(_read_combatant_ids, _array(_ID))]
CharacterId = Annotated[str, FieldType(_read_character, _CHARACTER)]
CharacterIds = Annotated[tuple[str, ...], FieldType(_read_characters, _array(_CHARACTER))]
# One character for each side, "" for none; a single value belongs to the first side.
SideCharacterIds = Annotated[tuple[str, ...], FieldType(_read_side_characters, _SIDE_CHARACTERS)]
RulesHash = Annotated[str, FieldType(_read_hash, {"type": "string", "pattern": "^[0-9a-f]{64}$"})]
# The hash of a picture that was uploaded, or "" for none.
PictureHash = Annotated[str, FieldType(_read_picture, {"type": "string", "pattern": "^([0-9a-f]{64})?$"})]


# -- words from a list


def _read_choice(*names: str) -> FieldType:
    def read(value: Any) -> str:
        if value not in names:
            raise WrongValue(Message("field.choice", names=[repr(one) for one in names]))
        return str(value)

    return FieldType(read, {"enum": list(names)})


_COST = _read_choice(*ACTION_COSTS)


def _read_costs(value: Any) -> tuple[str, ...]:
    return tuple(map(_COST.read, value if isinstance(value, list) and value else [value]))


_COSTS: Schema = {"anyOf": [_COST.schema, _array(_COST.schema, least=1)]}
ModeName = Annotated[str, _read_choice(*MODES)]
SheetModeName = Annotated[str, _read_choice(*SHEET_MODES)]
RoleName = Annotated[str, _read_choice(*ROLES)]
ColourName = Annotated[str, _read_choice(*SEAT_COLOURS)]
Leave = Annotated[str, _read_choice(*LEAVES)]
# An action cost; for a check with several sides a list in their order.
ActionCosts = Annotated[tuple[str, ...], FieldType(_read_costs, _COSTS)]


# -- numbers and texts


def _read_count(value: Any) -> int:
    if type(value) is not int:
        raise WrongValue(Message("expects.whole_number"))
    return value


def _read_counts(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise WrongValue(Message("field.numbers"))
    return tuple(map(_read_count, value))


def _read_index(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise WrongValue(Message("field.index"))
    return value


def _read_copies(value: Any) -> int:
    if type(value) is not int or not 1 <= value <= MAX_COPIES:
        raise WrongValue(Message("field.copies", most=MAX_COPIES))
    return value


def _read_amount(value: Any) -> int | str:
    if isinstance(value, str):
        return _read_id(value)
    if type(value) is not int or not 0 <= value <= MAX_AMOUNT:
        raise WrongValue(Message("field.amount", most=MAX_AMOUNT))
    return value


def _read_points(value: Any) -> Counts:
    if not isinstance(value, Mapping) or not value:
        raise WrongValue(Message("field.points"))
    return {name: _read_count(one) for name, one in value.items()}


def _read_faces(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not value or not all(type(one) is int for one in value):
        raise WrongValue(Message("field.faces"))
    return tuple(value)


def _read_answer(value: Any) -> str | tuple[int, ...]:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(type(one) is int for one in value):
        return tuple(value)
    raise WrongValue(Message("field.answer"))


def _read_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise WrongValue(Message("field.flag"))
    return value


def _read_text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise WrongValue(Message("field.text", most=MAX_TEXT))
    return value


# Zero-width joiners: parts of emoji and of some scripts.  Other unprintable characters could turn
# around what others read, or control their terminals.
_JOINERS = str.maketrans("", "", "\n\t\u200c\u200d")


def _read_printable(value: str) -> str:
    if not value.translate(_JOINERS).isprintable():
        raise WrongValue(Message("field.printable"))
    return value


def _read_message(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_MESSAGE:
        raise WrongValue(Message("field.message", most=MAX_MESSAGE))
    return _read_printable(value.strip())


def _read_scratchpad(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_SCRATCHPAD:
        raise WrongValue(Message("field.text", most=MAX_SCRATCHPAD))
    return _read_printable(value)


_INTEGER: Schema = {"type": "integer"}
_AMOUNT: Schema = {"anyOf": [{"type": "integer", "minimum": 0, "maximum": MAX_AMOUNT}, _ID]}
_POINTS: Schema = {"type": "object", "additionalProperties": _INTEGER, "minProperties": 1}
_ANSWER: Schema = {"anyOf": [{"type": "string"}, _array(_INTEGER)]}
Count = Annotated[int, FieldType(_read_count, _INTEGER)]
CountList = Annotated[tuple[int, ...], FieldType(_read_counts, _array(_INTEGER))]
Index = Annotated[int, FieldType(_read_index, {"type": "integer", "minimum": 0})]
Amount = Annotated[int | str, FieldType(_read_amount, _AMOUNT)]  # a number, or a roll that gives it
Copies = Annotated[int, FieldType(_read_copies, {"type": "integer", "minimum": 1, "maximum": MAX_COPIES})]
Points = Annotated[Counts, FieldType(_read_points, _POINTS)]
Faces = Annotated[tuple[int, ...], FieldType(_read_faces, _array(_INTEGER, least=1))]
Answer = Annotated[str | tuple[int, ...], FieldType(_read_answer, _ANSWER)]
Flag = Annotated[bool, FieldType(_read_flag, {"type": "boolean"})]
Text = Annotated[str, FieldType(_read_text, _string(most=MAX_TEXT))]
# What people write to each other: one message or note, or the whole scratchpad.
Written = Annotated[str, FieldType(_read_message, _string(least=1, most=MAX_MESSAGE))]
PadText = Annotated[str, FieldType(_read_scratchpad, _string(most=MAX_SCRATCHPAD))]


# -- values that the ruleset reads


def read_values(value: Any) -> Values:
    if not isinstance(value, Mapping):
        raise WrongValue(Message("field.values"))
    return dict(value)


def _read_side_values(value: Any) -> tuple[Values, ...]:
    if not isinstance(value, list):
        raise WrongValue(Message("field.sides"))
    return tuple(map(read_values, value))


def _read_any(value: Any) -> Any:
    return value


_OBJECT: Schema = {"type": "object"}
AnyValue = Annotated[Value, FieldType(_read_any, {})]
NamedValues = Annotated[Values, FieldType(read_values, _OBJECT)]
SideValues = Annotated[tuple[Values, ...], FieldType(_read_side_values, _array(_OBJECT))]
