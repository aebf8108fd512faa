"""Words that look at a roll or change what it is made of: mostly the GM's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.cli.prompts import echo
from handful.cli.repl import names, parsing
from handful.cli.repl.rolls import roll_to, show_roll
from handful.errors import Refused, format_choices
from handful.table import MODES

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl
    from handful.rules.ruleset import Check

Words = Sequence[str]


def look(repl: Repl, words: Words) -> None:
    """A roll in full."""
    from handful.cli.repl.show_roll import whole_roll

    view = repl.view()
    if not words and not view["rolls"]:
        raise Refused("nothing was rolled yet")
    name = names.roll(view, words[0]) if words else view["rolls"][-1]["roll"]
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if found is None:
        raise Refused(f"{name} is too long ago; log tells of it")
    echo("\n".join(whole_roll(repl, found)))


def _check_of(repl: Repl, name: str) -> Check:
    """What a roll checks; refused where this seat does not know."""
    found = next((one for one in repl.view()["rolls"] if one["roll"] == name), None)
    if found is None or "asked" not in found:
        raise Refused(f"{repl.seat} does not see what {name} checks, and cannot change it")
    return repl.rules.check(found["asked"]["check"])


def correct(repl: Repl, words: Words) -> None:
    """`correct [ROLL] name=value ... [throw=0 faces=1,2] [words=...]`"""
    rest = list(words)
    typed = rest.pop(0) if rest and "=" not in rest[0] else None
    name = roll_to(repl, "correct", typed)
    check = _check_of(repl, name)
    read = parsing.read_parameters(repl.rules, check, rest, ("throw", "faces", "words"))
    data: dict[str, Any] = read.parts()
    if "sides" in data:
        data["sides"] = [data.pop("parameters", {}), *data["sides"][1:]]
    if "throw" in read.fields:
        data["throw"] = parsing.number(read.fields["throw"], "throw")
    if "faces" in read.fields:
        data["faces"] = parsing.numbers(read.fields["faces"], "faces")
        data.setdefault("throw", 0)
    repl.do("correct", roll=name, words=read.fields.get("words", ""), **data)
    show_roll(repl, name)


def judge(repl: Repl, words: Words) -> None:
    """`judge [ROLL] [grade=...] WORDS`"""
    view = repl.view()
    read = parsing.read(words, ("grade",))
    if read.plain and "/" in read.plain[0]:
        name = names.roll(view, read.plain.pop(0))
    else:
        name = names.the_one(view, "judge", "roll")
    grade, said = read.take("grade"), read.rest()
    repl.do("judge", roll=name, grade=grade, words=said or None)


def reveal(repl: Repl, words: Words) -> None:
    """`reveal [ROLL] [to NAME,NAME]`, `reveal target [ROLL]`"""
    view = repl.view()
    if words and words[0].lower() == "target":
        typed = words[1] if len(words) > 1 else None
        name = roll_to(repl, "reveal_target", typed)
        repl.do("reveal_target", roll=name)
        return
    read = parsing.read(words, ("to",))
    to = read.take("to")
    typed = read.plain.pop(0) if read.plain else None
    read.done("reveal [ROLL] [to NAME,NAME]")
    seats = names.seats(view, to) if to else None
    repl.do("reveal", roll=roll_to(repl, "reveal", typed), to=seats)


def switch(repl: Repl, words: Words) -> None:
    """`switch [ROLL] LINE on|off`"""
    view, rest = repl.view(), list(words)
    if len(rest) == 3:
        name = names.roll(view, rest.pop(0))
    else:
        name = names.the_one(view, "switch", "roll")
    if len(rest) != 2:
        raise Refused("which line? switch [ROLL] LINE on|off; look numbers them")
    line, on = parsing.number(rest[0], "a line"), parsing.truth(rest[1])
    repl.do("switch", roll=name, line=line, on=on)
    look(repl, [name])


def line(repl: Repl, words: Words) -> None:
    """`line [ROLL] PARAMETER=VALUE [side=2] [NOTE]`"""
    rest = list(words)
    typed = rest.pop(0) if rest and "/" in rest[0] else None
    name = roll_to(repl, "add_line", typed)
    params = _check_of(repl, name).params
    read = parsing.read(rest, (*params, "side"))
    side = read.take("side")
    if len(read.named) != 1:
        raise Refused(f"a line has one parameter: {format_choices(params)}")
    ((parameter, value),) = read.named.items()
    repl.do(
        "add_line",
        roll=name,
        parameter=parameter,
        value=value,
        note=read.rest() or None,
        side=parsing.number(side, "a side") if side else None,
    )
    look(repl, [name])


def odds(repl: Repl, words: Words) -> None:
    """The exact odds of a roll, or of a check, which is then the one at hand."""
    from handful.cli.repl.checks import make_current, read_check, show_odds
    from handful.cli.repl.show_roll import odds_of_roll

    view = repl.view()
    if words and not names.is_roll(view, words[0]):
        make_current(repl, read_check(repl, words))
    elif not words and not repl.asked and repl.current is not None:
        show_odds(repl, repl.current)
    elif not view["rolls"]:
        raise Refused("nothing was declared yet; odds CHECK name=value weighs a check")
    else:
        name = names.roll(view, words[0] if words else repl.asked or "last")
        try:
            echo(odds_of_roll(repl, name))
        except KeyboardInterrupt:
            echo("\n  the odds: stopped")


def visibility(repl: Repl, words: Words) -> None:
    if len(words) != 1:
        raise Refused(f"rolls are {repl.table.mode} now; visibility {format_choices(MODES)}")
    repl.do("visibility", mode=words[0].lower())
