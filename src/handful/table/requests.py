"""Requests and calls: the GM asks for a check, or a player doubts what was said.

A player proposes how to make the check, the GM accepts or refuses, and the roll is declared.
A call is a request that a player makes of their own accord, also where there is nothing to find:
whether there was, is told only when it was beaten.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import Refused
from handful.rules.name_resolution import CharacterNames, resolve_parameters
from handful.rules.params import ADD_SUFFIX
from handful.rules.ruleset import Check, Ruleset
from handful.table.contests import check_side_visible, find_finalised, join_rolls
from handful.table.rolls import declare_roll, throw_due_dice
from handful.table.state import TableRoll
from handful.table.transaction import Transaction
from handful.table.visibility import ALL, PLAYER


def request(transaction: Transaction, fields: dict[str, Any]) -> None:
    """The GM asks one or several seats for a check."""
    for name in fields["to"]:
        if transaction.table.role(name) != PLAYER:
            raise Refused(f"{name!r} is no player here")
    to = [name for name in dict.fromkeys(fields["to"]) if name not in transaction.table.left_seats]
    if not to:
        raise Refused("a request needs somebody who is asked, and is here")
    check = transaction.table.rules.check(fields["check"])
    for name in fields.get("hidden", []):
        if name not in check.params:
            raise Refused(f"{check.name} has no parameter {name!r}")
    who = transaction.known.characters.get(fields["as"]) if "as" in fields else None
    if "as" in fields and (who is None or [who.owner] != fields["to"]):
        raise Refused(f"{fields['as'][:160]!r} is no character of whoever is asked, and they alone")
    transaction.emit(
        "check_requested",
        request=transaction.new_id,
        to=to,
        check=check.name,
        parameters=_read_parameters(transaction.table.rules, check, fields),
        hidden=fields.get("hidden", []),
        mode=fields.get("mode", "public"),
        title=fields.get("title", ""),
        **_character_field(fields),
    )


def _read_parameters(rules: Ruleset, check: Check, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that somebody wants for a check, by their declared names.

    What can be wrong whoever rolls is refused now, not when the roll is declared.
    """
    picks = rules.sheet.picks if rules.sheet else {}
    made = {}
    for typed, value in resolve_parameters(
        rules, check, fields.get("parameters", {}), CharacterNames()
    ).items():
        name = typed.removesuffix(ADD_SUFFIX)
        if not (isinstance(value, str) and name in picks):  # that may stand on a sheet
            check.params[name].read(value)
        made[typed] = value
    return made


def _character_field(fields: dict[str, Any]) -> dict[str, str]:
    return {"as": fields["as"]} if "as" in fields else {}


def _own_character_field(transaction: Transaction, fields: dict[str, Any]) -> dict[str, str]:
    """The character with which somebody wants to make a check: one of their own."""
    character = transaction.known.characters.get(fields.get("as", ""))
    if "as" in fields and (character is None or character.owner != transaction.actor):
        raise Refused(f"{transaction.actor} has no character {fields['as'][:160]!r}")
    return _character_field(fields)


def call(transaction: Transaction, fields: dict[str, Any]) -> None:
    """A player doubts something; what they want to roll is a proposal like any other."""
    check = transaction.table.rules.check(fields["check"])
    transaction.emit(
        "check_called",
        request=transaction.new_id,
        to=[transaction.actor],
        check=check.name,
        parameters=_read_parameters(transaction.table.rules, check, fields),
        title=fields.get("title", ""),
        **_own_character_field(transaction, fields),
    )


def propose(transaction: Transaction, fields: dict[str, Any]) -> None:
    rules = transaction.table.rules
    check = rules.check(transaction.known.requests[fields["request"]].check)
    transaction.emit(
        "check_proposed",
        request=fields["request"],
        name=transaction.actor,
        parameters=_read_parameters(rules, check, fields),
        **_own_character_field(transaction, fields),
    )


