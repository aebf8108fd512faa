"""Executes the queries of a page's directives and caches the results.

Results are JSON data, so that `cache` can store them and `rendering` can show them.
Invariant: every file that a result depends on is noted as a dependency of the page.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from handful.errors import Message, Refused
from handful.explore.claims import Claim, judge, read_claims, rules_of
from handful.explore.differences import compare_rulesets
from handful.explore.query import Query
from handful.explore.sweep import Sweep, figure_format
from handful.library import Ruleset, read_sources, ruleset_path, shipped
from handful.library.claims import claims_file, read_claims_file
from handful.library.files import write_atomically
from handful.odds import Odds
from handful.records import replace
from handful.roll.formatting import format_title
from handful.sphinx.cache import Result, ResultCache, load_ruleset


class PageAnswers:
    """Executes the queries of one page."""

    def __init__(
        self,
        folder: str,
        games: Mapping[str, str],
        path_of: Callable[[str], str],
        depends_on: Callable[[str], None],
    ) -> None:
        self.cache, self.games = ResultCache(folder), games
        self.path_of, self.depends_on = path_of, depends_on

    # -- rulesets

    def ruleset(self, name: str) -> Ruleset:
        """Return a ruleset: by its name in conf.py, a shipped one, or a path relative to the page."""
        is_named = name in self.games or name in shipped()
        return self._load(self.games.get(name, name) if is_named else self._path(name))

    def _load(self, typed: str) -> Ruleset:
        path = ruleset_path(typed)
        for source in read_sources(path):
            self.depends_on(os.path.abspath(source.file))
        return load_ruleset(path)

    def _path(self, name: str) -> str:
        return self.path_of(name) if name.endswith(".toml") or "/" in name else name

    # -- queries

    def table(self, query: Query) -> Result:
        """Return the data of a table of odds."""
        rules = self.ruleset(query.game)
        key = ["table", rules.hash, query.argv()]
        return self.cache.get_or_compute(key, lambda: _table(query.table(rules.rules, solved=rules.solved)))

    def chart(self, query: Query) -> Result:
        """Draw a chart as SVG and PDF, and return the data of its table."""
        from handful.plots import render

        rules = self.ruleset(query.game)
        key = ["chart", rules.hash, query.argv()]
        stem = self.cache.stem(key)

        def compute() -> Result:
            drawn, data = _drawable(query, rules)
            for kind in (".svg", ".pdf"):
                write_atomically(stem + kind, render(drawn, stem + kind))
            return data

        data = self.cache.get_or_compute(key, compute)
        if not all(os.path.exists(stem + kind) for kind in (".svg", ".pdf")):
            data = self.cache.put(key, compute())
        return {**data, "stem": stem}

    def diff(self, query: Query, most: int) -> Result:
        """Return the changes in words, and the odds that changed most."""
        versions = query.versions(lambda name: self.ruleset(name).rules)
        key = ["diff", *([one.rules.hash, one.options] for one in versions), query.argv(), most]

        def compute() -> Result:
            found = compare_rulesets(*versions)
            rows = [
                [one.asked, *map(figure_format(one.shows), (one.before, one.after))]
                for one in found.distinct_changes[:most]
            ]
            return {
                "words": [*found.words],
                "rows": rows,
                "moved": len(found.changes),
                "compared": found.compared,
            }

        return self.cache.get_or_compute(key, compute)

    def figure(self, query: Query) -> str:
        """Return a single figure, formatted for a sentence."""
        rules = self.ruleset(query.game)

        def compute() -> Result:
            found = query.table(rules.rules, solved=rules.solved)
            if found.axes:
                raise Refused(Message("book.takes_no_range"), Message("book.table_takes_ranges"))
            (figure,) = found.cells.values()
            if figure is None:
                raise Refused(Message("book.no_such_figure", shows=found.shows))
            return {"figure": str(figure), "shows": found.shows}

        data = self.cache.get_or_compute(["figure", rules.hash, query.argv()], compute)
        return format_figure(data["shows"], Fraction(data["figure"]))

    def claim(self, query: Query, against: Sequence[str], entry: Mapping[str, Any]) -> Result:
        """Return the verdict on a claim; `against` has the words in which a second check differs."""
        rules = self.ruleset(query.game).rules
        check, sides, params, options = query.numbers(rules)
        key = {
            "game": query.game,
            "check": check,
            "sides": sides,
            "options": options,
            "params": {name: _number(value) for name, value in params.items()},
            "policy": query.policy,
            "figure": query.shows,
        }
        if against:
            key["against"] = replace(query, words=tuple(against)).numbers(rules)[2]
        (own,) = read_claims({"claim": [{**entry, **key}]}, str(entry["id"]))
        return self._judge(own, "")

    def claims(self, file: str) -> list[Result]:
        """Return the verdicts on all claims of a game or a file."""
        path, usual = claims_file(file if file in shipped() else self.path_of(file))
        self.depends_on(os.path.abspath(path))
        return [self._judge(one, usual) for one in read_claims_file(path)]

    def _judge(self, own: Claim, usual: str) -> Result:
        rules = rules_of(own, usual, self._claim_ruleset)
        key = [
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
        verdict = self.cache.get_or_compute(
            key, lambda: judge(rules.rules, own, solved=rules.solved).to_dict()
        )
        return {
            **verdict,
            "id": own.id,
            "says": own.says,
            "where": own.where,
            "source": own.source,
            "against": own.against is not None,
        }

    def _claim_ruleset(self, game: str) -> Ruleset:
        """Return the ruleset of a claim, which may be an absolute path."""
        is_file = os.path.isabs(game) and os.path.exists(game)
        return self._load(game) if is_file else self.ruleset(game)


def _drawable(query: Query, rules: Ruleset) -> tuple[Sweep | Odds, Result]:
    """Return what a chart draws, a sweep or the distribution of one check, and its data."""
    found = query.table(rules.rules, solved=rules.solved)
    if found.axes:
        return found, _table(found)
    odds = query.odds(rules.rules, solved=rules.solved)
    assert odds.bound is not None
    show = figure_format("")
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


def _table(found: Sweep) -> Result:
    """Return a sweep as texts."""
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
    """Convert a typed value to a number if possible: claims try neighbouring numbers."""
    for kind in (int, float):
        try:
            return kind(typed)
        except ValueError:
            continue
    return typed


def format_figure(shows: str, figure: Fraction) -> str:
    """Format a figure for a sentence: whole per cent, never 0 or 100 unless exact."""
    if shows == "mean" or not -1 <= figure <= 1:
        return f"{float(figure):.2f}".removesuffix(".00")
    share = round(100 * figure)
    if figure > 0 and share == 0:
        return "less than 1%"
    if figure < 1 and share == 100:
        return "more than 99%"
    return f"{share}%"
