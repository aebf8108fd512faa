"""What a roll is in the story: an action of a fight, against somebody, with an item, of a task.

A deed adds lines to a check: actions, pace, what the target brings, failed tries.
What it costs, and what follows from it, is `spending`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from handful import rounds as kernel
from handful.errors import Refused, listed
from handful.records import changed
from handful.rules.program import Record
from handful.rules.rounds import Answer
from handful.rules.ruleset import Check
from handful.sheet import Draft, Line, allows
from handful.table.state import Roll, Table
from handful.table.visibility import ALL, GM, SPENDS, sheet_mode
from handful.table.visibility import NOTHING as NOBODY

ACTION, INTERRUPTION, REACTION, RESISTANCE, NOTHING = SPENDS
FIELDS = ("spends", "interrupts", "answers", "target", "item", "task")


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
    if roll is None or roll.level < ALL or not roll.asked:
        raise Refused(f"there is no roll {fields['answers'][:80]!r}")
    if roll.id in answered_by(known.rolls.values()):
        raise Refused(f"{roll.id} has an answer already")
    own = answer_to(table, roll, fields["as"][0])
    if "task" in fields or "target" in fields:
        raise Refused(f"{own.name} is against {roll.id}: leave out target and task")
    if fields.get("check", own.check) != own.check:
        raise Refused(f"the answer is a {own.check}")
    return own


def answered_by(rolls: Iterable[Roll]) -> set[str]:
    """The rolls that are answered by these: by those that a seat knows, never by hidden ones."""
    return {one.deed.get("answers", "") for one in rolls if not one.cancelled}


def answer_to(table: Table, roll: Roll, who: str) -> Answer:
    """How somebody may answer a roll now, as it is known; refused where they may not."""
    says = table.rules.rounds
    if roll.deed.get("target") != who:
        raise Refused(f"{roll.id} is not against {who}")
    check, given = roll.asked["check"], roll.asked["parameters"]
    found = [one for one in (says.answers.values() if says else ()) if one.to == check]
    fitting = [one for one in found if given.get(one.by) in one.when]
    if not fitting:
        right = listed(word for one in found for word in one.when)
        raise Refused(f"{roll.id} cannot be answered", right and f"it would have to be {right}")
    _is_the_moment(table, fitting[0], roll.id, who)
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
    says = table.rules.rounds
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
    others, says = sheet_mode(figure.shown).others, table.rules.rounds
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
    says = known.rules.rounds
    return NOTHING if says is None or check.name in says.free else ACTION
