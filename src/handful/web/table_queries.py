"""Questions about an open table, by name: each answer is JSON data that follows from the table.

A name and its arguments can cross a pipe, so a question is asked in the same way of a table in this
process and of one in a worker.
Invariant: an answer for a seat holds only what the seat knows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handful import sheet as sheets
from handful import table as tables
from handful.errors import Message, Refused
from handful.library.evenings import evening_summaries
from handful.rules.free_dice import is_free_check
from handful.table import Table
from handful.table.characters import sheet_data
from handful.table.codec import write_record
from handful.table.view import named_rolls
from handful.web import games, joining
from handful.web.i18n import game_words
from handful.web.open_table import OpenTable
from handful.web.worker_main import Question


def answer_query(opened: OpenTable, name: str, arguments: dict[str, Any]) -> Any:
    """Answer a question about a table."""
    return _QUERIES[name](opened, **arguments)


# -- what a seat sees


def _view(opened: OpenTable, seat: str) -> Any:
    return tables.view(opened.table, seat)


def _rolls(opened: OpenTable, seat: str, names: list[str]) -> Any:
    return named_rolls(opened.table, seat, names)


def _log_lines(opened: OpenTable, seat: str, after: int, most: int) -> str:
    log, sign = opened.log(seat), opened.stored.dice.signer.sign
    count = log.count_within(range(len(log))[after : after + most], opened.limits.replayed_bytes)
    return f"[{','.join(log.texts(after, after + count, sign))}]"


def _export(opened: OpenTable, seat: str) -> str:
    return opened.log(seat).export(opened.stored.dice.signer.sign)


def _evenings(opened: OpenTable, seat: str) -> Any:
    return evening_summaries(tables.known_to(opened.table, seat), opened.log(seat).lines)


def _history(opened: OpenTable, seat: str, character: str) -> Any:
    return tables.character_history(opened.stored.rules, opened.log(seat).lines, character)


def _sheet_text(opened: OpenTable, seat: str, character: str) -> str:
    return tables.sheet_text(opened.table, seat, character)


def _knows_picture(opened: OpenTable, seat: str, picture: str) -> bool:
    known = tables.known_to(opened.table, seat)
    return picture in {*known.pictures.values(), *(one.picture for one in known.characters.values())}


# -- questions about odds, which a worker answers


def _preview_request(opened: OpenTable, seat: str, data: dict[str, Any]) -> Any:
    asked, about = tables.preview_request(opened.table, seat, data)
    return {"asked": write_record(asked), "about": about}


def _roll_question(opened: OpenTable, seat: str, roll: str) -> Any:
    question, rules = roll_question(opened.table, seat, roll)
    return {"question": question, "rules": rules}


def roll_question(table: Table, seat: str, roll: str) -> tuple[Question, str]:
    """Return the question for the odds of a roll in its current state, from the seat's view.

    Also returns the hash of the roll's own rules: the table may have changed to others since.
    """
    found = tables.known_to(table, seat).rolls.get(roll)
    if found is None or found.bound is None:
        raise Refused(Message("server.no_odds_known", seat=seat, roll=roll[:80]))
    question = {"asked": write_record(found.declared), "replies": [one.reply for one in found.replies]}
    is_free = is_free_check(found.declared.check)  # then any rules do
    return question, table.rules.hash if is_free else found.bound.ruleset.hash


def _finished_rolls(opened: OpenTable, seat: str, first: int, last: int | None) -> Any:
    """Return finished rolls, or only those that some lines of the seat's log are about."""
    rolls = tables.finished_rolls(opened.table, seat)
    if not first and last is None:
        return rolls
    lines = opened.log(seat).lines[max(first - 1, 0) : last]
    names = {line["data"].get("roll", "") for line in lines}
    return [one for one in rolls if one["roll"] in names]


# -- previews


def _preview_sheet(opened: OpenTable, seat: str, sheet: Any, owner: str | None, base: Any) -> Any:
    return tables.preview_sheet(opened.table, seat, sheet, owner, base)


def _preview_rules(opened: OpenTable, seat: str, hash: str) -> Any:
    return tables.preview_rules(opened.table, seat, hash)


def _new_character(opened: OpenTable, kind: str, quick: Any, seed: Any) -> Any:
    rules = opened.table.rules
    return sheet_data(rules, sheets.new_character(rules, kind=kind, quick=quick, seed=seed))


# -- the game


def _game(opened: OpenTable, language: str) -> Any:
    return games.describe(opened.table.rules, language)


def _words(opened: OpenTable, language: str, hash: str = "") -> Any:
    """Return the wording of the rules in force, or of others that the table may change to."""
    rules = opened.table.rules if hash in ("", opened.table.rules.hash) else opened.table.rulesets.get(hash)
    return {} if rules is None else dict(game_words(rules, language))


def _sample_characters(opened: OpenTable, language: str) -> Any:
    return games.sample_characters(opened.table.rules, language)


# -- newcomers


def _invitation(opened: OpenTable, role: str, language: str) -> Any:
    return joining.describe_invitation(opened.table, role, language)


def _chosen_sheet(opened: OpenTable, name: str, role: str, character: str, sample: str, language: str) -> Any:
    newcomer = joining.Newcomer(name, role, character=character, sample=sample, language=language)
    return joining.chosen_sheet(opened.table, newcomer)


def _handed_over(opened: OpenTable, character: str) -> Any:
    """Return a character as it is brought for somebody else; None if it is not there."""
    old = opened.table.characters.get(character)
    if old is None or old.sheet is None:
        return None
    return {"name": old.name, "sheet": sheet_data(opened.table.rules, old.sheet), "shown": old.shown}


_QUERIES: dict[str, Callable[..., Any]] = {
    "view": _view,
    "rolls": _rolls,
    "log_lines": _log_lines,
    "export": _export,
    "evenings": _evenings,
    "history": _history,
    "sheet_text": _sheet_text,
    "knows_picture": _knows_picture,
    "preview_request": _preview_request,
    "roll_question": _roll_question,
    "finished_rolls": _finished_rolls,
    "preview_sheet": _preview_sheet,
    "preview_rules": _preview_rules,
    "new_character": _new_character,
    "game": _game,
    "words": _words,
    "sample_characters": _sample_characters,
    "invitation": _invitation,
    "chosen_sheet": _chosen_sheet,
    "handed_over": _handed_over,
}
