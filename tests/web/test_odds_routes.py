"""The odds API: exact, bounded, and one clear message per mistake."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from servers import NO_TLS, ServerThread, request

from handful.cli.app import handful as command
from handful.library import families, known
from handful.web.settings import ServerLimits

WIDE = ServerLimits(explorer_burst=10**6, cells=600)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("explorer") / "tables.db", WIDE) as running:
        yield running


def ask(server: ServerThread, path: str, body: Any = None) -> httpx.Response:
    """A question; one that takes as long as this is broken."""
    method = "GET" if body is None else "POST"
    return httpx.request(method, f"{server.url}/api{path}", json=body, timeout=120, verify=NO_TLS)


def messages_of(answer: httpx.Response) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return [json.loads(line) for line in answer.text.splitlines()]


def refused(answer: httpx.Response) -> str:
    assert 400 <= answer.status_code < 500, answer.text
    message: str = answer.json()["error"]["message"]
    return message


def ran(line: str, *more: str) -> Any:
    program, *words = shlex.split(line)
    assert program == "handful"
    return json.loads(CliRunner().invoke(command, [*words, *more]).output)


def test_families_are_listed_with_everything_a_page_needs(server: ServerThread) -> None:
    assert [one["id"] for one in ask(server, "/families").json()] == families()
    for name in known():
        found = ask(server, f"/games/{name}").json()
        assert found["checks"], name


def test_a_family_has_odds_but_no_table(server: ServerThread) -> None:
    found = ask(server, "/games/ten-again/survey", {"check": "pool", "parameters": {"dice": 4}})
    assert found.json()["figure"]
    made = ask(server, "/tables", {"game": "ten-again", "title": "x"})
    assert made.status_code == 422


def test_a_survey_equals_the_command_line(server: ServerThread) -> None:
    body = {
        "check": "direct",
        "parameters": {"attribute": 4, "rerolls": 2, "target": 2},
        "options": {"reroll_stack": "stacking"},
        "policy": "best",
    }
    found = ask(server, "/games/uwr/survey", body).json()
    said = ran(found["command"], "--json")
    assert said == {name: found[name] for name in said}
    assert [name for name, _ in found["rungs"]] == ["easy", "normal", "difficult", "extreme"]


def test_worth_equals_the_command_line(server: ServerThread) -> None:
    body = {"check": "direct", "parameters": {"attribute": 4, "rerolls": 2, "target": 2}}
    found = ask(server, "/games/uwr/worth", body).json()
    line = "handful odds uwr direct attribute=4 rerolls=2 target=2 --worth --json"
    assert found["worth"] == ran(line)["worth"]
    none = ask(server, "/games/tuurna/worth", {"check": "check", "parameters": {"level": 3}})
    assert none.json() == {"worth": None}


@pytest.mark.parametrize(
    ("game", "body"),
    [
        ("uwr", {"check": "direct", "parameters": {"attribute": "1..8", "target": "1..3"}}),
        ("tuurna", {"check": "contest", "sides": [{"level": "1..4"}, {"level": "2..3"}], "shows": "wins:1"}),
        (
            "me-d6",
            {"check": "check", "parameters": {"dice": "2D..4D", "difficulty": ".."}, "policy": "never"},
        ),
    ],
)
def test_a_table_equals_the_command_line(server: ServerThread, game: str, body: Any) -> None:
    *progress, last = messages_of(ask(server, f"/games/{game}/table", body))
    assert all(set(one) == {"progress"} for one in progress)
    found = last["answer"]
    said = ran(found["command"], "--json")
    assert said["cells"] == found["cells"]
    assert [axis["values"] for axis in said["axes"]] == [axis["values"] for axis in found["axes"]]
    assert found["csv"].count("\n") == len(found["cells"]) + 1


def test_a_value_for_a_chance_equals_the_command_line(server: ServerThread) -> None:
    body = {"check": "direct", "parameters": {"target": 2}, "find": "attribute", "chance": "80%"}
    found = ask(server, "/games/uwr/solve", body).json()
    assert found["value"] == 8
    assert ran(found["command"], "--json")["tried"] == found["tried"]
    fair = {
        "check": "contest",
        "sides": [{"level": 5}, {}],
        "find": "level",
        "side": 2,
        "chance": "50%",
        "within": "1..9",
    }
    found = ask(server, "/games/tuurna/solve", fair).json()
    assert found["value"] == 5
    assert ran(found["command"], "--json")["value"] == 5


def test_two_editions_are_compared_as_on_the_command_line(server: ServerThread) -> None:
    body = {"before": {"game": "agga"}, "after": {"game": "fons"}}
    found = messages_of(ask(server, "/diff", body))[-1]["answer"]
    said = ran(found["command"], "--json")
    assert said["words"] == found["words"]
    assert said["moved"][:5] == found["moved"][:5]
    assert found["count"] == said["count"] >= len(said["moved"])
    house = {
        "before": {"game": "uwr"},
        "after": {"game": "uwr", "options": {"reroll_stack": "stacking"}},
    }
    found = messages_of(ask(server, "/diff", house))[-1]["answer"]
    assert found["words"] == ["house rule reroll_stack: distinct -> stacking"]
    assert ran(found["command"], "--json")["compared"] == found["compared"]


DRAFT = 'language = 1\nid = "draft"\nextends = "agga"\n[title]\nen = "D"\n'


def test_a_draft_is_compared_with_its_game(server: ServerThread) -> None:
    text = DRAFT + "[ladder.easy]\ntarget = 2\n"
    body = {"before": {"game": "agga"}, "after": {"game": "agga", "text": text}}
    found = messages_of(ask(server, "/diff", body))[-1]["answer"]
    assert any(word.startswith("difficulty Easy: target") for word in found["words"])
    assert found["count"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (DRAFT + "[ladder", "line 6: is not valid TOML"),
        (DRAFT.replace("agga", "/etc/passwd"), "line 3: there is no shipped ruleset"),
        (DRAFT.replace('"agga"', "3"), "line 3: there is no shipped ruleset"),
        (DRAFT + '[rules.odd]\nparams = []\ndoes = "import os"\n', "line 8: a rule cannot say"),
    ],
)
def test_a_draft_that_is_wrong_is_refused_with_its_place(server: ServerThread, text: str, says: str) -> None:
    body = {"before": {"game": "agga"}, "after": {"game": "agga", "text": text}}
    assert says in refused(ask(server, "/diff", body))


def test_claims_are_judged_as_on_the_command_line(server: ServerThread) -> None:
    """CLM-R2 to CLM-R4 are wrong for the Levels that the game itself gives."""
    found = ask(server, "/games/tuurna/claims").json()
    said = ran("handful claims tuurna --json")
    assert found["false"] == said["false"]
    wrong = {one["id"]: one["figure"] for one in found["claims"] if not one["true"]}
    assert {"CLM-R2", "CLM-R3", "CLM-R4"} <= set(wrong)
    assert [one["figure"] for one in said["claims"]] == [one["figure"] for one in found["claims"]]
    assert not any("/" in one["where"].removeprefix("tuurna/") for one in found["claims"])


def test_own_claims_are_judged(server: ServerThread) -> None:
    text = (
        '[[claim]]\nid = "mine"\nsays = "even"\ncheck = "direct"\n'
        'params = { attribute = 4, target = 2 }\nrange = ["50%", "60%"]\n'
    )
    found = ask(server, "/games/uwr/claims", {"text": text}).json()
    assert found["false"] == 1
    assert found["claims"][0]["figure"] == "11/27"
    assert found["claims"][0]["would_be_true"]
    broken = ask(server, "/games/uwr/claims", {"text": text.replace("direct", "nothing")})
    assert "claims.toml:1" in refused(broken)
    assert "claims.toml" in refused(ask(server, "/games/uwr/claims", {"text": "[[claim"}))


def direct(**more: Any) -> dict[str, Any]:
    return {"check": "direct", **more}


def ranges(**more: Any) -> dict[str, Any]:
    return direct(parameters=more)


def editions(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {"before": {"game": "uwr", **before}, "after": {"game": "uwr", **after}}


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        ("/games/uwr/survey", ranges(attribute=-1), "attribute"),
        ("/games/uwr/survey", {"check": "nothing"}, "nothing"),
        ("/games/nothing/survey", direct(), "there is no ruleset"),
        ("/games/uwr/survey", direct(options={"odd": 1}), "odd"),
        ("/games/uwr/table", ranges(attribute="5..1"), "write 1..5"),
        ("/games/uwr/table", ranges(attribute="1..x"), "not a number"),
        ("/games/uwr/table", ranges(attribute="1..100", target="1..7"), "700 cells; at most 600"),
        ("/games/uwr/table", ranges(attribute="1..2") | {"shows": "luck"}, "there is no figure"),
        ("/games/uwr/solve", direct(find="attribute", chance="800%"), "0 to 100%"),
        ("/games/uwr/solve", direct(find="nothing", chance="80%"), "nothing"),
        ("/diff", editions({}, {"game": "nothing"}), "there is no ruleset"),
        ("/diff", editions({"options": {"odd": 1}}, {}), "odd"),
        ("/diff", editions({"text": "x"}, {}), "comes after"),
    ],
)
def test_impossible_questions_are_refused_in_one_message(
    server: ServerThread, path: str, body: Any, says: str
) -> None:
    assert says in refused(ask(server, path, body))


def test_a_check_that_is_too_much_work_is_refused(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "t.db", ServerLimits(odds_budget=1_000)) as server:
        sides = [{"attribute": 6 + at, "rerolls": 2 + at} for at in range(4)]
        body = {"check": "opposed", "sides": sides}
        answer = ask(server, "/games/uwr/survey", body)
        assert answer.json()["error"]["code"] == "too_big"


def test_odds_requests_are_rate_limited(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "t.db", ServerLimits(explorer_burst=1, explorer_rate=0.001)) as server:
        body = {"check": "direct", "parameters": {"attribute": 2}}
        assert ask(server, "/games/uwr/survey", body).status_code == 200
        answer = ask(server, "/games/uwr/survey", body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_fast")


def test_abandoned_work_ends_and_short_questions_are_answered(server: ServerThread) -> None:
    """A long table occupies one of two workers; a client that leaves frees it."""
    body = {"before": {"game": "tuurna"}, "after": {"game": "tuurna", "options": {"cap": "off"}}}
    url = f"{server.url}/api/diff"
    with httpx.stream("POST", url, json=body, timeout=120, verify=NO_TLS) as answer:
        line = next(answer.iter_lines())
        assert "progress" in json.loads(line)
        short = ask(server, "/games/uwr/survey", {"check": "direct", "parameters": {"attribute": 2}})
        assert short.status_code == 200
    again = ask(server, "/diff", {"before": {"game": "agga"}, "after": {"game": "agga"}})
    assert messages_of(again)[-1]["answer"]["words"] == []


def test_the_page_is_served_and_holds_nothing(server: ServerThread) -> None:
    page = request("GET", f"{server.url}/odds")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
