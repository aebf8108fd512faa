"""Simulations as text: counted figures with errors, next to the exact ones."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from handful.cli import layout
from handful.cli.heading import heading
from handful.errors import format_count
from handful.odds import Number, Odds
from handful.odds.listing import MAX_ROWS, window
from handful.roll import BoundCheck
from handful.roll.formatting import format_house_rules
from handful.simulate import CONFIDENCE, Estimate, Mean, Simulation
from handful.simulate.figures import estimate

ZERO = Fraction(0)


class SimulatedFigure(NamedTuple):
    """A counted figure, and its exact value if there is one."""

    figure: str
    name: str
    counted: Estimate | Mean
    exact: Fraction | None


def simulation_text(bound: BoundCheck, simulation: Simulation) -> str:
    """Return the output of `handful simulate`."""
    if simulation.exact is None:
        method = "die by die (too complex for exact odds)"
    elif simulation.method == "dice":
        method = "die by die"
    else:
        method = "drawn from the exact odds"
    summary = f"{format_count(simulation.count, 'roll')}, {method}; seed {simulation.seed}"
    return _text(bound, simulation, [summary])


def sampled_text(bound: BoundCheck, simulation: Simulation, reason: str, thrown: str = "") -> str:
    """Return the output of `handful odds --sample` for a check that is too complex to solve."""
    summary = [
        *([f"after rolling {thrown}"] if thrown else []),
        f"SAMPLED, not exact: {reason}",
        f"{format_count(simulation.count, 'roll')}, die by die; seed {simulation.seed}",
    ]
    return _text(bound, simulation, summary)


def _text(bound: BoundCheck, simulation: Simulation, summary: Sequence[str]) -> str:
    lines = heading(bound)
    lines += [line for one in summary for line in layout.wrap_text(one, 0, 2)]
    lines += ["", *_chances(simulation), *_table(bound, simulation)]
    lines += layout.section("events", _events(bound, simulation))
    assumed = [f"{decision} = {words}" for decision, words in simulation.policy.items()]
    lines += layout.section("assuming", _wrap_all(assumed))
    lines += layout.section("house rules", _wrap_all(format_house_rules(bound)))
    note = f"{_plus_minus()} is a {CONFIDENCE} confidence interval"
    if simulation.mean is not None and simulation.mean.error is None:
        note += "; the mean of a single roll has none"
    return "\n".join([*lines, "", *layout.wrap_text(note, 0, 2)])


def _wrap_all(texts: Sequence[str]) -> list[str]:
    return [line for one in texts for line in layout.wrap_text(one, 2, 4)]


def _plus_minus() -> str:
    return "±" if layout.has_block_characters() else "+-"


# -- figures


def figures(simulation: Simulation) -> Iterator[SimulatedFigure]:
    """Yield the figures for success, wins, ties and the mean."""
    exact = simulation.exact
    if isinstance(simulation.success, tuple):
        of = exact.success if exact is not None and isinstance(exact.success, tuple) else None
        for index, one in enumerate(simulation.success):
            yield SimulatedFigure("success", f"against side {index + 2}", one, of[index] if of else None)
    elif simulation.success is not None:
        chance = exact.success if exact is not None else None
        yield SimulatedFigure(
            "success", "", simulation.success, chance if isinstance(chance, Fraction) else None
        )
    for index, one in enumerate(simulation.wins or ()):
        wins = exact.wins if exact is not None else None
        yield SimulatedFigure("wins", f"side {index + 1}", one, wins[index] if wins else None)
    if simulation.tie is not None and len(simulation.wins or ()) > 1:
        yield SimulatedFigure("tie", "", simulation.tie, exact.tie if exact is not None else None)
    if simulation.mean is not None:
        yield SimulatedFigure("mean", "", simulation.mean, exact.mean if exact is not None else None)


def _chances(simulation: Simulation) -> list[str]:
    rows = []
    for one in figures(simulation):
        if one.figure == "tie" and isinstance(one.counted, Estimate) and not one.counted.count:
            continue
        name = f"{one.name} wins" if one.figure == "wins" else f"{one.figure} {one.name}".strip()
        rows.append((name, _format_counted(one.counted), _format_exact(one)))
    first = max((len(row[0]) for row in rows), default=0)
    second = max((len(row[1]) for row in rows), default=0)
    return [line for a, b, c in rows for line in layout.wrap_after(f"{a:<{first}}  {b:<{second}}  ", c)]


def _format_counted(figure: Estimate | Mean) -> str:
    if isinstance(figure, Mean):
        error = "?" if figure.error is None else f"{figure.error:.3f}"
        return f"{figure.value:>7.3f} {_plus_minus()} {error}"
    return f"{_percent(figure.chance):>7} {_plus_minus()} {_percent(figure.error)}"


def _percent(chance: float) -> str:
    return layout.format_percent(Fraction(chance))


def _format_exact(one: SimulatedFigure) -> str:
    if one.exact is None:
        return ""
    if isinstance(one.counted, Mean):
        return f"exact {float(one.exact):>7.3f}  {_fraction(one.exact)}".rstrip()
    return f"exact {layout.format_percent(one.exact):>7}  {_fraction(one.exact)}".rstrip()


def _fraction(value: Fraction) -> str:
    return "" if value.denominator == 1 or len(str(value)) > 24 else str(value)


# -- the table


class SimulatedRow(NamedTuple):
    """One line of the table: a value, or a range of values."""

    label: str
    rolled: int
    exact: Fraction


def _table(bound: BoundCheck, simulation: Simulation) -> list[str]:
    rows, left_out = _rows(simulation)
    if not rows:
        return ["", "no result: there are no dice to roll"]
    name = bound.ruleset.wording(bound.check.main)
    width = max(len(name), *(len(row.label) for row in rows))
    has_exact = simulation.exact is not None
    space = max(layout.width() - width - (31 if has_exact else 22), 0)
    head = f"{name:>{width}}  {'exact  ' * has_exact:>{9 * has_exact}}{'rolled':>7}   {'error':<7}"
    lines = ["", layout.apply_style(head.rstrip(), "bold")]
    shares = [estimate(row.rolled, simulation.count) for row in rows]
    top = max(one.chance for one in shares)
    for row, one in zip(rows, shares, strict=True):
        exact = f"{layout.format_percent(row.exact):>7}  " if has_exact else ""
        drawn = layout.bar(one.chance / top, space)
        error = f"{_plus_minus()}{_percent(one.error)}"
        line = f"{row.label:>{width}}  {exact}{_percent(one.chance):>7}  {error:<8}  {drawn}"
        lines.append(line.rstrip())
    if left_out:
        hidden = format_count(left_out, "rare value")
        lines += layout.wrap_text(f"{hidden} at the ends not shown; see --json", 0, 2)
    return lines


def _rows(simulation: Simulation) -> tuple[list[SimulatedRow], int]:
    """Group values into rows that fit a screen; also return how many values are left out."""
    exact = simulation.exact
    end = exact.tail.start if exact is not None and exact.tail is not None else None
    exact_chances = exact.distribution if exact is not None else {}
    counts = {value: one.count for value, one in simulation.distribution.items()}
    values = sorted({v for v in (*exact_chances, *counts) if end is None or v < end})
    if not values:
        return [], 0
    chances = [
        exact_chances.get(value, ZERO) if exact is not None else Fraction(counts[value], simulation.count)
        for value in values
    ]
    first, last = window(chances)
    size = -(-(last - first) // MAX_ROWS)
    rows = [
        _row(values[at : min(at + size, last)], counts, chances[at : min(at + size, last)])
        for at in range(first, last, size)
    ]
    if end is not None and exact is not None and last == len(values):
        beyond = sum(n for value, n in counts.items() if value >= end)
        rows.append(SimulatedRow(f"{end}+", beyond, _tail(exact)))
    return rows, len(values) - (last - first)


def _tail(exact: Odds) -> Fraction:
    return exact.tail.probability if exact.tail is not None else ZERO


def _row(values: Sequence[Number], counts: dict[Number, int], chances: Sequence[Fraction]) -> SimulatedRow:
    label = str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"
    return SimulatedRow(label, sum(counts.get(value, 0) for value in values), sum(chances, ZERO))


def _events(bound: BoundCheck, simulation: Simulation) -> list[str]:
    rows = []
    for name, one in simulation.events.items():
        exact = simulation.exact.events.get(name, ZERO) if simulation.exact is not None else None
        exact_text = "" if exact is None else f"exact {layout.format_percent(exact)}"
        rows.append((_format_counted(one), exact_text, bound.ruleset.wording(name)))
    return layout.columns(rows)


# -- for spreadsheets


def as_csv(simulation: Simulation) -> str:
    """Return CSV with one line per figure; exact chances are fractions, counted ones decimals."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["figure", "name", "count", "value", "error", "exact"])
    for one in _all_figures(simulation):
        table.writerow([one.figure, one.name, *_cells(one.counted), _fraction_or_empty(one.exact)])
    return out.getvalue()


def _all_figures(simulation: Simulation) -> Iterator[SimulatedFigure]:
    yield from figures(simulation)
    exact = simulation.exact
    for value, one in simulation.distribution.items():
        listed = exact is not None and (exact.tail is None or value < exact.tail.start)
        chance = exact.distribution.get(value, ZERO) if exact is not None and listed else None
        yield SimulatedFigure("result", str(value), one, chance)
    for name, one in simulation.events.items():
        yield SimulatedFigure("event", name, one, exact.events.get(name, ZERO) if exact else None)


def _cells(figure: Estimate | Mean) -> list[Any]:
    if isinstance(figure, Mean):
        return ["", figure.value, figure.error]
    return [figure.count, figure.chance, figure.error]


def _fraction_or_empty(exact: Fraction | None) -> str:
    return "" if exact is None else str(exact)
