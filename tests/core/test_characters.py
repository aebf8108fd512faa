"""Characters as files: read strictly, written canonically, compared."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruleset_cases import GAMES, ruleset
from sample_characters import JO, SHIPPED, shipped_character, toy, toy_character

from handful.errors import BadCharacter, HandfulError
from handful.library import character_names, ruleset_path, shipped_folder
from handful.sheet import canonical_data, changes, export_character, import_character, read_character


def mistakes(data: Any) -> list[str]:
    take = import_character if isinstance(data, str) else read_character
    with pytest.raises(BadCharacter) as raised:
        take(toy(), data)
    assert all("\n" not in line and len(line) <= 300 for line in raised.value.mistakes)
    return list(raised.value.mistakes)


# -- those that come with the games


@pytest.mark.parametrize("game", GAMES)
def test_every_game_comes_with_two_or_more(game: str) -> None:
    assert len(character_names(ruleset_path(game))) >= 2


@pytest.mark.parametrize(("game", "name"), SHIPPED)
def test_a_shipped_character_is_in_order_and_canonical(game: str, name: str) -> None:
    text = (shipped_folder() / game / "characters" / f"{name}.json").read_text(encoding="utf-8")
    own = ruleset(game)
    assert own.export(own.character(name)) == text


def test_names_of_shipped_characters_are_unique() -> None:
    names = [name for _, name in SHIPPED]
    assert len(names) == len(set(names))


def test_all_kinds_of_characters_are_among_them() -> None:
    everyone = [shipped_character(name) for _, name in SHIPPED]
    halves = [v for who in everyone for v in who.attributes.values() if getattr(v, "denominator", 1) == 2]
    supernatural = [s for who in everyone for s in who.skills.values() if s.fields.get("supernatural")]
    assert halves
    assert supernatural
    assert shipped_character("sanna").resources["hit_points"] < 20
    assert {who.kind for who in everyone} == {"pc", "npc"}


# -- there and back


NAMES = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=("Cc", "Cf", "Zs", "Cn")),
    min_size=1,
    max_size=12,
)


def table(names: list[str], values: Any, least: int = 0) -> Any:
    return st.dictionaries(st.sampled_from(names), values, min_size=least) if names else st.just({})


@st.composite
def data_of(draw: Any, game: str) -> dict[str, Any]:
    sheet = ruleset(game).rules.sheet
    numbers: dict[str, Any] = {
        "halves": st.integers(2, 14).map(lambda n: n / 2),
        "die_code": st.tuples(st.integers(0, 20), st.integers(0, 2)).map(lambda c: f"{c[0]}D+{c[1]}"),
    }
    attributes = {n: draw(numbers[one.param.type]) for n, one in sheet.attributes.items()}
    data: dict[str, Any] = {
        "format": 1,
        "ruleset": game,
        "name": draw(NAMES),
        "attributes": attributes,
        "kind": draw(st.sampled_from(["pc", "npc"])),
        "notes": draw(st.text(max_size=30)),
    }
    if sheet.proficiency:
        data["proficiencies"] = draw(table(list(sheet.proficiencies), st.integers(1, 3)))
        own = st.fixed_dictionaries({"rank": st.integers(1, 3), "skills": st.lists(NAMES, max_size=3)})
        data["proficiencies"] |= draw(st.dictionaries(NAMES, own, max_size=2))
        fields = st.fixed_dictionaries({"specific": st.integers(0, 2)})
        data["skills"] = draw(table(list(sheet.skills), fields))
    else:
        data["skills"] = draw(table(list(sheet.skills), st.integers(0, 12)))
    data["traits"] = draw(st.lists(st.sampled_from(sorted(sheet.traits)), unique=True))
    return data


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40)
@given(data=st.data())
def test_export_import_export_gives_the_same_bytes(game: str, data: Any) -> None:
    rules = ruleset(game).rules
    raw = data.draw(data_of(game))
    try:
        first = import_character(rules, json.dumps(raw))
    except BadCharacter as bad:  # two of the drawn names may be alike
        if any(
            "twice" not in one
            and "no name" not in one
            and "half a char" not in one
            and "is an attribute" not in one
            for one in bad.mistakes
        ):
            raise
        return
    text = export_character(rules, first)
    second = import_character(rules, text)
    assert second == first
    assert hash(second) == hash(first)
    assert export_character(rules, second).encode() == text.encode()
    assert not changes(rules, first, second)


def test_the_order_of_a_file_makes_no_difference() -> None:
    raw = json.loads(ruleset("me-d6").export(shipped_character("sanna")))
    turned = {
        key: dict(reversed(part.items())) if isinstance(part, dict) else part
        for key, part in reversed(raw.items())
    }
    assert read_character(ruleset("me-d6").rules, turned) == shipped_character("sanna")


# -- mistakes


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"format": None}, 'format: is missing or not a number; begin with "format": 1'),
    ({"format": True}, "format: is missing"),
    ({"format": 2}, "a newer version of handful can read it"),
    ({"ruleset": "chess"}, "ruleset: 'chess' is another game; it is toy"),
    ({"name": ""}, 'name: is missing; "name": "…"'),
    ({"name": 3}, "name: must be a text"),
    ({"name": "a\nb"}, "name: has characters that cannot be shown"),
    ({"name": "x" * 81}, "name: has 81 characters; at most 80"),
    ({"kind": "monster"}, "kind: 'monster' is not known; it is pc or npc"),
    ({"kind": ["pc"]}, "kind: "),
    ({"attribute": {}}, "there is no field 'attribute'; did you mean 'attributes'?"),
    ({"attributes": []}, 'attributes: must be a table; "attributes": {'),
    ({"attributes": {}}, "attributes.wit: is missing; it needs a whole number (0 to 9)"),
    ({"attributes": {"wit": 10}}, "attributes.wit: 10 is out of range"),
    ({"attributes": {"wit": "many"}}, "attributes.wit: 'many' is not a number"),
    ({"attributes": {"wit": 1, "Witz": 2}}, "attributes: wit is listed twice; keep one"),
    ({"attributes": {"wit": 1, "wot": 2}}, "attributes: there is no 'wot'; did you mean 'wit'?"),
    ({"attributes": {"wit": {"deep": []}}}, "attributes.wit: "),
    ({"proficiencies": {"a": 1}}, "proficiencies: this game has none; leave them out"),
    ({"skills": {"blff": 1}}, "skills: there is no 'blff'; did you mean 'bluff'?"),
    ({"skills": {"bluff": 6}}, "skills.bluff: 6 is out of range"),
    ({"skills": {"bluff": {"nack": 1}}}, "there is no field 'nack'; did you mean 'knack'?"),
    ({"skills": {"bluff": {}}}, "skills.bluff: knack is missing"),
    ({"derived": {"hand": "x"}}, "derived.hand: 'x' is not a number"),
    ({"derived": {"foot": 1}}, "derived: there is no 'foot'"),
    ({"resources": {"chips": 12}}, "resources.chips: 12 is out of range; it is from 0 to 11"),
    ({"resources": {"chips": 1.5}}, "resources.chips: '1.5' is not a whole number"),
    ({"resources": {"heat": 1}}, "resources.heat: a player character has none; leave it out"),
    ({"traits": {"charmed": 1}}, "traits: must be a list"),
    ({"traits": ["charm"]}, "traits 1: there is no trait 'charm'; did you mean 'charmed'?"),
    ({"traits": ["charmed", "Charmed"]}, "traits 2: charmed is listed twice"),
    ({"traits": [3]}, "traits 1: is not a trait; a name, or {"),
    ({"traits": [{"gives": []}]}, "traits 1: needs a name"),
    ({"traits": [{"name": "T", "gives": [{"lick": 1}]}]}, "has the parameter 'lick'; did you"),
    ({"traits": [{"name": "T", "gives": [{"luck": 99}]}]}, "traits 1: luck: 99 is out of range"),
    ({"traits": [{"name": "T", "gives": [{"luck": None}]}]}, "traits 1: luck has no value"),
    ({"traits": [{"name": "T", "gives": [{"luck": 1, "for": ["x"]}]}]}, "for: there is no 'x'"),
    ({"notes": 4}, "notes: must be a text"),
    ({"notes": "x" * 20_001}, "notes: has 20001 characters; at most 20000"),
    ({"notes": "\ud800"}, "notes: contains half a character"),
    ({"skills": {str(n): 1 for n in range(201)}}, "skills: has 201 entries; at most 200"),
]


@pytest.mark.parametrize(("fields", "message"), WRONG)
def test_a_mistake_comes_with_a_correction(fields: dict[str, Any], message: str) -> None:
    assert [one for one in mistakes({**JO, **fields}) if message in one]


def test_all_mistakes_come_at_once() -> None:
    data = {**JO, "format": 3, "name": 1, "attributes": {"nerve": 99}, "skils": {}, "traits": [1]}
    assert len(mistakes(data)) == 6


def test_numbers_that_a_formula_cannot_take() -> None:
    from sample_characters import TOY, load_toy

    rules = load_toy(TOY.replace("derived.hand + 3", "12 // attributes.wit"))
    with pytest.raises(BadCharacter, match="the game cannot use these numbers: division"):
        read_character(rules, {**JO, "attributes": {"wit": 0}})


# -- hostile texts


HOSTILE = {
    "empty": "",
    "no JSON": "{",
    "a list": "[]",
    "a number": "7",
    "null": "null",
    "trailing": '{"format": 1} x',
    "deep": "[" * 100_000 + "]" * 100_000,
    "deep in a field": '{"format": 1, "notes": ' + "[" * 50 + "]" * 50 + "}",
    "huge": " " * 200_001,
    "NaN": '{"format": NaN}',
    "Infinity": '{"format": 1, "attributes": {"wit": -Infinity}}',
    "1e999": '{"format": 1, "attributes": {"wit": 1e999}}',
    "long": '{"format": ' + "9" * 5000 + "}",
    "long decimal": '{"format": 0.' + "1" * 5000 + "}",
    "twice": '{"format": 1, "format": 1}',
    "twice inside": '{"attributes": {"wit": 1, "wit": 2}}',
    "bytes": "\x00\x01",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_end_in_one_refusal(name: str) -> None:
    (found,) = mistakes(HOSTILE[name])
    assert found


PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
JSON = st.recursive(
    PLAIN,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=4), part, max_size=3),
    max_leaves=8,
)
GIFT = st.dictionaries(st.sampled_from(["luck", "cards", "for", "off", "checks"]), JSON)
TRAIT = st.fixed_dictionaries({"name": st.just("T"), "gives": st.lists(GIFT, max_size=3)})
ENTRIES = st.dictionaries(st.sampled_from(["wit", "bluff", "chips", "hand", "name", "gives"]), JSON)
FIELDS = st.sampled_from([*JO, "skills", "resources", "derived", "traits", "notes", "kind", "x"])


@settings(max_examples=200)
@given(st.dictionaries(FIELDS, JSON | ENTRIES | st.lists(TRAIT, max_size=2)))
def test_any_input_is_read_or_refused(fields: dict[str, Any]) -> None:
    try:
        who = read_character(toy(), {**JO, **fields})
    except HandfulError:
        return
    assert read_character(toy(), json.loads(json.dumps(canonical_data(toy().sheet, who)))) == who


# -- what an import would change


def test_changes_as_data_and_as_text() -> None:
    old = toy_character(traits=["charmed"], notes="old")
    new = toy_character(
        name="Joe",
        attributes={"wit": 4, "nerve": 2},
        skills={},
        resources={"chips": 0},
        traits=[{"name": "Lucky", "gives": [{"luck": 1}]}],
        derived={"hand": 3},
    )
    found = changes(toy(), old, new)
    assert [str(one) for one in found] == [
        "name: Jo -> Joe",
        "Wit: 3 -> 4",
        "Bluff: gone, was 2",
        "Hand: new, 3",
        "Chips: 1 -> 0",
        "Charmed: gone",
        "Lucky: new, gives luck 1",
        "notes: gone, was old",
    ]
    assert found[1].to_dict() == {"section": "attributes", "name": "wit", "before": 3, "after": 4}
    assert not changes(toy(), old, old)
