"""Handful: a rules-aware dice table for dice-pool role-playing games.

>>> import handful
>>> uwr = handful.ruleset("uwr")
>>> uwr.odds("direct", attribute=3, target=1).success
Fraction(19, 27)
"""

from handful.errors import (
    BadReply,
    FileFault,
    HandfulError,
    Refused,
    RuleError,
    TooBig,
)
from handful.library import Roll, Ruleset, ruleset, shipped
from handful.odds import Odds

__version__ = "0.1.0"
__all__ = [
    "BadReply",
    "FileFault",
    "HandfulError",
    "Odds",
    "Refused",
    "Roll",
    "RuleError",
    "Ruleset",
    "TooBig",
    "ruleset",
    "shipped",
]
