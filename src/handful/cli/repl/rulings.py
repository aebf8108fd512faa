"""Commands that show a roll or change its breakdown: mostly for the GM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.cli.prompts import echo
from handful.cli.repl import names, parsing
from handful.cli.repl.free_dice import is_free_roll, show_free_odds
from handful.cli.repl.rolls import find_roll, show_roll
from handful.errors import Message, Refused
from handful.table import MODES

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl
    from handful.rules.ruleset import Check

Words = Sequence[str]


def show_full_roll(repl: Repl, words: Words) -> None:
    """Print a roll in full."""
    from handful.cli.repl.show_roll import full_roll_lines

    view = repl.view()
    if not words and not view["rolls"]:
        raise Refused(Message("play.nothing_rolled_yet"))
    name = names.roll(view, words[0]) if words else view["rolls"][-1]["roll"]
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if found is None:
        raise Refused(Message("play.too_long_ago", name=name))
    echo("\n".join(full_roll_lines(repl, found)))


def _check_of(repl: Repl, name: str) -> Check:
    """Return the check of a roll; refuse if hidden from this seat."""
    found = next((one for one in repl.view()["rolls"] if one["roll"] == name), None)
    if found is None or "asked" not in found:
        raise Refused(Message("play.check_is_hidden", seat=repl.seat, name=name))
    return repl.rules.check(found["asked"]["check"])


def correct(repl: Repl, words: Words) -> None:
    """Correct a roll: `correct [ROLL] name=value ... [throw=0 faces=1,2] [words=...]`."""
    rest = list(words)
    typed = rest.pop(0) if rest and "=" not in rest[0] else None
    name = find_roll(repl, "correct", typed)
    check = _check_of(repl, name)
    read = parsing.parse_parameters(repl.rules, check, rest, ("throw", "faces", "words"))
    data: dict[str, Any] = read.declare_fields()
    if "sides" in data:
        data["sides"] = [data.pop("parameters", {}), *data["sides"][1:]]
    if "throw" in read.fields:
        data["throw"] = parsing.parse_number(read.fields["throw"], "throw")
    if "faces" in read.fields:
        data["faces"] = parsing.parse_numbers(read.fields["faces"], "faces")
        data.setdefault("throw", 0)
    repl.submit("correct", roll=name, words=read.fields.get("words", ""), **data)
    show_roll(repl, name)


def judge(repl: Repl, words: Words) -> None:
    """Say what a result means: `judge [ROLL] [grade=...] WORDS`."""
    view = repl.view()
    read = parsing.parse_words(words, ("grade",))
    if read.positional and "/" in read.positional[0]:
        name = names.roll(view, read.positional.pop(0))
    else:
        name = names.last_possible(view, "judge", "roll")
    grade, said = read.take("grade"), read.rest()
    repl.submit("judge", roll=name, grade=grade, words=said or None)


def reveal(repl: Repl, words: Words) -> None:
    """Reveal a roll (`reveal [ROLL] [to NAME,NAME]`) or its target (`reveal target [ROLL]`)."""
    view = repl.view()
    if words and words[0].lower() == "target":
        typed = words[1] if len(words) > 1 else None
        name = find_roll(repl, "reveal_target", typed)
        repl.submit("reveal_target", roll=name)
        return
    read = parsing.parse_words(words, ("to",))
    to = read.take("to")
    typed = read.positional.pop(0) if read.positional else None
    read.done("reveal [ROLL] [to NAME,NAME]")
    seats = names.seats(view, to) if to else None
    repl.submit("reveal", roll=find_roll(repl, "reveal", typed), to=seats)


def switch(repl: Repl, words: Words) -> None:
    """Turn a line of the breakdown on or off: `switch [ROLL] LINE on|off`."""
    view, rest = repl.view(), list(words)
    if len(rest) == 3:
        name = names.roll(view, rest.pop(0))
    else:
        name = names.last_possible(view, "switch", "roll")
    if len(rest) != 2:
        raise Refused(Message("play.switch_usage"))
    line, on = parsing.parse_number(rest[0], "a line"), parsing.parse_yes_no(rest[1])
    repl.submit("switch", roll=name, line=line, on=on)
    show_full_roll(repl, [name])


def line(repl: Repl, words: Words) -> None:
    """Add a line to the breakdown: `line [ROLL] PARAMETER=VALUE [side=2] [NOTE]`."""
    rest = list(words)
    typed = rest.pop(0) if rest and "/" in rest[0] else None
    name = find_roll(repl, "add_line", typed)
    params = _check_of(repl, name).params
    read = parsing.parse_words(rest, (*params, "side"))
    side = read.take("side")
    if len(read.named) != 1:
        raise Refused(Message("play.line_usage", params=params))
    ((parameter, value),) = read.named.items()
    repl.submit(
        "add_line",
        roll=name,
        parameter=parameter,
        value=value,
        note=read.rest() or None,
        side=parsing.parse_number(side, "a side") if side else None,
    )
    show_full_roll(repl, [name])


def odds(repl: Repl, words: Words) -> None:
    """Show the exact odds of a roll, or of a check, which becomes the current one."""
    from handful.cli.repl.checks import make_current, read_check, show_odds
    from handful.cli.repl.show_roll import roll_odds_text

    view = repl.view()
    if is_free_roll(words):
        show_free_odds(repl, words)
    elif words and not names.is_roll(view, words[0]):
        make_current(repl, read_check(repl, words))
    elif not words and not repl.pending_roll and repl.current is not None:
        show_odds(repl, repl.current)
    elif not view["rolls"]:
        raise Refused(Message("play.nothing_declared_yet"))
    else:
        name = names.roll(view, words[0] if words else repl.pending_roll or "last")
        try:
            echo(roll_odds_text(repl, name))
        except KeyboardInterrupt:
            echo("\n  odds: stopped")


def visibility(repl: Repl, words: Words) -> None:
    if len(words) != 1:
        raise Refused(Message("play.visibility_usage", mode=repl.table.mode, modes=MODES))
    repl.submit("visibility", mode=words[0].lower())
