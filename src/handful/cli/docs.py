"""`handful docs`: a page for players, in Markdown, from the file of a game."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import click

from handful import library
from handful.cli import console, layout
from handful.cli.arguments import WithExamples, ruleset_argument
from handful.cli.heading import format_value
from handful.errors import HandfulError
from handful.rules.params import Param, display_value
from handful.rules.ruleset import Check, Ruleset, localize

EXAMPLES = [
    ("handful docs uwr", "checks, difficulties, house rules and some odds"),
    ("handful docs ten-again", "a page of a family"),
]
SAMPLES = (2, 3, 4, 6, 8)  # values of the first number, as each type is typed
SCALES = {"number": "{}", "halves": "{}", "die_code": "{}D"}


@click.command(cls=WithExamples, examples=EXAMPLES)
@ruleset_argument
def docs(ruleset: str) -> None:
    """Print a page for players: checks, difficulties, house rules, sample odds."""
    game = library.ruleset(ruleset)
    lines = [f"# {_cell(game.title)}", "", _cell(localize(game.rules.about)), ""]
    for check in game.rules.checks.values():
        lines += _check(game, check)
    lines += [*_ladder(game.rules), *_options(game.rules)]
    console.emit("\n".join(lines).rstrip())


def _check(game: library.Ruleset, check: Check) -> Iterator[str]:
    yield from (f"## {_cell(localize(check.title))}", "")
    if check.program is None:
        yield from (_cell(localize(check.refuse)), "")
        return
    yield from (_cell(localize(check.help)), "", f"    {_line(game, check)}", "")
    if check.params:
        yield from ("| parameter | what | it needs |", "|---|---|---|")
    for param in check.params.values():
        what = ": ".join(part for part in (localize(param.label), localize(param.help)) if part)
        yield f"| `{param.name}` | {_cell(what)} | {_cell(_needs(param))} |"
    yield ""
    yield from _samples(game, check)


def _needs(param: Param) -> str:
    needs = param.expects()
    if param.required:
        return needs
    usual = format_value(display_value(param.default))
    return f"{needs}; {'may be' if param.default is None else usual + ' if'} left out"


def _line(game: library.Ruleset, check: Check) -> str:
    """A roll as it is typed."""
    sides = check.sides
    given = _example_values(check)
    own = [f"{name}={value}" for name, value in given.items() if not check.params[name].whole]
    whole = [f"{name}={value}" for name, value in given.items() if check.params[name].whole]
    several = f" {sides.word} ".join([" ".join(own)] * max(sides.least, 2)) if sides else ""
    words = [*whole, several] if sides else [*own, *whole]
    return " ".join(["handful roll", game.id, check.name, *filter(None, words)])


def _example_values(check: Check) -> dict[str, Any]:
    """An example for each parameter that has to be given; at least for the first."""
    first = [param for param in check.params.values() if param.type in SCALES][:1]
    needed = [param for param in check.params.values() if param.required] or first
    return {param.name: param.example() for param in needed}


def _samples(game: library.Ruleset, check: Check) -> Iterator[str]:
    """Odds for some values of the first number, for each named difficulty if there are any."""
    scale = next((p for p in check.params.values() if p.type in SCALES and not p.separators), None)
    if check.sides is not None or scale is None:
        return
    rungs = next((p for p in check.params.values() if p.type == "ladder"), None)
    heads: list[dict[str, Any]] = [{rungs.name: rung} for rung in rungs.ladder] if rungs else [{}]
    rows = []
    for size in SAMPLES:
        value = SCALES[scale.type].format(size)
        given = {**_example_values(check), scale.name: value}
        cells = [_odds(game, check, {**given, **head}) for head in heads]
        if any(cells):
            rows.append([value, *(cell or "–" for cell in cells)])
    if not rows:
        return
    names = [f"`{next(iter(head.values()))}`" if head else "chance" for head in heads]
    yield from (f"| {scale.name} | {' | '.join(names)} |", f"|{'---|' * (1 + len(heads))}")
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def _odds(game: library.Ruleset, check: Check, given: dict[str, Any]) -> str:
    """The chance of success where there is one, or the mean; nothing where it cannot be rolled."""
    try:
        odds = game.odds(check.name, **given)
    except HandfulError:
        return ""  # out of its range, or too much work for a page
    if isinstance(odds.success, Fraction):
        return layout.format_percent(odds.success)
    return "" if odds.mean is None else f"mean {layout.format_decimal(odds.mean)}"


def _ladder(rules: Ruleset) -> Iterator[str]:
    if not rules.ladder:
        return
    fields = sorted({key for rung in rules.ladder.values() for key in _numbers(rung)})
    yield from ("## Difficulties", "", f"| difficulty | {' | '.join(fields)} | example |")
    yield f"|---|{'---|' * len(fields)}---|"
    for name, rung in rules.ladder.items():
        own = _numbers(rung)
        words = [_cell(localize(rung.get(key) or {})) for key in ("title", "example")]
        values = " | ".join(str(own.get(key, 0)) for key in fields)
        yield f"| `{name}` {words[0]} | {values} | {words[1]} |"
    yield ""


def _numbers(rung: Any) -> dict[str, int]:
    return {key: value for key, value in rung.items() if isinstance(value, int)}


def _options(rules: Ruleset) -> Iterator[str]:
    if not rules.options:
        return
    yield from (
        "## House rules",
        "",
        "| option | what | values | unless said |",
        "|---|---|---|---|",
    )
    for option in rules.options.values():
        what, values = _cell(localize(option.label)), _cell(option.expects())
        yield f"| `{option.name}` | {what} | {values} | {display_value(option.default)} |"


def _cell(words: str) -> str:
    """Words of a file as plain text of a page: no markup, no tags, no new cells."""
    for sign in "\\`*_[]<>|#":
        words = words.replace(sign, f"\\{sign}")
    return " ".join(words.split())
