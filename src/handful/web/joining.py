"""Joining a table by an open invitation: what a newcomer is told, and how they sit down.

A newcomer is told what every watcher sees.  A ready character is a player character of a GM that
everybody sees: whoever joins may take it.  Everything is done by ordinary commands, those about the
seat and the taken character in the GM's name, who sent the invitation.
"""

from __future__ import annotations

from contextlib import suppress
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from handful import table as tables
from handful.errors import Message, Refused
from handful.records import record
from handful.table import GM, PLAYER, SPECTATOR, Command, Table
from handful.web import games
from handful.web.faults import Fault
from handful.web.open_table import TableFacts

if TYPE_CHECKING:
    from handful.web.rooms import Room


@record()
class Newcomer:
    """A person who joins: their name and role, and for players a colour and a character."""

    name: str
    role: str
    colour: str = ""
    character: str = ""  # the id of a ready character
    sample: str = ""  # the name of a sample character of the game
    language: str = "en"


def describe_invitation(table: Table, role: str, language: str) -> dict[str, Any]:
    """Describe a table to somebody who holds an open invitation."""
    known = tables.known_to(table, SPECTATOR)
    present = [name for name in known.seats if name not in known.left_seats]
    plays = role == PLAYER
    played = {one.name for one in known.characters.values()}
    samples = games.sample_characters(known.rules, language) if plays else []
    return {
        "table": known.id,
        "game": {"id": known.rules.id, "title": dict(known.rules.title)},
        "role": role,
        "gms": [name for name in present if known.role(name) == GM],
        "players": [name for name in present if known.role(name) == PLAYER],
        "colours": dict(known.colours),
        "characters": [
            {"character": one.id, "name": one.name} for one in (ready_characters(known) if plays else ())
        ],
        "samples": [one["name"] for one in samples if one["kind"] == "pc" and one["name"] not in played],
        "creates": plays and known.rules.sheet is not None,
    }


def ready_characters(known: Table) -> list[tables.TableCharacter]:
    """Return the characters that a newcomer may take."""
    fighting = {place.who for place in known.fight.rounds.places} if known.fight else set()
    return [
        one
        for one in known.characters.values()
        if one.kind == "pc" and known.role(one.owner) == GM and one.id not in fighting
    ]


async def sit_down(room: Room, newcomer: Newcomer, most: int) -> None:
    """Give a newcomer a seat, with colour and character; a refusal leaves no seat behind."""
    table = room.facts
    if newcomer.name in table.seats:
        raise Refused(Message("server.seat_taken", name=newcomer.name), Message("advice.take_another_name"))
    if len(table.seats) >= most:
        raise Fault(429, "too_many", Message("server.table_full", seats=most), Message("server.ask_the_gm"))
    asked = {"role": newcomer.role, "character": newcomer.character, "sample": newcomer.sample}
    sheet = await room.ask("chosen_sheet", name=newcomer.name, language=newcomer.language, **asked)
    seat = {"name": newcomer.name, "role": newcomer.role}
    await _submit(room, _gm_of(table), "seat", seat)
    # the seat is there: what fails from now on can be done again at the table
    with suppress(Refused):
        if newcomer.colour and newcomer.role == PLAYER:
            await _submit(room, newcomer.name, "style", {"colour": newcomer.colour})
    with suppress(Refused):
        if newcomer.character:
            await _hand_over(room, newcomer)
        elif sheet is not None:
            await _submit(room, newcomer.name, "bring", {"sheet": sheet})


def _gm_of(table: TableFacts) -> str:
    return next(one for one, role in table.seats.items() if role == GM and one not in table.left_seats)


def chosen_sheet(table: Table, newcomer: Newcomer) -> dict[str, Any] | None:
    """Return the sheet of the chosen sample; refuse a choice that is not there (any more)."""
    if newcomer.role != PLAYER and (newcomer.character or newcomer.sample):
        raise Refused(Message("character.seat_brings_none", seat=newcomer.name))
    ready = [one.id for one in ready_characters(tables.known_to(table, SPECTATOR))]
    if newcomer.character and newcomer.character not in ready:
        raise Refused(Message("server.character_taken"), Message("server.take_another_character"))
    if not newcomer.sample:
        return None
    samples = games.sample_characters(table.rules, newcomer.language)
    for sheet in samples:
        if sheet["name"] == newcomer.sample and sheet["kind"] == "pc":
            return sheet
    raise Refused(Message("server.no_such_sample"), Message("server.take_another_character"))


async def _hand_over(room: Room, newcomer: Newcomer) -> None:
    """Give a GM's character to a newcomer, as it is now; the GM no longer has it.

    If somebody else was faster, or it is part of an open roll, it stays where it is.
    """
    gm, old = _gm_of(room.facts), await room.ask("handed_over", character=newcomer.character)
    if old is None:
        return
    data = {"sheet": old["sheet"], "for": newcomer.name, "shown": old["shown"]}
    await _submit(room, gm, "bring", data)
    try:
        await _submit(room, gm, "dismiss", {"character": newcomer.character})
    except Refused:
        await _submit(room, gm, "dismiss", {"character": f"{newcomer.name}/{old['name']}"})
        raise


async def _submit(room: Room, seat: str, do: str, data: dict[str, Any]) -> None:
    await room.submit(seat, Command(do, f"invited {token_hex(8)}", data))
