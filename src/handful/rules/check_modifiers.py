"""Reads the `gives` entries of traits and conditions, from a ruleset or a character file.

Errors are returned, not raised: the caller knows where the entry stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handful.errors import Refused, did_you_mean, format_choices
from handful.rules.params import normalize_name
from handful.rules.program import Record
from handful.rules.ruleset import Check
from handful.rules.sheet_rules import CheckModifier

_RESERVED_KEYS = ("for", "checks", "off")  # every other key is a parameter


def read_modifier(
    data: Mapping[str, Any], checks: Mapping[str, Check], known: Sequence[str]
) -> tuple[CheckModifier, list[tuple[str, str]]]:
    """Return a modifier, and its errors as messages with hints."""
    errors: list[tuple[str, str]] = []
    names = {key: _names(data, key, errors) for key in ("for", "checks")}
    for key, choices in (("for", known), ("checks", [*checks])):
        for name in names[key]:
            if name not in choices:
                hint = did_you_mean(normalize_name(name), choices) or f"there is {format_choices(choices)}"
                errors.append((f"{key}: there is no {name[:40]!r}", hint))
    off = data.get("off", False)
    if not isinstance(off, bool):
        errors.append(("off must be true or false", "off = true"))
    values = {key: value for key, value in data.items() if key not in _RESERVED_KEYS}
    if not values:
        errors.append(("it gives nothing", "name a parameter and its value, such as bonus: 1"))
    for name, value in values.items():
        errors += _value_errors(name, value, checks)
    frozen = Record({name: _freeze(value) for name, value in values.items()})
    return CheckModifier(frozen, names["for"], names["checks"], off is True), errors


def _names(data: Mapping[str, Any], key: str, errors: list[tuple[str, str]]) -> tuple[str, ...]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        errors.append((f"{key} must be a list of names", f'{key}: ["…"]'))
        return ()
    return tuple(value)


def _value_errors(name: str, value: Any, checks: Mapping[str, Check]) -> list[tuple[str, str]]:
    """Return errors for a parameter that no check has, or a value that one of them rejects."""
    params = [check.params[name] for check in checks.values() if name in check.params]
    if not params:
        known = sorted({param_name for check in checks.values() for param_name in check.params})
        hint = did_you_mean(normalize_name(name), known) or f"there is {format_choices(known)}"
        return [(f"no check has the parameter {name[:40]!r}", hint)]
    for param in params:
        if value is None:
            return [(f"{name} has no value", f"it needs {param.expects()}")]
        try:
            param.read(value)
        except Refused as refusal:
            return [(refusal.message, refusal.hint)]
    return []


def _freeze(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Record({key: _freeze(item) for key, item in value.items()})
    return tuple(map(_freeze, value)) if isinstance(value, (list, tuple)) else value
