"""Loads draft rulesets: texts from strangers, read without access to files.

Invariant: a draft may extend a shipped ruleset by its name and nothing else, so that no text reaches
the disk.  Errors become a list of mistakes, each with its position in the text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful.errors import HandfulError, Message, RuleError, Text, did_you_mean
from handful.library.files import known, read_sources, ruleset_path, short_name
from handful.library.rulesets import Ruleset
from handful.rules import load as loading
from handful.rules.diagnostics import lint_code
from handful.rules.params import normalize_name
from handful.solver.solver import SolvedRules

FILE = "ruleset.toml"
MAX_BYTES = 128 * 1024  # bytes of a ruleset, and of its cases
MOST_MISTAKES = 50  # that are reported at once

Texts = list[tuple[str, str]]


def read_draft_ruleset(text: str) -> Ruleset:
    """Load a ruleset from its text; raise `BadRuleset` with all its mistakes."""
    return Ruleset(SolvedRules(loading.load(sources_of(text))))


def stored_texts(draft: Ruleset) -> Texts:
    """Return the texts of a ruleset and its bases, as a store saves them."""
    return [(short_name(name), text) for name, text in draft.rules.texts]


def sources_of(text: str) -> list[loading.Source]:
    """Return the sources of a draft and its bases, base first."""
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_BYTES:
        raise _bad_ruleset(
            None, "", Message("draft.too_large", size=size, most=MAX_BYTES), Message("advice.shorter")
        )
    own = loading.Source(FILE, text)
    if own.data.get("id") in known():
        raise _bad_ruleset(
            own,
            "id",
            Message("draft.name_taken", value=own.data["id"]),
            Message("draft.own_name"),
        )
    base = own.data.get("extends")
    if base is None:
        return [own]
    if not isinstance(base, str) or base not in known():
        guess = did_you_mean(normalize_name(base[:60]), known()) if isinstance(base, str) else ""
        raise _bad_ruleset(
            own,
            "extends",
            Message("ruleset.unknown-name.base", base=str(base)[:60]),
            guess or Message("draft.bases", known=known()),
        )
    return [*read_sources(ruleset_path(base)), own]


def _bad_ruleset(source: loading.Source | None, key: str, message: Message, hint: Text) -> loading.BadRuleset:
    line = source.line(key) if source else 0
    place = {"line": line, "column": 1, "source": source.lines[line - 1]} if source and line else {}
    return loading.BadRuleset([RuleError(message, hint=hint, file=FILE, **place)])  # type: ignore[arg-type]


def mistakes_of(error: HandfulError, show: Callable[[Message], Any] = str) -> list[dict[str, Any]]:
    """Return the mistakes of an error as `handful lint --json` has them; 0 for an unknown position.

    `show` puts a message into words; the default is English.
    """
    found = error.errors if isinstance(error, loading.BadRuleset) else [error]
    return [_mistake(one, show) for one in found[:MOST_MISTAKES]]


def _mistake(error: HandfulError, show: Callable[[Message], Any]) -> dict[str, Any]:
    texts = {"message": show(error.problem), "hint": show(error.advice)}
    text_fields = {**texts, "code": lint_code(error.problem)}
    if not isinstance(error, RuleError) or error.file not in ("", FILE):  # in a base, or without a position
        return {"line": 0, "column": 0, "end_line": 0, "end_column": 0, **text_fields}
    end_line, end_column = error.end
    return {
        "line": error.line,
        "column": error.column,
        "end_line": end_line,
        "end_column": end_column,
        **text_fields,
    }
