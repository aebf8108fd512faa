"""Dispatches a typed line: a word, a check, a change of the check at hand, or another command.

roll direct attribute=4 target=2      a word
direct attribute=4 target=2           a check: the same
target=3                              a change of the check at hand
tuurna check level=5                  another game, at a table in memory
simulate uwr direct attribute=4       any other command of handful
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from os.path import exists, isdir, join
from typing import TYPE_CHECKING

from handful import library
from handful.cli import rim
from handful.cli.evening import checks, people
from handful.cli.evening.checks import Turn, playable
from handful.cli.evening.house_rules import house_rules
from handful.cli.evening.parameters import BACK, DONE, Back, Enough
from handful.cli.evening.phrase import check_named, split, take_flags
from handful.cli.evening.spaces import names_of, put_together
from handful.cli.evening.words import LOOKING, WORDS, find, spellings
from handful.cli.words import cut, whole
from handful.errors import HandfulError, Refused, did_you_mean
from handful.rules.params import canonical, lookup

if TYPE_CHECKING:
    from handful.cli.evening.evening import Evening

Words = Sequence[str]
# those that say nothing of a table: others could tell a seat what it may not know
COMMANDS = (
    "rulesets", "checks", "odds", "simulate", "table", "solve", "diff", "claims", "sheet", "lint",
    "schema", "test", "new", "docs", "completion",
)  # fmt: skip


class OtherGame(Exception):
    """Somebody wants to play another game, at another table in memory."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = list(words)  # the game, and what is played of it; nothing: pick one


def obey(evening: Evening, words: Words) -> None:
    """Do what a line of words says."""
    if canonical(words[0]) == "handful" and len(words) > 1:
        words = words[1:]
    if _is_command(evening, words):
        run_command(words, evening.kept.opened.game)
        return
    plain, who, options = take_flags(words)
    if (place := _place_of_game(evening, plain)) is not None:
        game = plain.pop(place)
        if not _is_this_game(evening, game):
            rest = list(words)
            rest.remove(game)
            _play_other(evening, [game, *rest])
        if not plain:
            evening.show_state()
    if options:
        house_rules(evening, options)
    if who:
        people.choose(evening, [who])
    if plain:
        _obey(evening, put_together(plain, names_of(evening.rules, evening.view())))


def _obey(evening: Evening, words: Words) -> None:
    word, rest = find(evening.rules, words)
    named = check_named(evening.rules, words[0]) is not None
    if word is not None and not (named and rest and "=" in rest[0]):
        word.does(evening, rest)
    elif named:
        checks.roll(evening, words)
    elif "=" in words[0] and evening.current is not None:
        checks.change(evening, words)
    elif evening.alone and len(words) == 1 and whole(words[0]) is not None:
        _roll_by_number(evening, words[0])
    else:
        _roll_by_words(evening, words)


def _roll_by_words(evening: Evening, words: Words) -> None:
    """Roll the check that the rulebook's words mean: `grace acrobatics difficult`."""
    try:
        read = checks.read_check(evening, words)
    except Refused:
        if "=" in words[0] or _is_understood(evening, words[0]):
            raise
        raise unknown(evening, words[0]) from None
    checks.roll_now(evening, read)


def _is_understood(evening: Evening, word: str) -> bool:
    """Tell whether a word alone could begin a check, as the rulebook has it."""
    with suppress(Refused):
        checks.read_check(evening, [word])
        return True
    return False


def _roll_by_number(evening: Evening, typed: str) -> None:
    known, number = playable(evening.rules), whole(typed) or 0
    if not 1 <= number <= len(known):
        raise Refused(f"there is no check {cut(typed)}; there are 1 to {len(known)}")
    checks.roll(evening, [known[number - 1]])


def unknown(evening: Evening, word: str) -> Refused:
    """The refusal of a word that means nothing here."""
    known = [*spellings(evening.rules), *playable(evening.rules), *library.shipped()]
    meant = did_you_mean(canonical(word), known)
    return Refused(f"there is no word {cut(word)!r} here; help lists them", meant)


# -- games


def _place_of_game(evening: Evening, words: Words) -> int | None:
    """Index of the game that a line names: its first word, or the one behind `roll`."""
    behind = len(words) > 1 and lookup(words[0], ("roll", "r", "odds", "d", "dice")) is not None
    place = 1 if behind else 0
    if not words[place:] or check_named(evening.rules, words[place]) is not None:
        return None
    followed = len(words) > 1 and check_named(evening.rules, words[1]) is not None
    if not behind and not followed and find(evening.rules, words)[0] is not None:
        return None
    return place if _is_this_game(evening, words[place]) or names_game(words[place]) else None


def _is_this_game(evening: Evening, word: str) -> bool:
    return lookup(word, (evening.rules.id,)) is not None or word == evening.kept.opened.game


def names_game(word: str) -> bool:
    """Tell whether a word is a game: a shipped one, a file, or a folder that holds one."""
    if lookup(word, library.known()) is not None or word.lower().endswith(".toml"):
        return True
    return word.isprintable() and isdir(word) and exists(join(word, "ruleset.toml"))


def _play_other(evening: Evening, words: Words) -> None:
    if not evening.in_memory:
        raise Refused(
            f"this table plays {evening.rules.id}",
            f"rules {cut(words[0])} changes its rules; handful play {cut(words[0])} plays another",
        )
    raise OtherGame(words)


def back(evening: Evening, words: Words) -> None:
    """One step back: from the check at hand to the checks, from these to the games."""
    if evening.current is not None:
        del evening.currents[evening.seat]
        evening.ready, evening.asked = False, ""
        evening.show_state()
    elif evening.in_memory:
        raise OtherGame([])
    else:
        raise Refused("there is no check at hand to go back from")


# -- other commands of handful


def _is_command(evening: Evening, words: Words) -> bool:
    """Tell whether a line is a command of handful and no word of the table."""
    if words[0] not in COMMANDS:
        return False
    if words[0] == "odds":
        named = _place_of_game(evening, words[:2])
        return named == 1 and not _is_this_game(evening, words[1])
    known = find(evening.rules, words)[0] is not None
    return not known and lookup(words[0], evening.rules.checks) is None


def run_command(words: Words, game: str = "") -> None:
    """Any other command of handful, as if it was typed at a shell."""
    from handful.cli.app import handful

    args = [*words, game] if list(words) == ["checks"] and game else list(words)
    try:
        handful.main(args, prog_name="handful", standalone_mode=False)
    except HandfulError:
        raise
    except Exception as trouble:  # click's own, mostly
        rim.flush()
        rim.told(trouble)


# -- in the middle of questions


def in_between(evening: Evening, typed: str, refusal: Refused) -> None:
    """A line that does not answer a question: look at something, or turn to something else."""
    words = split(typed) or [""]
    first = words[0].lower()
    if first == BACK:
        raise Back
    if first == DONE:
        raise Enough
    word, rest = find(evening.rules, words) if words[0] else (None, [])
    if word in LOOKING and not any("=" in one for one in rest):
        obey(evening, words)
    elif _is_command(evening, words) and first not in evening.rules.checks:
        run_command(words, evening.kept.opened.game)
    elif (
        word is not None
        or _place_of_game(evening, words) is not None
        or lookup(first, evening.rules.checks) is not None
        or first.startswith("--")
    ):
        raise Turn(typed)
    else:
        known = [*evening.people.names, *WORDS, *playable(evening.rules)]
        raise Refused(refusal.message, refusal.hint or did_you_mean(canonical(first), known))
