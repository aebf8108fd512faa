"""New characters: blank, quick to play, and from values that a person chose.

Everything follows from the game's sheet; a game that says nothing about creation gets usual values
within its ranges.  Chance comes in as a seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from handful.errors import Message, Refused
from handful.rules.operators import normalize_number
from handful.rules.params import Param, display_value, find_name
from handful.rules.ruleset import Ruleset
from handful.rules.sheet_rules import PointBudget, Sheet, StartValues
from handful.sheet.budgets import Number, as_number, pips_per_die, price, step_of
from handful.sheet.chance import Choices
from handful.sheet.character_reader import read_character
from handful.sheet.characters import FORMAT, Character
from handful.sheet.derived import evaluate
from handful.sheet.random_names import random_name

USUAL_SKILLS = 4  # of a quick character, where the game says nothing
USUAL_PROFICIENCIES = 2
WIDE_RANGE = 100  # a wider range says nothing about usual values
USUAL_ABOVE_LEAST = 3
MAX_STEPS = 2000  # when points are spent one by one

Data = dict[str, Any]


def new_character(
    rules: Ruleset,
    name: str = "",
    *,
    kind: str = "pc",
    quick: str | bool = False,
    seed: int | str = 0,
    values: Mapping[str, Any] | None = None,
) -> Character:
    """Return a new character: blank, or ready to play (`quick`: True, or the name of a quick start).

    `values` are sections of a character file, which go before; an empty name becomes a random one.
    Raises `BadCharacter` if they do not fit.
    """
    data = quick_data(rules, seed, "" if quick is True else quick, kind) if quick else blank_data(rules, kind)
    for section, entries in (values or {}).items():
        both = isinstance(entries, Mapping) and isinstance(data.get(section), dict)
        data[section] = {**data[section], **entries} if both else entries
    return read_character(rules, data | {"name": name or random_name(rules, seed)})


def blank_data(rules: Ruleset, kind: str = "pc") -> Data:
    """Return the data of a blank character: start values, else the lowest ones; it has no name yet."""
    sheet = _sheet(rules)
    data = _header(rules, kind)
    start = sheet.creation.start
    attributes = {name: _shown(one.param, _first(one.param)) for name, one in sheet.attributes.items()}
    if attributes:
        data["attributes"] = attributes
    return _with_values(data, start, kind, sheet) if start else data


def quick_data(rules: Ruleset, seed: int | str, quick: str = "", kind: str = "pc") -> Data:
    """Return the data of a character that is ready to play; it has no name yet.

    One of the game's by its name, else one by the seed, else usual values: points are spent by chance.
    """
    sheet = _sheet(rules)
    known = sheet.creation.quick
    data, choices = blank_data(rules, kind), Choices(f"quick {seed}")
    if quick or known:
        name = find_name(quick, known, "quick start") if quick else choices.one(list(known))
        return _with_values(data, known[name], kind, sheet)
    return _Generator(rules, sheet, choices, data).filled()


def _sheet(rules: Ruleset) -> Sheet:
    if rules.sheet is None:
        raise Refused(Message("sheet.game_has_none", id=rules.id))
    return rules.sheet


def _header(rules: Ruleset, kind: str) -> Data:
    return {"format": FORMAT, "ruleset": rules.id, "name": "", "kind": kind}


def _with_values(data: Data, start: StartValues, kind: str, sheet: Sheet) -> Data:
    """Return the data with start values; resources that this kind does not have are left out."""
    made = dict(data)
    for section, entries in start.values.items():
        shown = {
            name: display_value(value)
            for name, value in entries.items()
            if section != "resources" or kind in sheet.resources[name].kinds
        }
        if shown:
            made[section] = {**made.get(section, {}), **shown}
    if start.traits:
        made["traits"] = list(start.traits)
    if start.items:
        made["items"] = {name: {} for name in start.items}
    return made


def _first(param: Param) -> Number:
    """Return the value of a blank entry: its default, else the lowest."""
    if param.default is not None:
        return as_number(param.default)
    return param.least if param.least is not None else 0


def _shown(param: Param, number: Number, pips: int = 3) -> Any:
    """Return a number as it stands in a character file."""
    if param.type != "die_code":
        return display_value(normalize_number(Fraction(number)))
    whole = int(number // 1)
    rest = int((number - whole) * pips)
    return f"{whole}D" + (f"+{rest}" if rest else "")


def usual_value(param: Param) -> Number:
    """Return a usual value where the game names none: a third of the way up its range."""
    least = param.least if param.least is not None else 0
    if param.default is not None:
        return as_number(param.default)
    if param.most is None or param.most - least > WIDE_RANGE:
        return least + USUAL_ABOVE_LEAST
    return least + (param.most - least + 1) // 3


class _Generator:
    """Fills the numbers of one character by chance."""

    def __init__(self, rules: Ruleset, sheet: Sheet, choices: Choices, data: Data) -> None:
        self.rules, self.sheet, self.choices, self.data = rules, sheet, choices, dict(data)
        self.pips = pips_per_die(sheet)
        self.budgets = [one for one in sheet.creation.budgets.values() if data["kind"] in one.kinds]
        self.left: dict[str, Number] = {}  # budget -> points not spent yet

    def filled(self) -> Data:
        sheet = self.sheet
        params = {name: one.param for name, one in sheet.attributes.items()}
        if params:
            self._fill("attributes", params)
        if sheet.proficiency is not None and sheet.proficiencies:
            names = self.choices.some(list(sheet.proficiencies), USUAL_PROFICIENCIES)
            self._fill("proficiencies", dict.fromkeys(names, sheet.proficiency.param))
        elif sheet.skill is not None and sheet.skills:
            names = self.choices.some(list(sheet.skills), USUAL_SKILLS)
            self._fill("skills", dict.fromkeys(names, sheet.skill.param))
        return self.data

    def _fill(self, section: str, params: Mapping[str, Param]) -> None:
        """Give each entry a value: usual ones that differ, or points spent by chance."""
        values: dict[str, Number] = {}
        for budget, group in self._groups(section, params):
            if budget is not None:
                values |= self._spent(section, budget, group)
            elif section == "attributes":
                values |= self._varied(group)
            else:
                values |= {name: _within(param, max(1, usual_value(param))) for name, param in group.items()}
        shown = {name: _shown(params[name], values[name], self.pips) for name in params if values[name]}
        if section == "attributes":
            shown = {name: _shown(param, values[name], self.pips) for name, param in params.items()}
        if shown:
            self.data[section] = {**self.data.get(section, {}), **shown}

    def _groups(
        self, section: str, params: Mapping[str, Param]
    ) -> Iterator[tuple[PointBudget | None, dict[str, Param]]]:
        """Yield the entries that share a budget, with it."""
        left = dict(params)
        for budget in self.budgets:
            group = {n: one for n, one in left.items() if {(section, ""), (section, n)} & {*budget.entries}}
            left = {n: one for n, one in left.items() if n not in group}
            if group:
                yield budget, group
        if left:
            yield None, left

    def _varied(self, params: Mapping[str, Param]) -> dict[str, Number]:
        """Return usual values; of each pair of attributes one is a little higher, one lower."""
        values = {name: usual_value(param) for name, param in params.items()}
        order = [name for name, param in params.items() if param.default is None]
        while len(order) > 1:
            high = order.pop(self.choices.below(len(order)))
            low = order.pop(self.choices.below(len(order)))
            by = max(1, int((values[low] - (params[low].least or 0)) // 2))
            values[high], values[low] = values[high] + by, values[low] - by
        return {name: _within(params[name], value) for name, value in values.items()}

    def _spent(self, section: str, budget: PointBudget, params: Mapping[str, Param]) -> dict[str, Number]:
        """Return values raised step by step, by chance, until no step can be paid."""
        values: dict[str, Number] = {name: param.least or 0 for name, param in params.items()}
        points = self.left[budget.name] if budget.name in self.left else self._points(budget)
        shared = section == "attributes" and any(other != section for other, _ in budget.entries)
        kept = points // 2 if shared else 0  # for the other sections
        left = points - kept - sum(price(self.rules, budget, value) for value in values.values())
        open_names = list(values)
        for _ in range(MAX_STEPS):
            if not open_names:
                break
            name = self.choices.one(open_names)
            raised = normalize_number(values[name] + step_of(params[name], self.pips))
            cost = price(self.rules, budget, raised) - price(self.rules, budget, values[name])
            if cost > left or any(
                most is not None and raised > most for most in (params[name].most, budget.most)
            ):
                open_names.remove(name)
            else:
                values[name], left = raised, left - cost
        self.left[budget.name] = left + kept
        return values

    def _points(self, budget: PointBudget) -> Number:
        if isinstance(budget.points, int):
            return budget.points
        so_far = read_character(self.rules, self.data | {"name": "?"})
        points: Number = evaluate(self.rules, so_far, budget.points)
        return points


def _within(param: Param, value: Number) -> Number:
    least = param.least if param.least is not None else value
    most = param.most if param.most is not None else value
    return max(least, min(most, value))
