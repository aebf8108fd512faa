"""Messages over the wire: whispers reach nobody else, talk is limited, and a GM's seat is shared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import Seat, ServerThread, apply_patch


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerThread]:
    with ServerThread(tmp_path / "tables.db") as running:
        yield running


@pytest.fixture
def seats(server: ServerThread) -> dict[str, Seat]:
    return server.open(players=["ann", "bob"], watchers=True)


def test_a_whisper_is_sent_to_those_it_is_for_and_to_nobody_else(seats: dict[str, Seat]) -> None:
    with seats["bob"].listen() as bob, seats["gm"].listen() as gm:
        views = [bob.next()["view"], gm.next()["view"]]
        seats["ann"].do("say", text="psst", to=["bob"])
        seats["ann"].do("say", text="hello")
        first, second, only = bob.next(), bob.next(), gm.next()
    assert [one["text"] for one in apply_patch(views[0], first["view"])["messages"]] == ["psst"]
    assert next(iter(second["view"]["messages"]["put"].values()))["text"] == "hello"
    assert "psst" not in str(only)
    assert [one["text"] for one in apply_patch(views[1], only["view"])["messages"]] == ["hello"]
    assert only["lines"][-1]["n"] == only["n"] == seats["gm"].get("/log")[-1]["n"]


def test_the_scratchpad_is_patched(seats: dict[str, Seat]) -> None:
    with seats["bob"].listen() as bob:
        view = bob.next()["view"]
        assert seats["ann"].do("scratchpad", text="40 silver", replaces="").status_code == 200
        after = apply_patch(view, bob.next()["view"])
    assert after == seats["bob"].get("/view")
    assert after["scratchpad"]["text"] == "40 silver"
    assert "gm_notes" not in after
    late = seats["bob"].do("scratchpad", text="a rope", replaces="")
    assert (late.status_code, late.json()["error"]["code"]) == (409, "refused")


def test_talk_is_limited_more_than_play(seats: dict[str, Seat]) -> None:
    said = [seats["ann"].do("say", text="spam").status_code for _ in range(25)]
    assert said[:20] == [200] * 20
    assert said[-1] == 429
    asked = {"check": "direct", "parameters": {"attribute": 3}}
    assert seats["ann"].do("declare", **asked).status_code == 200
    assert seats["bob"].do("say", text="hello").status_code == 200


def test_a_shared_gm_seat_is_taken_by_the_person_it_was_given_to(
    server: ServerThread, seats: dict[str, Seat]
) -> None:
    assert seats["ann"].ask("POST", "/gm_seat", {}).status_code == 409
    seats["gm"].do("share_gm", to="ann", name="ann (GM)")
    assert seats["bob"].ask("POST", "/gm_seat", {}).status_code == 409
    made = seats["ann"].ask("POST", "/gm_seat", {})
    assert made.status_code == 201
    shared = Seat(server, made.json()["link"])
    assert shared.get("/view")["role"] == "gm"
    assert seats["gm"].get("/log")[-1]["data"] == {"seat": "ann (GM)", "by": "ann"}
    seats["gm"].do("leave")
    assert shared.do("visibility", mode="private").status_code == 200


def test_free_dice_have_odds_and_no_luck(seats: dict[str, Seat]) -> None:
    asked = seats["ann"].ask("POST", "/sketch", {"data": {"check": "dice:2d6 >= 9"}}).json()
    assert asked["odds"]["success"] == "5/18"
    seats["ann"].do("declare", "r", check="dice:8d10>=7")
    assert seats["bob"].get("/odds?roll=ann/r")["mean"] == "16/5"
    seats["ann"].do("throw", roll="ann/r")
    assert seats["bob"].get("/luck")["table"]["count"] == 0
    (evening,) = seats["bob"].get("/evenings")
    assert evening["seats"]["ann"]["dice"] == 8
    assert seats["bob"].get("/rolls?roll=ann/r&roll=ann/none")[0]["phase"] == "finalised"
