"""Throws: new sources, and dice that are thrown for each die of another source."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from handful.dice import Die, check_adds_up
from handful.errors import Message, TooBig
from handful.roll import MAX_DICE
from handful.rules.operators import Value, resolve_int
from handful.rules.program import RollDice
from handful.solver.exploding import AddingSum
from handful.solver.generating_function import GeneratingFunction
from handful.solver.joint_distribution import face_counts
from handful.solver.walk.futures import EVERYTHING, classes, last_reading
from handful.solver.walk.graph import FlowNode
from handful.solver.walk.operations import Operations
from handful.solver.walk.questions import Forked, Passed
from handful.solver.walk.sources import MAX_CLASSES, WalkState
from handful.solver.walk.values import Extra, Number, OpenDice

Faces = list[tuple[int | None, int]]  # reading and weight of each class of a die; None: not needed


class Throws:
    """Executes the throws of a graph."""

    def __init__(self, operations: Operations) -> None:
        self.operations, self.draws = operations, operations.draws
        self.dice: dict[Any, Faces] = {}

    def roll(self, state: WalkState, node: FlowNode, values: list[Value]) -> None:
        dice, die, explodes_from, *base = values
        if isinstance(explodes_from, Number):
            self.operations.know(state, node, 2)
        count = dice.size() if isinstance(dice, OpenDice) else dice
        if isinstance(die, Number):
            self.operations.know(state, node, 1)
        if isinstance(count, Number):
            state.refuse_endless(count.terms)
        if isinstance(count, Number) and (explodes_from is not None or not _are_counts(count)):
            self._know_count(state, node, count)
        if not isinstance(die, Die):
            raise TypeError("only dice can be thrown")
        faces = self._classes(node, die)
        most = state.bounds(count)[1]
        const = count.const if isinstance(count, Number) else resolve_int(count)
        if const < 0:
            raise ValueError(f"{const} dice cannot be thrown")
        if most > MAX_DICE:
            raise TooBig(Message("roll.too_many_dice", most=MAX_DICE, count=most))
        self.draws.spend(most)
        if explodes_from is not None and isinstance(node.flat.step, RollDice):
            bound, step = resolve_int(explodes_from), node.flat.step
            if step.adds:
                check_adds_up(die, bound)
                if bound <= max(die) and const:
                    self._adding(state, node, die, const, *base)
            elif bound <= max(die) and const:
                assert node.dst is not None
                state.env[node.dst] = self._exploding(state, node, die, bound, const)
                return
        total = sum([weight for _, weight in faces])
        if isinstance(count, Number) and any(
            len(state.sources[source][0]) * len(faces) > MAX_CLASSES for source in count.terms
        ):
            self._know_count(state, node, count)
        parts: dict[int, Any] = {}
        if const:
            new = self.draws.new_source(state, [weight for _, weight in faces], const)
            state.den *= total**const
            parts[new] = tuple([() if face is None else (face,) for face, _ in faces])
        for source in list(count.terms) if isinstance(count, Number) else ():
            thrown = [x or None for x in count.terms[source]]
            _, landed = self.draws.spawned(state, source, thrown, [(_Face(f), w) for f, w in faces])
            parts[source] = tuple(
                [() if one is None or one.reading is None else (one.reading,) for one in landed]
            )
        assert node.dst is not None
        state.env[node.dst] = OpenDice(parts, {})

    def _exploding(self, state: WalkState, node: FlowNode, die: Die, bound: int, count: int) -> OpenDice:
        """Throw dice that bring others: as many that stop, and a negative binomial number that did not."""
        asked = node.questions.get(node.dst or "", EVERYTHING)
        stops = classes(asked, [(face, weight) for face, weight in face_counts(die) if face < bound])
        going = classes(asked, [(face, weight) for face, weight in face_counts(die) if face >= bound])
        if not stops:
            raise TooBig(Message("solver.thrown_again_forever"))
        left, weight = sum([own for _, own in stops]), sum([own for _, own in going])
        final = self.draws.new_source(state, [own for _, own in stops], count)
        state.den *= left**count
        parts: dict[int, Any] = {final: tuple([_landed(face) for face, _ in stops])}
        if any(reading is not None for reading, _ in going):
            one = GeneratingFunction(1, [weight], len(die)).geometric()
            number = one.convolution_power(count).scaled(Fraction(left, len(die)) ** count)
            source = self.draws.new_endless(state, number, [own for _, own in going])
            parts[source] = tuple([_landed(reading) for reading, _ in going])
        return OpenDice(parts, {})

    def _adding(self, state: WalkState, node: FlowNode, die: Die, count: int, base: int = 0) -> None:
        """Throw dice that add on, each from a reading of `base` on.

        Readings up to the last one that a question tells apart are classes.  If sums are asked as well,
        it is drawn how many dice come beyond, and what those gain there is an endless number.
        """
        asked = node.questions.get(node.dst or "", EVERYTHING)
        top, total, again = max(die), len(die), die.count(max(die))
        lower = [(face, weight) for face, weight in face_counts(die) if face < top]
        if not lower:
            raise TooBig(Message("solver.thrown_again_forever"))
        last, adds_up = last_reading(asked)
        waves = 0 if last is None else max(last - base, -1) // max(top, 1) + 1
        faces = [
            (base + top * wave + face, weight * again**wave * total ** (waves - 1 - wave))
            for wave in range(waves)
            for face, weight in lower
        ]
        assert node.dst is not None
        if not adds_up:
            faces = classes(asked, sorted([*faces, (base + top * waves, again**waves)]))  # type: ignore[assignment]
            state.den *= total ** (waves * count)
            new = self.draws.new_source(state, [weight for _, weight in faces], count)
            state.env[node.dst] = OpenDice({new: tuple([_landed(face) for face, _ in faces])}, {})
            raise Passed([state])
        if top <= 0:
            raise TooBig(Message("solver.one_exploding_sum"))
        found = []
        faces = sorted(faces)
        for beyond in range(count + 1) if waves else (count,):
            one = state.copied()
            one.num *= comb(count, beyond) * again ** (waves * beyond)
            one.den *= total ** (waves * count)
            parts: dict[int, Any] = {}
            if beyond < count:
                new = self.draws.new_source(one, [weight for _, weight in faces], count - beyond)
                parts[new] = tuple([(face,) for face, _ in faces])
            reading = base + top * waves
            if beyond:
                parts[self.draws.new_endless(one, AddingSum(die, beyond))] = ((Extra(reading),),)
            one.env[node.dst] = OpenDice(parts, {reading: beyond})
            found.append(one)
        self.draws.spend(5 * len(found) * (1 + waves))
        raise Passed(found)

    def _know_count(self, state: WalkState, node: FlowNode, count: Number) -> None:
        """Fork by the number of dice to throw, and run the node again."""
        if not isinstance(state.env.get(node.args[0]), OpenDice):
            self.operations.know(state, node, 0)
        source, column = next(iter(count.terms.items()))
        signs = column if len(set(column)) > 1 else range(len(column))
        raise Forked(self.draws.refined(state, source, signs))

    def _classes(self, node: FlowNode, die: Die) -> Faces:
        key = node.rank, die
        if key not in self.dice:
            questions = node.questions.get(node.dst or "", EVERYTHING) if node.dst else EVERYTHING
            self.dice[key] = classes(questions, face_counts(die))
        return self.dice[key]

    def reroll(self, state: WalkState, node: FlowNode, values: list[Value]) -> None:
        pool, die, keep = values
        if isinstance(die, Number):
            self.operations.know(state, node, 1)
        if not isinstance(pool, OpenDice):
            raise TypeError("only dice can be thrown")
        if any(type(r) is Extra for part in pool.parts.values() for readings in part for r in readings):
            raise TooBig(Message("solver.endless_dice"))
        if not isinstance(die, Die):
            raise TypeError("only dice can be thrown")
        faces: Faces = self._classes(node, die) if keep == "new" else list(face_counts(die))
        total = sum([weight for _, weight in faces])
        for source, part in pool.parts.items():
            if any(len(readings) > 1 for readings in part) or len(part) * len(faces) > MAX_CLASSES:
                raise Forked(self.draws.refined(state, source, range(len(part))))
        self.draws.spend(int(min(state.bounds(pool.size())[1], MAX_DICE)))
        parts: dict[int, Any] = {}

        def lands(old: Any, new: int | None) -> int | None:
            if keep == "new" or new is None:  # a face that makes no difference
                return new
            return int(max(old, new) if keep == "better" else min(old, new))

        for reading, count in pool.known.items():
            new = self.draws.new_source(state, [weight for _, weight in faces], count)
            state.den *= total**count
            parts[new] = tuple([_landed(lands(reading, face)) for face, _ in faces])
        for source, part in pool.parts.items():
            thrown = [readings[0] if readings else None for readings in part]
            marks = [None if one is None else _Face(one) for one in thrown]
            back, landed = self.draws.spawned(state, source, marks, [(_Face(f), w) for f, w in faces])
            parts[source] = tuple(
                [
                    () if face is None else _landed(lands(thrown[old], face.reading))
                    for old, face in zip(back, landed, strict=True)
                ]
            )
        assert node.dst is not None
        state.env[node.dst] = OpenDice(parts, {})


class _Face:
    """A face that was thrown; its reading is None if it does not matter."""

    __slots__ = ("reading",)

    def __init__(self, reading: int | None) -> None:
        self.reading = reading


def _landed(reading: int | None) -> tuple[int, ...]:
    return () if reading is None else (reading,)


def _are_counts(number: Number) -> bool:
    """Return True if a number counts dice of some classes, each at most once."""
    if type(number.const) is not int or number.const < 0:
        return False
    return all(all(x == 0 or x == 1 for x in column) for column in number.terms.values())
