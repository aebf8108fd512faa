"""`handful sheet`: make, show, check, compare or export a character."""

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
    ("handful sheet --new uwr", "make a character: answer the questions, Enter takes the default"),
    ("handful sheet --new me-d6 --random -o nell.json", "one by chance, into a file"),
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
@click.option(
    "--new",
    "game",
    metavar="RULESET",
    shell_complete=completers.rulesets,
    help="Make a character of this game: asks for everything, with defaults.",
)
@click.option("--random", "by_chance", is_flag=True, help="With --new: ask nothing, choose by chance.")
@click.option("--npc", is_flag=True, help="With --new: a character of the GM's.")
@click.option("--seed", type=int, metavar="N", help="With --new: the same seed gives the same choices.")
@click.option("-o", "--output", metavar="FILE", help="With --new: the file to write; it must not exist.")
@json_option
@click.pass_context
def sheet(
    ctx: click.Context,
    character: str | None,
    check: bool,
    against: str | None,
    export: bool,
    ruleset: str | None,
    game: str | None,
    by_chance: bool,
    npc: bool,
    seed: int | None,
    output: str | None,
    as_json: bool,
) -> None:
    """Make, show, check or compare characters.

    Without a name, it lists the characters of all games.
    """
    if check + export + (against is not None) > 1:
        raise Refused(Message("command.sheet_options"))
    if game is not None:
        if character is not None or check or export or against is not None:
            raise Refused(Message("command.new_alone"))
        _make(game, "npc" if npc else "pc", seed, output, by_chance=by_chance, as_json=as_json)
    elif by_chance or npc or seed is not None or output is not None:
        raise Refused(Message("command.only_with_new"))
    elif character is None:
        if check or export or against is not None:
            raise Refused(Message("command.which_character"))
        _list(ruleset, as_json)
    elif check:
        ctx.exit(_check(character, ruleset, as_json))
    elif against is not None:
        _compare(character, against, ruleset, as_json)
    else:
        _show(character, ruleset, export, as_json)


def _make(
    name: str, kind: str, seed: int | None, output: str | None, *, by_chance: bool, as_json: bool
) -> None:
    """Make a character and write its file; without a file name, print it or ask for one."""
    from os.path import exists

    from handful.cli.new_character import file_name, make_character
    from handful.cli.prompts import read_line, terminal_prompter
    from handful.cli.show_sheet import sheet_data, sheet_text
    from handful.library.files import write_atomically
    from handful.library.simulation import own_seed

    def require_new(path: str) -> str:
        if exists(path):
            raise Refused(Message("command.file_exists", path=path))
        return path

    if output is not None:
        require_new(output)  # before all the questions
    game = library.ruleset(name)
    made = make_character(game, kind, own_seed(seed), by_chance=by_chance)
    text = game.export(made)
    if output is None and not by_chance and terminal_prompter() is not None:
        usual = file_name(made.name)
        console.emit("\n" + sheet_text(game.rules, made))
        output = require_new(read_line(f"file [{usual}]: ") or usual)
    if output is None:
        console.emit(text.removesuffix("\n"))
        return
    write_atomically(output, text.encode())
    if as_json:
        console.emit_json({"file": output, **sheet_data(game.rules, made)})
    else:
        console.emit(
            f"wrote {output}: {made.name}\nnext: handful sheet {output}, handful play {game.id} --as {output}"
        )


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
