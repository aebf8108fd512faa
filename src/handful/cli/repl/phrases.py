"""Phrases shared by several screens, and a roll as projected for a seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.cli.outcome import NO_TARGET
from handful.errors import HandfulError, format_count
from handful.library import Roll
from handful.roll.formatting import format_parameters
from handful.rules.free_dice import PREFIX, is_free_check
from handful.rules.ruleset import Ruleset, localize
from handful.table import GM, Table, known_to
from handful.table.codec import read_record
from handful.table.events.values import AskedCheck
from handful.table.state import bind_check

Data = Mapping[str, Any]
YOU = "you"  # the only seat of a table in memory
GRANTED_NOTE = " (free action, granted by the GM)"
HIDDEN_TARGET = "(target hidden)"


def roll_seen_by(table: Table, seat: str, name: str) -> Roll | None:
    """Return a roll as projected for a seat; None if the seat sees only that it exists."""
    found = known_to(table, seat).rolls.get(name)
    if found is None or found.has_hidden_progress:
        return None
    try:
        if found.bound is None or found.node is None:
            return None
    except HandfulError:
        return None
    return Roll(found.bound, tuple(one.reply for one in found.replies), found.node)


def note_hidden_target(table: Table, seat: str, name: str, text: str) -> str:
    """Replace the note `NO_TARGET` in a verdict whose target is hidden from a seat."""
    roll = known_to(table, seat).rolls[name]
    hidden = roll.hidden and table.role(seat) != GM
    return text.replace(NO_TARGET, HIDDEN_TARGET) if hidden else text


def without_owner(character: str) -> str:
    """Strip the owner from a character id."""
    return character.partition("/")[2] or character


def stance_text(rules: Ruleset, stance: str, choice: str) -> str:
    """Format a stance with the game's titles: `Full reaction (Melee Defense)`."""
    rounds = rules.rounds
    definition = rounds.stances.get(stance) if rounds else None
    if definition is None:
        return f"{stance} {choice}".replace("_", " ").rstrip()
    return localize(definition.title) + (
        f" ({localize(definition.choices[choice])})" if choice in definition.choices else ""
    )


def proposal_text(name: str, parameters: Data) -> str:
    """Format a proposal: `ann proposes attribute=Grace`, or `ann is ready to roll` without changes."""
    if not parameters:
        return f"{name} is ready to roll"
    return f"{name} proposes {typed_parameters(parameters)}"


def item_text(item: Data) -> str:
    """Format the state of an item: `2 uses a round`, or `out of use`."""
    return "out of use" if item["hot"] else f"{format_count(item['uses'], 'use')} a round"


def role_text(role: str) -> str:
    return "GM" if role == GM else role


def typed_check(rules: Ruleset, asked: Data) -> str:
    """Format a check as it can be typed, from the parameters visible to the seat."""
    if is_free_check(asked["check"]):
        return f"{asked['check'].removeprefix(PREFIX)} (outside the rules)"
    try:
        words = format_parameters(bind_check(rules, read_record(AskedCheck, asked)))
    except HandfulError:
        words = " ".join(f"{name}={value}" for name, value in asked["parameters"].items())
    return f"{asked['check']} {words}".rstrip()


def typed_parameters(parameters: Data) -> str:
    return " ".join(f"{name}={_value(value)}" for name, value in parameters.items())


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(_value, value)) if isinstance(value, list) else str(value)


def quote(words: str) -> str:
    return f' "{words}"' if words else ""


def with_verb(seat: str, verb: str, between: str = "") -> str:
    """Inflect the verb: `ann rolls`, but `you roll`; `between` goes between subject and verb."""
    inflected = verb.removesuffix("s") if seat == YOU else verb
    return f"{seat}{between} {inflected}"


def kind_and_owner(kind: str, owner: str) -> str:
    """Format the kind of a character: `ann's PC`; `PC` at a table with one seat."""
    title = kind.upper()
    return title if owner == YOU else f"{owner}'s {title}"
