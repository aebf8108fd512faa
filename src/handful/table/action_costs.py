"""What a deed costs in a fight, and what follows when its result is told.

A roll that not everybody sees must not be told by what it costs: its action looks like one without
a roll, it uses up no item, and nothing of it is remembered on a sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from handful.errors import Refused
from handful.table.action_context import NOTHING, RESISTANCE, fitting_answer, may_be_early
from handful.table.fight import last_of
from handful.table.fight_commands import can_interrupt, moved
from handful.table.points import seen_by, seers_of
from handful.table.state import Table, TableCharacter, TableRoll
from handful.table.transaction import Transaction
from handful.table.visibility import ALL, DECLARED, FREE, GM, sheet_mode


def spend(scene: Transaction, name: str) -> None:
    """What a roll costs in a fight: an action of whoever makes it, and of those who resist."""
    roll = scene.table.rolls[name]
    if not roll.action_context:
        return
    who, *_ = roll.character_ids
    if roll.action_context.get("item"):
        _usable(scene.table, who, roll.action_context)
    _spend(scene, roll, who)
    for one in _freed(roll):
        scene.emit("leave_used", combatant=one, leave=FREE)
    fight, says = scene.table.fight, scene.table.rules.rounds
    if fight is None or roll.action_context.get("spends", NOTHING) == NOTHING:
        return
    answers = says is not None and any(one.to == roll.asked["check"] for one in says.answers.values())
    for other, cost in _costs(roll)[1:]:
        if other in fight.rounds and cost != NOTHING:
            _resist(scene, roll, other, free=answers)


def _costs(roll: TableRoll) -> list[tuple[str, str]]:
    """Each character of a roll with what it spends; whoever opposes resists, if nothing is said."""
    said = [
        roll.action_context.get("spends", NOTHING),
        *roll.action_context.get("others_spend", "").split(","),
    ]
    return [(who, cost or RESISTANCE) for who, cost in zip_longest(roll.character_ids, said) if who]


def _freed(roll: TableRoll) -> list[str]:
    """Characters for whom a roll costs nothing because the GM granted it."""
    return (
        [who for who, cost in _costs(roll) if cost == NOTHING] if "uses_leave" in roll.action_context else []
    )


def attack_begins(scene: Transaction, name: str) -> None:
    """The first dice of a roll against somebody: they are attacked, if everybody may know it."""
    roll = scene.table.rolls[name]
    target, fight = roll.action_context.get("target", ""), scene.table.fight
    if fight is not None and target in fight.rounds:
        figure = scene.table.characters[target]
        if seen_by(roll, seers_of(scene.table, figure, others=True), DECLARED):
            scene.emit("combatant_attacked", combatant=target, roll=name)


def _spend(scene: Transaction, roll: TableRoll, who: str) -> None:
    item = roll.action_context.get("item", "")
    if item and not _known_to_all(scene.table, roll, scene.table.characters[who], DECLARED):
        item = ""  # that it cannot be used again would tell of the roll
    more = {"roll": roll.id, "item": item, "what": ""}
    match roll.action_context.get("spends"):
        case "action":
            if "actions" in roll.action_context:
                count = int(roll.action_context["actions"])
                moved(scene, "actions_fixed", who, actions=count, roll=roll.id)
            moved(scene, "action_taken", who, **more)
        case "interruption":
            if "interrupts" not in roll.action_context:
                raise Refused("which roll is interrupted? say interrupts")
            can_interrupt(scene, who, roll.action_context["interrupts"])
            moved(scene, "interrupted", who, **more, roll_of=roll.action_context["interrupts"])
        case "reaction":
            actions = int(roll.action_context["actions"]) if "actions" in roll.action_context else None
            answered = scene.table.rolls.get(roll.action_context.get("answers", ""))
            own = fitting_answer(scene.table, answered) if answered else None
            early = scene.role == GM or may_be_early(scene.table, who, own)
            moved(scene, "reacted", who, **more, actions=actions, leave=early)
        case "resistance":
            _resist(scene, roll, who)


def _resist(scene: Transaction, roll: TableRoll, who: str, *, free: bool = False) -> None:
    """Who has waited or prepares may resist; `free`: anybody who has an action left (D-35)."""
    assert scene.table.fight is not None
    place = scene.table.fight.rounds.place(who)
    if not (free or place.waiting or place.prepared):
        raise Refused(
            f"{who} has neither waited nor prepared, and does not resist",
            "the GM sets a difficulty, or grants a roll that is no action: spends nothing",
        )
    moved(scene, "reacted", who, actions=None, leave=scene.role == GM, roll=roll.id, item="", what="")


def _usable(table: Table, who: str, deed: Mapping[str, str]) -> None:
    """Refuses an item that is too hot, or was used as often as it may be (D-7, D-22)."""
    item, figure = deed["item"], table.characters[who]
    uses, hot = figure.items.get(item, (1, False))
    if hot:
        raise Refused(f"{item} of {figure.name} is out of use", "the GM says when it is not")
    used = table.fight.item_uses.get(f"{who}/{item}", 0) if table.fight else 0
    if deed.get("spends") not in (None, NOTHING) and used >= uses:
        many = "once" if uses == 1 else f"{uses} times"
        raise Refused(f"{item} can be used {many} in a round", "the GM says how often: equip")


def give_back(scene: Transaction, roll: TableRoll) -> None:
    """A roll that is not made costs no action, as long as nobody has moved since."""
    for who in reversed(roll.character_ids):
        while (fight := scene.table.fight) is not None and who in fight.rounds:
            last = last_of(fight, who)
            if last is None or last.roll != roll.id:
                break
            scene.emit("move_undone", combatant=who)
    for who in _freed(roll):
        if scene.table.fight is not None and who in scene.table.fight.rounds:
            scene.emit("leave_granted", combatant=who, leave=roll.action_context["uses_leave"])


def waits_for_the_gm(roll: TableRoll) -> bool:
    """Whether the GM tells the result: in a fight somebody may step in before (D-19)."""
    return roll.action_context.get("spends", NOTHING) != NOTHING and roll.mode.gm == ALL


def consequences(scene: Transaction, name: str) -> None:
    """What follows when a result is told: an item overheats, a try is remembered."""
    roll, says = scene.table.rolls[name], scene.table.rules.rounds
    if roll.rules(scene.table.rules) is not scene.table.rules:
        return  # begun by other rules, of which nothing follows any more
    if says is None or roll.node is None or not (roll.character_ids and roll.character_ids[0]):
        return
    figure = scene.table.characters[roll.character_ids[0]]
    if figure.gone or not _known_to_all(scene.table, roll, figure, ALL):
        return
    item, task = roll.action_context.get("item", ""), roll.action_context.get("task", "")
    if item and {*says.heat} & {*roll.node.events}:
        uses, _ = figure.items.get(item, (1, False))
        scene.emit("item_changed", character=figure.id, item=item, uses=uses, hot=True)
    if task and says.retries and roll.node.outcome is not None and not roll.hidden:
        _tried(scene, figure, task, roll.node.outcome, says.retries["result"])


def _tried(
    scene: Transaction, figure: TableCharacter, task: str, outcome: Mapping[str, Any], name: str
) -> None:
    """A failure counts, a success ends it (D-38, AMB-D16)."""
    success, result = outcome.get("success"), outcome.get(name)
    failed = figure.tasks.get(task, ())
    if success is False and isinstance(result, int):
        scene.emit("task_changed", character=figure.id, task=task, failed=[*failed, result])
    elif success and failed:
        scene.emit("task_changed", character=figure.id, task=task, failed=[])


def _known_to_all(table: Table, roll: TableRoll, figure: TableCharacter, level: int) -> bool:
    """Whether everybody who sees a sheet has seen the roll: else it would tell of it."""
    others = sheet_mode(figure.shown).others == ALL
    return seen_by(roll, seers_of(table, figure, others=others), level)


def equip(scene: Transaction, fields: dict[str, Any]) -> None:
    """The GM says how often an item may be used in a round, and whether it is out of use."""
    figure = scene.table.characters[fields["character"]]
    uses, hot = figure.items.get(fields["item"], (1, False))
    now = fields.get("uses", uses), fields.get("hot", hot)
    if not 0 <= now[0] <= 100:
        raise Refused("an item is used 0 to 100 times in a round")
    if now == figure.items.get(fields["item"]):
        raise Refused(f"{fields['item']} of {figure.name} is like that already")
    scene.emit("item_changed", character=figure.id, item=fields["item"], uses=now[0], hot=now[1])


def forget(scene: Transaction, fields: dict[str, Any]) -> None:
    """The GM lets somebody try afresh."""
    figure = scene.table.characters[fields["character"]]
    if fields["task"] not in figure.tasks:
        raise Refused(f"{figure.name} has not failed at {fields['task'][:60]!r}")
    scene.emit("task_changed", character=figure.id, task=fields["task"], failed=[])
