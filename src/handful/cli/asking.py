"""Asking people in a terminal: for faces of real dice, and for decisions.

A wrong entry is told and asked again.  Ctrl-D or `q` leaves; Ctrl-C interrupts.
"""

from __future__ import annotations

import sys

from handful.cli import paper, rim
from handful.cli.answers import answer_lines, every_answer
from handful.cli.show_roll import dice_lines
from handful.errors import BadReply, Refused, TooBig
from handful.library import Roll
from handful.roll import ChooseDice, PickOption, Reply, Throw, policy_reply
from handful.rules.ruleset import text


class People:
    """Whoever sits at the terminal."""

    def faces(self, throw: Throw, known: tuple[int, ...]) -> tuple[int, ...]:
        """The faces of real dice, one by one or several at once."""
        faces = known
        while len(faces) < throw.count:
            left = throw.count - len(faces)
            dice = f"{left} d{throw.sides}" if left > 1 else f"one d{throw.sides}"
            typed = entry(f"faces of {dice} ({throw.role}): ")
            try:
                faces += _read(typed, left, throw.sides)
            except BadReply as refusal:
                say(f"  {refusal.message}")
        return faces

    def decision(self, roll: Roll) -> Roll:
        """The roll after somebody's answer."""
        say("\n".join(_question(roll)))
        usual = written(policy_reply(roll.node, "usual"))
        while True:
            typed = entry(f"answer [{usual}]: ") or usual
            if typed == "?":
                say("\n".join(paper.folded(_help(roll), 2)))
                continue
            try:
                return roll.answer(typed)
            except BadReply as refusal:
                say(f"  {refusal.message}")


def people() -> People | None:
    """Somebody to ask, if there is a terminal on both ends."""
    there = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    return People() if there else None


def entry(prompt: str) -> str:
    """One typed line."""
    rim.flush()
    try:
        typed = input(prompt).strip()
    except EOFError:
        say("")
        raise rim.Left from None
    if typed.lower() in ("q", "quit"):
        raise rim.Left
    return typed


def say(line: str) -> None:
    rim.emit(line)


def written(reply: Reply) -> str:
    """A reply as it is typed."""
    return reply if isinstance(reply, str) else ",".join(map(str, reply)) or "none"


def _read(typed: str, most: int, sides: int) -> tuple[int, ...]:
    parts = typed.replace(",", " ").split()
    faces = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 7]
    if not parts or len(faces) < len(parts) or not all(1 <= face <= sides for face in faces):
        raise BadReply(f"a d{sides} shows 1 to {sides}; type one face, or several by comma")
    if len(faces) > most:
        raise BadReply(f"{len(faces)} faces are too many, {most} may follow")
    return tuple(faces)


def _help(roll: Roll) -> str:
    ask = roll.ask
    if isinstance(ask, PickOption):
        return f"type one of: {', '.join(ask.options)}; Enter takes what stands in brackets"
    assert isinstance(ask, ChooseDice)
    dice = ", ".join(map(str, sorted(ask.numbers)))
    return (
        f"type at most {ask.at_most} of the dice {dice} by number, with commas between them, "
        "or none; Enter takes what stands in brackets"
    )


def _question(roll: Roll) -> list[str]:
    ask = roll.ask
    assert isinstance(ask, (ChooseDice, PickOption))
    decision = roll.bound.ruleset.decisions[ask.decision]
    by = "the GM" if ask.by == "gm" else "the player"
    side = f" (side {ask.side})" if roll.bound.check.sides is not None and ask.side else ""
    lines = ["", *dice_lines(roll), ""]
    most = f" (at most {ask.at_most})" if isinstance(ask, ChooseDice) else ""
    lines += paper.folded(f"{by}{side} decides: {text(decision.question)}{most}", 0, 2)
    try:
        return lines + answer_lines(roll, roll.odds())
    except (TooBig, Refused):
        names = ", ".join(every_answer(roll)[:20])
        return lines + paper.folded(f"{names} (too much work to weigh them)", 2, 4)
