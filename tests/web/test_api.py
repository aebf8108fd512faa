"""The HTTP API: taking a seat, commands, limits and every refusal."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from servers import NO_TLS, Seat, ServerThread, get, post, request, wait_until

from handful.library.tables import open_table
from handful.store import StoredTable
from handful.table import Command
from handful.table.commands import command_kinds
from handful.verifier import verify
from handful.web import schemas, schemas_odds
from handful.web.settings import ServerLimits

ROLL = {"check": "direct", "parameters": {"attribute": 3, "rerolls": 1, "target": 2}}
FORBIDDEN = {
    "error": {
        "code": "forbidden",
        "message": "this link does not lead anywhere, or no longer does",
        "hint": "ask the GM for a new one",
    }
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    generous = ServerLimits(tables_per_hour=1000, guesses_per_minute=1000)
    with ServerThread(tmp_path_factory.mktemp("web") / "tables.db", generous) as inside:
        yield inside


@pytest.fixture
def seats(server: ServerThread) -> dict[str, Seat]:
    return server.open()


def error(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of an answer that is no, and has the form of one."""
    return answer.status_code, schemas.ErrorResponse.model_validate(answer.json()).error.code


# -- sitting down


def test_a_link_becomes_a_cookie_for_its_own_place_alone(server: ServerThread) -> None:
    links = post(f"{server.url}/api/tables", json={"game": "uwr", "title": "Friday"}).json()
    answer = get(server.url + links["links"]["gm"])
    assert answer.status_code == 303
    place = answer.headers["location"].removeprefix("/t/")
    name, *parts = answer.headers["set-cookie"].split("; ")
    assert name.startswith("handful_seat=")
    assert {"HttpOnly", "SameSite=strict", f"Path=/api/tables/{place}"} <= set(parts)
    assert "Secure" not in parts
    assert answer.headers["cache-control"] == "no-store"


