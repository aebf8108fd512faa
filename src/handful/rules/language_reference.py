"""Reference of the rule language: every word and symbol, with its meaning.

docs/reference.md is generated from this table; a test compares it with the grammar.
"""

from __future__ import annotations

from collections.abc import Mapping

Entries = Mapping[str, tuple[tuple[str, str], ...]]  # word -> (syntax, meaning)

STATEMENTS: Entries = {
    "=": (("x = …", "Names a value. Parameters cannot be given another one."),),
    "+=": (("x += …, x -= …", "Adds to it, or takes away."),),
    "if": (("if …: elif …: else:", "Does one or the other; a test needs a truth."),),
    "while": (
        (
            "while …:",
            "Does it again as long as the test holds. Nothing may be thrown or asked in the test.",
        ),
    ),
    "for": (("for x in list:", "Does it once for each entry."),),
    "pass": (("pass", "Does nothing."),),
    "result": (("result(field = …, …)", "Ends the rule with these fields. Every path has to reach one."),),
    "event": (('event("name")', "Something happened, by its name in `[events]`."),),
    "modify": (
        (
            'modify("word", amount, "unit")',
            "A line of the breakdown: where it comes from, how much, of what; 0 leaves no line.",
        ),
    ),
    "turn": (("turn(number)", "From here on dice and decisions belong to that side."),),
    "refuse": (
        (
            'refuse("word")',
            "It cannot be rolled this way; the word says why. Only before any dice.",
        ),
    ),
}
EFFECTS: Entries = {
    "roll": (
        ("roll(n, die)", 'Throws n dice; `roll(n, die, "wild")` with a role.'),
        ('roll(pool, die, "extra")', "One die for each die of the pool; each belongs to that die."),
        (
            "roll(…, more = 2)",
            "Each die that reads at least 2 brings another die, wave by wave, without end.",
        ),
        (
            "roll(…, again = 6)",
            "The same, but it is the same die thrown again: its tosses belong to the first.",
        ),
        (
            "roll(…, add = 6)",
            "The same die thrown again, and its tosses add up to one reading; only the "
            "highest reading can add on.",
        ),
    ),
    "reroll": (
        (
            "reroll(pool, die)",
            "Throws each die of the pool again; the better reading stays, or with `keep` the "
            "new or the worse one.",
        ),
    ),
    "choose": (
        (
            'choose("decision", pool, at_most)',
            "Somebody picks at most so many dice. `usual = pool` is what odds assume, else the lowest.",
        ),
    ),
    "ask": (
        (
            'ask("decision", ["a", "b"])',
            'Somebody picks one of the options. `usual = "a"` is what odds assume, else the first; '
            '`never = "b"` is for those who never use it.',
        ),
    ),
    "rule": (
        (
            "name(a = 1, **record)",
            "Runs another rule. Arguments are given by name; `**record` gives those that have "
            "the name of a field.",
        ),
    ),
}
FUNCTIONS: Entries = {
    "min": (("min(a, b, …)", "The smallest; also of one list."),),
    "max": (("max(a, b, …)", "The largest; also of one list."),),
    "clamp": (("clamp(x, low, high)", "x, but not below low and not above high."),),
    "abs": (("abs(x)", "x without its sign."),),
    "floor": (("floor(x)", "The next whole number down."),),
    "ceil": (("ceil(x)", "The next whole number up."),),
    "sum": (
        ("sum(pool)", "What its dice read, added up; also of a list of numbers."),
        (
            "sum(pool, row)",
            "What the row has for each die, added up: its first number is for a die that reads 1.",
        ),
    ),
    "size": (("size(pool)", "How many dice it has."),),
    "highest": (("highest(pool, k)", "Its k highest dice."),),
    "lowest": (("lowest(pool, k)", "Its k lowest dice."),),
    "widest": (("widest(pool)", "The largest set of equal dice, of several the highest."),),
    "len": (("len(list)", "How many entries it has."),),
    "range": (("range(n)", "The list 0 … n-1."),),
    "given": (("given(parameter)", "Whether an optional parameter was given."),),
    "read": (("read(die, row)", "The die whose faces read the numbers of the row."),),
    "sided": (("sided(n)", "A die with n sides."),),
}
OPERATORS: Entries = {
    "+": (("a + b", "Numbers added, lists joined, pools put together."),),
    "-": (("a - b", "Numbers subtracted; a pool without the dice of another."),),
    "*": (("a * b", "The product."),),
    "/": (("a / b", "The exact quotient: `1 / 2` is a half."),),
    "//": (("a // b", "The quotient, rounded down."),),
    "%": (("a % b", "What is left over."),),
    "==": (("a == b", "Whether they are the same; of a die or pool: see `>=`."),),
    "!=": (("a != b", "Whether they differ."),),
    "<": (("a < b", "Whether it is less."),),
    "<=": (("a <= b", "Whether it is at most that."),),
    ">": (("a > b", "Whether it is more."),),
    ">=": (
        ("a >= b", "Whether it is at least that. Comparisons are not chained."),
        ("die >= 5", "The die that reads 1 where that holds, and 0 elsewhere."),
        ("pool >= 5", "The dice of the pool for which it holds."),
    ),
    "and": (("a and b", "Whether both hold."),),
    "or": (("a or b", "Whether at least one holds."),),
    "not": (("not a", "Whether it does not hold."),),
    "if": (("a if test else b", "One or the other."),),
    "[]": (("[a, b], list[0]", "A list, and an entry of it; places count from 0."),),
    ".": (("record.field", "A field of a record."),),
    "options": (("options.name", "The value of a house rule."),),
    "tables": (('tables.name["row"]', "A row of a table."),),
    "d": (("d6", "A die, `d2` to `d1000`."),),
}
TYPES: Entries = {
    "number": (("3, +2, -1", "A whole number; `words` gives names to some."),),
    "halves": (("3.5", "A number in halves."),),
    "share": (("25%, 0.25", "A number from 0 to 1."),),
    "truth": (("yes, no", "A truth."),),
    "choice": (("one of `values`", "A text."),),
    "text": (("anything short", "A text in small letters."),),
    "die_code": (("4D+2", "A record with `dice` and `pips`."),),
    "ladder": (("a name from `[ladder]`", "A record with the fields of the ladder, and `name`."),),
}
ROLES: Entries = {
    "regular": (('"regular"', "Any die, unless something else is said."),),
    "wild": (('"wild"', "A die that counts in a way of its own."),),
    "extra": (('"extra"', "A die that another one brought."),),
    "reroll": (('"reroll"', "A die that was thrown again."),),
}
KEEPS: Entries = {
    "better": (('keep = "better"', "The higher reading stays; so it is if nothing is said."),),
    "new": (('keep = "new"', "The new reading stays."),),
    "worse": (('keep = "worse"', "The lower reading stays."),),
}
GROUPS: Mapping[str, Entries] = {
    "Statements": STATEMENTS,
    "Throwing and asking": EFFECTS,
    "Functions": FUNCTIONS,
    "Operators and values": OPERATORS,
    "Types of parameters": TYPES,
    "Roles of dice": ROLES,
    "What a reroll keeps": KEEPS,
}
