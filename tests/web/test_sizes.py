"""What is sent has a bounded size: snapshots, parts of a log, sheets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from servers import ServerThread

from handful.web.settings import ServerLimits

LIMITS = ServerLimits(replayed_bytes=6000, sheets_bytes=8000, query_burst=10**6, tables_per_hour=10**6)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("sizes") / "tables.db", LIMITS) as running:
        yield running


def test_a_client_that_missed_too_many_bytes_starts_over(server: ServerThread) -> None:
    ann = server.open()["ann"]
    with ann.listen() as socket:
        begun = socket.next()["n"]
    for _ in range(12):
        assert ann.do("declare", check="dice:50d6", throw={}).status_code == 200
    last = ann.get("/view")
    with ann.listen(after=begun) as socket:
        again = socket.next()
    assert again["begins"]
    assert again["view"] == last
    assert again["lines"][-1]["n"] == again["n"]
    assert 1 < len(again["lines"]) < again["n"] - begun
    with ann.listen(after=again["n"] - 1) as socket:
        assert not socket.next()["begins"]


def test_the_log_comes_in_parts_of_some_bytes(server: ServerThread) -> None:
    ann = server.open()["ann"]
    for _ in range(12):
        assert ann.do("declare", check="dice:50d6", throw={}).status_code == 200
    lines: list[int] = []
    parts = 0
    while part := ann.get(f"/log?after={len(lines)}&most=1000"):
        lines += [one["n"] for one in part]
        parts += 1
    assert parts > 2
    assert lines == [*range(1, len(lines) + 1)]


def test_the_sheets_of_a_seat_have_a_limit_together(server: ServerThread) -> None:
    seats = server.open()
    sheet = seats["ann"].ask("POST", "/new-character", {"kind": "pc"}).json()["sheet"]
    sheets = [{**sheet, "name": f"Alrik {at}", "notes": "x" * 3000} for at in range(3)]
    first, second, third = (seats["ann"].do("bring", sheet=one) for one in sheets)
    assert (first.status_code, second.status_code) == (200, 200)
    assert (third.status_code, third.json()["error"]["code"]) == (429, "too_many")
    assert "8,000 bytes" in third.json()["error"]["message"]
    assert seats["bob"].do("bring", sheet=sheets[2]).status_code == 200
