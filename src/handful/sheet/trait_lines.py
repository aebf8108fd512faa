"""Lines that traits and conditions add to a check.

A modifier applies if it is for this check and for one of the picked attributes or skills; one that
names neither always applies.  `rules.check_modifiers` reads the modifiers from files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from handful.records import replace
from handful.rules.program import Record
from handful.rules.ruleset import Check, Ruleset
from handful.rules.sheet_rules import CheckModifier
from handful.sheet.characters import Character, CharacterSkill, CharacterTrait
from handful.sheet.derived import derive, skill_rank
from handful.sheet.lines import Line


class PickedEntry(NamedTuple):
    """An attribute or skill that a check uses."""

    group: str  # attributes or skills
    name: str
    skill_index: int | None  # if several skills are checked at once


class TraitLines:
    """Builds the lines of a character's traits and conditions for one check."""

    def __init__(
        self, ruleset: Ruleset, check: Check, character: Character, picked: Sequence[PickedEntry]
    ) -> None:
        assert ruleset.sheet is not None
        self.ruleset, self.sheet, self.check = ruleset, ruleset.sheet, check
        self.character, self.picked = character, picked

    def lines(self, options: Mapping[str, Any]) -> list[Line]:
        """Return the lines of traits, of current conditions, and for untrained skills."""
        found = [line for trait in self.character.traits for line in self._trait_lines(trait)]
        for condition in derive(self.ruleset, self.character, options).conditions:
            source = f"conditions.{condition.name}"
            if condition.cannot:
                line = Line("", "", source, Record(condition.title))
                found.append(replace(line, cannot=Record(condition.cannot)))
            for modifier in condition.gives:
                found += self._modifier_lines(modifier, source, condition.title, self.picked)
        return [*found, *self._untrained_lines()]

    def _trait_lines(self, trait: CharacterTrait) -> Iterator[Line]:
        if trait.gives is not None:
            gives, title = trait.gives, {"en": trait.name}
        else:
            known = self.sheet.traits[trait.name]
            gives, title = known.gives, dict(known.title)
        for modifier in gives:
            yield from self._modifier_lines(modifier, f"traits.{trait.name}", title, self.picked)

    def _untrained_lines(self) -> Iterator[Line]:
        """Yield the lines for picked skills in which the character has no rank."""
        untrained = self.sheet.untrained
        for entry in self.picked if untrained is not None else ():
            if entry.group == "skills" and not skill_rank(self.sheet, self.character, entry.name):
                for modifier in untrained.gives if untrained else ():
                    yield from self._modifier_lines(
                        modifier, "untrained", untrained.title if untrained else {}, [entry]
                    )

    def _modifier_lines(
        self, modifier: CheckModifier, source: str, title: Mapping[str, str], picked: Sequence[PickedEntry]
    ) -> Iterator[Line]:
        """Yield the lines of a modifier: one for the whole check, or one per skill that it is for."""
        if modifier.checks and self.check.name not in modifier.checks:
            return
        matching = [entry for entry in picked if self._matching_names(entry) & {*modifier.only_for}]
        if modifier.only_for and not matching:
            return
        skills: list[int | None] = [
            *sorted({entry.skill_index for entry in matching if entry.skill_index is not None})
        ]
        for parameter, value in modifier.values.items():
            param = self.check.params.get(parameter)
            if param is None or (self.check.sides and param.whole):
                continue
            for skill in skills or [None]:
                yield Line(parameter, value, source, Record(title), skill_index=skill, on=not modifier.off)

    def _matching_names(self, entry: PickedEntry) -> set[str]:
        """Return the names by which a modifier may refer to an entry: the skill's and its attribute's."""
        if entry.group == "attributes":
            return {entry.name}
        skill = self.sheet.skills.get(entry.name)
        character_skill = self.character.skills.get(entry.name, CharacterSkill())
        return {entry.name, character_skill.attribute or (skill.attribute if skill else "")} - {""}
