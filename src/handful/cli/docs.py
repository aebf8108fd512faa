"""`handful docs`: a page for players in Markdown, generated from a ruleset file."""

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
    ("handful docs ten-again", "the page of a family"),
]
SAMPLES = (2, 3, 4, 6, 8)  # values of the first numeric parameter
SCALES = {  # how a sample is typed, by type of parameter
    "number": "{}",
    "halves": "{}",
    "die_code": "{}D",
}


@click.command(cls=WithExamples, examples=EXAMPLES)
@ruleset_argument
def docs(ruleset: str) -> None:
    """Print a page for players in Markdown.

    It has the checks of a game with sample odds, its difficulties and its house rules.
    """
    game = library.ruleset(ruleset)
    lines = [f"# {_cell(game.title)}", "", _cell(localize(game.rules.about)), ""]
    for check in game.rules.checks.values():
        lines += _check_section(game, check)
    lines += [*_ladder_table(game.rules), *_options_table(game.rules)]
    console.emit("\n".join(lines).rstrip())


def _check_section(game: library.Ruleset, check: Check) -> Iterator[str]:
    yield from (f"## {_cell(localize(check.title))}", "")
    if check.program is None:
        yield from (_cell(localize(check.refuse)), "")
        return
    yield from (_cell(localize(check.help)), "", f"    {_command_line(game, check)}", "")
    if check.params:
        yield from ("| parameter | meaning | values |", "|---|---|---|")
    for param in check.params.values():
        meaning = ": ".join(part for part in (localize(param.label), localize(param.help)) if part)
        yield f"| `{param.name}` | {_cell(meaning)} | {_cell(_accepted_values(param))} |"
    yield ""
    yield from _sample_odds(game, check)


def _accepted_values(param: Param) -> str:
    values = str(param.expects())
    if param.required:
        return f"{values}; required"
    default = format_value(display_value(param.default))
    return f"{values}; {'optional' if param.default is None else f'default {default}'}"


def _command_line(game: library.Ruleset, check: Check) -> str:
    """Return an example of a roll as it is typed."""
    sides = check.sides
    given = _example_values(check)
    per_side = [f"{name}={value}" for name, value in given.items() if not check.params[name].whole]
    overall = [f"{name}={value}" for name, value in given.items() if check.params[name].whole]
    all_sides = f" {sides.word} ".join([" ".join(per_side)] * max(sides.least, 2)) if sides else ""
    words = [*overall, all_sides] if sides else [*per_side, *overall]
    return " ".join(["handful roll", game.id, check.name, *filter(None, words)])


def _example_values(check: Check) -> dict[str, Any]:
    """Return example values of the required parameters, or of the first number if none is required."""
    first = [param for param in check.params.values() if param.type in SCALES][:1]
    needed = [param for param in check.params.values() if param.required] or first
    return {param.name: param.example() for param in needed}


def _sample_odds(game: library.Ruleset, check: Check) -> Iterator[str]:
    """Tabulate odds over the first numeric parameter and the named difficulties, if any."""
    scale = next((p for p in check.params.values() if p.type in SCALES and not p.separators), None)
    if check.sides is not None or scale is None:
        return
    rungs = next((p for p in check.params.values() if p.type == "ladder"), None)
    heads: list[dict[str, Any]] = [{rungs.name: rung} for rung in rungs.ladder] if rungs else [{}]
    rows = []
    for size in SAMPLES:
        value = SCALES[scale.type].format(size)
        given = {**_example_values(check), scale.name: value}
        cells = [_format_odds(game, check, {**given, **head}) for head in heads]
        if any(cells):
            rows.append([value, *(cell or "–" for cell in cells)])
    if not rows:
        return
    names = [f"`{next(iter(head.values()))}`" if head else "chance" for head in heads]
    yield from (f"| {scale.name} | {' | '.join(names)} |", f"|{'---|' * (1 + len(heads))}")
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def _format_odds(game: library.Ruleset, check: Check, given: dict[str, Any]) -> str:
    """Return the chance of success, or else the mean; empty if the check cannot be rolled."""
    try:
        odds = game.odds(check.name, **given)
    except HandfulError:
        return ""  # out of range, or too complex
    if isinstance(odds.success, Fraction):
        return layout.format_percent(odds.success)
    return "" if odds.mean is None else f"mean {layout.format_decimal(odds.mean)}"


def _ladder_table(rules: Ruleset) -> Iterator[str]:
    if not rules.ladder:
        return
    fields = sorted({key for rung in rules.ladder.values() for key in _rung_numbers(rung)})
    yield from ("## Difficulties", "", f"| difficulty | {' | '.join(fields)} | example |")
    yield f"|---|{'---|' * len(fields)}---|"
    for name, rung in rules.ladder.items():
        numbers = _rung_numbers(rung)
        words = [_cell(localize(rung.get(key) or {})) for key in ("title", "example")]
        values = " | ".join(str(numbers.get(key, 0)) for key in fields)
        yield f"| `{name}` {words[0]} | {values} | {words[1]} |"
    yield ""


def _rung_numbers(rung: Any) -> dict[str, int]:
    return {key: value for key, value in rung.items() if isinstance(value, int)}


def _options_table(rules: Ruleset) -> Iterator[str]:
    if not rules.options:
        return
    yield from (
        "## House rules",
        "",
        "| option | meaning | values | default |",
        "|---|---|---|---|",
    )
    for option in rules.options.values():
        meaning, values = _cell(localize(option.label)), _cell(str(option.expects()))
        yield f"| `{option.name}` | {meaning} | {values} | {display_value(option.default)} |"


def _cell(words: str) -> str:
    """Escape text for a table cell: no markup, no tags, no cell breaks."""
    for sign in "\\`*_[]<>|#":
        words = words.replace(sign, f"\\{sign}")
    return " ".join(words.split())
