"""TOML text -> `Ruleset`, with every mistake found.

`load` takes the texts of a file and of the files it extends, base first, so nothing is read here.
Structure is checked first, then every rule text is compiled, then the whole is looked over by
`rules.review`.  All mistakes are collected and raised together as one `BadRuleset`.

Files that somebody has proven to be in order are loaded sooner: nothing is looked over, and a rule
is compiled when it is asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from handful.errors import Refused, RuleError, did_you_mean, listed
from handful.records import changed
from handful.rules.grammar import RESERVED, Names
from handful.rules.params import TYPES, Param
from handful.rules.program import Program, Record, Value
from handful.rules.ruleset import Check, Decision, Option, Ruleset, Sides
from handful.rules.source import LARGEST_FILE, BadRuleset, Source, merged
from handful.rules.text import Compiler

if TYPE_CHECKING:
    from handful.rules.sheets import Sheet

LANGUAGE = 1
_NAME = re.compile(r"[a-z][a-z0-9_]{0,60}\Z")
_ID = re.compile(r"[a-z][a-z0-9-]{0,40}\Z")
_TOP = {
    "language", "id", "extends", "replace", "title", "about", "options", "ladder", "tables",
    "decisions", "events", "words", "rules", "checks", "sheet", "rounds",
}  # fmt: skip
_OPTION = {"values", "min", "max", "length", "default", "open", "label", "help"}
_CHECK = {"title", "help", "main", "does", "params", "sides", "refuse"}
_PARAM = {
    "type", "min", "max", "default", "optional", "label", "help", "unit", "whole", "values",
    "words", "list", "sum", "number",
}  # fmt: skip
_DECISION = {"by", "question", "usual", "never", "answers", "only"}


def _all(values: Any, kind: type) -> bool:
    """Whether something is a list of values of one kind; truths are no numbers."""
    return isinstance(values, list) and all(
        isinstance(value, kind) and not isinstance(value, bool) for value in values
    )


def load(sources: Sequence[Source], *, proven: bool = False) -> Ruleset:
    """The ruleset of the last source, over the ones it extends.

    `proven` says that the very same texts have been loaded without it before.
    """
    return Loader(sources, proven=proven).ruleset()


Part = TypeVar("Part")


class _Later(Mapping[str, Part]):
    """Named parts that are made when they are asked for."""

    def __init__(self, names: Iterable[str], make: Callable[[str], Part]) -> None:
        self._names, self._make = dict.fromkeys(names), make
        self._made: dict[str, Part] = {}

    def __getitem__(self, name: str) -> Part:
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
    """Reads one ruleset; `rules.load_sheet` uses its services."""

    def __init__(self, sources: Sequence[Source], *, proven: bool) -> None:
        self.sources, self.proven = sources, proven
        self.data = merged(sources)
        self.errors: list[RuleError] = []
        self.asts: dict[str, Compiler] = {}

    def ruleset(self) -> Ruleset:
        self._top()
        title = self.wording(("title",), self.data.get("title"))
        about = self.wording(("about",), self.data.get("about"))
        options = {n: self._option(n, d) for n, d in self._tables("options").items()}
        ladder = self._ladder()
        decisions = {n: self._decision(n, d) for n, d in self._tables("decisions").items()}
        events = {n: self.wording(("events", n), d) for n, d in self._tables("events").items()}
        words, singular = self._words()
        names = self._names(options, decisions, events, words)
        rules = self._each("rules", lambda n, d: self._rule(n, d, names))
        checks = self._each("checks", lambda n, d: self._check(n, d, names, ladder))
        if not checks and (not self.errors or "checks" not in self.data):
            self.fault("has no checks: there is nothing to roll", (), "add [checks.something]")
        sheet = self._sheet(names, checks, rules)
        self._raise()
        made = Ruleset(
            id=self.data["id"],
            content=self.data,
            title=title, about=about, options=options, ladder=ladder, decisions=decisions,
            events=events, words=words, singular=singular, rules=rules, checks=checks,
            file=self.sources[-1].file, sheet_maker=sheet,
        )  # fmt: skip
        made.derived["texts"] = tuple((source.file, source.text) for source in self.sources)
        self._raise()
        if not self.proven:
            from handful.rules.review import review  # as much again as all that is loaded so far

            self.errors += review(made, self.asts, self._own)
            self._raise()
        return made

    def _sheet(
        self, names: Names, checks: Mapping[str, Check], rules: Mapping[str, Program]
    ) -> Callable[[], Sheet | None]:
        """What makes the sheet: made at once, to find its mistakes, or when it is asked for."""
        if "sheet" not in self.data:
            return lambda: None

        def made() -> Sheet:
            from handful.rules.load_sheet import SheetLoader  # few commands need a sheet

            return SheetLoader(self, names, checks, rules).sheet()

        def sound() -> Sheet:
            sheet = made()
            self._raise()
            return sheet

        if self.proven:
            return sound
        sheet = made()
        return lambda: sheet

    def _each(self, name: str, make: Callable[[str, dict[str, Any]], Part]) -> Mapping[str, Part]:
        """Every part under a heading: at once, to find its mistakes, or later."""
        parts = self._tables(name)
        if not self.proven:
            return {key: make(key, data) for key, data in parts.items()}

        def sound(key: str) -> Part:
            made = make(key, parts[key])
            self._raise()
            return made

        return _Later(parts, sound)

    def _raise(self) -> None:
        if self.errors:
            raise BadRuleset(sorted(self.errors, key=lambda e: (e.file, e.line, e.column)))

    def fault(self, message: str, path: Sequence[str], hint: str = "") -> None:
        self.errors.append(self._placed(message, path, hint))

    def _placed(self, message: str, path: Sequence[str], hint: str) -> RuleError:
        source = self.origin(path)
        line = source.line(*path)
        return RuleError(
            message,
            hint=hint,
            file=source.file,
            line=line,
            rule=".".join(path[:2]) if path else "",
            source=source.lines[line - 1] if line else "",
            column=1 if line else 0,
        )

    def _own(self, message: str, path: Sequence[str], hint: str) -> RuleError | None:
        """A mistake in a part of this file itself; what a base declares is not its fault."""
        own = self.origin(path) is self.sources[-1]
        return self._placed(message, path, hint) if own else None

    def origin(self, path: Sequence[str]) -> Source:
        for source in reversed(self.sources):
            if source.has(path):
                return source
        return self.origin(path[:-1]) if path else self.sources[-1]

    # -- structure

    def _top(self) -> None:
        self.unknown(self.data, _TOP, ())
        version = self.data.get("language")
        if not isinstance(version, int) or version < 1:
            self.fault(
                "does not say which language it is written in", (), "begin with: language = 1"
            )
        elif version > LANGUAGE:
            self.fault(
                f"wants language {version}; this version knows {LANGUAGE}",
                ("language",),
                "a newer version of handful can read it",
            )
        if not (isinstance(self.data.get("id"), str) and _ID.match(self.data["id"])):
            self.fault("needs an id of small letters, digits and '-'", ("id",), 'id = "my-game"')

    def _tables(self, name: str) -> dict[str, dict[str, Any]]:
        part = self.data.get(name, {})
        if not isinstance(part, dict):
            self.fault(f"{name} must be a table", (name,), f"[{name}.something]")
            return {}
        good = {}
        for key, value in part.items():
            if not _NAME.match(key):
                self.fault(f"{key!r} is not a name: small letters, digits and _", (name, key))
            elif not isinstance(value, dict):
                self.fault(f"{name}.{key} must be a table", (name, key), f"[{name}.{key}]")
            else:
                good[key] = value
        return good

    def unknown(self, data: Mapping[str, Any], known: set[str], path: Sequence[str]) -> None:
        for key in data:
            if key not in known:
                hint = did_you_mean(key, known) or f"it can have {listed(sorted(known))}"
                self.fault(f"there is no {key!r} here", (*path, key), hint)

    def wording(self, path: Sequence[str], data: Any) -> dict[str, str]:
        if not isinstance(data, dict) or not all(isinstance(v, str) for v in data.values()):
            self.fault(f"{'.'.join(path)} needs wording", path, '{ en = "…", de = "…" }')
            return {}
        if not data.get("en"):
            self.fault(f"{'.'.join(path)} needs English wording", path, 'en = "…"')
        return dict(data)

    def whole(self, path: Sequence[str], data: Mapping[str, Any], key: str, default: int) -> int:
        value = data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault(f"{key} must be a whole number", (*path, key))
            return default
        return value

    def table(self, path: Sequence[str], data: Mapping[str, Any], key: str) -> dict[str, Any]:
        part = data.get(key, {})
        if isinstance(part, dict):
            return part
        self.fault(f"{key} must be a table", (*path, key), f"[{'.'.join((*path, key))}]")
        return {}

    # -- parts

    def _option(self, name: str, data: dict[str, Any]) -> Option:
        path = ("options", name)
        self.unknown(data, _OPTION, path)
        values = data.get("values", [])
        kinds = {type(value) for value in values} if isinstance(values, list) else {object}
        if len(kinds) > 1 or not kinds <= {str, int, bool}:
            self.fault("values must be all texts, all whole numbers or all true/false", path)
            values = []
        elif "values" in data and len(values) < 2:
            self.fault(f"the option {name} leaves no choice", path, "give at least two values")
        default = data.get("default")
        option = Option(
            name,
            tuple(default) if isinstance(default, list) else default,
            tuple(values),
            self.whole(path, data, "min", 0),
            self.whole(path, data, "max", 1000),
            self.whole(path, data, "length", 0),
            str(data.get("open", "")),
            self.wording((*path, "label"), data.get("label")),
        )
        try:
            if default is None or option.read(default) != option.default:
                raise Refused("")
        except Refused:
            self.fault(f"the default of {name} is not one of its values", path, option.expects())
        return option

    def _ladder(self) -> dict[str, dict[str, Any]]:
        ladder = {}
        for name, rung in self._tables("ladder").items():
            path = ("ladder", name)
            for key, value in rung.items():
                if key in ("title", "example"):
                    self.wording((*path, key), value)
                elif isinstance(value, bool) or not isinstance(value, int):
                    self.fault(f"{key} must be a whole number", (*path, key))
            ladder[name] = rung
        for name, rung in ladder.items():
            known = {
                field
                for other, fields in ladder.items()
                if other != name
                for field, number in fields.items()
                if isinstance(number, int)
            }
            for field, number in rung.items() if len(ladder) > 2 else ():
                if isinstance(number, int) and field not in known:
                    hint = did_you_mean(field, known) or f"the others have {listed(sorted(known))}"
                    self.fault(f"only {name} has {field!r}", ("ladder", name, field), hint)
        return ladder

    def _decision(self, name: str, data: dict[str, Any]) -> Decision:
        path = ("decisions", name)
        self.unknown(data, _DECISION, path)
        if data.get("by") not in ("player", "gm"):
            self.fault(f"who decides {name}?", (*path, "by"), 'by = "player" or by = "gm"')
        answers = self.table(path, data, "answers")
        return Decision(
            name,
            str(data.get("by")),
            self.wording((*path, "question"), data.get("question")),
            self.wording((*path, "usual"), data.get("usual")),
            self.wording((*path, "never"), data.get("never", data.get("usual"))),
            {n: self.wording((*path, "answers", n), w) for n, w in answers.items()},
            self.wording((*path, "only"), data["only"]) if "only" in data else {},
        )

    def _words(self) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
        """What words say, and what those that count say of one."""
        words, singular = {}, {}
        for name, data in self._tables("words").items():
            path, many = ("words", name), dict(data)
            if "one" in many:
                singular[name] = self.wording((*path, "one"), many.pop("one"))
            words[name] = self.wording(path, many)
        return words, singular

    def _names(self, options: Any, decisions: Any, events: Any, words: Any) -> Names:
        rules = {}
        for name, data in self._tables("rules").items():
            params = data.get("params", [])
            if not isinstance(params, list) or not all(
                isinstance(p, str) and _NAME.match(p) for p in params
            ):
                self.fault("params must be a list of names", ("rules", name, "params"))
                params = []
            if name in RESERVED:
                self.fault(f"the name {name!r} is taken", ("rules", name), "use another name")
            rules[name] = tuple(params)
        tables = {n: self._rows(n, d) for n, d in self._tables("tables").items()}
        return Names(
            rules=rules,
            options=tuple(options),
            tables=tables,
            decisions=tuple(decisions),
            events=tuple(events),
            words=tuple(words),
        )

    def _rows(self, name: str, data: dict[str, Any]) -> Record:
        rows: dict[str, Value] = {}
        for key, row in data.items():
            numbers = row if isinstance(row, list) else [row]
            if not all(isinstance(n, int) and not isinstance(n, bool) for n in numbers):
                self.fault(f"the row {key} must hold whole numbers", ("tables", name))
            rows[key] = tuple(row) if isinstance(row, list) else row
        return Record(rows)

    def _rule(self, name: str, data: dict[str, Any], names: Names) -> Program:
        self.unknown(data, {"params", "does"}, ("rules", name))
        return self._compiled(("rules", name), name, names.rules[name], data, names)

    def _compiled(
        self, path: Sequence[str], name: str, params: Sequence[str], data: Any, names: Names
    ) -> Program:
        text = data.get("does")
        if not isinstance(text, str):
            self.fault(f"{'.'.join(path)} needs a text", path, 'does = """…"""')
            text = ""
        source = self.origin((*path, "does"))
        line = source.line(*path, "does")
        if line and not re.search(r"=\s*(\"\"\"|''')\s*$", source.lines[line - 1]):
            line -= 1  # the text begins on the line of its key
        compiler = Compiler(name, params, names, file=source.file, first_line=line)
        program = compiler.program(text)
        self.errors += compiler.errors
        self.asts[name] = compiler
        return program

    def _check(self, name: str, data: dict[str, Any], names: Names, ladder: Any) -> Check:
        path = ("checks", name)
        self.unknown(data, _CHECK, path)
        title = self.wording((*path, "title"), data.get("title"))
        if name in names.rules:
            self.fault(f"a rule is already called {name!r}", path, "use another name")
        if "refuse" in data:
            refuse = self.wording((*path, "refuse"), data["refuse"])
            return Check(name, title, {}, "", {}, None, refuse=refuse)
        sides = self._sides(path, data.get("sides"))
        params = {
            key: self.param((*path, "params", key), key, value, ladder)
            for key, value in self.table(path, data, "params").items()
            if self.table((*path, "params"), {key: value}, key) is value
        }
        own = [p.name for p in params.values() if not sides or p.whole]
        program = self._compiled(path, name, [*own, "sides"] if sides else own, data, names)
        main = data.get("main")
        if not isinstance(main, str):
            self.fault(
                f"which field of its result is the main one of {name}?", path, 'main = "total"'
            )
        help_text = self.wording((*path, "help"), data.get("help"))
        return Check(name, title, help_text, str(main), params, program, sides)

    def _sides(self, path: Sequence[str], data: Any) -> Sides | None:
        if data is None:
            return None
        if not isinstance(data, dict) or data.get("word") not in ("vs", "with"):
            self.fault("sides need a word", (*path, "sides"), 'word = "vs" or word = "with"')
            return Sides("vs", 1, 8)
        least = self.whole((*path, "sides"), data, "min", 1)
        most = self.whole((*path, "sides"), data, "max", 8)
        if not 1 <= least <= most:
            self.fault("the number of sides is not possible", (*path, "sides"), "min = 1, max = 8")
        return Sides(data["word"], least, most)

    def param(self, path: Sequence[str], name: str, data: dict[str, Any], ladder: Any) -> Param:
        self.unknown(data, _PARAM, path)
        if not _NAME.match(name) or name in RESERVED or name == "number":
            self.fault(f"the name {name!r} is taken or not a name", path, "use another name")
        if data.get("type") not in TYPES:
            self.fault(f"the type of {name} is not known", path, f"it is {listed(TYPES)}")
            data = {**data, "type": "number"}
        data = self._sound(path, data, ladder)
        separators = data.get("list", [])
        rungs = {
            key: {k: v for k, v in rung.items() if isinstance(v, int)}
            for key, rung in ladder.items()
        }
        param = Param(
            name,
            data["type"],
            self.wording((*path, "label"), data.get("label")),
            self.wording((*path, "help"), data.get("help")) if "help" in data else {},
            str(data.get("unit", "")),
            bool(data.get("whole", False)),
            bool(data.get("optional", False)),
            "default" not in data and not data.get("optional", False),
            None,
            self._bound(path, data, "min"),
            self._bound(path, data, "max"),
            tuple(map(str, data.get("values", []))),
            dict(data.get("words", {})),
            (separators,) if isinstance(separators, str) else tuple(separators),
            bool(data.get("sum", False)),
            "number" if data.get("number") is True else str(data.get("number", "") or ""),
            rungs,
        )
        return self._with_default(path, param, data)

    def _sound(self, path: Sequence[str], data: dict[str, Any], ladder: Any) -> dict[str, Any]:
        """The data of a parameter without what is not of the right kind, which is reported."""
        fields = {key for rung in ladder.values() for key, v in rung.items() if isinstance(v, int)}
        separators = (",", "+")
        good: dict[str, tuple[Callable[[Any], bool], str]] = {
            "values": (lambda v: _all(v, str) or _all(v, int), 'values = ["one", "other"]'),
            "words": (lambda v: isinstance(v, dict) and _all([*v.values()], int), "{ none = 0 }"),
            "list": (
                lambda v: v in separators or (_all(v, str) and set(v) <= set(separators)),
                'list = "," or list = "+" or list = [",", "+"]',
            ),
            "number": (
                lambda v: v in list(fields) if data["type"] == "ladder" else isinstance(v, bool),
                f"number = {sorted(fields)[0]!r}" if fields else "number = true",
            ),
        }
        bad = [key for key, (fits, _) in good.items() if key in data and not fits(data[key])]
        for key in bad:
            self.fault(f"{key} is not understood", (*path, key), good[key][1])
        if data["type"] == "choice" and not data.get("values"):
            self.fault("a choice needs values", path, good["values"][1])
        return {key: value for key, value in data.items() if key not in bad}

    def _bound(
        self, path: Sequence[str], data: Mapping[str, Any], key: str
    ) -> int | Fraction | None:
        if key not in data:
            return -1000 if key == "min" else 1000
        value = data[key]
        good = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not good or not math.isfinite(value):
            self.fault(f"{key} must be a number", (*path, key))
            return None
        exact = Fraction(str(value))
        return exact.numerator if exact.denominator == 1 else exact

    def _with_default(self, path: Sequence[str], param: Param, data: dict[str, Any]) -> Param:
        if param.least is not None and param.most is not None and param.least > param.most:
            self.fault(f"the range of {param.name} is empty", path, "min must not exceed max")
        if "default" not in data:
            return param
        try:
            return changed(param, default=param.read(data["default"]))
        except Refused as refusal:
            self.fault(f"the default does not fit: {refusal.message}", path)
            return param


__all__ = ["LARGEST_FILE", "BadRuleset", "Source", "load"]
