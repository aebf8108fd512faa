"""What a roll is in the story: an action of a fight, against somebody, with an item, of a task.

A deed adds lines to a check: actions, pace, what the target brings, failed tries.
What it costs, and what follows from it, is `spending`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from handful import rounds as kernel
from handful.errors import Refused, format_choices
from handful.records import replace
from handful.rounds import Place
from handful.rules.params import match_name
from handful.rules.program import Record
from handful.rules.round_rules import AnswerRule
from handful.rules.ruleset import Check
from handful.sheet import Draft, Line, formula_holds
from handful.table.state import Table, TableRoll
from handful.table.visibility import ACTION_COSTS, ALL, EARLY, FREE, GM, sheet_mode
from handful.table.visibility import NOTHING as NOBODY

ACTION, INTERRUPTION, REACTION, RESISTANCE, NOTHING = ACTION_COSTS
ACTION_FIELDS = ("spends", "interrupts", "answers", "target", "item", "task", "actions")


# -- before the roll


def resolve_action_fields(
    table: Table, projected: Table, actor: str, fields: Mapping[str, Any]
) -> dict[str, Any]:
    """The fields of a declaration, with what an answer such as a parry fills in by itself."""
    _require_character(projected, actor, fields)
    fields = _with_action_count(projected, fields)
    if not any(name in fields for name in ACTION_FIELDS):
        return dict(fields)
    if not (fields.get("as") and fields["as"][0]):
        raise Refused("target, item, task and spends are of a character; say with whom: as")
    if "target" in fields and fields["target"] not in projected.characters:
        raise Refused(f"there is no character {fields['target'][:160]!r}")
    if "interrupts" in fields and fields["interrupts"] not in projected.rolls:
        raise Refused(f"there is no roll {fields['interrupts'][:80]!r}")
    if "interrupts" in fields and fields.get("spends") != INTERRUPTION:
        raise Refused("'interrupts' goes with spends: interruption")
    if projected.role(actor) != GM:
        _check_cost(projected, fields)
    if "answers" not in fields:
        return dict(fields)
    own = _resolve_answer(table, projected, fields)
    return {
        **fields,
        "check": own.check,
        "parameters": {**own.parameters, **fields.get("parameters", {})},
        "spends": fields.get("spends", REACTION),
    }


def declared_costs(fields: Mapping[str, Any]) -> list[str]:
    """What each side spends, as far as somebody has said so."""
    said = fields.get("spends", [])
    return [said] if isinstance(said, str) else list(said)


def _require_character(projected: Table, actor: str, fields: Mapping[str, Any]) -> None:
    """Refuse an attack of nobody, by a player whose character fights: it would cost nothing."""
    if projected.fight is None or projected.role(actor) == GM or any(fields.get("as", [])):
        return
    own = [one.who for one in projected.fight.rounds.places if projected.owner(one.who) == actor]
    says = projected.rules.rounds
    check = _check_name(projected, fields)
    if own and says and check in says.targets:
        raise Refused(f"in a fight somebody makes the {check}", f"say who: as {format_choices(own)}")


def _with_action_count(projected: Table, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields in which a number of actions among the parameters fixes that of the round (D-17).

    Only somebody who has not fixed it yet can say so; another number than the fixed one is refused.
    """
    says, fight = projected.rules.rounds, projected.fight
    name = next(iter(fields.get("as", [])), "")
    if not (says and says.actions and fight and name in fight.rounds):
        return dict(fields)
    if declared_costs(fields)[:1] == [NOTHING] and fight.rounds.place(name).actions is None:
        return dict(fields)  # a free check fixes no number; what is typed is what it suffers
    made = dict(fields)
    sides = [dict(one) for one in made.get("sides", [])]
    for own in (given := dict(made.get("parameters", {})), *sides[:1]):
        if (key := match_name(says.actions, own)) is not None:
            made.setdefault("actions", _read_action_count(own.pop(key)))
    made |= {"parameters": given} if given or "parameters" in made else {}
    made |= {"sides": sides} if sides else {}
    place = fight.rounds.place(name)
    if place.actions is not None and "actions" in made:
        count = made.pop("actions")
        if count != place.actions:
            raise Refused(
                f"{name} has {place.actions} actions in this round, not {count}",
                "the number is fixed until the next round",
            )
    return made


def _read_action_count(value: Any) -> int:
    text = str(value).strip()
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise Refused(f"{text[:20]!r} is no number of actions", "for example actions=2")
    return int(text)


