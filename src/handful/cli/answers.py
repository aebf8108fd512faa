"""The legal answers to a decision, with what each is worth.

Options stand one by one.  Picks of dice that are worth the same share a line and are named
together: `any 2 of 1, 3, 4`.  Where an answer ends the roll, its result stands there instead of a
chance.
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

MAX_NAMED_ANSWERS = 6  # answers named on one line
MAX_NAMED_DICE = 12  # dice named in one family of picks

Pick = frozenset[int]


class AnswerRow(NamedTuple):
    """An answer, or several of the same worth."""

    label: str
    worth: str
    is_best: bool
    explanation: str = ""


def answer_lines(roll: Roll, odds: Odds, *, numbered: bool = False) -> list[str]:
    """One line per option, or per distinct worth of dice; the best one is marked in words."""
    lines = _option_rows(roll, odds) if isinstance(roll.ask, PickOption) else _pick_rows(roll, odds)
    best = _best_mark(roll, odds) if _answers_differ(odds) else ""
    width = max(len(line.label) for line in lines)
    shown = []
    for number, line in enumerate(lines, 1):
        marked = line.is_best and bool(best)
        mark = best if marked else ""
        count = f"{number}  " if numbered and line.explanation else ""
        folded = layout.wrap_after(f"  {count}{line.label:<{width}}  ", line.worth + mark)
        shown += [layout.apply_style(part, "good") for part in folded] if marked else folded
        if line.explanation not in ("", line.label):
            shown += layout.wrap_text(line.explanation, 6)
    if odds.answers_left_out:
        more = "Further picks are like one of these: dice that read alike stand for each other."
        shown += layout.wrap_text(more, 2)
    if (hint := useless_dice_hint(roll, odds)) is not None:
        shown += layout.wrap_text(hint, 2)
    return shown


def _answers_differ(odds: Odds) -> bool:
    """Whether some answer is worth more than another; if not, to mark one would mislead."""
    return len({_worth_of(odds, name) for name in odds.answers or {}}) > 1


def _best_mark(roll: Roll, odds: Odds) -> str:
    """The mark of the best answer, and for whom it is best where that is not plain."""
    assert isinstance(roll.ask, (ChooseDice, PickOption))
    if roll.ask.by == "gm":
        return "  <- best for who rolls"
    against = odds.wins is not None and roll.ask.side > 1
    return f"  <- best for side {roll.ask.side}" if against else "  <- best"


def question_lines(
    roll: Roll, budget: int = BUDGET, advised: Callable[[Odds], bool] = lambda _: True
) -> list[str]:
    """Lines for a decision: the question, and each answer with its exact worth.

    `advised`: whether the best answer is marked.
    """
    ask = roll.ask
    assert isinstance(ask, (ChooseDice, PickOption))
    decision = roll.bound.ruleset.decisions[ask.decision]
    by = f"the {roll.bound.ruleset.role_title(ask.by)}"
    side = f" (side {ask.side})" if roll.bound.check.sides is not None and ask.side else ""
    most = f" (at most {ask.at_most})" if isinstance(ask, ChooseDice) else ""
    lines = layout.wrap_text(f"{by}{side} decides: {localize(decision.question)}{most}", 0, 2)
    try:
        weighed = exact_odds(roll.bound, roll.node, budget=budget)
        weighed = weighed if advised(weighed) else weighed.replace(best="")
        return lines + answer_lines(roll, weighed, numbered=True)
    except (TooBig, Refused):
        names = ", ".join([name for name, _, _ in legal_answers(roll.node)][:20])
        return lines + layout.wrap_text(f"{names} (too much work to weigh them)", 2, 4)


# -- options


def _option_rows(roll: Roll, odds: Odds) -> list[AnswerRow]:
    assert isinstance(roll.ask, PickOption)
    endings = _final_results(roll)
    wording = roll.bound.ruleset.decisions[roll.ask.decision].answers
    return [
        AnswerRow(
            name,
            endings.get(name) or _format_worth(odds, _worth_of(odds, name)),
            name == odds.best,
            localize(wording[name]) if name in wording else name,
        )
        for name in odds.answers or {}
    ]


def _final_results(roll: Roll) -> dict[str, str]:
    """The result of each option after which nothing more is thrown."""
    assert isinstance(roll.ask, PickOption)
    endings = {}
    for option in roll.ask.options:
        after = roll.reply(option)
        asked = []
        while isinstance(after.ask, (ChooseDice, PickOption)):  # nothing more is thrown
            asked.append(after.ask.decision)
            after = after.usual()
        if after.finished:
            assumed = f" ({', '.join(asked)} as usual)" if asked else ""
            endings[option] = verdict(after) + assumed
    return endings


# -- picks of dice


def _pick_rows(roll: Roll, odds: Odds) -> list[AnswerRow]:
    """Picks by worth; those with dice that change nothing are left to a remark."""
    idle = set() if odds.answers_left_out else _useless_dice(roll, odds)
    worth: dict[Any, list[str]] = {}
    for name in odds.answers or {}:
        if not _dice_of(name) & idle:
            worth.setdefault(_worth_of(odds, name), []).append(name)
    return [
        AnswerRow(_picks_label(names, odds), _format_worth(odds, key), odds.best in names)
        for key, names in worth.items()
    ]


def _picks_label(names: list[str], odds: Odds) -> str:
    """Picks of one worth, by their number of dice: `none or one of 1, 3 or any 2 of 1, 3, 4`."""
    sizes: dict[int, list[Pick]] = {}
    for name in names:
        sizes.setdefault(len(_dice_of(name)), []).append(_dice_of(name))
    if odds.answers_left_out:
        return names[0]  # the shortest, and already an example of its kind
    families = [_family_label(size, picks) for size, picks in sizes.items()]
    if None in families:
        more = len(names) - MAX_NAMED_ANSWERS
        shown = " or ".join(names[:MAX_NAMED_ANSWERS])
        return f"{shown} or {more} more" if more > 0 else shown
    return " or ".join(family for family in families if family is not None)


def _family_label(size: int, picks: list[Pick]) -> str | None:
    """All picks of so many of some dice under one name; None if some of them are missing."""
    dice = sorted(frozenset[int]().union(*picks))
    if len(picks) == 1:
        return ",".join(map(str, dice)) or "none"
    if len(picks) != comb(len(dice), size):
        return None
    more = f" … ({len(dice)} dice)" if len(dice) > MAX_NAMED_DICE else ""
    among = ", ".join(map(str, dice[:MAX_NAMED_DICE])) + more
    return f"one of {among}" if size == 1 else f"any {size} of {among}"


def _dice_of(name: str) -> Pick:
    """The dice of an answer as it is typed."""
    return frozenset(map(int, name.split(","))) if name != "none" else frozenset()


def _useless_dice(roll: Roll, odds: Odds) -> set[int]:
    """The dice that change nothing, whatever else is picked with them."""
    assert isinstance(roll.ask, ChooseDice)
    worth = {_dice_of(name): _worth_of(odds, name) for name in odds.answers or {}}
    useful = {die for pick, value in worth.items() for die in pick if worth[pick - {die}] != value}
    return set(roll.ask.numbers) - useful


def useless_dice_hint(roll: Roll, odds: Odds) -> str | None:
    """A remark on dice that change nothing."""
    if not isinstance(roll.ask, ChooseDice) or not odds.answers or odds.answers_left_out:
        return None
    idle = sorted(_useless_dice(roll, odds))
    if not idle:
        return None
    if len(idle) == len(roll.ask.numbers):
        return "whatever is picked, the chance stays the same"
    dice: Iterable[str] = map(str, idle)
    return f"picking {'die' if len(idle) == 1 else 'dice'} {', '.join(dice)} cannot help"


# -- worth


def _worth_of(odds: Odds, name: str) -> Any:
    assert odds.answers is not None
    success = odds.answers[name]
    if success is None and odds.answer_means is not None:
        return odds.answer_means[name]
    return success


def _format_worth(odds: Odds, worth: Any) -> str:
    if isinstance(worth, tuple):
        parts = (f"{layout.format_percent(p)} against side {n}" for n, p in enumerate(worth, 2))
        return ", ".join(parts)
    if worth is None:
        return "no result"
    if odds.success is None:
        return f"{layout.format_decimal(worth)} on average"
    of_whom = " of side 1" if odds.wins is not None else ""
    return f"{layout.format_percent(worth)} success{of_whom}"
