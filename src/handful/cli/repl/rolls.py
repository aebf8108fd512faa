"""Words about rolls: roll, throw, answer, take back, finish, put right, say what it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.cli import layout
from handful.cli.check_request import parse_digits, shorten_word
from handful.cli.prompts import echo
from handful.cli.repl import decisions, names, parsing, show_table
from handful.cli.repl.phrases import with_hidden
from handful.cli.repl.sheet_access import NOBODY, own_of, usual_character
from handful.errors import Refused, format_choices
from handful.rules.params import normalize_name
from handful.table import project

if TYPE_CHECKING:
    from handful.cli.repl.parsing import Checked
    from handful.cli.repl.repl import Repl

Words = Sequence[str]


# -- declaring


def declared(repl: Repl, read: Checked) -> tuple[str, dict[str, str]]:
    """Declare a check; return the roll's name, and what was said of the throw."""
    throw = read.throw()
    events = repl.do("declare", **fields_of(repl, read))
    return str(events[0].data["roll"]), throw


def fields_of(repl: Repl, read: Checked) -> dict[str, Any]:
    """What `declare` takes, with every name in full."""
    view, said = repl.view(), read.fields
    made: dict[str, Any] = {"check": read.check.name, **read.parts()}
    who = [_character(repl, view, one) for one in read.who]
    if not who[0] and read.who[0] is None:
        who[0] = "" if "for" in said else usual_character(repl)
    if any(who):
        made["as"] = who
    for name, value in said.items():
        match name:
            case "for":
                made["for"] = names.seat(view, value)
            case "against" | "target":
                made["target"] = names.character(view, value)
            case "interrupts" | "answers":
                made[name] = names.roll(view, value)
            case "hidden":
                made[name] = [normalize_name(one) for one in value.split(",")]
            case "off":
                made[name] = parsing.numbers(value, "lines")
            case "spends" if "," in value:  # one for each side
                made[name] = [one.strip() for one in value.split(",")]
            case "mode":
                made[name] = value.lower()
            case _:
                made[name] = value
    if "interrupts" in made:
        made.setdefault("spends", "interruption")
    return made


def _character(repl: Repl, view: names.View, typed: str | None) -> str:
    if typed is None or normalize_name(typed) in NOBODY:
        return ""
    return names.character(view, typed)


def declare(repl: Repl, words: Words) -> None:
    read = parsing.read_check(repl.rules, words, own_of=own_of(repl))
    if {"faces", "entropy"} & {*read.fields}:
        raise Refused("declare throws nothing; faces belong to throw")
    roll, _ = declared(repl, read)
    say_where_it_stands(repl, roll)


def go_on(repl: Repl, name: str, faces: str = "", entropy: str = "") -> None:
    """Throw, if it is this seat's to throw; then show where the roll stands.

    Whoever has begun with their own dice is asked for the next faces.
    """
    if faces or (name not in repl.own_dice and _throws_itself(repl.view(), name)):
        given: dict[str, Any] = {"entropy": entropy} if entropy else {}
        if faces:
            given["faces"] = parsing.numbers(faces, "faces")
        try:
            repl.do("throw", roll=name, **given)
        except Refused as refusal:
            more = f"{name} is declared: throw it, or cancel"
            raise Refused(refusal.message, refusal.hint or more) from None
    show_roll(repl, name)


def _throws_itself(view: names.View, name: str) -> bool:
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if found is None or name not in names.possible(view, "throw", "roll"):
        return False
    return show_table.turn_of(found) == view["seat"] and not _by_hand(view, name)


def _by_hand(view: names.View, name: str) -> bool:
    """Tell whether the dice of a roll so far were thrown by hand."""
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if found is None:
        return False
    typed = (found.get("question") or {}).get("typed")
    return bool(typed) or any(die["physical"] for die in found.get("dice", []))


def show_roll(repl: Repl, name: str) -> None:
    """Dice, what is asked next, or what came of it."""
    lines = show_table.roll_shown(repl.table, repl.seat, name)
    if lines:
        echo("\n".join(lines))
    say_where_it_stands(repl, name)


def say_where_it_stands(repl: Repl, name: str) -> None:
    asked = decisions.asked_roll(repl.table, repl.seat, name)
    view = repl.view()
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if asked is not None and found is not None:
        if found["question"]["by"] == view["role"] or show_table.turn_of(found) == view["seat"]:
            repl.asked = name  # Enter alone decides nothing for somebody else
        known = project(repl.table, repl.seat).rolls[name]
        said = "\n".join(decisions.question_lines(asked, known))
        echo(with_hidden(repl.table, repl.seat, name, said))
        return
    if found is None or found["phase"] in ("finalised", "cancelled"):
        return
    if _types_faces(repl, found):
        repl.asked = name
    if found["phase"] == "decided" and name in names.possible(view, "finalise", "roll"):
        _say_decided(repl, found, undo=name in names.possible(view, "undo", "roll"))
        return
    state = show_table.state_of(repl.rules, found) if "asked" in found else "is rolled"
    echo("\n".join(layout.wrap_text(f"{name}: {state}", 2, 4)))


