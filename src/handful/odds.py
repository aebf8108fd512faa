"""Exact odds of a check: from the start or from any pause, under a named policy.

`odds` asks the solver for the fields that matter and turns its outcomes into fractions.
How outcomes are represented is the solver's business; here there are only numbers and chances.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from handful.dice import Landed
from handful.errors import Refused, TooBig
from handful.roll import (
    Bound,
    ChooseDice,
    Node,
    PickOption,
    Reply,
    Throw,
    policy_reply,
    refused,
    resume,
    start,
)
from handful.rules.functions import Value, plain, whole
from handful.rules.params import shown
from handful.rules.program import Ask, Call, Choose, Record, Refusal, Roll
from handful.rules.ruleset import text
from handful.solver.heaps import Cast
from handful.solver.landing import multisets
from handful.solver.numbers import Unknown
from handful.solver.series import NOTHING, Series
from handful.solver.solver import BUDGET, Outcome, Solver, unlanded
from handful.solver.weights import Weight

POLICIES = ("usual", "best", "never")
REST = Fraction(1, 1_000_000)  # an endless distribution is listed until less than this is left
MOST_ANSWERS = 256  # listed one by one; beyond, dice that read alike stand for each other

Number = int | Fraction
Success = Fraction | tuple[Fraction, ...] | None


@dataclass(frozen=True, slots=True)
class Tail:
    """What is left of an endless distribution: the chance of `start` or more."""

    start: Number
    probability: Fraction


@dataclass(frozen=True, slots=True)
class Odds:
    """The exact odds of a check."""

    success: Success
    distribution: Mapping[Number, Fraction]
    mean: Fraction | None
    tail: Tail | None
    events: Mapping[str, Fraction]
    wins: tuple[Fraction, ...] | None
    tie: Fraction | None
    policy: Mapping[str, str]
    answers: Mapping[str, Success] | None = None
    answer_means: Mapping[str, Fraction | None] | None = None
    best: str | None = None
    bound: Bound | None = field(default=None, repr=False, compare=False)

    def at_least(self, value: Number) -> Fraction:
        """The chance that the main result is `value` or more."""
        total = sum(self.distribution.values(), Fraction(0))
        total += self.tail.probability if self.tail else 0
        return total - sum((p for v, p in self.distribution.items() if v < value), Fraction(0))

    def to_dict(self) -> dict[str, Any]:
        """The fields of `handful odds --json`."""
        fields: dict[str, Any] = {"success": _success(self.success)}
        if self.wins is not None:
            fields["wins"] = [str(p) for p in self.wins]
            fields["tie"] = str(self.tie)
        fields["distribution"] = [[_number(v), str(p)] for v, p in self.distribution.items()]
        if self.tail is not None:
            fields["tail"] = {
                "from": _number(self.tail.start),
                "probability": str(self.tail.probability),
            }
        fields["mean"] = None if self.mean is None else str(self.mean)
        fields["events"] = {name: str(p) for name, p in sorted(self.events.items())}
        fields["policy"] = dict(self.policy)
        if self.answers is not None:
            fields["answers"] = {name: _success(p) for name, p in self.answers.items()}
            fields["best"] = self.best
        if self.answer_means is not None:
            fields["answer_means"] = {
                name: None if mean is None else str(mean)
                for name, mean in self.answer_means.items()
            }
        if self.bound is not None:
            fields |= described(self.bound)
        return fields


def described(bound: Bound) -> dict[str, Any]:
    """What was asked: ruleset, check, parameters and options, as they stand in JSON."""
    parameters = {name: shown(value) for name, value in bound.args.items() if name != "sides"}
    if "sides" in bound.args:
        parameters["sides"] = [
            {name: shown(value) for name, value in side.items() if name != "number"}
            for side in bound.args["sides"]
        ]
    return {
        "ruleset": {"id": bound.ruleset.id, "hash": bound.ruleset.hash},
        "check": bound.check.name,
        "parameters": parameters,
        "options": {name: shown(value) for name, value in bound.options.items()},
    }


def _number(value: Number) -> Any:
    return value if isinstance(value, int) else str(value)


def _success(success: Success) -> Any:
    if isinstance(success, tuple):
        return [str(p) for p in success]
    return None if success is None else str(success)


# -- solving


def odds(
    bound: Bound, node: Node | None = None, *, policy: str = "usual", budget: int = BUDGET
) -> Odds:
    """The odds from the start, or from where a roll stands."""
    if policy not in POLICIES:
        raise Refused(f"there is no policy {policy!r}; it is usual, best or never")
    solver = Solver(bound.ruleset, bound.options, "never" if policy == "never" else "usual", budget)
    if node is None and policy != "best":
        assert bound.check.program is not None
        try:
            outcomes = solver.rule(bound.check.name, bound.args, _wanted(bound))
        except Refusal as refusal:
            raise refused(bound, refusal) from None
        return _read(bound, solver, outcomes, policy)
    node = node or start(bound)
    if policy == "best":
        made = _read(bound, solver, _Best(bound, solver).outcomes(node), policy)
    else:
        made = _read(bound, solver, _from(bound, solver, node), policy)
    if isinstance(node.ask, (ChooseDice, PickOption)):
        return _with_answers(bound, node, made, policy, solver)
    return made


def _wanted(bound: Bound) -> frozenset[str]:
    return frozenset((bound.check.main, "success", "wins"))


def _from(bound: Bound, solver: Solver, node: Node) -> list[Outcome]:
    """The outcomes from a pause: the innermost rule first, then the rules that called it."""
    if node.outcome is not None:
        wanted = _wanted(bound)
        fields = tuple((name, v) for name, v in node.outcome.items() if name in wanted)
        return [Outcome(fields, node.events, Weight(Fraction(1), ()))]
    inner: list[Outcome] | None = None
    for depth in reversed(range(len(node.frames))):
        frame = node.frames[depth]
        wanted_here = _wanted(bound) if depth == 0 else _wanted_by(solver, bound, node, depth)
        plan = solver.plan(frame.program, wanted_here)
        env = unlanded(frame.env)
        if inner is not None:
            inner = solver.rest_after(plan, frame.pc, env, inner=inner)
        elif frame.wave is not None:
            step = frame.program.code[frame.pc]
            assert isinstance(step, Roll)
            assert step.endless is not None
            cast = Cast(
                0,
                len(frame.wave.next),
                step.die.value(frame.env),
                whole(step.endless.value(frame.env)),
            )
            inner = solver.rest_after(plan, frame.pc, env, landed=frame.wave.landed, cast=cast)
        else:
            inner = solver.rest(plan, frame.pc, env)
    assert inner is not None
    return inner


def _wanted_by(solver: Solver, bound: Bound, node: Node, depth: int) -> frozenset[str] | None:
    """The fields that the calling rule reads of the called one's result."""
    outer = node.frames[depth - 1]
    wanted = _wanted(bound) if depth == 1 else _wanted_by(solver, bound, node, depth - 1)
    plan = solver.plan(outer.program, wanted)
    call = outer.program.code[outer.pc]
    assert isinstance(call, Call)
    return plan.fields.get(call.var, frozenset())


