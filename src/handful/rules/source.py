"""TOML sources of a ruleset and of those it extends: parsed, merged, hashed.

Input is untrusted.  Oversized, deeply nested or unprintable text raises `BadRuleset` with a position,
before anything else reads the data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from handful.errors import HandfulError, Message, RuleError, Text
from handful.rules.parse_hints import toml_hint

MAX_FILE_LENGTH = 128 * 1024  # characters; the largest shipped file has half as many
MAX_FILE_NUMBER = 10**9  # same limit as in rules
MAX_TEXT_LENGTH = 20_000  # characters of one value
MAX_KEY_LENGTH = 100
MAX_DOTS = 200  # in one line: tomllib takes minutes for keys of thousands of parts
MAX_DEPTH = 12  # nested tables; a sheet needs seven
MAX_ERRORS = 100  # further errors appear once these are fixed
# Patterns are texts: `re` compiles one when it is first used, and data that were parsed before use none.
_HEADER = r"\s*\[([^\[\]]+)\]"
# Python refuses to parse integers of thousands of digits.
_DIGITS = r"[0-9][0-9_]{299}|0x[0-9a-fA-F_]{299}"
_KEY = r"[\w.\"' \t-]+"
# Control and bidirectional characters: they could move a terminal's cursor or reverse a line.
_UNPRINTABLE = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"


class BadRuleset(HandfulError):
    """Raised for an invalid file; `errors` has all of its errors, in file order."""

    def __init__(self, errors: Sequence[RuleError]) -> None:
        first = errors[0]
        located = Message("at", place=first.place, problem=first.problem)
        super().__init__(located if first.place else first.problem, first.advice)
        self.errors = list(errors)

    def __str__(self) -> str:
        return str(self.errors[0])


class Source:
    """One parsed TOML file that can locate the line of each part.

    `data` are those of a source with the very same text, which then is neither parsed nor checked again.
    """

    def __init__(self, file: str, text: str, data: dict[str, Any] | None = None) -> None:
        # Ignore a byte order mark and Windows line ends.
        self.file, self.text = file, text.removeprefix("\ufeff").replace("\r\n", "\n")
        self._lines: list[str] | None = None
        self._lines_by_path: dict[tuple[str, ...], int] | None = None
        self.data = data or {}
        if data is not None:
            return
        if len(text) > MAX_FILE_LENGTH:
            raise self._error(
                Message("ruleset.limit.file_too_long", most=MAX_FILE_LENGTH),
                hint=Message("ruleset_advice.only_differences"),
            )
        if found := re.search(_UNPRINTABLE, self.text):
            before = self.text[: found.start()]
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            raise self._error(_unprintable(found[0]), line, column, hint=Message("advice.leave_it_out"))
        for number, line_text in enumerate(self.lines, 1):
            if line_text.count(".") > MAX_DOTS:
                raise self._error(Message("ruleset.limit.dots", most=MAX_DOTS), number, 1)
            if re.search(_DIGITS, line_text):
                raise self._error(Message("ruleset.limit.number_too_long"), number, 1)
        self.data = self._parse()
        if errors := _LimitChecker(self).errors(self.data):
            raise BadRuleset(errors)

    @property
    def lines(self) -> list[str]:
        if self._lines is None:
            self._lines = self.text.split("\n")
        return self._lines

    def _parse(self) -> dict[str, Any]:
        import tomllib  # imported late: data that were parsed before do not need it

        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            position = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
            line, column = (int(position[1]), int(position[2])) if position else (len(self.lines), 1)
            message = re.sub(r" \(at .*\)$", "", str(error))
            hint = toml_hint(self.lines, line, message)
            raise self._error(
                Message("ruleset.toml.invalid", reason=Message("foreign_text", text=message[:200])),
                line,
                column,
                hint,
            ) from None
        except RecursionError:
            raise self._error(Message("ruleset.limit.nested_too_deeply")) from None

    def _error(self, message: Message, line: int = 0, column: int = 0, hint: Text = "") -> BadRuleset:
        source = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return BadRuleset(
            [RuleError(message, hint=hint, file=self.file, line=line, column=column, source=source)]
        )

    @property
    def lines_by_path(self) -> dict[tuple[str, ...], int]:
        if self._lines_by_path is None:
            self._lines_by_path = _line_index(self.lines)
        return self._lines_by_path

    def line(self, *path: str) -> int:
        """Return the line of a part's header or key, else of the nearest enclosing part."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.lines_by_path:
                return self.lines_by_path[path[:end]]
        return 0

    def has(self, path: Sequence[str]) -> bool:
        """Return whether the file declares a path."""
        part: Any = self.data
        for name in path:
            if not isinstance(part, dict) or name not in part:
                return False
            part = part[name]
        return True


