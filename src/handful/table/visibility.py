"""Visibility: the one place that defines who sees what.

Theory of operation.  A roll has a `Mode`: a level for the GM, for the roller and for the others.  Two
modes are combined level by level, and the lower level wins.  `VISIBLE_FIELDS` lists the fields that
each level shows of each kind of event; a kind, field or mode that is not listed is hidden.
`handful.table.projection` projects the table by the same levels, and everything that a seat receives
(view, legal actions, odds, refusals) is computed from that projection.

A character has a mode of its own (`SHEET_MODES`), by the same levels: the sheet, its presence, or
nothing.  A line that a roll takes from a sheet is shown to those who see both.

When a roll continues or ends depends on its dice, so even the moment would leak.  `DECLARED` sees
everything up to the first throw, which depends on no die, and nothing that follows from it.
`PRESENCE` sees the declaration alone: what can be done before the first throw already depends on
what is checked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from handful.records import record

NOTHING, PRESENCE, DECLARED, ALL = range(4)
GM, PLAYER, WATCHER = "gm", "player", "watcher"
ROLES = (GM, PLAYER, WATCHER)
SPECTATOR = ""  # a viewer without a seat: sees what every watcher sees, and cannot act
# action costs of a roll in a fight
ACTION_COSTS = ("action", "interruption", "reaction", "resistance", "nothing")
# permissions the GM may grant for a round: react before one's turn, or act for free once
LEAVES = EARLY, FREE = ("reaction", "free_action")


@record()
class Mode:
    """The levels at which the GM, the roller and the others see a roll."""

    gm: int
    roller: int
    others: int

    def stricter(self, other: Mode) -> Mode:
        """Combine two modes: the lower level wins for each viewer."""
        return Mode(min(self.gm, other.gm), min(self.roller, other.roller), min(self.others, other.others))

    def level(self, *, gm: bool, roller: bool) -> int:
        """Return a viewer's level; a GM who rolls has the higher of both."""
        if gm:
            return max(self.gm, self.roller) if roller else self.gm
        return self.roller if roller else self.others


MODES: Mapping[str, Mode] = {
    "public": Mode(ALL, ALL, ALL),
    "private": Mode(ALL, ALL, PRESENCE),  # GM and roller; the others see that a roll is made
    "blind": Mode(ALL, DECLARED, PRESENCE),  # the roller sees the check, not its result
    "secret": Mode(NOTHING, ALL, NOTHING),  # only the roller
    "gm": Mode(ALL, NOTHING, NOTHING),  # only the GM, regardless of the roller
}
HIDDEN = Mode(NOTHING, NOTHING, NOTHING)


@lru_cache(maxsize=64)
def combine_modes(*names: str) -> Mode:
    """Combine the modes of these names; an unknown one hides everything."""
    mode = Mode(ALL, ALL, ALL)
    for name in names:
        mode = mode.stricter(MODES.get(name, HIDDEN))
    return mode


# Levels of a character's sheet: for the GM, for its owner, for the others.
SHEET_MODES: Mapping[str, Mode] = {
    "open": Mode(ALL, ALL, ALL),
    "own": Mode(ALL, ALL, PRESENCE),  # the others see name and owner
    "hidden": Mode(ALL, ALL, NOTHING),
}


def sheet_mode(name: str) -> Mode:
    """Return the mode of a character's sheet; an unknown name hides it from everyone."""
    return SHEET_MODES.get(name, HIDDEN)


_PRESENCE = ("roll", "roller", "commitment")
_DECLARED = ("asked", "modes", "hidden", "title", "as", "lines", "deed")
_CONTEST = ("contest", "sides", "check", "parameters", "hidden", "modes", "together")
_DECISION = ("roll", "decision", "side", "answer", "words")
_CHARACTER = ("character", "owner", "name", "kind")

# Events that `DECLARED` sees only before the first throw, while the roll is open.
BEFORE_THROW_ONLY = frozenset(
    {
        "decision_taken",
        "decision_undone",
        "dice_thrown",
        "faces_taken_back",
        "faces_typed",
        "roll_cancelled",
        "roll_corrected",
        "roll_finalised",
    }
)

