"""The texts of a ruleset and of those it extends: parsed, merged, hashed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from handful.errors import HandfulError, RuleError

LARGEST_FILE = 500_000  # characters
_HEADER = re.compile(r"\s*\[([^\[\]]+)\]")
_KEY = re.compile(r"\s*([\w.\"' \t-]+?)\s*=")


class BadRuleset(HandfulError):
    """A file with mistakes; `errors` has them all, in the order of the file."""

    def __init__(self, errors: Sequence[RuleError]) -> None:
        super().__init__(str(errors[0]))
        self.errors = list(errors)


class Source:
    """The text of one file, parsed; knows on which line a part stands."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.lines = text.split("\n")
        self._places: dict[tuple[str, ...], int] | None = None
        if len(text) > LARGEST_FILE:
            raise BadRuleset([RuleError(f"is larger than {LARGEST_FILE:,} characters", file=file)])
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
            line, column = (int(place[1]), int(place[2])) if place else (len(self.lines), 1)
            message = re.sub(r" \(at .*\)$", "", str(error))
            source = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
            raise BadRuleset(
                [
                    RuleError(
                        f"is not valid TOML: {message}",
                        file=file,
                        line=line,
                        column=column,
                        source=source,
                    )
                ]
            ) from None
        except RecursionError:
            raise BadRuleset([RuleError("is nested too deeply", file=file)]) from None

    @property
    def places(self) -> dict[tuple[str, ...], int]:
        if self._places is None:
            self._places = _places(self.lines)
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


def _places(lines: Sequence[str]) -> dict[tuple[str, ...], int]:
    """The line of each header and key; the lines of long texts are no keys."""
    places: dict[tuple[str, ...], int] = {}
    header: tuple[str, ...] = ()
    inside = ""
    for number, line in enumerate(lines, 1):
        if not inside and (found := _HEADER.match(line)):
            header = _parts(found[1])
            places.setdefault(header, number)
        elif not inside and (found := _KEY.match(line)):
            parts = _parts(found[1])
            for end in range(len(parts)):
                places.setdefault((*header, *parts[: end + 1]), number)
        if '"""' in line or "'''" in line:
            inside = _after(line, inside)
    for path, number in list(places.items()):  # what has no header of its own: its first part
        for end in range(1, len(path)):
            places.setdefault(path[:end], number)
    return places


def _after(line: str, inside: str) -> str:
    """The quotes that are open after a line, if any were before it."""
    for quote in ('"""', "'''"):
        if inside in ("", quote) and not line.startswith("#") and line.count(quote) % 2:
            inside = "" if inside else quote
    return inside


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip(" \t\"'") for part in name.split("."))


def merged(sources: Sequence[Source]) -> dict[str, Any]:
    """The data of all sources, later ones over earlier ones."""
    data: dict[str, Any] = {}
    for source in sources:
        replaced = source.data.get("replace", [])
        for name in replaced if isinstance(replaced, list) else []:
            if isinstance(name, str):
                data = _without(data, name.split("."))
        data = _over(data, source.data)
    return {key: value for key, value in data.items() if key not in ("extends", "replace")}


def _without(data: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """The same without one part; what is not there need not be taken out."""
    first, *rest = path
    inner = data.get(first)
    if not rest or not isinstance(inner, dict):
        return {key: value for key, value in data.items() if key != first or rest}
    return {**data, first: _without(inner, rest)}


def _over(base: Any, own: Any) -> Any:
    if isinstance(base, dict) and isinstance(own, dict):
        return {**base, **{key: _over(base.get(key), value) for key, value in own.items()}}
    return own


def content_hash(data: Mapping[str, Any]) -> str:
    """The same on every machine: of the merged content, not of its layout."""
    import hashlib  # slow to load, and most answers need no hash
    import json

    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()
