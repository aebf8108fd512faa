"""A check before its roll: what a seat wants to make, with which character.

Parameters may name what is on the sheet; `sheet.draft` makes lines of it.  Without a character,
and without lines that the GM changes, what is declared is just what was typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handful import odds as exact
from handful.errors import Refused
from handful.records import record, replace
from handful.roll import BoundCheck, bind, why_impossible
from handful.rules.name_resolution import resolve_parameters
from handful.rules.params import find_name
from handful.rules.ruleset import localize
from handful.sheet import Character, Draft, Line, draft, sheet_names
from handful.solver.solver import BUDGET
from handful.table.action_context import (
    action_context_data,
    resolve_action_fields,
    with_action_lines,
    without_characters,
)
from handful.table.commands import read_command
from handful.table.events import Command
from handful.table.lines import line_data
from handful.table.position import bind_check
from handful.table.projection import project
from handful.table.state import Table
from handful.table.table_values import with_table_values
from handful.table.transaction import check_data
from handful.table.visibility import ALL, GM, without_parameters


@record()
class _Declaration:
    """A declaration with everything filled in, and its draft if a character makes the check."""

    fields: Mapping[str, Any]
    draft: Draft | None = None
    hidden: tuple[str, ...] = ()  # parameters that only the GM may know

    def bound(self, table: Table) -> BoundCheck:
        """The check as it would be rolled; refused where a line forbids it."""
        if self.draft is not None:
            return without_characters(self.draft).bound()
        sides, parameters = self.fields.get("sides", []), self.fields.get("parameters", {})
        return bind(table.rules, self.fields["check"], sides, parameters, table.options)

    def lines(self, hidden: tuple[str, ...]) -> list[dict[str, Any]]:
        """The draft's lines, numbered as the GM switches them, without hidden parameters."""
        return [
            {"number": number, **line_view(side, line)}
            for number, (side, line) in enumerate(self.draft.lines_with_sides() if self.draft else (), 1)
            if line.parameter not in hidden
        ]


def _prepare(table: Table, projected: Table, actor: str, roller: str, fields: Mapping[str, Any]) -> _Declaration:
    """Fill in what `declare` would declare; `known` is the table as the actor knows it."""
    fields = resolve_action_fields(table, projected, actor, _with_parameter_names(table, projected, fields))
    if not any(fields.get(name) for name in ("as", "off", "add")):
        return _Declaration(fields)
    own, hidden = _build_draft(table, projected, actor, roller, fields)
    return _Declaration(fields, own, tuple(hidden))


def _read_declaration(
    table: Table, seat: str, data: Mapping[str, Any]
) -> tuple[_Declaration, tuple[str, ...]]:
    """What a seat could declare, and the parameters that are hidden from this seat."""
    projected, fields = project(table, seat), read_command(Command("declare", "sketch", data))
    made = _prepare(table, projected, seat, fields.get("for", seat), fields)
    return made, () if projected.role(seat) == GM else made.hidden


def draft_declaration(
    table: Table, projected: Table, actor: str, roller: str, fields: Mapping[str, Any]
) -> tuple[BoundCheck, dict[str, Any]]:
    """The check that is declared, and where it comes from: what `roll_declared` says of it.

    `known` is the table as the actor knows it; `typed` in the fields says who gave a parameter, if
    somebody else did.
    """
    made = _prepare(table, projected, actor, roller, fields)
    bound = made.bound(table)
    if made.draft is None:
        return bound, {}
    sides = made.draft.sides
    return bound, {
        "as": [*fields.get("as", []), *[""] * len(sides)][: len(sides)],
        "places": [side.skill_count for side in sides],
        "lines": [line_data(side, line) for side, line in made.draft.lines_with_sides()],
        "hidden": list(made.hidden),
        "deed": action_context_data(projected, actor, made.fields, bound.check),
    }


def _with_parameter_names(table: Table, projected: Table, fields: Mapping[str, Any]) -> dict[str, Any]:
    """What `declare` takes, with the names of the game filled into parameters."""
    rules, made = table.rules, dict(fields)
    check = rules.check(fields["check"])
    characters = [projected.characters.get(name) for name in fields.get("as", [])]
    own = [sheet_names(rules, character.sheet) if character else None for character in characters]
    made["check"] = check.name
    if "parameters" in made:
        made["parameters"] = resolve_parameters(rules, check, made["parameters"], own[0] if own else None)
    if "sides" in made:
        own += [None] * (len(made["sides"]) - len(own))
        made["sides"] = [
            resolve_parameters(rules, check, side, names)
            for side, names in zip(made["sides"], own, strict=False)
        ]
    return made


