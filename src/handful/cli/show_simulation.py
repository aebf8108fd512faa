"""Simulations as text: what was counted beside what is exact, with error bars."""

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
from handful.odds.listing import MOST_ROWS, window
from handful.roll import BoundCheck
from handful.roll.formatting import format_house_rules
from handful.simulate import CONFIDENCE, Estimate, Mean, Simulation
from handful.simulate.figures import estimate

NEVER = Fraction(0)


class SimulatedFigure(NamedTuple):
    """One thing that was counted, and its exact value where there is one."""

    figure: str
    name: str
    counted: Estimate | Mean
    exact: Fraction | None


def simulation_text(bound: BoundCheck, made: Simulation) -> str:
    """Everything that `handful simulate` says."""
    if made.exact is None:
        how = "die by die: exact odds would be too much work"
    elif made.method == "dice":
        how = "die by die, beside the exact odds"
    else:
        how = "drawn from the exact odds"
    said = f"{format_count(made.count, 'roll')}, {how}; seed {made.seed}"
    return _text(bound, made, [said])


def sampled_text(bound: BoundCheck, made: Simulation, reason: str, thrown: str = "") -> str:
    """What `handful odds --sample` says where it cannot be exact."""
    said = [
        *([f"after {thrown}"] if thrown else []),
        f"SAMPLED, not exact: {reason}",
        f"{format_count(made.count, 'roll')}, die by die; seed {made.seed}",
    ]
    return _text(bound, made, said)


def _text(bound: BoundCheck, made: Simulation, said: Sequence[str]) -> str:
    lines = heading(bound)
    lines += [line for one in said for line in layout.wrap_text(one, 0, 2)]
    lines += ["", *_chances(made), *_table(bound, made)]
    lines += layout.section("events", _events(bound, made))
    assumed = [f"{decision} = {words}" for decision, words in made.policy.items()]
    lines += layout.section("assuming", _folded(assumed))
    lines += layout.section("house rules", _folded(format_house_rules(bound)))
    note = f"{_plus()} holds the exact figure in {CONFIDENCE} of all simulations"
    if made.mean is not None and made.mean.error is None:
        note += "; one roll does not tell how far results lie apart, so its mean has no error"
    return "\n".join([*lines, "", *layout.wrap_text(note, 0, 2)])


def _folded(texts: Sequence[str]) -> list[str]:
    return [line for one in texts for line in layout.wrap_text(one, 2, 4)]


def _plus() -> str:
    return "±" if layout.has_block_characters() else "+-"


# -- figures


def figures(made: Simulation) -> Iterator[SimulatedFigure]:
    """Successes, victories, ties and the mean."""
    exact = made.exact
    if isinstance(made.success, tuple):
        of = exact.success if exact is not None and isinstance(exact.success, tuple) else None
        for place, one in enumerate(made.success):
            yield SimulatedFigure("success", f"against side {place + 2}", one, of[place] if of else None)
    elif made.success is not None:
        own = exact.success if exact is not None else None
        yield SimulatedFigure("success", "", made.success, own if isinstance(own, Fraction) else None)
    for place, one in enumerate(made.wins or ()):
        wins = exact.wins if exact is not None else None
        yield SimulatedFigure("wins", f"side {place + 1}", one, wins[place] if wins else None)
    if made.tie is not None and len(made.wins or ()) > 1:
        yield SimulatedFigure("tie", "", made.tie, exact.tie if exact is not None else None)
    if made.mean is not None:
        yield SimulatedFigure("mean", "", made.mean, exact.mean if exact is not None else None)


def _chances(made: Simulation) -> list[str]:
    rows = []
    for one in figures(made):
        if one.figure == "tie" and isinstance(one.counted, Estimate) and not one.counted.count:
            continue
        name = f"{one.name} wins" if one.figure == "wins" else f"{one.figure} {one.name}".strip()
        rows.append((name, _counted(one.counted), _exact(one)))
    first = max((len(row[0]) for row in rows), default=0)
    second = max((len(row[1]) for row in rows), default=0)
    return [line for a, b, c in rows for line in layout.wrap_after(f"{a:<{first}}  {b:<{second}}  ", c)]


def _counted(figure: Estimate | Mean) -> str:
    if isinstance(figure, Mean):
        error = "?" if figure.error is None else f"{figure.error:.3f}"
        return f"{figure.value:>7.3f} {_plus()} {error}"
    return f"{_percent(figure.chance):>7} {_plus()} {_percent(figure.error)}"


def _percent(chance: float) -> str:
    return layout.format_percent(Fraction(chance))


