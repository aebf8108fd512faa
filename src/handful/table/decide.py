"""What becomes of a command: events, or a refusal with its reason.

First the command is read, then held against what the seat may do by what it knows, and only then
looked at with open eyes: so a refusal never says more than the seat could have known.
Chance is somebody else's (`keys.Dice`); a repeated key gives no events, because all is done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.errors import BadReply, Refused, listed
from handful.odds import described
from handful.roll import Bound, ChooseDice, PickOption, Throw, bind, start
from handful.table.commands import read_command
from handful.table.events import Command, Event
from handful.table.evolve import evolve, reply_of
from handful.table.keys import Dice
from handful.table.knowing import as_known
from handful.table.state import Table, bound_to
from handful.table.view import actions_of
from handful.table.visibility import ALL, GM, PLAYER, without
from handful.table.visibility import mode as mode_of

MOST_THROWS = 1000  # in one command


def decide(table: Table, command: Command, actor: str, dice: Dice) -> tuple[Event, ...]:
    """The events that a command becomes; refused where the table does not allow it."""
    fields = read_command(command)
    mark = table.done.get((actor, command.key))
    if mark is not None:
        if mark != command.print:
            raise Refused(f"the key {command.key!r} was used for another command; take a new one")
        return ()
    known = as_known(table, actor)
    _allowed(known, actor, command.do, fields)
    scene = _Scene(table, known, actor, command, dice)
    _DOES[command.do](scene, fields)
    return tuple(scene.events)


def _allowed(known: Table, actor: str, do: str, fields: Mapping[str, Any]) -> None:
    """Refuses what is not among the legal actions of a seat."""
    if known.seats and not known.role(actor):
        raise Refused(f"{actor[:60]!r} has no seat at this table; the GM gives seats")
    roll = fields.get("roll")
    legal = actions_of(known, actor)
    if any(one["do"] == do and one.get("roll") == roll for one in legal):
        return
    if roll is None:
        what = listed(dict.fromkeys(one["do"] for one in legal)) if legal else "only look on"
        raise Refused(f"{do} is not for {actor} now; {actor} may {what}")
    here = [one["do"] for one in legal if one.get("roll") == roll]
    if roll not in known.rolls:
        raise Refused(f"there is no roll {roll[:80]!r}")
    raise Refused(f"{do} is not possible here now", f"{actor} may {listed(here)}" if here else "")


class _Scene:
    """One command at work: the table as it goes on, and the events so far."""

    def __init__(
        self, table: Table, known: Table, actor: str, command: Command, dice: Dice
    ) -> None:
        self.table, self.known, self.actor, self.dice = table, known, actor, dice
        self.command = command
        self.events: list[Event] = []

    def happen(self, kind: str, **data: Any) -> None:
        event = Event(kind, self.actor, data, self.command.key, self.command.print)
        self.table = evolve(self.table, event)
        self.events.append(event)

    @property
    def own_id(self) -> str:
        """A name for what this command makes; it says nothing about what others made."""
        return f"{self.actor}/{self.command.key}"

    @property
    def role(self) -> str:
        return self.table.role(self.actor)


# -- the table itself


def _open(scene: _Scene, fields: dict[str, Any]) -> None:
    rules = scene.table.rules
    scene.happen("table_opened", table=fields["table"], game={"id": rules.id, "hash": rules.hash})
    scene.happen("seat_taken", name=scene.actor, role=GM)


def _seat(scene: _Scene, fields: dict[str, Any]) -> None:
    if fields["name"] in scene.table.seats:
        raise Refused(f"{fields['name']!r} has a seat already; take another name")
    scene.happen("seat_taken", name=fields["name"], role=fields["role"])


def _house_rules(scene: _Scene, fields: dict[str, Any]) -> None:
    rules = scene.table.rules
    changes = rules.settle({**scene.table.options, **fields["options"]})
    own = {name: value for name, value in changes.items() if value != rules.defaults[name]}
    scene.happen("house_rules_changed", options={name: _typed(one) for name, one in own.items()})


def _typed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _visibility(scene: _Scene, fields: dict[str, Any]) -> None:
    scene.happen("visibility_changed", mode=fields["mode"])


# -- rolls


def _declare(scene: _Scene, fields: dict[str, Any]) -> None:
    table, roller = scene.table, fields.get("for", scene.actor)
    if roller != scene.actor and scene.role != GM:
        raise Refused("only the GM declares a roll for somebody else")
    if table.role(roller) not in (GM, PLAYER):
        raise Refused(f"{roller!r} is nobody who rolls here")
    modes = [table.mode, fields.get("mode", "public")]
    mode = mode_of(*modes)
    if max(mode.gm, mode.roller) < ALL:
        raise Refused(f"{' and '.join(modes)} together would hide the roll from everybody")
    bound = bind(
        table.rules, fields["check"], fields.get("sides", []), fields.get("parameters", {}),
        table.options,
    )  # fmt: skip
    asked = asked_of(bound)
    hidden = _hidden(scene, bound, asked, fields.get("hidden", []))
    roll = scene.own_id
    scene.happen(
        "roll_declared", roll=roll, roller=roller, asked=asked, modes=modes, hidden=hidden,
        commitment=scene.dice.commitment(table.id, roll), title=fields.get("title", ""),
    )  # fmt: skip
    _finish(scene, roll)


def asked_of(bound: Bound) -> dict[str, Any]:
    """A bound check as plain data that `bound_to` reads."""
    says = described(bound)
    parameters = dict(says["parameters"])
    sides = [_given_only(side) for side in parameters.pop("sides", [])]
    return {
        "check": says["check"], "sides": sides, "parameters": _given_only(parameters),
        "options": {name: _typed(value) for name, value in says["options"].items()},
    }  # fmt: skip


def _given_only(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _hidden(scene: _Scene, bound: Bound, asked: dict[str, Any], names: list[str]) -> list[str]:
    """Parameters that only the GM knows; refused where they show in the dice."""
    if not names:
        return []
    if scene.role != GM:
        raise Refused("only the GM hides a target")
    for name in names:
        if name not in bound.check.params:
            raise Refused(f"{bound.check.name} has no parameter {name!r} to hide")
    try:
        bare = bound_to(scene.table.rules, without(asked, tuple(names)))
        same = start(bare).ask == start(bound).ask
    except Refused:
        same = False
    if not same:
        raise Refused(f"{listed(names)} cannot be hidden here: the dice would show it")
    return names


def _throw(scene: _Scene, fields: dict[str, Any]) -> None:
    roll = fields["roll"]
    faces = fields.get("faces")
    left = None if faces is None else list(faces)
    entropy = fields.get("entropy", "")
    for _ in range(MOST_THROWS):
        own = scene.table.rolls[roll]
        assert own.node is not None
        ask = own.node.ask
        if not isinstance(ask, Throw) or left == []:
            break
        if left is None:
            thrown = scene.dice.faces(
                scene.table.id, roll, own.throws, ask.count, ask.sides, entropy
            )
        elif len(left) < ask.count:
            raise BadReply(f"{ask.count} faces are needed here, not {len(left)}")
        else:
            thrown, left = tuple(left[: ask.count]), left[ask.count :]
        scene.happen(
            "dice_thrown", roll=roll, throw=own.throws, side=ask.side, sides=ask.sides,
            faces=list(thrown), physical=left is not None, entropy=entropy if left is None else "",
        )  # fmt: skip
    if left:
        raise BadReply(f"{len(left)} more faces were given than dice are thrown here")
    _finish(scene, roll)


def _finish(scene: _Scene, roll: str) -> None:
    """Finalise a roll that nobody can decide anything about any more."""
    own = scene.table.rolls[roll]
    if own.phase == "decided" and not own.can_undo:
        scene.happen("roll_finalised", roll=roll, key=scene.dice.key(scene.table.id, roll))


def _answer(scene: _Scene, fields: dict[str, Any]) -> None:
    roll = fields["roll"]
    own = scene.table.rolls[roll]
    assert own.node is not None
    ask = own.node.ask
    assert isinstance(ask, (ChooseDice, PickOption))
    answer = fields["answer"]
    if isinstance(ask, ChooseDice) and isinstance(answer, str):
        raise BadReply("name dice by their numbers, such as [3], or []")
    if isinstance(ask, PickOption) and not isinstance(answer, str):
        raise BadReply(f"it is {listed(ask.options)}")
    scene.happen(
        "decision_taken", roll=roll, decision=ask.decision, side=ask.side,
        answer=answer if isinstance(answer, str) else list(reply_of(answer)),
        words=fields.get("words", ""),
    )  # fmt: skip


def _undo(scene: _Scene, fields: dict[str, Any]) -> None:
    scene.happen("decision_undone", roll=fields["roll"])


def _finalise(scene: _Scene, fields: dict[str, Any]) -> None:
    roll = fields["roll"]
    scene.happen("roll_finalised", roll=roll, key=scene.dice.key(scene.table.id, roll))


def _correct(scene: _Scene, fields: dict[str, Any]) -> None:
    """Other parameters for the same dice; what would need other dice is refused."""
    own = scene.table.rolls[fields["roll"]]
    asked = dict(own.asked)
    asked["parameters"] = _given_only({**asked["parameters"], **fields.get("parameters", {})})
    sides = fields.get("sides", [])
    if len(sides) > len(asked["sides"]):
        raise Refused(f"this roll has {len(asked['sides'])} sides, not {len(sides)}")
    more = [*sides, *[{}] * (len(asked["sides"]) - len(sides))]
    asked["sides"] = [
        _given_only({**old, **new}) for old, new in zip(asked["sides"], more, strict=True)
    ]
    asked = asked_of(bound_to(scene.table.rules, asked))
    try:
        after = own.of(scene.table.rules, asked, own.given)
    except BadReply:
        raise _other_dice() from None
    if after.node is None or after.node.ask is not None:
        raise _other_dice()
    scene.happen("roll_corrected", roll=own.id, asked=asked, words=fields.get("words", ""))


def _other_dice() -> Refused:
    return Refused("with that, other dice would have been thrown; a correction keeps the dice")


def _reveal(scene: _Scene, fields: dict[str, Any]) -> None:
    own = scene.table.rolls[fields["roll"]]
    to = fields.get("to", list(scene.table.seats))
    for name in to:
        if name not in scene.table.seats:
            raise Refused(f"{name!r} has no seat at this table")
    scene.happen("roll_revealed", roll=own.id, to=to)


def _reveal_target(scene: _Scene, fields: dict[str, Any]) -> None:
    scene.happen("target_revealed", roll=fields["roll"])


_DOES: dict[str, Callable[[_Scene, dict[str, Any]], None]] = {
    "open": _open,
    "seat": _seat,
    "house_rules": _house_rules,
    "visibility": _visibility,
    "declare": _declare,
    "throw": _throw,
    "answer": _answer,
    "undo": _undo,
    "finalise": _finalise,
    "correct": _correct,
    "reveal": _reveal,
    "reveal_target": _reveal_target,
}
