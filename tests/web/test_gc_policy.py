"""GC policy: full collections run when idle; memory of untrusted requests is freed without them."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator

import pytest

from handful.web import gc_policy
from handful.web.gc_policy import GROWTH_SHARE, IDLE_SECONDS, MAX_INTERVAL, MIN_GROWTH, IdleCollector


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

    def __init__(self, held: int = MIN_GROWTH) -> None:
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


@pytest.mark.parametrize(
    ("held", "most"),
    [(MIN_GROWTH, MIN_GROWTH), (100 * MIN_GROWTH, int(GROWTH_SHARE * 100 * MIN_GROWTH))],
    ids=["little", "in proportion"],
)
def test_it_runs_when_memory_has_grown_too_far(clock: list[float], held: int, most: int) -> None:
    memory = Memory(held)
    keeper, left = IdleCollector(memory), litter()
    memory.held = held + most
    keeper.collect_if_due(last_used=clock[0])
    assert left() is not None
    memory.held += 1
    keeper.collect_if_due(last_used=clock[0])
    assert left() is None
    again = litter()
    keeper.collect_if_due(last_used=clock[0])
    assert again() is not None, "growth counts from the last collection"


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_the_memory_of_this_process_is_read() -> None:
    before = IdleCollector()._bytes_then
    filled = b"x" * (2 * MIN_GROWTH)
    assert gc_policy.resident() > before + MIN_GROWTH
    assert filled


def test_young_generations_are_collected_at_once(clock: list[float]) -> None:
    left = weakref.ref(Thing())
    kept = [[] for _ in range(2 * gc_policy.YOUNG[0])]  # type: ignore[var-annotated]
    assert left() is None
    assert kept


def test_a_process_with_automatic_collection_is_left_alone() -> None:
    memory = Memory()
    keeper, left = IdleCollector(memory), litter()
    memory.held += 2 * MIN_GROWTH
    keeper.collect_if_due(last_used=0)
    assert left() is not None
