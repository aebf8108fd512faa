"""Solves for a parameter: how many dice for 80%, the highest difficulty at a chance.

The values of the parameter are tried in order; the figure may rise or fall along them.
The solution is the first value that reaches the chance, counted from the end with the lowest figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from handful.errors import Message, Refused
from handful.explore.axes import Axis
from handful.explore.figures import Figure, fraction_text
from handful.explore.sweep import Progress, figure_format, sweep
from handful.records import record
from handful.rules.name_resolution import find_parameter, resolve_parameters
from handful.rules.params import Param
from handful.rules.ruleset import Ruleset
from handful.solver.solver import SolvedRules

MOST_TRIED = 401  # values, for a parameter whose range is too wide to search


@record(eq=False)
class Solution:
    """The value that reaches the chance, and all values tried; `value` is None if none does."""

    parameter: str
    side: int
    chance: Fraction
    rising: bool  # whether the figure rises with the parameter
    value: Any
    figure: Figure
    tried: tuple[tuple[Any, Figure], ...]
    nearest: Any  # the value whose figure is nearest to the chance

    def __repr__(self) -> str:
        return f"<answer {self.parameter}={self.value} for {float(self.chance):.1%}>"

    def _repr_markdown_(self) -> str:
        """Return Markdown for notebooks: the solution, and every value that was tried."""
        show = figure_format("")
        wanted = show(self.chance)
        found = f"{self.parameter} {self.value}: {show(self.figure)}"
        headline = f"no {self.parameter} gives {wanted}" if self.value is None else found
        rows = [
            f"| {f'**{value}**' if value == self.value else value} | {show(figure)} |"
            for value, figure in self.tried
        ]
        head = [f"**{headline}** (wanted: {wanted})", "", f"| {self.parameter} | |", "|---:|---:|"]
        return "\n".join([*head, *rows])

    def to_dict(self) -> dict[str, Any]:
        return {
            "parameter": self.parameter,
            "side": self.side,
            "chance": str(self.chance),
            "value": self.value,
            "figure": fraction_text(self.figure),
            "rising": self.rising,
            "nearest": self.nearest,
            "tried": [[value, fraction_text(figure)] for value, figure in self.tried],
        }


def solve(
    rules: Ruleset,
    check_name: str,
    parameter: str,
    chance: Fraction,
    sides: Sequence[Mapping[str, Any]] = (),
    params: Mapping[str, Any] | None = None,
    *,
    side: int = 0,
    within: Any = None,
    options: Mapping[str, Any] | None = None,
    shows: str = "",
    policy: str = "usual",
    progress: Progress | None = None,
    solved: SolvedRules | None = None,
) -> Solution:
    """Find the value of a parameter at which a figure just reaches a chance."""
    check = rules.check(check_name)
    name = find_parameter(rules, check, parameter)
    param = check.params[name]
    typed = within if within is not None else _search_range(param)
    parts = [resolve_parameters(rules, check, part) for part in (params or {}, *sides)]
    if not 0 <= side < len(parts):
        raise Refused(Message("query.unknown_side", side=side, sides=len(parts) - 1))
    parts[side][name] = typed
    found = sweep(
        rules,
        check.name,
        parts[1:],
        parts[0],
        options=options,
        shows=shows,
        policy=policy,
        progress=progress,
        solved=solved,
    )
    (axis,) = found.axes if len(found.axes) == 1 else (_refuse_other_axes(found.axes, name),)
    figures = [(axis.values[at], figure) for (at,), figure in found.cells.items()]
    existing = [(value, figure) for value, figure in figures if figure is not None]
    if not existing:
        raise Refused(Message("query.no_figure", name=name))
    rising = existing[-1][1] >= existing[0][1]
    ordered = existing if rising else existing[::-1]
    fitting = next(((value, figure) for value, figure in ordered if figure >= chance), None)
    nearest = min(ordered, key=lambda one: abs(one[1] - chance))[0]
    value, figure = fitting or (None, None)
    return Solution(name, axis.side, chance, rising, value, figure, tuple(figures), nearest)


def _refuse_other_axes(axes: Sequence[Axis], name: str) -> Axis:
    others = [axis.name for axis in axes if axis.name != name]
    raise Refused(Message("query.other_range", names=others))


def _search_range(param: Param) -> Any:
    """Return the range of a parameter to search."""
    if param.values:
        return "|".join(param.values)
    if param.type == "die_code":
        most = min(int(param.most or 100), 60)
        return f"{max(int(param.least or 0), 0)}D..{most}D"
    if param.type == "ladder" and param.least is None:
        return ".."
    if param.least is None or param.most is None:
        raise Refused(Message("query.where_to_look", name=param.name))
    low, high = Fraction(param.least), Fraction(param.most)
    if high - low >= MOST_TRIED:
        low, high = max(low, Fraction(0)), min(high, max(low, Fraction(0)) + 100)
    return f"{low}..{high}"
