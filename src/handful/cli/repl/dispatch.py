"""Dispatches a typed line: a command, a check, a change of the current check, or a shell command.

roll direct attribute=4 target=2      a command of the REPL
direct attribute=4 target=2           a check: rolled likewise
target=3                              a change of the current check
tuurna check level=5                  another game, at a table in memory
simulate uwr direct attribute=4       any other command of handful
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from os.path import exists, isdir, join
from typing import TYPE_CHECKING

from handful import library
from handful.cli import console
from handful.cli.check_request import parse_digits, shorten_word
from handful.cli.repl import characters, checks
from handful.cli.repl.checks import CommandInstead, playable_checks
from handful.cli.repl.commands import READ_ONLY, REPL_COMMANDS, command_names, find_command
from handful.cli.repl.free_dice import is_free_roll
from handful.cli.repl.house_rules import house_rules
from handful.cli.repl.multiword_names import join_names, multiword_names
from handful.cli.repl.parameters import BACK, DONE, Back, SkipRest
from handful.cli.repl.parsing import find_check, split, take_flags
from handful.errors import HandfulError, Message, Refused, did_you_mean
from handful.rules.params import match_name, normalize_name

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]
# only commands that read no table: others could reveal secrets to the seat at the screen
SHELL_COMMANDS = (
    "rulesets",
    "checks",
    "odds",
    "simulate",
    "table",
    "solve",
    "diff",
    "claims",
    "sheet",
    "lint",
    "schema",
    "test",
    "new",
    "docs",
    "completion",
)


class OtherGame(Exception):
    """The user asked for another game, which has another table in memory."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = list(words)  # the game and the rest of the line; empty: show the menu of games


def run_words(repl: Repl, words: Words) -> None:
    """Run the words of a line."""
    if normalize_name(words[0]) == "handful" and len(words) > 1:
        words = words[1:]
    if _is_command(repl, words):
        run_shell_command(words, repl.stored.header.game)
        return
    plain, who, options = take_flags(words)
    if (place := _game_index(repl, plain)) is not None:
        game = plain.pop(place)
        if not _is_this_game(repl, game):
            rest = list(words)
            rest.remove(game)
            _switch_game(repl, [game, *rest])
        if not plain:
            repl.show_state()
    if options:
        house_rules(repl, options)
    if who:
        characters.choose_character(repl, [who])
    if plain:
        _run_table_command(repl, join_names(plain, multiword_names(repl.rules, repl.view())))


def _run_table_command(repl: Repl, words: Words) -> None:
    word, rest = find_command(repl.rules, words)
    named = find_check(repl.rules, words[0]) is not None
    if word is not None and not (named and rest and "=" in rest[0]):
        word.handler(repl, rest)
    elif named or is_free_roll(words):
        checks.roll(repl, words)
    elif "=" in words[0] and repl.current is not None:
        checks.change(repl, words)
    elif repl.is_solo and len(words) == 1 and parse_digits(words[0]) is not None:
        _roll_by_number(repl, words[0])
    else:
        _roll_by_words(repl, words)


def _roll_by_words(repl: Repl, words: Words) -> None:
    """Roll a check given in the rulebook's words: `grace acrobatics difficult`."""
    try:
        read = checks.read_check(repl, words)
    except Refused:
        if "=" in words[0] or _is_understood(repl, words[0]):
            raise
        raise unknown_word(repl, words[0]) from None
    checks.roll_now(repl, read)


def _is_understood(repl: Repl, word: str) -> bool:
    """Tell whether one word is enough to parse as a check in the rulebook's words."""
    with suppress(Refused):
        checks.read_check(repl, [word])
        return True
    return False


def _roll_by_number(repl: Repl, typed: str) -> None:
    check_names, number = playable_checks(repl.rules), parse_digits(typed) or 0
    if not 1 <= number <= len(check_names):
        raise Refused(Message("play.unknown_check_number", typed=shorten_word(typed), most=len(check_names)))
    checks.roll(repl, [check_names[number - 1]])


