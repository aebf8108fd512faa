"""The table as a seat knows it, and events as a seat is told them.

The one gate: whatever reaches a seat is made from `as_known` or from `told`.
A hidden target is left out of the check itself, so that result, odds and legal answers are those
of somebody who does not know it: a count without a success.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from handful.errors import HandfulError
from handful.records import changed
from handful.table.events import Data, Event
from handful.table.fight import CHANGES as FIGHT
from handful.table.knowing_contests import contest_as_known, told_of_contest
from handful.table.knowing_fights import fight_as_known, told_of_fight
from handful.table.knowing_sheets import (
    figure_as_known,
    levels_of,
    line_told,
    lines_as_known,
    lines_data,
    origin_told,
    told_of_character,
)
from handful.table.ledger import Ledger
from handful.table.memory import Memory
from handful.table.standing import Standing
from handful.table.state import Request, Roll, Table, level_of, parts_of
from handful.table.visibility import ALL, DECLARED, GM, NOTHING, mode, shown, without


class Look:
    """The rolls of which a seat knew when it looked, and what a view has made of them."""

    def __init__(self, table: Table, role: str, names: list[str], opened: list[str]) -> None:
        self.table, self.role, self.names = table, role, names
        self.open = opened  # those that wait for somebody, by what is known of them
        self.before: Mapping[str, Any] = {}  # as they were shown at the last look,
        self.stale: set[str] = set()  # and which of those may be others now
        self.shown: dict[str, Any] = {}
        self.unsettled: set[str] = set()  # of those shown: what hangs on more than the roll


class KnownRolls(Mapping[str, Roll]):
    """The rolls that a seat knows of, each worked out when somebody looks at it."""

    def __init__(self, table: Table, seat: str, memory: Memory) -> None:
        self.table, self.seat, self.role = table, seat, table.role(seat)
        self.memory = memory
        self._found: dict[str, Roll | None] = {}

    def __getitem__(self, name: str) -> Roll:
        if name not in self._found:
            roll = self.table.rolls[name]
            self._found[name] = self.memory.made(
                ("known", self.seat, name), (roll, self.role, *self._levels(name)),
                lambda: roll_as_known(self.table, roll, self.seat, self.role),
            )  # fmt: skip
        known = self._found[name]
        if known is None:
            raise KeyError(name)
        return known

    def hangs_on_others(self, name: str) -> bool:
        """Whether what the seat knows of a roll may change while the roll stays as it is."""
        return bool(self._levels(name))

    def _levels(self, name: str) -> tuple[int, ...]:
        return levels_of(self.table, self.table.rolls[name], self.seat, self.role)

    def __iter__(self) -> Iterator[str]:
        return iter(self.look.names)

    def __len__(self) -> int:
        return len(self.look.names)

    @cached_property
    def look(self) -> Look:
        """All of them in order; goes on from the last look, because an evening has thousands."""
        name = ("rolls", self.seat)
        last: Look | None = self.memory.kept(name)
        fresh = None if last is None else self._fresh(last)
        if last is None or fresh is None:
            names = [one for one, roll in self.table.rolls.items() if self._sees(roll)]
            opened = [one for one in names if self[one].is_open]
            made = Look(self.table, self.role, names, opened)
        else:
            names = last.names + [one for one in fresh if one not in last.table.rolls]
            made = Look(self.table, self.role, names, self._open(last, fresh, names))
            if last.table.left is self.table.left:
                made.before, made.stale = last.shown, last.unsettled.union(fresh)
        self.memory.made(name, (made,), lambda: made)
        return made

    def _fresh(self, last: Look) -> list[str] | None:
        """Which rolls that the seat sees are others now; None where that is not enough to know.

        What is revealed has its place among others, so it is not.
        """
        rolls, before = self.table.rolls, last.table.rolls
        if last.role != self.role or not isinstance(rolls, Ledger):
            return None
        changed = self.memory.made("since", (rolls, before), lambda: rolls.since(before))
        if changed is None:
            return None
        fresh = [one for one in changed if self._sees(rolls[one])]
        hidden = (one in before and not self._sees(before[one]) for one in fresh)
        return None if any(hidden) else fresh

    def _open(self, last: Look, fresh: list[str], names: list[str]) -> list[str]:
        still = [one for one in last.open if one not in fresh or self[one].is_open]
        also = [one for one in fresh if self[one].is_open and one not in still]
        if all(one not in last.table.rolls for one in also):
            return still + also
        return [one for one in names if one in still or one in also]

    def _sees(self, roll: Roll) -> bool:
        return roll.level_for(self.seat, self.role) > NOTHING


def as_known(table: Table, seat: str, memory: Memory | None = None) -> Table:
    """The table without anything that is hidden from a seat.

    Whoever has none sees who sits here and by which rules, and nothing of what happened.
    With a memory, what is the same as before is the very same.
    """
    role = table.role(seat)
    if not role:
        return changed(
            table, rolls={}, requests={}, characters={}, contests={}, done={}, seq=0, fight=None
        )
    requests = {
        name: _request(one, seat, role)
        for name, one in table.requests.items()
        if role == GM or seat in one.to
    }
    known = {name: figure_as_known(one, seat, role) for name, one in table.characters.items()}
    characters = {name: one for name, one in known.items() if one is not None}
    heard = {name: contest_as_known(table, one, seat, role) for name, one in table.contests.items()}
    contests = {name: one for name, one in heard.items() if one is not None}
    rolls = KnownRolls(table, seat, memory or Memory())
    return changed(
        table, rolls=rolls, requests=requests, characters=characters,
        contests=contests, done={}, seq=0, fight=fight_as_known(table, seat, role),
    )  # fmt: skip


def _request(request: Request, seat: str, role: str) -> Request:
    """A request as somebody knows it who was asked: their own part of it."""
    if role == GM:
        return request
    return changed(
        request,
        parameters=_left(request.parameters, request.hidden),
        proposals={name: one for name, one in request.proposals.items() if name == seat},
        rolls={name: one for name, one in request.rolls.items() if name == seat},
        who={name: one for name, one in request.who.items() if name == seat},
    )


def _left(values: Data, hidden: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in hidden}


def roll_as_known(table: Table, roll: Roll, seat: str, role: str) -> Roll | None:
    level = roll.level_for(seat, role)
    if level == NOTHING:
        return None
    if level < DECLARED:
        return Roll(roll.id, roll.roller, roll.commitment, level=level)
    hidden = _hidden_from(roll, role)
    if level < ALL:
        roll = _until_thrown(roll)
    roll = lines_as_known(table, roll, seat, role)
    if not hidden and level == ALL:
        return roll
    if level == ALL and roll.standing is not None:
        standing = roll.standing.without(hidden)
    else:
        replies = tuple(one.reply for one in roll.given)
        standing = Standing(roll.rules(table.rules), without(roll.asked, hidden), replies)
    bare = changed(
        roll, level=level, open_to=(), first=None, asked=standing.asked, standing=standing
    )
    try:
        _ = bare.node
    except HandfulError:
        return changed(bare, standing=None)  # what is hidden decides more: only the dice are known
    return bare


def _until_thrown(roll: Roll) -> Roll:
    """A roll as it stood before its first throw; that faces are being typed in, but not which."""
    past, was = roll.is_past_dice, roll.first or roll
    return changed(
        roll, asked=was.asked, lines=was.lines, given=was.before_dice, key="", judged=(),
        typed=() if past else tuple(() for _ in roll.typed), gone_on=past,
    )  # fmt: skip


def _hidden_from(roll: Roll, role: str) -> tuple[str, ...]:
    return () if role == GM else roll.hidden


def told(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    """The data of an event as a seat is told it; None: not at all.

    `before` is the table before the event.
    """
    data = event.data
    if event.kind in FIGHT:
        return told_of_fight(before, event, seat, role)
    if "contest" in data:
        return told_of_contest(before, event, seat, role)
    if "request" in data:
        return _told_of_request(before, event, seat, role)
    if "character" in data:
        return told_of_character(before, event, seat, role)
    if "roll" not in data:
        return shown(event.kind, ALL, data)
    if event.kind == "roll_declared":
        parts = parts_of(before, data["parts"])
        declared = level_of(mode(*data["modes"]), data["roller"], parts, seat, role)
        hidden = () if role == GM else data["hidden"]
        return shown(
            event.kind, declared, _bare(origin_told(before, data, hidden, seat, role), hidden)
        )
    roll = before.rolls[data["roll"]]
    level = roll.level_for(seat, role)
    if event.kind == "roll_revealed":
        return _revealed(before, roll, data, seat, role, level)
    if event.kind in ("line_switched", "line_added"):
        return line_told(roll, before, event, seat, role, level)
    if event.kind == "target_revealed":
        known = roll if level == ALL else _until_thrown(roll)
        bare = origin_told(before, lines_data(known), (), seat, role)
        return shown(event.kind, level, {**data, **bare, "asked": known.asked})
    data = _bare(data, _hidden_from(roll, role))
    return shown(event.kind, level, data, past_dice=roll.is_past_dice)


def _told_of_request(before: Table, event: Event, seat: str, role: str) -> dict[str, Any] | None:
    data = event.data
    if role == GM:
        return shown(event.kind, ALL, data)
    if "name" in data:
        return shown(event.kind, ALL, data) if seat == data["name"] else None
    asked = data["to"] if "to" in data else before.requests[data["request"]].to
    if seat not in asked:
        return None
    if "hidden" in data:
        data = {**data, "parameters": _left(data["parameters"], data["hidden"])}
    return shown(event.kind, ALL, data)


def _bare(data: Data, hidden: Sequence[str]) -> Data:
    return {**data, "asked": without(data["asked"], hidden)} if "asked" in data else data


def _revealed(
    before: Table, roll: Roll, data: Data, seat: str, role: str, level: int
) -> dict[str, Any] | None:
    """Who could not see a roll is told its whole story, in place of the events it missed."""
    if level == ALL:
        return shown("roll_revealed", ALL, {"roll": roll.id})
    if seat not in data["to"]:
        return None
    hidden = _hidden_from(roll, role)
    origin = origin_told(before, lines_data(roll), hidden, seat, role)
    return shown(
        "roll_revealed", ALL, {"roll": roll.id, "story": {**story(roll, hidden), **origin}}
    )


def replies_of(roll: Roll) -> list[dict[str, Any]]:
    """What a roll was told so far, as plain data."""
    replies: list[dict[str, Any]] = []
    throw = 0
    for one in roll.given:
        if one.thrown:
            replies.append(
                {"throw": throw, "sides": one.sides, "faces": list(one.reply),
                 "physical": one.physical, "entropy": one.entropy, "by": one.by}
            )  # fmt: skip
            throw += 1
        else:
            answer = one.reply if isinstance(one.reply, str) else list(one.reply)
            replies.append({"answer": answer, "words": one.words, "by": one.by})
    return replies


def story(roll: Roll, hidden: tuple[str, ...]) -> dict[str, Any]:
    """A roll from its declaration to now, without what is hidden."""
    return {
        "roller": roll.roller,
        "title": roll.title,
        "commitment": roll.commitment,
        "asked": without(roll.asked, hidden),
        "hidden": list(roll.hidden),
        "taken": sum(one.thrown for one in roll.given[: roll.begun]),
        "replies": replies_of(roll),
        "typed": list(roll.typed_faces),
        "key": roll.key,
        "judged": judged_of(roll),
    }


def judged_of(roll: Roll) -> list[dict[str, Any]]:
    """What the GM has said to a roll, as plain data."""
    return [{"by": one.by, "grade": one.grade, "words": one.words} for one in roll.judged]
