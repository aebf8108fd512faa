"""What a round does to checks: lines for whoever rolls, and what a target brings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import Refused, format_choices
from handful.records import record
from handful.rounds.state import Number, Place, Rounds
from handful.rules.program import Record
from handful.rules.ruleset import Check, Ruleset
from handful.rules.sheet_rules import CheckModifier
from handful.sheet import Character, Line, evaluate, formula_holds

SOURCE = "rounds"  # where such lines come from


@record()
class Movement:
    """A pace, as it is for somebody."""

    pace: str
    distance: Number
    actions: int


def movement_at(
    rules: Ruleset, character: Character | None, pace: str, options: Mapping[str, Any]
) -> Movement:
    """How far somebody comes at a pace, and what it costs (D-39, D-40)."""
    says = rules.rounds
    paces = says.paces if says else {}
    if pace not in paces or character is None:
        there = format_choices(paces) if paces and character else "none"
        raise Refused(f"there is no pace {pace[:40]!r}; there is {there}")
    own = paces[pace]
    cost = evaluate(rules, character, own.actions, options)
    return Movement(pace, evaluate(rules, character, own.distance, options), int(cost))


def actor_lines(
    rules: Ruleset, check: Check, place: Place, character: Character, options: Mapping[str, Any]
) -> list[Line]:
    """What the round adds to a check of somebody: actions, pace, preparing."""
    says = rules.rounds
    if says is None:
        return []
    if check.name in says.calm and place.attacked:
        raise Refused(f"{place.who} was attacked in this round and has no calm for that")
    lines = []
    if says.actions in check.params and (place.actions or 1) > 1:
        count = place.actions
        title = Record(en=f"{count} actions this round", de=f"{count} Handlungen in dieser Runde")
        lines.append(Line(says.actions, count, f"{SOURCE}.actions", title))
    # the round in which it is done counts too; who still prepares has no more than that
    rounds = place.prepared + (not place.is_preparing)
    if says.prepare in check.params and place.prepared and rounds > 1:
        title = Record(en=f"prepared, {rounds} rounds", de=f"vorbereitet, {rounds} Runden")
        lines.append(Line(says.prepare, rounds, f"{SOURCE}.prepare", title))
    if place.pace and formula_holds(rules, character, says.paces[place.pace].burdens, options):
        own = says.paces[place.pace]
        lines += _modifier_lines(own.gives, check, f"{SOURCE}.paces.{own.name}", own.title)
    return lines


def stance_lines(rules: Ruleset, check: Check, place: Place, by: str, all_choices: bool) -> list[Line]:
    """What a stance of the target adds to a check against it; `by` is the kind of attack."""
    says = rules.rounds
    if says is None or not place.stance:
        return []
    stance = says.stances[place.stance]
    if not all_choices and stance.choices and place.choice != by:
        return []
    return _modifier_lines(stance.against, check, f"{SOURCE}.stances.{stance.name}", stance.title)


def target_lines(
    rules: Ruleset,
    check: Check,
    asked: Mapping[str, Any],
    target: Character,
    rounds: Rounds | None,
    who: str,
    options: Mapping[str, Any],
) -> list[Line]:
    """What a target brings to a check against it: the Defense that fits, and its stance."""
    says = rules.rounds
    own = says.targets.get(check.name) if says else None
    if own is None:
        raise Refused(f"{check.name} has no target")
    param = check.params[own.by]
    kind = asked.get(own.by, param.default)
    lines = []
    for parameter, formulas in own.values.items():
        if kind not in formulas:
            raise Refused(f"{own.by} is {format_choices(formulas)}")
        value = evaluate(rules, target, formulas[kind], options)
        title = Record(check.params[parameter].label)
        lines.append(Line(parameter, value, f"{SOURCE}.targets", title))
    if rounds is not None and who in rounds:
        place = rounds.place(who)
        stance = says.stances.get(place.stance) if says else None
        every = stance is not None and formula_holds(rules, target, stance.all, options)
        lines += stance_lines(rules, check, place, str(kind), every)
    return lines


def _modifier_lines(
    gifts: tuple[CheckModifier, ...], check: Check, source: str, title: Mapping[str, str]
) -> list[Line]:
    return [
        Line(parameter, value, source, Record(title))
        for gift in gifts
        if not gift.checks or check.name in gift.checks
        for parameter, value in gift.values.items()
        if parameter in check.params
    ]
