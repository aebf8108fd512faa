"""Titles, labels and aliases of the rulebook are accepted wherever a check is typed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from cli_runner import run_cli
from fuzzing import RULESETS
from in_memory_table import PlayedTable, sheet
from repl_scripts import ScriptedTable

from handful import library
from handful.errors import Refused
from handful.rules.check_parser import TypedCheck, parse_typed_check
from handful.rules.name_resolution import CharacterNames, find_meanings
from handful.rules.params import TRUTHS, Param, normalize_name
from handful.rules.ruleset import Check, Ruleset
from handful.sheet import list_contributions

GAMES = sorted(one.parent.name for one in RULESETS.rglob("ruleset.toml"))


def rules_of(game: str) -> Ruleset:
    return library.ruleset(game).rules


def rolled(rules: Ruleset) -> list[Check]:
    return [one for one in rules.checks.values() if one.program is not None]


def spellings(name: str) -> set[str]:
    """A name as people may write it."""
    return {name, name.upper(), name.lower(), name.replace(" ", "_"), name.replace(" ", "-")}


def tried(act: Callable[..., Any], *args: Any, **others: Any) -> Any:
    """Return the result or the refusal."""
    try:
        return act(*args, **others)
    except Refused as refusal:
        return refusal


# -- values by title


def titled(game: str) -> Iterator[tuple[Param, str, str]]:
    """Every value with a title, with each way to say it."""
    for check in rolled(rules_of(game)):
        for param in check.params.values():
            for value, ways in param.spellings.items():
                for way in chain.from_iterable(map(spellings, ways)):
                    yield param, value, way


@pytest.mark.parametrize("game", GAMES)
def test_every_title_of_a_value_is_understood_or_refused_as_ambiguous(game: str) -> None:
    for param, value, way in titled(game):
        read = tried(param.read, way)
        if isinstance(read, Refused):
            assert "can mean" in read.message, (param.name, way)
            assert value in read.message, (param.name, way)
        else:
            others = {normalize_name(one): one for one in param.names()}
            meant = others.get(normalize_name(way), value)  # a name of its own wins over a title
            assert read == param.read(meant), (param.name, way)


@pytest.mark.parametrize("game", GAMES)
def test_every_title_of_a_difficulty_stands_alone(game: str) -> None:
    rules = rules_of(game)
    for check in rolled(rules):
        ladders = [one for one in check.params.values() if one.type == "ladder"]
        for name, rung in rules.ladder.items() if ladders else ():
            for way in (*rung["title"].values(), *rung.get("aliases", ())):
                assert_means(rules, check, way, ladders[0].name, name)


@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_a_choice_stands_alone(game: str) -> None:
    rules = rules_of(game)
    for check in rolled(rules):
        for param in check.params.values():
            for value in param.names():
                for way in (value, *param.spellings.get(value, ())):
                    if value not in TRUTHS and not way.strip("+-. ").isdigit():
                        assert_means(rules, check, way, param.name, value)


def assert_means(rules: Ruleset, check: Check, way: str, parameter: str, value: str) -> None:
    """Some words give a parameter this value, or are refused with that reading among others."""
    for words in ([way], way.split()):
        typed = tried(parse_typed_check, rules, words, check=check)
        if isinstance(typed, Refused):
            assert "can mean" in typed.message, (check.name, words, typed.message)
            assert f"{parameter}=" in typed.message or "quotation" in typed.message
        else:
            assert list(typed.sides[0]) == [parameter], (check.name, words)
            assert typed.sides[0][parameter] == value or _another(check, parameter, words)


def _another(check: Check, parameter: str, words: list[str]) -> bool:
    return normalize_name(" ".join(words)) in map(normalize_name, check.params[parameter].names())


# -- names of the sheet


def named(rules: Ruleset, kind: str) -> Iterator[tuple[str, str]]:
    for name, one in getattr(rules.sheet, kind).items() if rules.sheet else ():
        for way in (name, *one.title.values(), *one.aliases):
            yield from ((name, spelled) for spelled in spellings(way))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["attributes", "skills"])
def test_every_name_of_the_sheet_fills_the_parameters_of_its_picks(game: str, kind: str) -> None:
    rules = rules_of(game)
    for check in rolled(rules):
        picks = [
            one
            for one in (rules.sheet.picks.values() if rules.sheet else ())
            if one.parameter in check.params and getattr(one, kind)
        ]
        for name, way in named(rules, kind) if picks else ():
            found = find_meanings(rules, check, way)
            assert (kind, name) in [(one.kind, one.name) for one in found], (check.name, way)


@pytest.mark.parametrize("game", GAMES)
def test_every_name_of_the_sheet_stands_alone_with_a_character(game: str) -> None:
    rules = rules_of(game)
    for check in rolled(rules):
        for kind in ("attributes", "skills"):
            picks = [
                one
                for one in (rules.sheet.picks.values() if rules.sheet else ())
                if one.parameter in check.params and getattr(one, kind)
            ]
            for name, way in named(rules, kind) if picks else ():
                typed = tried(
                    parse_typed_check, rules, [way], check=check, names_of=lambda *_: CharacterNames()
                )
                if isinstance(typed, Refused):
                    assert "can mean" in typed.message, (check.name, way)
                    assert f"{picks[0].parameter}={name}" in typed.message
                else:
                    assert typed.sides[0] == {picks[0].parameter: name}, (check.name, way)


@pytest.mark.parametrize("game", GAMES)
def test_every_title_of_a_check_names_it(game: str) -> None:
    rules = rules_of(game)
    for check in rolled(rules):
        for way in (*check.title.values(), *check.aliases):
            found = tried(rules.check, way)
            if isinstance(found, Refused):
                assert "can mean" in found.message
                assert check.name in found.message
            else:
                assert found.name == check.name


@pytest.mark.parametrize("game", GAMES)
def test_every_label_of_a_parameter_is_its_name(game: str) -> None:
    rules = rules_of(game)
    for check in rolled(rules):
        for param in check.params.values():
            for way in (*param.label.values(), *param.aliases):
                found = [one.name for one in find_meanings(rules, check, way) if one.kind == "params"]
                assert param.name in found or normalize_name(way) in check.params, (check.name, way)


# -- the words of people with their rulebook in hand


SAME = [
    ("uwr grace=3.5 target=2", "uwr direct attribute=3.5 target=2"),
    ("uwr direct grace=3.5 acrobatics=2", "uwr direct attribute=3.5 skill=2"),
    ("uwr Grace=3.5 Akrobatik=2 Schwierig", "uwr direct attribute=3.5 skill=2 difficulty=difficult"),
    ("uwr insight=3 balance=1", "uwr direct attribute=3 skill=1 specific=1"),
    ("uwr insight=3 balance=1 specific=0", "uwr direct attribute=3 skill=1"),
    ("uwr grace=4 vs might=3 athletics=1", "uwr opposed attribute=4 vs attribute=3 skill=1"),
    ("uwr opposed grace=4 uncontested", "uwr opposed attribute=4 uncontested=yes"),
    ("uwr Direkte Probe Attribut=3", "uwr direct attribute=3"),
    ("uwr might=3 Overloaded", "uwr direct attribute=3 bonus=-1"),
    ("me-d6 search=4D keen nose", "me-d6 check dice=4D skill_name=search bonus=+1D"),
    ("agga savvy=3.5 target=1", "agga direct attribute=3.5 target=1"),
    ("fons charm=2 average", "fons direct attribute=2 difficulty=average"),
    ("tuurna strength=4 difficulty=hard", "tuurna check level=4 difficulty=difficult"),
    ("tuurna strength=4 nearly impossible", "tuurna check level=4 difficulty=nearly_impossible"),
    ("tuurna Stärke=4 Cursed difficulty=3", "tuurna check level=4 fate=cursed difficulty=3"),
    ("tuurna craft=4 communication=3", "tuurna check level=4,3"),
    ("tuurna contest craft=4 vs tactics=3 Blessed", "tuurna contest level=4 vs level=3 fate=blessed"),
    (
        "tuurna group judge='lowest result' difficulty=3 strength=2 with strength=4",
        "tuurna group judge=min difficulty=3 level=2 with level=4",
    ),
    ("me-d6 repair=4D+1 difficulty=moderate", "me-d6 check dice=4D+1 skill_name=repair difficulty=moderate"),
    (
        "me-d6 technical=3D repair=5 Moderate",
        "me-d6 check dice=3D skill_points=5 skill_name=repair difficulty=moderate",
    ),
    ("me-d6 repair=5 dice=3D", "me-d6 check dice=3D skill_points=5 skill_name=repair"),
    (
        "me-d6 'first aid'=4D very difficult",
        "me-d6 check dice=4D skill_name=first_aid difficulty=very_difficult",
    ),
    (
        "me-d6 repair=4D+1 difficulty=moderate modifier='significant advantage'",
        "me-d6 check dice=4D+1 skill_name=repair difficulty=moderate modifier=-6",
    ),
    (
        "me-d6 repair=4D+1 difficulty=moderate overwhelming disadvantage",
        "me-d6 check dice=4D+1 skill_name=repair difficulty=moderate modifier=16",
    ),
    (
        "me-d6 repair=4D+1 difficulty=Mittel modifier='Deutlicher Vorteil'",
        "me-d6 check dice=4D+1 skill_name=repair difficulty=moderate modifier=-6",
    ),
    ("me-d6 strength=8D wound='Severely Wounded'", "me-d6 check dice=8D wound=severe"),
    ("me-d6 strength=8D wound=Severely Wounded", "me-d6 check dice=8D wound=severe"),
    ("me-d6 strength=8D Lightly Wounded", "me-d6 check dice=8D wound=light"),
    ("me-d6 strength=8D SCHWER-VERWUNDET rennt", "me-d6 check dice=8D wound=severe running=yes"),
    (
        "me-d6 strength=8D difficulty=16 modifier='Signi\N{LATIN SMALL LIGATURE FI}cant disadvantage'",
        "me-d6 check dice=8D difficulty=16 modifier=6",
    ),
    (
        "me-d6 attack Ranged=5D kind='ranged weapon' defense=12",
        "me-d6 attack dice=5D skill_name=ranged kind=ranged defense=12",
    ),
    ("me-d6 take10 technical=3D repair=5", "me-d6 take10 attribute=3D skill_points=5"),
    (
        "me-d6 check repair=4D spend='Paragon point: +3',medal",
        "me-d6 check dice=4D skill_name=repair spend=paragon-bonus,medal",
    ),
]


@pytest.mark.parametrize(("said", "meant"), SAME)
def test_names_of_the_rulebook_give_the_same_check(said: str, meant: str) -> None:
    assert run_cli(f"odds {said} --json").data == run_cli(f"odds {meant} --json").data


WITH_SHEET = [
    (
        "uwr grace acrobatics difficult --as mira",
        "uwr direct attribute=grace skill=acrobatics difficulty=difficult --as mira",
    ),
    (
        "uwr --as mira Akrobatik Grace Extrem",
        "uwr direct attribute=grace skill=acrobatics difficulty=extreme --as mira",
    ),
    (
        "uwr grace direct check difficult --as mira",
        "uwr direct attribute=grace difficulty=difficult --as mira",
    ),
    ("uwr grace=5 acrobatics --as mira", "uwr direct attribute=5 skill=acrobatics --as mira"),
    ("uwr grace as=mira vs might as=mira", "uwr opposed attribute=grace as=mira vs attribute=might as=mira"),
    ("me-d6 repair moderate --as corvin", "me-d6 check dice=repair difficulty=moderate --as corvin"),
    ("me-d6 technical repair --as corvin", "me-d6 check dice=repair --as corvin"),
    ("me-d6 repair=9 --as corvin", "me-d6 check dice=repair skill_points=9 --as corvin"),
    ("uwr grace overloaded --as mira", "uwr direct attribute=grace bonus+=-1 --as mira"),
    (
        "tuurna armaments instinct moderate --as ylir",
        "tuurna check level=armaments,instinct difficulty=moderate --as ylir",
    ),
]


@pytest.mark.parametrize(("said", "meant"), WITH_SHEET)
def test_a_character_needs_names_only(said: str, meant: str) -> None:
    assert run_cli(f"odds {said} --json").data == run_cli(f"odds {meant} --json").data


REFUSED = [
    ("me-d6 attack melee defense=12 --as corvin", "'melee' can mean kind=melee or dice=melee"),
    ("me-d6 repair=4D ask", "'ask' can mean spend=ask or ruling=ask"),
    ("me-d6 repair=5", "repair=5 needs its attribute, too"),
    ("me-d6 repair=lots", "repair: 'lots' does not fit; it needs skill points"),
    ("me-d6 dexterity=3D repair=5", "repair belongs to technical, not to dexterity"),
    ("me-d6 technical=3D repair=4D", "technical and repair are both dice here"),
    ("me-d6 dice=3D repair=4D", "repair is dice here, and that is given, too"),
    ("me-d6 take10 repair=4D", "repair: '4D' does not fit; it needs skill points"),
    ("uwr grace difficult", "'grace' needs a number here, such as grace=3.5"),
    ("uwr acrobatics stealth --as mira", "skill is given twice; give it once"),
    ("uwr grace=3 grace=4", "grace is given twice"),
    ("uwr direct grace=3 vs might=2", "direct has only one side"),
    ("uwr 3", "there is no check '3'"),
    ("uwr mettle=3 overloaded", "'overloaded' counts only for might or grace"),
    ("me-d6 repair=4D keen nose", "'keen nose' counts only for search"),
]


@pytest.mark.parametrize(("said", "why"), REFUSED)
def test_ambiguous_and_unknown_words_are_refused(said: str, why: str) -> None:
    answer = run_cli(f"odds {said}")
    assert answer.status == 2
    assert why in answer.err


TYPOS = [
    ("me-d6 strength=8D wound='Severly Wounded'", "Severely Wounded"),
    ("me-d6 strength=8D modifier='significant advantge'", "Significant advantage"),
    ("me-d6 repiar=4D", "repair"),
    ("uwr acrobtics=2", "acrobatics"),
    ("uwr grace acrobtics --as mira", "acrobatics"),
    ("uwr direct grace=3 dificult", "difficult"),
    ("tuurna strength=4 blesed", "blessed"),
    ("tuurna strength=4 difficulty='nearly imposible'", "nearly impossible"),
    ("uwr dirct grace=3", "direct"),
]


@pytest.mark.parametrize(("said", "meant"), TYPOS)
def test_a_typo_gets_a_hint(said: str, meant: str) -> None:
    answer = run_cli(f"odds {said}")
    assert answer.status == 2
    assert normalize_name(f"did you mean '{meant}'?") in normalize_name(answer.err)


# -- games of one's own


HOME = """
language = 2
id = "home"
{usual}
title.en = "Home"
about.en = "A game of one's own."

