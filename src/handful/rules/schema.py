"""JSON Schema of the file formats, for editors: `#:schema` in TOML, `$schema` in JSON.

Generated from `rules.file_format`, so it always agrees with the loader.  It finds wrong keys and
kinds; references between parts and the rules themselves are checked by `handful lint`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.rules.file_format import FIELDS, REQUIRED_FIELDS
from handful.rules.params import TYPES
from handful.rules.source import MAX_FILE_NUMBER, MAX_TEXT_LENGTH

Schema = dict[str, Any]
NAME = "^[a-z][a-z0-9_]{0,60}$"
_INTEGER: Schema = {"type": "integer", "minimum": -MAX_FILE_NUMBER, "maximum": MAX_FILE_NUMBER}
_NUMBER: Schema = {"type": "number", "minimum": -MAX_FILE_NUMBER, "maximum": MAX_FILE_NUMBER}
_TEXT: Schema = {"type": "string", "maxLength": MAX_TEXT_LENGTH}
_WORDING: Schema = {
    "type": "object",
    "properties": {"en": {"type": "string", "minLength": 1}},
    "additionalProperties": {"type": "string"},
}


def _list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _map_of(inside: Schema) -> Schema:
    return {"type": "object", "additionalProperties": inside}


_SIMPLE_KINDS: Mapping[str, Schema] = {
    "any": {},
    "text": _TEXT,
    "rules": _TEXT,
    "formula": _TEXT,
    "whole": _INTEGER,
    "number": _NUMBER,
    "truth": {"type": "boolean"},
    "name": {"type": "string", "pattern": NAME},
    "names": _list_of(_TEXT),
    "record": {"type": "object"},
    "wording": _WORDING,
    "language": {"type": "integer", "minimum": 1},
    "id": {"type": "string", "pattern": "^[a-z][a-z0-9-]{0,40}$"},
    "by": {"enum": ["player", "gm"]},
    "between": {"enum": ["vs", "with"]},
    "kind": {"enum": ["pc", "npc"]},
    "policy": {"enum": ["usual", "best", "never"]},
    "type": {"enum": list(TYPES)},
    "values": {"anyOf": [_list_of({"type": kind}) for kind in ("string", "integer", "boolean")]},
    "follows": _map_of(_map_of(_TEXT)),
    "separators": {"anyOf": [{"enum": [",", "+"]}, _list_of({"enum": [",", "+"]})]},
    "field": {"anyOf": [{"type": "boolean"}, _TEXT]},
    "bound": {"anyOf": [_INTEGER, _TEXT]},
    "ends": {"type": "array", "minItems": 2, "maxItems": 2},
    "rows": _map_of({"anyOf": [_INTEGER, _list_of(_INTEGER)]}),
    "rung": {
        "type": "object",
        "properties": {"title": _WORDING, "example": _WORDING, "aliases": _list_of(_TEXT)},
        "additionalProperties": _INTEGER,
    },
    "word": {
        "type": "object",
        "properties": {"one": _WORDING, "aliases": _list_of(_TEXT)},
        "additionalProperties": {"type": "string"},
    },
    "skill": {
        "type": "object",
        "properties": {"title": _WORDING, "help": _WORDING, "aliases": _list_of(_TEXT)},
    },
    "item": {
        "type": "object",
        "properties": {"title": _WORDING, "aliases": _list_of(_TEXT), "uses": {"type": "integer"}},
    },
    "target": {
        "type": "object",
        "properties": {"by": _TEXT},
        "additionalProperties": _map_of(_TEXT),
    },
    "modifier": {
        "type": "object",
        "properties": {"for": _list_of(_TEXT), "checks": _list_of(_TEXT), "off": {"type": "boolean"}},
    },
}
# Parts whose keys are identifiers of the rule language.
_NAMED_KINDS = ("option", "decision", "rule", "check", "rows", "rung", "word")
FILES = ("ruleset", "cases", "claims", "character")


def schema(file: str) -> Schema:
    """Return the JSON Schema of a kind of file: one of FILES."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Handful: {file}"}
    if file == "cases":
        return {**head, **_array_file("case")}
    if file == "claims":
        return {**head, **_array_file("claim", game=_TEXT)}
    result = {**head, **_part_schema(file)}
    if file == "ruleset":
        result["required"] = ["language", "id"]
        # A file that extends another holds only the differences.
        result["if"] = {"not": {"required": ["extends"]}}
        result["then"] = {"required": ["title", "about", "checks"]}
    return result


def _array_file(part: str, **extra: Schema) -> Schema:
    """Return the schema of a file that is an array of tables: `[[case]]`."""
    return {
        "type": "object",
        "properties": {part: _list_of(_part_schema(part)), **extra},
        "required": [part],
        "additionalProperties": False,
    }


def _part_schema(part: str) -> Schema:
    properties = {
        name: {"description": text, **_kind_schema(kind)} for name, (kind, text) in FIELDS[part].items()
    }
    result: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if part in ("case", "claim"):  # any other part may be partial in a file that extends another
        result["required"] = list(REQUIRED_FIELDS[part])
    return result


def _kind_schema(kind: str) -> Schema:
    if kind.startswith("each "):
        inside = kind.removeprefix("each ")
        result = _map_of(_kind_schema(inside))
        return {**result, "propertyNames": {"pattern": NAME}} if inside in _NAMED_KINDS else result
    if kind.startswith("list "):
        return _list_of(_kind_schema(kind.removeprefix("list ")))
    return _SIMPLE_KINDS[kind] if kind in _SIMPLE_KINDS else _part_schema(kind)