def _check_cost(projected: Table, fields: Mapping[str, Any]) -> None:
    """Refuse a deed for less than it costs; the GM can grant that."""
    about = next((one for one in ("answers", "target") if one in fields), "")
    right = {"answers": (REACTION,), "target": (ACTION, INTERRUPTION)}.get(about, ACTION_COSTS)
    said, names = declared_costs(fields), fields.get("as", [])
    for who, spent in zip(names, said, strict=False):
        if spent == NOTHING and not _is_free(projected, fields):
            if projected.fight is None or not projected.fight.has_leave(who, FREE):
                raise Refused("only the GM grants a check that costs no action", f"grant {who}")
        elif who == names[0] and spent not in right:
            raise Refused(f"with {about!r} it spends: {format_choices(right)}", "the GM can grant another")


def _is_free(projected: Table, fields: Mapping[str, Any]) -> bool:
    """Return whether a check is no action by the game's own rules, such as damage (D-25)."""
    says = projected.rules.rounds
    return says is None or _check_name(projected, fields) in says.free


def _check_name(projected: Table, fields: Mapping[str, Any]) -> str:
    """The declared name of the check that is meant; an answer says none."""
    return projected.rules.check(fields["check"]).name if "check" in fields else ""


def _resolve_answer(table: Table, projected: Table, fields: Mapping[str, Any]) -> AnswerRule:
    """The game's answer to a roll against this character (AMB-D17)."""
    roll = projected.rolls.get(fields["answers"])
    if roll is None or roll.level < ALL or not roll.asked:
        raise Refused(f"there is no roll {fields['answers'][:80]!r}")
    if roll.id in answered_rolls(projected.rolls.values()):
        raise Refused(f"{roll.id} has an answer already")
    own = legal_answer(table, roll, fields["as"][0])
    if table.fight and roll.id in table.fight.accepted_hits:
        raise Refused(f"{fields['as'][0]} has taken the hit of {roll.id}")
    if "task" in fields or "target" in fields:
        raise Refused(f"{own.name} is against {roll.id}: leave out target and task")
    if fields.get("check", own.check) != own.check:
        raise Refused(f"the answer is a {own.check}")
    return own


def answered_rolls(rolls: Iterable[TableRoll]) -> set[str]:
    """The rolls that are answered by these: by those that a seat knows, never by hidden ones."""
    return {one.action_context.get("answers", "") for one in rolls if not one.cancelled}


def legal_answer(table: Table, roll: TableRoll, who: str) -> AnswerRule:
    """How somebody may answer a roll now, as it is known; refused where they may not."""
    says = table.rules.rounds
    if roll.action_context.get("target") != who:
        raise Refused(f"{roll.id} is not against {who}")
    own = matching_answer(table, roll)
    if own is None:
        projected = says.answers.values() if says else ()
        right = format_choices(word for one in projected if one.to == roll.asked["check"] for word in one.when)
        raise Refused(f"{roll.id} cannot be answered", right and f"it would have to be {right}")
    _check_answer_timing(table, own, roll.id, who)
    return own


def matching_answer(table: Table, roll: TableRoll) -> AnswerRule | None:
    """The answer that the game has to such a roll, whoever gives it and whenever."""
    check, given = roll.asked["check"], roll.asked["parameters"]
    for one in table.rules.rounds.answers.values() if table.rules.rounds else ():
        if one.to == check and given.get(one.by) in one.when:
            return one
    return None


def _check_answer_timing(table: Table, answer: AnswerRule, name: str, who: str) -> None:
    """Refuses an answer too early or too late: it comes to a hit, or in place of the Defense."""
    roll, sheet = table.rolls[name], table.characters[who].sheet
    assert sheet is not None
    if formula_holds(table.rules, sheet, answer.before, table.options):
        if roll.is_past_dice:
            raise Refused(f"{name} is thrown already: by the house rules that is answered before")
        return
    node = roll.node
    if node is None or node.ask is not None:
        raise Refused(f"{name} is not rolled to its end yet")
    if node.outcome is not None and node.outcome.get("success") is False:
        raise Refused(f"{name} has failed: there is nothing to answer")


def with_action_lines(table: Table, own: Draft, fields: Mapping[str, Any]) -> tuple[Draft, list[str]]:
    """The draft with the lines of a deed, and the parameters that only the GM may know."""
    names = fields.get("as", [])
    for side, name in enumerate(names, 1):
        character = own.sides[side - 1].character
        if name and character is not None and table.fight and name in table.fight.rounds:
            place = _place_after_declaration(table.fight.rounds.place(name), side, fields)
            for line in kernel.actor_lines(table.rules, own.check, place, character, table.options):
                own = append_line(own, side, line)
    if "task" in fields:
        for line in _failed_attempt_lines(table, own.check, names[0], fields["task"]):
            own = append_line(own, 1, line)
    if "target" not in fields:
        return own, []
    return _with_target_lines(table, own, fields)


