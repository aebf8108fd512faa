"""Loads the parameters of checks and sheets.

Reports every error of a declaration; the returned `Param` is valid even then, so that loading can
continue.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from handful.errors import Message, Refused, Text
from handful.records import replace
from handful.rules.document import NAME, RulesetDocument
from handful.rules.file_format import field_names
from handful.rules.grammar import RESERVED
from handful.rules.params import TYPES, Param, spellings
from handful.rules.ruleset import word_keys


def read_param(
    document: RulesetDocument, path: Sequence[str], name: str, data: dict[str, Any], ladder: Any
) -> Param:
    """Load a parameter."""
    document.reject_unknown_keys(data, field_names("param"), path)
    if not NAME.match(name) or name in RESERVED or name == "number":
        document.report(Message("ruleset.name.taken", name=name), path, Message("advice.use_another_name"))
    if data.get("type") not in TYPES:
        document.report(
            Message("ruleset.kind.unknown", name=name), path, Message("advice.it_is", names=TYPES)
        )
        data = {**data, "type": "number"}
    data = _drop_invalid(document, path, data, ladder)
    separators = data.get("list", [])
    rungs = {key: {k: v for k, v in rung.items() if isinstance(v, int)} for key, rung in ladder.items()}
    param = Param(
        name,
        data["type"],
        document.wording((*path, "label"), data.get("label")),
        document.wording((*path, "help"), data.get("help")) if "help" in data else {},
        str(data.get("unit", "")),
        bool(data.get("whole", False)),
        bool(data.get("optional", False)),
        "default" not in data and not data.get("optional", False),
        None,
        _bound(document, path, data, "min"),
        _bound(document, path, data, "max"),
        tuple(map(str, data.get("values", []))),
        dict(data.get("words", {})),
        (separators,) if isinstance(separators, str) else tuple(separators),
        bool(data.get("sum", False)),
        "number" if data.get("number") is True else str(data.get("number", "") or ""),
        rungs,
        dict(data.get("follows", {})),
        str(data.get("at_table", "")),
        document.aliases(path, data),
        _value_spellings(document, name, data, ladder),
    )
    return _with_default(document, path, param, data)


def _value_spellings(
    document: RulesetDocument, name: str, data: Mapping[str, Any], ladder: Mapping[str, Mapping[str, Any]]
) -> dict[str, tuple[str, ...]]:
    """Return the titles and aliases of each value, word and difficulty."""
    result = {}
    words = document.data.get("words", {})
    if data["type"] == "ladder":
        result = {value: spellings(rung.get("title"), rung.get("aliases")) for value, rung in ladder.items()}
    for value in (*data.get("values", ()), *data.get("words", ())) if words else ():
        word_data = next((words[word] for word in word_keys(name, value) if word in words), None)
        if isinstance(word_data, dict):
            result[str(value)] = spellings(word_data, word_data.get("aliases"))
    return result


def _drop_invalid(
    document: RulesetDocument, path: Sequence[str], data: dict[str, Any], ladder: Any
) -> dict[str, Any]:
    """Return a parameter's data without the keys of a wrong kind, which are reported."""
    fields = {key for rung in ladder.values() for key, v in rung.items() if isinstance(v, int)}
    separators = (",", "+")
    validators: dict[str, tuple[Callable[[Any], bool], Text]] = {
        "values": (lambda v: _is_list_of(v, str) or _is_list_of(v, int), 'values = ["one", "other"]'),
        "words": (lambda v: isinstance(v, dict) and _is_list_of([*v.values()], int), "{ none = 0 }"),
        "list": (
            lambda v: v in separators or (_is_list_of(v, str) and set(v) <= set(separators)),
            Message("ruleset_advice.list_separators"),
        ),
        "follows": (
            lambda v: (
                isinstance(v, dict)
                and all(
                    isinstance(mapping, dict) and _is_list_of([*mapping.values()], str)
                    for mapping in v.values()
                )
            ),
            'follows = { skill_name = { rifle = "ranged" } }',
        ),
        "at_table": (lambda v: v in data.get("values", []), Message("ruleset_advice.at_table")),
        "unit": (lambda v: isinstance(v, str), 'unit = "dice"'),
        "whole": (lambda v: isinstance(v, bool), "whole = true"),
        "optional": (lambda v: isinstance(v, bool), "optional = true"),
        "sum": (lambda v: isinstance(v, bool), "sum = true"),
        "number": (
            lambda v: v in list(fields) if data["type"] == "ladder" else isinstance(v, bool),
            f"number = {sorted(fields)[0]!r}" if fields else "number = true",
        ),
    }
    invalid = [key for key, (fits, _) in validators.items() if key in data and not fits(data[key])]
    for key in invalid:
        document.report(Message("ruleset.kind.not_understood", key=key), (*path, key), validators[key][1])
    if data["type"] == "choice" and not data.get("values"):
        document.report(Message("ruleset.missing.choices"), path, validators["values"][1])
    return {key: value for key, value in data.items() if key not in invalid}


def _bound(
    document: RulesetDocument, path: Sequence[str], data: Mapping[str, Any], key: str
) -> int | Fraction | None:
    if key not in data:
        return -1000 if key == "min" else 1000
    value = data[key]
    numeric = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not numeric or not math.isfinite(value):
        document.report(Message("ruleset.kind.number", key=key), (*path, key))
        return None
    exact = Fraction(str(value))
    return exact.numerator if exact.denominator == 1 else exact


def _with_default(
    document: RulesetDocument, path: Sequence[str], param: Param, data: dict[str, Any]
) -> Param:
    if param.least is not None and param.most is not None and param.least > param.most:
        document.report(
            Message("ruleset.range.empty", name=param.name), path, Message("ruleset_advice.min_and_max")
        )
    if "default" not in data:
        return param
    try:
        return replace(param, default=param.read(data["default"]))
    except Refused as refusal:
        document.report(Message("ruleset.range.default", problem=refusal.problem), path)
        return param


def _is_list_of(values: Any, kind: type) -> bool:
    """Return whether a value is a list of one kind; bool does not count as int."""
    return isinstance(values, list) and all(
        isinstance(value, kind) and not isinstance(value, bool) for value in values
    )
