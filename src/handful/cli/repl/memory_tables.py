"""Tables in memory, one for each game that is played: one seat that is GM and player.

There is no file, and nothing is kept.  The words are those of every other table.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from handful import library
from handful.cli import console, editing, layout
from handful.cli.prompts import Prompter, echo, echo_error, explanation_lines, terminal_prompter
from handful.cli.repl import characters as characters
from handful.cli.repl.checks import ask, make_current, read_check
from handful.cli.repl.dispatch import COMMANDS, OtherGame, names_game, obey, run_command
from handful.cli.repl.house_rules import house_rules
from handful.cli.repl.menu import menu_lines, picked
from handful.cli.repl.parsing import check_named, split, take_flags
from handful.cli.repl.phrases import YOU
from handful.cli.repl.repl import Repl
from handful.cli.repl.script import play_script
from handful.errors import HandfulError, Refused
from handful.library.tables import new_table
from handful.rules.params import match_name, normalize_name
from handful.rules.ruleset import localize

Words = Sequence[str]
HELLO = "Handful: a roll by the rules, with its exact odds."
HOW = "Pick by number or name, or type a check in one line; help explains, quit leaves."
GAMES = (
    "type a number or the name of a game, a path to one of your own, or a check in one line, such "
    "as: uwr direct attribute=4 target=2"
)
SCRIPT = "A table in memory: the lines of standard input are played, and nothing is kept."
GOODBYE = "nothing of this is kept; handful play evening.handful keeps a table in a file"


def play(words: Words, who: str | None = None, options: Words = ()) -> int:
    """Play at tables in memory, from a game or from nothing; return the exit status."""
    if options and not words and who is None:
        raise Refused("house rules belong to a game; name it first")
    flags = [*([f"--as={who}"] if who is not None else []), *(f"--option={one}" for one in options)]
    tables = Tables(by_hand=terminal_prompter() is not None)
    if tables.by_hand:
        tables.lead([*words, *flags])
        return 0
    echo("\n".join(layout.wrap_text(SCRIPT, 0, 2)))
    if words or flags:
        tables.begin([*words, *flags])
    refused = play_script(sys.stdin or (), tables.prompt, tables.obey)
    console.flush()
    return console.USAGE_ERROR if refused else 0


class Tables:
    """The tables of one sitting, by game."""

    def __init__(self, *, by_hand: bool) -> None:
        self.by_hand = by_hand
        self.tables: dict[str, Repl] = {}
        self.now: Repl | None = None

    # -- which game

    def sit_at(self, game: str) -> Repl:
        """The table of a game; there is one for each."""
        if game not in self.tables:
            name = game if game in library.known() else "table"
            kept = new_table(game, name=name, gm=YOU)
            self.tables[game] = Repl(kept, YOU, by_hand=self.by_hand, in_memory=True)
        self.now = self.tables[game]
        return self.now

    def _settle(self, words: Words) -> tuple[Repl, list[str]]:
        """Open the table that a line speaks of, with its house rules and whoever makes the checks.

        The game may be left out where a character says which it is.  The rest of the line is left.
        """
        plain, who, options = take_flags(words)
        if plain:
            game = match_name(plain[0], library.known()) or plain[0]
            del plain[0]
        elif who:
            from handful.library.characters import opened

            found, _, _ = opened(who)
            game = found.id if found.id in library.known() else found.file
        else:
            raise Refused("which game?")
        repl = self.sit_at(game)
        if options:
            house_rules(repl, options)
        if who:
            characters.choose(repl, [who])
        return repl, plain

    def begin(self, words: Words) -> Repl:
        """Open what the command line asked for; a check waits for Enter below its odds."""
        repl, rest = self._settle(words)
        named = check_named(repl.rules, rest[0]) if len(rest) == 1 else None
        if named and self.by_hand:
            ask(repl, repl.rules.check(named))
        elif rest:
            make_current(repl, read_check(repl, rest))
        return repl

    def turn(self, words: Words) -> None:
        """Another game, in the middle of a conversation; what is said of it is done at once."""
        repl, rest = self._settle(words)
        if rest:
            obey(repl, rest)
        elif self.by_hand:
            repl.sit()

    # -- lines

    def obey(self, line: str) -> None:
        """One line, at the table of a game or before there is one."""
        try:
            if self.now is None:
                self._before_a_game(split(line) or [""])
            else:
                self.now.obey(line)
        except OtherGame as other:
            self.now = None if not other.words else self.now
            if other.words:
                self.turn(other.words)

    def _before_a_game(self, words: Words) -> None:
        if normalize_name(words[0]) == "handful" and len(words) > 1:
            words = words[1:]
        if words[0] in COMMANDS:
            run_command(words)
        elif words[0] in ("roll", "d", "dice") and len(words) > 1 and names_game(words[1]):
            self.turn([words[1], words[0], *words[2:]])
        elif names_game(words[0]) or words[0].startswith("--as") or "/" in words[0]:
            self.turn(words)
        elif normalize_name(words[0]) in ("help", "?"):
            echo("\n".join(explanation_lines(f"{GAMES}\nquit leaves")))
        elif normalize_name(words[0]) == "back":
            raise Refused("this is the beginning; quit leaves")
        else:
            self.turn([picked(" ".join(words), library.shipped())])

    def prompt(self) -> str:
        if self.now is None:
            return "game> "
        self.now.hear()
        return self.now.prompt()

    def lead(self, words: Words) -> None:
        """Somebody at a terminal, from what the command line said until they leave."""
        editing.enable(self.offers)
        try:
            if len(words) < 2:
                echo(f"{HELLO}\n{HOW}")
            first = self.begin(words) if words else None
            if first is not None and first.current is None:
                first.sit()
            while True:
                if self.now is None:
                    self._ask_game()
                else:
                    self.now.step(self.obey)
        except (console.UserLeft, KeyboardInterrupt):
            echo("")
        echo("\n".join(layout.wrap_text(GOODBYE, 0)))

    def _ask_game(self) -> None:
        games = [library.ruleset(name) for name in library.shipped()]
        rows = [(game.id, f"{game.title}: {localize(game.rules.about)}") for game in games]
        echo("\n".join(menu_lines("\nWhich game?", rows)))
        asked = Prompter()
        while self.now is None:
            line = asked.ask("game [1]: ", lambda typed: typed or "1", GAMES)
            editing.add_history(line)
            try:
                self.obey(line)
            except HandfulError as trouble:
                echo_error(trouble)

    def offers(self, before: Words, begun: str) -> list[str]:
        """Completions for Tab."""
        if self.now is not None:
            return list(self.now.offers(before, begun))
        from handful.cli import completers

        first = [*library.shipped(), "help", "quit"] if not before else []
        return first + completers.complete_line(["odds", *before], begun)
