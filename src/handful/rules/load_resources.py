"""The resources of a sheet: their ranges, what they buy, and what of a check costs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from handful.errors import did_you_mean, format_choices
from handful.rules.document import Parts
from handful.rules.file_format import keys
from handful.rules.grammar import Names
from handful.rules.program import Program
from handful.rules.ruleset import Check
from handful.rules.sheet_rules import KINDS, Resource, Use

Path = tuple[str, ...]
Data = Mapping[str, Any]


def parameters(checks: Mapping[str, Check]) -> list[str]:
    """The parameters of all checks by name."""
    return sorted({name for check in checks.values() for name in check.params})


class Resources:
    """Reads the resources of one sheet; `formula` compiles what a number may follow from."""

    def __init__(
        self,
        parts: Parts,
        names: Names,
        checks: Mapping[str, Check],
        formula: Callable[[Path, Any, str], Program],
    ) -> None:
        self.parts, self.names, self.checks, self.formula = parts, names, checks, formula

    def read(self, name: str, data: Data) -> Resource:
        path = ("sheet", "resources", name)
        self.parts.unknown(data, keys("resource"), path)
        least = self._bound(path, data, "min", 0)
        most = self._bound(path, data, "max", 1000)
        if isinstance(least, int) and isinstance(most, int) and least > most:
            self.parts.fault(f"the range of {name} is empty", (*path, "max"), "min must not exceed max")
        kinds = self.parts.texts((*path, "kinds"), data.get("kinds", list(KINDS)), "kind", KINDS)
        return Resource(
            name,
            self.parts.title(path, data),
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
            return self.formula((*path, key), value, "resources")
        if isinstance(value, Program):
            return value
        return self.parts.whole(path, data, key, default)

    def _uses(self, path: Path, data: Data) -> dict[str, Use]:
        """What one of a resource buys outside of checks."""
        uses = {}
        for name in self.parts.table(path, data, "uses"):
            where = (*path, "uses", name)
            own = self.parts.table((*path, "uses"), data["uses"], name)
            self.parts.unknown(own, keys("use"), where)
            changes = self.parts.table(where, own, "changes")
            known = list(self.parts.at("sheet", "resources"))
            self.parts.texts((*where, "changes"), list(changes), "resource", known)
            uses[name] = Use(
                name,
                self.parts.title(where, own),
                self.formula((*where, "when"), own.get("when", "True"), "conditions"),
                {key: self.parts.whole((*where, "changes"), changes, key, 0) for key in changes},
            )
        return uses

    def _spent(self, path: Path, data: Data) -> dict[str, tuple[str, ...]]:
        """Values of parameters and answers to decisions that cost one of a resource."""
        spent = {}
        for name, values in self.parts.table(path, data, "spent").items():
            where = (*path, "spent", name)
            params = [c.params[name] for c in self.checks.values() if name in c.params]
            if not params and name not in self.names.decisions:
                known = [*parameters(self.checks), *self.names.decisions]
                self.parts.fault(
                    f"there is no parameter or decision {name!r}",
                    where,
                    did_you_mean(name, known) or f"there is {format_choices(known)}",
                )
            possible = sorted({value for param in params for value in param.values})
            spent[name] = self.parts.texts(where, values, "value", possible)
        return spent
