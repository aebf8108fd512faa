"""Words about rolls: roll, throw, answer, take back, finish, put right, say what it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handful.cli import paper
from handful.cli.asking import say
from handful.cli.evening import deciding, names, phrase, showing
from handful.cli.evening.sheets import NOBODY, own_of, usual_character
from handful.cli.evening.wording import with_hidden
from handful.cli.words import cut, whole
from handful.errors import Refused, listed
from handful.rules.params import canonical
from handful.table import as_known

if TYPE_CHECKING:
    from handful.cli.evening.evening import Evening
    from handful.cli.evening.phrase import Checked

Words = Sequence[str]


# -- declaring


def declared(evening: Evening, read: Checked) -> tuple[str, dict[str, str]]:
    """Declare a check; return the roll's name, and what was said of the throw."""
    throw = read.throw()
    events = evening.do("declare", **fields_of(evening, read))
    return str(events[0].data["roll"]), throw


def fields_of(evening: Evening, read: Checked) -> dict[str, Any]:
    """What `declare` takes, with every name in full."""
    view, said = evening.view(), read.fields
    made: dict[str, Any] = {"check": read.check.name, **read.parts()}
    who = [_character(evening, view, one) for one in read.who]
    if not who[0] and read.who[0] is None:
        who[0] = "" if "for" in said else usual_character(evening)
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
                made[name] = [canonical(one) for one in value.split(",")]
            case "off":
                made[name] = phrase.numbers(value, "lines")
            case "spends" if "," in value:  # one for each side
                made[name] = [one.strip() for one in value.split(",")]
            case "mode":
                made[name] = value.lower()
            case _:
                made[name] = value
    if "interrupts" in made:
        made.setdefault("spends", "interruption")
    return made


def _character(evening: Evening, view: names.View, typed: str | None) -> str:
    if typed is None or canonical(typed) in NOBODY:
        return ""
    return names.character(view, typed)


def declare(evening: Evening, words: Words) -> None:
    read = phrase.read_check(evening.rules, words, own_of=own_of(evening))
    if {"faces", "entropy"} & {*read.fields}:
        raise Refused("declare throws nothing; faces belong to throw")
    roll, _ = declared(evening, read)
    say_where_it_stands(evening, roll)


def go_on(evening: Evening, name: str, faces: str = "", entropy: str = "") -> None:
    """Throw, if it is this seat's to throw; then show where the roll stands.

    Whoever has begun with their own dice is asked for the next faces.
    """
    if faces or (name not in evening.own_dice and _throws_itself(evening.view(), name)):
        given: dict[str, Any] = {"entropy": entropy} if entropy else {}
        if faces:
            given["faces"] = phrase.numbers(faces, "faces")
        try:
            evening.do("throw", roll=name, **given)
        except Refused as refusal:
            more = f"{name} is declared: throw it, or cancel"
            raise Refused(refusal.message, refusal.hint or more) from None
    show_roll(evening, name)


def _throws_itself(view: names.View, name: str) -> bool:
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if found is None or name not in names.possible(view, "throw", "roll"):
        return False
    return showing.turn_of(found) == view["seat"] and not _by_hand(view, name)


def _by_hand(view: names.View, name: str) -> bool:
    """Tell whether the dice of a roll so far were thrown by hand."""
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if found is None:
        return False
    typed = (found.get("question") or {}).get("typed")
    return bool(typed) or any(die["physical"] for die in found.get("dice", []))


def show_roll(evening: Evening, name: str) -> None:
    """Dice, what is asked next, or what came of it."""
    lines = showing.roll_shown(evening.table, evening.seat, name)
    if lines:
        say("\n".join(lines))
    say_where_it_stands(evening, name)


def say_where_it_stands(evening: Evening, name: str) -> None:
    asked = deciding.asked_roll(evening.table, evening.seat, name)
    view = evening.view()
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if asked is not None and found is not None:
        if found["question"]["by"] == view["role"] or showing.turn_of(found) == view["seat"]:
            evening.asked = name  # Enter alone decides nothing for somebody else
        known = as_known(evening.table, evening.seat).rolls[name]
        said = "\n".join(deciding.question_lines(asked, known))
        say(with_hidden(evening.table, evening.seat, name, said))
        return
    if found is None or found["phase"] in ("finalised", "cancelled"):
        return
    if _types_faces(evening, found):
        evening.asked = name
    if found["phase"] == "decided" and name in names.possible(view, "finalise", "roll"):
        _say_decided(evening, found, undo=name in names.possible(view, "undo", "roll"))
        return
    state = showing.state_of(evening.rules, found) if "asked" in found else "is rolled"
    say("\n".join(paper.folded(f"{name}: {state}", 2, 4)))


