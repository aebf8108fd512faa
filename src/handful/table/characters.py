"""Characters at the table: who brings them, who sees them, and when they go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import BadCharacter, Refused
from handful.rounds import Place
from handful.rules.ruleset import Ruleset
from handful.rules.sheet_rules import Sheet
from handful.sheet import Character, canonical_data, parse_text, read_character
from handful.table.events import digest
from handful.table.points import seen_by, seers_of
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.transaction import Transaction
from handful.table.visibility import ALL, GM, NOTHING, PLAYER, sheet_mode

MOST = 200  # characters of one seat
USUAL = {"pc": "own", "npc": "hidden"}  # who sees them, if nobody says so


def sheet_of(rules: Ruleset) -> Sheet:
    """What the game says about characters; refused where it says nothing."""
    if rules.sheet is None:
        raise Refused(f"{rules.id} describes no sheet, so it has no characters")
    return rules.sheet


def data_of(rules: Ruleset, sheet: Character) -> dict[str, Any]:
    return canonical_data(sheet_of(rules), sheet)


def mark_of(rules: Ruleset, sheet: Character) -> str:
    """A short mark of a sheet as it is now, for `replaces`."""
    return digest(data_of(rules, sheet))[:16]


# -- bringing


def bring(scene: Transaction, fields: dict[str, Any]) -> None:
    """Somebody sits down with a character, or brings a newer sheet of it."""
    rules, owner = scene.table.rules, fields.get("for", scene.actor)
    sheet = readable(rules, fields["sheet"])
    old = brought_before(scene.known, scene.actor, owner, sheet)
    name, data = f"{owner}/{sheet.name}", data_of(rules, sheet)
    if old is None:
        if "replaces" in fields:
            raise Refused(f"there is no character {name!r} here that could be replaced")
        if sum(one.owner == owner for one in scene.known.characters.values()) >= MOST:
            raise Refused(f"{owner} has {MOST} characters here; dismiss one before")
        shown = fields.get("shown", USUAL[sheet.kind])
        _may_come_back(scene.table, name, shown)
        scene.emit(
            "character_brought",
            character=name,
            owner=owner,
            name=sheet.name,
            kind=sheet.kind,
            shown=shown,
            sheet=data,
        )
        return
    assert old.sheet is not None
    now = mark_of(rules, old.sheet)
    if fields.get("replaces") != now:
        since = "has changed since" if "replaces" in fields else "is here already"
        raise Refused(
            f"{name} {since}; look at what would change and give replaces: {now!r}",
            "`preview` shows it",
        )
    if mark_of(rules, sheet) != now:
        scene.emit("character_updated", character=name, sheet=data)
    if fields.get("shown", old.shown) != old.shown:
        _show(scene, old, fields["shown"])
    if not scene.events:
        raise Refused(f"{name} is here with this very sheet; nothing would change")


def _may_come_back(table: Table, name: str, shown: str) -> None:
    """Refuses somebody of a known name whom others would see less of than before.

    Rolls that were made under that name would change before their eyes, and tell of it.
    """
    gone = table.characters.get(name)
    if gone is not None and sheet_mode(shown).others < sheet_mode(gone.shown).others:
        raise Refused(
            f"{name} was here as {gone.shown}, and others would notice",
            f"bring it with shown: {gone.shown!r}, or take another name",
        )


def readable(rules: Ruleset, data: Mapping[str, Any] | str) -> Character:
    """The character of some data, or of a text; refused with every mistake."""
    try:
        return read_character(rules, parse_text(data) if isinstance(data, str) else dict(data))
    except BadCharacter as bad:
        first, *more = bad.mistakes
        raise Refused(f"the sheet does not fit: {first}", "\n".join(more)) from None


def brought_before(known: Table, seat: str, owner: str, sheet: Character) -> TableCharacter | None:
    """The same character as it is here already; refused where the seat may not bring it."""
    gm = known.role(seat) == GM
    if known.role(seat) not in (GM, PLAYER):
        raise Refused(f"{seat[:60]!r} brings nobody to this table")
    if not gm and owner != seat:
        raise Refused("only the GM brings a character for somebody else")
    if not gm and sheet.kind != "pc":
        raise Refused("only the GM brings a non-player character; yours has the kind pc")
    if known.role(owner) not in (GM, PLAYER):
        raise Refused(f"{owner[:60]!r} is nobody who plays here")
    old = known.characters.get(f"{owner}/{sheet.name}")
    if old is not None and old.kind != sheet.kind:
        raise Refused(f"{old.id} is of the kind {old.kind}; dismiss it before, or take another name")
    return old


# -- what is done with a character that is here


def show(scene: Transaction, fields: dict[str, Any]) -> None:
    own = scene.table.characters[fields["character"]]
    if own.shown == fields["shown"]:
        raise Refused(f"{own.id} is {own.shown} already")
    _show(scene, own, fields["shown"])


def _show(scene: Transaction, own: TableCharacter, shown: str) -> None:
    """From now on others see it; who rolls with it must go on seeing it."""
    for roll in _open_with(scene, own, shown):
        role = scene.table.role(roll.roller)
        if sheet_mode(shown).level(gm=role == GM, roller=roll.roller == own.owner) < ALL:
            raise Refused(f"{roll.roller} is rolling {roll.id} with {own.id}; wait until it is over")
    place = _place(scene, own)
    now_hidden = sheet_mode(shown).others == NOTHING
    if place is not None and now_hidden and not place.hidden:
        raise Refused(f"{own.id} is seen in the fight; take it out before")
    scene.emit("character_shown", character=own.id, shown=shown)
    if place is not None and place.hidden and not now_hidden:
        scene.emit("combatant_revealed", combatant=own.id, name=own.name)


def _place(scene: Transaction, own: TableCharacter) -> Place | None:
    """The place of a character in the fight, as far as whoever acts knows of it."""
    fight = scene.known.fight
    return fight.rounds.place(own.id) if fight and own.id in fight.rounds else None


def dismiss(scene: Transaction, fields: dict[str, Any]) -> None:
    own = scene.table.characters[fields["character"]]
    for roll in _open_with(scene, own, own.shown):
        raise Refused(f"{own.id} is part of {roll.id}, which is not over yet")
    if _place(scene, own) is not None:
        raise Refused(f"{own.id} is in the fight; take it out before")
    scene.emit("character_dismissed", character=own.id)


def _open_with(scene: Transaction, own: TableCharacter, shown: str) -> list[TableRoll]:
    """Rolls with a character that are not over, and that everybody sees who would notice.

    Whether a character can go must not tell whether a hidden roll is over.
    """
    noticed = max(sheet_mode(one).others for one in (own.shown, shown)) > NOTHING
    seers = seers_of(scene.table, own, others=noticed)
    return [
        roll
        for roll in scene.table.rolls.values()
        if own.id in roll.character_ids and not (roll.key or roll.cancelled) and seen_by(roll, seers, ALL)
    ]
