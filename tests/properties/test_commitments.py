"""Commitments on random evenings: no gaps, nothing hidden in them, and one public chain for all."""

from __future__ import annotations

from typing import Any

import pytest
from effort import sample
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory_table import PlayedTable

from handful import table as tables
from handful.errors import Refused
from handful.table.key_ledger import epoch_begun
from handful.table.visibility import MODES, NOTHING, combine_modes
from handful.verifier import Log, compare

SEATS = {"gm": "gm", "ann": "player", "bob": "player", "eve": "watcher"}
EPOCH = ("", "epoch", False)
Act = tuple[str, str, bool]  # roller, mode and whether it is revealed at the end
ACTS = st.one_of(
    st.tuples(st.sampled_from(["gm", "ann", "bob"]), st.sampled_from([*MODES]), st.booleans()),
    st.just(EPOCH),
)
ASKED = {"check": "direct", "parameters": {"attribute": 3, "target": 1}}


class RandomEvening(PlayedTable):
    """An evening of rolls and epochs; `left_out` are the numbers of rolls that are not made."""

    def __init__(self, acts: list[Act], left_out: set[int]) -> None:
        super().__init__(**{name: role for name, role in SEATS.items() if name != "gm"})
        for at, (roller, mode, _) in enumerate(acts):
            if (roller, mode, False) == EPOCH:
                self.begin_epoch()
            elif at not in left_out:
                actor = "gm" if mode == "gm" else roller
                more = {"for_": roller} if actor != roller else {}
                self.do(actor, "declare", key=f"r{at}", mode=mode, **ASKED, **more)
                self.do(actor, "throw", key=f"t{at}", roll=f"{actor}/r{at}", entropy="00" * 16)
        for at, (roller, mode, revealed) in enumerate(acts):
            if revealed and mode != "public" and at not in left_out:
                actor = "gm" if mode == "gm" else roller
                self.do(roller if mode == "secret" else "gm", "reveal", key=f"s{at}", roll=f"{actor}/r{at}")
        for roller in ("gm", "ann", "bob"):
            self.do(roller, "declare", key="last", **ASKED)

    def begin_epoch(self) -> None:
        event = epoch_begun(self.table, self.dice)
        entry = tables.log_entry(event, seq=len(self.entries) + 1, time="t", ruleset=self.rules.hash)
        self.entries.append(entry)
        self.table = tables.evolve(self.table, event)

    def export(self, seat: str) -> str:
        return tables.export_log(self.empty, self.entries, seat)


def commitments(lines: list[dict[str, Any]]) -> list[Any]:
    """Return everything that a log says of commitments before a throw, in order."""
    kinds = ("seat_taken", "epoch_begun", "roll_declared")
    told = [one["data"] for one in lines if one["kind"] in kinds]
    return [(one.get("roll"), one.get("commitments"), one.get("commitment"), one.get("next")) for one in told]


def hidden_from(seat: str, act: Act) -> bool:
    roller, mode, _ = act
    viewer = tables.Viewer(seat, SEATS[seat])
    return act != EPOCH and combine_modes("public", mode).level(viewer, roller) == NOTHING


@settings(max_examples=sample(40, 400))
@given(st.lists(ACTS, max_size=8), st.sampled_from([*SEATS]))
def test_commitments_are_the_same_without_the_rolls_that_are_hidden(acts: list[Act], seat: str) -> None:
    """Also if hidden rolls are revealed in the end, which only one of the worlds has."""
    hidden = {at for at, act in enumerate(acts) if hidden_from(seat, act)}
    whole, other = RandomEvening(acts, set()), RandomEvening(acts, hidden)
    assert commitments(whole.log_of(seat)) == commitments(other.log_of(seat))


@settings(max_examples=sample(40, 400))
@given(st.lists(ACTS, max_size=8))
def test_every_log_verifies_and_all_have_the_same_public_chain(acts: list[Act]) -> None:
    evening = RandomEvening(acts, set())
    logs = [Log(seat, evening.export(seat)) for seat in SEATS]
    assert [one.problems for one in logs] == [[]] * len(logs), "no commitment is missing"
    assert compare(logs) == ([], [])
    assert len({one.public_head for one in logs}) == 1


def test_the_command_of_a_stale_page_is_refused() -> None:
    play = RandomEvening([], set())
    seen = play.table.rolls["ann/last"].commitment
    with pytest.raises(Refused, match="another key"):
        play.do("ann", "throw", roll="ann/last", commitment="00" * 32)
    play.do("ann", "throw", roll="ann/last", commitment=seen)
    play.do("bob", "throw", roll="bob/last")
    declared = {**ASKED, "throw": {"entropy": "00" * 16, "commitment": seen}}
    with pytest.raises(Refused, match="another key"):
        play.do("ann", "declare", key="stale", **declared)
    assert "ann/stale" not in play.table.rolls, "nothing of it happened"