def _exact(one: SimulatedFigure) -> str:
    if one.exact is None:
        return ""
    if isinstance(one.counted, Mean):
        return f"exact {float(one.exact):>7.3f}  {_fraction(one.exact)}".rstrip()
    return f"exact {layout.format_percent(one.exact):>7}  {_fraction(one.exact)}".rstrip()


def _fraction(value: Fraction) -> str:
    return "" if value.denominator == 1 or len(str(value)) > 24 else str(value)


# -- the table


class SimulatedRow(NamedTuple):
    """One line of the table: a value, or several in a row."""

    label: str
    rolled: int
    exact: Fraction


def _table(bound: BoundCheck, made: Simulation) -> list[str]:
    rows, left_out = _rows(made)
    if not rows:
        return ["", "there is no result: nothing is thrown"]
    name = bound.ruleset.wording(bound.check.main)
    width = max(len(name), *(len(row.label) for row in rows))
    known = made.exact is not None
    space = max(layout.width() - width - (31 if known else 22), 0)
    head = f"{name:>{width}}  {'exact  ' * known:>{9 * known}}{'rolled':>7}   {'error':<7}"
    lines = ["", layout.apply_style(head.rstrip(), "bold")]
    shares = [estimate(row.rolled, made.count) for row in rows]
    top = max(one.chance for one in shares)
    for row, one in zip(rows, shares, strict=True):
        exact = f"{layout.format_percent(row.exact):>7}  " if known else ""
        drawn = layout.bar(one.chance / top, space)
        error = f"{_plus()}{_percent(one.error)}"
        line = f"{row.label:>{width}}  {exact}{_percent(one.chance):>7}  {error:<8}  {drawn}"
        lines.append(line.rstrip())
    if left_out:
        are = "is" if left_out == 1 else "are"
        rare = format_count(left_out, "rare value")
        lines += layout.wrap_text(f"{rare} at the ends {are} left out; --json has all", 0, 2)
    return lines


def _rows(made: Simulation) -> tuple[list[SimulatedRow], int]:
    """Values in rows that fit a screen, and how many are left out."""
    exact = made.exact
    end = exact.tail.start if exact is not None and exact.tail is not None else None
    known = exact.distribution if exact is not None else {}
    counts = {value: one.count for value, one in made.distribution.items()}
    values = sorted({v for v in (*known, *counts) if end is None or v < end})
    if not values:
        return [], 0
    chances = [
        known.get(value, NEVER) if exact is not None else Fraction(counts[value], made.count)
        for value in values
    ]
    first, last = window(chances)
    size = -(-(last - first) // MOST_ROWS)
    rows = [
        _row(values[at : min(at + size, last)], counts, chances[at : min(at + size, last)])
        for at in range(first, last, size)
    ]
    if end is not None and exact is not None and last == len(values):
        beyond = sum(n for value, n in counts.items() if value >= end)
        rows.append(SimulatedRow(f"{end}+", beyond, _tail(exact)))
    return rows, len(values) - (last - first)


def _tail(exact: Odds) -> Fraction:
    return exact.tail.probability if exact.tail is not None else NEVER


def _row(values: Sequence[Number], counts: dict[Number, int], chances: Sequence[Fraction]) -> SimulatedRow:
    label = str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"
    return SimulatedRow(label, sum(counts.get(value, 0) for value in values), sum(chances, NEVER))


def _events(bound: BoundCheck, made: Simulation) -> list[str]:
    rows = []
    for name, one in made.events.items():
        exact = made.exact.events.get(name, NEVER) if made.exact is not None else None
        beside = "" if exact is None else f"exact {layout.format_percent(exact)}"
        rows.append((_counted(one), beside, bound.ruleset.wording(name)))
    return layout.columns(rows)


# -- for spreadsheets


def as_csv(made: Simulation) -> str:
    """One line per figure; exact chances are fractions, counted ones decimals."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["figure", "name", "count", "value", "error", "exact"])
    for one in _all_figures(made):
        table.writerow([one.figure, one.name, *_cells(one.counted), _text_or_nothing(one.exact)])
    return out.getvalue()


def _all_figures(made: Simulation) -> Iterator[SimulatedFigure]:
    yield from figures(made)
    exact = made.exact
    for value, one in made.distribution.items():
        listed = exact is not None and (exact.tail is None or value < exact.tail.start)
        chance = exact.distribution.get(value, NEVER) if exact is not None and listed else None
        yield SimulatedFigure("result", str(value), one, chance)
    for name, one in made.events.items():
        yield SimulatedFigure("event", name, one, exact.events.get(name, NEVER) if exact else None)


def _cells(figure: Estimate | Mean) -> list[Any]:
    if isinstance(figure, Mean):
        return ["", figure.value, figure.error]
    return [figure.count, figure.chance, figure.error]


def _text_or_nothing(exact: Fraction | None) -> str:
    return "" if exact is None else str(exact)
