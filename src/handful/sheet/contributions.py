"""Breakdown of a check: the draft's lines and the rule's own modifiers, in one list.

A rule reports its modifiers by word (`modify("skill", 2, "dice")`); the sheet knows more, such as
which skill it is and what grants it.  A modifier that comes from lines is replaced by them; one that
only the rule knows (half a die becomes a reroll) stays as it is.
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
    """One entry of the breakdown: a source, an amount with its unit, and who added it."""

    source: str
    amount: Value
    unit: str
    side: int
    by: str = ""  # empty for modifiers of the rules themselves
    parameter: str = ""
    number: int = 0  # of its line in the draft; 0 for modifiers of the rules
    on: bool = True
    switched_by: str = ""
    unit_text: str = ""  # singular or plural by the amount: `die`, `dice`
    source_texts: Wording = field(default_factory=dict)  # `source` in every language of the game
    unit_texts: Wording = field(default_factory=dict)  # `unit_text` in every language

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
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


NumberedLine = tuple[int, int, Line]  # number of the line, side, line


def _size(value: Value) -> Value:
    return sum(value.values()) if isinstance(value, Record) else value


def list_contributions(
    draft: Draft, modifiers: Sequence[Modifier], language: str = "en", gms: Sequence[str] = (GM,)
) -> list[Contribution]:
    """Return every contribution to a check in rule order, then the lines that are off.

    A game may have words for contributions of its rules and of the GM; `gms` are the GM's names.
    """
    return _Collector(draft, language, gms).collect(modifiers)


class _Collector:
    """Matches the lines of a draft with the modifiers that its rule reports."""

    def __init__(self, draft: Draft, language: str, gms: Sequence[str]) -> None:
        self.draft, self.language, self.gms = draft, language, gms
        sheet = draft.ruleset.sheet
        self.words = dict(sheet.parameter_words) if sheet else {}
        picks = sheet.picks if sheet else {}
        params = draft.check.params
        self.list_picks = [name for name in picks if name in params and params[name].separators]
        self.several = draft.check.sides is not None
        self.languages = tuple(dict.fromkeys((language, *draft.ruleset.title)))
        self.lines = [(number, side, line) for number, (side, line) in enumerate(draft.lines_with_sides(), 1)]

    def collect(self, modifiers: Sequence[Modifier]) -> list[Contribution]:
        entries: list[Contribution] = []
        done: set[int] = set()
        for index, modifier in enumerate(modifiers):
            lines = self._lines_of(modifier)
            named = [line for _, _, line in lines if line.title or self._origin(line)]
            if not named:
                entries.append(self._rule_entry(modifier))
            elif self._adds_up(lines, [m for m in modifiers if m[0] == modifier[0] and m[3] == modifier[3]]):
                entries += [self._line_entry(n, s, line, modifier) for n, s, line in lines if n not in done]
            else:  # a limit, or a word such as a kind of wound: only the rule knows the amount
                skill_lines = self._lines_of_skill(lines, modifiers[: index + 1])
                entries.append(self._combined_entry(skill_lines, modifier))
            done |= {number for number, _, _ in lines}
        sides = {modifier.side or 1 for modifier in modifiers} if self.several else {1}
        return [*entries, *self._remaining(done, sides)]

    def _adds_up(self, lines: Sequence[NumberedLine], modifiers: Sequence[Modifier]) -> bool:
        """Return whether the lines sum to what the rule reports, so that each can be listed by itself."""
        amounts = [self._amount(line) for _, _, line in lines]
        if any(value is None for value in amounts):
            return False
        return bool(sum(map(_size, amounts)) == sum(_size(modifier.amount) for modifier in modifiers))

    def _lines_of_skill(self, lines: list[NumberedLine], before: Sequence[Modifier]) -> list[NumberedLine]:
        """Return the lines of the skill that is reported last, if several skills are checked at once."""
        side = before[-1].side
        skill_words = {word for name in self.list_picks for word in self.words.get(name, ())}
        number = sum(modifier.source in skill_words and modifier.side == side for modifier in before) - 1
        skill_lines = [entry for entry in lines if entry[2].skill_index in (None, number)]
        return skill_lines if any(line.title for _, _, line in skill_lines) else lines

    def _lines_of(self, modifier: Modifier) -> list[NumberedLine]:
        """Return the active lines that a modifier of the rule comes from."""
        return [
            (number, side, line)
            for number, side, line in self.lines
            if line.on
            and side in (0, modifier.side or 1)
            and modifier.source in self.words.get(line.parameter, ())
        ]

    def _amount(self, line: Line) -> Value:
        try:
            return countable_amount(self.draft.check.params[line.parameter].read(line.value))
        except Refused:  # a line that is off may hold a value that this check rejects
            return None

    def _side(self, side: int) -> int:
        return side if self.several else 0

    def _rule_entry(self, modifier: Modifier) -> Contribution:
        wording = self.draft.ruleset.wording
        return self._contribution(
            partial(wording, modifier.source), modifier.amount, modifier.unit, modifier.side
        )

    def _contribution(
        self,
        source: Callable[[str], str],
        amount: Value,
        unit: str,
        side: int,
        labels: Wording | None = None,
        **others: Any,
    ) -> Contribution:
        """Build an entry; the unit is a word of the rules or a label, `source` formats per language."""
        wording = self.draft.ruleset.wording
        words = {language: source(language) for language in self.languages}
        units = {
            language: localize(labels, language) if labels else wording(unit, language, amount=amount)
            for language in self.languages
        }
        return Contribution(
            words[self.language],
            amount,
            wording(unit, self.language),
            side,
            unit_text=units[self.language],
            source_texts=words,
            unit_texts=units,
            **others,
        )

    def _combined_entry(self, lines: Sequence[NumberedLine], modifier: Modifier) -> Contribution:
        named = [(n, line) for n, _, line in lines if line.title or self._origin(line)]
        number, line = named[0]

        def source(language: str) -> str:
            both = " and " if language == "en" else " + "
            return both.join(dict.fromkeys(self._source_text(line, modifier, language) for _, line in named))

        return self._contribution(
            source,
            modifier.amount,
            modifier.unit,
            modifier.side,
            by=line.by,
            parameter=line.parameter,
            number=number,
        )

    def _line_entry(self, number: int, side: int, line: Line, modifier: Modifier) -> Contribution:
        value = self._amount(line)
        unit = "" if isinstance(value, Record) else modifier.unit

        return self._contribution(
            partial(self._source_text, line, modifier),
            value,
            unit,
            self._side(side),
            by=line.by,
            parameter=line.parameter,
            number=number,
            on=line.on,
            switched_by=line.switched_by,
        )

    def _source_text(self, line: Line, modifier: Modifier, language: str) -> str:
        """Format a line: its title or the rule's word, with the game's word for its origin in brackets."""
        wording = self.draft.ruleset.wording
        title, origin = line.says(language) or wording(modifier.source, language), self._origin(line)
        return f"{title} ({wording(origin, language)})" if origin else title

    def _origin(self, line: Line) -> str:
        """Return the game's word for contributions of rules or of the GM; empty if it has none."""
        by_rule = line.by == SHEET and line.source.startswith(("traits.", "conditions."))
        word = BY_RULE if by_rule else BY_GM if line.by in self.gms else ""
        return word if word in self.draft.ruleset.words else ""

    def _remaining(self, done: set[int], sides: set[int]) -> Iterator[Contribution]:
        """Yield lines that are off, and lines that the rule does not report, or not yet."""
        for number, side, line in self.lines:
            param = self.draft.check.params.get(line.parameter)
            if number in done or not (line.title or not line.on):
                continue
            if line.on and (line.cannot or (param is not None and param.type == "text")):
                continue  # the skill's name is part of its own lines
            value = self._amount(line) if param else None
            unit, labels = "", None
            if value is not None and param and param.unit and (not line.on or side not in sides):
                unit = param.unit
            elif value is not None and param:  # no effect in this check, such as an upper limit
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
