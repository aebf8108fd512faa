"""Formats a bound check as the words a user would type.

Only parameters and options that differ from their defaults appear.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from handful.roll.binding import BoundCheck
from handful.rules.params import TRUTHS, Param, display_value
from handful.rules.ruleset import localize


def format_title(bound: BoundCheck) -> str:
    """Return a title such as `UWR, Direct check: attribute=3.5 target=2`."""
    title = f"{localize(bound.ruleset.title)}, {localize(bound.check.title)}"
    words = format_parameters(bound)
    return f"{title}: {words}" if words else title


def format_parameters(bound: BoundCheck) -> str:
    """Return the parameters as they can be typed."""
    parts = [_join_parameters(bound.check.overall(), bound.args)]
    if bound.check.sides is not None:
        sides = [_join_parameters(bound.check.per_side(), side) for side in bound.args["sides"]]
        parts.append(sides[0])
        for side in sides[1:]:
            parts += [bound.check.sides.word, side]
    return " ".join(part for part in parts if part)


def format_command(bound: BoundCheck, policy: str = "usual") -> str:
    """Return the command line that prints the odds of this check."""
    check, parts = bound.check, [bound.check.name, *_format_each(bound.check.overall(), bound.args)]
    if check.sides is not None:
        for number, side in enumerate(bound.args["sides"]):
            parts += [check.sides.word] if number else []
            parts += _format_each(check.per_side(), side)
    for name, value in bound.options.items():
        if value != bound.ruleset.options[name].default:
            parts += ["--option", f"{name}={format_value(value)}"]
    parts += ["--policy", policy] if policy != "usual" else []
    return shlex.join(["handful", "odds", bound.ruleset.id, *parts])


def format_house_rules(bound: BoundCheck) -> list[str]:
    """Return the options that differ from their defaults, as they can be typed."""
    options = bound.ruleset.options
    return [
        f"{name}={format_value(value)} (otherwise {format_value(options[name].default)})"
        for name, value in bound.options.items()
        if value != options[name].default
    ]


def _join_parameters(params: Iterable[Param], values: Mapping[str, Any]) -> str:
    return " ".join(_format_each(params, values))


def _format_each(params: Iterable[Param], values: Mapping[str, Any]) -> list[str]:
    return [
        f"{param.name}={format_value(values[param.name], param)}"
        for param in params
        if values[param.name] != param.default or param.required
    ]


def format_value(value: Any, param: Param | None = None) -> str:
    """Return a value as it can be typed."""
    if value is None:
        return "none"
    separators = param.separators if param else (",",)
    return _format_nested(display_value(value), separators, param)


def _format_nested(value: Any, separators: tuple[str, ...], param: Param | None) -> str:
    if isinstance(value, list):
        inner = separators[1:]
        return (separators or (",",))[0].join(_format_nested(entry, inner, param) for entry in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if param is not None and not isinstance(value, str):
        for word, number in param.words.items():
            if number == value and word not in ("true", "false") and _stands_for(word, param):
                return word
    return str(value)


def _stands_for(word: str, param: Param) -> bool:
    """Return True if a word is clearer than its number: yes and no, and words for a limit."""
    number = param.words[word]
    least, most = param.least, param.most
    return word in TRUTHS or least is None or most is None or not least < number < most
