"""What a game says about its characters: the `[sheet]` part of a ruleset, checked and compiled.

Data only.  `rules.load_sheet` makes it; `handful.sheet` reads characters by it and builds checks
from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from handful.records import field, record
from handful.rules.params import Param, Wording
from handful.rules.program import Program, Record, Value

if TYPE_CHECKING:
    from handful.rules.round_rules import RoundRules

CHARACTER_KINDS = ("pc", "npc")  # a player's character, or one of the game master's
SECTIONS = ("attributes", "proficiencies", "skills", "derived", "resources", "conditions", "traits")
# What a formula may read, by the part of the sheet that it stands in.
FORMULA_INPUTS = {
    "derived": ("attributes", "skills", "derived", "kind"),
    "resources": ("attributes", "skills", "derived", "kind"),
    "conditions": ("attributes", "skills", "derived", "resources", "kind"),
    "rounds": ("attributes", "skills", "derived", "resources", "kind", "marks"),
}


@record(eq=False)
class Attribute:
    """A number that every character has."""

    name: str
    title: Wording
    param: Param
    most_pips: int | None = None  # of a die code
    aliases: tuple[str, ...] = ()


@record(eq=False)
class RankFormat:
    """How the number of a skill or proficiency is called and written."""

    called: str
    param: Param
    open: bool = False  # whether a character may have others than those listed
    governed: bool = False  # whether each skill belongs to an attribute
    fields: Mapping[str, Param] = field(default_factory=dict)


@record(eq=False)
class Skill:
    name: str
    title: Wording
    attribute: str = ""
    fields: Mapping[str, Value] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()


@record(eq=False)
class Proficiency:
    """Something with a rank that grants skills."""

    name: str
    title: Wording
    skills: tuple[str, ...]
    aliases: tuple[str, ...] = ()


@record()
class CheckModifier:
    """Values of parameters that a trait or condition brings to a check."""

    values: Record
    only_for: tuple[str, ...] = ()  # skills and attributes; none: all
    checks: tuple[str, ...] = ()  # none: all
    off: bool = False  # somebody has to switch it on


@record(eq=False)
class Trait:
    name: str
    title: Wording
    gives: tuple[CheckModifier, ...]
    aliases: tuple[str, ...] = ()


@record(eq=False)
class Derived:
    """A number that follows from others; a character may have its own instead."""

    name: str
    title: Wording
    formula: Program
    param: Param


@record(eq=False)
class Use:
    """What one of a resource buys outside of checks."""

    name: str
    title: Wording
    when: Program
    changes: Mapping[str, int]  # resource -> how much


@record(eq=False)
class Resource:
    """A number that goes up and down in play."""

    name: str
    title: Wording
    least: int | Program
    most: int | Program
    start: int | Program
    kinds: tuple[str, ...]
    spent: Mapping[str, tuple[str, ...]]  # parameter or decision -> what of it costs one
    uses: Mapping[str, Use]


@record(eq=False)
class Condition:
    """What a character is in, as soon as a formula says so."""

    name: str
    title: Wording
    when: Program
    gives: tuple[CheckModifier, ...]
    cannot: Wording  # why nothing can be checked meanwhile; empty: something can
    aliases: tuple[str, ...] = ()


@record(eq=False)
class Pick:
    """A parameter at which the name of an attribute or skill may stand.

    Each maps the parameters that are filled to the fields that they are filled with.
    """

    parameter: str
    attributes: Mapping[str, str]
    skills: Mapping[str, str]
    whole: bool = True  # whether a skill's whole value may stand where its attribute does


@record(eq=False)
class Sheet:
    """Everything a ruleset says about characters."""

    titles: Mapping[str, Wording]
    attributes: Mapping[str, Attribute]
    other_attribute: Attribute | None  # what those are like that only a character names
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
    told: Mapping[str, tuple[str, ...]]  # parameter -> words under which a roll tells of it
    lineage: tuple[str, ...]  # the ids of the ruleset and of those it extends
    rounds: RoundRules | None = None

    def formulas(self) -> dict[str, tuple[str, Program]]:
        """Every formula by its name, with the part of the sheet that it stands in."""
        found: dict[str, tuple[str, Any]] = {}
        for one in self.derived.values():
            found[one.formula.name] = "derived", one.formula
        for resource in self.resources.values():
            for bound in (resource.least, resource.most, resource.start):
                if not isinstance(bound, int):
                    found[bound.name] = "resources", bound
            for use in resource.uses.values():
                found[use.when.name] = "conditions", use.when
        for condition in self.conditions.values():
            found[condition.when.name] = "conditions", condition.when
        for section, formula in self.rounds.formulas() if self.rounds else ():
            found[formula.name] = section, formula
        return found