def _place_after_declaration(place: Place, side: int, fields: Mapping[str, Any]) -> Place:
    """A place as it is once the deed is declared: an answer fixes the number of actions, too."""
    spent = [*declared_costs(fields), *[ACTION] * side][side - 1]
    if place.actions is not None or spent == NOTHING:
        return place
    return replace(place, actions=fields.get("actions", 1) if side == 1 else 1)


def append_line(own: Draft, side: int, line: Line) -> Draft:
    """One more line; what somebody typed wins, as it does over a sheet."""
    param = own.check.params[line.parameter]
    whole = own.check.sides is not None and param.whole
    lines = own.overall if whole else own.sides[side - 1].lines
    typed = [one for one in lines if one.parameter == line.parameter and not one.source]
    if typed:
        line = replace(line, on=False, switched_by=typed[-1].by)
    if whole:
        return replace(own, overall=(*own.overall, line))
    sides = list(own.sides)
    sides[side - 1] = replace(sides[side - 1], lines=(*lines, line))
    return replace(own, sides=tuple(sides))


def _failed_attempt_lines(table: Table, check: Check, name: str, task: str) -> list[Line]:
    """Failed tries of the same task (D-38)."""
    says = table.rules.rounds
    parameter = says.retries.get("parameter", "") if says else ""
    character = table.characters.get(name)
    failed = character.tasks.get(task, ()) if character else ()
    if not failed or parameter not in check.params:
        return []
    title = Record(en=f"tried before: {task}", de=f"schon versucht: {task}")
    return [Line(parameter, failed, "rounds.retries", title)]


def _with_target_lines(table: Table, own: Draft, fields: Mapping[str, Any]) -> tuple[Draft, list[str]]:
    """What the target brings; whoever rolls may not know its sheet, then it stays hidden."""
    character = table.characters[fields["target"]]
    assert character.sheet is not None
    asked = without_characters(own).bound().args  # what follows from others is filled in there
    rounds = table.fight.rounds if table.fight else None
    lines = kernel.target_lines(table.rules, own.check, asked, character.sheet, rounds, character.id, table.options)
    for line in lines:
        own = append_line(own, 1, line)
    others, says = sheet_mode(character.shown).others, table.rules.rounds
    if others == ALL or says is None:
        return own, []
    on = {one.parameter for one in (*own.overall, *own.sides[0].lines) if one.on and one.source}
    hidden = [name for name in says.targets[own.check.name].values if name in on]
    if others == NOBODY:  # nobody sees its stance either, nor whether it has one
        hidden += [one for one in says.stance_parameters if one in own.check.params]
    return own, hidden


def action_context_data(projected: Table, actor: str, fields: Mapping[str, Any], check: Check) -> dict[str, str]:
    """What `roll_declared` says of a deed; refused where the fight does not fit."""
    name = fields["as"][0] if fields.get("as") else ""
    there = projected.fight is not None and name in projected.fight.rounds
    if not there and "spends" in fields:
        raise Refused(f"{name or 'nobody'} is in no fight, so nothing is spent")
    own = {one: str(fields[one]) for one in ACTION_FIELDS if one in fields and one != "spends"}
    if not there:
        return own
    first, *others = declared_costs(fields) or [_default_cost(projected, check)]
    own["spends"] = first
    if others:
        own["others_spend"] = ",".join(others)
    if NOTHING in (first, *others) and not _is_free(projected, fields):
        own["granted"] = FREE
        own |= {"uses_leave": FREE} if projected.role(actor) != GM else {}
    return own


def without_characters(own: Draft) -> Draft:
    """The same lines of nobody: whether points are there is looked at when they are paid."""
    return replace(own, sides=tuple(replace(one, character=None) for one in own.sides))


def may_react_early(projected: Table, who: str, answer: AnswerRule | None = None) -> bool:
    """Return whether somebody may react before their turn without the GM doing it (AMB-D17)."""
    fight, character = projected.fight, projected.characters.get(who)
    if fight is not None and fight.has_leave(who, EARLY):
        return True
    sheet = character.sheet if character else None
    return (
        answer is not None
        and sheet is not None
        and formula_holds(projected.rules, sheet, answer.early, projected.options)
    )


def _default_cost(projected: Table, check: Check) -> str:
    """A check is an action, except those that the game leaves out, such as damage (D-25)."""
    says = projected.rules.rounds
    return NOTHING if says is None or check.name in says.free else ACTION
