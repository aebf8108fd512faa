"""Templates of new rulesets: a small commented game, or one that extends another.

Used by `handful new` and by the editor on the web.
Invariant: every template loads without mistakes, and its cases hold.
"""

from __future__ import annotations

import re

from handful import library
from handful.errors import Message, Refused
from handful.rules.params import normalize_name
from handful.rules.ruleset import Ruleset, localize

NAME = re.compile(r"[a-z][a-z0-9-]{0,39}\Z")

EMPTY = '''# A game is one file.  Change a line, then: handful lint {name}, handful test {name},
# handful odds {name} check dice=4.  docs/tutorial.md builds a game step by step.
# An editor can check and complete this file: `handful schema > {name}/ruleset.schema.json`, and
# then put this above everything else, without the first mark:  # #:schema ruleset.schema.json

language = 2
id = "{name}"

[title]
en = "{title}"
[about]
en = "Throw a pool of d6 and count every 5 and 6."

# What a result is called, and what it is called when there is one of it.
[words.successes]
en = "successes"
one = {{ en = "success" }}

# Something that happens, by its name in the rule.
[events.all_ones]
en = "Nothing but ones"

# A house rule: what stands under `default` holds unless somebody says otherwise.
[options.succeeds_from]
values = [5, 4]
default = 5
label = {{ en = "Lowest face that succeeds" }}

# A check is what people roll.  `does` is its rule: throw, look, and end with result(...).
[checks.check]
title = {{ en = "Check" }}
help = {{ en = "Count the dice that succeed." }}
main = "successes"
does = """
pool = roll(dice, d6)
n = size(pool >= options.succeeds_from)
if size(pool == 1) == dice:
    event("all_ones")
result(successes = n, success = n >= target, margin = n - target)
"""

# What has to be given, and between which bounds.
[checks.check.params.dice]
type = "number"
min = 1
max = 40
label = {{ en = "Dice" }}
[checks.check.params.target]
type = "number"
min = 1
max = 20
default = 1
label = {{ en = "Successes needed" }}
'''
EMPTY_CASES = """# Worked examples: `handful test {name}` plays, solves and simulates each of them.

[[case]]
name = "four dice, two successes"
check = "check"
params = {{ dice = 4, target = 2 }}
faces = [5, 6, 1, 3]
roll = {{ result = 2, success = true, margin = 0, events = [] }}
odds = {{ success = "11/27", mean = "4/3" }}

[[case]]
name = "the house lets a four succeed"
check = "check"
params = {{ dice = 2 }}
options = {{ succeeds_from = 4 }}
faces = [4, 2]
roll = {{ result = 1, success = true }}
odds = {{ success = "3/4" }}

[[case]]
name = "nothing but ones"
check = "check"
params = {{ dice = 2 }}
faces = [1, 1]
roll = {{ result = 0, success = false, events = ["all_ones"] }}
"""
EXTENDING = """# A game that changes another one: what stands here replaces what stands there.
# Everything else holds.
# Then: handful lint {name}, handful diff {base} {name}, handful test {name}.

language = 2
id = "{name}"
extends = "{base}"

[title]
en = "{title}"
[about]
en = "{base_title}, with rules of our own."
"""
EXTENDING_CASES = """# Worked examples: `handful test {name}` plays, solves and simulates each of them.
# Take the marks away and put in what your game does.

# [[case]]
# name = "…"
# check = "{check}"
# params = {{ … }}
# faces = [6, 5]
# roll = {{ result = 2 }}
"""


def check_name(name: str) -> str:
    """Return the name of a new game; refused if it is invalid or taken."""
    if not NAME.match(name):
        raise Refused(
            Message("draft.bad_name", name=name[:60]),
            Message("draft.name_example", example=normalize_name(name[:40]).replace("_", "-")),
        )
    if name in library.known():
        raise Refused(Message("draft.taken", name=name))
    return name


def empty_ruleset(name: str) -> tuple[str, str]:
    """Return the text of a small commented game, and of its cases."""
    return EMPTY.format(name=name, title=_title(name)), EMPTY_CASES.format(name=name)


def extending_ruleset(name: str, game: library.Ruleset, base: str) -> tuple[str, str]:
    """Return the text of a game that extends `game`, named `base` there, and of its cases."""
    head = EXTENDING.format(name=name, title=_title(name), base=base, base_title=_without_quotes(game.title))
    check = next(one.name for one in game.rules.checks.values() if one.program is not None)
    return head + _commented_out(game.rules), EXTENDING_CASES.format(name=name, check=check)


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _commented_out(rules: Ruleset) -> str:
    """Return house rules, difficulties and rules of the base, commented out."""
    lines = []
    if rules.options:
        lines += ["", "# House rules: take the mark away and put in another value."]
    for option in rules.options.values():
        lines += [
            "",
            f"# {localize(option.label)}: {option.expects()}",
            f"# [options.{option.name}]",
            f"# default = {_toml(option.default)}",
        ]
    if rules.ladder:
        lines += ["", "# Difficulties: the same."]
    for rung, fields in rules.ladder.items():
        lines += ["", f"# [ladder.{rung}]"]
        lines += [f"# {key} = {value}" for key, value in fields.items() if isinstance(value, int)]
    lines += ["", "# Rules: take the marks away from a whole part, and change its lines."]
    for rule in rules.rules.values():
        lines += ["", f"# [rules.{rule.name}]", f"# params = {_toml(rule.params)}"]
        lines += _comment(rule.text)
    for check in rules.checks.values():
        if check.program is not None:
            lines += ["", f"# {localize(check.title)}", f"# [checks.{check.name}]"]
            lines += _comment(check.program.text)
    return "\n".join(lines) + "\n"


def _comment(does: str) -> list[str]:
    """Return the text of a rule, each line commented out."""
    # A text with triple quotes or backslashes cannot be copied as it stands.
    safe = does if '"""' not in does and "\\" not in does else "…\n"
    return [f"# {line}".rstrip() for line in ('does = """', *safe.rstrip().split("\n"), '"""')]


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _without_quotes(title: str) -> str:
    return title.replace("\\", "").replace('"', "'")
