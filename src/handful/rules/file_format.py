"""File formats: every field of every part, with its kind and description.

The loader accepts only the fields listed here, so an undescribed field cannot be read.  The JSON
Schema (`handful schema`) and docs/reference.md are generated from the same table.

A kind is a simple one (`text`, `whole`, `wording`, …), `each X` for a table of named parts of kind X,
`list X`, or the name of another part.
"""

from __future__ import annotations

FIELDS: dict[str, dict[str, tuple[str, str]]] = {
    "ruleset": {
        "language": ("language", "The version of the rule language that the file is written in."),
        "id": ("id", "The game's id: lowercase letters, digits and `-`."),
        "extends": (
            "text",
            "A shipped ruleset by id, or the path of another file; this file overrides it.",
        ),
        "replace": (
            "list text",
            "Parts that this file replaces instead of merging, such as `ladder` or `sheet.attributes`.",
        ),
        "usual_check": (
            "name",
            "The check to use if none is named; by default the only one.",
        ),
        "title": ("wording", "The title of the game."),
        "about": ("wording", "A description in a sentence or two."),
        "options": ("each option", "House rules: points on which tables differ."),
        "ladder": ("each rung", "Named difficulties, easiest first."),
        "tables": (
            "each rows",
            "Rows of whole numbers, looked up in rules with `tables.name[key]`.",
        ),
        "decisions": ("each decision", "Choices made during a roll."),
        "events": ("each wording", 'Events of a roll, reported by `event("name")`.'),
        "words": (
            "each word",
            "All other wording: sources of modifiers, units, results, refusals.",
        ),
        "rules": ("each rule", "Rules that other rules call."),
        "checks": ("each check", "Rules that can be rolled."),
        "sheet": ("sheet", "The character sheet: see sheets.md."),
        "rounds": ("rounds", "Rounds of a fight: see rounds.md."),
        "impossible": (
            "names",
            "Events that mean that a check is impossible: at a table it is refused, with the reason, "
            "before anything is spent.",
        ),
        "critical": (
            "names",
            "Events that a whole table cheers or groans at: screens make much of them; by default those "
            "with `critical` in their name, such as `critical_failure`.",
        ),
    },
    "option": {
        "values": ("values", "The possible values: all texts, all whole numbers, or true and false."),
        "min": ("whole", "The lowest number, if there are no `values`."),
        "max": ("whole", "The highest number."),
        "length": ("whole", "Makes it a list of this many numbers."),
        "default": ("any", "The default value."),
        "open": ("text", "The open question of the rulebook that it decides."),
        "label": ("wording", "Its label on screens."),
        "help": ("wording", "A longer explanation."),
    },
    "decision": {
        "by": ("by", "Who decides: `player` or `gm`."),
        "question": ("wording", "The question asked."),
        "usual": ("wording", "The answer that odds assume, in words."),
        "never": ("wording", "The answer under the policy `never`, in words; by default like `usual`."),
        "answers": ("each wording", "For `ask`: each possible answer."),
        "only": ("wording", "For `choose`: the dice that may be picked, in words."),
    },
    "rule": {
        "params": ("list name", "The names of its parameters."),
        "does": ("rules", "Its source."),
    },
    "check": {
        "title": ("wording", "Its title."),
        "help": ("wording", "A short explanation."),
        "main": ("text", "The main field of its result."),
        "does": ("rules", "Its rule."),
        "params": ("each param", "Its parameters."),
        "sides": (
            "sides",
            "For checks with several sides or members; the rule receives them as the list `sides`.",
        ),
        "refuse": ("wording", "Instead of a rule: why this is not rolled, and what to roll instead."),
        "aliases": ("list text", "Other names that people may type."),
    },
    "sides": {
        "word": ("between", "The word between two sides: `vs`, or `with` for a group."),
        "min": ("whole", "The minimum number of sides."),
        "max": ("whole", "The maximum number of sides."),
    },
    "param": {
        "type": ("type", "The type of its value."),
        "min": ("number", "The lowest value."),
        "max": ("number", "The highest value."),
        "default": ("any", "The default value."),
        "optional": ("truth", "True if it may be left out without a default; test it with `given(…)`."),
        "label": ("wording", "Its label on screens."),
        "help": ("wording", "A longer explanation."),
        "unit": ("text", "Its unit, a word from `words`."),
        "whole": ("truth", "In a check with sides: one value for all sides."),
        "values": ("values", "For a `choice`: the possible values."),
        "words": ("each whole", "For a `number`: names that stand for numbers."),
        "follows": (
            "follows",
            "For a `choice`: other parameters whose values imply this one.  Giving both with "
            "contradicting values is refused.",
        ),
        "at_table": (
            "text",
            "For a `choice`: a value that is added at a table if the rules accept it and the "
            "character can pay for an answer to the decision of the same name.",
        ),
        "list": (
            "separators",
            "Makes it a list: the separator between entries, `,` or `+`, or both for nested lists.",
        ),
        "sum": ("truth", "True if it may be typed as a sum, `1+3-2`."),
        "number": (
            "field",
            "For a `die_code`: true if a plain number is accepted; for a `ladder`: the field that a "
            "number sets.",
        ),
        "aliases": ("list text", "Other names that people may type."),
    },
    "sheet": {
        "titles": ("each wording", "The titles of the sections."),
        "attribute": ("attribute", "Settings shared by all attributes."),
        "attributes": ("each attribute", "The numbers that every character has."),
        "skill": ("skill form", "The name and range of a skill's rank."),
        "skills": ("each skill", "The skills of the game."),
        "proficiency": (
            "proficiency form",
            "The name and range of a proficiency's rank.",
        ),
        "proficiencies": ("each proficiency", "Proficiencies: they have a rank and grant skills."),
        "derived": ("each derived", "Numbers computed from others."),
        "resources": ("each resource", "Points that go up and down in play."),
        "conditions": ("each condition", "Conditions that apply while their formula is true."),
        "traits": ("each trait", "Traits: they modify checks."),
        "untrained": (
            "trait",
            "Modifiers of checks with a skill that the character does not have.",
        ),
        "item": ("item form", "The fields of an item, such as a weapon; without it characters have none."),
        "items": ("each item", "The items of the game; a character may have others."),
        "picks": ("each pick", "Parameters that accept the name of an attribute or skill."),
        "told": ("each names", "The words by which rules report a parameter in the breakdown."),
        "creation": ("creation", "How a new character is made: points, start values, names."),
    },
    "creation": {
        "strict": (
            "truth",
            "True if a player's new character has to keep to the budgets; otherwise they are advice.",
        ),
        "start": ("start", "Values that every new character begins with."),
        "budgets": ("each budget", "Points that a new character may spend."),
        "quick": ("each quick", "Characters that are ready to play, to begin with."),
        "names": (
            "each names",
            "The parts of a random name, each with its choices; a name has one of each, in this order.",
        ),
    },
    "budget": {
        "title": ("wording", "Its title."),
        "points": ("bound", "How many points there are: a number or a formula."),
        "least": ("bound", "How many have to be spent; by default any number."),
        "over": (
            "names",
            "What they buy: `attributes`, `skills`, `proficiencies`, `resources`, or entries by name.",
        ),
        "cost": (
            "formula",
            "The price of an entry, from its `value`; by default the value. A die code counts in dice: "
            "`3D+1` is 10/3.",
        ),
        "max": ("number", "The highest value of one entry of a new character."),
        "kinds": ("names", "Whom it binds: `pc`, `npc` or both; by default player characters."),
    },
    "start": {
        "attributes": ("each any", "Values of attributes."),
        "proficiencies": ("each any", "Ranks of proficiencies."),
        "skills": ("each any", "Ranks of skills."),
        "resources": ("each whole", "Current values of resources."),
        "traits": ("names", "Traits of the game."),
    },
    "quick": {
        "title": ("wording", "Its title, such as Burglar."),
        "help": ("wording", "What it is good at, in a few words."),
        "attributes": ("each any", "Values of attributes."),
        "proficiencies": ("each any", "Ranks of proficiencies."),
        "skills": ("each any", "Ranks of skills."),
        "resources": ("each whole", "Current values of resources."),
        "traits": ("names", "Traits of the game."),
        "items": ("names", "Items of the game, such as weapons."),
    },
    "attribute": {
        "type": ("type", "`number`, `halves` or `die_code`."),
        "min": ("number", "The lowest value."),
        "max": ("number", "The highest value."),
        "default": ("any", "Its value if the character has none."),
        "title": ("wording", "Its title."),
        "help": ("wording", "What it is for, in a few words."),
        "pips": ("whole", "For die codes: the maximum number of pips."),
        "aliases": ("list text", "Other names that people may type."),
        "open": (
            "truth",
            "In `[sheet.attribute]`: true if a character may have custom attributes.",
        ),
    },
    "skill form": {
        "type": ("type", "`number`, `halves` or `die_code`."),
        "min": ("number", "The lowest value."),
        "max": ("number", "The highest value."),
        "default": ("any", "Its value if the character has none."),
        "label": ("wording", "The label of the rank."),
        "called": ("name", "The key of the rank in a character file."),
        "open": ("truth", "True if a character may have custom skills."),
        "attribute": ("truth", "True if each skill belongs to an attribute."),
        "fields": ("each param", "Further fields of a skill."),
    },
    "proficiency form": {
        "type": ("type", "`number`, `halves` or `die_code`."),
        "min": ("number", "The lowest rank."),
        "max": ("number", "The highest rank."),
        "default": ("any", "Its rank if the character has none."),
        "label": ("wording", "The label of the rank."),
        "called": ("name", "The key of the rank in a character file."),
        "open": ("truth", "True if a character may have custom proficiencies."),
    },
    "proficiency": {
        "title": ("wording", "Its title."),
        "help": ("wording", "What it is for, in a few words."),
        "skills": ("names", "The skills it grants."),
        "aliases": ("list text", "Other names that people may type."),
    },
    "derived": {
        "title": ("wording", "Its title."),
        "value": (
            "formula",
            "Its formula, from attributes, skills and numbers derived above it.",
        ),
        "min": ("number", "The lowest value."),
        "max": ("number", "The highest value."),
        "type": ("type", "`number`, `halves` or `die_code`."),
    },
    "resource": {
        "title": ("wording", "Its title."),
        "min": ("bound", "The minimum: a number or a formula."),
        "max": ("bound", "The maximum: a number or a formula."),
        "start": ("bound", "The starting value; by default the maximum."),
        "kinds": ("names", "Who has it: `pc`, `npc` or both."),
        "spent": (
            "each names",
            "Parameters and decisions, with the values and answers that cost one point.",
        ),
        "uses": ("each use", "Purchases for one point, outside of checks."),
    },
    "use": {
        "title": ("wording", "Its title."),
        "when": ("formula", "When it is available."),
        "changes": ("each whole", "Resources, and the change of each."),
    },
    "condition": {
        "title": ("wording", "Its title."),
        "when": ("formula", "When it applies."),
        "gives": ("list modifier", "Its modifiers of checks."),
        "cannot": ("wording", "Why no check is possible while it applies."),
        "aliases": ("list text", "Other names that people may type."),
    },
    "trait": {
        "title": ("wording", "Its title."),
        "help": ("wording", "What it means, in a few words."),
        "gives": ("list modifier", "Its modifiers of checks."),
        "aliases": ("list text", "Other names that people may type."),
    },
    "item form": {
        "fields": ("each param", "The fields of an item."),
    },
    "pick": {
        "attributes": (
            "each text",
            "Parameters that an attribute fills: with its `value` or `name`.",
        ),
        "skills": (
            "each text",
            "Parameters that a skill fills: with its `name`, its number or another field.",
        ),
        "whole": (
            "truth",
            "True if a skill's total may be given in place of its attribute, as in `repair=4D+1`; the "
            "default.",
        ),
    },
    "rounds": {
        "seconds": ("whole", "The length of a round."),
        "initiative": ("formula", "The initiative; the highest acts first."),
        "ties": ("list formula", "Tie-breakers, in order."),
        "marks": ("each wording", "Ranks that the GM gives a combatant; formulas read them."),
        "actions": ("text", "The parameter that takes the number of actions."),
        "prepare": ("text", "The parameter that takes the time as a multiple of the normal time."),
        "calm": ("names", "Checks that a combatant attacked in this round cannot make."),
        "settings": ("settings", "The options that configure rounds."),
        "paces": ("each pace", "Paces of movement."),
        "stances": ("each stance", "Stances: they take the whole round and protect the combatant."),
        "targets": ("each target", "Parameters that the target of a check supplies."),
        "answers": ("each answer", "Checks with which a target may react."),
        "attacks": ("each attack", "How a check against a target goes on: damage and resistance."),
        "harm": ("text", "The resource that damage reduces."),
        "heat": ("names", "Events that disable the item used in a roll."),
        "retries": ("retries", "How failed attempts are carried over to the next try."),
        "free": ("names", "Checks that cost no action."),
    },
    "settings": {
        "structure": ("text", "The option for `turn` or `interleaved`."),
        "division": ("text", "The option for dividing actions."),
        "last_tie": ("text", "The option for breaking the last tie."),
    },
    "retries": {
        "parameter": ("text", "The parameter that takes the failed attempts."),
        "result": ("text", "The field of the result that is carried over."),
    },
    "pace": {
        "title": ("wording", "Its title."),
        "distance": ("formula", "The distance."),
        "actions": ("formula", "The cost in actions."),
        "gives": ("list modifier", "Its modifiers of checks in that round."),
        "burdens": ("formula", "True if its modifiers apply."),
    },
    "stance": {
        "title": ("wording", "Its title."),
        "choices": ("each wording", "The kinds of attack it can protect against."),
        "all": ("formula", "True if it protects against all of them at once."),
        "against": ("list modifier", "Its modifiers of checks against the combatant."),
    },
    "answer": {
        "title": ("wording", "Its title."),
        "to": ("text", "The check it reacts to."),
        "by": ("text", "The parameter of that check that decides whether it applies."),
        "when": ("names", "The values of that parameter for which it applies."),
        "check": ("text", "The check to roll."),
        "parameters": ("each any", "Preset parameters."),
        "before": ("formula", "True if it is declared before the dice are rolled."),
        "early": (
            "formula",
            "True if it is allowed before the target's own turn without the GM's permission; default false.",
        ),
    },
    "attack": {
        "item": ("each text", "Parameters that the item used fills, with one of its fields each."),
        "damage": ("follow-up", "The check for the damage of a hit."),
        "resist": ("follow-up", "The check by which the target resists the damage."),
    },
    "follow-up": {
        "check": ("text", "The check to roll."),
        "parameters": ("each any", "Preset parameters."),
        "item": ("each text", "Parameters that the attacker's item fills, with one of its fields each."),
    },
    "case": {
        "name": ("text", "A description of the case."),
        "check": ("text", "The check to roll."),
        "rules": ("list text", "The rules of the book that it covers."),
        "params": ("each any", "The parameters of the whole check."),
        "sides": ("list record", "The parameters of each side."),
        "options": ("each any", "Options that apply here."),
        "policy": ("policy", "The policy for decisions: `usual`, `best` or `never`."),
        "faces": ("list whole", "The faces rolled, in order."),
        "answers": ("list any", "The answers to decisions, in order; by default the usual ones."),
        "roll": ("each any", "The expected result of the roll."),
        "odds": ("each any", "The expected exact odds."),
        "refused": ("text", "Part of the expected refusal."),
    },
    "claim": {
        "id": ("text", "The id of the claim."),
        "game": ("text", "The game it is about."),
        "says": ("text", "The statement about odds."),
        "check": ("text", "The check to roll."),
        "params": ("each any", "The parameters of the whole check."),
        "sides": ("list record", "The parameters of each side."),
        "options": ("each any", "Options that apply here."),
        "policy": ("policy", "The policy for decisions: `usual`, `best` or `never`."),
        "figure": ("text", "The figure that is checked."),
        "range": ("ends", "The range in which the statement is true."),
        "against": ("each any", "Other parameters; the difference between both is checked."),
        "source": ("text", "The source of the statement, if a file has several."),
    },
    "character": {
        "format": ("whole", "The version of the character format."),
        "ruleset": ("text", "The game."),
        "name": ("text", "The name."),
        "kind": ("kind", "`pc` or `npc`."),
        "attributes": ("each any", "A value for each attribute."),
        "proficiencies": ("each any", "Ranks."),
        "skills": ("each any", "Skills."),
        "derived": ("each any", "Numbers that override derived ones."),
        "resources": ("each any", "The current value of each."),
        "traits": ("list any", "Traits."),
        "items": ("each any", "Weapons and other items, each with its fields."),
        "notes": ("text", "Anything else."),
    },
}
# Fields that are newer than language version 1, with the version that introduced them.
INTRODUCED_IN: dict[str, dict[str, int]] = {
    "ruleset": {"usual_check": 2, "impossible": 2, "critical": 2},
    "rung": {"aliases": 2},
    "word": {"aliases": 2},
    "check": {"aliases": 2},
    "param": {"aliases": 2, "follows": 2, "at_table": 2},
    "sheet": {"creation": 2, "item": 2, "items": 2},
    "attribute": {"aliases": 2, "open": 2, "help": 2},
    "skill": {"aliases": 2, "help": 2},
    "proficiency": {"aliases": 2, "help": 2},
    "condition": {"aliases": 2},
    "trait": {"aliases": 2, "help": 2},
    "rounds": {"attacks": 2},
    "pick": {"whole": 2},
    "answer": {"early": 2},
}
# Required fields; all others are optional.
REQUIRED_FIELDS: dict[str, tuple[str, ...]] = {
    "option": ("default", "label"),
    "decision": ("by", "question", "usual"),
    "rule": ("does",),
    "check": ("title",),
    "sides": ("word",),
    "param": ("type", "label"),
    "case": ("name", "check"),
    "claim": ("id", "says", "check", "range"),
}


class FieldNames(frozenset[str]):
    """Field names of a part; `since` has the language version of those newer than version 1."""

    since: dict[str, int]


def field_names(part: str, *, without: str = "") -> FieldNames:
    """Return the field names of a part."""
    names = FieldNames(name for name in FIELDS[part] if name != without)
    names.since = INTRODUCED_IN.get(part, {})
    return names
