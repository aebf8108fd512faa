"""Words of people at the table: messages, whispers, notes on rolls, and the shared scratchpad.

Whoever a whisper is not for learns nothing of it, not even its length: `redact` leaves it out of the
log, and messages are counted by what a seat knows, like rolls.
"""

from __future__ import annotations

from handful.errors import Message, Refused
from handful.table.commands import NoteRoll, Say, WriteScratchpad
from handful.table.events import MessageSent, RollNoted, ScratchpadChanged, digest
from handful.table.json_types import JsonObject
from handful.table.persistent_map import PersistentMap
from handful.table.state import ChatMessage, Table
from handful.table.transaction import Transaction
from handful.table.visibility import Viewer

MAX_NOTES = 20  # on one roll


def say(transaction: Transaction, command: Say) -> None:
    to = None if command.to is None else _hearers(transaction, command.to)
    transaction.emit(MessageSent(message=transaction.new_id, text=command.text, to=to))


def _hearers(transaction: Transaction, to: tuple[str, ...]) -> tuple[str, ...]:
    for name in to:
        if name not in transaction.table.seats:
            raise Refused(Message("seat.unknown_name", name=name))
    others = tuple(dict.fromkeys(name for name in to if name != transaction.actor))
    if not others:
        raise Refused(Message("message.to_nobody"))
    return others


def note(transaction: Transaction, command: NoteRoll) -> None:
    if len(transaction.known.rolls[command.roll].notes) >= MAX_NOTES:
        raise Refused(Message("roll.too_many_notes", most=MAX_NOTES))
    transaction.emit(RollNoted(roll=command.roll, text=command.text))


def write_scratchpad(transaction: Transaction, command: WriteScratchpad) -> None:
    if command.for_gms and not transaction.viewer.is_gm:
        raise Refused(Message("scratchpad.gm_only"))
    before = transaction.table.gm_notes if command.for_gms else transaction.table.scratchpad
    if command.replaces != text_mark(before):
        raise Refused(Message("scratchpad.changed_meanwhile"), Message("scratchpad.merge_first"))
    if command.text != before:
        transaction.emit(ScratchpadChanged(text=command.text, for_gms=command.for_gms or None))


def text_mark(text: str) -> str:
    """Return a short mark of a text, by which an edit says what it is based on."""
    return digest(text)[:16] if text else ""


# -- views


def last_messages(known: Table, count: int) -> list[str]:
    """Return the names of the last messages that a seat has heard, oldest first."""
    messages = known.messages
    return messages.last_keys(count) if isinstance(messages, PersistentMap) else [*messages][-count:]


def message_view(said: ChatMessage) -> JsonObject:
    to = {} if said.to is None else {"to": list(said.to)}
    return {"message": said.id, "by": said.by, "text": said.text, **to}


def scratchpads(known: Table, viewer: Viewer) -> JsonObject:
    """Return the shared scratchpad, for a GM with the GMs' own notes."""
    shown = {"scratchpad": known.scratchpad} | ({"gm_notes": known.gm_notes} if viewer.is_gm else {})
    return {name: {"text": text, "mark": text_mark(text)} for name, text in shown.items()}
