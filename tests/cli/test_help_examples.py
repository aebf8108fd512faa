"""Every example in the help works in each game, at a table in a fitting state."""

from __future__ import annotations

from pathlib import Path

import pytest
from effort import rest_in_proof

from handful import library
from handful.cli.console import UserLeft
from handful.cli.repl.commands import REPL_COMMANDS
from handful.cli.repl.examples import fill_example
from handful.cli.repl.help import FIELD_HELP as EXPLAINED
from handful.cli.repl.parsing import FIELDS
from handful.cli.repl.repl import Repl
from handful.library import tables
from handful.library.tables import new_table
from handful.table import actions_in

SEATS = ["seat ann player", "seat bob player"]
BROUGHT = [*SEATS, "bring {character}", "show {character} open"]
DECLARED = [*BROUGHT, "declare {check} as {character}"]
ASKED = [*SEATS, "request ann,bob {check}"]
PROPOSED = [*ASKED, "seat ann", "propose {param} as nobody", "seat kim"]
FIGHT = [*BROUGHT, "fight {character} wolf!:1"]
IN_ORDER = [*BROUGHT, "fight in order {character} wolf!"]
FIXED = [*FIGHT, "fix 2"]
DUEL = [  # me-d6: corvin has waited, the raider strikes at sanna, who may parry
    *SEATS,
    "bring corvin shown=open",
    "bring raider shown=open",
    "bring sanna shown=open",
    "adjust sanna hit_points=12",
    "fight corvin raider sanna",
    "fix 2 as corvin",
    "wait corvin",
    "fix 2 as sanna",
    "end sanna",
    "fix 1 as raider",
    "roll attack dice=melee as raider against sanna faces=5,5,5",
]

STRUCK = [
    *DUEL[:-1],
    'roll attack item="boarding pike" as raider against sanna faces=5,5,5',
    "take hit",
    "finalise",
]

BEFORE: dict[str, list[str]] = {
    "again": [*SEATS, "roll {check}"],
    "back": [*SEATS, "roll {check}"],
    "throw": [*SEATS, "declare {check}"],
    "cancel": [*SEATS, "declare {check}"],
    "undo": FIXED,
    "reveal": [*SEATS, "roll {check} mode=private"],
    "leave": SEATS,
    "whisper": SEATS,
    "share gm": SEATS,
    "note": [*SEATS, "roll {check}"],
    "sheet": BROUGHT,
    "create": SEATS,
    "rename": BROUGHT,
    "show": [*SEATS, "bring {character}"],
    "remove": BROUGHT,
    "use": [*BROUGHT, "adjust {character} hit_points=-9"],
    "propose": [*ASKED, "seat ann"],
    "call": [*SEATS, "seat ann"],
    "request": SEATS,
    "accept": PROPOSED,
    "refuse": PROPOSED,
    "withdraw": ASKED,
    "challenge": ASKED,
    "line": DECLARED,
    "switch": [*DECLARED, "line {roll} {param}"],
    "adjust": BROUGHT,
    "harm": BROUGHT,
    "equip": BROUGHT,
    "fight": BROUGHT,
    "join": [*BROUGHT, "fight in order {character} boar"],
    "out": IN_ORDER,
    "uncover": IN_ORDER,
    "next": IN_ORDER,
    "end": IN_ORDER,
    "fix": FIGHT,
    "act": FIXED,
    "wait": FIXED,
    "prepare": FIGHT,
    "stance": FIGHT,
    "pace": FIXED,
    "react": FIXED,
    "respond": DUEL,
    "interrupt": DUEL,
    "take hit": DUEL,
    "hit damage": STRUCK,
    "hit resist": STRUCK,
    "grant": FIGHT,
}
ROUNDS = {
    "fix",
    "act",
    "wait",
    "prepare",
    "react",
    "interrupt",
    "undo",
    "take hit",
    "hit damage",
    "hit resist",
    "grant",
}  # where there are some
DECIDES = {  # a check that asks for a decision
    "me-d6": "roll check dice=3D difficulty=5 faces=1,5,3",
    "tuurna": "roll check level=3 fate=lucky+cursed",
}


