"""The texts of a ruleset and of those it extends: parsed, merged, hashed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from handful.errors import HandfulError, RuleError
from handful.rules.parse_hints import toml_hint

MAX_FILE_LENGTH = 128 * 1024  # characters: the largest shipped file has half of it
MAX_FILE_NUMBER = 10**9  # rules count no further either
MAX_TEXT_LENGTH = 20_000  # of one value
MAX_KEY_LENGTH = 100
MAX_DOTS = 200  # in one line: names of thousands of parts take minutes to read
MAX_DEPTH = 12  # tables inside tables; a sheet needs seven
MAX_ERRORS = 100  # whoever made more mends these first
_HEADER = re.compile(r"\s*\[([^\[\]]+)\]")
# Python itself stumbles over thousands of digits.
_DIGITS = re.compile(r"[0-9][0-9_]{299}|0x[0-9a-fA-F_]{299}")
_KEY = re.compile(r"[\w.\"' \t-]+")
# What no text of a game may hold: it would move a terminal's cursor or turn a line around.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


class BadRuleset(HandfulError):
    """A file with mistakes; `errors` has them all, in the order of the file."""

    def __init__(self, errors: Sequence[RuleError]) -> None:
        super().__init__(str(errors[0]))
        self.errors = list(errors)


class Source:
    """The text of one file, parsed; knows on which line a part stands."""

    def __init__(self, file: str, text: str) -> None:
        # A mark at the beginning and the line ends of other systems say nothing.
        self.file, self.text = file, text.removeprefix("\ufeff").replace("\r\n", "\n")
        if len(text) > MAX_FILE_LENGTH:
            raise self._error(
                f"is larger than {MAX_FILE_LENGTH:,} characters",
                hint="a game that extends another one says only what is different",
            )
        self.lines = self.text.split("\n")
        self._places: dict[tuple[str, ...], int] | None = None
        if found := _UNPRINTABLE.search(self.text):
            before = self.text[: found.start()]
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            raise self._error(_unprintable(found[0]), line, column, hint="leave it out")
        for number, one in enumerate(self.lines, 1):
            if one.count(".") > MAX_DOTS:
                raise self._error(f"has more than {MAX_DOTS} dots in one line", number, 1)
            if _DIGITS.search(one):
                raise self._error("holds a number that is far too long", number, 1)
        self.data: dict[str, Any] = self._parse()
        if wrong := _LimitChecker(self).wrong(self.data):
            raise BadRuleset(wrong)

    def _parse(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
            line, column = (int(place[1]), int(place[2])) if place else (len(self.lines), 1)
            message = re.sub(r" \(at .*\)$", "", str(error))
            hint = toml_hint(self.lines, line, message)
            raise self._error(f"is not valid TOML: {message[:200]}", line, column, hint) from None
        except RecursionError:
            raise self._error("is nested too deeply") from None

    def _error(self, message: str, line: int = 0, column: int = 0, hint: str = "") -> BadRuleset:
        source = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return BadRuleset(
            [RuleError(message, hint=hint, file=self.file, line=line, column=column, source=source)]
        )

    @property
    def places(self) -> dict[tuple[str, ...], int]:
        if self._places is None:
            self._places = _line_index(self.lines)
        return self._places

    def line(self, *path: str) -> int:
        """The line of a part: of its own header or key, else of the nearest part around it."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.places:
                return self.places[path[:end]]
        return 0

    def has(self, path: Sequence[str]) -> bool:
        part: Any = self.data
        for name in path:
            if not isinstance(part, dict) or name not in part:
                return False
            part = part[name]
        return True