# kind of event -> level -> visible fields; without an entry the event is hidden
VISIBLE_FIELDS: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "table_opened": {ALL: ("table", "game")},
    "seat_taken": {ALL: ("name", "role")},
    "seat_left": {ALL: ("name",)},
    "house_rules_changed": {ALL: ("options",)},
    "rules_changed": {ALL: ("game", "options")},
    "visibility_changed": {ALL: ("mode",)},
    "roll_declared": {
        PRESENCE: _PRESENCE,
        DECLARED: (*_PRESENCE, *_DECLARED),
        ALL: (*_PRESENCE, *_DECLARED, "parts", "begun"),
    },
    # `line` only to viewers of its sheet, `number` only to the GM (see `projection`)
    "line_switched": {
        DECLARED: ("roll", "asked", "line"),
        ALL: ("roll", "asked", "line", "number"),
    },
    "line_added": {DECLARED: ("roll", "asked", "line"), ALL: ("roll", "asked", "line", "number")},
    "faces_typed": {
        DECLARED: ("roll", "throw"),
        ALL: ("roll", "throw", "side", "sides", "faces", "due"),
    },
    "faces_taken_back": {DECLARED: ("roll", "throw"), ALL: ("roll", "throw", "faces")},
    "dice_thrown": {
        DECLARED: ("roll", "throw"),
        ALL: ("roll", "throw", "side", "sides", "faces", "physical", "entropy"),
    },
    "decision_taken": {DECLARED: _DECISION, ALL: _DECISION},
    "decision_undone": {DECLARED: ("roll",), ALL: ("roll",)},
    "roll_finalised": {DECLARED: ("roll",), ALL: ("roll", "key")},
    "roll_corrected": {
        DECLARED: ("roll", "asked", "words"),
        ALL: ("roll", "asked", "words", "faces"),
    },
    "contest_kept": {ALL: ("roll",)},
    "roll_cancelled": {DECLARED: ("roll",), ALL: ("roll",)},
    "roll_revealed": {ALL: ("roll", "story")},
    "roll_judged": {ALL: ("roll", "grade", "words")},
    "target_revealed": {DECLARED: ("roll", "asked", "lines"), ALL: ("roll", "asked", "lines")},
    # characters; points are shown to viewers of the sheet
    "character_brought": {PRESENCE: _CHARACTER, ALL: (*_CHARACTER, "shown", "sheet")},
    "character_updated": {ALL: ("character", "sheet")},
    "character_shown": {
        NOTHING: ("character", "shown"),  # for viewers who saw more before
        PRESENCE: (*_CHARACTER, "shown"),
        ALL: (*_CHARACTER, "shown", "sheet"),
    },
    "character_dismissed": {PRESENCE: ("character",), ALL: ("character",)},
    "points_changed": {ALL: ("character", "changes", "now", "use", "words", "rolls", "undone")},
    "item_changed": {ALL: ("character", "item", "uses", "hot")},
    "task_changed": {ALL: ("character", "task", "failed")},
    "points_spent": {ALL: ("roll", "character", "changes", "now")},
    # fights, without hidden combatants; DECLARED is for everyone, ALL for the GM
    "fight_begun": {
        DECLARED: ("fight", "order"),
        ALL: ("fight", "order", "ranks", "hidden", "by_gm"),
    },
    "combatant_joined": {
        DECLARED: ("combatant", "name"),  # `behind` could name a hidden combatant
        ALL: ("combatant", "name", "behind", "rank", "rolled", "hidden"),
    },
    **dict.fromkeys(
        ("combatant_left", "combatant_revealed", "combatant_attacked"),
        dict.fromkeys((DECLARED, ALL), ("combatant", "name", "roll")),
    ),
    "round_begun": dict.fromkeys((DECLARED, ALL), ("number",)),
    "fight_ended": dict.fromkeys((DECLARED, ALL), ("fight",)),
    "actions_fixed": dict.fromkeys((DECLARED, ALL), ("combatant", "actions")),
    "actions_lost": dict.fromkeys((DECLARED, ALL), ("combatant", "actions")),
    "action_taken": dict.fromkeys((DECLARED, ALL), ("combatant", "what", "roll", "item")),
    "waited": dict.fromkeys((DECLARED, ALL), ("combatant",)),
    "interrupted": dict.fromkeys((DECLARED, ALL), ("combatant", "what", "roll", "roll_of", "item")),
    "reacted": dict.fromkeys((DECLARED, ALL), ("combatant", "actions", "leave", "what", "roll", "item")),
    "stance_taken": dict.fromkeys((DECLARED, ALL), ("combatant", "stance", "choice")),
    "round_prepared": dict.fromkeys((DECLARED, ALL), ("combatant",)),
    "paced": dict.fromkeys((DECLARED, ALL), ("combatant", "pace", "cost", "leave", "distance")),
    "turn_ended": dict.fromkeys((DECLARED, ALL), ("combatant",)),
    "move_undone": dict.fromkeys((DECLARED, ALL), ("combatant",)),
    # for the GM and the combatant's owner (see `projection_fights`)
    "leave_granted": dict.fromkeys((DECLARED, ALL), ("combatant", "leave")),
    "leave_used": dict.fromkeys((DECLARED, ALL), ("combatant", "leave")),
    "hit_taken": dict.fromkeys((DECLARED, ALL), ("combatant", "roll")),
    # requests are for the GM and the asked seats; a proposal for the GM and its seat
    "check_requested": {
        ALL: ("request", "to", "check", "parameters", "hidden", "mode", "title", "as"),
    },
    "check_called": {ALL: ("request", "to", "check", "parameters", "title", "as")},
    "check_proposed": {ALL: ("request", "name", "parameters", "as")},
    "proposal_accepted": {ALL: ("request", "name", "roll_of")},
    "proposal_refused": {ALL: ("request", "name", "words")},
    "request_reopened": {ALL: ("request", "name")},
    "request_withdrawn": {ALL: ("request",)},
    "call_settled": {ALL: ("request", "name", "found")},
    # a contest is as visible as its most hidden side; below ALL only its opening is shown
    "contest_opened": {PRESENCE: ("contest", "sides"), DECLARED: _CONTEST, ALL: _CONTEST},
    "contest_called_off": dict.fromkeys((PRESENCE, DECLARED, ALL), ("contest",)),
}


def visible_data(
    kind: str, level: int, data: Mapping[str, Any], *, past_dice: bool = False
) -> dict[str, Any] | None:
    """Return the data of an event as far as a level shows it; None if the event is hidden.

    `past_dice`: dice were thrown before, or the roll was over.
    """
    fields = VISIBLE_FIELDS.get(kind, {}).get(level)
    if fields is None or (past_dice and level < ALL and kind in BEFORE_THROW_ONLY):
        return None
    return {name: data[name] for name in fields if name in data}


def without_parameters(asked: Mapping[str, Any], hidden: Collection[str]) -> dict[str, Any]:
    """Return check data without these parameters."""

    def remaining(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in values.items() if name not in hidden}

    return {
        **asked,
        "parameters": remaining(asked["parameters"]),
        "sides": [remaining(side) for side in asked["sides"]],
    }
