"""What commands do to rolls: declare, throw, answer, take back, finalise, correct, reveal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import BadReply, Refused, listed
from handful.roll import ChooseDice, PickOption, Throw
from handful.table.drafts import drafted
from handful.table.evolve import reply_of
from handful.table.hiding import hidden_of
from handful.table.points import balance
from handful.table.scene import Scene, asked_of, given_only
from handful.table.state import bound_to
from handful.table.visibility import ALL, GM, PLAYER
from handful.table.visibility import mode as mode_of

MOST_THROWS = 1000  # in one command


def declare(scene: Scene, fields: dict[str, Any]) -> None:
    roller = fields.get("for", scene.actor)
    if roller != scene.actor and scene.role != GM:
        raise Refused("only the GM declares a roll for somebody else")
    declared(scene, roller, fields)


def declared(scene: Scene, roller: str, fields: Mapping[str, Any]) -> str:
    """A new roll of somebody; its name."""
    table = scene.table
    if table.role(roller) not in (GM, PLAYER):
        raise Refused(f"{roller!r} is nobody who rolls here")
    modes = [table.mode, fields.get("mode", "public")]
    mode = mode_of(*modes)
    if max(mode.gm, mode.roller) < ALL:
        raise Refused(f"{' and '.join(modes)} together would hide the roll from everybody")
    bound, origin = drafted(table, scene.known, scene.actor, roller, fields)
    asked = asked_of(bound)
    if fields.get("hidden") and scene.role != GM:
        raise Refused("only the GM hides a target")
    hidden = hidden_of(bound, asked, fields.get("hidden", []))
    roll = scene.own_id
    scene.happen(
        "roll_declared", roll=roll, roller=roller, asked=asked, modes=modes, hidden=hidden,
        commitment=scene.dice.commitment(table.id, roll), title=fields.get("title", ""),
        parts=[], begun=[], **origin,
    )  # fmt: skip
    balance(scene, roll)
    finish(scene, roll)
    return roll


def throw(scene: Scene, fields: dict[str, Any]) -> None:
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
    finish(scene, roll)


def finish(scene: Scene, roll: str) -> None:
    """Finalise a roll that nobody can decide anything about any more."""
    own = scene.table.rolls[roll]
    if own.phase == "decided" and not own.can_undo:
        scene.happen("roll_finalised", roll=roll, key=scene.dice.key(scene.table.id, roll))


def answer(scene: Scene, fields: dict[str, Any]) -> None:
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
    balance(scene, roll)


def undo(scene: Scene, fields: dict[str, Any]) -> None:
    scene.happen("decision_undone", roll=fields["roll"])
    balance(scene, fields["roll"])


def finalise(scene: Scene, fields: dict[str, Any]) -> None:
    roll = fields["roll"]
    scene.happen("roll_finalised", roll=roll, key=scene.dice.key(scene.table.id, roll))


def correct(scene: Scene, fields: dict[str, Any]) -> None:
    """Other parameters for the same dice; what would need other dice is refused."""
    own = scene.table.rolls[fields["roll"]]
    asked = dict(own.asked)
    asked["parameters"] = given_only({**asked["parameters"], **fields.get("parameters", {})})
    sides = fields.get("sides", [])
    if len(sides) > len(asked["sides"]):
        raise Refused(f"this roll has {len(asked['sides'])} sides, not {len(sides)}")
    more = [*sides, *[{}] * (len(asked["sides"]) - len(sides))]
    asked["sides"] = [
        given_only({**old, **new}) for old, new in zip(asked["sides"], more, strict=True)
    ]
    asked = asked_of(bound_to(scene.table.rules, asked))
    try:
        after = own.of(scene.table.rules, asked, own.given)
    except BadReply:
        raise _other_dice() from None
    if after.node is None or after.node.ask is not None:
        raise _other_dice()
    scene.happen("roll_corrected", roll=own.id, asked=asked, words=fields.get("words", ""))
    balance(scene, own.id)


def _other_dice() -> Refused:
    return Refused("with that, other dice would have been thrown; a correction keeps the dice")


def reveal(scene: Scene, fields: dict[str, Any]) -> None:
    own = scene.table.rolls[fields["roll"]]
    to = fields.get("to", list(scene.table.seats))
    for name in to:
        if name not in scene.table.seats:
            raise Refused(f"{name!r} has no seat at this table")
    scene.happen("roll_revealed", roll=own.id, to=to)


def judge(scene: Scene, fields: dict[str, Any]) -> None:
    """The GM says what a result means: a grade, words, or both (R-20, R-24, D-5)."""
    grade, words = fields.get("grade", ""), fields.get("words", "")
    if not grade and not words:
        raise Refused("judge needs 'words' or a 'grade': what the result means")
    scene.happen("roll_judged", roll=fields["roll"], grade=grade, words=words)


def reveal_target(scene: Scene, fields: dict[str, Any]) -> None:
    scene.happen("target_revealed", roll=fields["roll"])
