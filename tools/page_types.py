"""Write the types of what the server sends and takes, for the type check of the pages.

    python tools/page_types.py       # after a change of a schema or a command; a test checks it

They follow from the OpenAPI document, so that page and server cannot disagree unnoticed.
`app/types.d.ts` refines them where the document says only "data".
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP / "src"))

from handful.web.app import create_app  # noqa: E402
from handful.web.settings import Settings  # noqa: E402

FILE = TOP / "src/handful/web/static/app/server.d.ts"
HEADER = "// Written by tools/page_types.py from the server's OpenAPI document; do not edit.\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
ANYTHING = "JsonValue"  # a schema without a type of its own


def type_of(schema: dict[str, Any] | bool) -> str:
    """Return a schema as a TypeScript type."""
    if isinstance(schema, bool):
        return "any"
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return "any" if name == ANYTHING else name
    if "const" in schema:
        return literal(schema["const"])
    if "enum" in schema:
        return " | ".join(map(literal, schema["enum"]))
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(type_of(one) for one in schema[several]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(type_of({**schema, "type": one}) for one in kind)
    if kind == "array":
        return f"Array<{type_of(schema.get('items', True))}>"
    if kind == "object" or "properties" in schema:
        return object_type(schema)
    return PLAIN.get(str(kind), "any")


def literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def object_type(schema: dict[str, Any]) -> str:
    if not schema.get("properties"):
        return f"Record<string, {type_of(schema.get('additionalProperties', True))}>"
    return "{ " + " ".join(fields(schema)) + " }"


def fields(schema: dict[str, Any]) -> list[str]:
    """Return the fields of an object; those with a default may be missing."""
    needed = schema.get("required", [])
    return [
        f"{name if name.isidentifier() else literal(name)}{'' if name in needed else '?'}: {type_of(one)};"
        for name, one in schema["properties"].items()
    ]


def declaration(name: str, schema: dict[str, Any]) -> str:
    """Return a named schema with its description as a comment."""
    text = " ".join(schema.get("description", "").split())
    comment = f"/** {text} */\n" if text else ""
    if not schema.get("properties"):
        return f"{comment}export type {name} = {type_of(schema)};\n"
    body = "".join(f"  {one}\n" for one in fields(schema))
    return f"{comment}export interface {name} {{\n{body}}}\n"


def commands(schema: dict[str, Any]) -> str:
    """Return the fields of each command by its name."""
    lines = []
    for one in schema["oneOf"]:
        lines.append(f"  /** {one['description']} */\n")
        lines.append(f"  {one['title']}: {type_of(one['properties']['data'])};\n")
    return f"/** {schema['description']} */\nexport interface Commands {{\n{''.join(lines)}}}\n"


def page() -> str:
    """Return the file."""
    schemas = create_app(Settings()).openapi()["components"]["schemas"]
    named = {re.sub(r"\W", "_", name): one for name, one in schemas.items()}
    parts = [
        commands(one) if name == "Commands" else declaration(name, one)
        for name, one in sorted(named.items())
        if name != ANYTHING
    ]
    return "\n".join([HEADER, *parts])


if __name__ == "__main__":
    FILE.write_text(page(), "utf-8")
    sys.exit(0)