def preview_lines(table: Table, seat: str, data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lines of a check that a seat could declare, with the numbers for `off`.

    `data` is what `declare` takes.  Nothing is rolled, and nobody hears of it.
    """
    made, hidden = _read_declaration(table, seat, data)
    return made.lines(hidden)


def preview_odds(
    table: Table, seat: str, data: Mapping[str, Any], policy: str = "usual", budget: int = BUDGET
) -> dict[str, Any]:
    """The odds of a check that a seat could declare, by what it knows, and where it comes from."""
    asked, told = preview_request(table, seat, data)
    found = exact.odds(bind_check(table.rules, asked), policy=policy, budget=budget)
    return {**told, "odds": found.to_dict()}


def preview_request(
    table: Table, seat: str, data: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A check that a seat could declare as plain data, by what it knows, and what is to be told.

    That is: its `lines`; why it `cannot` be made, in each language; and what is `unknown` of it.
    """
    made = preview_check(table, seat, data)
    cannot = {one: why_impossible(made.bound, language=one) for one in table.rules.title}
    return check_data(made.bound), {
        "lines": list(made.lines),
        "cannot": {one: why for one, why in cannot.items() if why},
        "unknown": list(made.unknown),
    }


@record()
class CheckPreview:
    """A check as a seat could declare it, by what the seat knows.

    `lines` are numbered as the GM switches them.  `unknown` are parameters that count and that the
    seat may not see, such as a hidden Defense.
    """

    bound: BoundCheck
    draft: Draft | None = None  # where it comes from, if a character makes it
    lines: tuple[dict[str, Any], ...] = ()
    unknown: tuple[str, ...] = ()


def preview_check(table: Table, seat: str, data: Mapping[str, Any]) -> CheckPreview:
    """Build a check the way `declare` does, without declaring it: its odds are the roll's."""
    made, hidden = _read_declaration(table, seat, data)
    bound = made.bound(table)
    if made.draft is None:
        return CheckPreview(bound)
    lines = tuple(made.lines(hidden))
    if not hidden:
        return CheckPreview(bound, made.draft, lines)
    bare = bind_check(table.rules, without_parameters(check_data(bound), hidden))
    counting = {line.parameter for line in made.draft.lines if line.on}
    unknown = tuple(name for name in hidden if name in counting)
    return CheckPreview(bare, _without_lines(made.draft, hidden), lines, unknown)


def _without_lines(own: Draft, hidden: tuple[str, ...]) -> Draft:
    """The draft without the lines of hidden parameters."""

    def left(lines: tuple[Line, ...]) -> tuple[Line, ...]:
        return tuple(one for one in lines if one.parameter not in hidden)

    sides = tuple(replace(side, lines=left(side.lines)) for side in own.sides)
    return replace(own, overall=left(own.overall), sides=sides)


def line_view(side: int, line: Line) -> dict[str, Any]:
    """A line as somebody reads it: in English, and in every language that it has."""
    data = line_data(side, line)
    says = {
        "says": line.says(),
        "cannot": localize(line.cannot),
        "words": {language: line.says(language) for language in line.title},
        "why": dict(line.cannot),
    }
    return {name: one for name, one in data.items() if name not in ("via", "place")} | says


def _build_draft(
    table: Table, projected: Table, actor: str, roller: str, fields: Mapping[str, Any]
) -> tuple[Draft, list[str]]:
    """The draft, and the parameters of it that only the GM may know."""
    if (fields.get("off") or fields.get("add")) and projected.role(actor) != GM:
        raise Refused("only the GM switches lines off and adds some")
    characters = [
        _usable_sheet(table, projected, actor, roller, name) if name else None for name in fields.get("as", [])
    ]
    own = draft(
        table.rules,
        fields["check"],
        fields.get("sides", []),
        fields.get("parameters", {}),
        characters,
        options=table.options,
        by=actor,
    )
    own = _with_authors(own, actor, fields.get("typed", {}))
    own, hidden = with_action_lines(table, own, fields)
    own = with_table_values(table, own, roller, fields)
    for number in fields.get("off", []):
        own = own.switch(number, on=False, by=actor)
    for one in fields.get("add", []):
        own = own.add(**one, by=actor)
    return own, hidden


def _usable_sheet(table: Table, projected: Table, actor: str, roller: str, name: str) -> Character:
    """A character that somebody may use; one that they do not know of is none."""
    character = projected.characters.get(name)
    if character is None:
        raise Refused(f"there is no character {name[:160]!r}")
    if projected.role(actor) != GM and character.owner != actor:
        raise Refused(f"{character.id} is {character.owner}'s; {actor} uses characters of their own")
    if character.level_for(roller, table.role(roller)) < ALL or character.sheet is None:
        raise Refused(
            f"{roller} does not see the sheet of {character.id}, so it is not theirs to roll",
            "show it before, or roll it yourself",
        )
    return character.sheet


def _with_authors(own: Draft, actor: str, typed: Mapping[str, str]) -> Draft:
    """The same lines, with the names of those who gave them."""
    names = {
        find_name(name.removesuffix("+").strip(), own.check.params, "parameter"): seat
        for name, seat in typed.items()
    }

    def credit(line: Line) -> Line:
        seat = names.get(line.parameter, actor)
        by = seat if line.by == actor else line.by
        return replace(line, by=by, switched_by=seat if line.switched_by else "")

    sides = tuple(replace(side, lines=tuple(map(credit, side.lines))) for side in own.sides)
    return replace(own, overall=tuple(map(credit, own.overall)), sides=sides)
