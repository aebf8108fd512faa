"""Loads the resources of a sheet: ranges, costs and uses.

A bound is a number or a formula; formulas are compiled by the sheet's loader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.errors import Message, did_you_mean
from handful.rules.document import RulesetDocument
from handful.rules.file_format import field_names
from handful.rules.grammar import Declarations
from handful.rules.program import Program
from handful.rules.ruleset import Check
from handful.rules.sheet_rules import CHARACTER_KINDS, Resource, Use

Path = tuple[str, ...]
Data = Mapping[str, Any]


def parameter_names(checks: Mapping[str, Check]) -> list[str]:
    """Return the names of all checks' parameters."""
    return sorted({name for check in checks.values() for name in check.params})


class ResourceLoader:
    """Loads the resources of one sheet; `compile_formula` compiles bounds and conditions."""

    def __init__(
        self,
        document: RulesetDocument,
        declarations: Declarations,
        checks: Mapping[str, Check],
        compile_formula: Callable[[Path, Any, str], Program],
    ) -> None:
        self.document, self.declarations, self.checks, self.compile_formula = (
            document,
            declarations,
            checks,
            compile_formula,
        )

    def read(self, name: str, data: Data) -> Resource:
        path = ("sheet", "resources", name)
        self.document.reject_unknown_keys(data, field_names("resource"), path)
        least = self._bound(path, data, "min", 0)
        most = self._bound(path, data, "max", 1000)
        if isinstance(least, int) and isinstance(most, int) and least > most:
            self.document.report(
                Message("ruleset.range.empty", name=name),
                (*path, "max"),
                Message("ruleset_advice.min_and_max"),
            )
        kinds = self.document.text_list(
            (*path, "kinds"), data.get("kinds", list(CHARACTER_KINDS)), "kind", CHARACTER_KINDS
        )
        return Resource(
            name,
            self.document.title(path, data),
            least,
            most,
            self._bound(path, data, "start", most),
            kinds,
            self._spent(path, data),
            self._uses(path, data),
        )

    def _bound(self, path: Path, data: Data, key: str, default: Any) -> int | Program:
        value = data.get(key, default)
        if isinstance(value, str):
            return self.compile_formula((*path, key), value, "resources")
        if isinstance(value, Program):
            return value
        return self.document.integer(path, data, key, default)

    def _uses(self, path: Path, data: Data) -> dict[str, Use]:
        """Load the uses of a resource outside of checks."""
        uses = {}
        for name in self.document.subtable(path, data, "uses"):
            where = (*path, "uses", name)
            use = self.document.subtable((*path, "uses"), data["uses"], name)
            self.document.reject_unknown_keys(use, field_names("use"), where)
            changes = self.document.subtable(where, use, "changes")
            known = list(self.document.table_at("sheet", "resources"))
            self.document.text_list((*where, "changes"), list(changes), "resource", known)
            uses[name] = Use(
                name,
                self.document.title(where, use),
                self.compile_formula((*where, "when"), use.get("when", "True"), "conditions"),
                {key: self.document.integer((*where, "changes"), changes, key, 0) for key in changes},
            )
        return uses

    def _spent(self, path: Path, data: Data) -> dict[str, tuple[str, ...]]:
        """Load the parameter values and answers to decisions that cost one point."""
        spent = {}
        for name, values in self.document.subtable(path, data, "spent").items():
            where = (*path, "spent", name)
            params = [c.params[name] for c in self.checks.values() if name in c.params]
            if not params and name not in self.declarations.decisions:
                known = [*parameter_names(self.checks), *self.declarations.decisions]
                self.document.report(
                    Message("ruleset.unknown-name.parameter_or_decision", name=name),
                    where,
                    did_you_mean(name, known) or Message("advice.there_is", names=known),
                )
            possible = sorted({value for param in params for value in param.values})
            spent[name] = self.document.text_list(where, values, "value", possible)
        return spent
