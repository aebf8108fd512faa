"""Odds as text: chance, distribution with bars, events, and assumptions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from handful.cli import layout
from handful.cli.heading import heading
from handful.errors import format_count
from handful.odds import Odds
from handful.odds.listing import MAX_ROWS, Listing, list_distribution
from handful.roll import BoundCheck, Throw
from handful.roll.formatting import format_house_rules

if TYPE_CHECKING:
    from handful.explore.worth import Worth
    from handful.library import Roll
    from handful.sheet import Draft

PERCENT_COLUMNS = 21  # width of both percentages; the rest is for values and bars
MIN_BAR = 4


def odds_text(
    bound: BoundCheck,
    odds: Odds,
    roll: Roll | None = None,
    *,
    most_rows: int = MAX_ROWS,
    draft: Draft | None = None,
) -> str:
    """Return the output of `handful odds`."""
    lines = heading(bound)
    if roll is not None and roll.dice:
        lines += layout.wrap_text(f"after rolling {faces_text(roll)}", 0, 6)
    if draft is not None:
        from handful.cli.show_sheet import opening_modifiers, source_lines

        modifiers = opening_modifiers(bound) if roll is None else roll.modifiers
        lines += layout.section("breakdown", source_lines(draft, modifiers))
    lines += ["", *chance_lines(odds)]
    if roll is not None and roll.ask is not None and not isinstance(roll.ask, Throw):
        lines += _decision_lines(roll, odds)
    lines += distribution_lines(bound, odds, most_rows)
    lines += layout.section("events", _event_lines(bound, odds.events))
    lines += layout.section("assuming", assumption_lines(odds))
    rules = [line for rule in format_house_rules(bound) for line in layout.wrap_text(rule, 2, 4)]
    return "\n".join(lines + layout.section("house rules", rules))


def faces_text(roll: Roll) -> str:
    """Return the faces thrown so far, at most 100."""
    faces = ", ".join(str(die.face) for die in roll.dice[:100])
    return f"{faces}{' …' if len(roll.dice) > 100 else ''}"


# -- the chance


def chance_lines(odds: Odds) -> list[str]:
    """Return the chances of success, of a win for each side and of a tie, and the mean."""
    rows: list[tuple[str, str, str]] = []
    if isinstance(odds.success, tuple):
        for number, chance in enumerate(odds.success, 2):
            rows.append(_chance_row(f"success against side {number}", chance))
    elif odds.success is not None:
        rows.append(_chance_row("success", odds.success))
    if odds.wins is not None:
        rows += [_chance_row(f"side {n} wins", p) for n, p in enumerate(odds.wins, 1)]
        rows += [_chance_row("tie", odds.tie)] if odds.tie else []
    if odds.mean is not None:
        exact = "" if odds.mean.denominator == 1 else layout.format_fraction(odds.mean)
        rows.append(("mean", layout.format_decimal(odds.mean), exact))
    first = max((len(row[0]) for row in rows), default=0)
    return [
        line
        for name, value, exact in rows
        for line in layout.wrap_after(f"{name:<{first}}  {value:>8}  ", exact)
    ]


def _chance_row(name: str, chance: Fraction) -> tuple[str, str, str]:
    exact = "" if chance in (0, 1) else layout.format_fraction(chance)
    return name, layout.format_percent(chance), exact


def _decision_lines(roll: Roll, odds: Odds) -> list[str]:
    from handful.cli.answers import answer_lines, question_text  # imported late: rarely needed

    return ["", *layout.wrap_text(question_text(roll), 0, 2), *answer_lines(roll, odds)]


# -- the table


def distribution_lines(bound: BoundCheck, odds: Odds, most: int = MAX_ROWS) -> list[str]:
    """Return a table of values: chance, bar, and the chance of at least that value."""
    if not odds.distribution:
        reason = f" ({odds.reason})" if odds.reason else ""
        return ["", *layout.wrap_text(f"no result: there are no dice to roll{reason}", 0, 2)]
    listed = list_distribution(odds, most)
    rows, notes = listed.rows, _notes(listed)
    name = bound.ruleset.wording(bound.check.main)
    width = max(len(name), *(len(row.label) for row in rows))
    top = max(row.chance for row in rows)
    space = max(layout.width() - PERCENT_COLUMNS - width, MIN_BAR)
    lines = ["", layout.apply_style(f"{name:>{width}}  {'chance':>7}  {'':{space}}  at least", "bold")]
    for row in rows:
        drawn = layout.bar(row.chance / top, space)
        lines.append(
            f"{row.label:>{width}}  {layout.format_percent(row.chance):>7}  {drawn:<{space}}"
            f"  {layout.format_percent(row.at_least):>8}"
        )
    return lines + [line for note in notes for line in layout.wrap_text(note, 0, 2)]


def _notes(listed: Listing) -> list[str]:
    if not listed.left_out:
        return []
    values = format_count(listed.left_out, "value")
    chance = layout.format_percent(listed.chance)
    return [f"{values} at the ends not shown ({chance} in total); see --json"]


# -- the value of decisions


def worth_text(worth: Worth | None) -> str:
    """Return a figure under each policy, and the differences between policies."""
    if worth is None:
        return "\nthis check has no decisions"

    def format_figure(figure: Fraction | None, plus: str = "") -> str:
        if figure is None:
            return "too complex"
        sign = "-" if figure < 0 else plus
        decimal = layout.format_decimal if worth.shows == "mean" else layout.format_percent
        return sign + decimal(abs(figure))

    rows = [
        (policy, format_figure(figure), "; ".join(worth.decides[policy].values()))
        for policy, figure in worth.figures.items()
    ]
    lines = layout.section(f"value of decisions ({worth.shows})", layout.columns(rows))
    lines += layout.wrap_text(f"usual instead of never: {format_figure(worth.deciding, '+')}", 2, 4)
    lines += layout.wrap_text(f"best instead of usual: {format_figure(worth.better, '+')}", 2, 4)
    return "\n".join(lines)


# -- the rest


def _event_lines(bound: BoundCheck, events: Mapping[str, Fraction]) -> list[str]:
    rows = [
        (layout.format_percent(chance).rjust(7), bound.ruleset.wording(name))
        for name, chance in sorted(events.items())
    ]
    return layout.columns(rows)


def assumption_lines(odds: Odds) -> list[str]:
    """Return the assumed policy of each decision."""
    return [
        line
        for decision, words in odds.policy.items()
        for line in layout.wrap_text(f"{decision} = {words}", 2, 4)
    ]
