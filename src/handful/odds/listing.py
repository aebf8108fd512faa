"""A distribution as a table that fits: long ones are cut at the ends, or several values a row."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from handful.odds.figures import Number, Odds
from handful.roll.formatting import format_house_rules, format_title

MOST_ROWS = 24
NEGLIGIBLE = Fraction(1, 20_000)  # at each end, when a table must be shortened


class ListingRow(NamedTuple):
    """One line of the table: a value, or several in a row."""

    label: str
    chance: Fraction
    at_least: Fraction


class Listing(NamedTuple):
    """The rows, and how many values at the ends they leave out, with the chance of those."""

    rows: list[ListingRow]
    left_out: int
    chance: Fraction


def list_distribution(odds: Odds, most: int = MOST_ROWS) -> Listing:
    values = list(odds.distribution.items())
    first, last = window([chance for _, chance in values], min(most, MOST_ROWS))
    left = odds.tail.probability if odds.tail else Fraction(0)
    at_least, rows = left, []
    for value, chance in reversed(values):
        at_least += chance
        rows.append((value, chance, at_least))
    kept = rows[::-1][first:last]
    size = -(-len(kept) // most)
    shown = [_row(kept[place : place + size]) for place in range(0, len(kept), size or 1)]
    if odds.tail is not None and last == len(values):
        shown.append(ListingRow(f"{odds.tail.start}+", left, left))
    gone = values[:first] + values[last:]
    return Listing(shown, len(gone), sum((chance for _, chance in gone), Fraction(0)))


def _row(part: Sequence[tuple[Number, Fraction, Fraction]]) -> ListingRow:
    first, last = part[0][0], part[-1][0]
    label = str(first) if len(part) == 1 else f"{first} to {last}"
    return ListingRow(label, sum((chance for _, chance, _ in part), Fraction(0)), part[0][2])


def window(chances: Sequence[Fraction], most: int = MOST_ROWS) -> tuple[int, int]:
    """The part of a long table that matters: the ends may go as far as they are negligible."""
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
    """The odds as a notebook shows them: what was asked, the figures, the table, the policy."""
    from html import escape  # only a notebook asks for it

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
        parts.append(f"<p>{listed.left_out} values at the ends are left out</p>")
    parts += [f"<p>assuming {escape(name)} = {escape(how)}</p>" for name, how in odds.policy.items()]
    if odds.bound is not None:
        parts += [f"<p>house rule {escape(rule)}</p>" for rule in format_house_rules(odds.bound)]
    return "".join(parts)


def _figures(odds: Odds) -> list[str]:
    made: list[str] = []
    if isinstance(odds.success, tuple):
        for number, chance in enumerate(odds.success, 2):
            made.append(f"success against side {number} {_percent(chance)}")
    elif odds.success is not None:
        made.append(f"success {_percent(odds.success)} ({_short(odds.success)})")
    if odds.wins is not None:
        made += [f"side {number} wins {_percent(p)}" for number, p in enumerate(odds.wins, 1)]
        made += [f"tie {_percent(odds.tie)}"] if odds.tie else []
    if odds.mean is not None:
        made.append(f"mean {float(odds.mean):.2f}")
    return made


def _percent(chance: Fraction) -> str:
    """Never 0 or 100 for what may or may not happen."""
    if 0 < chance < Fraction(1, 20_000):
        return "&lt;0.01 %"
    if Fraction(19_999, 20_000) < chance < 1:
        return "&gt;99.99 %"
    return f"{100 * float(chance):.2f} %"


def _short(chance: Fraction) -> str:
    written = str(chance)
    return written if len(written) <= 40 else "a long fraction"
