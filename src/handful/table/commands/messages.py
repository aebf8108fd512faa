"""Commands for what people say and write."""

from __future__ import annotations

from handful.table.commands.base import CommandBody, command
from handful.table.commands.field_types import Flag, Names, PadText, Text, Written


@command("say", by="GM, players")
class Say(CommandBody):
    """Say something to everyone, or whisper it `to` some seats; nobody else learns of a whisper."""

    text: Written
    to: Names | None = None


@command("scratchpad", by="GM, players; with `for_gms`: GM")
class WriteScratchpad(CommandBody):
    """Replace the text of the shared scratchpad, or of the notes that only GMs see (`for_gms`).

    `replaces`: the `mark` of the text that was changed; refused if somebody else has changed it since.
    """

    text: PadText
    replaces: Text
    for_gms: Flag = False
