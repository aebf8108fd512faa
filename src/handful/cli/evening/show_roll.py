"""A roll in full, and the odds, by what the seat knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful import odds as exact
from handful.cli import paper
from handful.cli.evening import names, phrase, showing
from handful.cli.evening.wording import known_roll, quoted, with_hidden
from handful.cli.heading import heading
from handful.cli.show_odds import odds_text
from handful.cli.show_roll import roll_text
from handful.errors import Refused
from handful.roll import bind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from handful.cli.evening.evening import Evening

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
    """Of a check as it could be declared, with the sheets that the seat sees."""
    from handful.cli.evening.sheets import NOBODY, own_of, usual_character
    from handful.rules.params import canonical
    from handful.sheet import draft
    from handful.table import as_known

    read = phrase.read_check(evening.rules, words, own_of=own_of(evening))
    view, known = evening.view(), as_known(evening.table, evening.seat)
    first, *further = read.sides
    typed = [*read.who]
    if typed[0] is None:
        typed[0] = usual_character(view) or None
    who = [
        None if one is None or canonical(one) in NOBODY
        else known.characters[names.character(view, one)].sheet
        for one in typed
    ]  # fmt: skip
    sides = [{}, *further] if further else []
    if not any(who):
        bound = bind(evening.rules, read.check.name, sides, first, known.options)
        return odds_text(bound, exact.odds(bound), most_rows=MOST_ROWS)
    made = draft(
        evening.rules, read.check.name, sides or [{}], first, who, options=known.options,
        by=evening.seat,
    )  # fmt: skip
    bound = made.bound()
    return odds_text(bound, exact.odds(bound), most_rows=MOST_ROWS, draft=made)
