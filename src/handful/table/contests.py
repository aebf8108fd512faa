"""Several rolls become one: contests, several who resist, group checks.

Each side is declared and rolled by itself, with its own secrecy; then their replies are played
through the check that compares them, in the order of the sides.  Dice are taken over, never thrown
again; only what that check asks beyond them (a tie that is rerolled) is thrown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import BadReply, Refused
from handful.roll import bind
from handful.rules.ruleset import Check
from handful.table.knowing import replies_of
from handful.table.rolls import finish
from handful.table.scene import Scene, asked_of
from handful.table.state import Roll
from handful.table.visibility import ALL


def contest(scene: Scene, fields: dict[str, Any]) -> None:
    joined(scene, fields)


def joined(scene: Scene, fields: Mapping[str, Any]) -> str:
    """A roll made of rolls; its name.  It is shown to those who see every one of them."""
    parts = [_part(scene, name) for name in fields["rolls"]]
    rules = scene.table.rules
    check = rules.check(fields["check"])
    if check.sides is None:
        raise Refused(f"{check.name} has one side only and compares nobody")
    asked = asked_of(
        bind(
            rules, check.name, [_side(check, one) for one in parts], fields.get("parameters", {}),
            scene.table.options,
        )
    )  # fmt: skip
    roll = scene.own_id
    try:
        scene.happen(
            "roll_declared", roll=roll, roller=scene.actor, asked=asked, title="",
            modes=[scene.table.mode, fields.get("mode", "public")],
            commitment=scene.dice.commitment(scene.table.id, roll),
            hidden=sorted({name for one in parts for name in one.hidden}),
            parts=[
                {"roll": one.id, "roller": one.roller, "modes": list(one.modes)} for one in parts
            ],
            begun=[reply for one in parts for reply in replies_of(one)],
            **_who(parts),
        )  # fmt: skip
    except BadReply:
        raise Refused(f"{check.name} would have thrown other dice than these rolls") from None
    finish(scene, roll)
    return roll


def _who(parts: list[Roll]) -> dict[str, list[str]]:
    """The characters of the sides, if there are any: what is decided from here on is theirs."""
    who = [one.who[0] if one.who else "" for one in parts]
    return {"as": who} if any(who) else {}


def _part(scene: Scene, name: str) -> Roll:
    roll = scene.known.rolls.get(name)
    if roll is None or roll.level < ALL or not roll.key:
        raise Refused(f"there is no finalised roll {name[:80]!r}")
    return scene.table.rolls[name]


def _side(check: Check, roll: Roll) -> dict[str, Any]:
    """What a roll says of its side, as far as the check that compares wants to know it."""
    if len(roll.asked["sides"]) > 1:
        raise Refused(f"{roll.id} has several sides already")
    own = {**roll.asked["parameters"], **(roll.asked["sides"][0] if roll.asked["sides"] else {})}
    wanted = {param.name for param in check.per_side()}
    return {name: value for name, value in own.items() if name in wanted}
