"""Characters and the checks that are built from them.

    character = read(rules, parsed(text))                      # or every mistake at once
    plan = draft(rules, "direct", params={"attribute": "Grace"}, characters=[character])
    plan = plan.switch(2, on=False, by="gm")                   # lines, with who did what
    bound = plan.bound()                                       # what is rolled and solved

Pure: texts come in as values.  What a sheet holds is said by the game (`rules.sheet_rules`); nothing
about a game is known here.
"""

from handful.rules.ruleset import Ruleset
from handful.sheet.changes import Change, EditConflict, changes, differences, merge
from handful.sheet.character_reader import read_character
from handful.sheet.characters import (
    FORMAT,
    Character,
    CharacterProficiency,
    CharacterSkill,
    CharacterTrait,
    canonical_data,
)
from handful.sheet.contributions import Contribution, list_contributions
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
from handful.sheet.lines import GM, PLAYER, SHEET, Line
from handful.sheet.resources import adjusted, check_affordable, paid, spent_by, used
from handful.sheet.text_format import format_text, parse_text


def export_character(rules: Ruleset, character: Character) -> str:
    """The canonical text of a character: the same character, the same text."""
    assert rules.sheet is not None
    return format_text(canonical_data(rules.sheet, character))


def import_character(rules: Ruleset, text: str) -> Character:
    """The character of a text; refused with all its mistakes."""
    return read_character(rules, parse_text(text))


told = list_contributions  # the name that earlier versions document

__all__ = [
    "FORMAT",
    "GM",
    "PLAYER",
    "SHEET",
    "Change",
    "Character",
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
    "canonical_data",
    "changes",
    "check_affordable",
    "derive",
    "differences",
    "draft",
    "evaluate",
    "export_character",
    "format_text",
    "formula_holds",
    "granting_proficiencies",
    "import_character",
    "list_contributions",
    "merge",
    "names_for_parameter",
    "paid",
    "parse_text",
    "read_character",
    "sheet_names",
    "skill_names",
    "skill_rank",
    "spent_by",
    "told",
    "used",
]
