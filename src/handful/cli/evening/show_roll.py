"""A roll in full, and the odds, by what the seat knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful import odds as exact
from handful.cli import paper
from handful.cli.evening import phrase, showing
from handful.cli.evening.wording import known_roll, quoted, with_hidden
from handful.cli.heading import heading
from handful.cli.show_odds import odds_text
from handful.cli.show_roll import roll_text
from handful.errors import Refused
from handful.rules.ruleset import text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from handful.cli.evening.evening import Evening
    from handful.table import Proposed

MOST_ROWS = 10


def whole_roll(evening: Evening, found: Mapping[str, Any]) -> list[str]:
    """What is rolled, where it comes from, the dice, and what came of it."""
    head = f"{found['roll']}  {showing.roll_line(evening.rules, found)}"
    lines = [paper.styled(one, "bold") for one in paper.folded(head, 0, 2)]
    rows = []
    for line in found.get("lines", []):
        number = f"{line['number']}" if line["number"] is not None else ""
        by = f", by {line['switched_by']}" if line["switched_by"] else ""
        state = "" if line["on"] else f" (off{by})"
        says = line["says"] or f"by {line['by']}"
        rows.append((number, f"{line['parameter']}={line['value']}", says + state))
    lines += paper.paragraph("lines", paper.columns(rows))
    roll = known_roll(evening.table, evening.seat, found["roll"])
    if roll is not None and "dice" in found:
        said = with_hidden(evening.table, evening.seat, found["roll"], roll_text(roll))
        lines += said.splitlines()[len(heading(roll.bound)) :]
    for said in found.get("judged", []):
        lines += paper.folded(f"{said['by']}: {said['grade']}{quoted(said['words'])}", 2, 4)
    promise = f"key {found['key']}" if found.get("key") else f"promised: {found['commitment']}"
    return [*lines, *paper.folded(promise, 2, 4)]


def odds_of_roll(evening: Evening, name: str) -> str:
    """From where a roll stands."""
    roll = known_roll(evening.table, evening.seat, name)
    if roll is None:
        raise Refused(f"{evening.seat} knows no odds of {name}")
    return odds_text(roll.bound, exact.odds(roll.bound, roll.node), roll, most_rows=MOST_ROWS)


def odds_of_check(evening: Evening, words: Sequence[str]) -> str:
    """Odds of a check as it could be declared now: built the way the roll would be."""
    from handful.cli.evening.rolling import fields_of
    from handful.cli.evening.sheets import own_of
    from handful.table import proposed

    read = phrase.read_check(evening.rules, words, own_of=own_of(evening))
    read.throw()
    made = proposed(evening.table, evening.seat, fields_of(evening, read))
    said = odds_text(made.bound, exact.odds(made.bound), most_rows=MOST_ROWS, draft=made.draft)
    if not made.unknown:
        return said
    return "\n".join([said, "", *paper.folded(unknown_line(made), 0, 2)])


def unknown_line(made: Proposed) -> str:
    """Say that there is something to beat that this seat may not know."""
    labels = [text(made.bound.check.params[name].label) for name in made.unknown]
    return f"there is something to beat that you do not know: {', '.join(labels)}"
