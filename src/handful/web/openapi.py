"""Builds the OpenAPI 3.1 document, with the table's commands and the WebSocket's messages.

Commands and messages are added to what FastAPI derives from the routes.
Invariant: the document is built once for an application and never depends on its tables.
"""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from handful.table.commands import CommandBody, command_kinds, record_schema
from handful.web import connections, schemas_socket

REFERENCE = "#/components/schemas/{model}"
SOCKET = "/api/tables/{place}/socket"


def build_openapi(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of the application; built on the first call."""
    if app.openapi_schema is None:
        spec = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            openapi_version="3.1.0",
        )
        schemas = spec["components"]["schemas"]
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)  # replaced by `ErrorResponse`
        _, more = models_json_schema(
            [(one, "validation") for one in (*schemas_socket.TO_SERVER, *schemas_socket.TO_CLIENT)],
            ref_template=REFERENCE,
        )
        schemas.update({**more["$defs"], **schemas})
        schemas["Commands"] = {
            "description": "The fields of `data` for each command; docs/table.md describes the commands.",
            "oneOf": [_command_schema(kind) for kind in command_kinds().values()],
        }
        spec["components"]["securitySchemes"] = {
            "seat": {
                "type": "apiKey",
                "in": "cookie",
                "name": "handful_seat",
                "description": "Set by following a link: GET /join/{token}.",
            }
        }
        for path, methods in spec["paths"].items():
            for operation in methods.values() if "{place}" in path else ():
                operation["security"] = [{"seat": []}]
        spec["x-websocket"] = {SOCKET: _socket_description()}
        app.openapi_schema = spec
    return app.openapi_schema


def _command_schema(kind: type[CommandBody]) -> dict[str, Any]:
    return {
        "title": kind.kind,
        "description": " ".join((kind.__doc__ or "").split()),
        "type": "object",
        "required": ["do", "key", "data"],
        "properties": {
            "do": {"const": kind.kind},
            "key": {"type": "string", "minLength": 1, "maxLength": 60},
            "data": record_schema(kind),
        },
    }


def _socket_description() -> dict[str, Any]:
    def one_of(models: tuple[type[BaseModel], ...]) -> dict[str, Any]:
        return {"oneOf": [{"$ref": REFERENCE.format(model=one.__name__)} for one in models]}

    return {
        "description": "The seat's socket; JSON texts both ways.  The cookie of the seat is sent "
        "along, and a browser's Origin must be the server's own.  First comes `snapshot` with what "
        "was missed, then `patch` as it happens; each command is answered by `done` or `error`.",
        "parameters": [
            {"name": "place", "in": "path", "schema": {"type": "string"}, "required": True},
            {
                "name": "after",
                "in": "query",
                "schema": {"type": "integer", "minimum": 0},
                "description": "the number of the last line that the client has",
            },
            {
                "name": "protocol",
                "in": "query",
                "schema": {"const": schemas_socket.PROTOCOL},
                "description": "the message format; the handshake is refused with 422 for any other",
            },
            {
                "name": "as",
                "in": "query",
                "schema": {"enum": ["watcher"]},
                "description": "sends what every watcher sees and takes no commands",
            },
        ],
        "to_server": one_of(schemas_socket.TO_SERVER),
        "to_client": one_of(schemas_socket.TO_CLIENT),
        "close_codes": {
            str(connections.STOPPING): "the server stops; come back",
            str(connections.FORBIDDEN): "the link was taken back",
            str(connections.BEHIND): "too slow; come back with `after`",
            str(connections.TOO_FAST): "too many messages",
            "1009": "a message was far too large",
        },
    }
