"""Action context of a roll: the fight action it is, its target, item and task.

The context adds lines to a check: the number of actions, pace, the target's defence, failed
attempts.  Its costs and consequences are in `action_costs`.  Parameters that only the GM may know
are returned separately, so that a player never sees a line of a hidden sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from handful import rounds as fight_rounds
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
from handful.table.visibility import NOTHING as NOTHING_SHOWN

ACTION, INTERRUPTION, REACTION, RESISTANCE, NOTHING = ACTION_COSTS
ACTION_FIELDS = ("spends", "interrupts", "answers", "target", "item", "task", "actions")


# -- before the roll


def resolve_action_fields(
    table: Table, known: Table, actor: str, fields: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a declaration with those that an answer, such as a parry, implies."""
    _require_character(known, actor, fields)
    fields = _with_action_count(known, fields)
    if not any(name in fields for name in ACTION_FIELDS):
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
        _check_cost(known, fields)
    if "answers" not in fields:
        return dict(fields)
    answer = _resolve_answer(table, known, fields)
    return {
        **fields,
        "check": answer.check,
        "parameters": {**answer.parameters, **fields.get("parameters", {})},
        "spends": fields.get("spends", REACTION),
    }


def declared_costs(fields: Mapping[str, Any]) -> list[str]:
    """Return the declared action cost of each side; empty if none was declared."""
    declared = fields.get("spends", [])
    return [declared] if isinstance(declared, str) else list(declared)


def _require_character(known: Table, actor: str, fields: Mapping[str, Any]) -> None:
    """Refuse a player's attack without a character in a fight, because it would cost no action."""
    if known.fight is None or known.role(actor) == GM or any(fields.get("as", [])):
        return
    own_combatants = [one.who for one in known.fight.rounds.places if known.owns(actor, one.who)]
    round_rules = known.rules.rounds
    check = _check_name(known, fields)
    if own_combatants and round_rules and check in round_rules.targets:
        raise Refused(
            f"in a fight somebody makes the {check}", f"say who: as {format_choices(own_combatants)}"
        )


