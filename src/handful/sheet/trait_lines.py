"""What traits and conditions bring to a check: those that fit what is checked."""

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
    """A thing on the sheet that is checked."""

    group: str  # attributes or skills
    name: str
    skill_index: int | None  # where several skills are checked together


class TraitLines:
    """The lines that a character brings to a check beside what is picked."""

    def __init__(
        self, ruleset: Ruleset, check: Check, character: Character, touched: Sequence[PickedEntry]
    ) -> None:
        assert ruleset.sheet is not None
        self.ruleset, self.sheet, self.check = ruleset, ruleset.sheet, check
        self.character, self.touched = character, touched

    def lines(self, options: Mapping[str, Any]) -> list[Line]:
        found = [line for trait in self.character.traits for line in self._trait_lines(trait)]
        for one in derive(self.ruleset, self.character, options).conditions:
            source = f"conditions.{one.name}"
            if one.cannot:
                line = Line("", "", source, Record(one.title))
                found.append(replace(line, cannot=Record(one.cannot)))
            for gift in one.gives:
                found += self._modifier_lines(gift, source, one.title, self.touched)
        return [*found, *self._untrained_lines()]

    def _trait_lines(self, trait: CharacterTrait) -> Iterator[Line]:
        if trait.gives is not None:
            gives, title = trait.gives, {"en": trait.name}
        else:
            known = self.sheet.traits[trait.name]
            gives, title = known.gives, dict(known.title)
        for gift in gives:
            yield from self._modifier_lines(gift, f"traits.{trait.name}", title, self.touched)

    def _untrained_lines(self) -> Iterator[Line]:
        """What a skill brings in which a character has nothing."""
        brings = self.sheet.untrained
        for one in self.touched if brings is not None else ():
            if one.group == "skills" and not skill_rank(self.sheet, self.character, one.name):
                for gift in brings.gives if brings else ():
                    yield from self._modifier_lines(gift, "untrained", brings.title if brings else {}, [one])

    def _modifier_lines(
        self, gift: CheckModifier, source: str, title: Mapping[str, str], touched: Sequence[PickedEntry]
    ) -> Iterator[Line]:
        """The lines of a gift: for all that is checked, or for each skill that it is for."""
        if gift.checks and self.check.name not in gift.checks:
            return
        fitting = [one for one in touched if self._matching_names(one) & {*gift.only_for}]
        if gift.only_for and not fitting:
            return
        places: list[int | None] = [
            *sorted({one.skill_index for one in fitting if one.skill_index is not None})
        ]
        for parameter, value in gift.values.items():
            param = self.check.params.get(parameter)
            if param is None or (self.check.sides and param.whole):
                continue
            for place in places or [None]:
                yield Line(parameter, value, source, Record(title), skill_index=place, on=not gift.off)

    def _matching_names(self, one: PickedEntry) -> set[str]:
        """The names under which a gift may mean this: a skill's, and its attribute's."""
        if one.group == "attributes":
            return {one.name}
        skill = self.sheet.skills.get(one.name)
        own = self.character.skills.get(one.name, CharacterSkill())
        return {one.name, own.attribute or (skill.attribute if skill else "")} - {""}
