"""Command schema: every command, its fields, and a reader for each field.

Commands are validated once, strictly: a field that is missing, unknown or of the wrong type is
refused with a hint.  After this module, handlers trust the fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from handful.errors import Refused, did_you_mean, format_choices
from handful.table.events import Command, canonical_json
from handful.table.visibility import ACTION_COSTS, LEAVES, MODES, ROLES, SHEET_MODES

MAX_NAME = 60
MAX_TEXT = 500
MAX_COMMAND = 20_000  # characters of JSON
MAX_SHEET_COMMAND = 60_000  # likewise, for `bring`
MAX_DEPTH = 8

HASH = re.compile(r"[0-9a-f]{64}\Z")

FieldReader = Callable[[Any], Any]


def _name(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_NAME:
        raise Refused(f"a name of 1 to {MAX_NAME} characters")
    if not value.isprintable() or "/" in value or value != value.strip():
        raise Refused("a name in one line, without / and spaces around it")
    return value


def _id(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 2 * MAX_NAME + 1:
        raise Refused("the name of a roll or a request, such as ann/1")
    return value


def _character(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 3 * MAX_NAME:
        raise Refused("the name of a character with whose it is, such as ann/Mira")
    return value


def _characters(value: Any) -> list[str]:
    """Read one character per side; a single value belongs to the first side."""
    entries = value if isinstance(value, list) else [value]
    return ["" if one in ("", None) else _character(one) for one in entries]


def _character_list(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise Refused('a list of characters, such as ["ann/Mira"]')
    return [_character(one) for one in value]


def _hash(value: Any) -> str:
    if not isinstance(value, str) or not HASH.match(value):
        raise Refused("the hash of some rules: 64 digits from 0 to f")
    return value


def _count(value: Any) -> int:
    if type(value) is not int:
        raise Refused("a whole number")
    return value


def _counts(value: Any) -> list[int]:
    if not isinstance(value, list):
        raise Refused("a list of whole numbers")
    return [_count(one) for one in value]


def _points(value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping) or not value:
        raise Refused('names with whole numbers, such as {"luck": -1}')
    return {name: _count(one) for name, one in value.items()}


def _amount(value: Any) -> int | str:
    if isinstance(value, str):
        return _id(value)
    if type(value) is not int or not 0 <= value <= 100_000:
        raise Refused("a number from 0 to 100000, or the name of a roll")
    return value


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Refused("true or false")
    return value


def _anything(value: Any) -> Any:
    return value


def _ids(value: Any) -> list[str]:
    if not isinstance(value, list) or not value:
        raise Refused('a list of rolls, such as ["ann/1", "bob/1"]')
    return [_id(one) for one in value]


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise Refused(f"a text of at most {MAX_TEXT} characters")
    return value


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise Refused("names with values")
    return dict(value)


def _mappings(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise Refused("a list, with names and values for each side")
    return [_mapping(one) for one in value]


def _names(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise Refused("a list of names")
    return [_name(one) for one in value]


def _faces(value: Any) -> list[int]:
    if not isinstance(value, list) or not value or not all(type(one) is int for one in value):
        raise Refused("a list of faces, such as [6, 3, 1]")
    return value


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise Refused("a whole number from 0 on")
    return value


def _answer(value: Any) -> Any:
    if isinstance(value, str) or (isinstance(value, list) and all(type(one) is int for one in value)):
        return value
    raise Refused("an option's word, or a list of die numbers such as [3]")


def _one_of(*names: str) -> FieldReader:
    def read(value: Any) -> str:
        if value not in names:
            raise Refused(format_choices(names))
        return str(value)

    return read


def _costs(value: Any) -> str | list[str]:
    """Read an action cost; for a check with several sides, a list in their order."""
    read = _one_of(*ACTION_COSTS)
    return [read(one) for one in value] if isinstance(value, list) and value else read(value)


_mode = _one_of(*MODES)
_shown = _one_of(*SHEET_MODES)
_LINE: Mapping[str, FieldReader] = {"parameter": _name, "value": _anything, "note?": _text, "side?": _count}


def _lines(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise Refused("a list of lines, each with a parameter and a value")
    return [_fields("a line", _LINE, _mapping(one)) for one in value]


_COMBATANT: Mapping[str, FieldReader] = {
    "character?": _character,
    "name?": _name,
    "marks?": _mapping,
    "hidden?": _boolean,
    "initiative?": _count,
}


def _combatant(value: Any) -> dict[str, Any]:
    return _fields("a combatant", _COMBATANT, _mapping(value))


def _combatants(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not value:
        raise Refused("a list of those who fight, each a character or a name")
    return [_combatant(one) for one in value]


def _combatant_ids(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise Refused("a list of those who fight, in order")
    return [_id(one) for one in value]


# command -> its fields; a trailing ? marks an optional field
COMMANDS: Mapping[str, Mapping[str, FieldReader]] = {
    "open": {"table": _name},
    "seat": {"name": _name, "role": _one_of(*ROLES)},
    "leave": {"name?": _name},
    "house_rules": {"options": _mapping},
    "rules": {"hash": _hash, "dismisses?": _character_list},
    "visibility": {"mode": _mode},
    "declare": {
        "check": _name,
        "parameters?": _mapping,
        "sides?": _mappings,
        "mode?": _mode,
        "hidden?": _names,
        "for?": _name,
        "title?": _text,
        "as?": _characters,
        "off?": _counts,
        "add?": _lines,
        "spends?": _costs,
        "interrupts?": _id,
        "answers?": _id,
        "target?": _character,
        "item?": _name,
        "task?": _name,
        "actions?": _count,
    },
    "switch": {"roll": _id, "line": _count, "on": _boolean},
    "add_line": {"roll": _id, **_LINE},
    "throw": {"roll": _id, "faces?": _faces, "entropy?": _text},
    "answer": {"roll": _id, "answer": _answer, "words?": _text},
    "undo": {"roll": _id},
    "cancel": {"roll": _id},
    "finalise": {"roll": _id},
    "correct": {
        "roll": _id,
        "parameters?": _mapping,
        "sides?": _mappings,
        "throw?": _number,
        "faces?": _faces,
        "words?": _text,
    },
    "judge": {"roll": _id, "words?": _text, "grade?": _text},
    "reveal": {"roll": _id, "to?": _names},
    "reveal_target": {"roll": _id},
    "request": {
        "to": _names,
        "check": _name,
        "parameters?": _mapping,
        "hidden?": _names,
        "mode?": _mode,
        "title?": _text,
        "as?": _character,
    },
    "call": {"check": _name, "parameters?": _mapping, "title?": _text, "as?": _character},
    "propose": {"request": _id, "parameters": _mapping, "as?": _character},
    "accept": {
        "request": _id,
        "name": _name,
        "parameters?": _mapping,
        "as?": _character,
        "off?": _counts,
        "add?": _lines,
        "spends?": _costs,
        "target?": _character,
        "item?": _name,
        "task?": _name,
    },
    "refuse": {"request": _id, "name": _name, "words?": _text},
    "withdraw": {"request": _id},
    "bring": {"sheet": _mapping, "for?": _name, "shown?": _shown, "replaces?": _text},
    "show": {"character": _character, "shown": _shown},
    "harm": {
        "character": _character,
        "damage": _amount,
        "resist?": _amount,
        "words?": _text,
    },
    "undo_points": {"character": _character},
    "equip": {"character": _character, "item": _name, "uses?": _count, "hot?": _boolean},
    "forget": {"character": _character, "task": _name},
    "adjust": {"character": _character, "resources": _points, "words?": _text},
    "use": {"character": _character, "resource": _name, "use": _name},
    "dismiss": {"character": _character},
    "settle": {
        "request": _id,
        "against?": _id,
        "check?": _name,
        "parameters?": _mapping,
        "contest?": _id,
    },
    "contest": {
        "check": _name,
        "rolls": _ids,
        "parameters?": _mapping,
        "hidden?": _names,
        "mode?": _mode,
    },
    "challenge": {
        "check": _name,
        "sides": _mappings,
        "parameters?": _mapping,
        "hidden?": _names,
        "mode?": _mode,
        "together?": _boolean,
    },
    "call_off": {"contest": _id},
    "fight": {"combatants": _combatants, "order?": _combatant_ids},
    "join": {"who": _combatant, "behind?": _id},
    "out": {"combatant": _character},
    "uncover": {"combatant": _character},
    "next_round": {},
    "end_fight": {},
    "fix": {"combatant": _character, "actions": _count},
    "act": {"combatant": _character, "what?": _text},
    "wait": {"combatant": _character},
    "interrupt": {"combatant": _character, "roll_of": _id, "what?": _text},
    "react": {"combatant": _character, "actions?": _count, "what?": _text},
    "stance": {"combatant": _character, "stance": _name, "choice?": _name},
    "prepare": {"combatant": _character},
    "pace": {"combatant": _character, "pace": _name},
    "end_turn": {"combatant": _character},
    "undo_move": {"combatant": _character},
    "take_hit": {"combatant": _character, "roll_of": _id},
    "grant": {"combatant": _character, "leave": _one_of(*LEAVES)},
}


def read_command(command: Command) -> dict[str, Any]:
    """Validate a command and return its fields; refuse fields that it does not take."""
    kind = command.kind
    if not command.key:
        raise Refused("a command needs a key of its own, so that it is obeyed only once")
    check_name("the key of a command", command.key)
    if not isinstance(kind, str) or kind not in COMMANDS:
        name = str(kind)[:40]
        raise Refused(
            f"there is no command {name!r}; there is {format_choices(COMMANDS)}",
            did_you_mean(name, COMMANDS),
        )
    if not isinstance(command.data, dict) or not _is_json(command.data, MAX_DEPTH):
        raise Refused(f"{kind}: a command holds names, texts, numbers and lists of them")
    limit = MAX_SHEET_COMMAND if kind == "bring" else MAX_COMMAND
    if len(canonical_json(command.data)) > limit:
        raise Refused(f"{kind}: a command has at most {limit} characters")
    return _fields(kind, COMMANDS[kind], command.data)


def check_name(what: str, value: Any) -> None:
    """Refuse a seat name or command key from which no id can be built."""
    try:
        _name(value)
    except Refused as refusal:
        raise Refused(f"{what} is {refusal.message}") from None


def _fields(kind: str, fields: Mapping[str, FieldReader], data: Mapping[str, Any]) -> dict[str, Any]:
    names = {name.removesuffix("?"): name for name in fields}
    for name in data:
        if name not in names:
            accepted = f"it takes {format_choices(names)}" if names else "it takes nothing"
            raise Refused(f"{kind} takes no {str(name)[:40]!r}; {accepted}")
    result = {}
    for name, declared in names.items():
        if name not in data:
            if declared == name:
                raise Refused(f"{kind} needs {name!r}")
            continue
        try:
            result[name] = fields[declared](data[name])
        except Refused as refusal:
            raise Refused(f"{kind}: {name!r} is {refusal.message}") from None
    return result


def _is_json(value: Any, depth: int) -> bool:
    """Return whether a value survives a JSON round trip unchanged."""
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, str):
        return value.isascii() or _is_encodable(value)
    if isinstance(value, int):
        return abs(value) < 2**53
    if isinstance(value, float):
        return isfinite(value)
    if depth == 0:
        return False
    if isinstance(value, list):
        return all(_is_json(one, depth - 1) for one in value)
    return isinstance(value, dict) and all(
        isinstance(name, str) and _is_encodable(name) and _is_json(one, depth - 1)
        for name, one in value.items()
    )


def _is_encodable(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
