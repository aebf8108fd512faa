"""Effects of a round on checks, as draft lines.

`actor_lines` are added to the check of the combatant who acts, `target_lines` and `stance_lines` to a
check against a target.  Every line names `rounds.…` as its source, so that the breakdown can show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import Message, Refused
from handful.records import record
from handful.rounds.state import Number, Place, Rounds
from handful.rules.program import Record
from handful.rules.ruleset import Check, Ruleset
from handful.rules.sheet_rules import CheckModifier
from handful.sheet import Character, Line, evaluate, formula_holds

SOURCE = "rounds"  # prefix of the source of every line added here


@record()
class Movement:
    """Distance and action cost of a pace for one character."""

    pace: str
    distance: Number
    actions: int


def movement_at(
    rules: Ruleset, character: Character | None, pace: str, options: Mapping[str, Any]
) -> Movement:
    """Return the distance a character covers at a pace and what it costs (D-39, D-40)."""
    round_rules = rules.rounds
    paces = round_rules.paces if round_rules else {}
    if pace not in paces or character is None:
        raise Refused(Message("fight.unknown_pace", pace=pace[:40], paces=paces if character else ()))
    rule = paces[pace]
    cost = evaluate(rules, character, rule.actions, options)
    return Movement(pace, evaluate(rules, character, rule.distance, options), int(cost))


def actor_lines(
    rules: Ruleset, check: Check, place: Place, character: Character, options: Mapping[str, Any]
) -> list[Line]:
    """Return the lines that the round adds to a combatant's own check: actions, pace, preparation."""
    round_rules = rules.rounds
    if round_rules is None:
        return []
    if check.name in round_rules.calm and place.attacked:
        raise Refused(Message("fight.no_calm", who=place.who))
    lines = []
    if round_rules.actions in check.params and (place.actions or 1) > 1:
        count = place.actions
        title = Record(en=f"{count} actions this round", de=f"{count} Handlungen in dieser Runde")
        lines.append(Line(round_rules.actions, count, f"{SOURCE}.actions", title))
    # The round of the check itself counts too, unless it is still spent preparing.
    rounds = place.prepared + (not place.is_preparing)
    if round_rules.prepare in check.params and place.prepared and rounds > 1:
        title = Record(en=f"prepared, {rounds} rounds", de=f"vorbereitet, {rounds} Runden")
        lines.append(Line(round_rules.prepare, rounds, f"{SOURCE}.prepare", title))
    if place.pace and formula_holds(rules, character, round_rules.paces[place.pace].burdens, options):
        pace = round_rules.paces[place.pace]
        lines += _modifier_lines(pace.gives, check, f"{SOURCE}.paces.{pace.name}", pace.title)
    return lines


def stance_lines(rules: Ruleset, check: Check, place: Place, by: str, all_choices: bool) -> list[Line]:
    """Return the lines that the target's stance adds to a check against it; `by` is the kind of attack."""
    round_rules = rules.rounds
    if round_rules is None or not place.stance:
        return []
    stance = round_rules.stances[place.stance]
    if not all_choices and stance.choices and place.choice != by:
        return []
    return _modifier_lines(stance.against, check, f"{SOURCE}.stances.{stance.name}", stance.title)


def target_lines(
    rules: Ruleset,
    check: Check,
    params: Mapping[str, Any],
    target: Character,
    rounds: Rounds | None,
    who: str,
    options: Mapping[str, Any],
) -> list[Line]:
    """Return the lines that a target adds to a check against it: the fitting Defense, and its stance."""
    round_rules = rules.rounds
    rule = round_rules.targets.get(check.name) if round_rules else None
    if rule is None:
        raise Refused(Message("fight.no_target", name=check.name))
    param = check.params[rule.by]
    kind = params.get(rule.by, param.default)
    lines = []
    for parameter, formulas in rule.values.items():
        if kind not in formulas:
            raise Refused(Message("fight.target_kind", by=rule.by, kinds=formulas))
        value = evaluate(rules, target, formulas[kind], options)
        title = Record(check.params[parameter].label)
        lines.append(Line(parameter, value, f"{SOURCE}.targets", title))
    if rounds is not None and who in rounds:
        place = rounds.place(who)
        stance = round_rules.stances.get(place.stance) if round_rules else None
        all_choices = stance is not None and formula_holds(rules, target, stance.all, options)
        lines += stance_lines(rules, check, place, str(kind), all_choices)
    return lines


def _modifier_lines(
    modifiers: tuple[CheckModifier, ...], check: Check, source: str, title: Mapping[str, str]
) -> list[Line]:
    return [
        Line(parameter, value, source, Record(title))
        for modifier in modifiers
        if not modifier.checks or check.name in modifier.checks
        for parameter, value in modifier.values.items()
        if parameter in check.params
    ]
