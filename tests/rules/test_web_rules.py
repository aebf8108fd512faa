"""Rules whose texts are fuller on the web than in the terminal, played through its API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_play import output_of
from servers import Seat, ServerThread


def done(seat: Seat, do: str, **data: Any) -> None:
    answer = seat.do(do, **data)
    assert answer.status_code == 200, answer.text


@pytest.mark.rule("R-9")
def test_a_modifier_of_a_rule_is_specific_and_one_of_the_narrator_circumstantial(
    tmp_path: Path,
) -> None:
    wrist = output_of("handful roll tuurna check level=Craft --as zejhe --seed 1")
    assert "-2 dice: Injured wrist (Specific Modifier)" in wrist
    with ServerThread(tmp_path / "tables.db") as server:
        narrator = server.open(game="tuurna", players=["ann"])["gm"]
        done(narrator, "bring", sheet=json.loads(output_of("handful sheet zejhe --export")))
        done(narrator, "declare", key="r", check="check", parameters={"level": "Craft"}, **{"as": "gm/Zejhe"})
        done(narrator, "add_line", roll="gm/r", parameter="labor", value=3, note="a lever")
        (roll,) = narrator.get("/view")["rolls"]
    said = {one["words"]["en"]: one["amount"] for one in roll["sources"]}
    assert said["Injured wrist (Specific Modifier)"] == -2
    assert said["a lever (Circumstantial Modifier)"] == 3
    assert roll["question"]["due"] == 3  # Level 2: both count alike
