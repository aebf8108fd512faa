"""Reads the `gives` entries of traits and conditions, from a ruleset or a character file.

Errors are returned, not raised: the caller knows where the entry stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handful.errors import Message, Refused, Text, did_you_mean
from handful.rules.params import normalize_name
from handful.rules.program import Record
from handful.rules.ruleset import Check
from handful.rules.sheet_rules import CheckModifier

Mistake = tuple[Message, Text]  # what is wrong, and what would be right
_RESERVED_KEYS = ("for", "checks", "off")  # every other key is a parameter


def read_modifier(
    data: Mapping[str, Any], checks: Mapping[str, Check], known: Sequence[str]
) -> tuple[CheckModifier, list[Mistake]]:
    """Return a modifier, and its errors as messages with hints."""
    errors: list[Mistake] = []
    names = {key: _names(data, key, errors) for key in ("for", "checks")}
    for key, choices in (("for", known), ("checks", [*checks])):
        for name in names[key]:
            if name not in choices:
                hint = did_you_mean(normalize_name(name), choices) or Message(
                    "advice.there_is", names=choices
                )
                errors.append((Message("ruleset.unknown-name.in_list", key=key, name=name[:40]), hint))
    off = data.get("off", False)
    if not isinstance(off, bool):
        errors.append((Message("ruleset.kind.off"), "off = true"))
    values = {key: value for key, value in data.items() if key not in _RESERVED_KEYS}
    if not values:
        errors.append((Message("ruleset.missing.gives"), Message("ruleset_advice.gives")))
    for name, value in values.items():
        errors += _value_errors(name, value, checks)
    frozen = Record({name: _freeze(value) for name, value in values.items()})
    return CheckModifier(frozen, names["for"], names["checks"], off is True), errors


def _names(data: Mapping[str, Any], key: str, errors: list[Mistake]) -> tuple[str, ...]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        errors.append((Message("ruleset.kind.names", path=key), f'{key}: ["…"]'))
        return ()
    return tuple(value)


def _value_errors(name: str, value: Any, checks: Mapping[str, Check]) -> list[Mistake]:
    """Return errors for a parameter that no check has, or a value that one of them rejects."""
    params = [check.params[name] for check in checks.values() if name in check.params]
    if not params:
        known = sorted({param_name for check in checks.values() for param_name in check.params})
        hint = did_you_mean(normalize_name(name), known) or Message("advice.there_is", names=known)
        return [(Message("ruleset.unknown-name.check_parameter", name=name[:40]), hint)]
    for param in params:
        if value is None:
            return [(Message("value.none", name=name), Message("sheet.needs", expects=param.expects()))]
        try:
            param.read(value)
        except Refused as refusal:
            return [(Message("ruleset.range.value", problem=refusal.problem), refusal.advice)]
    return []


def _freeze(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Record({key: _freeze(item) for key, item in value.items()})
    return tuple(map(_freeze, value)) if isinstance(value, (list, tuple)) else value
