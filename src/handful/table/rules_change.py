"""Other rules for a table: what that would change, and the change itself.

Rolls keep the rules by which they were begun, for ever.  What the GM knows to be open is ended
first; what is hidden from the GM must not show by a refusal, so it goes on by the old rules.
Whoever no longer fits is dismissed, and only if the GM has said so.
"""

from __future__ import annotations

from typing import Any

from handful.errors import HandfulError, Refused, format_choices
from handful.rules.ruleset import Ruleset
from handful.table.projection import project
from handful.table.sheet_conversion import misfits
from handful.table.state import Table
from handful.table.transaction import Transaction
from handful.table.visibility import GM


def change_rules(scene: Transaction, fields: dict[str, Any]) -> None:
    after = _on_shelf(scene.table, fields["hash"])
    for what in _waits_for(scene.known):
        raise Refused(f"{what} is open; end it before the rules change")
    unfit = sorted(_misfits(scene.known, after))
    if sorted(fields.get("dismisses", [])) != unfit:
        named = format_choices(unfit) if unfit else "nobody"
        raise Refused(
            f"by these rules {named} would have to go",
            f"look at the preview and give dismisses: {unfit}",
        )
    for name in unfit:
        scene.emit("character_dismissed", character=name)
    for name, contest in scene.table.contests.items():
        if not contest.closed and name not in scene.known.contests:
            scene.emit("contest_called_off", contest=name)
    scene.emit(
        "rules_changed", game={"id": after.id, "hash": after.hash}, options=_options(scene.table, after)
    )


def preview_rules(table: Table, seat: str, hash: str) -> dict[str, Any]:
    """What other rules would change for a GM's table, as plain data.

    `waits_for` is what has to be ended before; `unfit` are those who would be dismissed, each with
    the reasons; `dropped` are house rules that the other rules do not have.
    """
    known = project(table, seat)
    if known.role(seat) != GM:
        raise Refused("only the GM changes the rules")
    after = _on_shelf(table, hash)
    options = _options(known, after)
    return {
        "game": {"id": after.id, "hash": after.hash},
        "title": dict(after.title),
        "waits_for": _waits_for(known),
        "unfit": _misfits(known, after),
        "options": options,
        "dropped": [one for one in known.options if one not in options],
    }


def _on_shelf(table: Table, hash: str) -> Ruleset:
    if hash == table.rules.hash:
        raise Refused("these are the rules of this table")
    after = table.rulesets.get(hash)
    if after is None:
        raise Refused(f"there are no rules {hash[:12]} on the shelf", "put them there first")
    return after


def _waits_for(known: Table) -> list[str]:
    """What is under way, as far as it is known."""
    found = ["the fight"] if known.fight is not None else []
    found += [f"the roll {name}" for name, one in known.rolls.items() if one.is_open]
    found += [f"the request {name}" for name, one in known.requests.items() if not one.closed]
    return found + [f"the contest {name}" for name, one in known.contests.items() if not one.closed]


def _misfits(known: Table, after: Ruleset) -> dict[str, list[str]]:
    """Whoever would have to go, with the reasons."""
    found = {name: misfits(known.rules, after, figure) for name, figure in known.characters.items()}
    return {name: reasons for name, reasons in found.items() if reasons}


def _options(table: Table, after: Ruleset) -> dict[str, Any]:
    """House rules that the other rules know, too."""
    kept = {}
    for name, value in table.options.items():
        try:
            after.resolve_options({name: value})
        except HandfulError:
            continue
        kept[name] = value
    return kept
