"""Rolls that can be played: a bound check and the list of its replies.

Invariant: a roll is immutable, and its state is a function of the check and the replies alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from handful import odds as exact
from handful.errors import BadReply, Message, Refused
from handful.library.chance import Faces, Rng, faces_from
from handful.odds import Odds, describe_check
from handful.records import field, record
from handful.roll import (
    BoundCheck,
    ChooseDice,
    Decided,
    Modifier,
    Node,
    PickOption,
    Question,
    Reply,
    Throw,
    ThrownDie,
    policy_reply,
    resume,
    start,
    why_impossible,
)
from handful.rules.params import display_value, normalize_name
from handful.rules.ruleset import localize
from handful.solver.solver import SolvedRules


@record(eq=False)
class Roll:
    """A roll in progress: a bound check and the list of its replies.

    Every method returns a new roll; two rolls of the same check with the same replies are equal.
    """

    bound: BoundCheck = field(repr=False)
    replies: tuple[Reply, ...]
    node: Node = field(repr=False)
    policies: tuple[str, ...] = field(default=(), repr=False)
    solved: SolvedRules | None = field(default=None, repr=False)  # of its ruleset, for faster odds

    @classmethod
    def begin(cls, bound: BoundCheck, solved: SolvedRules | None = None) -> Roll:
        return cls(bound, (), start(bound), solved=solved)

    @property
    def identity(self) -> Any:
        """Identity of the check: rolls with equal identity and replies are equal on every machine."""
        return self.bound.identity

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Roll):
            return NotImplemented
        return self.replies == other.replies and self.identity == other.identity

    def __hash__(self) -> int:
        return hash((self.replies, self.identity))

    # -- playing

    @property
    def ask(self) -> Question | None:
        """The pending question; None when the roll is finished."""
        return self.node.ask

    @property
    def finished(self) -> bool:
        return self.node.ask is None

    def reply(self, reply: Reply, policy: str = "") -> Roll:
        """Return the roll after one reply: faces, die numbers or an option."""
        node = resume(self.bound, self.node, reply, policy)
        policies = (*self.policies, policy)
        return Roll(self.bound, (*self.replies, reply), node, policies, self.solved)

    def throw(self, rng: Rng | None = None, *, faces: Iterable[int] | None = None) -> Roll:
        """Throw the dice that are asked for: by `rng`, or with the faces given.

        Faces may cover several throws in a row, if no decision lies between them.
        """
        if not isinstance(self.node.ask, Throw):
            raise BadReply(Message("roll.no_dice_here"))
        if faces is not None:
            if not isinstance(faces, Iterable):
                raise BadReply(Message("roll.faces_are_numbers", faces=faces))
            return self._throw_faces(tuple(faces))
        if rng is None or not hasattr(rng, "randrange"):
            raise BadReply(Message("roll.needs_faces"))
        roll, thrown = self, faces_from(rng)
        while isinstance(ask := roll.node.ask, Throw):
            roll = roll.reply(thrown(ask.count, ask.sides))
        return roll

    def _throw_faces(self, faces: tuple[int, ...]) -> Roll:
        roll = self
        while True:
            ask = roll.node.ask
            if not isinstance(ask, Throw):
                raise BadReply(Message("roll.too_many_faces", faces=Message("count.face", count=len(faces))))
            if len(faces) < ask.count:
                raise BadReply(
                    Message(
                        "roll.number_of_faces", count=Message("count.face", count=ask.count), given=len(faces)
                    )
                )
            roll, faces = roll.reply(faces[: ask.count]), faces[ask.count :]
            if not faces:
                return roll

    def answer(self, answer: str | int | Sequence[int]) -> Roll:
        """Answer a decision: die numbers (`[3]`, `"1,4"`, `"none"`), or an option's word."""
        return self.reply(read_answer(self.node.ask, answer))

    def usual(self, policy: str = "usual") -> Roll:
        """Answer a decision as a policy would."""
        return self.reply(policy_reply(self.node, policy), policy)

    def finish(self, rng: Rng, policy: str = "usual") -> Roll:
        """Play the roll to its end: dice by `rng`, decisions by a policy (`usual` or `never`).

        Equivalent to throwing and answering one by one.
        """
        return next(self.endings(rng, 1, policy))

    def endings(self, rng: Rng, count: int, policy: str = "usual") -> Iterator[Roll]:
        """Finish this roll `count` times, each time with new dice from here."""
        if policy not in ("usual", "never"):
            raise Refused(Message("roll.no_such_policy", policy=policy))
        return self._finished(faces_from(rng), count, policy)

    def _finished(self, faces: Faces, count: int, policy: str) -> Iterator[Roll]:
        for _ in range(count):
            roll = self
            while (ask := roll.node.ask) is not None:
                if isinstance(ask, Throw):
                    roll = roll.reply(faces(ask.count, ask.sides))
                else:
                    roll = roll.usual(policy)
            yield roll

    def odds(self, policy: str = "usual") -> Odds:
        """Exact odds from here, with the value of each legal answer and the best one."""
        return exact.odds(self.bound, self.node, policy=policy, solved=self.solved)

    # -- results

    @property
    def result(self) -> Any:
        """The main result; None while the roll is open or if the check has none."""
        return self._field(self.bound.check.main)

    @property
    def success(self) -> Any:
        return self._field("success")

    @property
    def margin(self) -> Any:
        return self._field("margin")

    @property
    def dice(self) -> tuple[ThrownDie, ...]:
        return self.node.trace.dice

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        return self.node.trace.modifiers

    @property
    def decisions(self) -> tuple[Decided, ...]:
        return self.node.trace.decisions

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(sorted(self.node.events))

    @property
    def reason(self) -> str:
        """Why the check is impossible, in words; empty if it is possible."""
        return why_impossible(self.bound, self.node)

    @property
    def tally(self) -> dict[str, Any]:
        """All further fields of the result."""
        own = (self.bound.check.main, "success", "margin", "wins")
        return {k: v for k, v in (self.node.outcome or {}).items() if k not in own}

    def _field(self, name: str) -> Any:
        return None if self.node.outcome is None else self.node.outcome.get(name)

    # -- as data

    def to_dict(self) -> dict[str, Any]:
        """The fields of `handful roll --json`."""
        rules, several = self.bound.ruleset, self.bound.check.sides is not None
        fields: dict[str, Any] = {
            "dice": [_die(thrown, several) for thrown in self.dice],
            "result": shown_number(self.result),
            "success": list(self.success) if isinstance(self.success, tuple) else self.success,
            "margin": shown_number(self.margin),
        }
        if (wins := self._field("wins")) is not None:
            fields["wins"] = list(wins)
        fields["events"] = list(self.events)
        if reason := self.reason:
            fields["reason"] = reason
        fields["modifiers"] = [
            {
                "source": m.source,
                "label": rules.wording(m.source),
                "value": shown_number(m.amount),
                "unit": m.unit,
                **({"side": m.side} if several else {}),
            }
            for m in self.modifiers
        ]
        fields["decisions"] = [self._decided(one, several) for one in self.decisions]
        fields["tally"] = {name: shown_number(value) for name, value in self.tally.items()}
        fields["decided_by_options"] = {
            name: {"value": display_value(self.bound.options[name]), "open": rules.options[name].open}
            for name in sorted(self.node.trace.options)
        }
        return fields | describe_check(self.bound)

    def _decided(self, one: Decided, several: bool) -> dict[str, Any]:
        answer = one.answer if isinstance(one.answer, str) else list(one.answer)
        decided = {
            "decision": one.decision,
            "by": one.by,
            "answer": answer,
            "policy": one.policy or None,
        }
        if one.policy:
            decision = self.bound.ruleset.decisions[one.decision]
            decided["assumed"] = localize(decision.never if one.policy == "never" else decision.usual)
        return decided | ({"side": one.side} if several else {})

    def to_json(self) -> str:
        """Return everything needed to replay this roll, as JSON."""
        import json

        asked = describe_check(self.bound)
        parameters = dict(asked["parameters"])
        return json.dumps(
            {
                "ruleset": self.bound.ruleset.id,
                "hash": self.bound.ruleset.hash,
                "check": self.bound.check.name,
                "sides": parameters.pop("sides", []),
                "parameters": {k: v for k, v in parameters.items() if v is not None},
                "options": asked["options"],
                "replies": [
                    {"answer": reply, "policy": policy} if policy else reply
                    for reply, policy in zip(self.replies, self.policies, strict=True)
                ],
            }
        )


def _die(thrown: ThrownDie, several: bool) -> dict[str, Any]:
    shown_die = {"face": thrown.face, "role": thrown.role, "of": thrown.of}
    return shown_die | ({"side": thrown.side} if several else {})


def shown_number(value: Any) -> Any:
    """Convert a value for JSON: integers stay, fractions become exact strings."""
    if isinstance(value, tuple):
        return [shown_number(entry) for entry in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return str(value) if not isinstance(value, dict) else {k: shown_number(v) for k, v in value.items()}


def read_answer(ask: Question | None, answer: str | int | Sequence[int]) -> Reply:
    """Parse a typed answer to a question."""
    match ask:
        case PickOption():
            return str(answer)
        case ChooseDice():
            if isinstance(answer, int):
                return (answer,)
            if isinstance(answer, (list, tuple)):
                return tuple(answer)
            if not isinstance(answer, str):
                raise BadReply(Message("roll.name_dice_as_list", answer=answer))
            if normalize_name(answer) == "none":
                return ()
            parts = [part.strip() for part in answer.split(",")]
            if not all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
                raise BadReply(Message("roll.name_dice", answer=answer[:40]))
            return tuple(int(part) for part in parts)
    raise BadReply(Message("roll.nothing_to_decide"))
