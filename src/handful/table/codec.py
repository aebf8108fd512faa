"""Records to JSON data and back, following from their annotated fields and from nothing else.

A field is stored under its own name, except for the few in `JSON_NAMES`, whose stored names are older
than the records.  A field that is None is left out, unless its type says `Nullable`.
Tuples become lists, nested records become objects; maps by name keep their JSON values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from handful.errors import FileFault, Message
from handful.records import build_record

T = TypeVar("T")
Kind = TypeVar("Kind")
NULLABLE = "nullable"
Nullable = Annotated[T | None, NULLABLE]  # None is stored as null

# attribute -> name in stored data, where they differ
JSON_NAMES: Mapping[str, str] = {
    "action_context": "deed",
    "character_id": "as",
    "character_ids": "as",
    "components": "parts",
    "inherited": "begun",
    "skill_counts": "places",
    "type": "kind",
}

Convert = Callable[[Any], Any]


class FieldCodec(NamedTuple):
    """One field of a record: its names, how to read and write it, and its annotations."""

    attribute: str
    json_name: str
    read: Convert | None  # None: the JSON value is used as it is
    write: Convert | None
    nullable: bool
    required: bool
    hint: Any  # the type without annotations
    annotations: tuple[Any, ...]


# type -> (read, write), for types that are no records
CUSTOM: dict[Any, tuple[Convert, Convert]] = {}


@cache
def field_codecs(cls: type) -> tuple[FieldCodec, ...]:
    """Return the codecs of a record's fields, in their order."""
    fields = cls._fields_of_record  # type: ignore[attr-defined]
    hints = get_type_hints(cls, include_extras=True)
    return tuple(_field_codec(name, hints[name], fields[name]) for name in fields)


def _field_codec(name: str, hint: Any, declared: Any) -> FieldCodec:
    annotations: tuple[Any, ...] = ()
    while get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        annotations += tuple(more)
    read, write = _converters(hint)
    return FieldCodec(
        name,
        JSON_NAMES.get(name, name),
        read,
        write,
        NULLABLE in annotations,
        declared.is_required,
        hint,
        annotations,
    )


def _converters(hint: Any) -> tuple[Convert | None, Convert | None]:
    if hint in CUSTOM:
        return CUSTOM[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (inner, *others) = [one for one in arguments if one is not NoneType]
        if not others:
            return _converters(inner)
        return _plain_value, _json_value
    if origin is tuple:
        read, write = _converters(arguments[0])
        return _tuple_reader(read), _list_writer(write)
    if origin is not None and issubclass(origin, Mapping):
        read, write = _converters(arguments[1])
        return _map_converter(read), _map_converter(write)
    if isinstance(hint, type) and hasattr(hint, "_fields_of_record"):
        return (lambda data: read_record(hint, data)), write_record
    return None, None


def _tuple_reader(read: Convert | None) -> Convert:
    return tuple if read is None else lambda values: tuple([read(one) for one in values])


def _list_writer(write: Convert | None) -> Convert:
    return list if write is None else lambda values: [write(one) for one in values]


def _map_converter(convert: Convert | None) -> Convert | None:
    return None if convert is None else lambda values: {name: convert(one) for name, one in values.items()}


def _plain_value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _json_value(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def build_kind(cls: Any, kinds: dict[str, Any], kind: str, **settings: Any) -> Any:
    """Build the record of one kind of event or command, and register it; its fields are given by name."""
    built = build_record(cls, kw_only=True)
    for name, value in {"kind": kind, **settings}.items():
        setattr(built, name, value)
    kinds[kind] = built
    return built


def read_record(cls: type[Kind], data: Mapping[str, Any]) -> Kind:
    """Read a record from JSON data; a field that this version does not know is ignored."""
    found = {}
    for one in field_codecs(cls):  # type: ignore[arg-type]
        if one.json_name in data:
            value = data[one.json_name]
            found[one.attribute] = value if one.read is None or value is None else one.read(value)
        elif one.required:
            raise FileFault(Message("log.field_missing", field=one.json_name), Message("log.damaged"))
    return cls(**found)


def write_record(record: Any) -> dict[str, Any]:
    """Return a record as JSON data."""
    data = {}
    for one in field_codecs(record.__class__):
        value = getattr(record, one.attribute)
        if value is not None:
            data[one.json_name] = value if one.write is None else one.write(value)
        elif one.nullable:
            data[one.json_name] = None
    return data
