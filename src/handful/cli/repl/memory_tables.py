"""Tables in memory, one per game: a single seat is both GM and player.

Nothing is saved.  The commands are those of every other table.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from handful import library
from handful.cli import console, editing, layout
from handful.cli.prompts import Prompter, echo, echo_error, explanation_lines, terminal_prompter
from handful.cli.repl import characters as characters
from handful.cli.repl.checks import ask_for_check, make_current, read_check
from handful.cli.repl.dispatch import SHELL_COMMANDS, OtherGame, is_game, run_shell_command, run_words
from handful.cli.repl.house_rules import house_rules
from handful.cli.repl.menu import find_choice, menu_lines
from handful.cli.repl.parsing import find_check, split, take_flags
from handful.cli.repl.phrases import YOU
from handful.cli.repl.repl import Repl
from handful.cli.repl.script import run_script
from handful.errors import HandfulError, Message, Refused
from handful.library.tables import new_table
from handful.rules.params import match_name, normalize_name
from handful.rules.ruleset import localize

Words = Sequence[str]
WELCOME = "A handful of dice, played by the rules."
PICK_HINT = "Pick by number or name, or type a whole check; help explains, quit leaves."
GAME_HELP = (
    "type the number or name of a game, the path to one of your own, or a whole check, such as: "
    "uwr direct attribute=4 target=2"
)
SCRIPT_NOTICE = "Playing standard input at a table in memory; nothing is saved."
GOODBYE = "Nothing was saved. To keep a table, name a file: handful play evening.handful"


def play(words: Words, who: str | None = None, options: Words = ()) -> int:
    """Play at tables in memory, with or without a game named; return the exit status."""
    if options and not words and who is None:
        raise Refused(Message("play.name_game_first"))
    flags = [*([f"--as={who}"] if who is not None else []), *(f"--option={one}" for one in options)]
    tables = MemoryTables(interactive=terminal_prompter() is not None)
    if tables.interactive:
        tables.run_interactive([*words, *flags])
        return 0
    echo("\n".join(layout.wrap_text(SCRIPT_NOTICE, 0, 2)))
    if words or flags:
        tables.start([*words, *flags])
    refused = run_script(sys.stdin or (), tables.prompt, tables.run_line)
    console.flush()
    return console.USAGE_ERROR if refused else 0


class MemoryTables:
    """The tables of one session, by game."""

    def __init__(self, *, interactive: bool) -> None:
        self.interactive = interactive
        self.tables: dict[str, Repl] = {}
        self.current: Repl | None = None

    # -- which game

    def open_game(self, game: str) -> Repl:
        """Return the table of a game, creating it on first use."""
        if game not in self.tables:
            name = game if game in library.known() else "table"
            stored = new_table(game, name=name, gm=YOU)
            self.tables[game] = Repl(stored, YOU, interactive=self.interactive, in_memory=True)
        self.current = self.tables[game]
        return self.current

    def _open_from_words(self, words: Words) -> tuple[Repl, list[str]]:
        """Open the table a line names, with its house rules and character; return the rest of the line.

        The game may be left out if a character implies it.
        """
        rest, who, options = take_flags(words)
        if rest:
            game = match_name(rest[0], library.known()) or rest[0]
            del rest[0]
        elif who:
            from handful.library.characters import open_character

            found, _, _ = open_character(who)
            game = found.id if found.id in library.known() else found.file
        else:
            raise Refused(Message("play.which_game"))
        repl = self.open_game(game)
        if options:
            house_rules(repl, options)
        if who:
            characters.choose_character(repl, [who])
        return repl, rest

    def start(self, words: Words) -> Repl:
        """Open what the command line asked for; a check is shown with its odds and waits for Enter."""
        repl, rest = self._open_from_words(words)
        named = find_check(repl.rules, rest[0]) if len(rest) == 1 else None
        if named and self.interactive:
            ask_for_check(repl, repl.rules.check(named))
        elif rest:
            make_current(repl, read_check(repl, rest))
        return repl

    def switch_game(self, words: Words) -> None:
        """Switch to another game and run the rest of the line at once."""
        repl, rest = self._open_from_words(words)
        if rest:
            run_words(repl, rest)
        elif self.interactive:
            repl.show_table()

    # -- lines

    def run_line(self, line: str) -> None:
        """Run a line, at the current table or before a game is chosen."""
        try:
            if self.current is None:
                self._run_before_game(split(line) or [""])
            else:
                self.current.run_line(line)
        except OtherGame as other:
            self.current = None if not other.words else self.current
            if other.words:
                self.switch_game(other.words)

    def _run_before_game(self, words: Words) -> None:
        if normalize_name(words[0]) == "handful" and len(words) > 1:
            words = words[1:]
        if words[0] in SHELL_COMMANDS:
            run_shell_command(words)
        elif words[0] in ("roll", "d", "dice") and len(words) > 1 and is_game(words[1]):
            self.switch_game([words[1], words[0], *words[2:]])
        elif is_game(words[0]) or words[0].startswith("--as") or "/" in words[0]:
            self.switch_game(words)
        elif normalize_name(words[0]) in ("help", "?"):
            echo("\n".join(explanation_lines(f"{GAME_HELP}\nquit leaves")))
        elif normalize_name(words[0]) == "back":
            raise Refused(Message("play.at_the_beginning"))
        else:
            self.switch_game([find_choice(" ".join(words), library.shipped())])

    def prompt(self) -> str:
        if self.current is None:
            return "game> "
        self.current.read_events()
        return self.current.prompt()

    def run_interactive(self, words: Words) -> None:
        """Run in a terminal until the user leaves."""
        editing.enable(self.completions)
        try:
            if len(words) < 2:
                echo(f"{WELCOME}\n{PICK_HINT}")
            first = self.start(words) if words else None
            if first is not None and first.current is None:
                first.show_table()
            while True:
                if self.current is None:
                    self._ask_game()
                else:
                    self.current.step(self.run_line)
        except (console.UserLeft, KeyboardInterrupt):
            echo("")
        echo("\n".join(layout.wrap_text(GOODBYE, 0)))

    def _ask_game(self) -> None:
        games = [library.ruleset(name) for name in library.shipped()]
        rows = [(game.id, f"{game.title}: {localize(game.rules.about)}") for game in games]
        echo("\n".join(menu_lines("\nWhich game?", rows)))
        asked = Prompter()
        while self.current is None:
            line = asked.ask("game [1]: ", lambda typed: typed or "1", GAME_HELP)
            editing.add_history(line)
            try:
                self.run_line(line)
            except HandfulError as error:
                echo_error(error)

    def completions(self, before: Words, begun: str) -> list[str]:
        """Completions for Tab."""
        if self.current is not None:
            return list(self.current.completions(before, begun))
        from handful.cli import completers

        first = [*library.shipped(), "help", "quit"] if not before else []
        return first + completers.complete_line(["odds", *before], begun)
