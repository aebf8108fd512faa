"""A finished roll as text: dice, where they come from, decisions, and why it ended so."""

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
MAX_LINES = 40  # of where it comes from, and of decisions
_NO_BREAK_SPACE = "\u00a0"  # where no line may break; an ordinary blank in the end


def roll_text(roll: Roll, draft: Draft | None = None) -> str:
    """Everything that `handful roll` says."""
    lines = heading(roll.bound)
    lines += layout.section("where it comes from", _limit_lines(_source_lines(roll, draft)))
    lines += layout.section("dice", dice_lines(roll))
    lines += layout.section("decided", _limit_lines(_decisions(roll)))
    lines += layout.section("tally", _tally(roll))
    lines += ["", *_ending_lines(roll)]
    return "\n".join(lines + layout.section("open points, decided by options", _options(roll)))


def brief_text(roll: Roll) -> str:
    """Dice and outcome, for those who have just decided everything themselves."""
    lines = dice_lines(roll)
    lines += _tally(roll) if roll.bound.check.sides is not None else []
    return "\n".join([*lines, *([""] if lines else []), *_ending_lines(roll)])


def _ending_lines(roll: Roll) -> list[str]:
    """What came out, and what happened on the way."""
    if not roll.finished:
        return ["the roll is open"]
    lines = _styled_verdict(roll)
    for name in roll.events:
        lines += layout.wrap_text(f"! {roll.bound.ruleset.wording(name)}", 0, 2)
    return lines


def _limit_lines(lines: list[str]) -> list[str]:
    """Not more lines than anybody reads, and how many were left out."""
    left = len(lines) - MAX_LINES
    return (
        lines if left <= 0 else [*lines[:MAX_LINES], f"  and {format_count(left, 'more line')} (see --json)"]
    )


def _styled_verdict(roll: Roll) -> list[str]:
    lines = layout.wrap_text(verdict(roll), 0, 2)
    if roll.success not in (True, False):
        return lines
    return [layout.apply_style(line, "good" if roll.success else "bad") for line in lines]


# -- dice


def dice_lines(roll: Roll) -> list[str]:
    """The dice in the order thrown, by side and role; a reroll stands behind its die."""
    lines = []
    several = roll.bound.check.sides is not None
    sides = sorted({die.side for die in roll.dice})
    for side in sides:
        if several and side:
            lines.append(f"  side {side}")
        lines += _side(roll, [die for die in roll.dice if die.side == side], 4 if several else 2)
    return [line.replace(_NO_BREAK_SPACE, " ") for line in lines]


def _side(roll: Roll, dice: list[ThrownDie], indent: int) -> list[str]:
    again: dict[int, list[int]] = {}
    for die in dice:
        if die.role == "reroll" and die.of is not None:
            again.setdefault(die.of, []).append(die.face)
    standing = [die for die in dice if die.role != "reroll" or die.of is None]
    rows = []
    for role, group in groupby(standing[:MAX_DICE], key=lambda die: die.role):
        shown = "  ".join(_die(die, again.get(die.number, [])) for die in group)
        rows.append((roll.bound.ruleset.wording(role), shown))
    lines = layout.columns(rows, indent)
    if len(standing) > MAX_DICE:
        lines.append(" " * indent + f"and {len(standing) - MAX_DICE} more (--json has them all)")
    return lines


def _die(die: ThrownDie, again: list[int]) -> str:
    """`3: 1→4`."""
    faces = layout.arrow().join(map(str, [die.face, *again]))
    cause = f" (of {die.of})" if die.of is not None else ""
    return f"{die.number}: {faces}{cause}".replace(" ", _NO_BREAK_SPACE)


# -- where it comes from


def _source_lines(roll: Roll, draft: Draft | None) -> list[str]:
    if draft is not None:
        from handful.cli.show_sheet import source_lines

        return source_lines(draft, roll.modifiers)
    several = roll.bound.check.sides is not None
    return [
        line
        for modifier in roll.modifiers
        for line in layout.wrap_text(_source(roll, modifier, several), 2, 4)
    ]


def _source(roll: Roll, modifier: Modifier, several: bool) -> str:
    rules = roll.bound.ruleset
    side = f"side {modifier.side}: " if several and modifier.side else ""
    amount = modifier.amount
    shown = layout.format_signed(amount) if isinstance(amount, (int, Fraction)) else str(amount)
    unit = rules.wording(modifier.unit, amount=amount)
    return f"{side}{shown} {unit}: {rules.wording(modifier.source)}"


def _decisions(roll: Roll) -> list[str]:
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
        return (
            f"{side}{one.decision}: {answer}; nobody was asked, so by the {one.policy} policy: "
            f"{localize(decision.usual)}"
        )
    return f"{side}{one.decision}: {answer}, by the {by}"


def _tally(roll: Roll) -> list[str]:
    rules = roll.bound.ruleset
    rows = [(rules.wording(name), _field(value)) for name, value in roll.tally.items()]
    return layout.columns([row for row in rows if row[1]])


def _field(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        pairs = all(isinstance(part, tuple) and len(part) == 2 for part in value)
        parts = [": ".join(map(_field, part)) if pairs else _field(part) for part in value]
        return (", " if not pairs else "  ").join(parts)
    return format_number(value) if isinstance(value, (int, Fraction)) else str(value)


def _options(roll: Roll) -> list[str]:
    rules = roll.bound.ruleset
    decided = [
        f"{name}={format_value(roll.bound.options[name])}"
        + (f" ({rules.options[name].open})" if rules.options[name].open else "")
        for name in sorted(roll.node.trace.options)
    ]
    return layout.wrap_text(", ".join(decided), 2) if decided else []
