"""Prints a benchmark result as tables of 80 columns; ratios above 1 mean that Handful is faster."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console
from rich.table import Table

import hostile
from cases import COLUMNS, FAMILIES, SHIPPED, STYLES, depth_of
from measure import FamilyTimes, mean
from process import format_command
from result import Result, machine
from workers import CONTENDERS, OURS, Contender

WIDTH = 80
GOALS = {"draws": 50_000_000}
MAX_MEGABYTES = 200  # for a table of 10,000 cells
MAX_LOAD_SECONDS = 2.0  # for a table of 10,000 rolls
MAX_OPEN_SECONDS, MAX_WAIT = 2.0, 50  # of CPU; milliseconds
MAX_LATENCY = 100  # milliseconds until the last seat has received a command, at p99
MAX_CLICK = 150  # milliseconds
RATES = {"draws": "draws from a solved table"}


def show(result: Result, console: Console) -> None:
    notes = machine()
    peers = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    console.print(f"{notes['processor']}, {notes['cores']} cores, Python {notes['python']}")
    console.print(f"{peers}; {notes['date']}\n")
    for part in (
        _families,
        _mechanics,
        _growth,
        _sweep,
        _processes,
        _rates,
        _long_table,
        _click,
        _load,
        _hostile,
    ):
        part(result, console)


def _table(*columns: str, spacing: int = 2) -> Table:
    table = Table(box=None, pad_edge=False, header_style="", padding=(0, spacing, 0, 0))
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right", no_wrap=True)
    return table


def _families(result: Result, console: Console) -> None:
    if not result.families:
        return
    console.print("Exact odds, microseconds per case; ratio: times faster than the best peer\n")
    names = [one.library if one == OURS else "\n".join(one) for one in CONTENDERS]
    ratios = [f"{what}\n{style}" for style in STYLES for what in ("ratio", "toy")]
    table = _table("family", *names, *ratios, "toy/\ngame", spacing=1)
    for one in result.families:
        table.add_row(
            one.family.name,
            *(_time(one, contender) for contender in CONTENDERS),
            *(_ratio(one.ratio(column, style)) for style in STYLES for column in COLUMNS),
            _ratio(one.toy_to_shipped),
        )
    means = (_ratio(result.mean(column, style)) for style in STYLES for column in COLUMNS)
    table.add_row("mean", *("" for _ in CONTENDERS), *means)
    console.print(table)
    console.print("\nFrom the first question on, with all that it imports and compiles:\n")
    cold = _table("", *(one.family.name for one in result.families), "mean", spacing=1)
    cold.add_row(
        "ratio idiom", *(_ratio(one.cold_ratio) for one in result.families), _ratio(result.cold_mean())
    )
    console.print(cold)
    console.print(
        "\nidiom: the fastest formulation with the peer's documented API; tuned: formulas"
        "\nrewritten by hand count, too. Means are geometric."
        "\ntoy: the ratio for the same mechanic in a toy game with other names, order of"
        "\nstatements, dice and thresholds; toy/game: the toy's time as a multiple of the"
        "\nshipped game's, both in Handful."
        f"\nwild die: peers reroll it at most {depth_of(6)} times (toy, d10: {depth_of(10)}), which"
        " cuts off a\ntail below 1e-12; Handful does not truncate. All answers were compared.\n"
    )
    for one in result.families:
        for where, why in one.failed.items():
            console.print(f"{one.family.name}, {where}: {why}")


def _time(one: FamilyTimes, contender: Contender) -> str:
    spent = one.times[SHIPPED].get(contender)
    return "failed" if spent is None else f"{spent:,.0f}" if spent >= 100 else f"{spent:,.1f}"


def _ratio(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"


def _mechanics(result: Result, console: Console) -> None:
    if not result.mechanics:
        return
    console.print("Common mechanics, microseconds per case; ratio: times faster than icepool\n")
    table = _table("family", "handful", "icepool", "ratio")
    ratios = []
    for name, spent in result.mechanics.items():
        ratios.append(spent["icepool"] / spent["handful"])
        table.add_row(name, f"{spent['handful']:,.0f}", f"{spent['icepool']:,.0f}", _ratio(ratios[-1]))
    table.add_row("mean", "", "", _ratio(mean(ratios)))
    console.print(table)
    console.print("\nicepool in its idiom; README.md says why some families are slower.\n")


def _growth(result: Result, console: Console) -> None:
    if not result.growth:
        return
    console.print("Growth: milliseconds and peak kilobytes of one case, by number of dice\n")
    sizes = list(next(iter(FAMILIES.values())).grown)
    table = _table("family", "", *(str(size) for size in sizes))
    for family, lines in result.growth.items():
        for library, points in lines.items():
            by_size = {point["dice"]: point for point in points}
            table.add_row(
                family if library == "handful" else "",
                library,
                *(_format_point(by_size.get(size), "seconds", 1e3) for size in sizes),
            )
        memory = {point["dice"]: point for point in lines["handful"]}
        table.add_row("", "kB", *(_format_point(memory.get(size), "bytes", 1 / 1024) for size in sizes))
    console.print(table)
    console.print("\nPeers in their idiom. kB is Handful's; JSON and chart have those of all.\n")


def _format_point(point: dict[str, Any] | None, what: str, scale: float) -> str:
    if point is None or point.get(what) is None:
        return "-"
    value = point[what] * scale
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _sweep(result: Result, console: Console) -> None:
    if not result.sweep:
        return
    found = result.sweep
    console.print(f"A table of {found['cells']:,} cells of uwr direct, seconds; ratio as above\n")
    names = [one.library if one == OURS else "\n".join(one) for one in CONTENDERS]
    table = _table("by hand", *names, *(f"ratio\n{style}" for style in STYLES), spacing=1)
    for strategy, spent in found["seconds"].items():
        ratios = found["ratio"].get(strategy, {})
        times = (_seconds(spent.get(str(one))) for one in CONTENDERS)
        table.add_row(strategy, *times, *(_ratio(ratios.get(style)) for style in STYLES))
    memory = (found["bytes"].get(str(one)) for one in CONTENDERS)
    table.add_row("MB", *("-" if one is None else f"{one / 1e6:.0f}" for one in memory))
    console.print(table)
    console.print(
        "\neach cell: a loop solves every cell (one in twenty is timed, times twenty);"
        "\npools once: each pool is solved once and read for all targets. Handful computes"
        "\nthe table with one call both times. All answers were compared."
        f"\nMB: peak of the process; the goal is less than {MAX_MEGABYTES}.\n"
    )


def _seconds(spent: float | None) -> str:
    return "-" if spent is None else f"{spent:.2f}" if spent < 10 else f"{spent:.1f}"


def _processes(result: Result, console: Console) -> None:
    if not result.processes:
        return
    console.print("Entire process, milliseconds; ratio: times as long as Handful's\n")
    table = _table("command", "ms", "ratio")
    own = result.processes["handful"]
    for name, spent in result.processes.items():
        table.add_row(format_command(name), f"{spent * 1e3:.1f}", _ratio(spent / own))
    console.print(table)
    console.print()


def _rates(result: Result, console: Console) -> None:
    if not result.rates:
        return
    table = _table("in one process", "per second", "goal")
    for name, rate in result.rates.items():
        rate_text = "not available" if rate is None else f"{rate:,.0f}"
        table.add_row(RATES[name], rate_text, f"{GOALS[name]:,}")
    console.print(table)


def _long_table(result: Result, console: Console) -> None:
    if not result.table:
        return
    found = result.table
    console.print()
    table = _table(f"a table of {found['rolls']:,.0f} rolls, each with a decision", "", "goal")
    table.add_row("commands per second, decided", f"{found['decided']:,.0f}", "")
    table.add_row("commands per second, each saved to disk", f"{found['saved']:,.0f}", "")
    table.add_row("megabytes on disk", f"{found['bytes'] / 1e6:.1f}", "")
    table.add_row("seconds to read it", f"{found['load']:.2f}", f"{MAX_LOAD_SECONDS:.2f}")
    table.add_row("seconds to read it and show the GM's view", f"{found['view']:.2f}", "")
    if "open" in found:
        table.add_row("seconds to open one for six seats", f"{found['open']:.2f}", f"{MAX_OPEN_SECONDS:.2f}")
        table.add_row("another table waits meanwhile, ms", f"{found['wait']:.0f}", f"{MAX_WAIT}")
    console.print(table)


def _click(result: Result, console: Console) -> None:
    if not result.click:
        return
    console.print("\nFrom a click on Roll to the first frame with falling dice, in Chromium on loopback\n")
    table = _table("", "clicks", "p50\nms", "p95\nms")
    for name, label in (("roll", "a roll"), ("idle", "a button that does nothing")):
        one = result.click[name]
        table.add_row(label, f"{one['count']:.0f}", f"{one['p50']:.1f}", f"{one['p95']:.1f}")
    console.print(table)
    console.print(f"\nGoal: a roll's p95 under {MAX_CLICK} ms.")


def _hostile(result: Result, console: Console) -> None:
    if result.hostile:
        console.print("\n[bold]An innocent table beside attacks on its server[/bold]")
        for line in hostile.format_lines(result.hostile):
            console.print(line, soft_wrap=True)


def _load(result: Result, console: Console) -> None:
    if not result.load:
        return
    found = result.load
    console.print(f"\nTables of {found['seats']} seats on one server, a roll a second at each\n")
    headings = ("tables", "rolls\na second", "commands\na second", "p50\nms", "p95\nms", "p99\nms")
    table = _table(*headings, "slowest\nms", "server\nMB", "ms of it\na roll")
    for one in found["stages"]:
        figures = (one["a_second"], one["commands"], one["p50"], one["p95"], one["p99"])
        last = (one["slowest"], one["megabytes"], one["processor"])
        table.add_row(str(one["tables"]), *(f"{figure:,.1f}" for figure in (*figures, *last)))
    console.print(table)
    console.print(
        f"\nFrom a command to the last seat's message; goal: p99 under {MAX_LATENCY} ms at 200 rolls"
        f"\nper second. Acknowledged rolls that are not in the file: {found['lost']}."
    )


def page(result: Result) -> str:
    """Return the tables as Markdown, independent of the terminal."""
    text = io.StringIO()  # a console with `quiet` would record nothing
    show(result, Console(file=text, width=WIDTH, highlight=False, color_system=None))
    table = "\n".join(line.rstrip() for line in text.getvalue().splitlines())
    return (
        "# A result of the bench\n\n"
        "Written by `python bench --save`; [README.md](README.md) says how it is measured.\n\n"
        f"```\n{table.strip()}\n```\n\n![Time and memory by number of dice](growth.svg)\n"
    )
