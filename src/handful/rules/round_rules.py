"""Rules for rounds: the `[rounds]` table of a ruleset, checked and compiled.

Data only.  `rules.load_rounds` builds it, `handful.rounds` plays by it.  Formulas read a character's
sheet and `marks`, the ranks that the GM gives a combatant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handful.records import field, record
from handful.rules.params import Wording
from handful.rules.program import Program
from handful.rules.sheet_rules import CheckModifier

TURN, INTERLEAVED = "turn", "interleaved"  # round structures
STABLE, ROLL, SHARED = "stable", "roll", "shared"  # how the last tie is broken
STRUCTURES, LAST_TIES = (TURN, INTERLEAVED), (STABLE, ROLL, SHARED)


@record(eq=False)
class Pace:
    """A pace of movement: distance, cost in actions, and modifiers of checks in that round."""

    name: str
    title: Wording
    distance: Program
    actions: Program
    gives: tuple[CheckModifier, ...]
    burdens: Program  # whether its modifiers apply


@record(eq=False)
class Stance:
    """A stance: takes the whole round and modifies checks against the combatant."""

    name: str
    title: Wording
    choices: Mapping[str, Wording]  # kinds of attack it can protect against; empty: all
    all: Program  # whether it protects against every choice at once
    against: tuple[CheckModifier, ...]


@record(eq=False)
class Target:
    """Parameters that the target of a check supplies; the parameter `by` selects the formula."""

    check: str
    by: str
    values: Mapping[str, Mapping[str, Program]]  # parameter -> value of `by` -> formula


@record(eq=False)
class AnswerRule:
    """A check by which a target may react to a check against it, at the cost of an action."""

    name: str
    title: Wording
    to: str  # the check reacted to; it compares the two rolls
    by: str  # the parameter of `to` that decides whether this applies
    when: tuple[str, ...]  # values of `by` to which this applies
    check: str  # the check that is rolled
    parameters: Mapping[str, str]  # preset parameters, such as the skill
    before: Program  # whether it is declared before the dice are rolled
    early: Program  # whether it is allowed before one's own turn without the GM's permission


@record(eq=False)
class FollowUp:
    """A check that follows an attack: its damage, or the target's resistance."""

    check: str
    parameters: Mapping[str, str]  # preset parameters, such as an attribute
    item: Mapping[str, str]  # parameter -> field of the item that the attack was made with


@record(eq=False)
class Attack:
    """Rolls that follow a check against a target, and the values that its item brings to them."""

    check: str
    item: Mapping[str, str]  # parameter -> field of the item
    damage: FollowUp | None
    resist: FollowUp | None


@record(eq=False)
class RoundRules:
    """All rules for the rounds of a game."""

    seconds: int
    initiative: Program
    ties: tuple[Program, ...]
    marks: Mapping[str, Wording]
    actions: str  # the parameter that takes the number of actions; empty: none
    prepare: str  # the parameter that takes the time as a multiple of the normal time
    calm: tuple[str, ...]  # checks refused to a combatant attacked in this round
    free: tuple[str, ...]  # checks that cost no action
    harm: str  # the resource that damage reduces; empty: none
    heat: tuple[str, ...]  # events of a roll that disable the item used
    retries: Mapping[str, str]  # keys `parameter` and `result`: how failed attempts are carried over
    settings: Mapping[str, str]  # structure, division, last_tie -> option that sets it
    paces: Mapping[str, Pace] = field(default_factory=dict)
    stances: Mapping[str, Stance] = field(default_factory=dict)
    targets: Mapping[str, Target] = field(default_factory=dict)
    answers: Mapping[str, AnswerRule] = field(default_factory=dict)
    attacks: Mapping[str, Attack] = field(default_factory=dict)

    @property
    def stance_parameters(self) -> list[str]:
        """Parameters that a stance may modify in a check against the combatant."""
        modifiers = [modifier for stance in self.stances.values() for modifier in stance.against]
        return list(dict.fromkeys(name for modifier in modifiers for name in modifier.values))

    def formulas(self) -> Iterator[tuple[str, Program]]:
        """Yield every formula with the section that decides what it may read."""
        yield "rounds", self.initiative
        yield from (("rounds", formula) for formula in self.ties)
        for pace in self.paces.values():
            yield "rounds", pace.distance
            yield "rounds", pace.actions
            yield "conditions", pace.burdens
        for stance in self.stances.values():
            yield "conditions", stance.all
        for answer in self.answers.values():
            yield "conditions", answer.before
            yield "conditions", answer.early
        for target in self.targets.values():
            for values in target.values.values():
                yield from (("rounds", formula) for formula in values.values())
