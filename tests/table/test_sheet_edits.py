"""Sheet edits at the table: previews, concurrent edits, text imports, histories."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory_table import PlayedTable, sheet
from ruleset_cases import GAMES, ruleset

from handful import table as tables
from handful.errors import BadCharacter, Refused
from handful.sheet import canonical_data, differences, merge, parse_text, read_character

SANNA = "ann/Sanna Vey"


@pytest.fixture
def play() -> PlayedTable:
    made = PlayedTable("me-d6", ann="player", bob="player", eve="watcher")
    made.do("ann", "bring", sheet=sheet("me-d6", "sanna"))
    return made


def with_skill(data: dict[str, Any], **skills: Any) -> dict[str, Any]:
    return {**data, "skills": {**data["skills"], **skills}}


# -- what a sheet comes to


def test_a_preview_works_out_the_numbers_as_the_view_does(play: PlayedTable) -> None:
    """D-44: wounds follow from hit points, Most hit points from Strength."""
    now = tables.view(play.table, "ann")["characters"][0]
    found = tables.preview_sheet(play.table, "ann", now["sheet"])
    assert found["comes_to"] == {name: now[name] for name in found["comes_to"]}
    stronger = {**now["sheet"], "attributes": {**now["sheet"]["attributes"], "strength": "4D+1"}}
    found = tables.preview_sheet(play.table, "ann", stronger)
    assert found["comes_to"]["derived"]["hit_points_most"] == 33
    assert found["comes_to"]["ranges"]["hit_points"] == [-1000, 33]
    dying = {**now["sheet"], "resources": {**now["sheet"]["resources"], "hit_points": 0}}
    found = tables.preview_sheet(play.table, "ann", dying)
    assert [one["condition"] for one in found["comes_to"]["conditions"]] == ["almost_dead"]
    assert tables.view(play.table, "ann")["characters"][0] == now


def test_house_rules_count_in_derived_values() -> None:
    play = PlayedTable("uwr", ann="player")
    found = tables.preview_sheet(play.table, "ann", sheet("uwr", "mira"))
    assert found["new"]
    assert found["comes_to"]["derived"]["load"] == 2
    assert found["comes_to"]["skills"]["acrobatics"] == 2


# -- two edits at once


def test_concurrent_changes_are_reported_and_merged(play: PlayedTable) -> None:
    base = sheet("me-d6", "sanna")
    mark = tables.preview_sheet(play.table, "ann", base)["replaces"]
    mine = with_skill({**base, "notes": "Promoted."}, repair=9)
    play.do("gm", "adjust", character=SANNA, resources={"hit_points": -5})
    with pytest.raises(Refused, match="has changed since"):
        play.do("ann", "bring", sheet=mine, replaces=mark)
    found = tables.preview_sheet(play.table, "ann", mine, None, base)
    assert [(o["section"], o["name"], o["before"], o["after"]) for o in found["meanwhile"]] == [
        ("resources", "hit_points", 17, 12)
    ]
    assert found["clashes"] == []
    assert found["merged"]["resources"]["hit_points"] == 12
    assert found["merged"]["skills"]["repair"] == 9
    play.do("ann", "bring", sheet=found["merged"], replaces=found["replaces"])
    now = tables.view(play.table, "gm")["characters"][0]["sheet"]
    assert now == found["merged"]


def test_a_field_changed_twice_is_a_conflict_and_the_edit_wins(play: PlayedTable) -> None:
    base = sheet("me-d6", "sanna")
    theirs = with_skill(base, repair=7, dodge=5)
    play.do(
        "gm",
        "bring",
        sheet=theirs,
        for_="ann",
        replaces=tables.preview_sheet(play.table, "gm", theirs, "ann")["replaces"],
    )
    found = tables.preview_sheet(play.table, "ann", with_skill(base, repair=9), None, base)
    (clash,) = found["clashes"]
    assert (clash["name"], clash["before"], clash["after"], clash["mine"]) == ("repair", 6, 7, 9)
    assert found["merged"]["skills"] == {**base["skills"], "repair": 9, "dodge": 5}
    assert found["now"] == tables.view(play.table, "ann")["characters"][0]["sheet"]


def test_without_a_change_meanwhile_there_is_nothing_to_merge(play: PlayedTable) -> None:
    base = sheet("me-d6", "sanna")
    found = tables.preview_sheet(play.table, "ann", {**base, "notes": "Promoted."}, None, base)
    assert found["meanwhile"] == []
    assert "merged" not in found


def test_equal_changes_are_no_conflict() -> None:
    rules = ruleset("me-d6").rules
    assert rules.sheet is not None
    base = sheet("me-d6", "sanna")
    both = with_skill(base, repair=9)
    assert merge(rules.sheet, base, both, both) == (both, ())


PLACES = st.dictionaries(
    st.sampled_from(["repair", "dodge", "ranged", "con", "Cooking"]),
    st.one_of(st.none(), st.integers(0, 9)),
    max_size=4,
)
TRAITS = st.lists(st.sampled_from(["quick_thinker", "keen_nose", "dry_lungs"]), unique=True)


@given(PLACES, TRAITS, PLACES, TRAITS)
def test_merging_keeps_every_change_of_both(
    mine: dict[str, Any], own: list[str], theirs: dict[str, Any], others: list[str]
) -> None:
    """A field changed by one edit alone takes that value; the rest stays."""
    rules = ruleset("me-d6").rules
    assert rules.sheet is not None
    base = sheet("me-d6", "sanna")

    def edited(skills: dict[str, Any], traits: list[str]) -> dict[str, Any]:
        left = {n: v for n, v in {**base["skills"], **skills}.items() if v is not None}
        left = {n: {"points": v, "attribute": "technical"} if n == "Cooking" else v for n, v in left.items()}
        assert rules.sheet is not None
        return canonical_data(
            rules.sheet, read_character(rules, {**base, "skills": left, "traits": traits, "notes": "x"})
        )

    one, other = edited(mine, own), edited(theirs, others)
    both, clashes = merge(rules.sheet, base, one, other)
    assert canonical_data(rules.sheet, read_character(rules, both)) == both

    def by(a: Any, b: Any) -> dict[tuple[str, str], Any]:
        assert rules.sheet is not None
        return {(o.section, o.name): o.after for o in differences(rules.sheet, a, b)}

    ours, its = by(base, one), by(base, other)
    assert by(base, both) == {**its, **ours}
    assert {(c.change.section, c.change.name) for c in clashes} == {
        key for key in ours if key in its and ours[key] != its[key]
    }


# -- imports as text


def inline(value: Any) -> str:
    """Write a value in TOML on one line."""
    if type(value) is list:
        return f"[{', '.join(map(inline, value))}]"
    if type(value) is not dict:
        return json.dumps(value)
    return "{ " + ", ".join(f"{json.dumps(key)} = {inline(one)}" for key, one in value.items()) + " }"


def as_toml(data: dict[str, Any]) -> str:
    plain = [f"{name} = {inline(one)}" for name, one in data.items() if type(one) is not dict]
    tables = [
        f"[{name}]\n" + "\n".join(f"{json.dumps(key)} = {inline(value)}" for key, value in one.items())
        for name, one in data.items()
        if type(one) is dict
    ]
    return "\n".join([*plain, *tables])


@pytest.mark.parametrize("game", GAMES)
def test_every_character_is_the_same_as_json_and_as_toml(game: str) -> None:
    rules = ruleset(game)
    for name in rules.characters():
        data = sheet(game, name)
        written = as_toml(data)
        assert parse_text(written) == data
        assert parse_text(rules.export(rules.character(name))) == data


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "Jo"\nname = "Jo"', "is not TOML"),
        ("born = 1999-01-01", "date or time"),
        ("[attributes]\nwit = nan", "too large or too long"),
        ("hello", "is not JSON"),
        ("n = 1" + "0" * 60, "too long"),
        ("a = " + "[" * 3000 + "]" * 3000, "too deeply"),
        ("a = [[[[[[[[[[1]]]]]]]]]]", "too deeply"),
        ('{"name": }', "is not JSON"),
    ],
)
def test_a_text_that_is_no_sheet_is_refused_once(text: str, says: str) -> None:
    with pytest.raises(BadCharacter, match=says):
        parse_text(text)


def test_a_preview_takes_a_text_and_gives_the_data(play: PlayedTable) -> None:
    text = as_toml({**sheet("me-d6", "sanna"), "notes": "Promoted."})
    found = tables.preview_sheet(play.table, "ann", text)
    assert found["sheet"] == {**sheet("me-d6", "sanna"), "notes": "Promoted."}
    assert [one["section"] for one in found["changes"]] == ["notes"]
    with pytest.raises(Refused, match="does not fit: is not JSON"):
        tables.preview_sheet(play.table, "ann", "no sheet")


# -- histories


def history(play: PlayedTable, seat: str, character: str = SANNA) -> list[dict[str, Any]]:
    return tables.character_history(play.rules, play.log_of(seat), character)


def test_a_history_has_every_change_with_its_author(play: PlayedTable) -> None:
    play.do("gm", "harm", character=SANNA, damage=4, words="a fall")
    mine = with_skill(tables.view(play.table, "ann")["characters"][0]["sheet"], repair=9)
    play.do("ann", "bring", sheet=mine, replaces=tables.preview_sheet(play.table, "ann", mine)["replaces"])
    play.do("ann", "use", character=SANNA, resource="medals", use="heal")
    found = history(play, "ann")
    assert [(one["kind"], one["seat"]) for one in found] == [
        ("character_brought", "ann"),
        ("points_changed", "gm"),
        ("character_updated", "ann"),
        ("points_changed", "ann"),
    ]
    said = [[(o["name"], o["before"], o["after"]) for o in one["changes"]] for one in found]
    assert said == [
        [],
        [("hit_points", 17, 13)],
        [("repair", 6, 9)],
        [("hit_points", 13, 23), ("medals", 3, 2)],
    ]
    assert found[1]["about"]["words"] == "a fall"
    assert found[3]["about"]["use"] == "heal"


def test_points_that_a_roll_cost_are_in_the_history(play: PlayedTable) -> None:
    asked = {"dice": "repair", "spend": "paragon-bonus"}
    roll = play.declare("ann", "check", as_=SANNA, parameters=asked)
    last = history(play, "ann")[-1]
    assert (last["kind"], last["about"]["roll"]) == ("points_spent", roll)
    assert [(o["name"], o["before"], o["after"]) for o in last["changes"]] == [("paragon", 3, 2)]


def test_a_history_holds_only_visible_changes(play: PlayedTable) -> None:
    play.do("gm", "bring", sheet=sheet("me-d6", "raider"))
    play.do("gm", "adjust", character=SANNA, resources={"paragon": -1}, words="hush")
    assert [one["kind"] for one in history(play, "bob")] == ["character_brought"]
    assert "hush" not in json.dumps(history(play, "bob"))
    with pytest.raises(Refused) as hidden:
        history(play, "bob", "gm/Raider")
    with pytest.raises(Refused) as absent:
        history(play, "bob", "gm/Nobody")
    assert str(hidden.value).replace("Raider", "Nobody") == str(absent.value)


def test_a_later_viewer_sees_changes_from_then_on(play: PlayedTable) -> None:
    play.do("gm", "adjust", character=SANNA, resources={"paragon": -1})
    play.do("ann", "show", character=SANNA, shown="open")
    play.do("gm", "adjust", character=SANNA, resources={"paragon": -1})
    found = history(play, "eve")
    assert [one["kind"] for one in found] == ["character_brought", "character_shown", "points_changed"]
    assert [(o["before"], o["after"]) for o in found[-1]["changes"]] == [(2, 1)]


def test_editing_rights_are_among_the_legal_actions(play: PlayedTable) -> None:
    play.do("gm", "bring", sheet=sheet("me-d6", "raider"), shown="open")

    def edits(seat: str) -> set[str]:
        actions = tables.legal_actions(play.table, seat)
        return {o["character"] for o in actions if o["do"] == "bring" and "character" in o}

    assert edits("gm") == {SANNA, "gm/Raider"}
    assert edits("ann") == {SANNA}
    assert edits("bob") == edits("eve") == set()
