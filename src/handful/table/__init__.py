"""A shared table as a pure reducer: seats, rolls, secrets.

    events = decide(table, command, actor, dice)     # or Refused, and nothing happened
    table = fold(table, events)                      # evolve, one by one
    view(table, seat), legal_actions(table, seat)    # what a seat sees and may do

No time, no chance, no files: dice come from whoever is passed in, times from whoever keeps the log.
Nothing about a game is known here; everything comes from its ruleset.
"""

from handful.table.decide import decide, obey
from handful.table.drafts import Proposed, proposed, reckoned, sketch, sketched
from handful.table.events import VERSION, Command, Event, canonical_json, entry, hash_after
from handful.table.evolve import evolve, fold
from handful.table.history import history
from handful.table.keys import Dice, KeyedDice, faces_of
from handful.table.log import SeatLog, Telling, export, log_of, logs_of, seat_log, written
from handful.table.luck import ended_rolls, luck, luck_of
from handful.table.projection import as_known, own_open_rolls, told
from handful.table.projection_cache import Memory
from handful.table.projection_rolls import Groups
from handful.table.rules_change import rules_preview
from handful.table.sheet_preview import preview
from handful.table.state import Figure, Roll, Table
from handful.table.transaction import Happened
from handful.table.upcast import event_of
from handful.table.view import layers, legal_actions, odds, view
from handful.table.view_sheets import sheet_text
from handful.table.visibility import (
    GM,
    LEAVES,
    MODES,
    PLAYER,
    ROLES,
    SHEETS,
    SHOWN,
    SPECTATOR,
    WATCHER,
)

__all__ = [
    "GM",
    "LEAVES",
    "MODES",
    "PLAYER",
    "ROLES",
    "SHEETS",
    "SHOWN",
    "SPECTATOR",
    "VERSION",
    "WATCHER",
    "Command",
    "Dice",
    "Event",
    "Figure",
    "Groups",
    "Happened",
    "KeyedDice",
    "Memory",
    "Proposed",
    "Roll",
    "SeatLog",
    "Table",
    "Telling",
    "as_known",
    "canonical_json",
    "decide",
    "ended_rolls",
    "entry",
    "event_of",
    "evolve",
    "export",
    "faces_of",
    "fold",
    "hash_after",
    "history",
    "layers",
    "legal_actions",
    "log_of",
    "logs_of",
    "luck",
    "luck_of",
    "obey",
    "odds",
    "own_open_rolls",
    "preview",
    "proposed",
    "reckoned",
    "rules_preview",
    "seat_log",
    "sheet_text",
    "sketch",
    "sketched",
    "told",
    "view",
    "written",
]
