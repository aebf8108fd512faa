"""The current check of a seat: ask for its parameters, show its odds, change it, roll it again.

roll direct attribute=4 target=2    rolls at once
roll direct                         asks for the parameters, shows the odds, waits for Enter
target=3                            changes the current check
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from handful.cli import editing, layout
from handful.cli.prompts import Prompter, echo
from handful.cli.repl import parsing
from handful.cli.repl.free_dice import is_free_roll, roll_free
from handful.cli.repl.menu import menu_lines, pick
from handful.cli.repl.parameters import Back, ask_parameters
from handful.cli.repl.rolls import declare_check, show_roll
from handful.cli.repl.sheet_access import default_character, sheet_names_for
from handful.cli.repl.show_roll import chance_line, check_odds_text, propose_check
from handful.errors import Message, Refused, TooBig
from handful.library import Roll
from handful.rules.params import normalize_name
from handful.rules.ruleset import localize

if TYPE_CHECKING:
    from handful.cli.repl.parsing import ParsedCheck
    from handful.cli.repl.repl import Repl
    from handful.cli.repl.sheet_names import SheetNames
    from handful.rules.ruleset import Check, Ruleset

Words = Sequence[str]
ONE_ROLL_FIELDS = ("faces", "entropy", "interrupts", "answers")  # not repeated by the next roll
READY_HINT = "Enter rolls, d uses your own dice, name=value changes the check."
ROLLED_HINT = "Enter rolls again; look shows where each die and point comes from."


class CommandInstead(Exception):
    """The user typed another command in place of an answer."""

    def __init__(self, line: str) -> None:
        super().__init__()
        self.line = line


def playable_checks(rules: Ruleset) -> list[str]:
    """Return the names of the checks that can be rolled."""
    return [check.name for check in rules.checks.values() if check.program is not None]


def check_menu(rules: Ruleset) -> list[str]:
    """Numbered menu of the checks of a game."""
    rows = [(name, localize(rules.checks[name].title)) for name in playable_checks(rules)]
    return menu_lines(f"{localize(rules.title)}: which check?", rows)


def read_check(repl: Repl, words: Words) -> ParsedCheck:
    """Parse a typed check, resolving names on the sheet of its character."""
    return parsing.parse_check(repl.rules, words, names_of=sheet_names_for(repl))


def read_parameters(repl: Repl, check: Check, words: Words) -> ParsedCheck:
    """Parse typed parameters of a check, resolving names on the sheet of its character."""
    return parsing.parse_parameters(repl.rules, check, words, parsing.FIELDS, sheet_names_for(repl))


# -- rolling


def roll(repl: Repl, words: Words) -> None:
    """Roll a check; in a terminal, a check without parameters asks for them."""
    if not words:
        _roll_current(repl)
        return
    if is_free_roll(words):
        roll_free(repl, words)
        return
    named = parsing.find_check(repl.rules, words[0])
    if repl.interactive and named and not words[1:] and repl.rules.check(named).params:
        ask_for_check(repl, repl.rules.check(named))
    else:
        roll_now(repl, read_check(repl, words))


def again(repl: Repl, words: Words) -> None:
    """Roll the current check once more, perhaps with changes."""
    if repl.current is None:
        raise Refused(Message("play.no_rolls_yet"), "roll CHECK name=value ...")
    roll_now(repl, with_changes(repl, repl.current, words) if words else repl.current)


def dice(repl: Repl, words: Words) -> None:
    """Roll a check, or the current one, with physical dice, and ask for their faces."""
    if words:
        read = read_check(repl, words)
    elif repl.current is not None:
        read = repl.current
    else:
        raise Refused(Message("play.no_check_yet"))
    if "faces" in read.fields:
        raise Refused(Message("play.leave_out_faces"))
    roll_now(repl, read, by_hand=True)


def _roll_current(repl: Repl) -> None:
    if repl.current is not None:
        roll_now(repl, repl.current)
    elif repl.interactive:
        rows = [(name, localize(repl.rules.checks[name].title)) for name in playable_checks(repl.rules)]
        question = f"{localize(repl.rules.title)}: which check?"
        try:
            name = pick(Prompter(repl.handle_other_input), question, "check", rows)
        except Back:
            return
        except CommandInstead as turn:
            repl.run_line(turn.line)
            return
        ask_for_check(repl, repl.rules.check(name))
    else:
        read_check(repl, [])  # refused: which check?


def roll_now(repl: Repl, read: ParsedCheck, *, by_hand: bool = False) -> None:
    """Declare and throw in one go."""
    repeatable = without_one_roll_fields(read)
    odds_shown = repl.odds_shown and read is repl.current
    name = declare_check(repl, read, throws=not by_hand)
    repl.current, repl.odds_shown = repeatable, False
    if not odds_shown and (line := chance_line(repl, name)):
        echo("\n".join(layout.wrap_text(line, 2, 4)))
    if by_hand:
        repl.own_dice.add(name)
    show_roll(repl, name)
    if repl.interactive and repl.is_solo and not repl.pending_roll:
        echo(ROLLED_HINT)


# -- the current check


def without_one_roll_fields(read: ParsedCheck) -> ParsedCheck:
    """Return a copy of a check without the fields that apply to one roll only."""
    fields = {name: value for name, value in read.fields.items() if name not in ONE_ROLL_FIELDS}
    return replace(read, sides=[dict(side) for side in read.sides], fields=fields)


def change(repl: Repl, words: Words) -> None:
    """Change the current check (`target=3`) and show its odds."""
    assert repl.current is not None
    make_current(repl, with_changes(repl, repl.current, words))


def with_changes(repl: Repl, now: ParsedCheck, words: Words) -> ParsedCheck:
    """Return a check with other values; with `vs` or `with` they replace all parameters.

    The value `none` removes an optional parameter.
    """
    read = read_parameters(repl, now.check, words)
    fields = {**now.fields, **read.fields}
    if len(read.sides) > 1:
        return replace(read, fields=fields)
    first, params = dict(now.sides[0]), now.check.params
    for name, value in read.sides[0].items():
        optional = name in params and params[name].default is None and not params[name].required
        if optional and normalize_name(value) == "none":
            first.pop(name, None)
        else:
            first[name] = value
    who = [read.who[0] if read.who[0] is not None else now.who[0], *now.who[1:]]
    return replace(now, sides=[first, *now.sides[1:]], who=who, fields=fields)


def make_current(repl: Repl, read: ParsedCheck) -> None:
    """Show the odds of a check and make it the one that Enter rolls."""
    show_odds(repl, read)
    repl.current, repl.odds_shown = without_one_roll_fields(read), True
    if repl.interactive:
        editing.add_history(typed_line(read))
        echo(f"\n{READY_HINT}")


def show_odds(repl: Repl, read: ParsedCheck) -> None:
    """Show the odds of a check; Ctrl-C stops, and odds that are too big do not prevent a roll."""
    try:
        echo("\n" + check_odds_text(repl, read))
    except TooBig as refusal:
        echo("\n".join(layout.wrap_text(f"odds: {refusal.message}", 2, 4)))
    except KeyboardInterrupt:
        echo("\n  odds: stopped")


def typed_line(read: ParsedCheck) -> str:
    """Format a check as a line that can be typed."""
    import shlex

    words = [read.check.name]
    for place, (side, who) in enumerate(zip(read.sides, read.who, strict=True)):
        words += [read.check.sides.word] if place and read.check.sides else []
        words += [f"{name}={value}" for name, value in side.items()]
        words += [f"as={who}"] if who is not None else []
    words += [f"{name}={value}" for name, value in read.fields.items()]
    return " ".join(map(shlex.quote, words))


# -- asking for parameters


def ask_for_check(repl: Repl, check: Check) -> None:
    """Ask for the parameters of a check, then show its odds."""

    def fits(words: list[str]) -> None:
        read = read_parameters(repl, check, words)
        Roll.begin(propose_check(repl, read).bound)

    try:
        words = ask_parameters(repl.prompter, check, default_sheet_names(repl, check), fits)
    except Back:
        echo("\n".join(check_menu(repl.rules)))
    except CommandInstead as turn:
        repl.run_line(turn.line)
    else:
        make_current(repl, read_parameters(repl, check, words))


def default_sheet_names(repl: Repl, check: Check) -> SheetNames | None:
    """Return the names on the sheet of this seat's default character."""
    from handful.cli.repl.sheet_names import SheetNames
    from handful.table import known_to

    who = default_character(repl)
    sheet = known_to(repl.table, repl.seat).characters[who].sheet if who else None
    return SheetNames(repl.rules, check, sheet) if sheet is not None else None
