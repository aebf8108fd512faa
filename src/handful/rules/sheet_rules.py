"""Rules for character sheets: the `[sheet]` table of a ruleset, checked and compiled.

Data only.  `rules.load_sheet` builds it; `handful.sheet` reads characters and drafts checks by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from handful.records import field, record
from handful.rules.params import Param, Wording
from handful.rules.program import Program, Record, Value

if TYPE_CHECKING:
    from handful.rules.round_rules import RoundRules

CHARACTER_KINDS = ("pc", "npc")  # player character, non-player character
SECTIONS = ("attributes", "proficiencies", "skills", "derived", "resources", "conditions", "traits", "items")
# Sections that a formula may read, by the section in which it is declared.
FORMULA_INPUTS = {
    "derived": ("attributes", "skills", "derived", "kind"),
    "resources": ("attributes", "skills", "derived", "kind"),
    "conditions": ("attributes", "skills", "derived", "resources", "kind"),
    "rounds": ("attributes", "skills", "derived", "resources", "kind", "marks"),
    "costs": ("value",),
}


@record(eq=False)
class Attribute:
    """An attribute: a number that every character has."""

    name: str
    title: Wording
    param: Param
    most_pips: int | None = None  # maximum for die codes
    aliases: tuple[str, ...] = ()


@record(eq=False)
class RankFormat:
    """Name, range and further fields of the rank of all skills or all proficiencies."""

    called: str  # key of the rank in a character file
    param: Param
    open: bool = False  # custom entries are allowed
    governed: bool = False  # each skill belongs to an attribute
    fields: Mapping[str, Param] = field(default_factory=dict)


@record(eq=False)
class Skill:
    """A skill that the game lists."""

    name: str
    title: Wording
    attribute: str = ""
    fields: Mapping[str, Value] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    help: Wording = field(default_factory=dict)


@record(eq=False)
class Proficiency:
    """A proficiency: it has a rank and grants skills."""

    name: str
    title: Wording
    skills: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    help: Wording = field(default_factory=dict)


@record()
class CheckModifier:
    """Parameter values that a trait, condition, pace or stance adds to a check."""

    values: Record
    only_for: tuple[str, ...] = ()  # skills and attributes; empty: all
    checks: tuple[str, ...] = ()  # empty: all
    off: bool = False  # has to be switched on by hand


@record(eq=False)
class Trait:
    """A trait that the game lists, with its modifiers."""

    name: str
    title: Wording
    gives: tuple[CheckModifier, ...]
    aliases: tuple[str, ...] = ()
    help: Wording = field(default_factory=dict)


@record(eq=False)
class Item:
    """A weapon or other item that the game lists, with the values of its fields."""

    name: str
    title: Wording
    fields: Mapping[str, Value] = field(default_factory=dict)
    uses: int | None = None  # how often it may be used in a round; None: once
    aliases: tuple[str, ...] = ()


@record(eq=False)
class Derived:
    """A number computed by a formula; a character may override it."""

    name: str
    title: Wording
    formula: Program
    param: Param


@record(eq=False)
class Use:
    """A purchase for one point of a resource, outside of checks."""

    name: str
    title: Wording
    when: Program
    changes: Mapping[str, int]  # resource -> amount


@record(eq=False)
class Resource:
    """A pool of points that changes in play."""

    name: str
    title: Wording
    least: int | Program
    most: int | Program
    start: int | Program
    kinds: tuple[str, ...]
    spent: Mapping[str, tuple[str, ...]]  # parameter or decision -> values that cost one point
    uses: Mapping[str, Use]


@record(eq=False)
class Condition:
    """A condition that applies to a character while its formula is true."""

    name: str
    title: Wording
    when: Program
    gives: tuple[CheckModifier, ...]
    cannot: Wording  # why no check is possible meanwhile; empty: checks are possible
    aliases: tuple[str, ...] = ()


@record(eq=False)
class Pick:
    """A parameter that accepts the name of an attribute or skill.

    `attributes` and `skills` map the parameters that are filled to the fields of the picked entry.
    """

    parameter: str
    attributes: Mapping[str, str]
    skills: Mapping[str, str]
    whole: bool = True  # a skill's total may be given in place of its attribute


@record(eq=False)
class PointBudget:
    """Points that a new character may spend on the entries of a sheet."""

    name: str
    title: Wording
    points: int | Program
    least: int | Program | None  # what has to be spent; None: any part of the points
    entries: tuple[tuple[str, str], ...]  # section and name; an empty name means all of the section
    cost: Program | None  # price of a `value`; None: the value itself
    most: int | Fraction | None  # highest value of one entry
    kinds: tuple[str, ...]


@record(eq=False)
class StartValues:
    """Values of a new character: those of every one, or of one that is ready to play."""

    title: Wording
    help: Wording
    values: Mapping[str, Mapping[str, Value]]  # section -> entry -> number
    traits: tuple[str, ...]
    items: tuple[str, ...] = ()


@record(eq=False)
class Creation:
    """Rules for making a character: advice, unless the game is strict."""

    strict: bool = False
    start: StartValues | None = None
    budgets: Mapping[str, PointBudget] = field(default_factory=dict)
    quick: Mapping[str, StartValues] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # part of a name -> choices


@record(eq=False)
class Sheet:
    """All rules for the characters of a game."""

    titles: Mapping[str, Wording]
    attributes: Mapping[str, Attribute]
    other_attribute: Attribute | None  # definition of custom attributes
    skill: RankFormat | None
    skills: Mapping[str, Skill]
    proficiency: RankFormat | None
    proficiencies: Mapping[str, Proficiency]
    derived: Mapping[str, Derived]
    resources: Mapping[str, Resource]
    conditions: Mapping[str, Condition]
    traits: Mapping[str, Trait]
    untrained: Trait | None
    picks: Mapping[str, Pick]
    parameter_words: Mapping[str, tuple[str, ...]]  # parameter -> words by which rules report it
    lineage: tuple[str, ...]  # ids of the ruleset and of those it extends
    rounds: RoundRules | None = None
    creation: Creation = field(default_factory=Creation)
    item: Mapping[str, Param] | None = None  # fields of an item; None: characters have none
    items: Mapping[str, Item] = field(default_factory=dict)

    def formulas(self) -> dict[str, tuple[str, Program]]:
        """Return every formula by name, with the section that decides what it may read."""
        formulas: dict[str, tuple[str, Any]] = {}
        for derived in self.derived.values():
            formulas[derived.formula.name] = "derived", derived.formula
        for resource in self.resources.values():
            for bound in (resource.least, resource.most, resource.start):
                if not isinstance(bound, int):
                    formulas[bound.name] = "resources", bound
            for use in resource.uses.values():
                formulas[use.when.name] = "conditions", use.when
        for condition in self.conditions.values():
            formulas[condition.when.name] = "conditions", condition.when
        for budget in self.creation.budgets.values():
            for number in (budget.points, budget.least):
                if number is not None and not isinstance(number, int):
                    formulas[number.name] = "resources", number
            if budget.cost is not None:
                formulas[budget.cost.name] = "costs", budget.cost
        for section, formula in self.rounds.formulas() if self.rounds else ():
            formulas[formula.name] = section, formula
        return formulas
