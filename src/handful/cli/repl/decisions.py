"""Decisions of a roll: the question with the worth of each answer, and parsing of typed answers."""

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
from handful.table import Table, actions_in, legal_actions
from handful.table.decision_odds import has_no_best_answer, unknown_parameters

MAX_WORK = 2_000_000  # solver budget while a user waits for the question


def question_lines(roll: Roll, table_roll: tables.TableRoll | None = None) -> list[str]:
    """Format a question with the exact worth of each answer, by what the seat knows of the roll."""
    unknown = unknown_parameters(table_roll) if table_roll is not None else []

    def mark_best(odds: Odds) -> bool:
        return table_roll is None or not has_no_best_answer(table_roll, odds.answer_means)

    lines = answers.question_lines(roll, MAX_WORK, mark_best)
    labels = [localize(roll.bound.check.params[name].label) for name in unknown]
    note = f"hidden from you: {', '.join(labels)}"
    return lines + (layout.wrap_text(note, 2, 4) if unknown else [])


def roll_awaiting(table: Table, seat: str, name: str) -> Roll | None:
    """Return the roll if it awaits a decision of this seat, else None."""
    if not any(one["do"] == "answer" and one["roll"] == name for one in _roll_actions(table, seat)):
        return None
    roll = roll_seen_by(table, seat, name)
    if roll is None or isinstance(roll.ask, Throw) or roll.ask is None:
        return None
    return roll


def _roll_actions(table: Table, seat: str) -> list[dict[str, Any]]:
    return [one for one in legal_actions(table, seat) if "roll" in one]


def usual_answer(table: Table, seat: str, name: str) -> str | None:
    roll = roll_awaiting(table, seat, name)
    return None if roll is None else format_reply(policy_reply(roll.node, "usual"))


def parse_answer(roll: Roll, typed: str) -> str | list[int] | None:
    """Parse an answer: an option by name or number, or dice by their numbers; None if invalid."""
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
    """Return the dice whose faces this seat must type, such as `4d6`; empty if none."""
    for one in actions_in(view):
        if one["do"] == "throw" and one["roll"] == name and one["by_hand"]:
            return f"{one['count']}d{one['sides']}"
    return ""


def are_faces(typed: str) -> bool:
    """Tell whether a line consists of numbers only."""
    parts = typed.replace(",", " ").split()
    return bool(parts) and all(parse_digits(one) is not None for one in parts)
