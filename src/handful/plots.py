"""Charts of odds by Matplotlib: distributions, curves over one or two ranges, heat maps.

A heat map replaces curves when there are too many.  Charts are made for print: titled, labelled,
and distinguishable by line style and marker as well as by colour.
Invariant: equal odds give equal files.
"""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from os.path import splitext
from textwrap import wrap
from typing import Any

from handful.errors import Message, NotInstalled, Refused
from handful.explore.sweep import Sweep, axis_name
from handful.odds import Odds
from handful.odds.listing import list_distribution
from handful.roll.formatting import format_title
from handful.rules.ruleset import localize

KINDS = (".svg", ".png", ".pdf")
MOST_CURVES = 8
MOST_PANELS = 12
MOST_BARS = 60
MOST_TICKS = 20
LIGHT = 45  # per cent; cells of a heat map above it have black text
LINES = ("-", "--", "-.", ":")
MARKS = "osD^vP*X"
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
    "#000000",
    "#7F7F7F",
)


def render(shown: Sweep | Odds, path: str) -> bytes:
    """Return a chart as the bytes of a file; the suffix of `path` chooses the format."""
    kind = splitext(path)[1].lower()
    if kind not in KINDS:
        raise Refused(Message("picture.unknown_format", path=path[:80], kinds=KINDS))
    buffer = BytesIO()
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(kind)
    drawing = draw_sweep(shown) if isinstance(shown, Sweep) else draw_distribution(shown)
    drawing.savefig(buffer, format=kind[1:], metadata=metadata, dpi=200)
    return buffer.getvalue()


def _pyplot() -> Any:
    """Import Matplotlib, configured for reproducible files."""
    try:
        import matplotlib  # type: ignore[import-not-found, unused-ignore]

        matplotlib.use("Agg")
        from matplotlib import pyplot  # type: ignore[import-not-found, unused-ignore]
    except ModuleNotFoundError:
        raise NotInstalled(Message("picture.needs_matplotlib"), "pip install matplotlib") from None
    matplotlib.rcParams["svg.hashsalt"] = "handful"
    return pyplot


def draw_distribution(odds: Odds) -> Any:
    """Draw a distribution: a bar for each value, and the curve of at least that value."""
    pyplot = _pyplot()
    rows = list_distribution(odds, MOST_BARS).rows
    if not rows:
        raise Refused(Message("picture.nothing_thrown"))
    figure, axes = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")
    places = range(len(rows))
    axes.bar(
        places,
        [100 * float(row.chance) for row in rows],
        color=COLOURS[4],
        label="exactly",
        edgecolor=COLOURS[6],
        linewidth=0.4,
    )
    axes.plot(
        places,
        [100 * float(row.at_least) for row in rows],
        LINES[0],
        marker=MARKS[0],
        markersize=4,
        color=COLOURS[1],
        label="at least",
    )
    every = -(-len(rows) // MOST_TICKS)
    axes.set_xticks(list(places)[::every], [row.label for row in rows][::every])
    axes.set_ylabel("chance in %")
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3, axis="y")
    axes.set_axisbelow(True)
    axes.legend(fontsize="small")
    bound = odds.bound
    if bound is not None:
        axes.set_xlabel(bound.ruleset.wording(bound.check.main))
        axes.set_title("\n".join(wrap(format_title(bound), 64)), fontsize="medium")
    notes = [f"{name}: {how}" for name, how in odds.policy.items()]
    if isinstance(odds.success, Fraction):
        notes.insert(0, f"success {100 * float(odds.success):.2f}%")
    if notes:
        figure.supxlabel("\n".join(wrap("; ".join(notes), 90)), fontsize="small")
    pyplot.close(figure)
    return figure