def accept(transaction: Transaction, fields: dict[str, Any]) -> None:
    """The GM takes a proposal, or answers for somebody who is absent: the roll is declared."""
    own = transaction.table.requests[fields["request"]]
    name = fields["name"]
    if name not in own.to or name in own.rolls:
        raise Refused(f"{name!r} is not waiting for an answer here")
    if name not in own.proposals and "parameters" not in fields:
        raise Refused(f"{name!r} has proposed nothing yet; give parameters to answer for them")
    check_side_visible(transaction.table, own.id, name, [transaction.table.mode, own.mode])
    theirs, given = own.proposals.get(name, {}), own.parameters | fields.get("parameters", {})
    who = fields.get("as", own.character_ids.get(name, ""))
    roll = declare_roll(
        transaction,
        name,
        {
            "check": own.check,
            "parameters": {**theirs, **given},
            "hidden": list(own.hidden),
            "mode": own.mode,
            "title": own.title,
            "as": [who] if who else [],
            "typed": {one: name for one in theirs if one not in given},
            "off": fields.get("off", []),
            "add": fields.get("add", []),
            **{one: fields[one] for one in ("spends", "target", "item", "task") if one in fields},
        },
    )
    transaction.emit("proposal_accepted", request=own.id, name=name, roll_of=roll)


def refuse(transaction: Transaction, fields: dict[str, Any]) -> None:
    own = transaction.table.requests[fields["request"]]
    if fields["name"] not in own.proposals or fields["name"] in own.rolls:
        raise Refused(f"{fields['name']!r} has proposed nothing here")
    transaction.emit("proposal_refused", request=own.id, name=fields["name"], words=fields.get("words", ""))


def withdraw(transaction: Transaction, fields: dict[str, Any]) -> None:
    transaction.emit("request_withdrawn", request=fields["request"])


def settle(transaction: Transaction, fields: dict[str, Any]) -> None:
    """The GM says what a call has found; with nothing to find it is the same as a failure."""
    own = transaction.table.requests[fields["request"]]
    (caller,) = own.to
    rolled = transaction.known.rolls.get(own.rolls[caller])
    if rolled is None or rolled.level < ALL or not rolled.key:
        raise Refused("the call has not been rolled to its end")
    if "against" not in fields and "contest" not in fields:
        transaction.emit("call_settled", request=own.id, name=caller, found=False)
        return
    contest = _contest_for_call(transaction, fields, rolled)
    sides = [one.roll for one in contest.components]
    found = _wins(contest)[sides.index(rolled.id)]
    transaction.emit("call_settled", request=own.id, name=caller, found=found)
    if found:
        _reveal_found(transaction, contest, rolled)


def _contest_for_call(transaction: Transaction, fields: dict[str, Any], rolled: TableRoll) -> TableRoll:
    """The call held against what was doubted: who acted first is the first side."""
    if "contest" in fields:
        contest = find_finalised(transaction, fields["contest"])
        if rolled.id not in [one.roll for one in contest.components]:
            raise Refused(f"{contest.id} is no contest that this call takes part in")
        return contest
    if "check" not in fields:
        raise Refused("settle needs 'check': the one that compares two sides")
    asked = {
        "check": fields["check"],
        "rolls": [fields["against"], rolled.id],
        "mode": "gm",
        "parameters": fields.get("parameters", {}),
    }
    made = join_rolls(transaction, asked)
    throw_due_dice(transaction, made)  # a tie that is rolled again
    if not transaction.table.rolls[made].key:
        raise Refused(
            "this contest asks somebody for a decision",
            "make it with contest, and settle with its name when it is over",
        )
    return transaction.table.rolls[made]


def _wins(contest: TableRoll) -> list[bool]:
    outcome = contest.node.outcome if contest.node else None
    if outcome is None or outcome.get("wins") is None:
        raise Refused(f"{contest.asked['check']} does not say which side wins")
    return list(outcome["wins"])


def _reveal_found(transaction: Transaction, contest: TableRoll, rolled: TableRoll) -> None:
    """What was beaten is revealed to everybody, the comparison to those who saw the call."""
    seats = transaction.table.seats
    for one in contest.components:
        if one.roll != rolled.id:
            transaction.emit("roll_revealed", roll=one.roll, to=[*seats])
    saw = [name for name, role in seats.items() if rolled.level_for(name, role) == ALL]
    transaction.emit("roll_revealed", roll=contest.id, to=saw)
