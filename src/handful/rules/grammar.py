"""Reserved words of the rule language, and the names that a rule may refer to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from handful.errors import Message
from handful.rules.functions import FUNCTIONS
from handful.rules.program import Value

ROLES = ("regular", "wild", "reroll", "extra")
# Words of a ruleset that label contributions of its rules and of the GM in a breakdown.
BY_RULE, BY_GM = "by_rule", "by_gm"
GM, THE_GM = "gm", "the_gm"  # words for the title of the GM in a game, without and with an article
KEEP_MODES = ("better", "new", "worse")
EFFECTS = ("roll", "reroll", "choose", "ask")
STATEMENTS = ("result", "event", "modify", "turn", "refuse")
RESERVED = {*FUNCTIONS, *EFFECTS, *STATEMENTS, "options", "tables", "sides"}
ARGUMENT_COUNTS = {
    "clamp": 3,
    "highest": 2,
    "lowest": 2,
    "read": 2,
}  # all others take one; min and max take any number
TAKES_ROW = ("sum",)  # accepts a row as second argument
DIE_NAME = re.compile(r"d([1-9][0-9]{0,5})\Z")


# Kinds of names, as a message speaks of them.
THINGS = {
    "check": Message("thing.check"),
    "decision": Message("thing.decision"),
    "event": Message("thing.event"),
    "kind": Message("thing.kind"),
    "option": Message("thing.option"),
    "parameter": Message("thing.parameter"),
    "resource": Message("thing.resource"),
    "skill": Message("thing.skill"),
    "value": Message("thing.value"),
    "word": Message("thing.word"),
}


class Declarations:
    """Names that a rule source may refer to: rules, options, tables, decisions, events, words."""

    def __init__(
        self,
        *,
        rules: Mapping[str, Sequence[str]],
        options: Sequence[str],
        tables: Mapping[str, Value],
        decisions: Sequence[str],
        events: Sequence[str],
        words: Sequence[str],
    ) -> None:
        self.rules, self.options, self.tables = rules, options, tables
        self.decisions, self.events, self.words = decisions, events, words
