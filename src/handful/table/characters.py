"""Characters at the table: who brings them, who sees them, and what becomes of their points.

What a roll costs follows from the roll as it stands (`cost`); `balance` compares that with what it
has paid.  So a point is spent once, however often something is repeated, and comes back when the
decision is taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import BadCharacter, Refused
from handful.rules.ruleset import Ruleset
from handful.rules.sheets import Sheet
from handful.sheet import (
    Character,
    adjusted,
    canonical_data,
    changes,
    follows,
    paid,
    read,
    spent_by,
    used,
)
from handful.table.events import digest
from handful.table.knowing import as_known
from handful.table.scene import Scene
from handful.table.state import Figure, Roll, Table
from handful.table.visibility import ALL, DECLARED, GM, PLAYER, WATCHER, sheet_mode

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


def bring(scene: Scene, fields: dict[str, Any]) -> None:
    """Somebody sits down with a character, or brings a newer sheet of it."""
    rules, owner = scene.table.rules, fields.get("for", scene.actor)
    sheet = _readable(rules, fields["sheet"])
    old = _own(scene.known, scene.actor, owner, sheet)
    name, data = f"{owner}/{sheet.name}", data_of(rules, sheet)
    if old is None:
        if "replaces" in fields:
            raise Refused(f"there is no character {name!r} here that could be replaced")
        if sum(one.owner == owner for one in scene.known.characters.values()) >= MOST:
            raise Refused(f"{owner} has {MOST} characters here; dismiss one before")
        scene.happen(
            "character_brought", character=name, owner=owner, name=sheet.name, kind=sheet.kind,
            shown=fields.get("shown", USUAL[sheet.kind]), sheet=data,
        )  # fmt: skip
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
        scene.happen("character_updated", character=name, sheet=data)
    if fields.get("shown", old.shown) != old.shown:
        _show(scene, old, fields["shown"])
    if not scene.events:
        raise Refused(f"{name} is here with this very sheet; nothing would change")


def preview(
    table: Table, seat: str, sheet: Mapping[str, Any], owner: str | None = None
) -> dict[str, Any]:
    """What `bring` would change, as plain data; refused where that would be."""
    known = as_known(table, seat)
    owner = seat if owner is None else owner
    new = _readable(table.rules, dict(sheet))
    old = _own(known, seat, owner, new)
    found: dict[str, Any] = {"character": f"{owner}/{new.name}", "new": old is None, "changes": []}
    if old is not None and old.sheet is not None:
        found["replaces"] = mark_of(table.rules, old.sheet)
        found["changes"] = [
            one.to_dict() | {"says": str(one)} for one in changes(table.rules, old.sheet, new)
        ]
    return found


def _readable(rules: Ruleset, data: dict[str, Any]) -> Character:
    try:
        return read(rules, data)
    except BadCharacter as bad:
        first, *more = bad.mistakes
        raise Refused(f"the sheet does not fit: {first}", "\n".join(more)) from None


def _own(known: Table, seat: str, owner: str, sheet: Character) -> Figure | None:
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
        raise Refused(
            f"{old.id} is of the kind {old.kind}; dismiss it before, or take another name"
        )
    return old


# -- what is done with a character that is here


def show(scene: Scene, fields: dict[str, Any]) -> None:
    own = scene.table.characters[fields["character"]]
    if own.shown == fields["shown"]:
        raise Refused(f"{own.id} is {own.shown} already")
    _show(scene, own, fields["shown"])


def _show(scene: Scene, own: Figure, shown: str) -> None:
    """From now on others see it; who rolls with it must go on seeing it."""
    for roll in _open_with(scene, own):
        role = scene.table.role(roll.roller)
        if sheet_mode(shown).level(gm=role == GM, roller=roll.roller == own.owner) < ALL:
            raise Refused(
                f"{roll.roller} is rolling {roll.id} with {own.id}; wait until it is over"
            )
    scene.happen("character_shown", character=own.id, shown=shown)


def dismiss(scene: Scene, fields: dict[str, Any]) -> None:
    own = scene.table.characters[fields["character"]]
    for roll in _open_with(scene, own):
        raise Refused(f"{own.id} is part of {roll.id}, which is not over yet")
    scene.happen("character_dismissed", character=own.id)


def _open_with(scene: Scene, own: Figure) -> list[Roll]:
    """Rolls with a character that are not over, as far as whoever acts sees them.

    What others roll in secret must not show here; it costs no points either (see `balance`).
    """
    return [
        roll
        for roll in scene.table.rolls.values()
        if own.id in roll.who and not roll.key and roll.level_for(scene.actor, scene.role) == ALL
    ]


def adjust(scene: Scene, fields: dict[str, Any]) -> None:
    """The GM moves points: wounds, healing, rewards."""
    own = _whole(scene, fields["character"])
    table = scene.table
    _points(scene, own, adjusted(table.rules, own, fields["resources"], table.options), fields)


def use(scene: Scene, fields: dict[str, Any]) -> None:
    """One point buys what the game offers for it."""
    own = _whole(scene, fields["character"])
    table = scene.table
    after = used(table.rules, own, fields["resource"], fields["use"], table.options)
    _points(scene, own, after, fields)


def _whole(scene: Scene, name: str) -> Character:
    sheet = scene.table.characters[name].sheet
    assert sheet is not None
    return sheet


def _points(scene: Scene, old: Character, new: Character, fields: dict[str, Any]) -> None:
    now = {name: new.resources[name] for name in new.resources}
    moved = {name: now[name] - old.resources[name] for name in now}
    moved = {name: by for name, by in moved.items() if by}
    if not moved:
        raise Refused(f"no point of {old.name} would change")
    scene.happen(
        "points_changed", character=fields["character"], changes=moved,
        now={name: now[name] for name in moved}, use=fields.get("use", ""),
        words=fields.get("words", ""),
    )  # fmt: skip


# -- what rolls cost


def cost(rules: Ruleset, roll: Roll) -> dict[str, dict[str, int]]:
    """What a roll as it stands costs: character -> resource -> how many.

    Parameters and answers of a side are paid by its character.  What was taken over from other
    rolls has been paid there.
    """
    found: dict[str, dict[str, int]] = {}
    if not any(roll.who) or roll.bound is None or roll.node is None:
        return found

    def pay(side: int, chosen: Mapping[str, Any]) -> None:
        name = roll.who[max(side, 1) - 1]
        for resource, count in spent_by(rules, chosen).items() if name else ():
            own = found.setdefault(name, {})
            own[resource] = own.get(resource, 0) + count

    if not roll.parts:
        args = roll.bound.args
        for side, chosen in enumerate(args.get("sides", (args,)), 1):
            pay(side, chosen)
    taken = sum(not one.thrown for one in roll.given[: roll.begun])
    for one in roll.node.trace.decisions[taken:]:
        pay(one.side, {one.decision: one.answer})
    return found


def balance(scene: Scene, name: str, *, over: bool = False) -> None:
    """Pay what a roll costs now, or give back what it has paid too much; `over`: all of it."""
    roll = scene.table.rolls[name]
    due = {} if over else cost(scene.table.rules, roll)
    for character in {**due, **roll.paid}:
        own, before = due.get(character, {}), roll.paid.get(character, {})
        moved = {one: own.get(one, 0) - before.get(one, 0) for one in {**own, **before}}
        moved = {resource: count for resource, count in moved.items() if count}
        figure = scene.table.characters[character]
        if moved and not figure.gone:
            _settle(scene, roll, figure, moved)


def _settle(scene: Scene, roll: Roll, figure: Figure, moved: Mapping[str, int]) -> None:
    rules, options, sheet = scene.table.rules, scene.table.options, figure.sheet
    assert sheet is not None
    if _would_tell(scene.table, roll, figure, moved):
        raise Refused(
            f"a point that {figure.name} spends shows that something was rolled, and not everybody "
            "who sees those points sees this roll",
            "roll it in the open, or spend nothing",
        )
    less = {resource: count for resource, count in moved.items() if count > 0}
    now = dict(paid(rules, sheet, less, options).resources)
    ranges = follows(rules, sheet, options).ranges
    for resource, count in moved.items():
        if count < 0:  # as far as there is room by now
            now[resource] = max(now[resource], min(ranges[resource].most, now[resource] - count))
    scene.happen(
        "points_spent", roll=roll.id, character=figure.id, changes=dict(moved),
        now={resource: now[resource] for resource in moved},
    )  # fmt: skip


def _would_tell(table: Table, roll: Roll, figure: Figure, moved: Mapping[str, int]) -> bool:
    """Whether points would tell somebody of a roll, or of a parameter, that is hidden from them.

    Asked of everybody who could sit here, by the modes alone: who sits down later reads the log,
    and to whom a roll was revealed is not known to all.
    """
    sheet = sheet_of(table.rules)
    seers = [("", GM), (figure.owner, table.role(figure.owner))]
    if sheet_mode(figure.shown).others == ALL:
        seers.append(("", WATCHER))
    needed = ALL if roll.given else DECLARED
    if any(roll.level_by_mode(seat, role) < needed for seat, role in seers):
        return True
    hidden = any(name in sheet.resources[one].spent for one in moved for name in roll.hidden)
    return hidden and any(role != GM for _, role in seers)
