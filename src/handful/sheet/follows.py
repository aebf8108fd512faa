"""What follows from a character: derived numbers, ranges of resources, conditions.

Formulas are rules of the game, run by the machine that runs rolls; they are quiet, so they come to
an end without a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.records import record
from handful.roll import BoundCheck, start
from handful.rules.program import Program, Record, Value
from handful.rules.ruleset import Check, Ruleset
from handful.rules.sheets import Condition, Resource, Sheet
from handful.sheet.characters import Character, Learned, Training


@record()
class Range:
    """From where to where a resource goes, and where it starts."""

    least: int
    most: int
    start: int


@record()
class Follows:
    """What a character's numbers come to."""

    derived: Record
    ranges: Record  # resource -> Range, only those that its kind has
    conditions: tuple[Condition, ...]


def follows(rules: Ruleset, character: Character, options: Mapping[str, Any] | None = None) -> Follows:
    """Everything that is worked out, with the house rules that hold."""
    work = _Work(rules, character, options)
    derived = work.derived()
    ranges = work.ranges()
    return Follows(derived, ranges, work.conditions())


def allows(
    rules: Ruleset, character: Character, when: Program, options: Mapping[str, Any] | None = None
) -> bool:
    """Whether a formula holds for a character."""
    return bool(number(rules, character, when, options))


def number(
    rules: Ruleset,
    character: Character,
    formula: Program,
    options: Mapping[str, Any] | None = None,
    marks: Mapping[str, int] | None = None,
) -> Value:
    """What a formula comes to for a character; `marks` are the ranks that the GM gave it."""
    work = _Work(rules, character, options)
    work.derived()
    work.ranges()
    known = rules.rounds.marks if rules.rounds else {}
    work.known["marks"] = Record({name: (marks or {}).get(name, 0) for name in known})
    return work.value(formula)


class _Work:
    def __init__(self, rules: Ruleset, character: Character, options: Mapping[str, Any] | None) -> None:
        sheet = rules.sheet
        assert sheet is not None
        self.rules, self.sheet, self.character = rules, sheet, character
        self.options = rules.resolve_options(options or {})
        self.known: dict[str, Value] = {
            "attributes": character.attributes,
            "skills": Record({name: ranks(sheet, character, name) for name in sheet.skills}),
            "derived": Record(),
            "resources": character.resources,
            "kind": character.kind,
        }

    def value(self, formula: Program) -> Value:
        check = Check(formula.name, {}, {}, "value", {}, formula)
        args = Record({name: self.known[name] for name in formula.params})
        outcome = start(BoundCheck(self.rules, check, args, self.options)).outcome
        assert outcome is not None
        return outcome["value"]

    def derived(self) -> Record:
        for name, one in self.sheet.derived.items():
            own = self.character.derived.get(name)
            value = self.value(one.formula) if own is None else own
            self.known["derived"] = Record({**self.known["derived"], name: value})
        made: Record = self.known["derived"]
        return made

    def ranges(self) -> Record:
        """Ranges; a resource that the character does not have yet is where it starts."""
        made = {
            name: Range(*(self._bound(bound) for bound in (one.least, one.most, one.start)))
            for name, one in self.sheet.resources.items()
            if self.character.kind in one.kinds
        }
        now = {name: self.character.resources.get(name, own.start) for name, own in made.items()}
        absent = dict.fromkeys(self.sheet.resources, 0)
        self.known["resources"] = Record({**absent, **now})
        return Record(made)

    def _bound(self, bound: int | Program) -> int:
        value = bound if isinstance(bound, int) else self.value(bound)
        return int(value // 1)

    def conditions(self) -> tuple[Condition, ...]:
        return tuple(one for one in self.sheet.conditions.values() if self.value(one.when))


def grants(sheet: Sheet, character: Character, skill: str) -> list[tuple[str, Value]]:
    """The proficiencies that grant a skill, with their ranks."""
    found = []
    for name, training in character.proficiencies.items():
        assert isinstance(training, Training)
        if skill in granted(sheet, name, training):
            found.append((name, training.rank))
    return found


def granted(sheet: Sheet, name: str, training: Training) -> tuple[str, ...]:
    """The skills that a proficiency grants."""
    if training.skills is not None:
        return training.skills
    return sheet.proficiencies[name].skills if name in sheet.proficiencies else ()


def ranks(sheet: Sheet, character: Character, skill: str) -> Value:
    """The number of a skill: the character's own, or the ranks of all that grant it."""
    own = character.skills.get(skill, Learned())
    if sheet.proficiency is None:
        return 0 if own.value is None else own.value
    return sum((rank for _, rank in grants(sheet, character, skill)), 0)


def skills_of(sheet: Sheet, character: Character) -> list[str]:
    """The skills that a character has: its own and those granted, in the order of the game."""
    own = {*character.skills}
    for name, training in character.proficiencies.items():
        own |= {*granted(sheet, name, training)}
    return [n for n in sheet.skills if n in own] + sorted(n for n in own if n not in sheet.skills)


def room(resource: Resource, found: Follows, now: int) -> str:
    """`12 of 29`, or the number alone where the range says nothing."""
    own: Range = found.ranges[resource.name]
    return f"{now} of {own.most}" if not isinstance(resource.most, int) else str(now)
