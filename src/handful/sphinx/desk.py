"""From the words of a directive to plain data that can be shown, each worked out once.

Every answer is texts and numbers, so that it can be kept (`kept`) and shown (`showing`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from handful.cli.diff import named, version
from handful.cli.words import read_options, sides_of
from handful.errors import Refused
from handful.explore import Sweep, sweep
from handful.explore.claims import judge, read_claims
from handful.explore.differences import difference
from handful.explore.sweep import axis_name, shown_figure
from handful.library import Ruleset, read_sources, ruleset_path, shipped
from handful.library.claims import claims_of, place_of
from handful.library.files import write_whole
from handful.odds import odds as exact_odds
from handful.roll import bind
from handful.roll.asked import asked_title
from handful.sphinx.kept import Kept, Shown, loaded

GAP = "\N{NO-BREAK SPACE}"
FIRST = ("show", "policy")  # words of a role that are not parameters


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

    def table(self, words: Sequence[str], options: Sequence[str], show: str, policy: str) -> Shown:
        """Everything that a table of odds shows."""
        game, check, *rest = _at_least_two(words)
        rules = self.ruleset(game)
        asked = ["table", rules.hash, check, rest, options, show, policy]
        return self.kept.once(
            asked, lambda: _table(self._swept(rules, check, rest, options, show, policy))
        )

    def chart(self, words: Sequence[str], options: Sequence[str], show: str, policy: str) -> Shown:
        """A picture as SVG and PDF, and the table that it shows."""
        from handful.plots import picture

        game, check, *rest = _at_least_two(words)
        rules = self.ruleset(game)
        asked = ["chart", rules.hash, check, rest, options, show, policy]
        stem = self.kept.stem(asked)

        def made() -> Shown:
            shown, data = self._drawable(rules, check, rest, options, show, policy)
            for kind in (".svg", ".pdf"):
                write_whole(stem + kind, picture(shown, stem + kind))
            return data

        data = self.kept.once(asked, made)
        if not all(os.path.exists(stem + kind) for kind in (".svg", ".pdf")):
            data = self.kept.now(asked, made())
        return {**data, "stem": stem}

    def diff(self, before: str, after: str, most: int) -> Shown:
        """What changed in words, and the odds that moved most."""
        versions = [version(one, self.ruleset) for one in (before, after)]
        asked = ["diff", *([one.rules.hash, one.options] for one in versions), before, after, most]

        def made() -> Shown:
            before_that, after_that = versions
            found = difference(before_that, after_that)
            rows = [
                [named(one), *map(shown_figure(one.shows), (one.before, one.after))]
                for one in found.telling[:most]
            ]
            return {"words": [*found.words], "rows": rows, "moved": len(found.moved),
                    "compared": found.compared}  # fmt: skip

        return self.kept.once(asked, made)

    def figure(self, words: Sequence[str], options: Sequence[str] = ()) -> str:
        """A single figure, as it stands in a sentence."""
        game, check, *rest = _at_least_two(words)
        rules = self.ruleset(game)
        params = rules.rules.check(check).params
        own = dict.fromkeys(FIRST, "") | {
            name: value
            for name, _, value in (word.partition("=") for word in rest)
            if name in FIRST and name not in params
        }
        left = [word for word in rest if word.partition("=")[0] not in FIRST]
        asked = ["figure", rules.hash, check, left, options, own]

        def made() -> Shown:
            found = self._swept(rules, check, left, options, own["show"], own["policy"] or "usual")
            if found.axes:
                raise Refused("a single figure takes no range", "handful-table takes ranges")
            (figure,) = found.cells.values()
            if figure is None:
                raise Refused(f"this check has no {found.shows}")
            return {"figure": str(figure), "shows": found.shows}

        data = self.kept.once(asked, made)
        return in_words(data["shows"], Fraction(data["figure"]))

    def claim(self, entry: Mapping[str, Any]) -> Shown:
        """The verdict on one claim."""
        (own,) = read_claims({"claim": [dict(entry)]}, str(entry["id"]))
        return self._judged(own, own.game)

    def claims(self, file: str) -> list[Shown]:
        """The verdicts on all claims of a game or of a file."""
        path, usual = place_of(file if file in shipped() else self.path_of(file))
        self.depends_on(os.path.abspath(path))
        return [self._judged(one, one.game or usual) for one in claims_of(path)]

    def _judged(self, own: Any, game: str) -> Shown:
        if not game:
            raise Refused(f"{own.where}: of which game is the claim?", "game = …")
        beside = os.path.isabs(game) and os.path.exists(game)  # it lies with a file of claims
        try:
            rules = self._at(game) if beside else self.ruleset(game)
        except Refused as error:
            raise Refused(f"{own.where}: {error.message}", error.hint) from None
        asked = ["claim", rules.hash, own.check, own.params, own.sides, own.options, own.policy,
                 own.figure, own.against, str(own.least), str(own.most)]  # fmt: skip
        verdict = self.kept.once(asked, lambda: judge(rules.rules, own).to_dict())
        return {**verdict, "id": own.id, "says": own.says, "where": own.where,
                "source": own.source, "against": own.against is not None}  # fmt: skip

    # -- working it out

    def _swept(
        self, game: Ruleset, check: str, words: Sequence[str], options: Sequence[str],
        show: str, policy: str,
    ) -> Sweep:  # fmt: skip
        rules = game.rules
        own, sides, first = sides_of(rules, (check, *words))
        return sweep(
            rules, own.name, sides, first,
            options=read_options(rules, options), shows=show, policy=policy,
        )  # fmt: skip

    def _drawable(
        self, game: Ruleset, check: str, words: Sequence[str], options: Sequence[str],
        show: str, policy: str,
    ) -> tuple[Any, Shown]:  # fmt: skip
        """What is drawn: a table over ranges, or how one check is spread; and both as data."""
        found = self._swept(game, check, words, options, show, policy)
        if found.axes:
            return found, _table(found)
        _, sides, first = sides_of(found.rules, (check, *words))
        bound = bind(found.rules, found.check, sides, first, read_options(found.rules, options))
        odds = exact_odds(bound, policy=policy)
        rows = [
            [str(value), shown_figure("")(chance), shown_figure("")(odds.at_least(value))]
            for value, chance in odds.distribution.items()
        ]
        heads = [found.rules.says(bound.check.main), "chance", "at least"]
        panel = {"named": "", "rows": rows}
        return odds, {"heading": asked_title(bound), "heads": heads, "panels": [panel],
                      "assumed": dict(odds.policy), "shows": "chance"}  # fmt: skip


def _at_least_two(words: Sequence[str]) -> Sequence[str]:
    if len(words) < 2:
        raise Refused("name a game and a check", "uwr direct attribute=1..4 target=1..2")
    return words


def _table(found: Sweep) -> Shown:
    """A table as texts."""
    show = shown_figure(found.shows)
    down = found.axes[0] if found.axes else None
    across = found.axes[1] if len(found.axes) > 1 else None
    heads = [axis_name(down, found.axes) if down else ""]
    heads += [f"{across.name} {one}" for one in across.labels] if across else [found.shows]
    panels = [
        {
            "named": ", ".join(f"{name} {value}" for name, value in named.items()),
            "rows": [
                [down.labels[at] if down else "", *map(show, row)] for at, row in enumerate(grid)
            ],
        }
        for named, grid in found.panels()
    ]
    return {"heading": found.heading(), "heads": heads, "panels": panels, "shows": found.shows,
            "assumed": dict(found.assumed)}  # fmt: skip


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
