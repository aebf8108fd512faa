"""Whole rolls without people: dice from whoever throws, decisions by a policy.

A check that is rolled again and again is written out as Python (`roll.written`).  Whatever the
written rules cannot do, or find wrong, is done again by the machine with the same replies: it
comes to the same roll, or to the refusal with its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.dice import Pool
from handful.errors import TooBig
from handful.roll.binding import Bound
from handful.roll.course import Course, Faces
from handful.roll.machine import DEEPEST_CALLS, policy_reply, resume
from handful.roll.node import Node, Reply, Throw
from handful.roll.written import MOST_TURNS, Script
from handful.rules.program import EVENTS, FAULTS, REPEATS, SIDE, Call, Record, Value
from handful.rules.written.page import Unwritten

ENOUGH = 3  # rolls of a check; for fewer, writing takes longer than it saves
FALLS = (Unwritten, TooBig, NameError, AssertionError, RecursionError, *FAULTS)

# Which replies were given on the way, by which policies (none for dice), and where that led.
Whole = tuple[tuple[Reply, ...], tuple[str, ...], Node]
Stage = tuple[Callable[..., Record], int, int, tuple[Value, ...]]


class Ending:
    """Ends of a roll from where it is at rest, as often as wanted; each is a roll of its own."""

    def __init__(self, check: Bound, node: Node, policy: str) -> None:
        self.check, self.node, self.policy = check, node, policy
        self.events = frozenset[str]().union(*(frame.env[EVENTS] for frame in node.frames))
        self.stages: list[Stage] | None = None
        key = "whole", check.check.name, check.options, policy
        self.desk: _Desk = check.ruleset.derived.setdefault(key, _Desk())

    def whole(self, faces: Faces) -> Whole:
        """The next one."""
        course = Course(faces, self.policy, self.node.trace, self.events)
        try:
            inner: Any = None
            for function, side, pc, variables in self.stages or self._written():
                inner = function(course, side, pc, inner, *variables)
            return tuple(course.replies), tuple(course.policies), course.end(inner)
        except FALLS:
            return self._step_by_step(course)

    def _written(self) -> list[Stage]:
        """The rules that are under way, innermost first."""
        self.desk.rolls += 1
        if self.desk.rolls <= ENOUGH or not self.node.frames:
            raise Unwritten
        if self.desk.script is None:
            self.desk.script = Script(self.check.ruleset, self.check.options, self.policy)
        stages: list[Stage] = []
        for depth, (program, pc, env, wave) in enumerate(self.node.frames):
            if wave is not None or env.get(REPEATS, 0) > MOST_TURNS:
                raise Unwritten  # in the middle of something that only the machine can count
            played = self.desk.script.played(program)
            if depth + played.depth >= DEEPEST_CALLS:
                raise Unwritten
            if isinstance(program.code[pc], Call):
                pc, env = pc + 1, {**env, program.code[pc].writes or "": Pool()}
            stages.insert(0, (played.function, env.get(SIDE, 0), pc, played.variables(pc, env)))
        self.stages = stages
        return stages

    def _step_by_step(self, course: Course) -> Whole:
        """With the replies that there are already, and then further ones."""
        node, replies, policies, at = self.node, course.replies, course.policies, 0
        while node.ask is not None:
            if at == len(replies):
                if isinstance(node.ask, Throw):
                    replies.append(course.faces(node.ask.count, node.ask.sides))
                    policies.append("")
                else:
                    replies.append(policy_reply(node, self.policy))
                    policies.append(self.policy)
            node = resume(self.check, node, replies[at], policies[at])
            at += 1
        return tuple(replies), tuple(policies), node


class _Desk:
    """Where the rules for one check are written, once it pays."""

    __slots__ = ("rolls", "script")

    def __init__(self) -> None:
        self.rolls = 0
        self.script: Script | None = None