def _with_action_count(known: Table, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Move a number of actions from the parameters to the field `actions`, which fixes it (D-17).

    Only a combatant whose number is not fixed yet can set it; a different number is refused.
    """
    round_rules, fight = known.rules.rounds, known.fight
    name = next(iter(fields.get("as", [])), "")
    if not (round_rules and round_rules.actions and fight and name in fight.rounds):
        return dict(fields)
    if declared_costs(fields)[:1] == [NOTHING] and fight.rounds.place(name).actions is None:
        return dict(fields)  # a free check does not fix the number; the typed value is only its penalty
    result = dict(fields)
    sides = [dict(one) for one in result.get("sides", [])]
    for values in (parameters := dict(result.get("parameters", {})), *sides[:1]):
        if (key := match_name(round_rules.actions, values)) is not None:
            result.setdefault("actions", _read_action_count(values.pop(key)))
    result |= {"parameters": parameters} if parameters or "parameters" in result else {}
    result |= {"sides": sides} if sides else {}
    place = fight.rounds.place(name)
    if place.actions is not None and "actions" in result:
        count = result.pop("actions")
        if count != place.actions:
            raise Refused(
                f"{name} has {place.actions} actions in this round, not {count}",
                "the number is fixed until the next round",
            )
    return result


def _read_action_count(value: Any) -> int:
    text = str(value).strip()
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise Refused(f"{text[:20]!r} is no number of actions", "for example actions=2")
    return int(text)


def _check_cost(known: Table, fields: Mapping[str, Any]) -> None:
    """Refuse an action for less than it costs; the GM can grant that."""
    about = next((one for one in ("answers", "target") if one in fields), "")
    allowed = {"answers": (REACTION,), "target": (ACTION, INTERRUPTION)}.get(about, ACTION_COSTS)
    costs, names = declared_costs(fields), fields.get("as", [])
    for combatant, cost in zip(names, costs, strict=False):
        if cost == NOTHING and not _is_free(known, fields):
            if known.fight is None or not known.fight.has_leave(combatant, FREE):
                raise Refused("only the GM grants a check that costs no action", f"grant {combatant}")
        elif combatant == names[0] and cost not in allowed:
            raise Refused(f"with {about!r} it spends: {format_choices(allowed)}", "the GM can grant another")


def _is_free(known: Table, fields: Mapping[str, Any]) -> bool:
    """Return whether a check is no action by the game's own rules, such as damage (D-25)."""
    round_rules = known.rules.rounds
    return round_rules is None or _check_name(known, fields) in round_rules.free


def _check_name(known: Table, fields: Mapping[str, Any]) -> str:
    """Return the declared name of the check; empty for an answer, which names none."""
    return known.rules.check(fields["check"]).name if "check" in fields else ""


def _resolve_answer(table: Table, known: Table, fields: Mapping[str, Any]) -> AnswerRule:
    """Return the ruleset's answer to a roll against this character (AMB-D17)."""
    roll = known.rolls.get(fields["answers"])
    if roll is None or roll.level < ALL or not roll.asked:
        raise Refused(f"there is no roll {fields['answers'][:80]!r}")
    if roll.id in answered_rolls(known.rolls.values()):
        raise Refused(f"{roll.id} has an answer already")
    answer = legal_answer(table, roll, fields["as"][0])
    if table.fight and roll.id in table.fight.accepted_hits:
        raise Refused(f"{fields['as'][0]} has taken the hit of {roll.id}")
    if "task" in fields or "target" in fields:
        raise Refused(f"{answer.name} is against {roll.id}: leave out target and task")
    if fields.get("check", answer.check) != answer.check:
        raise Refused(f"the answer is a {answer.check}")
    return answer


def answered_rolls(rolls: Iterable[TableRoll]) -> set[str]:
    """Return the ids answered by these rolls; pass visible rolls only, so that hidden ones do not count."""
    return {one.action_context.get("answers", "") for one in rolls if not one.cancelled}


def legal_answer(table: Table, roll: TableRoll, combatant: str) -> AnswerRule:
    """Return the answer that a target may give to a roll now, or refuse it."""
    round_rules = table.rules.rounds
    if roll.action_context.get("target") != combatant:
        raise Refused(f"{roll.id} is not against {combatant}")
    answer = matching_answer(table, roll)
    if answer is None:
        answers = round_rules.answers.values() if round_rules else ()
        required = format_choices(
            word for one in answers if one.to == roll.declared.check for word in one.when
        )
        raise Refused(f"{roll.id} cannot be answered", required and f"it would have to be {required}")
    _check_answer_timing(table, answer, roll.id, combatant)
    return answer


def matching_answer(table: Table, roll: TableRoll) -> AnswerRule | None:
    """Return the answer that the ruleset defines for such a roll, regardless of who gives it and when."""
    check, parameters = roll.declared.check, roll.declared.parameters
    for one in table.rules.rounds.answers.values() if table.rules.rounds else ():
        if one.to == check and parameters.get(one.by) in one.when:
            return one
    return None


def _check_answer_timing(table: Table, answer: AnswerRule, name: str, combatant: str) -> None:
    """Refuse an answer too early or too late: it follows a hit, or replaces the Defense."""
    roll, sheet = table.rolls[name], table.characters[combatant].sheet
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


def with_action_lines(table: Table, draft: Draft, fields: Mapping[str, Any]) -> tuple[Draft, list[str]]:
    """Return the draft with the lines of the action context, and the parameters only the GM may see."""
    names = fields.get("as", [])
    for side, name in enumerate(names, 1):
        character = draft.sides[side - 1].character
        if name and character is not None and table.fight and name in table.fight.rounds:
            place = _place_after_declaration(table.fight.rounds.place(name), side, fields)
            for line in fight_rounds.actor_lines(table.rules, draft.check, place, character, table.options):
                draft = append_line(draft, side, line)
    if "task" in fields:
        for line in _failed_attempt_lines(table, draft.check, names[0], fields["task"]):
            draft = append_line(draft, 1, line)
    if "target" not in fields:
        return draft, []
    return _with_target_lines(table, draft, fields)


def _place_after_declaration(place: Place, side: int, fields: Mapping[str, Any]) -> Place:
    """Return a combatant's place after the declaration: an answer fixes the number of actions, too."""
    cost = [*declared_costs(fields), *[ACTION] * side][side - 1]
    if place.actions is not None or cost == NOTHING:
        return place
    return replace(place, actions=fields.get("actions", 1) if side == 1 else 1)


def append_line(draft: Draft, side: int, line: Line) -> Draft:
    """Append a line to a side; a typed value overrides it, as it does lines from a sheet."""
    param = draft.check.params[line.parameter]
    is_overall = draft.check.sides is not None and param.whole
    lines = draft.overall if is_overall else draft.sides[side - 1].lines
    typed = [one for one in lines if one.parameter == line.parameter and not one.source]
    if typed:
        line = replace(line, on=False, switched_by=typed[-1].by)
    if is_overall:
        return replace(draft, overall=(*draft.overall, line))
    sides = list(draft.sides)
    sides[side - 1] = replace(sides[side - 1], lines=(*lines, line))
    return replace(draft, sides=tuple(sides))


def _failed_attempt_lines(table: Table, check: Check, name: str, task: str) -> list[Line]:
    """Return the lines for failed attempts at the same task (D-38)."""
    round_rules = table.rules.rounds
    parameter = round_rules.retries.get("parameter", "") if round_rules else ""
    character = table.characters.get(name)
    failed = character.tasks.get(task, ()) if character else ()
    if not failed or parameter not in check.params:
        return []
    title = Record(en=f"tried before: {task}", de=f"schon versucht: {task}")
    return [Line(parameter, failed, "rounds.retries", title)]


def _with_target_lines(table: Table, draft: Draft, fields: Mapping[str, Any]) -> tuple[Draft, list[str]]:
    """Add the target's lines; return them as hidden parameters if not everyone sees its sheet.

    In what a seat knows, the sheet may be missing: then nothing is added, and the same is hidden.
    """
    character, round_rules = table.characters[fields["target"]], table.rules.rounds
    if character.sheet is None:
        target_rule = round_rules.targets.get(draft.check.name) if round_rules else None
        typed = {one.parameter for one in (*draft.overall, *draft.sides[0].lines) if one.on}
        return draft, [name for name in target_rule.values if name not in typed] if target_rule else []
    arguments = without_characters(draft).bound().args  # binding fills in derived parameters
    rounds = table.fight.rounds if table.fight else None
    lines = fight_rounds.target_lines(
        table.rules, draft.check, arguments, character.sheet, rounds, character.id, table.options
    )
    for line in lines:
        draft = append_line(draft, 1, line)
    others = sheet_mode(character.shown).others
    if others == ALL or round_rules is None:
        return draft, []
    active = {one.parameter for one in (*draft.overall, *draft.sides[0].lines) if one.on and one.source}
    hidden = [name for name in round_rules.targets[draft.check.name].values if name in active]
    if others == NOTHING_SHOWN:  # then its stance is hidden, too, and whether it has one
        hidden += [one for one in round_rules.stance_parameters if one in draft.check.params]
    return draft, hidden


def action_context_data(known: Table, actor: str, fields: Mapping[str, Any], check: Check) -> dict[str, str]:
    """Return the action context for `roll_declared`; refuse one that does not fit the fight."""
    name = fields["as"][0] if fields.get("as") else ""
    in_fight = known.fight is not None and name in known.fight.rounds
    if not in_fight and "spends" in fields:
        raise Refused(f"{name or 'nobody'} is in no fight, so nothing is spent")
    context = {one: str(fields[one]) for one in ACTION_FIELDS if one in fields and one != "spends"}
    if not in_fight:
        return context
    first, *others = declared_costs(fields) or [_default_cost(known, check)]
    context["spends"] = first
    if others:
        context["others_spend"] = ",".join(others)
    if NOTHING in (first, *others) and not _is_free(known, fields):
        context["granted"] = FREE
        context |= {"uses_leave": FREE} if known.role(actor) != GM else {}
    return context


def without_characters(draft: Draft) -> Draft:
    """Return the draft without its characters; points are checked when they are paid."""
    return replace(draft, sides=tuple(replace(one, character=None) for one in draft.sides))


def may_react_early(known: Table, combatant: str, answer: AnswerRule | None = None) -> bool:
    """Return whether a combatant may react before its turn without the GM (AMB-D17)."""
    fight, character = known.fight, known.characters.get(combatant)
    if fight is not None and fight.has_leave(combatant, EARLY):
        return True
    sheet = character.sheet if character else None
    return (
        answer is not None
        and sheet is not None
        and formula_holds(known.rules, sheet, answer.early, known.options)
    )


def _default_cost(known: Table, check: Check) -> str:
    """Return the usual cost: an action, except for checks that the game exempts, such as damage (D-25)."""
    round_rules = known.rules.rounds
    return NOTHING if round_rules is None or check.name in round_rules.free else ACTION
