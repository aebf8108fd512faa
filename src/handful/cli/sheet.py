"""`handful sheet`: show, check, compare or export a character."""

from __future__ import annotations

import click

from handful import library
from handful.cli import completers, console, layout
from handful.cli.arguments import WithExamples, json_option
from handful.errors import BadCharacter, Message, Refused, format_count
from handful.rules.ruleset import localize

EXAMPLES = [
    ("handful sheet", "list the characters of all games"),
    ("handful sheet mira", "show a character; or give a path to a .json file"),
    ("handful sheet --check mira", "show every mistake in a file"),
    ("handful sheet mira --against tove", "show what would change from tove to mira"),
    ("handful sheet mira --export", "print the file in canonical form"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("character", required=False, shell_complete=completers.characters)
@click.option("--check", is_flag=True, help="Only show mistakes; the exit status is 1 if there are any.")
@click.option(
    "--against",
    metavar="OLD",
    shell_complete=completers.characters,
    help="Show what would change from OLD to this character.",
)
@click.option("--export", is_flag=True, help="Print the character in canonical form.")
@click.option(
    "--ruleset",
    metavar="RULESET",
    shell_complete=completers.rulesets,
    help="The game, if the character does not tell.",
)
@json_option
@click.pass_context
def sheet(
    ctx: click.Context,
    character: str | None,
    check: bool,
    against: str | None,
    export: bool,
    ruleset: str | None,
    as_json: bool,
) -> None:
    """Show, check or compare characters.

    Without a name, it lists the characters of all games.
    """
    if check + export + (against is not None) > 1:
        raise Refused(Message("command.sheet_options"))
    if character is None:
        if check or export or against is not None:
            raise Refused(Message("command.which_character"))
        _list(ruleset, as_json)
    elif check:
        ctx.exit(_check(character, ruleset, as_json))
    elif against is not None:
        _compare(character, against, ruleset, as_json)
    else:
        _show(character, ruleset, export, as_json)


def _show(name: str, ruleset: str | None, export: bool, as_json: bool) -> None:
    from handful.cli.show_sheet import sheet_data, sheet_text
    from handful.library.characters import open_character

    game, character, _ = open_character(name, ruleset)
    if export:
        console.emit(game.export(character).removesuffix("\n"))
    elif as_json:
        console.emit_json(sheet_data(game.rules, character))
    else:
        console.emit(sheet_text(game.rules, character))


def _check(name: str, ruleset: str | None, as_json: bool) -> int:
    from handful.library.characters import open_character

    try:
        game, _, path = open_character(name, ruleset)
        mistakes, summary = [], f"no mistakes ({game.id} {game.hash[:12]})"
    except BadCharacter as bad:
        mistakes, path = list(bad.mistakes), bad.file
        summary = format_count(len(mistakes), "mistake")
    if as_json:
        console.emit_json({"file": path, "mistakes": mistakes})
    else:
        console.emit("\n".join([*mistakes, f"{path}: {summary}"]))
    return 1 if mistakes else 0


def _compare(name: str, against: str, ruleset: str | None, as_json: bool) -> None:
    from handful.cli.show_sheet import change_lines
    from handful.library.characters import open_character

    game, new, _ = open_character(name, ruleset)
    other, old, _ = open_character(against, ruleset)
    if other.id != game.id:
        raise Refused(
            Message(
                "command.sheets_of_two_games", name=new.name, id=game.id, other=old.name, other_id=other.id
            )
        )
    found = game.changes(old, new)
    if as_json:
        console.emit_json({"changes": [one.to_dict() for one in found]})
    elif found:
        console.emit("\n".join([f"{old.name} would change:", *change_lines(found)]))
    else:
        console.emit("no changes")


def _list(ruleset: str | None, as_json: bool) -> None:
    from handful.library.characters import open_character, shipped_characters

    if ruleset is None:
        names = shipped_characters()
    else:
        names = [(ruleset, name) for name in library.ruleset(ruleset).characters()]
    rows = [(game, name, open_character(name, game)[1]) for game, name in names]
    if as_json:
        console.emit_json(
            {
                "characters": [
                    {"ruleset": game, "id": name, "name": one.name, "kind": one.kind}
                    for game, name, one in rows
                ]
            }
        )
        return
    lines = layout.columns(
        [(game, name, _summary(one.name, one.kind, one.notes)) for game, name, one in rows], indent=0
    )
    title = localize(library.ruleset(ruleset).rules.title) if ruleset else ""
    empty = f"{title} has no characters" if title else "no characters"
    console.emit("\n".join(lines) or empty)


def _summary(name: str, kind: str, notes: str) -> str:
    first_line = notes.partition("\n")[0]
    return layout.shorten(f"{name} ({kind})" + (f": {first_line}" if first_line else ""), 56)
