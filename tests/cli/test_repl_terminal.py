"""`handful play FILE` in a pseudo-terminal: a passed-around screen leaks and loses nothing."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from repl_scripts import ScriptedTable

from handful.cli.repl.screen import CLEAR
from handful.library.tables import open_table
from handful.table import Command

terminal = pytest.importorskip("pseudo_terminal", reason="needs a pseudo-terminal")
CTRL_C, CTRL_D = terminal.CTRL_C, terminal.CTRL_D
Step = tuple[str, str]


def run_session(
    file: Path, steps: list[Step], *words: str, leave: bool = True, columns: int = 80, **env: str
) -> str:
    """A conversation that ends well; all that was shown."""
    last = [("> ", "quit")] if leave else []
    status, text = terminal.talk(["play", str(file), *words], [*steps, *last], columns=columns, **env)
    assert status == 0, text
    assert "Saved in" in text
    assert "Traceback" not in text
    shown: str = text
    return shown


KIM, ANN, BOB = "kim (gm)> ", "ann (player)> ", "bob (player)> "
PASS = "then press Enter. "


def passed(name: str) -> list[Step]:
    return [("> ", f"seat {name}"), (f"Pass the screen to {name}, {PASS}", "")]


def test_a_session_of_uwr_from_an_empty_file(tmp_path: Path) -> None:
    """A new table by questions; a request, a secret lie that gets called, an undo, an export."""
    file, log = tmp_path / "night.handful", tmp_path / "a.log"
    steps: list[Step] = [
        ("game [1]: ", "uwr"),
        ("Who is the GM? [gm]: ", "a/b"),
        ("Who is the GM? [gm]: ", "kim"),
        (KIM, "seat ann player"),
        (KIM, "seat bob player"),
        *passed("ann"),
        (ANN, "bring mira"),
        *passed("kim"),
        (KIM, "request ann direct target=2 hidden=target"),
        (KIM, "roll direct attribute=2 mode=secret title=lie faces=1,1"),
        *passed("ann"),
        (ANN, ""),
        (ANN, "propose attribute=Grace"),
        *passed("kim"),
        (KIM, "accept"),
        *passed("ann"),
        (ANN, "throw 5 1 2"),
        ("ann (player) answer [2]> ", ""),
        ("ann (player) faces of 1d6> ", "undo"),
        ("ann (player) answer [2]> ", "none"),
        (ANN, "finalise"),
        (ANN, "call direct attribute=3 as nobody"),
        *passed("kim"),
        (KIM, "accept"),
        *passed("ann"),
        (ANN, "throw 5 5 5"),
        *passed("kim"),
        (KIM, "settle against lie opposed"),
        *passed("bob"),
        (BOB, "log"),
        (BOB, "luck"),
        (BOB, f"export {log}"),
        (BOB, f"verify {log}"),
    ]
    text = run_session(file, steps)
    for part in ("one of 2, 3", "<- best", "ann catches the lie", "events, ", "head "):
        assert part in text
    bobs = text[text.rindex(CLEAR) :]
    assert '"lie" direct attribute=2: 0 successes' in re.sub(r"\s+", " ", bobs)
    assert "target=2" not in bobs  # what the GM hid stays hidden
    long = [line for line in text.splitlines() if len(line) > 80 and str(tmp_path) not in line]
    assert not [line for line in long if "> " not in line and CLEAR not in line]


def test_passing_the_screen_leaves_nothing_of_the_seat_before(tmp_path: Path) -> None:
    file = tmp_path / "night.handful"
    steps: list[Step] = [
        (KIM, "seat ann player"),
        (KIM, "seat bob player"),
        (KIM, "bring sentry"),
        (KIM, "roll direct attribute=3 mode=gm title=gm-only-title"),
        (KIM, "finalise"),
        (KIM, "roll direct attribute=3 mode=secret title=secret-title"),
        (KIM, "finalise"),
        (KIM, "roll direct attribute=7 target=5 hidden=target title=open-title"),
        (KIM, "request ann direct title=for-ann-alone"),
        *passed("ann"),
        (ANN, "roll direct attribute=2 mode=private title=anns-own"),
        (ANN, "propose attribute=1"),
        (ANN, "log"),
        *passed("bob"),
        (BOB, "log 99"),
        (BOB, "luck"),
        (BOB, "what"),
        (BOB, "\x1b[A"),
        (BOB, "seats"),
    ]
    text = run_session(file, steps, "--game", "uwr", "--gm", "kim")
    cleared = text.rindex(CLEAR)
    assert text.count(CLEAR) == 4  # twice for each time that it is passed
    bobs = text[cleared:]
    for secret in ("gm-only", "secret-title", "Sentry", "for-ann", "anns-own", "target=5"):
        assert secret not in bobs, secret
        assert secret in text[:cleared] or secret == "target=5"
    assert "open-title" in bobs
    # every name on the screen is one that bob's view knows
    kept = open_table(file)
    view = kept.view("bob")
    kept.store.close()
    known = {one["roll"] for one in view["rolls"]} | {one["request"] for one in view["requests"]}
    named = set(re.findall(r"\b(?:kim|ann|bob)/\w+", bobs))
    assert named
    assert named <= known
    # nor does the arrow bring back what others typed: it brought bob's own last line
    assert "bob (player)> what" in bobs


def test_a_dumb_terminal_is_pushed_clear_without_escape_codes(tmp_path: Path) -> None:
    steps: list[Step] = [(KIM, "seat ann player"), *passed("ann"), (ANN, "seats")]
    text = run_session(tmp_path / "n.handful", steps, "--game", "uwr", "--gm", "kim", TERM="dumb")
    assert "\033" not in text
    assert "\n" * 60 in text


def test_no_colour_and_a_narrow_screen(tmp_path: Path) -> None:
    steps: list[Step] = [
        (KIM, "seat ann player"),
        (KIM, "help"),
        (KIM, "house rules"),
        (KIM, "what"),
    ]
    text = run_session(tmp_path / "n.handful", steps, "--game", "me-d6", "--gm", "kim", columns=50)
    assert "\033" not in text
    assert not [line for line in text.splitlines() if len(line) > 50 and "n.handful" not in line]


def test_tab_completes_words_checks_and_names(tmp_path: Path) -> None:
    steps: list[Step] = [
        (KIM, "bring mi\t"),
        (KIM, "sheet mi\t"),
        (KIM, "rol\tdir\tattr\t2 tar\t2"),
        (KIM, "lo\t"),
    ]
    text = run_session(tmp_path / "n.handful", steps, "--game", "uwr", "--gm", "kim")
    assert "kim adds Mira Quill" in text
    assert "Mira Quill, player character (UWR)" in text
    assert "rolls direct attribute=2 target=2" in text


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
def test_leaving_in_the_middle_loses_nothing(key: str, tmp_path: Path) -> None:
    file = tmp_path / "n.handful"
    steps: list[Step] = [(KIM, "roll direct attribute=2 rerolls=1 faces=5,1"), ("answer [2]> ", key)]
    run_session(file, steps, "--game", "uwr", "--gm", "kim", leave=False)
    text = run_session(file, [(KIM, "answer"), ("answer [2]> ", "2"), ("faces of 1d6> ", "5")])
    assert "2: 1→5" in text


def test_killed_in_the_middle_everything_that_was_shown_is_there(tmp_path: Path) -> None:
    file = tmp_path / "n.handful"
    own = terminal.Terminal("play", str(file), "--game", "uwr", "--gm", "kim")
    for line in ("seat ann player", "bring mira for ann", "roll direct attribute=9 title=storm"):
        own.wait_for("> ")
        own.type(line)
    own.wait_for('"storm"')
    own.wait_for("> ")
    own.process.send_signal(signal.SIGKILL)
    own.process.wait()
    own.end()
    text = run_session(file, [("seat [1]: ", "ann"), (ANN, "log"), (ANN, "luck")])
    assert "kim adds Mira Quill" in text
    assert '"storm" direct attribute=9' in text


def test_events_of_another_screen_show_at_the_next_line(tmp_path: Path) -> None:
    file = tmp_path / "n.handful"
    ScriptedTable(tmp_path, "uwr", "n").play_ok("seat ann player")
    own = terminal.Terminal("play", str(file), "--seat", "ann")
    own.wait_for(ANN)
    kept = open_table(file)
    kept.do("kim", Command("seat", "late", {"name": "zoe", "role": "player"}))
    kept.store.close()
    own.type("seats")
    own.wait_for("zoe")
    own.wait_for(ANN)
    own.type("quit")
    assert own.end() == 0
