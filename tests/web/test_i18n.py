"""German messages of the server: complete, with the fields of the English ones."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import httpx
import pytest
from broken_rulesets import BROKEN
from messages import missing
from servers import Seat, ServerThread
from starlette.datastructures import Headers

from handful.errors import NO_MESSAGE, HandfulError, Message, as_message
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
    render_text,
)
from handful.web.message_json import dump_line, load_line
from handful.web.plain_texts import FIELD, Template, templates_of, translate_text

TOP = Path(__file__).parents[2]
GERMAN = tomllib.loads((TOP / "src/handful/web/messages/de.toml").read_text(encoding="utf-8"))
MESSAGES: dict[str, str] = GERMAN["messages"]
SHAPES = {english: Template(english, "") for english in MESSAGES}
SAMPLES = ["'Mira'", "17", "Brun", "'x y'", "3", "Olde"]


def fields(text: str) -> list[tuple[str, str]]:
    return sorted(FIELD.findall(text.replace("{{", "").replace("}}", "")))


def test_every_message_of_the_source_is_translated() -> None:
    assert missing("de") == {}, "python tools/messages.py prints them"


def test_a_translation_fills_in_the_fields_of_its_original() -> None:
    for english, german in MESSAGES.items():
        assert fields(german) == fields(english), english
        assert german.strip() or not english.strip(), english


def filled(text: str, parts: dict[str, str]) -> str:
    hidden = text.replace("{{", "\0").replace("}}", "\1")
    return FIELD.sub(lambda one: parts[one[1]], hidden).replace("\0", "{").replace("\1", "}")


def test_a_filled_in_message_is_translated() -> None:
    translator = templates_of("de")
    assert translator is not None
    in_catalogue = {tuple(one.texts) for one in translator.templates if len({*one.names}) < len(one.names)}
    matching = [
        english
        for english, template in SHAPES.items()
        if template.is_usable and tuple(template.texts) not in in_catalogue
    ]
    assert len(matching) > 150
    for english in matching:
        text = filled(english, dict(zip(SHAPES[english].names, SAMPLES, strict=False)))
        same_texts = [one for one, template in SHAPES.items() if template.texts == SHAPES[english].texts]
        assert translator.translate(text) in {
            filled(MESSAGES[one], dict(zip(SHAPES[one].names, SAMPLES, strict=False))) for one in same_texts
        }, english


def test_unknown_messages_stay_unchanged() -> None:
    assert translate_text("Xyzzy plugh", "de") == "Xyzzy plugh"
    assert translate_text("x" * 5000, "de") == "x" * 5000
    assert templates_of("en") is None
    assert render_error({"type": "done"}, "de") == {"type": "done"}


@pytest.mark.parametrize(
    ("language", "text"), [("en", "that is for the GM"), ("de", "das ist Sache der Spielleitung")]
)
def test_a_response_has_texts_in_place_of_messages(language: str, text: str) -> None:
    error = Fault(403, "forbidden", Message("server.for_the_gm")).to_dict()
    assert render_error(error, language) == {"error": {"code": "forbidden", "message": text, "hint": ""}}


def test_texts_without_a_code_are_translated_inside_messages() -> None:
    problem = as_message("there is no fight")
    located = Message("store.at_table", table="t", problem=problem)
    assert render_text(located, "de") == "t: es gibt keinen Kampf"


def test_messages_cross_the_pipe_to_a_worker() -> None:
    names = [Message("kind.number"), "x"]
    message = Message("at", place="n", problem=Message("advice.there_is", names=names))
    reply = {"refused": [message, NO_MESSAGE], "fraction": Fraction(1, 2)}
    assert load_line(dump_line(reply)) == {"refused": [message, NO_MESSAGE], "fraction": "1/2"}


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            "there is no check 'dirct'; there is direct or opposed",
            "Probe 'dirct' gibt es nicht; es gibt Direkte Probe oder Vergleichende Probe",
        ),
        (
            "attribute: 'x' is not a number; it needs a number in halves (0 to 100)",
            "Attribut: 'x' ist keine Zahl; es braucht eine Zahl in halben Schritten (0 bis 100)",
        ),
        (
            "the sheet does not fit: skills.x: there is no 'y'; did you mean 'z'?",
            "der Bogen passt nicht: skills.x: 'y' gibt es nicht; meinst du 'z'?",
        ),
        ("ann may answer, cancel or undo", "ann kann: entscheiden, abbrechen oder zurücknehmen"),
        ("this throw has 1 face, not 2", "hier fallen 1 Würfel, nicht 2"),
        (
            "option tie_winner: 'x' is not known; it is reactor or initiator",
            "Hausregel tie_winner: 'x' ist nicht bekannt; es geht reactor oder initiator",
        ),
    ],
)
def test_parts_of_messages_are_translated(english: str, german: str) -> None:
    assert translate_text(english, "de", game_words(ruleset("uwr").rules, "de")) == german


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
