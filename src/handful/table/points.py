"""What becomes of points: the GM moves them, characters use them, and rolls cost some.

What a roll costs follows from the roll as it stands (`cost`); `balance` compares that with what it
has paid.  So a point is spent once, however often something is repeated, and comes back when the
decision is taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import Refused
from handful.rules.ruleset import Ruleset
from handful.sheet import Character, adjusted, derive, paid, spent_by, used
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.transaction import Transaction
from handful.table.visibility import ALL, DECLARED, GM, WATCHER, sheet_mode


def adjust(scene: Transaction, fields: dict[str, Any]) -> None:
    """The GM moves points: wounds, healing, rewards."""
    own = _whole(scene, fields["character"])
    table = scene.table
    _points(scene, own, adjusted(table.rules, own, fields["resources"], table.options), fields)


def use(scene: Transaction, fields: dict[str, Any]) -> None:
    """One point buys what the game offers for it."""
    own = _whole(scene, fields["character"])
    table = scene.table
    after = used(table.rules, own, fields["resource"], fields["use"], table.options)
    _points(scene, own, after, fields)


def harm(scene: Transaction, fields: dict[str, Any]) -> None:
    """Damage less what resists it, each a roll or a number, is taken from the character."""
    own, table = _whole(scene, fields["character"]), scene.table
    says = table.rules.rounds
    if says is None or not says.harm:
        raise Refused(f"{table.rules.id} does not say what damage takes away; adjust points")
    damage, resisted = (_amount(scene, fields.get(name, 0)) for name in ("damage", "resist"))
    if damage <= resisted:
        raise Refused(f"nothing gets through: {damage} against {resisted}")
    rolls = [one for name in ("damage", "resist") if isinstance(one := fields.get(name), str)]
    after = adjusted(table.rules, own, {says.harm: resisted - damage}, table.options)
    _points(scene, own, after, {**fields, "rolls": rolls})
    if table.fight is not None and fields["character"] in table.fight.rounds:
        scene.emit("combatant_attacked", combatant=fields["character"])


def _amount(scene: Transaction, value: int | str) -> int:
    """A number, or what a finalised roll has come to."""
    if isinstance(value, int):
        return value
    roll = scene.known.rolls.get(value)
    if roll is None or not roll.key or roll.node is None or roll.node.outcome is None:
        raise Refused(f"there is no finalised roll {value[:80]!r}")
    assert roll.bound is not None
    found = roll.node.outcome.get(roll.bound.check.main)
    if not isinstance(found, int):
        raise Refused(f"{value} has come to nothing that could be counted")
    return found


def undo(scene: Transaction, fields: dict[str, Any]) -> None:
    """Takes back the last change of points, if no dice of that character followed."""
    figure = scene.table.characters[fields["character"]]
    own = _whole(scene, fields["character"])
    if not figure.last_change:
        raise Refused(f"there is no change of points of {figure.name} to take back")
    back = {name: -count for name, count in figure.last_change.items()}
    after = adjusted(scene.table.rules, own, back, scene.table.options)
    _points(scene, own, after, {**fields, "undone": True})


def _whole(scene: Transaction, name: str) -> Character:
    sheet = scene.table.characters[name].sheet
    assert sheet is not None
    return sheet


def _points(scene: Transaction, old: Character, new: Character, fields: dict[str, Any]) -> None:
    now = {name: new.resources[name] for name in new.resources}
    moved = {name: now[name] - old.resources[name] for name in now}
    moved = {name: by for name, by in moved.items() if by}
    if not moved:
        raise Refused(f"no point of {old.name} would change")
    scene.emit(
        "points_changed",
        character=fields["character"],
        changes=moved,
        now={name: now[name] for name in moved},
        use=fields.get("use", ""),
        words=fields.get("words", ""),
        **{n: fields[n] for n in ("rolls", "undone") if n in fields},
    )


# -- what rolls cost


def cost(rules: Ruleset, roll: TableRoll) -> dict[str, dict[str, int]]:
    """What a roll as it stands costs: character -> resource -> how many.

    Parameters and answers of a side are paid by its character.  What was taken over from other
    rolls has been paid there.
    """
    found: dict[str, dict[str, int]] = {}
    if not any(roll.character_ids) or roll.bound is None or roll.node is None:
        return found

    def pay(side: int, chosen: Mapping[str, Any]) -> None:
        name = roll.character_ids[max(side, 1) - 1]
        for resource, count in spent_by(rules, chosen).items() if name else ():
            own = found.setdefault(name, {})
            own[resource] = own.get(resource, 0) + count

    if not roll.components:
        args = roll.bound.args
        for side, chosen in enumerate(args.get("sides", (args,)), 1):
            pay(side, chosen)
    taken = sum(not one.thrown for one in roll.replies[: roll.inherited_count])
    for one in roll.node.trace.decisions[taken:]:
        pay(one.side, {one.decision: one.answer})
    return found


def balance(scene: Transaction, name: str, *, over: bool = False) -> None:
    """Pay what a roll costs now, or give back what it has paid too much; `over`: all of it."""
    roll = scene.table.rolls[name]
    if roll.rules(scene.table.rules) is not scene.table.rules:
        return  # what it spent stays spent: the sheets follow other rules by now
    due = {} if over else cost(scene.table.rules, roll)
    for character in {**due, **roll.paid}:
        own, before = due.get(character, {}), roll.paid.get(character, {})
        moved = {one: own.get(one, 0) - before.get(one, 0) for one in {**own, **before}}
        moved = {resource: count for resource, count in moved.items() if count}
        figure = scene.table.characters[character]
        if figure.gone:  # nobody is there to take points back
            moved = {resource: count for resource, count in moved.items() if count > 0}
        if moved:
            _settle(scene, roll, figure, moved)


def _settle(scene: Transaction, roll: TableRoll, figure: TableCharacter, moved: Mapping[str, int]) -> None:
    rules, options, sheet = scene.table.rules, scene.table.options, figure.sheet
    assert sheet is not None
    if figure.gone or figure.level_for(scene.actor, scene.role) < ALL:
        raise Refused(f"{scene.actor} cannot spend points of a character that is not theirs to see")
    if _would_tell(scene.table, roll, figure, moved):
        raise Refused(
            f"a point that {figure.name} spends shows that something was rolled, and not everybody "
            "who sees those points sees this roll",
            "roll it in the open (the GM: in the mode gm), or spend nothing",
        )
    less = {resource: count for resource, count in moved.items() if count > 0}
    now = dict(paid(rules, sheet, less, options).resources)
    ranges = derive(rules, sheet, options).ranges
    for resource, count in moved.items():
        if count < 0:  # as far as there is room by now
            now[resource] = max(now[resource], min(ranges[resource].most, now[resource] - count))
    scene.emit(
        "points_spent",
        roll=roll.id,
        character=figure.id,
        changes=dict(moved),
        now={resource: now[resource] for resource in moved},
    )


def _would_tell(table: Table, roll: TableRoll, figure: TableCharacter, moved: Mapping[str, int]) -> bool:
    """Whether points would tell somebody of a roll, or of a parameter, that is hidden from them."""
    sheet = table.rules.sheet
    assert sheet is not None
    seers = seers_of(table, figure, others=sheet_mode(figure.shown).others == ALL)
    if not seen_by(roll, seers, ALL if roll.is_past_dice else DECLARED):
        return True
    hidden = any(name in sheet.resources[one].spent for one in moved for name in roll.hidden)
    return hidden and any(role != GM for _, role in seers)


def seers_of(table: Table, figure: TableCharacter, *, others: bool) -> list[tuple[str, str]]:
    """Who hears of a character, as seat and role: by the modes alone.

    Who sits down later reads the log, and to whom a roll was revealed is not known to all.
    """
    own = [("", GM), (figure.owner, table.role(figure.owner))]
    return [*own, ("", WATCHER)] if others else own


def seen_by(roll: TableRoll, seers: list[tuple[str, str]], level: int) -> bool:
    return all(roll.level_by_mode(seat, role) >= level for seat, role in seers)
