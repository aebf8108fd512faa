"""Play by the best policy: every player's decision is the best one for its side."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from handful.dice import Die, LandedDie
from handful.errors import TooBig
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

DEEPEST = 100  # throws and decisions in a row; an endless throw before a decision has no end


EACH_DIE = 300  # units of work: a pause is remembered with all the dice that led to it


class Best:
    """Outcomes when every player's decision is the best one for its side.

    Decisions see the dice, so throws before a decision are taken way by way; where no decision of
    a player can follow any more, the solver answers.
    """

    def __init__(self, bound: BoundCheck, solver: Solver) -> None:
        self.bound, self.solver = bound, solver
        self.memo: dict[Any, list[Outcome]] = {}
        self.depth = 0
        self.alone = len(bound.args.get("sides", ())) < 2  # nobody decides against the roller

    def outcomes(self, node: Node) -> list[Outcome]:
        self.solver.spend(20)
        if node.outcome is not None:
            return outcomes_from(self.bound, self.solver, node)
        key = self._identity(node)
        if key not in self.memo:
            self.depth += 1
            if self.depth > DEEPEST:
                raise TooBig(
                    "there are too many throws before a decision to weigh them all",
                    "ask again when the dice have fallen (--faces), or for the usual policy",
                )
            self.solver.spend(EACH_DIE * (1 + _dice(node)))
            self.memo[key] = self._weighed(node)
            self.depth -= 1
        return self.memo[key]

    def _weighed(self, node: Node) -> list[Outcome]:
        usual, decided = self._usual(node)
        if not decided or (self.alone and _certain(tally_odds(self.bound, self.solver, usual, "usual"))):
            return usual  # it cannot get better
        match node.ask:
            case Throw() as ask:
                parts: list[Outcome] = []
                scale = len(ask.die) ** ask.count
                for landed, chance in _ways(ask.die, _alike(node, ask)):
                    faces = tuple(landed[place] for place in range(ask.count))
                    share = Fraction(chance, scale)
                    for one in self.outcomes(resume(self.bound, node, faces)):
                        weight = one.weight._replace(factor=one.weight.factor * share)
                        parts.append(one._replace(weight=weight))
                return _merged(parts)
            case ChooseDice() | PickOption() as ask:
                self.solver.decided.add(ask.decision)
                if ask.by != "player":
                    reply = policy_reply(node, "usual")
                    return self.outcomes(resume(self.bound, node, reply))
                seen: dict[Any, list[Outcome]] = {}
                for _, reply, kind in answers(node):
                    if kind not in seen:
                        seen[kind] = self.outcomes(resume(self.bound, node, reply))
                return max(seen.values(), key=lambda found: self._worth(found, ask.side))
        raise AssertionError(node)

    def _identity(self, node: Node) -> Any:
        """What a node amounts to: places and the values still needed, dice by reading only."""
        wanted: frozenset[str] | None = wanted_fields(self.bound)
        frames = []
        for depth, frame in enumerate(node.frames):
            plan = self.solver.plan(frame.program, wanted)
            inner = depth < len(node.frames) - 1
            names = plan.live_after[frame.pc] if inner else plan.live_before[frame.pc]
            values = [_amount(frame.env.get(name)) for name in (*frame.program.params, *names)]
            landed = _amount(frame.wave.landed) if frame.wave else None
            events = tuple(sorted(frame.env[EVENTS]))
            frames.append((frame.program.name, frame.pc, repr(values), landed, events))
            step = frame.program.code[frame.pc]
            if isinstance(step, Call):
                wanted = plan.called_fields.get(step.var, frozenset())
        return tuple(frames)

    def _worth(self, outcomes: list[Outcome], side: int) -> Fraction:
        return objective(tally_odds(self.bound, self.solver, outcomes, "usual"), side)

    def _usual(self, node: Node) -> tuple[list[Outcome], bool]:
        """The outcomes by the usual policy, and whether a player decides anything on the way."""
        before, self.solver.decided = self.solver.decided, set()
        outcomes = outcomes_from(self.bound, self.solver, node)
        met = self.solver.decided
        self.solver.decided = before | met
        decisions = self.bound.ruleset.decisions
        return outcomes, any(decisions[name].by == "player" for name in met)


def _alike(node: Node, ask: Throw) -> list[list[int]]:
    """The dice of a throw, by place, in groups that stand for each other.

    Of a rerolled die the better reading may stay, so only those that read alike before do.
    """
    frame = node.frames[-1]
    step = frame.program.code[frame.pc]
    before = [0] * ask.count
    if isinstance(step, Reroll):
        before = [landed.reading for landed in step.pool.value(frame.env)]
    return [
        [place for place, own in enumerate(before) if own == reading] for reading in dict.fromkeys(before)
    ]


def _ways(die: Die, groups: list[list[int]]) -> Iterator[tuple[dict[int, int], int]]:
    """Every way to land that makes a difference: faces by place, and its weight."""
    if not groups:
        yield {}, 1
        return
    for counts, chance in multisets(die, len(groups[0])):
        faces = [die.index(reading) + 1 for reading, n in counts for _ in range(n)]
        own = dict(zip(groups[0], faces, strict=True))
        for rest, further in _ways(die, groups[1:]):
            yield own | rest, chance * further


def _certain(made: Odds) -> bool:
    return made.success == 1 and (made.wins is None or made.wins[0] == 1)


def _merged(outcomes: list[Outcome]) -> list[Outcome]:
    """Outcomes without open numbers that agree become one."""
    plain_ones: dict[Any, Fraction] = {}
    others = []
    for one in outcomes:
        if one.weight.series:
            others.append(one)
        else:
            key = one.fields, one.events, boolean_positions(one.fields)
            plain_ones[key] = plain_ones.get(key, Fraction(0)) + one.weight.factor
    return others + [
        Outcome(fields, events, Weight(factor, ())) for (fields, events, _), factor in plain_ones.items()
    ]


def _amount(value: Value) -> Any:
    if isinstance(value, Record):
        return tuple(sorted((k, repr(_amount(v))) for k, v in value.items()))
    if isinstance(value, tuple) and value and isinstance(value[0], LandedDie):
        return repr(sorted(landed.reading for landed in value))
    return repr(value)


def _dice(node: Node) -> int:
    """How many dice a pause is about."""
    match node.ask:
        case Throw(count=count):
            return count
        case ChooseDice(pool=pool):
            return len(pool)
    return 0