def run(evening: Repl, lines: list[str]) -> None:
    """Obey some lines; placeholders are filled at the last moment."""
    for line in lines:
        said = fill_example(evening, line)
        assert said, f"{line} has nothing to show in {evening.rules.id}"
        evening.run_line(said)


def finish(evening: Repl) -> None:
    """Answer every question as the GM and finalise every roll."""
    evening.run_line("seat kim")
    for roll in [one["roll"] for one in evening.view()["rolls"]]:
        while {"answer", "throw"} & {*actions(evening, roll)}:
            evening.pending_roll = roll if "answer" in actions(evening, roll) else ""
            evening.run_line("" if evening.pending_roll else f"throw {roll}")
        if "finalise" in actions(evening, roll):
            evening.run_line(f"finalise {roll}")


def actions(evening: Repl, roll: str) -> list[str]:
    return [one["do"] for one in actions_in(evening.view()) if one.get("roll") == roll]


def over(evening: Repl) -> None:
    run(evening, ["roll {check}"])
    finish(evening)


def contested(evening: Repl) -> None:
    """Two rolls that are over, by ann and by bob."""
    run(evening, ["seat ann", "roll {check}", "seat bob", "roll {check}"])
    finish(evening)


def doubted(evening: Repl) -> None:
    """A lie of the GM, and a call of ann that is rolled."""
    run(evening, ["roll {check} mode=secret title=lie", "seat ann", "call {check}"])
    finish(evening)
    run(evening, ["accept ann", "seat ann", "throw"])
    finish(evening)


def decided(evening: Repl) -> None:
    """A roll that asks for a decision."""
    usual = "roll direct attribute=3 rerolls=1 faces=1,5,3"
    if evening.rules.id == "tuurna":
        evening.run_line("house rules fate_combine=narrator")
    evening.run_line(DECIDES.get(evening.rules.id, usual))


def left_open(evening: Repl) -> None:
    """A roll whose last decision could still be taken back."""
    decided(evening)
    evening.run_line("cancel" if evening.rules.id == "me-d6" else "none")


def failed(evening: Repl) -> None:
    """Fail a task once."""
    task = "roll check dice=1D difficulty=30 task=the old lock as {character}"
    run(evening, ["bring {character}", "show {character} open", task])
    finish(evening)


SPECIAL = {
    "forget": failed,
    "contest": contested,
    "settle": doubted,
    "answer": decided,
    "finalise": left_open,
    "look": over,
    "history": over,
    "judge": over,
    "correct": over,
}


# me-d6 first: it has every kind of move.
@pytest.mark.parametrize("game", rest_in_proof(sorted(library.shipped(), key="me-d6".__ne__)))
@pytest.mark.parametrize("name", REPL_COMMANDS)
def test_the_example_of_a_command_works(
    name: str, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tables, "token_bytes", bytes)  # the same dice every time
    kept = new_table(game, name="night", gm="kim")
    evening = Repl(kept, "kim", interactive=False)
    rounds = evening.rules.rounds is not None
    if (name, game) == ("finalise", "tuurna"):
        pytest.skip("its only decision comes before the dice, so every roll ends by itself")
    if (name in ROUNDS and not rounds) or not fill_example(evening, REPL_COMMANDS[name].example):
        pytest.skip(f"{game} has nothing of it")
    if name in SPECIAL:
        run(evening, SEATS)
        SPECIAL[name](evening)
    else:
        run(evening, BEFORE.get(name, []))
    example = fill_example(evening, REPL_COMMANDS[name].example)
    if name == "quit":
        with pytest.raises(UserLeft):
            evening.run_line(example)
    else:
        evening.run_line(example)


def test_every_part_of_a_check_is_explained() -> None:
    said = {key.partition("=")[0].split()[0] for key in EXPLAINED}
    assert {*FIELDS} - {"target"} <= said
