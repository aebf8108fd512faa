"""Formulas of a sheet: expressions of the rule language, compiled like rules.

A formula may call rules of the game, but must be pure: neither it nor a called rule rolls dice or
asks for a decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from handful.errors import Message
from handful.rules.grammar import Declarations
from handful.rules.program import Ask, Call, Choose, Program, Refuse, Reroll, RollDice
from handful.rules.sheet_rules import FORMULA_INPUTS

if TYPE_CHECKING:
    from handful.rules.document import RulesetDocument

IMPURE = (RollDice, Reroll, Choose, Ask, Refuse)


def compile_formula(
    document: RulesetDocument,
    declarations: Declarations,
    rules: Mapping[str, Program],
    path: tuple[str, ...],
    text: Any,
    section: str,
) -> Program:
    """Compile an expression to a rule with the result field `value`; it can read the sheet's sections."""
    name = ".".join(path)
    if not isinstance(text, str) or not text.strip():
        document.report(
            Message("ruleset.missing.formula", name=name), path, Message("ruleset_advice.formula")
        )
        text = "0"
    source = f"result(value = (\n{text}\n))"
    program = document.compile(path, name, FORMULA_INPUTS[section], declarations, source, before=1)
    if (impure := _first_impure(program, rules)) is not None:
        wrong = Message("ruleset.formula.no_dice_in_rule", name=impure.name)
        document.report(
            Message("ruleset.formula.no_dice") if impure is program else wrong,
            path,
            Message("ruleset_advice.formula_names"),
        )
    return program


def _first_impure(program: Program, rules: Mapping[str, Program]) -> Program | None:
    """Return the first program, among a formula and the rules it calls, that rolls or asks; else None."""
    todo, seen = [program], {program.name}
    for current in todo:
        if any(isinstance(instruction, IMPURE) for instruction in current.code):
            return current
        called = {instruction.rule for instruction in current.code if isinstance(instruction, Call)} - seen
        seen |= called
        todo += [rules[name] for name in sorted(called) if name in rules]
    return None
