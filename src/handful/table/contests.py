"""Several rolls become one: contests, several who resist, group checks.

Each side is declared and rolled by itself, with its own secrecy; then their replies are played
through the check that compares them, each when its side is asked.  Dice are taken over, never
thrown again; only what that check asks beyond them (a tie that is rerolled) is thrown.

`contest` joins rolls that are finalised.  `challenge` names the sides before: nobody throws until
all are declared, and the contest is made by itself as soon as it is decided, or all have rolled.
Nobody who sees less than all of it hears of that moment, because the dice decide when it comes:
to them the roll that compares does not exist (`Roll.level_for`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handful.errors import BadReply, HandfulError, Refused
from handful.records import replace
from handful.roll import Throw, bind, resume, start
from handful.rules.ruleset import Check
from handful.table.hidden_parameters import hidden_of
from handful.table.points import seen_by
from handful.table.projection import replies_data
from handful.table.rolls import finalised as finalise
from handful.table.rolls import finish, modes_of
from handful.table.state import Table, TableRoll
from handful.table.transaction import Transaction, check_data
from handful.table.visibility import ALL, DECLARED, GM, PRESENCE, WATCHER, combine_modes

OVER = ("decided", "finalised")
REBINDS = ("house_rules_changed", "rules_changed")  # events that let any contest be tried again


def contest(scene: Transaction, fields: dict[str, Any]) -> None:
    joined(scene, fields)


def joined(scene: Transaction, fields: Mapping[str, Any]) -> str:
    """A roll made of finalised rolls; its name.  Shown to those who see every one of them."""
    parts = [finalised(scene, name) for name in fields["rolls"]]
    modes = modes_of(scene.table, fields)
    made = _Joining(scene.table, fields, parts)
    made.take_over()
    made.happen(scene, scene.new_id, scene.actor, modes)
    return scene.new_id


def finalised(scene: Transaction, name: str) -> TableRoll:
    """A roll that is over, and of which the one at work sees everything."""
    roll = scene.known.rolls.get(name)
    if roll is None or roll.level < ALL or not roll.key:
        raise Refused(f"there is no finalised roll {name[:80]!r}")
    return scene.table.rolls[name]


def compare_answers(scene: Transaction) -> None:
    """Compare answers (a parry) with what they answer, once the results of both are told.

    Telling the answer tells what it answers as well, if everybody who hears of that sees the
    answer.  Otherwise that would tell of the answer, and the GM has to tell both.
    """
    for name in [one.data["roll"] for one in scene.events if one.kind == "roll_finalised"]:
        answered = scene.table.rolls.get(scene.table.rolls[name].action_context.get("answers", ""))
        if answered is None:
            compared = _answers_to(scene.table, name)
        elif answered.key:
            compared = [scene.table.rolls[name]]
        elif answered.phase in OVER and _is_open(scene.table, scene.table.rolls[name]):
            finalise(scene, answered.id)
            compared = _answers_to(scene.table, answered.id)
        else:
            continue
        for one in compared:
            _compare(scene, one)


def _answers_to(table: Table, told: str) -> list[TableRoll]:
    """The answers to a roll whose results are told."""
    if "target" not in table.rolls[told].action_context:
        return []
    return [one for one in table.rolls.values() if one.action_context.get("answers") == told and one.key]


def _is_open(table: Table, answer: TableRoll) -> bool:
    """Return whether everybody who hears how a roll ends sees its answer, by the modes alone."""
    answered = table.rolls[answer.action_context["answers"]]
    rollers = [(one.roller, table.role(one.roller)) for one in (answer, answered)]
    seers = [("", GM), ("", WATCHER), *rollers]
    return seen_by(answer, [one for one in seers if answered.level_by_mode(*one) >= DECLARED], ALL)


def _compare(scene: Transaction, answer: TableRoll) -> None:
    answered, modes = scene.table.rolls[answer.action_context["answers"]], [scene.table.mode]
    side = answered
    name = f"{scene.new_id} {answer.commitment[:8]}"  # it tells nothing of other answers
    if _is_open(scene.table, answer):
        name = _free_id(scene)
        if answered.hidden:  # whoever is answered has seen that it was reached
            scene.emit("target_revealed", roll=answered.id)
        side = replace(answered, hidden=())
    elif _is_for_gms(scene.table, answer):  # they know the target, and it stays with them
        modes.append("gm")
        side = replace(answered, hidden=())
    fields = {"check": answered.asked["check"], "parameters": answered.asked["parameters"]}
    try:
        made = _Joining(scene.table, fields, [side, answer])
        made.take_over()
    except HandfulError:
        return  # a target to be kept, or other house rules by now: the GM compares
    made.happen(scene, name, scene.actor, modes)


def _is_for_gms(table: Table, answer: TableRoll) -> bool:
    seers = [("", WATCHER), (answer.roller, table.role(answer.roller))]
    return all(role == GM or answer.level_by_mode(seat, role) < DECLARED for seat, role in seers)


def _free_id(scene: Transaction) -> str:
    """A name of this command's own, also where it has made a roll already."""
    taken = scene.new_id in scene.table.rolls
    return f"{scene.new_id} compared" if taken else scene.new_id


