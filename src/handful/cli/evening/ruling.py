"""Words that look at a roll or change what it is made of: mostly the GM's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.cli.asking import say
from handful.cli.evening import names, phrase
from handful.cli.evening.rolling import roll_to, show_roll
from handful.errors import Refused, listed
from handful.table import MODES

if TYPE_CHECKING:
    from handful.cli.evening.evening import Evening
    from handful.rules.ruleset import Check

Words = Sequence[str]


def look(evening: Evening, words: Words) -> None:
    """A roll in full."""
    from handful.cli.evening.show_roll import whole_roll

    view = evening.view()
    if not words and not view["rolls"]:
        raise Refused("nothing was rolled yet")
    name = names.roll(view, words[0]) if words else view["rolls"][-1]["roll"]
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if found is None:
        raise Refused(f"{name} is too long ago; log tells of it")
    say("\n".join(whole_roll(evening, found)))


def _check_of(evening: Evening, name: str) -> Check:
    """What a roll checks; refused where this seat does not know."""
    found = next((one for one in evening.view()["rolls"] if one["roll"] == name), None)
    if found is None or "asked" not in found:
        raise Refused(f"{evening.seat} does not see what {name} checks, and cannot change it")
    return evening.rules.check(found["asked"]["check"])


def correct(evening: Evening, words: Words) -> None:
    """`correct [ROLL] name=value ... [throw=0 faces=1,2] [words=...]`"""
    rest = list(words)
    typed = rest.pop(0) if rest and "=" not in rest[0] else None
    name = roll_to(evening, "correct", typed)
    check = _check_of(evening, name)
    read = phrase.read_parameters(evening.rules, check, rest, ("throw", "faces", "words"))
    data: dict[str, Any] = read.parts()
    if "sides" in data:
        data["sides"] = [data.pop("parameters", {}), *data["sides"][1:]]
    if "throw" in read.fields:
        data["throw"] = phrase.number(read.fields["throw"], "throw")
    if "faces" in read.fields:
        data["faces"] = phrase.numbers(read.fields["faces"], "faces")
        data.setdefault("throw", 0)
    evening.do("correct", roll=name, words=read.fields.get("words", ""), **data)
    show_roll(evening, name)


def judge(evening: Evening, words: Words) -> None:
    """`judge [ROLL] [grade=...] WORDS`"""
    view = evening.view()
    read = phrase.read(words, ("grade",))
    if read.plain and "/" in read.plain[0]:
        name = names.roll(view, read.plain.pop(0))
    else:
        name = names.the_one(view, "judge", "roll")
    grade, said = read.take("grade"), read.rest()
    evening.do("judge", roll=name, grade=grade, words=said or None)


def reveal(evening: Evening, words: Words) -> None:
    """`reveal [ROLL] [to NAME,NAME]`, `reveal target [ROLL]`"""
    view = evening.view()
    if words and words[0].lower() == "target":
        typed = words[1] if len(words) > 1 else None
        name = roll_to(evening, "reveal_target", typed)
        evening.do("reveal_target", roll=name)
        return
    read = phrase.read(words, ("to",))
    to = read.take("to")
    typed = read.plain.pop(0) if read.plain else None
    read.done("reveal [ROLL] [to NAME,NAME]")
    seats = names.seats(view, to) if to else None
    evening.do("reveal", roll=roll_to(evening, "reveal", typed), to=seats)


def switch(evening: Evening, words: Words) -> None:
    """`switch [ROLL] LINE on|off`"""
    view, rest = evening.view(), list(words)
    if len(rest) == 3:
        name = names.roll(view, rest.pop(0))
    else:
        name = names.the_one(view, "switch", "roll")
    if len(rest) != 2:
        raise Refused("which line? switch [ROLL] LINE on|off; look numbers them")
    line, on = phrase.number(rest[0], "a line"), phrase.truth(rest[1])
    evening.do("switch", roll=name, line=line, on=on)
    look(evening, [name])


def line(evening: Evening, words: Words) -> None:
    """`line [ROLL] PARAMETER=VALUE [side=2] [NOTE]`"""
    rest = list(words)
    typed = rest.pop(0) if rest and "/" in rest[0] else None
    name = roll_to(evening, "add_line", typed)
    params = _check_of(evening, name).params
    read = phrase.read(rest, (*params, "side"))
    side = read.take("side")
    if len(read.named) != 1:
        raise Refused(f"a line has one parameter: {listed(params)}")
    ((parameter, value),) = read.named.items()
    evening.do(
        "add_line", roll=name, parameter=parameter, value=value, note=read.rest() or None,
        side=phrase.number(side, "a side") if side else None,
    )  # fmt: skip
    look(evening, [name])


def odds(evening: Evening, words: Words) -> None:
    """The exact odds of a roll, or of a check, which is then the one at hand."""
    from handful.cli.evening.checks import make_current, read_check, show_odds
    from handful.cli.evening.show_roll import odds_of_roll

    view = evening.view()
    if words and not names.is_roll(view, words[0]):
        make_current(evening, read_check(evening, words))
    elif not words and not evening.asked and evening.current is not None:
        show_odds(evening, evening.current)
    elif not view["rolls"]:
        raise Refused("nothing was declared yet; odds CHECK name=value weighs a check")
    else:
        name = names.roll(view, words[0] if words else evening.asked or "last")
        try:
            say(odds_of_roll(evening, name))
        except KeyboardInterrupt:
            say("\n  the odds: stopped")


def visibility(evening: Evening, words: Words) -> None:
    if len(words) != 1:
        raise Refused(f"rolls are {evening.table.mode} now; visibility {listed(MODES)}")
    evening.do("visibility", mode=words[0].lower())
