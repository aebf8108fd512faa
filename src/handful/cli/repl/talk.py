"""Commands for what people say and write: messages, whispers, notes, the scratchpad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from handful.cli.prompts import echo
from handful.cli.repl import names
from handful.cli.repl.rolls import find_roll
from handful.errors import Message, Refused

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]


def say(repl: Repl, words: Words) -> None:
    """Say something to everyone: `say WORDS`."""
    repl.submit("say", text=" ".join(words))


def whisper(repl: Repl, words: Words) -> None:
    """Say something to some seats: `whisper NAME[,NAME] WORDS`."""
    if len(words) < 2:
        raise Refused(Message("play.whisper_usage"))
    repl.submit("say", to=names.seats(repl.view(), words[0]), text=" ".join(words[1:]))


def note(repl: Repl, words: Words) -> None:
    """Write a note on a roll: `note [ROLL] WORDS`."""
    rest = list(words)
    typed = rest.pop(0) if rest and "/" in rest[0] else None
    repl.submit("note", roll=find_roll(repl, "note", typed), text=" ".join(rest))


def scratchpad(repl: Repl, words: Words) -> None:
    """Show the scratchpad, or add a line to it: `scratchpad [WORDS]`."""
    now = repl.view()["scratchpad"]
    if not words:
        echo(now["text"] or "(the scratchpad is empty)")
        return
    text = "\n".join([*now["text"].splitlines(), " ".join(words)])
    repl.submit("scratchpad", text=text, replaces=now["mark"])


def share_gm(repl: Repl, words: Words) -> None:
    """Give the person at a seat a GM's seat, too: `share gm NAME [SEAT]`."""
    if not words:
        raise Refused(Message("play.share_usage"))
    to = names.seat(repl.view(), words[0])
    repl.submit("share_gm", to=to, name=" ".join(words[1:]) or f"{to} (GM)")
