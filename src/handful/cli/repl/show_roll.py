"""Formats a roll in full, and odds, by what the seat knows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from handful import odds as exact
from handful.cli import layout
from handful.cli.heading import heading
from handful.cli.outcome import verdict
from handful.cli.repl import show_table
from handful.cli.repl.phrases import (
    note_hidden_target,
    quote,
    roll_seen_by,
    typed_check,
    with_verb,
    without_owner,
)
from handful.cli.show_odds import odds_text
from handful.cli.show_roll import roll_text
from handful.errors import Message, Refused, TooBig
from handful.rules.ruleset import localize
from handful.table import known_to

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from handful.cli.repl.parsing import ParsedCheck
    from handful.cli.repl.repl import Repl
    from handful.library import Roll
    from handful.roll import ThrownDie
    from handful.rules.ruleset import Ruleset
    from handful.table import CheckPreview

MAX_ROWS = 10
MAX_FACES = 40  # per roll in the history
MAX_WORK = 200_000  # solver budget for the chance printed before every roll


def full_roll_lines(repl: Repl, found: Mapping[str, Any]) -> list[str]:
    """Format a roll in full: check, breakdown, dice, decisions, result and rulings."""
    head = f"{found['roll']}  {show_table.roll_line(repl.rules, found)}"
    lines = [layout.apply_style(one, "bold") for one in layout.wrap_text(head, 0, 2)]
    rows = []
    for line in found.get("lines", []):
        number = f"{line['number']}" if line["number"] is not None else ""
        by = f", by {line['switched_by']}" if line["switched_by"] else ""
        state = "" if line["on"] else f" (off{by})"
        source = line["says"] or f"by {line['by']}"
        rows.append((number, f"{line['parameter']}={line['value']}", source + state))
    lines += layout.section("lines", layout.columns(rows))
    roll = roll_seen_by(repl.table, repl.seat, found["roll"])
    if roll is not None and "dice" in found:
        said = note_hidden_target(repl.table, repl.seat, found["roll"], roll_text(roll))
        lines += said.splitlines()[len(heading(roll.bound)) :]
    rulings: list[str] = []
    for ruling in found.get("judged", []):
        grade = f" {ruling['grade']}" if ruling["grade"] else ""
        rulings += layout.wrap_text(f"{ruling['by']}:{grade}{quote(ruling['words'])}", 2, 4)
    lines += layout.section("rulings", rulings)
    if repl.is_solo:  # the commitment proves the dice to other seats only
        return lines
    proof = f"key {found['key']}" if found.get("key") else f"commitment {found['commitment']}"
    return [*lines, *layout.section("proof", layout.wrap_text(proof, 2, 4))]


def check_line(rules: Ruleset, found: Mapping[str, Any]) -> str:
    """Format the check of a roll as typed, with its characters and title."""
    if "asked" not in found:
        return f"{with_verb(found['roller'], 'rolls')} something"
    who = [f"as {without_owner(one)}" for one in found.get("as", []) if one]
    return " ".join([typed_check(rules, found["asked"]), *who]) + quote(found["title"])


def result_line(repl: Repl, found: Mapping[str, Any]) -> str:
    """Format the faces and the result of a roll."""
    roll = roll_seen_by(repl.table, repl.seat, found["roll"])
    if roll is None or not roll.finished:
        return show_table.roll_state(repl.rules, found) if "asked" in found else "hidden from you"
    said = note_hidden_target(repl.table, repl.seat, found["roll"], verdict(roll))
    return f"{faces_line(roll)}{said}"


def faces_line(roll: Roll) -> str:
    """Format the dice in one line, each followed by its rerolls: `1→5 5 3→2 6; `."""
    sides = sorted({die.side for die in roll.dice})
    shown = [_faces([die for die in roll.dice if die.side == side]) for side in sides]
    return " | ".join(shown) + "; " if shown else ""


def _faces(dice: Sequence[ThrownDie]) -> str:
    faces: dict[int, list[int]] = {}
    for die in dice:
        rerolled = die.role == "reroll" and die.of is not None
        faces.setdefault(die.of if rerolled and die.of else die.number, []).append(die.face)
    shown = [layout.arrow().join(map(str, one)) for one in faces.values()]
    return " ".join(shown[:MAX_FACES]) + (" …" if len(shown) > MAX_FACES else "")


def roll_odds_text(repl: Repl, name: str) -> str:
    """Format the odds of a roll from its current position."""
    roll = roll_seen_by(repl.table, repl.seat, name)
    if roll is None:
        raise Refused(Message("play.odds_unknown", seat=repl.seat, name=name))
    return odds_text(roll.bound, exact.odds(roll.bound, roll.node), roll, most_rows=MAX_ROWS)


def check_odds_text(repl: Repl, read: ParsedCheck) -> str:
    """Format the odds of a check, built exactly as `declare` would build the roll now."""
    preview = propose_check(repl, read)
    text = odds_text(preview.bound, exact.odds(preview.bound), most_rows=MAX_ROWS, draft=preview.draft)
    if not preview.unknown:
        return text
    return "\n".join([text, "", *layout.wrap_text(unknown_line(preview), 0, 2)])


def propose_check(repl: Repl, read: ParsedCheck) -> CheckPreview:
    """Build a check as the table would now; refuse what the table would refuse."""
    from handful.cli.repl.rolls import declare_data
    from handful.table import preview_check

    fields = {name: one for name, one in read.fields.items() if name not in ("faces", "entropy")}
    return preview_check(repl.table, repl.seat, declare_data(repl, replace(read, fields=fields)))


def unknown_line(preview: CheckPreview) -> str:
    """Name the parameters hidden from this seat that the result is compared with."""
    labels = [localize(preview.bound.check.params[name].label) for name in preview.unknown]
    return f"hidden from you: {', '.join(labels)}"


def chance_line(repl: Repl, name: str) -> str:
    """Format the chance that a roll had when it was declared in one line; empty if unknown or too big."""
    roll = known_to(repl.table, repl.seat).rolls.get(name)
    try:
        if roll is None or roll.bound is None:
            return ""
        odds = exact.odds(roll.bound, budget=MAX_WORK)
    except (TooBig, Refused):
        return ""
    if isinstance(odds.success, Fraction):
        return f"{layout.format_percent(odds.success)} success"
    if odds.wins is not None:
        each = [f"side {n} {layout.format_percent(one)}" for n, one in enumerate(odds.wins, 1)]
        each += [f"tie {layout.format_percent(odds.tie)}"] if odds.tie else []
        return f"wins: {', '.join(each)}"
    return f"avg {layout.format_decimal(odds.mean)}" if odds.mean is not None else ""
