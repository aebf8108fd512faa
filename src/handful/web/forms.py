"""Edits a ruleset as a form, for authors who do not program.

The form is derived from the TOML data, not from the loaded rules, so it exists as long as the text
is valid TOML.  Invariant: an edit changes one value of the text; comments and layout stay.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from handful.errors import Message, Refused
from handful.library.draft_rulesets import sources_of
from handful.rules.params import normalize_name
from handful.rules.source import merge_sources

MOST_FIELDS = 2_000
NUMBERS = ("number", "halves")
LANGUAGES = ("en", "de")

Group = dict[str, Any]
Field = dict[str, Any]


def build_form(text: str) -> list[Group]:
    """Return the groups of the form: game, checks and their parameters, ladder, options, tables."""
    sources = sources_of(text)
    data, below, own = merge_sources(sources), merge_sources(sources[:-1]), sources[-1].data
    groups = [_group("game", (), data, list(_wordings(data, (), ("title", "about"))))]
    for name, check in _tables(data, "checks"):
        at = ("checks", name)
        groups.append(_group("check", at, check, list(_wordings(check, at, ("title", "help")))))
        for key, param in _tables(check, "params"):
            path = (*at, "params", key)
            groups.append(_group("param", path, param, list(_param(data, param, path)), of=name))
    for name, rung in _tables(data, "ladder"):
        at = ("ladder", name)
        groups.append(_group("rung", at, rung, list(_rung(rung, at))))
    for name, option in _tables(data, "options"):
        at = ("options", name)
        groups.append(_group("option", at, option, list(_option(option, at))))
    for name, rows in _tables(data, "tables"):
        fields = [
            _field("numbers" if isinstance(row, list) else "number", ("tables", name, key), row)
            for key, row in rows.items()
            if _is_int(row) or (isinstance(row, list) and all(map(_is_int, row)))
        ]
        groups.append(_group("table", ("tables", name), {}, fields))
    count = 0
    for group in groups:
        count += len(group["fields"])
        if count > MOST_FIELDS:
            raise Refused(Message("draft.too_much_for_form"), Message("draft.edit_text"))
        group["added"] = not _has(below, group["path"])
        for field in group["fields"]:
            field["own"] = _has(own, field["path"])
            field["added"] = not _has(below, field["path"])
    return [one for one in groups if one["fields"]]


def _has(data: Any, path: Sequence[str]) -> bool:
    for name in path:
        if not isinstance(data, dict) or name not in data:
            return False
        data = data[name]
    return True


def _group(
    kind: str, path: Sequence[str], data: Mapping[str, Any], fields: list[Field], of: str = ""
) -> Group:
    title = data.get("label") or data.get("title")
    text_value = title if isinstance(title, dict) else {}
    words = {name: word for name, word in text_value.items() if isinstance(word, str)}
    name = path[-1] if path else ""
    return {"kind": kind, "name": name, "of": of, "path": list(path), "title": words, "fields": fields}


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _tables(data: Mapping[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    part = data.get(name)
    for key, value in part.items() if isinstance(part, dict) else ():
        if isinstance(value, dict):
            yield key, value


def _field(kind: str, path: Sequence[str], value: Any, **more: Any) -> Field:
    return {"kind": kind, "path": list(path), "value": value, **more}


def _wordings(data: Mapping[str, Any], at: Sequence[str], names: Sequence[str]) -> Iterator[Field]:
    """Yield a field for each language of each wording; English even if it is missing."""
    for name in names:
        words = data.get(name)
        if not isinstance(words, dict):
            continue
        for language in LANGUAGES:
            if language in words or language == "en":
                text_value = words.get(language, "")
                if isinstance(text_value, str):
                    yield _field("text", (*at, name, language), text_value)


def _param(data: Mapping[str, Any], param: dict[str, Any], at: Sequence[str]) -> Iterator[Field]:
    yield from _wordings(param, at, ("label", "help"))
    kind = param.get("type")
    if kind in (*NUMBERS, "die_code"):
        for name in ("min", "max"):
            if name in param:
                yield _field("number", (*at, name), param[name])
    if "default" not in param or "list" in param:
        return
    value, path = param["default"], (*at, "default")
    if kind == "truth":
        yield _field("truth", path, value)
    elif kind in NUMBERS:
        yield _field("number", path, value)
    elif kind == "choice" and isinstance(param.get("values"), list):
        yield _field("choice", path, value, values=param["values"])
    elif kind == "ladder" and isinstance(data.get("ladder"), dict):
        yield _field("choice", path, value, values=list(data["ladder"]))


def _rung(rung: dict[str, Any], at: Sequence[str]) -> Iterator[Field]:
    yield from _wordings(rung, at, ("title",))
    for name, value in rung.items():
        if _is_int(value):
            yield _field("number", (*at, name), value)


def _option(option: dict[str, Any], at: Sequence[str]) -> Iterator[Field]:
    value, path = option.get("default"), (*at, "default")
    if isinstance(option.get("values"), list):
        yield _field("choice", path, value, values=option["values"])
    elif isinstance(value, list):
        yield _field("numbers", path, value)
    elif _is_int(value):
        yield _field("number", path, value)


# -- edits


def apply_edit(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with the value at `path` replaced, or removed if `value` is None."""
    sources_of(text)  # raises the usual errors for an invalid text
    expected = tomllib.loads(text)
    _set_value(expected, path, value, dict)
    try:
        document = tomlkit.parse(text)
        _set_value(document, path, _toml_value(value), tomlkit.table)
        new_text = tomlkit.dumps(document)
        matches = _without_empty_tables(tomllib.loads(new_text)) == _without_empty_tables(expected)
    except (TOMLKitError, tomllib.TOMLDecodeError, ValueError, TypeError, KeyError):
        matches = False
    if not matches:
        raise Refused(Message("draft.not_in_form"), Message("draft.edit_in_text"))
    return new_text


def _toml_value(value: Any) -> Any:
    """Return a value for tomlkit: a dict as a table, the dicts in it as inline tables."""
    if not isinstance(value, dict):
        return value
    table = tomlkit.table()
    for name, one in value.items():
        if isinstance(one, dict):
            line = tomlkit.inline_table()
            line.update(one)
            table[name] = line
        else:
            table[name] = one
    return table


def _without_empty_tables(data: Any) -> Any:
    """Return the data without empty tables: tomlkit drops a heading with its last entry."""
    if not isinstance(data, dict):
        return data
    inner = {name: _without_empty_tables(one) for name, one in data.items()}
    return {name: one for name, one in inner.items() if one != {}}


def _set_value(data: MutableMapping[str, Any], path: Sequence[str], value: Any, table: Any) -> None:
    *above, last = path
    for name in above:
        if value is None and name not in data:
            return
        inner = data.setdefault(name, table())
        if not isinstance(inner, MutableMapping):
            raise Refused(
                Message("draft.not_a_table", name=normalize_name(name)[:40]), Message("draft.edit_in_text")
            )
        data = data[name]
    if value is None:
        data.pop(last, None)
    else:
        data[last] = value
