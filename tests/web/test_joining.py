"""Joining a table: one link for everybody, what newcomers are told and take, and recovery codes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from in_memory_table import sheet
from servers import Seat, ServerThread, get, post

from handful.web.settings import ServerLimits

SHEETS = {"uwr": ("Mira Quill", "Tove Harl")}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    limits = ServerLimits(tables_per_hour=1000, guesses_per_minute=1000, query_burst=10_000)
    with ServerThread(tmp_path_factory.mktemp("joining") / "tables.db", limits) as started:
        yield started


@pytest.fixture
def gm(server: ServerThread) -> Seat:
    return server.open(gm="Kim", players=[], join=True)["Kim"]


def code_of(gm: Seat, role: str = "player") -> str:
    link = gm.get("/join")[role]
    assert isinstance(link, str)
    return link.removeprefix("/join/")


def invitation(at: ServerThread, token: str, **headers: str) -> Any:
    answer = post(f"{at.url}/api/invitation", json={"token": token}, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def sit(at: ServerThread, token: str, name: str, **more: str) -> httpx.Response:
    return post(f"{at.url}/api/sit", json={"token": token, "name": name, **more})


def seated(at: ServerThread, token: str, name: str, **more: str) -> Seat:
    answer = sit(at, token, name, **more)
    assert answer.status_code == 200, answer.text
    return Seat(at, answer.json()["link"])


# -- the join link


def test_one_link_seats_everybody(server: ServerThread, gm: Seat) -> None:
    code = code_of(gm)
    assert get(f"{server.url}/join/{code}").status_code == 200  # a page, not yet a seat
    for name in ("Ann", "Bob"):
        assert seated(server, code, name).get("/view")["role"] == "player"
    assert [one["name"] for one in gm.get("/view")["seats"]] == ["Kim", "Ann", "Bob"]
    assert code_of(gm) == code, "it can be looked at again"


def test_the_code_can_be_typed_from_a_screen(server: ServerThread, gm: Seat) -> None:
    code = code_of(gm)
    typed = code.upper().replace("-", " ").replace("0", "O").replace("1", "l")
    assert seated(server, typed, "Ann").get("/view")["seat"] == "Ann"
    assert len(code.replace("-", "")) == 12


def test_the_gm_switches_the_link_off_and_makes_a_new_one(server: ServerThread, gm: Seat) -> None:
    first = code_of(gm)
    ann = seated(server, first, "Ann")
    off = gm.ask("POST", "/join", {"on": False}).json()
    assert off == {"player": None, "watcher": None}
    assert sit(server, first, "Bob").status_code == 403
    assert get(f"{server.url}/join/{first}").status_code == 403
    assert ann.get("/view")["seat"] == "Ann", "who sits stays"
    gm.ask("POST", "/join", {})
    second = code_of(gm)
    assert second != first
    assert sit(server, first, "Bob").status_code == 403, "the old one stays dead"
    assert sit(server, second, "Bob").status_code == 200
    gm.ask("POST", "/join", {})
    assert sit(server, second, "Cid").status_code == 403, "a new one replaces the other"


def test_watchers_have_a_link_of_their_own(server: ServerThread, gm: Seat) -> None:
    gm.ask("POST", "/join", {"role": "watcher"})
    player, watcher = code_of(gm), code_of(gm, "watcher")
    assert invitation(server, watcher)["role"] == "watcher"
    eve = seated(server, watcher, "Eve", colour="red")
    assert eve.get("/view")["role"] == "watcher"
    assert sit(server, watcher, "Fay", sample="Mira Quill").status_code == 409
    gm.ask("POST", "/join", {"role": "watcher", "on": False})
    assert gm.get("/join") == {"player": f"/join/{player}", "watcher": None}


def test_revoking_open_invitations_switches_the_join_link_off(server: ServerThread, gm: Seat) -> None:
    gm.ask("POST", "/links/revoke", {"seat": "", "role": "player"})
    assert gm.get("/join")["player"] is None


def test_only_the_gm_has_the_join_link(server: ServerThread, gm: Seat) -> None:
    ann = seated(server, code_of(gm), "Ann")
    for method, path in (("GET", "/join"), ("POST", "/join"), ("GET", "/recovery"), ("POST", "/recovery")):
        assert ann.ask(method, path, {} if method == "POST" else None).status_code == 403


def test_the_code_is_nowhere_in_the_file(server: ServerThread, gm: Seat) -> None:
    code, recovery = code_of(gm), gm.ask("POST", "/recovery").json()["code"]
    kept = b"".join(one.read_bytes() for one in Path(server.tables.settings.data).parent.iterdir())
    for secret in (code, code.replace("-", ""), recovery, recovery.replace("-", "")):
        assert secret.encode() not in kept


def test_a_join_link_survives_a_restart(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db") as first:
        gm = first.open(gm="Kim", join=True)["Kim"]
        code = code_of(gm)
    with ServerThread(tmp_path / "tables.db") as second:
        gm.at = second
        assert code_of(gm) == code
        assert sit(second, code, "Cid").status_code == 200


def test_without_asking_for_it_a_table_has_no_join_link(server: ServerThread) -> None:
    assert server.open(gm="Kim")["Kim"].get("/join") == {"player": None, "watcher": None}


# -- what newcomers are told and take


def test_an_invitation_describes_the_table(server: ServerThread, gm: Seat) -> None:
    seated(server, code_of(gm), "Ann", colour="teal")
    found = invitation(server, code_of(gm))
    assert (found["table"], found["game"]["id"], found["gms"]) == ("Friday", "uwr", ["Kim"])
    assert (found["players"], found["colours"]) == (["Ann"], {"Ann": "teal"})
    assert found["samples"][:2] == list(SHEETS["uwr"])
    assert found["creates"]
    assert found["characters"] == []


def test_a_link_to_a_seat_is_no_invitation(server: ServerThread, gm: Seat) -> None:
    assert post(f"{server.url}/api/invitation", json={"token": gm.token}).status_code == 403
    assert post(f"{server.url}/api/invitation", json={"token": "k7q2-m4xp-9t3w"}).status_code == 403


def test_a_newcomer_picks_a_colour_and_a_sample(server: ServerThread, gm: Seat) -> None:
    ann = seated(server, code_of(gm), "Ann", colour="violet", sample="Tove Harl")
    view = ann.get("/view")
    assert view["seats"][1] == {"name": "Ann", "role": "player", "left": False, "colour": "violet"}
    assert [one["character"] for one in view["characters"]] == ["Ann/Tove Harl"]


def test_a_newcomer_takes_a_ready_character(server: ServerThread, gm: Seat) -> None:
    mira = sheet("uwr", "mira")
    assert gm.do("bring", sheet=mira, shown="own").status_code == 200
    found = invitation(server, code_of(gm))
    assert found["characters"] == [{"character": "Kim/Mira Quill", "name": "Mira Quill"}]
    ann = seated(server, code_of(gm), "Ann", character="Kim/Mira Quill")
    for seat in (gm, ann):
        (own,) = seat.get("/view")["characters"]
        assert (own["character"], own["owner"]) == ("Ann/Mira Quill", "Ann")
        assert own["sheet"]["name"] == "Mira Quill"
    assert invitation(server, code_of(gm))["characters"] == []
    late = sit(server, code_of(gm), "Bob", character="Kim/Mira Quill")
    assert (late.status_code, late.json()["error"]["message"]) == (
        409,
        "this character is not free any more",
    )
    assert "Bob" not in [one["name"] for one in gm.get("/view")["seats"]], "no seat is left behind"


def test_only_characters_that_all_see_are_offered(server: ServerThread, gm: Seat) -> None:
    """Hidden ones, those of players, and the GM's own cast are not."""
    ann = seated(server, code_of(gm), "Ann", sample="Tove Harl")
    mira = sheet("uwr", "mira")
    gm.do("bring", sheet=mira, shown="hidden")
    gm.do("bring", sheet={**mira, "name": "Guard", "kind": "npc"}, shown="open")
    assert invitation(server, code_of(gm))["characters"] == []
    for name in ("Kim/Mira Quill", "Kim/Guard", "Ann/Tove Harl", "Kim/Nobody"):
        answer = sit(server, code_of(gm), "Bob", character=name)
        assert answer.json()["error"]["message"] == "this character is not free any more"
    assert len(ann.get("/view")["characters"]) == 2  # her own, and the guard


