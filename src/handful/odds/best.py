"""Solves a roll under the best policy: every player's decision is optimal for its side.

Throws before a decision are enumerated (expectimax); the solver computes everything after the last one.
Decisions that are not a player's follow the usual policy.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from handful.dice import Die, LandedDie
from handful.errors import Message, TooBig
from handful.odds.answers import answers
from handful.odds.continuation import outcomes_from, tally_odds, wanted_fields
from handful.odds.figures import Odds, objective
from handful.roll import BoundCheck, ChooseDice, Node, PickOption, Throw, policy_reply, resume
from handful.rules.operators import Value
from handful.rules.program import EVENTS, Call, Record, Reroll
from handful.solver.joint_distribution import multisets
from handful.solver.solver import Outcome, Solver
from handful.solver.states import boolean_positions
from handful.solver.weights import Weight

MAX_DEPTH = 100  # throws and decisions in sequence; an exploding throw before a decision has no end
WORK_PER_DIE = 300  # units: a paused roll is memoized with all its dice


class BestPolicy:
    """Outcomes if every player's decision is the best one for its side (expectimax).

    Decisions depend on the dice, so throws before a decision are enumerated; once no decision of a player
    can follow, the solver computes the rest.
    """

    def __init__(self, bound: BoundCheck, solver: Solver) -> None:
        self.bound, self.solver = bound, solver
        self.memo: dict[Any, list[Outcome]] = {}
        self.depth = 0
        self.alone = len(bound.args.get("sides", ())) < 2  # no opponent decides

    def outcomes(self, node: Node) -> list[Outcome]:
        self.solver.spend(20)
        if node.outcome is not None:
            return outcomes_from(self.bound, self.solver, node)
        key = self._key(node)
        if key not in self.memo:
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise TooBig(
                    Message("odds.too_many_throws"),
                    Message("odds.ask_later"),
                )
            self.solver.spend(WORK_PER_DIE * (1 + _dice(node)))
            self.memo[key] = self._solve(node)
            self.depth -= 1
        return self.memo[key]

    def _solve(self, node: Node) -> list[Outcome]:
        usual, decided = self._usual(node)
        if not decided or (self.alone and _is_certain(tally_odds(self.bound, self.solver, usual, "usual"))):
            return usual  # already optimal
        match node.ask:
            case Throw() as ask:
                parts: list[Outcome] = []
                scale = len(ask.die) ** ask.count
                for landed, chance in _throw_outcomes(ask.die, _interchangeable(node, ask)):
                    faces = tuple(landed[place] for place in range(ask.count))
                    share = Fraction(chance, scale)
                    for one in self.outcomes(resume(self.bound, node, faces)):
                        weight = one.weight._replace(factor=one.weight.factor * share)
                        parts.append(one._replace(weight=weight))
                return _merge(parts)
            case ChooseDice() | PickOption() as ask:
                self.solver.decided.add(ask.decision)
                if ask.by != "player":
                    reply = policy_reply(node, "usual")
                    return self.outcomes(resume(self.bound, node, reply))
                by_kind: dict[Any, list[Outcome]] = {}
                for _, reply, kind in answers(node):
                    if kind not in by_kind:
                        by_kind[kind] = self.outcomes(resume(self.bound, node, reply))
                return max(by_kind.values(), key=lambda found: self._objective(found, ask.side))
        raise AssertionError(node)

    def _key(self, node: Node) -> Any:
        """Return a key for equivalent nodes: instructions and live values, dice by reading only."""
        wanted: frozenset[str] | None = wanted_fields(self.bound)
        frames = []
        for depth, frame in enumerate(node.frames):
            plan = self.solver.plan(frame.program, wanted)
            inner = depth < len(node.frames) - 1
            names = plan.live_after[frame.pc] if inner else plan.live_before[frame.pc]
            values = [_value_key(frame.env.get(name)) for name in (*frame.program.params, *names)]
            landed = _value_key(frame.wave.landed) if frame.wave else None
            events = tuple(sorted(frame.env[EVENTS]))
            frames.append((frame.program.name, frame.pc, repr(values), landed, events))
            step = frame.program.code[frame.pc]
            if isinstance(step, Call):
                wanted = plan.called_fields.get(step.var, frozenset())
        return tuple(frames)

    def _objective(self, outcomes: list[Outcome], side: int) -> Fraction:
        return objective(tally_odds(self.bound, self.solver, outcomes, "usual"), side)

    def _usual(self, node: Node) -> tuple[list[Outcome], bool]:
        """Return the outcomes under the usual policy, and True if a player has a decision to make."""
        before, self.solver.decided = self.solver.decided, set()
        outcomes = outcomes_from(self.bound, self.solver, node)
        decisions_met = self.solver.decided
        self.solver.decided = before | decisions_met
        decisions = self.bound.ruleset.decisions
        return outcomes, any(decisions[name].by == "player" for name in decisions_met)


def _interchangeable(node: Node, ask: Throw) -> list[list[int]]:
    """Return the dice of a throw, by index, in groups of interchangeable dice.

    A reroll may keep the old reading, so only dice with equal old readings are interchangeable.
    """
    frame = node.frames[-1]
    step = frame.program.code[frame.pc]
    before = [0] * ask.count
    if isinstance(step, Reroll):
        before = [landed.reading for landed in step.pool.value(frame.env)]
    return [
        [place for place, reading_before in enumerate(before) if reading_before == reading]
        for reading in dict.fromkeys(before)
    ]


def _throw_outcomes(die: Die, groups: list[list[int]]) -> Iterator[tuple[dict[int, int], int]]:
    """Yield every distinct outcome of a throw: faces by index, and its weight."""
    if not groups:
        yield {}, 1
        return
    for counts, chance in multisets(die, len(groups[0])):
        faces = [die.index(reading) + 1 for reading, n in counts for _ in range(n)]
        own_faces = dict(zip(groups[0], faces, strict=True))
        for rest, further in _throw_outcomes(die, groups[1:]):
            yield own_faces | rest, chance * further


def _is_certain(odds: Odds) -> bool:
    return odds.success == 1 and (odds.wins is None or odds.wins[0] == 1)


def _merge(outcomes: list[Outcome]) -> list[Outcome]:
    """Merge equal outcomes that have no random numbers."""
    constants: dict[Any, Fraction] = {}
    others = []
    for one in outcomes:
        if one.weight.series:
            others.append(one)
        else:
            key = one.fields, one.events, boolean_positions(one.fields)
            constants[key] = constants.get(key, Fraction(0)) + one.weight.factor
    return others + [
        Outcome(fields, events, Weight(factor, ())) for (fields, events, _), factor in constants.items()
    ]


def _value_key(value: Value) -> Any:
    if isinstance(value, Record):
        return tuple(sorted((k, repr(_value_key(v))) for k, v in value.items()))
    if isinstance(value, tuple) and value and isinstance(value[0], LandedDie):
        return repr(sorted(landed.reading for landed in value))
    return repr(value)


def _dice(node: Node) -> int:
    """Return the number of dice that a question is about."""
    match node.ask:
        case Throw(count=count):
            return count
        case ChooseDice(pool=pool):
            return len(pool)
    return 0
