"""A shared table as a pure reducer: seats, rolls, secrets.

    events = decide(table, command, actor, dice)     # raises Refused if the command is illegal
    table = fold(table, events)                      # the table after them
    view(table, seat), legal_actions(table, seat)    # what a seat sees and may do

No clock, no randomness, no files: the caller passes the dice and adds timestamps to the log.
Nothing here knows a particular game; everything comes from its ruleset.
"""

from handful.table.decide import apply_command, decide
from handful.table.drafts import CheckPreview, preview_check, preview_lines, preview_odds, preview_request
from handful.table.events import VERSION, Command, Event, canonical_json, log_entry, ruleset_hash_after
from handful.table.history import character_history
from handful.table.keys import Dice, KeyedDice, derive_faces
from handful.table.knowledge import evolve, known_to
from handful.table.log import (
    EntryTexts,
    SeatLog,
    SeatLogs,
    export_log,
    replay_log,
    replay_logs,
    seat_log,
)
from handful.table.luck import finished_rolls, luck, luck_of_rolls
from handful.table.redact import redact
from handful.table.replay import Replay, fold
from handful.table.rules_change import preview_rules
from handful.table.sheet_preview import preview_sheet
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.transaction import AppliedEvent
from handful.table.upcast import read_event
from handful.table.view import actions_in, legal_actions, odds, own_open_rolls, view
from handful.table.view_sheets import sheet_text
from handful.table.visibility import (
    GM,
    LEAVES,
    MODES,
    PLAYER,
    ROLES,
    ROLLING_ROLES,
    SHEET_MODES,
    SPECTATOR,
    WATCHER,
    Viewer,
)

# Names documented by earlier versions.
project = known_to
history = character_history
preview = preview_sheet
sketch = preview_lines

__all__ = [
    "GM",
    "LEAVES",
    "MODES",
    "PLAYER",
    "ROLES",
    "ROLLING_ROLES",
    "SHEET_MODES",
    "SPECTATOR",
    "VERSION",
    "WATCHER",
    "AppliedEvent",
    "CheckPreview",
    "Command",
    "Dice",
    "EntryTexts",
    "Event",
    "KeyedDice",
    "Replay",
    "SeatLog",
    "SeatLogs",
    "Table",
    "TableCharacter",
    "TableRoll",
    "Viewer",
    "actions_in",
    "apply_command",
    "canonical_json",
    "character_history",
    "decide",
    "derive_faces",
    "evolve",
    "export_log",
    "finished_rolls",
    "fold",
    "history",
    "known_to",
    "legal_actions",
    "log_entry",
    "luck",
    "luck_of_rolls",
    "odds",
    "own_open_rolls",
    "preview",
    "preview_check",
    "preview_lines",
    "preview_odds",
    "preview_request",
    "preview_rules",
    "preview_sheet",
    "project",
    "read_event",
    "redact",
    "replay_log",
    "replay_logs",
    "ruleset_hash_after",
    "seat_log",
    "sheet_text",
    "sketch",
    "view",
]
