"""A mistake in the difficulty ladder of a derived ruleset is found on loading."""

from __future__ import annotations

from pathlib import Path

import pytest

import handful
from handful.rules.load import BadRuleset

GAME = """language = 1
id = "house"
extends = "uwr"

[ladder.absurd]
{field} = 5
title = {{ en = "Absurd" }}
"""


def test_a_rung_with_the_fields_of_the_others_loads(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(GAME.format(field="target"))
    house = handful.ruleset(tmp_path / "house.toml")
    assert house.odds("direct", attribute=4, difficulty="absurd").success == 0


def test_a_misspelt_field_is_a_mistake_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(GAME.format(field="targt"))
    with pytest.raises(BadRuleset) as caught:
        handful.ruleset(tmp_path / "house.toml")
    (error,) = caught.value.errors
    assert "only absurd has 'targt'" in error.message
    assert error.line == 6
    assert "target" in error.hint
