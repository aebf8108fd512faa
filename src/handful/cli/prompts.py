"""Terminal prompts: faces of real dice, decisions, and other input.

Invalid input prints one line and the prompt repeats.  Ctrl-D or `q` leaves; Ctrl-C interrupts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from handful.cli import console, layout
from handful.cli.answers import question_lines
from handful.cli.check_request import parse_digits
from handful.cli.show_roll import dice_lines
from handful.errors import BadReply, HandfulError, Message, Refused
from handful.library import Roll
from handful.roll import ChooseDice, PickOption, Reply, Throw, policy_reply

T = TypeVar("T")
# Handles input that does not answer the question, or raises a refusal.
OtherInputHandler = Callable[[str, Refused], None]


class Prompter:
    """Asks the user at the terminal."""

    def __init__(self, on_other_input: OtherInputHandler | None = None) -> None:
        self.on_other_input = on_other_input
        self.help_text = ""  # of the current question
        self.answer_names: Sequence[str] = ()  # answers to it that are words, for completion

    def ask(
        self, prompt: str, read: Callable[[str], T], help_text: str, answer_names: Sequence[str] = ()
    ) -> T:
        """Prompt until `read` accepts the input, and return its value."""
        while True:
            self.help_text, self.answer_names = help_text, answer_names
            typed = read_line(prompt)
            try:
                return read(typed)
            except Refused as refusal:
                try:
                    self._handle_other_input(typed, refusal)
                except HandfulError as error:
                    echo_error(error)

    def _handle_other_input(self, typed: str, refusal: Refused) -> None:
        if typed == "?":
            echo("\n".join(explanation_lines(self.help_text)))
        elif self.on_other_input is not None:
            self.on_other_input(typed, refusal)
        else:
            raise refusal

    def faces(self, throw: Throw, given: tuple[int, ...]) -> tuple[int, ...]:
        """Ask for the missing faces of real dice, one by one or several at once."""
        faces = given
        while (left := throw.count - len(faces)) > 0:
            sides = throw.sides
            dice = f"{left} d{sides}" if left > 1 else f"one d{sides}"
            faces += self.ask(
                f"faces of {dice} ({throw.role}): ",
                partial(_parse_faces, most=left, sides=sides),
                f"type what your dice show, 1 to {sides}: one face, or several separated by commas",
            )
        return faces

    def decision(self, roll: Roll) -> Roll:
        """Ask for the decision the roll waits for, and return the roll after it."""
        echo("\n".join(_question_lines(roll)))
        usual = format_reply(policy_reply(roll.node, "usual"))
        return self.ask(
            f"answer [{usual}]: ",
            lambda typed: roll.answer(_parse_answer(roll, typed or usual)),
            _answer_help(roll),
            roll.ask.options if isinstance(roll.ask, PickOption) else ("none",),
        )


def terminal_prompter() -> Prompter | None:
    """Return a prompter if standard input and output are both terminals."""
    interactive = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    return Prompter() if interactive else None


def read_line(prompt: str) -> str:
    """Read one line; `q`, `quit`, `exit` and Ctrl-D leave."""
    console.flush()
    try:
        typed = input(prompt).strip()
    except EOFError:
        echo("")
        raise console.UserLeft from None
    if typed.lower() in ("q", "quit", "exit"):
        raise console.UserLeft
    return typed


def echo(line: str) -> None:
    console.emit(line)


def explanation_lines(text: str) -> list[str]:
    """Wrap the help text of a question, paragraph by paragraph."""
    return [line for part in text.split("\n") for line in layout.wrap_text(part, 2, 4)]


def echo_error(error: HandfulError) -> None:
    """Print a refusal with its hint between prompts; other errors go to standard error."""
    if isinstance(error, Refused):
        hint = f"; {error.hint}" if error.hint else ""
        echo("\n".join(layout.wrap_text(console.flatten(error.message + hint), 2, 4)))
    else:
        console.flush()
        console.report_error(error)


def format_reply(reply: Reply) -> str:
    """Format a reply as it is typed."""
    return reply if isinstance(reply, str) else ",".join(map(str, reply)) or "none"


def _parse_faces(typed: str, most: int, sides: int) -> tuple[int, ...]:
    parts = typed.replace(",", " ").split()
    faces = [face for part in parts if (face := parse_digits(part)) is not None]
    if not parts or len(faces) < len(parts) or not all(1 <= face <= sides for face in faces):
        raise BadReply(Message("play.type_faces", sides=sides))
    if len(faces) > most:
        raise BadReply(Message("play.faces_too_many", faces=len(faces), most=most))
    return tuple(faces)


# -- decisions


def _parse_answer(roll: Roll, typed: str) -> str:
    """Normalize a typed answer: an option may be given by number, dice separated by blanks."""
    match roll.ask:
        case PickOption(options=options) if typed not in options:
            if (number := parse_digits(typed)) is not None and 1 <= number <= len(options):
                return options[number - 1]
        case ChooseDice():
            return ",".join(typed.replace(",", " ").split())
    return typed


def _answer_help(roll: Roll) -> str:
    ask = roll.ask
    if isinstance(ask, PickOption):
        return f"type one of {', '.join(ask.options)}, or its number; press Enter for the answer in brackets"
    assert isinstance(ask, ChooseDice)
    numbers = sorted(ask.numbers)
    return (
        f"type up to {ask.at_most} of the dice {', '.join(map(str, numbers))} by number, such as "
        f"{format_reply(tuple(numbers[: ask.at_most][:2]))}, or none; "
        "press Enter for the answer in brackets"
    )


def _question_lines(roll: Roll) -> list[str]:
    dice = dice_lines(roll)
    return ["", *dice, *([""] if dice else []), *question_lines(roll)]
