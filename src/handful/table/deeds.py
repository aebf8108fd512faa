"""What a roll is in the story: an action of a fight, against somebody, with an item, of a task.

A deed adds lines to a check (actions, pace, what the target brings, failed tries), spends what it
costs in a fight, and has consequences when its result is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful import rounds as kernel
from handful.errors import Refused, listed
from handful.records import changed
from handful.rules.program import Record
from handful.rules.rounds import Answer, RoundRules
from handful.rules.ruleset import Check, Ruleset
from handful.sheet import Draft, Line, allows
from handful.table.fight import last_of
from handful.table.fighting import can_interrupt, moved
from handful.table.points import seen_by, seers_of
from handful.table.scene import Scene
from handful.table.state import Figure, Roll, Table
from handful.table.visibility import ALL, DECLARED, GM, SPENDS, sheet_mode
from handful.table.visibility import NOTHING as NOBODY

ACTION, INTERRUPTION, REACTION, RESISTANCE, NOTHING = SPENDS
FIELDS = ("spends", "interrupts", "answers", "target", "item", "task")


def says_of(rules: Ruleset) -> RoundRules | None:
    return rules.sheet.rounds if rules.sheet else None


# -- before the roll


def with_deed(table: Table, known: Table, actor: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a declaration, with what an answer such as a parry fills in by itself."""
    if not any(name in fields for name in FIELDS):
        return dict(fields)
    if not (fields.get("as") and fields["as"][0]):
        raise Refused("target, item, task and spends are of a character; say with whom: as")
    if "target" in fields and fields["target"] not in known.characters:
        raise Refused(f"there is no character {fields['target'][:160]!r}")
    if "interrupts" in fields and fields["interrupts"] not in known.rolls:
        raise Refused(f"there is no roll {fields['interrupts'][:80]!r}")
    if "interrupts" in fields and fields.get("spends") != INTERRUPTION:
        raise Refused("'interrupts' goes with spends: interruption")
    if known.role(actor) != GM:
        _may_spend(fields)
    if "answers" not in fields:
        return dict(fields)
    own = _answer(table, known, fields)
    return {
        **fields,
        "check": own.check,
        "parameters": {**own.parameters, **fields.get("parameters", {})},
        "spends": fields.get("spends", REACTION),
    }


def _may_spend(fields: Mapping[str, Any]) -> None:
    """Refuses to attack or to answer for less than it costs; the GM can grant that."""
    about = next((one for one in ("answers", "target") if one in fields), "")
    right = {"answers": (REACTION,), "target": (ACTION, INTERRUPTION)}.get(about, SPENDS)
    if fields.get("spends", right[0]) not in right:
        raise Refused(f"with {about!r} it spends: {listed(right)}", "the GM can grant another")


def _answer(table: Table, known: Table, fields: Mapping[str, Any]) -> Answer:
    """The game's answer to a roll against this character (AMB-D17)."""
    roll = known.rolls.get(fields["answers"])
    says = says_of(table.rules)
    if roll is None or roll.level < ALL or not roll.asked:
        raise Refused(f"there is no roll {fields['answers'][:80]!r}")
    if roll.deed.get("target") != fields["as"][0]:
        raise Refused(f"{roll.id} is not against {fields['as'][0]}")
    if any(one.deed.get("answers") == roll.id for one in table.rolls.values() if not one.cancelled):
        raise Refused(f"{roll.id} has an answer already")
    check, given = roll.asked["check"], roll.asked["parameters"]
    found = [one for one in (says.answers.values() if says else ()) if one.to == check]
    fitting = [one for one in found if given.get(one.by) in one.when]
    if not fitting:
        right = listed(word for one in found for word in one.when)
        raise Refused(f"{roll.id} cannot be answered", right and f"it would have to be {right}")
    _is_the_moment(table, fitting[0], roll.id, fields["as"][0])
    if "task" in fields or "target" in fields:
        raise Refused(f"{fitting[0].name} is against {roll.id}: leave out target and task")
    if fields.get("check", fitting[0].check) != fitting[0].check:
        raise Refused(f"the answer is a {fitting[0].check}")
    return fitting[0]


def _is_the_moment(table: Table, answer: Answer, name: str, who: str) -> None:
    """Refuses an answer too early or too late: it comes to a hit, or in place of the Defense."""
    roll, sheet = table.rolls[name], table.characters[who].sheet
    assert sheet is not None
    if allows(table.rules, sheet, answer.before, table.options):
        if roll.is_past_dice:
            raise Refused(f"{name} is thrown already: by the house rules that is answered before")
        return
    node = roll.node
    if node is None or node.ask is not None:
        raise Refused(f"{name} is not rolled to its end yet")
    if node.outcome is not None and node.outcome.get("success") is False:
        raise Refused(f"{name} has failed: there is nothing to answer")


