"""Commands are read strictly, and their schemas follow from the same fields."""

from __future__ import annotations

from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import jsonschema_rs
import pytest

from golden.scenes import SCENES
from handful.errors import Refused
from handful.table.commands import (
    CommandBody,
    DeclareRoll,
    IncludedThrow,
    NamedSide,
    NewCombatant,
    TypedLine,
    command_kinds,
    fields_of,
    read_command,
    record_schema,
)
from handful.table.decide import _HANDLERS
from handful.table.events import Command
from handful.table.events.values import Counts, Values

KINDS = command_kinds()
PARTS = (IncludedThrow, NamedSide, NewCombatant, TypedLine)
JUNK = [
    None,
    True,
    0,
    -1,
    10**6,
    1.5,
    "",
    "ann",
    "ann/1",
    "x" * 600,
    [],
    ["ann"],
    [1, 2],
    [None],
    {},
    {"a": 1},
]
# (kind, data) of every command in the golden scenes
PLAYED = [
    (do, {**data, "sheet": {}} if "sheet" in data else {**data, "hash": "0" * 64} if do == "rules" else data)
    for _, lines in SCENES.values()
    for _, do, _, data in lines
    if do in KINDS
]


def read(do: str, **data: Any) -> CommandBody:
    return read_command(Command(do, "k", data))


def refusal(do: str, **data: Any) -> str:
    with pytest.raises(Refused) as refused:
        read(do, **data)
    return refused.value.message


def is_valid(do: str, data: dict[str, Any]) -> bool:
    return bool(jsonschema_rs.is_valid(record_schema(KINDS[do]), data))


def test_every_kind_has_a_handler() -> None:
    assert {*_HANDLERS} == {*KINDS.values()}


def test_every_kind_says_who_may_give_it_and_what_it_does() -> None:
    for kind in KINDS.values():
        assert kind.by, kind
        assert "__doc__" in vars(kind), kind


def plain(hint: Any) -> list[Any]:
    """Return the types that a hint is made of, without annotations."""
    if get_origin(hint) is Annotated:
        return plain(get_args(hint)[0])
    if hint in (Values, Counts):
        return []
    if get_origin(hint) in (Union, UnionType, tuple):
        return [one for inner in get_args(hint) if inner is not ... for one in plain(inner)]
    return [hint]


def test_no_field_is_an_untyped_map() -> None:
    for cls in (*KINDS.values(), *PARTS):
        hints = get_type_hints(cls, include_extras=True)
        for field in fields_of(cls).values():
            for one in plain(hints[field.attribute]):
                known = one in (int, str, bool, type(None), object)  # object: any JSON value
                assert known or one in PARTS, (cls, field.attribute)


def test_a_command_becomes_a_record() -> None:
    found = read(
        "declare",
        check="direct",
        **{"as": "ann/Mira", "for": "ann"},
        off=[2],
        add=[{"parameter": "favor", "value": 1}],
        spends="action",
        target="gm/Raider",
    )
    assert found == DeclareRoll(
        check="direct",
        character_ids=("ann/Mira",),
        for_seat="ann",
        off=(2,),
        add=(TypedLine("favor", 1),),
        spends=("action",),
        target="gm/Raider",
    )


def test_characters_and_costs_may_be_given_for_each_side() -> None:
    found = read("declare", check="opposed", **{"as": ["ann/Mira", None, ""]}, spends=["action", "nothing"])
    assert isinstance(found, DeclareRoll)
    assert found.character_ids == ("ann/Mira", "", "")
    assert found.spends == ("action", "nothing")


@pytest.mark.parametrize(
    ("do", "data", "message"),
    [
        ("throw", {}, "throw needs 'roll'"),
        ("throw", {"roll": 3}, "throw: 'roll' must be the name of a roll or a request, such as ann/1"),
        (
            "throw",
            {"roll": "ann/1", "face": [1]},
            "throw takes no 'face'; it takes 'roll', 'faces', 'entropy'",
        ),
        (
            "throw",
            {"roll": "ann/1", "faces": None},
            "throw: 'faces' must be a list of faces, such as [6, 3, 1]",
        ),
        ("next_round", {"now": 1}, "next_round takes nothing; leave out 'now'"),
        ("dance", {}, f"there is no command 'dance'; there is {', '.join([*KINDS][:30])}, "),
        (
            "declare",
            {"check": "direct", "add": [{"parameter": "favor"}]},
            "declare: 'add': a line needs 'value'",
        ),
        (
            "fight",
            {"combatants": []},
            "fight: 'combatants' must be a list of combatants, each a character or a name",
        ),
        ("grant", {"combatant": "a/b", "leave": "all"}, "grant: 'leave' must be 'reaction' or 'free_action'"),
        ("declare", {"check": "direct", "spends": []}, "declare: 'spends' must be"),
    ],
)
def test_a_mistake_is_refused_with_what_would_be_right(do: str, data: dict[str, Any], message: str) -> None:
    assert refusal(do, **data).startswith(message)


@pytest.mark.parametrize("do", KINDS)
def test_a_missing_field_is_refused_by_reader_and_schema(do: str) -> None:
    jsonschema_rs.meta.validate(record_schema(KINDS[do]))
    for name, one in fields_of(KINDS[do]).items():
        if one.required:
            data = next((data for kind, data in PLAYED if kind == do), {})
            left = {other: value for other, value in data.items() if other != name}
            assert "needs" in refusal(do, **left)
            assert not is_valid(do, left)


@pytest.mark.parametrize("do", sorted({do for do, _ in PLAYED}))
def test_the_schema_accepts_what_the_reader_accepts(do: str) -> None:
    for data in [data for kind, data in PLAYED if kind == do]:
        read(do, **data)
        assert is_valid(do, data)
        for name in fields_of(KINDS[do]):
            for junk in JUNK:
                spoiled = {**data, name: junk}
                try:
                    read(do, **spoiled)
                except Refused:
                    continue
                assert is_valid(do, spoiled), spoiled
        assert not is_valid(do, {**data, "nonsense": 1})
