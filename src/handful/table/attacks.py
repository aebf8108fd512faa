"""An attack from its weapon to the damage: what an item brings, and the rolls that follow a hit.

Everything follows from `[rounds.attacks]` of the game and from the sheets; a typed value overrides both.
Works on what the acting seat knows, so a refusal never says more than that.
"""

from __future__ import annotations

from collections.abc import Mapping

from handful.errors import Message, Refused
from handful.records import replace
from handful.rules.params import display_value, match_name
from handful.rules.round_rules import FollowUp
from handful.rules.ruleset import Check, Ruleset
from handful.sheet import Character, find_item, item_value
from handful.table.commands import Declaration
from handful.table.events.values import Values
from handful.table.state import Table, TableRoll
from handful.table.visibility import ALL

DAMAGE, RESIST = "damage_of", "resists"  # fields of an action context that name the attack


def with_item_parameters(known: Table, declaration: Declaration) -> Declaration:
    """Return a declaration with what its item brings, if it is on the sheet."""
    rounds, sheet = known.rules.rounds, _sheet(known, declaration.first_character)
    item = _find(known.rules, sheet, declaration.item)
    if item is None or sheet is None or rounds is None:
        return declaration
    check = known.rules.check(declaration.check)
    attack = rounds.attacks.get(check.name)
    declaration = replace(declaration, item=item)
    if attack is None:
        return declaration
    return _with_defaults(check, declaration, _item_values(known.rules, sheet, item, attack.item))


def resolve_follow_up(known: Table, declaration: Declaration) -> Declaration:
    """Return the declaration of a damage roll, or of resistance to it, with check and parameters."""
    is_damage = declaration.damage_of is not None
    if is_damage and declaration.resists is not None:
        raise Refused(Message("action.one_follow_up"))
    attack = _attack_roll(known, declaration)
    rule = _follow_up(known, attack, is_damage=is_damage)
    values: dict[str, object] = dict(rule.parameters)
    attacker = attack.character_ids[0] if attack.character_ids else ""
    sheet = _sheet(known, attacker)
    item = _find(known.rules, sheet, declaration.item or attack.action_context.get("item"))
    if is_damage and item is not None and sheet is not None:
        values |= _item_values(known.rules, sheet, item, rule.item)
    check = known.rules.check(rule.check)
    return _with_defaults(check, replace(declaration, check=check.name), values)


def _attack_roll(known: Table, declaration: Declaration) -> TableRoll:
    """Return the attack that a roll follows: told, no miss, and of or against this character."""
    name = declaration.damage_of or declaration.resists or ""
    roll = known.rolls.get(name)
    if roll is None or roll.level < ALL:
        raise Refused(Message("roll.unknown", name=name[:80]))
    if not roll.key:
        raise Refused(Message("action.not_told", roll=name))
    if has_missed(known, roll):
        raise Refused(Message("action.not_hit", roll=name))
    who = declaration.first_character
    if declaration.damage_of is not None and who not in roll.character_ids[:1]:
        attacker = roll.character_ids[0] if any(roll.character_ids[:1]) else roll.roller
        raise Refused(Message("action.follows_attacker", roll=name, who=attacker))
    if declaration.resists is not None and roll.action_context.get("target") != who:
        raise Refused(Message("action.not_the_target", roll=name, who=who))
    field = DAMAGE if declaration.damage_of is not None else RESIST
    for other in known.rolls.values():
        if other.action_context.get(field) == name and not other.cancelled:
            raise Refused(Message("action.rolled_already", roll=other.id))
    return roll


def has_missed(known: Table, roll: TableRoll) -> bool:
    """Return whether an attack missed, alone or against an answer, as far as a seat knows."""
    rolls = [
        roll,
        *(one for one in known.rolls.values() if roll.id in [part.roll for part in one.components]),
    ]
    outcomes = [one.node.outcome for one in rolls if one.node is not None and one.key]
    return any(one is not None and one.get("success") is False for one in outcomes)


def _follow_up(known: Table, attack: TableRoll, *, is_damage: bool) -> FollowUp:
    rounds = known.rules.rounds
    rules = rounds.attacks.get(attack.declared.check) if rounds else None
    found = None if rules is None else rules.damage if is_damage else rules.resist
    if found is None:
        check = attack.declared.check
        if is_damage:
            raise Refused(Message("action.no_damage", check=check))
        raise Refused(Message("action.no_resistance", check=check))
    return found


def _sheet(known: Table, name: str) -> Character | None:
    character = known.characters.get(name)
    return character.sheet if character else None


def _find(rules: Ruleset, sheet: Character | None, typed: str | None) -> str | None:
    """Return the item of this name on a sheet; any other name is just a word for something."""
    if typed is None or sheet is None or rules.sheet is None or rules.sheet.item is None:
        return None
    return find_item(rules.sheet, sheet, typed)


def _item_values(rules: Ruleset, sheet: Character, item: str, fills: Mapping[str, str]) -> dict[str, object]:
    """Return the parameters that an item fills; a field without a value fills nothing."""
    assert rules.sheet is not None
    values = {name: item_value(rules.sheet, sheet, item, field) for name, field in fills.items()}
    return {name: display_value(value) for name, value in values.items() if value is not None}


def _with_defaults(check: Check, declaration: Declaration, values: Mapping[str, object]) -> Declaration:
    """Return the declaration with values for the parameters that were not typed."""
    sides = [dict(one) for one in declaration.sides]
    parameters = dict(declaration.parameters)
    typed: list[Values] = [parameters, *sides[:1]]
    for name, value in values.items():
        if any(match_name(name, one) is not None for one in typed):
            continue
        own = bool(sides) and check.sides is not None and not check.params[name].whole
        (sides[0] if own else parameters)[name] = value  # type: ignore[assignment]
    return replace(declaration, parameters=parameters, sides=tuple(sides))
