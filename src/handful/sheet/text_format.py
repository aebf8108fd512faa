"""Text format of characters: strict JSON or TOML in, canonical JSON out.

Input is untrusted: oversized, deeply nested or ambiguous text raises `BadCharacter`, never another
exception.  Output depends on the character alone: equal characters are equal bytes everywhere.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterable
from typing import Any

from handful.errors import BadCharacter, Message

MAX_TEXT_LENGTH = 200_000  # characters
MAX_DIGITS = 40  # digits
MAX_DEPTH = 8
_TOML_LINE = re.compile(r"(?m)^\s*(?:[\w\"-]+\s*=|\[[\w\".-]+\]\s*$)")  # matches TOML, never JSON


def parse_text(text: str) -> Any:
    """Parse a JSON or TOML text; refuse values that JSON cannot represent exactly."""
    if len(text) > MAX_TEXT_LENGTH:
        raise BadCharacter([Message("sheet.file_too_long", most=MAX_TEXT_LENGTH)])
    toml = not text.lstrip().startswith("{") and _TOML_LINE.search(text)
    data = _parse_toml(text) if toml else _parse_json(text)
    if _depth(data) > MAX_DEPTH:
        raise BadCharacter([Message("sheet.nested_too_deeply")])
    return data


def _parse_toml(text: str) -> Any:
    try:
        return _check_json_types(tomllib.loads(text, parse_float=_decimal))
    except RecursionError:
        raise BadCharacter([Message("sheet.nested_too_deeply")]) from None
    except tomllib.TOMLDecodeError as error:
        raise BadCharacter(
            [Message("sheet.not_toml", reason=Message("foreign_text", text=str(error)))]
        ) from None
    except ValueError:  # Python refuses to parse numbers of thousands of digits
        raise BadCharacter([Message("sheet.number_too_long")]) from None


def _check_json_types(data: Any) -> Any:
    """Return the data if JSON can represent it: no dates, no infinite or oversized numbers."""
    if isinstance(data, dict):
        return {name: _check_json_types(item) for name, item in data.items()}
    if isinstance(data, list):
        return [_check_json_types(item) for item in data]
    if isinstance(data, int) and abs(data) >= 10**MAX_DIGITS:
        raise BadCharacter([Message("sheet.number_too_long")])
    if not isinstance(data, (str, int, float)):
        raise BadCharacter([Message("sheet.is_a_date", value=data)])
    return data


def _parse_json(text: str) -> Any:
    repeated: list[str] = []

    def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name, value in pairs:
            if name in result:
                repeated.append(name)
            result[name] = value
        return result

    try:
        data = json.loads(
            text,
            object_pairs_hook=read_object,
            parse_constant=_refuse_constant,
            parse_int=_integer,
            parse_float=_decimal,
        )
    except RecursionError:
        raise BadCharacter([Message("sheet.nested_too_deeply")]) from None
    except json.JSONDecodeError as error:
        raise BadCharacter(
            [
                Message(
                    "sheet.not_json",
                    reason=Message("foreign_text", text=error.msg),
                    line=error.lineno,
                    column=error.colno,
                )
            ]
        ) from None
    if repeated:
        raise BadCharacter([Message("sheet.key_listed_twice", name=name[:60]) for name in repeated[:50]])
    return data


def _refuse_constant(word: str) -> Any:
    raise BadCharacter([Message("sheet.not_a_number", word=word)])


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise BadCharacter([Message("sheet.too_many_digits", digits=digits[:20])])
    return int(digits)


def _decimal(digits: str) -> int | float:
    value = float(digits) if len(digits) <= MAX_DIGITS else math.inf
    if not math.isfinite(value):
        raise BadCharacter([Message("sheet.number_too_large", digits=digits[:20])])
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _depth(data: Any) -> int:
    level, depth = [data], 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [child for node in level for child in _children(node)]
    return depth


def _children(data: Any) -> Iterable[Any]:
    if isinstance(data, dict):
        return data.values()
    return data if isinstance(data, list) else ()


def format_text(data: dict[str, Any]) -> str:
    """Return the canonical JSON text of a character's data."""
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
