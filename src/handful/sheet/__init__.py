"""Characters and the checks that are built from them.

    character = read(rules, parsed(text))                      # or every mistake at once
    plan = draft(rules, "direct", params={"attribute": "Grace"}, characters=[character])
    plan = plan.switch(2, on=False, by="gm")                   # lines, with who did what
    bound = plan.bound()                                       # what is rolled and solved

Pure: texts come in as values.  What a sheet holds is said by the game (`rules.sheets`); nothing
about a game is known here.
"""

from handful.rules.ruleset import Ruleset
from handful.sheet.changes import Change, Clash, changes, differences, merged
from handful.sheet.characters import FORMAT, Character, Learned, OwnTrait, Training, canonical_data
from handful.sheet.draft import Draft, Side
from handful.sheet.drafting import draft, names_at, own_names
from handful.sheet.follows import Follows, Range, allows, follows, grants, number, ranks, skills_of
from handful.sheet.lines import GM, PLAYER, SHEET, Line
from handful.sheet.points import adjusted, afford, paid, spent_by, used
from handful.sheet.reading import read
from handful.sheet.telling import Told, told
from handful.sheet.written import parsed, written


def exported(rules: Ruleset, character: Character) -> str:
    """The canonical text of a character: the same character, the same text."""
    assert rules.sheet is not None
    return written(canonical_data(rules.sheet, character))


def imported(rules: Ruleset, text: str) -> Character:
    """The character of a text; refused with all its mistakes."""
    return read(rules, parsed(text))


__all__ = [
    "FORMAT",
    "GM",
    "PLAYER",
    "SHEET",
    "Change",
    "Character",
    "Clash",
    "Draft",
    "Follows",
    "Learned",
    "Line",
    "OwnTrait",
    "Range",
    "Side",
    "Told",
    "Training",
    "adjusted",
    "afford",
    "allows",
    "canonical_data",
    "changes",
    "differences",
    "draft",
    "exported",
    "follows",
    "grants",
    "imported",
    "merged",
    "names_at",
    "number",
    "own_names",
    "paid",
    "parsed",
    "ranks",
    "read",
    "skills_of",
    "spent_by",
    "told",
    "used",
    "written",
]
