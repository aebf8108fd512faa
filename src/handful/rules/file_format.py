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
        "id": ("id", "The name of the game: small letters, digits and `-`."),
        "extends": (
            "text",
            "A shipped ruleset by its name, or the path of another file: what stands here comes over it.",
        ),
        "replace": (
            "list text",
            "Parts that are taken whole from this file instead of merged, such as `ladder` or "
            "`sheet.attributes`.",
        ),
        "usual_check": (
            "name",
            "The check that is meant where somebody names none; the only one, if left out.",
        ),
        "title": ("wording", "What the game is called."),
        "about": ("wording", "What it is about, in a sentence or two."),
        "options": ("each option", "House rules: points that people settle differently."),
        "ladder": ("each rung", "Named difficulties, easiest first."),
        "tables": (
            "each rows",
            "Rows of whole numbers, looked up in rules with `tables.name[key]`.",
        ),
        "decisions": ("each decision", "What people decide in the middle of a roll."),
        "events": ("each wording", 'Things that happen in a roll, said by `event("name")`.'),
        "words": (
            "each word",
            "Every other wording: sources of modifiers, units, results, refusals.",
        ),
        "rules": ("each rule", "Rules that other rules call."),
        "checks": ("each check", "Rules that people roll."),
        "sheet": ("sheet", "What a character has: see sheets.md."),
        "rounds": ("rounds", "How a fight goes round by round: see rounds.md."),
        "impossible": (
            "names",
            "Events that say that a check cannot be made: at a table it is refused, with the "
            "reason, before anything is spent.",
        ),
    },
    "option": {
        "values": ("values", "What it can be: all texts, all whole numbers, or true and false."),
        "min": ("whole", "The lowest number, where there are no `values`."),
        "max": ("whole", "The highest number."),
        "length": ("whole", "Makes it a list of so many numbers."),
        "default": ("any", "What holds unless somebody says otherwise."),
        "open": ("text", "The open point of the rulebook that it settles."),
        "label": ("wording", "What it is called on a screen."),
        "help": ("wording", "More about it."),
    },
    "decision": {
        "by": ("by", "Who decides: `player` or `gm`."),
        "question": ("wording", "What they are asked."),
        "usual": ("wording", "What odds assume that they answer, in words."),
        "never": ("wording", "What it means never to use it; like `usual` if left out."),
        "answers": ("each wording", "For `ask`: each possible answer."),
        "only": ("wording", "For `choose`: which dice may be picked."),
    },
    "rule": {
        "params": ("list name", "The names of what it is given."),
        "does": ("rules", "Its text."),
    },
    "check": {
        "title": ("wording", "What it is called."),
        "help": ("wording", "What it is for."),
        "main": ("text", "The field of its result that counts."),
        "does": ("rules", "Its rule."),
        "params": ("each param", "What has to be known to roll it."),
        "sides": ("sides", "For several sides or members: the rule gets them as the list `sides`."),
        "refuse": ("wording", "Instead of a rule: why this is not rolled, and what is."),
        "aliases": ("list text", "What else it is called, as somebody may type it."),
    },
    "sides": {
        "word": ("between", "What stands between two of them: `vs`, or `with` for a group."),
        "min": ("whole", "How many there are at least."),
        "max": ("whole", "How many there are at most."),
    },
    "param": {
        "type": ("type", "What kind of value it is."),
        "min": ("number", "The lowest value."),
        "max": ("number", "The highest value."),
        "default": ("any", "Its value where nobody gives one."),
        "optional": ("truth", "Whether it may be left out without a default; ask with `given(…)`."),
        "label": ("wording", "What it is called on a screen."),
        "help": ("wording", "More about it."),
        "unit": ("text", "What it counts, a word from `words`."),
        "whole": ("truth", "In a check with sides: one value for all of them."),
        "values": ("values", "For a `choice`: what can be chosen."),
        "words": ("each whole", "For a `number`: names that stand for numbers."),
        "follows": (
            "follows",
            "For a `choice`: other parameters from whose values this one follows.  Saying both "
            "and meaning different things is refused.",
        ),
        "at_table": (
            "text",
            "For a `choice`: a value that is added at a table, where the rules take it and the "
            "character has points for an answer to the decision of the same name.",
        ),
        "list": (
            "separators",
            "Makes it a list: the sign between its entries, `,` or `+`, or both for lists of lists.",
        ),
        "sum": ("truth", "Whether it may be typed as a sum, `1+3-2`."),
        "number": (
            "field",
            "For a `die_code`: whether a plain number will do; for a `ladder`: the field that "
            "a number becomes.",
        ),
        "aliases": ("list text", "What else it is called, as somebody may type it."),
    },
    "sheet": {
        "titles": ("each wording", "What the sections are called."),
        "attribute": ("attribute", "What all attributes have in common."),
        "attributes": ("each attribute", "The numbers that every character has."),
        "skill": ("skill form", "What the number of a skill is called, and its range."),
        "skills": ("each skill", "The skills of the game."),
        "proficiency": (
            "proficiency form",
            "What the rank of a proficiency is called, and its range.",
        ),
        "proficiencies": ("each proficiency", "What has a rank and grants skills."),
        "derived": ("each derived", "Numbers that follow from others."),
        "resources": ("each resource", "Numbers that go up and down in play."),
        "conditions": ("each condition", "What a character is in, as soon as a formula says so."),
        "traits": ("each trait", "What brings something to checks."),
        "untrained": (
            "trait",
            "What brings something to checks with a skill that one does not have.",
        ),
        "picks": ("each pick", "Parameters at which the name of an attribute or skill may stand."),
        "told": ("each names", "The words under which a roll tells of a parameter."),
    },
    "attribute": {
        "type": ("type", "`number`, `halves` or `die_code`."),
        "min": ("number", "The lowest value."),
        "max": ("number", "The highest value."),
        "default": ("any", "Its value where a character does not say."),
        "title": ("wording", "What it is called."),
        "pips": ("whole", "For die codes: the most pips."),
        "aliases": ("list text", "What else it is called, as somebody may type it."),
        "open": (
            "truth",
            "In `[sheet.attribute]`: whether a character may have others than those listed.",
        ),
    },
    "skill form": {
        "type": ("type", "`number`, `halves` or `die_code`."),
        "min": ("number", "The lowest value."),
        "max": ("number", "The highest value."),
        "default": ("any", "Its value where a character does not say."),
        "label": ("wording", "What the number is called."),
        "called": ("name", "The name of the number in a character's file."),
        "open": ("truth", "Whether a character may have other skills than those listed."),
        "attribute": ("truth", "Whether each skill belongs to an attribute."),
        "fields": ("each param", "What else a skill has."),
    },
    "proficiency form": {
        "type": ("type", "`number`, `halves` or `die_code`."),
        "min": ("number", "The lowest rank."),
        "max": ("number", "The highest rank."),
        "default": ("any", "Its rank where a character does not say."),
        "label": ("wording", "What the rank is called."),
        "called": ("name", "The name of the rank in a character's file."),
        "open": ("truth", "Whether a character may have others than those listed."),
    },
    "proficiency": {
        "title": ("wording", "What it is called."),
        "skills": ("names", "The skills that it grants."),
        "aliases": ("list text", "What else it is called, as somebody may type it."),
    },
    "derived": {
        "title": ("wording", "What it is called."),
        "value": (
            "formula",
            "How it follows from attributes, skills and what is derived above it.",
        ),
        "min": ("number", "The lowest value."),
        "max": ("number", "The highest value."),
        "type": ("type", "`number`, `halves` or `die_code`."),
    },
    "resource": {
        "title": ("wording", "What it is called."),
        "min": ("bound", "Its lower end: a number or a formula."),
        "max": ("bound", "Its upper end."),
        "start": ("bound", "What a character begins with; its upper end if left out."),
        "kinds": ("names", "Who has it: `pc`, `npc` or both."),
        "spent": (
            "each names",
            "Parameters and decisions, with the values and answers that cost one.",
        ),
        "uses": ("each use", "What one of it buys outside of checks."),
    },
    "use": {
        "title": ("wording", "What it is called."),
        "when": ("formula", "When it can be had."),
        "changes": ("each whole", "Resources, and how much each changes."),
    },
    "condition": {
        "title": ("wording", "What it is called."),
        "when": ("formula", "When a character is in it."),
        "gives": ("list gift", "What it brings to checks."),
        "cannot": ("wording", "Why nothing can be checked meanwhile."),
        "aliases": ("list text", "What else it is called, as somebody may type it."),
    },
    "trait": {
        "title": ("wording", "What it is called."),
        "gives": ("list gift", "What it brings to checks."),
        "aliases": ("list text", "What else it is called, as somebody may type it."),
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
            "Whether the whole value of a skill may stand where its attribute does: `repair=4D+1`; "
            "yes unless it says no.",
        ),
    },
    "rounds": {
        "seconds": ("whole", "How long a round is."),
        "initiative": ("formula", "Who acts first: the highest."),
        "ties": ("list formula", "What decides between equals, one after the other."),
        "marks": ("each wording", "Ranks that the GM gives a combatant; formulas read them."),
        "actions": ("text", "The parameter that takes the number of actions."),
        "prepare": ("text", "The parameter that takes the time as a multiple of the normal time."),
        "calm": ("names", "Checks that nobody makes who was attacked in this round."),
        "settings": ("settings", "Which options say how rounds go."),
        "paces": ("each pace", "Ways to move."),
        "stances": ("each stance", "What takes the whole round and helps against others."),
        "targets": ("each target", "What the target of a check brings to it."),
        "answers": ("each answer", "Checks with which a target may answer."),
        "harm": ("text", "The resource that damage takes away."),
        "heat": ("names", "Events that put the item of a roll out of use."),
        "retries": ("retries", "What a failed try is remembered by."),
        "free": ("names", "Checks that are no actions."),
    },
    "settings": {
        "structure": ("text", "The option for `turn` or `interleaved`."),
        "division": ("text", "The option for dividing actions."),
        "last_tie": ("text", "The option for what settles the last tie."),
    },
    "retries": {
        "parameter": ("text", "The parameter that takes the failed tries."),
        "result": ("text", "The field of the result that is remembered."),
    },
    "pace": {
        "title": ("wording", "What it is called."),
        "distance": ("formula", "How far."),
        "actions": ("formula", "What it costs."),
        "gives": ("list gift", "What it does to the checks of the round."),
        "burdens": ("formula", "Whether it does anything to checks."),
    },
    "stance": {
        "title": ("wording", "What it is called."),
        "choices": ("each wording", "What it can help against."),
        "all": ("formula", "Whether it helps against all of them at once."),
        "against": ("list gift", "What it brings to checks against whoever takes it."),
    },
    "answer": {
        "title": ("wording", "What it is called."),
        "to": ("text", "The check that is answered."),
        "by": ("text", "The parameter of it that decides."),
        "when": ("names", "Its values to which this is an answer."),
        "check": ("text", "What is rolled."),
        "parameters": ("each any", "What is filled in already."),
        "before": ("formula", "Whether it is chosen before the dice."),
        "early": (
            "formula",
            "Whether a target may answer before its own turn without the GM's leave; no if left out.",
        ),
    },
    "case": {
        "name": ("text", "What it shows."),
        "check": ("text", "What is rolled."),
        "rules": ("list text", "The rules of the book that it is about."),
        "params": ("each any", "The parameters of the whole check."),
        "sides": ("list record", "The parameters of each side."),
        "options": ("each any", "House rules that hold here."),
        "policy": ("policy", "How decisions are taken: `usual`, `best` or `never`."),
        "faces": ("list whole", "The faces that fall, in order."),
        "answers": ("list any", "What is decided, in order; the usual where nothing is said."),
        "roll": ("each any", "What must come of the roll."),
        "odds": ("each any", "What the exact odds must be."),
        "refused": ("text", "Part of the message with which it must be refused."),
    },
    "claim": {
        "id": ("text", "Its name."),
        "game": ("text", "The game that it is about."),
        "says": ("text", "The words about odds."),
        "check": ("text", "What is rolled."),
        "params": ("each any", "The parameters of the whole check."),
        "sides": ("list record", "The parameters of each side."),
        "options": ("each any", "House rules that hold here."),
        "policy": ("policy", "How decisions are taken: `usual`, `best` or `never`."),
        "figure": ("text", "Which figure is judged."),
        "range": ("ends", "The two ends between which the words are true."),
        "against": ("each any", "Other parameters: the difference is judged."),
        "source": ("text", "Who says so, where one file has the remarks of several."),
    },
    "character": {
        "format": ("whole", "The version of the format of characters."),
        "ruleset": ("text", "The game."),
        "name": ("text", "The name."),
        "kind": ("kind", "`pc` or `npc`."),
        "attributes": ("each any", "A value for each attribute."),
        "proficiencies": ("each any", "Ranks."),
        "skills": ("each any", "Skills."),
        "derived": ("each any", "Numbers of its own in place of derived ones."),
        "resources": ("each any", "How much is left of each."),
        "traits": ("list any", "Traits."),
        "notes": ("text", "Anything else."),
    },
}
# Fields that are newer than language version 1, with the version that introduced them.
INTRODUCED_IN: dict[str, dict[str, int]] = {
    "ruleset": {"usual_check": 2, "impossible": 2},
    "rung": {"aliases": 2},
    "word": {"aliases": 2},
    "check": {"aliases": 2},
    "param": {"aliases": 2, "follows": 2, "at_table": 2},
    "attribute": {"aliases": 2, "open": 2},
    "skill": {"aliases": 2},
    "proficiency": {"aliases": 2},
    "condition": {"aliases": 2},
    "trait": {"aliases": 2},
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
