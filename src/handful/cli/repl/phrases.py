"""Phrases that several screens share; a roll as a seat knows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful.errors import HandfulError
from handful.library import Roll
from handful.roll.formatting import format_parameters
from handful.rules.ruleset import Ruleset, localize
from handful.table import GM, Table, project
from handful.table.state import bind_check

Data = Mapping[str, Any]
YOU = "you"  # the one seat of a table in memory
GRANTED_NOTE = ", a free action granted by the GM"  # behind what is rolled, for everybody who sees it


def roll_seen_by(table: Table, seat: str, name: str) -> Roll | None:
    """A roll as far as a seat knows it; None where it knows only that there is one."""
    found = project(table, seat).rolls.get(name)
    if found is None or found.has_hidden_progress:
        return None
    try:
        if found.bound is None or found.node is None:
            return None
    except HandfulError:
        return None
    return Roll(found.bound, tuple(one.reply for one in found.replies), found.node)


def note_hidden_target(table: Table, seat: str, name: str, text: str) -> str:
    """What came out, where what it takes is hidden from a seat."""
    roll = project(table, seat).rolls[name]
    hidden = roll.hidden and table.role(seat) != GM
    return text.replace("(nothing to beat)", "(what it takes is hidden)") if hidden else text


def without_owner(character: str) -> str:
    """A character without whose it is."""
    return character.partition("/")[2] or character


def stance_text(rules: Ruleset, stance: str, choice: str) -> str:
    """`Full reaction (Melee Defense)`: a stance as the game calls it."""
    rounds = rules.rounds
    definition = rounds.stances.get(stance) if rounds else None
    if definition is None:
        return f"{stance} {choice}".replace("_", " ").rstrip()
    return localize(definition.title) + (
        f" ({localize(definition.choices[choice])})" if choice in definition.choices else ""
    )


def typed_check(rules: Ruleset, asked: Data) -> str:
    """What is checked, as it can be typed; without what the seat does not know."""
    try:
        words = format_parameters(bind_check(rules, asked))
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
    """`ann rolls`, but `you roll`; `also` stands between them."""
    inflected = verb.removesuffix("s") if seat == YOU else verb
    return f"{seat}{between} {inflected}"


def kind_and_owner(kind: str, owner: str) -> str:
    """`pc of ann`; at a table with one seat all are its own."""
    return kind if owner == YOU else f"{kind} of {owner}"
