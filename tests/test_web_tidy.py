"""Full collections run when nobody plays; memory that strangers fill is freed without them."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from handful.web import tidy
from handful.web.tidy import GROWN, LONG, QUIET, Tidy


class Thing:
    """Something that refers to itself: only the collector finds it."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """A process that collects only young objects by itself, at a time that the test sets."""
    now = [100.0]
    monkeypatch.setattr(tidy, "monotonic", lambda: now[0])
    before = gc.get_threshold()
    tidy.only_young()
    try:
        yield now
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


def litter() -> weakref.ref[Thing]:
    """Garbage that has grown old: two collections of younger objects have passed it by."""
    thing = Thing()
    found = weakref.ref(thing)
    gc.collect(0)
    gc.collect(1)
    return found


def test_nobody_waits_for_it_while_people_play(clock: list[float]) -> None:
    keeper, left = Tidy(), litter()
    clock[0] += 1
    keeper.look(used=clock[0] - QUIET / 2)
    assert left() is not None


def test_it_is_done_in_the_first_quiet_moment_and_once(clock: list[float]) -> None:
    keeper, left = Tidy(), litter()
    used = clock[0] + 1
    clock[0] = used + QUIET + 1
    keeper.look(used)
    assert left() is None
    again = litter()
    clock[0] += QUIET + 1
    keeper.look(used)
    assert again() is not None, "nothing has happened since"


@pytest.mark.parametrize("much", ["time", "memory"])
def test_it_is_not_put_off_for_ever(
    clock: list[float], much: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, left = Tidy(), litter()
    if much == "time":
        clock[0] += LONG + 1
    else:
        monkeypatch.setattr(tidy, "resident", lambda: keeper._held + 2 * GROWN)
    keeper.look(used=clock[0])
    assert left() is None


def test_young_garbage_never_waits_for_a_quiet_moment(clock: list[float]) -> None:
    left = weakref.ref(Thing())
    kept = [[] for _ in range(2 * tidy.YOUNG[0])]  # type: ignore[var-annotated]
    assert left() is None
    assert kept


def test_memory_counts_as_grown_in_proportion(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, left = Tidy(), litter()
    keeper._held = 100 * GROWN
    monkeypatch.setattr(tidy, "resident", lambda: 101 * GROWN)
    keeper.look(used=clock[0])
    assert left() is not None


def test_a_process_that_looks_by_itself_is_left_alone() -> None:
    keeper = Tidy()
    before = gc.get_stats()[2]["collections"]
    keeper.look(used=keeper._done + 1 - 10 * LONG)
    assert gc.get_stats()[2]["collections"] == before
