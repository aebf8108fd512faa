"""From the words of a directive to plain data that can be shown, each worked out once.

Every answer is texts and numbers, so that it can be kept (`kept`) and shown (`showing`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from handful.errors import Refused
from handful.explore.claims import Claim, judge, read_claims, rules_of
from handful.explore.differences import difference
from handful.explore.query import Query
from handful.explore.sweep import Sweep, shown_figure
from handful.library import Ruleset, read_sources, ruleset_path, shipped
from handful.library.claims import claims_of, place_of
from handful.library.files import write_whole
from handful.odds import Odds
from handful.records import replace
from handful.roll.formatting import format_title
from handful.sphinx.kept import Kept, Shown, loaded

GAP = "\N{NO-BREAK SPACE}"


class Desk:
    """Answers the questions of one page."""

    def __init__(
        self,
        folder: str,
        games: Mapping[str, str],
        path_of: Callable[[str], str],
        depends_on: Callable[[str], None],
    ) -> None:
        self.kept, self.games = Kept(folder), games
        self.path_of, self.depends_on = path_of, depends_on

    # -- rulesets

    def ruleset(self, name: str) -> Ruleset:
        """A game by the name that conf.py gives it, a shipped one, or a path from the page."""
        known = name in self.games or name in shipped()
        return self._at(self.games.get(name, name) if known else self._path(name))

    def _at(self, typed: str) -> Ruleset:
        path = ruleset_path(typed)
        for source in read_sources(path):
            self.depends_on(os.path.abspath(source.file))
        return loaded(path)

    def _path(self, name: str) -> str:
        return self.path_of(name) if name.endswith(".toml") or "/" in name else name

    # -- questions

    def table(self, query: Query) -> Shown:
        """Return everything that a table of odds shows."""
        rules = self.ruleset(query.game)
        asked = ["table", rules.hash, query.argv()]
        return self.kept.once(asked, lambda: _table(query.table(rules.rules)))

    def chart(self, query: Query) -> Shown:
        """Draw a picture as SVG and PDF, and return the table that it shows."""
        from handful.plots import picture

        rules = self.ruleset(query.game)
        asked = ["chart", rules.hash, query.argv()]
        stem = self.kept.stem(asked)

        def made() -> Shown:
            drawn, data = _drawable(query, rules)
            for kind in (".svg", ".pdf"):
                write_whole(stem + kind, picture(drawn, stem + kind))
            return data

        data = self.kept.once(asked, made)
        if not all(os.path.exists(stem + kind) for kind in (".svg", ".pdf")):
            data = self.kept.now(asked, made())
        return {**data, "stem": stem}

    def diff(self, query: Query, most: int) -> Shown:
        """Return what changed in words, and the odds that moved most."""
        versions = query.versions(lambda name: self.ruleset(name).rules)
        asked = ["diff", *([one.rules.hash, one.options] for one in versions), query.argv(), most]

        def made() -> Shown:
            found = difference(*versions)
            rows = [
                [one.asked, *map(shown_figure(one.shows), (one.before, one.after))]
                for one in found.telling[:most]
            ]
            return {
                "words": [*found.words],
                "rows": rows,
                "moved": len(found.moved),
                "compared": found.compared,
            }

        return self.kept.once(asked, made)

    def figure(self, query: Query) -> str:
        """Return a single figure, as it stands in a sentence."""
        rules = self.ruleset(query.game)

        def made() -> Shown:
            found = query.table(rules.rules)
            if found.axes:
                raise Refused("a single figure takes no range", "handful-table takes ranges")
            (figure,) = found.cells.values()
            if figure is None:
                raise Refused(f"this check has no {found.shows}")
            return {"figure": str(figure), "shows": found.shows}

        data = self.kept.once(["figure", rules.hash, query.argv()], made)
        return in_words(data["shows"], Fraction(data["figure"]))

    def claim(self, query: Query, against: Sequence[str], entry: Mapping[str, Any]) -> Shown:
        """Return the verdict on a claim about a check, or about two that differ in some words."""
        rules = self.ruleset(query.game).rules
        check, sides, params, options = query.numbers(rules)
        asked = {
            "game": query.game,
            "check": check,
            "sides": sides,
            "options": options,
            "params": {name: _number(value) for name, value in params.items()},
            "policy": query.policy,
            "figure": query.shows,
        }
        if against:
            asked["against"] = replace(query, words=tuple(against)).numbers(rules)[2]
        (own,) = read_claims({"claim": [{**entry, **asked}]}, str(entry["id"]))
        return self._judged(own, "")

    def claims(self, file: str) -> list[Shown]:
        """The verdicts on all claims of a game or of a file."""
        path, usual = place_of(file if file in shipped() else self.path_of(file))
        self.depends_on(os.path.abspath(path))
        return [self._judged(one, usual) for one in claims_of(path)]

    def _judged(self, own: Claim, usual: str) -> Shown:
        rules = rules_of(own, usual, self._beside)
        asked = [
            "claim",
            rules.hash,
            own.check,
            own.params,
            own.sides,
            own.options,
            own.policy,
            own.figure,
            own.against,
            str(own.least),
            str(own.most),
        ]
        verdict = self.kept.once(asked, lambda: judge(rules.rules, own).to_dict())
        return {
            **verdict,
            "id": own.id,
            "says": own.says,
            "where": own.where,
            "source": own.source,
            "against": own.against is not None,
        }

    def _beside(self, game: str) -> Ruleset:
        """Return the ruleset of a claim, which may lie with its file."""
        lies_there = os.path.isabs(game) and os.path.exists(game)
        return self._at(game) if lies_there else self.ruleset(game)


def _drawable(query: Query, rules: Ruleset) -> tuple[Sweep | Odds, Shown]:
    """Return what is drawn, a table over ranges or the spread of one check, and its data."""
    found = query.table(rules.rules)
    if found.axes:
        return found, _table(found)
    odds = query.odds(rules.rules)
    assert odds.bound is not None
    show = shown_figure("")
    rows = [
        [str(value), show(chance), show(odds.at_least(value))] for value, chance in odds.distribution.items()
    ]
    heads = [found.rules.wording(odds.bound.check.main), "chance", "at least"]
    return odds, {
        "heading": format_title(odds.bound),
        "heads": heads,
        "shows": "chance",
        "panels": [{"named": "", "rows": rows}],
        "assumed": dict(odds.policy),
    }


def _table(found: Sweep) -> Shown:
    """Return a table as texts."""
    grids = list(found.grids())
    panels = [{"named": named, "rows": rows[1:]} for named, rows in grids]
    return {
        "heading": found.heading(),
        "heads": grids[0][1][0],
        "panels": panels,
        "shows": found.shows,
        "assumed": dict(found.assumed),
    }


def _number(typed: str) -> Any:
    """Read a value as TOML has it: numbers have neighbours that may make a claim true."""
    for kind in (int, float):
        try:
            return kind(typed)
        except ValueError:
            continue
    return typed


def in_words(shows: str, figure: Fraction) -> str:
    """A figure in a sentence: whole per cent, never 0 or 100 for what is not certain."""
    if shows == "mean" or not -1 <= figure <= 1:
        return f"{float(figure):.2f}".removesuffix(".00")
    share = round(100 * figure)
    if figure > 0 and share == 0:
        return f"less than 1{GAP}%"
    if figure < 1 and share == 100:
        return f"more than 99{GAP}%"
    return f"{share}{GAP}%"
