"""Handful: a rules-aware dice table for dice-pool role-playing games.

>>> import handful
>>> uwr = handful.ruleset("uwr")
>>> uwr.odds("direct", attribute=3, target=1).success
Fraction(19, 27)
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from handful.errors import (
    BadCharacter,
    BadReply,
    FileFault,
    HandfulError,
    NotInstalled,
    Refused,
    RuleError,
    TooBig,
)

if TYPE_CHECKING:
    from handful.library import Roll, Ruleset, ruleset, shipped
    from handful.odds import Odds
    from handful.sheet import Character, Draft

_LATER = {  # imported on first access, because most commands do not need them
    "Character": "handful.sheet",
    "Draft": "handful.sheet",
    "Odds": "handful.odds",
    "Roll": "handful.library",
    "Ruleset": "handful.library",
    "ruleset": "handful.library",
    "shipped": "handful.library",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'handful' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)


if os.environ.get("HANDFUL_CHECK") == "1":
    from handful.odds import self_check

    self_check.enable(True)

__version__ = "0.1.0"
__all__ = [
    "BadCharacter",
    "BadReply",
    "Character",
    "Draft",
    "FileFault",
    "HandfulError",
    "NotInstalled",
    "Odds",
    "Refused",
    "Roll",
    "RuleError",
    "Ruleset",
    "TooBig",
    "ruleset",
    "shipped",
]
