"""A finished roll as text: breakdown, dice, decisions, tally and outcome."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from handful.cli import layout
from handful.cli.heading import heading
from handful.cli.outcome import format_number, verdict
from handful.errors import format_count
from handful.library import Roll
from handful.roll import Decided, Modifier, ThrownDie
from handful.roll.formatting import format_value
from handful.rules.ruleset import localize

if TYPE_CHECKING:
    from handful.sheet import Draft

MAX_DICE = 200  # shown per side
MAX_LINES = 40  # of the breakdown, and of decisions
_NO_BREAK_SPACE = "\u00a0"  # keeps a die on one line; printed as an ordinary blank


def roll_text(roll: Roll, draft: Draft | None = None) -> str:
    """Return the output of `handful roll`."""
    lines = heading(roll.bound)
    lines += layout.section("breakdown", _limit_lines(_source_lines(roll, draft)))
    lines += layout.section("dice", dice_lines(roll))
    lines += layout.section("decisions", _limit_lines(_decision_lines(roll)))
    lines += layout.section("tally", _tally_lines(roll))
    lines += ["", *_ending_lines(roll)]
    return "\n".join(lines + layout.section("house rules used", _house_rule_lines(roll)))


def brief_text(roll: Roll) -> str:
    """Return dice and outcome only, for a user who has just made every decision."""
    lines = dice_lines(roll)
    lines += _tally_lines(roll) if roll.bound.check.sides is not None else []
    return "\n".join([*lines, *([""] if lines else []), *_ending_lines(roll)])


def _ending_lines(roll: Roll) -> list[str]:
    """Return the outcome and the events of the roll."""
    if not roll.finished:
        return ["the roll is not finished"]
    lines = _styled_verdict(roll)
    for name in roll.events:
        lines += layout.wrap_text(f"! {roll.bound.ruleset.wording(name)}", 0, 2)
    return lines


def _limit_lines(lines: list[str]) -> list[str]:
    """Cut a list at `MAX_LINES`, with a note on the rest."""
    hidden = len(lines) - MAX_LINES
    if hidden <= 0:
        return lines
    return [*lines[:MAX_LINES], f"  and {format_count(hidden, 'more line')} (see --json)"]


def _styled_verdict(roll: Roll) -> list[str]:
    lines = layout.wrap_text(verdict(roll), 0, 2)
    if roll.success not in (True, False):
        return lines
    return [layout.apply_style(line, "good" if roll.success else "bad") for line in lines]


# -- dice


def dice_lines(roll: Roll) -> list[str]:
    """Return the dice in the order thrown, by side and role; a reroll follows its die."""
    lines = []
    several = roll.bound.check.sides is not None
    sides = sorted({die.side for die in roll.dice})
    for side in sides:
        if several and side:
            lines.append(f"  side {side}")
        lines += _side_lines(roll, [die for die in roll.dice if die.side == side], 4 if several else 2)
    return [line.replace(_NO_BREAK_SPACE, " ") for line in lines]


def _side_lines(roll: Roll, dice: list[ThrownDie], indent: int) -> list[str]:
    rerolls: dict[int, list[int]] = {}
    for die in dice:
        if die.role == "reroll" and die.of is not None:
            rerolls.setdefault(die.of, []).append(die.face)
    originals = [die for die in dice if die.role != "reroll" or die.of is None]
    rows = []
    for role, group in groupby(originals[:MAX_DICE], key=lambda die: die.role):
        faces = "  ".join(_format_die(die, rerolls.get(die.number, [])) for die in group)
        rows.append((roll.bound.ruleset.wording(role), faces))
    lines = layout.columns(rows, indent)
    if len(originals) > MAX_DICE:
        lines.append(" " * indent + f"and {len(originals) - MAX_DICE} more (see --json)")
    return lines


def _format_die(die: ThrownDie, rerolls: list[int]) -> str:
    """Format a die with its number and faces: `3: 1→4`."""
    faces = layout.arrow().join(map(str, [die.face, *rerolls]))
    cause = f" (from {die.of})" if die.of is not None else ""
    return f"{die.number}: {faces}{cause}".replace(" ", _NO_BREAK_SPACE)


# -- breakdown


def _source_lines(roll: Roll, draft: Draft | None) -> list[str]:
    if draft is not None:
        from handful.cli.show_sheet import source_lines

        return source_lines(draft, roll.modifiers)
    several = roll.bound.check.sides is not None
    return [
        line
        for modifier in roll.modifiers
        for line in layout.wrap_text(_source_text(roll, modifier, several), 2, 4)
    ]


def _source_text(roll: Roll, modifier: Modifier, several: bool) -> str:
    rules = roll.bound.ruleset
    side = f"side {modifier.side}: " if several and modifier.side else ""
    amount = modifier.amount
    number = layout.format_signed(amount) if isinstance(amount, (int, Fraction)) else str(amount)
    unit = rules.wording(modifier.unit, amount=amount)
    return f"{side}{number} {unit}: {rules.wording(modifier.source)}"


def _decision_lines(roll: Roll) -> list[str]:
    return [line for one in roll.decisions for line in layout.wrap_text(_decision_text(roll, one), 2, 4)]


def _decision_text(roll: Roll, one: Decided) -> str:
    decision = roll.bound.ruleset.decisions[one.decision]
    if isinstance(one.answer, str):
        answer = one.answer
        if answer in decision.answers:
            answer += f" ({localize(decision.answers[answer])})"
    else:
        dice = "die " if len(one.answer) == 1 else "dice "
        answer = "none" if not one.answer else dice + ", ".join(map(str, one.answer))
    side = f"side {one.side}, " if roll.bound.check.sides is not None and one.side else ""
    by = roll.bound.ruleset.role_title(one.by)
    if one.policy:
        return f"{side}{one.decision}: {answer}, by the {one.policy} policy ({localize(decision.usual)})"
    return f"{side}{one.decision}: {answer}, chosen by the {by}"


def _tally_lines(roll: Roll) -> list[str]:
    rules = roll.bound.ruleset
    rows = [(rules.wording(name), _format_field(value)) for name, value in roll.tally.items()]
    return layout.columns([row for row in rows if row[1]])


def _format_field(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        pairs = all(isinstance(part, tuple) and len(part) == 2 for part in value)
        parts = [": ".join(map(_format_field, part)) if pairs else _format_field(part) for part in value]
        return (", " if not pairs else "  ").join(parts)
    return format_number(value) if isinstance(value, (int, Fraction)) else str(value)


def _house_rule_lines(roll: Roll) -> list[str]:
    rules = roll.bound.ruleset
    settings = [
        f"{name}={format_value(roll.bound.options[name])}"
        + (f" ({rules.options[name].open})" if rules.options[name].open else "")
        for name in sorted(roll.node.trace.options)
    ]
    return layout.wrap_text(", ".join(settings), 2) if settings else []
