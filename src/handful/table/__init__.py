"""A shared table as a pure reducer: seats, rolls, secrets.

    events = decide(table, command, actor, dice)     # raises Refused if the command is illegal
    table = fold(table, events)                      # evolve, event by event
    view(table, seat), legal_actions(table, seat)    # what a seat sees and may do

No clock, no randomness, no files: the caller passes the dice and adds timestamps to the log.
Nothing here knows a particular game; everything comes from its ruleset.
"""

from handful.table.decide import apply_command, decide
from handful.table.drafts import CheckPreview, preview_check, preview_lines, preview_odds, preview_request
from handful.table.events import VERSION, Command, Event, canonical_json, log_entry, ruleset_hash_after
from handful.table.evolve import evolve, fold
from handful.table.history import character_history
from handful.table.keys import Dice, KeyedDice, derive_faces
from handful.table.log import (
    EntryRedactor,
    SeatLog,
    export_log,
    format_log,
    replay_log,
    replay_logs,
    seat_log,
)
from handful.table.luck import finished_rolls, luck, luck_of_rolls
from handful.table.projection import own_open_rolls, project, redact
from handful.table.projection_cache import ProjectionCache
from handful.table.projection_rolls import GroupedList
from handful.table.rules_change import preview_rules
from handful.table.sheet_preview import preview_sheet
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.transaction import AppliedEvent
from handful.table.upcast import read_event
from handful.table.view import legal_actions, odds, view, view_layers
from handful.table.view_sheets import sheet_text
from handful.table.visibility import (
    GM,
    LEAVES,
    MODES,
    PLAYER,
    ROLES,
    SHEET_MODES,
    SPECTATOR,
    VISIBLE_FIELDS,
    WATCHER,
)

# Names documented by earlier versions.
history = character_history
preview = preview_sheet
sketch = preview_lines

__all__ = [
    "GM",
    "LEAVES",
    "MODES",
    "PLAYER",
    "ROLES",
    "SHEET_MODES",
    "SPECTATOR",
    "VERSION",
    "VISIBLE_FIELDS",
    "WATCHER",
    "AppliedEvent",
    "CheckPreview",
    "Command",
    "Dice",
    "EntryRedactor",
    "Event",
    "GroupedList",
    "KeyedDice",
    "ProjectionCache",
    "SeatLog",
    "Table",
    "TableCharacter",
    "TableRoll",
    "apply_command",
    "canonical_json",
    "character_history",
    "decide",
    "derive_faces",
    "evolve",
    "export_log",
    "finished_rolls",
    "fold",
    "format_log",
    "history",
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
    "view_layers",
]