def draw_sweep(sweep: Sweep) -> Any:
    """Draw a sweep as a Matplotlib figure."""
    pyplot = _pyplot()
    if not sweep.axes:
        raise Refused(Message("picture.needs_range"), Message("picture.range_example"))
    panels = list(sweep.panels())
    if len(panels) > MOST_PANELS:
        raise Refused(Message("picture.too_many_panels", panels=len(panels), most=MOST_PANELS))
    wide = min(len(panels), 3)
    high = -(-len(panels) // wide)
    figure, grid_axes = pyplot.subplots(
        high,
        wide,
        figsize=(5.2 * wide + 1, 3.6 * high + 0.6),
        squeeze=False,
        layout="constrained",
        sharey=True,
    )
    check = sweep.rules.checks[sweep.check]
    fixed = ", ".join(f"{name} {value}" for name, value in sweep.fixed.items())
    title = f"{localize(sweep.rules.title)}: {localize(check.title)}"
    figure.suptitle(f"{title} ({fixed})" if fixed else title)
    crowded = len(sweep.axes) > 1 and len(sweep.axes[1].values) > MOST_CURVES
    for axes, (named, grid) in zip(grid_axes.flat, panels, strict=False):
        (_draw_heat_map if crowded else _draw_curves)(axes, sweep, grid)
        axes.set_title(", ".join(f"{name} {value}" for name, value in named.items()))
    for axes in list(grid_axes.flat)[len(panels) :]:
        axes.set_axis_off()
    pyplot.close(figure)
    return figure


def _label(sweep: Sweep) -> str:
    return {"success": "chance of success", "mean": "mean"}.get(sweep.shows, sweep.shows)


def _unit(sweep: Sweep) -> str:
    return _label(sweep) + ("" if sweep.shows == "mean" else " in %")


def _share(sweep: Sweep, figure: Any) -> float:
    value = float("nan") if figure is None else float(figure)
    return value if sweep.shows == "mean" else 100 * value


def _draw_curves(axes: Any, sweep: Sweep, grid: Any) -> None:
    down = sweep.axes[0]
    across = sweep.axes[1] if len(sweep.axes) > 1 else None
    labels = across.labels if across else ("",)
    for number, label in enumerate(labels):
        axes.plot(
            range(len(down.values)),
            [_share(sweep, row[number]) for row in grid],
            LINES[number % len(LINES)],
            marker=MARKS[number % len(MARKS)],
            markersize=4,
            color=COLOURS[number % len(COLOURS)],
            label=label,
        )
    axes.set_xticks(range(len(down.values)), down.labels)
    axes.set_xlabel(axis_name(down, sweep.axes))
    axes.set_ylabel(_unit(sweep))
    if sweep.shows != "mean":
        axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    if across:
        axes.legend(title=axis_name(across, sweep.axes), fontsize="small")


def _draw_heat_map(axes: Any, sweep: Sweep, grid: Any) -> None:
    down, across = sweep.axes[:2]
    shares = [[_share(sweep, figure) for figure in row] for row in grid]
    most = None if sweep.shows == "mean" else 100
    shown = axes.imshow(shares, aspect="auto", origin="lower", cmap="cividis", vmin=0, vmax=most)
    scale = axes.figure.colorbar(shown, ax=axes)
    scale.set_label(_unit(sweep))
    axes.set_yticks(range(len(down.values)), down.labels)
    axes.set_xticks(range(len(across.values)), across.labels)
    axes.set_ylabel(axis_name(down, sweep.axes))
    axes.set_xlabel(axis_name(across, sweep.axes))
    if len(down.values) * len(across.values) <= 240:
        for y, row in enumerate(shares):
            for x, share in enumerate(row):
                if share == share:
                    light = most is not None and share > LIGHT
                    axes.text(
                        x,
                        y,
                        _cell_text(share, most),
                        ha="center",
                        va="center",
                        fontsize=7,
                        color="black" if light else "white",
                    )


def _cell_text(share: float, most: int | None) -> str:
    """Format a cell; a chance that is not exactly 0 or 100 never looks like it."""
    if most is None:
        return f"{share:.1f}"
    if 0 < share < 0.5 or most - 0.5 <= share < most:
        return "<1" if share < 1 else ">99"
    return f"{share:.0f}"
