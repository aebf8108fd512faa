"""What a trait or condition brings to a check, read from a ruleset or from a character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handful.errors import Refused, did_you_mean, format_choices
from handful.rules.params import normalize_name
from handful.rules.program import Record
from handful.rules.ruleset import Check
from handful.rules.sheet_rules import CheckModifier

_RESERVED_KEYS = ("for", "checks", "off")  # everything else is a parameter


def read_modifier(
    data: Mapping[str, Any], checks: Mapping[str, Check], known: Sequence[str]
) -> tuple[CheckModifier, list[tuple[str, str]]]:
    """What a trait brings, and what is wrong with it: messages with hints."""
    mistakes: list[tuple[str, str]] = []
    names = {key: _names(data, key, mistakes) for key in ("for", "checks")}
    for key, there in (("for", known), ("checks", [*checks])):
        for name in names[key]:
            if name not in there:
                hint = did_you_mean(normalize_name(name), there) or f"there is {format_choices(there)}"
                mistakes.append((f"{key}: there is no {name[:40]!r}", hint))
    off = data.get("off", False)
    if not isinstance(off, bool):
        mistakes.append(("off must be true or false", "off = true"))
    values = {key: value for key, value in data.items() if key not in _RESERVED_KEYS}
    if not values:
        mistakes.append(("it gives nothing", "name a parameter and its value, such as bonus: 1"))
    for name, value in values.items():
        mistakes += _value_errors(name, value, checks)
    kept = Record({name: _freeze(value) for name, value in values.items()})
    return CheckModifier(kept, names["for"], names["checks"], off is True), mistakes


def _names(data: Mapping[str, Any], key: str, mistakes: list[tuple[str, str]]) -> tuple[str, ...]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        mistakes.append((f"{key} must be a list of names", f'{key}: ["…"]'))
        return ()
    return tuple(value)


def _value_errors(name: str, value: Any, checks: Mapping[str, Check]) -> list[tuple[str, str]]:
    """A parameter that no check has, or a value that one of them cannot take."""
    params = [check.params[name] for check in checks.values() if name in check.params]
    if not params:
        known = sorted({own for check in checks.values() for own in check.params})
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
        return Record({key: _freeze(one) for key, one in value.items()})
    return tuple(map(_freeze, value)) if isinstance(value, (list, tuple)) else value
