"""Messages as JSON, for the pipes between the server and its workers.

A message crosses a pipe with its code and arguments: the language is known on the server's side.
"""

from __future__ import annotations

import json
from typing import Any

from handful.errors import Message

MARK = "$message"  # key of the code; no answer has such a field


def dump_line(data: Any) -> bytes:
    """Return data as one line of JSON, messages included."""
    return json.dumps(data, default=_encode).encode() + b"\n"


def load_line(line: bytes) -> Any:
    """Return the data of a line."""
    return json.loads(line, object_hook=_decode)


def _encode(value: object) -> Any:
    """Encode a message; another argument that JSON does not have becomes its text."""
    return {MARK: value.code, "args": value.args} if isinstance(value, Message) else str(value)


def _decode(data: dict[str, Any]) -> Any:
    return Message(data[MARK], **data["args"]) if MARK in data else data
