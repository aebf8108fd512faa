"""Joins names of several words typed without quotes: `sheet Mira Quill`, `dice=heavy weapons`.

This happens before a line is parsed, so that no command has to handle it.  Free text is not
changed by it: commands join its words with spaces anyway.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from handful.cli.check_request import SIDE_WORDS
from handful.cli.repl.parsing import PREPOSITIONS
from handful.rules.params import normalize_name
from handful.rules.ruleset import Ruleset, localize

if TYPE_CHECKING:
    from handful.rules.ruleset import Check

MAX_WORDS = 6  # in one name
TEXT_FIELDS = ("title", "task", "item")  # fields that take any words up to the next name=value


def join_names(words: Sequence[str], names: Collection[str]) -> list[str]:
    """Return the words of a line, with each known multi-word name as one word."""
    joined: list[str] = []
    index = 0
    while index < len(words):
        count = _length(words[index:], names)
        joined.append(" ".join(words[index : index + count]))
        index += count
    return joined


def _length(words: Sequence[str], names: Collection[str]) -> int:
    """Return the number of words that form one name at the beginning."""
    field, equals, value = words[0].partition("=")
    if equals and normalize_name(field) in TEXT_FIELDS:
        return 1 + _count_text_words(words[1:])
    for count in range(min(len(words), MAX_WORDS), 1, -1):
        first = value if equals else words[0]
        if normalize_name(" ".join([first, *words[1:count]])) in names:
            return count
    return 1


def _count_text_words(words: Sequence[str]) -> int:
    """Count the words before a `name=value`, a preposition or another side."""
    for place, word in enumerate(words):
        if "=" in word or word.lower() in (*PREPOSITIONS, *SIDE_WORDS):
            return place
    return len(words)


def multiword_names(rules: Ruleset, view: Mapping[str, Any]) -> set[str]:
    """Return all multi-word names of the game and the table that a seat may type, normalized."""
    names = {normalize_name(name) for name in (*_table_names(view), *_game_names(rules))}
    return {name for name in names if "_" in name}


def _table_names(view: Mapping[str, Any]) -> Iterable[str]:
    for one in view["characters"]:
        yield from (one["name"], one["character"], *one.get("items", ()), *one.get("tasks", ()))
        yield from one.get("sheet", {}).get("skills", ())
    for one in view["fight"]["order"] if view["fight"] else ():
        yield from (one["name"], one["combatant"])
    yield from (one["name"] for one in view["seats"])


def _game_names(rules: Ruleset) -> Iterable[str]:
    yield from (localize(check.title) for check in rules.checks.values())
    yield from (*rules.checks, *rules.ladder, *(localize(one["title"]) for one in _titled(rules)))
    for check in rules.checks.values():
        yield from _values(check)
    sheet = rules.sheet
    if sheet is None:
        return
    for part in (sheet.attributes, sheet.skills, sheet.resources, sheet.conditions):
        yield from part
        yield from (localize(one.title) for one in part.values())
    yield from (use for one in sheet.resources.values() for use in one.uses)
    if sheet.rounds is not None:
        yield from (*sheet.rounds.stances, *sheet.rounds.paces, *sheet.rounds.answers)


def _titled(rules: Ruleset) -> Iterable[Mapping[str, Any]]:
    return (rung for rung in rules.ladder.values() if "title" in rung)


def _values(check: Check) -> Iterable[str]:
    for param in check.params.values():
        yield from (*param.values, *param.words, *param.ladder)
