"""Spending and adjusting a character's resources.

Every change returns a new character or is refused.  Invariant: a resource stays within its range
under the house rules (`options`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import Message, Refused
from handful.records import replace
from handful.rules.params import find_name
from handful.rules.program import Record, Value
from handful.rules.ruleset import Ruleset, localize
from handful.sheet.characters import Character
from handful.sheet.derived import derive, formula_holds


def spent_by(ruleset: Ruleset, chosen: Mapping[str, Value]) -> dict[str, int]:
    """Return the cost of parameter values or answers to decisions: resource -> points."""
    costs: dict[str, int] = {}
    resources = ruleset.sheet.resources if ruleset.sheet else {}
    for name, resource in resources.items():
        for key, costly in resource.spent.items():
            value = chosen.get(key)
            entries = value if isinstance(value, tuple) else (value,)
            costs[name] = costs.get(name, 0) + sum(entry in costly for entry in entries)
    return {name: count for name, count in costs.items() if count}


def check_affordable(ruleset: Ruleset, character: Character, spent: Mapping[str, int]) -> None:
    """Refuse a cost that exceeds what the character has."""
    assert ruleset.sheet is not None
    for name, count in spent.items():
        left = character.resources.get(name, 0)
        if count > left:
            title = localize(ruleset.sheet.resources[name].title)
            raise Refused(
                Message("sheet.too_expensive", name=character.name, left=left, title=title, count=count)
            )


def paid(
    ruleset: Ruleset,
    character: Character,
    spent: Mapping[str, int],
    options: Mapping[str, Any] | None = None,
) -> Character:
    """Return the character after spending points."""
    check_affordable(ruleset, character, spent)
    return adjusted(ruleset, character, {name: -count for name, count in spent.items()}, options)


def adjusted(
    ruleset: Ruleset,
    character: Character,
    by: Mapping[str, int],
    options: Mapping[str, Any] | None = None,
) -> Character:
    """Return the character with resources raised or lowered; refused outside their ranges."""
    assert ruleset.sheet is not None
    ranges = derive(ruleset, character, options).ranges
    now = dict(character.resources)
    for name, amount in by.items():
        resource = find_name(name, ranges, "resource", character.name)
        least, most, value = ranges[resource].least, ranges[resource].most, now[resource] + amount
        if not least <= value <= most:
            title = localize(ruleset.sheet.resources[resource].title)
            raise Refused(
                Message(
                    "sheet.points_out_of_range",
                    title=title,
                    name=character.name,
                    value=value,
                    least=least,
                    most=most,
                )
            )
        now[resource] = value
    return replace(character, resources=Record(now))


def used(
    ruleset: Ruleset,
    character: Character,
    resource: str,
    use: str,
    options: Mapping[str, Any] | None = None,
) -> Character:
    """Return the character after using one point; gains are clamped to the range."""
    assert ruleset.sheet is not None
    definition = ruleset.sheet.resources[find_name(resource, ruleset.sheet.resources, "resource")]
    purchase = definition.uses[find_name(use, definition.uses, "use", definition.name)]
    check_affordable(ruleset, character, {definition.name: 1})
    if not formula_holds(ruleset, character, purchase.when, options):
        raise Refused(Message("sheet.not_usable_now", name=character.name, title=localize(purchase.title)))
    after = adjusted(ruleset, character, {definition.name: -1}, options)
    ranges = derive(ruleset, after, options).ranges
    now = dict(after.resources)
    for name, amount in purchase.changes.items():
        if name in ranges:
            now[name] = max(ranges[name].least, min(ranges[name].most, now[name] + amount))
    return replace(after, resources=Record(now))
