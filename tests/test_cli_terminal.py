"""The command line in a terminal: questions, odds beside the answers, and ways to leave.

A pseudo-terminal stands in for the real one; each step waits for a text before it types.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest

pty = pytest.importorskip("pty")

Step = tuple[str, str]  # what to wait for, and what to type then
CTRL_C, CTRL_D = "\x03", "\x04"
PATIENCE = 30.0


def heed_interrupts() -> None:
    """A test run in the background may have been told to ignore Ctrl-C; its command shall not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Terminal:
    """A command in a pseudo-terminal, and everything it has shown."""

    def __init__(self, *words: str, **env: str) -> None:
        own, other = pty.openpty()
        self.screen, self.seen, self.text = own, 0, ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "handful", *words],
            stdin=other, stdout=other, stderr=other, start_new_session=True,
            preexec_fn=heed_interrupts,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "1", **env},
        )  # fmt: skip
        os.close(other)

    def read(self, seconds: float) -> bool:
        """Take in what is shown; False at the end."""
        if not select.select([self.screen], [], [], seconds)[0]:
            return True
        try:
            shown = os.read(self.screen, 65536)
        except OSError:
            return False
        self.text += shown.decode().replace("\r\n", "\n")
        return bool(shown)

    def wait_for(self, part: str) -> None:
        end = time.monotonic() + PATIENCE
        while part not in self.text[self.seen :]:
            assert time.monotonic() < end, f"no {part!r} in:\n{self.text}"
            assert self.read(0.2), f"ended without {part!r}:\n{self.text}"
        self.seen = self.text.index(part, self.seen) + len(part)

    def type(self, text: str) -> None:
        if text == CTRL_C:
            self.interrupt()
        else:
            os.write(self.screen, (text if text == CTRL_D else text + "\n").encode())

    def interrupt(self) -> None:
        """Press Ctrl-C; once more if it came just before the command began to listen."""
        for _ in range(10):
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(2)
                return

    def end(self) -> int:
        """Read to the end; the exit status."""
        end = time.monotonic() + PATIENCE
        while self.read(0.2):
            assert time.monotonic() < end, f"does not end:\n{self.text}"
            if self.process.poll() is not None and not select.select([self.screen], [], [], 0)[0]:
                break
        os.close(self.screen)
        return self.process.wait(PATIENCE)


def talk(words: Sequence[str], steps: Sequence[Step], **env: str) -> tuple[int, str]:
    """Hold a conversation; the exit status and all that was shown."""
    terminal = Terminal(*words, **env)
    try:
        for part, answer in steps:
            terminal.wait_for(part)
            terminal.type(answer)
        return terminal.end(), terminal.text
    finally:
        if terminal.process.poll() is None:
            terminal.process.kill()
            terminal.process.wait()


REROLL = ["roll", "uwr", "direct", "attribute=3", "rerolls=1", "target=2", "--faces"]


def test_a_decision_is_asked_with_the_odds_of_each_answer() -> None:
    steps = [("answer [1]:", "7"), ("answer [1]:", "3"), ("one d6", "6")]
    status, text = talk([*REROLL, "1,5,3"], steps)
    assert status == 0, text
    assert "Which dice do you reroll?" in text
    assert "33.33% success  <- best" in text
    assert "picking die 2 cannot help" in text
    assert "die 7 may not be picked here" in text
    assert "3: 3→6" in text
    assert "2 successes against 2: success, just enough" in text


def test_a_ruling_shows_both_totals() -> None:
    words = ["roll", "me-d6", "check", "dice=3D", "difficulty=5", "--faces", "1,5,3"]
    status, text = talk(
        words, [("answer [cancel]:", "perhaps"), ("answer [cancel]:", "COMPLICATION")]
    )
    assert status == 0, text
    assert "total 4 against 5: failure by 1" in text
    assert "total 9 against 5: success by 4" in text
    assert "'perhaps' is not possible here" in text
    assert "A complication" in text


def test_enter_takes_the_usual_answer() -> None:
    status, text = talk([*REROLL, "1,5,3", "--seed", "1"], [("answer [1]:", "")])
    assert status == 0, text
    assert "reroll: dice 1, by the player" in text


def test_answers_given_beforehand_are_not_asked() -> None:
    status, text = talk([*REROLL, "1,5,3,6", "--answer", "1"], [])
    assert status == 0, text
    assert "decides" not in text


