"""Commands on characters: bring, show, rename, dismiss.

A refusal here must not reveal a hidden roll, so rules that look at open rolls count only those that
every viewer of the character sees.
"""

from __future__ import annotations

import re
from itertools import count, islice
from typing import Any

from handful.errors import NO_MESSAGE, BadCharacter, Message, Refused
from handful.rounds import Place
from handful.rules.ruleset import Ruleset
from handful.rules.sheet_rules import Sheet
from handful.sheet import Character, canonical_data, check_budgets, parse_text, read_character
from handful.table.commands import (
    BringCharacter,
    DismissCharacter,
    PictureCharacter,
    RenameCharacter,
    ShowCharacter,
)
from handful.table.events import (
    CharacterBrought,
    CharacterDismissed,
    CharacterPictured,
    CharacterRenamed,
    CharacterShown,
    CharacterUpdated,
    CombatantRevealed,
    digest,
)
from handful.table.events.values import Values
from handful.table.points import is_visible_to, sheet_viewers
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.transaction import Transaction
from handful.table.visibility import ALL, GM, NOTHING, PLAYER, sheet_mode

MAX_PER_SEAT = 200  # characters
DEFAULT_SHOWN = {"pc": "own", "npc": "hidden"}


def require_sheet(rules: Ruleset) -> Sheet:
    """Return the sheet definition of a game; refuse a game that has none."""
    if rules.sheet is None:
        raise Refused(Message("sheet.game_has_none", id=rules.id))
    return rules.sheet


def sheet_data(rules: Ruleset, sheet: Character) -> dict[str, Any]:
    return canonical_data(require_sheet(rules), sheet)


def sheet_digest(rules: Ruleset, sheet: Character) -> str:
    """Return a short digest of a sheet's current state, for the field `replaces`."""
    return digest(sheet_data(rules, sheet))[:16]


# -- bringing


def bring(transaction: Transaction, command: BringCharacter) -> None:
    """Bring a character to the table, or a newer sheet of one that is there."""
    rules = transaction.table.rules
    owner = transaction.actor if command.for_seat is None else command.for_seat
    sheet = parse_sheet(rules, command.sheet)
    if command.copies is not None:
        _bring_copies(transaction, command, owner, sheet)
        return
    old = find_existing(transaction.known, transaction.actor, owner, sheet)
    name = old.id if old else new_id(transaction.known, owner, sheet.name)
    if old is None:
        if transaction.known.role(transaction.actor) != GM:
            check_budgets(rules, sheet, transaction.known.options)
        if command.replaces is not None:
            raise Refused(Message("character.nothing_to_replace", name=name))
        _check_room(transaction, owner, 1)
        _bring_new(transaction, owner, name, sheet, command.shown)
        return
    assert old.sheet is not None
    current_digest = sheet_digest(rules, old.sheet)
    if command.replaces != current_digest:
        problem = (
            Message("character.here_already", name=name, digest=current_digest)
            if command.replaces is None
            else Message("character.has_changed", name=name, digest=current_digest)
        )
        raise Refused(problem, Message("character.see_preview"))
    if sheet_digest(rules, sheet) != current_digest:
        transaction.emit(CharacterUpdated(character=name, sheet=sheet_data(rules, sheet)))
    if command.shown is not None and command.shown != old.shown:
        _set_shown(transaction, old, command.shown)
    if not transaction.events:
        raise Refused(Message("character.same_sheet", name=name))


def _bring_new(transaction: Transaction, owner: str, name: str, sheet: Character, shown: str | None) -> None:
    shown = shown or DEFAULT_SHOWN[sheet.kind]
    _check_return(transaction.table, name, shown)
    data = sheet_data(transaction.table.rules, sheet)
    transaction.emit(
        CharacterBrought(
            character=name, owner=owner, name=sheet.name, type=sheet.kind, shown=shown, sheet=data
        )
    )


def _check_room(transaction: Transaction, owner: str, more: int) -> None:
    there = sum(one.owner == owner for one in transaction.known.characters.values())
    if there + more > MAX_PER_SEAT:
        raise Refused(Message("character.too_many", owner=owner, most=MAX_PER_SEAT))


def _bring_copies(transaction: Transaction, command: BringCharacter, owner: str, sheet: Character) -> None:
    """Bring several characters with the same sheet; they take the first numbers that are free."""
    assert command.copies is not None
    if not transaction.viewer.is_gm:
        raise Refused(Message("character.only_gm_brings_copies"))
    if command.replaces is not None:
        raise Refused(Message("character.nothing_to_replace", name=sheet.name))
    _check_room(transaction, owner, command.copies)
    rules, known = transaction.table.rules, transaction.known
    base = re.sub(r" \d+\Z", "", sheet.name)
    taken = {
        one.name for one in (*known.characters.values(), *known.dismissed.values()) if one.owner == owner
    }
    free = (name for number in count(1) if (name := f"{base} {number}") not in taken)
    for name in islice(free, command.copies):
        copy = parse_sheet(rules, {**sheet_data(rules, sheet), "name": name})
        find_existing(known, transaction.actor, owner, copy)  # refuses an owner who plays no character
        _bring_new(transaction, owner, new_id(known, owner, name), copy, command.shown)


def _check_return(table: Table, name: str, shown: str) -> None:
    """Refuse a returning character that others would see less of than before.

    Earlier rolls under that name would change in their views, which would reveal the return.
    """
    gone = table.dismissed.get(name)
    if gone is not None and sheet_mode(shown).others < sheet_mode(gone.shown).others:
        raise Refused(
            Message("character.hidden_on_return", name=name, shown=gone.shown),
            Message("character.show_as_before", shown=gone.shown),
        )


