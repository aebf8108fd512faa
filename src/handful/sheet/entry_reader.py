"""Typed access to the raw data of a character file.

Hides the checks of kind, size and spelling.  Reading never stops at an error: each becomes one line,
and `finish` raises them all together as `BadCharacter`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import BadCharacter, Refused, did_you_mean, format_choices
from handful.rules.params import Param, normalize_name
from handful.rules.program import Value
from handful.sheet.characters import resolve_name

MAX_NAME_LENGTH = 80

MAX_ENTRIES = 200  # of one section
MAX_ERRORS = 50
MAX_LINE_LENGTH = 300


class EntryReader:
    """Raw data of one character, with the errors found so far."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.errors: list[str] = []

    def finish(self) -> None:
        """Raise `BadCharacter` with all errors, if there are any."""
        if self.errors:
            raise BadCharacter(self.errors[:MAX_ERRORS])

    def report(self, where: str, wrong: str, right: str = "") -> None:
        """Record an error as one printable line: place, problem, expected."""
        line = f"{where}: {wrong}" if where else wrong
        line = f"{line}; {right}" if right else line
        flat = "".join(c if c.isprintable() else " " for c in line)
        self.errors.append(flat if len(flat) < MAX_LINE_LENGTH else flat[: MAX_LINE_LENGTH - 1] + "…")

    def text(self, key: str, longest: int, *, needed: bool = False) -> str:
        value = self.data.get(key, "")
        if not isinstance(value, str):
            self.report(key, "must be a text", f'"{key}": "…"')
            return ""
        if needed and not value.strip():
            self.report(key, "is missing", f'"{key}": "…"')
        if len(value) > longest:
            self.report(key, f"has {len(value)} characters", f"at most {longest}")
        if not needed and value.encode(errors="replace") != value.encode(errors="ignore"):
            self.report(key, "has half a character in it", "use plain text")
            return ""
        if needed and not value.isprintable():
            self.report(key, "has characters that cannot be shown", "use one line of plain text")
        return value.strip()[:longest]

    def table(self, key: str) -> dict[str, Any]:
        """Return the table of a section; report anything else and return an empty one."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            self.report(key, "must be a table", f'"{key}": {{ "…": … }}')
            return {}
        if len(value) > MAX_ENTRIES:
            self.report(key, f"has {len(value)} entries", f"at most {MAX_ENTRIES}")
            return {}
        return value

    def read(self, where: str, param: Param, raw: Any) -> Value:
        """Read a value as a parameter does; report it and return None if it does not fit."""
        try:
            return param.read(raw)
        except Refused as refusal:
            message = refusal.message.removeprefix(f"{param.name}: ")
            self.report(where, message, refusal.hint)
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
                right = did_you_mean(normalize_name(key[:60]), known) or f"there is {format_choices(known)}"
                self.report(section, f"there is no {key[:40]!r}", right)
            elif name in found:
                self.report(section, f"{name} stands there twice", "keep one")
            else:
                found[name] = raw
        return found

    def _is_name(self, section: str, key: str) -> bool:
        valid = bool(key.strip()) and len(key) <= MAX_NAME_LENGTH and key.isprintable()
        if not valid:
            self.report(section, f"{key[:40]!r} is no name", f"1 to {MAX_NAME_LENGTH} characters")
        return valid