def test_a_character_in_a_roll_stays_with_the_gm(server: ServerThread, gm: Seat) -> None:
    """Its seat is given all the same; they can choose another one at the table."""
    gm.do("bring", sheet=sheet("uwr", "mira"), shown="open")
    roll = {"check": "direct", "as": "Kim/Mira Quill", "parameters": {"attribute": "grace"}}
    assert gm.do("declare", **roll).status_code == 200
    bob = seated(server, code_of(gm), "Bob", character="Kim/Mira Quill")
    assert [one["character"] for one in bob.get("/view")["characters"]] == ["Kim/Mira Quill"]


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"sample": "Nobody"}, 409),
        ({"character": "x"}, 409),
        ({"colour": "x" * 30}, 422),
        ({"hat": "x"}, 422),
    ],
)
def test_a_wrong_choice_leaves_no_seat(
    server: ServerThread, gm: Seat, more: dict[str, str], status: int
) -> None:
    assert sit(server, code_of(gm), "Ann", **more).status_code == status
    assert [one["name"] for one in gm.get("/view")["seats"]] == ["Kim"]


@pytest.mark.parametrize("name", ["Kim", "К\u0456m", " Ann", "a/b", "\u200b"])
def test_names_that_exist_or_look_alike_are_refused(server: ServerThread, gm: Seat, name: str) -> None:
    assert sit(server, code_of(gm), name).status_code in (409, 422)


def test_samples_come_in_the_newcomers_language(server: ServerThread, gm: Seat) -> None:
    headers = {"Accept-Language": "de"}
    found = invitation(server, code_of(gm), **headers)["samples"]
    body = {"token": code_of(gm), "name": "Ann", "sample": found[0]}
    assert post(f"{server.url}/api/sit", json=body, headers=headers).status_code == 200


