"""A ruleset's data, read part by part, with every mistake at the place where it stands.

The data of a file and of those it extends are merged; a mistake is placed in the one that says it.
Nothing stops at a mistake: `raise_mistakes` raises all of them together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from handful.errors import RuleError, did_you_mean, format_choices
from handful.rules.compiler import Compiler
from handful.rules.file_format import FieldNames
from handful.rules.grammar import Declarations
from handful.rules.params import Wording
from handful.rules.program import Program
from handful.rules.source import MAX_ERRORS, BadRuleset, Source, merge_sources

NAME = re.compile(r"[a-z][a-z0-9_]{0,60}\Z")


class RulesetDocument:
    """The merged data of some sources, and their mistakes."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self.data = merge_sources(sources)
        self.errors: list[RuleError] = []
        self.compilers: dict[str, Compiler] = {}  # every compiled text, to be looked over

    # -- mistakes

    def report(self, message: str, path: Sequence[str], hint: str = "") -> None:
        self.errors.append(self.error_at(message, path, hint))
        if len(self.errors) >= MAX_ERRORS:
            self.raise_errors()

    def error_at(self, message: str, path: Sequence[str], hint: str) -> RuleError:
        source = self.source_of(path)
        line = source.line(*path)
        said = source.lines[line - 1].rstrip() if line else ""
        return RuleError(
            message,
            hint=hint,
            file=source.file,
            line=line,
            rule=".".join(path[:2]) if path else "",
            source=said,
            column=len(said) - len(said.lstrip()) + 1 if line else 0,
            end=(line, len(said) + 1) if line else (0, 0),
        )

    def own_error(self, message: str, path: Sequence[str], hint: str) -> RuleError | None:
        """A mistake in a part of this file itself; what a base declares is not its fault."""
        own = self.source_of(path) is self.sources[-1]
        return self.error_at(message, path, hint) if own else None

    def source_of(self, path: Sequence[str]) -> Source:
        for source in reversed(self.sources):
            if source.has(path):
                return source
        return self.source_of(path[:-1]) if path else self.sources[-1]

    def raise_errors(self) -> None:
        if self.errors:
            found = sorted(self.errors, key=lambda e: (e.file, e.line, e.column))
            raise BadRuleset(found[:MAX_ERRORS])

    # -- parts

    def table_at(self, *path: str, example: str = "") -> dict[str, Any]:
        """The table at a place, empty if there is none."""
        part: Any = self.data
        for name in path:
            part = part.get(name, {})
            if not isinstance(part, dict):
                self.report(f"{name} must be a table", path, f"[{'.'.join(path)}{example}]")
                return {}
        return dict(part)

    def named_tables(self, *path: str) -> dict[str, dict[str, Any]]:
        """The named tables at a place; what is no name or no table is a mistake."""
        good = {}
        for key, value in self.table_at(*path, example=".something").items():
            where = (*path, key)
            if not NAME.match(key):
                self.report(f"{key!r} is not a name: small letters, digits and _", where)
            elif not isinstance(value, dict):
                self.report(f"{'.'.join(where)} must be a table", where, f"[{'.'.join(where)}]")
            else:
                good[key] = value
        return good

    def reject_unknown_keys(
        self, data: Mapping[str, Any], known: set[str] | FieldNames, path: Sequence[str]
    ) -> None:
        """Reports fields that a part cannot have, at all or in the language of its file."""
        for key in data:
            if key not in known:
                hint = did_you_mean(key, known) or f"it can have {format_choices(sorted(known))}"
                self.report(f"there is no {key!r} here", (*path, key), hint)
            elif isinstance(known, FieldNames) and key in known.since:
                self.require_language(known.since[key], (*path, key))

    def require_language(self, version: int, path: Sequence[str]) -> None:
        """Reports a field that is newer than the language of the file that it stands in."""
        language = self.source_of(path).data.get("language")
        if isinstance(language, int) and language < version:
            self.report(
                f"{path[-1]!r} needs language {version}, and this file is written in language {language}",
                path,
                f"write language = {version} at the top of the file",
            )

    def wording(self, path: Sequence[str], data: Any) -> dict[str, str]:
        if not isinstance(data, dict) or not all(isinstance(v, str) for v in data.values()):
            self.report(f"{'.'.join(path)} needs wording", path, '{ en = "…", de = "…" }')
            return {}
        if not data.get("en"):
            self.report(f"{'.'.join(path)} needs English wording", path, 'en = "…"')
        return dict(data)

    def integer(self, path: Sequence[str], data: Mapping[str, Any], key: str, default: int) -> int:
        value = data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            self.report(f"{key} must be a whole number", (*path, key))
            return default
        return value

    def subtable(self, path: Sequence[str], data: Mapping[str, Any], key: str) -> dict[str, Any]:
        part = data.get(key, {})
        if isinstance(part, dict):
            return part
        self.report(f"{key} must be a table", (*path, key), f"[{'.'.join((*path, key))}]")
        return {}

    def title(self, path: Sequence[str], data: Mapping[str, Any], key: str = "title") -> Wording:
        return self.wording((*path, key), data.get(key))

    def aliases(self, path: Sequence[str], data: Mapping[str, Any]) -> tuple[str, ...]:
        """What else something is called."""
        return self.text_list((*path, "aliases"), data["aliases"], "") if "aliases" in data else ()

    def text_list(
        self, path: Sequence[str], value: Any, what: str, known: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """A list of texts, each of them known."""
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.report(f"{path[-1]} must be a list of names", path, f'{path[-1]} = ["…"]')
            return ()
        for one in value:
            if known and one not in known:
                hint = did_you_mean(one, known) or f"there is {format_choices(known)}"
                self.report(f"there is no {what} {one!r}", path, hint)
        return tuple(value)

    def compile(
        self,
        path: Sequence[str],
        name: str,
        params: Sequence[str],
        names: Declarations,
        text: str,
        *,
        before: int = 0,
    ) -> Program:
        """A rule text as a program; so many of its lines stand before what the file says."""
        source = self.source_of(path)
        line = source.line(*path)
        inline_start = (0, "", 0)
        if line and not re.search(r"=\s*(\"\"\"|''')\s*$", source.lines[line - 1]):
            line -= 1  # the text begins on the line of its key
            own, begins = source.lines[line], text.split("\n")[before]
            inline_start = (1 + before, own, max(own.rfind(begins), 0))
        first = max(line - before, 0)
        compiler = Compiler(
            name, params, names, file=source.file, first_line=first, inline_start=inline_start
        )
        program = compiler.compile(text)
        self.errors += compiler.errors
        self.compilers[name] = compiler
        return program
