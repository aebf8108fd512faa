"""Action context of a roll: the fight action it is, its target, item and task.

The context adds lines to a check: the number of actions, pace, the target's defence, failed
attempts.  Its costs and consequences are in `action_costs`.  Parameters that only the GM may know
are returned separately, so that a player never sees a line of a hidden sheet.
"""

from __future__ import annotations

from collections.abc import Iterable

from handful import rounds as fight_rounds
from handful.errors import NO_MESSAGE, Message, Refused
from handful.records import replace
from handful.rounds import Place
from handful.rules.params import match_name
from handful.rules.program import Record
from handful.rules.round_rules import AnswerRule
from handful.rules.ruleset import Check
from handful.sheet import Draft, Line, formula_holds
from handful.table.attacks import resolve_follow_up, with_item_parameters
from handful.table.commands import Declaration
from handful.table.events.values import Value
from handful.table.state import Table, TableRoll
from handful.table.visibility import ACTION_COSTS, ALL, EARLY, FREE, GM, sheet_mode
from handful.table.visibility import NOTHING as NOTHING_SHOWN

ACTION, INTERRUPTION, REACTION, RESISTANCE, NOTHING = ACTION_COSTS
CONTEXT_FIELDS = ("interrupts", "answers", "target", "item", "task", "actions", "damage_of", "resists")


# -- before the roll


def resolve_action(table: Table, known: Table, actor: str, declaration: Declaration) -> Declaration:
    """Return a declaration with everything that an answer, such as a parry, implies."""
    _require_character(known, actor, declaration)
    declaration = _with_action_count(known, declaration)
    if declaration.spends is None and not _context_values(declaration):
        return declaration
    target, interrupted = declaration.target, declaration.interrupts
    if not declaration.first_character:
        raise Refused(Message("action.needs_character"))
    if target is not None and target not in known.characters:
        raise Refused(Message("character.unknown", name=target[:160]))
    if interrupted is not None and interrupted not in known.rolls:
        raise Refused(Message("roll.unknown", name=interrupted[:80]))
    if interrupted is not None and declared_costs(declaration)[:1] != (INTERRUPTION,):
        raise Refused(Message("action.interrupts_needs_spends"))
    if known.role(actor) != GM:
        _check_cost(known, declaration)
    if declaration.damage_of is not None or declaration.resists is not None:
        return resolve_follow_up(known, declaration)
    if declaration.answers is None:
        return with_item_parameters(known, declaration)
    answer = _resolve_answer(table, known, declaration, declaration.answers)
    return replace(
        declaration,
        check=answer.check,
        parameters={**answer.parameters, **declaration.parameters},
        spends=declaration.spends or (REACTION,),
    )


def _context_values(declaration: Declaration) -> dict[str, str]:
    """Return the fields of a declaration that describe an action, as texts."""
    found = {name: getattr(declaration, name) for name in CONTEXT_FIELDS}
    return {name: str(value) for name, value in found.items() if value is not None}


def declared_costs(declaration: Declaration) -> tuple[str, ...]:
    """Return the declared action cost of each side; empty if none was declared."""
    return declaration.spends or ()


def _require_character(known: Table, actor: str, declaration: Declaration) -> None:
    """Refuse a player's attack without a character in a fight, because it would cost no action."""
    if known.fight is None or known.role(actor) == GM or any(declaration.character_ids):
        return
    own_combatants = [one.who for one in known.fight.rounds.places if known.owns(actor, one.who)]
    round_rules = known.rules.rounds
    check = known.rules.check(declaration.check).name
    if own_combatants and round_rules and check in round_rules.targets:
        raise Refused(
            Message("action.needs_combatant", check=check), Message("action.say_who", names=own_combatants)
        )


def _with_action_count(known: Table, declaration: Declaration) -> Declaration:
    """Move a number of actions from the parameters to the field `actions`, which fixes it (D-17).

    Only a combatant whose number is not fixed yet can set it; a different number is refused.
    """
    round_rules, fight = known.rules.rounds, known.fight
    name = declaration.first_character
    if not (round_rules and round_rules.actions and fight and name in fight.rounds):
        return declaration
    fixed = fight.rounds.place(name).actions
    if declared_costs(declaration)[:1] == (NOTHING,) and fixed is None:
        return declaration  # a free check does not fix the number; the typed value is only its penalty
    count, parameters = declaration.actions, dict(declaration.parameters)
    sides = [dict(one) for one in declaration.sides]
    for values in (parameters, *sides[:1]):
        if (key := match_name(round_rules.actions, values)) is not None:
            typed = _read_action_count(values.pop(key))
            count = typed if count is None else count
    if fixed is not None and count not in (None, fixed):
        raise Refused(
            Message(
                "fight.other_number_of_actions",
                who=name,
                actions=Message("count.action", count=fixed),
                given=count,
            ),
            Message("fight.actions_are_fixed"),
        )
    actions = count if fixed is None else None
    return replace(declaration, parameters=parameters, sides=tuple(sides), actions=actions)


def _read_action_count(value: Value) -> int:
    text = str(value).strip()
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise Refused(
            Message("fight.not_a_number_of_actions", text=text[:20]),
            Message("advice.for_example", example="actions=2"),
        )
    return int(text)


