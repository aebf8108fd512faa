"""What a sheet offers at the questions of a session: names that may stand in place of numbers."""

from __future__ import annotations

from handful.rules.params import Param, display_value
from handful.rules.ruleset import Check, Ruleset
from handful.sheet import Character, draft, names_for_parameter


class SheetNames:
    """The names on a character's sheet, at each parameter of a check where they may stand."""

    def __init__(self, rules: Ruleset, check: Check, character: Character) -> None:
        self.rules, self.check, self.character = rules, check, character
        self._at = {name: names_for_parameter(rules, character, name) for name in check.params}

    def names_for(self, param: Param) -> list[str]:
        """What may be typed at a parameter."""
        return list(self._at[param.name])

    def summary(self, param: Param) -> str:
        """`Mira Quill has Might 2, Grace 3.5`; nothing where no name may stand."""
        own = self._at[param.name]
        if not own:
            return ""
        each = ", ".join(f"{name} {display_value(value)}" for name, value in own.items())
        return f"{self.character.name} has {each}"

    def validate(self, param: Param, typed: str) -> None:
        """Refuses what neither names something on the sheet nor is a value of the parameter."""
        if self._at[param.name]:
            draft(self.rules, self.check.name, (), {param.name: typed}, [self.character])
        else:
            param.read(typed)
