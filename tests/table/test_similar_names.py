"""Names of seats that people could mistake for each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful.table.similar_names import is_invisible, similar_name

ALIKE = [
    ("Ann", "ann"),
    ("ANN", "ann"),
    ("Ann", "Ａnn"),  # a full-width letter
    ("Ann", "Аnn"),  # a Cyrillic A
    ("Bob", "Воb"),
    ("Bob", "B0b"),
    ("Alex", "Αlеx"),  # Greek and Cyrillic
    ("Nora", "Νοrа"),
    ("IDA", "lDA"),
    ("Ian", "lan"),
    ("Ian", "1an"),
    ("Hanna", "Наnnа"),
    ("Arne", "Ame"),
    ("Straße", "STRASSE"),
    ("Анна", "АННА"),
    ("Γιάννης", "ΓΙΆΝΝΗΣ"),
    ("Ann", "Ann\ufe0f"),  # a variation selector
    ("Ann", "A\u034fnn"),
    ("D'Arcy", "D’Arcy"),
    ("José", "Jose\u0301"),
    ("ﬁn", "fin"),
    ("İda", "i\u0307da"),
]
DIFFERENT = [
    ("Ann", "Anna"),
    ("Kai", "Kal"),
    ("Ian", "Lan"),
    ("Ali", "All"),
    ("Jose", "José"),
    ("Bob", "Rob"),
    ("Анна", "Нина"),
    ("player 2", "player 3"),
    ("gm", "qm"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_are_found(one: str, other: str) -> None:
    assert one != other
    assert similar_name(one, ["zoe", other]) == other
    assert similar_name(other, ["zoe", one]) == one


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_people_tell_apart_are_fine(one: str, other: str) -> None:
    assert similar_name(one, [other]) is None
    assert similar_name(other, [one]) is None


@given(st.text(max_size=20))
def test_a_name_looks_like_itself_in_any_case(name: str) -> None:
    for other in (name, name.upper(), name.lower(), name.casefold()):
        if name.casefold() == other.casefold():
            assert similar_name(name, [other]) == other


@pytest.mark.parametrize("name", ["\u2800", "\u3164", "\ufe0f", "\u115f\u1160"])
def test_a_name_without_anything_to_see_is_found(name: str) -> None:
    assert is_invisible(name)
    assert not is_invisible("a" + name)
