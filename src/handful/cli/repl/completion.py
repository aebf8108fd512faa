"""Tab completion: commands, checks, parameters with their values, and names visible to the seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from handful import library
from handful.cli import completers
from handful.cli.repl import decisions, names
from handful.cli.repl.checks import playable_checks
from handful.cli.repl.commands import REPL_COMMANDS, command_names, find_command
from handful.cli.repl.parsing import FIELDS
from handful.rules.params import match_name
from handful.table import MODES, SHEET_MODES

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl
    from handful.rules.ruleset import Check

CHECKS = ("roll", "dice", "declare", "odds", "call", "contest", "challenge", "request")
ROLLS = (
    "throw",
    "answer",
    "finalise",
    "undo",
    "cancel",
    "look",
    "reveal",
    "judge",
    "note",
    "correct",
    "switch",
    "line",
    "interrupt",
    "respond",
    "contest",
    "challenge",
    "settle",
    "harm",
)
CHARACTERS = ("sheet", "show", "remove", "use", "adjust", "harm", "equip", "forget", "fight", "join")
SEATS = ("seat", "leave", "whisper", "share", "accept", "refuse", "request", "challenge")


def completions(repl: Repl, before: Sequence[str], begun: str) -> list[str]:
    """Return the possible next words after `before`."""
    if not before:
        return _first_words(repl, begun)
    word, rest = find_command(repl.rules, before)
    if word is None:
        return _check_completions(repl, before, begun)
    first = word.usage.split()[0]
    view = repl.view()
    last = before[-1].lower()
    people = [one["name"] for one in view["characters"]]
    if last in ("as", "against"):
        return [_short_name(one) for one in people]
    if last in ("for", "to"):
        return [one["name"] for one in view["seats"]]
    found: list[str] = []
    if first in CHECKS:
        found += _check_completions(repl, rest if first != "request" else rest[1:], begun)
    if first in ROLLS:
        found += [one["roll"] for one in view["rolls"]]
    if first in CHARACTERS:
        found += [_short_name(one) for one in people]
    if first in SEATS and not (first != "challenge" and rest):
        found += [one["name"] for one in view["seats"]]
    return found + _other_completions(repl, first, rest, view)


def _first_words(repl: Repl, begun: str) -> list[str]:
    """Completions of the first word of a line."""
    now = repl.current
    if now is not None and "=" in begun:
        return _check_completions(repl, [now.check.name], begun)
    changes = [f"{name}=" for name in now.check.params] if now is not None else []
    games = library.shipped() if repl.in_memory else []
    aliases = [one for word in REPL_COMMANDS.values() for one in word.aliases if len(one) > 2]
    words = [*command_names(repl.rules), *aliases, *playable_checks(repl.rules), *_answers(repl)]
    return [*words, *changes, *games]


def _short_name(name: str) -> str:
    """Return the first word of a name, in lowercase."""
    return name.split()[0].lower()


def _answers(repl: Repl) -> list[str]:
    roll = decisions.roll_awaiting(repl.table, repl.seat, repl.pending_roll)
    return list(getattr(roll.ask, "options", ("none",))) if roll is not None else []


def _other_completions(repl: Repl, first: str, rest: Sequence[str], view: names.View) -> list[str]:
    rounds = repl.rules.rounds
    sheet = repl.rules.sheet
    match first:
        case "help":
            return [*command_names(repl.rules), *repl.rules.checks]
        case "seat" if rest:
            return ["player", "gm", "watcher"]
        case "show" if rest:
            return list(SHEET_MODES)
        case "visibility":
            return list(MODES)
        case "house":
            return [f"{name}=" for name in repl.rules.options]
        case "add":
            from handful.library.characters import ruleset_files
            from handful.library.files import character_names

            files = ruleset_files(repl.rules, repl.stored.header.game)
            return list(dict.fromkeys(one for file in files for one in character_names(file)))
        case "adjust":
            return [f"{name}=" for name in sheet.resources] if sheet else []
        case "stance":
            return (
                [*rounds.stances, *(c for s in rounds.stances.values() for c in s.choices)] if rounds else []
            )
        case "pace":
            return list(rounds.paces) if rounds else []
        case "propose" | "accept" | "settle" | "withdraw":
            requests = [one["request"] for one in view["requests"]]
            checks = [repl.rules.check(one["check"]) for one in view["requests"]]
            return requests + [f"{name}=" for check in checks for name in check.params]
        case "out" | "uncover" | "wait" | "end" | "prepare":
            order = view["fight"]["order"] if view["fight"] else []
            return [_short_name(one["name"]) for one in order] + ["fight"] * (first == "end")
    return []


def _check_completions(repl: Repl, rest: Sequence[str], begun: str) -> list[str]:
    """Complete the name of a check, or the parameters of the one already typed."""
    checks = repl.rules.checks
    if not rest:
        return [name for name, one in checks.items() if one.program is not None]
    check_name = match_name(rest[0], checks)
    if check_name is None:
        return []
    check = checks[check_name]
    name, equals, _ = begun.partition("=")
    if equals:
        return [f"{name}={one}" for one in _values(repl, check, name)]
    sides = [check.sides.word] if check.sides else []
    given = {one.partition("=")[0] for one in rest[1:]}
    params = [f"{one}=" for one in check.params if one not in given]
    fields = [f"{one}=" for one in FIELDS if one not in (*check.params, "target")]
    return [*params, *sides, *fields, "as", "against"]


def _values(repl: Repl, check: Check, name: str) -> list[str]:
    if name == "mode":
        return list(MODES)
    if name == "hidden":
        return list(check.params)
    param_name = match_name(name, check.params)
    if param_name is None:
        return []
    return [*completers.values(check.params[param_name]), *_sheet_values(repl, check, param_name)]


def _sheet_values(repl: Repl, check: Check, name: str) -> list[str]:
    """Return names on this seat's sheets that fit a parameter."""
    from handful.cli.repl.sheet_names import SheetNames
    from handful.table import known_to

    characters = known_to(repl.table, repl.seat).characters
    found: list[str] = []
    for character in names.own_characters(repl.view()):
        if (sheet := characters[character].sheet) is not None:
            found += SheetNames(repl.rules, check, sheet).names_for(check.params[name])
    return [one for one in dict.fromkeys(found) if " " not in one]
