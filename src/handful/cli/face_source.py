"""Where the faces of dice come from: given by hand, thrown, or asked for.

Faces given by hand come first.  What they do not cover is thrown from a seed, asked for in a
terminal, or refused with how many are missing.  Without any of these the operating system throws:
`SystemRandom` draws by rejection, so every face is equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from handful.cli.check_request import LONGEST_SEED, parse_digits
from handful.errors import BadReply, Refused, format_count
from handful.library import Rng, Roll
from handful.roll import Throw

if TYPE_CHECKING:
    import random

MAX_FACES = 20_000
MAX_LOOKAHEAD = 500  # dice that are looked ahead to say how many faces are missing

AskFaces = Callable[[Throw, tuple[int, ...]], tuple[int, ...]]


def read_faces(texts: Sequence[str]) -> list[int] | None:
    """The faces of `--faces 1,5,3`; None when the option is not used."""
    if not texts:
        return None
    entries = [entry for text in texts for entry in _entries(text)]
    if len(entries) > MAX_FACES:
        raise Refused(f"at most {MAX_FACES:,} faces, not {len(entries):,}")
    return [_face(entry) for entry in entries]


def _entries(text: str) -> list[str]:
    return [] if text.strip().lower() == "ask" else text.replace(",", " , ").split(",")


def _face(entry: str) -> int:
    if (face := parse_digits(entry)) is None:
        typed = entry.strip()
        wrong = f"{typed[:20]!r} is not a face" if typed else "a face is missing"
        raise Refused(f"--faces: {wrong}; give numbers by comma, such as --faces 1,5,3")
    return face


def read_seed(text: str | None) -> random.Random | None:
    """What `--seed` throws from; None when the option is not used."""
    if text is None:
        return None
    if (seed := parse_digits(text, LONGEST_SEED)) is None:
        raise Refused(f"--seed: {text[:40]!r} is not possible; it needs a whole number from 0 on")
    import random  # only who throws pays for loading it

    return random.Random(seed)


def _system_rng() -> Rng:
    import random

    return random.SystemRandom()


class FaceSource:
    """Faces for one roll; counts what was given and used."""

    def __init__(
        self, given: Sequence[int] | None, rng: Rng | None = None, ask: AskFaces | None = None
    ) -> None:
        self.given = list(given or ())
        self.used = 0
        by_hand = given is not None
        self.rng = rng if rng is not None or by_hand else _system_rng()
        self.ask = ask

    @property
    def left(self) -> int:
        return len(self.given) - self.used

    def take(self, throw: Throw) -> tuple[int, ...]:
        """The next faces given by hand, as many as the throw takes."""
        faces = tuple(self.given[self.used : self.used + throw.count])
        for face in faces:
            if not 1 <= face <= throw.sides:
                raise BadReply(f"a d{throw.sides} shows 1 to {throw.sides}, not {face}")
        self.used += len(faces)
        return faces

    def throw(self, roll: Roll) -> Roll:
        """Throw the dice that a roll asks for."""
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
                f"{format_count(self.left, 'face')} too many: {_were(len(self.given), 'given')}, "
                f"{_are(thrown, 'needed')}"
            )


def missing_faces(given: int, needed: int) -> BadReply:
    """The refusal that says how many faces are missing."""
    missing = needed - given
    return BadReply(f"{_are(missing, 'missing', 'face')}: {_were(given, 'given')}, {_are(needed, 'needed')}")


def _are(number: int, what: str, noun: str = "") -> str:
    things = format_count(number, noun) if noun else str(number)
    return f"{things} {'is' if number == 1 else 'are'} {what}"


def _were(number: int, what: str) -> str:
    return f"{number} {'was' if number == 1 else 'were'} {what}"


def _dice_needed(roll: Roll) -> int:
    """How many more dice a roll takes at least, as far as can be foreseen."""
    assert isinstance(roll.ask, Throw)
    faces = sorted({1, 3, 4, roll.ask.sides} & set(range(1, roll.ask.sides + 1)))
    trials = (_dice_to_the_end(roll, own, other) for own in faces for other in faces)
    return min((dice for dice in trials if dice is not None), default=roll.ask.count)


def _dice_to_the_end(roll: Roll, own: int, other: int) -> int | None:
    """The dice still thrown if the first side shows one face and the others another."""
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
