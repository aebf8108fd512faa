"""Typed access to the raw data of a character file.

Hides the checks of kind, size and spelling.  Reading never stops at an error: each becomes one line,
and `finish` raises them all together as `BadCharacter`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import BadCharacter, Message, Refused, Text, did_you_mean, unplaced
from handful.rules.params import Param, normalize_name
from handful.rules.program import Value
from handful.sheet.characters import resolve_name

MAX_NAME_LENGTH = 80

MAX_ENTRIES = 200  # of one section
MAX_ERRORS = 50
MAX_ARGUMENT_LENGTH = 200  # of a message


def _printable(message: Message) -> Message:
    """Return a message whose arguments are short and printable: they come from a stranger's file."""

    def clean(value: object) -> object:
        if isinstance(value, Message):
            return _printable(value)
        if not isinstance(value, str):
            return value
        flat = "".join(c if c.isprintable() else " " for c in value)
        return flat if len(flat) < MAX_ARGUMENT_LENGTH else flat[: MAX_ARGUMENT_LENGTH - 1] + "…"

    return Message(message.code, **{name: clean(value) for name, value in message.args.items()})


class EntryReader:
    """Raw data of one character, with the errors found so far."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.errors: list[Message] = []

    def finish(self) -> None:
        """Raise `BadCharacter` with all errors, if there are any."""
        if self.errors:
            raise BadCharacter(self.errors[:MAX_ERRORS])

    def report(self, where: str, problem: Message, advice: Text = "") -> None:
        """Record an error as one printable line: place, problem, expected."""
        line = Message("at", place=where, problem=problem) if where else problem
        if advice:
            line = Message("sheet.and_advice", problem=line, advice=advice)
        self.errors.append(_printable(line))

    def text(self, key: str, longest: int, *, needed: bool = False) -> str:
        value = self.data.get(key, "")
        if not isinstance(value, str):
            self.report(key, Message("sheet.not_text"), f'"{key}": "…"')
            return ""
        if needed and not value.strip():
            self.report(key, Message("sheet.missing"), f'"{key}": "…"')
        if len(value) > longest:
            self.report(
                key,
                Message("sheet.text_too_long", value=len(value)),
                Message("sheet.at_most", longest=longest),
            )
        if not needed and value.encode(errors="replace") != value.encode(errors="ignore"):
            self.report(key, Message("sheet.half_character"), Message("sheet.plain_text"))
            return ""
        if needed and not value.isprintable():
            self.report(key, Message("sheet.unprintable"), Message("sheet.one_line"))
        return value.strip()[:longest]

    def table(self, key: str) -> dict[str, Any]:
        """Return the table of a section; report anything else and return an empty one."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            self.report(key, Message("sheet.not_table"), f'"{key}": {{ "…": … }}')
            return {}
        if len(value) > MAX_ENTRIES:
            self.report(
                key,
                Message("sheet.too_many_entries", value=len(value)),
                Message("sheet.at_most", longest=MAX_ENTRIES),
            )
            return {}
        return value

    def read(self, where: str, param: Param, raw: Any) -> Value:
        """Read a value as a parameter does; report it and return None if it does not fit."""
        try:
            return param.read(raw)
        except Refused as refusal:
            self.report(where, unplaced(refusal.problem), refusal.advice)
            return None

    def named_entries(
        self, section: str, known: Mapping[str, Any], *, others: bool = False
    ) -> dict[str, Any]:
        """Return a section's entries by the game's names; report unknown ones, or keep them with `others`."""
        found: dict[str, Any] = {}
        for key, raw in self.table(section).items():
            name = resolve_name(key, known, found)
            if name is None and others and self._is_name(section, key):
                found[key.strip()] = raw
            elif name is None and others:
                continue
            elif name is None:
                right = did_you_mean(normalize_name(key[:60]), known) or Message(
                    "advice.there_is", names=known
                )
                self.report(section, Message("sheet.unknown_name", key=key[:40]), right)
            elif name in found:
                self.report(section, Message("sheet.listed_twice", name=name), Message("advice.keep_one"))
            else:
                found[name] = raw
        return found

    def _is_name(self, section: str, key: str) -> bool:
        valid = bool(key.strip()) and len(key) <= MAX_NAME_LENGTH and key.isprintable()
        if not valid:
            self.report(
                section,
                Message("sheet.not_a_name", key=key[:40]),
                Message("sheet.length_of_name", most=MAX_NAME_LENGTH),
            )
        return valid
