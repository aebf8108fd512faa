"""The language reference is complete and generated from the current code."""

from __future__ import annotations

from pathlib import Path

import reference

from handful.rules import language_reference as lexicon
from handful.rules.file_format import FIELDS
from handful.rules.functions import FUNCTIONS
from handful.rules.grammar import EFFECTS, KEEP_MODES, ROLES, STATEMENTS
from handful.rules.params import TYPES
from handful.rules.syntax_trees import SYMBOLS

TOP = Path(__file__).parents[2]


def test_every_word_of_the_language_is_described() -> None:
    assert {*lexicon.FUNCTIONS} == {*FUNCTIONS}
    assert {*lexicon.EFFECTS} == {*EFFECTS, "rule"}
    assert {*lexicon.STATEMENTS} >= {*STATEMENTS, "=", "+=", "if", "while", "for", "pass"}
    assert {*lexicon.OPERATORS} >= {*SYMBOLS.values(), "and", "or", "not", "if", "[]", "."}
    assert {*lexicon.TYPES} == {*TYPES}
    assert {*lexicon.ROLES} == {*ROLES}
    assert {*lexicon.KEEPS} == {*KEEP_MODES}
    for entries in lexicon.GROUPS.values():
        for word, forms in entries.items():
            assert forms, word
            assert all(written and means.endswith(".") for written, means in forms), word


def test_the_reference_matches_the_code() -> None:
    assert {*reference.TITLES} == {*FIELDS}
    kept = (TOP / "docs" / "reference.md").read_text(encoding="utf-8")
    assert kept == reference.page(), "run tools/reference.py"
