"""Rolls are replayed lazily, on first view, with the result of eager play."""

from __future__ import annotations

import json

import pytest
from in_memory_table import PlayedTable, usual_table

from handful import table as tables
from handful.errors import Refused
from handful.records import replace
from handful.table import position


def scene() -> PlayedTable:
    """A decision that is taken back, a hidden target, a roll that goes on."""
    play = usual_table()
    first = play.declare("ann", parameters={"attribute": 4, "rerolls": 2, "target": 2})
    play.do("ann", "throw", roll=first, faces=[1, 1, 6, 2])
    play.do("ann", "answer", roll=first, answer=[1, 2])
    play.do("ann", "undo", roll=first)
    play.do("ann", "answer", roll=first, answer=[4])
    play.do("ann", "throw", roll=first, faces=[5])
    second = play.declare("gm", parameters={"attribute": 3, "target": 1}, hidden=["target"])
    play.do("gm", "throw", roll=second, faces=[6, 1, 1])
    play.declare("bob", parameters={"attribute": 3})
    return play


def loaded(play: PlayedTable) -> tables.Table:
    return tables.fold(play.empty, map(tables.read_event, play.entries))


def test_reading_a_log_plays_no_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    play = scene()
    played: list[str] = []
    for name in ("start", "resume", "bind"):
        own = getattr(position, name)
        monkeypatch.setattr(position, name, lambda *a, n=name, f=own, **k: played.append(n) or f(*a, **k))
    again = loaded(play)
    assert not played
    for seat in play.table.seats:
        assert json.dumps(tables.view(again, seat)) == json.dumps(tables.view(play.table, seat))
    assert "resume" in played
    before = len(played)
    roll = next(iter(again.rolls.values()))
    assert roll.node == roll.node
    assert len(played) == before, "what was worked out is kept"


def test_a_roll_goes_on_from_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    play = usual_table()
    roll = play.declare("ann", parameters={"attribute": 4, "rerolls": 1})
    play.do("ann", "throw", roll=roll, faces=[1, 1, 6, 2])

    def never(*_: object, **__: object) -> None:
        raise AssertionError("was played again from its beginning")

    monkeypatch.setattr(position, "start", never)
    play.do("ann", "answer", roll=roll, answer=[1])


def test_an_invalid_reply_is_refused_without_a_replay() -> None:
    play = usual_table()
    roll = play.declare("ann", parameters={"attribute": 4, "rerolls": 1})
    before = play.table
    with pytest.raises(Refused):
        play.do("ann", "throw", roll=roll, faces=[1, 1, 6, 7])
    play.do("ann", "throw", roll=roll, faces=[1, 1, 6, 2])
    with pytest.raises(Refused):
        play.do("ann", "answer", roll=roll, answer=[9])
    assert before.rolls[roll].replies == ()
    assert len(play.table.rolls[roll].replies) == 1


def test_a_record_has_only_its_own_fields() -> None:
    roll = tables.TableRoll("ann/1", "ann", "")
    assert replace(roll, title="Jump").title == "Jump"
    with pytest.raises(TypeError, match="tilte"):
        replace(roll, tilte="Jump")
