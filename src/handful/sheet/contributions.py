"""Where every die and point comes from: the sheet's lines and the rule's own, in one list.

A rule tells of its parameters by words (`modify("skill", 2, "dice")`); the sheet knows more: which
skill it is, and what grants it.  Wherever a line of the sheet stands behind a word, it is told in
its place; what only the rule knows (half a die that becomes a reroll) is told as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from handful.errors import Refused
from handful.records import field, record
from handful.roll import Modifier
from handful.rules.grammar import BY_GM, BY_RULE
from handful.rules.params import Param, Wording, display_value
from handful.rules.program import Record, Value
from handful.rules.ruleset import localize
from handful.sheet.draft import Draft
from handful.sheet.lines import GM, SHEET, Line, countable_amount


@record()
class Contribution:
    """One entry: a source, an amount with its unit, and who brought it."""

    source: str
    amount: Value
    unit: str
    side: int
    by: str = ""  # empty where the rules themselves bring it
    parameter: str = ""
    number: int = 0  # of its line in the draft; 0 for what the rules bring
    on: bool = True
    switched_by: str = ""
    unit_text: str = ""  # the unit as it is said of this amount: `die` of 1, `dice` of 2
    source_texts: Wording = field(default_factory=dict)  # the source in every language of the game
    unit_texts: Wording = field(default_factory=dict)  # `counted` in every language

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        value = self.amount
        return {
            "source": self.source,
            "amount": str(value) if _needs_fraction_text(value) else display_value(value),
            "unit": self.unit or None,
            "side": self.side or None,
            "by": self.by or "rules",
            "parameter": self.parameter or None,
            "line": self.number or None,
            "on": self.on,
            "switched_by": self.switched_by or None,
        }


def _needs_fraction_text(value: Value) -> bool:
    return isinstance(value, Fraction) and value.denominator > 2


NumberedLine = tuple[int, int, Line]  # the number of a line, its side, the line


def _size(value: Value) -> Value:
    return sum(value.values()) if isinstance(value, Record) else value


def list_contributions(
    draft: Draft, modifiers: Sequence[Modifier], language: str = "en", gms: Sequence[str] = (GM,)
) -> list[Contribution]:
    """Every source of a check, in the order of the rule; lines that are off come last.

    A game may have words for what a rule of it brings, and for what the GM does; `gms` are the
    names of those who lead it.
    """
    return _Collector(draft, language, gms).collect(modifiers)


class _Collector:
    def __init__(self, draft: Draft, language: str, gms: Sequence[str]) -> None:
        self.draft, self.language, self.gms = draft, language, gms
        sheet = draft.ruleset.sheet
        self.words = dict(sheet.told) if sheet else {}
        picks = sheet.picks if sheet else {}
        params = draft.check.params
        self.marks = [name for name in picks if name in params and params[name].separators]
        self.several = draft.check.sides is not None
        self.languages = tuple(dict.fromkeys((language, *draft.ruleset.title)))
        self.lines = [(number, side, line) for number, (side, line) in enumerate(draft.lines_with_sides(), 1)]

    def collect(self, modifiers: Sequence[Modifier]) -> list[Contribution]:
        found: list[Contribution] = []
        done: set[int] = set()
        for place, one in enumerate(modifiers):
            behind = self._lines_behind(one)
            named = [line for _, _, line in behind if line.title or self._origin(line)]
            if not named:
                found.append(self._from_rule(one))
            elif self._adds_up(behind, [m for m in modifiers if m[0] == one[0] and m[3] == one[3]]):
                found += [self._from_line(n, s, line, one) for n, s, line in behind if n not in done]
            else:  # a bound, or a word such as a kind of wound: the rule knows what it comes to
                own = self._lines_of_skill(behind, modifiers[: place + 1])
                found.append(self._from_lines(own, one))
            done |= {number for number, _, _ in behind}
        sides = {one.side or 1 for one in modifiers} if self.several else {1}
        return [*found, *self._remaining(done, sides)]

    def _adds_up(self, behind: Sequence[NumberedLine], modifiers: Sequence[Modifier]) -> bool:
        """Whether lines come to just what the rule tells, so that each can stand for itself."""
        amounts = [self._amount(line) for _, _, line in behind]
        if any(value is None for value in amounts):
            return False
        return bool(sum(map(_size, amounts)) == sum(_size(one.amount) for one in modifiers))

    def _lines_of_skill(self, behind: list[NumberedLine], before: Sequence[Modifier]) -> list[NumberedLine]:
        """Where several skills are checked: only what belongs to the one that is told of."""
        side = before[-1].side
        marks = {word for name in self.marks for word in self.words.get(name, ())}
        number = sum(one.source in marks and one.side == side for one in before) - 1
        own = [entry for entry in behind if entry[2].skill_index in (None, number)]
        return own if any(line.title for _, _, line in own) else behind

    def _lines_behind(self, one: Modifier) -> list[NumberedLine]:
        """The lines that are on and stand behind what the rule tells."""
        return [
            (number, side, line)
            for number, side, line in self.lines
            if line.on and side in (0, one.side or 1) and one.source in self.words.get(line.parameter, ())
        ]

    def _amount(self, line: Line) -> Value:
        try:
            return countable_amount(self.draft.check.params[line.parameter].read(line.value))
        except Refused:  # a line that is off may say what this check cannot take
            return None

    def _side(self, side: int) -> int:
        return side if self.several else 0

    def _from_rule(self, one: Modifier) -> Contribution:
        says = self.draft.ruleset.wording
        return self._contribution(partial(says, one.source), one.amount, one.unit, one.side)

    def _contribution(
        self,
        source: Callable[[str], str],
        amount: Value,
        unit: str,
        side: int,
        labels: Wording | None = None,
        **others: Any,
    ) -> Contribution:
        """An entry whose unit is a word of the rules, or a label; `source` speaks a language."""
        says = self.draft.ruleset.wording
        words = {language: source(language) for language in self.languages}
        units = {
            language: localize(labels, language) if labels else says(unit, language, amount=amount)
            for language in self.languages
        }
        return Contribution(
            words[self.language],
            amount,
            says(unit, self.language),
            side,
            unit_text=units[self.language],
            source_texts=words,
            unit_texts=units,
            **others,
        )

    def _from_lines(self, behind: Sequence[NumberedLine], one: Modifier) -> Contribution:
        named = [(n, line) for n, _, line in behind if line.title or self._origin(line)]
        number, line = named[0]

        def source(language: str) -> str:
            both = " and " if language == "en" else " + "
            return both.join(dict.fromkeys(self._source_text(line, one, language) for _, line in named))

        return self._contribution(
            source, one.amount, one.unit, one.side, by=line.by, parameter=line.parameter, number=number
        )

    def _from_line(self, number: int, side: int, line: Line, one: Modifier) -> Contribution:
        value = self._amount(line)
        unit = "" if isinstance(value, Record) else one.unit

        return self._contribution(
            partial(self._source_text, line, one),
            value,
            unit,
            self._side(side),
            by=line.by,
            parameter=line.parameter,
            number=number,
            on=line.on,
            switched_by=line.switched_by,
        )

    def _source_text(self, line: Line, one: Modifier, language: str) -> str:
        """A line by its title or the rule's word, and what the game calls such a thing."""
        says = self.draft.ruleset.wording
        title, origin = line.says(language) or says(one.source, language), self._origin(line)
        return f"{title} ({says(origin, language)})" if origin else title

    def _origin(self, line: Line) -> str:
        """The word for what rules bring, or for what the GM does; empty where there is none."""
        by_rule = line.by == SHEET and line.source.startswith(("traits.", "conditions."))
        word = BY_RULE if by_rule else BY_GM if line.by in self.gms else ""
        return word if word in self.draft.ruleset.words else ""

    def _remaining(self, done: set[int], sides: set[int]) -> Iterator[Contribution]:
        """Lines that are off, and those of which the rule does not speak, or not yet."""
        for number, side, line in self.lines:
            param = self.draft.check.params.get(line.parameter)
            if number in done or not (line.title or not line.on):
                continue
            if line.on and (line.cannot or (param is not None and param.type == "text")):
                continue  # a skill's name is in what it brings
            value = self._amount(line) if param else None
            unit, labels = "", None
            if value is not None and param and param.unit and (not line.on or side not in sides):
                unit = param.unit
            elif value is not None and param:  # what has no effect here, such as a bound
                unit, labels = localize(param.label, self.language), param.label
            yield self._contribution(
                partial(_line_text, line, param, value),
                value,
                unit,
                self._side(side),
                labels,
                by=line.by,
                parameter=line.parameter,
                number=number,
                on=line.on,
                switched_by=line.switched_by,
            )


def _line_text(line: Line, param: Param | None, value: Value, language: str) -> str:
    label = localize(param.label, language) if param else ""
    source = line.says(language) or label
    return f"{source}: {label} {_format_value(line.value)}" if value is None and param else source


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(_format_value, value)) if isinstance(value, tuple) else str(value)
