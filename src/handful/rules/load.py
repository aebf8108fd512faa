"""Loads a `Ruleset` from TOML sources, and reports every error.

`load` takes the sources of a file and of the files it extends, base first; it does no I/O.
Structure is checked first, then every rule is compiled, then the whole is analyzed
(`rules.analysis`).  All errors are collected and raised together as one `BadRuleset`.

A trusted source, one that has been loaded before without errors, skips the analysis and compiles each
rule on first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from handful.errors import Message, RuleError, did_you_mean
from handful.rules.document import NAME, RulesetDocument
from handful.rules.file_format import field_names
from handful.rules.grammar import RESERVED, Declarations
from handful.rules.load_declarations import (
    read_decision,
    read_ladder,
    read_option,
    read_table,
    read_words,
)
from handful.rules.load_params import read_param
from handful.rules.params import Param
from handful.rules.program import Program, Record
from handful.rules.ruleset import Check, ParameterLayout, Ruleset, Sides
from handful.rules.source import MAX_FILE_LENGTH, BadRuleset, Source, content_hash

if TYPE_CHECKING:
    from handful.rules.sheet_rules import Sheet

LANGUAGE = 2
_ID = re.compile(r"[a-z][a-z0-9-]{0,40}\Z")


def load(
    sources: Sequence[Source], *, trusted: bool = False, programs: Mapping[str, Any] | None = None
) -> Ruleset:
    """Return the ruleset of the last source, merged over the ones it extends.

    `trusted` asserts that these very texts have been loaded before without errors; `programs` are the
    data of their compiled rules (`rules.program_data`), by path.
    """
    return Loader(sources, trusted=trusted, programs=programs).ruleset()


def _check_language(source: Source) -> None:
    """Refuse a file of a newer language version; its other errors would be misleading."""
    version = source.data.get("language")
    if isinstance(version, int) and version > LANGUAGE:
        line = source.line("language")
        raise BadRuleset(
            [
                RuleError(
                    Message("ruleset.language-newer.version", version=version, language=LANGUAGE),
                    hint=Message("ruleset_advice.upgrade"),
                    file=source.file,
                    line=line,
                    column=1,
                    source=source.lines[line - 1],
                    end=(line, len(source.lines[line - 1]) + 1),
                )
            ]
        )


Loaded = TypeVar("Loaded")


class _LazyMapping(Mapping[str, Loaded]):
    """Mapping that builds each value on first access."""

    def __init__(self, names: Iterable[str], build: Callable[[str], Loaded]) -> None:
        self._names, self._build = dict.fromkeys(names), build
        self._built: dict[str, Loaded] = {}

    def __getitem__(self, name: str) -> Loaded:
        if name not in self._built:
            if name not in self._names:
                raise KeyError(name)
            self._built[name] = self._build(name)
        return self._built[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Loader:
    """Loads one ruleset."""

    def __init__(
        self, sources: Sequence[Source], *, trusted: bool, programs: Mapping[str, Any] | None = None
    ) -> None:
        for source in sources:
            _check_language(source)
        self.document, self.trusted = RulesetDocument(sources, programs), trusted

    def ruleset(self) -> Ruleset:
        """Load all parts, then analyze them; raise all errors together."""
        self._check_header()
        title = self.document.wording(("title",), self.document.data.get("title"))
        about = self.document.wording(("about",), self.document.data.get("about"))
        options = {
            n: read_option(self.document, n, d) for n, d in self.document.named_tables("options").items()
        }
        ladder = read_ladder(self.document)
        decisions = {
            n: read_decision(self.document, n, d) for n, d in self.document.named_tables("decisions").items()
        }
        events = {
            n: self.document.wording(("events", n), d)
            for n, d in self.document.named_tables("events").items()
        }
        words, singular = read_words(self.document)
        declarations = self._declarations(options, decisions, events, words)
        rules = self._each("rules", lambda n, d: self._rule(n, d, declarations))
        checks = self._each("checks", lambda n, d: self._check(n, d, declarations, ladder))
        if not checks and (not self.document.errors or "checks" not in self.document.data):
            self.document.report(Message("ruleset.no-checks.none"), (), Message("ruleset_advice.add_check"))
        self._usual_check(checks)
        sheet = self._sheet(declarations, checks, rules)
        self.document.raise_errors()
        ruleset = Ruleset(
            id=self.document.data["id"],
            content=self.document.data,
            title=title,
            about=about,
            options=options,
            defaults=Record((option.name, option.default) for option in options.values()),
            ladder=ladder,
            decisions=decisions,
            events=events,
            words=words,
            singular=singular,
            rules=rules,
            checks=checks,
            impossible=self._events("impossible", [], events),
            critical=self._events("critical", [one for one in events if "critical" in one], events),
            file=self.document.sources[-1].file,
            compute_hash=cache(partial(content_hash, self.document.data)),
            load_sheet=cache(sheet),
            texts=tuple((source.file, source.text) for source in self.document.sources),
        )
        self.document.raise_errors()
        if not self.trusted:
            from handful.rules.analysis import analyze  # slow to import; trusted sources do not need it

            self.document.errors += analyze(ruleset, self.document.compilers, self.document.own_error)
            self.document.raise_errors()
        return ruleset

    def _events(self, key: str, default: list[str], events: Mapping[str, dict[str, str]]) -> tuple[str, ...]:
        """Return the events that a list at the top of the file names."""
        return self.document.text_list((key,), self.document.data.get(key, default), "event", list(events))

    def _sheet(
        self, declarations: Declarations, checks: Mapping[str, Check], rules: Mapping[str, Program]
    ) -> Callable[[], Sheet | None]:
        """Return a function for the sheet rules: loaded at once to find errors, or lazily if trusted."""
        if "sheet" not in self.document.data:
            return lambda: None

        def load_sheet() -> Sheet:
            from handful.rules.load_sheet import SheetLoader  # few commands need it

            return SheetLoader(self.document, declarations, checks, rules).sheet()

        def load_valid_sheet() -> Sheet:
            sheet = load_sheet()
            self.document.raise_errors()
            return sheet

        if self.trusted:
            return load_valid_sheet
        sheet = load_sheet()
        return lambda: sheet

    def _each(self, name: str, make: Callable[[str, dict[str, Any]], Loaded]) -> Mapping[str, Loaded]:
        """Load every part under a header: at once to find errors, or lazily if trusted."""
        tables = self.document.named_tables(name)
        if not self.trusted:
            return {key: make(key, data) for key, data in tables.items()}

        def load_valid(key: str) -> Loaded:
            part = make(key, tables[key])
            self.document.raise_errors()
            return part

        return _LazyMapping(tables, load_valid)

    # -- structure

    def _check_header(self) -> None:
        self.document.reject_unknown_keys(self.document.data, field_names("ruleset"), ())
        version = self.document.sources[-1].data.get("language")
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            self.document.report(
                Message("ruleset.language-missing.version"),
                (),
                Message("ruleset_advice.begin_with_language", language=LANGUAGE),
            )
        if not (isinstance(self.document.data.get("id"), str) and _ID.match(self.document.data["id"])):
            self.document.report(Message("ruleset.id.missing"), ("id",), 'id = "my-game"')

    def _usual_check(self, checks: Mapping[str, Check]) -> None:
        usual = self.document.data.get("usual_check")
        rolled = [n for n, d in self.document.named_tables("checks").items() if "refuse" not in d]
        if usual is not None and usual not in rolled and checks:
            hint = did_you_mean(str(usual), rolled) or Message("advice.there_is", names=rolled)
            self.document.report(Message("ruleset.usual-check.unknown", usual=usual), ("usual_check",), hint)

    # -- sections

    def _declarations(self, options: Any, decisions: Any, events: Any, words: Any) -> Declarations:
        rules = {}
        for name, data in self.document.named_tables("rules").items():
            params = data.get("params", [])
            if not isinstance(params, list) or not all(isinstance(p, str) and NAME.match(p) for p in params):
                self.document.report(Message("ruleset.kind.params"), ("rules", name, "params"))
                params = []
            if name in RESERVED:
                self.document.report(
                    Message("ruleset.name-taken.taken", name=name),
                    ("rules", name),
                    Message("advice.use_another_name"),
                )
            rules[name] = tuple(params)
        tables = {n: read_table(self.document, n, d) for n, d in self.document.named_tables("tables").items()}
        return Declarations(
            rules=rules,
            options=tuple(options),
            tables=tables,
            decisions=tuple(decisions),
            events=tuple(events),
            words=tuple(words),
        )

    def _rule(self, name: str, data: dict[str, Any], declarations: Declarations) -> Program:
        self.document.reject_unknown_keys(data, field_names("rule"), ("rules", name))
        return self._compile(("rules", name), name, declarations.rules[name], data, declarations)

    def _compile(
        self, path: Sequence[str], name: str, params: Sequence[str], data: Any, declarations: Declarations
    ) -> Program:
        text = data.get("does")
        if not isinstance(text, str):
            self.document.report(Message("ruleset.missing.text", path=".".join(path)), path, 'does = """…"""')
            text = ""
        return self.document.compile((*path, "does"), name, params, declarations, text)

    def _check(self, name: str, data: dict[str, Any], declarations: Declarations, ladder: Any) -> Check:
        path = ("checks", name)
        self.document.reject_unknown_keys(data, field_names("check"), path)
        title = self.document.wording((*path, "title"), data.get("title"))
        if name in declarations.rules:
            self.document.report(
                Message("ruleset.name-taken.rule", name=name), path, Message("advice.use_another_name")
            )
        if "refuse" in data:
            refuse = self.document.wording((*path, "refuse"), data["refuse"])
            aliases = self.document.aliases(path, data)
            return Check(name, title, {}, "", {}, None, refuse=refuse, aliases=aliases)
        sides = self._sides(path, data.get("sides"))
        params = {
            key: read_param(self.document, (*path, "params", key), key, value, ladder)
            for key, value in self.document.subtable(path, data, "params").items()
            if self.document.subtable((*path, "params"), {key: value}, key) is value
        }
        for param in params.values():
            self._check_follows((*path, "params", param.name), param, params, whole=sides is None)
        overall = [p.name for p in params.values() if not sides or p.whole]
        program = self._compile(path, name, [*overall, "sides"] if sides else overall, data, declarations)
        main = data.get("main")
        if not isinstance(main, str):
            self.document.report(Message("ruleset.missing.main", name=name), path, 'main = "total"')
        help_text = self.document.wording((*path, "help"), data.get("help"))
        aliases = self.document.aliases(path, data)
        layout = ParameterLayout(params.values(), has_sides=sides is not None)
        return Check(name, title, help_text, str(main), params, program, sides, {}, aliases, layout)

    def _check_follows(
        self, path: Sequence[str], param: Param, params: Mapping[str, Param], *, whole: bool
    ) -> None:
        """Report a parameter that follows from something else than a parameter of its check."""
        where = (*path, "follows")
        if param.follows and not (whole or param.whole):
            self.document.report(Message("ruleset.follows.whole"), where, Message("ruleset_advice.whole"))
        self.document.text_list(where, [*param.follows], "parameter", [*params])
        for values in param.follows.values():
            self.document.text_list(where, [*values.values()], "value", param.values)

    def _sides(self, path: Sequence[str], data: Any) -> Sides | None:
        if data is None:
            return None
        if not isinstance(data, dict) or data.get("word") not in ("vs", "with"):
            self.document.report(
                Message("ruleset.missing.word"), (*path, "sides"), Message("ruleset_advice.word")
            )
            return Sides("vs", 1, 8)
        least = self.document.integer((*path, "sides"), data, "min", 1)
        most = self.document.integer((*path, "sides"), data, "max", 8)
        if not 1 <= least <= most:
            self.document.report(Message("ruleset.range.sides"), (*path, "sides"), "min = 1, max = 8")
        return Sides(data["word"], least, most)


__all__ = ["MAX_FILE_LENGTH", "BadRuleset", "Source", "load"]
