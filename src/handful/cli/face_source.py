"""Faces for a roll: typed on the command line, generated, or asked for.

Faces given by `--faces` come first.  Missing ones are generated from the seed, asked for in a
terminal, or refused with the number that is missing.  With neither faces nor seed, the operating
system's generator is used: `SystemRandom` draws by rejection, so every face is equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from handful.cli.check_request import LONGEST_SEED, parse_digits
from handful.errors import BadReply, Message, Refused
from handful.library import Rng, Roll
from handful.roll import Throw

if TYPE_CHECKING:
    import random

MAX_FACES = 20_000
MAX_LOOKAHEAD = 500  # dice simulated to estimate how many faces are missing

AskFaces = Callable[[Throw, tuple[int, ...]], tuple[int, ...]]


def read_faces(texts: Sequence[str]) -> list[int] | None:
    """Parse `--faces 1,5,3`; None without the option."""
    if not texts:
        return None
    entries = [entry for text in texts for entry in _split_faces(text)]
    if len(entries) > MAX_FACES:
        raise Refused(Message("command.too_many_faces", most=MAX_FACES, entries=len(entries)))
    return [_parse_face(entry) for entry in entries]


def _split_faces(text: str) -> list[str]:
    return [] if text.strip().lower() == "ask" else text.replace(",", " , ").split(",")


def _parse_face(entry: str) -> int:
    if (face := parse_digits(entry)) is None:
        typed = entry.strip()
        wrong = Message("command.not_a_face", typed=typed[:20]) if typed else Message("command.face_missing")
        raise Refused(Message("command.bad_faces", wrong=wrong))
    return face


def read_seed(text: str | None) -> random.Random | None:
    """Return the generator for `--seed`; None without the option."""
    if text is None:
        return None
    if (seed := parse_digits(text, LONGEST_SEED)) is None:
        raise Refused(Message("command.bad_seed", text=text[:40]))
    import random  # imported late: not every roll needs it

    return random.Random(seed)


def _system_rng() -> Rng:
    import random

    return random.SystemRandom()


class FaceSource:
    """Faces for one roll; tracks how many of the given faces are used."""

    def __init__(
        self, given: Sequence[int] | None, rng: Rng | None = None, ask: AskFaces | None = None
    ) -> None:
        self.given = list(given or ())
        self.used = 0
        self.rng = rng if rng is not None or given is not None else _system_rng()
        self.ask = ask

    @property
    def left(self) -> int:
        return len(self.given) - self.used

    def take(self, throw: Throw) -> tuple[int, ...]:
        """Take the next given faces, at most as many as the throw needs."""
        faces = tuple(self.given[self.used : self.used + throw.count])
        for face in faces:
            if not 1 <= face <= throw.sides:
                raise BadReply(Message("roll.impossible_face", sides=throw.sides, face=face))
        self.used += len(faces)
        return faces

    def throw(self, roll: Roll) -> Roll:
        """Return the roll after the throw it waits for."""
        ask = roll.ask
        assert isinstance(ask, Throw)
        faces = self.take(ask)
        missing = ask.count - len(faces)
        if missing and self.rng is not None:
            faces += tuple(self.rng.randrange(ask.sides) + 1 for _ in range(missing))
        elif missing and self.ask is not None:
            faces = self.ask(ask, faces)
        elif missing:
            raise missing_faces(len(self.given), self.used - len(faces) + _dice_needed(roll))
        return roll.reply(faces)

    def refuse_surplus(self, thrown: int) -> None:
        if self.left:
            raise BadReply(
                Message(
                    "command.faces_left_over",
                    left=Message("count.face", count=self.left),
                    given=Message("count.given", count=len(self.given)),
                    needed=Message("count.needed", count=thrown),
                )
            )


def missing_faces(given: int, needed: int) -> BadReply:
    """Return the refusal for missing faces, with their number."""
    return BadReply(
        Message(
            "command.faces_missing",
            missing=Message("count.face_missing", count=needed - given),
            given=Message("count.given", count=given),
            needed=Message("count.needed", count=needed),
        )
    )


def _dice_needed(roll: Roll) -> int:
    """Estimate the fewest dice the roll still needs, by playing it with a few constant faces."""
    assert isinstance(roll.ask, Throw)
    faces = sorted({1, 3, 4, roll.ask.sides} & set(range(1, roll.ask.sides + 1)))
    trials = (_dice_to_the_end(roll, own, other) for own in faces for other in faces)
    return min((dice for dice in trials if dice is not None), default=roll.ask.count)


def _dice_to_the_end(roll: Roll, own: int, other: int) -> int | None:
    """Count the dice if the first side always shows `own` and the others `other`; None if too many."""
    dice = 0
    while roll.ask is not None:
        if not isinstance(roll.ask, Throw):
            roll = roll.usual()
            continue
        dice += roll.ask.count
        if dice > MAX_LOOKAHEAD:
            return None
        face = own if roll.ask.side <= 1 else other
        roll = roll.reply((min(face, roll.ask.sides),) * roll.ask.count)
    return dice
