"""Free dice: an expression such as `3d6+2`, outside the rules of any game, as a ruleset of its own.

The expression becomes a rule in the rule language, so its dice, keys, odds and secrecy are those of
every other roll.

    3d6+2            the sum                       2d6+1d8-1     several kinds of dice
    4d6 keep 3       the sum of the best three     2d20 keep lowest 1
    8d10 >= 7        how many dice show it         2d6 >= 9      whether the sum reaches it

An expression has one canonical text, which is its name in logs.
"""

from __future__ import annotations

import re
from functools import lru_cache

from handful.errors import Message, Refused
from handful.records import record, replace
from handful.rules.load import load
from handful.rules.ruleset import Ruleset
from handful.rules.source import Source

PREFIX = "dice:"  # of a check at a table that is an expression; no game can have a check of such a name
CHECK = "dice"  # the only check of the ruleset
MAX_DICE, MAX_SIDES, MAX_NUMBER, MAX_TERMS = 100, 1000, 10_000, 6
CACHE_SIZE = 200  # rulesets; the same expressions are rolled again and again

# Patterns are texts: `re` compiles one when it is first used.
_TERM = (
    r"\s*(?P<sign>[+\-−])?\s*(?:(?P<count>\d{1,6})?\s*[dDwW]\s*(?P<sides>\d{1,6}|%)(?P<more>!)?"
    r"(?:\s*(?:keep|k)\s*(?P<which>highest|lowest|h|l)?\s*(?P<keep>\d{1,6}))?|(?P<number>\d{1,6}))"
)
_GOAL = r"\s*(?P<test>>=|<=|==|=|>|<|≥|≤)\s*(?P<goal>-?\d{1,6})\s*\Z"
_TESTS = {"≥": ">=", "≤": "<=", "=": "=="}
_LOOKS_FREE = r"\s*\d{0,6}\s*[dDwW]\s*(?:%|\d{1,6}(?=\W|k|\Z))"


@record()
class DiceTerm:
    """Dice of one kind: how many, which count, and whether they are added or subtracted."""

    count: int
    sides: int
    keep: int = 0  # 0: all of them
    lowest: bool = False
    bursts: bool = False  # the highest face brings another die
    negative: bool = False

    def __str__(self) -> str:
        which = "lowest " * self.lowest
        return f"{self.count}d{self.sides}{'!' * self.bursts}" + f" keep {which}{self.keep}" * bool(self.keep)


@record()
class FreeDice:
    """A whole expression: dice, a number, and what to reach."""

    dice: tuple[DiceTerm, ...]
    number: int = 0
    test: str = ""  # such as >=
    goal: int = 0

    @property
    def counts(self) -> bool:
        """True if dice are counted one by one, and not added up.

        That takes several dice of one kind, nothing else, and a goal that one of them can show.
        """
        first = self.dice[0]
        plain = len(self.dice) == 1 and not (self.number or first.keep or first.negative)
        return bool(self.test) and plain and first.count > 1 and 1 <= self.goal <= first.sides

    def __str__(self) -> str:
        first, *rest = self.dice
        text = f"{'-' * first.negative}{first}"
        text += "".join(f" {'-' if one.negative else '+'} {one}" for one in rest)
        if self.number:
            text += f" {'-' if self.number < 0 else '+'} {abs(self.number)}"
        if len(self.dice) == 1 and not first.keep:
            text = text.replace(" ", "")
        return text + (f" {self.test} {self.goal}" if self.test else "")


def looks_free(text: str) -> bool:
    """Return whether a text begins like an expression, so that a mistake in it is worth a message."""
    return any(one in "0123456789%" for one in text) and bool(re.match(_LOOKS_FREE, text))


def parse_dice(text: str) -> FreeDice:
    """Read an expression; refuse what is none, with an example."""
    dice: list[DiceTerm] = []
    number, at, goal = 0, 0, None
    while at < len(text.rstrip()):
        goal = re.compile(_GOAL).match(text, at)
        if goal:
            break
        found = re.compile(_TERM).match(text, at)
        if found is None or (at and not found["sign"]) or (not at and found["sign"] == "+"):
            raise _not_understood(text)
        sign = -1 if found["sign"] in ("-", "−") else 1
        if found["number"]:
            number += sign * _limited(int(found["number"]), 0, MAX_NUMBER)
        else:
            dice.append(_read_term(found, negative=sign < 0))
        at = found.end()
    if not 1 <= len(dice) <= MAX_TERMS or sum(one.count for one in dice) > MAX_DICE:
        raise _not_understood(text)
    if goal is None:
        return FreeDice(tuple(dice), number)
    return FreeDice(tuple(dice), number, _TESTS.get(goal["test"], goal["test"]), int(goal["goal"]))


