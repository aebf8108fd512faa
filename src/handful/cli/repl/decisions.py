"""Decisions: what a roll asks a seat, what each answer is worth, and what was typed as one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful import table as tables
from handful.cli import answers, layout
from handful.cli.check_request import parse_digits
from handful.cli.prompts import format_reply
from handful.cli.repl.phrases import roll_seen_by
from handful.library import Roll
from handful.odds import Odds
from handful.roll import ChooseDice, PickOption, Throw, policy_reply
from handful.rules.ruleset import localize
from handful.table import Table, legal_actions
from handful.table.decision_odds import is_only_higher, unknown_of

MAX_WORK = 2_000_000  # of the solver at a question that somebody waits for


def question_lines(roll: Roll, table_roll: tables.TableRoll | None = None) -> list[str]:
    """What is asked, with each answer's exact worth by what the seat knows of the roll."""
    unknown = unknown_of(table_roll) if table_roll is not None else []

    def advised(weighed: Odds) -> bool:
        return table_roll is None or not is_only_higher(table_roll, weighed.answer_means)

    lines = answers.question_lines(roll, MAX_WORK, advised)
    labels = [localize(roll.bound.check.params[name].label) for name in unknown]
    note = f"there is something to beat that you do not know: {', '.join(labels)}"
    return lines + (layout.wrap_text(note, 2, 4) if unknown else [])


def roll_awaiting(table: Table, seat: str, name: str) -> Roll | None:
    """A roll whose decision a seat may take; None where there is none."""
    if not any(one["do"] == "answer" and one["roll"] == name for one in _on_rolls(table, seat)):
        return None
    roll = roll_seen_by(table, seat, name)
    if roll is None or isinstance(roll.ask, Throw) or roll.ask is None:
        return None
    return roll


def _on_rolls(table: Table, seat: str) -> list[dict[str, Any]]:
    return [one for one in legal_actions(table, seat) if "roll" in one]


def usual_answer(table: Table, seat: str, name: str) -> str | None:
    roll = roll_awaiting(table, seat, name)
    return None if roll is None else format_reply(policy_reply(roll.node, "usual"))


def parse_answer(roll: Roll, typed: str) -> str | list[int] | None:
    """An answer as the rules know it: an option by name or number, dice by their numbers."""
    word = typed.strip()
    match roll.ask:
        case PickOption(options=options):
            if word.lower() in options:
                return word.lower()
            if (number := parse_digits(word)) is not None and 1 <= number <= len(options):
                return options[number - 1]
            return None
        case ChooseDice():
            if word.lower() == "none":
                return []
            parts = [parse_digits(one) for one in word.replace(",", " ").split()]
            found = [one for one in parts if one is not None]
            return found if parts and len(found) == len(parts) else None
    return None


def is_answer_to(table: Table, seat: str, name: str, typed: str) -> bool:
    roll = roll_awaiting(table, seat, name)
    return roll is not None and parse_answer(roll, typed) is not None


def faces_due(view: Mapping[str, Any], name: str) -> str:
    """The dice that a roll waits for, such as `4d6`; nothing where this seat types no faces."""
    for one in view["actions"]:
        if one["do"] == "throw" and one["roll"] == name and one["by_hand"]:
            return f"{one['count']}d{one['sides']}"
    return ""


def are_faces(typed: str) -> bool:
    """Tell whether a line is nothing but faces of dice."""
    parts = typed.replace(",", " ").split()
    return bool(parts) and all(parse_digits(one) is not None for one in parts)