def _check_cost(known: Table, declaration: Declaration) -> None:
    """Refuse an action for less than it costs; the GM can grant that."""
    about = ""
    allowed: tuple[str, ...] = ACTION_COSTS
    if declaration.answers is not None:
        about, allowed = "answers", (REACTION,)
    elif declaration.target is not None:
        about, allowed = "target", (ACTION, INTERRUPTION)
    names = declaration.character_ids
    for combatant, cost in zip(names, declared_costs(declaration), strict=False):
        if cost == NOTHING and not _is_free(known, declaration):
            if known.fight is None or not known.fight.has_leave(combatant, FREE):
                raise Refused(Message("action.only_gm_grants_free"), Message("action.grant", who=combatant))
        elif combatant == names[0] and cost not in allowed:
            raise Refused(
                Message("action.possible_costs", field=about, costs=allowed),
                Message("action.gm_can_grant_another"),
            )


def _is_free(known: Table, declaration: Declaration) -> bool:
    """Return whether a check is no action by the game's own rules, such as damage (D-25)."""
    round_rules = known.rules.rounds
    if declaration.damage_of is not None or declaration.resists is not None:
        return True
    return round_rules is None or known.rules.check(declaration.check).name in round_rules.free


def _resolve_answer(table: Table, known: Table, declaration: Declaration, answered: str) -> AnswerRule:
    """Return the ruleset's answer to a roll against this character (AMB-D17)."""
    roll, combatant = known.rolls.get(answered), declaration.first_character
    if roll is None or roll.level < ALL or not roll.asked:
        raise Refused(Message("roll.unknown", name=answered[:80]))
    if roll.id in answered_rolls(known.rolls.values()):
        raise Refused(Message("action.answered_already", roll=roll.id))
    answer = legal_answer(table, roll, combatant)
    if table.fight and roll.id in table.fight.accepted_hits:
        raise Refused(Message("action.hit_was_taken", who=combatant, roll=roll.id))
    if declaration.task is not None or declaration.target is not None:
        raise Refused(Message("action.answer_has_target", answer=answer.name, roll=roll.id))
    if declaration.check != answer.check:
        raise Refused(Message("action.answer_is", check=answer.check))
    return answer


def answered_rolls(rolls: Iterable[TableRoll]) -> set[str]:
    """Return the ids answered by these rolls; pass visible rolls only, so that hidden ones do not count."""
    return {one.action_context.get("answers", "") for one in rolls if not one.cancelled}


def legal_answer(table: Table, roll: TableRoll, combatant: str) -> AnswerRule:
    """Return the answer that a target may give to a roll now, or refuse it."""
    round_rules = table.rules.rounds
    if roll.action_context.get("target") != combatant:
        raise Refused(Message("action.not_the_target", roll=roll.id, who=combatant))
    answer = matching_answer(table, roll)
    if answer is None:
        answers = round_rules.answers.values() if round_rules else ()
        words = [word for one in answers if one.to == roll.declared.check for word in one.when]
        raise Refused(
            Message("action.cannot_be_answered", roll=roll.id),
            Message("action.can_be_answered", words=words) if words else NO_MESSAGE,
        )
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
            raise Refused(Message("action.answer_too_late", roll=name))
        return
    node = roll.node
    if node is None or node.ask is not None:
        raise Refused(Message("action.answer_too_early", roll=name))
    if node.outcome is not None and node.outcome.get("success") is False:
        raise Refused(Message("action.nothing_to_answer", roll=name))


def with_action_lines(table: Table, draft: Draft, declaration: Declaration) -> tuple[Draft, list[str]]:
    """Return the draft with the lines of the action context, and the parameters only the GM may see."""
    names = declaration.character_ids
    for side, name in enumerate(names, 1):
        character = draft.sides[side - 1].character
        if name and character is not None and table.fight and name in table.fight.rounds:
            place = _place_after_declaration(table.fight.rounds.place(name), side, declaration)
            for line in fight_rounds.actor_lines(table.rules, draft.check, place, character, table.options):
                draft = append_line(draft, side, line)
    if declaration.task is not None:
        for line in _failed_attempt_lines(table, draft.check, names[0], declaration.task):
            draft = append_line(draft, 1, line)
    if declaration.target is None:
        return draft, []
    return _with_target_lines(table, draft, declaration.target)


def _place_after_declaration(place: Place, side: int, declaration: Declaration) -> Place:
    """Return a combatant's place after the declaration: an answer fixes the number of actions, too."""
    cost = [*declared_costs(declaration), *[ACTION] * side][side - 1]
    if place.actions is not None or cost == NOTHING:
        return place
    count = 1 if side > 1 or declaration.actions is None else declaration.actions
    return replace(place, actions=count)


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


def _with_target_lines(table: Table, draft: Draft, target: str) -> tuple[Draft, list[str]]:
    """Add the target's lines; return them as hidden parameters if not everyone sees its sheet.

    In what a seat knows, the sheet may be missing: then nothing is added, and the same is hidden.
    """
    character, round_rules = table.characters[target], table.rules.rounds
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


def action_context_data(known: Table, actor: str, declaration: Declaration, check: Check) -> dict[str, str]:
    """Return the action context for `roll_declared`; refuse one that does not fit the fight."""
    name = declaration.first_character
    in_fight = known.fight is not None and name in known.fight.rounds
    if not in_fight and declaration.spends is not None:
        raise Refused(Message("action.not_in_fight", who=name or "nobody"))
    context = _context_values(declaration)
    if not in_fight:
        return context
    usual = NOTHING if _is_free(known, declaration) else ACTION
    first, *others = declared_costs(declaration) or (usual,)
    context["spends"] = first
    if others:
        context["others_spend"] = ",".join(others)
    if NOTHING in (first, *others) and not _is_free(known, declaration):
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
