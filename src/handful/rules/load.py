"""TOML text -> `Ruleset`, with every mistake found.

`load` takes the texts of a file and of the files it extends, base first, so nothing is read here.
Structure is checked first, then every rule text is compiled, then the whole is looked over by
`rules.analysis`.  All mistakes are collected and raised together as one `BadRuleset`.

Files that somebody has proven to be in order are loaded sooner: nothing is looked over, and a rule
is compiled when it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from handful.errors import RuleError, did_you_mean, format_choices
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
from handful.rules.program import Program
from handful.rules.ruleset import Check, Ruleset, Sides
from handful.rules.source import MAX_FILE_LENGTH, BadRuleset, Source

if TYPE_CHECKING:
    from handful.rules.sheet_rules import Sheet

LANGUAGE = 2
_ID = re.compile(r"[a-z][a-z0-9-]{0,40}\Z")


def load(sources: Sequence[Source], *, proven: bool = False) -> Ruleset:
    """The ruleset of the last source, over the ones it extends.

    `proven` says that the very same texts have been loaded without it before.
    """
    return Loader(sources, proven=proven).ruleset()


def _check_language(source: Source) -> None:
    """A file of a newer language has words that are not known here: nothing else is said of it."""
    version = source.data.get("language")
    if isinstance(version, int) and version > LANGUAGE:
        line = source.line("language")
        raise BadRuleset(
            [
                RuleError(
                    f"wants language {version}, and this Handful knows languages up to {LANGUAGE}",
                    hint="a newer Handful can read it: pip install --upgrade handful",
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
    """Named parts that are made when they are asked for."""

    def __init__(self, names: Iterable[str], make: Callable[[str], Loaded]) -> None:
        self._names, self._make = dict.fromkeys(names), make
        self._made: dict[str, Loaded] = {}

    def __getitem__(self, name: str) -> Loaded:
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._make(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Loader:
    """Reads one ruleset."""

    def __init__(self, sources: Sequence[Source], *, proven: bool) -> None:
        for source in sources:
            _check_language(source)
        self.document, self.proven = RulesetDocument(sources), proven

    def ruleset(self) -> Ruleset:
        self._top()
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
        names = self._names(options, decisions, events, words)
        rules = self._each("rules", lambda n, d: self._rule(n, d, names))
        checks = self._each("checks", lambda n, d: self._check(n, d, names, ladder))
        if not checks and (not self.document.errors or "checks" not in self.document.data):
            self.document.report("has no checks: there is nothing to roll", (), "add [checks.something]")
        self._usual_check(checks)
        sheet = self._sheet(names, checks, rules)
        self.document.raise_errors()
        made = Ruleset(
            id=self.document.data["id"],
            content=self.document.data,
            title=title,
            about=about,
            options=options,
            ladder=ladder,
            decisions=decisions,
            events=events,
            words=words,
            singular=singular,
            rules=rules,
            checks=checks,
            impossible=self.document.text_list(
                ("impossible",), self.document.data.get("impossible", []), "event", list(events)
            ),
            file=self.document.sources[-1].file,
            load_sheet=sheet,
            texts=tuple((source.file, source.text) for source in self.document.sources),
        )
        self.document.raise_errors()
        if not self.proven:
            from handful.rules.analysis import analyze  # as much again as all that is loaded so far

            self.document.errors += analyze(made, self.document.compilers, self.document.own_error)
            self.document.raise_errors()
        return made

    def _sheet(
        self, names: Declarations, checks: Mapping[str, Check], rules: Mapping[str, Program]
    ) -> Callable[[], Sheet | None]:
        """What makes the sheet: made at once, to find its mistakes, or when it is asked for."""
        if "sheet" not in self.document.data:
            return lambda: None

        def made() -> Sheet:
            from handful.rules.load_sheet import SheetLoader  # few commands need a sheet

            return SheetLoader(self.document, names, checks, rules).sheet()

        def sound() -> Sheet:
            sheet = made()
            self.document.raise_errors()
            return sheet

        if self.proven:
            return sound
        sheet = made()
        return lambda: sheet

    def _each(self, name: str, make: Callable[[str, dict[str, Any]], Loaded]) -> Mapping[str, Loaded]:
        """Every part under a heading: at once, to find its mistakes, or later."""
        parts = self.document.named_tables(name)
        if not self.proven:
            return {key: make(key, data) for key, data in parts.items()}

        def sound(key: str) -> Loaded:
            made = make(key, parts[key])
            self.document.raise_errors()
            return made

        return _LazyMapping(parts, sound)

    # -- structure

    def _top(self) -> None:
        self.document.reject_unknown_keys(self.document.data, field_names("ruleset"), ())
        version = self.document.sources[-1].data.get("language")
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            self.document.report(
                "does not say which language it is written in",
                (),
                f"begin with: language = {LANGUAGE}",
            )
        if not (isinstance(self.document.data.get("id"), str) and _ID.match(self.document.data["id"])):
            self.document.report("needs an id of small letters, digits and '-'", ("id",), 'id = "my-game"')

    def _usual_check(self, checks: Mapping[str, Check]) -> None:
        usual = self.document.data.get("usual_check")
        rolled = [n for n, d in self.document.named_tables("checks").items() if "refuse" not in d]
        if usual is not None and usual not in rolled and checks:
            hint = did_you_mean(str(usual), rolled) or f"there is {format_choices(rolled)}"
            self.document.report(f"there is no check {usual!r} to roll", ("usual_check",), hint)

    # -- parts

    def _names(self, options: Any, decisions: Any, events: Any, words: Any) -> Declarations:
        rules = {}
        for name, data in self.document.named_tables("rules").items():
            params = data.get("params", [])
            if not isinstance(params, list) or not all(isinstance(p, str) and NAME.match(p) for p in params):
                self.document.report("params must be a list of names", ("rules", name, "params"))
                params = []
            if name in RESERVED:
                self.document.report(f"the name {name!r} is taken", ("rules", name), "use another name")
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

    def _rule(self, name: str, data: dict[str, Any], names: Declarations) -> Program:
        self.document.reject_unknown_keys(data, field_names("rule"), ("rules", name))
        return self._compiled(("rules", name), name, names.rules[name], data, names)

    def _compiled(
        self, path: Sequence[str], name: str, params: Sequence[str], data: Any, names: Declarations
    ) -> Program:
        text = data.get("does")
        if not isinstance(text, str):
            self.document.report(f"{'.'.join(path)} needs a text", path, 'does = """…"""')
            text = ""
        return self.document.compile((*path, "does"), name, params, names, text)

    def _check(self, name: str, data: dict[str, Any], names: Declarations, ladder: Any) -> Check:
        path = ("checks", name)
        self.document.reject_unknown_keys(data, field_names("check"), path)
        title = self.document.wording((*path, "title"), data.get("title"))
        if name in names.rules:
            self.document.report(f"a rule is already called {name!r}", path, "use another name")
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
        own = [p.name for p in params.values() if not sides or p.whole]
        program = self._compiled(path, name, [*own, "sides"] if sides else own, data, names)
        main = data.get("main")
        if not isinstance(main, str):
            self.document.report(
                f"which field of its result is the main one of {name}?", path, 'main = "total"'
            )
        help_text = self.document.wording((*path, "help"), data.get("help"))
        aliases = self.document.aliases(path, data)
        return Check(name, title, help_text, str(main), params, program, sides, {}, aliases)

    def _check_follows(
        self, path: Sequence[str], param: Param, params: Mapping[str, Param], *, whole: bool
    ) -> None:
        """Report a parameter that follows from something else than a parameter of its check."""
        where = (*path, "follows")
        if param.follows and not (whole or param.whole):
            self.document.report("follows is for the whole check", where, "add: whole = true")
        self.document.text_list(where, [*param.follows], "parameter", [*params])
        for values in param.follows.values():
            self.document.text_list(where, [*values.values()], "value", param.values)

    def _sides(self, path: Sequence[str], data: Any) -> Sides | None:
        if data is None:
            return None
        if not isinstance(data, dict) or data.get("word") not in ("vs", "with"):
            self.document.report("sides need a word", (*path, "sides"), 'word = "vs" or word = "with"')
            return Sides("vs", 1, 8)
        least = self.document.integer((*path, "sides"), data, "min", 1)
        most = self.document.integer((*path, "sides"), data, "max", 8)
        if not 1 <= least <= most:
            self.document.report("the number of sides is not possible", (*path, "sides"), "min = 1, max = 8")
        return Sides(data["word"], least, most)


__all__ = ["MAX_FILE_LENGTH", "BadRuleset", "Source", "load"]
