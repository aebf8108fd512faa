"""A roll's position: its bound check and its node in the game tree, computed on demand.

Both follow from the declared check and the replies, so a table with thousands of rolls loads
without replaying any of them.  Results are cached, and a position with one more reply starts from
its predecessor.
"""

from __future__ import annotations

import json
from functools import cached_property, lru_cache

from handful.errors import HandfulError
from handful.roll import BoundCheck, Node, Reply, bind, resume, start
from handful.roll.contributions import traced_start
from handful.rules.free_dice import rules_of_check
from handful.rules.ruleset import Ruleset
from handful.rules.work import Meter
from handful.table.codec import read_record, write_record
from handful.table.events.base import canonical_json
from handful.table.events.values import AskedCheck

OPENING_CACHE_SIZE = 1000  # the same checks are made again and again

Played = tuple[tuple[Reply, ...], Node]  # replies, and the node they lead to


class _Opening:
    """A check and its first node, before any reply; both are computed on first use."""

    def __init__(self, rules: Ruleset, text: str) -> None:
        self._rules, self.text = rules, text
        self._node: Node | None = None

    @cached_property
    def bound(self) -> BoundCheck:
        return bind_check(self._rules, read_record(AskedCheck, json.loads(self.text)))

    def play(self, most_work: int | None) -> Node:
        if self._node is None:
            self._node = start(self.bound, most_work=most_work)
        return self._node

    @cached_property
    def traced_start(self) -> Node | None:
        """The beginning for `contributions`; None if it takes too much work."""
        try:
            return traced_start(self.bound)
        except HandfulError:
            return None


# Kept by the process and not by a room: a position finds its opening when somebody asks for its node,
# far below any function that could be handed a cache.  It follows from its arguments alone.
@lru_cache(OPENING_CACHE_SIZE)
def _find_opening(rules: Ruleset, text: str) -> _Opening:
    return _Opening(rules, text)


class Position:
    """A check with its replies so far; `before` is the roll's previous position, if there is one."""

    __slots__ = (
        "_cached_opening",
        "_from_here",
        "_from_parent",
        "_reached",
        "asked",
        "replies",
        "rules",
    )

    def __init__(
        self,
        rules: Ruleset,
        asked: AskedCheck,
        replies: tuple[Reply, ...],
        before: Position | None = None,
    ) -> None:
        self.rules, self.asked, self.replies = rules, asked, replies
        self._cached_opening: _Opening | None = None
        self._reached: tuple[int, Node] | None = None  # number of replies played, and their node
        # The last node played after this position.  The list is shared with all its successors, so
        # the one that is committed finds what the one that was only tried has played.
        self._from_here: list[Played] = []
        self._from_parent: list[Played] = []  # the predecessor's `_from_here`
        if before is not None and before.asked is asked:
            self._cached_opening, self._from_parent = before._cached_opening, before._from_here
            if before._reached and replies[: before._reached[0]] == before.played_replies:
                self._reached = before._reached

    @property
    def played_replies(self) -> tuple[Reply, ...]:
        """The replies that the cached node already includes."""
        return self.replies[: self._reached[0]] if self._reached else ()

    @property
    def bound(self) -> BoundCheck:
        return self._opening.bound

    @property
    def traced_start(self) -> Node | None:
        """The roll before its first reply, for `contributions`."""
        return self._opening.traced_start

    @property
    def text(self) -> str:
        """The declared check as canonical JSON: equal texts mean equal checks."""
        return self._opening.text

    @property
    def _opening(self) -> _Opening:
        if self._cached_opening is None:
            self._cached_opening = _find_opening(self.rules, canonical_json(write_record(self.asked)))
        return self._cached_opening

    @property
    def node(self) -> Node:
        """The node after all replies; recorded ones are replayed however much work they take."""
        return self._play(None)

    def play_within(self, most_work: int) -> None:
        """Play replies that are not recorded yet; raise TooBig if the roll takes more work than that.

        That a part was played before, without a limit, makes no difference.
        """
        Meter(most_work, self._play(most_work).work)

    def _play(self, most_work: int | None) -> Node:
        count, node = self._reached or (0, self._opening.play(most_work))
        if count == len(self.replies) and self._reached:  # the common case: already played
            return node
        for replies, played in self._from_parent:  # `decide` has played the same reply
            if replies == self.replies:
                self._reached = len(replies), played
                return played
        for reply in self.replies[count:]:
            node = resume(self.bound, node, reply, most_work=most_work)
        self._reached = len(self.replies), node
        self._from_parent[:] = [(self.replies, node)]
        return node


def bind_check(rules: Ruleset, asked: AskedCheck) -> BoundCheck:
    """Bind the check data of a declaration to its ruleset; free dice have one of their own."""
    return bind(rules_of_check(rules, asked.check), asked.check, asked.sides, asked.parameters, asked.options)
