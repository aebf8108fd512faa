"""Stable codes for the mistakes of a ruleset, for editors and programs (`handful lint --json`).

The code of a mistake's message is `ruleset.CODE.NAME`: many messages share one code.
"""

from __future__ import annotations

from handful.errors import Message

UNKNOWN_CODE = "other"  # the message is not about the text of a ruleset


def lint_code(problem: Message) -> str:
    """Return the code of a mistake.

    >>> lint_code(Message("ruleset.unknown-key.key", key="chekcs"))
    'unknown-key'
    """
    area, _, rest = problem.code.partition(".")
    return rest.partition(".")[0] if area == "ruleset" else UNKNOWN_CODE
