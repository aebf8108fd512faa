"""`handful sheet`: characters, their mistakes, and what an import would change."""

from __future__ import annotations

import click

from handful import library
from handful.cli import completers, console, layout
from handful.cli.arguments import WithExamples, json_option
from handful.errors import BadCharacter, Refused, format_count
from handful.rules.ruleset import localize

EXAMPLES = [
    ("handful sheet", "the characters that come with the games"),
    ("handful sheet mira", "one of them; a path to a .json file will do as well"),
    ("handful sheet --check mira", "every mistake in a file, a line each"),
    ("handful sheet mira --against tove", "what would change if mira took tove's place"),
    ("handful sheet mira --export", "the file as handful writes it"),
]


@click.command(cls=WithExamples, examples=EXAMPLES)
@click.argument("character", required=False, shell_complete=completers.characters)
@click.option("--check", is_flag=True, help="Only look for mistakes; the status is 1 if any.")
@click.option(
    "--against",
    metavar="OLD",
    shell_complete=completers.characters,
    help="Show what would change from another file to this one.",
)
@click.option("--export", is_flag=True, help="Print the character in canonical form.")
@click.option(
    "--ruleset",
    metavar="RULESET",
    shell_complete=completers.rulesets,
    help="The game, where the character's own word is not enough.",
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
    """Show a character: numbers, what follows from them, conditions and traits.

    Without a name it lists the characters that come with the games.
    """
    if check + export + (against is not None) > 1:
        raise Refused("--check, --against and --export do different things; give one of them")
    if character is None:
        if check or export or against is not None:
            raise Refused("which character? give its name, or a path to a .json file")
        _list(ruleset, as_json)
    elif check:
        ctx.exit(_check(character, ruleset, as_json))
    elif against is not None:
        _compare(character, against, ruleset, as_json)
    else:
        _show(character, ruleset, export, as_json)


def _show(name: str, ruleset: str | None, export: bool, as_json: bool) -> None:
    from handful.cli.show_sheet import sheet_data, sheet_text
    from handful.library.characters import opened

    game, character, _ = opened(name, ruleset)
    if export:
        console.emit(game.export(character).removesuffix("\n"))
    elif as_json:
        console.emit_json(sheet_data(game.rules, character))
    else:
        console.emit(sheet_text(game.rules, character))


def _check(name: str, ruleset: str | None, as_json: bool) -> int:
    from handful.library.characters import opened

    try:
        game, _, path = opened(name, ruleset)
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
    from handful.library.characters import opened

    game, new, _ = opened(name, ruleset)
    other, old, _ = opened(against, ruleset)
    if other.id != game.id:
        raise Refused(
            f"{new.name} is of {game.id} and {old.name} of {other.id}; two sheets of one game can be compared"
        )
    found = game.changes(old, new)
    if as_json:
        console.emit_json({"changes": [one.to_dict() for one in found]})
    elif found:
        console.emit("\n".join([f"{old.name} would change:", *change_lines(found)]))
    else:
        console.emit("nothing would change")


def _list(ruleset: str | None, as_json: bool) -> None:
    from handful.library.characters import opened, shipped_characters

    if ruleset is None:
        names = shipped_characters()
    else:
        names = [(ruleset, name) for name in library.ruleset(ruleset).characters()]
    rows = [(game, name, opened(name, game)[1]) for game, name in names]
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
    shown = [(game, name, _line(one.name, one.kind, one.notes)) for game, name, one in rows]
    title = localize(library.ruleset(ruleset).rules.title) if ruleset else ""
    nobody = f"{title} comes with no characters" if title else "there are no characters"
    console.emit("\n".join(layout.columns(shown, indent=0)) or nobody)


def _line(name: str, kind: str, notes: str) -> str:
    first = notes.partition("\n")[0]
    return layout.shorten(f"{name} ({kind})" + (f": {first}" if first else ""), 56)
