"""Names on a sheet that may replace numbers when the REPL asks for parameters."""

from __future__ import annotations

from handful.rules.params import Param, display_value
from handful.rules.ruleset import Check, Ruleset
from handful.sheet import Character, draft, names_for_parameter


class SheetNames:
    """The names on a character's sheet allowed at each parameter of a check."""

    def __init__(self, rules: Ruleset, check: Check, character: Character) -> None:
        self.rules, self.check, self.character = rules, check, character
        self._names_at = {name: names_for_parameter(rules, character, name) for name in check.params}

    def names_for(self, param: Param) -> list[str]:
        """Return the names allowed at a parameter."""
        return list(self._names_at[param.name])

    def summary(self, param: Param) -> str:
        """Format the names with their values: `Mira Quill has Might 2, Grace 3.5`; empty if none."""
        own = self._names_at[param.name]
        if not own:
            return ""
        each = ", ".join(f"{name} {display_value(value)}" for name, value in own.items())
        return f"{self.character.name} has {each}"

    def validate(self, param: Param, typed: str) -> None:
        """Refuse text that is neither a name on the sheet nor a value of the parameter."""
        if self._names_at[param.name]:
            draft(self.rules, self.check.name, (), {param.name: typed}, [self.character])
        else:
            param.read(typed)