# -- reading outcomes


def _read(bound: Bound, solver: Solver, outcomes: Iterable[Outcome], policy: str) -> Odds:
    table = _Table(bound.check.main)
    for outcome in outcomes:
        table.add(outcome)
    distribution, tail = table.listed()
    wins = table.wins
    decisions = bound.ruleset.decisions
    words = {
        name: text(decisions[name].never if policy == "never" else decisions[name].usual)
        for name in sorted(solver.decided)
    }
    if policy == "best":
        words = {
            name: "whatever is best for the roller" if decisions[name].by == "player" else usual
            for name, usual in words.items()
        }
    return Odds(
        success=table.success(),
        distribution=distribution,
        mean=table.mean(),
        tail=tail,
        events=table.events,
        wins=None if wins is None else tuple(wins),
        tie=None if wins is None else table.tie,
        policy=words,
        bound=bound,
    )


class _Table:
    """Adds up outcomes, field by field."""

    def __init__(self, main: str) -> None:
        self.main = main
        self.points: dict[Number, Fraction] = {}
        self.spread: dict[tuple[Number, Number], Series] = {}  # (slope, const) -> series
        self.events: dict[str, Fraction] = {}
        self.wins: list[Fraction] | None = None
        self.tie = Fraction(0)
        self.successes: list[Fraction] | None = None
        self.several = False

    def add(self, outcome: Outcome) -> None:
        factor, series, _ = outcome.weight
        mass = factor
        for one in series:
            mass *= one.mass
        if not mass:
            return
        fields = dict(outcome.fields)
        for name in outcome.events:
            self.events[name] = self.events.get(name, Fraction(0)) + mass
        self._add_success(fields.get("success"), mass)
        self._add_wins(fields.get("wins"), mass)
        self._add_main(fields.get(self.main), factor, series, mass)

    def _add_success(self, success: Value, mass: Fraction) -> None:
        if success is None:
            return
        truths = success if isinstance(success, tuple) else (success,)
        self.several = isinstance(success, tuple)
        self.successes = self.successes or [Fraction(0)] * len(truths)
        for place, truth in enumerate(truths):
            self.successes[place] += mass if truth else 0

    def _add_wins(self, wins: Value, mass: Fraction) -> None:
        if wins is None:
            return
        self.wins = self.wins or [Fraction(0)] * len(wins)
        for place, truth in enumerate(wins):
            self.wins[place] += mass if truth else 0
        if len(wins) > 1 and not any(wins):
            self.tie += mass

    def _add_main(
        self, value: Value, factor: Fraction, series: tuple[Series, ...], mass: Fraction
    ) -> None:
        if value is None:
            return
        if not isinstance(value, Unknown):
            self.points[value] = self.points.get(value, Fraction(0)) + mass
            return
        if len(value.slopes) != 1:
            raise TooBig("the difference of two endless numbers cannot be listed")
        ((axis, slope),) = value.slopes
        for place, one in enumerate(series):
            if place != axis:
                factor *= one.mass
        shift = Fraction(value.const) / slope
        own = series[axis].scaled(factor)
        key: tuple[Number, Number] = (slope, value.const)
        if shift.denominator == 1:
            own, key = own.shifted(int(shift)), (slope, 0)
        self.spread[key] = self.spread.get(key, NOTHING).plus(own)

    def success(self) -> Success:
        if self.successes is None:
            return None
        return tuple(self.successes) if self.several else self.successes[0]

    def mean(self) -> Fraction | None:
        mass = sum(self.points.values(), Fraction(0))
        total = sum((v * p for v, p in self.points.items()), Fraction(0))
        for (slope, const), series in self.spread.items():
            mass += series.mass
            total += slope * series.moment + const * series.mass
        return total / mass if mass else None

    def listed(self) -> tuple[dict[Number, Fraction], Tail | None]:
        """The distribution, ascending; an endless one up to where little is left."""
        found = dict(self.points)
        endless = [key for key, series in self.spread.items() if series.endless]
        for key, series in self.spread.items():
            if key not in endless:
                _list(found, key, series, None)
        if not endless:
            return {v: found[v] for v in sorted(found) if found[v]}, None
        whole_mass = sum(self.points.values(), Fraction(0)) + sum(
            (series.mass for series in self.spread.values()), Fraction(0)
        )
        reach = 32
        while True:
            trial = dict(found)
            for key in endless:
                series = self.spread[key]
                _list(trial, key, series, series.lo + reach)
            known = min(
                key[0] * (self.spread[key].lo + reach) + key[1] for key in endless
            )  # every value below is complete
            trial = {v: trial[v] for v in sorted(trial) if trial[v] and v < known}
            if whole_mass - sum(trial.values(), Fraction(0)) < REST:
                return _trimmed(trial, whole_mass)
            reach *= 2