def _read_term(found: re.Match[str], *, negative: bool) -> DiceTerm:
    count = _limited(int(found["count"] or 1), 1, MAX_DICE)
    sides = 100 if found["sides"] == "%" else _limited(int(found["sides"]), 2, MAX_SIDES)
    keep = _limited(int(found["keep"]), 1, count) if found["keep"] else 0
    lowest = (found["which"] or "").startswith("l")
    return DiceTerm(count, sides, 0 if keep == count else keep, lowest, bool(found["more"]), negative)


def _limited(number: int, least: int, most: int) -> int:
    if not least <= number <= most:
        raise Refused(Message("free_dice.out_of_range", number=number, least=least, most=most))
    return number


def _not_understood(text: str) -> Refused:
    problem = Message("free_dice.not_understood", text=text[:60])
    return Refused(problem, Message("free_dice.examples", dice=MAX_DICE, terms=MAX_TERMS))


# -- the ruleset


def free_check(text: str) -> str:
    """Return the name of the check of an expression at a table: `dice:3d6+2`."""
    return f"{PREFIX}{parse_dice(text)}"


def is_free_check(name: str) -> bool:
    return name.startswith(PREFIX)


def rules_of_check(rules: Ruleset, name: str) -> Ruleset:
    """Return the rules by which a check is rolled: those of the game, or those of free dice."""
    return _table_ruleset(name.removeprefix(PREFIX)) if is_free_check(name) else rules


@lru_cache(CACHE_SIZE)
def _table_ruleset(text: str) -> Ruleset:
    """Return the ruleset of an expression, which also knows its check by the name that tables give it."""
    rules = free_ruleset(text)
    name, check = f"{PREFIX}{parse_dice(text)}", rules.checks[CHECK]
    return replace(rules, checks={CHECK: check, name: replace(check, name=name)})


def free_ruleset(text: str) -> Ruleset:
    """Return the ruleset of an expression; its check is called `dice`."""
    dice = parse_dice(text)
    return load([Source("free dice", _ruleset_text(dice))], trusted=True)


def _ruleset_text(dice: FreeDice) -> str:
    main = "hits" if dice.counts else "total"
    bursts = any(one.bursts for one in dice.dice)
    return _TEXT.format(
        title=str(dice),
        main=main,
        main_word=_WORDS[main],
        extra_word=_WORDS["extra"] if bursts else "",
        rule="\n".join(_rule(dice)),
    )


def _rule(dice: FreeDice) -> list[str]:
    lines = [f"pool{at} = {_throw(one)}" for at, one in enumerate(dice.dice)]
    if dice.counts:
        return [*lines, f"hits = size(pool0 {dice.test} {dice.goal})", "result(hits = hits)"]
    sums = [f"{'-' if one.negative else '+'} {_sum(at, one)}" for at, one in enumerate(dice.dice)]
    lines.append(f"total = 0 {' '.join(sums)} + {dice.number}")
    if not dice.test:
        return [*lines, "result(total = total)"]
    margin = f"{dice.goal} - total" if dice.test in ("<=", "<") else f"total - {dice.goal}"
    reached = f"success = total {dice.test} {dice.goal}, margin = {margin}"
    return [*lines, f"result(total = total, {reached})"]


def _throw(one: DiceTerm) -> str:
    more = f", more = {one.sides}" * one.bursts
    return f"roll({one.count}, d{one.sides}{more})"


def _sum(at: int, one: DiceTerm) -> str:
    if not one.keep:
        return f"sum(pool{at})"
    return f"sum({'lowest' if one.lowest else 'highest'}(pool{at}, {one.keep}))"


_WORDS = {
    "total": '[words.total]\nen = "total"\nde = "Summe"',
    "hits": '[words.hits]\nen = "hits"\nde = "Treffer"\none = { en = "hit", de = "Treffer" }',
    "extra": '[words.extra]\nen = "extra die"\nde = "Zusatzwürfel"\n',
}
_TEXT = '''\
language = 2
id = "free-dice"
usual_check = "dice"
[title]
en = "Free dice"
de = "Freie Würfel"
[about]
en = "Dice outside the rules of any game."
de = "Würfel außerhalb der Regeln eines Spiels."
{main_word}
[words.regular]
en = "die"
de = "Würfel"
{extra_word}[checks.dice]
title = {{ en = "{title}", de = "{title}" }}
help = {{ en = "Dice outside the rules of any game.", de = "Würfel außerhalb der Regeln eines Spiels." }}
main = "{main}"
does = """
{rule}
"""
'''
