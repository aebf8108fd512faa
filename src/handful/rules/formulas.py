"""Formulas of a sheet: expressions of the rule language, compiled like rules.

A formula may call rules of the game; all of them must be quiet: no dice, no questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from handful.rules.grammar import Declarations
from handful.rules.program import Ask, Call, Choose, Program, Refuse, Reroll, RollDice
from handful.rules.sheet_rules import FORMULA_INPUTS

if TYPE_CHECKING:
    from handful.rules.document import RulesetDocument

IMPURE = (RollDice, Reroll, Choose, Ask, Refuse)


def compile_formula(
    document: RulesetDocument,
    names: Declarations,
    rules: Mapping[str, Program],
    path: tuple[str, ...],
    text: Any,
    section: str,
) -> Program:
    """An expression as a rule that gives its value; its names are those of the sheet."""
    name = ".".join(path)
    if not isinstance(text, str) or not text.strip():
        document.report(f"{name} needs a formula", path, 'for example "attributes.strength + 10"')
        text = "0"
    whole = f"result(value = (\n{text}\n))"
    program = document.compile(path, name, FORMULA_INPUTS[section], names, whole, before=1)
    if (loud := _first_impure(program, rules)) is not None:
        where = "" if loud is program else f"; {loud.name} does"
        document.report(
            f"a formula throws no dice and asks nobody{where}",
            path,
            "use attributes, skills, derived, resources and quiet rules",
        )
    return program


def _first_impure(program: Program, rules: Mapping[str, Program]) -> Program | None:
    """The first of a formula and all that it calls that throws or asks."""
    todo, seen = [program], {program.name}
    for one in todo:
        if any(isinstance(step, IMPURE) for step in one.code):
            return one
        called = {step.rule for step in one.code if isinstance(step, Call)} - seen
        seen |= called
        todo += [rules[name] for name in sorted(called) if name in rules]
    return None
