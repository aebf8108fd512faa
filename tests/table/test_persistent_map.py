"""Persistent map: its contents, and the changes since an earlier version."""

from __future__ import annotations

import random

from handful.table.persistent_map import MAX_HISTORY, MAX_OVERLAY, PersistentMap


def test_since_lists_the_changes_after_an_earlier_version() -> None:
    """Also after branching from an older version, and after the top layer is merged down."""
    chance = random.Random(7)
    made: list[PersistentMap[str, int]] = [PersistentMap()]
    came: list[list[int]] = [[0]]  # of each: those that it was before, and itself
    puts = [""]  # of each: what was put into it
    for at in range(1, 4 * MAX_OVERLAY):
        place = max(0, at - chance.choice([1, 1, 1, 1, 2]))
        puts.append(chance.choice([f"new {at}", f"old {chance.randrange(20)}"]))
        made.append(made[place].put(puts[at], at))
        came.append([*came[place], at])
        assert dict(made[at]) == {puts[one]: one for one in came[at][1:]}
        assert [*made[at]] == [*dict.fromkeys(puts[one] for one in came[at][1:])]
        for before in range(max(0, at - MAX_HISTORY + 1), at + 1):
            since = made[at].changed_since(made[before])
            later = came[at][came[at].index(before) + 1 :] if before in came[at] else None
            assert since == (later and [*dict.fromkeys(puts[one] for one in later)])


def test_since_a_forgotten_version_is_unknown() -> None:
    first = last = PersistentMap[int, int]()
    for at in range(MAX_HISTORY + 1):
        last = last.put(at, at)
    assert last.changed_since(first) is None
    assert last.changed_since({}) is None
