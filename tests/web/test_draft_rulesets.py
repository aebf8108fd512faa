"""Draft rulesets of untrusted authors: tried, published by hash, played at tables."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from servers import Address, ServerProcess, ServerThread, get, post

from handful.library import known
from handful.library.draft_rulesets import MAX_BYTES
from handful.verifier import verify
from handful.web.settings import ServerLimits

ROLL = {"check": "check", "parameters": {"dice": 4, "target": 2}}
HEAD = 'language = 1\nid = "mine"\ntitle = { en = "Mine" }\nabout = { en = "A game." }\n'
PARAM = '[checks.go.params.n]\ntype = "number"\nmin = 1\nmax = 1000\nlabel = { en = "N" }\n'
EASY = ServerLimits(
    draft_burst=10**6, publish_per_hour=10**6, tables_per_hour=10**6, query_burst=10**6, odds_budget=200_000
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("brew") / "tables.db", EASY) as running:
        yield running


@pytest.fixture(scope="module")
def texts(server: ServerThread) -> dict[str, str]:
    return first_texts(server)


def first_texts(server: Address, **wanted: str) -> dict[str, str]:
    """Return the starting text of a draft."""
    answer = get(f"{server.url}/api/brews/start", params=wanted)
    assert answer.status_code == 200, answer.text
    made: dict[str, str] = answer.json()
    return made


def ask(server: Address, do: str, **body: Any) -> httpx.Response:
    return post(f"{server.url}/api/brews/{do}".rstrip("/"), json=body, timeout=90)


def mistakes(server: Address, ruleset: str) -> list[dict[str, Any]]:
    answer = ask(server, "check", ruleset=ruleset)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["mistakes"]
    return found


def shelved(server: Address, **texts: str) -> str:
    answer = ask(server, "", **texts)
    assert answer.status_code == 201, answer.text
    made: dict[str, str] = answer.json()
    assert made["link"] == f"/brew/{made['hash']}"
    return made["hash"]


def game(does: str, more: str = "") -> str:
    """A game of one check, with `n` given."""
    check = '[checks.go]\ntitle = { en = "Go" }\nhelp = { en = "Go." }\nmain = "n"\n'
    return f'{HEAD}{more}{check}does = """\n{does}\n"""\n{PARAM}'


# -- trying a text


@pytest.mark.parametrize("base", ["", *known()])
def test_every_starting_text_is_a_valid_game(server: ServerThread, base: str) -> None:
    begun = first_texts(server, name="my-own", base=base)
    answer = ask(server, "check", **begun).json()
    assert answer["mistakes"] == []
    assert answer["game"]["id"] == "my-own"
    assert len(answer["hash"]) == 64
    tried = ask(server, "cases", **begun).json()
    assert tried["mistakes"] == []
    assert all(not one["differences"] for one in tried["cases"])


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"name": "uwr"}, "already"),
        ({"name": "No name"}, "small letters"),
        ({"base": "../uwr"}, "there is no ruleset"),
        ({"base": "nothing"}, "there is no ruleset"),
    ],
)
def test_a_starting_text_needs_a_name_and_a_base(
    server: ServerThread, wanted: dict[str, str], says: str
) -> None:
    answer = get(f"{server.url}/api/brews/start", params=wanted)
    assert answer.status_code in (409, 422)
    assert says in answer.json()["error"]["message"]


def test_a_mistake_has_its_place_and_a_correction(server: ServerThread, texts: dict[str, str]) -> None:
    wrong = texts["ruleset"].replace("n = size(pool >=", "n = siz(pool >=")
    (found,) = mistakes(server, wrong)
    assert wrong.split("\n")[found["line"] - 1][found["column"] - 1 :].startswith("siz(pool")
    assert "siz" in found["message"]
    assert found["hint"] == "did you mean 'size'?"


def test_a_mistake_in_a_rule_of_one_line_stands_behind_its_quotes(server: ServerThread) -> None:
    text = game("X").replace('"""\nX\n"""', '"result(n = siz(n))"')
    (found,) = mistakes(server, text)
    assert text.split("\n")[found["line"] - 1][found["column"] - 1 :].startswith("siz(n)")


def test_odds_and_a_roll_and_cases_of_a_text(server: ServerThread, texts: dict[str, str]) -> None:
    own = {"ruleset": texts["ruleset"]}
    assert ask(server, "odds", **own, **ROLL).json()["success"] == "11/27"
    rolled = ask(server, "roll", **own, **ROLL).json()
    hits = sum(die["face"] >= 5 for die in rolled["dice"])
    assert len(rolled["dice"]) == 4
    assert (rolled["result"], rolled["success"]) == (hits, hits >= 2)
    changed = texts["cases"].replace('success = "11/27"', 'success = "1/2"')
    first, second, third = ask(server, "cases", **own, cases=changed).json()["cases"]
    assert first["differences"] == [{"way": "odds", "what": "success", "expected": "1/2", "found": "11/27"}]
    assert (second["differences"], third["differences"]) == ([], [])


def test_an_impossible_roll_is_refused_with_a_reason(server: ServerThread, texts: dict[str, str]) -> None:
    answer = ask(server, "odds", ruleset=texts["ruleset"], check="check", parameters={"dice": 99})
    assert answer.status_code == 409
    assert "dice" in answer.json()["error"]["message"]


# -- the shelf


def test_a_ruleset_is_found_by_its_hash_and_nowhere_else(server: ServerThread, texts: dict[str, str]) -> None:
    own = {"ruleset": texts["ruleset"].replace("my-game", "found"), "cases": texts["cases"]}
    hash = shelved(server, **own)
    assert shelved(server, **own) == hash
    assert shelved(server, **own | {"cases": ""}) != hash
    assert shelved(server, **own | {"ruleset": own["ruleset"] + "# a word\n"}) != hash
    found = get(f"{server.url}/api/brews/{hash}").json()
    assert found == {**own, "hash": hash}
    for file, text in (("ruleset.toml", own["ruleset"]), ("cases.toml", own["cases"])):
        answer = get(f"{server.url}/api/brews/{hash}/{file}")
        assert answer.text == text
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["content-disposition"] == f'attachment; filename="{file}"'
    assert get(f"{server.url}/api/brews/{'0' * 64}").status_code == 404
    for strange in (hash[:63], hash.upper(), "..%2f..%2fetc%2fpasswd", f"{hash}%00"):
        assert get(f"{server.url}/api/brews/{strange}").status_code in (404, 422)
    assert get(f"{server.url}/api/brews/{hash}/tables.db").status_code == 422


def test_a_broken_ruleset_cannot_be_published(server: ServerThread) -> None:
    answer = ask(server, "", ruleset="language = 1\nid = 5\n")
    assert answer.status_code == 422
    assert "needs" in answer.json()["error"]["message"]
    assert get(f"{server.url}/healthz").status_code == 200


def test_the_editor_is_the_same_page_for_every_text(server: ServerThread, texts: dict[str, str]) -> None:
    """Texts of authors are not part of the page: they come as JSON and are set as text."""
    plain = get(f"{server.url}/edit")
    title = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    nasty = texts["ruleset"].replace('en = "My game"', f'en = "{title}"')
    assert title in nasty
    hash = shelved(server, ruleset=nasty, cases=f"# {title}")
    page = get(f"{server.url}/brew/{hash}")
    assert (page.status_code, page.content) == (200, plain.content)
    assert "script-src 'self'" in page.headers["content-security-policy"]
    for path in (f"/api/brews/{hash}", f"/api/brews/{hash}/cases.toml"):
        answer = get(server.url + path)
        assert answer.headers["content-type"].split(";")[0] in ("application/json", "text/plain")
        assert answer.headers["x-content-type-options"] == "nosniff"


# -- limits


def test_a_text_that_is_too_large_is_refused_unread(server: ServerThread) -> None:
    for body in (
        {"ruleset": "#" * (MAX_BYTES + 1)},
        {"ruleset": "ö" * (MAX_BYTES // 2 + 1)},
        {"ruleset": "", "cases": "#" * (MAX_BYTES + 1)},
    ):
        for do in ("", "check", "cases"):
            assert ask(server, do, **body).status_code in (413, 422)
    assert ask(server, "check", ruleset="#" * 10**6).status_code == 413
    assert ask(server, "check", ruleset="#" * MAX_BYTES).status_code == 200


def test_draft_requests_are_rate_limited(tmp_path: Path) -> None:
    tight = ServerLimits(draft_burst=3, draft_rate=0.001, publish_per_hour=10, published=1)
    with ServerThread(tmp_path / "tables.db", tight) as server:
        texts = first_texts(server)
        assert ask(server, "", **texts).status_code == 201
        assert ask(server, "", **texts).status_code == 201  # it is there already
        full = ask(server, "", **texts | {"cases": ""})
        assert (full.status_code, full.json()["error"]["code"]) == (429, "too_many")
        answer = ask(server, "check", **texts)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_fast")


# -- strangers


@pytest.mark.parametrize(
    "base",
    [
        "/etc/passwd",
        "../../etc/passwd",
        "./rulesets/uwr/ruleset.toml",
        "uwr/ruleset.toml",
        "~/secret",
        "file:///etc/passwd",
        "brew:mine",
        "https://example.org/x.toml",
        "",
        "families/ten-again",
        "ruleset.toml",
        ".",
    ],
)
def test_a_stranger_extends_shipped_games_by_name_and_nothing_else(server: ServerThread, base: str) -> None:
    (found,) = mistakes(server, f'{HEAD}extends = "{base}"\n')
    assert "to extend" in found["message"]
    assert found["line"] == 5


def test_files_of_the_server_stay_out_of_reach(
    server: ServerThread, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.toml").write_text('language = 1\nid = "secret"\n', "utf-8")
    (tmp_path / "characters").mkdir()
    (tmp_path / "characters/spy.json").write_text("{}", "utf-8")
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "secret.toml"
    for name in ("secret.toml", str(path), "secret"):
        assert "to extend" in mistakes(server, f'{HEAD}extends = "{name}"\n')[0]["message"]
    case = f'[[case]]\nname = "a"\ncheck = "check"\nparams = {{ dice = 2, character = "{path}" }}\n'
    side = f'[[case]]\nname = "b"\ncheck = "check"\nsides = [{{ character = "{path}" }}]\n'
    own = first_texts(server)["ruleset"]
    for text in (case, side):
        (tried,) = ask(server, "cases", ruleset=own, cases=text).json()["cases"]
        (found,) = tried["differences"]
        assert "secret" not in str(found["found"])
        assert found["way"] == "check"
    asked = {"check": "check", "parameters": {"character": str(path), "dice": 1}}
    assert ask(server, "odds", ruleset=own, **asked).status_code == 409


@pytest.mark.parametrize("name", ["uwr", "ten-again"])
def test_a_stranger_does_not_take_the_name_of_a_shipped_game(server: ServerThread, name: str) -> None:
    (found,) = mistakes(server, HEAD.replace('"mine"', f'"{name}"'))
    assert "already" in found["message"]
    assert found["line"] == 2


HOSTILE = {
    "deep": HEAD + "x = " + "[" * 60_000,
    "deep tables": HEAD + "[" + ".".join(["a"] * 30_000) + "]\n",
    "deep keys": HEAD + ".".join(["a"] * 60_000) + " = 1\n",
    "many tables": HEAD + "".join(f"[words.w{n}]\n" for n in range(9_000)),
    "deep rule": game("x = " + "(" * 9_000 + "1" + ")" * 9_000),
    "long sum": game("x = " + "+".join(["n"] * 9_000) + "\nresult(n = x)"),
    "no end": game("x = 1\nwhile x > 0:\n    x = x + 1 - 1\nresult(n = x)"),
    "loops in loops": game(
        "x = 0\nwhile x < 900:\n    y = 0\n    while y < 900:\n        y += 1\n    x += 1\nresult(n = x)"
    ),
    "growing": game("x = n\nwhile x < 900000000:\n    x = x * x\nresult(n = x)"),
    "many dice": game("p = roll(n, d1000)\nresult(n = sum(p))"),
    "calls itself": game("result(n = f(n))", '[rules.f]\nparams = ["n"]\ndoes = "result(n = f(n))"\n'),
    "zeros": HEAD + "\0" * 1000,
    "nonsense": "\ud7ff\uffff\u2028\r\r\n=" * 4000,
    "python": game('result(n = __import__("os").system("true"))'),
    "numbers": HEAD + "x = " + "9" * 100_000 + "\n",
    "not a number": HEAD + "x = nan\ny = inf\nz = 1979-05-27T07:32:00Z\n",
    "a key of its own": HEAD + "extends = { a = 1 }\nreplace = 5\nchecks = 1\nsheet = [1]\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_untrusted_text_is_answered_without_harm(server: ServerThread, text: str) -> None:
    """Mistakes, a game, or one typed error; the server keeps serving others."""
    answer = ask(server, "check", ruleset=text)
    assert answer.status_code in (200, 422), answer.text
    if answer.status_code == 200:
        found = answer.json()
        assert bool(found["mistakes"]) == (found["game"] is None)
        assert all(0 <= one["line"] <= text.count("\n") + 1 for one in found["mistakes"])
    for do in ("odds", "roll"):
        tried = ask(server, do, ruleset=text, check="go", parameters={"n": 1000})
        assert tried.status_code in (200, 409, 422), tried.text
        assert tried.status_code == 200 or tried.json()["error"]["message"]
    assert get(f"{server.url}/healthz").status_code == 200


@pytest.mark.parametrize(
    "cases",
    [
        "case = 5",
        "[case]\na = 1",
        "[[case]]\nname = 5",
        "[[case]]\nname = 'a'\ncheck = 'check'\nfaces = ['x']",
        "[[case]]\nname = 'a'\ncheck = 'check'\nsides = [1]",
        "[" * 50_000,
        "\0",
        "x = 'ö",
    ],
)
def test_cases_that_are_none_are_mistakes(server: ServerThread, texts: dict[str, str], cases: str) -> None:
    answer = ask(server, "cases", ruleset=texts["ruleset"], cases=cases)
    assert answer.status_code == 200, answer.text
    assert len(answer.json()["mistakes"]) == 1


def test_cases_with_strange_values_are_different_and_no_more(
    server: ServerThread, texts: dict[str, str]
) -> None:
    strange = (
        "[[case]]\nname = 'a'\ncheck = 'check'\nparams = { dice = 2, options = 1, check = 2 }\n"
        "[[case]]\nname = 'b'\ncheck = 'check'\nparams = { dice = 2 }\nfaces = [1, 1]\n"
        "roll = { tally = 5, events = 3, result = nan, other = 1979-05-27 }\n"
        "odds = { nothing = { a = 1 }, success = { b = inf } }\n"
        "[[case]]\nname = 'c'\ncheck = 'check'\npolicy = 'wild'\nparams = { dice = 2 }\n"
    )
    answer = ask(server, "cases", ruleset=texts["ruleset"], cases=strange)
    assert answer.status_code == 200, answer.text
    assert all(one["differences"] for one in answer.json()["cases"])


# -- at a table


def test_a_table_with_a_published_ruleset_is_like_any_other(
    server: ServerThread, texts: dict[str, str]
) -> None:
    seats = server.open(game="", brew=shelved(server, **texts))
    gm, ann = seats["gm"], seats["ann"]
    described = ann.get("/game")
    assert (described["id"], described["title"]) == ("my-game", {"en": "My game"})
    assert described["hash"] == ann.get("/view")["game"]["hash"]
    sketch = ann.ask("POST", "/sketch", {"data": ROLL})
    assert sketch.json()["odds"]["success"] == "11/27"
    assert ann.do("declare", key="r", **ROLL).status_code == 200
    assert ann.ask("GET", "/odds?roll=ann/r").json()["success"] == "11/27"
    assert ann.do("throw", roll="ann/r").status_code == 200
    (roll,) = gm.get("/view")["rolls"]
    assert (roll["phase"], len(roll["dice"])) == ("finalised", 4)
    assert gm.get("/luck")["table"]["count"] == 1
    log = ann.ask("GET", "/export").text
    problems, says = verify(log)
    assert problems == []
    assert "1" in says


def test_a_derived_game_has_the_characters_of_its_base(server: ServerThread) -> None:
    own = first_texts(server, name="my-uwr", base="uwr")
    seats = server.open(game="", brew=shelved(server, **own), demo=True)
    view = seats["ann"].get("/view")
    mine = next(one for one in view["characters"] if one["owner"] == "ann")
    pick = next(iter(mine["sheet"]["attributes"]))
    asked = {"check": "direct", "as": mine["character"], "parameters": {"attribute": pick}}
    assert seats["ann"].do("declare", **asked).status_code == 200
    shipped = server.open(demo=True)["ann"].get("/game")["characters"]
    assert {one["name"] for one in seats["ann"].get("/game")["characters"]} == {
        one["name"] for one in shipped
    }


@pytest.mark.parametrize(
    "wanted", [{"brew": "0" * 64}, {"brew": "../x"}, {"game": "nothing"}, {"game": "brew:my-game"}, {}]
)
def test_no_table_without_a_game(server: ServerThread, wanted: dict[str, str]) -> None:
    answer = post(f"{server.url}/api/tables", json={"title": "Friday", **wanted})
    assert answer.status_code in (404, 422)


@pytest.mark.proof
def test_a_table_keeps_its_rules_when_published_ones_change(tmp_path: Path) -> None:
    """Killed, and the shelf is empty when it comes back: the table goes on."""
    with ServerProcess(tmp_path / "tables.db") as server:
        hash = shelved(server, **first_texts(server))
        seats = server.open(game="", brew=hash)
        assert seats["ann"].do("declare", key="r", **ROLL).status_code == 200
        before = seats["ann"].get("/view")
        server.kill()
        with sqlite3.connect(tmp_path / "tables.db") as file:
            file.execute("DELETE FROM shelf")
        file.close()
        server.start()
        assert get(f"{server.url}/api/brews/{hash}").status_code == 404
        assert seats["ann"].get("/view") == before
        assert seats["ann"].do("throw", roll="ann/r").status_code == 200
        assert verify(seats["ann"].ask("GET", "/export").text)[0] == []


@pytest.mark.proof
@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_a_published_ruleset_survives_a_kill(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "tables.db") as server:
        texts = first_texts(server, name="mine", base="agga")
        hash = shelved(server, **texts)
        server.kill()
        server.start()
        assert get(f"{server.url}/api/brews/{hash}").json()["ruleset"] == texts["ruleset"]
        seats = server.open(game="", brew=hash)
        assert seats["gm"].get("/game")["id"] == "mine"


def test_tampered_published_rulesets_are_found(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db") as server:
        hash = shelved(server, **first_texts(server))
        with sqlite3.connect(tmp_path / "tables.db") as file:
            file.execute("UPDATE shelf SET text = 'language = 1'")
        file.close()
        answer = get(f"{server.url}/api/brews/{hash}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store")
        assert str(tmp_path) not in json.dumps(answer.json())


# -- other rules for a table


def test_a_gm_changes_the_rules_of_a_table(tmp_path: Path) -> None:
    """Previewed, announced to all, durable across a kill; rolls keep their rules."""
    with ServerProcess(tmp_path / "tables.db") as server:
        texts = first_texts(server)
        six = texts["ruleset"].replace("n = size(pool >=", "n = size(pool == 6) + size(pool >=")
        first, second = shelved(server, **texts), shelved(server, ruleset=six)
        seats = server.open(game="", brew=first)
        gm, ann, bob = seats["gm"], seats["ann"], seats["bob"]
        assert ann.do("declare", key="a", **ROLL).status_code == 200
        assert gm.ask("POST", "/rules", {"brew": second}).json()["waits_for"] == ["the roll ann/a"]
        assert ann.do("throw", roll="ann/a", faces=[6, 1, 1, 1]).status_code == 200
        bob.do("declare", key="s", **ROLL, mode="secret")
        found = gm.ask("POST", "/rules", {"brew": second}).json()
        assert (found["waits_for"], found["unfit"]) == ([], {})
        assert found["words"] == ["check check says something else"]
        assert found["moved"][0]["check"] == "check"
        hash = found["game"]["hash"]
        with ann.listen() as socket:
            socket.next()
            assert gm.do("rules", hash=hash).status_code == 200
            patch = socket.next()
        assert [one["kind"] for one in patch["lines"]] == ["rules_changed"]
        assert patch["view"]["game"]["hash"] == hash
        server.kill()
        server.start()
        assert ann.get("/game")["hash"] == hash
        sketch = ann.ask("POST", "/sketch", {"data": ROLL}).json()
        assert sketch["odds"]["success"] != "11/27"
        assert bob.ask("GET", "/odds?roll=bob/s").json()["success"] == "11/27"
        assert bob.do("throw", roll="bob/s", faces=[6, 1, 1, 1]).status_code == 200
        assert ann.do("declare", key="b", **ROLL).status_code == 200
        assert ann.do("throw", roll="ann/b", faces=[6, 1, 1, 1]).status_code == 200
        rolls = {one["roll"]: one["outcome"]["successes"] for one in ann.get("/view")["rolls"]}
        assert rolls == {"ann/a": 1, "ann/b": 2}
        assert bob.get("/luck")["seats"]["bob"]["count"] == 1
        assert gm.get("/luck")["table"]["count"] == 2
        for seat in (gm, ann, bob):
            assert verify(seat.ask("GET", "/export").text)[0] == []


def test_other_rules_are_for_the_gm_and_must_exist(server: ServerThread) -> None:
    seats = server.open(demo=True)
    assert seats["ann"].ask("POST", "/rules", {"game": "fons"}).status_code == 403
    for wanted, status in (
        ({"game": "nothing"}, 422),
        ({"brew": "0" * 64}, 404),
        ({}, 422),
        ({"game": "uwr"}, 409),
    ):
        assert seats["gm"].ask("POST", "/rules", wanted).status_code == status
    found = seats["gm"].ask("POST", "/rules", {"game": "agga"}).json()
    assert len(found["unfit"]) == 3
    refused = seats["gm"].do("rules", hash=found["game"]["hash"])
    assert refused.status_code == 409
    done = seats["gm"].do("rules", hash=found["game"]["hash"], dismisses=[*found["unfit"]])
    assert done.status_code == 200, done.text
    assert seats["ann"].get("/view")["characters"] == []
    other = server.open()
    strange = other["gm"].do("rules", hash="f" * 64)
    assert (strange.status_code, "there are no rules" in strange.text) == (409, True)