class _Joining:
    """Rolls on their way through the check that compares them."""

    def __init__(self, table: Table, fields: Mapping[str, Any], parts: Sequence[TableRoll]) -> None:
        check = table.rules.check(fields["check"])
        if check.sides is None:
            raise Refused(f"{check.name} has one side only and compares nobody")
        if len({one.id for one in parts}) < len(parts):
            raise Refused("a roll is one side of a contest, and cannot stand against itself")
        self.parts = parts
        sides = [side_of(check, one) for one in parts]
        given = fields.get("parameters", {})
        self.bound = bind(table.rules, check.name, sides, given, table.options)
        self.asked = check_data(self.bound)
        names = {one for part in parts for one in part.hidden if one in check.params}
        names.update(fields.get("hidden", ()))
        self.hidden = hidden_of(self.bound, self.asked, sorted(names))
        self.begun: list[dict[str, Any]] = []

    def take_over(self) -> bool:
        """Plays the replies of the parts, each when its side is asked; whether they decide it.

        Who is not asked at all (a parry after a miss) has rolled for nothing; other dice than those
        that were thrown are refused.
        """
        left = [list(zip(one.replies, replies_data(one), strict=True)) for one in self.parts]
        left = [own if part.key else [] for own, part in zip(left, self.parts, strict=True)]
        node = start(self.bound)
        while (ask := node.ask) is not None:
            side = ask.side - 1 if ask.side else next((n for n, own in enumerate(left) if own), 0)
            if side >= len(left) or not left[side]:
                break
            given, reply = left[side].pop(0)
            if given.sides != (ask.sides if isinstance(ask, Throw) else 0):
                raise self._other_dice()
            try:
                node = resume(self.bound, node, given.reply)
            except BadReply:
                raise self._other_dice() from None
            self.begun.append(reply)
        for own, part in zip(left, self.parts, strict=True):
            if own and (node.ask is not None or len(own) < len(part.replies)):
                raise self._other_dice()
        return node.ask is None

    def _other_dice(self) -> Refused:
        return Refused(f"{self.bound.check.name} would have thrown other dice than these rolls")

    def happen(self, scene: Transaction, name: str, roller: str, modes: Sequence[str]) -> None:
        parts = [{"roll": p.id, "roller": p.roller, "modes": list(p.modes)} for p in self.parts]
        scene.emit(
            "roll_declared",
            roll=name,
            roller=roller,
            asked=self.asked,
            title="",
            modes=list(modes),
            hidden=self.hidden,
            parts=parts,
            begun=self.begun,
            commitment=scene.dice.commitment(scene.table.id, name),
            **_who(self.parts),
        )
        finish(scene, name)


def _who(parts: Sequence[TableRoll]) -> dict[str, list[str]]:
    """The characters of the sides, if there are any: what is decided from here on is theirs."""
    who = [one.character_ids[0] if one.character_ids else "" for one in parts]
    return {"as": who} if any(who) else {}


def side_of(check: Check, roll: TableRoll) -> dict[str, Any]:
    """What a roll says of its side, as far as the check that compares wants to know it."""
    if len(roll.asked["sides"]) > 1:
        raise Refused(f"{roll.id} has several sides already")
    own = {**roll.asked["parameters"], **(roll.asked["sides"][0] if roll.asked["sides"] else {})}
    wanted = {param.name for param in check.per_side()}
    return {name: value for name, value in own.items() if name in wanted}


