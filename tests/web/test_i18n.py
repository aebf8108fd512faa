"""German messages of the server, with the words of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import httpx
import pytest
from broken_rulesets import BROKEN
from in_memory_table import PlayedTable
from servers import Seat, ServerThread
from starlette.datastructures import Headers

from handful.catalogue import render
from handful.errors import NO_MESSAGE, HandfulError, Message, Refused
from handful.explore.differences import Version, describe_changes
from handful.explore.worth import worth
from handful.library import ruleset, shipped
from handful.library.draft_rulesets import mistakes_of, read_draft_ruleset
from handful.roll import bind
from handful.web.faults import Fault
from handful.web.i18n import (
    game_words,
    language_of,
    render_answer,
    render_error,
    render_file_message,
)
from handful.web.message_json import dump_line, load_line


def test_an_answer_without_error_stays_unchanged() -> None:
    assert render_error({"type": "done"}, "de") == {"type": "done"}


@pytest.mark.parametrize(
    ("language", "text"), [("en", "that is for the GM"), ("de", "das ist Sache der Spielleitung")]
)
def test_a_response_has_texts_in_place_of_messages(language: str, text: str) -> None:
    error = Fault(403, "forbidden", Message("server.for_the_gm")).to_dict()
    assert render_error(error, language) == {"error": {"code": "forbidden", "message": text, "hint": ""}}


def test_messages_are_translated_inside_messages() -> None:
    located = Message("store.at_table", table="t", problem=Message("fight.none"))
    assert render(located, "de") == "t: es gibt keinen Kampf"


def test_messages_cross_the_pipe_to_a_worker() -> None:
    names = [Message("kind.number"), "x"]
    message = Message("at", place="n", problem=Message("advice.there_is", names=names))
    reply = {"refused": [message, NO_MESSAGE], "fraction": Fraction(1, 2)}
    assert load_line(dump_line(reply)) == {"refused": [message, NO_MESSAGE], "fraction": "1/2"}


@pytest.mark.parametrize(
    ("message", "german"),
    [
        (
            Message("name.unknown", what="check", name="dirct", names=["direct", "opposed"]),
            "Probe 'dirct' gibt es nicht; es gibt Direkte Probe oder Vergleichende Probe",
        ),
        (
            Message(
                "character.does_not_fit",
                problem=Message("at", place="skills.x", problem=Message("sheet.unknown_name", key="y")),
            ),
            "der Bogen passt nicht: skills.x: 'y' gibt es nicht",
        ),
        (
            Message("advice.possible_now", names=["answer", "cancel", "undo"]),
            "jetzt möglich: entscheiden, abbrechen oder zurücknehmen",
        ),
        (
            Message("roll.faces_left_over", faces=Message("count.face", count=2)),
            "2 Würfel zu viel: hier fallen keine weiteren Würfel",
        ),
        (
            Message(
                "table_command.wrong_value",
                what="declare",
                name="mode",
                expected=Message("field.choice", names=["'open'", "'gm'"]),
            ),
            "ansagen: 'mode' muss sein: 'open' oder 'gm'",
        ),
    ],
)
def test_parts_of_messages_are_translated(message: Message, german: str) -> None:
    assert render(message, "de", game_words(ruleset("uwr").rules, "de")) == german


@pytest.mark.parametrize("game", shipped())
def test_refusals_of_the_games_are_translated(game: str) -> None:
    rules = ruleset(game).rules
    words = game_words(rules, "de")
    for check in rules.checks.values():
        if check.refuse:
            assert words[check.refuse["en"]] == check.refuse["de"]
    assert words


@pytest.mark.parametrize(
    ("header", "wanted", "language"),
    [
        ("", "", "en"),
        ("de", "", "de"),
        ("de-AT,en;q=0.5", "", "de"),
        ("fr, de;q=0.3", "", "de"),
        ("en;q=0.5, de;q=0.9", "", "de"),
        ("de", "en", "en"),
        ("fr", "tlh", "en"),
        ("de;q=x", "", "en"),
        (",,;;q=,", "", "en"),
        ("*" * 5000, "", "en"),
    ],
)
def test_the_language_follows_the_browser_or_the_page(header: str, wanted: str, language: str) -> None:
    assert language_of(Headers({"accept-language": header}), wanted) == language


# -- mistakes of those who write games

# What no German text has, beside quotations and code.
LEFT = re.compile(
    r"\b(the|is|are|it|not|has|have|needs?|there|must|and|or|of|to|by|which|this|that|more|"
    r"than|use|can|cannot|invalid|expected)\b",
    re.IGNORECASE,
)
CODE = re.compile(
    r"'[^']*'|\"[^\"]*\"|\[[^\]]*\]|\{[^}]*\}|\w+\([^()]*\)|\w+ = |\ba <= b and b <= c|"
    r"(?:möglich|vorhanden|bekannt) ist .*|(?:es geht|es gibt) .*|sie kennt: .*"
)


@pytest.mark.parametrize("code", BROKEN)
def test_every_mistake_of_a_ruleset_is_translated(code: str) -> None:
    with pytest.raises(HandfulError) as broken:
        read_draft_ruleset(BROKEN[code])
    english = mistakes_of(broken.value)
    german = mistakes_of(broken.value, lambda message: render_file_message(message, "de"))
    for one, other in zip(english, german, strict=True):
        assert (one["code"], one["line"]) == (other["code"], other["line"])
        assert one["message"] != other["message"]
        for part in ("message", "hint"):
            assert not LEFT.search(CODE.sub("", other[part])), other[part]


@pytest.mark.parametrize(
    ("message", "german"),
    [
        (
            Message("ruleset_advice.can_have", names=["by", "check", "parameter", "to"]),
            "möglich ist by, check, parameter oder to",
        ),
        (Message("advice.there_is", names=["check"]), "es gibt check"),
        (
            Message(
                "ruleset.type.needs",
                what="roll",
                expected=Message("kind.number"),
                found=Message("kind.either", kinds=[Message("kind.text"), Message("kind.truth")]),
            ),
            "roll braucht eine Zahl, nicht einen Text oder einen Wahrheitswert",
        ),
        (
            Message("ruleset.arguments.count_and_row", name="event", count=2),
            "event nimmt 2 Angaben (und vielleicht eine Zeile)",
        ),
    ],
)
def test_names_and_keywords_of_a_file_stay_as_they_are(message: Message, german: str) -> None:
    assert render_file_message(message, "de") == german


@pytest.mark.proof
def test_differences_between_games_are_translated() -> None:
    rules = {name: ruleset(name).rules for name in shipped()}
    for before, after in permutations(shipped(), 2):
        changes = list(describe_changes(*(Version(one, rules[one], {}) for one in (before, after))))
        german = render_answer({"words": changes}, "de", rules[before], rules[after])["words"]
        for one, other in zip(changes, german, strict=True):
            assert str(one) != other
            assert not LEFT.search(CODE.sub("", other)), other


def test_policies_of_decisions_are_translated() -> None:
    rules = ruleset("uwr").rules
    given = {"attribute": 3, "rerolls": 1, "target": 2}
    found = worth(bind(rules, "direct", (), given, {}))
    assert found is not None
    said = render_answer(found.to_dict(), "de", rules)
    usual, best, never = (said["decides"][one]["reroll"] for one in ("usual", "best", "never"))
    assert usual == rules.decisions["reroll"].usual["de"]
    assert never == rules.decisions["reroll"].never["de"]
    assert best == "was für den Wurf am besten ist"
    assert said["figures"] == found.to_dict()["figures"]
    plain = {"policy": "usual", "check": "direct"}
    assert render_answer(plain, "de", rules) == plain  # names are no sentences


# -- over the wire


@pytest.fixture(scope="module")
def seats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Seat]]:
    with ServerThread(tmp_path_factory.mktemp("speaking") / "tables.db") as server:
        yield server.open(demo=True)


WRONG = [
    ("declare", {"check": "dirct"}),
    ("declare", {"check": "direct", "parameters": {"attribute": "many"}}),
    ("declare", {"check": "direct", "parameters": {"attribute": 3, "luck": 1}}),
    ("declare", {"check": "opposed", "parameters": {"attribute": 3}}),
    ("declare", {"check": "attack", "parameters": {}}),
    ("declare", {}),
    ("throw", {"roll": "nobody/1"}),
    ("house_rules", {"options": {"tie_winner": "both"}}),
    ("seat", {"name": "x", "role": "player"}),
    ("fight", {}),
    ("bring", {"sheet": {}}),
    ("bring", {"sheet": {"format": 1, "ruleset": "uwr", "name": "X", "kind": "pc"}}),
    ("adjust", {"character": "ann/Nobody", "resources": {}}),
    ("conjure", {}),
]
ENGLISH = re.compile(r"\b(the|there is|it is|is not|has no|needs|did you mean|only)\b")


@pytest.mark.parametrize(("do", "data"), WRONG, ids=lambda one: str(one)[:40])
def test_refusals_are_german_on_request(seats: dict[str, Seat], do: str, data: dict[str, object]) -> None:
    said = {}
    for language in ("en", "de"):
        body = {"do": do, "key": f"wrong {language}", "data": data}
        answer = seats["ann"].ask("POST", "/commands", body, **{"Accept-Language": language})
        assert answer.status_code in (409, 422)
        said[language] = answer.json()["error"]
    assert said["en"]["code"] == said["de"]["code"]
    for part in ("message", "hint"):
        assert bool(said["en"][part]) == bool(said["de"][part])
        assert not ENGLISH.search(said["de"][part]), said["de"][part]
    assert said["en"]["message"] != said["de"]["message"]


def test_a_check_without_dice_is_refused_in_the_words_of_the_game() -> None:
    play = PlayedTable("me-d6", ann="player")
    data = {"check": "check", "parameters": {"dice": "1D", "wound": "wounded"}}
    with pytest.raises(Refused) as refused:
        play.do("ann", "declare", **data)
    assert refused.value.code == "roll.impossible_check"
    assert "No dice left" in refused.value.message
    assert "Keine Würfel übrig" in render(refused.value.problem, "de")


def test_a_socket_uses_the_language_of_its_page(seats: dict[str, Seat]) -> None:
    with seats["ann"].listen(**{"Accept-Language": "de-DE"}) as socket:
        said = socket.do("throw", roll="ann/9")
        assert said["error"]["message"] == "einen Wurf 'ann/9' gibt es nicht"


def test_a_fault_is_described_in_german(seats: dict[str, Seat]) -> None:
    answer = seats["ann"].ask("GET", "/links", **{"Accept-Language": "de"})
    assert answer.json()["error"]["message"] == "das ist Sache der Spielleitung"


def test_the_editor_gets_german_answers_also_from_workers(
    seats: dict[str, Seat],
) -> None:
    def ask(what: str, ruleset: str, cases: str, language: str) -> dict[str, Any]:
        at = f"{seats['ann'].at.url}/api/brews/{what}"
        body = {"ruleset": ruleset, "cases": cases}
        answer = httpx.post(at, json=body, headers={"Accept-Language": language}, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()  # type: ignore[no-any-return]

    (wrong,) = ask("check", 'language = 1\nid = "a"\nextends = "uw"', "", "de")["mistakes"]
    assert wrong["message"].endswith("gibt es nicht")
    assert wrong["hint"] == "meinst du 'uwr'?"
    (wrong,) = ask("check", 'language = 1\nid = "a"\nextends = "uw"', "", "en")["mistakes"]
    assert wrong["hint"] == "did you mean 'uwr'?"
    own = 'language = 1\nid = "mine"\nextends = "uwr"\n'
    (wrong,) = ask("cases", own, "case = 1", "de")["mistakes"]
    assert wrong["message"] == "cases.toml: Ein Beispiel beginnt mit [[case]]"
    cases = """
    [[case]]
    name = "no number"
    check = "direct"
    params = { attribute = "many" }
    [[case]]
    name = "no refusal"
    check = "direct"
    params = { attribute = 3 }
    refused = "is not a number"
    """
    first, second = ask("cases", own, cases, "de")["cases"]
    assert "ist keine Zahl" in first["differences"][0]["found"]
    assert second["differences"][0]["found"] == "es lässt sich würfeln"
