"""`handful sheet`, and checks that a character makes: `--as`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import assert_refused, run_cli
from sample_characters import JO, SHIPPED, TOY

from handful.cli import layout

ASKED = "odds uwr direct --as mira attribute=Grace skill=Acrobatics target=2"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A game of its own with a character beside it."""
    (tmp_path / "characters").mkdir()
    (tmp_path / "ruleset.toml").write_text(TOY, encoding="utf-8")
    (tmp_path / "characters" / "jo.json").write_text(json.dumps(JO), encoding="utf-8")
    return tmp_path


# -- checks that a character makes


def test_names_in_place_of_numbers() -> None:
    data = run_cli(f"{ASKED} --json").data
    assert data["success"] == "473/729"
    assert data["parameters"]["attribute"] == 3.5
    assert data["characters"] == ["Mira Quill"]
    assert [(one["source"], one["amount"], one["unit"], one["by"]) for one in data["lines"]] == [
        ("Grace", 3.5, "dice", "sheet"),
        ("Acrobatics, from Burglar", 2, "dice", "sheet"),
        ("Half a die becomes a reroll", -0.5, "dice", "rules"),
        ("Half a die becomes a reroll", 1, "rerolls", "rules"),
    ]


def test_without_a_character_nothing_is_added() -> None:
    plain = run_cli("odds uwr direct attribute=3.5 skill=2 target=2 --json").data
    with_character = run_cli(f"{ASKED} --json").data
    assert {*with_character} - {*plain} == {"lines", "characters"}
    assert {**plain, "lines": 0, "characters": 0} == {**with_character, "lines": 0, "characters": 0}


def test_the_text_names_the_sources_of_a_check() -> None:
    text = run_cli(ASKED).out
    assert "Mira Quill\n  +3.5 dice: Grace\n  +2 dice: Acrobatics, from Burglar\n" in text
    rolled = run_cli("roll me-d6 check --as sanna dice=repair difficulty=6 --seed 1").out
    assert "4D+1: Technical\n  +6 points: Repair\n  -3 dice: Wounded\n" in rolled
    roll = run_cli("roll me-d6 check --as sanna dice=repair difficulty=6 --seed 1 --json").data
    assert {"modifiers", "lines"} <= {*roll}


def test_numbers_still_win_and_plus_adds() -> None:
    over = run_cli("odds uwr direct --as mira attribute=5 skill=Stealth skill=2 --json")
    assert_refused(over, "twice")
    text = run_cli("odds me-d6 check --as sanna dice=repair wound=none difficulty=6").out
    assert "Wounded: Wound wounded (off, by the player)" in text
    more = run_cli("odds tuurna check --as zejhe level=Armaments labor+=3 --json").data
    assert more["parameters"]["labor"] == [1]


def test_each_side_has_its_character() -> None:
    for words in ("--as mira --as sentry", "as=mira"):
        second = "" if "sentry" in words else "as=sentry"
        line = f"odds uwr opposed {words} attribute=Grace skill=Stealth vs {second} attribute=Insight"
        data = run_cli(f"{line} --json").data
        assert data["characters"] == ["Mira Quill", "Sentry"]
        assert [side["attribute"] for side in data["parameters"]["sides"]] == [3.5, 2]
    assert_refused(run_cli("odds uwr direct --as mira --as tove attribute=3"), "2 characters for 1 side;")
    assert_refused(run_cli("odds uwr direct --as mira as=tove attribute=3"), "given twice")
    assert_refused(run_cli("odds uwr direct as= attribute=3"), "give the name of a character")


def test_wrong_names_get_a_suggestion() -> None:
    assert_refused(run_cli("odds uwr direct --as mira attribute=Grce"), "'grace'", hint=True)
    assert_refused(run_cli("odds uwr direct --as mria attribute=Grace"), "did you mean 'mira'?", hint=True)
    assert_refused(run_cli("odds uwr direct --as ./nobody.json"), "there is no such file", status=1)
    assert_refused(run_cli("odds uwr direct attribute=Grace"), "is not a number")


def test_a_character_of_another_game(tmp_path: Path) -> None:
    ylir = tmp_path / "ylir.json"
    ylir.write_text(run_cli("sheet ylir --export").out, encoding="utf-8")
    said = run_cli(["odds", "uwr", "direct", "--as", str(ylir), "attribute=3"])
    assert_refused(said, "ruleset: 'tuurna' is another game; it is uwr", "handful sheet --check", status=1)


def test_simulate_takes_characters_too() -> None:
    data = run_cli("simulate uwr direct --as mira attribute=Grace target=2 --count 10 --seed 1 --json").data
    assert data["parameters"]["attribute"] == 3.5


