"""Eyes on a server: health, readiness, metrics, ids of requests, JSON logs."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import ServerThread, get

from handful.store import StoreFault
from handful.web import metrics
from handful.web.middleware import LOG, REQUEST_FIELDS
from handful.web.run import JsonFormatter

ROLL = {"check": "direct", "parameters": {"attribute": 3, "target": 2}}
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("status") / "tables.db") as running:
        yield running


def read(server: ServerThread) -> dict[str, float]:
    """Return the metrics by name and labels."""
    answer = get(f"{server.url}/metrics")
    assert answer.status_code == 200
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_commands_are_counted_by_kind_and_outcome(server: ServerThread) -> None:
    before, ann = read(server), server.open()["ann"]
    with ann.listen() as socket:
        socket.next()
        assert socket.do("declare", **ROLL, throw={})["type"] == "done"
        assert read(server)["handful_sockets"] == 1
    assert ann.do("throw", roll="ann/nothing").status_code == 409
    assert ann.do("steal the treasure of Zoe").status_code >= 400
    ann.ask("POST", "/sketch", {"data": ROLL})
    after = read(server)

    def grown(name: str) -> float:
        return after.get(name, 0.0) - before.get(name, 0.0)

    assert grown('handful_commands_total{kind="declare",outcome="done"}') == 1
    assert grown('handful_commands_total{kind="throw",outcome="refused"}') == 1
    assert grown('handful_commands_total{kind="unknown",outcome="refused"}') == 1
    assert grown("handful_command_seconds_count") == 3
    assert grown("handful_odds_seconds_count") == 1
    assert grown("handful_store_seconds_count") >= 1
    assert grown('handful_requests_total{route="/api/tables/{place}/commands",status="409"}') >= 1
    assert after["handful_rooms"] >= 1


def test_metrics_hold_nothing_that_somebody_typed(server: ServerThread) -> None:
    seats = server.open(title="Zauberwald", players=["Xaverl"])
    seats["Xaverl"].do("say", text="Geheimnis")
    get(f"{server.url}/join/Zauberwald")
    text = get(f"{server.url}/metrics").text
    for typed in ("Zauberwald", "zauberwald", "Xaverl", "Geheimnis", seats["Xaverl"].token):
        assert typed not in text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-Ip"])
def test_metrics_are_for_this_machine(server: ServerThread, header: str) -> None:
    answer = get(f"{server.url}/metrics", headers={header: "203.0.113.7"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")


def test_a_server_that_cannot_save_is_alive_and_not_ready(server: ServerThread) -> None:
    assert get(f"{server.url}/readyz").json() == {"status": "ok"}
    server.tables.status.report(StoreFault("the disk is full"))
    try:
        answer = get(f"{server.url}/readyz", headers={"Accept-Language": "de"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store")
        assert answer.json()["error"]["message"] == "gerade lässt sich nichts speichern"
        assert get(f"{server.url}/healthz").status_code == 200
        assert read(server)["handful_store_failed"] == 1
    finally:
        server.tables.status.report(None)
    assert get(f"{server.url}/readyz").status_code == 200


def test_each_response_has_an_id_that_the_log_has(
    server: ServerThread, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger=LOG.name):
        ids = [get(f"{server.url}/healthz").headers["X-Request-Id"] for _ in range(2)]
    assert ids[0] != ids[1]
    logged = [getattr(one, REQUEST_FIELDS)["request"] for one in caplog.records if "/healthz" in one.message]
    assert logged[-2:] == ids


def test_slow_commands_are_logged_by_kind(
    server: ServerThread, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "SLOW_SECONDS", 0.0)
    with caplog.at_level(logging.WARNING, logger=LOG.name):
        server.open()["ann"].do("say", text="Geheimnis")
    (line,) = [one.message for one in caplog.records if "slow" in one.message]
    assert re.fullmatch(r"slow command say: done after \d+ ms", line)


def test_a_line_of_the_log_is_an_object() -> None:
    record = LOG.makeRecord(LOG.name, logging.INFO, "", 0, "%s %s", ("a", "ü"), None)
    setattr(record, REQUEST_FIELDS, {"status": 200, "request": "1f"})
    line = json.loads(JsonFormatter().format(record))
    assert {**line, "time": ""} == {
        "time": "",
        "level": "info",
        "message": "a ü",
        "status": 200,
        "request": "1f",
    }
    try:
        raise ValueError("x")
    except ValueError as error:
        failed = LOG.makeRecord(
            LOG.name, logging.ERROR, "", 0, "no", (), (ValueError, error, error.__traceback__)
        )
    assert "ValueError: x" in json.loads(JsonFormatter().format(failed))["error"]


def test_the_dashboard_and_the_alerts_use_metrics_that_exist(server: ServerThread) -> None:
    text = get(f"{server.url}/metrics").text
    known = {*re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)}
    known |= {f"{name}_bucket" for name in known}
    board = json.loads((ROOT / "packaging" / "grafana-dashboard.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    page = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    alerts = [line.split("|")[2] for line in page.splitlines() if line.startswith("|") and "handful_" in line]
    assert len(alerts) == 5
    for name in re.findall(r"handful_\w+", " ".join(asked + alerts)):
        assert name in known