class _LimitChecker:
    """Reports values beyond the limits: depth, huge numbers, long texts, dates."""

    def __init__(self, source: Source) -> None:
        self.source, self._errors = source, list[RuleError]()

    def errors(self, data: Mapping[str, Any]) -> list[RuleError]:
        self._table(data, ())
        return self._errors[:MAX_ERRORS]

    def _table(self, data: Mapping[str, Any], path: tuple[str, ...]) -> None:
        if len(path) >= MAX_DEPTH:
            self._report(
                Message("ruleset.limit.tables_in_tables", most=MAX_DEPTH),
                path,
                Message("ruleset_advice.fewer_dots"),
            )
            return
        for key, value in data.items():
            if len(key) > MAX_KEY_LENGTH or re.search(_UNPRINTABLE, key):
                self._report(Message("ruleset.limit.key_too_long", most=MAX_KEY_LENGTH), path)
            else:
                self._value(value, (*path, key), 0)

    def _value(self, value: Any, path: tuple[str, ...], depth: int) -> None:
        if isinstance(value, dict):
            self._table(value, path)
        elif isinstance(value, list):
            if depth >= MAX_DEPTH:
                self._report(Message("ruleset.limit.lists_in_lists", most=MAX_DEPTH), path)
                return
            for item in value:
                self._value(item, path, depth + 1)
        elif isinstance(value, str):
            if len(value) > MAX_TEXT_LENGTH:
                self._report(Message("ruleset.limit.source_too_long", most=MAX_TEXT_LENGTH), path)
            elif found := re.search(_UNPRINTABLE, value):
                self._report(_unprintable(found[0]), path, Message("advice.leave_it_out"))
        elif not isinstance(value, (int, float)):
            self._report(Message("ruleset.date.date"), path, Message("ruleset_advice.quote_it"))
        elif not -MAX_FILE_NUMBER <= value <= MAX_FILE_NUMBER:  # also rejects nan
            self._report(Message("ruleset.limit.file_number", most=MAX_FILE_NUMBER), path)

    def _report(self, message: Message, path: tuple[str, ...], hint: Text = "") -> None:
        if len(self._errors) >= MAX_ERRORS:
            return
        line = self.source.line(*path)
        source = self.source.lines[line - 1] if line else ""
        self._errors.append(
            RuleError(
                message,
                hint=hint,
                file=self.source.file,
                rule=".".join(path[:2]),
                line=line,
                column=1 if line else 0,
                source=source,
            )
        )


def _unprintable(character: str) -> Message:
    return Message("ruleset.unshown.character", number=ord(character))


def _line_index(lines: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return the line of each header and key, skipping multi-line strings."""
    lines_by_path: dict[tuple[str, ...], int] = {}
    header: tuple[str, ...] = ()
    open_quote = ""
    for number, line in enumerate(lines, 1):
        if not open_quote and (found := re.match(_HEADER, line)):
            header = _key_path(found[1])
            lines_by_path.setdefault(header, number)
        elif not open_quote and "=" in line and re.fullmatch(_KEY, key := line.partition("=")[0]):
            parts = _key_path(key)
            for end in range(len(parts)):
                lines_by_path.setdefault((*header, *parts[: end + 1]), number)
        if '"""' in line or "'''" in line:
            open_quote = _open_quote(line, open_quote)
    for path, number in list(
        lines_by_path.items()
    ):  # a part without its own header: the line of its first child
        for end in range(1, len(path)):
            lines_by_path.setdefault(path[:end], number)
    return lines_by_path


def _open_quote(line: str, inside: str) -> str:
    """Return the multi-line quote that is open after a line, given the one open before it."""
    for quote in ('"""', "'''"):
        if inside in ("", quote) and not line.startswith("#") and line.count(quote) % 2:
            inside = "" if inside else quote
    return inside


def _key_path(name: str) -> tuple[str, ...]:
    return tuple(part.strip(" \t\"'") for part in name.split(".")[:MAX_DEPTH])


def merge_sources(sources: Sequence[Source]) -> dict[str, Any]:
    """Merge the data of all sources; later ones override earlier ones."""
    data: dict[str, Any] = {}
    for source in sources:
        replaced = source.data.get("replace", [])
        for name in replaced if isinstance(replaced, list) else []:
            if isinstance(name, str):
                data = _remove(data, name.split("."))
        data = _merge(data, source.data)
    return {key: value for key, value in data.items() if key not in ("extends", "replace")}


def _remove(data: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Return a copy without the part at `path`, if it exists."""
    first, *rest = path
    inner = data.get(first)
    if not rest or not isinstance(inner, dict):
        return {key: value for key, value in data.items() if key != first or rest}
    return {**data, first: _remove(inner, rest)}


def _merge(base: Any, override: Any) -> Any:
    if isinstance(base, dict) and isinstance(override, dict):
        return {**base, **{key: _merge(base.get(key), value) for key, value in override.items()}}
    return override


def content_hash(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the merged content; independent of layout and machine."""
    import hashlib  # slow to import, and most commands need no hash
    import json

    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()
