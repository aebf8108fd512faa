"""Loads `[sheet.creation]`: budgets, start values and names for new characters.

Values are checked by the parts of the sheet that they fill.  What a base game says about entries that
this game replaced is left out: a variant never has to repeat how its characters are made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from handful.errors import Message, Refused, Text, did_you_mean
from handful.rules.document import RulesetDocument
from handful.rules.file_format import field_names
from handful.rules.program import Program, Value
from handful.rules.sheet_rules import CHARACTER_KINDS, Creation, PointBudget, Sheet, StartValues

Path = tuple[str, ...]
Data = Mapping[str, Any]

CREATION = ("sheet", "creation")
BOUGHT = ("attributes", "skills", "proficiencies", "resources")  # sections with numbers to buy
MAX_NAMES = 500  # choices of one part of a name


def load_creation(
    document: RulesetDocument, sheet: Sheet, compile_formula: Callable[[Path, Any, str], Program]
) -> Creation:
    """Load the part; a game without one gets the defaults."""
    return CreationLoader(document, sheet, compile_formula).creation()


class CreationLoader:
    """Loads how the characters of one sheet are made."""

    def __init__(
        self,
        document: RulesetDocument,
        sheet: Sheet,
        compile_formula: Callable[[Path, Any, str], Program],
    ) -> None:
        self.document, self.sheet, self.compile_formula = document, sheet, compile_formula

    def creation(self) -> Creation:
        data = self.document.table_at(*CREATION)
        self.document.reject_unknown_keys(data, field_names("creation"), CREATION)
        strict = data.get("strict", False)
        if not isinstance(strict, bool):
            wrong = Message("ruleset.kind.truth", key="strict")
            self.document.report(wrong, (*CREATION, "strict"), "strict = true")
        quick = {name: self._quick(name, one) for name, one in self._parts("quick").items()}
        budgets = {name: self._budget(name, one) for name, one in self._parts("budgets").items()}
        return Creation(
            strict is True,
            self._start(data),
            {name: one for name, one in budgets.items() if one.entries},
            {name: one for name, one in quick.items() if one is not None},
            self._names(),
        )

    def _parts(self, key: str) -> dict[str, dict[str, Any]]:
        return self.document.named_tables(*CREATION, key)

    def _report(self, message: Message, path: Path, hint: Text) -> None:
        """Report a mistake of this file; entries of a base may have been replaced here."""
        if self.document.own_error(message, path, hint) is not None:
            self.document.report(message, path, hint)

    # -- budgets

    def _budget(self, name: str, data: Data) -> PointBudget:
        path = (*CREATION, "budgets", name)
        self.document.reject_unknown_keys(data, field_names("budget"), path)
        if "points" not in data:
            wrong = Message("ruleset.missing.points", name=name)
            self.document.report(wrong, path, "points = 12")
        kinds = self.document.text_list((*path, "kinds"), data.get("kinds", ["pc"]), "kind", CHARACTER_KINDS)
        cost = data.get("cost")
        return PointBudget(
            name,
            self.document.title(path, data),
            self._bound(path, data, "points"),
            self._bound(path, data, "least") if "least" in data else None,
            self._entries(path, data),
            None if cost is None else self.compile_formula((*path, "cost"), cost, "costs"),
            self._most(path, data),
            kinds,
        )

    def _bound(self, path: Path, data: Data, key: str) -> int | Program:
        value = data.get(key, 0)
        if isinstance(value, str):
            return self.compile_formula((*path, key), value, "resources")
        return self.document.integer(path, data, key, 0)

    def _most(self, path: Path, data: Data) -> int | Fraction | None:
        most = data.get("max")
        if most is None or (isinstance(most, int) and not isinstance(most, bool)):
            return most
        if isinstance(most, float):
            return Fraction(str(most))
        wrong = Message("ruleset.kind.number", key="max")
        self.document.report(wrong, (*path, "max"), "max = 6")
        return None

    def _entries(self, path: Path, data: Data) -> tuple[tuple[str, str], ...]:
        """Return what a budget pays for: whole sections, or entries by name."""
        where = (*path, "over")
        named = {name: section for section in reversed(BOUGHT) for name in getattr(self.sheet, section)}
        entries = []
        for name in self.document.text_list(where, data.get("over", ["attributes"]), ""):
            if name in BOUGHT:
                entries.append((name, ""))
            elif name in named:
                entries.append((named[name], name))
            else:
                hint = did_you_mean(name, [*BOUGHT, *named])
                hint = hint or Message("advice.there_is", names=[*BOUGHT, *named])
                self._report(Message("ruleset.unknown-name.bought", name=name), where, hint)
        return tuple(entries)

    # -- start values

    def _start(self, data: Data) -> StartValues | None:
        if "start" not in data:
            return None
        path = (*CREATION, "start")
        part = self.document.table_at(*path)
        self.document.reject_unknown_keys(part, field_names("start"), path)
        values, traits, _ = self._values(path, part)
        return StartValues({}, {}, values, traits)

    def _quick(self, name: str, data: Data) -> StartValues | None:
        """Load a ready character; None if it is a base's and needs entries that this game does not have."""
        path = (*CREATION, "quick", name)
        self.document.reject_unknown_keys(data, field_names("quick"), path)
        values, traits, complete = self._values(path, data)
        title = self.document.title(path, data)
        help_text = self.document.title(path, data, "help") if "help" in data else {}
        items, equipped = self._names_of("items", path, data)
        return StartValues(title, help_text, values, traits, items) if complete and equipped else None

    def _values(self, path: Path, data: Data) -> tuple[dict[str, dict[str, Value]], tuple[str, ...], bool]:
        """Return values by section, traits, and whether every entry is one of this game."""
        complete = True
        values: dict[str, dict[str, Value]] = {}
        for section in BOUGHT:
            values[section] = {}
            for name, raw in self.document.subtable(path, data, section).items():
                if name not in getattr(self.sheet, section):
                    complete = False
                    self._unknown((*path, section, name), name, getattr(self.sheet, section))
                else:
                    values[section][name] = self._value((*path, section, name), section, name, raw)
        traits, known = self._names_of("traits", path, data)
        return values, traits, complete and known

    def _names_of(self, section: str, path: Path, data: Data) -> tuple[tuple[str, ...], bool]:
        """Return the listed entries of a section that this game has, and whether it has all of them."""
        known: Mapping[str, Any] = getattr(self.sheet, section)
        names = self.document.text_list((*path, section), data.get(section, []), "")
        for name in names:
            if name not in known:
                self._unknown((*path, section), name, known)
        return tuple(name for name in names if name in known), all(name in known for name in names)

    def _unknown(self, path: Path, name: str, known: Mapping[str, Any]) -> None:
        hint = did_you_mean(name, known) or Message("advice.there_is", names=list(known))
        self._report(Message("ruleset.unknown-name.start", name=name), path, hint)

    def _value(self, path: Path, section: str, name: str, raw: Any) -> Value:
        if section == "resources":
            return self.document.integer(path[:-1], {name: raw}, name, 0)
        rank_format = self.sheet.skill if section == "skills" else self.sheet.proficiency
        if section == "attributes":
            param = self.sheet.attributes[name].param
        else:
            assert rank_format is not None  # its entries are listed
            param = rank_format.param
        try:
            return param.read(raw)
        except Refused as refusal:
            self.document.report(
                Message("ruleset.range.value", problem=refusal.problem), path, refusal.advice
            )
            return None

    # -- names

    def _names(self) -> dict[str, tuple[str, ...]]:
        path = (*CREATION, "names")
        parts = {}
        for part, choices in self.document.table_at(*path).items():
            found = self.document.text_list((*path, part), choices, "")
            if not all(one.strip() and one.isprintable() and len(one) <= 40 for one in found[:MAX_NAMES]):
                wrong = Message("ruleset.range.names", part=part)
                self.document.report(wrong, (*path, part), Message("ruleset_advice.names"))
            parts[part] = tuple(one.strip() for one in found[:MAX_NAMES] if one.strip())
        return {part: choices for part, choices in parts.items() if choices}
