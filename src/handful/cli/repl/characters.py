"""Commands about seats, characters and their points and items."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.cli import layout
from handful.cli.check_request import shorten_word
from handful.cli.prompts import echo
from handful.cli.repl import names, parsing, show_table
from handful.cli.repl.phrases import item_text, without_owner
from handful.cli.repl.sheet_access import NOBODY, default_character
from handful.cli.show_sheet import sheet_text
from handful.errors import NO_MESSAGE, Message, Refused
from handful.library.characters import sheet_for
from handful.library.simulation import own_seed
from handful.rules.params import find_name, match_name, normalize_name
from handful.sheet import export_character, new_character
from handful.table import SHEET_MODES, known_to, preview_sheet

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]
ROLES = ("player", "gm", "watcher")


# -- seats


def seats(repl: Repl, words: Words) -> None:
    echo("\n".join(show_table.seat_lines(repl.rules, repl.view())))


def seat(repl: Repl, words: Words) -> None:
    """Pass the screen (`seat NAME`), or create a seat (`seat NAME player`)."""
    if len(words) not in (1, 2):
        echo("\n".join(show_table.seat_lines(repl.rules, repl.view())))
        raise Refused(Message("play.seat_whose"))
    if len(words) == 2:
        if (role := match_name(words[1], ROLES)) is None:
            raise Refused(Message("play.unknown_role", words=shorten_word(words[1]), roles=ROLES))
        repl.submit("seat", name=words[0], role=role)
        return
    try:
        name = names.seat(repl.view(), words[0])
    except Refused as refusal:
        new_seat = Message("play.new_seat", name=shorten_word(words[0]))
        more = new_seat if repl.role == "gm" else NO_MESSAGE
        raise Refused(refusal.problem, refusal.advice or more) from None
    repl.pass_to(name)


def leave(repl: Repl, words: Words) -> None:
    name = names.seat(repl.view(), words[0]) if words else None
    repl.submit("leave", name=name)


def colour(repl: Repl, words: Words) -> None:
    """Choose the colour of the own seat: `colour teal`."""
    repl.submit("style", colour=" ".join(words))


# -- characters


def bring(repl: Repl, words: Words) -> None:
    """Add a character from a file, or one shipped with the game."""
    read = parsing.parse_words(words, ("for", "shown", "copies"))
    owner, shown, copies = read.take("for"), read.take("shown"), read.take("copies")
    name = read.rest()
    if not name:
        raise Refused(Message("play.bring_whom"))
    _bring(repl, json.loads(sheet_for(repl.rules, repl.stored.header.game, name)), owner, shown, copies)


def create(repl: Repl, words: Words) -> None:
    """Make a character that is ready to play, and add it."""
    read = parsing.parse_words(words, ("for", "shown", "start"))
    owner, shown, start = read.take("for"), read.take("shown"), read.take("start")
    made = new_character(repl.rules, read.rest(), quick=start or True, seed=own_seed(None))
    _bring(repl, json.loads(export_character(repl.rules, made)), owner, shown)


def rename(repl: Repl, words: Words) -> None:
    """Give a character another name: `rename mira to=Mira Quill`."""
    before, _, after = " ".join(words).partition(" to")
    new = after.lstrip("= ").strip()
    if not before or not new:
        raise Refused(Message("play.rename_whom"))
    repl.submit("rename", character=_find_character(repl, repl.view(), before), name=new)


def _bring(
    repl: Repl, sheet: dict[str, Any], owner: str | None, shown: str | None, copies: str | None = None
) -> None:
    """Add a character, or a newer sheet of one that is here, after showing what changes."""
    to = names.seat(repl.view(), owner) if owner else None
    found = preview_sheet(repl.table, repl.seat, sheet, to)
    shown = shown or ("open" if repl.is_solo else None)
    data: dict[str, Any] = {"sheet": sheet, "for": to, "shown": shown and shown.lower()}
    if copies:
        repl.submit("bring", copies=parsing.parse_number(copies, "copies"), **data)
        return
    if not found["new"]:
        data["replaces"] = found["replaces"]
        for change in found["changes"]:
            echo("\n".join(layout.wrap_text(change["says"], 2, 4)))
    repl.submit("bring", **data)


def choose_character(repl: Repl, words: Words) -> None:
    """Set the default character of this seat (`as NAME`); add it to the table if it is missing."""
    name = " ".join(words)
    if not name:
        raise Refused(Message("play.as_whom"))
    if normalize_name(name) in NOBODY:
        repl.default_characters[repl.seat] = ""
        echo("  no character: your checks use plain numbers from now on")
        return
    try:
        found = names.character(repl.view(), name)
    except Refused as refusal:
        if refusal.code == "play.ambiguous_name":
            raise
        bring(repl, words)
        found = names.own_characters(repl.view())[-1]
    repl.default_characters[repl.seat] = found
    echo("\n".join(layout.wrap_text(f"{without_owner(found)} makes your checks from now on", 2, 4)))


def sheet(repl: Repl, words: Words) -> None:
    view = repl.view()
    name = _find_character(repl, view, " ".join(words))
    character = known_to(repl.table, repl.seat).characters[name]
    if character.sheet is None:
        raise Refused(Message("play.sheet_hidden", seat=repl.seat, name=character.name))
    echo(sheet_text(repl.rules, character.sheet))
    (seen,) = (one for one in view["characters"] if one["character"] == name)
    items = [(item, item_text(state)) for item, state in seen["items"].items()]
    tasks = [(task, f"failed with {', '.join(map(str, f))}") for task, f in seen["tasks"].items()]
    echo("\n".join(layout.section("at the table", layout.columns([*items, *tasks]))))


def _find_character(repl: Repl, view: names.View, typed: str) -> str:
    """Find a character: by name, else the default one of this seat, else its only one."""
    if typed:
        return names.character(view, typed)
    if usual := default_character(repl):
        return usual
    visible = [one["character"] for one in view["characters"] if "sheet" in one]
    own = names.own_characters(view) or visible
    if len(own) != 1:
        raise Refused(
            Message("play.sheet_whose", visible=visible) if visible else Message("play.no_character_yet")
        )
    return own[0]


def show(repl: Repl, words: Words) -> None:
    """Set who sees a sheet: `show CHARACTER open|own|hidden`."""
    if not words or (shown := match_name(words[-1], SHEET_MODES)) is None:
        raise Refused(Message("play.show_how", sheet_modes=SHEET_MODES))
    repl.submit("show", character=_find_character(repl, repl.view(), " ".join(words[:-1])), shown=shown)


def dismiss(repl: Repl, words: Words) -> None:
    repl.submit("dismiss", character=_find_character(repl, repl.view(), " ".join(words)))


def _resources(repl: Repl) -> dict[str, Any]:
    sheet = repl.rules.sheet
    return dict(sheet.resources) if sheet else {}


def adjust(repl: Repl, words: Words) -> None:
    """Change points: `adjust NAME vitality=-2 [WORDS]`."""
    resources = _resources(repl)
    read = parsing.parse_words(words, resources)
    name = _find_character(repl, repl.view(), read.first("whose points? adjust NAME POINTS=-1"))
    if not read.named:
        raise Refused(Message("play.adjust_which", resources="=-1, ".join(resources)))
    points = {one: parsing.parse_number(value, one) for one, value in read.named.items()}
    repl.submit("adjust", character=name, resources=points, words=read.rest() or None)


def use(repl: Repl, words: Words) -> None:
    """Spend a point on an effect without a roll: `use [NAME] POINT USE`."""
    resources = _resources(repl)
    offers = [(one, use) for one, resource in resources.items() for use in resource.uses]
    if not offers:
        raise Refused(Message("play.no_free_use"))
    if len(words) < 2:
        raise Refused(Message("play.use_what_for", offers=(f"{one} {use}" for one, use in offers)))
    resource = find_name(words[-2], resources, "resource")
    wanted = find_name(words[-1], resources[resource].uses, "use", resource)
    who = _find_character(repl, repl.view(), " ".join(words[:-2]))
    repl.submit("use", character=who, resource=resource, use=wanted)


def harm(repl: Repl, words: Words) -> None:
    """Apply damage, given as numbers or rolls: `harm NAME DAMAGE [resist=N] [WORDS]`."""
    view = repl.view()
    read = parsing.parse_words(words, ("resist",))
    who = names.character(view, read.first("who is harmed? harm NAME DAMAGE"))
    damage = _amount(view, read.first("how much? harm NAME DAMAGE, a number or a roll"))
    resist = read.take("resist")
    repl.submit(
        "harm",
        character=who,
        damage=damage,
        words=read.rest() or None,
        resist=_amount(view, resist) if resist else None,
    )


def _amount(view: names.View, typed: str) -> int | str:
    return int(typed) if typed.isascii() and typed.isdecimal() else names.roll(view, typed)


def undo_points(repl: Repl, words: Words) -> None:
    view = repl.view()
    if words:
        name = names.character(view, " ".join(words))
    else:
        name = names.last_possible(view, "undo_points", "character")
    repl.submit("undo_points", character=name)


def equip(repl: Repl, words: Words) -> None:
    """Set the state of an item: `equip NAME ITEM [uses=2] [hot=no]`."""
    read = parsing.parse_words(words, ("uses", "hot"))
    who = names.character(repl.view(), read.first("whose? equip NAME ITEM"))
    uses, hot, item = read.take("uses"), read.take("hot"), read.rest()
    if not item:
        raise Refused(Message("play.equip_which"))
    repl.submit(
        "equip",
        character=who,
        item=item,
        uses=parsing.parse_number(uses, "uses") if uses else None,
        hot=parsing.parse_yes_no(hot) if hot else None,
    )


def forget(repl: Repl, words: Words) -> None:
    read = parsing.parse_words(words)
    who = names.character(repl.view(), read.first("whose? forget NAME TASK"))
    repl.submit("forget", character=who, task=read.rest())
