"""Lists a distribution as a short table: cuts negligible ends, and groups values into rows.

Also renders odds as HTML for notebooks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from handful.errors import format_count
from handful.odds.figures import Number, Odds
from handful.roll.formatting import format_house_rules, format_title

MAX_ROWS = 24
NEGLIGIBLE = Fraction(1, 20_000)  # probability that may be cut at each end of a long table


class ListingRow(NamedTuple):
    """One row of the table: a value, or a range of values."""

    label: str
    chance: Fraction
    at_least: Fraction


class Listing(NamedTuple):
    """Rows of the table, and the number and total chance of the values that were cut."""

    rows: list[ListingRow]
    left_out: int
    chance: Fraction


def list_distribution(odds: Odds, most: int = MAX_ROWS) -> Listing:
    """Return the distribution as at most `most` rows, and one for the tail."""
    values = list(odds.distribution.items())
    first, last = window([chance for _, chance in values], min(most, MAX_ROWS))
    tail_chance = odds.tail.probability if odds.tail else Fraction(0)
    at_least, rows = tail_chance, []
    for value, chance in reversed(values):
        at_least += chance
        rows.append((value, chance, at_least))
    window_rows = rows[::-1][first:last]
    size = -(-len(window_rows) // most)
    shown = [_row(window_rows[place : place + size]) for place in range(0, len(window_rows), size or 1)]
    if odds.tail is not None and last == len(values):
        shown.append(ListingRow(f"{odds.tail.start}+", tail_chance, tail_chance))
    cut = values[:first] + values[last:]
    return Listing(shown, len(cut), sum((chance for _, chance in cut), Fraction(0)))


def _row(part: Sequence[tuple[Number, Fraction, Fraction]]) -> ListingRow:
    first, last = part[0][0], part[-1][0]
    label = str(first) if len(part) == 1 else f"{first} to {last}"
    return ListingRow(label, sum((chance for _, chance, _ in part), Fraction(0)), part[0][2])


def window(chances: Sequence[Fraction], most: int = MAX_ROWS) -> tuple[int, int]:
    """Return the slice of a long table that is left when its negligible ends are cut."""
    first, last = 0, len(chances)
    if last <= most:
        return first, last
    below = above = Fraction(0)
    while below + chances[first] < NEGLIGIBLE:
        below += chances[first]
        first += 1
    while above + chances[last - 1] < NEGLIGIBLE:
        above += chances[last - 1]
        last -= 1
    return first, last


# -- for notebooks


def as_html(odds: Odds) -> str:
    """Render odds for a notebook: the check, the figures, the table, the policy."""
    from html import escape  # imported late: only notebooks need it

    parts = []
    if odds.bound is not None:
        parts.append(f"<p><strong>{escape(format_title(odds.bound))}</strong></p>")
    parts.append(f"<p>{'; '.join(_figures(odds))}</p>")
    main = "result" if odds.bound is None else odds.bound.ruleset.wording(odds.bound.check.main)
    listed = list_distribution(odds)
    rows = "".join(
        f"<tr><th scope='row'>{row.label}</th><td>{_percent(row.chance)}</td>"
        f"<td>{_percent(row.at_least)}</td></tr>"
        for row in listed.rows
    )
    parts.append(
        f"<table><thead><tr><th>{escape(main)}</th><th>chance</th><th>at least</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
    if listed.left_out:
        parts.append(f"<p>{format_count(listed.left_out, 'value')} at the ends not shown</p>")
    parts += [
        f"<p>assuming {escape(name)} = {escape(answer_text)}</p>" for name, answer_text in odds.policy.items()
    ]
    if odds.bound is not None:
        parts += [f"<p>house rule {escape(rule)}</p>" for rule in format_house_rules(odds.bound)]
    return "".join(parts)


def _figures(odds: Odds) -> list[str]:
    figures: list[str] = []
    if isinstance(odds.success, tuple):
        for number, chance in enumerate(odds.success, 2):
            figures.append(f"success against side {number} {_percent(chance)}")
    elif odds.success is not None:
        figures.append(f"success {_percent(odds.success)} ({_short(odds.success)})")
    if odds.wins is not None:
        figures += [f"side {number} wins {_percent(p)}" for number, p in enumerate(odds.wins, 1)]
        figures += [f"tie {_percent(odds.tie)}"] if odds.tie else []
    if odds.mean is not None:
        figures.append(f"mean {float(odds.mean):.2f}")
    return figures


def _percent(chance: Fraction) -> str:
    """Format a chance; one that is neither impossible nor certain is never shown as 0 or 100."""
    if 0 < chance < Fraction(1, 20_000):
        return "&lt;0.01%"
    if Fraction(19_999, 20_000) < chance < 1:
        return "&gt;99.99%"
    return f"{100 * float(chance):.2f}%"


def _short(chance: Fraction) -> str:
    text = str(chance)
    return text if len(text) <= 40 else "a long fraction"
