"""GC policy: full collections run when idle; memory of untrusted requests is freed without them."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator

import pytest

from handful.web import gc_policy
from handful.web.gc_policy import IDLE_SECONDS, MAX_GROWTH, MAX_INTERVAL, NEW_BYTES, IdleCollector


class Thing:
    """An object in a reference cycle, found only by the collector."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """A process that collects only young objects by itself, at a time that the test sets."""
    now = [100.0]
    monkeypatch.setattr(gc_policy, "monotonic", lambda: now[0])
    before = gc.get_threshold()
    gc_policy.disable_full_collections()
    try:
        yield now
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


class Memory:
    """The memory of a process, as a test sets it: what ran before the test does not count."""

    def __init__(self, held: int = NEW_BYTES) -> None:
        self.held = held

    def __call__(self) -> int:
        return self.held


def litter() -> weakref.ref[Thing]:
    """Garbage that has grown old: two collections of younger objects have passed it by."""
    thing = Thing()
    found = weakref.ref(thing)
    gc.collect(0)
    gc.collect(1)
    return found


def test_no_full_collection_while_people_play(clock: list[float]) -> None:
    keeper, left = IdleCollector(Memory()), litter()
    clock[0] += 1
    keeper.collect_if_due(last_used=clock[0] - IDLE_SECONDS / 2)
    assert left() is not None


def test_it_runs_once_when_idle(clock: list[float]) -> None:
    keeper, left = IdleCollector(Memory()), litter()
    last_used = clock[0] + 1
    clock[0] = last_used + IDLE_SECONDS + 1
    keeper.collect_if_due(last_used)
    assert left() is None
    again = litter()
    clock[0] += IDLE_SECONDS + 1
    keeper.collect_if_due(last_used)
    assert again() is not None, "nothing has happened since"


def test_it_is_not_postponed_for_ever(clock: list[float]) -> None:
    keeper, left = IdleCollector(Memory()), litter()
    clock[0] += MAX_INTERVAL
    keeper.collect_if_due(last_used=clock[0])
    assert left() is not None
    clock[0] += 1
    keeper.collect_if_due(last_used=clock[0])
    assert left() is None


def test_new_objects_are_collected_when_memory_has_grown(clock: list[float]) -> None:
    memory = Memory()
    keeper, left = IdleCollector(memory), litter()
    memory.held += NEW_BYTES
    keeper.collect_if_due(last_used=clock[0])
    assert left() is not None
    memory.held += 1
    keeper.collect_if_due(last_used=clock[0])
    assert left() is None
    again = litter()
    keeper.collect_if_due(last_used=clock[0])
    assert again() is not None, "growth counts from the last collection"


def test_what_was_still_in_use_then_is_freed_at_the_latest_when_memory_has_grown_four_times(
    clock: list[float],
) -> None:
    memory = Memory()
    keeper, used = IdleCollector(memory), Thing()
    memory.held += NEW_BYTES + 1
    keeper.collect_if_due(last_used=clock[0])
    left = weakref.ref(used)
    del used
    while memory.held < MAX_GROWTH * NEW_BYTES - NEW_BYTES:
        memory.held += NEW_BYTES
        keeper.collect_if_due(last_used=clock[0])
    assert left() is not None, "only new objects are examined"
    memory.held = MAX_GROWTH * NEW_BYTES + 1
    keeper.collect_if_due(last_used=clock[0])
    assert left() is None


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_the_memory_of_this_process_is_read() -> None:
    before = IdleCollector()._bytes_then
    filled = b"x" * (2 * NEW_BYTES)
    assert gc_policy.resident() > before + NEW_BYTES
    assert filled


def test_young_generations_are_collected_at_once(clock: list[float]) -> None:
    left = weakref.ref(Thing())
    kept = [[] for _ in range(2 * gc_policy.YOUNG[0])]  # type: ignore[var-annotated]
    assert left() is None
    assert kept


def test_a_process_with_automatic_collection_is_left_alone() -> None:
    memory = Memory()
    keeper, left = IdleCollector(memory), litter()
    memory.held += 2 * NEW_BYTES
    keeper.collect_if_due(last_used=0)
    assert left() is not None