[ladder.steep]
goal = 3
title = {{ en = "Quite a Climb", de = "Steil" }}
aliases = ["no walk"]
[ladder.hill]
goal = 1
title = {{ en = "Hill", de = "Hügel" }}

[words.gm]
en = "Keeper"
[words.dusk]
en = "Between Dog and Wolf"
aliases = ["twilight"]
[words.night]
en = "Night"

[checks.trial]
title = {{ en = "Trial of Nerves", de = "Nervenprobe" }}
aliases = ["test"]
help.en = "h"
main = "n"
does = '''
n = sum(roll(pool + extra, d6 >= 5))
gain = 0 if light == "dusk" and calm else 1
result(n = n, success = n >= steps.goal if given(steps) else None, margin = gain)
'''
[checks.trial.params]
pool = {{ type = "number", min = 0, max = 20, label = {{ en = "Might" }} }}
extra = {{ type = "number", min = 0, max = 20, default = 0, label = {{ en = "Craft" }} }}
steps = {{ type = "ladder", optional = true, label = {{ en = "Height" }} }}
light = {{ type = "choice", values = ["day", "dusk", "night"], default = "day", label.en = "L" }}
calm = {{ type = "truth", default = false, label = {{ en = "Keeps calm" }}, aliases = ["cool"] }}

