"""Loads the declarations that rules refer to: options, ladder, decisions, words and tables.

Each function reads one part of the document and reports its errors there.
"""

from __future__ import annotations

from typing import Any

from handful.errors import Message, Refused, did_you_mean
from handful.rules.document import RulesetDocument
from handful.rules.file_format import INTRODUCED_IN, field_names
from handful.rules.program import Record, Value
from handful.rules.ruleset import Decision, Option


def read_option(document: RulesetDocument, name: str, data: dict[str, Any]) -> Option:
    """Load a house rule."""
    path = ("options", name)
    document.reject_unknown_keys(data, field_names("option"), path)
    values = data.get("values", [])
    kinds = {type(value) for value in values} if isinstance(values, list) else {object}
    if len(kinds) > 1 or not kinds <= {str, int, bool}:
        document.report(Message("ruleset.kind.values"), path)
        values = []
    elif "values" in data and len(values) < 2:
        document.report(
            Message("ruleset.range.option", name=name), path, Message("ruleset_advice.two_values")
        )
    default = data.get("default")
    option = Option(
        name,
        tuple(default) if isinstance(default, list) else default,
        tuple(values),
        document.integer(path, data, "min", 0),
        document.integer(path, data, "max", 1000),
        document.integer(path, data, "length", 0),
        str(data.get("open", "")),
        document.wording((*path, "label"), data.get("label")),
    )
    try:
        if default is None or option.read(default) != option.default:
            raise Refused("")
    except Refused:
        document.report(Message("ruleset.range.option_default", name=name), path, option.expects())
    return option


def read_ladder(document: RulesetDocument) -> dict[str, dict[str, Any]]:
    """Load the named difficulties; report a field that only one of them has."""
    ladder = {}
    for name, rung in document.named_tables("ladder").items():
        path = ("ladder", name)
        for key, value in rung.items():
            if key in ("title", "example"):
                document.wording((*path, key), value)
            elif key == "aliases":
                document.require_language(INTRODUCED_IN["rung"][key], (*path, key))
                document.aliases(path, rung)
            elif isinstance(value, bool) or not isinstance(value, int):
                document.report(Message("ruleset.kind.whole_number", key=key), (*path, key))
        ladder[name] = rung
    for name, rung in ladder.items():
        known = {
            field
            for other, fields in ladder.items()
            if other != name
            for field, number in fields.items()
            if isinstance(number, int)
        }
        for field, number in rung.items() if len(ladder) > 2 else ():
            if isinstance(number, int) and field not in known:
                hint = did_you_mean(field, known) or Message(
                    "ruleset_advice.others_have", names=sorted(known)
                )
                document.report(
                    Message("ruleset.odd-one.field", name=name, field=field), ("ladder", name, field), hint
                )
    return ladder


def read_decision(document: RulesetDocument, name: str, data: dict[str, Any]) -> Decision:
    """Load a decision."""
    path = ("decisions", name)
    document.reject_unknown_keys(data, field_names("decision"), path)
    if data.get("by") not in ("player", "gm"):
        document.report(
            Message("ruleset.missing.decider", name=name), (*path, "by"), Message("ruleset_advice.decider")
        )
    answers = document.subtable(path, data, "answers")
    return Decision(
        name,
        str(data.get("by")),
        document.wording((*path, "question"), data.get("question")),
        document.wording((*path, "usual"), data.get("usual")),
        document.wording((*path, "never"), data.get("never", data.get("usual"))),
        {n: document.wording((*path, "answers", n), w) for n, w in answers.items()},
        document.wording((*path, "only"), data["only"]) if "only" in data else {},
    )


def read_words(document: RulesetDocument) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Return the wording of each word, and the singular of those that have one."""
    words, singular = {}, {}
    for name, data in document.named_tables("words").items():
        path, wording = ("words", name), dict(data)
        if "aliases" in wording:
            document.require_language(INTRODUCED_IN["word"]["aliases"], (*path, "aliases"))
            document.aliases(path, {"aliases": wording.pop("aliases")})
        if "one" in wording:
            singular[name] = document.wording((*path, "one"), wording.pop("one"))
        words[name] = document.wording(path, wording)
    return words, singular


def read_table(document: RulesetDocument, name: str, data: dict[str, Any]) -> Record:
    """Load a lookup table of whole numbers."""
    rows: dict[str, Value] = {}
    for key, row in data.items():
        numbers = row if isinstance(row, list) else [row]
        if not all(isinstance(n, int) and not isinstance(n, bool) for n in numbers):
            document.report(Message("ruleset.kind.row", key=key), ("tables", name))
        rows[key] = tuple(row) if isinstance(row, list) else row
    return Record(rows)
