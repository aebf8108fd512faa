"""Switching a table to other rules: a preview, and the change itself.

A roll keeps the rules under which it was declared.  Everything open that the GM sees must be ended
first; hidden items continue under the old rules, because a refusal would reveal them.
Characters that do not fit are dismissed, and only if the GM has confirmed it.
"""

from __future__ import annotations

from typing import Any

from handful.errors import HandfulError, Refused, format_choices
from handful.rules.ruleset import Ruleset
from handful.table.projection import project
from handful.table.sheet_conversion import conversion_errors
from handful.table.state import Table
from handful.table.transaction import Transaction
from handful.table.visibility import GM


def change_rules(transaction: Transaction, fields: dict[str, Any]) -> None:
    after = _find_ruleset(transaction.table, fields["hash"])
    for what in _open_items(transaction.projected):
        raise Refused(f"{what} is open; end it before the rules change")
    unfit = sorted(_conversion_errors(transaction.projected, after))
    if sorted(fields.get("dismisses", [])) != unfit:
        named = format_choices(unfit) if unfit else "nobody"
        raise Refused(
            f"by these rules {named} would have to go",
            f"look at the preview and give dismisses: {unfit}",
        )
    for name in unfit:
        transaction.emit("character_dismissed", character=name)
    for name, contest in transaction.table.contests.items():
        if not contest.closed and name not in transaction.projected.contests:
            transaction.emit("contest_called_off", contest=name)
    transaction.emit(
        "rules_changed",
        game={"id": after.id, "hash": after.hash},
        options=_options_under(transaction.table, after),
    )


def preview_rules(table: Table, seat: str, hash: str) -> dict[str, Any]:
    """Return what other rules would change at a GM's table, as JSON data.

    `waits_for` lists what has to be ended first; `unfit` the characters that would be dismissed, with
    the reasons; `dropped` the house rules that the other rules do not have.
    """
    projected = project(table, seat)
    if projected.role(seat) != GM:
        raise Refused("only the GM changes the rules")
    after = _find_ruleset(table, hash)
    options = _options_under(projected, after)
    return {
        "game": {"id": after.id, "hash": after.hash},
        "title": dict(after.title),
        "waits_for": _open_items(projected),
        "unfit": _conversion_errors(projected, after),
        "options": options,
        "dropped": [one for one in projected.options if one not in options],
    }


def _find_ruleset(table: Table, hash: str) -> Ruleset:
    if hash == table.rules.hash:
        raise Refused("these are the rules of this table")
    after = table.rulesets.get(hash)
    if after is None:
        raise Refused(f"there are no rules {hash[:12]} on the shelf", "put them there first")
    return after


def _open_items(projected: Table) -> list[str]:
    """Return the open fight, rolls, requests and contests that the seat sees."""
    items = ["the fight"] if projected.fight is not None else []
    items += [f"the roll {name}" for name, one in projected.rolls.items() if one.is_open]
    items += [f"the request {name}" for name, one in projected.requests.items() if not one.closed]
    return items + [f"the contest {name}" for name, one in projected.contests.items() if not one.closed]


def _conversion_errors(projected: Table, after: Ruleset) -> dict[str, list[str]]:
    """Return the characters that do not fit, with the reasons."""
    errors = {
        name: conversion_errors(projected.rules, after, character)
        for name, character in projected.characters.items()
    }
    return {name: reasons for name, reasons in errors.items() if reasons}


def _options_under(table: Table, after: Ruleset) -> dict[str, Any]:
    """Return the house rules that the other rules have, too."""
    options = {}
    for name, value in table.options.items():
        try:
            after.resolve_options({name: value})
        except HandfulError:
            continue
        options[name] = value
    return options
