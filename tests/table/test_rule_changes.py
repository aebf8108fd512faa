"""Changing the rules of a table: rolls keep theirs, characters are reread, secrets stay secret."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from in_memory_table import PlayedTable, sheet
from ruleset_cases import ruleset

from handful import table as tables
from handful.errors import Message, Refused
from handful.library.tables import installed_rules, new_table, open_table
from handful.records import replace
from handful.table import Command, Table
from handful.verifier import verify

UWR, FONS, AGGA = (ruleset(name).rules for name in ("uwr", "fons", "agga"))
SHELF = {one.hash: one for one in (UWR, FONS, AGGA)}
ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}


class Table3(PlayedTable):
    """A table of uwr with other games on its shelf."""

    def __init__(self, **seats: str) -> None:
        super().__init__("uwr", **{"ann": "player", "bob": "player", **seats})
        assert self.table.seq == len(self.entries)
        self.empty = Table(UWR, rulesets=SHELF)
        self.table = tables.fold(self.empty, map(tables.read_event, self.entries))

    def do(self, actor: str, do: str, key: str = "", **data: Any) -> tuple[tables.Event, ...]:
        self.rules = self.table.rules if hasattr(self, "table") else UWR
        return super().do(actor, do, key, **data)


def roll(at: PlayedTable, actor: str, *faces: int, **more: Any) -> str:
    name = at.declare(actor, parameters=ROLL["parameters"], **more)
    at.do(actor, "throw", roll=name, faces=list(faces))
    return name


def test_rolls_keep_their_original_rules() -> None:
    at = Table3()
    before = roll(at, "ann", 6, 5, 1)
    seen = at.roll("ann", before)
    at.do("gm", "rules", hash=FONS.hash)
    assert at.table.rules is FONS
    assert tables.view(at.table, "ann")["game"] == {"id": "fons", "hash": FONS.hash}
    assert at.roll("ann", before) == seen
    assert at.table.rolls[before].bound is not None
    assert at.table.rolls[before].bound.ruleset is UWR
    after = roll(at, "ann", 6, 5, 1)
    assert at.table.rolls[after].bound.ruleset is FONS  # type: ignore[union-attr]
    at.do("gm", "correct", roll=before, parameters={"target": 3})
    assert at.table.rolls[before].bound.ruleset is UWR  # type: ignore[union-attr]
    assert at.roll("ann", before)["outcome"]["success"] is False
    assert tables.luck(at.table, "gm")["table"]["count"] == 2


def test_every_entry_names_the_rules_that_held_before_it() -> None:
    at = Table3()
    at.do("gm", "rules", hash=FONS.hash)
    roll(at, "ann", 1, 2, 3)
    hashes = [one["ruleset"] for one in at.entries]
    changed = next(n for n, one in enumerate(at.entries) if one["kind"] == "rules_changed")
    assert {*hashes[: changed + 1]} == {UWR.hash}
    assert {*hashes[changed + 1 :]} == {FONS.hash}
    assert tables.fold(at.empty, map(tables.read_event, at.entries)) == at.table
    for seat in ("gm", "ann", "bob"):
        assert verify(tables.export_log(at.empty, at.entries, seat))[0] == []
        told = [one for one in at.log_of(seat) if one["kind"] == "rules_changed"]
        assert [one["data"]["game"]["id"] for one in told] == ["fons"]


def test_open_rolls_and_fights_are_ended_first() -> None:
    at = Table3()
    name = at.declare("ann", parameters=ROLL["parameters"])
    with pytest.raises(Refused, match=f"the roll {name} is still open"):
        at.do("gm", "rules", hash=FONS.hash)
    at.do("ann", "cancel", roll=name)
    at.do("gm", "request", key="q", to=["ann"], check="direct")
    with pytest.raises(Refused, match="the request gm/q is still open"):
        at.do("gm", "rules", hash=FONS.hash)
    assert tables.preview_rules(at.table, "gm", FONS.hash)["waits_for"] == [
        Message("rules_change.request", name="gm/q")
    ]
    at.do("gm", "withdraw", request="gm/q")
    at.do("gm", "rules", hash=FONS.hash)


DEPEND_ON_TIME = ("time", "before", "hash", "public")


def test_a_roll_that_the_gm_does_not_know_goes_on_by_its_own_rules() -> None:
    """Neither the refusal nor the preview tells the GM of it, in either world."""
    worlds = []
    for secretly in (False, True):
        at = Table3()
        if secretly:
            at.do("bob", "declare", key="s", **ROLL, mode="secret")
        worlds.append(json.dumps(tables.preview_rules(at.table, "gm", AGGA.hash), default=str))
        at.do("gm", "rules", key="r", hash=AGGA.hash)
        worlds.append(json.dumps([tables.view(at.table, one) for one in ("gm", "ann")]))
        worlds.append(
            json.dumps(
                [
                    {name: one for name, one in line.items() if name not in DEPEND_ON_TIME}
                    for line in at.log_of("gm")
                ]
            )
        )
    assert worlds[:3] == worlds[3:]
    at.do("bob", "throw", roll="bob/s", faces=[6, 5, 1])
    assert at.roll("bob", "bob/s")["phase"] == "finalised"
    assert at.table.rolls["bob/s"].bound.ruleset is UWR  # type: ignore[union-attr]


def test_removing_a_hidden_npc_is_not_announced() -> None:
    """Nor of one that stays: with and without it, they see the same, byte by byte."""
    worlds = []
    for npc in ("", "sentry"):
        for other in (AGGA, FONS):
            at = Table3(eve="watcher")
            if npc:
                at.do("gm", "bring", key="npc", sheet=sheet("uwr", npc), shown="hidden")
            at.count = 50
            gone = [*tables.preview_rules(at.table, "gm", other.hash)["unfit"]]
            assert bool(gone) == (npc != "" and other is AGGA)
            at.do("gm", "rules", key="r", hash=other.hash, dismisses=gone)
            worlds.append(
                [
                    json.dumps(tables.view(at.table, seat)) + tables.export_log(at.empty, at.entries, seat)
                    for seat in ("ann", "bob", "eve")
                ]
            )
    assert worlds[:2] == worlds[2:]


def test_characters_come_along_where_they_fit() -> None:
    at = Table3()
    at.do("ann", "bring", sheet=sheet("uwr", "mira"))
    assert tables.preview_rules(at.table, "gm", FONS.hash)["unfit"] == {}
    at.do("gm", "rules", hash=FONS.hash)
    (seen,) = tables.view(at.table, "ann")["characters"]
    assert seen["sheet"]["ruleset"] == "fons"
    assert seen["sheet"]["attributes"]["grace"] == sheet("uwr", "mira")["attributes"]["grace"]
    asked = {"as_": "ann/Mira Quill", "parameters": {"attribute": "grace"}}
    assert at.declare("ann", **asked)


def test_characters_that_do_not_fit_are_removed_only_with_consent() -> None:
    at = Table3()
    at.do("ann", "bring", sheet=sheet("uwr", "mira"))
    found = tables.preview_rules(at.table, "gm", AGGA.hash)["unfit"]
    assert [*found] == ["ann/Mira Quill"]
    assert "there is no 'might'" in str(found["ann/Mira Quill"][0])
    for dismisses in ([], ["ann/Somebody"]):
        with pytest.raises(Refused, match="ann/Mira Quill would have to go"):
            at.do("gm", "rules", hash=AGGA.hash, dismisses=dismisses)
    assert at.table.rules is UWR
    events = at.do("gm", "rules", hash=AGGA.hash, dismisses=["ann/Mira Quill"])
    assert [one.kind for one in events] == ["character_dismissed", "rules_changed"]
    assert tables.view(at.table, "ann")["characters"] == []
    with pytest.raises(Refused, match="nobody would have to go"):
        at.do("gm", "rules", hash=UWR.hash, dismisses=["ann/Mira Quill"])


def test_house_rules_come_along_where_the_game_has_them() -> None:
    at = Table3()
    at.do("gm", "house_rules", options={"reroll_stack": "stacking"})
    at.do("gm", "rules", hash=FONS.hash)
    assert at.table.options == {"reroll_stack": "stacking"}
    toy = ruleset("tuurna").rules
    at.table = replace(at.table, rulesets={**SHELF, toy.hash: toy})
    assert tables.preview_rules(at.table, "gm", toy.hash)["dropped"] == ["reroll_stack"]
    at.do("gm", "rules", hash=toy.hash)
    assert at.table.options == {}


@pytest.mark.parametrize(
    ("who", "hash", "says"),
    [
        ("ann", FONS.hash, "not possible for ann"),
        ("gm", "0" * 64, "no rules 000000000000 here"),
        ("gm", UWR.hash, "already has these rules"),
        ("gm", "fons", "64 digits"),
        ("gm", FONS.hash.upper(), "64 digits"),
    ],
)
def test_rules_that_cannot_be_taken(who: str, hash: str, says: str) -> None:
    with pytest.raises(Refused, match=says):
        Table3().do(who, "rules", hash=hash)


def test_only_the_gm_previews_other_rules() -> None:
    with pytest.raises(Refused, match="only the GM"):
        tables.preview_rules(Table3().table, "ann", FONS.hash)


def test_a_late_seat_learns_of_all_rule_changes() -> None:
    at = Table3()
    before = roll(at, "ann", 6, 5, 1)
    at.do("gm", "rules", hash=FONS.hash)
    at.do("gm", "seat", name="zoe", role="watcher")
    assert [one["kind"] for one in at.log_of("zoe")] == [one["kind"] for one in at.log_of("ann")]
    assert at.roll("zoe", before)["outcome"] == at.roll("ann", before)["outcome"]


def test_unavailable_rules_change_nothing() -> None:
    """`evolve` never refuses: an older Handful without the texts counts on."""
    at = Table3()
    at.do("gm", "rules", hash=FONS.hash)
    bare = tables.fold(Table(UWR), map(tables.read_event, at.entries))
    assert (bare.rules, bare.seq) == (UWR, at.table.seq)


def test_a_file_goes_on_by_the_rules_that_hold(tmp_path: Path) -> None:
    path = tmp_path / "evening.handful"
    kept = new_table("uwr", name="evening", file=path)
    kept.do("gm", Command("declare", "a", ROLL))
    kept.do("gm", Command("throw", "b", {"roll": "gm/a", "faces": [6, 5, 1]}))
    rules, texts = installed_rules("fons")
    with pytest.raises(Refused, match="there are no rules"):
        kept.do("gm", Command("rules", "c", {"hash": rules.hash}))
    kept.store.save_rules(rules.hash, texts)
    kept.do("gm", Command("rules", "c", {"hash": rules.hash}))
    kept.do("gm", Command("declare", "d", ROLL))
    kept.do("gm", Command("throw", "e", {"roll": "gm/d"}))
    seen, log = kept.view("gm"), kept.export("gm")
    kept.store.close()
    again = open_table(path)
    assert again.rules.id == "fons"
    assert again.view("gm") == seen
    assert again.export("gm") == log
    assert verify(log)[0] == []
    assert again.do("gm", Command("declare", "f", ROLL))
    again.store.close()


def test_the_history_of_a_removed_character_can_still_be_read() -> None:
    at = Table3()
    at.do("ann", "bring", sheet=sheet("uwr", "mira"))
    resource = next(iter(tables.view(at.table, "ann")["characters"][0]["sheet"]["resources"]))
    at.do("gm", "adjust", character="ann/Mira Quill", resources={resource: -1})
    grace = sheet("uwr", "mira")["attributes"] | {"grace": 1, "might": 1}
    mark = tables.view(at.table, "ann")["characters"][0]["mark"]
    at.do("ann", "bring", sheet=sheet("uwr", "mira", attributes=grace), replaces=mark)
    for other in (FONS, AGGA):
        gone = ["ann/Mira Quill"] if other is AGGA else []
        at.do("gm", "rules", hash=other.hash, dismisses=gone)
        found = tables.character_history(at.table.rules, at.log_of("ann"), "ann/Mira Quill")
        assert [one["kind"] for one in found][:3] == [
            "character_brought",
            "points_changed",
            "character_updated",
        ]
        assert all(one["changes"] for one in found[1:3])