# -- sides first


def challenge(scene: Transaction, fields: dict[str, Any]) -> None:
    """The GM names the sides of a contest: rolls, or those who were asked for one."""
    sides = [_named(scene, one) for one in fields["sides"]]
    check = scene.table.rules.check(fields["check"])
    if check.sides is None:
        raise Refused(f"{check.name} has one side only and compares nobody")
    if not check.sides.least <= len(sides) <= check.sides.most:
        raise Refused(f"{check.name} takes {check.sides.least} to {check.sides.most} sides, not {len(sides)}")
    together = fields.get("together", True)
    if any(not one["roll"] for one in sides):
        _may_wait(scene.table, sides, together)
    else:
        _Joining(scene.table, fields, [scene.table.rolls[one["roll"]] for one in sides])
    scene.emit(
        "contest_opened",
        contest=scene.new_id,
        check=check.name,
        sides=sides,
        parameters=fields.get("parameters", {}),
        hidden=fields.get("hidden", []),
        modes=modes_of(scene.table, fields),
        together=together,
    )


def _named(scene: Transaction, side: Mapping[str, Any]) -> dict[str, str]:
    """A side as it is kept: whose it is, and its roll or the request for it."""
    match side:
        case {"roll": str(name), **rest} if not rest:
            roll = scene.known.rolls.get(name)
            if roll is None or roll.level < ALL:
                raise Refused(f"there is no roll {name[:80]!r}")
            return {"name": roll.roller, "roll": name, "request": ""}
        case {"request": str(asked), "name": str(name), **rest} if not rest:
            request = scene.known.requests.get(asked)
            if request is None or request.closed or request.called or name not in request.to:
                raise Refused(f"nobody called {name[:60]!r} was asked by {asked[:80]!r}")
            roll_of = request.rolls.get(name, "")
            return {"name": name, "roll": roll_of, "request": "" if roll_of else asked}
    raise Refused('a side is {"roll": "ann/1"}, or {"request": "gm/1", "name": "ann"} for who was asked')


def _may_wait(table: Table, sides: Sequence[Mapping[str, str]], together: bool) -> None:
    """Refuses to wait for somebody where the waiting would tell of a hidden side."""
    for one in sides:
        if one["roll"]:
            roll = table.rolls[one["roll"]]
            if together and roll.replies:
                raise Refused(f"{roll.id} has been thrown already; give together = false")
            own = roll.mode
        else:
            own = combine_modes(table.mode, table.requests[one["request"]].mode)
        if min(own.others, own.roller) < PRESENCE:
            raise Refused("a side that others may not know of is declared with all others first")


def may_join(table: Table, request: str, name: str, modes: Sequence[str]) -> None:
    """Refuses a declaration that would hide a side of a contest that others wait for."""
    waiting = any(
        (one.request, one.name, one.roll) == (request, name, "")
        for open_one in table.contests.values()
        if not open_one.closed
        for one in open_one.sides
    )
    own = combine_modes(*modes)
    if waiting and (min(own.others, own.roller) < PRESENCE or own.gm < ALL):
        raise Refused("others wait for this side of a contest, and the table would hide it now")


def call_off(scene: Transaction, fields: dict[str, Any]) -> None:
    scene.emit("contest_called_off", contest=fields["contest"])


def decide_open(scene: Transaction) -> None:
    """Make the contests that are decided by now, or whose sides have all rolled.

    What cannot be made stays open, without a word: only the GM may know why.
    """
    names = ("roll", "roll_of", "contest")
    touched = {one.data.get(name) for one in scene.events for name in names}
    anew = any(one.kind in REBINDS for one in scene.events)
    for own in list(scene.table.contests.values()):
        if own.closed or own.undeclared_sides:
            continue
        if not anew and touched.isdisjoint([own.id, *(one.roll for one in own.sides)]):
            continue  # as it was: nobody waits because of contests they may not know
        parts = [scene.table.rolls[one.roll] for one in own.sides]
        fields = {"check": own.check, "parameters": own.parameters, "hidden": own.hidden}
        try:
            made = _Joining(scene.table, fields, parts)
            decided = made.take_over()
        except HandfulError:
            continue
        if decided or all(one.key for one in parts):
            made.happen(scene, own.id, own.by, [scene.table.mode, *own.modes])
