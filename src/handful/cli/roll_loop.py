"""Play a roll to its end, or up to the point whose odds are requested.

Faces come from a `FaceSource`, answers from the command line in order.
Surplus faces or answers are refused before anything is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from handful.cli.check_request import shorten_word
from handful.cli.face_source import FaceSource, missing_faces
from handful.errors import BadReply, Message, Refused
from handful.library import Roll
from handful.roll import BoundCheck, ChooseDice, PickOption, Throw
from handful.rules.ruleset import localize

AskAnswer = Callable[[Roll], Roll]
MAX_ANSWERS = 1000


def roll_to_end(
    bound: BoundCheck, source: FaceSource, answers: Sequence[str] = (), ask: AskAnswer | None = None
) -> Roll:
    """Return the finished roll; `ask` makes open decisions, or else the usual policy."""
    queue = _AnswerQueue(answers)
    roll = Roll.begin(bound)
    while roll.ask is not None:
        if isinstance(roll.ask, Throw):
            roll = source.throw(roll)
        elif queue.left:
            roll = queue.give(roll)
        else:
            roll = ask(roll) if ask is not None else roll.usual()
    source.refuse_surplus(len(roll.dice))
    queue.refuse_surplus("leave out what is not asked")
    return roll


def roll_up_to(bound: BoundCheck, faces: Sequence[int], answers: Sequence[str]) -> Roll:
    """Return the roll as far as the given faces and answers reach."""
    source, queue = FaceSource(faces), _AnswerQueue(answers)
    roll = Roll.begin(bound)
    while roll.ask is not None:
        if isinstance(roll.ask, Throw):
            if not source.left:
                break
            if source.left < roll.ask.count:
                raise missing_faces(len(faces), source.used + roll.ask.count)
            roll = source.throw(roll)
        elif queue.left:
            roll = queue.give(roll)
        else:
            break
    if source.left and roll.ask is not None:
        raise _unanswered_decision(roll, source.left)
    source.refuse_surplus(len(roll.dice))
    needs_dice = isinstance(roll.ask, Throw)
    queue.refuse_surplus("dice come first: give --faces" if needs_dice else "leave them out")
    return roll


def _unanswered_decision(roll: Roll, left: int) -> BadReply:
    assert isinstance(roll.ask, (ChooseDice, PickOption))
    decision = roll.bound.ruleset.decisions[roll.ask.decision]
    return BadReply(
        Message(
            "command.decision_first",
            left=Message("count.face", count=left),
            title=localize(decision.question),
        )
    )


class _AnswerQueue:
    """Typed answers, consumed in order."""

    def __init__(self, typed: Sequence[str]) -> None:
        if len(typed) > MAX_ANSWERS:
            raise Refused(Message("command.too_many_answers", most=MAX_ANSWERS, typed=len(typed)))
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
            wrong = Message(
                "command.in_answer", number=self.used, answer=shorten_word(answer), problem=refusal.problem
            )
            raise BadReply(wrong, refusal.advice) from None

    def refuse_surplus(self, advice: str) -> None:
        if self.left:
            surplus = ", ".join(repr(shorten_word(answer)) for answer in self.typed[self.used :][:5])
            asked = Message("count.question", count=self.used) if self.used else Message("count.no_question")
            raise BadReply(
                Message(
                    "command.answers_left_over",
                    left=Message("count.answer", count=self.left),
                    surplus=surplus,
                    asked=asked,
                    advice=advice,
                )
            )
