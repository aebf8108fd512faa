"""Names for JSON data: what a view is made of."""

from __future__ import annotations

from typing import Any

JsonObject = dict[str, Any]  # names with JSON values, ready to be sent
