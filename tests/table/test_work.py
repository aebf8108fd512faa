"""Commands are decided within a budget of work; what was recorded without one stays readable."""

from __future__ import annotations

from typing import Any

import pytest
from in_memory_table import PlayedTable
from toy_rulesets import toml

from handful import table as tables
from handful.errors import TooBig
from handful.rules.load import Source, load
from handful.rules.ruleset import Ruleset
from handful.rules.work import MAX_WORK
from handful.table import replay_log

HEAVY = "p = roll(n, d1000)\nt = 0\nfor i in range(900):\n    t = size(highest(p, 500))\nresult(total = t)"
THROWS = "t = 0\nfor i in range(20):\n    p = roll(n * 10, d6)\n    t = t + size(p)\nresult(total = t)"
PICK = 'p = roll(n * 10, d6)\nq = choose("pick", p, n)\nr = reroll(q, d6)\nresult(total = sum(p - q + r))'


def rules(text: str) -> Ruleset:
    return load([Source("toy.toml", toml(text, numbers=["n"]).replace("max = 99", "max = 1000"))])


def declare(played: PlayedTable, n: int, **more: Any) -> str:
    return played.declare("ann", "c", parameters={"n": n}, **more)


def test_a_throw_with_too_much_work_is_refused_and_leaves_nothing() -> None:
    played = PlayedTable(rules(HEAVY), ann="player")
    roll = declare(played, 1000)
    before = played.table
    with pytest.raises(TooBig) as refused:
        played.do("ann", "throw", roll=roll)
    assert refused.value.problem.code == "roll.too_much_work"
    assert played.table is before
    assert played.roll("ann", roll)["phase"] == "declared"
    played.do("ann", "cancel", roll=roll)
    assert played.roll("ann", declare(played, 10, throw={}))["phase"] == "finalised"


def test_declaring_with_the_throw_leaves_nothing_either() -> None:
    played = PlayedTable(rules(HEAVY), ann="player")
    entries = len(played.entries)
    with pytest.raises(TooBig):
        declare(played, 1000, throw={})
    assert len(played.entries) == entries
    assert not played.table.rolls


def test_an_accepted_log_stays_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    played = PlayedTable(rules(HEAVY), ann="player")
    monkeypatch.setattr("handful.table.transaction.MAX_WORK", 100 * MAX_WORK)  # as when there was no limit
    roll = declare(played, 1000, throw={})
    monkeypatch.undo()
    empty = tables.Table(played.rules)
    log = replay_log(empty, played.entries, "ann")
    assert log.texts(0)
    replay = tables.Replay(empty)
    for entry in played.entries:
        replay.add(tables.read_event(entry))
    (shown,) = tables.view(replay.finish(), "ann")["rolls"]
    assert shown["roll"] == roll
    assert shown["outcome"] == {"total": 500}


def test_a_roll_at_a_table_has_at_most_5000_dice() -> None:
    played = PlayedTable(rules(THROWS), ann="player")
    with pytest.raises(TooBig) as refused:
        declare(played, 26, throw={})
    assert refused.value.problem.code == "roll.too_many_throws"
    assert len(played.roll("ann", declare(played, 25, throw={}))["dice"]) == 5000


def test_the_odds_of_a_pick_are_shown_beside_few_dice_only() -> None:
    played = PlayedTable(rules(PICK), ann="player")
    few = played.roll("ann", declare(played, 1, throw={}))["question"]
    many = played.roll("ann", declare(played, 7, throw={}))["question"]
    assert len(few["dice"]) == 10
    assert "answer_means" in few["odds"]
    assert many["dice"] == [*range(1, 71)]
    assert many["odds"] == {"note": "too much work to show beside each answer"}
