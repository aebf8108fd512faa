"""`handful play GAME` from scripts: every line gets an answer, and scripts run."""

import builtins
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runner import run_cli
from effort import rest_in_proof

from handful.cli.repl.memory_tables import MemoryTables
from handful.library import tables as library_tables

SEEDS = 4
VOCABULARY = [
    "",
    "",
    "",
    "1",
    "2",
    "1 2",
    "1,2",
    "none",
    "d",
    "4D+1",
    "yes",
    "help",
    "?",
    "odds",
    "undo",
    "again",
    "history",
    "history 1",
    "history x",
    "options",
    "options half_dice",
    "options reroll_stack=stacking",
    "back",
    "back",
    "done",
    "roll",
    "uwr",
    "agga direct",
    "tuurna",
    "me-d6",
    "me-d6 check dice=2D spend=ask difficulty=5",
    "uwr direct attribute=2 rerolls=1",
    "uwr opposed attribute=2 rerolls=2 vs attribute=1",
    "target=2",
    "target=none",
    "attribute=1",
    "tuurna group judge=min level=2 with level=1",
    "contest level=1 vs level=1",
    "fate=lucky",
    "roll fons direct attribute=2 rerolls=2",
    "direct",
    "check",
    "--option",
    "--option x=y",
    "--option reroll_mode=sequential",
    "handful",
    "handful odds",
    "=",
    "a=b",
    "'",
    "\x00",
    "ü",
    "9" * 50,
    "rulesets",
    "checks nosuch",
    "lint",
    "play",
    "vs",
    "with level=1",
    "cancel",
    "skill",
    "uwr direct --as mira attribute=Grace rerolls=1",
    "attribute=Grce",
    "skill=Stealth",
    "as none",
    "as tove",
    "--as",
    "tuurna check --as=zejhe level=craft,3",
    "labor+=2",
    "sheet ylir",
    "look",
    "again target=2",
    "seats",
    "log",
    "luck",
    "what",
    "finalise",
    "throw",
    "dice direct attribute=1",
]


@pytest.mark.parametrize("seed", rest_in_proof(range(SEEDS)))
def test_any_line_is_answered(
    seed: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = random.Random(seed).choices(VOCABULARY, k=150)
    waiting: Iterator[str] = iter([*lines, "quit", "quit"])
    monkeypatch.setattr(builtins, "input", lambda prompt: next(waiting))
    monkeypatch.setattr(library_tables, "token_bytes", lambda count: bytes([seed]) * count)
    tables = MemoryTables(interactive=True)
    tables.run_interactive([])
    shown = capsys.readouterr()
    assert any(table.view()["rolls"] for table in tables.tables.values())
    assert "bug in handful" not in shown.err
    assert [line for line in shown.out.splitlines() if len(line) > 80] == []
    assert "Nothing was saved" in shown.out


# -- scripts


def test_a_script_is_played_at_a_table_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = run_cli("play uwr", "roll direct attribute=2 target=1 faces=5,1\n# a remark\n\nhistory\n")
    assert (said.status, said.err) == (0, "")
    assert said.out == (
        "Playing standard input at a table in memory; nothing is saved.\n"
        "uwr> roll direct attribute=2 target=1 faces=5,1\n"
        "  you/1: you roll direct attribute=2 target=1\n"
        "  55.56% success\n"
        "  die  1: 5  2: 1\n"
        "\n"
        "1 success against 1: success, just enough\n"
        "uwr direct> history\n"
        "  you/1  direct attribute=2 target=1\n"
        "      5 1; 1 success against 1: success, just enough\n"
    )
    assert not list(tmp_path.iterdir())


def test_a_script_may_name_its_game_and_change_it() -> None:
    said = run_cli("play", "uwr\ndirect attribute=1 faces=6\ntuurna check level=1 faces=1\nhistory\n")
    assert (said.status, said.err) == (0, "")
    assert "game> uwr\nuwr> direct attribute=1 faces=6\n" in said.out
    assert "tuurna check> history\n  you/1  check level=1\n" in said.out
    assert run_cli("", "uwr\n").out == run_cli("play", "uwr\n").out


def test_a_refusal_names_its_line_and_the_rest_is_played() -> None:
    said = run_cli("play uwr", "dance\ndirect attribute=1 faces=6\nroll direct attribute=x\n")
    assert said.status == 2
    assert said.err.startswith("line 1: handful: there is no word 'dance' here; help lists them\n")
    assert "line 3: handful: attribute" in said.err
    assert "1 success" in said.out
    said = run_cli("play", "dance\nuwr\n")
    assert said.status == 2
    assert "line 1: handful: 'dance' is not in the list" in said.err


def test_a_check_on_the_command_line_is_weighed_and_waits_for_roll() -> None:
    said = run_cli("play uwr direct attribute=2 target=1", "roll\n")
    assert (said.status, said.err) == (0, "")
    assert "success    55.56%  5/9" in said.out
    assert "uwr direct> roll\n  you/1: you roll direct attribute=2 target=1\n  die" in said.out
    said = run_cli("play uwr --as mira --option reroll_stack=stacking direct attribute=Grace", "again\n")
    assert said.status == 0
    assert "house rules: reroll_stack=stacking" in said.out
    assert "you as Mira Quill roll direct attribute=3.5" in said.out


def test_a_script_is_asked_nothing() -> None:
    said = run_cli("play tuurna", "roll check\nroll\n")
    assert said.status == 2
    assert "line 1: handful: check needs level" in said.err
    assert "line 2: handful: which check? there is check, contest, group" in said.err


def test_decisions_own_dice_and_undo_in_a_script() -> None:
    lines = "d direct attribute=3 rerolls=1 target=2\n5 1 2\nnone\nundo\n2\n6\n"
    said = run_cli("play uwr", lines)
    assert (said.status, said.err) == (0, "")
    assert "uwr direct faces of 3d6> 5 1 2" in said.out
    assert "uwr direct answer [2]> none" in said.out
    assert "2 successes against 2: success, just enough" in said.out


def test_names_of_the_rulebook_suffice() -> None:
    lines = "grace=3 target=2 faces=5,5,1\nbring mira\nmight tove\nmight target=1 faces=1,1\n"
    said = run_cli("play uwr", lines)
    assert said.status == 2
    assert "you/1: you roll direct attribute=3 target=2" in said.out
    assert "line 3: handful: 'tove'" in said.err
    assert "you/2: you as Mira Quill roll direct attribute=2 target=1" in said.out


# -- names of several words


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("bring Mira Quill", "is there already"),
        ("sheet mira quill", "Mira Quill, player character"),
        ("as mira quill", "Mira Quill makes your checks"),
        ("Direct check attribute=2 as mira quill title=over the wall", '"over the wall" direct'),
        ("show mira quill own", "only the owner and the GM see the sheet of Mira Quill now"),
        ("help Direct check", "half a die becomes a reroll"),
        ("adjust mira quill vitality=-1 a bad fall", '"a bad fall"'),
        ("fight in order mira quill a hungry wolf", ""),
    ],
)
def test_titles_with_spaces_are_understood(line: str, told: str) -> None:
    said = run_cli("play uwr", f"bring Mira Quill\n{line}\n")
    if "already" not in told:
        assert said.err == ""
    assert told in said.out + said.err or line == "bring Mira Quill"


