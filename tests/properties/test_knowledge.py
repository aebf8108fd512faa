"""What a seat knows is the fold of its own log: of its lines, as exported, and of nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest
from effort import sample
from in_memory_table import PlayedTable
from me_d6_fights import fight_table

from handful import table as tables
from handful.errors import Refused
from handful.table.codec import read_record
from handful.table.events import Event, event_kinds
from handful.table.evolve import apply_event
from handful.table.state import Table
from handful.table.view import view_of
from properties import test_random_fights as fights
from properties.test_random_tables import sensible

SEATS = ("gm", "ann", "bob", "eve")


def fold_lines(rules: Any, lines: list[dict[str, Any]]) -> Table:
    """Return the fold of a seat's log lines, read as a stranger would read an export."""
    known = Table(rules)
    for line in lines:
        body = read_record(event_kinds()[line["kind"]], line["data"])
        known = apply_event(known, Event(body, line["seat"]))
    return known


def check_knowledge(play: PlayedTable) -> None:
    check_replay(play)
    for seat, role in play.table.seats.items():
        known = fold_lines(play.rules, play.log_of(seat))
        viewer = tables.Viewer(seat, role)
        assert view_of(known, viewer) == tables.view(play.table, seat), seat


def check_replay(play: PlayedTable) -> None:
    """Events that are replayed together lead to the same table and the same knowledge as one by one."""
    events = [tables.read_event(entry) for entry in play.entries]
    one_by_one = play.empty
    for event in events:
        one_by_one = tables.evolve(one_by_one, event)
    cut = len(events) // 3
    together = tables.fold(tables.fold(play.empty, events[:cut]), events[cut:])
    assert together == one_by_one
    assert together.told == one_by_one.told
    assert together.keys == one_by_one.keys
    assert [*together.known] == [*one_by_one.known]
    for seat, known in one_by_one.known.items():
        assert together.known[seat] == known, seat
        assert [*together.known[seat].rolls] == [*known.rolls], seat
        shared = [other for other, one in one_by_one.known.items() if one is known]
        assert all(together.known[other] is together.known[seat] for other in shared)


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["agga", "uwr", "fons", "tuurna", "me-d6"])
def test_a_view_follows_from_the_exported_log(game: str) -> None:
    for seed in range(sample(2, 12)):
        chance = random.Random(f"knowledge {game} {seed}")
        play = PlayedTable(game, ann="player", bob="player", eve="watcher")
        late = chance.randrange(60)
        for at in range(120):
            if at == late:
                play.do("gm", "seat", key="late", name="zoe", role=chance.choice(["gm", "player"]))
            do, data = sensible(chance, play, seat := chance.choice(SEATS))
            try:
                play.do(seat, do, key=f"k{at}", **data)
            except Refused:
                continue
        check_knowledge(play)


@pytest.mark.sampled
def test_a_fight_follows_from_the_exported_log() -> None:
    for seed in range(sample(3, 20)):
        chance = random.Random(f"knowledge of fights {seed}")
        options = fights.OPTIONS[seed % len(fights.OPTIONS)]
        play = fight_table(shown=chance.choice([*tables.SHEET_MODES]), options=options)
        for at in range(150):
            seat, do, data = fights.command(chance, play)
            if not play.table.fight:
                seat, do, data = "gm", "fight", {"combatants": fights.combatants(chance)}
            try:
                play.do(seat, do, key=f"k{at}", **data)
            except Refused:
                continue
        check_knowledge(play)