def with_lines(table: Table, own: Draft, fields: Mapping[str, Any]) -> tuple[Draft, list[str]]:
    """The draft with the lines of a deed, and the parameters that only the GM may know."""
    names = fields.get("as", [])
    for side, name in enumerate(names, 1):
        character = own.sides[side - 1].character
        if name and character is not None and table.fight and name in table.fight.rounds:
            place = table.fight.rounds.place(name)
            for line in kernel.brings(table.rules, own.check, place, character, table.options):
                own = _added(own, side, line)
    if "task" in fields:
        for line in _tries(table, own.check, names[0], fields["task"]):
            own = _added(own, 1, line)
    if "target" not in fields:
        return own, []
    return _against(table, own, fields)


def _added(own: Draft, side: int, line: Line) -> Draft:
    """One more line; what somebody typed wins, as it does over a sheet."""
    param = own.check.params[line.parameter]
    whole = own.check.sides is not None and param.whole
    lines = own.overall if whole else own.sides[side - 1].lines
    typed = [one for one in lines if one.parameter == line.parameter and not one.source]
    if typed:
        line = changed(line, on=False, switched_by=typed[-1].by)
    if whole:
        return changed(own, overall=(*own.overall, line))
    sides = list(own.sides)
    sides[side - 1] = changed(sides[side - 1], lines=(*lines, line))
    return changed(own, sides=tuple(sides))


def _tries(table: Table, check: Check, name: str, task: str) -> list[Line]:
    """Failed tries of the same task (D-38)."""
    says = says_of(table.rules)
    parameter = says.retries.get("parameter", "") if says else ""
    figure = table.characters.get(name)
    failed = figure.tasks.get(task, ()) if figure else ()
    if not failed or parameter not in check.params:
        return []
    title = Record(en=f"tried before: {task}", de=f"schon versucht: {task}")
    return [Line(parameter, failed, "rounds.retries", title)]


def _against(table: Table, own: Draft, fields: Mapping[str, Any]) -> tuple[Draft, list[str]]:
    """What the target brings; whoever rolls may not know its sheet, then it stays hidden."""
    figure = table.characters[fields["target"]]
    assert figure.sheet is not None
    asked = {one.parameter: one.value for one in (*own.overall, *own.sides[0].lines) if one.on}
    rounds = table.fight.rounds if table.fight else None
    lines = kernel.target_of(
        table.rules, own.check, asked, figure.sheet, rounds, figure.id, table.options
    )
    for line in lines:
        own = _added(own, 1, line)
    others, says = sheet_mode(figure.shown).others, says_of(table.rules)
    if others == ALL or says is None:
        return own, []
    on = {one.parameter for one in (*own.overall, *own.sides[0].lines) if one.on and one.source}
    hidden = [name for name in says.targets[own.check.name].values if name in on]
    if others == NOBODY:  # nobody sees its stance either, nor whether it has one
        hidden += [one for one in says.stance_parameters if one in own.check.params]
    return own, hidden


def deed_of(known: Table, fields: Mapping[str, Any], check: Check) -> dict[str, str]:
    """What `roll_declared` says of a deed; refused where the fight does not fit."""
    name = fields["as"][0] if fields.get("as") else ""
    there = known.fight is not None and name in known.fight.rounds
    if not there and "spends" in fields:
        raise Refused(f"{name or 'nobody'} is in no fight, so nothing is spent")
    own = {one: fields[one] for one in FIELDS if one in fields}
    return own | ({"spends": fields.get("spends") or _usual(known, check)} if there else {})


def _usual(known: Table, check: Check) -> str:
    """A check is an action, except those that the game leaves out, such as damage (D-25)."""
    says = says_of(known.rules)
    return NOTHING if says is None or check.name in says.free else ACTION


# -- the roll


def spend(scene: Scene, name: str) -> None:
    """What a roll costs in a fight: an action of whoever makes it, and of those who resist."""
    roll = scene.table.rolls[name]
    if not roll.deed:
        return
    who, *others = roll.who
    if roll.deed.get("item"):
        _usable(scene.table, who, roll.deed)
    _spend(scene, roll, who)
    fight, says = scene.table.fight, says_of(scene.table.rules)
    if fight is None or roll.deed.get("spends", NOTHING) == NOTHING:
        return
    answers = says is not None and any(
        one.to == roll.asked["check"] for one in says.answers.values()
    )
    for other in others:
        if other in fight.rounds:
            _resist(scene, roll, other, free=answers)


def attack_begins(scene: Scene, name: str) -> None:
    """The first dice of a roll against somebody: they are attacked, if everybody may know it."""
    roll = scene.table.rolls[name]
    target, fight = roll.deed.get("target", ""), scene.table.fight
    if fight is not None and target in fight.rounds:
        figure = scene.table.characters[target]
        if seen_by(roll, seers_of(scene.table, figure, others=True), DECLARED):
            scene.happen("combatant_attacked", combatant=target, roll=name)