def test_behind_https_the_cookie_is_secure(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db", public="https://dice.example") as server:
        seat = server.open()["gm"]
        own = {"Host": "dice.example"}
        answer = get(server.url + seat.link, headers=own)
        assert "Secure" in answer.headers["set-cookie"].split("; ")
        body = {"game": "uwr", "title": "Friday"}
        for origin, status in (("https://dice.example", 201), ("https://dice.evil", 403)):
            sent = post(f"{server.url}/api/tables", json=body, headers=own | {"Origin": origin})
            assert sent.status_code == status


def test_two_seats_in_one_browser_are_not_mixed_up(seats: dict[str, Seat]) -> None:
    with httpx.Client(verify=NO_TLS, base_url=seats["gm"].at.url) as browser:
        for name in ("gm", "ann"):
            browser.get(seats[name].link)
        for name in ("gm", "ann"):
            assert browser.get(f"{seats[name].path}/view").json()["seat"] == name


@pytest.mark.parametrize("token", ["", "x", "x" * 32, "x" * 5000, "ä" * 20, "../../etc"])
def test_a_guessed_token_gets_nothing(server: ServerThread, seats: dict[str, Seat], token: str) -> None:
    seat = seats["ann"]
    answer = get(
        f"{server.url}{seat.path}/view",
        headers=[(b"Cookie", b"handful_seat=" + token.encode())],
    )
    assert (answer.status_code, answer.json()) == (403, FORBIDDEN)
    elsewhere = get(f"{server.url}/api/tables/friday-00000000~00000000/view")
    assert (elsewhere.status_code, elsewhere.json()) == (403, FORBIDDEN)
    assert elsewhere.headers["content-length"] == answer.headers["content-length"]


def test_a_wrong_link_gets_a_small_page_without_script(server: ServerThread) -> None:
    answer = get(f"{server.url}/join/{'x' * 32}")
    assert answer.status_code == 403
    assert "doesn’t work" in answer.text
    assert "<script" not in answer.text
    assert "set-cookie" not in answer.headers


def test_guessing_tokens_is_rate_limited(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db", ServerLimits(guesses_per_minute=5)) as server:
        found = [get(f"{server.url}/join/{at:032}").status_code for at in range(8)]
    assert found == [403] * 5 + [429] * 3


def test_an_open_invitation_becomes_a_seat(server: ServerThread, seats: dict[str, Seat]) -> None:
    token = seats[""].token
    sat = post(f"{server.url}/api/sit", json={"token": token, "name": "eve"})
    assert sat.status_code == 200
    eve = Seat(server, sat.json()["link"])
    assert eve.get("/view")["role"] == "watcher"
    again = post(f"{server.url}/api/sit", json={"token": token, "name": "ann"})
    assert error(again) == (409, "refused")
    own = post(f"{server.url}/api/sit", json={"token": eve.token, "name": "more"})
    assert error(own) == (403, "forbidden")
    assert error(eve.do("declare", **ROLL)) == (409, "refused")
    # an invitation is no seat
    listening = Seat(server, seats[""].link)
    listening.place = seats["gm"].place
    assert error(listening.ask("GET", "/view")) == (403, "forbidden")


def test_invitations_have_a_seat_limit(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db", ServerLimits(seats=4)) as server:
        token = server.open()[""].token
        bodies = [{"token": token, "name": name} for name in ("cid", "dan")]
        found = [post(f"{server.url}/api/sit", json=one) for one in bodies]
        assert found[0].status_code == 200
        assert error(found[1]) == (429, "too_many")


def test_the_gm_revokes_and_reissues(server: ServerThread, seats: dict[str, Seat]) -> None:
    gm, ann, bob = seats["gm"], seats["ann"], seats["bob"]
    with ann.listen() as socket, bob.listen() as other:
        socket.next()
        other.next()
        assert gm.ask("POST", "/links/revoke", {"seat": "ann"}).json() == {"revoked": 1}
        assert socket.closed() == 4403
        gm.do("visibility", mode="private")
        assert other.next()["type"] == "patch", "bob goes on listening"
    assert ann.ask("GET", "/view").json() == FORBIDDEN
    assert get(server.url + ann.link).status_code == 403
    fresh = gm.ask("POST", "/links", {"seat": "ann"}).json()["link"]
    assert Seat(server, fresh).get("/view")["seat"] == "ann"
    assert ann.ask("GET", "/view").status_code == 403, "the old one leads nowhere still"
    instead = gm.ask("POST", "/links", {"seat": "ann", "instead": True}).json()["link"]
    assert get(server.url + fresh).status_code == 403
    assert get(server.url + instead).status_code == 303
    counts = {(one["seat"], one["role"]): one["links"] for one in gm.get("/links")}
    assert counts == {("", "watcher"): 1, ("ann", "player"): 1, ("bob", "player"): 1, ("gm", "gm"): 1}


def test_the_gm_replaces_their_own_link_without_leaving(server: ServerThread) -> None:
    gm = server.open()["gm"]
    assert error(gm.ask("POST", "/links/revoke", {"seat": "gm"})) == (409, "refused")
    answer = gm.ask("POST", "/links", {"seat": "gm", "instead": True})
    assert answer.status_code == 201
    assert gm.ask("GET", "/view").status_code == 403
    gm.token = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert gm.get("/view")["seat"] == "gm"


def test_links_themselves_are_nowhere_in_the_file(server: ServerThread, seats: dict[str, Seat]) -> None:
    kept = b"".join(one.read_bytes() for one in Path(server.tables.settings.data).parent.iterdir())
    assert seats["gm"].place.partition("~")[0].encode() in kept
    assert not [one.token for one in seats.values() if one.token.encode() in kept]


# -- seat confusion


GM_ONLY: dict[str, dict[str, Any]] = {
    "seat": {"name": "cid", "role": "gm"},
    "visibility": {"mode": "public"},
    "house_rules": {"options": {"reroll_stack": "stacking"}},
    "leave": {"name": "bob"},
    "request": {"to": ["bob"], "check": "direct"},
    "reveal": {"roll": "gm/lie"},
    "finalise": {"roll": "gm/lie"},
    "judge": {"roll": "gm/lie", "grade": "good"},
    "fight": {"combatants": [{"name": "Orc", "initiative": 3}]},
    "contest": {"check": "opposed", "rolls": ["gm/lie", "gm/lie"]},
}


@pytest.mark.parametrize("do", GM_ONLY)
def test_a_players_token_gives_no_command_of_the_gm(seats: dict[str, Seat], do: str) -> None:
    seats["gm"].do("declare", key="lie", mode="secret", **ROLL)
    before = seats["gm"].get("/log")
    assert error(seats["ann"].do(do, **GM_ONLY[do])) == (409, "refused")
    with seats["ann"].listen() as socket:
        assert socket.do(do, **GM_ONLY[do])["error"]["code"] == "refused"
    assert seats["gm"].get("/log") == before


def test_a_players_token_makes_no_links_and_opens_no_other_place(seats: dict[str, Seat]) -> None:
    ann = seats["ann"]
    for method, path, body in (
        ("GET", "/links", None),
        ("POST", "/links", {"seat": "gm"}),
        ("POST", "/links", {"role": "gm"}),
        ("POST", "/links/revoke", {"seat": "gm"}),
        ("POST", "/links/revoke", {"seat": "bob"}),
    ):
        assert error(ann.ask(method, path, body)) == (403, "forbidden")
    ann.place = seats["gm"].place
    assert ann.ask("GET", "/view").json() == FORBIDDEN
    assert ann.do("declare", **ROLL).json() == FORBIDDEN


# -- other pages


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
def test_a_post_from_another_page_is_refused(
    server: ServerThread, seats: dict[str, Seat], headers: dict[str, str]
) -> None:
    gm, before = seats["gm"], seats["gm"].get("/log")
    body = {"do": "visibility", "key": "csrf", "data": {"mode": "private"}}
    assert error(gm.ask("POST", "/commands", body, **headers)) == (403, "forbidden")
    opens = {"game": "uwr", "title": "x"}
    answer = post(f"{server.url}/api/tables", json=opens, headers=headers)
    assert error(answer) == (403, "forbidden")
    # forms and plain texts, which need no leave of a browser, are not understood either
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        sent = post(
            f"{server.url}{gm.path}/commands",
            content=json.dumps(body),
            headers=gm.cookie | {"Content-Type": kind},
        )
        assert error(sent) == (422, "bad")
    assert gm.get("/log") == before


def test_a_foreign_host_name_is_refused(server: ServerThread) -> None:
    headers = {
        "Host": f"evil.example:{server.port}",
        "Origin": f"http://evil.example:{server.port}",
    }
    assert error(get(f"{server.url}/api/games", headers=headers)) == (403, "forbidden")
    answer = post(f"{server.url}/api/tables", json={}, headers=headers)
    assert error(answer) == (403, "forbidden")


@pytest.mark.parametrize("host", ["[", "[::1", "", "127.0.0.1.evil.example", "x" * 1000])
def test_a_malformed_host_is_refused(server: ServerThread, host: str) -> None:
    answer = get(f"{server.url}/api/games", headers={"Host": host})
    assert error(answer) == (403, "forbidden")


@pytest.mark.parametrize("path", ["/", "/t/any~where", "/api/games", "/static/lost.html", "/none"])
def test_every_answer_has_a_strict_policy(server: ServerThread, path: str) -> None:
    headers = get(server.url + path).headers
    rules = dict(one.strip().split(" ", 1) for one in headers["content-security-policy"].split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert [one for one in rules if "unsafe" in rules[one]] == ["style-src-attr"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


# -- commands


def test_a_roll_over_http(seats: dict[str, Seat]) -> None:
    ann = seats["ann"]
    first = ann.do("declare", key="r", **ROLL)
    assert first.json() == {"done": "r", "n": 6}
    assert ann.do("declare", key="r", **ROLL).json() == {"done": "r", "n": 6}, "obeyed once"
    other = {**ROLL, "title": "something else"}
    assert error(ann.do("declare", key="r", **other)) == (409, "refused")
    ann.do("throw", roll="ann/r", faces=[6, 2, 1])
    (roll,) = ann.get("/view")["rolls"]
    assert roll["question"]["odds"]["best"] in ("2", "3")
    assert ann.get("/odds?roll=ann/r")["success"] == "1/3"
    assert [one["n"] for one in ann.get("/log?after=4&most=1")] == [5]
    assert ann.get("/log?after=400") == []
    text = ann.ask("GET", "/export").text
    assert verify(text)[0] == []
    assert ann.ask("GET", "/export").headers["content-type"].startswith("text/plain")


def test_sketches_have_lines_and_odds(server: ServerThread) -> None:
    ann = server.open(demo=True)["ann"]
    asked = {
        "check": "direct",
        "as": "ann/Mira Quill",
        "parameters": {"attribute": "Grace", "skill": "Acrobatics", "target": 2},
    }
    made = schemas_odds.RollPreview.model_validate(ann.ask("POST", "/sketch", {"data": asked}).json())
    assert made.odds.success == "473/729"
    assert made.lines[0]["says"] == "Grace"
    best = ann.ask("POST", "/sketch", {"data": asked, "policy": "best"})
    assert best.status_code == 200
    assert error(ann.ask("POST", "/sketch", {"data": {"check": "no"}})) == (409, "refused")
    unfinished = ann.ask("POST", "/sketch", {"data": {"check": "no"}, "partial": True})
    assert (unfinished.status_code, unfinished.json()["problem"]["code"]) == (200, "refused")
    assert ann.ask("POST", "/sketch", {"data": asked, "policy": "x"}).status_code == 422


def test_demo_tables_have_characters_for_every_seat(server: ServerThread) -> None:
    for game in ("agga", "uwr", "fons", "tuurna", "me-d6"):
        seats = server.open(game=game, demo=True)
        owners = {one["owner"] for one in seats["gm"].get("/view")["characters"]}
        assert "ann" in owners, game
        others = [one for one in seats["ann"].get("/view")["characters"] if one["owner"] == "gm"]
        assert bool(others) == ("gm" in owners), game  # she knows of them, and not their sheets
        assert not [one for one in others if "sheet" in one], game


@pytest.mark.parametrize(
    "wanted",
    [
        {"game": "chess"},
        {"gm": "a/b"},
        {"title": "a\nb"},
        {"players": ["ann", "ann"]},
        {"players": ["gm"]},
        {"players": [" "]},
        {"more": 1},
        {"title": ""},
        {"players": "ann"},
    ],
)
def test_a_table_that_cannot_be_opened_leaves_nothing_behind(
    server: ServerThread, wanted: dict[str, Any]
) -> None:
    def count() -> int:
        with sqlite3.connect(server.tables.settings.data) as file:
            found: int = file.execute("SELECT count(*) FROM tables").fetchone()[0]
        file.close()
        return found

    before = count()
    body = {"game": "uwr", "title": "Friday", **wanted}
    answer = post(f"{server.url}/api/tables", json=body)
    assert answer.status_code in (409, 422)
    schemas.ErrorResponse.model_validate(answer.json())
    assert count() == before


def test_events_of_another_process_are_delivered(seats: dict[str, Seat], server: ServerThread) -> None:
    """Open the same file with another connection, as another process would."""
    table = seats["gm"].place.partition("~")[0]
    with seats["ann"].listen() as socket:
        socket.next()
        kept: StoredTable = open_table(server.tables.settings.data, table)
        kept.do("bob", Command("declare", "other", ROLL))
        kept.store.close()
        patch = socket.next()
        assert [one["kind"] for one in patch["lines"]] == ["epoch_begun", "roll_declared"]
        assert [*patch["view"]["rolls"]["put"]] == ["bob/other"]
        # what was read because of a refusal is told, too, and only once
        kept = open_table(server.tables.settings.data, table)
        kept.do("bob", Command("throw", "more", {"roll": "bob/other"}))
        kept.store.close()
        seats["gm"].do("throw", roll="nobody/has")
        patch = socket.next()
        assert "dice_thrown" in [one["kind"] for one in patch["lines"]]
    assert [one["n"] for one in seats["ann"].get("/log")] == [*range(1, patch["n"] + 1)]


def test_idle_rooms_are_closed_and_reopened(tmp_path: Path) -> None:
    with ServerThread(
        tmp_path / "tables.db", ServerLimits(room_idle_seconds=0.1, watch_seconds=0.05)
    ) as server:
        gm = server.open()["gm"]
        with gm.listen() as socket:
            socket.next()
            gm.do("visibility", mode="private")
            assert socket.next()["type"] == "patch"
            assert server.rooms
        wait_until(lambda: not server.rooms)
        assert gm.get("/view")["mode"] == "private"


# -- limits


def test_request_bodies_have_a_size_limit(server: ServerThread, seats: dict[str, Seat]) -> None:
    ann = seats["ann"]
    large = {"data": {"check": "direct", "title": "x" * 70_000}}
    assert error(ann.ask("POST", "/sketch", large)) == (413, "too_large")

    def chunks() -> Iterator[bytes]:
        yield b'{"data": {"check": "'
        for _ in range(20):
            yield b"x" * 10_000

    sent = post(f"{server.url}{ann.path}/sketch", content=chunks(), headers=ann.cookie)
    assert error(sent) == (413, "too_large"), "also where no length is told"
    assert error(ann.do("declare", check="x" * 300_000)) == (413, "too_large")
    assert error(ann.do("declare", check="x" * 100_000)) == (409, "refused")


def test_commands_and_queries_are_rate_limited(tmp_path: Path) -> None:
    limits = ServerLimits(burst=5, rate=0.001, query_burst=20, query_rate=0.001)
    with ServerThread(tmp_path / "tables.db", limits) as server:
        seats = server.open()
        found = [seats["ann"].do("leave", name="x").status_code for _ in range(8)]
        assert found == [409] * 5 + [429] * 3
        assert seats["bob"].do("declare", **ROLL).status_code == 200, "each seat has its own"
        assert [seats["ann"].ask("GET", "/view").status_code for _ in range(14)][-1] == 429


def test_opening_tables_is_rate_limited(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db", ServerLimits(tables_per_hour=2)) as server:
        body = {"game": "uwr", "title": "Friday"}
        found = [post(f"{server.url}/api/tables", json=body) for _ in range(3)]
        assert [one.status_code for one in found] == [201, 201, 429]
        assert error(found[2]) == (429, "too_fast")


def test_open_rolls_requests_and_characters_are_limited(tmp_path: Path) -> None:
    with ServerThread(
        tmp_path / "tables.db", ServerLimits(open_rolls=2, open_requests=1, characters=1)
    ) as at:
        seats = at.open()
        ann, gm = seats["ann"], seats["gm"]
        found = [ann.do("declare", key=f"r{at}", **ROLL) for at in range(3)]
        assert [one.status_code for one in found] == [200, 200, 429]
        assert error(found[2]) == (429, "too_many")
        assert ann.do("declare", key="r1", **ROLL).status_code == 200, "said again: obeyed before"
        ann.do("cancel", roll="ann/r0")
        assert ann.do("declare", key="r3", **ROLL).status_code == 200
        # rolls of which a seat does not know do not count, and those that end out of its sight
        for number in range(3):
            gm.do("cancel", roll=f"gm/b{number - 1}")
            gm.do("declare", key=f"b{number}", mode="gm", **{**ROLL, "for": "bob"})
            seats["bob"].do("declare", key=f"t{number}", mode="blind", **ROLL)
            seats["bob"].do("throw", key=f"u{number}", roll=f"bob/t{number}")
        assert seats["bob"].do("declare", key="own", **ROLL).status_code == 200
        calls = [ann.do("call", check="direct") for _ in range(2)]
        assert [one.status_code for one in calls] == [200, 429]
        game = get(f"{at.url}/api/games/uwr").json()
        brings = [ann.do("bring", sheet=one) for one in game["characters"][:2]]
        assert [one.status_code for one in brings] == [200, 429]
        (own,) = ann.get("/view")["characters"]
        edited = own["sheet"] | {"notes": "Older."}
        assert ann.do("bring", sheet=edited, replaces=own["mark"]).status_code == 200, "no new one"


HARD = {"check": "opposed", "sides": [{"attribute": 6 + at, "rerolls": 2 + at} for at in range(4)]}


def test_odds_queries_have_a_budget(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db", ServerLimits(odds_budget=1000)) as server:
        ann = server.open()["ann"]
        assert error(ann.ask("POST", "/sketch", {"data": HARD})) == (422, "too_big")
        for body, expected in ((HARD, (422, "too_big")), ({"check": "no"}, (409, "refused"))):
            sent = post(f"{server.url}/api/games/uwr/odds", json=body)
            assert error(sent) == expected


def test_an_abandoned_odds_query_stops_and_delays_no_other(tmp_path: Path) -> None:
    limits = ServerLimits(odds_budget=10**12, queued_odds=0, odds_seconds=4)
    with ServerThread(tmp_path / "tables.db", limits) as server:
        seats = server.open()
        ann, pool = seats["ann"], server.tables.processes.odds
        ann.get("/view")
        workers = [*wait_until(lambda: pool._idle)]
        body = {"data": HARD, "policy": "best"}
        with pytest.raises(httpx.ReadTimeout):
            post(f"{server.url}{ann.path}/sketch", json=body, headers=ann.cookie, timeout=0.1)
        assert error(ann.ask("POST", "/sketch", body)) == (429, "too_fast"), "one at a time"
        assert seats["bob"].do("declare", **ROLL).status_code == 200, "meanwhile others roll"
        assert seats["bob"].get("/odds?roll=bob/h1")["success"], "and ask"
        stopped = [one.process for one in workers]
        wait_until(lambda: any(one.returncode is not None for one in stopped) and not pool._pending)
        assert error(ann.ask("POST", "/sketch", body)) == (422, "too_big"), "seconds count, too"
        assert ann.ask("POST", "/sketch", {"data": ROLL}).status_code == 200


# -- the document


def test_the_document_names_everything(server: ServerThread) -> None:
    page = get(f"{server.url}/openapi.json").json()
    assert page["openapi"].startswith("3.1")
    schemas = page["components"]["schemas"]
    assert {"TableView", "SnapshotMessage", "PatchMessage", "DoneMessage", "ErrorMessage"} <= {*schemas}
    commands = {one["title"] for one in schemas["Commands"]["oneOf"]}
    assert commands == {*command_kinds()}
    (socket,) = page["x-websocket"].values()
    assert {"4403", "4408", "4429", "1012"} <= {*socket["close_codes"]}
    named = json.dumps(page).split('"#/components/schemas/')[1:]
    assert {one.partition('"')[0] for one in named} <= {*schemas}
    for path, methods in page["paths"].items():
        for method, says in methods.items():
            good = [code for code in says["responses"] if code < "400"]
            assert good, (path, method)
            for answer in says["responses"].values():
                for content in answer.get("content", {}).values():
                    assert content.get("schema") != {}, (path, method)


def test_answers_are_as_the_document_says(server: ServerThread) -> None:
    for game in ("uwr", "me-d6"):
        seats = server.open(game=game, demo=True)
        gm, check = seats["gm"], "direct" if game == "uwr" else "check"
        asked = {"attribute": 3, "rerolls": 1} if game == "uwr" else {"dice": "3D"}
        for name in ("one", "two"):
            gm.do("declare", key=name, check=check, parameters=asked)
        gm.do("declare", key="three", check=check, parameters=asked, mode="private")
        gm.do("request", to=["ann"], check=check)
        gm.do("challenge", check="opposed", sides=[{"roll": "gm/one"}, {"roll": "gm/two"}])
        gm.do("throw", roll="gm/one")
        if game == "me-d6":
            who = gm.get("/view")["characters"][0]["character"]
            gm.do("fight", combatants=[{"character": who}, {"name": "Orc", "initiative": 3}])
        for seat in (gm, seats["ann"]):
            schemas.TableView.model_validate(seat.get("/view"))
            for line in seat.get("/log"):
                schemas.LogLine.model_validate(line)
            schemas.LuckReport.model_validate(seat.get("/luck"))
        schemas_odds.OddsResponse.model_validate(gm.get("/odds?roll=gm/two"))
        schemas.GameView.model_validate(get(f"{server.url}/api/games/{game}").json())
        sheet = get(f"{server.url}/api/games/{game}").json()["characters"][0]
        schemas.SheetPreview.model_validate(gm.ask("POST", "/preview", {"sheet": sheet}).json())
        who = gm.get("/view")["characters"][0]["character"]
        for line in gm.get(f"/history?character={who}"):
            schemas.CharacterChange.model_validate(line)
    schemas.HealthResponse.model_validate(get(f"{server.url}/healthz").json())
    assert len(get(f"{server.url}/api/games").json()) == 5


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "not_found"),
        ("DELETE", "/api/games", 405, "not_found"),
        ("GET", "/api/games/chess", 422, "refused"),
        ("GET", "/static/../app.py", 404, "not_found"),
        ("GET", "/static/%2e%2e/app.py", 404, "not_found"),
    ],
)
def test_missing_resources_return_404(
    server: ServerThread, method: str, path: str, status: int, code: str
) -> None:
    assert error(request(method, server.url + path)) == (status, code)


@pytest.mark.parametrize("path", ["/", "/odds", "/edit", "/t/any", "/healthz"])
def test_monitors_may_ask_for_the_head_alone(server: ServerThread, path: str) -> None:
    head, whole = request("HEAD", server.url + path), request("GET", server.url + path)
    assert (head.status_code, head.text) == (whole.status_code, "") == (200, "")
    assert head.headers["content-type"] == whole.headers["content-type"]


NASTY = '<script>alert("x")</script><img src=x onerror=alert(1)>'


def test_text_is_data_in_every_field(server: ServerThread) -> None:
    """Names, titles, wording and notes come back as JSON texts, never as part of a page."""
    name = "<img src=x onerror=alert(1)>"
    seats = server.open(title=name, gm=f"{name}g", players=[name])
    gm, ann = seats[f"{name}g"], seats[name]
    sheet = get(f"{server.url}/api/games/uwr").json()["characters"][0]
    sheet |= {"name": name, "notes": NASTY}
    ann.do("bring", sheet=sheet)
    ann.do("declare", key="r", title=NASTY, **ROLL)
    ann.do("throw", roll=f"{name}/r", entropy=NASTY)
    gm.do("answer", roll=f"{name}/r", answer=[], words=NASTY)
    gm.do("judge", roll=f"{name}/r", words=NASTY, grade=name)
    ann.do("call", check="direct", title=NASTY)
    post(f"{server.url}/api/sit", json={"token": seats[""].token, "name": f"{name}w"})
    view = ann.get("/view")
    assert view["table"] == view["seat"] == name
    assert view["rolls"][0]["title"] == NASTY
    for path in ("/view", "/log", "/export"):
        answer = ann.ask("GET", path)
        kind = answer.headers["content-type"].partition(";")[0]
        assert kind in ("application/json", "text/plain")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert NASTY in json.dumps([json.loads(one) for one in answer.text.splitlines()]).replace('\\"', '"')
    for bad in (
        ann.do(NASTY[:50]),
        ann.do("throw", roll=NASTY),
        ann.do("declare", check=NASTY[:50]),
    ):
        assert bad.headers["content-type"] == "application/json"
        assert error(bad)[1] == "refused"
    for path in ("/", f"/t/{name}", f"/join/{name}"):
        page = get(server.url + path)
        assert name not in page.text
        assert "<script>" not in page.text


def test_small_answers_are_sent_at_once(server: ServerThread, seats: dict[str, Seat]) -> None:
    """An order of magnitude: an answer that waits for an acknowledgement takes 40 ms."""
    with httpx.Client(verify=NO_TLS, base_url=server.url, headers=seats["ann"].cookie) as client:
        taken = []
        for _ in range(20):
            began = time.perf_counter()
            client.get(f"{seats['ann'].path}/log")
            taken.append(time.perf_counter() - began)
    assert min(taken) < 0.03