def unknown_word(repl: Repl, word: str) -> Refused:
    """Build the refusal of an unknown word."""
    candidates = [*command_names(repl.rules), *playable_checks(repl.rules), *library.shipped()]
    meant = did_you_mean(normalize_name(word), candidates)
    return Refused(Message("play.unknown_word", word=shorten_word(word)), meant)


# -- games


def _game_index(repl: Repl, words: Words) -> int | None:
    """Return the index of the game in a line: its first word, or the one after `roll`."""
    behind = len(words) > 1 and match_name(words[0], ("roll", "r", "odds", "d", "dice")) is not None
    place = 1 if behind else 0
    if not words[place:] or find_check(repl.rules, words[place]) is not None:
        return None
    followed = len(words) > 1 and find_check(repl.rules, words[1]) is not None
    if not behind and not followed and find_command(repl.rules, words)[0] is not None:
        return None
    return place if _is_this_game(repl, words[place]) or is_game(words[place]) else None


def _is_this_game(repl: Repl, word: str) -> bool:
    return match_name(word, (repl.rules.id,)) is not None or word == repl.stored.header.game


def is_game(word: str) -> bool:
    """Tell whether a word is a game: a shipped one, a file, or a folder that holds one."""
    if match_name(word, library.known()) is not None or word.lower().endswith(".toml"):
        return True
    return word.isprintable() and isdir(word) and exists(join(word, "ruleset.toml"))


def _switch_game(repl: Repl, words: Words) -> None:
    if not repl.in_memory:
        game = shorten_word(words[0])
        raise Refused(
            Message("play.table_plays", id=repl.rules.id),
            Message("play.change_rules", game=game),
        )
    raise OtherGame(words)


def step_back(repl: Repl, words: Words) -> None:
    """Go one step back: from the current check to the checks, from these to the games."""
    if repl.current is not None:
        del repl.current_checks[repl.seat]
        repl.odds_shown, repl.pending_roll = False, ""
        repl.show_state()
    elif repl.in_memory:
        raise OtherGame([])
    else:
        raise Refused(Message("play.nothing_to_go_back_from"))


# -- other commands of handful


def _is_command(repl: Repl, words: Words) -> bool:
    """Tell whether a line is a shell command of handful, not a command or check of the table."""
    if words[0] not in SHELL_COMMANDS:
        return False
    if words[0] == "odds":
        game_index = _game_index(repl, words[:2])
        return game_index == 1 and not _is_this_game(repl, words[1])
    is_table_command = find_command(repl.rules, words)[0] is not None
    return not is_table_command and match_name(words[0], repl.rules.checks) is None


def run_shell_command(words: Words, game: str = "") -> None:
    """Run any other command of handful, as if typed at a shell."""
    from handful.cli.app import handful

    args = [*words, game] if list(words) == ["checks"] and game else list(words)
    try:
        handful.main(args, prog_name="handful", standalone_mode=False)
    except HandfulError:
        raise
    except Exception as error:  # mostly raised by click
        console.flush()
        console.report_error(error)


# -- in the middle of questions


def handle_other_input(repl: Repl, typed: str, refusal: Refused) -> None:
    """Handle a line that does not answer the question: run it, or raise `CommandInstead`."""
    words = split(typed) or [""]
    first = words[0].lower()
    if first == BACK:
        raise Back
    if first == DONE:
        raise SkipRest
    word, rest = find_command(repl.rules, words) if words[0] else (None, [])
    if word in READ_ONLY and not any("=" in one for one in rest):
        run_words(repl, words)
    elif _is_command(repl, words) and first not in repl.rules.checks:
        run_shell_command(words, repl.stored.header.game)
    elif (
        word is not None
        or _game_index(repl, words) is not None
        or match_name(first, repl.rules.checks) is not None
        or first.startswith("--")
    ):
        raise CommandInstead(typed)
    else:
        candidates = [*repl.prompter.answer_names, *REPL_COMMANDS, *playable_checks(repl.rules)]
        raise Refused(refusal.problem, refusal.advice or did_you_mean(normalize_name(first), candidates))
