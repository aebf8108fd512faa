"""Points of a new character: what its game gives, what is spent, what is left.

Advice: nothing here changes a character.  Only a strict game refuses, and only a new one
(`check_budgets`).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from handful.errors import Message, Refused
from handful.records import record
from handful.roll import BoundCheck, start
from handful.rules.operators import normalize_number
from handful.rules.params import Param, Wording, display_value
from handful.rules.program import Program, Record, Value
from handful.rules.ruleset import Check, Ruleset, localize
from handful.rules.sheet_rules import PointBudget, Sheet
from handful.sheet.characters import Character, title_of
from handful.sheet.derived import evaluate

Number = int | Fraction


@record()
class BudgetState:
    """A budget and what a character has spent of it."""

    name: str
    title: Wording
    points: Number
    least: Number | None
    spent: Number
    in_dice: bool  # counts dice: 1/3 is a pip
    too_high: tuple[tuple[str, str], ...]  # section and name of entries above the highest value
    most: Number | None
    pips: int = 3  # to a die

    @property
    def left(self) -> Number:
        """Points that are left; below 0 if too many were spent."""
        return normalize_number(self.points - self.spent)

    @property
    def keeps(self) -> bool:
        """True if the character keeps to the budget; points may be left."""
        return self.left >= 0 and not self.too_high and self.spent >= (self.least or 0)

    def amount(self, number: Number) -> str:
        """Format a number of points: `2`, `1.5`, or `1D+2` if dice are counted."""
        if not self.in_dice:
            return str(display_value(number))
        pips = int(number * self.pips)
        return f"{pips // self.pips}D" + (f"+{pips % self.pips}" if pips % self.pips else "")

    def says(self) -> Message:
        """Return what is left in words: `2 left`, `3 too many`, `all spent`."""
        if self.left < 0:
            return Message("creation.too_many", amount=self.amount(-self.left))
        if self.least is not None and self.spent < self.least:
            missing = self.amount(self.least - self.spent)
            return Message("creation.too_few", amount=missing, left=self.amount(self.left))
        return (
            Message("creation.left", amount=self.amount(self.left))
            if self.left
            else Message("creation.all_spent")
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the state as JSON data; numbers are shown as they are typed."""
        return {
            "budget": self.name,
            "title": dict(self.title),
            "points": self.amount(self.points),
            "spent": self.amount(self.spent),
            "left": ("-" if self.left < 0 else "") + self.amount(max(self.left, -self.left)),
            "share": [str(Fraction(self.spent)), str(Fraction(self.points))],
            "least": None if self.least is None else self.amount(self.least),
            "max": None if self.most is None else str(display_value(self.most)),
            "too_high": [list(one) for one in self.too_high],
            "keeps": self.keeps,
        }


def points_left(
    rules: Ruleset, character: Character, options: Mapping[str, Any] | None = None
) -> tuple[BudgetState, ...]:
    """Return the budgets that bind a character, each with what is left."""
    sheet = rules.sheet
    assert sheet is not None
    return tuple(
        _state(rules, sheet, budget, character, options)
        for budget in sheet.creation.budgets.values()
        if character.kind in budget.kinds
    )


def check_budgets(rules: Ruleset, character: Character, options: Mapping[str, Any] | None = None) -> None:
    """Refuse a new character that breaks a budget of a strict game."""
    sheet = rules.sheet
    if sheet is None or not sheet.creation.strict:
        return
    for state in points_left(rules, character, options):
        if state.keeps:
            continue
        wrong = Message("creation.breaks", name=character.name, title=localize(state.title), how=state.says())
        if state.too_high:
            names = [localize(title_of(name, getattr(sheet, section))) for section, name in state.too_high]
            most = display_value(state.most)
            wrong = Message("creation.too_high", name=character.name, names=names, most=most)
        raise Refused(wrong, Message("creation.ask_gm"))


def _state(
    rules: Ruleset, sheet: Sheet, budget: PointBudget, character: Character, options: Mapping[str, Any] | None
) -> BudgetState:
    entries = [
        (section, name, value)
        for section, only in budget.entries
        for name, value in entry_values(character, section).items()
        if only in ("", name)
    ]
    pips = pips_per_die(sheet)
    spent: Number = 0
    too_high = []
    for section, name, value in entries:
        number = as_number(value, pips)
        spent += price(rules, budget, number)
        if budget.most is not None and number > budget.most:
            too_high.append((section, name))
    return BudgetState(
        budget.name,
        budget.title,
        _points(rules, character, budget.points, options),
        None if budget.least is None else _points(rules, character, budget.least, options),
        normalize_number(spent),
        budget.cost is None and all(_is_in_dice(sheet, *entry) for entry in budget.entries),
        tuple(too_high),
        budget.most,
        pips,
    )


def price(rules: Ruleset, budget: PointBudget, value: Number) -> Number:
    """Return what a value costs: by the budget's formula, or one point each."""
    if budget.cost is None:
        return value
    check = Check(budget.cost.name, {}, {}, "value", {}, budget.cost)
    outcome = start(BoundCheck(rules, check, Record(value=value), rules.resolve_options({}))).outcome
    assert outcome is not None
    cost: Number = outcome["value"]
    return cost


def entry_values(character: Character, section: str) -> dict[str, Value]:
    """Return the numbers of a section by the names of their entries."""
    if section == "proficiencies":
        return {name: one.rank for name, one in character.proficiencies.items()}
    if section == "skills":
        return {name: one.value for name, one in character.skills.items() if one.value is not None}
    values: Record = getattr(character, section)
    return dict(values)


def as_number(value: Value, pips: int = 3) -> Number:
    """Return a value as a number of points; a die code as a number of dice."""
    if isinstance(value, Record):
        return normalize_number(value["dice"] + Fraction(value["pips"], pips))
    number: Number = value or 0
    return number


def pips_per_die(sheet: Sheet) -> int:
    """Return how many pips make a die: one more than a die code can have."""
    most = [one.most_pips for one in sheet.attributes.values() if one.most_pips is not None]
    return max(most, default=2) + 1


def _is_in_dice(sheet: Sheet, section: str, name: str) -> bool:
    """Return whether the values of an entry, or of all of a section, are die codes."""
    if section == "attributes":
        return all(
            one.param.type == "die_code" for one in sheet.attributes.values() if name in ("", one.name)
        )
    form = {"skills": sheet.skill, "proficiencies": sheet.proficiency}.get(section)
    return form is not None and form.param.type == "die_code"


def step_of(param: Param, pips: int) -> Number:
    """Return the smallest step of a number on a sheet."""
    return {"halves": Fraction(1, 2), "die_code": Fraction(1, pips)}.get(param.type, 1)


def _points(
    rules: Ruleset, character: Character, bound: int | Program, options: Mapping[str, Any] | None
) -> Number:
    number: Number = bound if isinstance(bound, int) else evaluate(rules, character, bound, options)
    return number
