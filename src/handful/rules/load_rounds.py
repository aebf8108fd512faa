"""Loads the `[rounds]` table of a ruleset as `RoundRules`.

Errors are reported to the document of the sheet's loader, together with all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from handful.errors import Message, did_you_mean
from handful.rules.file_format import field_names
from handful.rules.grammar import THINGS
from handful.rules.load_attacks import read_attacks
from handful.rules.load_resources import parameter_names
from handful.rules.params import Wording
from handful.rules.program import Program
from handful.rules.round_rules import (
    LAST_TIES,
    STRUCTURES,
    AnswerRule,
    Pace,
    RoundRules,
    Stance,
    Target,
)

if TYPE_CHECKING:
    from handful.rules.load_sheet import SheetLoader

Path = tuple[str, ...]
Data = Mapping[str, Any]
ROUNDS = ("rounds",)
SETTINGS: Mapping[str, tuple[Any, ...]] = {
    "structure": STRUCTURES,
    "division": (False, True),
    "last_tie": LAST_TIES,
}


def load_rounds(sheet: SheetLoader) -> RoundRules:
    """Return the round rules of a game."""
    return RoundsLoader(sheet).rounds()


class RoundsLoader:
    """Loads one `[rounds]` table."""

    def __init__(self, sheet: SheetLoader) -> None:
        self.sheet, self.document = sheet, sheet.document
        self.data = self.document.table_at(*ROUNDS)

    def rounds(self) -> RoundRules:
        self.document.reject_unknown_keys(self.data, field_names("rounds"), ROUNDS)
        self.marks = {n: self._wording((*ROUNDS, "marks", n), d) for n, d in self.named_tables("marks")}
        return RoundRules(
            seconds=self.document.integer(ROUNDS, self.data, "seconds", 0),
            initiative=self._formula((*ROUNDS, "initiative"), self.data.get("initiative")),
            ties=tuple(
                self._formula((*ROUNDS, "ties", str(number)), text)
                for number, text in enumerate(self._list("ties"), 1)
            ),
            marks=self.marks,
            actions=self._parameter("actions"),
            prepare=self._parameter("prepare"),
            calm=self._checks("calm"),
            free=self._checks("free"),
            harm=self._harm(),
            heat=self.document.text_list(
                (*ROUNDS, "heat"), self.data.get("heat", []), "event", list(self.sheet.declarations.events)
            ),
            retries=self._retries(),
            settings=self._settings(),
            paces={n: self._pace(n, d) for n, d in self.named_tables("paces")},
            stances={n: self._stance(n, d) for n, d in self.named_tables("stances")},
            targets={n: self._target(n, d) for n, d in self.named_tables("targets")},
            answers={n: self._answer(n, d) for n, d in self.named_tables("answers")},
            attacks=read_attacks(self, dict(self.named_tables("attacks"))),
        )

    # -- helpers

    def named_tables(self, section: str) -> list[tuple[str, dict[str, Any]]]:
        tables = []
        for name, data in self.document.table_at(*ROUNDS, section).items():
            path = (*ROUNDS, section, name)
            if isinstance(data, dict):
                tables.append((name, data))
            else:
                self.document.report(
                    Message("ruleset.kind.table", name=".".join(path)), path, f"[{'.'.join(path)}]"
                )
        return tables

    def _wording(self, path: Path, data: Any) -> Wording:
        return self.document.wording(path, data)

    def _list(self, key: str) -> list[Any]:
        value = self.data.get(key, [])
        if isinstance(value, list):
            return value
        self.document.report(Message("ruleset.kind.formulas", key=key), (*ROUNDS, key), f'{key} = ["…"]')
        return []

    def _formula(self, path: Path, text: Any, section: str = "rounds") -> Program:
        return self.sheet.compile_formula(path, text, section)

    def declared(self, path: Path, name: Any, what: str, known: list[str]) -> str:
        """Return a declared name; report an unknown one with the choices."""
        if not isinstance(name, str) or name not in known:
            hint = did_you_mean(str(name), known) or Message("advice.there_is", names=known)
            self.document.report(
                Message("ruleset.unknown-name.of_kind", what=THINGS[what], name=str(name)[:40]), path, hint
            )
            return ""
        return name

    def _checks(self, key: str) -> tuple[str, ...]:
        known = list(self.sheet.checks)
        return self.document.text_list((*ROUNDS, key), self.data.get(key, []), "check", known)

    def _parameter(self, key: str) -> str:
        if key not in self.data:
            return ""
        known = parameter_names(self.sheet.checks)
        return self.declared((*ROUNDS, key), self.data[key], "parameter", known)

    # -- sections

    def _harm(self) -> str:
        known = list(self.document.table_at("sheet", "resources"))
        if "harm" not in self.data:
            return ""
        return self.declared((*ROUNDS, "harm"), self.data["harm"], "resource", known)

    def _retries(self) -> dict[str, str]:
        table = self.document.table_at(*ROUNDS, "retries")
        self.document.reject_unknown_keys(table, field_names("retries"), (*ROUNDS, "retries"))
        if not table:
            return {}
        path = (*ROUNDS, "retries", "parameter")
        known = parameter_names(self.sheet.checks)
        parameter = self.declared(path, table.get("parameter"), "parameter", known)
        return {"parameter": parameter, "result": str(table.get("result", ""))}

    def _settings(self) -> dict[str, str]:
        """Load the options that configure rounds; their values must be ones that rounds support."""
        options = self.document.data.get("options", {})
        table = self.document.table_at(*ROUNDS, "settings")
        self.document.reject_unknown_keys(table, {*SETTINGS}, (*ROUNDS, "settings"))
        settings = {}
        for key, name in table.items():
            path = (*ROUNDS, "settings", key)
            settings[key] = self.declared(path, name, "option", list(options))
            values = options[name].get("values", []) if settings[key] else []
            unsupported = [value for value in values if value not in SETTINGS.get(key, ())]
            if unsupported:
                self.document.report(
                    Message("ruleset.range.rounds", name=name, setting=unsupported[0]),
                    path,
                    Message("advice.there_is", names=map(str, SETTINGS[key])),
                )
        return settings

    def _pace(self, name: str, data: Data) -> Pace:
        path = (*ROUNDS, "paces", name)
        self.document.reject_unknown_keys(data, field_names("pace"), path)
        return Pace(
            name,
            self.document.title(path, data),
            self._formula((*path, "distance"), data.get("distance")),
            self._formula((*path, "actions"), data.get("actions", "0")),
            self.sheet.modifiers(path, data),
            self._formula((*path, "burdens"), data.get("burdens", "True"), "conditions"),
        )

    def _stance(self, name: str, data: Data) -> Stance:
        path = (*ROUNDS, "stances", name)
        self.document.reject_unknown_keys(data, field_names("stance"), path)
        choices = self.document.subtable(path, data, "choices")
        return Stance(
            name,
            self.document.title(path, data),
            {
                choice: self._wording((*path, "choices", choice), wording)
                for choice, wording in choices.items()
            },
            self._formula((*path, "all"), data.get("all", "False"), "conditions"),
            self.sheet.modifiers((*path, "against"), {"gives": data.get("against", [])}),
        )

    def _target(self, name: str, data: Data) -> Target:
        path = (*ROUNDS, "targets", name)
        check = self.declared(path, name, "check", list(self.sheet.checks))
        params = list(self.sheet.checks[check].params) if check else []
        by = self.declared((*path, "by"), data.get("by"), "parameter", params)
        values: dict[str, dict[str, Program]] = {}
        for key in data:
            if key == "by":
                continue
            self.declared((*path, key), key, "parameter", params)
            values[key] = {
                value: self._formula((*path, key, value), text)
                for value, text in self.document.subtable(path, data, key).items()
            }
        return Target(check, by, values)

    def _answer(self, name: str, data: Data) -> AnswerRule:
        path = (*ROUNDS, "answers", name)
        self.document.reject_unknown_keys(data, field_names("answer"), path)
        checks = list(self.sheet.checks)
        to = self.declared((*path, "to"), data.get("to"), "check", checks)
        check = self.declared((*path, "check"), data.get("check"), "check", checks)
        params = list(self.sheet.checks[to].params) if to else []
        rolled_params = list(self.sheet.checks[check].params) if check else []
        presets = self.document.subtable(path, data, "parameters")
        for key in presets:
            self.declared((*path, "parameters", key), key, "parameter", rolled_params)
        return AnswerRule(
            name,
            self.document.title(path, data),
            to,
            self.declared((*path, "by"), data.get("by"), "parameter", params),
            self.document.text_list((*path, "when"), data.get("when", []), "value"),
            check,
            {key: str(value) for key, value in presets.items()},
            self._formula((*path, "before"), data.get("before", "False"), "conditions"),
            self._formula((*path, "early"), data.get("early", "False"), "conditions"),
        )