def test_stances_skills_items_and_tasks_with_spaces() -> None:
    said = run_cli(
        "play me-d6",
        "bring Corvin Ade\nbring raider\nroll check dice=heavy weapons difficulty=very difficult "
        "task=an old lock as corvin ade\nequip corvin ade heavy pistol uses=2\n"
        "fight corvin ade raider\nstance full reaction melee as corvin ade\n",
    )
    assert (said.status, said.err) == (0, "")
    for part in (
        "difficulty=very_difficult",
        "heavy pistol, 2 uses a round",
        "full reaction melee",
    ):
        assert part in said.out.replace("\n    ", " ")


# -- the log of a long roll


def flat(text: str) -> str:
    return " ".join(text.split())


def test_the_log_of_a_contest_with_ties_lists_every_throw_in_order() -> None:
    faces = "1,2,2,1,4,1,4,2,3,1,4,3"
    said = run_cli("play tuurna", f"contest level=2 vs level=2 faces={faces}\nlog\n")
    assert (said.status, said.err) == (0, "")
    log = flat(said.out.partition("> log")[2])
    assert (
        "4 you/1: side 1 throws 1 2 (by hand) 5 you/1: side 2 throws 2 1 (by hand) "
        "6 you/1: side 1 throws again 4 1 (by hand) 7 you/1: side 2 throws again 4 2 (by hand) "
        "8 you/1: side 1 throws again 3 1 (by hand) 9 you/1: side 2 throws again 4 3 (by hand) "
        "10 you/1 is final: result 1: failure by 1; side 2 wins"
    ) in log


DUEL = """bring corvin
bring raider
fight corvin raider
fix 2 as corvin
roll attack dice=melee as corvin against raider faces=5,5 spend=ask
paragon-bonus
parry faces=6,2,2
4
finalise
log 40
"""


def test_the_log_of_a_duel_lists_blows_and_spent_points_in_order() -> None:
    said = run_cli("play me-d6", DUEL)
    assert (said.status, said.err) == (0, "")
    log, place = flat(said.out.partition("> log 40")[2]), 0
    for part in (
        "you/1: you as Corvin Ade roll attack",
        "against Raider",
        "Corvin Ade spends an action for you/1",
        "Corvin Ade throws 5 (wild die, by hand)",
        "Corvin Ade throws 5 (by hand)",
        "you choose paragon-bonus, a Paragon point: +3 (spend)",
        "Corvin Ade spends 1 Paragon (now 1) for you/1",
        "you/2: you as Raider roll check",
        "in response to you/1",
        "Raider reacts with you/2",
        "Raider throws 6 (wild die, by hand)",
        "Raider throws 2 2 (by hand)",
        "Raider throws 4 (wild die, thrown again, by hand)",
        "you/2 is final: total 17",
        "you/1 is final: total 17: success by 5",
        "compares you/1 and you/2 with attack",
        "Corvin Ade wins",
    ):
        assert part in log[place:], f"no {part!r} after {log[:place]!r}"
        place = log.index(part, place) + len(part)
