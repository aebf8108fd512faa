"""A query about a check: the same on the command line, over HTTP and in a rulebook.

    Query.parse(["table", "uwr", "direct", "attribute=1..8", "--show", "mean"])

A query is the list of its command-line words.  Each interface builds one from its input, finds the
rules, and executes it here, so that a query gives the same answer and the same refusal everywhere.
Invariant: no file is read here; rules and characters come from the caller.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from handful import odds as exact
from handful.errors import Message, Refused, did_you_mean
from handful.explore.house_rules import read_options, version
from handful.odds import Odds
from handful.records import record
from handful.roll import BoundCheck, bind
from handful.roll.formatting import format_value
from handful.rules.check_parser import TypedCheck, parse_typed_check
from handful.rules.ruleset import Check, Ruleset
from handful.solver.solver import BUDGET, SolvedRules

if TYPE_CHECKING:  # imported late: most commands need only odds
    from handful.explore.differences import RulesetDiff, Version
    from handful.explore.inverse import Solution
    from handful.explore.survey import Survey
    from handful.explore.sweep import Progress, Sweep
    from handful.explore.worth import Worth
    from handful.rules.name_resolution import CharacterNames
    from handful.sheet import Character, Draft

TAKES: dict[str, tuple[str, ...]] = {  # kind of query -> its fields besides the check
    "odds": ("options", "characters", "policy", "worth"),
    "table": ("options", "shows", "policy"),
    "solve": ("find", "chance", "side", "within", "options", "shows", "policy"),
    "diff": (),
    "simulate": ("options", "characters", "policy"),
    "roll": ("options", "characters"),
}
FLAGS = {
    "options": "--option",
    "characters": "--as",
    "policy": "--policy",
    "worth": "--worth",
    "shows": "--show",
    "find": "--for",
    "chance": "--chance",
    "side": "--side",
    "within": "--within",
}
REPEATED = ("options", "characters")
Values = dict[str, str]
SEVERAL, COMMA = ("|",), (",",)  # separators of alternatives, and of lists
EXAMPLE = "uwr direct attribute=1..4 target=1..2"


@record()
class Query:
    """A query as typed; `TAKES` lists the fields of each kind."""

    kind: str
    game: str  # a name or a path; in a comparison also with house rules: uwr:cap=off
    check: str = ""
    words: tuple[str, ...] = ()  # name=value, vs, with
    options: tuple[str, ...] = ()  # house rules: name=value
    characters: tuple[str, ...] = ()
    policy: str = "usual"
    worth: bool = False
    shows: str = ""
    find: str = ""
    chance: str = ""
    side: int = 1
    within: str = ""
    other: str = ""  # the second ruleset of a comparison

    # -- construction

    @classmethod
    def of(cls, kind: str, game: str, check: str, words: Sequence[str] = (), **fields: Any) -> Query:
        """Create a query about a check; empty fields get their defaults."""
        for name, what in (("find", "NAME"), ("chance", "80%")) if kind == "solve" else ():
            if not fields.get(name):
                raise Refused(Message("query.solve_needs", flags=FLAGS[name], what=what))
        given = {name: value for name, value in fields.items() if value}
        for name in REPEATED:
            given[name] = tuple(given.get(name, ()))
        if "side" in given:
            given["side"] = counting_number("--side", str(given["side"]))
        if "policy" in given:
            given["policy"] = given["policy"].strip().lower()
        given["shows"] = given.get("shows", "").strip()
        return cls(kind, game, check, tuple(words), **given)

    @classmethod
    def parse(cls, words: Sequence[str]) -> Query:
        """Parse a command line, with or without `handful` in front."""
        kind, *rest = words[1:] if words[:1] == ["handful"] else words or [""]
        if kind not in TAKES:
            raise Refused(Message("query.unknown_kind", kind=kind[:40], takes=TAKES))
        positional, fields = _without_flags(kind, rest)
        if kind == "diff":
            if len(positional) != 2:
                raise Refused(Message("query.two_rulesets"), "uwr uwr:reroll_stack=stacking")
            return cls(kind, positional[0], other=positional[1])
        if len(positional) < 2:
            raise Refused(Message("query.game_and_check"), EXAMPLE)
        return cls.of(kind, positional[0], positional[1], positional[2:], **fields)

    @classmethod
    def from_json(cls, kind: str, rules: Ruleset, data: Mapping[str, Any]) -> Query:
        """Create a query from a JSON request; it never names characters."""
        check = rules.check(data["check"])
        first, *further = data["sides"] or [{}]
        words = _words(check, {**data["parameters"], **first})
        for side in further:
            words += [check.sides.word if check.sides else "vs", *_words(check, side)]
        fields = {name: data[name] for name in TAKES[kind] if name in data and name not in REPEATED}
        options = _options(data["options"])
        return cls.of(kind, rules.id, data["check"], words, options=options, **fields)

    @classmethod
    def comparing(cls, *editions: tuple[str, Mapping[str, Any]]) -> Query:
        """Compare two rulesets, each with its house rules."""
        before, after = (
            f"{game}:{','.join(_options(options))}" if options else game for game, options in editions
        )
        return cls("diff", before, other=after)

    # -- as a command line

    def argv(self) -> list[str]:
        """Return the words of the command line; `parse` reads them back."""
        positional = [self.game, *(one for one in (self.check, self.other) if one), *self.words]
        flags: list[str] = []
        for name in TAKES[self.kind]:
            value = getattr(self, name)
            if name in REPEATED:
                flags += [word for one in value for word in _flag(name, one)]
            elif value != getattr(DEFAULTS, name):
                flags += _flag(name, value)
        if any(word.startswith("-") for word in positional):
            return [self.kind, *flags, "--", *positional]
        return [self.kind, *positional, *flags]

    def command(self) -> str:
        """Return the equivalent command line as text."""
        return shlex.join(["handful", *self.argv()])

    # -- execution

    def odds(self, rules: Ruleset, *, budget: int = BUDGET, solved: SolvedRules | None = None) -> Odds:
        return exact.odds(self.bind(rules)[0], policy=self.policy, budget=budget, solved=solved)

    def survey(self, rules: Ruleset, *, budget: int = BUDGET, solved: SolvedRules | None = None) -> Survey:
        from handful.explore.survey import survey

        check, sides, params, options = self.numbers(rules)
        return survey(
            rules,
            check,
            sides,
            params,
            options=options,
            policy=self.policy,
            budget=budget,
            solved=solved,
        )

    def weigh(
        self, rules: Ruleset, *, budget: int = BUDGET, solved: SolvedRules | None = None
    ) -> Worth | None:
        from handful.explore.worth import worth

        return worth(self.bind(rules)[0], budget=budget, solved=solved)

    def table(
        self,
        rules: Ruleset,
        *,
        progress: Progress | None = None,
        most: int | None = None,
        solved: SolvedRules | None = None,
    ) -> Sweep:
        from handful.explore.sweep import sweep

        check, sides, params, options = self.numbers(rules)
        return sweep(
            rules,
            check,
            sides,
            params,
            options=options,
            shows=self.shows,
            policy=self.policy,
            progress=progress,
            most=most,
            solved=solved,
        )

    def solve(
        self, rules: Ruleset, *, progress: Progress | None = None, solved: SolvedRules | None = None
    ) -> Solution:
        from handful.explore.inverse import solve
        from handful.explore.sweep import as_fraction

        check, sides, params, options = self.numbers(rules)
        return solve(
            rules,
            check,
            self.find,
            as_fraction(self.chance),
            sides,
            params,
            side=self.side if self.side > 1 else 0,
            within=self.within or None,
            options=options,
            shows=self.shows,
            policy=self.policy,
            progress=progress,
            solved=solved,
        )

    def versions(self, rules_of: Callable[[str], Ruleset]) -> tuple[Version, Version]:
        """Return both rulesets of a comparison; refused for an unknown house rule."""
        return version(self.game, rules_of), version(self.other, rules_of)

    def compare(self, rules_of: Callable[[str], Ruleset], *, progress: Progress | None = None) -> RulesetDiff:
        from handful.explore.differences import compare_rulesets

        return compare_rulesets(*self.versions(rules_of), progress=progress)

    # -- binding

    def bind(
        self, rules: Ruleset, character: Callable[[str], Character] | None = None
    ) -> tuple[BoundCheck, Draft | None]:
        """Bind the check; with characters, also return its draft.  `character` finds one by name."""
        if character is None:
            check, sides, params, options = self.numbers(rules)
            return bind(rules, check, sides, params, options), None
        typed, options = self._typed(rules, character)
        sides, params = typed.arguments()
        if not any(typed.who):
            return bind(rules, typed.check.name, sides, params, options), None
        from handful.sheet import draft  # imported late: most checks have no characters

        found = [None if name is None else character(name) for name in typed.who]
        built = draft(rules, typed.check.name, sides or [{}], params, found, options=options)
        return built.bound(), built

    def numbers(self, rules: Ruleset) -> tuple[str, list[Values], Values, Values]:
        """Parse a check without characters: its name, sides, parameters and house rules."""
        typed, options = self._typed(rules)
        if any(typed.who):
            raise Refused(Message("query.no_character_here"))
        return typed.check.name, *typed.arguments(), options

    def _typed(
        self, rules: Ruleset, character: Callable[[str], Character] | None = None
    ) -> tuple[TypedCheck, Values]:
        """Parse the words, accepting names from the sheets of the characters."""

        def own_names_of(who: str | None, _: int) -> CharacterNames | None:
            if who is None or character is None:
                return None
            from handful.sheet import sheet_names

            return sheet_names(rules, character(who))

        words = (self.check, *self.words)
        typed = parse_typed_check(rules, words, who=self.characters, names_of=own_names_of)
        return typed, read_options(rules, self.options)


DEFAULTS = Query("odds", "")  # a query with the default of every field


def counting_number(name: str, text: str) -> int:
    """Parse a positive integer of at most six digits."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 6 and int(digits)):
        raise Refused(Message("query.not_a_count", name=name, text=text[:20]))
    return int(digits)


