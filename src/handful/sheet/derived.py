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
from handful.rules.sheet_rules import Condition, Resource, Sheet
from handful.sheet.characters import Character, CharacterProficiency, CharacterSkill


@record()
class ResourceRange:
    """From where to where a resource goes, and where it starts."""

    least: int
    most: int
    start: int


@record()
class DerivedValues:
    """What a character's numbers come to."""

    derived: Record
    ranges: Record  # resource -> Range, only those that its kind has
    conditions: tuple[Condition, ...]


def derive(rules: Ruleset, character: Character, options: Mapping[str, Any] | None = None) -> DerivedValues:
    """Everything that is worked out, with the house rules that hold."""
    work = _Evaluator(rules, character, options)
    derived = work.derived()
    ranges = work.ranges()
    return DerivedValues(derived, ranges, work.conditions())


def formula_holds(
    rules: Ruleset, character: Character, when: Program, options: Mapping[str, Any] | None = None
) -> bool:
    """Whether a formula holds for a character."""
    return bool(evaluate(rules, character, when, options))


def evaluate(
    rules: Ruleset,
    character: Character,
    formula: Program,
    options: Mapping[str, Any] | None = None,
    marks: Mapping[str, int] | None = None,
) -> Value:
    """What a formula comes to for a character; `marks` are the ranks that the GM gave it."""
    work = _Evaluator(rules, character, options)
    work.derived()
    work.ranges()
    known = rules.rounds.marks if rules.rounds else {}
    work.known["marks"] = Record({name: (marks or {}).get(name, 0) for name in known})
    return work.value(formula)


class _Evaluator:
    def __init__(self, rules: Ruleset, character: Character, options: Mapping[str, Any] | None) -> None:
        sheet = rules.sheet
        assert sheet is not None
        self.rules, self.sheet, self.character = rules, sheet, character
        self.options = rules.resolve_options(options or {})
        self.known: dict[str, Value] = {
            "attributes": character.attributes,
            "skills": Record({name: skill_rank(sheet, character, name) for name in sheet.skills}),
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
            name: ResourceRange(*(self._bound(bound) for bound in (one.least, one.most, one.start)))
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


def granting_proficiencies(sheet: Sheet, character: Character, skill: str) -> list[tuple[str, Value]]:
    """The proficiencies that grant a skill, with their ranks."""
    found = []
    for name, training in character.proficiencies.items():
        assert isinstance(training, CharacterProficiency)
        if skill in granted_skills(sheet, name, training):
            found.append((name, training.rank))
    return found


def granted_skills(sheet: Sheet, name: str, training: CharacterProficiency) -> tuple[str, ...]:
    """The skills that a proficiency grants."""
    if training.skills is not None:
        return training.skills
    return sheet.proficiencies[name].skills if name in sheet.proficiencies else ()


def skill_rank(sheet: Sheet, character: Character, skill: str) -> Value:
    """The number of a skill: the character's own, or the ranks of all that grant it."""
    own = character.skills.get(skill, CharacterSkill())
    if sheet.proficiency is None:
        return 0 if own.value is None else own.value
    return sum((rank for _, rank in granting_proficiencies(sheet, character, skill)), 0)


def skill_names(sheet: Sheet, character: Character) -> list[str]:
    """The skills that a character has: its own and those granted, in the order of the game."""
    own = {*character.skills}
    for name, training in character.proficiencies.items():
        own |= {*granted_skills(sheet, name, training)}
    return [n for n in sheet.skills if n in own] + sorted(n for n in own if n not in sheet.skills)


def format_resource(resource: Resource, found: DerivedValues, now: int) -> str:
    """`12 of 29`, or the number alone where the range says nothing."""
    own: ResourceRange = found.ranges[resource.name]
    return f"{now} of {own.most}" if not isinstance(resource.most, int) else str(now)
