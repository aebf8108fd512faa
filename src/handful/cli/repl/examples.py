"""Fills the placeholders in help examples with names of the current game and table.

    use {character} {use}    ->    use corvin medals heal

An example is left out if the game lacks the thing: UWR has no stances.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from handful import library
from handful.cli.repl import names
from handful.cli.repl.checks import playable_checks
from handful.rules.params import Param
from handful.rules.ruleset import Check, Ruleset

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

PLACEHOLDER = re.compile(r"{(\w+)}")
PLAYER = "ann"  # used while the table has no player


def fill_example(repl: Repl, example: str) -> str:
    """Fill the placeholders of an example; empty if the game lacks one of them."""
    found = {name: PLACEHOLDERS[name](repl) for name in PLACEHOLDER.findall(example)}
    return PLACEHOLDER.sub(lambda one: found[one[1]], example) if all(found.values()) else ""


def _simple_check(rules: Ruleset) -> Check:
    """Return the first check without sides, else the first check."""
    checks = [rules.checks[name] for name in playable_checks(rules)]
    return next((one for one in checks if one.sides is None), checks[0])


def _check(repl: Repl) -> str:
    """Example check with its required parameters: `direct attribute=3.5 difficulty=easy`."""
    check = _simple_check(repl.rules)
    params = list(check.params.values())
    shown = [one for one in params if one.required] or params[:1]
    shown += [one for one in params if one.type == "ladder" and one not in shown][:1]
    return " ".join([check.name, *(_value(one) for one in shown)])


def _value(param: Param, step: int = 0) -> str:
    """Example value, such as `attribute=3.5`; of a ladder the middle, so the odds are neither 0 nor 1."""
    rungs = list(param.ladder) if param.type == "ladder" else []
    value = rungs[(len(rungs) // 2 + step) % len(rungs)] if rungs else param.example()
    return f"{param.name}={value}"


def _change(repl: Repl) -> str:
    """Example change, such as `difficulty=moderate`: differs from the value in `_check`."""
    for one in _simple_check(repl.rules).params.values():
        if one.type == "ladder" and len(one.ladder) > 1:
            return _value(one, step=-1)
    return _param(repl)


def _param(repl: Repl) -> str:
    params = _simple_check(repl.rules).params.values()
    return next((_value(one) for one in params), "")


def _comparing(repl: Repl) -> str:
    """Return the first check that compares two sides."""
    for name in playable_checks(repl.rules):
        sides = repl.rules.checks[name].sides
        if sides is not None and sides.word == "vs" and sides.least <= 2 <= sides.most:
            return name
    return ""


def _character(repl: Repl) -> str:
    """Return a character of this seat, else one at the table, else one shipped with the game."""
    view = repl.view()
    present = [one["name"] for one in view["characters"]]
    own = [name.partition("/")[2] for name in names.own_characters(view)]
    from handful.library.characters import ruleset_files
    from handful.library.files import character_names

    files = ruleset_files(repl.rules, repl.stored.header.game)
    shipped = [name for file in files for name in character_names(file)]
    found = next(iter([*own, *present, *shipped]), "")
    return found.split()[0].lower() if found else ""


def _roll(repl: Repl) -> str:
    rolls = repl.view()["rolls"]
    return str(rolls[-1]["roll"]) if rolls else f"{repl.seat}/1"


def _line(repl: Repl) -> str:
    """Return the number of the last breakdown line of the last roll that can be switched off."""
    rolls = repl.view()["rolls"]
    lines = rolls[-1].get("lines", []) if rolls else []
    return str(max([one["number"] for one in lines if one["number"] is not None], default=1))


def _player(repl: Repl) -> str:
    seats = [one["name"] for one in repl.view()["seats"] if one["role"] == "player"]
    return next(iter(seats), PLAYER)


def _points(repl: Repl) -> str:
    """Example change of points: `vitality=-1`, or `=1` where none are left."""
    sheet = repl.rules.sheet
    if not sheet or not sheet.resources:
        return ""
    name = next(iter(sheet.resources))
    own = [one for one in repl.view()["characters"] if "sheet" in one]
    empty = any(not one["sheet"].get("resources", {}).get(name) for one in own)
    return f"{name}={'1' if empty else '-1'}"


def _harm(repl: Repl) -> str:
    sheet = repl.rules.sheet
    return "3" if sheet and sheet.rounds and sheet.rounds.harm else ""


def _task(repl: Repl) -> str:
    """Return a failed task, in games that track them."""
    tried = [task for one in repl.view()["characters"] for task in one.get("tasks", ())]
    return next(iter(tried), "the old lock" if repl.rules.rounds is not None else "")


def _other_game(repl: Repl) -> str:
    return next(name for name in library.shipped() if name != repl.rules.id)


def _use(repl: Repl) -> str:
    sheet = repl.rules.sheet
    resources = sheet.resources.items() if sheet else ()
    return next((f"{name} {use}" for name, own in resources for use in own.uses), "")


def _option(repl: Repl) -> str:
    for option in repl.rules.options.values():
        if len(option.values) > 1:
            return f"{option.name}={str(option.values[1]).lower()}"
    return ""


def _rounds(part: str) -> Callable[[Repl], str]:
    def first(repl: Repl) -> str:
        sheet = repl.rules.sheet
        entries: dict[str, Any] = getattr(sheet.rounds, part, {}) if sheet and sheet.rounds else {}
        return next(_spelled(entries), "")

    return first


def _spelled(entries: dict[str, Any]) -> Iterator[str]:
    for name, entry in entries.items():
        choices = list(getattr(entry, "choices", ()))
        yield " ".join([name.replace("_", " "), *choices[:1]])


PLACEHOLDERS: dict[str, Callable[[Repl], str]] = {
    "check": _check,
    "change": _change,
    "param": _param,
    "comparing": _comparing,
    "character": _character,
    "roll": _roll,
    "line": _line,
    "player": _player,
    "points": _points,
    "use": _use,
    "option": _option,
    "stance": _rounds("stances"),
    "pace": _rounds("paces"),
    "answer": _rounds("answers"),
    "game": lambda repl: repl.rules.id,
    "harm": _harm,
    "task": _task,
    "other": _other_game,
}
