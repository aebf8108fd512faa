"""Reads commands: validated once and strictly, so that handlers trust every field."""

from __future__ import annotations

from math import isfinite
from typing import Any

from handful.errors import Message, Refused, did_you_mean
from handful.table.commands.base import CommandBody, command_kinds, read_fields
from handful.table.commands.field_types import WrongValue, read_name
from handful.table.events import Command, canonical_json

MAX_COMMAND = 20_000  # characters of JSON
MAX_LONG_COMMAND = 60_000  # likewise, for those that hold a sheet or the scratchpad
LONG_COMMANDS = ("bring", "scratchpad")
MAX_DEPTH = 8


def read_command(command: Command) -> CommandBody:
    """Return the record of a command; refuse one that is not what its kind takes."""
    kind, kinds = command.kind, command_kinds()
    if not command.key:
        raise Refused(Message("table_command.needs_key"))
    check_name(Message("table_command.its_key"), command.key)
    if not isinstance(kind, str) or kind not in kinds:
        name = str(kind)[:40]
        raise Refused(
            Message("command.unknown", name=name, commands=tuple(kinds)),
            did_you_mean(name, kinds),
        )
    if not isinstance(command.data, dict) or not _is_json(command.data, MAX_DEPTH):
        raise Refused(Message("table_command.not_json", kind=kind))
    limit = MAX_LONG_COMMAND if kind in LONG_COMMANDS else MAX_COMMAND
    if len(canonical_json(command.data)) > limit:
        raise Refused(Message("table_command.too_long", kind=kind, most=limit))
    return read_fields(kind, kinds[kind], command.data)


def check_name(what: Message, value: Any) -> None:
    """Refuse a seat name or command key from which no id can be built."""
    try:
        read_name(value)
    except WrongValue as wrong:
        raise Refused(Message("table_command.wrong_name", what=what, expected=wrong.problem)) from None


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
