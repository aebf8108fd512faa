"""Stable codes for the errors of a ruleset, by message template.

The codes are for editors and programs (`handful lint --json`); people read the messages.
A `{}` stands for text of the file.  Tests compare this table with the source: every message of the
loader has exactly one code, and a broken file that produces it.
"""

from __future__ import annotations

import re
from functools import cache

CODES: dict[str, tuple[str, ...]] = {
    # the file
    "toml": ("is not valid TOML: {}",),
    "limit": (
        "is larger than {} characters",
        "has more than {} dots in one line",
        "has more than {} tables inside each other",
        "has more than {} lists inside each other",
        "is nested too deeply",
        "holds a number that is far too long",
        "a name may have at most {} plain characters",
        "a text may have at most {} characters",
        "a game does not count beyond {}",
        "a rule may not count beyond {}",
        "is nested more than {} levels deep",
        "is nested too deeply, or holds characters that no rule can hold",
        "a name may have at most {} characters",
        "a result may hold at most {} values, {} levels deep",
        "{} is called more than {} rules deep",
        "the rules are too long or too entangled to be looked over",
        "the rules are nested too deeply to be looked over",
    ),
    "unshown": ("holds a character that cannot be shown (U+{})",),
    "date": ("there are no dates and times in a game",),
    "language-missing": ("does not say which language it is written in",),
    "language-older": ("{} needs language {}, and this file is written in language {}",),
    "usual-check": ("there is no check {} to roll",),
    "language-newer": ("wants language {}, and this Handful knows languages up to {}",),
    "follows": ("follows is for the whole check",),
    "id": ("needs an id of small letters, digits and '-'",),
    "no-checks": ("has no checks: there is nothing to roll",),
    # parts
    "unknown-key": ("there is no {} here",),
    "unknown-name": (
        "there is no {} {}",
        "there is no option {}",
        "there is no table {}",
        "there is no parameter or decision {}",
        "no check has the parameter {}",
        "{} have no {}",
        "which attribute does {} belong to?",
        "{}: there is no {}",
    ),
    "name": (
        "{} is not a name: small letters, digits and _",
        "the name {} is taken or not a name",
    ),
    "name-taken": (
        "the name {} is taken",
        "a rule is already called {}",
        "an attribute is already called {}",
    ),
    "kind": (
        "{} must be a table",
        "sheet must be a table",
        "{} must be a whole number",
        "{} must be a number",
        "{} must be true or false",
        "{} must be a list of names",
        "{} must be a list of formulas",
        "off must be true or false",
        "params must be a list of names",
        "gives must be a list of tables",
        "values must be all texts, all whole numbers or all true/false",
        "the row {} must hold whole numbers",
        "{} is not understood",
        "{} cannot be of that type",
        "the type of {} is not known",
    ),
    "wording": ("{} needs wording", "{} needs English wording"),
    "missing": (
        "{} needs a text",
        "{} needs a formula",
        "which field of its result is the main one of {}?",
        "sides need a word",
        "who decides {}?",
        "a choice needs values",
        "what rank does a proficiency have?",
        "what number does a skill have?",
        "it gives nothing",
    ),
    "range": (
        "the number of sides is not possible",
        "the range of {} is empty",
        "the option {} leaves no choice",
        "the default of {} is not one of its values",
        "the default does not fit: {}",
        "{} offers {}, which rounds do not know",
        "{}: {}",
    ),
    "odd-one": ("only {} has {}",),
    # rule sources
    "syntax": (
        "cannot be read: {}",
        "a rule cannot say {}",
        "cannot read the number {}",
        "comparisons cannot be chained",
        "a die has 2 to {} sides",
        "{} is used with a name",
        "{} stands on a line of its own",
        "a result has named fields only",
        "the name of the {} must stand here in quotation marks",
    ),
    "no-value": ("the name {} has no value here", "{} may have no value yet here"),
    "parameter-set": ("the parameter {} cannot be given another value",),
    "unknown-function": ("there is no function or rule {}",),
    "arguments": (
        "{} takes no named arguments",
        "{} takes {} argument{}",
        "{} is given twice",
        "roll takes how many, which die and perhaps a role",
        "reroll takes a pool and a die",
        "choose takes a decision, a pool and how many dice at most",
        "ask takes a decision and a list of options",
        "arguments of {} are given by name",
        "the rule {} has no parameter {}",
        "the rule {} also needs {}",
        "{} does not know {}",
        "the {} must be {}",
    ),
    "place": ("{} cannot stand inside {}",),
    "formula": ("a formula throws no dice and asks nobody{}",),
    "circle": ("these rules call each other in a circle: {}",),
    # types
    "type": (
        "{} needs {}, not {}",
        "{} needs {}, not None",
        "a {} is needed here, not {}",
        "{} stands on the left of a comparison",
        "only a check with sides has 'wins'",
    ),
    "not-given": ("{} may not be given, and {} needs {}",),
    "unknown-field": ("{} has no field {}", "{} has no row {}"),
    "unknown-answer": ("the decision {} has no answer {}", "{} is not one of the options here"),
    "negative-place": ("a list has no entry at a negative place",),
    "zero": ("division by zero",),
    "never-equal": ("{} is never the same as {}", "{} is never {}"),
    # control flow
    "constant-test": ("the test {} always comes out the same",),
    "no-result": ("{} can end here without a result", "the result lacks {}, the main result of {}"),
    "unreachable": ("this can never be reached",),
    "endless": ("this loop never ends: nothing in it changes its test",),
    "unused": (
        "nothing calls the rule {}",
        "the option {} changes nothing: no rule reads it",
        "no rule looks anything up in the table {}",
        "no rule asks for the decision {}",
        "the event {} never happens",
        "nothing uses the word {}",
        "the parameter {} of {} changes nothing",
    ),
}
UNKNOWN_CODE = "other"


def code_of(message: str) -> str:
    """Return the code of a message, by the matching template with the most literal text."""
    return next((name for name, regex in _patterns() if regex.fullmatch(message)), UNKNOWN_CODE)


def template_pattern(template: str) -> re.Pattern[str]:
    """Return the pattern that matches the messages of a template."""
    return re.compile(".*".join(map(re.escape, template.split("{}"))), re.DOTALL)


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    pairs = [(name, template) for name, templates in CODES.items() for template in templates]
    pairs.sort(key=lambda pair: -len(pair[1].replace("{}", "")))
    return [(name, template_pattern(template)) for name, template in pairs]