[checks.guess]
title.en = "Guess"
help.en = "h"
main = "n"
does = "result(n = sum(roll(luck, d6)))"
[checks.guess.params]
luck = {{ type = "number", min = 0, max = 20, label.en = "Luck" }}

[sheet.attributes]
brawn = {{ title = {{ en = "Brute Force", de = "Rohe Kraft" }}, aliases = ["bf"] }}
[sheet.skill]
called = "rank"
label.en = "Rank"
[sheet.skills]
night = {{ title.en = "Night Eyes" }}
rope = {{ title = {{ en = "Rope Work", de = "Seilarbeit" }}, aliases = ["knots"] }}
[sheet.traits.lucky_charm]
title = {{ en = "Lucky Charm", de = "Glücksbringer" }}
gives = [{{ extra = 2 }}]
[sheet.picks.pool]
attributes = {{ pool = "value" }}
[sheet.picks.extra]
skills = {{ extra = "rank" }}
"""


@pytest.fixture
def home(tmp_path: Path) -> str:
    return made(tmp_path, "")


def made(folder: Path, usual: str) -> str:
    file = folder / "home.toml"
    file.write_text(HOME.format(usual=usual), encoding="utf-8")
    return str(file)


def read(game: str, *words: str, own: CharacterNames | None = None) -> TypedCheck:
    return parse_typed_check(rules_of(game), words, names_of=lambda *_: own)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("brawn=3 knots=2", {"pool": "3", "extra": "2"}),
        ("'rohe kraft'=3 no walk", {"pool": "3", "steps": "steep"}),
        ("BF=3 quite a climb", {"pool": "3", "steps": "steep"}),
        ("bf=3 steps=Quite a Climb", {"pool": "3", "steps": "steep"}),
        ("bf=3 light='between dog and wolf'", {"pool": "3", "light": "between dog and wolf"}),
        ("bf=3 twilight", {"pool": "3", "light": "dusk"}),
        ("bf=3 cool hügel", {"pool": "3", "calm": "yes", "steps": "hill"}),
        ("trial of nerves bf=3 keeps calm", {"pool": "3", "calm": "yes"}),
        ("bf=3 nervenprobe", {"pool": "3"}),
        ("test might=3 craft=1", {"pool": "3", "extra": "1"}),
        ("bf=3 lucky charm", {"pool": "3", "extra": "2"}),
        ("bf=3 glücksbringer height=hill", {"pool": "3", "extra": "2", "steps": "hill"}),
    ],
)
def test_a_users_game_has_names_of_its_own(home: str, words: str, given: Any) -> None:
    typed = read(home, *shlex.split(words))
    assert typed.check.name == "trial"
    bound = library.ruleset(home).bind("trial", **typed.sides[0]).args
    assert bound == library.ruleset(home).bind("trial", **given).args


def test_words_that_fit_one_check_select_it(home: str) -> None:
    assert read(home, "luck=3").check.name == "guess"
    assert read(home, "pool=3").check.name == "trial"


def test_words_that_fit_several_checks_list_them(tmp_path: Path) -> None:
    text = HOME.format(usual="").replace("luck = {", "pool = {").replace("luck, d6", "pool, d6")
    (tmp_path / "home.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Refused, match="which check\\? this fits trial or guess"):
        read(str(tmp_path / "home.toml"), "pool=3")
    usual = text.replace('id = "home"', 'id = "home"\nusual_check = "guess"')
    (tmp_path / "home.toml").write_text(usual, encoding="utf-8")
    assert read(str(tmp_path / "home.toml"), "pool=3").check.name == "guess"
    assert read(str(tmp_path / "home.toml"), "pool=3", "hill").check.name == "trial"


def test_an_ambiguous_word_lists_its_meanings(home: str) -> None:
    with pytest.raises(Refused, match="'night' can mean light=night or extra=night"):
        read(home, "brawn", "night", own=CharacterNames())
    assert read(home, "brawn", "night", "light=dusk", own=CharacterNames()).sides[0]["extra"] == "night"
    assert read(home, "brawn=2", "night").sides[0]["light"] == "night"  # a skill needs a number


def test_nothing_typed_asks_for_a_check(home: str) -> None:
    with pytest.raises(Refused, match="which check\\? there is trial or guess"):
        read(home)


def test_the_library_understands_names_of_the_rulebook(home: str) -> None:
    game = library.ruleset(home)
    assert game.odds("Trial of Nerves", brawn=3, steps="Steil").success == Fraction(1, 27)
    assert game.odds("trial", **{"Brute Force": 3}, rope=1).mean == Fraction(4, 3)


# -- the role of the GM


def test_a_game_names_its_gm(home: str) -> None:
    assert rules_of(home).role_title("gm") == "Keeper"
    assert rules_of("tuurna").role_title("gm") == "Narrator"
    assert rules_of("uwr").role_title("gm") == "GM"
    assert rules_of("uwr").role_title("player") == "player"


def test_the_narrator_decides() -> None:
    said = run_cli(
        "odds tuurna check level=3 fate=lucky+unlucky --option fate_combine=narrator --faces= --answer= "
    )
    assert "the GM" not in said.out


# -- attributes that a game leaves open


def test_a_sheet_may_have_any_attribute_of_an_open_game(tmp_path: Path) -> None:
    data = {
        "format": 1,
        "ruleset": "fons",
        "name": "Zed",
        "kind": "pc",
        "attributes": {"might": 2, "grace": 3, "mettle": 2, "insight": 2.5, "Cunning": 3.5},
        "traits": [{"name": "Sly", "gives": [{"rerolls": 1, "for": ["Cunning"]}]}],
    }
    file = tmp_path / "zed.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    own = run_cli(f"odds fons cunning average --as {file} --json").data
    plain = run_cli("odds fons direct attribute=3.5 rerolls=1 difficulty=average --json").data
    assert own["success"] == plain["success"]
    assert "Cunning" in run_cli(f"sheet {file}").out
    file.write_text(json.dumps(data | {"ruleset": "uwr"}), encoding="utf-8")
    refused = run_cli(f"sheet {file}")
    assert refused.status == 1
    assert "there is no 'Cunning'" in refused.err


def test_an_open_game_explains_how_to_give_other_attributes() -> None:
    said = run_cli("odds fons cunning=3.5")
    assert "give what the game does not list as attribute=3.5 or skill=3" in said.err


# -- where a Modifier comes from


def test_modifiers_are_worded_as_in_the_rulebook() -> None:
    game = library.ruleset("tuurna")
    plan = game.draft("check", character="zejhe", craft=2)  # a number of one's own, no sheet
    assert [one.parameter for one in plan.lines] == ["level"]
    plan = game.draft("check", character="zejhe", level="Craft").add("labor", 1)
    plan = plan.add("leverage", 2, note="the high ground")
    roll = library.Roll.begin(plan.bound())
    assert [one.source for one in list_contributions(plan, roll.node.trace.modifiers)] == [
        "Craft",
        "Injured wrist (Specific Modifier)",
        "Labor (Circumstantial Modifier)",
        "the high ground (Circumstantial Modifier)",
    ]


# -- tables


def asked_at(play: PlayedTable, roll: str) -> dict[str, Any]:
    found = play.table.rolls[roll].declared
    return {**found.parameters, **(found.sides[0] if found.sides else {})}


def test_a_table_understands_names_of_the_rulebook() -> None:
    play = PlayedTable("me-d6", ann="player")
    play.do("ann", "bring", sheet=sheet("me-d6", "sanna"))
    words = {"Repair": "8D+1", "Schwierigkeit": "Moderate", "wound": "Severely Wounded"}
    roll = play.declare("gm", "Skill check", parameters=words)
    own = asked_at(play, roll)
    assert (own["dice"], own["wound"], own["difficulty"]) == ("8D+1", "severe", "moderate")
    roll = play.declare("ann", "check", as_="ann/Sanna Vey", parameters={"repair": 7})
    assert asked_at(play, roll)["skill_points"] == 7


def test_a_request_accepts_sheet_names_without_a_character() -> None:
    play = PlayedTable("uwr", ann="player")
    play.do("ann", "bring", sheet=sheet("uwr", "mira"))
    play.do(
        "gm",
        "request",
        to=["ann"],
        check="Direkte Probe",
        parameters={"Attribut": "Grace", "Difficulty": "Schwierig"},
    )
    (request,) = play.table.requests.values()
    assert request.check == "direct"
    assert dict(request.parameters) == {"attribute": "Grace", "difficulty": "Schwierig"}
    play.do("ann", "propose", request=request.id, parameters={"skill": "Akrobatik"}, as_="ann/Mira Quill")
    play.do("gm", "accept", request=request.id, name="ann")
    own = asked_at(play, [*play.table.rolls][-1])
    assert (own["attribute"], own["skill"], own["difficulty"]) == (3.5, 2, "difficult")


def test_a_terminal_takes_names_alone(tmp_path: Path) -> None:
    night = ScriptedTable(tmp_path, "uwr")
    night.play_ok(
        "seat ann player",
        "bring mira for ann",
        "seat ann",
        "roll Grace Akrobatik difficult faces=5,5,1,1,1",
        "none",
    )
    asked = night.view("ann")["rolls"][0]["asked"]["parameters"]
    assert (asked["attribute"], asked["skill"], asked["difficulty"]) == (3.5, 2, "difficult")
    night.play_ok("seat kim", "request ann insight extreme")
    asked = night.view("ann")["requests"][0]
    assert asked["parameters"] == {"attribute": "insight", "difficulty": "extreme"}
    assert "can mean" in ScriptedTable(tmp_path, "me-d6", "other").refused("roll repair=4D ask")


def test_a_narrator_sits_at_the_table(tmp_path: Path) -> None:
    out = ScriptedTable(tmp_path, "tuurna").play_ok("seats")
    assert "kim (Narrator)>" in out
