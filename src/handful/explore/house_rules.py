"""Parses house rules: `--option name=value`, or after a ruleset's name (`uwr:cap=off`).

Values stay texts here; the rules themselves parse and validate them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from handful.errors import Message, Refused
from handful.rules.params import match_name
from handful.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from handful.explore.differences import Version

NEXT = re.compile(",(?=[^,=]*=|$)")  # a comma before `name=`; other commas belong to a value


def read_options(rules: Ruleset, options: Sequence[str]) -> dict[str, str]:
    """Return the house rules of `--option name=value`, by their declared names."""
    found: dict[str, str] = {}
    for word in options:
        name, equals, value = word.partition("=")
        own = match_name(name, rules.options) or name
        if not equals or not value.strip() or not name.strip():
            wanted = rules.options[own].expects() if own in rules.options else Message("expects.value")
            raise Refused(Message("query.bad_option", word=word[:40], wanted=wanted))
        if own in found:
            raise Refused(Message("query.option_twice", name=own))
        found[own] = value
    return found


def version(text: str, rules_of: Callable[[str], Ruleset]) -> Version:
    """Read `uwr`, `uwr:reroll_stack=stacking` or a path, with options behind the last colon."""
    from handful.explore.differences import Version

    name, colon, options = text.rpartition(":")
    if not colon or "=" not in options:
        name, options = text, ""
    rules = rules_of(name)
    own = read_options(rules, [one for one in NEXT.split(options) if one])
    rules.resolve_options(own)
    return Version(text, rules, own)
