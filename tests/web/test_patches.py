"""Patches: the client's view plus a patch equals a fresh view."""

from __future__ import annotations

import gc
import json
import random
import weakref
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from effort import sample
from in_memory_table import PlayedTable
from servers import apply_patch

from handful import table as tables
from handful.errors import Refused
from handful.table import GroupedList, ProjectionCache, canonical_json
from handful.web.games import sample_characters
from handful.web.patches import FragmentCache, Patcher
from properties.test_random_tables import sensible

SEATS = ("gm", "ann", "bob", "eve")


def random_session(game: str, seed: int, count: int) -> Iterator[PlayedTable]:
    """Yield a table after each of many random commands."""
    chance = random.Random(f"{game} {seed}")
    play = PlayedTable(game, ann="player", bob="player", eve="watcher")
    for at in range(count):
        seat = chance.choice(SEATS)
        do, data = sensible(chance, play, seat)
        before = play.table
        try:
            play.do(seat, do, key=f"k{at}", **data)
        except Refused:
            continue
        if play.table is not before:
            yield play


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["uwr", "tuurna", "me-d6"])
@pytest.mark.parametrize("latest", [3, 50])
def test_patches_lead_to_the_current_view(game: str, latest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Patches lead to the fresh view, byte for byte, after every event and after a pause."""
    monkeypatch.setattr(import_module("handful.table.view"), "RECENT_ROLLS", latest)
    chance, sent = random.Random(game), 0
    for seed in range(sample(1, 2)):
        memory, texts = ProjectionCache(), FragmentCache()
        shown = {seat: Patcher(texts) for seat in SEATS}
        has: dict[str, Any] = {seat: {} for seat in SEATS}
        for play in random_session(game, seed, sample(100, 250)):
            memory.next_generation()
            texts.start_turn()
            for seat in SEATS:
                if chance.random() < 0.2:  # comes back
                    shown[seat] = Patcher(texts)
                    has[seat] = json.loads(
                        shown[seat].snapshot(*tables.view_layers(play.table, seat, memory))
                    )
                patch = shown[seat].patch(*tables.view_layers(play.table, seat, memory))
                has[seat] = apply_patch(has[seat], json.loads(patch or "{}"))
                assert canonical_json(has[seat]) == canonical_json(tables.view(play.table, seat))
                sent += bool(patch)
    assert sent > sample(30, 200)


@pytest.mark.parametrize("game", ["uwr", "tuurna", "me-d6"])
def test_a_broadcast_equals_single_deliveries(game: str) -> None:
    *_, play = random_session(game, 2, 400)
    table, kinds = play.empty, set()
    for entry in play.entries:
        telling = tables.EntryRedactor(table, entry)
        for seat, role in play.table.seats.items():
            alone = tables.EntryRedactor(table, entry).text_for(seat, role)
            assert telling.text_for(seat, role) == alone
            kinds |= set() if alone is not None else {entry["kind"]}
        table = tables.evolve(table, telling.event)
    assert "dice_thrown" in kinds, "somebody was not told of it"


def test_the_cache_is_right_when_rolls_are_revealed_late() -> None:
    """Beyond what lies on top of the ledger, and beyond what a view lists."""
    play, memory = PlayedTable(ann="player", bob="player"), ProjectionCache()
    secret = play.declare("ann", mode="secret", parameters={"attribute": 1})
    hidden = play.declare("gm", mode="gm", parameters={"attribute": 1})
    for at in range(230):
        roll = play.declare("bob", parameters={"attribute": 1, "target": 1})
        if at % 40:
            play.do("bob", "throw", roll=roll)
        if at == 60:
            play.do("ann", "reveal", roll=secret)
        if at == 215:
            play.do("gm", "reveal", roll=hidden)
        memory.next_generation()
        for seat in ("gm", "ann", "bob"):
            assert tables.view(play.table, seat, memory) == tables.view(play.table, seat)
    names = [one["roll"] for one in tables.view(play.table, "bob", memory)["rolls"]]
    assert names[:2] == [secret, hidden], "what waits stands first, in the order of the table"


def test_unchanged_parts_are_identical_and_not_sent() -> None:
    play, memory = PlayedTable(ann="player"), ProjectionCache()
    shown = Patcher(FragmentCache())
    for _ in range(60):
        roll = play.declare("ann", parameters={"attribute": 3, "target": 1})
        play.do("ann", "throw", roll=roll)
    one = tables.view(play.table, "gm", memory)
    shown.snapshot(one)
    assert shown.patch(tables.view(play.table, "gm", memory)) == ""
    play.declare("ann", parameters={"attribute": 3, "target": 1})
    memory.next_generation()
    two = tables.view(play.table, "gm", memory)
    assert all(a is b for a, b in zip(one["rolls"][1:], two["rolls"], strict=False))
    text = shown.patch(two)
    assert json.loads(text)["rolls"][0] == [1, 49]
    assert len(text) < len(canonical_json(two)) / 10


def test_old_views_are_not_held_for_ever() -> None:
    """Viewing a long session repeatedly does not grow memory."""
    play, memory = PlayedTable(ann="player"), ProjectionCache()
    looks = []
    for _ in range(40):
        play.declare("ann", parameters={"attribute": 1})
        memory.next_generation()
        tables.view(play.table, "ann", memory)
        looks.append(weakref.ref(tables.project(play.table, "ann", memory).rolls.snapshot))  # type: ignore[attr-defined]
    gc.collect()
    assert sum(one() is not None for one in looks) <= 3


def test_grouped_items_are_sent_as_one_list() -> None:
    one, two, three, four = ({"n": at} for at in range(4))
    shown, pair = Patcher(FragmentCache()), [two, three]
    assert shown.snapshot({"x": GroupedList([[one], pair])}) == '{"x":[{"n":0},{"n":1},{"n":2}]}'
    assert shown.patch({"x": GroupedList([pair, [four]])}) == '{"x":[[1,2],{"n":3}]}'
    assert shown.patch({"x": GroupedList([[two, three], [four]])}) == ""
    assert shown.patch({"x": GroupedList([[one], [four]])}) == '{"x":[{"n":0},[2,1]]}'
    assert shown.patch({"x": GroupedList()}) == '{"x":[]}'


def test_lists_of_a_view_hold_objects_and_nothing_else() -> None:
    """So that `[first, count]` stands for nothing but what was there before."""
    for game in ("uwr", "me-d6"):
        for play in random_session(game, 7, 120):
            for seat in SEATS:
                for part in tables.view(play.table, seat).values():
                    assert not isinstance(part, list) or all(isinstance(one, dict) for one in part)


def test_only_seats_with_equal_views_share_them() -> None:
    """Also for a later seat; a watcher sees what a player sees."""
    play, memory = PlayedTable(ann="player", bob="player", eve="watcher"), ProjectionCache()

    def rolls(seat: str) -> list[Any]:
        found: list[Any] = tables.view(play.table, seat, memory)["rolls"]
        return found

    def roll(mode: str = "public") -> None:
        name = play.declare("ann", mode=mode, parameters={"attribute": 2, "target": 1})
        play.do("ann", "throw", roll=name)
        memory.next_generation()

    for _ in range(3):
        roll()
        first = rolls("bob")
    late = rolls("eve")
    assert late is first
    roll()
    assert rolls("bob") is rolls("eve")
    assert rolls("gm") is not rolls("bob")
    roll("private")
    seen = {seat: rolls(seat) for seat in SEATS}
    assert seen["ann"] is not seen["bob"]
    assert seen["bob"] is seen["eve"]
    assert len({canonical_json(one) for one in seen.values()}) == 2


def test_a_contest_changes_the_actions_of_an_unchanged_roll() -> None:
    play, memory = PlayedTable(ann="player", bob="player"), ProjectionCache()
    play.do("gm", "request", key="r", to=["bob"], check="direct", parameters={})
    roll = play.declare("ann", parameters={"attribute": 2})

    def may_throw() -> list[bool]:
        memory.next_generation()
        views = {seat: tables.view(play.table, seat, memory) for seat in ("gm", "ann", "bob")}
        assert views == {seat: tables.view(play.table, seat) for seat in views}
        throws = ({"do": "throw", "roll": roll}.items() <= one.items() for one in views["ann"]["actions"])
        return [*throws]

    assert any(may_throw())
    before = play.table.rolls
    sides = [{"roll": roll}, {"request": "gm/r", "name": "bob"}]
    play.do("gm", "challenge", key="c", check="opposed", sides=sides)
    assert play.table.rolls is before
    assert not any(may_throw()), "it waits for the other side"
    play.do("gm", "call_off", contest="gm/c")
    assert any(may_throw())


def test_a_revealed_sheet_shows_contributions_of_finished_rolls() -> None:
    """The cached view of a roll is rebuilt when a seat sees more of its character."""
    play, memory = PlayedTable(ann="player", bob="player"), ProjectionCache()
    sheet = next(one for one in sample_characters(play.table.rules) if one["kind"] == "pc")
    play.do("ann", "bring", sheet=sheet, shown="own")
    who = f"ann/{sheet['name']}"
    name = play.declare("ann", as_=who, parameters={"attribute": "might", "target": 1})
    play.do("ann", "throw", roll=name)

    def seen() -> dict[str, Any]:
        memory.next_generation()
        views = {seat: tables.view(play.table, seat, memory) for seat in ("gm", "ann", "bob")}
        assert views == {seat: tables.view(play.table, seat) for seat in views}
        found: dict[str, Any] = views["bob"]["rolls"][-1]
        return found

    assert "lines" not in seen()
    play.do("ann", "show", character=who, shown="open")
    assert seen()["lines"]
    play.do("ann", "show", character=who, shown="own")
    assert "lines" not in seen()


def test_patches_hold_any_numbers_and_texts() -> None:
    """Also those that the quick writer does not take."""
    things = [{"number": 10**30}, {"title": "half a letter \ud800"}, {"title": "Würfel für zwölf"}]
    shown = Patcher(FragmentCache())
    text = shown.patch({"rolls": things, "options": {"most": -(10**20)}})
    text.encode()  # can be sent
    assert json.loads(text) == {"rolls": things, "options": {"most": -(10**20)}}
    assert shown.patch({"rolls": [*things], "options": {"most": -(10**20)}}) == ""
