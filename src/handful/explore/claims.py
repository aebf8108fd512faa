"""Judges claims about odds against the exact figures.

A claim names a check, its parameters, and the range that its words allow.  A false claim gets the
actual figure, and single values (of a parameter or a house rule) that would make it true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from handful import odds as exact
from handful.errors import HandfulError, Message, Refused
from handful.explore.figures import Figure, default_measure, fraction_text, measure
from handful.explore.sweep import as_fraction
from handful.records import field, record
from handful.roll import bind
from handful.rules.params import Param
from handful.rules.ruleset import Check, Ruleset
from handful.solver.solver import SolvedRules

Rules = TypeVar("Rules")
FIELDS = {
    "id",
    "game",
    "says",
    "check",
    "params",
    "sides",
    "options",
    "policy",
    "figure",
    "range",
    "against",
    "source",
}
TABLES = ("params", "options", "against")  # fields that are TOML tables
NEARBY = 12  # values tried above and below the claimed one
MOST_CLAIMS = 2_000


@record(eq=False)
class Claim:
    """A statement about odds, with its range and its position in a page."""

    id: str
    says: str
    check: str
    least: Fraction
    most: Fraction
    params: Mapping[str, Any] = field(default_factory=dict)
    sides: Sequence[Mapping[str, Any]] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    policy: str = "usual"
    figure: str = ""
    against: Mapping[str, Any] | None = None  # parameters of a second check: the difference is judged
    game: str = ""
    where: str = ""
    source: str = ""  # the author, in a file with claims of several


@record(eq=False)
class Verdict:
    """A claim with its actual figure, and the values that would make it true."""

    claim: Claim
    figure: Figure
    shows: str
    true: bool
    remedies: tuple[tuple[str, Any, Fraction], ...] = ()  # parameter or option, value, figure

    def to_dict(self) -> dict[str, Any]:
        own = self.claim
        return {
            "id": own.id,
            "says": own.says,
            "where": own.where,
            "source": own.source,
            "game": own.game,
            "check": own.check,
            "true": self.true,
            "figure": fraction_text(self.figure),
            "shows": self.shows,
            "range": [str(own.least), str(own.most)],
            "would_be_true": [
                {"parameter": name, "value": value, "figure": str(figure)}
                for name, value, figure in self.remedies
            ],
        }


def read_claims(data: Any, where: str, lines: Mapping[int, int] | None = None) -> list[Claim]:
    """Validate the claims of a file; raise Refused with the position of the first mistake."""
    if not isinstance(data, Mapping) or not isinstance(data.get("claim"), list):
        raise Refused(Message("claim.none", where=where), Message("claim.write_one"))
    found = data["claim"]
    if len(found) > MOST_CLAIMS:
        raise Refused(Message("claim.too_many", where=where, most=MOST_CLAIMS))
    claims = []
    for number, one in enumerate(found):
        place = f"{where}:{lines[number]}" if lines and number in lines else where
        claims.append(_read(one, place, str(data.get("game", ""))))
    names = [one.id for one in claims]
    for one in claims:
        if names.count(one.id) > 1:
            raise Refused(Message("claim.listed_twice", where=one.where, id=one.id))
    return claims


def _read(one: Any, where: str, game: str) -> Claim:
    if not isinstance(one, Mapping):
        raise Refused(Message("claim.not_table", where=where), "[[claim]]")
    for key in one:
        if key not in FIELDS:
            raise Refused(Message("claim.unknown_field", where=where, key=key, fields=sorted(FIELDS)))
    for key in ("id", "says", "check", "range"):
        if key not in one:
            raise Refused(Message("claim.missing_field", where=where, key=key))
    for key in TABLES:
        if not isinstance(one.get(key, {}), Mapping):
            raise Refused(Message("claim.values_by_name", where=where, key=key), f"{key} = {{ name = 3 }}")
    if not isinstance(one.get("sides", []), list):
        raise Refused(Message("claim.sides_are_list", where=where), "sides = [{ name = 3 }, { name = 4 }]")
    ends = one["range"]
    if not isinstance(ends, list) or len(ends) != 2:
        raise Refused(Message("claim.range_has_two_ends", where=where))
    least, most = (_end(end, where) for end in ends)
    if least > most:
        raise Refused(Message("claim.range_empty", where=where))
    return Claim(
        str(one["id"]),
        str(one["says"]),
        str(one["check"]),
        least,
        most,
        params=one.get("params", {}),
        sides=tuple(one.get("sides", ())),
        options=one.get("options", {}),
        policy=str(one.get("policy", "usual")),
        figure=str(one.get("figure", "")),
        against=one.get("against"),
        game=str(one.get("game", game)),
        where=where,
        source=str(one.get("source", "")),
    )


def _end(end: Any, where: str) -> Fraction:
    try:
        if isinstance(end, str) and end.endswith("%") and not end.startswith("-"):
            return as_fraction(end)
        share = isinstance(end, str) and end.endswith("%")
        return Fraction(str(end).rstrip("%")) / (100 if share else 1)
    except (Refused, ValueError, ZeroDivisionError):
        raise Refused(
            Message("claim.bad_end", where=where, end=str(end)[:40]), Message("claim.ends")
        ) from None


def rules_of(claim: Claim, usual: str, find_rules: Callable[[str], Rules]) -> Rules:
    """Return the rules of a claim; a refusal names the position of the claim."""
    name = claim.game or usual
    if not name:
        raise Refused(Message("claim.which_game", where=claim.where, id=claim.id), "game = …")
    try:
        return find_rules(name)
    except Refused as error:
        raise Refused(
            Message("claim.at", where=claim.where, id=claim.id, problem=error.problem), error.advice
        ) from None


def judge(rules: Ruleset, claim: Claim, *, solved: SolvedRules | None = None) -> Verdict:
    """Judge a claim; a refusal names its position."""
    own = SolvedRules.of(rules, solved)
    try:
        figure, shows = _figure(own, claim, claim.params)
        if claim.against is not None:
            other, _ = _figure(own, claim, {**claim.params, **claim.against})
            figure = None if figure is None or other is None else other - figure
    except HandfulError as error:
        raise Refused(
            Message("claim.at", where=claim.where, id=claim.id, problem=error.problem), error.advice
        ) from None
    true = figure is not None and claim.least <= figure <= claim.most
    remedies = () if true or claim.against is not None else _remedies(own, claim)
    return Verdict(claim, figure, shows, true, remedies)


def _figure(
    solved: SolvedRules,
    claim: Claim,
    params: Mapping[str, Any],
    options: Mapping[str, Any] | None = None,
) -> tuple[Figure, str]:
    own = claim.options if options is None else options
    bound = bind(solved.ruleset, claim.check, claim.sides, params, own)
    odds = exact.odds(bound, policy=claim.policy, solved=solved)
    shows = claim.figure or default_measure(odds)
    return measure(shows, odds), shows


def _remedies(solved: SolvedRules, claim: Claim) -> tuple[tuple[str, Any, Fraction], ...]:
    """Return the nearest value of each parameter, and one of each house rule, that makes it true."""
    found: dict[str, tuple[str, Any, Fraction]] = {}
    for name, value, params, options in _others(solved.ruleset, claim):
        if name in found:
            continue
        try:
            figure, _ = _figure(solved, claim, params, options)
        except HandfulError:
            continue
        if figure is not None and claim.least <= figure <= claim.most:
            found[name] = (name, value, figure)
    return tuple(found.values())


def _others(rules: Ruleset, claim: Claim) -> Iterator[tuple[str, Any, Mapping[str, Any], Mapping[str, Any]]]:
    """Yield variants of the claim with one value changed: a parameter or a house rule."""
    check = rules.check(claim.check)
    for name, typed in claim.params.items():
        own = _declared(check, name)
        for value in [] if own is None else _nearby(own, typed):
            yield name, value, {**claim.params, name: value}, claim.options
    for name, option in rules.options.items():
        if name not in claim.options:
            for value in option.values:
                if value != option.default:
                    yield name, value, claim.params, {**claim.options, name: value}


def _declared(check: Check, typed: str) -> Param | None:
    return next((one for name, one in check.params.items() if name == typed), None)


def _nearby(param: Param, typed: Any) -> list[Any]:
    """Return values around a number, nearest first."""
    if param.type == "die_code" and isinstance(typed, str) and typed.endswith("D"):
        dice = int(typed[:-1]) if typed[:-1].isdigit() else 0
        return [f"{dice + by}D" for by in _steps() if dice + by > 0]
    if isinstance(typed, bool) or not isinstance(typed, (int, float)):
        return []
    return [typed + by for by in _steps()]


def _steps() -> list[int]:
    return [sign * by for by in range(1, NEARBY + 1) for sign in (-1, 1)]
