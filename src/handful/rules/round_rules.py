"""What a game says about rounds: the `[rounds]` part of a ruleset, checked and compiled.

Data only.  `rules.load_rounds` makes it, `handful.rounds` plays by it.  Formulas stand on a
character's sheet and on `marks`, the ranks that the GM gives a combatant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handful.records import field, record
from handful.rules.params import Wording
from handful.rules.program import Program
from handful.rules.sheet_rules import CheckModifier

TURN, INTERLEAVED = "turn", "interleaved"  # how rounds may go
STABLE, ROLL, SHARED = "stable", "roll", "shared"  # what settles a tie that nothing else did
STRUCTURES, LAST_TIES = (TURN, INTERLEAVED), (STABLE, ROLL, SHARED)


@record(eq=False)
class Pace:
    """A way to move: how far, what it costs, and what it does to the checks of the round."""

    name: str
    title: Wording
    distance: Program
    actions: Program
    gives: tuple[CheckModifier, ...]
    burdens: Program  # whether it does anything to checks


@record(eq=False)
class Stance:
    """Something that takes the whole round and helps whoever takes it against others' checks."""

    name: str
    title: Wording
    choices: Mapping[str, Wording]  # what it helps against; empty: everything
    all: Program  # whether it helps against every choice at once
    against: tuple[CheckModifier, ...]


@record(eq=False)
class Target:
    """What the target of a check brings to it: `by` names the parameter that decides which."""

    check: str
    by: str
    values: Mapping[str, Mapping[str, Program]]  # parameter -> value of `by` -> formula


@record(eq=False)
class AnswerRule:
    """A check with which a target may answer a check against it, at the cost of an action."""

    name: str
    title: Wording
    to: str  # the check that is answered, and that compares the two rolls
    by: str  # the parameter of it that decides
    when: tuple[str, ...]  # its values to which this is an answer
    check: str  # what is rolled
    parameters: Mapping[str, str]  # what is filled in already, such as the skill
    before: Program  # whether it is chosen before the dice, and not after them
    early: Program  # whether it may come before one's own turn without the GM's leave


@record(eq=False)
class RoundRules:
    """Everything a ruleset says about rounds."""

    seconds: int
    initiative: Program
    ties: tuple[Program, ...]
    marks: Mapping[str, Wording]
    actions: str  # the parameter that takes the number of actions; empty: there is none
    prepare: str  # the parameter that takes the time as a multiple of the normal time
    calm: tuple[str, ...]  # checks that nobody makes who was attacked in this round
    free: tuple[str, ...]  # checks that are no actions
    harm: str  # the resource that damage takes away; empty: there is none
    heat: tuple[str, ...]  # events of a roll that put the item of it out of use
    retries: Mapping[str, str]  # parameter, result: what a failed try is remembered by
    settings: Mapping[str, str]  # structure, division, last_tie -> the option that says it
    paces: Mapping[str, Pace] = field(default_factory=dict)
    stances: Mapping[str, Stance] = field(default_factory=dict)
    targets: Mapping[str, Target] = field(default_factory=dict)
    answers: Mapping[str, AnswerRule] = field(default_factory=dict)

    @property
    def stance_parameters(self) -> list[str]:
        """What a stance may bring to a check against whoever takes it."""
        gifts = [gift for one in self.stances.values() for gift in one.against]
        return list(dict.fromkeys(name for gift in gifts for name in gift.values))

    def formulas(self) -> Iterator[tuple[str, Program]]:
        """Every formula with the part of the sheet by whose rules it is read."""
        yield "rounds", self.initiative
        yield from (("rounds", one) for one in self.ties)
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
                yield from (("rounds", one) for one in values.values())