def _flag(name: str, value: Any) -> list[str]:
    """Return the words of an option; a value that starts with `-` is joined by `=`."""
    if value is True:
        return [FLAGS[name]]
    text = str(value)
    return [f"{FLAGS[name]}={text}"] if text.startswith("-") else [FLAGS[name], text]


def _without_flags(kind: str, words: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Separate options, such as `--policy best`, from the other words."""
    fields_by_flag = {FLAGS[name]: name for name in TAKES[kind]}
    positional: list[str] = []
    fields: dict[str, Any] = {}
    waiting = iter(words)
    for word in waiting:
        flag, equals, value = word.partition("=")
        if word == "--":
            positional += waiting
        elif not word.startswith("--"):
            positional.append(word)
        elif flag not in fields_by_flag:
            raise Refused(
                Message("query.unknown_flag", kind=kind, flag=flag[:40], fields=fields_by_flag),
                did_you_mean(flag, fields_by_flag),
            )
        elif (name := fields_by_flag[flag]) == "worth":
            fields[name] = True
        else:
            text = value if equals else next(waiting, "")
            fields[name] = [*fields.get(name, ()), text] if name in REPEATED else text
    return positional, fields


def _words(check: Check, values: Mapping[str, Any]) -> list[str]:
    """Return values as typed words; null is left out."""
    return [
        f"{name}={_text(value, own.separators or SEVERAL if own else SEVERAL)}"
        for name, value in values.items()
        for own in [check.params.get(name)]
        if value is not None
    ]


def _options(values: Mapping[str, Any]) -> list[str]:
    return [f"{name}={_text(value, COMMA)}" for name, value in values.items()]


def _text(value: Any, separators: Sequence[str]) -> str:
    """Return a value as typed; a value that cannot be typed becomes the name of its type."""
    if isinstance(value, list) and separators:
        return separators[0].join(_text(one, separators[1:]) for one in value)
    if isinstance(value, Mapping):
        dice, pips = value.get("dice", 0), value.get("pips", 0)
        if set(value) <= {"dice", "pips"} and isinstance(dice, int) and isinstance(pips, int):
            return f"{dice}D{pips:+}"
    return format_value(value) if isinstance(value, (str, int, float)) else type(value).__name__
