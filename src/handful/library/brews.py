"""Rulesets that come as texts, from strangers: read without touching a file of theirs.

Such a text may extend a shipped ruleset by its name and nothing else, so nothing in it reaches the
disk.  Whatever is wrong with it becomes a list of mistakes, each with its place in the text.
"""

from __future__ import annotations

from typing import Any

from handful.errors import HandfulError, RuleError, did_you_mean
from handful.library.files import known, read_sources, ruleset_path, short_name
from handful.library.rulesets import Ruleset
from handful.rules import load as loading
from handful.rules.params import canonical

FILE = "ruleset.toml"
LARGEST = 128 * 1024  # bytes of a ruleset, and of its cases
MOST_DOTS = 200  # in a line
MOST_MISTAKES = 50  # whoever made more mends these first

Texts = list[tuple[str, str]]


def read_brew(text: str) -> Ruleset:
    """The ruleset of a text; `BadRuleset` with everything that is wrong with it."""
    return Ruleset(loading.load(sources_of(text)))


def texts_of(brew: Ruleset) -> Texts:
    """The texts of a ruleset and of those that it extends, as a store keeps them."""
    return [(short_name(name), text) for name, text in brew.rules.texts]


def sources_of(text: str) -> list[loading.Source]:
    """A text and those that it extends, base first."""
    size = len(text.encode("utf-8", "replace"))
    if size > LARGEST:
        raise _bad(None, "", f"has {size:,} bytes, and {LARGEST:,} are allowed", "say it shorter")
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:  # names as long as this take TOML readers minutes
            found = RuleError(f"has more than {MOST_DOTS} dots", file=FILE, line=number, column=1)
            raise loading.BadRuleset([found])
    own = loading.Source(FILE, text)
    if own.data.get("id") in known():
        raise _bad(own, "id", f"there is a ruleset {own.data['id']!r} already",
                   "a game of your own needs a name of its own")  # fmt: skip
    base = own.data.get("extends")
    if base is None:
        return [own]
    if not isinstance(base, str) or base not in known():
        guess = did_you_mean(canonical(base[:60]), known()) if isinstance(base, str) else ""
        raise _bad(own, "extends", f"there is no shipped ruleset {str(base)[:60]!r} to extend",
                   guess or f"there is {', '.join(known())}")  # fmt: skip
    return [*read_sources(ruleset_path(base)), own]


def _bad(source: loading.Source | None, key: str, message: str, hint: str) -> loading.BadRuleset:
    line = source.line(key) if source else 0
    place = {"line": line, "column": 1, "source": source.lines[line - 1]} if source and line else {}
    return loading.BadRuleset([RuleError(message, hint=hint, file=FILE, **place)])  # type: ignore[arg-type]


def mistakes_of(error: HandfulError, text: str) -> list[dict[str, Any]]:
    """What is wrong with a text, each with line and column where they are known (else 0)."""
    found = error.errors if isinstance(error, loading.BadRuleset) else [error]
    lines = text.split("\n")
    return [_mistake(one, lines) for one in found[:MOST_MISTAKES]]


def _mistake(error: HandfulError, lines: list[str]) -> dict[str, Any]:
    line, column, source = 0, 0, ""
    if isinstance(error, RuleError) and error.file in ("", FILE) and error.line <= len(lines):
        line, column, source = error.line, error.column, error.source
    if line and source and source in lines[line - 1]:
        column += lines[line - 1].index(source)  # a rule in one line begins behind its quotes
    return {
        "line": line, "column": column, "message": error.message[:500], "hint": error.hint[:500],
    }  # fmt: skip
