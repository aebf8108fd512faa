"""The residual graph: nodes, their order, and what may go wrong on the way."""

from __future__ import annotations

from typing import Any

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
        "head",
        "kind",
        "loop",
        "next",
        "other",
        "questions",
        "rank",
        "site",
        "sites",
        "ways",
    )

    def __init__(self, kind: str, dst: str | None, fn: Any, args: tuple[Any, ...], flat: Flat) -> None:
        self.kind, self.dst, self.fn, self.args, self.flat = kind, dst, fn, args, flat
        self.next: FlowNode | None = None
        self.other: FlowNode | None = None
        self.sites: frozenset[int] = frozenset()  # throws that are ranked together here
        self.site = ""  # of a call: names it
        self.rank = -1  # position in an order in which every node comes before what follows it
        self.ways = 0  # nodes that lead here
        self.loop = -1  # number of the strongly connected component, if the node is on a cycle
        self.head = False  # every cycle of its component goes through such a node
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
    """Return the nodes so that each comes before what follows it, except on ways to a head.

    The nodes of a strongly connected component stand together.  Heads are the first nodes of turns.
    """
    order = _reverse_postorder(first)
    for node in order:
        for one in node.following:
            one.ways += 1
    components = _components(order)
    for number, component in enumerate(components):
        is_loop = len(component) > 1 or component[0] in component[0].following
        for node in component:
            node.loop = number if is_loop else -1
            node.head = node.head and is_loop
    for node in [one for one in order if one.head]:
        _move_behind_test(node)
    place = {id(node): at for at, node in enumerate(_reverse_postorder(first))}
    nodes = [node for component in components for node in sorted(component, key=lambda one: place[id(one)])]
    for rank, node in enumerate(nodes):
        node.rank = rank
    return nodes


def _move_behind_test(head: FlowNode) -> None:
    """Let a turn begin behind the test that may end the loop: what leaves it is never told apart there."""
    node = head
    while node.kind == "op" and node.next is not None and node.next.loop == head.loop:
        node = node.next
        if node.head:
            return
    if node.kind == "if" and any(one.loop != head.loop for one in node.following):
        head.head = False
        for one in node.following:
            one.head = one.head or one.loop == head.loop


def _reverse_postorder(first: FlowNode) -> list[FlowNode]:
    """Return the nodes in reverse postorder of a depth-first search; turns of a loop are cut at its heads."""
    entered = {id(first)}
    order: list[FlowNode] = []
    stack: list[tuple[FlowNode, int]] = [(first, 0)]
    later: list[FlowNode] = []  # heads that are reached only by a turn
    while stack or later:
        if not stack:
            node = later.pop()
            if id(node) not in entered:
                entered.add(id(node))
                stack.append((node, 0))
            continue
        node, at = stack.pop()
        following = node.following
        if at == len(following):
            order.append(node)
            continue
        stack.append((node, at + 1))
        child = following[at]
        if child.head and child.loop == node.loop >= 0:
            later.append(child)
        elif id(child) not in entered:
            entered.add(id(child))
            stack.append((child, 0))
    order.reverse()
    return order


def _components(order: list[FlowNode]) -> list[list[FlowNode]]:
    """Return the strongly connected components in topological order (Kosaraju's algorithm)."""
    place = {id(node): at for at, node in enumerate(order)}
    before: list[list[FlowNode]] = [[] for _ in order]
    for node in order:
        for one in node.following:
            before[place[id(one)]].append(node)
    seen: set[int] = set()
    found: list[list[FlowNode]] = []
    for node in order:
        if id(node) in seen:
            continue
        seen.add(id(node))
        component, stack = [], [node]
        while stack:
            one = stack.pop()
            component.append(one)
            for other in before[place[id(one)]]:
                if id(other) not in seen:
                    seen.add(id(other))
                    stack.append(other)
        found.append(component)
    return found
