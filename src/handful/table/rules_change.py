"""Switching a table to other rules: a preview, and the change itself.

A roll keeps the rules under which it was declared.  Everything open that the GM sees must be ended
first; hidden items continue under the old rules, because a refusal would reveal them.
Characters that do not fit are dismissed, and only if the GM has confirmed it.
"""

from __future__ import annotations

from typing import Any

from handful.errors import HandfulError, Message, Refused
from handful.rules.ruleset import Ruleset
from handful.table.commands import ChangeRules
from handful.table.events import CharacterDismissed, ContestCalledOff, RulesChanged
from handful.table.events.values import Game, Values
from handful.table.knowledge import known_to
from handful.table.sheet_conversion import conversion_errors
from handful.table.state import Table
from handful.table.transaction import Transaction
from handful.table.visibility import GM


def change_rules(transaction: Transaction, command: ChangeRules) -> None:
    after = _find_ruleset(transaction.table, command.hash)
    for what in _open_items(transaction.known):
        raise Refused(Message("rules_change.still_open", what=what))
    unfit = sorted(_conversion_errors(transaction.known, after))
    if sorted(command.dismisses) != unfit:
        nobody = Message("rules_change.dismisses_nobody")
        problem = Message("rules_change.would_dismiss", names=unfit) if unfit else nobody
        raise Refused(problem, Message("rules_change.confirm", names=unfit))
    for name in unfit:
        transaction.emit(CharacterDismissed(character=name))
    for name, contest in transaction.table.contests.items():
        if not contest.closed and name not in transaction.known.contests:
            transaction.emit(ContestCalledOff(contest=name))
    transaction.emit(
        RulesChanged(game=Game(after.id, after.hash), options=_options_under(transaction.table, after))
    )


def preview_rules(table: Table, seat: str, hash: str) -> dict[str, Any]:
    """Return what other rules would change at a GM's table, as JSON data with messages.

    `waits_for` lists what has to be ended first; `unfit` the characters that would be dismissed, with
    the reasons; `dropped` the house rules that the other rules do not have.
    """
    known = known_to(table, seat)
    if known.role(seat) != GM:
        raise Refused(Message("rules_change.only_gm"))
    after = _find_ruleset(table, hash)
    options = _options_under(known, after)
    return {
        "game": {"id": after.id, "hash": after.hash},
        "title": dict(after.title),
        "waits_for": _open_items(known),
        "unfit": _conversion_errors(known, after),
        "options": options,
        "dropped": [one for one in known.options if one not in options],
    }


def _find_ruleset(table: Table, hash: str) -> Ruleset:
    if hash == table.rules.hash:
        raise Refused(Message("rules_change.same_rules"))
    after = table.rulesets.get(hash)
    if after is None:
        raise Refused(
            Message("rules_change.unknown_rules", hash=hash[:12]), Message("rules_change.save_first")
        )
    return after


def _open_items(known: Table) -> list[Message]:
    """Return the open fight, rolls, requests and contests that the seat sees."""
    items = [Message("rules_change.fight")] if known.fight is not None else []
    items += [Message("rules_change.roll", name=name) for name, one in known.rolls.items() if one.is_open]
    items += [
        Message("rules_change.request", name=name) for name, one in known.requests.items() if not one.closed
    ]
    return items + [
        Message("rules_change.contest", name=name) for name, one in known.contests.items() if not one.closed
    ]


def _conversion_errors(known: Table, after: Ruleset) -> dict[str, list[Message]]:
    """Return the characters that do not fit, with the reasons."""
    errors = {
        name: conversion_errors(known.rules, after, character) for name, character in known.characters.items()
    }
    return {name: reasons for name, reasons in errors.items() if reasons}


def _options_under(table: Table, after: Ruleset) -> Values:
    """Return the house rules that the other rules have, too."""
    options = {}
    for name, value in table.options.items():
        try:
            after.resolve_options({name: value})
        except HandfulError:
            continue
        options[name] = value
    return options
