"""Values computed from a character: derived numbers, resource ranges, conditions.

Formulas are compiled rules, run by the interpreter that runs rolls.  They are pure (no dice, no
decisions), so every run ends with a result.
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
    """Range of a resource for one character, and its starting value."""

    least: int
    most: int
    start: int


@record()
class DerivedValues:
    """Everything computed from one character."""

    derived: Record
    ranges: Record  # resource -> ResourceRange, only those of its kind
    conditions: tuple[Condition, ...]


def derive(rules: Ruleset, character: Character, options: Mapping[str, Any] | None = None) -> DerivedValues:
    """Compute all derived values under these house rules."""
    evaluator = _Evaluator(rules, character, options)
    derived = evaluator.derived()
    ranges = evaluator.ranges()
    return DerivedValues(derived, ranges, evaluator.conditions())


def formula_holds(
    rules: Ruleset, character: Character, when: Program, options: Mapping[str, Any] | None = None
) -> bool:
    """Return whether a formula is true for a character."""
    return bool(evaluate(rules, character, when, options))


def evaluate(
    rules: Ruleset,
    character: Character,
    formula: Program,
    options: Mapping[str, Any] | None = None,
    marks: Mapping[str, int] | None = None,
) -> Value:
    """Return a formula's value for a character; `marks` are the ranks that the GM gave it."""
    evaluator = _Evaluator(rules, character, options)
    evaluator.derived()
    evaluator.ranges()
    known = rules.rounds.marks if rules.rounds else {}
    evaluator.inputs["marks"] = Record({name: (marks or {}).get(name, 0) for name in known})
    return evaluator.value(formula)


class _Evaluator:
    """Evaluates formulas for one character; `inputs` are the sections that they read."""

    def __init__(self, rules: Ruleset, character: Character, options: Mapping[str, Any] | None) -> None:
        sheet = rules.sheet
        assert sheet is not None
        self.rules, self.sheet, self.character = rules, sheet, character
        self.options = rules.resolve_options(options or {})
        self.inputs: dict[str, Value] = {
            "attributes": character.attributes,
            "skills": Record({name: skill_rank(sheet, character, name) for name in sheet.skills}),
            "derived": Record(),
            "resources": character.resources,
            "kind": character.kind,
        }

    def value(self, formula: Program) -> Value:
        check = Check(formula.name, {}, {}, "value", {}, formula)
        args = Record({name: self.inputs[name] for name in formula.params})
        outcome = start(BoundCheck(self.rules, check, args, self.options)).outcome
        assert outcome is not None
        return outcome["value"]

    def derived(self) -> Record:
        for name, rule in self.sheet.derived.items():
            override = self.character.derived.get(name)
            value = self.value(rule.formula) if override is None else override
            self.inputs["derived"] = Record({**self.inputs["derived"], name: value})
        values: Record = self.inputs["derived"]
        return values

    def ranges(self) -> Record:
        """Compute the resource ranges; a resource without a current value is at its start."""
        ranges = {
            name: ResourceRange(
                *(self._bound(bound) for bound in (resource.least, resource.most, resource.start))
            )
            for name, resource in self.sheet.resources.items()
            if self.character.kind in resource.kinds
        }
        current = {name: self.character.resources.get(name, range_.start) for name, range_ in ranges.items()}
        absent = dict.fromkeys(self.sheet.resources, 0)
        self.inputs["resources"] = Record({**absent, **current})
        return Record(ranges)

    def _bound(self, bound: int | Program) -> int:
        value = bound if isinstance(bound, int) else self.value(bound)
        return int(value // 1)

    def conditions(self) -> tuple[Condition, ...]:
        return tuple(condition for condition in self.sheet.conditions.values() if self.value(condition.when))


def granting_proficiencies(sheet: Sheet, character: Character, skill: str) -> list[tuple[str, Value]]:
    """Return the proficiencies that grant a skill, with their ranks."""
    found = []
    for name, proficiency in character.proficiencies.items():
        assert isinstance(proficiency, CharacterProficiency)
        if skill in granted_skills(sheet, name, proficiency):
            found.append((name, proficiency.rank))
    return found


def granted_skills(sheet: Sheet, name: str, proficiency: CharacterProficiency) -> tuple[str, ...]:
    """Return the skills that a proficiency grants."""
    if proficiency.skills is not None:
        return proficiency.skills
    return sheet.proficiencies[name].skills if name in sheet.proficiencies else ()


def skill_rank(sheet: Sheet, character: Character, skill: str) -> Value:
    """Return a skill's rank: the character's own, or the sum of the proficiencies that grant it."""
    entry = character.skills.get(skill, CharacterSkill())
    if sheet.proficiency is None:
        return 0 if entry.value is None else entry.value
    return sum((rank for _, rank in granting_proficiencies(sheet, character, skill)), 0)


def skill_names(sheet: Sheet, character: Character) -> list[str]:
    """Return a character's skills, own and granted, in the order of the game."""
    names = {*character.skills}
    for name, proficiency in character.proficiencies.items():
        names |= {*granted_skills(sheet, name, proficiency)}
    return [skill for skill in sheet.skills if skill in names] + sorted(
        skill for skill in names if skill not in sheet.skills
    )


def format_resource(resource: Resource, values: DerivedValues, now: int) -> str:
    """Format a resource: `12 of 29`, or the number alone if its maximum is the same for everyone."""
    range_: ResourceRange = values.ranges[resource.name]
    return f"{now} of {range_.most}" if not isinstance(resource.most, int) else str(now)
