"""Commands about rolls: declare, throw, answer, undo, finalise, cancel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from handful.cli import layout
from handful.cli.check_request import parse_digits, shorten_word
from handful.cli.prompts import echo
from handful.cli.repl import decisions, names, parsing, show_table
from handful.cli.repl.phrases import note_hidden_target
from handful.cli.repl.sheet_access import NOBODY, default_character, sheet_names_for
from handful.errors import NO_MESSAGE, Message, Refused
from handful.rules.params import normalize_name
from handful.table import actions_in, known_to

if TYPE_CHECKING:
    from handful.cli.repl.parsing import ParsedCheck
    from handful.cli.repl.repl import Repl

Words = Sequence[str]


# -- declaring


def declare_check(repl: Repl, read: ParsedCheck, *, throws: bool) -> str:
    """Declare a check, and throw it in the same command if this seat `throws`; return the roll's name.

    Typed faces are always thrown; for another seat's roll nothing else is.
    """
    given = read.take_throw_fields()
    data = declare_data(repl, read)
    if "faces" in given or (throws and data.get("for", repl.seat) == repl.seat):
        data["throw"] = throw_data(given)
    return str(repl.submit("declare", **data)[0].data["roll"])


def throw_data(typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a throw from what was typed: faces or entropy."""
    faces = {"faces": parsing.parse_numbers(typed["faces"], "faces")} if typed.get("faces") else {}
    return {**faces, **({"entropy": typed["entropy"]} if typed.get("entropy") else {})}


def declare_data(repl: Repl, read: ParsedCheck) -> dict[str, Any]:
    """Return the fields of the `declare` command, with all names resolved."""
    view, fields = repl.view(), read.fields
    data: dict[str, Any] = {"check": read.check.name, **read.declare_fields()}
    who = [_character(repl, view, one) for one in read.who]
    if not who[0] and read.who[0] is None:
        who[0] = "" if "for" in fields else default_character(repl)
    if any(who):
        data["as"] = who
    for name, value in fields.items():
        match name:
            case "for":
                data["for"] = names.seat(view, value)
            case "against" | "target":
                data["target"] = names.character(view, value)
            case "interrupts" | "answers":
                data[name] = names.roll(view, value)
            case "hidden":
                data[name] = [normalize_name(one) for one in value.split(",")]
            case "off":
                data[name] = parsing.parse_numbers(value, "lines")
            case "spends" if "," in value:  # one per side
                data[name] = [one.strip() for one in value.split(",")]
            case "mode":
                data[name] = value.lower()
            case _:
                data[name] = value
    if "interrupts" in data:
        data.setdefault("spends", "interruption")
    return data


def _character(repl: Repl, view: names.View, typed: str | None) -> str:
    if typed is None or normalize_name(typed) in NOBODY:
        return ""
    return names.character(view, typed)


def declare(repl: Repl, words: Words) -> None:
    read = parsing.parse_check(repl.rules, words, names_of=sheet_names_for(repl))
    if {"faces", "entropy"} & {*read.fields}:
        raise Refused(Message("play.declare_throws_nothing"))
    show_next_step(repl, declare_check(repl, read, throws=False))


def continue_roll(repl: Repl, name: str) -> None:
    """Throw if this seat throws next; then show the roll.

    A roll begun with physical dice asks for the next faces instead.
    """
    if name in names.possible_values(repl.view(), "throw", "roll") and _rolls_virtual_dice(repl, name):
        repl.submit("throw", roll=name)
    show_roll(repl, name)


def _rolls_virtual_dice(repl: Repl, name: str) -> bool:
    """Tell whether this seat is the next to roll, and not with physical dice."""
    view = repl.view()
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if found is None or name in repl.own_dice or _was_thrown_by_hand(view, name):
        return False
    return bool(show_table.next_roller(found) == view["seat"])


def _was_thrown_by_hand(view: names.View, name: str) -> bool:
    """Tell whether any die of a roll so far was physical."""
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if found is None:
        return False
    typed = (found.get("question") or {}).get("typed")
    return bool(typed) or any(die["physical"] for die in found.get("dice", []))


def show_roll(repl: Repl, name: str) -> None:
    """Print the dice or the result of a roll, and its next question."""
    lines = show_table.roll_lines(repl.table, repl.seat, name)
    if lines:
        echo("\n".join(lines))
    show_next_step(repl, name)


def show_next_step(repl: Repl, name: str) -> None:
    asked = decisions.roll_awaiting(repl.table, repl.seat, name)
    view = repl.view()
    found = next((one for one in view["rolls"] if one["roll"] == name), None)
    if asked is not None and found is not None:
        if found["question"]["by"] == view["role"] or show_table.next_roller(found) == view["seat"]:
            repl.pending_roll = name  # an empty line must not decide for another seat
        table_roll = known_to(repl.table, repl.seat).rolls[name]
        text = "\n".join(decisions.question_lines(asked, table_roll))
        echo(note_hidden_target(repl.table, repl.seat, name, text))
        return
    if found is None or found["phase"] in ("finalised", "cancelled"):
        return
    if _types_faces(repl, found):
        repl.pending_roll = name
    if found["phase"] == "decided" and name in names.possible_values(view, "finalise", "roll"):
        _show_decided(repl, found, undo=name in names.possible_values(view, "undo", "roll"))
        return
    state = show_table.roll_state(repl.rules, found) if "asked" in found else "is rolled"
    echo("\n".join(layout.wrap_text(f"{name}: {state}", 2, 4)))


