"""Playing a roll to its end, or up to a point of which the odds are wanted.

Faces come from a `Supply`, answers in the order in which they were typed.
Whatever is left over is refused before anything is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from handful.cli.check_request import shorten_word
from handful.cli.face_source import FaceSource, missing_faces
from handful.errors import BadReply, Refused, format_count
from handful.library import Roll
from handful.roll import BoundCheck, ChooseDice, PickOption, Throw
from handful.rules.ruleset import localize

AskAnswer = Callable[[Roll], Roll]
MAX_ANSWERS = 1000


def roll_to_end(
    bound: BoundCheck, supply: FaceSource, answers: Sequence[str] = (), ask: AskAnswer | None = None
) -> Roll:
    """A finished roll; open decisions are asked for, or fall to the usual policy."""
    waiting = _AnswerQueue(answers)
    roll = Roll.begin(bound)
    while roll.ask is not None:
        if isinstance(roll.ask, Throw):
            roll = supply.throw(roll)
        elif waiting.left:
            roll = waiting.give(roll)
        else:
            roll = ask(roll) if ask is not None else roll.usual()
    supply.refuse_surplus(len(roll.dice))
    waiting.refuse_surplus("leave out what is not asked")
    return roll


def roll_up_to(bound: BoundCheck, faces: Sequence[int], answers: Sequence[str]) -> Roll:
    """The roll as far as the given faces and answers carry it."""
    supply, waiting = FaceSource(faces), _AnswerQueue(answers)
    roll = Roll.begin(bound)
    while roll.ask is not None:
        if isinstance(roll.ask, Throw):
            if not supply.left:
                break
            if supply.left < roll.ask.count:
                raise missing_faces(len(faces), supply.used + roll.ask.count)
            roll = supply.throw(roll)
        elif waiting.left:
            roll = waiting.give(roll)
        else:
            break
    if supply.left and roll.ask is not None:
        raise _unanswered_decision(roll, supply.left)
    supply.refuse_surplus(len(roll.dice))
    thrown_first = isinstance(roll.ask, Throw)
    waiting.refuse_surplus("dice come first: give --faces" if thrown_first else "leave them out")
    return roll


def _unanswered_decision(roll: Roll, left: int) -> BadReply:
    assert isinstance(roll.ask, (ChooseDice, PickOption))
    decision = roll.bound.ruleset.decisions[roll.ask.decision]
    return BadReply(
        f"{format_count(left, 'face')} too many: first comes a decision ({localize(decision.question)}); "
        "give its --answer, or leave those faces out"
    )


class _AnswerQueue:
    """Typed answers, given in their order."""

    def __init__(self, typed: Sequence[str]) -> None:
        if len(typed) > MAX_ANSWERS:
            raise Refused(f"at most {MAX_ANSWERS} answers, not {len(typed)}")
        self.typed = list(typed)
        self.used = 0

    @property
    def left(self) -> int:
        return len(self.typed) - self.used

    def give(self, roll: Roll) -> Roll:
        answer = self.typed[self.used]
        self.used += 1
        try:
            return roll.answer(answer)
        except BadReply as refusal:
            told = f"answer {self.used} ({shorten_word(answer)!r}): {refusal.message}"
            raise BadReply(told, refusal.hint) from None

    def refuse_surplus(self, advice: str) -> None:
        if self.left:
            surplus = ", ".join(repr(shorten_word(answer)) for answer in self.typed[self.used :][:5])
            asked = "1 question is" if self.used == 1 else f"{self.used or 'no'} questions are"
            raise BadReply(
                f"{format_count(self.left, 'answer')} too many ({surplus}): {asked} asked; {advice}"
            )
