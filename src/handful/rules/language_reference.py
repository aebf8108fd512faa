"""Reference of the rule language: every word and symbol, with its meaning.

docs/reference.md is generated from this table; a test compares it with the grammar.
"""

from __future__ import annotations

from collections.abc import Mapping

Entries = Mapping[str, tuple[tuple[str, str], ...]]  # word -> (syntax, meaning)

STATEMENTS: Entries = {
    "=": (("x = …", "Assigns a value to a name. Parameters cannot be reassigned."),),
    "+=": (("x += …, x -= …", "Adds to a variable, or subtracts from it."),),
    "if": (("if …: elif …: else:", "Runs one branch or the other. A test must be a truth."),),
    "while": (
        (
            "while …:",
            "Repeats while the test is true. The test may not roll dice or ask for a decision.",
        ),
    ),
    "for": (("for x in list:", "Runs once for each entry."),),
    "pass": (("pass", "Does nothing."),),
    "result": (
        ("result(field = …, …)", "Ends the rule and returns these fields. Every path must reach a result."),
    ),
    "event": (('event("name")', "Reports an event, by its name in `[events]`."),),
    "modify": (
        (
            'modify("word", amount, "unit")',
            "Adds a line to the breakdown: source, amount, unit. An amount of 0 adds no line.",
        ),
    ),
    "turn": (("turn(number)", "Assigns all further dice and decisions to that side."),),
    "refuse": (
        (
            'refuse("word")',
            "Refuses the check; the word gives the reason. Only allowed before any dice are rolled.",
        ),
    ),
}
EFFECTS: Entries = {
    "roll": (
        ("roll(n, die)", 'Rolls n dice; `roll(n, die, "wild")` gives them a role.'),
        ('roll(pool, die, "extra")', "Rolls one die for each die of the pool, and attaches it to that die."),
        (
            "roll(…, more = 2)",
            "Each die that reads at least 2 adds another die, which can add another, without limit.",
        ),
        (
            "roll(…, again = 6)",
            "Each die that reads at least 6 is rolled again; the new roll belongs to the same die.",
        ),
        (
            "roll(…, add = 6)",
            "Each die that shows its highest reading, 6, is rolled again, and its rolls add up to one "
            "reading.",
        ),
    ),
    "reroll": (
        (
            "reroll(pool, die)",
            "Rerolls each die of the pool and keeps the better reading, or with `keep` the new or the "
            "worse one.",
        ),
    ),
    "choose": (
        (
            'choose("decision", pool, at_most)',
            "Lets a player or the GM pick up to that many dice. Odds assume `usual = pool`, else the lowest.",
        ),
    ),
    "ask": (
        (
            'ask("decision", ["a", "b"])',
            'Lets a player or the GM pick one of the options. Odds assume `usual = "a"`, else the first '
            'option; `never = "b"` is the answer under the policy "never".',
        ),
    ),
    "rule": (
        (
            "name(a = 1, **record)",
            "Calls another rule. Arguments are passed by name; `**record` passes each field as the "
            "argument of that name.",
        ),
    ),
}
FUNCTIONS: Entries = {
    "min": (("min(a, b, …)", "The smallest value, also of a single list."),),
    "max": (("max(a, b, …)", "The largest value, also of a single list."),),
    "clamp": (("clamp(x, low, high)", "x, limited to the range from low to high."),),
    "abs": (("abs(x)", "The absolute value of x."),),
    "floor": (("floor(x)", "x rounded down to a whole number."),),
    "ceil": (("ceil(x)", "x rounded up to a whole number."),),
    "sum": (
        ("sum(pool)", "The total of its dice; also of a list of numbers."),
        (
            "sum(pool, row)",
            "The total of the row's number for each die; the row's first number is for a reading of 1.",
        ),
    ),
    "size": (("size(pool)", "The number of dice."),),
    "highest": (("highest(pool, k)", "Its k highest dice."),),
    "lowest": (("lowest(pool, k)", "Its k lowest dice."),),
    "widest": (("widest(pool)", "The largest set of equal dice; of several sets, the highest."),),
    "len": (("len(list)", "The number of entries."),),
    "range": (("range(n)", "The list 0 … n-1."),),
    "given": (("given(parameter)", "True if an optional parameter was given."),),
    "read": (("read(die, row)", "The die with its faces relabeled by the numbers of the row."),),
    "sided": (("sided(n)", "A die with n sides."),),
}
OPERATORS: Entries = {
    "+": (("a + b", "Adds numbers, concatenates lists, combines pools."),),
    "-": (("a - b", "Subtracts numbers; removes the dice of one pool from another."),),
    "*": (("a * b", "The product."),),
    "/": (("a / b", "The exact quotient: `1 / 2` is a half."),),
    "//": (("a // b", "The quotient, rounded down."),),
    "%": (("a % b", "The remainder."),),
    "==": (("a == b", "True if they are equal. For a die or pool see `>=`."),),
    "!=": (("a != b", "True if they differ."),),
    "<": (("a < b", "True if a is less than b."),),
    "<=": (("a <= b", "True if a is at most b."),),
    ">": (("a > b", "True if a is greater than b."),),
    ">=": (
        ("a >= b", "True if a is at least b. Comparisons cannot be chained."),
        ("die >= 5", "A die that reads 1 for faces of at least 5, and 0 otherwise."),
        ("pool >= 5", "The dice of the pool that read at least 5."),
    ),
    "and": (("a and b", "True if both are true."),),
    "or": (("a or b", "True if at least one is true."),),
    "not": (("not a", "True if a is false."),),
    "if": (("a if test else b", "a if the test is true, else b."),),
    "[]": (("[a, b], list[0]", "A list, and one of its entries, counted from 0."),),
    ".": (("record.field", "A field of a record."),),
    "options": (("options.name", "The value of a house rule."),),
    "tables": (('tables.name["row"]', "A row of a table."),),
    "d": (("d6", "A die, `d2` to `d1000`."),),
}
TYPES: Entries = {
    "number": (("3, +2, -1", "A whole number; `words` can name some."),),
    "halves": (("3.5", "A multiple of one half."),),
    "share": (("25%, 0.25", "A number from 0 to 1."),),
    "truth": (("yes, no", "A truth."),),
    "choice": (("one of `values`", "A text."),),
    "text": (("anything short", "A text, in lowercase."),),
    "die_code": (("4D+2", "A record with `dice` and `pips`."),),
    "ladder": (("a name from `[ladder]`", "A record with the fields of the ladder, and `name`."),),
}
ROLES: Entries = {
    "regular": (('"regular"', "Any die without another role."),),
    "wild": (('"wild"', "A die with its own rules, such as a wild die."),),
    "extra": (('"extra"', "A die that another die added."),),
    "reroll": (('"reroll"', "A die that was rolled again."),),
}
KEEPS: Entries = {
    "better": (('keep = "better"', "Keeps the higher reading; the default."),),
    "new": (('keep = "new"', "Keeps the new reading."),),
    "worse": (('keep = "worse"', "Keeps the lower reading."),),
}
GROUPS: Mapping[str, Entries] = {
    "Statements": STATEMENTS,
    "Rolling and asking": EFFECTS,
    "Functions": FUNCTIONS,
    "Operators and values": OPERATORS,
    "Types of parameters": TYPES,
    "Roles of dice": ROLES,
    "Readings kept by a reroll": KEEPS,
}