class _LimitChecker:
    """Looks for what no game needs and no machine likes: depth, huge numbers, endless texts."""

    def __init__(self, source: Source) -> None:
        self.source, self.found = source, list[RuleError]()

    def wrong(self, data: Mapping[str, Any]) -> list[RuleError]:
        self._table(data, ())
        return self.found[:MAX_ERRORS]

    def _table(self, data: Mapping[str, Any], path: tuple[str, ...]) -> None:
        if len(path) >= MAX_DEPTH:
            self._report(f"has more than {MAX_DEPTH} tables inside each other", path, "use fewer dots")
            return
        for key, value in data.items():
            if len(key) > MAX_KEY_LENGTH or _UNPRINTABLE.search(key):
                self._report(f"a name may have at most {MAX_KEY_LENGTH} plain characters", path)
            else:
                self._value(value, (*path, key), 0)

    def _value(self, value: Any, path: tuple[str, ...], depth: int) -> None:
        if isinstance(value, dict):
            self._table(value, path)
        elif isinstance(value, list):
            if depth >= MAX_DEPTH:
                self._report(f"has more than {MAX_DEPTH} lists inside each other", path)
                return
            for one in value:
                self._value(one, path, depth + 1)
        elif isinstance(value, str):
            if len(value) > MAX_TEXT_LENGTH:
                self._report(f"a text may have at most {MAX_TEXT_LENGTH:,} characters", path)
            elif found := _UNPRINTABLE.search(value):
                self._report(_unprintable(found[0]), path, "leave it out")
        elif not isinstance(value, (int, float)):
            self._report("there are no dates and times in a game", path, "put it in quotation marks")
        elif not -MAX_FILE_NUMBER <= value <= MAX_FILE_NUMBER:  # nor what is no number
            self._report(f"a game does not count beyond {MAX_FILE_NUMBER:,}", path)

    def _report(self, message: str, path: tuple[str, ...], hint: str = "") -> None:
        if len(self.found) >= MAX_ERRORS:
            return
        line = self.source.line(*path)
        source = self.source.lines[line - 1] if line else ""
        self.found.append(
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


def _unprintable(character: str) -> str:
    return f"holds a character that cannot be shown (U+{ord(character):04X})"


def _line_index(lines: Sequence[str]) -> dict[tuple[str, ...], int]:
    """The line of each header and key; the lines of long texts are no keys."""
    places: dict[tuple[str, ...], int] = {}
    header: tuple[str, ...] = ()
    inside = ""
    for number, line in enumerate(lines, 1):
        if not inside and (found := _HEADER.match(line)):
            header = _key_path(found[1])
            places.setdefault(header, number)
        elif not inside and "=" in line and _KEY.fullmatch(key := line.partition("=")[0]):
            parts = _key_path(key)
            for end in range(len(parts)):
                places.setdefault((*header, *parts[: end + 1]), number)
        if '"""' in line or "'''" in line:
            inside = _open_quote(line, inside)
    for path, number in list(places.items()):  # what has no header of its own: its first part
        for end in range(1, len(path)):
            places.setdefault(path[:end], number)
    return places


def _open_quote(line: str, inside: str) -> str:
    """The quotes that are open after a line, if any were before it."""
    for quote in ('"""', "'''"):
        if inside in ("", quote) and not line.startswith("#") and line.count(quote) % 2:
            inside = "" if inside else quote
    return inside


def _key_path(name: str) -> tuple[str, ...]:
    return tuple(part.strip(" \t\"'") for part in name.split(".")[:MAX_DEPTH])


def merge_sources(sources: Sequence[Source]) -> dict[str, Any]:
    """The data of all sources, later ones over earlier ones."""
    data: dict[str, Any] = {}
    for source in sources:
        replaced = source.data.get("replace", [])
        for name in replaced if isinstance(replaced, list) else []:
            if isinstance(name, str):
                data = _remove(data, name.split("."))
        data = _merge(data, source.data)
    return {key: value for key, value in data.items() if key not in ("extends", "replace")}


def _remove(data: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """The same without one part; what is not there need not be taken out."""
    first, *rest = path
    inner = data.get(first)
    if not rest or not isinstance(inner, dict):
        return {key: value for key, value in data.items() if key != first or rest}
    return {**data, first: _remove(inner, rest)}


def _merge(base: Any, own: Any) -> Any:
    if isinstance(base, dict) and isinstance(own, dict):
        return {**base, **{key: _merge(base.get(key), value) for key, value in own.items()}}
    return own


def content_hash(data: Mapping[str, Any]) -> str:
    """The same on every machine: of the merged content, not of its layout."""
    import hashlib  # slow to load, and most answers need no hash
    import json

    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()