# -- recovery


def test_a_recovery_code_gives_the_gm_a_new_link(server: ServerThread, gm: Seat) -> None:
    assert gm.get("/recovery") == {"exists": False, "code": None}
    code = gm.ask("POST", "/recovery").json()["code"]
    assert len(code.replace("-", "")) == 20
    assert gm.get("/recovery") == {"exists": True, "code": None}, "it is shown once"
    typed = code.upper().replace("-", "  ")
    answer = post(f"{server.url}/api/recover", json={"code": typed}).json()
    again = Seat(server, answer["link"])
    assert again.get("/view")["seat"] == "Kim"
    last = gm.get("/log")[-1]
    assert (last["kind"], last["data"]) == ("link_made", {"seat": "Kim", "by": "Kim"})
    assert gm.get("/view")["seat"] == "Kim", "earlier links stay valid"


def test_a_new_recovery_code_replaces_the_old_one(server: ServerThread, gm: Seat) -> None:
    first, second = (gm.ask("POST", "/recovery").json()["code"] for _ in range(2))
    assert post(f"{server.url}/api/recover", json={"code": first}).status_code == 403
    assert post(f"{server.url}/api/recover", json={"code": second}).status_code == 200


def test_a_recovery_code_is_no_link_and_a_link_is_no_code(server: ServerThread, gm: Seat) -> None:
    code = gm.ask("POST", "/recovery").json()["code"]
    assert get(f"{server.url}/join/{code}").status_code == 403
    for token in (gm.token, code_of(gm)):
        assert post(f"{server.url}/api/recover", json={"code": token}).status_code == 403


def test_revoking_a_seats_links_revokes_its_recovery_code(server: ServerThread, gm: Seat) -> None:
    gm.do("seat", name="Lea", role="gm")
    lea = Seat(server, gm.ask("POST", "/links", {"seat": "Lea"}).json()["link"])
    code = lea.ask("POST", "/recovery").json()["code"]
    gm.ask("POST", "/links/revoke", {"seat": "Lea"})
    assert post(f"{server.url}/api/recover", json={"code": code}).status_code == 403


def test_guessing_recovery_codes_is_rate_limited(tmp_path: Path) -> None:
    with ServerThread(tmp_path / "tables.db", ServerLimits(guesses_per_minute=5)) as server:
        found = [post(f"{server.url}/api/recover", json={"code": f"{at:020}"}).status_code for at in range(8)]
    assert found == [403] * 5 + [429] * 3


# -- my tables


def test_a_summary_says_who_is_there(server: ServerThread, gm: Seat) -> None:
    ann = seated(server, code_of(gm), "Ann")
    expected = {"table": "Friday", "game": "uwr", "seat": "Kim", "role": "gm", "here": []}
    assert gm.get("/summary") == expected
    with ann.listen() as socket:
        socket.next()
        assert gm.get("/summary") == expected | {"here": ["Ann"]}
    gm.ask("POST", "/links/revoke", {"seat": "Ann"})
    assert ann.ask("GET", "/summary").status_code == 403


def test_a_summary_does_not_open_the_table(tmp_path: Path) -> None:
    """A page that lists tables writes nothing into their logs."""
    with ServerThread(tmp_path / "tables.db") as first:
        gm = first.open(gm="Kim")["Kim"]
        before = gm.get("/log")
    with ServerThread(tmp_path / "tables.db") as second:
        gm.at = second
        assert gm.get("/summary")["table"] == "Friday"
        assert not second.rooms
        assert len(gm.get("/log")) == len(before) + 1  # now it was opened


def test_a_players_invitation_can_be_used_to_watch(server: ServerThread, gm: Seat) -> None:
    answer = post(f"{server.url}/api/sit", json={"token": code_of(gm), "name": "Eve", "watch": True})
    assert Seat(server, answer.json()["link"]).get("/view")["role"] == "watcher"


def test_the_cards_of_the_games_have_a_throw_that_counts(server: ServerThread) -> None:
    for game in get(f"{server.url}/api/games").json():
        counts = [one["counts"] for one in game["dice"]]
        assert {"hit", "sum"} & {*counts}, game["id"]
        assert game["outcome"]["of"]["de"], game["id"]
        assert game["glance"]["example"] in [value for value, _ in game["glance"]["chances"]]


def test_the_example_of_a_game_is_thrown_again_by_chance(server: ServerThread) -> None:
    seen = set()
    for _ in range(12):
        thrown = post(f"{server.url}/api/games/uwr/throw", json={}).json()
        hits = sum(one["counts"] == "hit" for one in thrown["dice"])
        assert hits == sum(one["face"] >= 5 for one in thrown["dice"]) == thrown["outcome"]["value"]
        assert thrown["outcome"]["success"] == (hits >= 2)
        seen.add(tuple(one["face"] for one in thrown["dice"]))
    assert len(seen) > 1
    assert post(f"{server.url}/api/games/chess/throw", json={}).status_code == 422