def _types_faces(repl: Repl, roll: names.View) -> bool:
    """Tell whether this seat throws next, with physical dice."""
    view, name = repl.view(), roll["roll"]
    if not decisions.faces_due(view, name) or show_table.next_roller(roll) != view["seat"]:
        return False
    return name in repl.own_dice or _was_thrown_by_hand(view, name)


def _show_decided(repl: Repl, roll: names.View, *, undo: bool) -> None:
    """Print how to finalise a decided roll; at a table with one seat that happens by itself."""
    undo_hint = "undo takes back the last decision"
    if not repl.is_solo:
        echo(f"  {roll['roll']}: finalise keeps it{f'; {undo_hint}' * undo}")
        return
    lines = [f"  {undo_hint}"] if undo else []
    for asked in actions_in(repl.view()):
        if asked["do"] == "take_hit" and asked["roll_of"] == roll["roll"]:
            said = show_table.hit_line(repl.rules, repl.view(), asked)
            lines += layout.wrap_text(said, 2, 4)
    if lines:
        echo("\n".join(lines))


# -- throwing and answering


def throw(repl: Repl, words: Words) -> None:
    """Throw a roll: numbers are faces of physical dice, another word names the roll."""
    read = parsing.parse_words(words, ("entropy", "faces"))
    named = [one for one in read.positional if parse_digits(one.replace(",", "")) is None]
    faces = [one for one in read.positional if one not in named]
    if len(named) > 1:
        raise Refused(Message("play.throw_usage", typed=shorten_word(named[1])))
    view = repl.view()
    name = names.roll(view, named[0]) if named else _find_roll_to_throw(view)
    typed = {"faces": read.take("faces") or " ".join(faces), "entropy": read.take("entropy") or ""}
    repl.submit("throw", roll=name, **throw_data(typed))
    show_roll(repl, name)


def _find_roll_to_throw(view: names.View) -> str:
    """Return the last roll that can be thrown, own ones first.

    Falls back to an own roll that must wait, so that the table's refusal says why.
    """
    own = [one for one in view["rolls"] if one["roller"] == view["seat"]]
    possible = names.possible_values(view, "throw", "roll")
    mine = [one["roll"] for one in own if one["roll"] in possible]
    waiting = [one["roll"] for one in own if one["phase"] == "declared"]
    for found in (mine, possible, waiting):
        if found:
            return str(found[-1])
    return names.last_possible(view, "throw", "roll")


def answer(repl: Repl, words: Words) -> None:
    """Answer a question: `answer [ROLL] ANSWER`; without an answer, show the question."""
    view = repl.view()
    rest = list(words)
    if rest and "/" in rest[0]:
        name = names.roll(view, rest.pop(0))
    else:
        name = repl.pending_roll or names.last_possible(view, "answer", "roll")
    if not rest:
        repl.pending_roll = name
        show_roll(repl, name)
        return
    reply = " ".join(rest)
    asked = decisions.roll_awaiting(repl.table, repl.seat, name)
    if asked is not None and decisions.parse_answer(asked, reply) is None:
        answer_with(repl, name, rest[0], " ".join(rest[1:]))
    else:
        answer_with(repl, name, reply)


def answer_with(repl: Repl, name: str, typed: str, words: str = "") -> None:
    asked = decisions.roll_awaiting(repl.table, repl.seat, name)
    if asked is None:
        raise Refused(Message("play.asks_nothing", name=name, seat=repl.seat))
    typed = typed or str(decisions.usual_answer(repl.table, repl.seat, name))
    reply = decisions.parse_answer(asked, typed)
    if reply is None:
        options = getattr(asked.ask, "options", None)
        right = Message("expects.names", names=options) if options else Message("play.die_numbers")
        raise Refused(Message("play.not_an_answer", typed=shorten_word(typed), right=right))
    throw: dict[str, Any] | None = {} if _rolls_virtual_dice(repl, name) else None
    repl.submit("answer", roll=name, answer=reply, throw=throw, **({"words": words} if words else {}))
    repl.pending_roll = ""
    continue_roll(repl, name)


# -- finalising and undoing


def find_roll(repl: Repl, do: str, typed: str | None) -> str:
    view = repl.view()
    return names.roll(view, typed) if typed else names.last_possible(view, do, "roll")


def finalise(repl: Repl, words: Words) -> None:
    read = parsing.parse_words(words)
    name = find_roll(repl, "finalise", read.positional.pop(0) if read.positional else None)
    read.done("finalise [ROLL]")
    repl.submit("finalise", roll=name)


def undo(repl: Repl, words: Words) -> None:
    """Undo the last decision of a roll, a move (`undo move`) or points (`undo points`)."""
    from handful.cli.repl import characters, fights

    first = words[0].lower() if words else ""
    if first == "move":
        fights.undo_move(repl, words[1:])
        return
    if first == "points":
        characters.undo_points(repl, words[1:])
        return
    view = repl.view()
    if not words and not names.possible_values(view, "undo", "roll"):
        if names.possible_values(view, "undo_move", "combatant"):
            fights.undo_move(repl, [])
            return
        unthrown = Message("play.unthrown_roll", hint="cancel")
        may_cancel = names.possible_values(view, "cancel", "roll")
        raise Refused(Message("play.no_decision_to_undo"), unthrown if may_cancel else NO_MESSAGE)
    name = find_roll(repl, "undo", words[0] if words else None)
    repl.submit("undo", roll=name)
    show_roll(repl, name)


def cancel(repl: Repl, words: Words) -> None:
    repl.submit("cancel", roll=find_roll(repl, "cancel", words[0] if words else None))
