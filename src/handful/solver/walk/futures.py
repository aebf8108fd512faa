"""Which questions about the dice of a pool may still come: a backward analysis of the graph.

*Forgetting*: dice that no later question reaches leave the pool.  *Classes*: faces to which all later
questions give the same answer are one class of a source.
A question is (filters, what is asked of the dice that pass): their number, their sum, their values in a
row, how they rank, or everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from handful.dice import COMPARISONS, row_value
from handful.rules.functions import FUNCTIONS
from handful.rules.operators import add, compare, subtract
from handful.solver.walk.flat import Var, copy
from handful.solver.walk.graph import FlowNode

Question = tuple[tuple[tuple[str, int], ...], Any]
Questions = frozenset[Question]

SIZE: Questions = frozenset([((), "size")])
SUM: Questions = frozenset([((), "sum")])
EVERYTHING: Questions = frozenset([((), "all")])
NONE: Questions = frozenset()
MAX_FILTERS = 4
MAX_QUESTIONS = 60
MAX_TURNS = 4  # after which a loop may ask everything of what it asks about


def analyse(nodes: list[FlowNode]) -> None:
    """Fill in what is live and what is asked after each node; `nodes` are in order."""
    live: dict[int, frozenset[str]] = {}
    asked: dict[int, dict[str, Questions]] = {}
    turns, changed = 0, True
    while changed:
        changed = False
        for node in reversed(nodes):
            following = [one for one in (node.next, node.other) if one is not None]
            after = frozenset().union(*[live.get(id(one), frozenset()) for one in following])
            questions: dict[str, Questions] = {}
            for one in following:
                for name, more in asked.get(id(one), {}).items():
                    questions[name] = questions[name] | more if name in questions else more
            node.questions = questions
            node.after = tuple(sorted(after - {node.dst}))
            own = {name: one for name, one in questions.items() if name != node.dst}
            for place, operand in enumerate(node.args):
                if type(operand) is Var:
                    own[operand] = own.get(operand, NONE) | _asked(
                        node, place, questions.get(node.dst or "", NONE)
                    )
                    if len(own[operand]) > MAX_QUESTIONS:
                        own[operand] = EVERYTHING
            before = frozenset(node.after).union(one for one in node.args if type(one) is Var)
            if node.head and (own != node.asked or before != live.get(id(node))):
                changed = True  # what leads back to the head has to be seen again
                if turns > MAX_TURNS:
                    own = {name: EVERYTHING if one else one for name, one in own.items()}
                    changed = own != node.asked
            asked[id(node)] = node.asked = own
            live[id(node)] = before
        turns += 1
    for node in nodes:
        node.fused = _is_fused(node)


def _asked(node: FlowNode, place: int, later: Questions) -> Questions:
    """Return what a node asks of one of its operands, if `later` is asked of its result."""
    fn = node.fn
    if node.kind == "roll":
        return SIZE if place == 0 else NONE
    if node.kind == "reroll":
        return SIZE if place == 0 and node.args[2] == "new" else EVERYTHING
    if node.kind == "decided":
        return SIZE
    if node.kind != "op":
        return EVERYTHING
    if fn is copy or fn is add or fn is subtract:
        return later
    if fn is compare and place == 1 and type(node.args[2]) is int:
        test = (node.args[0], node.args[2])
        return frozenset(
            ((test, *filters), what) if len(filters) < MAX_FILTERS else ((), "all") for filters, what in later
        )
    if fn is FUNCTIONS["size"]:
        return SIZE
    if fn is FUNCTIONS["sum"] and place == 0:
        if len(node.args) == 1:
            return SUM
        row = node.args[1]
        if type(row) is tuple and all(type(number) is int for number in row):
            return frozenset([((), row)])
        return EVERYTHING
    if fn in (FUNCTIONS["highest"], FUNCTIONS["lowest"]) and place == 0 and len(node.sites) <= 1:
        return frozenset([((), ("rank", later))])
    return EVERYTHING


def _is_fused(node: FlowNode) -> bool:
    """Return True if a node keeps dice of which the next node reads the sum, and nothing else."""
    following = node.next
    return (
        node.kind == "op"
        and node.fn in (FUNCTIONS["highest"], FUNCTIONS["lowest"])
        and following is not None
        and following.ways == 1
        and following.kind == "op"
        and following.fn is FUNCTIONS["sum"]
        and following.args == (node.dst,)
        and (node.dst == following.dst or node.dst not in following.after)
    )


def matters(questions: Iterable[Question], reading: int) -> bool:
    """Return True if a die with this reading can still make a difference."""
    return any(
        not _adds_nothing(what, reading)
        for filters, what in questions
        if all(COMPARISONS[symbol](reading, number) for symbol, number in filters)
    )


def _adds_nothing(what: Any, reading: int) -> bool:
    if what == "sum":
        return reading == 0
    is_row = type(what) is tuple and not _ranks(what)
    return is_row and 1 <= reading <= len(what) and what[reading - 1] == 0


def classes(questions: Questions, faces: Iterable[tuple[int, int]]) -> list[tuple[int | None, int]]:
    """Merge the faces of a die that no question tells apart; a face that does not matter reads None."""
    ordered = sorted(questions, key=repr)
    ranked = any(_ranks(what) for _, what in ordered)
    merged: dict[Any, list[Any]] = {}
    last, run = None, 0
    for reading, weight in faces:
        if not ranked and not matters(ordered, reading):
            sign: Any = None
        else:
            sign = _sign(ordered, reading)
            if ranked:  # only neighbours may stand for each other
                run, last = run + (sign != last), sign
                sign = run
        entry = merged.setdefault(sign, [None if sign is None else reading, 0])
        entry[1] += weight
    return [(reading, weight) for reading, weight in merged.values()]


def last_reading(questions: Questions) -> tuple[int | None, bool]:
    """Return a reading above which no question tells dice apart, except by their sum; and if sums are asked.

    The reading is None if dice are only added up.
    """
    last: int | None = None
    adds_up = False
    for filters, what in questions:
        inner: int | None = None
        if _ranks(what):
            inner, sums = last_reading(what[1])
            adds_up = adds_up or sums
        elif what != "size":
            adds_up = True
        for number in (inner, *[number for _, number in filters]):
            if number is not None:
                last = number if last is None else max(last, number)
    return (0 if last is None and not adds_up else last), adds_up


def _ranks(what: Any) -> bool:
    return type(what) is tuple and what[:1] == ("rank",)


def _sign(questions: Iterable[Question], reading: int) -> tuple[Any, ...]:
    signs: list[Any] = []
    for filters, what in questions:
        if not all(COMPARISONS[symbol](reading, number) for symbol, number in filters):
            signs.append(None)
        elif what == "size":
            signs.append(1)
        elif what == "sum" or what == "all":
            signs.append(reading)
        elif _ranks(what):
            signs.append(_sign(sorted(what[1], key=repr), reading))
        else:
            signs.append(row_value(what, reading) if 1 <= reading <= len(what) else ("no", reading))
    return tuple(signs)