def test_a_house_game_takes_the_characters_of_its_base(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('language = 1\nid = "house"\nextends = "uwr"\n[title]\nen = "H"\n')
    mira = tmp_path / "mira.json"
    mira.write_text(run_cli("sheet mira --export").out, encoding="utf-8")
    said = run_cli(["odds", str(house), "direct", "--as", str(mira), "attribute=Grace", "--json"])
    assert said.data["parameters"]["attribute"] == 3.5


# -- handful sheet


@pytest.mark.parametrize(("game", "name"), SHIPPED)
def test_a_sheet_fits_the_page(game: str, name: str) -> None:
    said = run_cli(["sheet", name])
    assert said.status == 0
    assert all(len(line) <= layout.WIDTH for line in said.out.splitlines())
    data = run_cli(["sheet", name, "--json"]).data
    assert data["ruleset"]["id"] == game
    assert data["character"]["format"] == 1
    assert run_cli(["sheet", "--check", name]).out.endswith(")\n")


def test_characters_are_listed() -> None:
    text = run_cli("sheet").out
    assert all(f" {name} " in text for _, name in SHIPPED)
    assert len(text.splitlines()) == len(SHIPPED)
    listed = run_cli("sheet --json").data["characters"]
    assert {"ruleset": "tuurna", "id": "ylir", "name": "Ylir", "kind": "pc"} in listed
    assert "mira, sentry, tove" in run_cli("checks uwr").out
    assert run_cli("checks uwr --json").data["characters"] == ["mira", "sentry", "tove"]


def test_a_sheet_shows_derived_values() -> None:
    text = run_cli("sheet sanna").out
    assert "Hit points  17 of 29" in text
    assert "Wounded" in text
    assert "Initiative       13" in text
    assert "Supernatural Potential" in run_cli("sheet oruun").out


def test_every_mistake_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{"format": 1, "ruleset": "uwr", "nam": "x", "attributes": {"might": 9}}')
    said = run_cli(["sheet", "--check", str(file)])
    assert said.status == 1
    assert len(said.out.splitlines()) == 7
    assert said.out.endswith(f"{file}: 6 mistakes\n")
    data = run_cli(["sheet", "--check", str(file), "--json"])
    assert (data.status, len(json.loads(data.out)["mistakes"])) == (1, 6)
    shown = run_cli(["sheet", str(file)])
    assert_refused(shown, f"{file}: there is no field 'nam'", "and 5 more mistakes", status=1)
    for text in ("", "[]", '{"format": 1}', '{"format": 1, "ruleset": "chess"}', "\ud800"):
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        assert run_cli(["sheet", str(file)]).status == 1
        assert len(run_cli(["sheet", str(file)]).err.splitlines()) <= 2


def test_a_preview_of_an_import() -> None:
    text = run_cli("sheet mira --against tove").out
    assert text.startswith("Tove Harl would change:\n  name: Tove Harl -> Mira Quill\n")
    assert "  Grace: 2.5 -> 3.5\n" in text
    data = run_cli("sheet mira --against tove --json").data["changes"]
    assert {"section": "attributes", "name": "grace", "before": 2.5, "after": 3.5} in data
    assert run_cli("sheet mira --against mira").out == "no changes\n"
    assert_refused(run_cli("sheet mira --against ylir"), "two sheets of one game")


def test_export_gives_the_same_bytes(tmp_path: Path) -> None:
    file = tmp_path / "tove.json"
    file.write_text(run_cli("sheet tove --export").out, encoding="utf-8")
    assert run_cli(["sheet", str(file), "--export"]).out == file.read_text(encoding="utf-8")


def test_conflicting_arguments_are_refused() -> None:
    assert_refused(run_cli("sheet --check"), "which character?")
    assert_refused(run_cli("sheet mira --check --export"), "give one of them")
    assert_refused(run_cli("sheet mria"), "did you mean 'mira'?", hint=True)


def test_a_toy_game_with_its_own_characters(toy: Path) -> None:
    game = str(toy / "ruleset.toml")
    data = run_cli(["odds", game, "draw", "--as", "jo", "cards=Bluff", "--json"]).data
    assert (data["parameters"]["cards"], data["characters"]) == (2, ["Jo"])
    assert "Jo, player character (Toy)" in run_cli(["sheet", str(toy / "characters" / "jo.json")]).out
    assert "jo" in run_cli(["sheet", "--ruleset", game]).out.split()
    assert "Hand" in run_cli(["sheet", "jo", "--ruleset", game]).out
