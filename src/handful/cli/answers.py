"""The legal answers to a decision, each with its exact value.

Options get a line each.  Picks of dice with the same value share a line under a common label, such
as `any 2 of 1, 3, 4`.  An answer that ends the roll shows its result instead of a chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb
from typing import Any, NamedTuple

from handful.cli import layout
from handful.cli.outcome import verdict
from handful.errors import Refused, TooBig
from handful.library import Roll
from handful.odds import Odds
from handful.odds import answers as legal_answers
from handful.odds import odds as exact_odds
from handful.roll import ChooseDice, PickOption
from handful.rules.ruleset import localize
from handful.solver.solver import BUDGET

MAX_NAMED_ANSWERS = 6  # on one line
MAX_NAMED_DICE = 12  # in one family of picks

Pick = frozenset[int]


class AnswerRow(NamedTuple):
    """One answer, or several with the same value."""

    label: str
    value: str
    is_best: bool
    explanation: str = ""


def answer_lines(roll: Roll, odds: Odds, *, numbered: bool = False) -> list[str]:
    """Return one line per option, or per distinct value of picks; the best one is marked in words."""
    rows = _option_rows(roll, odds) if isinstance(roll.ask, PickOption) else _pick_rows(roll, odds)
    best_mark = _best_mark(roll, odds) if _answers_differ(odds) else ""
    width = max(len(row.label) for row in rows)
    lines = []
    for number, row in enumerate(rows, 1):
        mark = best_mark if row.is_best else ""
        count = f"{number}  " if numbered and row.explanation else ""
        wrapped = layout.wrap_after(f"  {count}{row.label:<{width}}  ", row.value + mark)
        lines += [layout.apply_style(line, "good") for line in wrapped] if mark else wrapped
        if row.explanation not in ("", row.label):
            lines += layout.wrap_text(row.explanation, 6)
    if odds.answers_left_out:
        more = "Other picks are equivalent to one of these: dice with equal faces are interchangeable."
        lines += layout.wrap_text(more, 2)
    if (hint := useless_dice_hint(roll, odds)) is not None:
        lines += layout.wrap_text(hint, 2)
    return lines


def _answers_differ(odds: Odds) -> bool:
    """Return True if the answers have different values; marking one of equals would mislead."""
    return len({_value_of(odds, name) for name in odds.answers or {}}) > 1


def _best_mark(roll: Roll, odds: Odds) -> str:
    """Return the mark of the best answer; it names the side where that is not obvious."""
    assert isinstance(roll.ask, (ChooseDice, PickOption))
    if roll.ask.by == "gm":
        return "  <- best for the roller"
    opponent = odds.wins is not None and roll.ask.side > 1
    return f"  <- best for side {roll.ask.side}" if opponent else "  <- best"


def question_text(roll: Roll) -> str:
    """Return the question of a decision; it names the GM or the side, as it addresses the player."""
    ask, rules = roll.ask, roll.bound.ruleset
    assert isinstance(ask, (ChooseDice, PickOption))
    question = localize(rules.decisions[ask.decision].question)
    side = f"side {ask.side}" if roll.bound.check.sides is not None and ask.side else ""
    if ask.by == "gm":
        return f"the {rules.role_title('gm')}{side and f' ({side})'} decides: {question}"
    return f"{side and f'{side}: '}{question}"


def question_lines(
    roll: Roll, budget: int = BUDGET, mark_best: Callable[[Odds], bool] = lambda _: True
) -> list[str]:
    """Return the question of a decision, and a line for each answer with its exact value.

    `mark_best` decides by the odds whether the best answer is marked.
    """
    ask = roll.ask
    assert isinstance(ask, (ChooseDice, PickOption))
    most = f" (at most {ask.at_most})" if isinstance(ask, ChooseDice) else ""
    lines = layout.wrap_text(f"{question_text(roll)}{most}", 0, 2)
    try:
        odds = exact_odds(roll.bound, roll.node, budget=budget)
        odds = odds if mark_best(odds) else odds.replace(best="")
        return lines + answer_lines(roll, odds, numbered=True)
    except (TooBig, Refused):
        names = ", ".join([name for name, _, _ in legal_answers(roll.node)][:20])
        return lines + layout.wrap_text(f"{names} (too complex to compare)", 2, 4)


# -- options


def _option_rows(roll: Roll, odds: Odds) -> list[AnswerRow]:
    assert isinstance(roll.ask, PickOption)
    results = _final_results(roll)
    wording = roll.bound.ruleset.decisions[roll.ask.decision].answers
    return [
        AnswerRow(
            name,
            results.get(name) or _format_value(odds, _value_of(odds, name)),
            name == odds.best,
            localize(wording[name]) if name in wording else name,
        )
        for name in odds.answers or {}
    ]


def _final_results(roll: Roll) -> dict[str, str]:
    """Return the result of each option after which no more dice are thrown."""
    assert isinstance(roll.ask, PickOption)
    results = {}
    for option in roll.ask.options:
        after = roll.reply(option)
        decisions = []
        while isinstance(after.ask, (ChooseDice, PickOption)):
            decisions.append(after.ask.decision)
            after = after.usual()
        if after.finished:
            assumed = f" ({', '.join(decisions)} as usual)" if decisions else ""
            results[option] = verdict(after) + assumed
    return results


# -- picks of dice


def _pick_rows(roll: Roll, odds: Odds) -> list[AnswerRow]:
    """Return picks grouped by value; picks of useless dice are covered by a hint instead."""
    useless = set() if odds.answers_left_out else _useless_dice(roll, odds)
    picks: dict[Any, list[str]] = {}
    for name in odds.answers or {}:
        if not _dice_of(name) & useless:
            picks.setdefault(_value_of(odds, name), []).append(name)
    return [
        AnswerRow(_picks_label(names, odds), _format_value(odds, value), odds.best in names)
        for value, names in picks.items()
    ]


def _picks_label(names: list[str], odds: Odds) -> str:
    """Name picks of equal value by their number of dice: `none or one of 1, 3 or any 2 of 1, 3, 4`."""
    sizes: dict[int, list[Pick]] = {}
    for name in names:
        sizes.setdefault(len(_dice_of(name)), []).append(_dice_of(name))
    if odds.answers_left_out:
        return names[0]  # the shortest, which stands for its equivalents
    families = [_family_label(size, picks) for size, picks in sizes.items()]
    if None in families:
        more = len(names) - MAX_NAMED_ANSWERS
        label = " or ".join(names[:MAX_NAMED_ANSWERS])
        return f"{label} or {more} more" if more > 0 else label
    return " or ".join(family for family in families if family is not None)


def _family_label(size: int, picks: list[Pick]) -> str | None:
    """Name all picks of `size` dice from a set at once; None if some of those picks are missing."""
    dice = sorted(frozenset[int]().union(*picks))
    if len(picks) == 1:
        return ",".join(map(str, dice)) or "none"
    if len(picks) != comb(len(dice), size):
        return None
    more = f" … ({len(dice)} dice)" if len(dice) > MAX_NAMED_DICE else ""
    among = ", ".join(map(str, dice[:MAX_NAMED_DICE])) + more
    return f"one of {among}" if size == 1 else f"any {size} of {among}"


def _dice_of(name: str) -> Pick:
    """Return the dice of a typed answer such as `1,3` or `none`."""
    return frozenset(map(int, name.split(","))) if name != "none" else frozenset()


def _useless_dice(roll: Roll, odds: Odds) -> set[int]:
    """Return the dice that never change the value of a pick."""
    assert isinstance(roll.ask, ChooseDice)
    values = {_dice_of(name): _value_of(odds, name) for name in odds.answers or {}}
    useful = {die for pick, value in values.items() for die in pick if values[pick - {die}] != value}
    return set(roll.ask.numbers) - useful


def useless_dice_hint(roll: Roll, odds: Odds) -> str | None:
    """Return a hint about dice that cannot help; None if there are no such dice."""
    if not isinstance(roll.ask, ChooseDice) or not odds.answers or odds.answers_left_out:
        return None
    useless = sorted(_useless_dice(roll, odds))
    if not useless:
        return None
    if len(useless) == len(roll.ask.numbers):
        return "the chance is the same whatever you pick"
    dice: Iterable[str] = map(str, useless)
    return f"picking {'die' if len(useless) == 1 else 'dice'} {', '.join(dice)} cannot help"


# -- values


def _value_of(odds: Odds, name: str) -> Any:
    assert odds.answers is not None
    success = odds.answers[name]
    if success is None and odds.answer_means is not None:
        return odds.answer_means[name]
    return success


def _format_value(odds: Odds, value: Any) -> str:
    if isinstance(value, tuple):
        parts = (f"{layout.format_percent(p)} against side {n}" for n, p in enumerate(value, 2))
        return ", ".join(parts)
    if value is None:
        return "no result"
    if odds.success is None:
        return f"{layout.format_decimal(value)} on average"
    side = " for side 1" if odds.wins is not None else ""
    return f"{layout.format_percent(value)} success{side}"
