"""Schemathesis: every answer conforms to the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from effort import sample
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from servers import Seat, ServerThread, get

from handful.web.app import create_app
from handful.web.settings import ServerLimits, Settings

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
PATIENT = ServerLimits(
    tables_per_hour=10**6,
    burst=10**6,
    query_burst=10**6,
    guesses_per_minute=10**6,
    odds_budget=20_000,
    open_rolls=50,
    watch_seconds=3600,
)
schema = schemathesis.openapi.from_dict(create_app(Settings()).openapi())


@pytest.fixture(scope="module")
def seats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Seat]]:
    with ServerThread(tmp_path_factory.mktemp("web") / "tables.db", PATIENT) as server:
        seats = server.open(demo=True)
        seats["ann"].do("declare", key="r", check="direct", parameters={"attribute": 2})
        yield seats


@pytest.mark.sampled
@schema.parametrize()
@settings(
    max_examples=sample(3, 8),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[*HealthCheck],
    phases=[Phase.explicit, Phase.generate],
)
def test_every_answer_is_as_the_document_says(case: Any, seats: dict[str, Seat]) -> None:
    """From a player's seat, and from the GM's where links are made."""
    seat = seats["gm" if "/links" in case.path else "ann"]
    if "place" in case.path_parameters:
        case.path_parameters["place"] = seat.place
    if "game" in case.path_parameters and len(case.path_parameters["game"]) % 2:
        case.path_parameters["game"] = "uwr"
    case.cookies = {"handful_seat": seat.token}
    case.call_and_validate(base_url=seat.at.url, checks=CHECKS, timeout=20, allow_redirects=False)


def test_the_openapi_document_is_served_unchanged(seats: dict[str, Seat], tmp_path: Path) -> None:
    assert get(f"{seats['gm'].at.url}/openapi.json").json() == schema.raw_schema
