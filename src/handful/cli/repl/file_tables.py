"""Opens or creates a table in a file, picks the first seat, and runs the REPL."""

from __future__ import annotations

import sys
from functools import partial
from os.path import basename, exists, getsize, isdir, splitext

from handful import library
from handful.cli import console, editing, layout
from handful.cli.check_request import shorten_word
from handful.cli.prompts import Prompter, echo, terminal_prompter
from handful.cli.repl.menu import pick
from handful.cli.repl.phrases import role_text
from handful.cli.repl.repl import Repl
from handful.errors import Message, Refused
from handful.library.files import holds_tables
from handful.library.tables import new_table, open_table
from handful.rules.params import match_name
from handful.rules.ruleset import localize
from handful.store import StoredTable, display_name, is_address
from handful.table import Command

TABLE_SUFFIXES = (".handful", ".db", ".sqlite")


def is_table_file(word: str) -> bool:
    """Tell whether an argument names a table file or a database, not a game or a ruleset file."""
    if is_address(word):
        return True
    if match_name(word, library.shipped()) is not None or isdir(word):
        return False
    if word.lower().endswith(TABLE_SUFFIXES):
        return True
    return exists(word) and holds_tables(word)


def play_file(
    file: str,
    *,
    new: bool = False,
    game: str | None = None,
    gm: str | None = None,
    table: str | None = None,
    seat: str | None = None,
) -> int:
    """Play at the table of a file; return the exit status."""
    is_there = not new if is_address(file) else exists(file) and getsize(file) > 0
    if new and is_there and table is None:
        raise Refused(Message("command.table_exists", file=file))
    by_hand = terminal_prompter() is not None
    if new or not is_there:
        try:
            stored = _create_table(file, game, gm, table, by_hand=by_hand)
        except (console.UserLeft, KeyboardInterrupt):
            echo("\nNo table created." if is_address(file) else f"\nNo table created; {file} does not exist.")
            return console.INTERRUPTED
    else:
        if game is not None or gm is not None:
            raise Refused(Message("command.table_is_not_new", file=display_name(file)))
        stored = open_table(file, table)
    try:
        stored.begin_epoch()
        return _play_table(stored, file, seat, by_hand=by_hand)
    finally:
        stored.store.close()


def _play_table(stored: StoredTable, file: str, seat: str | None, *, by_hand: bool) -> int:
    seats = [name for name in stored.table.seats if name not in stored.table.left_seats]
    if seat is not None and seat not in seats:
        raise Refused(Message("command.no_such_seat", seat=shorten_word(seat), seats=seats))
    if not by_hand:
        repl = Repl(stored, seat or seats[0], interactive=False)
        refused = repl.run_script(sys.stdin or ())
        console.flush()
        return console.USAGE_ERROR if refused else 0
    try:
        if seat is None:
            rows = [(name, role_text(stored.table.role(name))) for name in seats]
            seat = seats[0] if len(seats) == 1 else pick(Prompter(), "Who is playing?", "seat", rows)
        repl = Repl(stored, seat, interactive=True)
        editing.enable(repl.completions)
        repl.run_interactive()
    except (console.UserLeft, KeyboardInterrupt):
        echo("")
    echo("\n".join(layout.wrap_text(f"Saved in {display_name(file)}", 0)))
    return 0


def _create_table(
    file: str, game: str | None, gm: str | None, table: str | None, *, by_hand: bool
) -> StoredTable:
    """Create a table; ask for the game and the GM if they were not given."""
    name = table or splitext(basename(display_name(file)))[0] or "table"
    if game is None or gm is None:
        if not by_hand:
            missing = " and ".join(
                word for word, value in (("--game GAME", game), ("--gm NAME", gm)) if value is None
            )
            raise Refused(Message("command.new_table_needs", file=display_name(file), missing=missing))
        echo(f"New table: {display_name(file)}")
    if game is None:
        games = [library.ruleset(one) for one in library.shipped()]
        rows = [(one.id, f"{one.title}: {localize(one.rules.about)}") for one in games]
        game = pick(Prompter(), "Which game?", "game", rows)
    if gm is None:
        gm = Prompter().ask("Who is the GM? [gm]: ", partial(_read_gm, str(game), name), GM_HELP)
    _validate_names(game, gm, name)
    return new_table(game, name=name, gm=gm, file=file)


GM_HELP = "type the GM's name; give players their seats later: seat NAME player"


def _read_gm(game: str, name: str, typed: str) -> str:
    if typed == "?":
        raise Refused(GM_HELP)  # the prompter prints its help instead
    return _validate_names(game, typed or "gm", name)


def _validate_names(game: str, gm: str, name: str) -> str:
    """Refuse invalid names before the file is created."""
    tried = new_table(game, name=name, gm=f"not {gm}"[:60])
    try:
        tried.do(f"not {gm}"[:60], Command("seat", "try", {"name": gm, "role": "gm"}))
    except Refused as refusal:
        if refusal.code != "table_command.wrong_value":
            raise
        raise Refused(Message("play.gm_name", what=refusal.problem.args["expected"])) from None
    return gm
