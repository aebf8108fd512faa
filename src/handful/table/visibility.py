"""Who sees what: the one place that says what a seat is told.

Theory of operation.  A roll has a `Mode`: a level for the GM, for whoever rolls and for the
others.  Two settings come together level by level, and the lower one holds.  What a level shows
is a list of fields for each kind of event (`SHOWN`); a kind, a field or a mode that is not listed
is not shown.  `handful.table.projection` makes the table as a seat knows it with the same levels, and
everything that a seat gets (view, legal actions, odds, refusals) is made from that.

A character has a mode of its own (`SHEETS`), by the same levels: the sheet, that there is somebody,
or nothing.  What a roll takes from a sheet is shown to those who see both.

When a roll goes on or ends depends on its dice, so even the moment would tell.  `DECLARED` hears
everything up to the first throw, which depends on no die, and nothing that follows from it.
`PRESENCE` hears of the declaration alone: what can be done before the first throw already depends
on what is checked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from handful.records import record

NOTHING, PRESENCE, DECLARED, ALL = range(4)
GM, PLAYER, WATCHER = "gm", "player", "watcher"
ROLES = (GM, PLAYER, WATCHER)
SPECTATOR = ""  # a viewer without a seat who sees what every watcher sees, and does nothing
# what a roll costs in a fight
ACTION_COSTS = ("action", "interruption", "reaction", "resistance", "nothing")
# what the GM may let somebody do in a round: react before their turn, or act for free once
LEAVES = EARLY, FREE = ("reaction", "free_action")


@record()
class Mode:
    """What the GM, whoever rolls, and the others are shown of a roll."""

    gm: int
    roller: int
    others: int

    def stricter(self, other: Mode) -> Mode:
        """Both at once: of two settings the stricter one wins, for each of those at the table."""
        return Mode(min(self.gm, other.gm), min(self.roller, other.roller), min(self.others, other.others))

    def level(self, *, gm: bool, roller: bool) -> int:
        """What somebody is shown; a GM who rolls sees what either of the two sees."""
        if gm:
            return max(self.gm, self.roller) if roller else self.gm
        return self.roller if roller else self.others


MODES: Mapping[str, Mode] = {
    "public": Mode(ALL, ALL, ALL),
    "private": Mode(ALL, ALL, PRESENCE),  # GM and roller; the others see that somebody rolls
    "blind": Mode(ALL, DECLARED, PRESENCE),  # the roller knows what is rolled, not how it went
    "secret": Mode(NOTHING, ALL, NOTHING),  # only the roller
    "gm": Mode(ALL, NOTHING, NOTHING),  # only the GM, whoever is said to roll
}
HIDDEN = Mode(NOTHING, NOTHING, NOTHING)


@lru_cache(maxsize=64)
def combine_modes(*names: str) -> Mode:
    """The modes of these names at once; an unknown one hides everything."""
    found = Mode(ALL, ALL, ALL)
    for name in names:
        found = found.stricter(MODES.get(name, HIDDEN))
    return found


# What is shown of a character: to the GM, to whoever has it, to the others.
SHEET_MODES: Mapping[str, Mode] = {
    "open": Mode(ALL, ALL, ALL),
    "own": Mode(ALL, ALL, PRESENCE),  # the others know that there is somebody of this name
    "hidden": Mode(ALL, ALL, NOTHING),
}


def sheet_mode(name: str) -> Mode:
    """Who sees a character; an unknown mode hides it from everybody."""
    return SHEET_MODES.get(name, HIDDEN)


_PRESENCE = ("roll", "roller", "commitment")
_DECLARED = ("asked", "modes", "hidden", "title", "as", "lines", "deed")
_CONTEST = ("contest", "sides", "check", "parameters", "hidden", "modes", "together")
_TAKEN = ("roll", "decision", "side", "answer", "words")
_SOMEBODY = ("character", "owner", "name", "kind")

# What `DECLARED` hears of only as long as nothing was thrown, and the roll is not over.
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

# kind of event -> level -> the fields of its data that are shown; no entry: not told at all.
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
    # `line` only to those who see whose it is, its number only to the GM (see `projection`)
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
    "decision_taken": {DECLARED: _TAKEN, ALL: _TAKEN},
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
    # characters; points are told to those who see the sheet
    "character_brought": {PRESENCE: _SOMEBODY, ALL: (*_SOMEBODY, "shown", "sheet")},
    "character_updated": {ALL: ("character", "sheet")},
    "character_shown": {
        NOTHING: ("character", "shown"),  # to those who have seen something until now
        PRESENCE: (*_SOMEBODY, "shown"),
        ALL: (*_SOMEBODY, "shown", "sheet"),
    },
    "character_dismissed": {PRESENCE: ("character",), ALL: ("character",)},
    "points_changed": {ALL: ("character", "changes", "now", "use", "words", "rolls", "undone")},
    "item_changed": {ALL: ("character", "item", "uses", "hot")},
    "task_changed": {ALL: ("character", "task", "failed")},
    "points_spent": {ALL: ("roll", "character", "changes", "now")},
    # fights: without those who are hidden; DECLARED is what everybody hears of somebody seen
    "fight_begun": {
        DECLARED: ("fight", "order"),
        ALL: ("fight", "order", "ranks", "hidden", "by_gm"),
    },
    "combatant_joined": {
        DECLARED: ("combatant", "name"),  # behind whom might name somebody hidden
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
    # between the GM and whoever has the combatant (see `projection_fights`)
    "leave_granted": dict.fromkeys((DECLARED, ALL), ("combatant", "leave")),
    "leave_used": dict.fromkeys((DECLARED, ALL), ("combatant", "leave")),
    "hit_taken": dict.fromkeys((DECLARED, ALL), ("combatant", "roll")),
    # requests are between the GM and those who are asked; a proposal is between two
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
    # a contest is shown as far as each of its sides is; who sees less than all hears no more of it
    "contest_opened": {PRESENCE: ("contest", "sides"), DECLARED: _CONTEST, ALL: _CONTEST},
    "contest_called_off": dict.fromkeys((PRESENCE, DECLARED, ALL), ("contest",)),
}


def visible_data(
    kind: str, level: int, data: Mapping[str, Any], *, past_dice: bool = False
) -> dict[str, Any] | None:
    """The data of an event as far as a level shows it; None where it is not told.

    `past_dice`: something was thrown before, or the roll was over.
    """
    fields = VISIBLE_FIELDS.get(kind, {}).get(level)
    if fields is None or (past_dice and level < ALL and kind in BEFORE_THROW_ONLY):
        return None
    return {name: data[name] for name in fields if name in data}


def without_parameters(asked: Mapping[str, Any], hidden: Collection[str]) -> dict[str, Any]:
    """What is checked, without the parameters of these names."""

    def left(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in values.items() if name not in hidden}

    return {
        **asked,
        "parameters": left(asked["parameters"]),
        "sides": [left(side) for side in asked["sides"]],
    }