def parse_sheet(rules: Ruleset, data: Values | str) -> Character:
    """Read a character from data or text; refuse it with all its mistakes."""
    try:
        return read_character(rules, parse_text(data) if isinstance(data, str) else dict(data))
    except BadCharacter as bad:
        first, *more = bad.problems
        hint = Message("character.further_mistakes", problems=more) if more else NO_MESSAGE
        raise Refused(Message("character.does_not_fit", problem=first), hint) from None


def find_existing(known: Table, seat: str, owner: str, sheet: Character) -> TableCharacter | None:
    """Return the character of that name already at the table; refuse a seat that may not bring it."""
    gm = known.role(seat) == GM
    if known.role(seat) not in (GM, PLAYER):
        raise Refused(Message("character.seat_brings_none", seat=seat[:60]))
    if not gm and owner != seat:
        raise Refused(Message("character.only_gm_brings_for_others"))
    if not gm and sheet.kind != "pc":
        raise Refused(Message("character.only_gm_brings_npc"))
    if known.role(owner) not in (GM, PLAYER):
        raise Refused(Message("character.owner_does_not_play", name=owner[:60]))
    old = find_by_name(known, owner, sheet.name)
    if old is not None and old.kind != sheet.kind:
        raise Refused(Message("character.other_kind", name=old.id, kind=old.kind))
    return old


def find_by_name(known: Table, owner: str, name: str) -> TableCharacter | None:
    """Return the character of a seat that has this name now."""
    mine = known.characters.get(f"{owner}/{name}")
    if mine is not None and mine.name == name:
        return mine
    return next((one for one in known.characters.values() if (one.owner, one.name) == (owner, name)), None)


def new_id(known: Table, owner: str, name: str) -> str:
    """Return an id for a new character; a renamed one may still have the first that fits."""
    wanted, number = f"{owner}/{name}", 1
    while wanted in known.characters:
        number += 1
        wanted = f"{owner}/{name} ({number})"
    return wanted


# -- characters at the table


def show(transaction: Transaction, command: ShowCharacter) -> None:
    character = transaction.table.characters[command.character]
    if character.shown == command.shown:
        raise Refused(Message("character.shown_already", name=character.id, shown=character.shown))
    _set_shown(transaction, character, command.shown)


def rename(transaction: Transaction, command: RenameCharacter) -> None:
    """Give a character another name; its id, rolls and history stay."""
    character = transaction.table.characters[command.character]
    if character.name == command.name:
        raise Refused(Message("character.has_that_name", name=command.name))
    if find_by_name(transaction.known, character.owner, command.name) is not None:
        raise Refused(Message("character.name_taken", owner=character.owner, name=command.name))
    if _place_in_fight(transaction, character) is not None:
        raise Refused(Message("character.in_fight", name=character.id))
    transaction.emit(CharacterRenamed(character=character.id, name=command.name))


def picture(transaction: Transaction, command: PictureCharacter) -> None:
    character = transaction.table.characters[command.character]
    if character.picture == command.picture:
        raise Refused(Message("seat.same_picture"))
    transaction.emit(CharacterPictured(character=character.id, picture=command.picture))


def _set_shown(transaction: Transaction, character: TableCharacter, shown: str) -> None:
    """Change who sees a character; a seat that is rolling with it must go on seeing it."""
    for roll in _open_rolls_with(transaction, character, shown):
        if sheet_mode(shown).level(transaction.table.viewer(roll.roller), character.owner) < ALL:
            raise Refused(
                Message("character.is_rolling", roller=roll.roller, roll=roll.id, name=character.id)
            )
    place = _place_in_fight(transaction, character)
    now_hidden = sheet_mode(shown).others == NOTHING
    if place is not None and now_hidden and not place.hidden:
        raise Refused(Message("character.seen_in_fight", name=character.id))
    transaction.emit(CharacterShown(character=character.id, shown=shown))
    if place is not None and place.hidden and not now_hidden:
        transaction.emit(CombatantRevealed(combatant=character.id, name=character.name))


def _place_in_fight(transaction: Transaction, character: TableCharacter) -> Place | None:
    """Return the character's place in the fight, as far as the acting seat sees it."""
    fight = transaction.known.fight
    return fight.rounds.place(character.id) if fight and character.id in fight.rounds else None


def dismiss(transaction: Transaction, command: DismissCharacter) -> None:
    character = transaction.table.characters[command.character]
    for roll in _open_rolls_with(transaction, character, character.shown):
        raise Refused(Message("character.in_open_roll", name=character.id, roll=roll.id))
    if _place_in_fight(transaction, character) is not None:
        raise Refused(Message("character.in_fight", name=character.id))
    transaction.emit(CharacterDismissed(character=character.id))


def _open_rolls_with(transaction: Transaction, character: TableCharacter, shown: str) -> list[TableRoll]:
    """Return the open rolls with a character that all of its viewers see.

    Otherwise a refusal would reveal whether a hidden roll is still open.
    """
    others = max(sheet_mode(one).others for one in (character.shown, shown)) > NOTHING
    viewers = sheet_viewers(transaction.table, character, others=others)
    return [
        roll
        for roll in transaction.table.rolls.values()
        if character.id in roll.character_ids
        and not (roll.key or roll.cancelled)
        and is_visible_to(roll, viewers, ALL)
    ]
