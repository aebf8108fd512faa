"""Garbage is looked for when nobody plays."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from handful.web import tidy
from handful.web.tidy import LONG, QUIET, Tidy


class Thing:
    """Something that refers to itself: only the collector finds it."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """A process that does not look by itself, at a time that the test sets."""
    now = [100.0]
    monkeypatch.setattr(tidy, "monotonic", lambda: now[0])
    tidy.not_by_itself()
    try:
        yield now
    finally:
        gc.unfreeze()
        gc.enable()


def litter() -> weakref.ref[Thing]:
    return weakref.ref(Thing())


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


@pytest.mark.parametrize("much", ["time", "litter"])
def test_it_is_not_put_off_for_ever(
    clock: list[float], much: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, left = Tidy(), litter()
    if much == "time":
        clock[0] += LONG + 1
    else:
        monkeypatch.setattr(tidy, "MANY", 0)
    keeper.look(used=clock[0])
    assert left() is None


def test_a_process_that_looks_by_itself_is_left_alone() -> None:
    keeper = Tidy()
    before = gc.get_stats()[2]["collections"]
    keeper.look(used=keeper._done + 1 - 10 * LONG)
    assert gc.get_stats()[2]["collections"] == before
