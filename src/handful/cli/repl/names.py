"""Resolves typed names of seats, characters, rolls, requests, contests and combatants.

A name may be shortened while it stays unambiguous among those visible to the seat.  A name left
out means the last one for which the command is legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handful.cli.check_request import shorten_word
from handful.errors import Message, Refused, did_you_mean
from handful.rules.params import normalize_name
from handful.table import actions_in

View = Mapping[str, Any]


def find_name(typed: str, candidates: Mapping[str, Sequence[str]], what: str) -> str:
    """Return the key whose names match: exactly, else by prefix, else by the prefix of a word."""
    wanted = normalize_name(typed)
    for fits in (_is_same, _begins_with, _has_word):
        found = [one for one, names in candidates.items() if any(fits(wanted, n) for n in names)]
        if len(found) == 1:
            return found[0]
        if len(found) > 1:
            raise Refused(Message("play.ambiguous_name", typed=shorten_word(typed), found=found))
    choices = Message("advice.there_is", names=candidates) if candidates else Message("play.there_is_none")
    every = [normalize_name(name) for names in candidates.values() for name in names]
    raise Refused(
        Message("play.unknown_name", what=what, typed=shorten_word(typed), choices=choices),
        did_you_mean(wanted, every),
    )


def _is_same(wanted: str, name: str) -> bool:
    return normalize_name(name) == wanted


def _begins_with(wanted: str, name: str) -> bool:
    return bool(wanted) and normalize_name(name).startswith(wanted)


def _has_word(wanted: str, name: str) -> bool:
    return any(part.startswith(wanted) for part in normalize_name(name).split("_")) and bool(wanted)


def seat(view: View, typed: str) -> str:
    return find_name(typed, {one["name"]: [one["name"]] for one in view["seats"]}, "seat")


def seats(view: View, typed: str) -> list[str]:
    """Return several seats, separated by commas; `all` means all players present."""
    if normalize_name(typed) in ("all", "everybody"):
        return [one["name"] for one in view["seats"] if one["role"] == "player" and not one["left"]]
    return [seat(view, one) for one in typed.split(",") if one]


def character(view: View, typed: str) -> str:
    """Return a character by name, with or without its owner: `mira`, `ann/Mira Quill`."""
    candidates = {one["character"]: [one["character"], one["name"]] for one in view["characters"]}
    return find_name(typed, candidates, "character")


def own_characters(view: View) -> list[str]:
    """Return the characters of the seat at the screen."""
    mine = [one for one in view["characters"] if one["owner"] == view["seat"]]
    return [one["character"] for one in mine]


def combatant(view: View, typed: str) -> str:
    order = view["fight"]["order"] if view["fight"] else []
    candidates = {one["combatant"]: [one["combatant"], one["name"]] for one in order}
    return find_name(typed, candidates, "combatant")


def roll(view: View, typed: str) -> str:
    """Return a roll by name, by the part after the /, or the last one of a seat or title."""
    rolls = view["rolls"]
    candidates: dict[str, list[str]] = {
        one["roll"]: [one["roll"], one["roll"].partition("/")[2]] for one in rolls
    }
    wanted = normalize_name(typed)
    if wanted == "last" and rolls:
        return str(rolls[-1]["roll"])
    for by in ("roller", "title"):
        matches = [one["roll"] for one in rolls if normalize_name(one.get(by, "")) == wanted and wanted]
        if matches:
            return str(matches[-1])
    for name, names in candidates.items():
        if wanted == normalize_name(names[0]):
            return name
    found = [name for name, names in candidates.items() if wanted == normalize_name(names[1])]
    if len(found) == 1:
        return found[0]
    if found:
        raise Refused(Message("play.ambiguous_roll", typed=shorten_word(typed), found=found))
    latest = [one["roll"] for one in rolls[-8:]]
    choices = Message("advice.there_is", names=latest) if latest else Message("play.nothing_rolled_yet")
    raise Refused(
        Message("play.unknown_roll", typed=shorten_word(typed), choices=choices),
        did_you_mean(wanted, candidates),
    )


def is_roll(view: View, typed: str) -> bool:
    try:
        roll(view, typed)
    except Refused:
        return False
    return True


def request(view: View, typed: str) -> str:
    candidates = {
        one["request"]: [one["request"], one["request"].partition("/")[2]] for one in view["requests"]
    }
    return find_name(typed, candidates, "request")


def contest(view: View, typed: str) -> str:
    candidates = {
        one["contest"]: [one["contest"], one["contest"].partition("/")[2]] for one in view["contests"]
    }
    return find_name(typed, candidates, "contest")


def possible_values(view: View, do: str, about: str) -> list[str]:
    """Return the values of a field for which a command is legal now, latest last."""
    return [one[about] for one in actions_in(view) if one["do"] == do and about in one]


def last_possible(view: View, do: str, about: str) -> str:
    """Return the last value for which a command is legal; refuse if there is none."""
    found = possible_values(view, do, about)
    if not found:
        raise Refused(Message("play.nothing_to_do", about=about, do=do.replace("_", " "), seat=view["seat"]))
    return found[-1]