def test_missing_faces_are_asked_for_until_they_fit() -> None:
    words = ["roll", "uwr", "direct", "attribute=4", "target=2", "--faces", "6"]
    steps = [("faces of 3 d6", "7"), ("faces of 3 d6", "5"), ("faces of 2 d6", "1,2,3"),
             ("faces of 2 d6", "1 2")]  # fmt: skip
    status, text = talk(words, steps)
    assert status == 0, text
    assert "a d6 shows 1 to 6" in text
    assert "3 faces are too many" in text
    assert "1: 6  2: 5  3: 1  4: 2" in text


def test_all_faces_may_be_asked_for() -> None:
    status, text = talk(
        ["roll", "uwr", "direct", "attribute=2", "--faces", "ask"], [("faces of 2", "5,1")]
    )
    assert status == 0, text
    assert "1: 5  2: 1" in text


def test_json_asks_nothing() -> None:
    status, text = talk([*REROLL, "1,5,3", "--seed", "1", "--json"], [])
    assert status == 0, text
    assert text.lstrip().startswith("{")
    assert '"policy": "usual"' in text


@pytest.mark.parametrize("way", [CTRL_D, "q"])
def test_leaving_a_roll(way: str) -> None:
    status, text = talk([*REROLL, "1,5,3"], [("answer [1]:", way)])
    assert status == 130
    assert "handful: left before the roll was finished" in text
    assert "Traceback" not in text


def test_ctrl_c_ends_a_roll_without_a_traceback() -> None:
    status, text = talk([*REROLL, "1,5,3"], [("answer [1]:", CTRL_C)])
    assert status == 130
    assert "Traceback" not in text


# -- the conversation without a command

FIRST = [("Which game?", "uwr"), ("Which check?", "direct")]
PARAMETERS: list[Step] = [
    ("Attribute (dice) [0]:", "3.25"),
    ("Attribute (dice) [0]:", "3.5"),
    ("Skill (dice) [0]:", "2"),
    ("Narrow skill", ""),
    ("Further rerolls", "?"),
    ("Further rerolls", ""),
    ("Bonus or penalty", ""),
    ("Favor", ""),
    ("Target (successes) [none]:", "2"),
    ("Difficulty", ""),
]


def test_an_interactive_roll() -> None:
    steps = [*FIRST, *PARAMETERS, ("Enter rolls", "d"), ("faces of 5 d6", "5 1 2 3 4"),
             ("answer [2]:", ""), ("one d6", "6"), ("Enter rolls", "q")]  # fmt: skip
    status, text = talk([], steps)
    assert status == 0, text
    assert "3.25 is not a multiple of 0.5" in text
    assert "473/729" in text
    assert "2: 1→6" in text
    assert "2 successes against 2: success" in text


def test_sides_are_asked_one_after_the_other() -> None:
    steps = [("Which game?", "tuurna"), ("Which check?", "contst"), ("number or name", "contest"),
             ("Ties", ""), ("Level (dice):", "3"), ("anything else", "fate=luky"),
             ("anything else", "fate=lucky"), ("Level", "4"), ("anything else", ""),
             ("a further side? [no]", ""), ("Enter rolls", ""), ("Enter rolls", "n"),
             ("Which check?", "q")]  # fmt: skip
    status, text = talk([], steps)
    assert status == 0, text
    assert "did you mean 'contest'?" in text
    assert "'luky' is not known" in text
    assert "level=3 fate=lucky vs level=4" in text
    assert "side 1 wins" in text


@pytest.mark.parametrize("way", [CTRL_D, "q"])
def test_leaving_the_conversation(way: str) -> None:
    status, text = talk([], [("Which game?", way)])
    assert status == 0
    assert "Traceback" not in text


def test_ctrl_c_leaves_the_conversation() -> None:
    status, text = talk([], [("number or name", CTRL_C)])
    assert status == 0
    assert "Traceback" not in text


# -- colour


@pytest.mark.parametrize(
    ("env", "colour"),
    [
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "", "TERM": "dumb"}, False),
    ],
)
def test_colour_only_where_it_is_wanted(env: dict[str, str], colour: bool) -> None:
    _, text = talk(["odds", "uwr", "direct", "attribute=2", "target=1"], [], **env)
    assert ("\033[" in text) is colour
    assert "success" in text
