"""The reference says everything that the language knows, and is made from the code as it is."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from handful.rules import lexicon
from handful.rules.format import FIELDS
from handful.rules.functions import FUNCTIONS
from handful.rules.grammar import EFFECTS, KEEPS, ROLES, STATEMENTS, SYMBOLS
from handful.rules.params import TYPES

TOP = Path(__file__).parents[1]


def test_every_word_of_the_language_is_described() -> None:
    assert {*lexicon.FUNCTIONS} == {*FUNCTIONS}
    assert {*lexicon.EFFECTS} == {*EFFECTS, "rule"}
    assert {*lexicon.STATEMENTS} >= {*STATEMENTS, "=", "+=", "if", "while", "for", "pass"}
    assert {*lexicon.OPERATORS} >= {*SYMBOLS.values(), "and", "or", "not", "if", "[]", "."}
    assert {*lexicon.TYPES} == {*TYPES}
    assert {*lexicon.ROLES} == {*ROLES}
    assert {*lexicon.KEEPS} == {*KEEPS}
    for entries in lexicon.GROUPS.values():
        for word, forms in entries.items():
            assert forms, word
            assert all(written and means.endswith(".") for written, means in forms), word


def test_the_reference_is_made_from_the_code_as_it_is() -> None:
    place = importlib.util.spec_from_file_location("reference", TOP / "tools" / "reference.py")
    assert place is not None
    assert place.loader is not None
    made = importlib.util.module_from_spec(place)
    place.loader.exec_module(made)
    assert {*made.TITLES} == {*FIELDS}
    kept = (TOP / "docs" / "reference.md").read_text(encoding="utf-8")
    assert kept == made.page(), "run tools/reference.py"
