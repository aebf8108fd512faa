"""Compares two rulesets, or two settings of one: changes in words and in odds.

Odds are compared over a sample of cells: required parameters vary together, all others one at a
time, each over a few everyday values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, product
from typing import Any

from handful import odds as exact
from handful.errors import HandfulError, Message
from handful.explore.figures import Figure, default_measure, measure
from handful.explore.sweep import REPORT, Progress
from handful.records import record
from handful.roll import bind
from handful.roll.formatting import format_value
from handful.rules.params import Param, display_value
from handful.rules.ruleset import Check, Ruleset, localize
from handful.solver.solver import BUDGET, SolvedRules

SAMPLES = 5  # values tried of each parameter
MOST_CELLS = 3_000  # of one check
Cell = tuple[str, dict[str, Any], tuple[dict[str, Any], ...]]  # a check, parameters, sides
NUMERIC = ("number", "halves", "die_code", "ladder")


@record(eq=False)
class Version:
    """A ruleset with its house rules; `name` is what the caller typed."""

    name: str
    rules: Ruleset
    options: Mapping[str, Any]


@record(eq=False)
class OddsChange:
    """A cell whose figure differs between two rulesets."""

    check: str
    params: Mapping[str, Any]
    sides: tuple[Mapping[str, Any], ...]
    shows: str
    before: Fraction
    after: Fraction

    @property
    def by(self) -> Fraction:
        return self.after - self.before

    @property
    def length(self) -> int:
        """Number of parameters of the query."""
        return len(self.params) + sum(map(len, self.sides))

    @property
    def asked(self) -> str:
        """The words of the query, as typed on the command line."""
        words = _words(self.params)
        for number, side in enumerate(self.sides):
            words += [*(["vs"] if number else []), *_words(side)]
        return f"{self.check} {' '.join(words)}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "check": self.check,
            "parameters": dict(self.params),
            "sides": list(self.sides),
            "shows": self.shows,
            "before": str(self.before),
            "after": str(self.after),
        }


def _words(values: Mapping[str, Any]) -> list[str]:
    return [f"{name}={format_value(value)}" for name, value in values.items()]


@record(eq=False)
class RulesetDiff:
    """The differences of two rulesets: in words, and in odds with the largest first."""

    before: Version
    after: Version
    descriptions: tuple[Message, ...]  # changes of the rules
    changes: tuple[OddsChange, ...]
    compared: int

    @property
    def words(self) -> tuple[str, ...]:
        """Changes of the rules in English, one line each."""
        return tuple(map(str, self.descriptions))

    @property
    def distinct_changes(self) -> tuple[OddsChange, ...]:
        """One change for each pair of figures, in the shortest query.

        Different parameters often give the same dice; listing each of them hides other changes.
        """
        shortest: dict[tuple[object, ...], OddsChange] = {}
        for one in self.changes:
            key = (one.check, one.shows, one.before, one.after)
            if key not in shortest or one.length < shortest[key].length:
                shortest[key] = one  # keeps the position of the first
        return tuple(shortest.values())

    def to_dict(self) -> dict[str, Any]:
        return {
            "before": {"name": self.before.name, "hash": self.before.rules.hash},
            "after": {"name": self.after.name, "hash": self.after.rules.hash},
            "words": list(self.words),
            "compared": self.compared,
            "count": len(self.changes),
            "moved": [one.to_dict() for one in self.distinct_changes],
        }


def compare_rulesets(
    before: Version,
    after: Version,
    *,
    progress: Progress | None = None,
    most: int = MOST_CELLS,
    budget: int = BUDGET,
) -> RulesetDiff:
    """Compare two rulesets by at most `most` cells of each check."""
    changes: list[OddsChange] = []
    compared = 0
    versions = [(one, SolvedRules(one.rules)) for one in (before, after)]
    wanted = list(_comparable_cells(before.rules, after.rules, most))
    for at, cell in enumerate(wanted):
        if progress is not None and at % REPORT == 0:
            progress(at, len(wanted))
        first, second = (_figure(*one, cell, budget) for one in versions)
        if first is None or second is None or first[0] != second[0]:
            continue  # refused, too big, or figures of different kinds
        compared += 1
        (shows, was), (_, now) = first, second
        if was is not None and now is not None and was != now:
            changes.append(OddsChange(*cell, shows, was, now))
    changes.sort(key=lambda one: (one.shows == "mean", -abs(one.by)))
    return RulesetDiff(before, after, tuple(describe_changes(before, after)), tuple(changes), compared)


def _comparable_cells(old: Ruleset, new: Ruleset, most: int) -> Iterator[Cell]:
    """Yield the cells of every check that both rulesets can roll."""
    for name, check in old.checks.items():
        other = new.checks.get(name)
        if check.program is not None and other is not None and other.program is not None:
            yield from ((name, *cell) for cell in islice(_cells(check, other), most))


def _figure(version: Version, solved: SolvedRules, cell: Cell, budget: int) -> tuple[str, Figure] | None:
    check, params, sides = cell
    try:
        bound = bind(version.rules, check, sides, params, version.options)
        odds = exact.odds(bound, budget=budget, solved=solved)
    except HandfulError:
        return None
    shows = default_measure(odds)
    return shows, measure(shows, odds)


# -- cells to compare


def _cells(check: Check, other: Check) -> Iterator[tuple[dict[str, Any], tuple[dict[str, Any], ...]]]:
    """Yield parameters and sides of each cell; only parameters that both checks have.

    Required parameters always vary, or else the first number.  Goals vary one after another,
    because a check takes only one.  Each other parameter varies with them, one at a time.
    """
    common = [one for name, one in check.params.items() if name in other.params and sample_values(one)]
    counted = [one for one in common if one.type in NUMERIC]
    base = [one for one in common if one.required] or counted[:1]
    goals: list[Param | None] = [
        one for one in counted if one.default is None and one not in base and not one.separators
    ]
    extras = [one for one in common if one not in base and one not in goals]
    for goal, extra in product(goals or [None], [None, *extras]):
        varied = [*base, *(one for one in (goal, extra) if one is not None)]
        for values in product(*(sample_values(one) for one in varied)):
            yield _assign(check, base, [*zip(varied, values, strict=True)])


def _assign(
    check: Check, base: list[Param], values: list[tuple[Param, Any]]
) -> tuple[dict[str, Any], tuple[dict[str, Any], ...]]:
    """Assign values to the whole check or its first side; other sides get middle values."""
    if check.sides is None:
        return {param.name: value for param, value in values}, ()
    overall = {param.name: value for param, value in values if param.whole}
    first = {param.name: value for param, value in values if not param.whole}
    others = {param.name: middle_value(param) for param in base if not param.whole}
    return overall, (first, *(others,) * (check.sides.least - 1))


def sample_values(param: Param) -> list[Any]:
    """Return a few everyday values of a parameter."""
    if param.values:
        return list(param.values)[:SAMPLES]
    if param.type == "ladder":
        return list(param.ladder)[:SAMPLES]
    if param.type == "truth":
        return [False, True]
    if param.type == "die_code":
        return [f"{dice}D" for dice in range(2, 2 + SAMPLES)]
    if param.type == "halves":
        return [1, 1.5, 2, 3.5, 4]
    if param.type == "number":
        low = max(int(param.least or 0), 0)
        high = int(param.most) if param.most is not None else low + SAMPLES
        return list(range(low if low else 1, min(high, (low or 1) + SAMPLES - 1) + 1)) or [low]
    return []


def middle_value(param: Param) -> Any:
    values = sample_values(param)
    return values[len(values) // 2] if values else None


# -- changes in words


def describe_changes(before: Version, after: Version) -> Iterator[Message]:
    old, new = before.rules, after.rules
    if old.hash != new.hash:
        yield from _added_and_removed(Message("part_of_game.check"), old.checks, new.checks)
        for name in old.checks.keys() & new.checks.keys():
            yield from _params(name, old.checks[name], new.checks[name])
        yield from _added_and_removed(Message("part_of_game.option"), old.options, new.options)
        for name in sorted(old.options.keys() & new.options.keys()):
            was, now = old.options[name].default, new.options[name].default
            if was != now:
                yield Message(
                    "change.option_default", name=name, was=display_value(was), now=display_value(now)
                )
        yield from _ladder(old, new)
        yield from _tables(old, new)
        yield from _added_and_removed(Message("part_of_game.rule"), old.rules, new.rules)
        for name in sorted(old.rules.keys() & new.rules.keys()):
            if old.rules[name].text != new.rules[name].text:
                yield Message("change.rule", name=name)
    for name in sorted({*before.options, *after.options}):
        if name in old.options and name in new.options:
            was = before.options.get(name, display_value(old.options[name].default))
            now = after.options.get(name, display_value(new.options[name].default))
            if str(was) != str(now):
                yield Message("change.house_rule", name=name, was=was, now=now)


def _added_and_removed(what: Message, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Message]:
    yield from (Message("change.gone", what=what, name=name) for name in old if name not in new)
    yield from (Message("change.new", what=what, name=name) for name in new if name not in old)


def _params(name: str, old: Check, new: Check) -> Iterator[Message]:
    if old.program is not None and new.program is None:
        yield Message("change.check_refused", name=name)
    if old.program is None and new.program is not None:
        yield Message("change.check_rolled", name=name)
    for param in old.params.keys() - new.params.keys():
        yield Message("change.parameter_gone", name=name, parameter=param)
    for param in sorted(new.params.keys() - old.params.keys()):
        yield Message("change.parameter_new", name=name, parameter=param)
    for param in sorted(old.params.keys() & new.params.keys()):
        was, now = old.params[param], new.params[param]
        if was.default != now.default:
            yield Message(
                "change.parameter_default",
                name=name,
                parameter=param,
                was=display_value(was.default),
                now=display_value(now.default),
            )
        if (was.least, was.most) != (now.least, now.most):
            yield Message(
                "change.parameter_range",
                name=name,
                parameter=param,
                least=was.least,
                most=was.most,
                new_least=now.least,
                new_most=now.most,
            )
    if old.program is not None and new.program is not None and old.program.text != new.program.text:
        yield Message("change.check", name=name)


def _ladder(old: Ruleset, new: Ruleset) -> Iterator[Message]:
    yield from _added_and_removed(Message("part_of_game.difficulty"), old.ladder, new.ladder)
    for name in (one for one in old.ladder if one in new.ladder):
        was, now = (_rung(one.ladder[name]) for one in (old, new))
        if was != now:
            title = localize(new.ladder[name]["title"])
            yield Message("change.difficulty", title=title, was=was, now=now)


def _rung(rung: Mapping[str, Any]) -> str:
    return ", ".join(f"{k} {v}" for k, v in rung.items() if k not in ("title", "example"))


def _tables(old: Ruleset, new: Ruleset) -> Iterator[Message]:
    """Yield the changes of tables, row by row."""
    before, after = (one.content.get("tables", {}) for one in (old, new))
    yield from _added_and_removed(Message("part_of_game.table"), before, after)
    for name in (one for one in before if one in after):
        yield from _added_and_removed(Message("part_of_game.row_of", name=name), before[name], after[name])
        for row in (one for one in before[name] if one in after[name]):
            was, now = before[name][row], after[name][row]
            if was != now:
                yield Message("change.row", name=name, row=row, was=_entries(was), now=_entries(now))


def _entries(row: Any) -> str:
    return " ".join(map(str, row)) if isinstance(row, list) else str(row)
