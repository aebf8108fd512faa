"""A numbered menu whose entries are picked by number or name."""

from __future__ import annotations

from collections.abc import Sequence

from handful.cli import layout
from handful.cli.check_request import parse_digits, shorten_word
from handful.cli.prompts import Prompter, echo
from handful.errors import Message, Refused, did_you_mean
from handful.rules.params import match_name, normalize_name

Rows = Sequence[tuple[str, str]]  # name, description


def menu_lines(question: str, rows: Rows) -> list[str]:
    """Format a question with its numbered entries."""
    room = layout.width() - 8 - max((len(name) for name, _ in rows), default=0)
    numbered = [(str(n), name, layout.shorten(meaning, room)) for n, (name, meaning) in enumerate(rows, 1)]
    return [question, *layout.columns(numbered)]


def pick(prompter: Prompter, question: str, prompt: str, rows: Rows) -> str:
    """Ask for one entry; Enter takes the first."""
    echo("\n".join(menu_lines(question, rows)))
    names = [name for name, _ in rows]
    explained = f"type a number from 1 to {len(names)}, or a name: " + ", ".join(names)
    return prompter.ask(f"{prompt} [1]: ", lambda typed: find_choice(typed or "1", names), explained, names)


def find_choice(typed: str, names: Sequence[str]) -> str:
    """Return the entry for a typed number or name."""
    if (number := parse_digits(typed)) is not None and 1 <= number <= len(names):
        return names[number - 1]
    if (found := match_name(typed, names)) is not None:
        return found
    raise Refused(
        Message("play.not_in_list", typed=shorten_word(typed), names=len(names)),
        did_you_mean(normalize_name(typed), names),
    )