def _spend(scene: Scene, roll: Roll, who: str) -> None:
    item = roll.deed.get("item", "")
    if item and not _known_to_all(scene.table, roll, scene.table.characters[who], DECLARED):
        item = ""  # that it cannot be used again would tell of the roll
    more = {"roll": roll.id, "item": item, "what": ""}
    match roll.deed.get("spends"):
        case "action":
            moved(scene, "action_taken", who, **more)
        case "interruption":
            if "interrupts" not in roll.deed:
                raise Refused("which roll is interrupted? say interrupts")
            can_interrupt(scene, roll.deed["interrupts"])
            moved(scene, "interrupted", who, **more, roll_of=roll.deed["interrupts"])
        case "reaction":
            moved(scene, "reacted", who, **more, actions=None, leave=scene.role == GM)
        case "resistance":
            _resist(scene, roll, who)


def _resist(scene: Scene, roll: Roll, who: str, *, free: bool = False) -> None:
    """Who has waited or prepares may resist; `free`: anybody who has an action left (D-35)."""
    assert scene.table.fight is not None
    place = scene.table.fight.rounds.place(who)
    if not (free or place.waiting or place.prepared):
        raise Refused(
            f"{who} has neither waited nor prepared, and does not resist",
            "the GM sets a difficulty, or grants a roll that is no action: spends nothing",
        )
    moved(
        scene, "reacted", who, actions=None, leave=scene.role == GM, roll=roll.id, item="", what=""
    )


def _usable(table: Table, who: str, deed: Mapping[str, str]) -> None:
    """Refuses an item that is too hot, or was used as often as it may be (D-7, D-22)."""
    item, figure = deed["item"], table.characters[who]
    uses, hot = figure.items.get(item, (1, False))
    if hot:
        raise Refused(f"{item} of {figure.name} is out of use", "the GM says when it is not")
    used = table.fight.used.get(f"{who}/{item}", 0) if table.fight else 0
    if deed.get("spends") not in (None, NOTHING) and used >= uses:
        many = "once" if uses == 1 else f"{uses} times"
        raise Refused(f"{item} can be used {many} in a round", "the GM says how often: equip")


def give_back(scene: Scene, roll: Roll) -> None:
    """A roll that is not made costs no action, as long as nobody has moved since."""
    for who in reversed(roll.who):
        fight = scene.table.fight
        if fight is None or who not in fight.rounds:
            continue
        last = last_of(fight, who)
        if last is not None and last.roll == roll.id:
            scene.happen("move_undone", combatant=who)


def waits_for_the_gm(roll: Roll) -> bool:
    """Whether the GM tells the result: in a fight somebody may step in before (D-19)."""
    return roll.deed.get("spends", NOTHING) != NOTHING and roll.mode.gm == ALL


def consequences(scene: Scene, name: str) -> None:
    """What follows when a result is told: an item overheats, a try is remembered."""
    roll, says = scene.table.rolls[name], says_of(scene.table.rules)
    if says is None or roll.node is None or not (roll.who and roll.who[0]):
        return
    figure = scene.table.characters[roll.who[0]]
    if figure.gone or not _known_to_all(scene.table, roll, figure, ALL):
        return
    item, task = roll.deed.get("item", ""), roll.deed.get("task", "")
    if item and {*says.heat} & {*roll.node.events}:
        uses, _ = figure.items.get(item, (1, False))
        scene.happen("item_changed", character=figure.id, item=item, uses=uses, hot=True)
    if task and says.retries and roll.node.outcome is not None and not roll.hidden:
        _tried(scene, figure, task, roll.node.outcome, says.retries["result"])


def _tried(scene: Scene, figure: Figure, task: str, outcome: Mapping[str, Any], name: str) -> None:
    """A failure counts, a success ends it (D-38, AMB-D16)."""
    success, result = outcome.get("success"), outcome.get(name)
    failed = figure.tasks.get(task, ())
    if success is False and isinstance(result, int):
        scene.happen("task_changed", character=figure.id, task=task, failed=[*failed, result])
    elif success and failed:
        scene.happen("task_changed", character=figure.id, task=task, failed=[])


def _known_to_all(table: Table, roll: Roll, figure: Figure, level: int) -> bool:
    """Whether everybody who sees a sheet has seen the roll: else it would tell of it."""
    others = sheet_mode(figure.shown).others == ALL
    return seen_by(roll, seers_of(table, figure, others=others), level)


def equip(scene: Scene, fields: dict[str, Any]) -> None:
    """The GM says how often an item may be used in a round, and whether it is out of use."""
    figure = scene.table.characters[fields["character"]]
    uses, hot = figure.items.get(fields["item"], (1, False))
    now = fields.get("uses", uses), fields.get("hot", hot)
    if not 0 <= now[0] <= 100:
        raise Refused("an item is used 0 to 100 times in a round")
    if now == figure.items.get(fields["item"]):
        raise Refused(f"{fields['item']} of {figure.name} is like that already")
    scene.happen("item_changed", character=figure.id, item=fields["item"], uses=now[0], hot=now[1])


def forget(scene: Scene, fields: dict[str, Any]) -> None:
    """The GM lets somebody try afresh."""
    figure = scene.table.characters[fields["character"]]
    if fields["task"] not in figure.tasks:
        raise Refused(f"{figure.name} has not failed at {fields['task'][:60]!r}")
    scene.happen("task_changed", character=figure.id, task=fields["task"], failed=[])
