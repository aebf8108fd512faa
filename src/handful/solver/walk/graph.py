"""The residual graph: nodes, their order, and what may go wrong on the way."""

from __future__ import annotations

from typing import Any

from handful.solver.memo import Unwalkable
from handful.solver.walk.flat import Flat


class FlowNode:
    """One operation of the residual graph."""

    __slots__ = (
        "after",
        "args",
        "asked",
        "dst",
        "flat",
        "fn",
        "fused",
        "kind",
        "next",
        "other",
        "questions",
        "rank",
        "sites",
        "ways",
    )

    def __init__(self, kind: str, dst: str | None, fn: Any, args: tuple[Any, ...], flat: Flat) -> None:
        self.kind, self.dst, self.fn, self.args, self.flat = kind, dst, fn, args, flat
        self.next: FlowNode | None = None
        self.other: FlowNode | None = None
        self.sites: frozenset[int] = frozenset()  # throws that are ranked together here
        self.rank = -1  # position in an order in which every node comes before what follows it
        self.ways = 0  # nodes that lead here
        self.after: tuple[str, ...] = ()  # variables live after the node, except the one it writes
        self.questions: dict[str, frozenset[Any]] = {}  # about each variable, after the node
        self.asked: dict[str, frozenset[Any]] = {}  # about each variable, by the node and after it
        self.fused = False  # the sum of kept dice is all that is read of them

    @property
    def following(self) -> list[FlowNode]:
        return [node for node in (self.next, self.other) if node is not None]


class Edge:
    """Place of the next node: the start, or what follows a node."""

    __slots__ = ("node", "owner", "slot")

    def __init__(self) -> None:
        self.node: FlowNode | None = None
        self.owner: FlowNode | None = None
        self.slot = ""

    @classmethod
    def of(cls, owner: FlowNode, slot: str) -> Edge:
        edge = cls()
        edge.owner, edge.slot = owner, slot
        return edge

    def set(self, node: FlowNode) -> None:
        self.node = node
        if self.owner is not None:
            setattr(self.owner, self.slot, node)


def ordered(first: FlowNode) -> list[FlowNode]:
    """Return the nodes so that each comes before what follows it; a cycle is not walked."""
    entered = {id(first)}  # nodes on the way from the first one
    finished: set[int] = set()
    order: list[FlowNode] = []
    stack: list[tuple[FlowNode, int]] = [(first, 0)]
    while stack:
        node, at = stack.pop()
        following = node.following
        if at == len(following):
            entered.discard(id(node))
            finished.add(id(node))
            order.append(node)
            continue
        stack.append((node, at + 1))
        child = following[at]
        child.ways += 1
        if id(child) in entered:
            raise Unwalkable
        if id(child) not in finished:
            entered.add(id(child))
            stack.append((child, 0))
    order.reverse()
    for rank, node in enumerate(order):
        node.rank = rank
    return order
