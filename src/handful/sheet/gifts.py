"""What traits and conditions bring to a check: those that fit what is checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from handful.records import replace
from handful.rules.program import Record
from handful.rules.ruleset import Check, Ruleset
from handful.rules.sheets import Gift
from handful.sheet.characters import Character, Learned, OwnTrait
from handful.sheet.follows import follows, ranks
from handful.sheet.lines import Line


class Picked(NamedTuple):
    """A thing on the sheet that is checked."""

    group: str  # attributes or skills
    name: str
    place: int | None  # where several skills are checked together


class Gifts:
    """The lines that a character brings to a check beside what is picked."""

    def __init__(
        self, ruleset: Ruleset, check: Check, character: Character, touched: Sequence[Picked]
    ) -> None:
        assert ruleset.sheet is not None
        self.ruleset, self.sheet, self.check = ruleset, ruleset.sheet, check
        self.character, self.touched = character, touched

    def lines(self, options: Mapping[str, Any]) -> list[Line]:
        found = [line for trait in self.character.traits for line in self._trait(trait)]
        for one in follows(self.ruleset, self.character, options).conditions:
            source = f"conditions.{one.name}"
            if one.cannot:
                line = Line("", "", source, Record(one.title))
                found.append(replace(line, cannot=Record(one.cannot)))
            for gift in one.gives:
                found += self._given(gift, source, one.title, self.touched)
        return [*found, *self._untrained()]

    def _trait(self, trait: OwnTrait) -> Iterator[Line]:
        if trait.gives is not None:
            gives, title = trait.gives, {"en": trait.name}
        else:
            known = self.sheet.traits[trait.name]
            gives, title = known.gives, dict(known.title)
        for gift in gives:
            yield from self._given(gift, f"traits.{trait.name}", title, self.touched)

    def _untrained(self) -> Iterator[Line]:
        """What a skill brings in which a character has nothing."""
        brings = self.sheet.untrained
        for one in self.touched if brings is not None else ():
            if one.group == "skills" and not ranks(self.sheet, self.character, one.name):
                for gift in brings.gives if brings else ():
                    yield from self._given(gift, "untrained", brings.title if brings else {}, [one])

    def _given(
        self, gift: Gift, source: str, title: Mapping[str, str], touched: Sequence[Picked]
    ) -> Iterator[Line]:
        """The lines of a gift: for all that is checked, or for each skill that it is for."""
        if gift.checks and self.check.name not in gift.checks:
            return
        fitting = [one for one in touched if self._names(one) & {*gift.only_for}]
        if gift.only_for and not fitting:
            return
        places: list[int | None] = [*sorted({one.place for one in fitting if one.place is not None})]
        for parameter, value in gift.values.items():
            param = self.check.params.get(parameter)
            if param is None or (self.check.sides and param.whole):
                continue
            for place in places or [None]:
                yield Line(parameter, value, source, Record(title), place=place, on=not gift.off)

    def _names(self, one: Picked) -> set[str]:
        """The names under which a gift may mean this: a skill's, and its attribute's."""
        if one.group == "attributes":
            return {one.name}
        skill = self.sheet.skills.get(one.name)
        own = self.character.skills.get(one.name, Learned())
        return {one.name, own.attribute or (skill.attribute if skill else "")} - {""}
