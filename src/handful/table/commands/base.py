"""Commands as records: the registry of their kinds, and what follows from their fields.

A field is read by the `FieldType` of its annotation and has its own name in JSON, except for those in
`JSON_NAMES`.  A field with a default may be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import NoneType
from typing import (
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from handful.errors import Message, Refused, Text
from handful.records import field, record
from handful.table.codec import build_kind
from handful.table.commands.field_types import CharacterId, FieldType, Id, Schema, WrongValue, read_values

# attribute -> name in JSON, where that is a keyword of Python
JSON_NAMES: Mapping[str, str] = {"character_id": "as", "character_ids": "as", "for_seat": "for"}

Class = TypeVar("Class", bound=type)
Kind = TypeVar("Kind")
_KINDS: dict[str, type[CommandBody]] = {}


@record()
class CommandBody:
    """A seat's request; a subclass for every kind."""

    kind: ClassVar[str] = ""
    by: ClassVar[str] = ""  # the seats that may give it, in words
    about: ClassVar[str] = "table"  # the thing whose legal actions it is among

    @property
    def subject(self) -> str | None:
        """The id of the thing that the command is about; None for the table itself."""
        return None if self.about == "table" else getattr(self, self.about)


@record()
class RollCommand(CommandBody):
    """A command on one roll."""

    about: ClassVar[str] = "roll"
    roll: Id


@record()
class RequestCommand(CommandBody):
    """A command on one request."""

    about: ClassVar[str] = "request"
    request: Id


@record()
class CharacterCommand(CommandBody):
    """A command on one character."""

    about: ClassVar[str] = "character"
    character: CharacterId


@record()
class CombatantCommand(CommandBody):
    """A command on one combatant of the fight."""

    about: ClassVar[str] = "combatant"
    combatant: CharacterId


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def command(kind: str, *, by: str) -> Callable[[Class], Class]:
    """Turn a class of annotated fields into a command of this kind, for these seats."""

    return lambda cls: build_kind(cls, _KINDS, kind, by=by)


def command_kinds() -> Mapping[str, type[CommandBody]]:
    """Return every kind of command with its record."""
    return _KINDS


class CommandField(NamedTuple):
    """One field of a command or of a part of it."""

    attribute: str
    json_name: str
    type: FieldType
    required: bool


@cache
def fields_of(cls: type) -> Mapping[str, CommandField]:
    """Return the fields of a record by their names in JSON."""
    declared, hints = cls._fields_of_record, get_type_hints(cls, include_extras=True)  # type: ignore[attr-defined]
    found = [
        CommandField(name, JSON_NAMES.get(name, name), _field_type(hints[name]), declared[name].is_required)
        for name in declared
    ]
    return {one.json_name: one for one in found}


def _field_type(hint: Any) -> FieldType:
    """Return the type that a field is annotated with; a field that may be left out is `X | None`."""
    if get_origin(hint) is not Annotated:
        (hint,) = [one for one in get_args(hint) if one is not NoneType]
    (found,) = [one for one in get_args(hint) if isinstance(one, FieldType)]
    return found


def read_fields(what: Text, cls: type[Kind], data: Mapping[str, Any]) -> Kind:
    """Read a record strictly: refuse a field that is missing, unknown or of the wrong type."""
    fields = fields_of(cls)  # type: ignore[arg-type]
    for name in data:
        if name not in fields:
            raise Refused(_unknown_field(what, str(name)[:40], fields))
    values = {}
    for name, one in fields.items():
        if name in data:
            try:
                values[one.attribute] = one.type.read(data[name])
            except WrongValue as wrong:
                problem = Message("table_command.wrong_value", what=what, name=name, expected=wrong.problem)
                raise Refused(problem) from None
            except Refused as refusal:
                problem = Message("table_command.in_field", what=what, name=name, problem=refusal.problem)
                raise Refused(problem) from None
        elif one.required:
            raise Refused(Message("table_command.field_missing", what=what, name=name))
    return cls(**values)


def _unknown_field(what: Text, name: str, fields: Iterable[str]) -> Message:
    names = [repr(one) for one in fields]  # quoted, because names of fields are the same in every language
    if not names:
        return Message("table_command.takes_nothing", what=what, name=name)
    return Message("table_command.unknown_field", what=what, name=name, fields=names)


def record_schema(cls: type) -> Schema:
    """Return the JSON Schema of a record."""
    fields = fields_of(cls)
    properties: Schema = {name: one.type.schema for name, one in fields.items()}
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "required": [name for name, one in fields.items() if one.required],
    }


def part(what: Message, cls: type) -> FieldType:
    """Return the type of a field that holds a record."""
    return FieldType(lambda value: read_fields(what, cls, read_values(value)), record_schema(cls))


def parts(what: Message, cls: type, expected: Message, *, least: int = 0) -> FieldType:
    """Return the type of a field that holds a list of records."""
    one = part(what, cls)

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) < least:
            raise WrongValue(expected)
        return tuple(map(one.read, value))

    return FieldType(read, {"type": "array", "items": one.schema, "minItems": least})