def _types_faces(evening: Evening, roll: names.View) -> bool:
    """Tell whether this seat throws next, with dice of its own."""
    view, name = evening.view(), roll["roll"]
    if not deciding.faces_due(view, name) or showing.turn_of(roll) != view["seat"]:
        return False
    return name in evening.own_dice or _by_hand(view, name)


def _say_decided(evening: Evening, roll: names.View, *, undo: bool) -> None:
    """Say how a roll becomes final; a table with one seat goes on by itself."""
    back = "undo takes the last decision back"
    if not evening.alone:
        say(f"  {roll['roll']}: finalise makes it final{f'; {back}' * undo}")
        return
    lines = [f"  {back}"] if undo else []
    for asked in evening.view()["actions"]:
        if asked["do"] == "take_hit" and asked["roll_of"] == roll["roll"]:
            said = showing.hit_line(evening.rules, evening.view(), asked)
            lines += paper.folded(said, 2, 4)
    if lines:
        say("\n".join(lines))


# -- throwing and answering


def throw(evening: Evening, words: Words) -> None:
    """Numbers are faces of real dice; anything else names the roll."""
    read = phrase.read(words, ("entropy", "faces"))
    named = [one for one in read.plain if whole(one.replace(",", "")) is None]
    faces = [one for one in read.plain if one not in named]
    if len(named) > 1:
        raise Refused(f"{cut(named[1])!r} is not understood; throw ROLL, and faces by number")
    view = evening.view()
    name = names.roll(view, named[0]) if named else _to_throw(view)
    given: dict[str, Any] = {}
    if text := read.take("faces") or " ".join(faces):
        given["faces"] = phrase.numbers(text, "faces")
    if (entropy := read.take("entropy")) is not None:
        given["entropy"] = entropy
    evening.do("throw", roll=name, **given)
    show_roll(evening, name)


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


def answer(evening: Evening, words: Words) -> None:
    """`answer [ROLL] ANSWER`: the answer alone is enough where a question stands above it."""
    view = evening.view()
    rest = list(words)
    if rest and "/" in rest[0]:
        name = names.roll(view, rest.pop(0))
    else:
        name = evening.asked or names.the_one(view, "answer", "roll")
    if not rest:
        evening.asked = name
        show_roll(evening, name)
        return
    said = " ".join(rest)
    asked = deciding.asked_roll(evening.table, evening.seat, name)
    if asked is not None and deciding.meant(asked, said) is None:
        answer_with(evening, name, rest[0], " ".join(rest[1:]))
    else:
        answer_with(evening, name, said)


def answer_with(evening: Evening, name: str, typed: str, words: str = "") -> None:
    asked = deciding.asked_roll(evening.table, evening.seat, name)
    if asked is None:
        raise Refused(f"{name} asks {evening.seat} for nothing now")
    typed = typed or str(deciding.usual_answer(evening.table, evening.seat, name))
    reply = deciding.meant(asked, typed)
    if reply is None:
        options = getattr(asked.ask, "options", None)
        right = listed(options) if options else "die numbers such as 3 or 1,4, or none"
        raise Refused(f"{cut(typed)!r} is no answer here; it is {right}")
    evening.do("answer", roll=name, answer=reply, **({"words": words} if words else {}))
    evening.asked = ""
    go_on(evening, name)


# -- what becomes of a roll


def roll_to(evening: Evening, do: str, typed: str | None) -> str:
    view = evening.view()
    return names.roll(view, typed) if typed else names.the_one(view, do, "roll")


def finalise(evening: Evening, words: Words) -> None:
    read = phrase.read(words)
    name = roll_to(evening, "finalise", read.plain.pop(0) if read.plain else None)
    read.done("finalise [ROLL]")
    evening.do("finalise", roll=name)


def undo(evening: Evening, words: Words) -> None:
    """The last decision of a roll; `undo move` and `undo points` for the others."""
    from handful.cli.evening import fighting, people

    first = words[0].lower() if words else ""
    if first == "move":
        fighting.undo_move(evening, words[1:])
        return
    if first == "points":
        people.undo_points(evening, words[1:])
        return
    view = evening.view()
    if not words and not names.possible(view, "undo", "roll"):
        if names.possible(view, "undo_move", "combatant"):
            fighting.undo_move(evening, [])
            return
        hint = "cancel" if names.possible(view, "cancel", "roll") else ""
        raise Refused(
            "there is no decision to take back, or dice have fallen since",
            f"a roll that is not thrown yet: {hint}" if hint else "",
        )
    name = roll_to(evening, "undo", words[0] if words else None)
    evening.do("undo", roll=name)
    show_roll(evening, name)


def cancel(evening: Evening, words: Words) -> None:
    evening.do("cancel", roll=roll_to(evening, "cancel", words[0] if words else None))
