"""The course of a whole roll: what rules written out as Python do to it (`roll.written`).

The same as `roll.machine` does from question to question, without resting in between: chance throws
and a policy answers.  What it cannot judge it leaves: `Unwritten`, and the machine does it again
with the same replies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import getitem
from typing import Any

from handful.dice import Die, Landed, Pool, adds_on
from handful.roll.landing import (
    MOST_DICE,
    MOST_THROWN,
    MOST_WAVES,
    READY,
    added,
    brings,
    kept,
    landed_ready,
    thrown_ready,
)
from handful.roll.node import Decided, Node, Reply, ThrownDie, Trace
from handful.rules.program import Record, Value
from handful.rules.written.page import Unwritten

Faces = Callable[[int, int], tuple[int, ...]]  # of so many dice with so many sides
NO_DICE = Pool()
_new: Any = tuple.__new__  # dice are made often: a named tuple's own way takes twice as long


class Course:
    """What has come of a roll so far, from where it was at rest."""

    __slots__ = (
        "decisions",
        "dice",
        "events",
        "faces",
        "modifiers",
        "numbers",
        "options",
        "policies",
        "policy",
        "replies",
    )

    def __init__(self, faces: Faces, policy: str, trace: Trace, events: frozenset[str]) -> None:
        self.faces, self.policy = faces, policy
        self.replies: list[Reply] = []
        self.policies: list[str] = []
        dice, modifiers, decisions, options = trace
        self.dice = list(dice)
        self.modifiers = list(modifiers)
        self.decisions = list(decisions)
        self.options = set(options)
        self.events = set(events)
        self.numbers = {die.side: die.number for die in dice} if dice else {}

    def end(self, outcome: Record) -> Node:
        """The roll at its end."""
        lists = tuple(self.dice), tuple(self.modifiers), tuple(self.decisions)
        trace = _new(Trace, (*lists, frozenset(self.options)))
        node: Node = _new(Node, ((), None, outcome, frozenset(self.events), trace))
        return node

    # -- dice

    def roll(self, what: Value, die: Value, role: str, side: int) -> Pool:
        if what.__class__ is Pool:
            return self._landed(die, self._throw(die, role, side, [one[0] for one in what]), side)
        if die.__class__ is not Die or what.__class__ is not int or not 0 <= what <= MOST_DICE:
            raise Unwritten
        last = self.numbers.get(side, 0)
        if last + what > READY or len(die) > READY:
            return self._landed(die, self._throw(die, role, side, [None] * what), side)
        if not what:
            return NO_DICE
        faces = self.faces(what, len(die))
        self.replies.append(faces)
        self.policies.append("")
        self.numbers[side] = last + what
        thrown, landed = thrown_ready(role, side), landed_ready(die)
        if last:
            thrown, landed = thrown[last:], landed[last:]
        self.dice += map(getitem, thrown, faces)
        return Pool(map(getitem, landed, faces))

    def endless(
        self,
        what: Value,
        die: Value,
        role: str,
        side: int,
        threshold: Value,
        same_die: bool,
        adds: bool,
    ) -> Pool:
        if threshold.__class__ is not int:
            raise Unwritten
        if adds:
            adds_on(die, threshold)
        wave = self.roll(what, die, role, side)
        of = [one[0] for one in what] if what.__class__ is Pool and not adds else None
        again = brings(wave, of, threshold, same_die=same_die)
        all_, tosses = list(wave), 1
        while again:
            if tosses >= MOST_WAVES or min(die) >= threshold:
                raise Unwritten
            roots = again
            wave = self._landed(die, self._throw(die, "extra", side, roots), side)
            again = brings(wave, roots, threshold, same_die=same_die)
            if adds:
                all_ = list(added(Pool(all_), wave, roots))
            else:
                all_ += wave
            tosses += 1
        return Pool(all_)

    def reroll(self, pool: Value, die: Value, side: int, keep: str) -> Pool:
        if pool.__class__ is not Pool:
            raise Unwritten
        faces = self._throw(die, "reroll", side, [one[0] for one in pool])
        return kept(keep, pool, die, faces)

    def _throw(self, die: Value, role: str, side: int, of: Sequence[int | None]) -> tuple[int, ...]:
        """One die for each that it belongs to."""
        if die.__class__ is not Die:
            raise Unwritten
        if not of:
            return ()
        faces = self.faces(len(of), len(die))
        self.replies.append(faces)
        self.policies.append("")
        first = self.numbers.get(side, 0) + 1
        for at, face in enumerate(faces):
            self.dice.append(_new(ThrownDie, (face, role, of[at], side, first + at)))
        self.numbers[side] = first + at
        if len(self.dice) > MOST_THROWN:
            raise Unwritten
        return faces

    def _landed(self, die: Die, faces: tuple[int, ...], side: int) -> Pool:
        """The dice that were thrown last."""
        first = self.numbers.get(side, 0) - len(faces) + 1
        landed = [_new(Landed, (number, die[face - 1], face)) for number, face in enumerate(faces, first)]
        return Pool(landed)

    # -- decisions

    def chosen(self, decision: str, by: str, side: int, dice: Pool, most: int, usual: Pool) -> Pool:
        numbers = tuple([one[0] for one in usual])
        self._decided(decision, by, side, numbers)
        if len(numbers) > most:
            raise Unwritten
        own = {one[0]: one for one in dice}
        return Pool(map(own.pop, numbers))  # each only once

    def picked(self, decision: str, by: str, side: int, options: Value, usual: Value) -> str:
        option = str(usual)
        self._decided(decision, by, side, option)
        if option not in options:
            raise Unwritten
        return option

    def _decided(self, decision: str, by: str, side: int, answer: Reply) -> None:
        self.replies.append(answer)
        self.policies.append(self.policy)
        self.decisions.append(_new(Decided, (decision, by, side, answer, self.policy)))
