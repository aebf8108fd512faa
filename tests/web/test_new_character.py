"""Making a character over HTTP: what it begins with, and a preview of what is not finished yet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from servers import Seat, ServerThread

from handful.web import schemas


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("web") / "tables.db") as running:
        yield running


@pytest.fixture(scope="module", params=["uwr", "me-d6", "tuurna"])
def ann(server: ServerThread, request: pytest.FixtureRequest) -> Seat:
    return server.open(game=request.param, players=["ann"])["ann"]


def test_what_it_begins_with_can_be_brought_as_it_is(ann: Seat) -> None:
    quick = ann.get("/game")["sheet"]["form"]["creation"]["quick"]
    for number, asked in enumerate([{}, {"quick": True}, *({"start": one["name"]} for one in quick)]):
        answer = ann.ask("POST", "/new-character", {**asked, "seed": number}).json()
        sheet = schemas.NewCharacterResponse.model_validate(answer).sheet
        found = ann.ask("POST", "/preview", {"sheet": sheet}).json()
        assert schemas.SheetPreview.model_validate(found)
        assert found["new"]
        assert all(one["keeps"] for one in found["budgets"])
        assert ann.do("bring", sheet=sheet).status_code == 200
    assert len(ann.get("/view")["characters"]) == number + 1


def test_the_seed_decides_and_nothing_else(ann: Seat) -> None:
    first, again, other = (
        ann.ask("POST", "/new-character", {"quick": True, "seed": seed}).json()["sheet"] for seed in (7, 7, 8)
    )
    assert first == again
    assert first["name"] != other["name"]


def test_what_is_not_finished_is_no_error(ann: Seat) -> None:
    sheet = ann.ask("POST", "/new-character", {}).json()["sheet"] | {"name": ""}
    strict = ann.ask("POST", "/preview", {"sheet": sheet})
    assert strict.status_code == 409
    half = ann.ask("POST", "/preview", {"sheet": sheet, "partial": True})
    assert half.status_code == 200
    assert schemas.SheetProblem.model_validate(half.json()).problem == strict.json()["error"]


def test_wrong_questions_are_refused(ann: Seat) -> None:
    assert ann.ask("POST", "/new-character", {"start": "dragon"}).status_code == 409
    for wrong in ({"seed": -1}, {"kind": "monster"}, {"seed": "x"}, {"start": "x" * 81}):
        assert ann.ask("POST", "/new-character", wrong).status_code == 422
