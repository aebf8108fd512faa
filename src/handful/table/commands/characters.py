"""Commands on characters."""

from __future__ import annotations

from handful.table.commands.base import CharacterCommand, CommandBody, command
from handful.table.commands.field_types import (
    Amount,
    Copies,
    Count,
    Flag,
    Name,
    NamedValues,
    PictureHash,
    Points,
    SheetModeName,
    SheetName,
    Text,
)


@command("bring", by="GM, players")
class BringCharacter(CommandBody):
    """Bring a character's `sheet`, or a newer one of a character that is there.

    `replaces`: the `mark` of the sheet it is based on. Only the GM brings one `for` another seat.
    `copies`: brings that many, numbered: Raider 1, Raider 2; for the GM.
    """

    sheet: NamedValues
    for_seat: Name | None = None
    shown: SheetModeName | None = None
    replaces: Text | None = None
    copies: Copies | None = None


@command("show", by="GM, the owner of a PC")
class ShowCharacter(CharacterCommand):
    """Set who sees the sheet: open, own or hidden."""

    shown: SheetModeName


@command("portrait", by="GM, the owner of a PC")
class PictureCharacter(CharacterCommand):
    """Give a character a `picture` that was uploaded, by its hash; whoever knows of the character sees it."""

    picture: PictureHash


@command("rename", by="GM, the owner of a PC")
class RenameCharacter(CharacterCommand):
    """Give a character another `name`; it stays the same character, with its history."""

    name: SheetName


@command("adjust", by="GM")
class AdjustPoints(CharacterCommand):
    """Change points by positive or negative numbers."""

    resources: Points
    words: Text = ""


@command("use", by="owner, GM")
class UsePoint(CharacterCommand):
    """Spend a point of a resource; `use`: what it buys."""

    resource: Name
    use: Name


@command("harm", by="GM")
class HarmCharacter(CharacterCommand):
    """Subtract `damage`, reduced by `resist`: numbers, or finalised rolls."""

    damage: Amount
    resist: Amount = 0
    words: Text = ""


@command("undo_points", by="GM")
class UndoPoints(CharacterCommand):
    """Undo the last change of points, if no dice of the character followed."""


@command("equip", by="GM")
class EquipItem(CharacterCommand):
    """Set the `uses` of an item per round (default 1); `hot`: it is overheated."""

    item: Name
    uses: Count | None = None
    hot: Flag | None = None


@command("forget", by="GM")
class ForgetTask(CharacterCommand):
    """Let failed attempts at a task no longer count."""

    task: Name


@command("dismiss", by="GM, the owner of a PC")
class DismissCharacter(CharacterCommand):
    """Remove a character, unless it is part of an unfinished roll that everyone sees."""
