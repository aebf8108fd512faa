"""Characters, and the checks built from their sheets.

    character = import_character(rules, text)                  # or `BadCharacter` with all errors
    plan = draft(rules, "direct", params={"attribute": "Grace"}, characters=[character])
    plan = plan.switch(2, on=False, by="gm")                   # each line records who switched it
    bound = plan.bound()                                       # the check to roll or to solve

Pure: no files are read.  The game defines what a sheet holds (`rules.sheet_rules`); nothing here is
specific to a game.
"""

from handful.rules.ruleset import Ruleset
from handful.sheet.budgets import BudgetState, check_budgets, points_left
from handful.sheet.changes import Change, EditConflict, changes, differences, merge
from handful.sheet.character_reader import read_character
from handful.sheet.characters import (
    FORMAT,
    Character,
    CharacterItem,
    CharacterProficiency,
    CharacterSkill,
    CharacterTrait,
    canonical_data,
)
from handful.sheet.contributions import Contribution, list_contributions
from handful.sheet.creation import blank_data, new_character, quick_data
from handful.sheet.derived import (
    DerivedValues,
    ResourceRange,
    derive,
    evaluate,
    formula_holds,
    granting_proficiencies,
    skill_names,
    skill_rank,
)
from handful.sheet.draft import Draft, DraftSide
from handful.sheet.draft_builder import draft, names_for_parameter, sheet_names
from handful.sheet.item_reader import find_item, item_uses, item_value
from handful.sheet.lines import GM, PLAYER, SHEET, Line
from handful.sheet.random_names import random_name
from handful.sheet.resources import adjusted, check_affordable, paid, spent_by, used
from handful.sheet.text_format import format_text, parse_text


def export_character(rules: Ruleset, character: Character) -> str:
    """Return the canonical text of a character; equal characters have equal texts."""
    assert rules.sheet is not None
    return format_text(canonical_data(rules.sheet, character))


def import_character(rules: Ruleset, text: str) -> Character:
    """Return the character of a JSON or TOML text; raise `BadCharacter` with all its errors."""
    return read_character(rules, parse_text(text))


told = list_contributions  # name documented by earlier versions

__all__ = [
    "FORMAT",
    "GM",
    "PLAYER",
    "SHEET",
    "BudgetState",
    "Change",
    "Character",
    "CharacterItem",
    "CharacterProficiency",
    "CharacterSkill",
    "CharacterTrait",
    "Contribution",
    "DerivedValues",
    "Draft",
    "DraftSide",
    "EditConflict",
    "Line",
    "ResourceRange",
    "adjusted",
    "blank_data",
    "canonical_data",
    "changes",
    "check_affordable",
    "check_budgets",
    "derive",
    "differences",
    "draft",
    "evaluate",
    "export_character",
    "find_item",
    "format_text",
    "formula_holds",
    "granting_proficiencies",
    "import_character",
    "item_uses",
    "item_value",
    "list_contributions",
    "merge",
    "names_for_parameter",
    "new_character",
    "paid",
    "parse_text",
    "points_left",
    "quick_data",
    "random_name",
    "read_character",
    "sheet_names",
    "skill_names",
    "skill_rank",
    "spent_by",
    "told",
    "used",
]
