"""The format of files as JSON Schema, for editors: `#:schema` in TOML, `$schema` in JSON.

Made from `rules.file_format`, so it knows what the loader knows.  It finds wrong names and wrong kinds;
what the rules mean, and whether names fit together, only `handful lint` can say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.rules.file_format import FIELDS, NEEDED
from handful.rules.params import TYPES
from handful.rules.source import LARGEST_NUMBER, LONGEST_TEXT

Schema = dict[str, Any]
NAME = "^[a-z][a-z0-9_]{0,60}$"
_WHOLE: Schema = {"type": "integer", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER}
_NUMBER: Schema = {"type": "number", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER}
_TEXT: Schema = {"type": "string", "maxLength": LONGEST_TEXT}
_WORDING: Schema = {
    "type": "object",
    "properties": {"en": {"type": "string", "minLength": 1}},
    "additionalProperties": {"type": "string"},
}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _each(inside: Schema) -> Schema:
    return {"type": "object", "additionalProperties": inside}


_PLAIN: Mapping[str, Schema] = {
    "any": {},
    "text": _TEXT,
    "rules": _TEXT,
    "formula": _TEXT,
    "whole": _WHOLE,
    "number": _NUMBER,
    "truth": {"type": "boolean"},
    "name": {"type": "string", "pattern": NAME},
    "names": _list(_TEXT),
    "record": {"type": "object"},
    "wording": _WORDING,
    "language": {"type": "integer", "minimum": 1},
    "id": {"type": "string", "pattern": "^[a-z][a-z0-9-]{0,40}$"},
    "by": {"enum": ["player", "gm"]},
    "between": {"enum": ["vs", "with"]},
    "kind": {"enum": ["pc", "npc"]},
    "policy": {"enum": ["usual", "best", "never"]},
    "type": {"enum": list(TYPES)},
    "values": {"anyOf": [_list({"type": one}) for one in ("string", "integer", "boolean")]},
    "follows": _each(_each(_TEXT)),
    "separators": {"anyOf": [{"enum": [",", "+"]}, _list({"enum": [",", "+"]})]},
    "field": {"anyOf": [{"type": "boolean"}, _TEXT]},
    "bound": {"anyOf": [_WHOLE, _TEXT]},
    "ends": {"type": "array", "minItems": 2, "maxItems": 2},
    "rows": _each({"anyOf": [_WHOLE, _list(_WHOLE)]}),
    "rung": {
        "type": "object",
        "properties": {"title": _WORDING, "example": _WORDING, "aliases": _list(_TEXT)},
        "additionalProperties": _WHOLE,
    },
    "word": {
        "type": "object",
        "properties": {"one": _WORDING, "aliases": _list(_TEXT)},
        "additionalProperties": {"type": "string"},
    },
    "skill": {"type": "object", "properties": {"title": _WORDING, "aliases": _list(_TEXT)}},
    "target": {
        "type": "object",
        "properties": {"by": _TEXT},
        "additionalProperties": _each(_TEXT),
    },
    "gift": {
        "type": "object",
        "properties": {"for": _list(_TEXT), "checks": _list(_TEXT), "off": {"type": "boolean"}},
    },
}
_NAMED = ("option", "decision", "rule", "check", "rows", "rung", "word")  # by a name as in rules
FILES = ("ruleset", "cases", "claims", "character")


def schema(file: str) -> Schema:
    """The JSON Schema of a kind of file: one of FILES."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Handful: {file}"}
    if file == "cases":
        return {**head, **_table("case")}
    if file == "claims":
        return {**head, **_table("claim", game=_TEXT)}
    made = {**head, **_part(file)}
    if file == "ruleset":
        made["required"] = ["language", "id"]
        # A file that extends another one says only what is different.
        made["if"] = {"not": {"required": ["extends"]}}
        made["then"] = {"required": ["title", "about", "checks"]}
    return made


def _table(part: str, **also: Schema) -> Schema:
    """A file of tables: `[[case]]`, one after the other."""
    return {
        "type": "object",
        "properties": {part: _list(_part(part)), **also},
        "required": [part],
        "additionalProperties": False,
    }


def _part(part: str) -> Schema:
    properties = {name: {"description": text, **_kind(kind)} for name, (kind, text) in FIELDS[part].items()}
    made: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if part in ("case", "claim"):  # an edition may say less of all others
        made["required"] = list(NEEDED[part])
    return made


def _kind(kind: str) -> Schema:
    if kind.startswith("each "):
        inside = kind.removeprefix("each ")
        made = _each(_kind(inside))
        return {**made, "propertyNames": {"pattern": NAME}} if inside in _NAMED else made
    if kind.startswith("list "):
        return _list(_kind(kind.removeprefix("list ")))
    return _PLAIN[kind] if kind in _PLAIN else _part(kind)
