"""The check at hand: asked for, weighed, changed and rolled again.

roll direct attribute=4 target=2    rolls at once
roll direct                         asks for the parameters, shows the odds, waits for Enter
target=3                            changes the check at hand
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from handful.cli import editing, paper
from handful.cli.asking import People, say
from handful.cli.evening import phrase
from handful.cli.evening.menu import menu_lines, pick
from handful.cli.evening.parameters import Back, ask_parameters
from handful.cli.evening.rolling import declared, go_on
from handful.cli.evening.sheets import own_of, usual_character
from handful.cli.evening.show_roll import chance_line, odds_of, proposal
from handful.errors import Refused, TooBig
from handful.library import Roll
from handful.rules.params import canonical
from handful.rules.ruleset import text

if TYPE_CHECKING:
    from handful.cli.evening.evening import Evening
    from handful.cli.evening.naming import Names
    from handful.cli.evening.phrase import Checked
    from handful.rules.ruleset import Check, Ruleset

Words = Sequence[str]
ONCE = ("faces", "entropy", "interrupts", "answers")  # said of one roll, not of the next
READY = "Enter rolls, d rolls with your own dice, name=value changes the check."
ROLLED = "Enter rolls again; look says where each die and point comes from."


class Turn(Exception):
    """Somebody typed a line of its own in the middle of questions."""

    def __init__(self, line: str) -> None:
        super().__init__()
        self.line = line


def playable(rules: Ruleset) -> list[str]:
    """The names of the checks that can be rolled."""
    return [check.name for check in rules.checks.values() if check.program is not None]


def check_menu(rules: Ruleset) -> list[str]:
    """The checks of a game, numbered."""
    rows = [(name, text(rules.checks[name].title)) for name in playable(rules)]
    return menu_lines(f"{text(rules.title)}: which check?", rows)


def read_check(evening: Evening, words: Words) -> Checked:
    """A typed check, with the names on the sheet of whoever makes it."""
    return phrase.read_check(evening.rules, words, own_of=own_of(evening))


def read_parameters(evening: Evening, check: Check, words: Words) -> Checked:
    """Typed parameters of a check, with the names on the sheet of whoever makes it."""
    return phrase.read_parameters(evening.rules, check, words, phrase.FIELDS, own_of(evening))


# -- rolling


def roll(evening: Evening, words: Words) -> None:
    """Roll a check; a check alone is asked for its parameters where somebody can answer."""
    if not words:
        _roll_current(evening)
        return
    named = phrase.check_named(evening.rules, words[0])
    if evening.by_hand and named and not words[1:] and evening.rules.check(named).params:
        ask(evening, evening.rules.check(named))
    else:
        roll_now(evening, read_check(evening, words))


def again(evening: Evening, words: Words) -> None:
    """Roll the check at hand once more, perhaps with changes."""
    if evening.current is None:
        raise Refused("no rolls yet; pick a check first", "roll CHECK name=value ...")
    roll_now(evening, changed(evening, evening.current, words) if words else evening.current)


def dice(evening: Evening, words: Words) -> None:
    """Roll a check, or the one at hand, with dice on the real table: the faces are asked for."""
    if words:
        read = read_check(evening, words)
    elif evening.current is not None:
        read = evening.current
    else:
        raise Refused("no check yet; d CHECK name=value ... rolls one with your own dice")
    if "faces" in read.fields:
        raise Refused("the faces are asked for; leave out faces=")
    roll_now(evening, read, by_hand=True)


def _roll_current(evening: Evening) -> None:
    if evening.current is not None:
        roll_now(evening, evening.current)
    elif evening.by_hand:
        rows = [(name, text(evening.rules.checks[name].title)) for name in playable(evening.rules)]
        question = f"{text(evening.rules.title)}: which check?"
        try:
            name = pick(People(evening.otherwise), question, "check", rows)
        except Back:
            return
        except Turn as turn:
            evening.obey(turn.line)
            return
        ask(evening, evening.rules.check(name))
    else:
        read_check(evening, [])  # refused: which check?


def roll_now(evening: Evening, read: Checked, *, by_hand: bool = False) -> None:
    """Declare and throw in one go."""
    kept = repeated(read)
    weighed = evening.ready and read is evening.current
    name, throw = declared(evening, read)
    evening.current, evening.ready = kept, False
    if not weighed and (line := chance_line(evening, name)):
        say("\n".join(paper.folded(line, 2, 4)))
    if by_hand:
        evening.own_dice.add(name)
    go_on(evening, name, **throw)
    if evening.by_hand and evening.alone and not evening.asked:
        say(ROLLED)


# -- the check at hand


def repeated(read: Checked) -> Checked:
    """A copy of a check for another roll, without what was said of one throw."""
    fields = {name: value for name, value in read.fields.items() if name not in ONCE}
    return replace(read, sides=[dict(side) for side in read.sides], fields=fields)


def change(evening: Evening, words: Words) -> None:
    """`target=3`: change the check at hand and show its odds."""
    assert evening.current is not None
    make_current(evening, changed(evening, evening.current, words))


def changed(evening: Evening, now: Checked, words: Words) -> Checked:
    """A check with other values; with `vs` or `with` these are all of its parameters.

    A value of `none` takes back a parameter that need not be given.
    """
    read = read_parameters(evening, now.check, words)
    fields = {**now.fields, **read.fields}
    if len(read.sides) > 1:
        return replace(read, fields=fields)
    first, params = dict(now.sides[0]), now.check.params
    for name, value in read.sides[0].items():
        optional = name in params and params[name].default is None and not params[name].required
        if optional and canonical(value) == "none":
            first.pop(name, None)
        else:
            first[name] = value
    who = [read.who[0] if read.who[0] is not None else now.who[0], *now.who[1:]]
    return replace(now, sides=[first, *now.sides[1:]], who=who, fields=fields)


def make_current(evening: Evening, read: Checked) -> None:
    """Show the odds of a check, and let Enter roll it."""
    show_odds(evening, read)
    evening.current, evening.ready = repeated(read), True
    if evening.by_hand:
        editing.remember(line_of(read))
        say(f"\n{READY}")


def show_odds(evening: Evening, read: Checked) -> None:
    """The odds of a check; Ctrl-C stops the work, and too much of it is no reason not to roll."""
    try:
        say("\n" + odds_of(evening, read))
    except TooBig as refusal:
        say("\n".join(paper.folded(f"the odds: {refusal.message}", 2, 4)))
    except KeyboardInterrupt:
        say("\n  the odds: stopped")


def line_of(read: Checked) -> str:
    """A check as it can be typed."""
    import shlex

    words = [read.check.name]
    for place, (side, who) in enumerate(zip(read.sides, read.who, strict=True)):
        words += [read.check.sides.word] if place and read.check.sides else []
        words += [f"{name}={value}" for name, value in side.items()]
        words += [f"as={who}"] if who is not None else []
    words += [f"{name}={value}" for name, value in read.fields.items()]
    return " ".join(map(shlex.quote, words))


# -- asking for parameters


def ask(evening: Evening, check: Check) -> None:
    """Ask for the parameters of a check, then show its odds."""

    def fits(words: list[str]) -> None:
        read = read_parameters(evening, check, words)
        Roll.begin(proposal(evening, read).bound)

    try:
        words = ask_parameters(evening.people, check, sheet_names(evening, check), fits)
    except Back:
        say("\n".join(check_menu(evening.rules)))
    except Turn as turn:
        evening.obey(turn.line)
    else:
        make_current(evening, read_parameters(evening, check, words))


def sheet_names(evening: Evening, check: Check) -> Names | None:
    """The names on the sheet of whoever makes this seat's checks."""
    from handful.cli.evening.naming import Names
    from handful.table import as_known

    who = usual_character(evening)
    sheet = as_known(evening.table, evening.seat).characters[who].sheet if who else None
    return Names(evening.rules, check, sheet) if sheet is not None else None
