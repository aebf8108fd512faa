"""Commands that follow a hit: its damage, and the resistance of its target.

Check and parameters follow from the game and from the weapon; what is typed overrides them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.cli.repl import names, parsing
from handful.cli.repl.rolls import show_roll, throw_data
from handful.cli.repl.sheet_access import any_names_for
from handful.errors import Message, Refused
from handful.rules.round_rules import FollowUp

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]
View = names.View


def damage(repl: Repl, words: Words) -> None:
    """Roll the damage of a hit: `hit damage [ROLL] [name=value ...]`."""
    _follow(repl, words, "damage_of")


def resist(repl: Repl, words: Words) -> None:
    """Resist the damage of a hit: `hit resist [ROLL] [name=value ...]`."""
    _follow(repl, words, "resists")


def _follow(repl: Repl, words: Words, field: str) -> None:
    view, rest = repl.view(), list(words)
    typed = names.roll(view, rest.pop(0)) if rest and "/" in rest[0] else ""
    hit = _find_hit(repl, view, field, typed)
    rule = _rule(repl, hit, field)
    if rule is None:
        raise Refused(Message("play.no_hit_now"))
    who = hit["as"][0] if field == "damage_of" else hit["deed"]["target"]
    read = parsing.parse_parameters(
        repl.rules, repl.rules.check(rule.check), rest, ("faces", "entropy"), any_names_for(repl)
    )
    throw = throw_data(read.take_throw_fields())
    data: dict[str, Any] = {field: hit["roll"], "throw": throw, "finish": True, **read.declare_fields()}
    events = repl.submit("declare", check=rule.check, as_=[who], **data)
    show_roll(repl, str(events[0].data["roll"]))


def _find_hit(repl: Repl, view: View, field: str, typed: str) -> dict[str, Any]:
    """Return the attack meant: the named one, or the last hit of or against a character of this seat."""
    own = names.own_characters(view)
    for roll in reversed(view["rolls"]):
        if typed and roll["roll"] != typed:
            continue
        target = roll.get("deed", {}).get("target", "")
        who = [*roll.get("as", ()), ""][0] if field == "damage_of" else target
        theirs = bool(typed) or who in own or view["role"] == "gm"
        if target and who and theirs and roll["phase"] == "finalised" and _rule(repl, roll, field):
            return dict(roll)
    raise Refused(Message("play.no_hit_now"))


def _rule(repl: Repl, roll: dict[str, Any], field: str) -> FollowUp | None:
    rounds = repl.rules.rounds
    attack = rounds.attacks.get(roll.get("asked", {}).get("check", "")) if rounds else None
    if attack is None:
        return None
    return attack.damage if field == "damage_of" else attack.resist
