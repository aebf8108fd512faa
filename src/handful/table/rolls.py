"""What commands do to rolls: declare, throw, answer, take back, cancel, finalise, reveal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import BadReply, Refused, format_choices
from handful.roll import ChooseDice, PickOption, Throw, why_impossible
from handful.table.action_costs import attack_begins, consequences, give_back, spend, waits_for_the_gm
from handful.table.drafts import drafted
from handful.table.evolve import reply_of
from handful.table.hidden_parameters import hidden_of
from handful.table.points import balance
from handful.table.state import Table
from handful.table.transaction import Transaction, check_data
from handful.table.view_contests import open_with
from handful.table.visibility import ALL, DECLARED, GM, PLAYER, combine_modes

MOST_THROWS = 1000  # in one command


def declare(scene: Transaction, fields: dict[str, Any]) -> None:
    roller = fields.get("for", scene.actor)
    if roller != scene.actor and scene.role != GM:
        raise Refused("only the GM declares a roll for somebody else")
    declared(scene, roller, fields)


def declared(scene: Transaction, roller: str, fields: Mapping[str, Any]) -> str:
    """A new roll of somebody; its name."""
    table = scene.table
    if table.role(roller) not in (GM, PLAYER):
        raise Refused(f"{roller!r} is nobody who rolls here")
    modes = modes_of(table, fields)
    bound, origin = drafted(table, scene.known, scene.actor, roller, fields)
    covered = origin.pop("hidden", [])
    if reason := why_impossible(bound):
        raise Refused(reason, "nothing was spent; the GM can change what counts")
    asked = check_data(bound)
    if fields.get("hidden") and scene.role != GM:
        raise Refused("only the GM hides a target")
    hidden = hidden_of(bound, asked, sorted({*fields.get("hidden", []), *covered}))
    roll = scene.new_id
    scene.emit(
        "roll_declared",
        roll=roll,
        roller=roller,
        asked=asked,
        modes=modes,
        hidden=hidden,
        commitment=scene.dice.commitment(table.id, roll),
        title=fields.get("title", ""),
        parts=[],
        begun=[],
        **origin,
    )
    spend(scene, roll)
    balance(scene, roll)
    finish(scene, roll)
    return roll


def modes_of(table: Table, fields: Mapping[str, Any]) -> list[str]:
    """The mode of the table and that of a roll; refused where nobody would see it."""
    modes = [table.mode, fields.get("mode", "public")]
    mode = combine_modes(*modes)
    if max(mode.gm, mode.roller) < ALL:
        raise Refused(f"{' and '.join(modes)} together would hide the roll from everybody")
    return modes


def throw(scene: Transaction, fields: dict[str, Any]) -> None:
    """Dice of the table, or faces that somebody threw by hand, all at once or die by die."""
    roll = fields["roll"]
    if "faces" not in fields:
        _by_the_table(scene, roll, fields.get("entropy", ""))
    elif scene.known.rolls[roll].level < ALL:
        raise Refused("whoever may not see the result cannot type it in; leave out 'faces'")
    elif fields.get("entropy"):
        raise Refused("entropy goes into the dice of the table, not into dice thrown by hand")
    else:
        _by_hand(scene, roll, fields["faces"])


def _by_the_table(scene: Transaction, roll: str, entropy: str) -> None:
    typed = scene.table.rolls[roll].typed_faces
    ask = _due(scene, roll)
    if ask is None:
        raise _something_else()
    if typed:
        raise Refused(
            f"{len(typed)} of {ask.count} faces were typed in: {ask.count - len(typed)} more are "
            "due, or take them back"
        )
    throw_on(scene, roll, entropy)


def throw_on(scene: Transaction, roll: str, entropy: str = "") -> None:
    """The table throws as long as dice are due."""
    for _ in range(MOST_THROWS):
        ask = _due(scene, roll)
        if ask is None:
            break
        number = scene.table.rolls[roll].throws
        faces = scene.dice.faces(scene.table.id, roll, number, ask.count, ask.sides, entropy)
        _thrown(scene, roll, ask, faces, entropy=entropy)
    finish(scene, roll)


def _by_hand(scene: Transaction, roll: str, faces: list[int]) -> None:
    """Faces as they come: a throw that is complete counts, the rest is kept until it is."""
    left = faces
    while left:
        ask = _due(scene, roll)
        if ask is None:
            raise BadReply(f"{len(left)} more faces were given than dice are thrown here")
        own = scene.table.rolls[roll]
        due = ask.count - len(own.typed_faces)
        now, left = left[:due], left[due:]
        if len(now) == due:
            _thrown(scene, roll, ask, (*own.typed_faces, *now), physical=True)
            continue
        for face in now:
            if not 1 <= face <= ask.sides:
                raise BadReply(f"a d{ask.sides} shows 1 to {ask.sides}, not {face}")
        scene.emit(
            "faces_typed",
            roll=roll,
            throw=own.throws,
            side=ask.side,
            sides=ask.sides,
            faces=now,
            due=due - len(now),
        )
    finish(scene, roll)


def _due(scene: Transaction, roll: str) -> Throw | None:
    """The throw that a roll waits for."""
    node = scene.table.rolls[roll].node
    return node.ask if node is not None and isinstance(node.ask, Throw) else None


def _thrown(
    scene: Transaction,
    roll: str,
    ask: Throw,
    faces: tuple[int, ...],
    *,
    physical: bool = False,
    entropy: str = "",
) -> None:
    scene.emit(
        "dice_thrown",
        roll=roll,
        throw=scene.table.rolls[roll].throws,
        side=ask.side,
        sides=ask.sides,
        faces=list(faces),
        physical=physical,
        entropy=entropy,
    )
    if scene.table.rolls[roll].throws == 1:
        attack_begins(scene, roll)


def _something_else() -> Refused:
    """Where what is hidden decides more than success, a seat may reckon with the wrong question."""
    return Refused("something else is due here now")


def finish(scene: Transaction, roll: str) -> None:
    """Finalise a roll that nobody can decide anything about any more."""
    own = scene.table.rolls[roll]
    if own.phase == "decided" and not own.can_undo and not waits_for_the_gm(own):
        finalised(scene, roll)


def answer(scene: Transaction, fields: dict[str, Any]) -> None:
    roll = fields["roll"]
    own = scene.table.rolls[roll]
    assert own.node is not None
    ask = own.node.ask
    if not isinstance(ask, (ChooseDice, PickOption)):
        raise _something_else()
    answer = fields["answer"]
    if isinstance(ask, ChooseDice) and isinstance(answer, str):
        raise BadReply("name dice by their numbers, such as [3], or []")
    if isinstance(ask, PickOption) and not isinstance(answer, str):
        raise BadReply(f"it is {format_choices(ask.options)}")
    scene.emit(
        "decision_taken",
        roll=roll,
        decision=ask.decision,
        side=ask.side,
        answer=answer if isinstance(answer, str) else list(reply_of(answer)),
        words=fields.get("words", ""),
    )
    balance(scene, roll)


def undo(scene: Transaction, fields: dict[str, Any]) -> None:
    """Takes back the faces that were typed in last, or the last decision."""
    own = scene.table.rolls[fields["roll"]]
    if own.typed:
        scene.emit("faces_taken_back", roll=own.id, throw=own.throws, faces=list(own.typed[-1]))
    else:
        scene.emit("decision_undone", roll=own.id)
        balance(scene, own.id)


def cancel(scene: Transaction, fields: dict[str, Any]) -> None:
    """A roll that nobody makes: its points come back, a request that led to it is open again.

    Its key is never shown: nothing was thrown that it could prove.
    """
    own = scene.table.rolls[fields["roll"]]
    scene.emit("roll_cancelled", roll=own.id)
    give_back(scene, own)
    balance(scene, own.id, over=True)
    for contest in open_with(scene.table, own.id):  # those who know of one call it off themselves
        scene.emit("contest_called_off", contest=contest)
    if min(own.level_for(own.roller, scene.table.role(own.roller)), own.mode.gm) < DECLARED:
        return  # that the request is open again would tell of a roll one of them does not know of
    for request in scene.table.requests.values():
        if request.rolls.get(own.roller) == own.id and not request.closed:
            scene.emit("request_reopened", request=request.id, name=own.roller)


def finalise(scene: Transaction, fields: dict[str, Any]) -> None:
    finalised(scene, fields["roll"])


def finalised(scene: Transaction, roll: str) -> None:
    scene.emit("roll_finalised", roll=roll, key=scene.dice.key(scene.table.id, roll))
    consequences(scene, roll)


def reveal(scene: Transaction, fields: dict[str, Any]) -> None:
    own = scene.table.rolls[fields["roll"]]
    to = fields.get("to", list(scene.table.seats))
    if not to:
        raise Refused("a roll is revealed to somebody: name seats in 'to', or leave it out for all")
    for name in to:
        if name not in scene.table.seats:
            raise Refused(f"{name!r} has no seat at this table")
    scene.emit("roll_revealed", roll=own.id, to=to)


def judge(scene: Transaction, fields: dict[str, Any]) -> None:
    """The GM says what a result means: a grade, words, or both (R-20, R-24, D-5)."""
    grade, words = fields.get("grade", ""), fields.get("words", "")
    if not grade and not words:
        raise Refused("judge needs 'words' or a 'grade': what the result means")
    scene.emit("roll_judged", roll=fields["roll"], grade=grade, words=words)


def reveal_target(scene: Transaction, fields: dict[str, Any]) -> None:
    scene.emit("target_revealed", roll=fields["roll"])
