"""The `[rounds]` part of a ruleset: messages for its mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handful.rules.load import load
from handful.rules.source import BadRuleset, Source

TOP = Path(__file__).parents[2]
ME = (TOP / "rulesets" / "me-d6" / "ruleset.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("right", "wrong", "message", "hint"),
    [
        ("seconds = 5", "second = 5", "there is no 'second' here", "seconds"),
        ("seconds = 5", 'seconds = "5"', "seconds must be a whole number", ""),
        ('"skills.dodge"]', '"skills.doge"]', "doge", "dodge"),
        ('"marks.first"', '"marks.fist"', "fist", "first"),
        ('initiative = "derived.initiative"', "initiative = 5", "needs a formula", ""),
        ('ties = ["1 if', 'ties = ["kind", "1 if', "a number is needed here", ""),
        ('actions = "actions"  ', 'actions = "acts"  ', "no parameter 'acts'", "actions"),
        ('calm = ["take10"]', 'calm = ["take11"]', "no check 'take11'", "take10"),
        ('structure = "round_structure"', 'structure = "free_move"', "offers 'by_pace'", "turn"),
        ('structure = "round_structure"', 'structure = "rounds"', "no option 'rounds'", ""),
        ("gives = [{ running = true }]", "gives = [{ runs = true }]", "parameter 'runs'", ""),
        ("[rounds.targets.attack]", "[rounds.targets.attic]", "no check 'attic'", "attack"),
        ('by = "kind"\ndefense', 'by = "sort"\ndefense', "no parameter 'sort'", ""),
        ('check = "check"\n', 'check = "czech"\n', "no check 'czech'", "check"),
        ('parameters = { dice = "melee" }', "parameters = { die = 1 }", "parameter 'die'", "dice"),
        ("[rounds.stances.full_reaction]", "[rounds.stance.full_reaction]", "'stance'", "stances"),
    ],
)
def test_a_mistake_is_reported_with_a_correction(right: str, wrong: str, message: str, hint: str) -> None:
    assert right in ME
    with pytest.raises(BadRuleset) as raised:
        load([Source("me.toml", ME.replace(right, wrong, 1))])
    told = [str(error) for error in raised.value.errors]
    assert any(re.search(re.escape(message), one) and hint in one for one in told), told
    assert all(error.line for error in raised.value.errors)


def test_a_part_that_is_no_table() -> None:
    text = re.sub(r"\[rounds\.paces\.cautious\].*?(?=\[rounds\.paces\.walking\])", "", ME, flags=re.S)
    text = text.replace("[rounds.marks]", "[rounds.paces]\ncautious = 5\n[rounds.marks]")
    with pytest.raises(BadRuleset, match=r"rounds\.paces\.cautious must be a table"):
        load([Source("me.toml", text)])
