"""Requests and calls: the GM asks for a check, or a player doubts what was said.

A player proposes how to make the check, the GM accepts or refuses, and the roll is declared.
A call is a request that a player makes of their own accord, also where there is nothing to find:
whether there was, is told only when it was beaten.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import Refused
from handful.rules.name_resolution import Own, filled
from handful.rules.params import ADD_SUFFIX
from handful.rules.ruleset import Check, Ruleset
from handful.table.contests import finalised, joined, may_join
from handful.table.rolls import declared, throw_on
from handful.table.state import TableRoll
from handful.table.transaction import Transaction
from handful.table.visibility import ALL, PLAYER


def request(scene: Transaction, fields: dict[str, Any]) -> None:
    """The GM asks one or several seats for a check."""
    for name in fields["to"]:
        if scene.table.role(name) != PLAYER:
            raise Refused(f"{name!r} is no player here")
    to = [name for name in dict.fromkeys(fields["to"]) if name not in scene.table.left_seats]
    if not to:
        raise Refused("a request needs somebody who is asked, and is here")
    check = scene.table.rules.check(fields["check"])
    for name in fields.get("hidden", []):
        if name not in check.params:
            raise Refused(f"{check.name} has no parameter {name!r}")
    who = scene.known.characters.get(fields["as"]) if "as" in fields else None
    if "as" in fields and (who is None or [who.owner] != fields["to"]):
        raise Refused(f"{fields['as'][:160]!r} is no character of whoever is asked, and they alone")
    scene.emit(
        "check_requested",
        request=scene.new_id,
        to=to,
        check=check.name,
        parameters=_fitting(scene.table.rules, check, fields),
        hidden=fields.get("hidden", []),
        mode=fields.get("mode", "public"),
        title=fields.get("title", ""),
        **_as(fields),
    )


def _fitting(rules: Ruleset, check: Check, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that somebody wants for a check, by their declared names.

    What can be wrong whoever rolls is refused now, not when the roll is declared.
    """
    picks = rules.sheet.picks if rules.sheet else {}
    made = {}
    for typed, value in filled(rules, check, fields.get("parameters", {}), Own()).items():
        name = typed.removesuffix(ADD_SUFFIX)
        if not (isinstance(value, str) and name in picks):  # that may stand on a sheet
            check.params[name].read(value)
        made[typed] = value
    return made


def _as(fields: dict[str, Any]) -> dict[str, str]:
    return {"as": fields["as"]} if "as" in fields else {}


def _own(scene: Transaction, fields: dict[str, Any]) -> dict[str, str]:
    """The character with which somebody wants to make a check: one of their own."""
    figure = scene.known.characters.get(fields.get("as", ""))
    if "as" in fields and (figure is None or figure.owner != scene.actor):
        raise Refused(f"{scene.actor} has no character {fields['as'][:160]!r}")
    return _as(fields)


def call(scene: Transaction, fields: dict[str, Any]) -> None:
    """A player doubts something; what they want to roll is a proposal like any other."""
    check = scene.table.rules.check(fields["check"])
    scene.emit(
        "check_called",
        request=scene.new_id,
        to=[scene.actor],
        check=check.name,
        parameters=_fitting(scene.table.rules, check, fields),
        title=fields.get("title", ""),
        **_own(scene, fields),
    )


def propose(scene: Transaction, fields: dict[str, Any]) -> None:
    rules = scene.table.rules
    check = rules.check(scene.known.requests[fields["request"]].check)
    scene.emit(
        "check_proposed",
        request=fields["request"],
        name=scene.actor,
        parameters=_fitting(rules, check, fields),
        **_own(scene, fields),
    )


def accept(scene: Transaction, fields: dict[str, Any]) -> None:
    """The GM takes a proposal, or answers for somebody who is absent: the roll is declared."""
    own = scene.table.requests[fields["request"]]
    name = fields["name"]
    if name not in own.to or name in own.rolls:
        raise Refused(f"{name!r} is not waiting for an answer here")
    if name not in own.proposals and "parameters" not in fields:
        raise Refused(f"{name!r} has proposed nothing yet; give parameters to answer for them")
    may_join(scene.table, own.id, name, [scene.table.mode, own.mode])
    theirs, given = own.proposals.get(name, {}), own.parameters | fields.get("parameters", {})
    who = fields.get("as", own.character_ids.get(name, ""))
    roll = declared(
        scene,
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
    scene.emit("proposal_accepted", request=own.id, name=name, roll_of=roll)


def refuse(scene: Transaction, fields: dict[str, Any]) -> None:
    own = scene.table.requests[fields["request"]]
    if fields["name"] not in own.proposals or fields["name"] in own.rolls:
        raise Refused(f"{fields['name']!r} has proposed nothing here")
    scene.emit("proposal_refused", request=own.id, name=fields["name"], words=fields.get("words", ""))


def withdraw(scene: Transaction, fields: dict[str, Any]) -> None:
    scene.emit("request_withdrawn", request=fields["request"])


def settle(scene: Transaction, fields: dict[str, Any]) -> None:
    """The GM says what a call has found; with nothing to find it is the same as a failure."""
    own = scene.table.requests[fields["request"]]
    (caller,) = own.to
    rolled = scene.known.rolls.get(own.rolls[caller])
    if rolled is None or rolled.level < ALL or not rolled.key:
        raise Refused("the call has not been rolled to its end")
    if "against" not in fields and "contest" not in fields:
        scene.emit("call_settled", request=own.id, name=caller, found=False)
        return
    contest = _compared(scene, fields, rolled)
    sides = [one.roll for one in contest.components]
    found = _wins(contest)[sides.index(rolled.id)]
    scene.emit("call_settled", request=own.id, name=caller, found=found)
    if found:
        _uncover(scene, contest, rolled)


def _compared(scene: Transaction, fields: dict[str, Any], rolled: TableRoll) -> TableRoll:
    """The call held against what was doubted: who acted first is the first side."""
    if "contest" in fields:
        contest = finalised(scene, fields["contest"])
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
    made = joined(scene, asked)
    throw_on(scene, made)  # a tie that is rolled again
    if not scene.table.rolls[made].key:
        raise Refused(
            "this contest asks somebody for a decision",
            "make it with contest, and settle with its name when it is over",
        )
    return scene.table.rolls[made]


def _wins(contest: TableRoll) -> list[bool]:
    outcome = contest.node.outcome if contest.node else None
    if outcome is None or outcome.get("wins") is None:
        raise Refused(f"{contest.asked['check']} does not say which side wins")
    return list(outcome["wins"])


def _uncover(scene: Transaction, contest: TableRoll, rolled: TableRoll) -> None:
    """What was beaten is revealed to everybody, the comparison to those who saw the call."""
    seats = scene.table.seats
    for one in contest.components:
        if one.roll != rolled.id:
            scene.emit("roll_revealed", roll=one.roll, to=[*seats])
    saw = [name for name, role in seats.items() if rolled.level_for(name, role) == ALL]
    scene.emit("roll_revealed", roll=contest.id, to=saw)
