"""Odds by rolling: one roll after the other, face by face, by the machine of play.

Nothing of the solver and nothing of `handful.simulate` takes part, so that what those two say can
be held against it: a draw from a solved table could never prove the solution.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from handful.roll import BoundCheck, Node, Throw, policy_reply, resume, start

Came = tuple[Any, Any, Any, tuple[str, ...]]  # result, success, wins, events


def rolled_one_by_one(
    check: BoundCheck, count: int, seed: int, policy: str = "usual", node: Node | None = None
) -> Counter[Came]:
    """So many rolls, by what came of them."""
    rng = Random(seed)
    first = node or start(check)
    return Counter(_end(check, first, rng, policy) for _ in range(count))


def _end(check: BoundCheck, node: Node, rng: Random, policy: str) -> Came:
    while (ask := node.ask) is not None:
        if isinstance(ask, Throw):
            faces = tuple(rng.randrange(ask.sides) + 1 for _ in range(ask.count))
            node = resume(check, node, faces)
        else:
            node = resume(check, node, policy_reply(node, policy), policy)
    assert node.outcome is not None
    fields = (node.outcome.get(name) for name in (check.check.main, "success", "wins"))
    return (*fields, tuple(sorted(node.events)))  # type: ignore[return-value]
