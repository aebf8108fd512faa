"""The legal answers to a decision, with what each is worth.

Answers that are worth the same share a line.  Where an answer ends the roll, its result stands
there instead of a chance.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from handful.cli import paper
from handful.cli.outcome import verdict
from handful.library import Roll
from handful.odds import Odds
from handful.odds import answers as legal_answers
from handful.roll import ChooseDice, PickOption
from handful.rules.ruleset import text

MOST_NAMED = 6  # answers named on one line


class Line(NamedTuple):
    """Answers that are worth the same."""

    answers: list[str]
    worth: str
    best: bool


def answer_lines(roll: Roll, odds: Odds) -> list[str]:
    """One line per distinct worth, the best one marked in words."""
    lines = _lines(roll, odds)
    by_gm = roll.ask is not None and getattr(roll.ask, "by", "") == "gm"
    best = "  <- best for who rolls" if by_gm else "  <- best"
    width = max(len(_named(line)) for line in lines)
    shown = []
    for line in lines:
        mark = best if line.best else ""
        folded = paper.beside(f"  {_named(line):<{width}}  ", line.worth + mark)
        shown += [paper.styled(part, "good") for part in folded] if line.best else folded
        shown += _explained(roll, line)
    if odds.answers_left_out:
        more = "Further picks are like one of these: dice that read alike stand for each other."
        shown += paper.folded(more, 2)
    if (hint := useless_dice(roll, odds)) is not None:
        shown += paper.folded(hint, 2)
    return shown


def _lines(roll: Roll, odds: Odds) -> list[Line]:
    endings = _endings(roll)
    worth: dict[Any, list[str]] = {}
    for name in odds.answers or {}:
        worth.setdefault(endings.get(name) or _worth(odds, name), []).append(name)
    return [
        Line(names, key if isinstance(key, str) else _written(odds, key), odds.best in names)
        for key, names in worth.items()
    ]


def _endings(roll: Roll) -> dict[str, str]:
    """The result of each answer after which nothing more is thrown."""
    if not isinstance(roll.ask, PickOption):
        return {}
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


def _worth(odds: Odds, name: str) -> Any:
    assert odds.answers is not None
    success = odds.answers[name]
    if success is None and odds.answer_means is not None:
        return odds.answer_means[name]
    return success


def _written(odds: Odds, worth: Any) -> str:
    if isinstance(worth, tuple):
        parts = (f"{paper.percent(p)} against side {n}" for n, p in enumerate(worth, 2))
        return ", ".join(parts)
    if worth is None:
        return "no result"
    if odds.success is None:
        return f"{paper.decimal(worth)} on average"
    of_whom = " of side 1" if odds.wins is not None else ""
    return f"{paper.percent(worth)} success{of_whom}"


def _named(line: Line) -> str:
    more = len(line.answers) - MOST_NAMED
    named = " or ".join(line.answers[:MOST_NAMED])
    return f"{named} or {more} more" if more > 0 else named


def _explained(roll: Roll, line: Line) -> list[str]:
    """What the ruleset says of each answer."""
    if not isinstance(roll.ask, PickOption):
        return []
    wording = roll.bound.ruleset.decisions[roll.ask.decision].answers
    several = len(line.answers) > 1
    return [
        part
        for name in line.answers
        if name in wording and text(wording[name]) != name
        for part in paper.folded((f"{name}: " if several else "") + text(wording[name]), 6)
    ]


def useless_dice(roll: Roll, odds: Odds) -> str | None:
    """Which dice change nothing, whatever else is picked with them."""
    if not isinstance(roll.ask, ChooseDice) or not odds.answers or odds.answers_left_out:
        return None
    worth = {
        frozenset(name.split(",")) if name != "none" else frozenset(): _worth(odds, name)
        for name in odds.answers
    }
    useful = {die for pick, value in worth.items() for die in pick if worth[pick - {die}] != value}
    idle = [str(number) for number in sorted(roll.ask.numbers) if str(number) not in useful]
    if not idle:
        return None
    if not useful:
        return "whatever is picked, the chance stays the same"
    dice = ", ".join(idle)
    return f"picking {'die' if len(idle) == 1 else 'dice'} {dice} cannot help"


def every_answer(roll: Roll) -> list[str]:
    """The legal answers as they are typed, without their worth."""
    return [name for name, _, _ in legal_answers(roll.node)]