def _types_faces(repl: Repl, roll: names.View) -> bool:
    """Tell whether this seat throws next, with dice of its own."""
    view, name = repl.view(), roll["roll"]
    if not decisions.faces_due(view, name) or show_table.turn_of(roll) != view["seat"]:
        return False
    return name in repl.own_dice or _by_hand(view, name)


def _say_decided(repl: Repl, roll: names.View, *, undo: bool) -> None:
    """Say how a roll becomes final; a table with one seat goes on by itself."""
    back = "undo takes the last decision back"
    if not repl.alone:
        echo(f"  {roll['roll']}: finalise makes it final{f'; {back}' * undo}")
        return
    lines = [f"  {back}"] if undo else []
    for asked in repl.view()["actions"]:
        if asked["do"] == "take_hit" and asked["roll_of"] == roll["roll"]:
            said = show_table.hit_line(repl.rules, repl.view(), asked)
            lines += layout.wrap_text(said, 2, 4)
    if lines:
        echo("\n".join(lines))


# -- throwing and answering


def throw(repl: Repl, words: Words) -> None:
    """Numbers are faces of real dice; anything else names the roll."""
    read = parsing.read(words, ("entropy", "faces"))
    named = [one for one in read.plain if parse_digits(one.replace(",", "")) is None]
    faces = [one for one in read.plain if one not in named]
    if len(named) > 1:
        raise Refused(f"{shorten_word(named[1])!r} is not understood; throw ROLL, and faces by number")
    view = repl.view()
    name = names.roll(view, named[0]) if named else _to_throw(view)
    given: dict[str, Any] = {}
    if text := read.take("faces") or " ".join(faces):
        given["faces"] = parsing.numbers(text, "faces")
    if (entropy := read.take("entropy")) is not None:
        given["entropy"] = entropy
    repl.do("throw", roll=name, **given)
    show_roll(repl, name)


def _to_throw(view: names.View) -> str:
    """The last roll that can be thrown, one's own first; one that has to wait says why."""
    own = [one for one in view["rolls"] if one["roller"] == view["seat"]]
    there = names.possible(view, "throw", "roll")
    mine = [one["roll"] for one in own if one["roll"] in there]
    waiting = [one["roll"] for one in own if one["phase"] == "declared"]
    for found in (mine, there, waiting):
        if found:
            return str(found[-1])
    return names.the_one(view, "throw", "roll")


def answer(repl: Repl, words: Words) -> None:
    """`answer [ROLL] ANSWER`: the answer alone is enough where a question stands above it."""
    view = repl.view()
    rest = list(words)
    if rest and "/" in rest[0]:
        name = names.roll(view, rest.pop(0))
    else:
        name = repl.asked or names.the_one(view, "answer", "roll")
    if not rest:
        repl.asked = name
        show_roll(repl, name)
        return
    said = " ".join(rest)
    asked = decisions.asked_roll(repl.table, repl.seat, name)
    if asked is not None and decisions.meant(asked, said) is None:
        answer_with(repl, name, rest[0], " ".join(rest[1:]))
    else:
        answer_with(repl, name, said)


def answer_with(repl: Repl, name: str, typed: str, words: str = "") -> None:
    asked = decisions.asked_roll(repl.table, repl.seat, name)
    if asked is None:
        raise Refused(f"{name} asks {repl.seat} for nothing now")
    typed = typed or str(decisions.usual_answer(repl.table, repl.seat, name))
    reply = decisions.meant(asked, typed)
    if reply is None:
        options = getattr(asked.ask, "options", None)
        right = format_choices(options) if options else "die numbers such as 3 or 1,4, or none"
        raise Refused(f"{shorten_word(typed)!r} is no answer here; it is {right}")
    repl.do("answer", roll=name, answer=reply, **({"words": words} if words else {}))
    repl.asked = ""
    go_on(repl, name)


# -- what becomes of a roll


def roll_to(repl: Repl, do: str, typed: str | None) -> str:
    view = repl.view()
    return names.roll(view, typed) if typed else names.the_one(view, do, "roll")


def finalise(repl: Repl, words: Words) -> None:
    read = parsing.read(words)
    name = roll_to(repl, "finalise", read.plain.pop(0) if read.plain else None)
    read.done("finalise [ROLL]")
    repl.do("finalise", roll=name)


def undo(repl: Repl, words: Words) -> None:
    """The last decision of a roll; `undo move` and `undo points` for the others."""
    from handful.cli.repl import characters, fights

    first = words[0].lower() if words else ""
    if first == "move":
        fights.undo_move(repl, words[1:])
        return
    if first == "points":
        characters.undo_points(repl, words[1:])
        return
    view = repl.view()
    if not words and not names.possible(view, "undo", "roll"):
        if names.possible(view, "undo_move", "combatant"):
            fights.undo_move(repl, [])
            return
        hint = "cancel" if names.possible(view, "cancel", "roll") else ""
        raise Refused(
            "there is no decision to take back, or dice have fallen since",
            f"a roll that is not thrown yet: {hint}" if hint else "",
        )
    name = roll_to(repl, "undo", words[0] if words else None)
    repl.do("undo", roll=name)
    show_roll(repl, name)


def cancel(repl: Repl, words: Words) -> None:
    repl.do("cancel", roll=roll_to(repl, "cancel", words[0] if words else None))
