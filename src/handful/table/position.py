"""Where a roll stands: its bound check and its node, worked out when somebody looks.

Both follow from what was asked and from the replies, so nothing is lost by waiting: a table of
thousands of rolls is read without playing any of them again.  What is worked out is kept, and the
roll after one more reply goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from handful.roll import BoundCheck, Node, Reply, bind, resume, start
from handful.rules.ruleset import Ruleset
from handful.table.events import canonical_json
from handful.table.visibility import without_parameters

MOST_BEGINNINGS = 1000  # checks are made again and again, and each begins as it did before


class _Beginning:
    """A check and its roll before anybody has replied; both are worked out when first needed."""

    def __init__(self, rules: Ruleset, words: str) -> None:
        self._rules, self.words = rules, words

    @cached_property
    def bound(self) -> BoundCheck:
        return bind_check(self._rules, json.loads(self.words))

    @cached_property
    def node(self) -> Node:
        return start(self.bound)


@lru_cache(MOST_BEGINNINGS)
def _beginning(rules: Ruleset, words: str) -> _Beginning:
    return _Beginning(rules, words)


class Position:
    """A check with its replies so far; `before` is the same roll a moment ago."""

    __slots__ = ("_bare", "_begun", "_next", "_played", "_reached", "asked", "replies", "rules")

    def __init__(
        self,
        rules: Ruleset,
        asked: Mapping[str, Any],
        replies: tuple[Reply, ...],
        before: Position | None = None,
    ) -> None:
        self.rules, self.asked, self.replies = rules, asked, replies
        self._begun: _Beginning | None = None
        self._bare: dict[tuple[str, ...], Position] = {}
        self._reached: tuple[int, Node] | None = None  # after how many replies, and where
        self._next: list[tuple[tuple[Reply, ...], Node]] = []  # the last step that was played on
        self._played: list[tuple[tuple[Reply, ...], Node]] = []
        if before is not None and before.asked is asked:
            self._begun, self._played = before._begun, before._next
            if before._reached and replies[: before._reached[0]] == before.known:
                self._reached = before._reached

    @property
    def known(self) -> tuple[Reply, ...]:
        """The replies that have been played."""
        return self.replies[: self._reached[0]] if self._reached else ()

    @property
    def bound(self) -> BoundCheck:
        return self._begin.bound

    @property
    def words(self) -> str:
        """What was asked, as text: two that are written alike are the same check."""
        return self._begin.words

    @property
    def _begin(self) -> _Beginning:
        if self._begun is None:
            self._begun = _beginning(self.rules, canonical_json(self.asked))
        return self._begun

    @property
    def node(self) -> Node:
        count, node = self._reached or (0, self._begin.node)
        if count == len(self.replies) and self._reached:  # asked again and again
            return node
        for replies, played in self._played:  # whoever decided on it has played it already
            if replies == self.replies:
                self._reached = len(replies), played
                return played
        for reply in self.replies[count:]:
            node = resume(self.bound, node, reply)
        self._reached = len(self.replies), node
        self._played[:] = [(self.replies, node)]
        return node

    def without(self, hidden: tuple[str, ...]) -> Position:
        """The same roll for those who do not know these parameters; kept for the next one."""
        if hidden not in self._bare:
            self._bare[hidden] = Position(self.rules, without_parameters(self.asked, hidden), self.replies)
        return self._bare[hidden]


def bind_check(rules: Ruleset, asked: Mapping[str, Any]) -> BoundCheck:
    """What a roll's declaration says, read by the rules."""
    return bind(rules, asked["check"], asked["sides"], asked["parameters"], asked["options"])
