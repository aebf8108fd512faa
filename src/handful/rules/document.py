"""Merged data of a ruleset, with typed access and positioned errors.

The data of a file and of those it extends are merged; an error points to the file that declares the
part.  Reading never stops at an error: `raise_errors` raises all of them together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from handful.errors import Message, RuleError, Text, did_you_mean
from handful.rules.file_format import FieldNames
from handful.rules.grammar import THINGS, Declarations
from handful.rules.params import Wording
from handful.rules.program import Program
from handful.rules.program_data import BadData, read_program
from handful.rules.source import MAX_ERRORS, BadRuleset, Source, merge_sources

if TYPE_CHECKING:
    from handful.rules.compiler import Compiler

NAME = re.compile(r"[a-z][a-z0-9_]{0,60}\Z")


class RulesetDocument:
    """Merged data of a ruleset's sources, and the errors found so far."""

    def __init__(self, sources: Sequence[Source], programs: Mapping[str, Any] | None = None) -> None:
        self.sources = sources
        self._programs = programs or {}  # data of compiled rules, by their path
        self.data = merge_sources(sources)
        self.errors: list[RuleError] = []
        self.compilers: dict[str, Compiler] = {}  # every compiled rule, for the static analysis

    # -- errors

    def report(self, message: Message, path: Sequence[str], hint: Text = "") -> None:
        """Record an error at a path; raise all of them once there are MAX_ERRORS."""
        self.errors.append(self.error_at(message, path, hint))
        if len(self.errors) >= MAX_ERRORS:
            self.raise_errors()

    def error_at(self, message: Message, path: Sequence[str], hint: Text) -> RuleError:
        """Build an error at a path, in the file that declares it."""
        source = self.source_of(path)
        line = source.line(*path)
        text = source.lines[line - 1].rstrip() if line else ""
        return RuleError(
            message,
            hint=hint,
            file=source.file,
            line=line,
            rule=".".join(path[:2]) if path else "",
            source=text,
            column=len(text) - len(text.lstrip()) + 1 if line else 0,
            end=(line, len(text) + 1) if line else (0, 0),
        )

    def own_error(self, message: Message, path: Sequence[str], hint: Text) -> RuleError | None:
        """Return an error if the part is declared in this file itself; None if a base declares it."""
        is_own = self.source_of(path) is self.sources[-1]
        return self.error_at(message, path, hint) if is_own else None

    def source_of(self, path: Sequence[str]) -> Source:
        """Return the last source that declares a path, or the nearest part around it."""
        for source in reversed(self.sources):
            if source.has(path):
                return source
        return self.source_of(path[:-1]) if path else self.sources[-1]

    def raise_errors(self) -> None:
        """Raise `BadRuleset` with all errors in file order, if there are any."""
        if self.errors:
            errors = sorted(self.errors, key=lambda e: (e.file, e.line, e.column))
            raise BadRuleset(errors[:MAX_ERRORS])

    # -- parts

    def table_at(self, *path: str, example: str = "") -> dict[str, Any]:
        """Return the table at a path, or an empty one."""
        part: Any = self.data
        for name in path:
            part = part.get(name, {})
            if not isinstance(part, dict):
                self.report(Message("ruleset.kind.table", name=name), path, f"[{'.'.join(path)}{example}]")
                return {}
        return dict(part)

    def named_tables(self, *path: str) -> dict[str, dict[str, Any]]:
        """Return the named tables at a path; report invalid names and values that are not tables."""
        tables = {}
        for key, value in self.table_at(*path, example=".something").items():
            where = (*path, key)
            if not NAME.match(key):
                self.report(Message("ruleset.name.not_a_name", key=key), where)
            elif not isinstance(value, dict):
                self.report(
                    Message("ruleset.kind.table", name=".".join(where)), where, f"[{'.'.join(where)}]"
                )
            else:
                tables[key] = value
        return tables

    def reject_unknown_keys(
        self, data: Mapping[str, Any], known: set[str] | FieldNames, path: Sequence[str]
    ) -> None:
        """Report keys that a part does not have, at all or in the language version of its file."""
        for key in data:
            if key not in known:
                hint = did_you_mean(key, known) or Message("ruleset_advice.can_have", names=sorted(known))
                self.report(Message("ruleset.unknown-key.key", key=key), (*path, key), hint)
            elif isinstance(known, FieldNames) and key in known.since:
                self.require_language(known.since[key], (*path, key))

    def require_language(self, version: int, path: Sequence[str]) -> None:
        """Report a key that is newer than the language version of its file."""
        language = self.source_of(path).data.get("language")
        if isinstance(language, int) and language < version:
            self.report(
                Message("ruleset.language-older.key", path=path[-1], version=version, language=language),
                path,
                Message("ruleset_advice.write_language", version=version),
            )

    def wording(self, path: Sequence[str], data: Any) -> dict[str, str]:
        """Return a text per language; English is required."""
        if not isinstance(data, dict) or not all(isinstance(v, str) for v in data.values()):
            self.report(
                Message("ruleset.wording.missing", path=".".join(path)), path, '{ en = "…", de = "…" }'
            )
            return {}
        if not data.get("en"):
            self.report(Message("ruleset.wording.english", path=".".join(path)), path, 'en = "…"')
        return dict(data)

    def integer(self, path: Sequence[str], data: Mapping[str, Any], key: str, default: int) -> int:
        value = data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            self.report(Message("ruleset.kind.whole_number", key=key), (*path, key))
            return default
        return value

    def subtable(self, path: Sequence[str], data: Mapping[str, Any], key: str) -> dict[str, Any]:
        part = data.get(key, {})
        if isinstance(part, dict):
            return part
        self.report(Message("ruleset.kind.table", name=key), (*path, key), f"[{'.'.join((*path, key))}]")
        return {}

    def title(self, path: Sequence[str], data: Mapping[str, Any], key: str = "title") -> Wording:
        return self.wording((*path, key), data.get(key))

    def aliases(self, path: Sequence[str], data: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the aliases of a part."""
        return self.text_list((*path, "aliases"), data["aliases"], "") if "aliases" in data else ()

    def text_list(
        self, path: Sequence[str], value: Any, what: str, known: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """Return a list of texts; report those that are not in `known`."""
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            self.report(Message("ruleset.kind.names", path=path[-1]), path, f'{path[-1]} = ["…"]')
            return ()
        for text in value:
            if known and text not in known:
                hint = did_you_mean(text, known) or Message("advice.there_is", names=known)
                self.report(Message("ruleset.unknown-name.of_kind", what=THINGS[what], name=text), path, hint)
        return tuple(value)

    def compile(
        self,
        path: Sequence[str],
        name: str,
        params: Sequence[str],
        declarations: Declarations,
        text: str,
        *,
        before: int = 0,
    ) -> Program:
        """Compile a rule source; its first `before` lines are not in the file."""
        source = self.source_of(path)
        if (known := self._programs.get(".".join(path))) is not None:
            with suppress(BadData):
                return read_program(known, text, source.file)
        from handful.rules.compiler import Compiler  # imported late: rules compiled before do not need it

        line = source.line(*path)
        inline_start = (0, "", 0)
        if line and not re.search(r"=\s*(\"\"\"|''')\s*$", source.lines[line - 1]):
            line -= 1  # the text begins on the line of its key
            file_line, first_text = source.lines[line], text.split("\n")[before]
            inline_start = (1 + before, file_line, max(file_line.rfind(first_text), 0))
        first = max(line - before, 0)
        compiler = Compiler(
            name, params, declarations, file=source.file, first_line=first, inline_start=inline_start
        )
        program = compiler.compile(text)
        self.errors += compiler.errors
        self.compilers[name] = compiler
        return program
