"""Commands on the table itself."""

from __future__ import annotations

from handful.table.commands.base import CommandBody, command
from handful.table.commands.field_types import (
    CharacterIds,
    ColourName,
    ModeName,
    Name,
    NamedValues,
    PictureHash,
    RoleName,
    RulesHash,
)


@command("open", by="the first seat, which becomes the GM")
class OpenTable(CommandBody):
    """Open the table under a name."""

    table: Name


@command("seat", by="GM")
class GiveSeat(CommandBody):
    """Give a seat to somebody, or let a seat that left come back in the same role."""

    name: Name
    role: RoleName


@command("leave", by="everyone")
class LeaveTable(CommandBody):
    """Leave the table; the GM may name another seat. The last GM cannot leave."""

    name: Name | None = None


@command("style", by="GM, players")
class StyleSeat(CommandBody):
    """Choose the colour of your own seat: red, orange, green, teal, blue, violet, pink or brown."""

    colour: ColourName


@command("picture", by="GM, players")
class PictureSeat(CommandBody):
    """Give your own seat a `picture` that was uploaded, by its hash; an empty one removes it."""

    picture: PictureHash


@command("share_gm", by="GM")
class ShareGm(CommandBody):
    """Give the person at a player's or watcher's seat a GM's seat, too.

    `name`: of the new seat, such as "Ann (GM)".  To hand the table over, leave it afterwards.
    """

    to: Name
    name: Name


@command("house_rules", by="GM")
class SetHouseRules(CommandBody):
    """Set `options` of the ruleset; they apply from the next roll."""

    options: NamedValues


@command("rules", by="GM")
class ChangeRules(CommandBody):
    """Change to rules stored in the table's file.

    `dismisses`: the characters that do not fit them, as listed by the preview.
    Refused while the GM knows of a fight, or of an open roll, request or contest; existing rolls keep
    their rules.
    """

    hash: RulesHash
    dismisses: CharacterIds = ()


@command("visibility", by="GM")
class SetVisibility(CommandBody):
    """Set the most public mode allowed from now on."""

    mode: ModeName
