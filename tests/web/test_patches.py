"""Patches: the client's view plus a patch equals a fresh view."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from effort import sample
from in_memory_table import PlayedTable
from servers import apply_patch

from handful import table as tables
from handful.errors import Refused
from handful.table import canonical_json
from handful.web.patches import SentView, SharedTexts, to_json
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


def sent_view(play: PlayedTable, seat: str, texts: SharedTexts) -> SentView:
    return SentView(play.table.viewer(seat), texts)


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["uwr", "tuurna", "me-d6"])
@pytest.mark.parametrize("latest", [3, 50])
def test_patches_lead_to_the_current_view(game: str, latest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Patches lead to the fresh view, byte for byte, after every event and after a pause."""
    monkeypatch.setattr(import_module("handful.table.view"), "RECENT", latest)
    chance, sent = random.Random(game), 0
    for seed in range(sample(1, 2)):
        texts, shown, has = SharedTexts(), {}, {}
        for play in random_session(game, seed, sample(100, 250)):
            texts.clear()
            for seat in SEATS:
                known = tables.known_to(play.table, seat)
                if seat not in shown or chance.random() < 0.2:  # comes, or comes back
                    shown[seat] = sent_view(play, seat, texts)
                    has[seat] = json.loads(shown[seat].snapshot(known))
                patch = shown[seat].patch(known)
                has[seat] = apply_patch(has[seat], json.loads(patch or "{}"))
                assert canonical_json(has[seat]) == canonical_json(tables.view(play.table, seat))
                assert json.loads(shown[seat].snapshot(known)) == has[seat]
                sent += bool(patch)
    assert sent > sample(30, 200)


def test_patches_are_right_when_rolls_are_revealed_late() -> None:
    """Beyond the overlay of the persistent map, and beyond what a view lists."""
    play, texts = PlayedTable(ann="player", bob="player"), SharedTexts()
    shown = {seat: sent_view(play, seat, texts) for seat in ("gm", "ann", "bob")}
    has: dict[str, Any] = {}
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
        texts.clear()
        for seat, one in shown.items():
            known = tables.known_to(play.table, seat)
            has[seat] = (
                apply_patch(has[seat], json.loads(one.patch(known) or "{}"))
                if seat in has
                else json.loads(one.snapshot(known))
            )
            assert has[seat] == json.loads(to_json(tables.view(play.table, seat)))
    names = [one["roll"] for one in has["bob"]["rolls"]]
    assert names.index(secret) < names.index(hidden), "each stands where it was revealed"
    assert names.index(hidden) > 10


def test_unchanged_items_are_not_sent() -> None:
    play = PlayedTable(ann="player")
    for _ in range(60):
        roll = play.declare("ann", parameters={"attribute": 3, "target": 1})
        play.do("ann", "throw", roll=roll)
    shown = sent_view(play, "gm", SharedTexts())
    whole = shown.snapshot(tables.known_to(play.table, "gm"))
    assert shown.patch(tables.known_to(play.table, "gm")) == ""
    roll = play.declare("ann", parameters={"attribute": 3, "target": 1})
    text = shown.patch(tables.known_to(play.table, "gm"))
    patch = json.loads(text)
    assert [*patch] == ["rolls"]
    assert [*patch["rolls"]["put"]] == [roll]
    assert len(patch["rolls"]["gone"]) == 1
    assert len(text) < len(whole) / 10


def test_seats_that_know_the_same_share_the_work() -> None:
    """A roll that all see in full is one object to all of them, and is written once."""
    play = PlayedTable(ann="player", bob="player", eve="watcher")
    roll = play.declare("ann", parameters={"attribute": 2, "target": 1})
    play.do("ann", "throw", roll=roll)
    known = {seat: tables.known_to(play.table, seat) for seat in ("gm", "ann", "bob", "eve")}
    assert len({id(one.rolls[roll]) for one in known.values()}) == 1
    assert known["bob"] is known["eve"]
    private = play.declare("ann", mode="private", parameters={"attribute": 2, "target": 1})
    known = {seat: tables.known_to(play.table, seat) for seat in known}
    assert known["ann"].rolls[private] is known["gm"].rolls[private]
    assert known["bob"].rolls[private] is known["eve"].rolls[private]
    assert known["bob"].rolls[private] is not known["ann"].rolls[private]


def test_a_contest_changes_the_actions_of_an_unchanged_roll() -> None:
    play, texts = PlayedTable(ann="player", bob="player"), SharedTexts()
    play.do("gm", "request", key="r", to=["bob"], check="direct", parameters={})
    roll = play.declare("ann", parameters={"attribute": 2})
    shown = sent_view(play, "ann", texts)
    has = json.loads(shown.snapshot(tables.known_to(play.table, "ann")))

    def may_throw() -> bool:
        nonlocal has
        has = apply_patch(has, json.loads(shown.patch(tables.known_to(play.table, "ann")) or "{}"))
        (found,) = (one for one in has["rolls"] if one["roll"] == roll)
        return any(one["do"] == "throw" for one in found.get("may", []))

    assert may_throw()
    before = play.table.rolls
    sides = [{"roll": roll}, {"request": "gm/r", "name": "bob"}]
    play.do("gm", "challenge", key="c", check="opposed", sides=sides)
    assert play.table.rolls is before
    assert not may_throw(), "it waits for the other side"
    play.do("gm", "call_off", contest="gm/c")
    assert may_throw()


def test_texts_hold_any_numbers_and_characters() -> None:
    """Also those that the quick writer does not take."""
    things = [{"number": 10**30}, {"title": "half a letter \ud800"}, {"title": "Würfel für zwölf"}]
    to_json(things).encode()  # can be sent
    assert json.loads(to_json(things)) == things