def _list(
    found: dict[Number, Fraction], key: tuple[Number, Number], series: Series, below: int | None
) -> None:
    slope, const = key
    for value, chance in series.items(below):
        shown_value = plain(slope * value + const)
        found[shown_value] = found.get(shown_value, Fraction(0)) + chance


def _trimmed(trial: dict[Number, Fraction], mass: Fraction) -> tuple[dict[Number, Fraction], Tail]:
    """The shortest list that leaves less than REST over."""
    left = mass
    kept: dict[Number, Fraction] = {}
    for value, chance in trial.items():
        if left < REST:
            return kept, Tail(value, left)
        kept[value] = chance
        left -= chance
    return kept, Tail(plain(max(kept) + 1), left)


# -- decisions


def _with_answers(bound: Bound, node: Node, made: Odds, policy: str, solver: Solver) -> Odds:
    values: dict[str, Odds] = {}
    by_class: dict[Any, Odds] = {}
    for name, reply, key in answers(node):
        if key not in by_class:
            by_class[key] = odds(
                bound, resume(bound, node, reply), policy=policy, budget=solver.left
            )
        values[name] = by_class[key]
    side = node.ask.side if node.ask is not None else 0
    best = max(values, key=lambda name: _goal(values[name], side), default=None)
    means = None
    if made.success is None:
        means = {name: value.mean for name, value in values.items()}
    from dataclasses import replace

    return replace(
        made,
        answers={name: value.success for name, value in values.items()},
        answer_means=means,
        best=best,
    )


def _goal(made: Odds, side: int) -> Fraction:
    """What a side wants: to win; without a contest, to succeed; without a target, much."""
    if made.wins is not None and side:
        return made.wins[side - 1]
    if isinstance(made.success, tuple):
        return sum(made.success, Fraction(0))
    if made.success is not None:
        return made.success
    return made.mean or Fraction(0)


