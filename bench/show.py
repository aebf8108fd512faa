"""The bench's table, for people: 80 columns, ratios above 1 mean that Handful is faster."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from cases import FAMILIES, SHIPPED, TOY, depth_of
from measure import Timed
from process import shown
from result import Result, machine

WIDTH = 80
GOALS = {"rolls": 100_000, "draws": 50_000_000}
RATES = {"rolls": "explained rolls of uwr direct", "draws": "draws from a solved table"}


def show(result: Result, console: Console) -> None:
    notes = machine()
    peers = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    console.print(f"{notes['processor']}, {notes['cores']} cores, Python {notes['python']}")
    console.print(f"{peers}; {notes['date']}\n")
    for part in (_families, _growth, _processes, _rates):
        part(result, console)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="", padding=(0, 2, 0, 0))
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right", no_wrap=True)
    return table


def _families(result: Result, console: Console) -> None:
    if not result.families:
        return
    console.print("Exact odds, microseconds a case; ratio: times faster than the best peer\n")
    table = _table("family", "cases", "handful", "icepool", "dyce", "ratio", "toy", "/game")
    for one in result.families:
        table.add_row(
            one.family.name,
            str(len(one.family.shipped)),
            *(_time(one, name) for name in ("handful", "icepool", "dyce")),
            _ratio(one.ratio(SHIPPED)),
            _ratio(one.ratio(TOY)),
            _ratio(one.toy_to_shipped),
        )
    means = (_ratio(result.mean(column)) for column in (SHIPPED, TOY))
    table.add_row("geometric mean", "", "", "", "", *means, "")
    console.print(table)
    console.print(
        "\ntoy: the ratio for the same mechanic in a toy game with other names, order of"
        "\nstatements, dice and thresholds; /game: the toy's time as a multiple of the"
        "\nshipped game's, both in Handful."
        f"\nwild die: peers throw it {depth_of(6)} times again at most (toy, d10: {depth_of(10)}),"
        " less than\n1e-12 is left over; Handful does not cut. All answers were compared.\n"
    )
    for one in result.families:
        for where, why in one.failed.items():
            console.print(f"{one.family.name}, {where}: {why}")


def _time(one: Timed, library: str) -> str:
    spent = one.spent[SHIPPED].get(library)
    return "failed" if spent is None else f"{spent:,.0f}" if spent >= 100 else f"{spent:,.1f}"


def _ratio(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"


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
                *(_grown(by_size.get(size), "seconds", 1e3) for size in sizes),
            )
        held = {point["dice"]: point for point in lines["handful"]}
        table.add_row("", "kB", *(_grown(held.get(size), "bytes", 1 / 1024) for size in sizes))
    console.print(table)
    console.print("\nkB is Handful's; the JSON and the chart have everybody's.\n")


def _grown(point: dict[str, Any] | None, what: str, scale: float) -> str:
    if point is None or point.get(what) is None:
        return "-"
    value = point[what] * scale
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _processes(result: Result, console: Console) -> None:
    if not result.processes:
        return
    console.print("Whole process, milliseconds; ratio: times as long as Handful's\n")
    table = _table("command", "ms", "ratio")
    own = result.processes["handful"]
    for name, spent in result.processes.items():
        table.add_row(shown(name), f"{spent * 1e3:.1f}", _ratio(spent / own))
    console.print(table)
    console.print()


def _rates(result: Result, console: Console) -> None:
    if not result.rates:
        return
    table = _table("in one process", "a second", "aim")
    for name, rate in result.rates.items():
        made = "not available" if rate is None else f"{rate:,.0f}"
        table.add_row(RATES[name], made, f"{GOALS[name]:,}")
    console.print(table)