def answers(node: Node) -> Iterator[tuple[str, Reply, Any]]:
    """Each legal answer: as it is typed, as a reply, and what it amounts to."""
    match node.ask:
        case PickOption(_, _, _, options):
            for option in options:
                yield option, option, option
        case ChooseDice(_, _, _, pool, at_most):
            dice = sorted(pool, key=lambda landed: landed.number)
            count = sum(comb(len(dice), k) for k in range(at_most + 1))
            picks = _every(dice, at_most) if count <= MOST_ANSWERS else _kinds(dice, at_most)
            for pick in picks:
                numbers = tuple(landed.number for landed in pick)
                kind = tuple(sorted(landed.reading for landed in pick))
                yield ",".join(map(str, numbers)) or "none", numbers, kind


def _every(dice: list[Landed], at_most: int) -> Iterator[tuple[Landed, ...]]:
    for k in range(at_most + 1):
        yield from combinations(dice, k)


def _kinds(dice: list[Landed], at_most: int) -> Iterator[tuple[Landed, ...]]:
    """One pick for each choice of readings: the first dice that read so."""
    readings = sorted({landed.reading for landed in dice})
    groups = [[landed for landed in dice if landed.reading == r] for r in readings]

    def picks(place: int, left: int) -> Iterator[tuple[Landed, ...]]:
        if place == len(groups):
            yield ()
            return
        for k in range(min(left, len(groups[place])) + 1):
            for rest in picks(place + 1, left - k):
                yield tuple(groups[place][:k]) + rest

    found = sorted(picks(0, at_most), key=lambda pick: (len(pick), [p.number for p in pick]))
    if len(found) > 5000:
        raise TooBig("there are too many different answers to weigh them all")
    yield from found


class _Best:
    """Outcomes when every player's decision is the best one for its side.

    Decisions see the dice, so throws before a decision are taken way by way; where no decision of
    a player can follow any more, the solver answers.
    """

    def __init__(self, bound: Bound, solver: Solver) -> None:
        self.bound, self.solver = bound, solver
        self.memo: dict[Any, list[Outcome]] = {}

    def outcomes(self, node: Node) -> list[Outcome]:
        self.solver.spend(20)
        if node.outcome is not None or not self._undecided(node):
            return _from(self.bound, self.solver, node)
        key = _identity(node)
        if key not in self.memo:
            try:
                self.memo[key] = self._weighed(node)
            except RecursionError:
                raise TooBig("there are too many decisions in a row to weigh them all") from None
        return self.memo[key]

    def _weighed(self, node: Node) -> list[Outcome]:
        usual = _from(self.bound, self.solver, node)
        if _certain(_read(self.bound, self.solver, usual, "usual")):
            return usual  # it cannot get better
        match node.ask:
            case Throw(count, die):
                parts: list[Outcome] = []
                scale = len(die) ** count
                for counts, chance in multisets(die, count):
                    faces = tuple(die.index(reading) + 1 for reading, n in counts for _ in range(n))
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

    def _worth(self, outcomes: list[Outcome], side: int) -> Fraction:
        return _goal(_read(self.bound, self.solver, outcomes, "usual"), side)

    def _undecided(self, node: Node) -> bool:
        """Whether a player may still have something to decide."""
        return any(self._decides(frame.program.name, frame.pc) for frame in node.frames)

    def _decides(self, rule: str, pc: int, seen: frozenset[str] = frozenset()) -> bool:
        from handful.solver.plan import successors

        code = self.bound.ruleset.program(rule).code
        todo, done = [pc], set()
        while todo:
            at = todo.pop()
            if at in done:
                continue
            done.add(at)
            step = code[at]
            if isinstance(step, (Choose, Ask)):
                if self.bound.ruleset.decisions[step.decision].by == "player":
                    return True
            elif (
                isinstance(step, Call)
                and step.rule not in seen
                and self._decides(step.rule, 0, seen | {step.rule})
            ):
                return True
            todo.extend(successors(step, at))
        return False


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
            key = one.fields, one.events
            plain_ones[key] = plain_ones.get(key, Fraction(0)) + one.weight.factor
    return others + [
        Outcome(fields, events, Weight(factor, ()))
        for (fields, events), factor in plain_ones.items()
    ]


def _identity(node: Node) -> Any:
    """What a node amounts to: places and values, dice by reading only."""
    frames = []
    for frame in node.frames:
        env = tuple(
            sorted((name, _amount(value)) for name, value in frame.env.items() if name[0] != "@")
        )
        events = frame.env["@events"]
        frames.append(
            (
                frame.program.name,
                frame.pc,
                repr(env),
                tuple(sorted(events)),
                repr(_amount(frame.wave.landed)) if frame.wave else None,
            )
        )
    return tuple(frames)


def _amount(value: Value) -> Any:
    if isinstance(value, Record):
        return tuple(sorted((k, repr(_amount(v))) for k, v in value.items()))
    if isinstance(value, tuple) and value and isinstance(value[0], Landed):
        return repr(sorted(landed.reading for landed in value))
    return repr(value)
